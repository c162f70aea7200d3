"""Dates of six calendars from libraries: the side that makes the labels of conversions.

There are two ways. `day_of` and `date_of` go by the first days of months, which the libraries name; `reading`
asks a library for one day, and proves a certificate. `engines.arithmetic_dates` shares nothing with either.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date, timedelta
from functools import cache
from typing import Any

from harness_timepuzzles import calendars
from harness_timepuzzles.conversions.problem import CALENDARS, Date
from harness_timepuzzles.day_sets import FIRST, LAST

BOUNDS = dict.fromkeys(CALENDARS, (FIRST, LAST)) | {
    "islamic": (calendars.ISLAMIC_FIRST, calendars.ISLAMIC_LAST),
    "chinese": (calendars.CHINESE_FIRST, calendars.CHINESE_LAST),
}
"""The first and last day of each calendar that we know for certain."""

_DAY = timedelta(days=1)
_Month = tuple[int, tuple[Any, ...]]  # ordinal of the first day; the parts of a date before its day


def day_of(dated: Date) -> date | None:
    """Return the day of a date; None if there is no such date, or it is out of bounds."""
    calendar = dated["calendar"]
    with suppress(ValueError, OverflowError):
        day = _civil_day(dated) if calendar in _CIVIL else _month_day(dated)
        if day and BOUNDS[calendar][0] <= day <= BOUNDS[calendar][1]:
            return day
    return None


def date_of(day: date, calendar: str) -> dict[str, Any] | None:
    """Return the date of a day; None if it is out of bounds."""
    if not BOUNDS[calendar][0] <= day <= BOUNDS[calendar][1]:
        return None
    if calendar in _CIVIL:
        return _date(calendar, *_civil_parts(day, calendar))
    starts, names, _ = _months(calendar)
    at = bisect_right(starts, day.toordinal()) - 1
    return _date(calendar, *names[at], day.toordinal() - starts[at] + 1)


def reading(day: date, calendar: str) -> dict[str, Any] | None:
    """Return what `date_of` does, from what the library says of that one day."""
    if not BOUNDS[calendar][0] <= day <= BOUNDS[calendar][1]:
        return None
    read = _civil_parts(day, calendar) if calendar in _CIVIL else _READINGS[calendar](day)
    return _date(calendar, *read)


_PARTS = {
    "gregorian": ("year", "month", "day"), "ordinal": ("year", "day"), "iso_week": ("year", "week", "day"),
    "hebrew": ("year", "month", "day"), "islamic": ("year", "month", "day"),
    "chinese": ("year", "month", "leap", "day"),
}  # fmt: skip
_CIVIL = ("gregorian", "ordinal", "iso_week")


def _date(calendar: str, *parts: Any) -> dict[str, Any]:
    return {"calendar": calendar, **dict(zip(_PARTS[calendar], parts, strict=True))}


def _civil_day(dated: Date) -> date | None:
    year, day = dated["year"], dated["day"]
    if dated["calendar"] == "iso_week":
        return date.fromisocalendar(year, dated["week"], day)
    if dated["calendar"] == "gregorian":
        return date(year, dated["month"], day)
    found = date(year, 1, 1) + (day - 1) * _DAY
    return found if found.year == year else None


def _civil_parts(day: date, calendar: str) -> tuple[int, ...]:
    if calendar == "iso_week":
        return tuple(day.isocalendar())
    if calendar == "ordinal":
        return day.year, day.timetuple().tm_yday
    return day.year, day.month, day.day


def _month_day(dated: Date) -> date | None:
    calendar = dated["calendar"]
    starts, _, places = _months(calendar)
    at = places.get(tuple(dated[part] for part in _PARTS[calendar][:-1]))
    if at is None or not 1 <= dated["day"] <= starts[at + 1] - starts[at]:
        return None
    return date.fromordinal(starts[at] + dated["day"] - 1)


@cache
def _months(calendar: str) -> tuple[list[int], list[tuple[Any, ...]], dict[tuple[Any, ...], int]]:
    """Return the first days of the months and of the next one, what they are called, and where each stands."""
    lists = {"hebrew": _hebrew, "islamic": _islamic, "chinese": _chinese}
    starts, names = zip(*lists[calendar](), strict=True)
    return list(starts), list(names), {name: at for at, name in enumerate(names[:-1])}


def _hebrew() -> Iterator[_Month]:
    from pyluach.hebrewcal import Year

    for start, year, month in calendars.hebrew_starts():
        yield start.toordinal(), (year, _adar_or(month, Year(year).leap))


def _adar_or(month: int, leap: bool) -> str:
    """Return the name of a Hebrew month in the numbering of pyluach, where Adar II is 13."""
    if month >= 12 and leap:
        return "Adar I" if month == 12 else "Adar II"
    return calendars.HEBREW[month - 1].title()


def _islamic() -> Iterator[_Month]:
    for start, year, month in calendars.islamic_starts():
        yield start.toordinal(), (year, month)


def _chinese() -> Iterator[_Month]:
    before = None
    for start, year, month in calendars.chinese_starts():
        yield start.toordinal(), (year, month, (year, month) == before)
        before = year, month


def _hebrew_reading(day: date) -> tuple[Any, ...]:
    from pyluach.dates import HebrewDate
    from pyluach.hebrewcal import Year

    read = HebrewDate.from_pydate(day)
    return read.year, _adar_or(read.month, Year(read.year).leap), read.day


def _islamic_reading(day: date) -> tuple[Any, ...]:
    from hijridate import Gregorian

    return tuple(Gregorian(day.year, day.month, day.day).to_hijri().datetuple())


_READINGS: dict[str, Callable[[date], tuple[Any, ...]]] = {
    "hebrew": _hebrew_reading, "islamic": _islamic_reading, "chinese": calendars.chinese_date,
}  # fmt: skip
