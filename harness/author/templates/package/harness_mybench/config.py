"""What the benchmark says of itself: configuration, presets, metrics."""

from __future__ import annotations

from typing import Any

from harness import Benchmark, Metric, Row

from harness_mybench import problem

NAME = "mybench"
VERSION = "0.1"

# Every key has a default and a range; `harness describe plugin=mybench` shows them.
CONFIG: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "events": {
            "type": "integer", "minimum": 3, "maximum": problem.MOST_EVENTS, "default": 7,
            "description": "events that happened, each at a moment of its own",
        },
        "statements": {
            "type": "integer", "minimum": 2, "maximum": 100, "default": 8,
            "description": "statements of two events each: which of them happened first",
        },
        "steps": {
            "type": "integer", "minimum": 1, "maximum": 10, "default": 2,
            "description": "statements that it takes at least to see that the answer is yes or no",
        },
    },
}  # fmt: skip

PRESETS: dict[str, dict[str, Any]] = {
    "quick": {"n": 12, "events": 5, "statements": 5},
    "sizes": {"n": 100, "events": (5, 7, 9, 12), "statements": (5, 8, 12, 18)},
}


def overclaimed(row: Row) -> float | None:
    """Return whether an order is claimed that nobody can know; None where it can be known."""
    return None if row.target != problem.UNKNOWN else float(row.answer in (problem.YES, problem.NO))


BENCHMARK = Benchmark(
    name=NAME,
    version=VERSION,
    summary="some events and which of them came first: did one come before another?",
    config_schema=CONFIG,
    engines=("closure", "orders"),  # the first makes the label, the second confirms it
    values=("accuracy",),
    metrics=(
        Metric("accuracy", "share of items answered right"),
        Metric("overclaimed", "of unknown orders the share claimed to be known", each=overclaimed),
    ),
    headline="accuracy",
    choices=problem.CHOICES,
    problem_schema=problem.SCHEMA,
    answer_schema={"enum": list(problem.CHOICES)},
    presets=PRESETS,
    groups=("events", "statements"),
    collision_rate=0.01,
    citation="",
    solution_features=("steps",),  # 0 tells that the answer is unknown
    shortcut_ceiling=0.8,  # accuracy that no shortcut passes on the default
    licence="Apache-2.0",
)
