"""What an entry of ``constraints_meta`` means: from the published form to clues of ours, reading by reading.

An entry is an object with a ``type`` and a few values. As published, what comes before or after the Nth
leaves the Nth out, lives and terms leave out their first and last days, a leap month counts as the
month whose number it repeats, a zodiac year begins at the Chinese New Year, Summer Games are in every
fourth year since 1896 but for the wars (2020 and years to come among them), and of what happened in
several years one year is kept. Each of these is a field of `Reading`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import Any

from harness import DatasetError, did_you_mean
from harness_timepuzzles import calendars, day_sets
from harness_timepuzzles.clues import day
from harness_timepuzzles.clues import year as clues_year
from harness_timepuzzles.clues.clue import WEEKDAYS, Clue, ClueError
from harness_timepuzzles.clues.explicit import Periods, Years
from harness_timepuzzles.clues.facts import Event, Recurring
from harness_timepuzzles.clues.month import SEASONS, LunarMonth, Month, Season
from harness_timepuzzles.clues.year import ANIMALS, Decade, LeapYear, Year, Zodiac

Meta = Mapping[str, Any]
MAX_TEXT = 1_000  # characters of an event or a person
_DAY = timedelta(days=1)
_WARS = {"summer_olympics": (1896, (1916, 1940, 1944)), "world_cup": (1930, (1942, 1946))}


@dataclass(frozen=True, slots=True)
class Reading:
    """How what the published form leaves open is read; the defaults are what it does itself."""

    nth_counts: bool = False  # before or after the Nth
    ends_count: bool = False  # first and last days of lives and terms
    leap_months: bool = True
    zodiac_from_january: bool = False
    whole_century: bool = False  # "the 1800s"
    games_held: bool = False
    every_year: bool = False  # of what happened in several years


AS_PUBLISHED = Reading()


@dataclass(frozen=True, slots=True)
class Known:
    """What a record says beside an entry: the dates its sentence spells out, other years of an event.

    ``span`` are first and last day of a life or a term, or the first and last days "MM-DD" of a sign.
    """

    span: tuple[str, str] | None = None
    years: tuple[int, ...] = ()


NOTHING = Known()


class _BeyondError(DatasetError):
    """A number of a month, day or weekday that there is not, such as a 14th month."""


def clue(meta: Meta, known: Known = NOTHING, reading: Reading = AS_PUBLISHED) -> Clue:
    """Return the clue that an entry means. A month, day or weekday that there is not is a clue that no day satisfies.

    Raises:
        DatasetError: an unknown type, a value that is missing or none, or a life without dates.
    """
    if not isinstance(meta, Mapping):
        raise DatasetError(f"{type(meta).__name__} instead of an object")
    kind = str(meta.get("type"))
    if kind not in TYPES:
        raise DatasetError(f"type {kind[:40]!r}: {did_you_mean(kind[:40], TYPES)}")
    try:
        return _MEANINGS[kind](meta, known, reading)
    except (ClueError, DatasetError) as error:
        if kind in _NUMBERED and isinstance(error, _BeyondError):
            return Years(())
        raise DatasetError(f"{kind}: {error}") from None


def impossible(meta: Meta) -> str:
    """Return why no day can satisfy an entry: no such month, day or weekday; else, or for a bad entry, empty."""
    kind = str(meta.get("type"))
    try:
        if kind in _NUMBERED:
            _MEANINGS[kind](meta, NOTHING, AS_PUBLISHED)
    except _BeyondError as error:
        return str(error)
    except (ClueError, DatasetError):
        pass  # what a bad entry is refused for is said where it is read
    return ""


def needs_span(meta: Meta) -> bool:
    """Tell whether an entry names a life, a term or a sign and does not say its days."""
    return meta.get("type") in ("person_alive", "us_president", "western_zodiac")


# ------------------------------------------------------------------------------- reading values


def number_of(meta: Meta, name: str, least: int, most: int) -> int:
    """Return a whole number of an entry, refused outside of its bounds."""
    value = meta.get(name)
    message = f"'{name}' is {str(value)[:40]!r}, expected a whole number from {least} to {most}"
    if not isinstance(value, int) or isinstance(value, bool):
        raise DatasetError(message)
    if not least <= value <= most:
        raise _BeyondError(message)
    return value


def word_of(meta: Meta, name: str, allowed: tuple[str, ...]) -> str:
    """Return a word of an entry, refused if it is none of those allowed."""
    value = meta.get(name)
    if value not in allowed:
        raise DatasetError(f"'{name}' is {str(value)[:40]!r}, expected {', '.join(allowed)}")
    return str(value)


def text_of(meta: Meta, name: str) -> str:
    """Return a text of an entry, refused if it is no single line."""
    value = meta.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= MAX_TEXT or not value.isprintable():
        raise DatasetError(f"'{name}' is no line of text of 1 to {MAX_TEXT} characters")
    return value


def _weekday(meta: Meta, name: str) -> int:
    return WEEKDAYS.index(word_of(meta, name, WEEKDAYS))


def _nth(meta: Meta, most: int) -> int:
    direction = word_of(meta, "direction", ("forward", "backward"))
    number = number_of(meta, "n", 1, most)
    return number if direction == "forward" else -number


def checked(clue: Clue) -> Clue:
    """Return a clue, refused if its parameters make no sense."""
    return type(clue).parse(clue.params())


def clue_of_days(mask: int) -> Periods:
    """Return the clue that holds on the days of a mask."""
    return Periods.of_days(mask, day_sets.FIRST, day_sets.LAST)


# -------------------------------------------------------------------------------- type by type


def _weekdays(meta: Meta) -> Clue:
    values = meta.get("value")
    if not isinstance(values, list) or not 2 <= len(values) <= 5:
        raise DatasetError("'value' is no list of 2 to 5 weekdays")
    numbers = {_weekday({"value": value}, "value") for value in values}
    if len(numbers) != len(values):
        raise DatasetError("'value' has a weekday twice")
    return day.Weekdays(tuple(sorted(numbers)))


def _day_range(meta: Meta, known: Known, reading: Reading) -> Clue:
    before = word_of(meta, "operator", ("<", ">")) == "<"
    number = number_of(meta, "value", 1, 31)
    if reading.nth_counts:
        number += 1 if before else -1
    if (number > 31) if before else (number < 1):  # every day of the month
        return clue_of_days(day_sets.run(day_sets.FIRST, day_sets.LAST))
    if number in (1, 31) and before == (number == 1):  # none
        return Years(())
    return day.DayRange("before" if before else "after", number)


def _decade(meta: Meta, known: Known, reading: Reading) -> Clue:
    decade = number_of(meta, "value", 1700, 2100)
    clue = checked(Decade(decade))
    if reading.whole_century and decade % 100 == 0:
        return Years(tuple(y for y in day_sets.YEARS if y // 100 == decade // 100))
    return clue


def _named_year(meta: Meta, known: Known, reading: Reading) -> Clue:
    name = word_of(meta, "name", ("leap_year", *_WARS))
    if name == "leap_year":
        return LeapYear()
    if reading.games_held:
        return Years(clues_year.GAMES[name])
    first, left_out = _WARS[name]
    return Years(tuple(y for y in range(first, day_sets.LAST.year + 1, 4) if y not in left_out))


def _zodiac(meta: Meta, known: Known, reading: Reading) -> Clue:
    animal = word_of(meta, "value", tuple(a.title() for a in ANIMALS)).lower()
    if reading.zodiac_from_january:
        return Years(tuple(y for y in day_sets.YEARS if ANIMALS[(y - 4) % 12] == animal))
    return Zodiac(animal)


def _lunar_month(meta: Meta, known: Known, reading: Reading) -> Clue:
    month = number_of(meta, "value", 1, 12)
    return LunarMonth(month) if reading.leap_months else clue_of_days(_plain_months(month))


@cache
def _plain_months(number: int) -> int:
    """Return the days of a Chinese month but for leap months: those that follow one of their number."""
    before, kept = (0, 0), []
    for year, month, run in calendars.chinese_months():
        if month == number and (year, month) != before:
            kept.append(run)
        before = (year, month)
    return day_sets.union(kept)


def _lifetime(meta: Meta, known: Known, reading: Reading) -> Clue:
    name = text_of(meta, "person")
    if known.span is None:
        raise DatasetError(
            f"nothing says from when to when for {name[:60]!r}: neither the explicit sentence nor our facts"
        )
    first, last = map(date.fromisoformat, known.span)
    if not reading.ends_count:
        first, last = first + _DAY, last - _DAY
    return clue_of_days(day_sets.run(first, last))


def _sign(meta: Meta, known: Known, reading: Reading) -> Clue:
    sign = text_of(meta, "value")
    if known.span is None:
        raise DatasetError(f"no explicit sentence says the days of the sign {sign[:20]!r}")
    (first, last), mask = known.span, 0
    for year in day_sets.YEARS:
        until = year + (last < first)
        mask |= day_sets.run(
            date.fromisoformat(f"{year}-{first}"), date.fromisoformat(f"{until}-{last}")
        )
    return clue_of_days(mask)


def _event(meta: Meta, known: Known, reading: Reading) -> Clue:
    aspect = word_of(meta, "aspect", ("start", "end", "multi_year"))
    level = word_of(meta, "level", ("year", "month", "day"))
    name = text_of(meta, "event")
    if isinstance(meta.get("value"), list):
        return _recurring(name, meta["value"])
    value = number_of(meta, "value", 1, {"year": 9999, "month": 12, "day": 31}[level])
    if "date" in meta:
        return _own_event(meta, name, level, value)
    if aspect == "multi_year" and reading.every_year and known.years:
        return Years(known.years)
    if level == "year":
        return _in_year(value)
    return Month(value) if level == "month" else day.DayOfMonth(value)


def _in_year(year: int) -> Clue:
    return Year(year) if year in day_sets.YEARS else Years(())


def _recurring(name: str, years: list[Any]) -> Clue:
    if not all(type(year) is int for year in years) or not 0 < len(years) <= len(day_sets.YEARS):
        raise DatasetError("'value' is no list of years")
    kept = tuple(sorted({year for year in years if year in day_sets.YEARS}))
    return Recurring(name, kept) if len(name) <= 200 else Years(kept)


def _own_event(meta: Meta, name: str, level: str, value: int) -> Clue:
    """Return the clue of an entry that we wrote: it holds the whole date, not only the part that counts."""
    event = Event(name, text_of(meta, "date"), word_of(meta, "edge", ("on", "start", "end")), level)
    clue = checked(event)
    if int(event.date.split("-")[("year", "month", "day").index(level)]) != value:
        raise DatasetError(f"'value' is {value}, 'date' is {event.date}")
    return clue


# What takes the entry alone means the same in every reading.
_MEANINGS: dict[str, Callable[[Meta, Known, Reading], Clue]] = {
    "weekday": lambda meta, *_: day.Weekday(_weekday(meta, "value")),
    "multi_weekday": lambda meta, *_: _weekdays(meta),
    "weekday_in_month": lambda meta, *_: day.WeekdayInMonth(
        _weekday(meta, "weekday"), _nth(meta, 5)
    ),
    "weekday_in_year": lambda meta, *_: day.WeekdayOfYear(
        _weekday(meta, "weekday"), _nth(meta, 53)
    ),
    "day_of_month_specific": lambda meta, *_: day.DayOfMonth(number_of(meta, "value", 1, 31)),
    "first_day_of_month": lambda meta, *_: day.DayOfMonth(1),
    "last_day_of_month": lambda meta, *_: day.DayOfMonth(-1),
    "day_of_year": lambda meta, *_: day.YearDay(number_of(meta, "value", 1, 366)),
    "month": lambda meta, *_: Month(number_of(meta, "value", 1, 12)),
    "season": lambda meta, *_: Season(
        word_of(meta, "value", tuple(season.title() for season in SEASONS)).lower()
    ),
    "explicit_year": lambda meta, *_: _in_year(number_of(meta, "value", 1, 9999)),
    "year_range": lambda meta, *_: clue_of_days(
        day_sets.run(
            date(number_of(meta, "start", 1, 9998), 1, 1),
            date(number_of(meta, "end", 1, 9998), 12, 31),
        )
    ),
    "day_of_month": _day_range,
    "decade": _decade,
    "event": _named_year,
    "chinese_zodiac": _zodiac,
    "lunar_month": _lunar_month,
    "western_zodiac": _sign,
    "person_alive": _lifetime,
    "us_president": _lifetime,
    "kb_event": _event,
}
TYPES = tuple(_MEANINGS)
# Types whose number may be of a month, day or weekday that there is not.
_NUMBERED = frozenset(
    ["day_of_month_specific", "day_of_year", "kb_event", "lunar_month", "month", "weekday_in_month",
     "weekday_in_year"]
)  # fmt: skip
