"""The Chinese lunisolar calendar, month by month from sxtwl."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from harness_timepuzzles.engines.arithmetic_days import DAYS, Small, date_parts, day_number

FIRST, LAST = "1900-01-31", "2050-12-31"
"""The bounds: beyond them tables of the calendar differ."""

ANIMALS = (
    "rat", "ox", "tiger", "rabbit", "dragon", "snake",
    "horse", "goat", "monkey", "rooster", "dog", "pig",
)  # fmt: skip


@lru_cache(maxsize=1)
def tables() -> tuple[Small, Small]:
    """Return month (1 to 12) and animal (its place in `ANIMALS`) of every day number.

    A leap month has the number it repeats. Outside `FIRST` to `LAST` both are -1.
    """
    months = np.full(DAYS, -1, dtype=np.int8)
    animals = np.full(DAYS, -1, dtype=np.int8)
    after = day_number(LAST) + 1
    animal = (1900 - 4 - 1) % 12
    for begin, end, month, new_year in months_from(FIRST, after):
        animal = (animal + new_year) % 12
        months[begin : min(end, after)] = month
        animals[begin : min(end, after)] = animal
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
