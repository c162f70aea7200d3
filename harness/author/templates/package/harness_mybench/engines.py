"""The engines by name, and what they derive as a `Solution`."""

from __future__ import annotations

from typing import Any

from harness import EngineError, Solution, did_you_mean

from harness_mybench import closure, orders

NAMES = ("closure", "orders")


def solve(problem: Any, engine: str) -> Solution:
    """Decide a problem, perhaps a foreign one, with one engine.

    Raises:
        EngineError: there is no such engine, or the problem has no answer.
    """
    _check(problem)
    if engine == "closure":
        label, chain = closure.decide(problem)
        return Solution(label, engine, {"chain": chain})
    if engine == "orders":
        label, both = orders.decide(problem)
        return Solution(label, engine, {"orders": both})
    raise EngineError(f"no engine '{engine}'; {did_you_mean(engine, NAMES)}")


def _check(problem: Any) -> None:
    """Refuse what the schema cannot: events beyond those there are, and one asked about twice."""
    named = {event for pair in (*problem["before"], problem["ask"]) for event in pair}
    if not all(event < problem["events"] for event in named):
        raise EngineError(f"an event is beyond the {problem['events']} there are")
    if problem["ask"][0] == problem["ask"][1]:
        raise EngineError("the question names one event twice")
