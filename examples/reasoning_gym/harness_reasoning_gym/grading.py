"""Ask a dataset's own verifier, kept from running answers as programs."""

from __future__ import annotations

import math
from typing import Any

from harness_guard import call

from harness_reasoning_gym import fence

SECONDS = 5.0
"""Of a verifier that evaluates answers: it works in a process of its own."""


def grade(problem: dict[str, Any], target: str, answer: str) -> float:
    """Return what the verifier gives an answer; 0 for one that it must not be given.

    Raises:
        EngineError: the verifier raised, or took longer than `SECONDS`.
    """
    from harness_reasoning_gym import library

    task, options, seed = problem["task"], problem["options"], problem["seed"]
    if answer != target and not fence.allows(task, answer):
        return 0.0
    if task in fence.EVALUATED | fence.PARSED:
        value = call(f"{library.__name__}:grade", task, options, seed, answer, seconds=SECONDS)
    else:
        value = library.grade(task, options, seed, answer)
    return float(value) if math.isfinite(value) else 0.0
