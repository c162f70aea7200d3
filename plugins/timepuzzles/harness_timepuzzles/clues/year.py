"""Clues about the year that need no table of facts: year, decade, leap year, zodiac, games."""

from __future__ import annotations

import re
from calendar import isleap
from dataclasses import dataclass
from datetime import date
from functools import cache
from random import Random
from typing import Any, ClassVar

from harness_timepuzzles import calendars, day_sets
from harness_timepuzzles.clues.clue import Clue, ValueClue, Values, World
from harness_timepuzzles.clues.explicit import Implicit, Years
from harness_timepuzzles.facts import Facts

_YEAR: dict[str, Any] = {"type": "integer", "minimum": 1700, "maximum": 2100}


@dataclass(frozen=True, slots=True)
class Year(ValueClue, type="year", level="year"):
    """The year is given."""

    year: int
    schema: ClassVar = {"year": _YEAR}
    phrase = "The year is {}."
    words: ClassVar = {year: str(year) for year in day_sets.YEARS}

    def build(self) -> int:
        """All days of the year."""
        return day_sets.years((self.year,))

    @classmethod
    def of(cls, day: date) -> int:
        """Return the day's year."""
        return day.year


@dataclass(frozen=True, slots=True)
class Decade(ValueClue, type="decade", level="year"):
    """Ten years from a multiple of ten on: "the 1800s" alone would also mean a century."""

    decade: int
    schema: ClassVar = {"decade": {**_YEAR, "multipleOf": 10}}
    phrase = "The year is one of the ten years from {}."
    words: ClassVar = {first: f"{first} to {first + 9}" for first in day_sets.YEARS[::10]}

    def build(self) -> int:
        """All days of the ten years."""
        return day_sets.years(range(self.decade, self.decade + 10))

    @classmethod
    def of(cls, day: date) -> int:
        """Round the day's year down."""
        return day.year // 10 * 10


@dataclass(frozen=True, slots=True)
class LeapYear(Clue, type="leap_year", level="year"):
    """The year has a 29 February."""

    phrase = "The year is a leap year."
    pattern = r"The year is a leap year\."

    def build(self) -> int:
        """All days of leap years."""
        return day_sets.years(filter(isleap, day_sets.YEARS))

    def holds(self, day: date) -> bool:
        """Divide: by 400, or by 4 and not by 100."""
        return day.year % 400 == 0 or (day.year % 4 == 0 and day.year % 100 != 0)

    @classmethod
    def values(cls, rng: Random, day: date, world: World) -> Values | None:
        """Hold in leap years only."""
        return () if isleap(day.year) else None

    @classmethod
    def from_match(cls, match: re.Match[str], facts: Facts) -> Clue:
        """There is nothing to read."""
        return cls()


# In the order of the cycle; a Chinese year that begins in Gregorian year y has number (y - 4) mod 12.
ANIMALS = ("rat", "ox", "tiger", "rabbit", "dragon", "snake", "horse", "goat", "monkey", "rooster",
           "dog", "pig")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Zodiac(Implicit, ValueClue, type="zodiac", level="year", costly=True):
    """The Chinese year is one of an animal."""

    animal: str
    schema: ClassVar = {"animal": {"enum": list(ANIMALS)}}
    bounds = (calendars.CHINESE_FIRST, calendars.CHINESE_LAST)
    convention = (
        "A Chinese zodiac year is a year of the official Chinese calendar: it begins at the Chinese New Year, "
        "neither on 1 January nor at the beginning of spring."
    )
    phrase = "The Chinese zodiac year is a year of the {}."
    words: ClassVar = {animal: animal.title() for animal in ANIMALS}

    def build(self) -> int:
        """All Chinese months of the animal's years."""
        return day_sets.union(
            run for year, _, run in calendars.chinese_months() if _animal(year) == self.animal
        )

    def holds(self, day: date) -> bool:
        """Ask for the day's Chinese year."""
        lunar = calendars.chinese_day(day)
        return lunar is not None and _animal(lunar[0]) == self.animal

    @classmethod
    def of(cls, day: date) -> str | None:
        """Return the day's animal, if the Chinese calendar reaches so far."""
        lunar = calendars.chinese_near(day)
        return _animal(lunar[0]) if lunar else None


def _animal(year: int) -> str:
    return ANIMALS[(year - 4) % 12]


# Held up to and including 2024, in the year in which they were held (Olympedia; FIFA).
GAMES: dict[str, tuple[int, ...]] = {
    "summer_olympics": (1896, 1900, 1904, 1908, 1912, 1920, 1924, 1928, 1932, 1936, 1948, 1952, 1956, 1960, 1964,
                        1968, 1972, 1976, 1980, 1984, 1988, 1992, 1996, 2000, 2004, 2008, 2012, 2016, 2021, 2024),
    "winter_olympics": (1924, 1928, 1932, 1936, 1948, 1952, 1956, 1960, 1964, 1968, 1972, 1976, 1980, 1984, 1988,
                        1992, 1994, 1998, 2002, 2006, 2010, 2014, 2018, 2022),
    "world_cup": (1930, 1934, 1938, 1950, 1954, 1958, 1962, 1966, 1970, 1974, 1978, 1982, 1986, 1990, 1994, 1998,
                  2002, 2006, 2010, 2014, 2018, 2022),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Games(ValueClue, type="games", level="year"):
    """Olympic Games or a World Cup were held in the year."""

    games: str
    historical: ClassVar = True
    schema: ClassVar = {"games": {"enum": list(GAMES)}}
    convention = (
        "Olympic Games and World Cups count in the year in which they were really held, up to and "
        "including 2024; later ones and cancelled ones do not count, nor do the Intercalated Games of 1906."
    )
    phrase = "{} held in that year."
    words: ClassVar = {
        "summer_olympics": "Summer Olympic Games were",
        "winter_olympics": "Winter Olympic Games were",
        "world_cup": "A men's football World Cup was",
    }

    def build(self) -> int:
        """All days of those years."""
        return day_sets.years(GAMES[self.games])

    def holds(self, day: date) -> bool:
        """Look the year up."""
        return day.year in GAMES[self.games]

    def explicit(self, first: date, last: date) -> Clue:
        """List the years."""
        return Years.within(GAMES[self.games], first, last)

    @classmethod
    def values(cls, rng: Random, day: date, world: World) -> Values | None:
        """Choose among the games of the day's year."""
        held = _held(day.year)
        return (rng.choice(held),) if held else None


@cache
def _held(year: int) -> list[str]:
    """Return the games of a year."""
    return [games for games, years in GAMES.items() if year in years]
