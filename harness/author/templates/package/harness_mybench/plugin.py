"""The hooks of mybench, implementations only; the work is in the modules beside."""

from __future__ import annotations

from random import Random
from typing import Any

from harness import Benchmark, Item, Shortcut, Solution, Verdict, hookimpl


@hookimpl
def describe() -> Benchmark:
    """Describe the benchmark."""
    from harness_mybench.config import BENCHMARK

    return BENCHMARK


@hookimpl
def generate(config: dict[str, Any], index: int, rng: Random, salt: str) -> Item:
    """Generate one item with a label that two engines agree on."""
    from harness_mybench import generate

    return generate.item(config, index, rng, salt)


@hookimpl
def solve(problem: Any, engine: str) -> Solution:
    """Derive the answer with one engine."""
    from harness_mybench import engines

    return engines.solve(problem, engine)


@hookimpl
def read(prompt: str) -> Any:
    """Read a prompt back into the formal problem."""
    from harness_mybench import reading

    return reading.read(prompt)


@hookimpl
def score(item: Item, completion: str) -> Verdict:
    """Judge a completion."""
    from harness_mybench.answers import score

    return score.score(item, completion)


@hookimpl
def check(item: Item) -> list[str]:
    """Check the item's certificate."""
    from harness_mybench import certificate

    return certificate.errors(item)


@hookimpl
def explain(item: Item) -> str | None:
    """Write a worked solution."""
    from harness_mybench.answers import explain

    return explain.worked(item)


@hookimpl
def reread(item: Item, text: str) -> list[str]:
    """Hold a worked solution against its item."""
    from harness_mybench.traces import reader

    return reader.findings(item, text)


@hookimpl
def shortcuts() -> tuple[Shortcut, ...]:
    """Name the cheap ways to answer."""
    from harness_mybench.shortcuts import SHORTCUTS

    return SHORTCUTS


@hookimpl
def shortcut(item: Item, name: str, rng: Random) -> str:
    """Answer by a shortcut."""
    from harness_mybench import shortcuts

    return shortcuts.completion(item)
