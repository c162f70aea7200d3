"""How a model is asked: the strategies that every benchmark has, with those of its own, and what fits them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness_errors import SpecError, did_you_mean

from harness.core.hookspecs import Benchmark, Strategy
from harness.core.schemas import shown

# A plugin's strategy of the same name replaces one of these.
STRATEGIES = (
    Strategy("direct", "the prompt alone"),
    Strategy("cot", "zero-shot chain of thought", suffix="Think step by step before you answer."),
    Strategy("few_shot", "answered examples before the prompt", examples=True),
    Strategy(
        "few_shot_cot",
        "worked examples before the prompt, then step by step",
        suffix="Think step by step before you answer.",
        examples=True,
        rationale=True,
    ),
    Strategy(
        "self_consistency",
        "several chains of thought, a vote on their answers",
        suffix="Think step by step before you answer.",
        samples=5,
    ),
    Strategy(
        "least_to_most",
        "the parts first, then the whole",
        steps=("Do not answer yet. Break the problem into its parts and solve them one by one, "
               "the simplest first.",),
        suffix="Now use the parts you solved and give the answer in the form asked for.",
    ),
)  # fmt: skip


def strategies(benchmark: Benchmark) -> dict[str, Strategy]:
    """Return the strategies of a benchmark by name: the core's, with the plugin's own on top."""
    return {s.name: s for s in (*STRATEGIES, *benchmark.strategies)}


def strategy(benchmark: Benchmark, name: str) -> Strategy:
    """Return a strategy by name or raise `SpecError` with a suggestion."""
    known = strategies(benchmark)
    if name not in known:
        raise SpecError(f"no strategy '{name}'; {did_you_mean(name, known)}")
    return known[name]


def check(benchmark: Benchmark, options: dict[str, Any]) -> None:
    """Refuse options that do not fit the benchmark or each other; put ``gold`` in its one order."""
    plan = strategy(benchmark, str(options["strategy"]))
    if options["shots"] is not None and not plan.examples:
        raise SpecError(f"'shots' has no effect with strategy={plan.name}, which shows no examples")
    options["gold"] = _gold(plan, options["gold"] or [])
    if options["convention"] == "published" and not benchmark.published:
        raise SpecError(
            f"convention=published: {benchmark.name} has no other convention of scoring than its own"
        )


def _gold(plan: Strategy, names: Sequence[str]) -> list[str] | None:
    """Return the stages whose gold replies are used, in the order of the strategy; None if none are."""
    if names and not plan.stages:
        raise SpecError(f"'gold' has no effect with strategy={plan.name}, which has no stages")
    for name in names:
        if name not in plan.stages:
            hint = did_you_mean(name, plan.stages)
            raise SpecError(f"gold={shown(name)}: no stage of strategy={plan.name}; {hint}")
    return [stage for stage in plan.stages if stage in names] or None
