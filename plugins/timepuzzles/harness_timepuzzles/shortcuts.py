"""Cheap ways to answer a puzzle, each of which leaves a part of it out; none of them sees the label."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from random import Random

from harness import Item, Shortcut
from harness_timepuzzles import day_sets
from harness_timepuzzles.clues.clue import Clue
from harness_timepuzzles.conversions import shortcuts as conversion_shortcuts
from harness_timepuzzles.conversions.problem import is_conversion
from harness_timepuzzles.engines.masks import intersection
from harness_timepuzzles.problem import NONE, Problem, answer

SHORTCUTS = (
    Shortcut(
        "guess_rest",
        "One of the dates that the other clues leave, by chance, with those of the same year, month or day of the "
        "month, whichever the event fixes.",
        "the event",
    ),
    Shortcut(
        "no_event",
        "The dates that satisfy the clues about weekdays, months and years of the Gregorian calendar, in a year by "
        "chance.",
        "the event, persons, offices and every other calendar",
    ),
    Shortcut("empty_set", "No date at all.", "everything"),
    *conversion_shortcuts.SHORTCUTS,
)

# What an event becomes where its date is spelled out (mode=spelled, mode=explicit), the likeliest first.
_EVENTS = ("event", "recurring", "years", "year", "month", "day_of_month")
_MOST = 6  # dates that are answered at the most
_WIDE = 400  # dates that guessing still looks at


def shortcut(item: Item, name: str, rng: Random) -> str:
    """Return the answer of a shortcut to a puzzle or a conversion; those for puzzles have none to a conversion."""
    if is_conversion(item.problem):
        return f"Answer: {NONE}" if name in _ANSWERS else conversion_shortcuts.shortcut(item, name)
    return f"Answer: {_ANSWERS[name](Problem.parse(item.problem), rng)}"


def _guess_rest(problem: Problem, rng: Random) -> str:
    event = _event(problem)
    rest = intersection([clue for clue in problem.clues if clue is not event], problem.span)
    days = day_sets.days(rest)
    if not days:
        return NONE
    chosen = rng.choice(days)
    part = {"month": "month", "day": "day"}.get(event.level, "year")
    same = [day for day in days if getattr(day, part) == getattr(chosen, part)]
    return answer(same[:_MOST])


def _no_event(problem: Problem, rng: Random) -> str:
    event = _event(problem)
    plain = [
        clue
        for clue in problem.clues
        if clue is not event and not clue.implicit and clue.group != "explicit"
    ]
    days = intersection(plain, problem.span)
    while days.bit_count() > _WIDE:  # a year of those that count, until one has such dates
        year = rng.randint(problem.first.year, problem.last.year)
        days = days & day_sets.run(date(year, 1, 1), date(year, 12, 31)) or days
    return answer(day_sets.days(days)[:_MOST])


def _event(problem: Problem) -> Clue:
    """Return the clue that is the event; where it is spelled out, the one that looks most like it."""
    order = {kind: place for place, kind in enumerate(_EVENTS)}
    return min(problem.clues, key=lambda clue: order.get(clue.type, len(order)))


_ANSWERS: dict[str, Callable[[Problem, Random], str]] = {
    "guess_rest": _guess_rest,
    "no_event": _no_event,
    "empty_set": lambda problem, rng: NONE,
}
