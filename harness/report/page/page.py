"""A report as one HTML page: no network, and nothing of a log is ever more than text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from harness_pages import asset, digest, style, templates
from markupsafe import Markup

from harness.core.facts import printable
from harness.report.labels import apart
from harness.report.model import (
    ASKED,
    Cell,
    Estimate,
    Figure,
    LogFacts,
    Section,
    Study,
    Summary,
    Table,
    answers_of,
)  # fmt: skip
from harness.report.page.explorer import MOST, Entry, within_size
from harness.report.page.terms import glossary, parts
from harness.report.tables import UNDEFINED, number, value_text
from harness.report.views_base import brief_table

if TYPE_CHECKING:
    from harness.report.figures import Drawn
    from harness.report.overview import Overview

ROWS = 400  # of one table on the page; all of them are in its files
WIDE, WIDEST = 8, 12  # columns; a table of more is set small on paper, or smaller
LISTED = 40  # warnings on the page
NAMED = 12  # models in the line below the heading
NAME_LONGEST = 60  # characters of one there
FOLDED = 12  # rows; a table of more is closed at first, except the results that come first
FLOOR = " floor"  # what one of the first `NAMES` cells of a floor's row ends in
LOGS = 6  # of a benchmark; the table of more is closed at first
NAMES = 2
NAME = 38  # characters of a name that is not broken where there is room

Shown = Mapping[str, tuple[Sequence[Entry], int]]


def page(
    summaries: Sequence[Summary], drawn: Mapping[str, Drawn], entries: Shown, title: str,
    overview: Overview | None = None,
) -> str:  # fmt: skip
    """Return the page.

    Args:
        summaries: one per plugin.
        drawn: by `Figure.name`; a figure without one is left out.
        entries: what `harness.report.page.explorer.entries` returned, by plugin; one without has no explorer.
        title: the page's heading.
        overview: what the page opens with, where there is something to hold beside another.
    """
    share = MOST // max(1, len(entries))
    studies = [
        _study(at, summary, drawn, entries.get(summary.study.benchmark.name), share)
        for at, summary in enumerate(summaries)
    ]
    script = asset(__package__, "explorer.js", "page.js")
    text = (
        templates(__package__)
        .get_template("page.html.j2")
        .render(
            title=title,
            described=_series_line(summaries),
            warnings=_warnings(summaries),
            studies=studies,
            overview=overview and _table(overview.table, leads=True, bold=overview.bold),
            style=style(__package__, "page.css"),
            script=script,
            script_digest=digest(script),
        )
    )
    return text.encode(errors="replace").decode()


def _series_line(summaries: Sequence[Summary]) -> str:
    """Return how many series there are, and of which models, each once."""
    every = [series for summary in summaries for series in summary.study.series]
    models = dict.fromkeys(series.model for series in every)
    names = list(apart(models, NAME_LONGEST, lambda model: printable(model, len(model))).values())
    more = len(names) - NAMED
    listed = ", ".join(names[:NAMED]) + (f" and {more} more" if more > 0 else "")
    return f"{_count(len(every), 'series', 'series')} of {_count(len(names), 'model')}: {listed}"


def _count(n: int, word: str, many: str = "") -> str:
    return f"{n:,} {word if n == 1 else many or word + 's'}"


def _warnings(summaries: Sequence[Summary]) -> list[str]:
    lines = [
        f"{summary.study.benchmark.name}: {line}"
        for summary in summaries
        for line in dict.fromkeys((*summary.study.warnings, *summary.warnings))
    ]
    more = len(lines) - LISTED
    return [*lines[:LISTED], f"… and {more} more"] if more > 0 else lines


def _study(
    at: int, summary: Summary, drawn: Mapping[str, Drawn],
    shown: tuple[Sequence[Entry], int] | None, share: int,
) -> dict[str, Any]:  # fmt: skip
    study = summary.study
    sections = [
        replace(section, tables=tuple(map(brief_table, section.tables)))
        for section in summary.sections
    ]
    anchor = f"study-{at}"
    items = {answer.id for answer in answers_of(study.series)}
    return {
        "anchor": anchor,
        "name": study.benchmark.name,
        "summary": study.benchmark.summary,
        "described": f"{_count(len(items), 'item')}, {_count(len(study.series), 'series', 'series')}, "
        f"{_count(len(study.logs), 'log')}",
        "glossary": glossary(summary),
        "glance": _glance(sections[:1]),
        "sections": [
            _section(section, f"{anchor}-{place}", drawn, first=place == 0)
            for place, section in enumerate(sections)
        ],
        "explorer": _explorer(f"{anchor}-items", study, shown, share) if shown else None,
        "logs": [_log(log) for log in study.logs],
        "many_logs": len(study.logs) > LOGS,
    }  # fmt: skip


def _log(log: LogFacts) -> dict[str, str]:
    return {
        "path": log.path,
        "model": log.model,
        "looks": _looks(log.model, number=False),
        "asked": _asked(log.asked),
        "source": f"{log.dataset} ({log.version})" if log.dataset else f"version {log.version}",
        "n": f"{log.n:,}",
        "status": log.status,
        "created": log.created[:19].replace("T", " "),
    }


def _section(
    section: Section, anchor: str, drawn: Mapping[str, Drawn], first: bool
) -> dict[str, Any]:
    """Return what a section shows; a note that it has said already is not said again."""
    notes = section.note
    pieces = []
    for figure, tables in _pieces(section, drawn):
        shown = None if figure is None else _figure(figure, drawn[figure.name])
        if figure is not None and shown is not None:
            shown["note"], notes = _new_note(figure.note, notes)
        shgroup = [_table(table, leads=first and table is section.tables[0]) for table in tables]
        for table in shgroup:
            table["note"], notes = _new_note(table["note"], notes)
        pieces.append({"figure": shown, "tables": shgroup})
    return {
        "anchor": anchor,
        "title": section.title,
        "note": section.note,
        "pieces": pieces,
        "first": first,
    }


def _pieces(
    section: Section, drawn: Mapping[str, Drawn]
) -> list[tuple[Figure | None, list[Table]]]:
    """Return each figure with the tables of its numbers, then the tables that have none.

    A figure is named after its table: ``x_plot`` goes with ``x`` and with ``x_…``.
    """
    figures = {
        figure.name.removesuffix("_plot"): figure
        for figure in section.figures
        if figure.name in drawn
    }
    tables: dict[str | None, list[Table]] = {stem: [] for stem in (*figures, None)}
    for table in section.tables:
        stems = [stem for stem in figures if f"{table.name}_".startswith(f"{stem}_")]
        tables[max(stems, key=len) if stems else None].append(table)
    return [(figures[stem] if stem is not None else None, group) for stem, group in tables.items()]


def _new_note(note: str, earlier: str) -> tuple[str, str]:
    """Return the note where it is new, else nothing; and all that has been said then."""
    return ("", earlier) if note in earlier else (note, f"{earlier}\n{note}")


def _glance(sections: Sequence[Section]) -> dict[str, Any] | None:
    """Return the headline of every series and task, where the results of several tasks stand apart."""
    tables = [
        table
        for section in sections
        for table in section.tables
        if table.head[:2] == ("series", "n") and not _every_metric(table)
    ]
    if len(tables) < 2:
        return None
    columns = [{str(row[0]): row[2] for row in table.rows} for table in tables]
    names = sorted(dict.fromkeys(name for column in columns for name in column), key=_is_floor)
    head = ("series", *(table.title.partition(": ")[2] or table.title for table in tables))
    rows = tuple((name, *(column.get(name) for column in columns)) for name in names)
    note = "Intervals and all other numbers are below."
    title = f"{', '.join(dict.fromkeys(table.head[2] for table in tables))} at a glance"
    glance = _table(Table("", title, head, rows, note, tables[0].digits), leads=True)
    for row in glance["rows"]:
        for cell in row["cells"]:
            cell["interval"] = ""
    return glance


def _every_metric(table: Table) -> bool:
    return table.name.endswith("_all_metrics")


def _asked(way: Mapping[str, str]) -> str:
    return ", ".join(
        f"{key} {way[key]}" for key in ASKED if way.get(key, "none") not in ("none", "no")
    )


def _figure(figure: Figure, drawn: Drawn) -> dict[str, Any]:
    return {
        "title": figure.title,
        "alt": figure.alt,
        "file": figure.name,
        # Drawn by `harness.report.figures`, which escapes every label.
        "panels": [Markup(panel) for panel in drawn.inline],  # noqa: S704
        "legend": [(Markup(sign), label) for sign, label in drawn.legend],  # noqa: S704
    }


def _table(
    table: Table, leads: bool, bold: frozenset[tuple[int, int]] = frozenset()
) -> dict[str, Any]:
    """Return what a table shows; long ones are folded, but for the one that leads; ``bold``: cells, (row, column)."""
    numbers = [_numeric(column) for column in zip(*table.rows, strict=True)]
    numbers = numbers or [False] * len(table.head)
    size = f"{_count(len(table.rows), 'row')}, {_count(len(table.head), 'column')}"
    return {
        "title": table.title,
        "note": table.note,
        "file": table.name,
        "wide": len(table.head) > WIDE,
        "widest": len(table.head) > WIDEST,
        "folded": not leads and (len(table.rows) > FOLDED or _every_metric(table)),
        "size": size,
        "head": list(zip(table.head, numbers, strict=True)),
        "rows": [
            _row(row, numbers, table.digits, {at for place, at in bold if place == number})
            for number, row in enumerate(table.rows[:ROWS])
        ],
        "more": max(0, len(table.rows) - ROWS),
    }


def _numeric(column: Sequence[Cell]) -> bool:
    return any(isinstance(cell, int | Estimate) for cell in column)


def _row(
    row: Sequence[Cell], numbers: Sequence[bool], digits: int, bold: Set[int] = frozenset()
) -> dict[str, Any]:
    cells = [
        {
            **_cell(cell, digits),
            "looks": _looks(cell, number),
            "first": at == 0,
            "bold": at in bold,
            "parts": parts(cell),
        }
        for at, (cell, number) in enumerate(zip(row, numbers, strict=True))
    ]
    return {"cells": cells, "floor": any(map(_is_floor, row[:NAMES]))}


def _looks(cell: Cell, number: bool) -> str:
    """Return the class of a cell: a number, a name that stays in one line where there is room, or a text."""
    if number:
        return "n"
    return "name" if len(str(cell)) <= NAME else "text"


def _is_floor(cell: Cell) -> bool:
    return isinstance(cell, str) and cell.endswith(FLOOR)


def _cell(cell: Cell, digits: int) -> dict[str, str]:
    """Return what a cell shows: its text, its interval, and what is said when it is pointed at."""
    if not isinstance(cell, Estimate):
        text = UNDEFINED if cell is None else f"{cell:,}" if isinstance(cell, int) else cell
        return {"text": text, "interval": "", "hint": ""}
    text = value_text(cell, digits, ",")
    if text == UNDEFINED:
        return {"text": text, "interval": "", "hint": f"not defined, n = {cell.n:,}"}
    interval = ""
    if cell.low is not None and cell.high is not None:
        interval = f"{number(cell.low, digits, ',')} – {number(cell.high, digits, ',')}"
    hint = f"n = {cell.n:,}" + (f", {cell.method}" if cell.method else "")
    return {"text": text, "interval": interval, "hint": hint}


def _explorer(
    anchor: str, study: Study, shown: tuple[Sequence[Entry], int], share: int
) -> dict[str, Any] | None:  # fmt: skip
    kept = within_size(shown[0], share)
    if not kept:
        return None
    whole = len(kept) == shown[1]
    data = {
        "series": [{"label": series.label, "kind": series.kind} for series in study.series],
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
