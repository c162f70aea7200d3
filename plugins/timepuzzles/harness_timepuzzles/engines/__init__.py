"""Three ways to the solution set of a problem.

``masks`` makes the label: one bit per day, one mask per clue, from python-dateutil, lunardate and
other calendar libraries. ``arithmetic`` confirms it and shares no calendar with it. ``days`` asks
every clue about every day: slow, and simple enough to believe.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from harness import Abstained, Solution
from harness_timepuzzles.conversions.problem import is_conversion
from harness_timepuzzles.problem import Problem, answer


def solve(problem: dict[str, Any], engine: str) -> Solution:
    """Return the solution set by one engine.

    Raises:
        Abstained: the range goes beyond what the engine knows of a clue's calendar.
        ClueError, RangeError, ConversionError: the problem is none.
    """
    if is_conversion(problem):
        from harness_timepuzzles.engines import conversions

        return conversions.solve(problem, engine)
    parsed = Problem.parse(problem)
    for why in parsed.uncertain():
        raise Abstained(why)
    dates: Sequence[date | str]
    if engine == "arithmetic":
        from harness_timepuzzles.engines import arithmetic

        dates = arithmetic.solutions(problem)
    elif engine == "days":
        from harness_timepuzzles.engines import days

        dates = days.solutions(parsed)
    else:
        from harness_timepuzzles.engines import masks

        dates = masks.solutions(parsed)
    return Solution(answer(dates), engine)
