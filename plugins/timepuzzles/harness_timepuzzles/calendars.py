"""Calendars other than the Gregorian one, from libraries: the side that makes the labels.

`harness_timepuzzles.engines.arithmetic` confirms every label without any of these. Each calendar comes
as runs of days (for masks) and as the reading of one day (for predicates), and the two take
different ways through the library.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from functools import cache, lru_cache
from importlib import resources
from itertools import pairwise
from typing import Any

from dateutil.easter import EASTER_ORTHODOX, EASTER_WESTERN, easter

from harness_timepuzzles.day_sets import FIRST, LAST

Run = tuple[date, date]
Start = tuple[date, int, int]
"""The first day of a month, its year and its number."""

_DAY = timedelta(days=1)

CHINESE_FIRST, CHINESE_LAST = date(1800, 1, 1), date(2050, 12, 31)
# Before this day lunardate is wrong without a word, and after it right only with the corrections below.
LUNARDATE_FIRST = date(1900, 1, 31)
_WRONG_STARTS = {
    date(1933, 7, 22): date(1933, 7, 23),
    date(1954, 11, 26): date(1954, 11, 25),
    date(1978, 9, 2): date(1978, 9, 3),
}
_WRONG_DAYS = {date(1933, 7, 22): 5, date(1954, 11, 25): 11, date(1978, 9, 2): 7}
# From where the second engine can work the months out by the published rules (1402 AH).
ISLAMIC_FIRST, ISLAMIC_LAST = date(1981, 10, 28), date(2050, 12, 31)


def _runs(starts: Iterable[Start], first: date, last: date) -> Iterator[tuple[int, int, Run]]:
    """Yield year, month and run of days of months that follow each other, but for the last; cut off at the bounds."""
    for (start, year, month), (after, _, _) in pairwise(starts):
        if start <= last and after > first:
            yield year, month, (max(start, first), min(after - _DAY, last))


@cache
def chinese_months() -> tuple[tuple[int, int, Run], ...]:
    """Return (Chinese year, month, run of days) of every month; a leap month has the number it repeats.

    The first and the last month are cut off at the bounds.
    """
    return tuple(_runs(chinese_starts(), CHINESE_FIRST, CHINESE_LAST))


@cache
def chinese_starts() -> tuple[Start, ...]:
    """Return (first day, Chinese year, month) of every month of the Chinese years 1799 to 2050."""
    starts = []
    for start, leap, lengths in chinese_years():
        first = start
        for (month, _), length in zip(_numbers(leap), lengths, strict=True):
            starts.append((first, start.year, month))
            first += _DAY * (30 if length == "+" else 29)
    return tuple(starts)


@cache
def chinese_years() -> tuple[tuple[date, int, str], ...]:
    """Return the Chinese years from 1799 to 2050: first day, month that is repeated (0: none), a sign per month.

    The sign is + for 30 days and - for 29. Until 1899 they were worked out with ephem, from new moons and solar terms
    in Beijing's mean solar time: `tests/test_chinese_months.py` does so again. Then they are lunardate's, its three
    wrong month boundaries before 2050 corrected (see `_WRONG_STARTS`).
    """
    from lunardate import LunarDate

    table = resources.files(__package__).joinpath("chinese_months.txt").read_text("utf-8")
    years = [
        (date.fromisoformat(first), int(leap), lengths)
        for first, leap, lengths in map(str.split, table.splitlines())
    ]
    for year in range(LUNARDATE_FIRST.year, CHINESE_LAST.year + 1):
        leap = LunarDate.leap_month_for_year(year) or 0
        months = [(year, month, leaping) for month, leaping in _numbers(leap)]
        starts = [
            LunarDate(of, month, 1, leaping).to_solar_date()
            for of, month, leaping in (*months, (year + 1, 1, False))
        ]
        starts = [_WRONG_STARTS.get(start, start) for start in starts]
        signs = ("+" if b - a == 30 * _DAY else "-" for a, b in pairwise(starts))
        years.append((starts[0], leap, "".join(signs)))
    return tuple(years)


def _numbers(leap: int) -> Iterator[tuple[int, bool]]:
    """Yield the number of each month of a Chinese year, and whether it repeats the one before it."""
    for month in range(1, 13):
        yield month, False
        if month == leap:
            yield month, True


@lru_cache(maxsize=100)  # a search for clues asks again and again about one day
def chinese_near(day: date) -> tuple[int, int] | None:
    """Return what `chinese_day` does, from the table of months: fast, for drawing clues."""
    months, starts = chinese_months(), _chinese_bounds()
    at = bisect_right(starts, day) - 1
    return months[at][:2] if at >= 0 and day <= CHINESE_LAST else None


@cache
def _chinese_bounds() -> list[date]:
    return [run[0] for _, _, run in chinese_months()]


def chinese_day(day: date) -> tuple[int, int] | None:
    """Return (Chinese year, month) of a day, None outside the bounds."""
    from lunardate import LunarDate

    if not LUNARDATE_FIRST <= day <= CHINESE_LAST:
        return chinese_near(day)
    lunar = LunarDate.from_solar_date(day.year, day.month, day.day)
    return lunar.year, _WRONG_DAYS.get(day, lunar.month)


def chinese_date(day: date) -> tuple[int, int, bool, int]:
    """Return (Chinese year, month, whether it is a leap month, day of the month) of a day within the bounds."""
    from lunardate import LunarDate

    if day < LUNARDATE_FIRST:
        starts = chinese_starts()
        at = bisect_right(starts, (day, 9999, 0)) - 1
        return *starts[at][1:], starts[at][1:] == starts[at - 1][1:], (day - starts[at][0]).days + 1
    lunar = LunarDate.from_solar_date(day.year, day.month, day.day)
    number, start = lunar.day, day - (lunar.day - 1) * _DAY
    right = _WRONG_STARTS.get(start, start)
    if day < right:  # the last day of the month before
        lunar = LunarDate.from_solar_date(*(day - _DAY).timetuple()[:3])
        number = lunar.day + 1
    elif start != right:
        number = (day - right).days + 1
    elif day in _WRONG_DAYS:  # the first day of the month after
        lunar = LunarDate.from_solar_date(*(day + _DAY).timetuple()[:3])
        number = 1
    return lunar.year, lunar.month, bool(lunar.is_leap_month), number


@cache
def easter_sunday(year: int, church: str) -> date:
    """Return Easter Sunday of a year (1583–4099) as a Gregorian date; church: western or orthodox."""
    return easter(year, EASTER_WESTERN if church == "western" else EASTER_ORTHODOX)


# Hebrew months in the numbering of pyluach, where Nisan is 1 and both Adars count as one.
HEBREW = ("nisan", "iyar", "sivan", "tammuz", "av", "elul", "tishri", "heshvan", "kislev", "tevet",
          "shevat", "adar")  # fmt: skip


@cache
def hebrew_starts() -> tuple[Start, ...]:
    """Return (first day, Hebrew year, month) of every month in the numbering of pyluach, where Adar II is 13."""
    from pyluach.hebrewcal import Year

    return tuple(
        (next(iter(month.iterdates())).to_pydate(), year, month.month)
        for year in range(FIRST.year + 3759, LAST.year + 3763)
        for month in Year(year).itermonths()
    )


def hebrew_runs(month: int) -> list[Run]:
    """Return every run of days in a Hebrew month 1 (Nisan) … 12 (Adar, and Adar I and II)."""
    return [run for _, of, run in _runs(hebrew_starts(), FIRST, LAST) if min(of, 12) == month]


def hebrew_month(day: date) -> int:
    """Return the Hebrew month of a day's daylight hours, 1 (Nisan) … 12 (Adar, Adar I or II)."""
    from pyluach.dates import HebrewDate

    month: int = HebrewDate.from_pydate(day).month
    return min(month, 12)


