"""All kinds of clues by name, their JSON Schema, and the way from JSON and from a sentence to a clue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness_timepuzzles.clues.clue import Clue, ClueError
from harness_timepuzzles.clues.day import (
    DayOfMonth,
    DayRange,
    Weekday,
    WeekdayInMonth,
    WeekdayOfYear,
    Weekdays,
    YearDay,
)
from harness_timepuzzles.clues.explicit import Periods, Years
from harness_timepuzzles.clues.facts import Alive, Event, Office, Recurring
from harness_timepuzzles.clues.month import IsoWeek, LunarMonth, Month, Season, WesternZodiac
from harness_timepuzzles.clues.religions import Easter, Hebrew, Islamic
from harness_timepuzzles.clues.sky import Equinox, Moon
from harness_timepuzzles.clues.year import Decade, Games, LeapYear, Year, Zodiac
from harness_timepuzzles.facts import Facts

# In an order that seeds depend on: clues are drawn from these.
TYPES: dict[str, type[Clue]] = {
    kind.type: kind
    for kind in (
        Year, Decade, LeapYear, Zodiac, Games,
        Month, Season, LunarMonth,
        WeekdayInMonth, DayOfMonth, Weekday, Weekdays, DayRange,
        Alive, Office, Event, Recurring,
        Years, Periods,
        YearDay, WeekdayOfYear, WesternZodiac, Easter, Hebrew, Islamic, IsoWeek, Moon, Equinox,
    )
}  # fmt: skip
PAPER = tuple(name for name, kind in TYPES.items() if kind.group == "paper")
GROUPS = tuple(
    dict.fromkeys(kind.group for kind in TYPES.values() if kind.group not in ("paper", "explicit"))
)


def _schema(kind: type[Clue]) -> dict[str, Any]:
    """Return "if the type is this one, then these are the parameters": the clearest messages."""
    return {
        "if": {"properties": {"type": {"const": kind.type}}},
        "then": {
            "required": list(kind.schema),
            "properties": {"type": True, **kind.schema},
            "additionalProperties": False,
        },
    }


SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["type"],
    "properties": {"type": {"enum": list(TYPES)}},
    "allOf": [_schema(kind) for kind in TYPES.values()],
}


def parse(data: Mapping[str, Any]) -> Clue:
    """Return the clue of a JSON object that fits `SCHEMA`.

    Raises:
        ClueError: an unknown type, or parameters that make no sense.
    """
    kind = TYPES.get(str(data.get("type"))) if isinstance(data, Mapping) else None
    if kind is None:
        raise ClueError(f"no clue type {str(data)[:60]!r}; see CLUES.md")
    return kind.parse(data)


def parse_all(problem: Mapping[str, Any]) -> list[Clue]:
    """Return the clues of a problem in the order of the prompt."""
    return [parse(data) for data in problem["clues"]]


def parse_sentence(sentence: str, tables: Sequence[Facts]) -> Clue | None:
    """Return the clue that a sentence states; names are looked up in tables of facts, in their order."""
    for kind in TYPES.values():
        match = kind.regex().fullmatch(sentence)
        if match is None:
            continue
        for facts in tables:
            clue = kind.from_match(match, facts)
            if clue is not None:
                return clue
    return None
