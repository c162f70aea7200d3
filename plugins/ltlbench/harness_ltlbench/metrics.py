"""Metrics over a whole run: macro F1 and AUC as the paper names them, and the paper's own.

All take the rows of one run, unscored ones left out, and none looks at an item again. The
``published_*`` functions recompute the convention of the paper's scorer from
``Row.extra["published"]``: the last ``true``/``false`` in the text counts, and whatever cannot
be read counts as False. Theirs are for comparison with published figures only.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from harness import Row

_CLASSES = ("True", "False")


def macro_f1(rows: Sequence[Row]) -> float:
    """Return the unweighted mean of the F1 of True and of False.

    An unparsed answer is a prediction of neither class: it lowers recall, not precision. A
    class that is neither predicted nor there has F1 0, as in scikit-learn. No rows: nan.
    """
    return _macro_f1((_label(row.target), _label(row.answer)) for row in _judged(rows))


def auc(rows: Sequence[Row]) -> float:
    """Return the area under the ROC curve with True as the positive class.

    The score of a row is its ``probability`` when every readable answer has one. Otherwise it
    is the answer itself: 1 for True, 0 for False. An unparsed answer is 0.5 either way, and
    ties count half. With only one class among the targets there is no curve: nan.
    """
    judged = _judged(rows)
    soft = all(row.probability is not None for row in judged if row.outcome == "scored")
    return _auc([(_label(row.target) == "True", _confidence(row, soft)) for row in judged])


def published_accuracy(rows: Sequence[Row]) -> float:
    """Return the accuracy under the paper's extraction, where unreadable means False."""
    pairs = _published(rows)
    return sum(gold == said for gold, said in pairs) / len(pairs) if pairs else math.nan


def published_f1(rows: Sequence[Row]) -> float:
    """Return the macro F1 under the paper's extraction, where unreadable means False."""
    return _macro_f1(_published(rows))


def published_auc(rows: Sequence[Row]) -> float:
    """Return the AUC of the hard labels under the paper's extraction."""
    return _auc([(gold == "True", float(said == "True")) for gold, said in _published(rows)])


def _judged(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row.outcome != "unscored"]


def _label(said: str | None) -> str | None:
    """Return the True or False that a target or an answer begins with."""
    word = said.partition(":")[0].strip() if said else None
    return word if word in _CLASSES else None


def _confidence(row: Row, soft: bool) -> float:
    said = _label(row.answer)
    if row.outcome != "scored" or said is None:
        return 0.5
    if soft and row.probability is not None:
        return row.probability
    return float(said == "True")


def _published(rows: Sequence[Row]) -> list[tuple[str | None, str | None]]:
    """Return (gold, predicted) of the rows that carry the paper's prediction."""
    return [
        (_label(row.target), str(row.extra["published"]))
        for row in _judged(rows)
        if "published" in row.extra
    ]


def _macro_f1(pairs: Iterable[tuple[str | None, str | None]]) -> float:
    known = list(pairs)
    if not known:
        return math.nan
    scores = []
    for name in _CLASSES:
        hits = sum(gold == said == name for gold, said in known)
        named = sum((gold == name) + (said == name) for gold, said in known)
        scores.append(2 * hits / named if named else 0.0)
    return sum(scores) / len(scores)


def _auc(points: list[tuple[bool, float]]) -> float:
    """Return the share of (positive, negative) pairs that are in order, by ranks."""
    positives = sum(positive for positive, _ in points)
    negatives = len(points) - positives
    if not positives or not negatives:
        return math.nan
    ordered = sorted(points, key=lambda point: point[1])
    ranks, start = 0.0, 0
    while start < len(ordered):
        end = start
        while end < len(ordered) and ordered[end][1] == ordered[start][1]:
            end += 1
        middle = (start + 1 + end) / 2  # tied scores share the mean of their ranks
        ranks += middle * sum(positive for positive, _ in ordered[start:end])
        start = end
    return (ranks - positives * (positives + 1) / 2) / (positives * negatives)
