"""Clues about the calendars of religions: Easter, and the months of the Hebrew and the Islamic year."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import ClassVar

from harness_timepuzzles import calendars, day_sets
from harness_timepuzzles.clues.clue import Clue, ValueClue, Values, World, choices, ordinal
from harness_timepuzzles.clues.explicit import Implicit
from harness_timepuzzles.clues.month import MONTH
from harness_timepuzzles.facts import Facts

_CHURCHES = {"western": "the Western churches", "orthodox": "the Orthodox churches"}


@dataclass(frozen=True, slots=True)
class Easter(Implicit, type="easter", level="day", group="easter", costly=True):
    """A number of days before or after Easter Sunday."""

    church: str
    offset: int
    schema: ClassVar = {
        "church": {"enum": list(_CHURCHES)},
        "offset": {"type": "integer", "minimum": -60, "maximum": 60},
    }
    convention = (
        "Easter Sunday is that of the date's own year, as a Gregorian date: the Western churches keep it by "
        "the Gregorian calendar, the Orthodox churches by the Julian calendar."
    )
    pattern = (
        r"It is (?:(\d{1,2}) days? (before|after) )?Easter Sunday of "
        rf"{choices(tuple(_CHURCHES.values()))}\."
    )

    def sentence(self) -> str:
        """Return the sentence."""
        days = abs(self.offset)
        side = "before" if self.offset < 0 else "after"
        away = f"{days} day{'s' if days > 1 else ''} {side} " if days else ""
        return f"It is {away}Easter Sunday of {_CHURCHES[self.church]}."

    def build(self) -> int:
        """One day of every year."""
        away = timedelta(days=self.offset)
        return day_sets.of(
            calendars.easter_sunday(year, self.church) + away for year in day_sets.YEARS
        )

    def holds(self, day: date) -> bool:
        """Count the days from the year's Easter Sunday."""
        return (day - calendars.easter_sunday(day.year, self.church)).days == self.offset

    @classmethod
    def values(cls, rng: Random, day: date, world: World) -> Values | None:
        """Count from one church's Easter, if it is near."""
        for church in rng.sample(list(_CHURCHES), 2):
            offset = (day - calendars.easter_sunday(day.year, church)).days
            if abs(offset) <= 60:
                return church, offset
        return None

    @classmethod
    def from_match(cls, match: re.Match[str], facts: Facts) -> Clue | None:
        """Read church and distance."""
        church = next(key for key, words in _CHURCHES.items() if words == match[3])
        days = int(match[1] or 0)
        return cls(church, -days if match[2] == "before" else days) if days <= 60 else None


@dataclass(frozen=True, slots=True)
class Hebrew(Implicit, ValueClue, type="hebrew", level="month", group="hebrew", costly=True):
    """A month of the Hebrew calendar."""

    month: str
    schema: ClassVar = {"month": {"enum": list(calendars.HEBREW)}}
    convention = (
        "A day of the Hebrew calendar counts as the date of its daylight hours; Adar I and Adar II both "
        "count as Adar."
    )
    phrase = "It is a day in the Hebrew month of {}."
    words: ClassVar = {month: month.title() for month in calendars.HEBREW}

    def build(self) -> int:
        """All such months."""
        return day_sets.union(calendars.hebrew_runs(calendars.HEBREW.index(self.month) + 1))

    @classmethod
    def of(cls, day: date) -> str:
        """Return the day's Hebrew month."""
        return calendars.HEBREW[calendars.hebrew_month(day) - 1]


ISLAMIC = ("Muharram", "Safar", "Rabi al-Awwal", "Rabi al-Thani", "Jumada al-Ula", "Jumada al-Thaniya",
           "Rajab", "Shaban", "Ramadan", "Shawwal", "Dhu al-Qada", "Dhu al-Hijja")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Islamic(Implicit, ValueClue, type="islamic", level="month", group="islamic", costly=True):
    """A month of the Umm al-Qura calendar."""

    month: int
    schema: ClassVar = {"month": MONTH}
    bounds = (calendars.ISLAMIC_FIRST, calendars.ISLAMIC_LAST)
    convention = (
        "The Umm al-Qura calendar is the computed Islamic calendar of Saudi Arabia, with the months as they "
        "were officially published (the table in the Python library hijridate); a day of it counts as the "
        "date of its daylight hours."
    )
    phrase = "It is a day in {} month of the Umm al-Qura calendar."
    words: ClassVar = {
        month: f"{name}, the {ordinal(month)}" for month, name in enumerate(ISLAMIC, 1)
    }

    def build(self) -> int:
        """All such months within the bounds."""
        return day_sets.union(calendars.islamic_runs(self.month))

    @classmethod
    def of(cls, day: date) -> int | None:
        """Return the day's month, if the calendar reaches so far."""
        return calendars.islamic_month(day)
