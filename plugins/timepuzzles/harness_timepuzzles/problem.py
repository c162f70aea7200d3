"""A problem: its clues and the range of dates that count; from JSON and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Self

from harness import HarnessError
from harness_timepuzzles import day_sets
from harness_timepuzzles.clues import catalogue
from harness_timepuzzles.clues.clue import ISO_DATE, Clue, iso

NONE = "none"

SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["range", "clues"],
    "properties": {
        "range": {"type": "array", "minItems": 2, "maxItems": 2, "items": ISO_DATE},
        "clues": {"type": "array", "minItems": 1, "maxItems": 40, "items": catalogue.SCHEMA},
    },
}


class RangeError(HarnessError):
    """The range of a problem is no pair of ascending dates from 1700 to 2100."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Some clues, in the order of the prompt, and the first and last day that count."""

    first: date
    last: date
    clues: Sequence[Clue]

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> Self:
        """Return the problem of a JSON object.

        Raises:
            RangeError: its range is no two ascending dates from 1700 to 2100.
            ClueError: a clue is of an unknown type, or its parameters make no sense.
        """
        first, last = ends(data)
        return cls(first, last, catalogue.parse_all(data))

    def to_dict(self) -> dict[str, Any]:
        """Return the problem as a JSON object."""
        return {
            "range": [self.first.isoformat(), self.last.isoformat()],
            "clues": [clue.params() for clue in self.clues],
        }

    @property
    def span(self) -> int:
        """The days of the range, as a set of bits."""
        return day_sets.run(self.first, self.last)

    def certain(self) -> tuple[date, date]:
        """Return the part of the range in which the calendars of all clues are certain.

        Where there is none, its first day is after its last.
        """
        return (
            max([self.first, *(clue.bounds[0] for clue in self.clues)]),
            min([self.last, *(clue.bounds[1] for clue in self.clues)]),
        )

    def uncertain(self) -> list[str]:
        """Return which clues the range is too wide for: their calendars are not certain in all of it."""
        return [
            f"clue '{clue.type}' is certain from {clue.bounds[0]} to {clue.bounds[1]} only"
            for clue in self.clues
            if self.first < clue.bounds[0] or self.last > clue.bounds[1]
        ]


def ends(data: Mapping[str, Any]) -> tuple[date, date]:
    """Return first and last day of the range of a problem in JSON.

    Raises:
        RangeError: they are no dates, in the wrong order, or outside 1700 to 2100.
    """
    try:
        first, last = map(iso, data["range"])
    except (ValueError, TypeError) as error:
        raise RangeError(f"range: {error}; write two dates as YYYY-MM-DD") from None
    if not day_sets.FIRST <= first <= last <= day_sets.LAST:
        raise RangeError(
            f"range {first} to {last}: expected two ascending dates from {day_sets.FIRST} to {day_sets.LAST}"
        )
    return first, last


def answer(days: Sequence[date | str]) -> str:
    """Return a set of days in the form the prompt asks for."""
    return ", ".join(map(str, days)) or NONE


def answer_days(target: str) -> list[str]:
    """Return the days in a text that `answer` has written."""
    return [] if target == NONE else target.split(", ")
