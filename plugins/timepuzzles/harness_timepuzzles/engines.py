"""Three ways to the solution set of a problem.

``masks`` makes the label: one bit per day, one mask per clue, from python-dateutil, lunardate and
other calendar libraries. ``arithmetic`` confirms it and shares no calendar with it. ``days`` asks
every clue about every day: slow, and simple enough to believe.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import compress
from operator import not_
from typing import Any

from harness import Abstained, HarnessError, Solution
from harness_timepuzzles import clues, masks
from harness_timepuzzles.clue import Clue, iso

NONE = "none"


class RangeError(HarnessError):
    """The range of a problem is none."""


def answer(days: Sequence[date | str]) -> str:
    """Return a set of days in the form the prompt asks for."""
    return ", ".join(str(day) for day in days) or NONE


def ends(problem: dict[str, Any]) -> tuple[date, date]:
    """Return first and last day of a problem's range.

    Raises:
        RangeError: they are no dates, in the wrong order, or outside 1700 to 2100.
    """
    try:
        first, last = map(iso, problem["range"])
    except (ValueError, TypeError) as error:
        raise RangeError(f"range: {error}; write two dates as YYYY-MM-DD") from None
    if not masks.FIRST <= first <= last <= masks.LAST:
        raise RangeError(
            f"range {first} to {last}: expected two ascending dates from {masks.FIRST} to {masks.LAST}"
        )
    return first, last


def solve(problem: dict[str, Any], engine: str) -> Solution:
    """Return the solution set by one engine.

    Raises:
        Abstained: the range goes beyond what the engine knows of a clue's calendar.
        ClueError, RangeError: the problem is none.
    """
    first, last = ends(problem)
    puzzle = clues.parse_all(problem)
    for why in beyond(puzzle, first, last):
        raise Abstained(why)
    if engine == "arithmetic":
        from harness_timepuzzles import arithmetic

        return Solution(answer(arithmetic.solutions(problem)), engine)
    if engine == "days":
        found = by_day(puzzle, first, last)
        return Solution(answer([day for day, broken in found if not broken]), engine)
    whole = intersection(puzzle) & masks.run(first, last)
    return Solution(answer(masks.days(whole)), engine)


def beyond(puzzle: Sequence[Clue], first: date, last: date) -> list[str]:
    """Return which clues a range is too wide for: their calendars are not certain in all of it."""
    return [
        f"clue '{clue.type}' is certain from {clue.bounds[0]} to {clue.bounds[1]} only"
        for clue in puzzle
        if first < clue.bounds[0] or last > clue.bounds[1]
    ]


def intersection(puzzle: Sequence[Clue]) -> int:
    """Return the days on which all clues hold, as a mask over the whole calendar."""
    whole = masks.run(masks.FIRST, masks.LAST)
    for clue in puzzle:
        whole &= clues.mask(clue)
    return whole


def by_day(puzzle: Sequence[Clue], first: date, last: date) -> list[tuple[date, list[int]]]:
    """Return (day, numbers of the broken clues) of each day that breaks at most one of them, ascending.

    Every clue is asked about every day that has broken at most one of those asked before.
    """
    days = list(map(date.fromordinal, range(first.toordinal(), last.toordinal() + 1)))
    breaking: dict[int, list[date]] = {}  # a clue's number, and the days that break it alone
    for number in _order(puzzle, days[:: len(days) // 60 + 1]):
        holds = puzzle[number].holds
        breaking = {other: list(filter(holds, broke)) for other, broke in breaking.items()}
        held = list(map(holds, days))
        breaking[number] = list(compress(days, map(not_, held)))
        days = list(compress(days, held))
    found = [(day, [number]) for number, broke in breaking.items() for day in broke]
    return sorted([*((day, []) for day in days), *found])


def _order(puzzle: Sequence[Clue], sample: Sequence[date]) -> list[int]:
    """Return the order to ask clues in: those that most days break first, costly ones last.

    Most days break two clues that are quick to ask, so that the others are seldom asked at all.
    """
    kept = [0 if clue.costly else sum(map(clue.holds, sample)) for clue in puzzle]
    return sorted(range(len(puzzle)), key=lambda number: (puzzle[number].costly, kept[number]))
