"""Entries of reasoning-gym as items."""

from __future__ import annotations

from random import Random
from typing import Any

from harness import EngineError, Item, Solution, digest
from harness_reasoning_gym.names import LIBRARY, SEED_BITS, SHORT_SEEDS

NAME = "reasoning_gym"
VERSION = f"1.0+{LIBRARY}"
ENGINE = "generator"

ASKING = '\n\nEnd your reply with your final answer, and nothing after it, behind the word "Answer" and a colon.'


def item(config: dict[str, Any], rng: Random) -> Item:
    """Return an item with a seed drawn for it alone.

    Raises:
        SpecError: options that the dataset does not accept.
        EngineError: the dataset raised.
    """
    from harness_reasoning_gym import grading, library

    task, options = config["task"], config["options"]
    library.check_options(task, options)
    seed = rng.getrandbits(SHORT_SEEDS.get(task, SEED_BITS))
    entry = library.entry(task, options, seed)
    problem = {"task": task, "options": options, "seed": seed, "question": entry["question"]}
    target = _text(entry.get("answer"))
    return Item(
        plugin=NAME,
        version=VERSION,
        prompt=entry["question"] + ASKING,
        target=target,
        problem=problem,
        features={"task": task, "characters": len(entry["question"])},
        # Another seed may well make the same question: two such items are one.
        family=digest([task, entry["question"]])[:12],
        notes={"gold": grading.grade(problem, target, target)},
    )


def solve(problem: Any, engine: str) -> Solution:
    """Return the answer of the entry, made again.

    Raises:
        EngineError: no such engine, or the entry is another one now.
    """
    from harness_reasoning_gym import library

    if engine != ENGINE:
        raise EngineError(f"no engine '{engine}'; known: {ENGINE}")
    entry = library.entry(problem["task"], problem["options"], problem["seed"])
    if entry["question"] != problem["question"]:
        raise EngineError(f"{problem['task']} makes another question of this seed now")
    return Solution(_text(entry.get("answer")), ENGINE)


def _text(answer: Any) -> str:
    """Return an answer as a text; several datasets have none at all."""
    return "" if answer is None else str(answer)
