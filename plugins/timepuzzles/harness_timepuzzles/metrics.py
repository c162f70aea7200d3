"""What an answer claims beside its dates: that there is none, or a date that no calendar has.

An unparsed answer claims nothing.
"""

from __future__ import annotations

from harness import Row


def none_claimed(row: Row) -> float:
    """Return whether an answer says that no date satisfies the clues."""
    return float(row.answer == "none")


def impossible(row: Row) -> float:
    """Return whether an answer has a date that no calendar has."""
    return float(float(row.extra.get("impossible", 0)) > 0)
