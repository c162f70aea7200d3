"""LTLBench as a plugin: hook implementations only; the work is in the modules beside."""

from __future__ import annotations

from random import Random
from typing import Any

from harness import Benchmark, Item, Shortcut, Solution, Verdict, hookimpl


@hookimpl
def describe() -> Benchmark:
    """Describe the benchmark."""
    from harness_ltlbench.config import BENCHMARK

    return BENCHMARK


@hookimpl
def generate(
    config: dict[str, Any], index: int, rng: Random, salt: str, split: str, attempt: int
) -> Item:
    """Generate one item with a label that two engines agree on."""
    from harness_ltlbench import generate

    return generate.item(config, index, rng, salt, split, attempt)


@hookimpl
def solve(problem: Any, engine: str) -> Solution:
    """Derive the answer with one engine."""
    from harness_ltlbench import engines

    return engines.solve(problem, engine)


@hookimpl
def read(prompt: str) -> Any:
    """Read a prompt back into the formal problem."""
    from harness_ltlbench import reading

    return reading.read(prompt)


@hookimpl
def score(item: Item, completion: str, explain: bool) -> Verdict:
    """Judge a completion."""
    from harness_ltlbench.answers import score

    return score.score(item, completion, explain)


@hookimpl
def check(item: Item) -> list[str]:
    """Check the item's certificate."""
    from harness_ltlbench import certificate

    return certificate.errors(item)


@hookimpl
def adopt(record: dict[str, Any], format: str) -> Item | None:  # noqa: A002 (the hook's own name)
    """Read a record of the published CSV."""
    from harness_ltlbench.published import adopt as published

    return published.adopt(record, format)


@hookimpl
def publish(item: Item, format: str, record: dict[str, Any]) -> dict[str, Any] | None:  # noqa: A002
    """Write an item as a record of the published CSV."""
    from harness_ltlbench.published import publish

    return publish.record_of(item, format, record)


@hookimpl
def audit(item: Item) -> list[dict[str, str]]:
    """Find what keeps an item from measuring temporal reasoning."""
    from harness_ltlbench.published import audit

    return audit.findings(item)


@hookimpl
def readings(item: Item) -> dict[str, dict[str, bool]]:
    """Hold an adopted label against other readings of the published words."""
    from harness_ltlbench.published import readings

    return readings.readings(item)


@hookimpl
def shortcuts() -> tuple[Shortcut, ...]:
    """Name the cheap ways to answer."""
    from harness_ltlbench.shortcuts import SHORTCUTS

    return SHORTCUTS


@hookimpl
def shortcut(item: Item, name: str, rng: Random) -> str:
    """Answer by one of them."""
    from harness_ltlbench import shortcuts

    return shortcuts.completion(item, name, rng)


@hookimpl
def capacity(config: dict[str, Any]) -> int | None:
    """Count the distinct items of a small configuration."""
    from harness_ltlbench import generate

    return generate.capacity(config)


@hookimpl
def explain(item: Item) -> str | None:
    """Write a worked solution."""
    from harness_ltlbench.answers import explain

    return explain.worked(item)


@hookimpl
def prove(item: Item) -> dict[str, Any] | None:
    """Write the complete certificate of the label."""
    from harness_ltlbench import proof

    return proof.prove(item)


@hookimpl
def trace(item: Item) -> str | None:
    """Write the complete solution step by step, with the answer."""
    from harness_ltlbench.traces import writer

    return writer.written(item)


@hookimpl
def reread(item: Item, text: str) -> list[str]:
    """Hold every claim of such a solution against the item."""
    from harness_ltlbench.traces import reader

    return reader.findings(item, text)


@hookimpl
def render(item: Item, format: str) -> str | None:  # noqa: A002 (the hook's own name)
    """Write the problem as NuSMV source or as JSON, or draw the item."""
    from harness import canonical_json
    from harness_ltlbench import draw
    from harness_ltlbench.published import nusmv

    if format == "svg":
        return draw.svg(item)
    return nusmv.source(item.problem) if format == "nusmv" else canonical_json(item.problem)
