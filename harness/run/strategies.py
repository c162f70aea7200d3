"""How a model is asked: the strategies that every benchmark has, with those of its own, and what fits them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    options["epochs"] = _epochs(plan, options)
    options["repeats"] = None
    options["gold"] = _gold(plan, options["gold"] or [])
    if options["convention"] == "published" and not benchmark.published:
        raise SpecError(
            f"convention=published: {benchmark.name} has no other convention of scoring than its own"
        )


def _epochs(plan: Strategy, options: Mapping[str, Any]) -> int | None:
    """Return how often each item is asked for answers that all count, by either name of the setting."""
    epochs: int | None = options["epochs"]
    repeats: int | None = options["repeats"]
    if None not in (epochs, repeats) and epochs != repeats:
        raise SpecError(f"epochs={epochs} and repeats={repeats} are two names of one setting")
    epochs = epochs if repeats is None else repeats
    votes = options["samples"] or plan.samples
    if (epochs or 1) > 1 and votes > 1:
        voted = f"samples={votes}" if options["samples"] else f"strategy={plan.name}"
        raise SpecError(
            f"epochs={epochs} does not go with {voted}: of answers that are voted on only the vote counts, "
            "with epochs each of them does; choose one"
        )
    return None if epochs == 1 else epochs  # one answer is what there is without


def _gold(plan: Strategy, names: Sequence[str]) -> list[str] | None:
    """Return the stages whose gold replies are used, in the order of the strategy; None if none are."""
    if names and not plan.stages:
        raise SpecError(f"'gold' has no effect with strategy={plan.name}, which has no stages")
    for name in names:
        if name not in plan.stages:
            hint = did_you_mean(name, plan.stages)
            raise SpecError(f"gold={shown(name)}: no stage of strategy={plan.name}; {hint}")
    return [stage for stage in plan.stages if stage in names] or None
