"""The conformance checks in a fork of this process: a plugin that ends the process fails one check only.

Native code that crashes, `os._exit`, a hook that swallows every interrupt: none of it can be caught where it happens.
A fork runs the checks and reports the beginning and the end of each. When it dies, the check that had begun has
failed, and another fork runs the rest.
"""

from __future__ import annotations

import faulthandler
import json
import os
import signal
import sys
import tempfile
import threading
import traceback
from collections.abc import Mapping
from typing import IO, Any, NoReturn

import harness_errors
from harness_errors import HarnessError

from harness.core.plugins import Plugin
from harness.kit.conformance import CHECKS, conformance, entry, report_of

LONGEST = 3_600.0  # seconds of one check; only what no interrupt reaches takes them


def conformance_apart(
    plugin: Plugin, config: Mapping[str, Any], *, only: tuple[str, ...] = (), **options: Any
) -> dict[str, Any]:
    """Return the report of `harness.testing.conformance`, whatever the plugin does to the process.

    Where other threads run, no process is forked: the checks then run in this one.

    Raises:
        HarnessError: the pins of golden items could not be written.
    """
    if threading.active_count() > 1:
        return conformance(plugin, config, only=only, **options)
    left = [name for name in CHECKS if not only or name in only]
    entries: dict[str, dict[str, Any]] = {}
    while True:
        reports, ended = _forked(plugin, config, {**options, "only": tuple(left)})
        for name, report in reports:
            if report is not None:
                entries.setdefault(name, report)
        if ended is None:
            break
        begun = reports[-1][0] if reports else "generate"
        entries[begun] = entry(begun, f"the process ended in this check: {ended}", "")
        left = left[left.index(begun) + 1 :] if begun in left else []
        if not left:
            break
        options["golden"] = "check"
    return report_of(plugin, [entries[name] for name in ("generate", *CHECKS) if name in entries])


def _forked(
    plugin: Plugin, config: Mapping[str, Any], options: dict[str, Any]
) -> tuple[list[tuple[str, dict[str, Any] | None]], str | None]:
    """Run the checks in a fork; return what it reported, and what ended it before its time, or None.

    It reports (name, None) where a check begins and (name, entry) where it ends.
    """
    reading, writing = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    with tempfile.TemporaryFile() as late:  # written to if a check takes too long
        child = os.fork()
        if child == 0:
            os.close(reading)
            _leave(plugin, config, options, writing, late)
        os.close(writing)
        try:
            with os.fdopen(reading, encoding="utf-8") as lines:
                reports = list(map(json.loads, lines))
        except BaseException:
            os.kill(child, signal.SIGKILL)
            raise
        finally:
            _, status = os.waitpid(child, 0)
        if reports and reports[-1][0] == "error":
            _, (kind, message) = reports[-1]
            raise getattr(harness_errors, kind, HarnessError)(message)
        return reports, _ending(status, os.fstat(late.fileno()).st_size > 0)


def _ending(status: int, late: bool) -> str | None:
    """Say what ended a fork before its time; None where all its checks ran."""
    code = os.waitstatus_to_exitcode(status)
    if code == _DONE:
        return None
    if code == _LATE and late:
        return f"it was not done after {LONGEST:g} s, and a hook could not be interrupted"
    return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"


_DONE = 86  # not 0: a hook that leaves with it is not done
_LATE = 1  # the code of `faulthandler`


def _leave(
    plugin: Plugin,
    config: Mapping[str, Any],
    options: dict[str, Any],
    writing: int,
    late: IO[bytes],
) -> NoReturn:
    """Run the checks in the fork, report each, and end the fork."""

    def tell(name: str, report: Any) -> None:
        if report is None:  # one begins
            faulthandler.dump_traceback_later(LONGEST, exit=True, file=late)
        os.write(writing, json.dumps([name, report]).encode() + b"\n")

    code = 70
    try:
        conformance(plugin, config, tell=tell, **options)
        code = _DONE
    except HarnessError as error:
        tell("error", [type(error).__name__, str(error)])
        code = _DONE
    except KeyboardInterrupt:
        code = 130
    except BaseException:  # a defect of ours
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)
