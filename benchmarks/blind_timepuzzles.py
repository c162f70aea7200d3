"""A solver of timepuzzles that knows the prompts only: clues in, the set of dates out.

Each clue becomes a test of a day or a set of days. Calendars come from public libraries and, for the
Chinese one, from new moons and the sun's longitude; facts of history come from the prompt itself. A
clue about a fact that the prompt does not spell out makes it one that cannot be read.
Written from prompts alone, apart from the plugin.
"""

from __future__ import annotations

import datetime as dt
import re
from calendar import day_name, isleap, month_name, monthrange
from collections.abc import Callable, Container
from functools import cache, lru_cache

import blind_calendars as calendars
import blind_conversions
from blind_kit import UnreadError

Test = Callable[[dt.date], bool]
MONTHS = list(month_name)
DAYS = list(day_name)
SEASONS = {"spring": (3, 4, 5), "summer": (6, 7, 8), "autumn": (9, 10, 11), "winter": (12, 1, 2)}
_ORDINAL = r"(\d+)(?:st|nd|rd|th)"
_DATE = r"\d{4}-\d\d-\d\d"


def periods(words: str) -> frozenset[int]:
    """Return the days of a list of days and of periods, both ends included."""
    days: set[int] = set()
    for part in words.split("; "):
        if not re.fullmatch(rf"{_DATE}(?: to {_DATE})?", part):
            raise UnreadError(part)
        ends = [dt.date.fromisoformat(each).toordinal() for each in part.split(" to ")]
        days.update(range(ends[0], ends[-1] + 1))
    return frozenset(days)


def _among(days: Container[int]) -> Test:
    return lambda date: date.toordinal() in days


def _weekdays(words: str) -> Test:
    numbers = {DAYS.index(name) for name in re.findall(r"\b[A-Z]\w+day\b", words)}
    return lambda date: date.weekday() in numbers


