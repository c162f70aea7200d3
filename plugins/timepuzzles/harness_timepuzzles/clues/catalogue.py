"""All kinds of clues by name, their JSON Schema, and the way from JSON and from a sentence to a clue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness_timepuzzles.clues import day, explicit, facts, month, religions, sky, year
from harness_timepuzzles.clues.clue import Clue, ClueError
from harness_timepuzzles.facts import Facts

# In an order that seeds depend on: clues are drawn from these.
TYPES: dict[str, type[Clue]] = {
    kind.type: kind
    for kind in (
        year.Year, year.Decade, year.LeapYear, year.Zodiac, year.Games,
        month.Month, month.Season, month.LunarMonth,
        day.WeekdayInMonth, day.DayOfMonth, day.Weekday, day.Weekdays, day.DayRange,
        facts.Alive, facts.Office, facts.Event, facts.Recurring,
        explicit.Years, explicit.Periods,
        day.YearDay, day.WeekdayOfYear, month.WesternZodiac,
        religions.Easter, religions.Hebrew, religions.Islamic, month.IsoWeek, sky.Moon, sky.Equinox,
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
        for table in tables:
            clue = kind.from_match(match, table)
            if clue is not None:
                return clue
    return None
