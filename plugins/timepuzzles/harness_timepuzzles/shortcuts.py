"""Cheap ways to answer a puzzle, each of which leaves a part of it out; none of them sees the label."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from random import Random

from harness import Item, PluginError, Shortcut
from harness_timepuzzles import day_sets
from harness_timepuzzles.clues.clue import Clue
from harness_timepuzzles.conversions.problem import (
    CONVERT,
    HEBREW_MONTHS,
    Date,
    ends,
    is_conversion,
    text,
)
from harness_timepuzzles.engines.masks import intersection
from harness_timepuzzles.problem import NONE, Problem, answer

MEAN_LENGTHS = "mean_lengths"
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
    Shortcut(
        MEAN_LENGTHS,
        "Count days with the mean lengths of years and months of both calendars.",
        "how long each month and year is, leap months and weekdays",
        (CONVERT,),
    ),
)

# What an event becomes where its date is spelled out (mode=spelled, mode=explicit), the likeliest first.
_EVENTS = ("event", "recurring", "years", "year", "month", "day_of_month")
_MOST = 6  # dates that are answered at the most
_WIDE = 400  # dates that guessing still looks at


def shortcut(item: Item, name: str, rng: Random) -> str:
    """Return the answer of a shortcut to a puzzle or a conversion; those for puzzles have none to a conversion.

    Raises:
        PluginError: there is no such shortcut.
    """
    if is_conversion(item.problem):
        if name not in (MEAN_LENGTHS, *_ANSWERS):
            raise PluginError(f"{name[:40]!r} is no shortcut for task={CONVERT}")
        return f"Answer: {_mean_lengths(item) if name == MEAN_LENGTHS else NONE}"
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


# Ordinal of the first day of the year 0; mean days of a year, and of its months or weeks.
_SCALES = {
    "gregorian": (-365.0, 365.2425, 30.436875), "ordinal": (-365.0, 365.2425, 366.0),
    "iso_week": (-365.0, 365.2425, 7.0), "hebrew": (-1373795.0, 365.24682, 29.530594),
    "islamic": (226659.0, 354.36707, 29.530589), "chinese": (-330.0, 365.2425, 29.530589),
}  # fmt: skip
_MONTHS = [month for month in HEBREW_MONTHS if not month.startswith("Adar ")]


def _mean_lengths(item: Item) -> str:
    given, target = ends(item.problem)
    month = given.get("month", given.get("week", 1))
    if isinstance(month, str):
        month = _MONTHS.index("Adar" if month.startswith("Adar") else month) + 1
    zero, year, length = _SCALES[given["calendar"]]
    day = zero + given["year"] * year + (month - 1) * length + given["day"] - 0.5
    zero, year, length = _SCALES[target]
    years, rest = divmod(day - zero, year)
    return text(_date(target, int(years), int(rest / length) + 1, int(rest % length) + 1))


def _date(calendar: str, year: int, month: int, day: int) -> Date:
    """Return a date of that year, month (or week) and day."""
    date = {"calendar": calendar, "year": year, "day": day}
    if calendar == "ordinal":
        return date
    if calendar == "iso_week":
        return {**date, "week": month}
    month = min(month, 12)
    date |= {"month": _MONTHS[month - 1] if calendar == "hebrew" else month}
    return {**date, "leap": False} if calendar == "chinese" else date


_ANSWERS: dict[str, Callable[[Problem, Random], str]] = {
    "guess_rest": _guess_rest,
    "no_event": _no_event,
    "empty_set": lambda problem, rng: NONE,
}
