"""The simplest engine: every clue is asked about every day, without sets of days."""

from __future__ import annotations

from datetime import date
from itertools import compress
from operator import not_

from harness_timepuzzles.problem import Problem


def solutions(problem: Problem) -> list[date]:
    """Return all dates on which every clue holds, ascending."""
    return [day for day, broken in by_day(problem) if not broken]


def by_day(problem: Problem) -> list[tuple[date, list[int]]]:
    """Return (day, numbers of the broken clues) of each day that breaks at most one of them, ascending.

    Every clue is asked about every day that has broken at most one of those asked before.
    """
    first, last, clues = problem.first.toordinal(), problem.last.toordinal(), problem.clues
    days = list(map(date.fromordinal, range(first, last + 1)))
    breaking: dict[int, list[date]] = {}  # a clue's number, and the days that break it alone
    # First the clues that most days break, last the costly ones: most days break two that are quick to ask.
    sample = days[:: len(days) // 60 + 1]
    kept = [0 if clue.costly else sum(map(clue.holds, sample)) for clue in clues]
    for number in sorted(range(len(clues)), key=lambda at: (clues[at].costly, kept[at])):
        holds = clues[number].holds
        breaking = {other: list(filter(holds, broke)) for other, broke in breaking.items()}
        held = list(map(holds, days))
        breaking[number] = list(compress(days, map(not_, held)))
        days = list(compress(days, held))
    breakers = [(day, [number]) for number, broke in breaking.items() for day in broke]
    return sorted([*((day, []) for day in days), *breakers])
