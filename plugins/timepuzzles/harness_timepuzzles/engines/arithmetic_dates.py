"""Dates of six calendars by arithmetic on day numbers: the second engine of conversions.

Like the rest of that engine it takes nothing from `datetime`, a calendar library but sxtwl, or the plugin's
other modules, so that its dates are written here once more.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from harness_errors import Abstained, DatasetError

from harness_timepuzzles.engines import arithmetic_days as days
from harness_timepuzzles.engines import arithmetic_hebrew as hebrew
from harness_timepuzzles.engines import arithmetic_islamic as islamic
from harness_timepuzzles.engines import arithmetic_lunar as lunar

_END = "2050-12-31"
"""The last day of the Chinese and of the Islamic dates that are confirmed here."""
_CIVIL = ("gregorian", "ordinal", "iso_week")


class _Months(NamedTuple):
    """The months of a calendar, all that touch its first to its last day."""

    begins: tuple[int, ...]
    """The day number of each month's first day, and that of the day after the last month."""
    texts: tuple[str, ...]
    """Year and month with %d for the day, as in "5780 Nisan %d"."""
    places: Mapping[str, int]
    """The place of each of these texts."""
    first: int
    last: int
    doubtful: frozenset[int]
    """Days whose date is too close to call."""


def converted(problem: Mapping[str, Any]) -> str:
    """Return the date that is asked for.

    Raises:
        Abstained: a date is out of the bounds of its calendar, or in doubt.
        DatasetError: the date given does not exist.
    """
    day = day_of(problem["date"])
    return date_of(day, problem["to"])


def day_of(date: Mapping[str, Any]) -> int:
    """Return the day number of a date of a problem; raises what `converted` does."""
    calendar = date["calendar"]
    if calendar in _CIVIL:
        day = _civil_day(date)
    else:
        months, name = _months(calendar), _NAMES[calendar](date)
        at = months.places.get(name)
        if at is None:
            raise Abstained(
                f"there is no {name % date['day']}, or not within the bounds of the calendar"
            )
        day = months.begins[at] + date["day"] - 1
        if day >= months.begins[at + 1]:
            raise DatasetError(f"the month of {name % date['day']} has no such day")
    _refuse(day, calendar)
    return day


def date_of(day: int, calendar: str) -> str:
    """Return the date of a day number as text; raises what `converted` does."""
    _refuse(day, calendar)
    if calendar in _CIVIL:
        return _civil_text(day, calendar)
    months = _months(calendar)
    at = bisect_right(months.begins, day) - 1
    return months.texts[at] % (day - months.begins[at] + 1)


def doubtful(calendar: str) -> frozenset[int]:
    """Return the day numbers whose date in a calendar is in doubt."""
    return frozenset() if calendar in _CIVIL else _months(calendar).doubtful


def _refuse(day: int, calendar: str) -> None:
    first, last = 0, days.DAYS - 1
    if calendar not in _CIVIL:
        months = _months(calendar)
        first, last = months.first, months.last
    if not first <= day <= last:
        raise Abstained(f"the day is out of the bounds of the {calendar} calendar")
    if day in doubtful(calendar):
        raise Abstained(f"the {calendar} date of {days.iso_texts(np.array([day]))[0]} is in doubt")


# ------------------------------------------------------------------------------ civil calendars


def _civil_day(date: Mapping[str, Any]) -> int:
    year, day = int(date["year"]), int(date["day"])
    if date["calendar"] == "gregorian":
        return days.day_number(f"{year:04}-{date['month']:02}-{day:02}")
    if date["calendar"] == "ordinal":
        if day > 365 + days.is_leap(year):
            raise DatasetError(f"the year {year} has no day {day}")
        return days.number(year, 1, 1) + day - 1
    fourth = days.number(year, 1, 4)
    monday = fourth - (fourth + 4) % 7 + 7 * (int(date["week"]) - 1)
    if monday + 3 >= days.number(year + 1, 1, 1):
        raise DatasetError(f"the year {year} has no week {date['week']}")
    return monday + day - 1


def _civil_text(day: int, calendar: str) -> str:
    if calendar == "gregorian":
        return days.iso_texts(np.array([day]))[0]
    if calendar == "ordinal":
        return f"{days.YEAR[day]:04}-{days.YEAR_DAY[day]:03}"
    # That of the Thursday of the week, which may lie just beyond the table.
    year = 1699 + bisect_right(days.STARTS, day + 3 - int(days.WEEKDAY[day]))
    return f"{year:04}-W{days.iso_weeks()[day]:02}-{days.WEEKDAY[day] + 1}"


# ------------------------------------------------------------------------------ calendars of months


_NAMES: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "hebrew": lambda date: f"{date['year']:04} {date['month']} %d",
    "islamic": lambda date: f"{date['year']:04}-{date['month']:02}-%02d",
    "chinese": lambda date: f"{date['year']:04}-{date['month']:02}{'L' * date['leap']}-%02d",
}


@lru_cache(maxsize=3)
def _months(calendar: str) -> _Months:
    return {"hebrew": _hebrew, "islamic": _islamic, "chinese": _chinese}[calendar]()


def _hebrew() -> _Months:
    begins, names = [hebrew.new_year(hebrew.FIRST_YEAR)], []
    for year in range(hebrew.FIRST_YEAR, hebrew.LAST_YEAR + 1):
        for name, length in _named(hebrew.new_year(year + 1) - begins[-1]):
            begins.append(begins[-1] + length)
            names.append(f"{year:04} {name} %d")
    return _listed(begins, names, 0, days.DAYS - 1, frozenset())


def _named(days: int) -> Iterator[tuple[str, int]]:
    """Yield name and length of each month of a Hebrew year of that many days."""
    for month, length in hebrew.month_lengths(days):
        if length == 59:
            yield from (("Adar I", 30), ("Adar II", 29))
        else:
            yield hebrew.MONTHS[month - 1].capitalize(), length


def _islamic() -> _Months:
    table, close = islamic.month_tables()
    first, last = days.day_number(islamic.FIRST), days.day_number(_END)
    begins = [first, *(np.flatnonzero(np.diff(table[first:])) + first + 1).tolist()]
    names = [f"{1402 + at // 12:04}-{at % 12 + 1:02}-%02d" for at in range(len(begins) - 1)]
    doubtful = set(close)
    for begin, end in pairwise(begins):
        if begin in close or begin - 1 in close:
            doubtful.update(range(begin, end))
    return _listed(begins, names, first, last, doubtful)


def _chinese() -> _Months:
    begins, names, year, before = [], [], 1799, 0
    doubtful: set[int] = set()
    close, repeated = set(lunar.near_midnight()), {days.day_number(day) for day in lunar.REPEATED}
    for begin, end, month, new_year in lunar.months_from("1799-12-26", days.day_number(_END) + 1):
        year += new_year
        begins.append(begin)
        names.append(f"{year:04}-{month:02}{'L' if month == before else ''}-%02d")
        before = month
        if {begin, begin - 1} & (close | repeated):
            doubtful.update(range(begin, end))
    first, last = days.day_number(lunar.FIRST), days.day_number(_END)
    return _listed([*begins, end], names, first, last, doubtful | close)


def _listed(
    begins: list[int], texts: list[str], first: int, last: int, doubtful: AbstractSet[int]
) -> _Months:
    places = {text: at for at, text in enumerate(texts)}
    return _Months(tuple(begins), tuple(texts), places, first, last, frozenset(doubtful))
