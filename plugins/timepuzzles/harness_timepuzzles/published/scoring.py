"""The published extraction and metrics, defects and all, to reproduce published figures.

What counts is the last stretch from "answer:" to the end of its line (or, if there is none, from
"answer is"): every YYYY-MM-DD in it, dates that no calendar has included, and the word None with
that capital. An answer on the next line, lower-case none and dates with a dash for a hyphen (but for
U+2011) are not read; of "A to B" the two ends are; None beside anything is one more wrong date. An
answer that is not read scores 0, also where nothing was to be found.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from harness import Metric, Row
from harness_timepuzzles.metrics import values
from harness_timepuzzles.problem import answer_days

UNREAD = "CANNOT_PARSE"
EXTRA = "published_answer"

_DATES = re.compile(r"None|\d{4}-\d{2}-\d{2}")


def extracted(completion: str) -> str:
    """Return what the published extractor reads: dates with ", " between them, "none", or `UNREAD`."""
    low = completion.encode("ascii", "replace").lower()  # far cheaper to search than a text
    for mark in (b"answer:", b"answer is"):
        if (last := low.rfind(mark)) >= 0:
            first = low.find(mark, low.rfind(b"\n", 0, last) + 1)  # of its line
            stretch = completion[first:].partition("\n")[0]
            dates = _DATES.findall(stretch.replace("\N{NON-BREAKING HYPHEN}", "-"))
            return ", ".join(dates).lower() or UNREAD
    return UNREAD


def _sets(row: Row) -> tuple[set[str], set[str]] | None:
    """Return gold and predicted set; None for a row that has none."""
    answer = row.extra.get(EXTRA)
    if row.outcome == "unscored" or not isinstance(answer, str):
        return None
    gold = set(answer_days(row.target))
    # Alone, "none" is the empty set; what could not be read is wrong whatever the gold set.
    return gold, set() if answer == "none" else set(answer.split(", "))


def _metric(name: str) -> Callable[[Row], float | None]:
    def each(row: Row) -> float | None:
        sets = _sets(row)
        return None if sets is None else values(*sets)[name]

    return each


def parsed(row: Row) -> float | None:
    """Return 1 where the published extractor reads something, else 0."""
    return None if _sets(row) is None else float(row.extra[EXTRA] != UNREAD)


_NAMES = {
    "exact": "exact match", "precision": "precision", "recall": "recall", "f1": "F1",
    "jaccard": "Jaccard index",
}  # fmt: skip
PUBLISHED = (
    *(
        Metric(f"published_{name}", f"{title} under the paper's own extraction", each=_metric(name))
        for name, title in _NAMES.items()
    ),
    Metric(
        "published_parsed",
        "share of replies in which the paper's extraction reads anything",
        each=parsed,
    ),
)
