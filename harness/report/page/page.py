"""A report as one HTML page: no network, and nothing of a log is ever more than text."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from harness_pages import asset, digest, style, templates
from markupsafe import Markup

from harness.report.labels import apart, plain
from harness.report.model import Cell, Estimate, Figure, Section, Study, Summary, Table, answers_of
from harness.report.page.explorer import MOST, Entry, within_size
from harness.report.tables import UNDEFINED, number, value_text
from harness.report.views_base import SHORT, brief_table

if TYPE_CHECKING:
    from harness.report.figures import Drawn
    from harness.report.summary import Overview

ROWS = 400  # of one table on the page; all of them are in its files
LISTED = 40  # warnings on the page
NAMED = 12  # models in the line below the heading
NAME_LONGEST = 60  # characters of one there
FOLDED = 12  # rows; a table of more is closed at first, except the results that come first
FLOOR = " floor"  # what one of the first two cells of a floor's row ends in
NAME = 38  # characters of a name that is not broken where there is room

Shown = Mapping[str, tuple[Sequence[Entry], int]]
Part = TypeVar("Part", Figure, Table)


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
    pages = templates(__package__)
    pages.globals |= {"cell_of": _cell, "floors": _is_floor, "looks": _looks, "parts": parts}
    pages.globals["longest"] = ROWS
    text = pages.get_template("page.html.j2").render(
        title=title,
        described=_series_line(summaries),
        warnings=_warnings(summaries),
        studies=studies,
        overview=overview and _table(overview.table, leads=True, bold=overview.bold),
        style=style(__package__, "page.css"),
        script=script,
        script_digest=digest(script),
    )
    return text.encode(errors="replace").decode()


def _series_line(summaries: Sequence[Summary]) -> str:
    """Return how many series there are, and of which models, each once."""
    every = [series for summary in summaries for series in summary.study.series]
    models = dict.fromkeys(series.model for series in every)
    names = list(apart(models, NAME_LONGEST, plain).values())
    more = len(names) - NAMED
    listed = ", ".join(names[:NAMED]) + (f" and {more} more" if more > 0 else "")
    return f"{_count(len(every), 'series', 'series')} of {_count(len(names), 'model')}: {listed}"


def _count(n: int, word: str, many: str = "") -> str:
    return f"{n:,} {word if n == 1 else many or word + 's'}"


def _warnings(summaries: Sequence[Summary]) -> list[str]:
    lines = [
        f"{summary.study.benchmark.name}: {line}"
        for summary in summaries
        for line in dict.fromkeys(summary.study.warnings)
    ]
    more = len(lines) - LISTED
    return [*lines[:LISTED], f"… and {more} more"] if more > 0 else lines


def _study(
    at: int, summary: Summary, drawn: Mapping[str, Drawn],
    shown: tuple[Sequence[Entry], int] | None, share: int,
) -> dict[str, Any]:  # fmt: skip
    study = summary.study
    sections = [replace(s, tables=tuple(map(brief_table, s.tables))) for s in summary.sections]
    anchor = f"study-{at}"
    items = {answer.id for answer in answers_of(study.series)}
    counts = _count(len(items), "item"), _count(len(study.series), "series", "series")
    return {
        "anchor": anchor,
        "name": study.benchmark.name,
        "summary": study.benchmark.summary,
        "described": ", ".join((*counts, _count(len(study.logs), "log"))),
        "glossary": glossary(summary),
        "glance": _glance(sections[:1]),
        "sections": [_section(s, f"{anchor}-{n}", drawn, n == 0) for n, s in enumerate(sections)],
        "explorer": _explorer(f"{anchor}-items", study, shown, share) if shown else None,
        "logs": study.logs,
    }  # fmt: skip


def _section(
    section: Section, anchor: str, drawn: Mapping[str, Drawn], first: bool
) -> dict[str, Any]:
    """Return what a section shows; a note that it has said already is not said again."""
    said = section.note

    def unsaid(part: Part) -> Part:
        nonlocal said
        note = "" if part.note in said else part.note
        said = f"{said}\n{note}"
        return replace(part, note=note)

    pieces = []
    for figure, tables in _pieces(section, drawn):
        shown, image = figure and unsaid(figure), figure and drawn[figure.name]
        grids = [_table(unsaid(table), first and table is section.tables[0]) for table in tables]
        pieces.append({"figure": shown, "image": image, "tables": grids})
    return {"anchor": anchor, "section": section, "pieces": pieces, "first": first}


def _pieces(
    section: Section, drawn: Mapping[str, Drawn]
) -> list[tuple[Figure | None, list[Table]]]:
    """Return each figure with the tables of its numbers, then the tables that have none.

    A figure is named after its table: ``x_plot`` goes with ``x`` and with ``x_…``.
    """
    shown = [figure for figure in section.figures if figure.name in drawn]
    figures = {figure.name.removesuffix("_plot"): figure for figure in shown}
    tables: dict[str | None, list[Table]] = {stem: [] for stem in (*figures, None)}
    for table in section.tables:
        stems = [stem for stem in figures if f"{table.name}_".startswith(f"{stem}_")]
        tables[max(stems, key=len) if stems else None].append(table)
    return [(figures[stem] if stem is not None else None, group) for stem, group in tables.items()]


def _glance(sections: Sequence[Section]) -> dict[str, Any] | None:
    """Return the headline of every series and task, where the results of several tasks stand apart."""
    every = (table for section in sections for table in section.tables)
    tables = [t for t in every if t.head[:2] == ("series", "n") and not _every_metric(t)]
    if len(tables) < 2:
        return None
    columns: list[dict[str, Cell]] = [{} for _ in tables]
    for table, column in zip(tables, columns, strict=True):
        for name, _, cell, *_ in table.rows:
            bare = replace(cell, low=None, high=None) if isinstance(cell, Estimate) else cell
            column[str(name)] = bare
    names = sorted(dict.fromkeys(name for column in columns for name in column), key=_is_floor)
    head = ("series", *(table.title.partition(": ")[2] or table.title for table in tables))
    rows = tuple((name, *(column.get(name) for column in columns)) for name in names)
    note = "Intervals and all other numbers are below."
    title = f"{', '.join(dict.fromkeys(table.head[2] for table in tables))} at a glance"
    return _table(Table("", title, head, rows, note, tables[0].digits), leads=True)


def _every_metric(table: Table) -> bool:
    return table.name.endswith("_all_metrics")


def _table(
    table: Table, leads: bool, bold: frozenset[tuple[int, int]] = frozenset()
) -> dict[str, Any]:
    """Return what a table shows; long ones are folded, but for the one that leads; ``bold``: cells, (row, column)."""
    return {
        "table": table,
        "bold": bold,
        "folded": not leads and (len(table.rows) > FOLDED or _every_metric(table)),
        "size": f"{_count(len(table.rows), 'row')}, {_count(len(table.head), 'column')}",
        "numeric": [
            any(isinstance(row[at], int | Estimate) for row in table.rows)
            for at in range(len(table.head))
        ],
    }


def _looks(cell: Cell, number: bool) -> str:
    """Return the class of a cell: a number, a name that stays in one line where there is room, or a text."""
    if number:
        return "n"
    return "name" if len(str(cell)) <= NAME else "text"


def _is_floor(cell: Cell) -> bool:
    return isinstance(cell, str) and cell.endswith(FLOOR)


def _cell(cell: Cell, digits: int) -> dict[str, str]:
    """Return what a cell shows: its text, its interval, and what is said when it is pointed at."""
    interval = hint = ""
    if not isinstance(cell, Estimate):
        text = UNDEFINED if cell is None else f"{cell:,}" if isinstance(cell, int) else cell
    elif (text := value_text(cell, digits, ",")) == UNDEFINED:
        hint = f"not defined, n = {cell.n:,}"
    else:
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
    series = [{"label": series.label, "kind": series.kind} for series in study.series]
    data = {"series": series, "entries": kept}
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return {
        "anchor": anchor,
        "data": Markup(text.translate(ESCAPED)),  # noqa: S704
        "described": f"All {shown[1]:,} items." if whole
        else f"{len(kept):,} of {shown[1]:,} items, of every kind; they are no random sample.",
        "chosen": not whole,
    }  # fmt: skip


# In JSON for a script element: characters that could end it.
ESCAPED = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


PART = 18  # characters of a part of a text that is never broken
PARTED = 200  # of a text that is looked at for such parts

MEANT = {
    "reference": "the answers of a program that reads and solves the formal problem; not a language model",
    "baseline": "answers that are made without reading the problem; not a language model",
}
"""What the short word after a name says, by kind of series."""

Term = tuple[str, str, bool]
"""A word, what it means, and whether it is the headline."""


def glossary(summary: Summary) -> list[Term]:
    """Return every metric that a table has a column or a row of, the headline first, and the marks of series.

    A key of the answers' values that is no metric is among them. Nothing where no table has any.
    """
    benchmark = summary.study.benchmark
    known = {metric.name: metric.summary for metric in (*benchmark.published, *benchmark.metrics)}
    for key in benchmark.values:
        known.setdefault(key, f"mean of the value {key} that each answer gets")
    words: set[str] = set()  # what tables call their columns, and the metrics that rows are about
    for table in summary.tables:
        words.update(table.head)
        if "metric" in table.head:
            words.update(str(row[table.head.index("metric")]) for row in table.rows)
    order = sorted(known, key=lambda name: name != benchmark.headline)
    terms = [(name, known[name], name == benchmark.headline) for name in order if name in words]
    if not terms:
        return []
    kinds = dict.fromkeys(series.kind for series in summary.study.series if series.kind in MEANT)
    return [*terms, *((f"({SHORT[kind]})", MEANT[kind], False) for kind in kinds)]


def parts(cell: Cell) -> list[tuple[str, bool]]:
    """Return a text in parts that lines may end after, each with whether none ends in it, on a phone either.

    Words end in a blank or ``/``, those too long for a line in ``_``, too. Nothing for what needs no care: no text,
    or short words with blanks between them.
    """
    if not isinstance(cell, str):
        return []
    if len(cell) > PARTED:
        return [(cell, False)]
    words = re.split(r"(?<=[/ ])(?!$)", cell)
    if all(len(word) <= PART for word in words) and not re.search("[-/]", cell):
        return []
    pieces: list[str] = []
    for word in words:
        pieces += [word] if len(word) <= PART else re.split(r"(?<=_)(?!$)", word)
    return [(part, len(part) <= PART) for part in pieces]
