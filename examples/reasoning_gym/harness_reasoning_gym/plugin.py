"""reasoning-gym as a plugin: hook implementations only; the work is in the modules beside."""

from __future__ import annotations

from importlib.util import find_spec
from random import Random
from typing import Any

from harness import Benchmark, Item, PluginError, Solution, Verdict, hookimpl

if find_spec("reasoning_gym") is None:
    raise PluginError("needs reasoning-gym: pip install 'reasoning-gym==0.1.25'")


@hookimpl
def describe() -> Benchmark:
    """Describe the benchmark."""
    from harness_reasoning_gym.config import BENCHMARK

    return BENCHMARK


@hookimpl
def generate(config: dict[str, Any], index: int, rng: Random, salt: str) -> Item:
    """Take one entry of a dataset, with a seed of its own."""
    from harness_reasoning_gym import items

    return items.item(config, rng)


@hookimpl
def solve(problem: Any, engine: str) -> Solution:
    """Make the entry again: the library has no solver apart from its generator."""
    from harness_reasoning_gym import items

    return items.solve(problem, engine)


@hookimpl
def read(prompt: str) -> Any:
    """Return None: no dataset can read its questions back."""
    return


@hookimpl
def score(item: Item, completion: str) -> Verdict:
    """Judge a completion by the dataset's own verifier."""
    from harness_reasoning_gym import score

    return score.score(item, completion)


@hookimpl
def check(item: Item) -> list[str]:
    """Say that there is nothing to check: entries come without a certificate."""
    return [
        "reasoning-gym gives no certificate: nothing proves the answer but the code that made it"
    ]
