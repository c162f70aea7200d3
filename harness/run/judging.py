"""What a completion scores, by the path of every run, without Inspect: `harness.training.rewards` is built on it."""

from __future__ import annotations

from harness_errors import HarnessError

from harness.core.hookspecs import Benchmark, Row
from harness.core.items import Item, Verdict
from harness.core.plugins import Plugin

DIGITS = 6  # decimals of a value, in a log and in a reward


def judged(plugin: Plugin, item: Item, completion: str, explain: bool = True) -> Verdict:
    """Return the verdict on any text whatever; what fails on our side is ``unscored`` with the reason."""
    try:
        verdict: Verdict = plugin.call("score", item=item, completion=completion, explain=explain)
    except HarnessError as error:
        return Verdict("unscored", {}, explanation=str(error))
    return verdict


def judged_cut(
    plugin: Plugin, item: Item, completion: str, complete: str | None, explain: bool = True
) -> Verdict:
    """Return the verdict on a completion, but not on half an answer: `12` may be what is left of `123`.

    ``complete`` is the completion without the line in which it was cut off, None of one that was not. That line
    counts only where what is read from it is one of the item's choices.
    """
    verdict = judged(plugin, item, completion, explain)
    if complete is None or verdict.outcome != "scored":
        return verdict
    if verdict.answer in plugin.benchmark.choices_for(item.features):
        return verdict
    without = judged(plugin, item, complete, explain)
    return verdict if without.answer == verdict.answer else without


def row(plugin: Plugin, item: Item, completion: str) -> Row:
    """Return the verdict on a completion as the row that metrics are worked out from."""
    verdict = judged(plugin, item, completion, explain=False)  # a row has no explanation
    return Row(
        target=item.target, answer=verdict.answer, outcome=verdict.outcome, value=verdict.value,
        features=item.features, extra=verdict.extra,
    )  # fmt: skip


def rounded(benchmark: Benchmark, verdict: Verdict) -> dict[str, float]:
    """Return the values of a verdict that is not ``unscored``, as a log holds them."""
    return {key: round(float(verdict.value[key]), DIGITS) for key in benchmark.values}
