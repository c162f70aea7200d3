"""The Chinese lunisolar calendar, month by month from sxtwl."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from harness_timepuzzles.engines.arithmetic_days import DAYS, Small, date_parts, day_number
from harness_timepuzzles.engines.arithmetic_sky import phase_moments

FIRST, LAST = "1800-01-01", "2050-12-31"
"""The bounds: beyond them tables of the calendar differ."""

ANIMALS = (
    "rat", "ox", "tiger", "rabbit", "dragon", "snake",
    "horse", "goat", "monkey", "rooster", "dog", "pig",
)  # fmt: skip


# Until 1900 months began by Beijing's mean solar time, and only as nearly as it was worked out then.
_SURE_FROM = "1900-01-31"
_BEIJING = (116 + 25 / 60) / 360  # days that its mean solar time is ahead of Universal Time
_MARGIN = 25 / 1440  # days: a new moon nearer to midnight is too close to call
# In 1805 the 6th month was repeated as issued; by the rules this month was the 7th.
REPEATED = ("1805-07-26", "1805-08-23")


@lru_cache(maxsize=1)
def alternatives() -> tuple[Small, Small]:
    """Return what `tables` does, but on the days in doubt the other month and animal that may be right."""
    months, animals = (table.copy() for table in tables())
    for day in near_midnight():
        other = day + 1 if months[day] != months[day + 1] else day - 1
        months[day], animals[day] = months[other], animals[other]
    months[day_number(REPEATED[0]) : day_number(REPEATED[1]) + 1] = 7
    return months, animals


@lru_cache(maxsize=1)
def near_midnight() -> tuple[int, ...]:
    """Return the day numbers until 1900 of which a month begins on each, or on the next: that is in doubt."""
    moons = phase_moments("new") + _BEIJING
    midnights = np.rint(moons)
    # The month begins on the day that ends with this midnight, or on the next.
    days = midnights[np.abs(moons - midnights) < _MARGIN].astype(int) - 1
    return tuple(days[(days > day_number(FIRST)) & (days < day_number(_SURE_FROM))].tolist())


@lru_cache(maxsize=1)
def tables() -> tuple[Small, Small]:
    """Return month (1 to 12) and animal (its place in `ANIMALS`) of every day number.

    A leap month has the number it repeats. Outside `FIRST` to `LAST` both are -1.
    """
    months = np.full(DAYS, -1, dtype=np.int8)
    animals = np.full(DAYS, -1, dtype=np.int8)
    first, after = day_number(FIRST), day_number(LAST) + 1
    animal = (1799 - 4) % 12
    for begin, end, month, new_year in months_from("1799-12-26", after):
        animal = (animal + new_year) % 12
        days = slice(max(begin, first), min(end, after))
        months[days], animals[days] = month, animal
    return months, animals


def months_from(first: str, until: int) -> Iterator[tuple[int, int, int, bool]]:
    """Yield (first day, day after the last, month, whether a year begins with it) of each month.

    Args:
        first: the first day of a month, YYYY-MM-DD.
        until: the day number before which the last month begins.
    """
    begin = day_number(first)
    # imported here: only some problems need it, and it ships no types
    month = importlib.import_module("sxtwl").fromSolar(*date_parts(first))
    while begin < until:
        number = month.getLunarMonth()  # first: sxtwl keeps one year, and going back costs
        following, length = month.after(29), 29
        if following.getLunarDay() != 1:
            following, length = month.after(30), 30
        # counted by the caller: sxtwl is slow to name the year
        yield begin, begin + length, number, number == 1 and not month.isLunarLeap()
        begin, month = begin + length, following
