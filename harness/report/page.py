"""A report as one HTML page: no network, and nothing of a log is ever more than text."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from harness.report import page_script, page_style, page_template
from harness.report.explorer import MOST, Entry, fitting
from harness.report.model import ASKED, Cell, Estimate, Figure, Study, Summary, Table

if TYPE_CHECKING:
    from harness.report.figures import Drawn

ROWS = 400  # of one table on the page; all of them are in its files
WIDE = 8  # columns; a table of more is set small on paper
LISTED = 40  # warnings on the page
NAMED = 12  # series in the line below the heading
FLOORS = (
    "majority floor",
    "random floor",
)  # what one of the first `NAMES` cells of a floor's row says
NAMES = 2

Shown = Mapping[str, tuple[Sequence[Entry], int]]


def page(
    summaries: Sequence[Summary], drawn: Mapping[str, Drawn], entries: Shown, title: str
) -> str:
    """Return the page.

    Args:
        summaries: one per plugin.
        drawn: by `Figure.name`; a figure without one is left out.
        entries: what `harness.report.explorer.entries` returned, by plugin; one without has no explorer.
        title: the page's heading.
    """
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    share = MOST // max(1, len(entries))
    studies = [
        _study(at, summary, drawn, entries.get(summary.study.benchmark.name), share)
        for at, summary in enumerate(summaries)
    ]
    # Our own text; the page's policy lets no script run that has not this digest.
    style, script = Markup(page_style.STYLE), Markup(page_script.SCRIPT)  # noqa: S704
    text = environment.from_string(page_template.MACROS + page_template.PAGE).render(
        title=title,
        described=_described(summaries),
        warnings=_warnings(summaries),
        studies=studies,
        style=style,
        script=script,
        script_hash=_digest(script),
    )
    return text.lstrip().encode(errors="replace").decode()


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _described(summaries: Sequence[Summary]) -> str:
    studies = [summary.study for summary in summaries]
    labels = list(dict.fromkeys(one.label for study in studies for one in study.series))
    more = len(labels) - NAMED
    told = ", ".join(labels[:NAMED]) + (f" and {more} more" if more > 0 else "")
    return f"{_count(len(labels), 'series', 'series')}: {told}"


def _count(n: int, word: str, many: str = "") -> str:
    return f"{n:,} {word if n == 1 else many or word + 's'}"


def _warnings(summaries: Sequence[Summary]) -> list[str]:
    found = [
        f"{summary.study.benchmark.name}: {line}"
        for summary in summaries
        for line in dict.fromkeys((*summary.study.warnings, *summary.warnings))
    ]
    more = len(found) - LISTED
    return [*found[:LISTED], f"… and {more} more"] if more > 0 else found


def _study(
    at: int, summary: Summary, drawn: Mapping[str, Drawn],
    shown: tuple[Sequence[Entry], int] | None, share: int,
) -> dict[str, Any]:  # fmt: skip
    study = summary.study
    anchor = f"study-{at}"
    items = {answer.id for one in study.series for answer in one.answers}
    return {
        "anchor": anchor,
        "name": study.benchmark.name,
        "summary": study.benchmark.summary,
        "described": f"{_count(len(items), 'item')}, {_count(len(study.series), 'series', 'series')}, "
        f"{_count(len(study.logs), 'log')}",
        "sections": [
            {
                "anchor": f"{anchor}-{place}",
                "title": section.title,
                "note": section.note,
                "tables": [_table(one) for one in section.tables],
                "figures": [_figure(one, drawn[one.name]) for one in section.figures if one.name in drawn],
            }
            for place, section in enumerate(summary.sections)
        ],
        "explorer": _explorer(f"{anchor}-items", study, shown, share) if shown else None,
        "logs": [
            {
                "path": log.path,
                "model": log.model,
                "asked": _asked(log.asked),
                "source": _source(log.version, log.dataset),
                "n": f"{log.n:,}",
                "status": log.status,
                "created": log.created[:19].replace("T", " "),
            }
            for log in study.logs
        ],
    }  # fmt: skip


def _asked(asked: Mapping[str, str]) -> str:
    return ", ".join(
        f"{key} {asked[key]}" for key in ASKED if asked.get(key, "none") not in ("none", "no")
    )


def _source(version: str, dataset: str | None) -> str:
    return f"{dataset} ({version})" if dataset else f"version {version}"


def _figure(figure: Figure, drawn: Drawn) -> dict[str, Any]:
    return {
        "title": figure.title,
        "note": figure.note,
        "file": figure.name,
        # Drawn by `harness.report.figures`, which escapes every label and says ``alt``.
        "svg": Markup(drawn.inline[max(0, drawn.inline.find("<svg")) :]),  # noqa: S704
    }


def _table(table: Table) -> dict[str, Any]:
    numbers = [_numeric(column) for column in zip(*table.rows, strict=True)]
    numbers = numbers or [False] * len(table.head)
    return {
        "title": table.title,
        "note": table.note,
        "file": table.name,
        "wide": len(table.head) > WIDE,
        "head": list(zip(table.head, numbers, strict=True)),
        "rows": [_row(row, numbers, table.digits) for row in table.rows[:ROWS]],
        "more": max(0, len(table.rows) - ROWS),
    }


def _numeric(column: Sequence[Cell]) -> bool:
    return any(isinstance(cell, int | Estimate) for cell in column)


def _row(row: Sequence[Cell], numbers: Sequence[bool], digits: int) -> dict[str, Any]:
    cells = [
        {**_cell(cell, digits), "number": number, "first": at == 0}
        for at, (cell, number) in enumerate(zip(row, numbers, strict=True))
    ]
    return {"cells": cells, "floor": any(cell in FLOORS for cell in row[:NAMES])}


def _cell(cell: Cell, digits: int) -> dict[str, str]:
    """Return what a cell shows: its text, its interval, and what is said when it is pointed at."""
    if not isinstance(cell, Estimate):
        text = "–" if cell is None else f"{cell:,}" if isinstance(cell, int) else cell
        return {"text": text, "interval": "", "hint": ""}
    if cell.value is None or not isfinite(cell.value):
        return {"text": "–", "interval": "", "hint": f"not defined, n = {cell.n:,}"}
    interval = ""
    if cell.low is not None and cell.high is not None:
        interval = f"{_number(cell.low, digits)} – {_number(cell.high, digits)}"
    hint = f"n = {cell.n:,}" + (f", {cell.method}" if cell.method else "")
    return {"text": _number(cell.value, digits), "interval": interval, "hint": hint}


def _number(value: float, digits: int) -> str:
    text = f"{value:,.{digits}f}"
    return text.removeprefix("-") if float(text.replace(",", "")) == 0 else text.replace("-", "−")


def _explorer(
    anchor: str, study: Study, shown: tuple[Sequence[Entry], int], share: int
) -> dict[str, Any] | None:  # fmt: skip
    kept = fitting(shown[0], share)
    if not kept:
        return None
    whole = len(kept) == shown[1]
    data = {
        "series": [{"label": one.label, "kind": one.kind} for one in study.series],
        "entries": kept,
    }
    return {
        "anchor": anchor,
        "data": _embedded(data),
        "described": f"All {shown[1]:,} items." if whole
        else f"{len(kept):,} of {shown[1]:,} items, of every kind; they are no random sample.",
        "chosen": not whole,
    }  # fmt: skip


ESCAPED = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


def _embedded(data: Any) -> Markup:
    """Return JSON for a script element: with none of the characters that could end it."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Markup(text.translate(ESCAPED))  # noqa: S704
