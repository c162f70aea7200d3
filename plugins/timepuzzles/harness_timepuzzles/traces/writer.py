"""The complete solution of a puzzle, step by step, from the masks; `reader` holds it against the puzzle."""

from __future__ import annotations

from datetime import date

from harness import Item
from harness_timepuzzles import day_sets
from harness_timepuzzles.clues.clue import Clue, mask
from harness_timepuzzles.clues.facts import Event
from harness_timepuzzles.engines.masks import narrowest_first
from harness_timepuzzles.problem import Problem, answer
from harness_timepuzzles.wording import is_english

MAX_PERIODS = 60
"""Periods of days that are written out; of more only the number of days is told."""

MAX_CHARACTERS = 20_000
"""Longest trace; a puzzle whose trace would be longer has none."""


def written(item: Item) -> str | None:
    """Return the solution with its answer: what each clue says of the days left, and which it leaves.

    None where it would be longer than `MAX_CHARACTERS`, and where the clues are not in English: a trace
    repeats them, and says the rest in English.
    """
    if not is_english(item):
        return None
    problem = Problem.parse(item.problem)
    left = problem.span
    lines = ["The clues are used one after the other; after each it is said which dates are left."]
    for step, (number, clue) in enumerate(narrowest_first(problem), 1):
        meaning = _meaning(clue, left) if step > 1 else ""
        left &= mask(clue)
        claim = f"Clue {number} says: {clue.sentence()}"
        if isinstance(clue, Event):  # the days on which it holds may be too many to be written out
            claim += f" The date of that event is {clue.date}."
        lines.append(f"Step {step}. {claim}{meaning} {_remaining(left)}")
        if not left:
            break
    whole = "No date satisfies all clues." if not left else "All clues are used."
    lines += [whole, f"Answer: {answer(day_sets.days(left))}"]
    text = "\n".join(lines)
    return text if len(text) <= MAX_CHARACTERS else None


def _meaning(clue: Clue, left: int) -> str:
    """Say on which days a clue holds from the first to the last day that is left."""
    first, last = day_sets.first_day(left), date.fromordinal(day_sets.ordinals(left)[-1])
    on = mask(clue) & day_sets.run(first, last)
    listed = _listed(on)
    if listed is None:
        return ""
    return f" From {first} to {last} it holds on {listed or 'no day'}."


def _remaining(left: int) -> str:
    count = left.bit_count()
    plural = "1 date is" if count == 1 else f"{count} dates are"
    listed = _listed(left)
    return f"{plural} left: {listed}." if listed else f"{plural} left."


def _listed(days: int) -> str | None:
    """Return the periods of a set of days; None where they are too many."""
    runs = day_sets.periods(days)
    if len(runs) > MAX_PERIODS:
        return None
    return day_sets.in_words(runs)