def _nth(number: int, backwards: bool, name: str, span: str) -> Test:
    """Return the test for the so manieth day of a name in its month or year."""
    weekday = DAYS.index(name) if name != "day" else None

    def test(date: dt.date) -> bool:
        if weekday is not None and date.weekday() != weekday:
            return False
        step = 1 if weekday is None else 7
        if span == "month":
            place, size = date.day, monthrange(date.year, date.month)[1]
        else:
            place, size = date.timetuple().tm_yday, 365 + isleap(date.year)
        return number == ((size - place) // step if backwards else (place - 1) // step) + 1

    return test


def _sign(words: tuple[str, ...]) -> Test:
    """Return the test for a span of days of every year, which may go over its end."""
    first, last = ((MONTHS.index(words[i + 1]), int(words[i])) for i in (0, 2))

    def test(date: dt.date) -> bool:
        day = (date.month, date.day)
        return first <= day <= last if first <= last else day >= first or day <= last

    return test


def _years(words: str) -> Test:
    years = {int(year) for year in re.findall(r"\d{4}", words)}
    return lambda date: date.year in years


def _day_of_month(how: str | None, number: int) -> Test:
    if how is None:
        return lambda date: date.day == number
    return lambda date: date.day < number if how == "before" else date.day > number


def _easter(days: str, way: str, church: str) -> Test:
    shift = int(days) * (1 if way == "after" else -1)
    return _among(calendars.easter_plus(shift, church == "Western"))


# Clues of the Gregorian calendar, and those that spell facts out.
_CLUES: tuple[tuple[str, Callable[..., Test]], ...] = (
    (r"It is (an? \w+day(?:(?:, | or )an? \w+day)*)\.", _weekdays),
    (r"The month is (\w+)\.", lambda name: lambda date: date.month == MONTHS.index(name)),
    (r"The year is (\d{4})\.", _years),
    (r"The year is one of these: ([\d, ]+)\.", _years),
    (
        r"The year is one of the ten years from (\d{4}) to (\d{4})\.",
        lambda a, b: lambda date: int(a) <= date.year <= int(b),
    ),
    (r"The year is a leap year\.", lambda: lambda date: isleap(date.year)),
    (r"The season is (\w+)\.", lambda name: lambda date: date.month in SEASONS[name]),
    (r"The day of the month is (\d+)\.", lambda n: _day_of_month(None, int(n))),
    (
        rf"The day of the month is (before|after) the {_ORDINAL}\.",
        lambda how, n: _day_of_month(how, int(n)),
    ),
    (
        r"It is in ISO week (\d+)\.",
        lambda week: lambda date: date.isocalendar().week == int(week),
    ),
    (
        r"It is day (\d+) of its year\.",
        lambda n: lambda date: date.timetuple().tm_yday == int(n),
    ),
    (
        rf"It is the {_ORDINAL}(-to-last)? (\w+) of its (month|year)\.",
        lambda n, back, name, span: _nth(int(n), bool(back), name, span),
    ),
    (
        r"It is the (first|last) (\w+) of its (month|year)\.",
        lambda end, name, span: _nth(1, end == "last", name, span),
    ),
    (
        r"The date lies in the star sign \w+ \((\d+) (\w+) to (\d+) (\w+), both days included\)\.",
        lambda *words: _sign(words),
    ),
    (
        r"The date lies in (?:one of these periods: |the period from )(.*)\.",
        lambda words: _among(periods(words)),
    ),
    (
        r"The date is (?:one of these: )?([\d, ;-]+)\.",
        lambda words: _among(periods(words.replace(", ", "; "))),
    ),
    (
        r"It is (\d+) days? (before|after) Easter Sunday of the (Western|Orthodox) churches\.",
        _easter,
    ),
    (
        r"It is Easter Sunday of the (Western|Orthodox) churches\.",
        lambda church: _easter("0", "after", church),
    ),
    (
        r"It is the date of (?:an?|the) (.*) \(UT\)\.",
        lambda name: _among(calendars.sky(name)),
    ),
    (
        r"It is a day in the Hebrew month of (\w+)\.",
        lambda name: _among(calendars.hebrew(name)),
    ),
)
# Clues of calendars that libraries know for some years only.
_LIMITED: tuple[tuple[str, Callable[..., Container[int]]], ...] = (
    (
        rf"It is a day in [\w -]+, the {_ORDINAL} month of the Umm al-Qura calendar\.",
        lambda first, last, n: calendars.islamic(int(n), first, last),
    ),
    (
        rf"It is a day in the {_ORDINAL} month of the Chinese lunar calendar\.",
        lambda first, last, n: calendars.chinese(int(n), first, last),
    ),
    (
        r"The Chinese zodiac year is a year of the (\w+)\.",
        lambda first, last, animal: calendars.chinese(animal, first, last),
    ),
)


@lru_cache(maxsize=20_000)
def _test(clue: str, first: int, last: int) -> Test:
    """Return the test of a day that a clue stands for."""
    for pattern, build in _CLUES:
        if found := re.fullmatch(pattern, clue):
            return build(*found.groups())
    for pattern, days in _LIMITED:
        if found := re.fullmatch(pattern, clue):
            return _among(days(first, last, *found.groups()))
    raise UnreadError(clue)


@cache
def _dates(first: int, last: int) -> tuple[dt.date, ...]:
    """Return the dates of a range."""
    return tuple(dt.date.fromordinal(number) for number in range(first, last + 1))


def solve(prompt: str) -> frozenset[str] | blind_conversions.Date:
    """Return the dates that satisfy all clues of a prompt, or the one date that it asks for."""
    if blind_conversions.QUESTION.search(prompt):
        return blind_conversions.solve(prompt)
    bounds = re.search(rf"Gregorian calendar from ({_DATE}) to ({_DATE}) count", prompt)
    clues = re.findall(r"^\d+\. (.*)$", prompt.partition("How to read the clues")[0], re.M)
    if bounds is None or not clues:
        raise UnreadError("no clues or no range")
    first, last = (dt.date.fromisoformat(each).toordinal() for each in bounds.groups())
    tests = [_test(clue, first, last) for clue in clues]
    dates = _dates(first, last)
    for test in tests:
        dates = tuple(filter(test, dates))
    return frozenset(date.isoformat() for date in dates)


def agrees(answer: frozenset[str] | blind_conversions.Date, target: str, prompt: str) -> bool:
    """Return whether a target names the same dates."""
    if isinstance(answer, tuple):
        return blind_conversions.agrees(answer, target)
    return answer == (frozenset() if target == "none" else frozenset(target.split(", ")))
