"""The two engines by name, on any problem that fits the schema."""

from __future__ import annotations

from typing import Any

from harness import Abstained, EngineError, Solution
from harness_timetables import graph, problems, scan
from harness_timetables.clock import clock
from harness_timetables.config import NEVER


def solve(problem: Any, engine: str) -> Solution:
    """Return the earliest arrival that an engine finds.

    Raises:
        Abstained: the timetable has more than `problems.MAX_STOPS` stops.
        EngineError: it is no timetable, or there is no such engine.
    """
    for fault in problems.faults(problem):
        raise EngineError(f"no timetable: {fault}")
    if problems.size(problem) > problems.MAX_STOPS:
        raise Abstained(f"more than {problems.MAX_STOPS:,} stops")
    if engine == "scan":
        found = scan.arrivals(problem)[problem["to"]]
    elif engine == "graph":
        found = graph.arrival(problem)
    else:
        raise EngineError(f"no engine '{engine}'; known: graph, scan")
    return Solution(NEVER if found is None else clock(found), engine)
