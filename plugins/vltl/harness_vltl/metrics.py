"""Metrics over a run. Those of one task are undefined (nan) where no item has that task."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from harness import Metric, Row, both_right


def number(name: str, place: str = "extra") -> Callable[[Row], float | None]:
    """Return the function that reads a number from a row's extra values or features; None where it has none."""

    def each(row: Row) -> float | None:
        values = getattr(row, place)
        return float(values[name]) if name in values else None

    return each


def ratio(part: str, whole: str) -> Callable[[Sequence[Row]], float]:
    """Return the sum of one number over the sum of another: a mean over propositions, not over items."""

    def compute(rows: Sequence[Row]) -> float:
        extras = [row.extra for row in rows if whole in row.extra]
        total = sum(float(extra[whole]) for extra in extras)
        return sum(float(extra[part]) for extra in extras) / total if total else math.nan

    return compute


METRICS = (
    Metric("correct", "share of items answered right, as their task asks (see the metrics below)"),
    Metric("partial", "the part of each answer that is right: mean IoU, suite accuracy, or share of propositions"),
    Metric("lifting_iou", "lift: token IoU per gold proposition, mean over propositions",
           ratio("iou_sum", "iou_of")),
    Metric("lifting_exact", "lift: share of sentences with every token's proposition right", each=number("spans")),
    Metric("translation", "translate, end_to_end: share of formulas equivalent to the gold one",
           each=number("equivalent")),
    Metric("exact_string", "translate, end_to_end: share of formulas built as the gold one, whatever the notation",
           each=number("exact")),
    Metric("grounding", "ground: share of propositions with action and arguments right",
           ratio("grounded", "grounded_of")),
    Metric("grounding_dictionary", "ground: share of dictionaries with every proposition right",
           each=number("dictionary")),
    Metric("sat", "translate, end_to_end: share of answers that hold on the satisfying trace", each=number("sat")),
    Metric("unsat", "translate, end_to_end: share of answers that fail on the violating trace",
           each=number("unsat")),
    Metric("both", "translate, end_to_end: share of answers right on both", each=number("both")),
    Metric("suite", "translate, end_to_end: share of a suite's traces that an answer judges right",
           each=number("suite")),
    Metric("suite_all", "translate, end_to_end: share of answers right on every trace of the suite",
           each=number("suite_all")),
    Metric("verification", "verify: share of traces judged right", each=number("judged")),
    Metric("pairs", "verify: share of pairs of twins that are both judged right; a coin has a quarter",
           both_right("correct"), together="twin"),
    Metric("kill_rate", "of the items, not of the model: share of wrong formulas that their suites tell",
           each=number("kill_rate", "features")),
    Metric("lift_stage", "strategy=staged: share of right replies to the stage lift", each=number("stage_lift")),
    Metric("translate_stage", "strategy=staged: share of right replies to the stage translate",
           each=number("stage_translate")),
    Metric("ground_stage", "strategy=staged: share of right replies to the stage ground",
           each=number("stage_ground")),
)  # fmt: skip
