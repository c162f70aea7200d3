"""Clues about the day: weekday, day of the month, and both together."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any, ClassVar

from harness_timepuzzles import masks
from harness_timepuzzles.clue import (
    FROM_END,
    NTH,
    WEEKDAYS,
    Clue,
    ClueError,
    World,
    choices,
    from_end,
    ordinal,
    read_nth,
)
from harness_timepuzzles.facts import Facts

WEEKDAY: dict[str, Any] = {"type": "integer", "minimum": 0, "maximum": 6}
_WEEK = timedelta(days=7)


@cache
def weekday_mask(weekday: int) -> int:
    """Return the mask of a weekday, Monday = 0: every seventh day from the first such one on."""
    start = (weekday - masks.FIRST.weekday()) % 7
    every_seventh = int("0000001" * (masks.SIZE // 7 + 1), 2)
    return every_seventh << start & masks.run(masks.FIRST, masks.LAST)


@cache
def day_mask(day: int) -> int:
    """Return the mask of a day of the month; -1 is the last day of each."""
    if day == -1:
        return masks.of(last for _, last in masks.months())
    return masks.of(first.replace(day=day) for first, last in masks.months() if day <= last.day)


@dataclass(frozen=True, slots=True)
class WeekdayInMonth(Clue):
    """The nth such weekday of its month, from the beginning or the end."""

    weekday: int
    nth: int
    type: ClassVar[str] = "weekday_in_month"
    own_level: ClassVar[str] = "day"
    schema: ClassVar[dict[str, Any]] = {
        "weekday": WEEKDAY, "nth": {"enum": [1, 2, 3, 4, 5, -1, -2, -3, -4, -5]},
    }  # fmt: skip
    pattern: ClassVar[str] = rf"It is the {NTH} {choices(WEEKDAYS)} of its month\."

    def sentence(self) -> str:
        """Say it."""
        return f"It is the {from_end(self.nth)} {WEEKDAYS[self.weekday]} of its month."

    @property
    def note(self) -> str:
        """Say how to count from the end."""
        return FROM_END if self.nth < -1 else ""

    def build(self) -> int:
        """Step from the month's first or last such weekday by whole weeks."""
        found = []
        for start, end in masks.months():
            if self.nth > 0:
                first = start + timedelta(days=(self.weekday - start.weekday()) % 7)
                day = first + _WEEK * (self.nth - 1)
            else:
                last = end - timedelta(days=(end.weekday() - self.weekday) % 7)
                day = last + _WEEK * (self.nth + 1)
            if day.month == start.month:
                found.append(day)
        return masks.of(found)

    def holds(self, day: date) -> bool:
        """Count the weeks before, or after, within the month."""
        if day.weekday() != self.weekday:
            return False
        if self.nth > 0:
            return (day.day - 1) // 7 == self.nth - 1
        return (masks.month_end(day.replace(day=1)).day - day.day) // 7 == -self.nth - 1

    @classmethod
    def draw(cls, rng: Random, day: date, world: World) -> Clue:
        """Count from the beginning twice as often as from the end."""
        if rng.randrange(3):
            return cls(day.weekday(), (day.day - 1) // 7 + 1)
        left = masks.month_end(day.replace(day=1)).day - day.day
        return cls(day.weekday(), -(left // 7) - 1)

    @classmethod
    def from_match(cls, found: re.Match[str], facts: Facts) -> Clue:
        """Read number and weekday."""
        return cls(WEEKDAYS.index(found[2]), read_nth(found[1]))


@dataclass(frozen=True, slots=True)
class DayOfMonth(Clue):
    """The day of the month, or the last day of it."""

    day: int
    type: ClassVar[str] = "day_of_month"
    own_level: ClassVar[str] = "day"
    schema: ClassVar[dict[str, Any]] = {"day": {"enum": [*range(1, 32), -1]}}
    pattern: ClassVar[str] = (
        r"(?:It is the (first|last) day of its month|The day of the month is (\d{1,2}))\."
    )

    def sentence(self) -> str:
        """Say it."""
        if self.day in (1, -1):
            return f"It is the {'first' if self.day == 1 else 'last'} day of its month."
        return f"The day of the month is {self.day}."

    def build(self) -> int:
        """That day of every month that has it."""
        return day_mask(self.day)

    def holds(self, day: date) -> bool:
        """Compare the day; the last one is followed by a first one."""
        if self.day == -1:
            return (day + timedelta(days=1)).day == 1
        return day.day == self.day

    @classmethod
    def draw(cls, rng: Random, day: date, world: World) -> Clue:
        """Take the day's; call the last one so half of the time."""
        if (day + timedelta(days=1)).day == 1 and rng.randrange(2):
            return cls(-1)
        return cls(day.day)

    @classmethod
    def from_match(cls, found: re.Match[str], facts: Facts) -> Clue:
        """Read the number."""
        if found[1]:
            return cls(1 if found[1] == "first" else -1)
        return cls(int(found[2]))


@dataclass(frozen=True, slots=True)
class Weekday(Clue):
    """The day of the week."""

    weekday: int
    type: ClassVar[str] = "weekday"
    own_level: ClassVar[str] = "day"
    schema: ClassVar[dict[str, Any]] = {"weekday": WEEKDAY}
    pattern: ClassVar[str] = rf"It is a {choices(WEEKDAYS)}\."

    def sentence(self) -> str:
        """Say it."""
        return f"It is a {WEEKDAYS[self.weekday]}."

    def build(self) -> int:
        """Every seventh day."""
        return weekday_mask(self.weekday)

    def holds(self, day: date) -> bool:
        """Compare the weekday."""
        return day.weekday() == self.weekday

    @classmethod
    def draw(cls, rng: Random, day: date, world: World) -> Clue:
        """Take the day's."""
        return cls(day.weekday())

    @classmethod
    def from_match(cls, found: re.Match[str], facts: Facts) -> Clue:
        """Read the weekday."""
        return cls(WEEKDAYS.index(found[1]))


@dataclass(frozen=True, slots=True)
class Weekdays(Clue):
    """One of two to five weekdays."""

    weekdays: tuple[int, ...]
    type: ClassVar[str] = "weekdays"
    own_level: ClassVar[str] = "day"
    schema: ClassVar[dict[str, Any]] = {
        "weekdays": {
            "type": "array", "minItems": 2, "maxItems": 5, "uniqueItems": True, "items": WEEKDAY,
        }
    }  # fmt: skip
    pattern: ClassVar[str] = (
        r"It is (a (?:[MTWFS]\w{5,8})(?:, a (?:[MTWFS]\w{5,8})){0,3} or a (?:[MTWFS]\w{5,8}))\."
    )

    def check(self) -> None:
        """Weekdays ascend."""
        if any(a >= b for a, b in pairwise(self.weekdays)):
            raise ClueError("clue 'weekdays': the weekdays must ascend")

    def sentence(self) -> str:
        """Say it."""
        names = [f"a {WEEKDAYS[weekday]}" for weekday in self.weekdays]
        return f"It is {', '.join(names[:-1])} or {names[-1]}."

    def build(self) -> int:
        """The days of each."""
        found = 0
        for weekday in self.weekdays:
            found |= weekday_mask(weekday)
        return found

    def holds(self, day: date) -> bool:
        """Look the weekday up."""
        return day.weekday() in self.weekdays

    @classmethod
    def draw(cls, rng: Random, day: date, world: World) -> Clue:
        """Add one to three other weekdays to the day's."""
        others = rng.sample([n for n in range(7) if n != day.weekday()], rng.randint(1, 3))
        return cls(tuple(sorted((day.weekday(), *others))))

    @classmethod
    def from_match(cls, found: re.Match[str], facts: Facts) -> Clue | None:
        """Read the weekdays."""
        names = re.findall(r"a (\w+)", found[1])
        if not set(names) <= set(WEEKDAYS):
            return None
        return cls(tuple(WEEKDAYS.index(name) for name in names))


@dataclass(frozen=True, slots=True)
class DayRange(Clue):
    """Before or after a day of the month, that day itself left out."""

    side: str
    day: int
    type: ClassVar[str] = "day_range"
    own_level: ClassVar[str] = "day"
    schema: ClassVar[dict[str, Any]] = {
        "side": {"enum": ["before", "after"]},
        "day": {"type": "integer", "minimum": 1, "maximum": 31},
    }
    convention: ClassVar[str] = '"Before" and "after" a day of the month leave that day itself out.'
    pattern: ClassVar[str] = (
        r"The day of the month is (before|after) the (\d{1,2})(?:st|nd|rd|th)\."
    )

    def check(self) -> None:
        """Some day is on that side."""
        if (self.side, self.day) in (("before", 1), ("after", 31)):
            raise ClueError(f"clue 'day_range': no day is {self.side} the {ordinal(self.day)}")

    def sentence(self) -> str:
        """Say it."""
        return f"The day of the month is {self.side} the {ordinal(self.day)}."

    def build(self) -> int:
        """All days of the month on that side."""
        kept = range(1, self.day) if self.side == "before" else range(self.day + 1, 32)
        found = 0
        for day in kept:
            found |= day_mask(day)
        return found

    def holds(self, day: date) -> bool:
        """Compare the day of the month."""
        return day.day < self.day if self.side == "before" else day.day > self.day

    @classmethod
    def draw(cls, rng: Random, day: date, world: World) -> Clue:
        """Choose a side that leaves room, then a day on the other side of the day's."""
        if day.day > 2 and (day.day >= 30 or rng.randrange(2)):
            return cls("after", rng.randint(2, day.day - 1))
        return cls("before", rng.randint(day.day + 1, 30))

    @classmethod
    def from_match(cls, found: re.Match[str], facts: Facts) -> Clue:
        """Read side and day."""
        return cls(found[1], int(found[2]))


TYPES = (WeekdayInMonth, DayOfMonth, Weekday, Weekdays, DayRange)
