"""Timetables as a plugin: hook implementations only; the work is in the modules beside."""

from __future__ import annotations

from random import Random
from typing import Any

from harness import Benchmark, Item, Shortcut, Solution, Verdict, hookimpl


@hookimpl
def describe() -> Benchmark:
    """Describe the benchmark."""
    from harness_timetables.config import BENCHMARK

    return BENCHMARK


@hookimpl
def generate(config: dict[str, Any], index: int, rng: Random, salt: str) -> Item:
    """Generate one item with a label that two engines agree on."""
    from harness_timetables import generate

    return generate.item(config, index, rng, salt)


@hookimpl
def solve(problem: Any, engine: str) -> Solution:
    """Derive the answer with one engine."""
    from harness_timetables import engines

    return engines.solve(problem, engine)


@hookimpl
def read(prompt: str) -> Any:
    """Read a prompt back into the formal problem."""
    from harness_timetables import reading

    return reading.read(prompt)


@hookimpl
def score(item: Item, completion: str) -> Verdict:
    """Judge a completion."""
    from harness_timetables.answers import score

    return score.score(item, completion)


@hookimpl
def check(item: Item) -> list[str]:
    """Check the item's certificate."""
    from harness_timetables import certificate

    return certificate.errors(item)


@hookimpl
def explain(item: Item) -> str | None:
    """Write a worked solution."""
    from harness_timetables.answers import explain

    return explain.worked(item)


@hookimpl
def audit(item: Item) -> list[dict[str, str]]:
    """Find what makes an item easier than it looks."""
    from harness_timetables import weaknesses

    return weaknesses.findings(item)


@hookimpl
def shortcuts() -> tuple[Shortcut, ...]:
    """Name the cheap ways to answer."""
    from harness_timetables.shortcuts import SHORTCUTS

    return SHORTCUTS


@hookimpl
def shortcut(item: Item, name: str, rng: Random) -> str:
    """Answer by a shortcut."""
    from harness_timetables import shortcuts

    return shortcuts.completion(item, name)
