"""What the benchmark says of itself: configuration, presets, metrics, schemas."""

from __future__ import annotations

from typing import Any

from harness import Benchmark, Metric, Row, Weakness

NAME = "timetables"
VERSION = "1.0"
NEVER = "never"

CONFIG: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "stations": {
            "type": "integer", "minimum": 3, "maximum": 20, "default": 6,
            "description": "stations in the timetable",
        },
        "trains": {
            "type": "integer", "minimum": 2, "maximum": 60, "default": 10,
            "description": "trains in the timetable",
        },
        "changes": {
            "type": "integer", "minimum": 0, "maximum": 3, "default": 2,
            "description": "changes of train that the earliest journey takes at the least",
        },
        "never": {
            "type": "boolean", "default": True,
            "description": "of every four items one has no journey at all",
        },
    },
}  # fmt: skip

PRESETS: dict[str, dict[str, Any]] = {
    "small": {"n": 50, "stations": 4, "trains": 5, "changes": 1},
    "changes": {"n": 100, "stations": 8, "trains": 16, "changes": (0, 1, 2, 3)},
}

_MINUTE: dict[str, Any] = {"type": "integer", "minimum": 0, "maximum": 1439}
_PLACE: dict[str, Any] = {"type": "integer", "minimum": 0, "maximum": 999}
PROBLEM: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["stations", "trains", "change", "from", "to", "leave"],
    "properties": {
        "stations": {
            "type": "array", "minItems": 2, "maxItems": 1000, "uniqueItems": True,
            "items": {"type": "string", "pattern": "^[A-Z][a-z]{1,30}$"},
        },
        "trains": {
            "type": "array", "maxItems": 1000,
            "items": {
                "type": "object", "additionalProperties": False, "required": ["number", "stops"],
                "properties": {
                    "number": {"type": "integer", "minimum": 1, "maximum": 9999},
                    # Station, arrival, departure; the same at both ends of the line.
                    "stops": {
                        "type": "array", "minItems": 2, "maxItems": 100,
                        "items": {
                            "type": "array", "minItems": 3, "maxItems": 3,
                            "prefixItems": [_PLACE, _MINUTE, _MINUTE],
                        },
                    },
                },
            },
        },
        "change": {"type": "integer", "minimum": 0, "maximum": 60},
        "from": _PLACE, "to": _PLACE, "leave": _MINUTE,
    },
}  # fmt: skip

ANSWER: dict[str, Any] = {
    "type": "string",
    "pattern": r"^([01][0-9]|2[0-3]):[0-5][0-9]$|^never$",
    "description": "the time of arrival, hours and minutes, or never",
}

# What `harness_timetables.weaknesses` finds.
WEAKNESSES: dict[str, Weakness] = {
    "direct": Weakness("one train goes all the way: nothing has to be connected", "by_design"),
    "first_arrival": Weakness(
        "the first arrival listed at the destination is the answer: no journey has to be found",
        "grave",
    ),
    "no_arrival": Weakness(
        "no train arrives at the destination after the start: never, without looking at journeys",
        "grave",
    ),
}


def minutes_late(row: Row) -> float | None:
    """Return how much later than the earliest a possible arrival is; None for answers that are no such."""
    late = row.extra.get("late")
    return None if late is None else float(late)


BENCHMARK = Benchmark(
    name=NAME,
    version=VERSION,
    summary="train timetables: when can you be there at the earliest?",
    config_schema=CONFIG,
    engines=("scan", "graph"),
    values=("correct", "possible"),
    metrics=(
        Metric("correct", "share of items answered with the earliest arrival, or rightly with never"),
        Metric("possible", "share answered with an arrival that some journey has, the earliest or not"),
        Metric("minutes_late", "minutes that possible arrivals are behind the earliest", each=minutes_late),
    ),
    headline="correct",
    choices=(NEVER,),
    problem_schema=PROBLEM,
    answer_schema=ANSWER,
    presets=PRESETS,
    groups=("changes",),
    weaknesses=WEAKNESSES,
    shortcut_ceiling=0.35,
    solution_features=("changes", "minutes", "reached"),
    citation="Problems are made here; connection scan: Dibbelt, Pajor, Strasser and Wagner (2013).",
    licence="Apache-2.0",
)  # fmt: skip
