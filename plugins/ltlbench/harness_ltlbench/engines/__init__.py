"""The engines by name, and what they derive as a `Solution`."""

from __future__ import annotations

from typing import Any

from harness import EngineError, Solution, did_you_mean
from harness_ltlbench.formula import FormulaError, answer, validate

NAMES = ("tableau", "spot", "pymodelchecking")


def solve(problem: Any, engine: str) -> Solution:
    """Decide a problem from outside with one engine; the certificate of False is a violating path.

    Raises:
        FormulaError: the problem is malformed.
        Abstained: the engine declines a problem beyond its bounds.
        EngineError: there is no such engine.
    """
    events = problem["events"]
    validate(problem["formula"], events)
    # What the schema cannot refuse: edges and an initial event beyond the events there are.
    named = {problem["initial"], *(event for edge in problem["edges"] for event in edge)}
    if not all(1 <= event <= events for event in named):
        raise FormulaError(f"an edge or the initial event is beyond the {events} events")
    holds, violation = _decide(problem, engine)
    certificate = {"violation": violation}
    if not holds and violation is None:  # an engine that gives no path
        return Solution("False", engine, certificate)
    return Solution(answer(problem["task"], violation), engine, certificate)


def _decide(problem: Any, engine: str) -> tuple[bool, dict[str, list[int]] | None]:
    if engine == "spot":
        from harness_ltlbench.engines import spot

        by_spot = spot.check(problem, violation=True)
        return by_spot.holds, by_spot.violation
    if engine == "tableau":
        from harness_ltlbench.engines import tableau

        by_tableau = tableau.check(problem)
        return by_tableau.holds, by_tableau.violation
    if engine == "pymodelchecking":
        from harness_ltlbench.engines import pymodelchecking

        return pymodelchecking.check(problem).holds, None
    raise EngineError(f"no engine '{engine}'; {did_you_mean(engine, NAMES)}")
