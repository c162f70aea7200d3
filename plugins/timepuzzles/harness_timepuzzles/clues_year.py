"""Clues about the year that need no table of facts: year, decade, leap year, zodiac, games."""

from __future__ import annotations

import re
from calendar import isleap
from dataclasses import dataclass
from datetime import date
from random import Random
from typing import Any, ClassVar

from harness_timepuzzles import calendars, masks
from harness_timepuzzles.clue import Clue, World, choices
from harness_timepuzzles.clues_explicit import Periods, Years
from harness_timepuzzles.facts import Facts

_YEAR: dict[str, Any] = {"type": "integer", "minimum": 1700, "maximum": 2100}


@dataclass(frozen=True, slots=True)
class Year(Clue):
    """The year is given."""

    year: int
    type: ClassVar[str] = "year"
    own_level: ClassVar[str] = "year"
    schema: ClassVar[dict[str, Any]] = {"year": _YEAR}
    pattern: ClassVar[str] = r"The year is (\d{4})\."

    def sentence(self) -> str:
        """Say it."""
        return f"The year is {self.year}."

    def build(self) -> int:
        """All days of the year."""
        return masks.run(date(self.year, 1, 1), date(self.year, 12, 31))

    def holds(self, day: date) -> bool:
        """Compare the year."""
        return day.year == self.year

    @classmethod
    def draw(cls, rng: Random, day: date, world: World) -> Clue:
        """Take the day's."""
        return cls(day.year)

    @classmethod
    def from_match(cls, found: re.Match[str], facts: Facts) -> Clue:
        """Read the year."""
        return cls(int(found[1]))


