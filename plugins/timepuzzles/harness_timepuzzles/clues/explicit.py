"""What implicit clues are rewritten to: lists of years, and periods from one day to another."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Any, ClassVar, Self

from harness_timepuzzles import day_sets
from harness_timepuzzles.clues.clue import ISO_DATE, Clue, ClueError, iso, mask
from harness_timepuzzles.facts import Facts

YEARS: dict[str, Any] = {
    "type": "array", "minItems": 0, "maxItems": 401,
    "items": {"type": "integer", "minimum": 1700, "maximum": 2100},
}  # fmt: skip
_ISO = r"\d{4}-\d{2}-\d{2}"
PERIOD = {"type": "array", "minItems": 2, "maxItems": 2, "items": ISO_DATE}
_PERIOD = rf"{_ISO}(?: to {_ISO})?"


class OfYears(Clue):
    """A clue that holds on all days of some ``years``."""

    __slots__ = ()
    years: tuple[int, ...]

    def build(self) -> int:
        """All days of those years."""
        return day_sets.years(self.years)

    def holds(self, day: date) -> bool:
        """Look the year up."""
        return day.year in self.years


@dataclass(frozen=True, slots=True)
class Years(OfYears, type="years", level="year", group="explicit"):
    """The year is one of a list."""

    years: tuple[int, ...]
    schema: ClassVar = {"years": YEARS}
    pattern = r"The year is one of these: (none|\d{4}(?:, \d{4})*)\."

    @classmethod
    def within(cls, years: Iterable[int], first: date, last: date) -> Self:
        """Return the clue of those years that a range touches."""
        return cls(tuple(year for year in years if first.year <= year <= last.year))

    def check(self) -> None:
        """Refuse years that do not ascend."""
        if any(a >= b for a, b in pairwise(self.years)):
            raise ClueError("clue 'years': the years must ascend")

    def sentence(self) -> str:
        """Return the sentence, which lists them."""
        return f"The year is one of these: {', '.join(map(str, self.years)) or 'none'}."

    @classmethod
    def from_match(cls, match: re.Match[str], facts: Facts) -> Clue:
        """Read the list."""
        return cls(tuple(int(year) for year in match[1].split(", ") if year != "none"))


def days_of(periods: Iterable[tuple[str, str]]) -> int:
    """Return the set of all days in some periods (first and last day, ISO)."""
    return day_sets.union((date.fromisoformat(a), date.fromisoformat(b)) for a, b in periods)


@dataclass(frozen=True, slots=True)
class Periods(Clue, type="periods", level="day", group="explicit"):
    """The day lies in one of some periods."""

    periods: tuple[tuple[str, str], ...]
    schema: ClassVar = {
        "periods": {"type": "array", "minItems": 0, "maxItems": 20_000, "items": PERIOD}
    }
    convention = "A period from one day to another includes both days."
    pattern = (
        rf"The date lies in (?:the period from ({_ISO} to {_ISO})"
        rf"|one of these periods: (none|{_PERIOD}(?:; {_PERIOD})*))\."
    )

    @classmethod
    def of_days(cls, days: int, first: date, last: date) -> Self:
        """Return the periods that the days of a mask make up in a range."""
        kept = day_sets.periods(days & day_sets.run(first, last))
        return cls(tuple((start.isoformat(), end.isoformat()) for start, end in kept))

    def check(self) -> None:
        """Periods ascend, do not overlap, and are made of real days."""
        flat = [iso(day) for start, end in self.periods for day in (start, end)]
        if any(a > b for a, b in pairwise(flat)) or any(
            a[1] >= b[0] for a, b in pairwise(self.periods)
        ):
            raise ClueError("clue 'periods': the periods must ascend and not overlap")

    def sentence(self) -> str:
        """List them, a single day as one date."""
        if len(self.periods) == 1 and self.periods[0][0] != self.periods[0][1]:
            start, end = self.periods[0]
            return f"The date lies in the period from {start} to {end}."
        listed = (start if start == end else f"{start} to {end}" for start, end in self.periods)
        return f"The date lies in one of these periods: {'; '.join(listed) or 'none'}."

    def build(self) -> int:
        """All their days."""
        return days_of(self.periods)

    def holds(self, day: date) -> bool:
        """Find the last period that has begun."""
        at = bisect_right(self.periods, (day.isoformat(), "9999"))
        return at > 0 and day.isoformat() <= self.periods[at - 1][1]

    @classmethod
    def from_match(cls, match: re.Match[str], facts: Facts) -> Clue:
        """Read the list."""
        text = match[1] or match[2]
        listed = [] if text == "none" else text.split("; ")
        ends = (period.split(" to ") for period in listed)
        return cls(tuple((both[0], both[-1]) for both in ends))


class Implicit(Clue):
    """A clue that takes knowledge from outside; its explicit form lists the periods on which it holds."""

    __slots__ = ()

    def explicit(self, first: date, last: date) -> Clue:
        """List the periods."""
        return Periods.of_days(mask(self), first, last)
