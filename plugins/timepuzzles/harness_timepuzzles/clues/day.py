"""Clues about the day: weekday, day of the month or the year, and both together."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache, reduce
from itertools import pairwise
from operator import or_
from random import Random
from typing import Any, ClassVar

from harness_timepuzzles import day_sets
from harness_timepuzzles.clues.clue import (
    FROM_END,
    NTH,
    WEEKDAYS,
    Clue,
    ClueError,
    ValueClue,
    Values,
    World,
    below,
    choices,
    from_end,
    ordinal,
    read_nth,
)
from harness_timepuzzles.facts import Facts

_WEEKDAY: dict[str, Any] = {"type": "integer", "minimum": 0, "maximum": 6}
_DAY = timedelta(days=1)


@cache
def weekday_mask(weekday: int) -> int:
    """Return the mask of a weekday, Monday = 0: every seventh day from the first such one on."""
    start = (weekday - day_sets.FIRST.weekday()) % 7
    every_seventh = int("0000001" * (day_sets.SIZE // 7 + 1), 2)
    return every_seventh << start & day_sets.run(day_sets.FIRST, day_sets.LAST)


@cache
def day_mask(day: int) -> int:
    """Return the mask of a day of the month; -1 is the last day of each."""
    if day == -1:
        return day_sets.of(last for _, last in day_sets.months())
    return _month_starts(max(day, 28)) << (day - 1)


@cache
def _month_starts(days: int) -> int:
    """Return the mask of the first days of the months that have at least so many days."""
    return day_sets.of(first for first, last in day_sets.months() if last.day >= days)


@dataclass(frozen=True, slots=True)
class _NthWeekday(Clue):
    """The nth such weekday of some span of days, from the beginning or the end."""

    weekday: int
    nth: int
    span: ClassVar[str]  # what the sentence calls it
    shortest: ClassVar[int]  # days from the first to the last of the shortest span

    @classmethod
    def spans(cls) -> Iterable[tuple[date, date]]:
        """Return the first and the last day of every span of the calendar."""
        raise NotImplementedError

    @classmethod
    def around(cls, day: date) -> tuple[date, date]:
        """Return the first and the last day of the span that a day lies in."""
        raise NotImplementedError

    def sentence(self) -> str:
        """Return the sentence."""
        return f"It is the {from_end(self.nth)} {WEEKDAYS[self.weekday]} of its {self.span}."

    @property
    def note(self) -> str:
        """Say how to count from the end."""
        return FROM_END if self.nth < -1 else ""

    def build(self) -> int:
        """Return what has the weekday among the seven days that are so many weeks from the start or the end."""
        days = 0
        for steps in range(7 * abs(self.nth) - 7, 7 * abs(self.nth)):
            edges = self._edges(max(steps, self.shortest), self.nth > 0)
            days |= edges << steps if self.nth > 0 else edges >> steps
        return days & weekday_mask(self.weekday)

    @classmethod
    @cache
    def _edges(cls, steps: int, first: bool) -> int:
        """Return the mask of the first, or else the last, days of the spans of more than so many days."""
        return day_sets.of(
            start if first else end for start, end in cls.spans() if (end - start).days >= steps
        )

    def holds(self, day: date) -> bool:
        """Count the weeks before, or after, within the span."""
        return day.weekday() == self.weekday and self.nth in self._counted(day)

    @classmethod
    def _counted(cls, day: date) -> tuple[int, int]:
        """Return which of its weekday a day is in its span, from the beginning and from the end."""
        start, end = cls.around(day)
        return (day - start).days // 7 + 1, -((end - day).days // 7) - 1

    @classmethod
    def values(cls, rng: Random, day: date, world: World) -> Values:
        """Count from the beginning twice as often as from the end."""
        front, back = cls._counted(day)
        return day.weekday(), front if below(3, rng) else back

    @classmethod
    @cache
    def regex(cls) -> re.Pattern[str]:
        """Return the pattern with the name of the span."""
        return re.compile(rf"It is the {NTH} {choices(WEEKDAYS)} of its {cls.span}\.")

    @classmethod
    def from_match(cls, match: re.Match[str], facts: Facts) -> Clue:
        """Read number and weekday."""
        return cls(WEEKDAYS.index(match[2]), read_nth(match[1]))


@dataclass(frozen=True, slots=True)
class WeekdayInMonth(_NthWeekday, type="weekday_in_month", level="day"):
    """The nth such weekday of its month."""

    schema: ClassVar = {"weekday": _WEEKDAY, "nth": {"enum": [1, 2, 3, 4, 5, -1, -2, -3, -4, -5]}}
    span, shortest = "month", 27

    @classmethod
    def spans(cls) -> Iterable[tuple[date, date]]:
        """Return all months."""
        return day_sets.months()

    @classmethod
    def around(cls, day: date) -> tuple[date, date]:
        """Return the ends of the day's month."""
        start = day.replace(day=1)
        return start, day_sets.month_end(start)


