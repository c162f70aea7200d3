"""Metrics over a run: `METRICS` by the paper's definitions, `PUBLISHED` as its code computes them.

All read what `score` puts into the verdict: ``value`` for the means over items (``correct``, ``f1_ap`` …),
``extra`` for the others. That is set for unparsed replies too: there all of the gold answer counts as
missed, `accepted` and `f1_state` are 0, and the published figures are what the published scorer gives.
What a row does not have (`accepted` and `f1_state`: a cause) is left out; nan where no row has it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence, Set
from typing import Any

from harness import Metric, Row

ERRORS = {
    "overspecified": "name all the true literals, and others beside",
    "underspecified": "name true literals only, and not all",
    "other_step": "name the true literals, but at other steps",
    "mixed": "name literals that are not true ones, and lack some that are",
    "other_form": "name the true literals, but join them otherwise",
    "other_effect": "explain another effect",
}
"""What can be wrong with a stated cause, as the end of a sentence about answers."""


def kind_of_error(true: Set[tuple[Any, ...]], stated: Set[tuple[Any, ...]], of_effect: bool) -> str:
    """Return what is wrong with a wrong cause: a key of `ERRORS`.

    ``true``: the literals of the true cause, of which the first entry is the step; ``stated``:
    those of the answer; ``of_effect``: whether the answer is about the effect asked about.
    """
    if not of_effect:
        return "other_effect"
    if stated == true:
        return "other_form"
    if stated > true:
        return "overspecified"
    if stated < true:
        return "underspecified"
    signs = [sorted(literal[1:] for literal in literals) for literals in (true, stated)]
    return "other_step" if signs[0] == signs[1] else "mixed"


def _pooled(level: str, figure: int) -> Callable[[Sequence[Row]], float]:
    """Return the function that pools the counts of all items: precision (0), recall (1) or F1 (2)."""

    def compute(rows: Sequence[Row]) -> float:
        # Here: describing the benchmark is not to load machines and HOA.
        from harness_tempobench.answers.score_gold import Counts

        extras = [row.extra for row in rows if f"{level}_tp" in row.extra]
        names = (f"{level}_{kind}" for kind in ("tp", "fp", "fn"))
        sums = (int(sum(float(extra[name]) for extra in extras)) for name in names)
        return Counts(*sums).figures()[figure] if extras else math.nan

    return compute


def _number(name: str) -> Callable[[Row], float | None]:
    """Return the function that finds a number which some verdicts carry."""

    def each(row: Row) -> float | None:
        return float(row.extra[name]) if name in row.extra else None

    return each


def _of_kind(kind: str) -> Callable[[Row], float | None]:
    """Return the function that tells whether a wrong answer is wrong in one way; None of others."""

    def each(row: Row) -> float | None:
        error = row.extra.get("error", "exact")
        return None if error == "exact" else float(error == kind)

    return each


_published_correct = _number("published_correct")


def published_accuracy(rows: Sequence[Row]) -> float:
    """Return the accuracy that the published code prints: it counts every right item twice, so up to 2."""
    results = [number for row in rows if (number := _published_correct(row)) is not None]
    return 2 * sum(results) / len(results) if results else math.nan


_FIGURES = {"f1": ("F1", 2), "precision": ("precision", 0), "recall": ("recall", 1)}
"""The word for each figure, and its place in `Counts.figures`."""

_IN_ITEM = {"ap": "(step, literal)", "ts": "whole steps"}
_TOGETHER = {"ap": "the (step, literal)", "ts": "the steps"}
_PUBLISHED = {"ap": "literals", "ts": "steps"}
_ALL = [(figure, level) for level in ("ap", "ts") for figure in _FIGURES]


def _of_item(figure: str, level: str) -> Metric:
    word = _FIGURES[figure][0]
    return Metric(f"{figure}_{level}", f"{word} over {_IN_ITEM[level]} of an item, mean over items")


def _of_all(figure: str, level: str) -> Metric:
    word, place = _FIGURES[figure]
    about = f"{word} over {_TOGETHER[level]} of all items together"
    return Metric(f"pooled_{figure}_{level}", about, _pooled(level, place))


def _as_published(figure: str, level: str) -> Metric:
    name, word = f"published_{figure}_{level}", _FIGURES[figure][0]
    about = f"{word} of {_PUBLISHED[level]} by the published scorer, mean over items"
    return Metric(name, about, each=_number(name))


METRICS = (
    Metric("correct", "tce: share of causes that mean the true one; tte, sim: share of runs right in every step, and "
           "accepted or rejected rightly; min: share of sets that are exactly the necessary inputs"),
    Metric("exact", "share of answers with exactly the gold clauses, in any order (tte: the same as correct)"),
    *(_of_item(*each) for each in sorted(_ALL, key=lambda each: each[0] != "f1")),
    *(_of_all(figure, level) for figure, level in _ALL),
    Metric("accepted", "tte: share of traces rightly said to be accepted or rejected", each=_number("accepted")),
    Metric("f1_state", "tte, sim: F1 over (step, next state) of an item, mean over items", each=_number("f1_state")),
    Metric("before_error", "tte, sim: share of the steps before the first wrong one, mean over items",
           each=_number("before_error")),
    *(
        Metric(kind, f"tce, min: of the wrong answers, the share that {what}", each=_of_kind(kind))
        for kind, what in ERRORS.items()
    ),
)  # fmt: skip

PUBLISHED = (
    *(_as_published(figure, level) for figure, level in _ALL),
    Metric("published_correct", "share of items with both F1 = 1 by the published scorer", each=_published_correct),
    Metric("published_accuracy", "accuracy as the published code prints it, right items counted twice (0 to 2)",
           published_accuracy),
)  # fmt: skip
