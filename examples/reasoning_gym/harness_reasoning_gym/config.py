"""What the benchmark says of itself; the datasets are one configuration key."""

from __future__ import annotations

from typing import Any

from harness import Benchmark, Metric
from harness_reasoning_gym.items import ENGINE, NAME, VERSION
from harness_reasoning_gym.names import CHOICES, TASKS

CONFIG: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "task": {
            "type": "string", "enum": list(TASKS), "default": "chain_sum",
            "description": "a dataset by the name that reasoning-gym has for it",
        },
        "options": {
            "type": "object", "default": {},
            "description": "the dataset's own settings, options='{min_terms: 2, max_terms: 4}'",
        },
    },
}  # fmt: skip

PROBLEM: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["task", "options", "seed", "question"],
    "properties": {
        "task": {"enum": list(TASKS)},
        "options": {"type": "object"},
        "seed": {"type": "integer", "minimum": 0},
        "question": {"type": "string"},
    },
}

BENCHMARK = Benchmark(
    name=NAME,
    version=VERSION,
    summary="the datasets of reasoning-gym, one by one; their labels are confirmed by nobody",
    config_schema=CONFIG,
    engines=(ENGINE,),
    values=("correct", "score"),
    metrics=(
        Metric("correct", "share of answers to which the verifier gives full marks"),
        Metric("score", "mean of what the verifier gives, partial credit included"),
    ),
    headline="correct",
    choices=("0",),
    choices_by_task={task: CHOICES.get(task, ()) for task in TASKS},
    problem_schema=PROBLEM,
    answer_schema={"type": "string"},
    groups=("task",),
    citation="Stojanovski et al.: Reasoning Gym (2025), arXiv:2505.24760.",
    licence="Apache-2.0",
)