@dataclass(frozen=True, slots=True)
class WeekdayOfYear(_NthWeekday, type="weekday_of_year", level="day", group="weekday_of_year"):
    """The nth such weekday of its year."""

    schema: ClassVar = {"weekday": _WEEKDAY, "nth": {"enum": [*range(1, 54), *range(-53, 0)]}}
    span, shortest = "year", 364

    @classmethod
    def spans(cls) -> Iterable[tuple[date, date]]:
        """Return all years."""
        return ((date(year, 1, 1), date(year, 12, 31)) for year in day_sets.YEARS)

    @classmethod
    def around(cls, day: date) -> tuple[date, date]:
        """Return the ends of the day's year."""
        return date(day.year, 1, 1), date(day.year, 12, 31)


@dataclass(frozen=True, slots=True)
class YearDay(ValueClue, type="year_day", level="day", group="year_day"):
    """The day's number in its year, 1 January being 1."""

    day: int
    schema: ClassVar = {"day": {"type": "integer", "minimum": 1, "maximum": 366}}
    convention = "1 January is day 1 of its year."
    phrase = "It is day {} of its year."
    words: ClassVar = {day: str(day) for day in range(1, 367)}

    def build(self) -> int:
        """One day of every year that has so many."""
        days = (date(year, 1, 1) + _DAY * (self.day - 1) for year in day_sets.YEARS)
        kept = (day for year, day in zip(day_sets.YEARS, days, strict=True) if day.year == year)
        return day_sets.of(kept)

    @classmethod
    def of(cls, day: date) -> int:
        """Return the day's number."""
        return day.timetuple().tm_yday


@dataclass(frozen=True, slots=True)
class DayOfMonth(Clue, type="day_of_month", level="day"):
    """The day of the month, or the last day of it."""

    day: int
    schema: ClassVar = {"day": {"enum": [*range(1, 32), -1]}}
    pattern = r"(?:It is the (first|last) day of its month|The day of the month is (\d{1,2}))\."

    def sentence(self) -> str:
        """Return the sentence."""
        if self.day in (1, -1):
            return f"It is the {'first' if self.day == 1 else 'last'} day of its month."
        return f"The day of the month is {self.day}."

    def build(self) -> int:
        """That day of every month that has it."""
        return day_mask(self.day)

    def holds(self, day: date) -> bool:
        """Compare the day; the last one is followed by a first one."""
        if self.day == -1:
            return (day + _DAY).day == 1
        return day.day == self.day

    @classmethod
    def values(cls, rng: Random, day: date, world: World) -> Values:
        """Take the day's; call the last one so half of the time."""
        return (-1,) if (day + _DAY).day == 1 and below(2, rng) else (day.day,)

    @classmethod
    def from_match(cls, match: re.Match[str], facts: Facts) -> Clue:
        """Read the number."""
        if match[1]:
            return cls(1 if match[1] == "first" else -1)
        return cls(int(match[2]))


