"""Clues about the moon and the sun: the dates of phases, equinoxes and solstices."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from random import Random
from typing import ClassVar

from harness_timepuzzles import calendars, day_sets
from harness_timepuzzles.clues.clue import ValueClue, Values, World, mask
from harness_timepuzzles.clues.explicit import Implicit

_MONTH = 29.530589  # mean month in days
_NEW_MOON = 730_125.26  # a mean new moon (2000) as an ordinal
_UT = "Dates of the moon and the sun are those in Universal Time (UT)."


@dataclass(frozen=True, slots=True)
class Moon(Implicit, ValueClue, type="moon", level="day", group="astronomy", costly=True):
    """The date of a moon phase."""

    phase: str
    schema: ClassVar = {"phase": {"enum": list(calendars.PHASES)}}
    convention = _UT
    phrase = "It is the date of a {} (UT)."
    words: ClassVar = {
        "new": "new moon", "first_quarter": "first quarter of the moon", "full": "full moon",
        "last_quarter": "last quarter of the moon",
    }  # fmt: skip

    def build(self) -> int:
        """All dates of the phase."""
        return day_sets.of(calendars.phase_days(self.phase))

    def holds(self, day: date) -> bool:
        """Ask for the next such phase."""
        return calendars.has_phase(day, self.phase)

    @classmethod
    def values(cls, rng: Random, day: date, world: World) -> Values | None:
        """Take the day's phase, if it has one."""
        age = (day.toordinal() - _NEW_MOON) % _MONTH
        # The true phase is less than a day from the mean one.
        near = (
            phase
            for number, phase in enumerate(cls.words)
            if abs((age - number * _MONTH / 4 + _MONTH / 2) % _MONTH - _MONTH / 2) < 2
        )
        return next(((phase,) for phase in near if day_sets.has(mask(cls(phase)), day)), None)


@dataclass(frozen=True, slots=True)
class Equinox(Implicit, ValueClue, type="equinox", level="day", group="astronomy", costly=True):
    """The date of an equinox or a solstice."""

    point: str
    schema: ClassVar = {"point": {"enum": list(calendars.POINTS)}}
    convention = _UT
    phrase = "It is the date of the {} (UT)."
    words: ClassVar = {
        "march": "March equinox", "june": "June solstice", "september": "September equinox",
        "december": "December solstice",
    }  # fmt: skip

    def build(self) -> int:
        """One date of every year."""
        return day_sets.of(calendars.point_days(self.point))

    def holds(self, day: date) -> bool:
        """Ask for the next such moment."""
        return calendars.has_point(day, self.point)

    @classmethod
    def values(cls, rng: Random, day: date, world: World) -> Values | None:
        """Take the day's, if it is one."""
        if day.month % 3 or not 18 <= day.day <= 25:
            return None
        return next(((point,) for point in cls.words if day_sets.has(mask(cls(point)), day)), None)
