"""Metrics over a run: `METRICS` by the paper's definitions, `PUBLISHED` as its code computes them.

All read what `score` puts into the verdict: ``value`` for the means over items (``correct``, ``f1_ap`` …),
``extra`` for the others. That is set for unparsed replies too: there all of the gold answer counts as
missed, `accepted` and `f1_state` are 0, and the published figures are what the published scorer gives.
What a row does not have (`accepted` and `f1_state`: a cause) is left out; nan where no row has it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from harness import Metric, Row


def _pooled(level: str, figure: int) -> Callable[[Sequence[Row]], float]:
    """Return the function that pools the counts of all items: precision (0), recall (1) or F1 (2)."""

    def compute(rows: Sequence[Row]) -> float:
        # Here: describing the benchmark is not to load machines and HOA.
        from harness_tempobench.answers.score_gold import Counts

        found = [row.extra for row in rows if f"{level}_tp" in row.extra]
        sums = (
            int(sum(float(one[f"{level}_{kind}"]) for one in found)) for kind in ("tp", "fp", "fn")
        )
        return Counts(*sums).figures()[figure] if found else math.nan

    return compute


def _number(name: str) -> Callable[[Row], float | None]:
    """Return the function that finds a number which some verdicts carry."""

    def each(row: Row) -> float | None:
        return float(row.extra[name]) if name in row.extra else None

    return each


_published_correct = _number("published_correct")


def published_accuracy(rows: Sequence[Row]) -> float:
    """Return the accuracy that the published code prints: it counts every right item twice, so up to 2."""
    found = [number for row in rows if (number := _published_correct(row)) is not None]
    return 2 * sum(found) / len(found) if found else math.nan


METRICS = (
    Metric("correct", "tce: share of causes that mean the true one; tte: share of runs right in every step, and "
           "accepted or rejected rightly"),
    Metric("exact", "share of answers with exactly the gold clauses, in any order (tte: the same as correct)"),
    Metric("f1_ap", "F1 over (step, literal) of an item, mean over items"),
    Metric("f1_ts", "F1 over whole steps of an item, mean over items"),
    Metric("precision_ap", "precision over (step, literal) of an item, mean over items"),
    Metric("recall_ap", "recall over (step, literal) of an item, mean over items"),
    Metric("precision_ts", "precision over whole steps of an item, mean over items"),
    Metric("recall_ts", "recall over whole steps of an item, mean over items"),
    Metric("pooled_f1_ap", "F1 over the (step, literal) of all items together", _pooled("ap", 2)),
    Metric("pooled_precision_ap", "precision over the (step, literal) of all items together", _pooled("ap", 0)),
    Metric("pooled_recall_ap", "recall over the (step, literal) of all items together", _pooled("ap", 1)),
    Metric("pooled_f1_ts", "F1 over the steps of all items together", _pooled("ts", 2)),
    Metric("pooled_precision_ts", "precision over the steps of all items together", _pooled("ts", 0)),
    Metric("pooled_recall_ts", "recall over the steps of all items together", _pooled("ts", 1)),
    Metric("accepted", "tte: share of traces rightly said to be accepted or rejected", each=_number("accepted")),
    Metric("f1_state", "tte: F1 over (step, next state) of an item, mean over items", each=_number("f1_state")),
)  # fmt: skip

PUBLISHED = (
    Metric("published_f1_ap", "F1 of literals by the published scorer, mean over items",
           each=_number("published_f1_ap")),
    Metric("published_precision_ap", "precision of literals by the published scorer, mean over items",
           each=_number("published_precision_ap")),
    Metric("published_recall_ap", "recall of literals by the published scorer, mean over items",
           each=_number("published_recall_ap")),
    Metric("published_f1_ts", "F1 of steps by the published scorer, mean over items",
           each=_number("published_f1_ts")),
    Metric("published_precision_ts", "precision of steps by the published scorer, mean over items",
           each=_number("published_precision_ts")),
    Metric("published_recall_ts", "recall of steps by the published scorer, mean over items",
           each=_number("published_recall_ts")),
    Metric("published_correct", "share of items with both F1 = 1 by the published scorer", each=_published_correct),
    Metric("published_accuracy", "accuracy as the published code prints it, right items counted twice (0 to 2)",
           published_accuracy),
)  # fmt: skip
