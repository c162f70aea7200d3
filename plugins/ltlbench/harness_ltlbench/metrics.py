"""Metrics over a whole run: macro F1 and AUC as the paper names them, and the paper's own.

All take the rows of one run, unscored ones left out, and none looks at an item again. The
``published_*`` functions recompute the convention of the paper's scorer from
``Row.extra["published"]``: the last ``true``/``false`` in the text counts, and whatever cannot
be read counts as False. Theirs are for comparison with published figures only.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeVar

from harness import Row

_CLASSES = ("True", "False")
_A = TypeVar("_A")
_B = TypeVar("_B")


def macro_f1(rows: Sequence[Row]) -> float:
    """Return the unweighted mean of the F1 of True and of False.

    An unparsed answer is a prediction of neither class: it lowers recall, not precision. A
    class that is neither predicted nor there does not count, as in scikit-learn. No rows: nan.
    """
    kinds = Counter((row.target, row.answer) for row in rows if row.outcome != "unscored")
    labels = ((_label(gold), _label(answer), n) for (gold, answer), n in kinds.items())
    return _macro_f1(_merged(labels))


def auc(rows: Sequence[Row]) -> float:
    """Return the area under the ROC curve with True as the positive class.

    The score of a row is its ``probability`` when every readable answer has one. Otherwise it
    is the answer itself: 1 for True, 0 for False. An unparsed answer ranks on the wrong end,
    below all for a True target and above all for a False one, as it earns nothing anywhere;
    ties count half. With only one class among the targets there is no curve: nan.
    """
    kinds = Counter(
        (row.target, row.answer if row.outcome == "scored" else None, row.probability)
        for row in rows
        if row.outcome != "unscored"
    )
    soft = all(sure is not None for _, answer, sure in kinds if answer is not None)
    return _auc(
        _merged(
            (_label(gold) == "True", _confidence(gold, answer, sure if soft else None), n)
            for (gold, answer, sure), n in kinds.items()
        )
    )


def path_unread(row: Row) -> float:
    """Return whether an answer is False with a path that was there but could not be read for certain."""
    return float(row.extra.get("path_unread") == "yes")


def published_accuracy(row: Row) -> float | None:
    """Return whether an answer is right under the paper's extraction, where unreadable means False."""
    answer = row.extra.get("published")
    return None if answer is None else float(_label(row.target) == str(answer))


def published_unparsed(row: Row) -> float | None:
    """Return whether the paper's extraction finds no word in an answer (-1 in its files), which counts as False."""
    if "published" not in row.extra:
        return None
    return float(row.extra.get("published_unparsed") == "yes")


def published_f1(rows: Sequence[Row]) -> float:
    """Return the macro F1 under the paper's extraction, where unreadable means False."""
    return _macro_f1(_published(rows))


def published_auc(rows: Sequence[Row]) -> float:
    """Return the AUC of the hard labels under the paper's extraction."""
    pairs = _published(rows)
    return _auc(_merged((g == "True", float(s == "True"), n) for (g, s), n in pairs.items()))


def _merged(kinds: Iterable[tuple[_A, _B, int]]) -> Counter[tuple[_A, _B]]:
    """Return how often each pair occurs: a run has few different rows, and the bootstrap asks for many runs."""
    counts: Counter[tuple[_A, _B]] = Counter()
    for first, second, count in kinds:
        counts[first, second] += count
    return counts


_HEAD = 40  # characters that tell the label: a counterexample behind it may be megabytes long


def _label(answer: str | None) -> str | None:
    """Return the True or False that a target or an answer begins with."""
    word = answer[:_HEAD].partition(":")[0].strip() if answer else None
    return word if word in _CLASSES else None


def _confidence(gold: str, answer: str | None, probability: float | None) -> float:
    label = _label(answer)
    if label is None:
        return -1.0 if _label(gold) == "True" else 2.0
    return float(label == "True") if probability is None else probability


def _published(rows: Sequence[Row]) -> Counter[tuple[str | None, str | None]]:
    """Return the counts of (gold, predicted) over rows that carry the paper's prediction."""
    kinds = Counter(
        (row.target, row.extra["published"])
        for row in rows
        if row.outcome != "unscored" and "published" in row.extra
    )
    return _merged((_label(gold), str(answer), n) for (gold, answer), n in kinds.items())


def _macro_f1(pairs: Counter[tuple[str | None, str | None]]) -> float:
    if not pairs:
        return math.nan
    scores = []
    for name in _CLASSES:
        named = sum(n * ((gold == name) + (answer == name)) for (gold, answer), n in pairs.items())
        if named:
            scores.append(2 * pairs[name, name] / named)
    return sum(scores) / len(scores) if scores else math.nan


def _auc(points: Counter[tuple[bool, float]]) -> float:
    """Return the share of (positive, negative) pairs that are in order, ties counting half."""
    positives = sum(n for (positive, _), n in points.items() if positive)
    negatives = points.total() - positives
    if not positives or not negatives:
        return math.nan
    ordered, below = 0.0, 0
    for level in sorted({score for _, score in points}):
        ordered += points[True, level] * (below + points[False, level] / 2)
        below += points[False, level]
    return ordered / (positives * negatives)
