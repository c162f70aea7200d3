"""Days of other calendars, the moon and Easter, from libraries; days are proleptic ordinals.

Each function returns the set of days of what it is named after, as far as its library knows.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import ephem
from blind_kit import UnreadError
from dateutil.easter import EASTER_ORTHODOX, EASTER_WESTERN, easter
from hijridate import Hijri
from pyluach.hebrewcal import Year

FIRST, LAST = dt.date(1700, 1, 1).toordinal(), dt.date(2100, 12, 31).toordinal()
HEBREW = [
    "Nisan",
    "Iyar",
    "Sivan",
    "Tammuz",
    "Av",
    "Elul",
    "Tishri",
    "Heshvan",
    "Kislev",
    "Tevet",
    "Shevat",
    "Adar",
]
UMM_AL_QURA = (1343, 1500)  # years that hijridate knows
ANIMALS = [
    "Rat",
    "Ox",
    "Tiger",
    "Rabbit",
    "Dragon",
    "Snake",
    "Horse",
    "Goat",
    "Monkey",
    "Rooster",
    "Dog",
    "Pig",
]


def _limits(first: int, last: int, known: tuple[dt.date, dt.date], what: str) -> None:
    if first < known[0].toordinal() or last > known[1].toordinal():
        raise UnreadError(f"years that no library here knows in the {what} calendar")


@cache
def hebrew(name: str) -> frozenset[int]:
    """Return the days in a Hebrew month; both months of Adar count as Adar."""
    number = HEBREW.index(name) + 1
    days: set[int] = set()
    for year in range(5460, 5862):
        for month in Year(year).itermonths():
            if month.month == number or (month.month, number) == (13, 12):
                days.update(date.to_pydate().toordinal() for date in month.iterdates())
    return frozenset(days)


@cache
def _islamic() -> dict[int, frozenset[int]]:
    starts = [
        (month, Hijri(year, month, 1).to_gregorian().toordinal())
        for year in range(UMM_AL_QURA[0], UMM_AL_QURA[1] + 1)
        for month in range(1, 13)
    ]
    ends = [start for _, start in starts[1:]] + [starts[-1][1] + 29]
    found: dict[int, set[int]] = {month: set() for month in range(1, 13)}
    for (month, start), end in zip(starts, ends, strict=True):
        found[month].update(range(start, end))
    return {month: frozenset(days) for month, days in found.items()}


def islamic(number: int, first: int, last: int) -> frozenset[int]:
    """Return the days in a month of the Umm al-Qura calendar."""
    _limits(first, last, (dt.date(1924, 8, 1), dt.date(2077, 11, 16)), "Umm al-Qura")
    return _islamic()[number]


MEAN = 7 + 45.67 / 60  # hours that the mean time of Beijing is ahead of Greenwich


def _begin(day: int, hours: float) -> ephem.Date:
    """Return the first moment of a day in China, which is so many hours before Greenwich."""
    return ephem.Date(ephem.Date(str(dt.date.fromordinal(day))) - hours / 24)


def _moon(moment: ephem.Date) -> int:
    """Return the day of a new moon in China.

    Until 1928 almanacs reckoned in the mean time of Beijing, since then in that of the zone. From 1900 to 1913 one
    new moon, of April 1906, is between the two midnights: almanacs have the day of the zone.
    """
    date: dt.date = moment.datetime().date()
    hours = 8 if 1900 <= date.year < 1914 or date.year >= 1929 else MEAN
    return date.toordinal() + bool(_begin(date.toordinal() + 1, hours) <= moment)


def _longitude(day: int) -> int:
    """Return in which twelfth of the ecliptic the sun is when a day begins.

    Since 1900 one solar term, of July 1922, is between the two midnights: almanacs have the day of the zone.
    """
    moment = _begin(day, 8 if dt.date.fromordinal(day).year >= 1900 else MEAN)
    return int(math.degrees(ephem.Ecliptic(ephem.Sun(moment), epoch=moment).lon) // 30)


@cache
def chinese_months() -> tuple[tuple[int, int, int, int, bool], ...]:
    """Return the Chinese months, from new moons and the sun's longitude.

    Each is its first day, the day after its last, its year and number, and whether it repeats a number.
    """
    starts: list[int] = []
    moment = ephem.Date("1798/11/1")
    while not starts or starts[-1] < dt.date(2101, 3, 1).toordinal():
        moment = ephem.next_new_moon(moment)
        starts.append(_moon(moment))
    twelfths = [_longitude(day) for day in starts]
    spans = list(zip(pairwise(starts), pairwise(twelfths), strict=True))
    # the solstice, at 270 degrees, is in the 11th month
    eleventh = [
        at for at, (_, (sun, after)) in enumerate(spans) if sun in (7, 8) and after in (9, 10)
    ]
    months = []
    for first, following in pairwise(eleventh):
        number, leap_due = 11, following - first == 13
        for at in range(first, following):
            (start, end), (sun, after) = spans[at]
            repeats = at > first and leap_due and sun == after
            if repeats:
                leap_due = False
            elif at > first:
                number = number % 12 + 1
            year = dt.date.fromordinal(start).year
            if number >= 11 and dt.date.fromordinal(start).month < 6:
                year -= 1
            months.append((start, end, year, number, repeats))
    return tuple(months)


@cache
def _chinese() -> tuple[dict[int, frozenset[int]], dict[str, frozenset[int]]]:
    """Return the days of each month and of each animal's years."""
    months: dict[int, set[int]] = {month: set() for month in range(1, 13)}
    years: dict[str, set[int]] = {animal: set() for animal in ANIMALS}
    for start, end, year, number, _ in chinese_months():
        months[number].update(range(start, end))
        years[ANIMALS[(year - 4) % 12]].update(range(start, end))
    return (
        {month: frozenset(days) for month, days in months.items()},
        {animal: frozenset(days) for animal, days in years.items()},
    )


def chinese(what: int | str, first: int, last: int) -> frozenset[int]:
    """Return the days in a month of the Chinese calendar, by its number, or in years of an animal."""
    _limits(first, last, (dt.date(1800, 1, 1), dt.date(2100, 1, 28)), "Chinese")
    months, years = _chinese()
    return months[what] if isinstance(what, int) else years[what]


def easter_plus(days: int, western: bool) -> frozenset[int]:
    """Return the days that are so many after Easter Sunday of their own year."""
    found = (
        (y, easter(y, EASTER_WESTERN if western else EASTER_ORTHODOX) + dt.timedelta(days))
        for y in range(1700, 2101)
    )
    return frozenset(day.toordinal() for year, day in found if day.year == year)


def _moments(after: Callable[[Any], Any]) -> Iterator[int]:
    moment = ephem.Date("1699/12/1")
    while True:
        moment = after(moment)
        day = moment.datetime().date().toordinal()
        if day > LAST:
            return
        yield day
        moment = ephem.Date(moment + 1)


@cache
def sky(name: str) -> frozenset[int]:
    """Return the days of a phase of the moon, an equinox or a solstice."""
    known = {
        "new moon": ephem.next_new_moon,
        "first quarter of the moon": ephem.next_first_quarter_moon,
        "full moon": ephem.next_full_moon,
        "last quarter of the moon": ephem.next_last_quarter_moon,
        "March equinox": ephem.next_vernal_equinox,
        "June solstice": ephem.next_summer_solstice,
        "September equinox": ephem.next_autumnal_equinox,
        "December solstice": ephem.next_winter_solstice,
    }
    if name not in known:
        raise UnreadError(name)
    return frozenset(_moments(known[name]))
