"""The one module that imports reasoning-gym: entries as pure functions, and verdicts of its verifiers.

An entry is a function of (task, options, seed). The library takes its chance from ``Random(seed + index)``, so that
neighbouring seeds share entries; here every item has a seed of its own and is entry 0 of it. One dataset
(list_functions) now and then draws from Python's global generator, one (pool_matrix) seeds NumPy's: both generators
are seeded for the entry and put back.
"""

from __future__ import annotations

import dataclasses
import json
import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import numpy as np
from reasoning_gym.factory import DATASETS

from harness import EngineError, SpecError, did_you_mean

Entry = dict[str, Any]

RESERVED = ("seed", "size")


def check_options(task: str, options: Mapping[str, Any]) -> None:
    """Refuse options that a dataset does not have or does not accept.

    Raises:
        SpecError: which, and what would be right.
    """
    _, config = DATASETS[task]
    known = {field.name for field in dataclasses.fields(config)} - set(RESERVED)
    for key in options:
        if key in RESERVED:
            raise SpecError(f"options: '{key}' is the harness's own; use seed=… and n=…")
        if key not in known:
            raise SpecError(f"options: {task} has no '{key}'; {did_you_mean(key, known)}")
    try:
        checked = config(**options, seed=0, size=1)
        if hasattr(checked, "validate"):  # two datasets do without
            checked.validate()
    except Exception as error:  # assertions for the most part, many of them without a message
        reason = " ".join(str(error).split())[:200] or f"fails its own {type(error).__name__}"
        raise SpecError(
            f"options={json.dumps(options)[:200]}: {task} refuses them: {reason}"
        ) from None


def entry(task: str, options: Mapping[str, Any], seed: int) -> Entry:
    """Return the entry of a seed.

    Raises:
        EngineError: the dataset raised, or what it made is no question.
    """
    return _made(task, json.dumps(options, sort_keys=True), seed)[1]


def grade(task: str, options: Mapping[str, Any], seed: int, answer: str | None) -> float:
    """Return what the dataset's own verifier gives an answer.

    Raises:
        EngineError: it raised, or returned no number.
    """
    dataset, entry = _made(task, json.dumps(options, sort_keys=True), seed)
    try:
        with _chance(seed):
            return float(dataset.score_answer(answer, entry=entry))
    except Exception as error:
        raise EngineError(f"the verifier of {task} raised {_line(error)}") from error


@lru_cache(maxsize=64)
def _made(task: str, options: str, seed: int) -> tuple[Any, Entry]:
    dataset_class, config = DATASETS[task]
    try:
        with _chance(seed):
            dataset = dataset_class(config=config(**json.loads(options), seed=seed, size=1))
            entry = dataset[0]
    except Exception as error:
        raise EngineError(f"{task} raised {_line(error)}") from error
    if not isinstance(entry, dict) or not isinstance(entry.get("question"), str):
        raise EngineError(f"{task} made an entry without a question")
    return dataset, entry


@contextmanager
def _chance(seed: int) -> Iterator[None]:
    """Seed the global generators, for datasets that draw from them, and put them back."""
    python, numpy = random.getstate(), np.random.get_state()
    random.seed(seed)
    np.random.seed(seed % 2**32)
    try:
        yield
    finally:
        random.setstate(python)
        np.random.set_state(numpy)


def _line(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
