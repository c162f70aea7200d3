"""The engines by name, and what they derive as a `Solution`."""

from __future__ import annotations

from typing import Any

from harness import EngineError, Solution, did_you_mean

from harness_mybench.engines import closure, orders
from harness_mybench.problem import check

NAMES = ("closure", "orders")


def solve(problem: Any, engine: str) -> Solution:
    """Decide a problem, perhaps a foreign one, with one engine.

    Raises:
        EngineError: there is no such engine, or the problem has no answer.
    """
    check(problem)
    if engine == "closure":
        label, chain = closure.decide(problem)
        return Solution(label, engine, {"chain": chain})
    if engine == "orders":
        label, both = orders.decide(problem)
        return Solution(label, engine, {"orders": both})
    raise EngineError(f"no engine '{engine}'; {did_you_mean(engine, NAMES)}")
