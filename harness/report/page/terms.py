"""What the words of a benchmark's tables mean, and the short names of series, for the page of a report."""

from __future__ import annotations

import re
from dataclasses import replace

from harness.report.model import Cell, Section, Summary, Table
from harness.report.views_names import MEANT, SHORT, short_labels

PART = 18  # characters of a part of a text that is never broken
PARTED = 200  # of a text that is looked at for such parts

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
    words = _words(summary)
    order = sorted(known, key=lambda name: name != benchmark.headline)
    terms = [(name, known[name], name == benchmark.headline) for name in order if name in words]
    if not terms:
        return []
    kinds = dict.fromkeys(series.kind for series in summary.study.series if series.kind in MEANT)
    return [*terms, *((f"({SHORT[kind]})", MEANT[kind], False) for kind in kinds)]


def _words(summary: Summary) -> set[str]:
    """Return what the tables call their columns, and the metrics that rows are about."""
    words: set[str] = set()
    for table in summary.tables:
        words.update(table.head)
        for at, name in enumerate(table.head):
            if name == "metric":
                words.update(str(row[at]) for row in table.rows)
    return words


def shortened(summary: Summary) -> Summary:
    """Return the summary with short names of series in its tables: a narrow screen has no room for long ones."""
    short = short_labels(summary.study.series)

    def cell(content: Cell) -> Cell:
        return short.get(content, content) if isinstance(content, str) else content

    def table(item: Table) -> Table:
        return replace(item, rows=tuple(tuple(map(cell, row)) for row in item.rows))

    def section(item: Section) -> Section:
        return replace(item, tables=tuple(map(table, item.tables)))

    return replace(summary, sections=tuple(map(section, summary.sections)))


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
