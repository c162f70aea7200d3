"""The command ``view``: the Inspect viewer on a folder of logs, or a static site of it."""

from __future__ import annotations

import io
import os
import shutil
import socket
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout, suppress
from pathlib import Path
from typing import Any

from harness_errors import DatasetError, OutputError, SpecError
from inspect_ai.log import bundle_log_dir

from harness.cli.command import Found, values_of
from harness.core.feature_hooks import Warn
from harness.core.features import keys_of
from harness.run.compat import PrerequisiteError, init_display_type
from harness.run.models import plain


def command(words: Sequence[str], warn: Warn) -> Found:
    """Run ``harness view``."""
    raw = values_of(words, keys_of("view"))
    port = raw.get("port", "7575")
    if not port.isdecimal() or not 1 <= int(port) <= 65535:
        raise SpecError(f"port={port}: expected a number from 1 to 65535")
    logs = Path(raw.get("log_dir", "logs"))
    if not os.path.isdir(logs):  # noqa: PTH112 (Path.is_dir raises where the name is too long)
        raise DatasetError(f"no log directory {logs}; harness run writes one")
    if "bundle" in raw:
        bundle(logs, Path(raw["bundle"]))
        return {"log_dir": str(logs), "bundle": raw["bundle"]}, 0
    from harness.run.compat import view

    host = raw.get("host", "127.0.0.1")
    try:  # before the viewer fails on it at length
        socket.create_server((host, int(port))).close()
    except OSError as error:
        wrong = f"cannot listen on {host}:{port}: {error.strerror}"
        raise OutputError(f"{wrong}; choose another port=") from None
    warn(f"http://{host}:{port}/ (Ctrl-C ends it)")
    with redirect_stdout(sys.stderr), suppress(KeyboardInterrupt):  # the way to close it
        view(log_dir=str(logs), host=host, port=int(port))
    return {"log_dir": str(logs)}, 0


def bundle(logs: Path, out: Path) -> None:
    """Write a static site with the viewer and a copy of the logs; it needs a web server, but none of ours.

    Raises:
        DatasetError: there is no log.
        OutputError: the place is taken, lies among the logs, or cannot be written.
    """
    if os.path.lexists(out):
        raise OutputError(f"bundle={str(out)[:200]} exists already; name a new folder")
    if not any(logs.rglob("*.eval")) and not any(logs.rglob("*.json")):
        raise DatasetError(f"{logs}: there is no log to bundle")
    partial = out.with_name(f".{out.name}.{os.getpid()}.partial")
    try:
        partial.parent.mkdir(parents=True, exist_ok=True)
        init_display_type("none")  # or what a later run of this process prints would be shown
        with redirect_stdout(io.StringIO()):  # it tells of the partial folder
            bundle_log_dir(str(logs), str(partial))
        partial.rename(out)
    except PrerequisiteError as error:
        raise OutputError(plain(error).replace(str(partial), str(out))) from None
    except OSError as error:
        why = error.strerror or str(error)
        raise OutputError(f"bundle={str(out)[:200]}: the site cannot be written: {why}") from None
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def text(result: Mapping[str, Any]) -> str:
    """Return what became of the viewer."""
    if "bundle" in result:
        return f"static site: {result['bundle']} (any web server shows it: python -m http.server)"
    return f"closed: {result['log_dir']}"
