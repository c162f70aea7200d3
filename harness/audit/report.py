"""Where the report of an audit lies on disk: ``audit.json`` and the page ``index.html``."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from harness_errors import OutputError

from harness.audit import page
from harness.audit.findings import Findings
from harness.audit.writers import hold, partial, whole
from harness.core.spec import Spec

DATA, PAGE = "audit.json", "index.html"
NONE = "none"
# What begins a report of ours, in the layout that we write: nothing else is replaced.
BEGINS = 2**16  # characters
KEYS = {"plugin", "version", "versions", "dataset", "config", "records", "engines"}
TITLE = '<meta name="robots" content="noindex">\n<title>Audit of '


def folder_of(spec: Spec) -> Path | None:
    """Return the directory of the report: ``report=``, else one named after the dataset; None for no report."""
    if spec.report == NONE:
        return None
    if spec.report:
        return Path(spec.report)
    return Path("audits", _name(Path(spec.dataset))) if spec.dataset else None


def _name(dataset: Path) -> str:
    """Return a dataset's name without its ending: never one that leads out of the folder it is put in."""
    names = (dataset.stem, dataset.name, "dataset")
    return next(name for name in names if name.strip("."))


def prepare(folder: Path, stack: ExitStack) -> None:
    """Make the directory, before hours are spent on what could not be written.

    What was made for it is removed at the end of ``stack`` if nothing is in it by then.

    Raises:
        OutputError: it cannot be made, or cannot be written to, or a file in it is not ours to replace.
    """
    for name in (DATA, PAGE):
        _must_be_ours(folder / name)
    try:
        new_folders = [path for path in (*reversed(folder.parents), folder) if not path.exists()]
        folder.mkdir(parents=True, exist_ok=True)
        for path in new_folders:
            stack.callback(_remove_if_empty, path)
        for name in (DATA, PAGE):
            with hold(folder / name):
                partial(folder / name).unlink()
    except OSError as error:
        raise _failed(folder, error) from None


def _must_be_ours(path: Path) -> None:
    """Raise where something lies at a path that no audit wrote."""
    if not os.path.lexists(path):
        return
    try:
        with path.open(encoding="utf-8", newline="") as file:
            begin = file.read(BEGINS)
    except (OSError, ValueError):
        begin = ""
    # A JSON string holds no line end, so what begins a line with one space is a key of the whole.
    keys = set(re.findall(r'^ "([a-z_]+)":', begin, re.MULTILINE))
    data = begin.startswith("{\n") and keys >= KEYS
    if not (TITLE in begin if path.name == PAGE else data):
        raise OutputError(
            f"{str(path)[:200]} was not written by an audit; choose another report= or remove it"
        )


def _remove_if_empty(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()


def write(folder: Path, summary: Mapping[str, Any], findings: Findings) -> dict[str, str]:
    """Write both files, each of them whole or not at all; return their paths."""
    _write(folder / PAGE, page.lines(summary, findings.gravest(page.MOST)))
    _write(folder / DATA, _json(summary, findings))
    return {"json": str(folder / DATA), "page": str(folder / PAGE)}


def _json(summary: Mapping[str, Any], findings: Findings) -> Iterable[str]:
    head = json.dumps(summary, indent=1, ensure_ascii=False)
    yield head.removesuffix("\n}") + ',\n "findings": ['
    before = "\n  "
    for line in findings.lines():
        yield before + line
        before = ",\n  "
    yield "\n ]\n}\n"


def _write(path: Path, texts: Iterable[str]) -> None:
    try:
        with whole(path) as file:
            file.writelines(texts)
    except OSError as error:
        raise _failed(path, error) from None


def _failed(path: Path, error: OSError) -> OutputError:
    return OutputError(
        f"{str(path)[:200]}: the report cannot be written: {error.strerror}; choose another report="
    )