@dataclass(frozen=True, slots=True)
class Weekday(ValueClue, type="weekday", level="day"):
    """The day of the week."""

    weekday: int
    schema: ClassVar = {"weekday": _WEEKDAY}
    phrase = "It is a {}."
    words: ClassVar = dict(enumerate(WEEKDAYS))

    def build(self) -> int:
        """Every seventh day."""
        return weekday_mask(self.weekday)

    @classmethod
    def of(cls, day: date) -> int:
        """Return the day's weekday."""
        return day.weekday()


@dataclass(frozen=True, slots=True)
class Weekdays(Clue, type="weekdays", level="day"):
    """One of two to five weekdays."""

    weekdays: tuple[int, ...]
    schema: ClassVar = {
        "weekdays": {
            "type": "array", "minItems": 2, "maxItems": 5, "uniqueItems": True, "items": _WEEKDAY,
        }
    }  # fmt: skip
    pattern = (
        r"It is (a (?:[MTWFS]\w{5,8})(?:, a (?:[MTWFS]\w{5,8})){0,3} or a (?:[MTWFS]\w{5,8}))\."
    )

    def check(self) -> None:
        """Refuse weekdays that do not ascend."""
        if any(a >= b for a, b in pairwise(self.weekdays)):
            raise ClueError("clue 'weekdays': the weekdays must ascend")

    def sentence(self) -> str:
        """Return the sentence."""
        names = [f"a {WEEKDAYS[weekday]}" for weekday in self.weekdays]
        return f"It is {', '.join(names[:-1])} or {names[-1]}."

    def build(self) -> int:
        """The days of each."""
        return reduce(or_, map(weekday_mask, self.weekdays), 0)

    def holds(self, day: date) -> bool:
        """Look the weekday up."""
        return day.weekday() in self.weekdays

    @classmethod
    def values(cls, rng: Random, day: date, world: World) -> Values:
        """Add one to three other weekdays to the day's."""
        others = rng.sample([n for n in range(7) if n != day.weekday()], 1 + below(3, rng))
        return (tuple(sorted((day.weekday(), *others))),)

    @classmethod
    def from_match(cls, match: re.Match[str], facts: Facts) -> Clue | None:
        """Read the weekdays."""
        names = re.findall(r"a (\w+)", match[1])
        if not set(names) <= set(WEEKDAYS):
            return None
        return cls(tuple(WEEKDAYS.index(name) for name in names))


@dataclass(frozen=True, slots=True)
class DayRange(Clue, type="day_range", level="day"):
    """Before or after a day of the month, that day itself left out."""

    side: str
    day: int
    schema: ClassVar = {
        "side": {"enum": ["before", "after"]},
        "day": {"type": "integer", "minimum": 1, "maximum": 31},
    }
    convention = '"Before" and "after" a day of the month leave that day itself out.'
    pattern = r"The day of the month is (before|after) the (\d{1,2})(?:st|nd|rd|th)\."

    def check(self) -> None:
        """Refuse a side on which there is no day."""
        if (self.side, self.day) in (("before", 1), ("after", 31)):
            raise ClueError(f"clue 'day_range': no day is {self.side} the {ordinal(self.day)}")

    def sentence(self) -> str:
        """Return the sentence."""
        return f"The day of the month is {self.side} the {ordinal(self.day)}."

    def build(self) -> int:
        """All days of the month on that side."""
        kept = range(1, self.day) if self.side == "before" else range(self.day + 1, 32)
        return reduce(or_, map(day_mask, kept), 0)

    def holds(self, day: date) -> bool:
        """Compare the day of the month."""
        return day.day < self.day if self.side == "before" else day.day > self.day

    @classmethod
    def values(cls, rng: Random, day: date, world: World) -> Values:
        """Choose a side that leaves room, then a day on the other side of the day's."""
        if day.day > 2 and (day.day >= 30 or below(2, rng)):
            return "after", 2 + below(day.day - 2, rng)
        return "before", day.day + 1 + below(30 - day.day, rng)

    @classmethod
    def from_match(cls, match: re.Match[str], facts: Facts) -> Clue:
        """Read side and day."""
        return cls(match[1], int(match[2]))
