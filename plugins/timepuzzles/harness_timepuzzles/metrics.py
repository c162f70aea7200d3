"""How a set of dates is compared with another, and what an answer claims beside its dates.

An answer may claim that there is no date, or have one that no calendar has; an unparsed answer claims nothing.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from harness import Row

VALUES = ("exact", "precision", "recall", "f1", "jaccard")


def values(gold: AbstractSet[str], stated: AbstractSet[str]) -> dict[str, float]:
    """Return exact match, precision, recall, F1 and Jaccard index of two sets, each from 0 to 1.

    As in the paper (appendix B.1), two empty sets agree in everything, and one empty set in nothing.
    """
    if not gold and not stated:
        return dict.fromkeys(VALUES, 1.0)
    right = len(gold & stated)
    return {
        "exact": float(gold == stated),
        "precision": right / len(stated) if stated else 0.0,
        "recall": right / len(gold) if gold else 0.0,
        "f1": 2 * right / (len(gold) + len(stated)),
        "jaccard": right / len(gold | stated),
    }


def none_claimed(row: Row) -> float:
    """Return whether an answer says that no date satisfies the clues."""
    return float(row.answer == "none")


def impossible(row: Row) -> float:
    """Return whether an answer has a date that no calendar has."""
    return float(float(row.extra.get("impossible", 0)) > 0)
