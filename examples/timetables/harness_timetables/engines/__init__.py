"""The two engines by name, on any problem that fits the schema."""

from __future__ import annotations

from typing import Any

from harness import Abstained, EngineError, Solution
from harness_timetables.clock import clock
from harness_timetables.config import NEVER
from harness_timetables.engines import graph, scan
from harness_timetables.problem import MAX_STOPS, faults, size


def solve(problem: Any, engine: str) -> Solution:
    """Return the earliest arrival that an engine finds.

    Raises:
        Abstained: the timetable has more than `problem.MAX_STOPS` stops.
        EngineError: it is no timetable, or there is no such engine.
    """
    for fault in faults(problem):
        raise EngineError(f"no timetable: {fault}")
    if size(problem) > MAX_STOPS:
        raise Abstained(f"more than {MAX_STOPS:,} stops")
    if engine == "scan":
        arrival = scan.arrivals(problem)[problem["to"]]
    elif engine == "graph":
        arrival = graph.arrival(problem)
    else:
        raise EngineError(f"no engine '{engine}'; known: graph, scan")
    return Solution(NEVER if arrival is None else clock(arrival), engine)
