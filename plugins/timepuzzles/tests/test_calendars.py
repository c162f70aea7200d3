"""Calendars from libraries: right where they speak, silent elsewhere, against arithmetic of our own.

The three defects of lunardate are shown in the unpatched library: the day upstream mends one, the
corrections in `calendars` have to go.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from functools import cache
from itertools import pairwise
from random import Random

import ephem
import pytest
import sxtwl
from cases import SHARE, each, slow
from harness_timepuzzles import calendars, day_sets
from harness_timepuzzles.calendars import (
    CHINESE_FIRST,
    CHINESE_LAST,
    HEBREW,
    ISLAMIC_FIRST,
    ISLAMIC_LAST,
    LUNARDATE_FIRST,
    PHASES,
    POINTS,
)
from harness_timepuzzles.day_sets import FIRST, LAST
from hijridate import Gregorian, Hijri
from lunardate import LunarDate
from tp_worlds import paschal_easter

DAY = timedelta(days=1)
DEFECTS = {  # day: what lunardate 0.3.0 says (month, day, leap), what it is (month, leap)
    date(1933, 7, 22): ((6, 1, False), (5, True)),
    date(1954, 11, 25): ((10, 30, False), (11, False)),
    date(1978, 9, 2): ((8, 1, False), (7, False)),
}
MENDED = (
    "lunardate no longer has the defect of {}: it was mended upstream, so take the corrections out "
    "of calendars.py (_WRONG_STARTS, _WRONG_DAYS) and this entry out of the test"
)


def span(first: date, last: date) -> list[date]:
    return [first + DAY * number for number in range((last - first).days + 1)]


# ------------------------------------------------------------------------------- Chinese


@cache
def independent() -> dict[date, tuple[int, int, bool]]:
    """(Year, month, leap) of every day from 1900 on in the bounds, from sxtwl."""
    found = {}
    for day in span(LUNARDATE_FIRST, CHINESE_LAST):
        lunar = sxtwl.fromSolar(day.year, day.month, day.day)
        found[day] = (lunar.getLunarYear(), lunar.getLunarMonth(), lunar.isLunarLeap())
    return found


@slow
def test_every_chinese_day_is_the_one_of_another_library():
    right = {day: (year, month) for day, (year, month, _) in [*independent().items()][::SHARE]}
    assert {day: calendars.chinese_day(day) for day in right} == right
    assert {day: calendars.chinese_near(day) for day in right} == right


def test_the_table_of_chinese_months_is_the_days_put_together():
    found = {
        day: (year, month)
        for year, month, (first, last) in calendars.chinese_months()
        for day in span(max(first, LUNARDATE_FIRST), last)
    }
    assert found == {day: parts[:2] for day, parts in independent().items()}
    ends = [day for _, _, run in calendars.chinese_months() for day in run]
    assert ends == sorted(ends)
    assert (ends[0], ends[-1]) == (CHINESE_FIRST, CHINESE_LAST) == (
        date(1800, 1, 1), date(2050, 12, 31),
    )  # fmt: skip
    assert all(a + DAY == b for a, b in zip(ends[1:-1:2], ends[2::2], strict=True))
    whole = [last - first + DAY for _, _, (first, last) in calendars.chinese_months()[1:-1]]
    assert set(whole) == {29 * DAY, 30 * DAY}  # the corrections moved no month out of shape


@slow
def test_lunardate_itself_is_wrong_on_three_days_only():
    wrong = {}
    for day, (year, month, leap) in independent().items():
        found = LunarDate.from_solar_date(day.year, day.month, day.day)
        if (found.year, found.month, bool(found.is_leap_month)) != (year, month, leap):
            wrong[day] = (found.month, found.day, bool(found.is_leap_month)), (month, leap)
    for day in DEFECTS:
        assert day in wrong, MENDED.format(day)
    assert wrong == DEFECTS


@pytest.mark.parametrize("day", sorted(DEFECTS))
def test_the_corrections_are_where_the_new_moon_is(day):
    """A Chinese month begins on the day, at UTC+8, of the new moon."""
    begins = next(
        first for _, _, (first, last) in calendars.chinese_months() if abs(first - day) <= DAY
    )
    moon = ephem.previous_new_moon(ephem.Date(datetime(day.year, day.month, day.day) + 3 * DAY))
    assert (moon.datetime() + timedelta(hours=8)).date() == begins
    assert calendars.chinese_day(begins) != calendars.chinese_day(begins - DAY)


OUTSIDE = [
    date.min, date(1582, 10, 15), FIRST, date(1799, 12, 31),
    date(2051, 1, 1), date(2057, 9, 28), date(2100, 2, 8), date(2100, 2, 9), LAST, date.max,
]  # fmt: skip


@each("day", OUTSIDE)
def test_nothing_is_said_outside_the_chinese_bounds(day):
    assert calendars.chinese_day(day) is None
    assert calendars.chinese_near(day) is None


def test_lunardate_talks_nonsense_outside_its_range_without_a_word():
    """Why the bounds are ours to check: no exception can be waited for."""
    found = LunarDate.from_solar_date(1800, 1, 1)
    assert not 1 <= found.day <= 30
    for day in (date(1700, 1, 1), date(1850, 6, 1), date(1900, 1, 29)):
        assert LunarDate.from_solar_date(day.year, day.month, day.day).day < 1


@each(
    ("day", "year", "month"),
    [
        ("1800-01-24", 1799, 12), ("1800-01-25", 1800, 1), ("1842-08-29", 1842, 7), ("1899-02-10", 1899, 1),
        ("1900-01-30", 1899, 12), ("1900-01-31", 1900, 1), ("2000-02-04", 1999, 12), ("2000-02-05", 2000, 1),
        ("2023-03-21", 2023, 2), ("2023-03-22", 2023, 2), ("2023-04-19", 2023, 2),  # leap 2nd
        ("2023-04-20", 2023, 3), ("2024-02-09", 2023, 12), ("2024-02-10", 2024, 1),
        ("2033-12-22", 2033, 11), ("2034-01-19", 2033, 11), ("2034-01-20", 2033, 12),  # leap 11th
        ("2050-12-31", 2050, 11),
    ],
)  # fmt: skip
def test_chinese_days_everybody_can_look_up(day, year, month):
    assert calendars.chinese_day(date.fromisoformat(day)) == (year, month)


# -------------------------------------------------------------------------------- Easter


@pytest.mark.parametrize("church", ["western", "orthodox"])
def test_easter_is_that_of_the_paschal_moon(church):
    years = day_sets.YEARS
    found = {year: calendars.easter_sunday(year, church) for year in years}
    assert found == {year: paschal_easter(year, church) for year in years}
    assert {day.weekday() for day in found.values()} == {6}


def test_easter_of_years_everybody_can_look_up():
    western = (
        "1818-03-22 1943-04-25 1981-04-19 1954-04-18 2000-04-23 2008-03-23 2024-03-31 2038-04-25"
    )
    orthodox = "1983-05-08 2000-04-30 2010-04-04 2013-05-05 2017-04-16 2024-05-05 2025-04-20"
    for church, days in {"western": western, "orthodox": orthodox}.items():
        for day in days.split():
            assert calendars.easter_sunday(int(day[:4]), church).isoformat() == day


# -------------------------------------------------------------------------------- Hebrew

_HOUR, _DAY_PARTS = 1080, 25920


@cache
def hebrew_new_year(year: int) -> int:
    """Ordinal of 1 Tishri: the day of the mean new moon, put off by the four rules."""
    months = 0
    for before in range(year - (year - 1) % 19, year):
        months += 13 if hebrew_leap(before) else 12
    months += (year - 1) // 19 * 235
    # The first of all new moons: the second day of the week, 5 hours and 204 parts after 18:00.
    molad = _DAY_PARTS + 5 * _HOUR + 204 + months * (29 * _DAY_PARTS + 12 * _HOUR + 793)
    day, parts = divmod(molad, _DAY_PARTS)
    weekday = day % 7  # Sunday = 0
    if (
        parts >= 18 * _HOUR
        or (weekday == 2 and parts >= 9 * _HOUR + 204 and not hebrew_leap(year))
        or (weekday == 1 and parts >= 15 * _HOUR + 589 and hebrew_leap(year - 1))
    ):
        day += 1
    if day % 7 in (0, 3, 5):
        day += 1
    return day - 1_373_428


def hebrew_leap(year: int) -> bool:
    return year % 19 in (0, 3, 6, 8, 11, 14, 17)


def test_hebrew_months_are_those_of_the_mean_new_moons():
    runs: dict[str, list[tuple[int, int]]] = {name: [] for name in HEBREW}
    for year in range(5459, 5863):
        start, length = hebrew_new_year(year), hebrew_new_year(year + 1) - hebrew_new_year(year)
        lengths = {
            "tishri": 30,
            "heshvan": 29 + (length % 10 == 5),
            "kislev": 30 - (length % 10 == 3),
        }
        lengths |= {"tevet": 29, "shevat": 30, "adar": 59 if hebrew_leap(year) else 29}
        lengths |= dict(zip(HEBREW, (30, 29, 30, 29, 30, 29), strict=False))
        for name, days in lengths.items():
            runs[name].append((start, start + days))
            start += days
        assert start == hebrew_new_year(year + 1)
    for number, name in enumerate(HEBREW, 1):
        right = {day for first, after in runs[name] for day in range(first, after)}
        found = day_sets.ordinals(day_sets.union(calendars.hebrew_runs(number)))
        assert found == [
            day for day in sorted(right) if FIRST.toordinal() <= day <= LAST.toordinal()
        ]


@slow
def test_hebrew_predicate_and_runs_say_the_same_of_every_day():
    found: dict[int, list[date]] = {number: [] for number in range(1, 13)}
    tried = span(FIRST, LAST)[::SHARE]
    for day in tried:
        found[calendars.hebrew_month(day)].append(day)
    for number, days in found.items():
        runs = day_sets.union(calendars.hebrew_runs(number)) & day_sets.of(tried)
        assert day_sets.of(days) == runs, HEBREW[number - 1]


def test_hebrew_months_agree_with_a_third_library():
    hebrew = pytest.importorskip("convertdate.hebrew")
    for day in Random(3).sample(span(FIRST, LAST), 2000):
        assert min(hebrew.from_gregorian(day.year, day.month, day.day)[1], 12) == (
            calendars.hebrew_month(day)
        )


@each(
    ("day", "month"),
    [
        ("2024-10-02", "elul"), ("2024-10-03", "tishri"), ("2024-04-08", "adar"),
        ("2024-04-09", "nisan"), ("2024-02-09", "shevat"), ("2024-02-10", "adar"),
        ("2024-03-10", "adar"), ("2024-03-11", "adar"), ("1948-05-14", "iyar"),
        ("1700-01-01", "tevet"), ("2100-12-31", "kislev"),
    ],
)  # fmt: skip
def test_hebrew_days_everybody_can_look_up(day, month):
    assert HEBREW[calendars.hebrew_month(date.fromisoformat(day)) - 1] == month


# ------------------------------------------------------------------------------- Islamic


def test_islamic_predicate_and_runs_say_the_same_of_every_day():
    found: dict[int, list[date]] = {number: [] for number in range(1, 13)}
    for day in span(ISLAMIC_FIRST, ISLAMIC_LAST):
        found[calendars.islamic_month(day)].append(day)
    for number, days in found.items():
        assert day_sets.of(days) == day_sets.union(calendars.islamic_runs(number)), number


@each("day", [date.min, FIRST, ISLAMIC_FIRST - DAY, ISLAMIC_LAST + DAY, LAST, date.max])
def test_nothing_is_said_outside_the_islamic_bounds(day):
    assert calendars.islamic_month(day) is None
    assert not any(
        day_sets.union(calendars.islamic_runs(m)) & day_sets.of([day]) for m in range(1, 13)
    )


@pytest.mark.parametrize("day", [(1924, 7, 31), (2077, 11, 17), (1700, 1, 1), (2100, 12, 31)])
def test_hijridate_itself_raises_outside_its_range(day):
    with pytest.raises(OverflowError):
        Gregorian(*day).to_hijri()


def test_hijridate_reaches_as_far_as_it_says():
    assert Gregorian(1924, 8, 1).to_hijri().datetuple() == (1343, 1, 1)
    assert Gregorian(2077, 11, 16).to_hijri().datetuple() == (1500, 12, 30)
    with pytest.raises(OverflowError):
        Hijri(1342, 12, 1)


@each(
    ("day", "month"),
    [
        ("2024-03-10", 8), ("2024-03-11", 9), ("2024-04-09", 9), ("2024-04-10", 10),
        ("2024-07-06", 12), ("2024-07-07", 1), ("2000-04-05", 12), ("2000-04-06", 1),
    ],
)  # fmt: skip
def test_islamic_days_everybody_can_look_up(day, month):
    assert calendars.islamic_month(date.fromisoformat(day)) == month


# ------------------------------------------------------------------------------- the sky


@cache
def phases(first: date, last: date) -> dict[str, list[date]]:
    """Return the lists of phases of a shorter span: to ask about all of them would take seconds."""
    return {
        phase: [day for day in calendars.phase_days(phase) if first <= day <= last]
        for phase in PHASES
    }


SPANS = [(date(1700, 1, 1), date(1710, 12, 31)), (date(2090, 1, 1), date(2100, 12, 31))]
SPANS += [
    (date(year, 1, 1), date(year, 12, 31)) for year in Random(4).sample(range(1711, 2090), 10)
]


@slow
@pytest.mark.parametrize("span", SPANS, ids=lambda span: str(span[0].year))
def test_moon_predicates_and_lists_say_the_same_near_every_phase_of_thirty_years(span):
    """Each day around a phase is asked whether it has that phase."""
    for phase, listed in phases(*span).items():
        tried = listed[::SHARE]
        near = {day + DAY * step for day in tried for step in (-1, 0, 1)}
        assert {day for day in near if calendars.has_phase(day, phase)} == set(tried)


@slow
def test_the_order_in_which_days_are_asked_does_not_matter():
    days = span(date(1999, 7, 1), date(1999, 9, 30))
    orders = [
        days,
        days[::-1],
        Random(6).sample(days, len(days)),
        [d for day in days for d in (day, FIRST, day)],
    ]
    for phase in PHASES:
        found = [
            {d for d in order if calendars.has_phase(d, phase)} & set(days) for order in orders
        ]
        assert found[0] == found[1] == found[2] == found[3]
        assert len(found[0]) in (3, 4)
    for point, right in (("september", {date(1999, 9, 23)}), ("june", set())):
        for order in orders:
            assert {d for d in order if calendars.has_point(d, point)} == right


@slow
@each("span", SPANS)
def test_phases_follow_one_another_in_every_month(span):
    lists = phases(*span)
    following = sorted((day, list(PHASES).index(phase)) for phase in PHASES for day in lists[phase])
    numbers = [number for _, number in following]
    assert all((a + 1) % 4 == b for a, b in pairwise(numbers))
    for days in lists.values():
        assert {(b - a).days for a, b in pairwise(days)} <= {29, 30}
        assert days[0] - span[0] < 30 * DAY
        assert span[1] - days[-1] < 30 * DAY


def test_sun_predicates_and_lists_say_the_same_on_every_day_of_their_weeks():
    for point, month in zip(POINTS, (3, 6, 9, 12), strict=True):
        listed = calendars.point_days(point)
        assert [day.year for day in listed] == [*day_sets.YEARS]
        assert {day.month for day in listed} == {month}
        assert {day.day for day in listed} <= set(range(19, 25))
        for day in listed[::SHARE]:
            near = [day - DAY, day, day + DAY]
            assert [calendars.has_point(one, point) for one in near] == [False, True, False]


@each(
    ("phase", "day"),
    [
        ("new", "1919-05-29"), ("new", "1999-08-11"), ("new", "2000-01-06"), ("new", "2024-04-08"),
        ("first_quarter", "2000-01-14"), ("full", "2000-01-21"), ("full", "2018-07-27"),
        ("full", "1912-01-04"), ("last_quarter", "2000-01-28"), ("full", "2023-08-31"),
    ],
)  # fmt: skip
def test_phases_everybody_can_look_up(phase, day):
    found = date.fromisoformat(day)
    assert [calendars.has_phase(found, name) for name in PHASES] == [
        name == phase for name in PHASES
    ]


@each(
    ("point", "day"),
    [
        ("march", "2000-03-20"), ("march", "2003-03-21"), ("march", "2044-03-19"),
        ("june", "2000-06-21"), ("june", "2008-06-20"), ("september", "2000-09-22"),
        ("september", "2003-09-23"), ("december", "2000-12-21"), ("december", "1999-12-22"),
        ("december", "1903-12-23"), ("december", "2080-12-20"),
    ],
)  # fmt: skip
def test_equinoxes_everybody_can_look_up(point, day):
    assert calendars.has_point(date.fromisoformat(day), point)
