"""The formal problem: its schema, its labels, and what the schema cannot say."""

from __future__ import annotations

from typing import Any

from harness import EngineError

YES, NO, UNKNOWN = "yes", "no", "unknown"
CHOICES = (YES, NO, UNKNOWN)
MOST_EVENTS = 26  # they are called by letters

_EVENT: dict[str, Any] = {"type": "integer", "minimum": 0, "maximum": MOST_EVENTS - 1}
_PAIR: dict[str, Any] = {"type": "array", "minItems": 2, "maxItems": 2, "items": _EVENT}
# before: pairs of events, the first of which happened first, in ascending order.
SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["events", "before", "ask"],
    "properties": {
        "events": {"type": "integer", "minimum": 2, "maximum": MOST_EVENTS},
        "before": {"type": "array", "maxItems": 325, "items": _PAIR},
        "ask": _PAIR,
    },
}


def check(problem: Any) -> None:
    """Refuse a foreign problem that fits the schema and still is none.

    Raises:
        EngineError: it names an event beyond those there are, or asks about one event twice.
    """
    named = {event for pair in (*problem["before"], problem["ask"]) for event in pair}
    if not all(event < problem["events"] for event in named):
        raise EngineError(f"an event is beyond the {problem['events']} there are")
    if problem["ask"][0] == problem["ask"][1]:
        raise EngineError("the question names one event twice")
