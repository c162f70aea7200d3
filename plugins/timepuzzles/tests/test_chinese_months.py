"""The Chinese months from 1800 to 1900: sxtwl against new moons and solar terms from ephem."""

from __future__ import annotations

import math
from functools import cache

import ephem
from cases import slow
from harness_timepuzzles.calendars import CHINESE_FIRST, chinese_months
from harness_timepuzzles.day_sets import FIRST as FIRST_DAY
from harness_timepuzzles.engines.arithmetic_days import day_number
from harness_timepuzzles.engines.arithmetic_lunar import months_from

BEIJING = (116 + 25 / 60) / 360  # days that its mean solar time is ahead of Universal Time
NEAR = 25 / 1440  # days: a new moon nearer to midnight is too close to call
FIRST = day_number("1799-12-26")  # the month that 1800-01-01 is in
END = day_number("1900-01-31")
Month = tuple[int, int, bool]  # first day, number, whether the new moon is close to midnight


def _day(moment: float) -> tuple[int, bool]:
    """Return Beijing's day number of a moment of ephem, and whether midnight is near."""
    days = moment + 0.5 + BEIJING + day_number("1899-12-31")
    return math.floor(days), abs(days - round(days)) < NEAR


def _longitude(moment: float) -> float:
    sun = ephem.Sun(ephem.Date(moment))
    place = ephem.Equatorial(sun.g_ra, sun.g_dec, epoch=ephem.Date(moment))
    return math.degrees(ephem.Ecliptic(place, epoch=ephem.Date(moment)).lon)


def _terms() -> list[int]:
    """Return the days on which the Sun enters a sign, from the December solstice of 1798 on."""
    moment, days = float(ephem.Date("1798/12/21")), []
    for number in range(12 * 102 + 1):
        for _ in range(6):
            ahead = (270 + 30 * number - _longitude(moment) + 180) % 360 - 180
            moment += ahead * 365.2422 / 360
        days.append(_day(moment)[0])
        moment += 30.4
    return days


@cache
def astronomical() -> tuple[Month, ...]:
    """Return the months from the rules: a year of 13 months repeats its first without a term."""
    moons, moment = [], ephem.Date("1798/10/1")
    while moment < ephem.Date("1901/3/1"):
        moment = ephem.next_new_moon(moment)
        moons.append(_day(float(moment)))
        moment = ephem.Date(moment + 1)
    terms, months = _terms(), []
    for begin, end in zip(terms[::12], terms[12::12], strict=False):
        places = [at for at, (day, _) in enumerate(moons) if day <= end]
        first = max(at for at in places if moons[at][0] <= begin)
        number, leap = 11, places[-1] - first == 13
        for at in range(first, places[-1]):
            held = any(moons[at][0] <= term < moons[at + 1][0] for term in terms)
            if leap and not held:
                leap = False
            elif at > first:
                number = number % 12 + 1
            months.append((moons[at][0], number, moons[at][1]))
    return tuple(month for month in months if FIRST <= month[0] < END)


def tabled() -> list[tuple[int, int]]:
    """Return (first day, number) of sxtwl's months."""
    return [(begin, number) for begin, _, number, _ in months_from("1799-12-26", END)]


def differing(table: list[tuple[int, int]]) -> list[Month]:
    """Return the astronomical months that a table has otherwise."""
    known = set(table)
    return [month for month in astronomical() if month[:2] not in known]


@slow
def test_all_1238_months_are_compared() -> None:
    assert len(tabled()) == len(astronomical()) == 1238


def test_months_differ_only_near_midnight_and_in_1805() -> None:
    assert len([month for month in differing(tabled()) if month[2]]) == 12
    assert len(differing(tabled())) == 13


def test_a_month_moved_by_a_day_is_noticed() -> None:
    table = tabled()
    agreed = sorted({month[:2] for month in astronomical()} & set(table))
    for begin, number in agreed[::50]:
        moved = [(begin + 1, number) if row == (begin, number) else row for row in table]
        assert len(differing(moved)) == len(differing(table)) + 1


def test_in_1805_the_sixth_month_was_repeated_as_issued_and_the_seventh_by_the_rules() -> None:
    # the second month that differs has the same number in both: only one of them calls it leap
    clear = [month[0] for month in differing(tabled()) if not month[2]]
    assert clear == [day_number("1805-07-26")]


def test_the_plugins_table_is_what_the_rules_give() -> None:
    first = (CHINESE_FIRST - FIRST_DAY).days
    known = [((run[0] - FIRST_DAY).days, month) for _, month, run in chinese_months()]
    ruled = [month[:2] for month in astronomical()]
    assert known[0] == (first, 12)
    assert ruled[0] == (FIRST, 12)
    assert known[1 : len(ruled)] == ruled[1:]
