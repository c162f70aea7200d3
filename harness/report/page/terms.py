"""What the words of a benchmark's tables mean, and the short names of series, for the page of a report."""

from __future__ import annotations

import re

from harness.report.model import Cell, Summary
from harness.report.views_base import SHORT

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
