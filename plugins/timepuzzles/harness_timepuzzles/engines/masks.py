"""The engine that makes the labels: one set of days per clue, and what they have in common."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from harness_timepuzzles import day_sets
from harness_timepuzzles.clues.clue import Clue, mask
from harness_timepuzzles.problem import Problem

ALL = day_sets.run(day_sets.FIRST, day_sets.LAST)


def solutions(problem: Problem) -> list[date]:
    """Return all dates on which every clue holds, ascending."""
    return day_sets.days(intersection(problem.clues, problem.span))


def intersection(clues: Sequence[Clue], span: int = ALL) -> int:
    """Return the set of the days of a span on which all clues hold."""
    for clue in clues:
        span &= mask(clue)
    return span


def narrowest_first(problem: Problem) -> list[tuple[int, Clue]]:
    """Return the clues with their numbers in the order in which a solution in words uses them.

    What needs a long list comes last, when little of the list matters.
    """
    return sorted(
        enumerate(problem.clues, 1),
        key=lambda pair: (pair[1].costly, (problem.span & mask(pair[1])).bit_count(), pair[0]),
    )


def others(clues: Sequence[Clue], span: int) -> list[int]:
    """Return, per clue, the set of the days of a span that satisfy all other clues."""
    return day_sets.others(list(map(mask, clues)), span)
