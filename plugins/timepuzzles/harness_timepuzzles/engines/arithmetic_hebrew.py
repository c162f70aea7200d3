"""The Hebrew calendar by its arithmetic: the mean new moon of Tishri and the four postponements."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from harness_timepuzzles.engines.arithmetic_days import DAYS, Small

MONTHS = (
    "nisan", "iyar", "sivan", "tammuz", "av", "elul",
    "tishri", "heshvan", "kislev", "tevet", "shevat", "adar",
)  # fmt: skip
"""The months, numbered from 1 in this order."""

_HOUR, _DAY = 1080, 25920  # in parts
_MONTH = 29 * _DAY + 12 * _HOUR + 793
_FIRST_MOLAD = 1 * _DAY + 5 * _HOUR + 204  # of year 1, from the evening before a Sunday
_THAT_SUNDAY = 347997 - 2341973  # as a day number: difference of Julian day numbers
FIRST_YEAR, LAST_YEAR = 5460, 5861  # those of January 1700 and December 2100


@lru_cache(maxsize=1)
def month_table() -> Small:
    """Return the month, 1 to 12 in the order of `MONTHS`, of the daylight of every day number."""
    begin = new_year(FIRST_YEAR)
    parts = []
    start = begin
    for year in range(FIRST_YEAR, LAST_YEAR + 1):
        end = new_year(year + 1)
        parts += month_lengths(end - start)
        start = end
    numbers, lengths = zip(*parts, strict=True)
    table = np.repeat(np.array(numbers, dtype=np.int8), lengths)
    return table[-begin : -begin + DAYS]


def new_year(year: int) -> int:
    """Return the day number of 1 Tishri of a Hebrew year."""
    parts = _FIRST_MOLAD + _MONTH * ((235 * year - 234) // 19)
    day, time = divmod(parts, _DAY)
    weekday = day % 7  # Sunday is 0
    late_common = not _is_leap(year) and weekday == 2 and time >= 9 * _HOUR + 204
    late_after_leap = _is_leap(year - 1) and weekday == 1 and time >= 15 * _HOUR + 589
    if time >= 18 * _HOUR or late_common or late_after_leap:
        day += 1
    if day % 7 in (0, 3, 5):
        day += 1
    return day + _THAT_SUNDAY


def _is_leap(year: int) -> bool:
    return (7 * year + 1) % 19 < 7


def month_lengths(length: int) -> list[tuple[int, int]]:
    """Return number and days of each month of a year of that many days, from Tishri; both Adars are one."""
    heshvan = 30 if length % 10 == 5 else 29
    kislev = 29 if length % 10 == 3 else 30
    adar = 59 if length > 360 else 29  # both of a leap year together
    spring = zip(range(1, 7), (30, 29, 30, 29, 30, 29), strict=True)
    return [(7, 30), (8, heshvan), (9, kislev), (10, 29), (11, 30), (12, adar), *spring]
