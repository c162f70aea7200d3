"""Where the report of an audit lies on disk: ``audit.json`` and the page ``index.html``."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from harness import audit_page
from harness.audit_tally import Findings
from harness.errors import OutputError
from harness.spec import Spec

DATA, PAGE = "audit.json", "index.html"
NONE = "none"


def folder_of(spec: Spec) -> Path | None:
    """Return the directory of the report: ``report=``, else one named after the dataset; None for no report."""
    if spec.report == NONE:
        return None
    if spec.report:
        return Path(spec.report)
    return Path("audits", Path(spec.dataset).stem) if spec.dataset else None


def prepare(folder: Path, stack: ExitStack) -> None:
    """Make the directory, before hours are spent on what could not be written.

    What was made for it is removed at the end of ``stack`` if nothing is in it by then.

    Raises:
        OutputError: it cannot be made, or cannot be written to.
    """
    try:
        made = [path for path in (*reversed(folder.parents), folder) if not path.exists()]
        folder.mkdir(parents=True, exist_ok=True)
        for path in made:
            stack.callback(_remove_if_empty, path)
        probe = _temporary(folder / DATA)
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise _failed(folder, error) from None


def _remove_if_empty(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()


def write(folder: Path, summary: Mapping[str, Any], findings: Findings) -> dict[str, str]:
    """Write both files, each of them whole or not at all; return their paths."""
    pages = {
        PAGE: audit_page.lines(summary, findings.gravest(audit_page.MOST)),
        DATA: _json(summary, findings),
    }
    for name, texts in pages.items():
        _write(folder / name, texts)
    return {"json": str(folder / DATA), "page": str(folder / PAGE)}


def _json(summary: Mapping[str, Any], findings: Findings) -> Iterable[str]:
    head = json.dumps(summary, indent=1, ensure_ascii=False)
    yield head.removesuffix("\n}") + ',\n "findings": ['
    before = "\n  "
    for line in findings.lines():
        yield before + line
        before = ",\n  "
    yield "\n ]\n}\n"


def _temporary(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}")


def _write(path: Path, texts: Iterable[str]) -> None:
    temporary = _temporary(path)
    try:
        with temporary.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.writelines(texts)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        raise _failed(path, error) from None
    finally:
        temporary.unlink(missing_ok=True)


def _failed(path: Path, error: OSError) -> OutputError:
    return OutputError(
        f"{str(path)[:200]}: the report cannot be written: {error.strerror}; choose another report="
    )
