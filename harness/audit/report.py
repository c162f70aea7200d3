"""The report of an audit: ``audit.json`` and the page ``index.html``, no record ever more than text in it."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from harness_errors import OutputError
from harness_pages import asset, digest, style, templates
from markupsafe import Markup, escape

from harness.audit.findings import GRAVE, KINDS, Findings, item_place, place
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
    if not spec.dataset:
        return None
    # Its name without the ending: never one that leads out of the folder it is put in.
    names = (Path(spec.dataset).stem, Path(spec.dataset).name, "dataset")
    return Path("audits", next(name for name in names if name.strip(".")))


def prepare(folder: Path, stack: ExitStack) -> None:
    """Make the directory, before hours are spent on what could not be written.

    What was made for it is removed at the end of ``stack`` if nothing is in it by then. Raises `OutputError`: it
    cannot be made, or cannot be written to, or a file in it is not ours to replace.
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
        where = str(path)[:200]
        raise OutputError(
            f"{where} was not written by an audit; choose another report= or remove it"
        )


def _remove_if_empty(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()


def write(folder: Path, summary: Mapping[str, Any], findings: Findings) -> dict[str, str]:
    """Write both files, each of them whole or not at all; return their paths."""
    texts = {PAGE: lines(summary, findings.gravest(MOST)), DATA: _json(summary, findings)}
    for name, parts in texts.items():
        try:
            with whole(folder / name) as file:
                file.writelines(parts)
        except OSError as error:
            raise _failed(folder / name, error) from None
    return {"json": str(folder / DATA), "page": str(folder / PAGE)}


def _json(summary: Mapping[str, Any], findings: Findings) -> Iterable[str]:
    head = json.dumps(summary, indent=1, ensure_ascii=False)
    yield head.removesuffix("\n}") + ',\n "findings": ['
    before = "\n  "
    for line in findings.lines():
        yield before + line
        before = ",\n  "
    yield "\n ]\n}\n"


def _failed(path: Path, error: OSError) -> OutputError:
    why = f"the report cannot be written: {error.strerror}"
    return OutputError(f"{str(path)[:200]}: {why}; choose another report=")


MOST = 5_000  # findings on the page
LONG = 4_000  # characters of a message or of evidence on the page
OPEN = 20  # evidence of the first so many wrong labels is open from the start
METRICS = 6  # columns of the table of constant answers
# The little Markdown that scorers write in their explanations; bounded and within a line.
MARKED = re.compile(r"`([^`\n]{1,300})`|(?<!\w)\*\*([^\s*][^*\n]{0,300})\*\*(?!\w)")


def lines(summary: Mapping[str, Any], findings: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the page in pieces; ``findings`` are at most `MOST`, and appear with the gravest kinds first."""
    kinds = list(KINDS)
    gravest = sorted(findings, key=lambda finding: kinds.index(finding["kind"]))
    script, look = asset(__package__, "page.js"), style(__package__, "page.css")
    page = templates(__package__).get_template("page.html.j2")
    constants = summary["constants"].values()
    metrics = list(dict.fromkeys(name for scores in constants for name in scores["metrics"]))
    yield from page.generate(
        summary,
        name=summary["dataset"] or f"fresh items of {summary['plugin']}",
        most=MOST,
        meaning=KINDS,
        metrics=metrics[:METRICS],
        findings=_rows(gravest),
        place=place,
        item_place=item_place,
        style=look,
        script=script,
        style_digest=digest(look),
        script_digest=digest(script),
    )


def _rows(findings: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield what the page shows of each finding; the evidence of the first wrong labels is open."""
    wrong = 0
    for finding in findings:
        kind = finding["kind"]
        wrong += kind == "label"
        yield {
            "source_id": "",
            "weakness": "",
            **finding,
            "tone": "bad" if kind == "label" else "warn" if kind in GRAVE else "dim",
            "message": _cut(finding["message"]),
            "evidence": _marked(_cut(finding.get("evidence", ""))),
            "open": kind == "label" and wrong <= OPEN,
        }


def _marked(text: str) -> Markup:
    """Return escaped text with ``**bold**`` and ```code``` as elements; nothing else is ever more than text."""

    def element(match: re.Match[str]) -> str:
        code, bold = match.groups()
        return f"<code>{code}</code>" if code is not None else f"<b>{bold}</b>"

    return Markup(MARKED.sub(element, str(escape(text))))  # noqa: S704 - what is not an element is escaped


def _cut(text: str) -> str:
    more = len(text) - LONG
    return f"{text[:LONG]}… ({more} characters more in audit.json)" if more > 0 else text
