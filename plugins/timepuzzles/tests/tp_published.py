"""Records in the published shape, made by hand: every type of entry, with what it means in plain code."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from functools import cache
from typing import Any

Meta = dict[str, Any]
DAY = timedelta(days=1)
NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def _kb(level: str, value: Any, aspect: str = "start") -> Meta:
    event = "the Hare sailed around the Reed Islands"
    return {"type": "kb_event", "event": event, "aspect": aspect, "level": level, "value": value}


def _nth(kind: str, direction: str, weekday: str, n: int) -> Meta:
    return {"type": kind, "direction": direction, "weekday": weekday, "n": n}


def _left(day: date, kind: str) -> int:
    """Weeks to the end of the month or the year."""
    end = date(day.year, 12, 31)
    if kind == "month":
        end = (day.replace(day=28) + 4 * DAY).replace(day=1) - DAY
    return (end - day).days // 7


def _between(first: str, last: str) -> Callable[[date], bool]:
    return lambda day: first < day.isoformat() < last


def _sign(first: str, last: str) -> Callable[[date], bool]:
    if first < last:
        return lambda day: first <= day.isoformat()[5:] <= last
    return lambda day: not last < day.isoformat()[5:] < first


_SAILED = "the first day that the Hare sailed around the Reed Islands"
_LANDED = "the last day that the Hare sailed around the Reed Islands"
_RULE = "The year satisfies year % 4 == {}, year >= {}, and is not {}."
_LIFE = "The date is between {} and {}."

# Entry, implicit sentence, explicit sentence ("" if the same), and the days on which it holds.
CASES: list[tuple[Meta, str, str, Callable[[date], bool]]] = [
    ({"type": "weekday", "value": "Tuesday"}, "It is a Tuesday.", "", lambda d: d.weekday() == 1),
    ({"type": "weekday", "value": "Sunday"}, "It is a Sunday.", "", lambda d: d.weekday() == 6),
    ({"type": "multi_weekday", "value": ["Sunday", "Monday"]}, "It is a Sunday or Monday.", "",
     lambda d: d.weekday() in (0, 6)),
    ({"type": "multi_weekday", "value": ["Friday", "Monday", "Tuesday"]},
     "It is a Friday, Monday, or Tuesday.", "", lambda d: d.weekday() in (0, 1, 4)),
    ({"type": "day_of_month", "operator": "<", "value": 2}, "It is before the 2nd of the month.", "",
     lambda d: d.day < 2),
    ({"type": "day_of_month", "operator": "<", "value": 28}, "It is before the 28th of the month.", "",
     lambda d: d.day < 28),
    ({"type": "day_of_month", "operator": ">", "value": 1}, "It is after the 1st of the month.", "",
     lambda d: d.day > 1),
    ({"type": "day_of_month", "operator": ">", "value": 30}, "It is after the 30th of the month.", "",
     lambda d: d.day > 30),
    ({"type": "day_of_month", "operator": "<", "value": 31}, "It is before the 31st of the month.", "",
     lambda d: d.day < 31),
    ({"type": "month", "value": 2, "name": "February"}, "It is February.", "", lambda d: d.month == 2),
    ({"type": "month", "value": 5, "name": "May"}, "It is May.", "", lambda d: d.month == 5),
    ({"type": "event", "name": "leap_year"}, "It is a leap year.", "", lambda d: d.year % 4 == 0),
    ({"type": "event", "name": "summer_olympics"}, "It is a modern Summer Olympic year.",
     _RULE.format(0, 1896, "1916, 1940, or 1944"), lambda d: d.year % 4 == 0),
    ({"type": "event", "name": "world_cup"}, "It is a FIFA World Cup year.",
     _RULE.format(2, 1930, "1942 or 1946"), lambda d: d.year % 4 == 2),
    ({"type": "season", "value": "Winter"}, "It is Winter.", "", lambda d: d.month in (12, 1, 2)),
    ({"type": "season", "value": "Autumn"}, "It is Autumn.", "", lambda d: d.month in (9, 10, 11)),
    (_nth("weekday_in_month", "forward", "Friday", 2), "It is the 2nd Friday of the month.", "",
     lambda d: d.weekday() == 4 and 8 <= d.day <= 14),
    (_nth("weekday_in_month", "forward", "Monday", 5), "It is the 5th Monday of the month.", "",
     lambda d: d.weekday() == 0 and d.day > 28),
    (_nth("weekday_in_month", "backward", "Monday", 1), "It is the last Monday of the month.", "",
     lambda d: d.weekday() == 0 and _left(d, "month") == 0),
    (_nth("weekday_in_month", "backward", "Sunday", 3), "It is the 3rd to last Sunday of the month.", "",
     lambda d: d.weekday() == 6 and _left(d, "month") == 2),
    (_nth("weekday_in_year", "forward", "Monday", 21), "It is the 21st Monday of the year.", "",
     lambda d: d.weekday() == 0 and (d - date(d.year, 1, 1)).days // 7 == 20),
    (_nth("weekday_in_year", "backward", "Friday", 2), "It is the 2nd to last Friday of the year.", "",
     lambda d: d.weekday() == 4 and _left(d, "year") == 1),
    ({"type": "day_of_month_specific", "value": 13}, "It is the 13th of the month.", "",
     lambda d: d.day == 13),
    ({"type": "day_of_month_specific", "value": 31}, "It is the 31st of the month.", "",
     lambda d: d.day == 31),
    ({"type": "first_day_of_month", "value": True}, "It is the first day of the month.", "",
     lambda d: d.day == 1),
    ({"type": "last_day_of_month", "value": True}, "It is the last day of the month.", "",
     lambda d: (d + DAY).day == 1),
    ({"type": "day_of_year", "value": 60}, "It is the 60th day of the year.", "",
     lambda d: (d - date(d.year, 1, 1)).days == 59),
    ({"type": "explicit_year", "value": 1994}, "The year is 1994.", "", lambda d: d.year == 1994),
    ({"type": "decade", "value": 1990}, "The year is in the 1990s.", "", lambda d: d.year // 10 == 199),
    ({"type": "year_range", "start": 1897, "end": 1997},
     "The year is between 1897 and 1997 (inclusive).", "", lambda d: 1897 <= d.year <= 1997),
    ({"type": "chinese_zodiac", "value": "Dog"},
     "It is the Year of the Dog according to Chinese lunar calendar.", "",
     _between("1994-02-09", "1995-01-31")),
    ({"type": "lunar_month", "value": 1}, "It is the 1st month of the Chinese lunar calendar.", "",
     lambda d: any(date.fromisoformat(a) <= d < date.fromisoformat(b) for a, b in FIRST_MONTHS)),
    ({"type": "western_zodiac", "value": "Aries"}, "The sun (zodiac) sign is Aries.",
     "The date is between March 22 and April 18.", _sign("03-22", "04-18")),
    ({"type": "western_zodiac", "value": "Capricorn"}, "The sun (zodiac) sign is Capricorn.",
     "The date is between December 23 and January 18.", _sign("12-23", "01-18")),
    ({"type": "person_alive", "person": "Ada of the Reeds"}, "Ada of the Reeds is alive.",
     _LIFE.format("March 03, 1950", "June 15, 1996"), _between("1950-03-03", "1996-06-15")),
    ({"type": "person_alive", "person": "Albert Einstein"}, "Albert Einstein is alive.",
     _LIFE.format("March 14, 1879", "April 18, 1955"), _between("1879-03-14", "1955-04-18")),
    ({"type": "us_president", "person": "Bill Clinton"},
     "Bill Clinton is the President of the United States.",
     _LIFE.format("January 20, 1993", "January 20, 2001"), _between("1993-01-20", "2001-01-20")),
    ({"type": "us_president", "person": "George H.W. Bush"},
     "George H.W. Bush is the President of the United States.",
     _LIFE.format("January 20, 1989", "January 20, 1993"), _between("1989-01-20", "1993-01-20")),
    (_kb("year", 1993), f"It is the same year as {_SAILED}.", "The year is 1993.",
     lambda d: d.year == 1993),
    (_kb("year", 1650, "end"), f"It is the same year as {_LANDED}.", "The year is 1650.",
     lambda d: False),
    (_kb("month", 4, "end"), f"It is the same month as {_LANDED}.", "The month is April.",
     lambda d: d.month == 4),
    (_kb("day", 31), f"It is the same day as {_SAILED}.", "The day of the month is 31.",
     lambda d: d.day == 31),
    (_kb("year", 1992, "multi_year"),
     "It is a year in which the Hare sailed around the Reed Islands.", "The year is 1992.",
     lambda d: d.year == 1992),
    (_kb("year", [1992, 1994, 2020], "multi_year"),
     "It is a year in which the Hare sailed around the Reed Islands.",
     "The year is one of 1992,1994,2020.", lambda d: d.year in (1992, 1994)),
]  # fmt: skip

# From the Chinese New Year to before the first day of the 2nd month; a public almanac.
FIRST_MONTHS = (
    ("1990-01-27", "1990-02-25"), ("1991-02-15", "1991-03-16"), ("1992-02-04", "1992-03-04"),
    ("1993-01-23", "1993-02-21"), ("1994-02-10", "1994-03-12"), ("1995-01-31", "1995-03-01"),
    ("1996-02-19", "1996-03-19"), ("1997-02-07", "1997-03-09"), ("1998-01-28", "1998-02-27"),
)  # fmt: skip
YEARS = (1990, 1998)


def meaning(number: int) -> Callable[[date], bool]:
    """What the case of a number holds on."""
    return CASES[number][3]


@cache
def days(years: tuple[int, int] = YEARS) -> list[date]:
    """All days of some years."""
    first, last = date(years[0], 1, 1), date(years[1], 12, 31)
    return [first + n * DAY for n in range((last - first).days + 1)]


def record(*numbers: int, years: tuple[int, int] = YEARS, **more: Any) -> dict[str, Any]:
    """The record of some cases, with the solutions that plain code finds; ``more`` replaces fields."""
    chosen = [CASES[number] for number in numbers]
    left = days(years)
    for case in chosen:
        left = [day for day in left if case[3](day)]
    found = [str(day) for day in left]
    made = {
        "seed_date": "1990-01-01",
        "noise_date": None,
        "constraints": [case[1] for case in chosen],
        "explicit_constraints": [case[2] or case[1] for case in chosen],
        "constraints_meta": [dict(case[0]) for case in chosen],
        "solutions": found,
        "solution_count": len(found),
        "year_range": list(years),
        "identifier": "puzzle-" + "-".join(map(str, numbers)),
    }
    return made | more


def case_of(kind: str, **values: Any) -> int:
    """The number of the first case of a type with some values."""
    for number, (meta, *_) in enumerate(CASES):
        if meta["type"] == kind and all(meta.get(name) == value for name, value in values.items()):
            return number
    raise LookupError(kind)
