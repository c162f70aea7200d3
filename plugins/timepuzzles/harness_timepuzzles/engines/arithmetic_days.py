"""The days of the Gregorian calendar from 1700 to 2100, by integer arithmetic alone.

A day number counts the days since 1700-01-01, which is 0. The tables hold one entry for
each of the `DAYS` day numbers.
"""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from harness_errors import DatasetError

Days = npt.NDArray[np.int64]
Small = npt.NDArray[np.int8]
Mask = npt.NDArray[np.bool_]

FIRST_YEAR, LAST_YEAR = 1700, 2100
_DATE = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?", re.ASCII)
_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_TO_1700 = 620853  # days from 1 March of year 0 to 1 January 1700


def is_leap(year: int) -> bool:
    """Return whether a year of the Gregorian calendar has 366 days."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def number(year: int, month: int, day: int) -> int:
    """Return the day number of a date, which may lie outside the span (and be negative)."""
    # a year from March on: the leap day is its last, and months of 31 and 30 days alternate
    year, month = (year, month - 3) if month > 2 else (year - 1, month + 9)
    days = 365 * year + year // 4 - year // 100 + year // 400
    return days + (153 * month + 2) // 5 + day - 1 - _TO_1700


def date_parts(text: str) -> tuple[int, ...]:
    """Return year, month and day of a text like 1869, 1869-05 or 1869-05-10: as many as given.

    Raises:
        DatasetError: if it is no such text, or no date of the Gregorian calendar.
    """
    match = _DATE.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise DatasetError(f"{str(text)[:40]!r} is not a date like 1869-05-10")
    parts = tuple(int(part) for part in match.groups() if part is not None)
    if len(parts) > 1 and not 1 <= parts[1] <= 12:
        raise DatasetError(f"{text} is not a date: there is no month {parts[1]}")
    if len(parts) > 2:
        year, month, day = parts
        if not 1 <= day <= _LENGTHS[month - 1] + (month == 2 and is_leap(year)):
            raise DatasetError(f"{text} is not a date: its month has no day {day}")
    return parts


@lru_cache(maxsize=4096)
def day_number(text: str) -> int:
    """Return the day number of a date written YYYY-MM-DD.

    Raises:
        DatasetError: if it is no such text, or no date of the Gregorian calendar.
    """
    parts = date_parts(text)
    if len(parts) != 3:
        raise DatasetError(f"{text} is not a full date like 1869-05-10")
    return number(*parts)


def _counted(lengths: Days) -> Days:
    """1, 2, …, length for each length, one after the other."""
    starts = np.cumsum(lengths) - lengths
    counted: Days = np.arange(lengths.sum()) - np.repeat(starts, lengths) + 1
    return counted


_years = np.arange(FIRST_YEAR, LAST_YEAR + 1)
_year_lengths = np.array([365 + is_leap(int(year)) for year in _years])
_month_lengths = np.tile(np.array(_LENGTHS), len(_years))
_month_lengths[1::12] += _year_lengths - 365

STARTS: tuple[int, ...] = tuple(number(year, 1, 1) for year in range(FIRST_YEAR, LAST_YEAR + 2))
"""Day number of 1 January of each year, and of the year after the last."""
DAYS = int(_year_lengths.sum())
YEAR = np.repeat(_years.astype(np.int16), _year_lengths)
MONTH = np.repeat(np.tile(np.arange(1, 13, dtype=np.int8), len(_years)), _month_lengths)
DAY = _counted(_month_lengths).astype(np.int8)
YEAR_DAY = _counted(_year_lengths).astype(np.int16)
WEEKDAY = ((np.arange(DAYS) + 4) % 7).astype(np.int8)  # 1700-01-01 is a Friday
WEEKDAY_BIT = np.left_shift(np.uint8(1), WEEKDAY.astype(np.uint8))
DAYS_LEFT = np.repeat(_month_lengths.astype(np.int8), _month_lengths) - DAY
"""Days of the month still to come: 0 on its last day."""
YEAR_DAYS_LEFT = np.repeat(_year_lengths.astype(np.int16), _year_lengths) - YEAR_DAY
"""Days of the year still to come: 0 on its last day."""


@lru_cache(maxsize=1)
def iso_weeks() -> Small:
    """Return the ISO 8601 week number of every day: that of the Thursday of its week."""
    thursday = YEAR_DAY + 3 - WEEKDAY
    length = YEAR_DAY + YEAR_DAYS_LEFT
    before = np.repeat(np.array([365 + is_leap(int(year) - 1) for year in _years]), _year_lengths)
    thursday = np.select(
        [thursday < 1, thursday > length], [thursday + before, thursday - length], thursday
    )
    weeks: Small = ((thursday - 1) // 7 + 1).astype(np.int8)
    return weeks


def iso_texts(days: Days) -> list[str]:
    """Return day numbers of the span as YYYY-MM-DD."""
    texts: list[str] = _iso_table()[days].tolist()
    return texts


@lru_cache(maxsize=1)
def _iso_table() -> npt.NDArray[np.str_]:
    letters = np.full((DAYS, 10), ord("-"), dtype=np.uint32)
    value = YEAR.astype(np.int64) * 10000 + MONTH.astype(np.int64) * 100 + DAY
    for column in (9, 8, 6, 5, 3, 2, 1, 0):
        value, digit = np.divmod(value, 10)
        letters[:, column] = digit + ord("0")
    return letters.view("U10").ravel()


@lru_cache(maxsize=2)
def nth_in_month(from_end: bool) -> Small:
    """Return for every day the sevens of its month before it (or after it) times 7, plus its weekday."""
    passed = DAYS_LEFT if from_end else DAY - 1
    return passed // 7 * 7 + WEEKDAY


@lru_cache(maxsize=2)
def nth_in_year(from_end: bool) -> npt.NDArray[np.int16]:
    """Return for every day the sevens of its year before it (or after it) times 7, plus its weekday."""
    passed = YEAR_DAYS_LEFT if from_end else YEAR_DAY - 1
    return passed // 7 * 7 + WEEKDAY