@cache
def islamic_starts() -> tuple[Start, ...]:
    """Return (first day, year, month) of every month of the Umm al-Qura years 1402 to 1473, and of the next one."""
    from hijridate import Hijri

    months = [*((year, month) for year in range(1402, 1474) for month in range(1, 13)), (1474, 1)]
    days = (Hijri(year, month, 1).to_gregorian().datetuple() for year, month in months)
    return tuple((date(*day), *month) for day, month in zip(days, months, strict=True))


def islamic_runs(month: int) -> list[Run]:
    """Return every run of days in a month 1 (Muharram) … 12 of the Umm al-Qura calendar, in its bounds."""
    runs = _runs(islamic_starts(), ISLAMIC_FIRST, ISLAMIC_LAST)
    return [run for _, of, run in runs if of == month]


def islamic_years() -> list[tuple[date, str]]:
    """Return the Umm al-Qura years that we know: first day, and a sign per month, + for 30 days and - for 29."""
    starts = islamic_starts()
    signs = ["+" if b - a == 30 * _DAY else "-" for (a, *_), (b, *_) in pairwise(starts)]
    return [(starts[at][0], "".join(signs[at : at + 12])) for at in range(0, len(signs), 12)]


def islamic_month(day: date) -> int | None:
    """Return the Umm al-Qura month of a day's daylight hours, None outside the bounds."""
    from hijridate import Gregorian

    if not ISLAMIC_FIRST <= day <= ISLAMIC_LAST:
        return None
    month: int = Gregorian(day.year, day.month, day.day).to_hijri().month
    return month


