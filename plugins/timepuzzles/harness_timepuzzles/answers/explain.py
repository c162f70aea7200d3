"""Worked solutions in words, from the masks: which dates each clue leaves, the narrowest clue first."""

from __future__ import annotations

from datetime import date

from harness import Item
from harness_timepuzzles import day_sets
from harness_timepuzzles.clues.clue import Clue, mask
from harness_timepuzzles.engines.masks import narrowest_first
from harness_timepuzzles.problem import Problem

_LISTED = 14  # dates or periods written out
_SPELLED = 800  # characters of a fact spelled out


def worked(item: Item) -> str:
    """Return a solution that leads up to the target: clue by clue what it means and what it leaves."""
    problem = Problem.parse(item.problem)
    left = problem.span
    lines = []
    for number, clue in narrowest_first(problem):
        lines.append(f"Clue {number}: {clue.sentence()}{_meaning(clue, left)}")
        left &= mask(clue)
        lines.append(f"  {_remaining(left)}")
    return "\n".join(lines)


def _meaning(clue: Clue, left: int) -> str:
    """Say what an implicit clue means for the dates that are left, as far as that is short."""
    if not clue.implicit or not left:
        return ""
    first, last = day_sets.first_day(left), date.fromordinal(day_sets.ordinals(left)[-1])
    spelled = clue.explicit(first, last).sentence()
    if len(spelled) > _SPELLED:
        cut = max(spelled.rfind(mark, 0, _SPELLED) for mark in ",;")  # years; periods
        spelled = f"{spelled[:cut]}, and so on."
    return f" That is, from {first} to {last}: {spelled}"


def _remaining(left: int) -> str:
    count = left.bit_count()
    if count == 0:
        return "No date is left."
    plural = "1 date is" if count == 1 else f"{count} dates are"
    runs = day_sets.periods(left) if count <= 40 * _LISTED else []
    if not 0 < len(runs) <= _LISTED:
        return f"{plural} left."
    return f"{plural} left: {day_sets.in_words(runs)}."
