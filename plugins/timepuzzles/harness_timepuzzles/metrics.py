"""Metrics over a whole run that no single answer has: how often "none" and unreal dates are claimed.

Both take the rows of one run, unscored ones left out; an unparsed answer claims nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from harness import Row


def none_claimed(rows: Sequence[Row]) -> float:
    """Return the share of answers that say that no date satisfies the clues."""
    return _share(rows, lambda row: row.answer == "none")


def impossible(rows: Sequence[Row]) -> float:
    """Return the share of answers with a date that no calendar has."""
    return _share(rows, lambda row: float(row.extra.get("impossible", 0)) > 0)


def _share(rows: Sequence[Row], counts: Callable[[Row], bool]) -> float:
    judged = [row for row in rows if row.outcome != "unscored"]
    return sum(map(counts, judged)) / len(judged) if judged else math.nan
