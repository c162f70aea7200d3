"""The Chinese lunisolar calendar, month by month from sxtwl."""

from __future__ import annotations

import importlib

import numpy as np

from harness_timepuzzles.arithmetic_days import DAYS, Small, day_number

FIRST, LAST = "1900-01-31", "2050-12-31"
"""The bounds: beyond them tables of the calendar differ."""

ANIMALS = (
    "rat", "ox", "tiger", "rabbit", "dragon", "snake",
    "horse", "goat", "monkey", "rooster", "dog", "pig",
)  # fmt: skip


def tables() -> tuple[Small, Small]:
    """Return month (1 to 12) and animal (its place in `ANIMALS`) of every day number.

    A leap month has the number it repeats. Outside `FIRST` to `LAST` both are -1.
    """
    months = np.full(DAYS, -1, dtype=np.int8)
    animals = np.full(DAYS, -1, dtype=np.int8)
    begin, last = day_number(FIRST), day_number(LAST)
    animal = (1900 - 4 - 1) % 12
    # imported here: only some problems need it, and it ships no types
    month = importlib.import_module("sxtwl").fromSolar(1900, 1, 31)
    while begin <= last:
        number = month.getLunarMonth()  # first: sxtwl keeps one year, and going back costs
        following = month.after(29)
        length = 29
        if following.getLunarDay() != 1:
            following = month.after(30)
            length = 30
        # counted here: sxtwl is slow to name the year
        animal = (animal + (number == 1 and not month.isLunarLeap())) % 12
        end = min(begin + length, last + 1)
        months[begin:end] = number
        animals[begin:end] = animal
        begin, month = begin + length, following
    return months, animals
