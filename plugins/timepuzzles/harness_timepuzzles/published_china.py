"""The Chinese calendar from 1700 to 1900 by sxtwl alone: an opinion for readings, never for a label."""

from __future__ import annotations

import importlib
from datetime import date, timedelta
from functools import cache

from harness_timepuzzles import masks
from harness_timepuzzles.calendars import CHINESE_FIRST
from harness_timepuzzles.clue import Clue
from harness_timepuzzles.clues_month import LunarMonth
from harness_timepuzzles.clues_year import ANIMALS, Zodiac

_FIRST = date(1700, 2, 19)  # the New Year of a Year of the Dragon
_DAY = timedelta(days=1)


def early(clue: Clue) -> int:
    """Return the days before 1900-01-31 on which a zodiac or lunar month clue holds, as a mask."""
    if isinstance(clue, Zodiac):
        number = ANIMALS.index(clue.animal)
        return masks.union(run for year, _, run in _months() if (year - 4) % 12 == number)
    if isinstance(clue, LunarMonth):
        return masks.union(run for _, month, run in _months() if month == clue.month)
    return 0


@cache
def _months() -> tuple[tuple[int, int, tuple[date, date]], ...]:
    """Return (Chinese year, month, run of days) of every month before 1900-01-31."""
    found = []
    begin, year = _FIRST, _FIRST.year - 1
    # imported here: only readings of some puzzles need it, and it ships no types
    month = importlib.import_module("sxtwl").fromSolar(begin.year, begin.month, begin.day)
    while begin < CHINESE_FIRST:
        number = month.getLunarMonth()
        year += number == 1 and not month.isLunarLeap()
        after, length = month.after(29), 29
        if after.getLunarDay() != 1:
            after, length = month.after(30), 30
        found.append((year, number, (begin, begin + (length - 1) * _DAY)))
        begin, month = begin + length * _DAY, after
    return tuple(found)