# Phases and points of the year, and ephem's functions that look for the next one.
PHASES = {
    "new": "next_new_moon", "first_quarter": "next_first_quarter_moon", "full": "next_full_moon",
    "last_quarter": "next_last_quarter_moon",
}  # fmt: skip
POINTS = {
    "march": "next_vernal_equinox", "june": "next_summer_solstice",
    "september": "next_autumn_equinox", "december": "next_winter_solstice",
}  # fmt: skip


def _sky(name: str, after: date) -> date:
    day: date = _next(name, after).datetime().date()
    return day


def _next(name: str, after: date) -> Any:
    """Return ephem's moment of the next event after the midnight that a day begins with."""
    import ephem

    # Half a second early: an event at midnight itself belongs to the day that begins.
    return getattr(ephem, name)(ephem.Date(after.isoformat()) - 0.5 * ephem.second)


@cache
def phase_days(phase: str) -> tuple[date, ...]:
    """Return the dates (Universal Time) of a moon phase. Source: ephem."""
    name, number = PHASES[phase], list(PHASES).index(phase)
    dates: list[date] = []
    near = [float(_next(name, FIRST))]
    while True:
        whole, part = divmod(near[-1] + _MIDNIGHT, 1)
        day = date.fromordinal(int(whole))
        if not _SURE < part < 1 - _SURE:  # ephem's search decides where midnight is near
            day = _sky(name, day - _DAY)
        if day > LAST:
            return tuple(dates)
        dates.append(day)
        if len(near) < 2 * _SAROS:
            near.append(_phase_near(near[-1] + _LUNATION, number))
        else:  # the last two of the same series say when the next one comes, to half an hour
            guess = 2 * near[-_SAROS] - near[-2 * _SAROS]
            near.append(guess - _gained(guess, number) / _PER_DAY)


_LUNATION = 29.530589  # days
_SAROS = 223  # lunations, after which sun, moon and earth stand nearly as before
_PER_DAY = math.tau / _LUNATION  # radians that the moon gains on the sun
_MIDNIGHT = 693595.5  # a day's ordinal less this is ephem's number of the midnight it begins with
_SURE = (
    10 / 1440
)  # of a day: the moments that `phase_days` works out are three minutes off at the most


def _phase_near(guess: float, number: int) -> float:
    """Return the moment of a phase near a guess: nearly, and in a third of the time that ephem's search takes."""
    after = _gained(guess, number)
    second = guess - after / _PER_DAY
    later = _gained(second, number)
    return second - later * (second - guess) / (later - after) if later != after else second


def _gained(moment: float, number: int) -> float:
    """Return how far the moon is past a phase, in radians from -π to π."""
    import ephem

    # The sun's "heliocentric" longitude is that of the earth, the moon's that from the earth.
    passed = float(ephem.Moon(moment).hlon) - float(ephem.Sun(moment).hlon) - number * math.pi / 2
    return passed % math.tau - math.pi


@cache
def point_days(point: str) -> tuple[date, ...]:
    """Return the dates (Universal Time) of an equinox or solstice. Source: ephem."""
    name, dates, day = POINTS[point], [], FIRST
    while (day := _sky(name, day)) <= LAST:
        dates.append(day)
        day += 360 * _DAY
    return tuple(dates)


# Per kind of event, the day last asked from and the day of the next event: in a walk through the
# days ephem is asked once for each event, not once for each day.
_KNOWN: dict[str, Run] = {}


def _is_event(name: str, day: date) -> bool:
    known = _KNOWN.get(name)
    if known is None or not known[0] <= day <= known[1]:
        known = _KNOWN[name] = (day, _sky(name, day))
    return known[1] == day


def has_phase(day: date, phase: str) -> bool:
    """Tell whether the moon reaches a phase at a moment of a date in Universal Time."""
    return _is_event(PHASES[phase], day)


def has_point(day: date, point: str) -> bool:
    """Tell whether the sun reaches an equinox or solstice at a moment of a date in Universal Time."""
    return _is_event(POINTS[point], day)
