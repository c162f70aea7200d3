"""Clues about the month or the season."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import cache
from random import Random
from typing import Any, ClassVar

from harness_timepuzzles import calendars, masks
from harness_timepuzzles.clue import MONTHS, Clue, World, choices, ordinal
from harness_timepuzzles.clues_explicit import Periods
from harness_timepuzzles.facts import Facts

MONTH: dict[str, Any] = {"type": "integer", "minimum": 1, "maximum": 12}


@cache
def months(*numbers: int) -> int:
    """Return the mask of all days in some months of the year."""
    return masks.union(run for run in masks.months() if run[0].month in numbers)


@dataclass(frozen=True, slots=True)
class Month(Clue):
    """The month of the year is given."""

    month: int
    type: ClassVar[str] = "month"
    own_level: ClassVar[str] = "month"
    schema: ClassVar[dict[str, Any]] = {"month": MONTH}
    pattern: ClassVar[str] = rf"The month is {choices(MONTHS)}\."

    def sentence(self) -> str:
        """Say it."""
        return f"The month is {MONTHS[self.month - 1]}."

    def build(self) -> int:
        """All days of the month."""
        return months(self.month)

    def holds(self, day: date) -> bool:
        """Compare the month."""
        return day.month == self.month

    @classmethod
    def draw(cls, rng: Random, day: date, world: World) -> Clue:
        """Take the day's."""
        return cls(day.month)

    @classmethod
    def from_match(cls, found: re.Match[str], facts: Facts) -> Clue:
        """Read the month's name."""
        return cls(MONTHS.index(found[1]) + 1)


SEASONS: dict[str, tuple[int, ...]] = {
    "spring": (3, 4, 5), "summer": (6, 7, 8), "autumn": (9, 10, 11), "winter": (12, 1, 2),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Season(Clue):
    """Three whole months of the northern hemisphere."""

    season: str
    type: ClassVar[str] = "season"
    own_level: ClassVar[str] = "month"
    schema: ClassVar[dict[str, Any]] = {"season": {"enum": list(SEASONS)}}
    convention: ClassVar[str] = (
        "Seasons are those of the northern hemisphere in whole months: spring is March to May, summer "
        "June to August, autumn September to November, winter December to February."
    )
    pattern: ClassVar[str] = rf"The season is {choices(SEASONS)}\."

    def sentence(self) -> str:
        """Say it."""
        return f"The season is {self.season}."

    def build(self) -> int:
        """All days of the three months."""
        return months(*SEASONS[self.season])

    def holds(self, day: date) -> bool:
        """Count quarters of a year that begins in December."""
        return ("winter", "spring", "summer", "autumn")[day.month % 12 // 3] == self.season

    @classmethod
    def draw(cls, rng: Random, day: date, world: World) -> Clue:
        """Take the day's."""
        return cls(next(name for name, numbers in SEASONS.items() if day.month in numbers))

    @classmethod
    def from_match(cls, found: re.Match[str], facts: Facts) -> Clue:
        """Read the season."""
        return cls(found[1])


@dataclass(frozen=True, slots=True)
class LunarMonth(Clue):
    """A month of the Chinese lunisolar calendar, leap months of its number included."""

    month: int
    type: ClassVar[str] = "lunar_month"
    costly: ClassVar[bool] = True
    own_level: ClassVar[str] = "month"
    schema: ClassVar[dict[str, Any]] = {"month": MONTH}
    bounds: ClassVar[tuple[date, date]] = (calendars.CHINESE_FIRST, calendars.CHINESE_LAST)
    convention: ClassVar[str] = (
        "The Chinese lunar calendar is the official one of China; a leap month counts as the month whose "
        "number it repeats."
    )
    pattern: ClassVar[str] = (
        r"It is a day in the (\d{1,2})(?:st|nd|rd|th) month of the Chinese lunar calendar\."
    )

    def sentence(self) -> str:
        """Say it."""
        return f"It is a day in the {ordinal(self.month)} month of the Chinese lunar calendar."

    def build(self) -> int:
        """All months of the number."""
        return masks.union(
            run for _, month, run in calendars.chinese_months() if month == self.month
        )

    def holds(self, day: date) -> bool:
        """Ask for the day's Chinese month."""
        found = calendars.chinese_day(day)
        return found is not None and found[1] == self.month

    def explicit(self, first: date, last: date) -> Clue:
        """Give the first and last days of those months."""
        return Periods.of_mask(self, first, last)

    @classmethod
    def draw(cls, rng: Random, day: date, world: World) -> Clue | None:
        """Take the day's, if the Chinese calendar reaches so far."""
        found = calendars.chinese_near(day)
        return cls(found[1]) if found else None

    @classmethod
    def from_match(cls, found: re.Match[str], facts: Facts) -> Clue:
        """Read the number."""
        return cls(int(found[1]))


TYPES = (Month, Season, LunarMonth)