@dataclass(frozen=True, slots=True)
class Decade(Clue):
    """Ten years from a multiple of ten on: "the 1800s" alone would also mean a century."""

    decade: int
    type: ClassVar[str] = "decade"
    own_level: ClassVar[str] = "year"
    schema: ClassVar[dict[str, Any]] = {"decade": {**_YEAR, "multipleOf": 10}}
    pattern: ClassVar[str] = r"The year is one of the ten years from (\d{4}) to \d{4}\."

    def sentence(self) -> str:
        """Say it."""
        return f"The year is one of the ten years from {self.decade} to {self.decade + 9}."

    def build(self) -> int:
        """All days of the ten years."""
        return masks.run(date(self.decade, 1, 1), date(self.decade + 9, 12, 31))

    def holds(self, day: date) -> bool:
        """Compare the year."""
        return self.decade <= day.year <= self.decade + 9

    @classmethod
    def draw(cls, rng: Random, day: date, world: World) -> Clue:
        """Take the day's."""
        return cls(day.year // 10 * 10)

    @classmethod
    def from_match(cls, found: re.Match[str], facts: Facts) -> Clue:
        """Read the first year."""
        return cls(int(found[1]))


@dataclass(frozen=True, slots=True)
class LeapYear(Clue):
    """The year has a 29 February."""

    type: ClassVar[str] = "leap_year"
    own_level: ClassVar[str] = "year"
    pattern: ClassVar[str] = r"The year is a leap year\."

    def sentence(self) -> str:
        """Say it."""
        return "The year is a leap year."

    def build(self) -> int:
        """All days of leap years."""
        leap = (year for year in masks.YEARS if isleap(year))
        return masks.union((date(year, 1, 1), date(year, 12, 31)) for year in leap)

    def holds(self, day: date) -> bool:
        """Divide: by 400, or by 4 and not by 100."""
        return day.year % 400 == 0 or (day.year % 4 == 0 and day.year % 100 != 0)

    @classmethod
    def draw(cls, rng: Random, day: date, world: World) -> Clue | None:
        """Hold in leap years only."""
        return cls() if isleap(day.year) else None

    @classmethod
    def from_match(cls, found: re.Match[str], facts: Facts) -> Clue:
        """There is nothing to read."""
        return cls()


# In the order of the cycle; a Chinese year that begins in Gregorian year y has number (y - 4) mod 12.
ANIMALS = ("rat", "ox", "tiger", "rabbit", "dragon", "snake", "horse", "goat", "monkey", "rooster",
           "dog", "pig")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Zodiac(Clue):
    """The Chinese year is one of an animal."""

    animal: str
    type: ClassVar[str] = "zodiac"
    costly: ClassVar[bool] = True
    own_level: ClassVar[str] = "year"
    schema: ClassVar[dict[str, Any]] = {"animal": {"enum": list(ANIMALS)}}
    bounds: ClassVar[tuple[date, date]] = (calendars.CHINESE_FIRST, calendars.CHINESE_LAST)
    convention: ClassVar[str] = (
        "A Chinese zodiac year is a year of the official Chinese calendar: it begins at the Chinese New Year, "
        "neither on 1 January nor at the beginning of spring."
    )
    pattern: ClassVar[str] = (
        rf"The Chinese zodiac year is a year of the {choices(tuple(a.title() for a in ANIMALS))}\."
    )

    def sentence(self) -> str:
        """Say it."""
        return f"The Chinese zodiac year is a year of the {self.animal.title()}."

    def build(self) -> int:
        """All Chinese months of the animal's years."""
        return masks.union(run for run in self._runs())

    def _runs(self) -> list[tuple[date, date]]:
        number = ANIMALS.index(self.animal)
        return [run for year, _, run in calendars.chinese_months() if (year - 4) % 12 == number]

    def holds(self, day: date) -> bool:
        """Ask for the day's Chinese year."""
        found = calendars.chinese_day(day)
        return found is not None and ANIMALS[(found[0] - 4) % 12] == self.animal

    def explicit(self, first: date, last: date) -> Clue:
        """Give the first and last days of those years."""
        return Periods.of_mask(self, first, last)

    @classmethod
    def draw(cls, rng: Random, day: date, world: World) -> Clue | None:
        """Take the day's, if the Chinese calendar reaches so far."""
        found = calendars.chinese_near(day)
        return cls(ANIMALS[(found[0] - 4) % 12]) if found else None

    @classmethod
    def from_match(cls, found: re.Match[str], facts: Facts) -> Clue:
        """Read the animal."""
        return cls(found[1].lower())


# Held up to and including 2024, in the year in which they were held (Olympedia; FIFA).
GAMES: dict[str, tuple[int, ...]] = {
    "summer_olympics": (1896, 1900, 1904, 1908, 1912, 1920, 1924, 1928, 1932, 1936, 1948, 1952, 1956, 1960, 1964,
                        1968, 1972, 1976, 1980, 1984, 1988, 1992, 1996, 2000, 2004, 2008, 2012, 2016, 2021, 2024),
    "winter_olympics": (1924, 1928, 1932, 1936, 1948, 1952, 1956, 1960, 1964, 1968, 1972, 1976, 1980, 1984, 1988,
                        1992, 1994, 1998, 2002, 2006, 2010, 2014, 2018, 2022),
    "world_cup": (1930, 1934, 1938, 1950, 1954, 1958, 1962, 1966, 1970, 1974, 1978, 1982, 1986, 1990, 1994, 1998,
                  2002, 2006, 2010, 2014, 2018, 2022),
}  # fmt: skip
_GAMES = {
    "Summer Olympic Games": "summer_olympics",
    "Winter Olympic Games": "winter_olympics",
    "A men's football World Cup": "world_cup",
}


@dataclass(frozen=True, slots=True)
class Games(Clue):
    """Olympic Games or a World Cup were held in the year."""

    games: str
    type: ClassVar[str] = "games"
    own_level: ClassVar[str] = "year"
    schema: ClassVar[dict[str, Any]] = {"games": {"enum": list(GAMES)}}
    convention: ClassVar[str] = (
        "Olympic Games and World Cups count in the year in which they were really held, up to and "
        "including 2024; later ones and cancelled ones do not count, nor do the Intercalated Games of 1906."
    )
    pattern: ClassVar[str] = rf"{choices(_GAMES)} (?:were|was) held in that year\."

    def sentence(self) -> str:
        """Say it."""
        name = next(name for name, games in _GAMES.items() if games == self.games)
        return f"{name} {'was' if self.games == 'world_cup' else 'were'} held in that year."

    def build(self) -> int:
        """All days of those years."""
        return Years(GAMES[self.games]).build()

    def holds(self, day: date) -> bool:
        """Look the year up."""
        return day.year in GAMES[self.games]

    def explicit(self, first: date, last: date) -> Clue:
        """List the years."""
        return Years.within(GAMES[self.games], first, last)

    @classmethod
    def draw(cls, rng: Random, day: date, world: World) -> Clue | None:
        """Choose among the games of the day's year."""
        held = [games for games, years in GAMES.items() if day.year in years]
        return cls(rng.choice(held)) if held else None

    @classmethod
    def from_match(cls, found: re.Match[str], facts: Facts) -> Clue:
        """Read which games."""
        return cls(_GAMES[found[1]])


TYPES = (Year, Decade, LeapYear, Zodiac, Games)
