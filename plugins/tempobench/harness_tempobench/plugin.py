"""TempoBench as a plugin: hook implementations only; the work is in the modules beside."""

from __future__ import annotations

from random import Random
from typing import Any

from harness import Benchmark, Item, Shortcut, Solution, Verdict, hookimpl


@hookimpl
def describe() -> Benchmark:
    """Describe the benchmark."""
    from harness_tempobench.config import BENCHMARK

    return BENCHMARK


@hookimpl
def generate(config: dict[str, Any], index: int, rng: Random, salt: str) -> Item:
    """Generate one trace to follow, or one effect to explain, with a label that two engines agree on."""
    from harness_tempobench import generate

    return generate.item(config, index, rng, salt)


@hookimpl
def solve(problem: Any, engine: str) -> Solution:
    """Derive the answer with one engine."""
    from harness_tempobench import engines

    return engines.solve(problem, engine)


@hookimpl
def read(prompt: str) -> Any:
    """Read a prompt, ours or a published one, back into the formal problem."""
    from harness_tempobench import reading
    from harness_tempobench.published import content

    return reading.read(prompt) or content.read(prompt)


@hookimpl
def score(item: Item, completion: str, explain: bool) -> Verdict:
    """Judge a completion."""
    from harness_tempobench.answers import score

    return score.score(item, completion, explain)


@hookimpl
def check(item: Item) -> list[str]:
    """Check the item's certificate."""
    from harness_tempobench import certificate

    return certificate.errors(item)


@hookimpl
def adopt(record: dict[str, Any], config: dict[str, Any], format: str = "") -> Item | None:  # noqa: A002
    """Take over a published record, its prompt and its label."""
    from harness_tempobench.published import adopt as published

    return published.adopt(record, config, format)


@hookimpl
def publish(item: Item, format: str, record: dict[str, Any]) -> dict[str, Any] | None:  # noqa: A002
    """Write an item as a record of a published format."""
    from harness_tempobench.published import adopt as published

    return published.publish(item, format, record)


@hookimpl
def audit(item: Item) -> list[dict[str, str]]:
    """Say in what way an item does not measure what it claims."""
    from harness_tempobench.published import audit as published_audit

    return published_audit.audit(item)


@hookimpl
def readings(item: Item) -> dict[str, dict[str, bool]]:
    """Say under which readings of its format an item's label holds."""
    from harness_tempobench.published import readings as published_readings

    return published_readings.readings(item)


@hookimpl
def shortcuts() -> tuple[Shortcut, ...]:
    """Return the cheap ways to answer."""
    from harness_tempobench.shortcuts import SHORTCUTS

    return SHORTCUTS


@hookimpl
def shortcut(item: Item, name: str) -> str:
    """Answer in a cheap way, from the problem alone."""
    from harness_tempobench.shortcuts import answer

    return answer(item, name)


@hookimpl
def explain(item: Item) -> str | None:
    """Write a worked solution."""
    from harness_tempobench.answers import explain

    return explain.worked(item)


@hookimpl
def about(config: dict[str, Any], salt: str) -> dict[str, Any] | None:
    """Say which machines there were, which were skipped and why, and what counts as hard."""
    from harness_tempobench import generate

    return generate.about(config)


@hookimpl
def structure(item: Item) -> dict[str, Any] | None:
    """Return the JSON Schema of the item's answer."""
    from harness_tempobench import schema

    return schema.inlined_schema(item.problem)


@hookimpl
def trace(item: Item) -> str | None:
    """Write the complete solution step by step, with the answer."""
    from harness_tempobench.traces import writer

    return writer.written(item)


@hookimpl
def reread(item: Item, text: str) -> list[str]:
    """Hold every claim of such a solution against the item."""
    from harness_tempobench.traces import reader

    return reader.findings(item, text)


@hookimpl
def prove(item: Item) -> dict[str, Any] | None:
    """Write the complete certificate of the label."""
    from harness_tempobench import proof

    return proof.prove(item)


@hookimpl
def render(item: Item, format: str) -> str | None:  # noqa: A002 (the hook's own name)
    """Write the machine as HOA, or the problem as JSON, or draw the item."""
    from harness import canonical_json

    if format == "svg":
        from harness_tempobench import draw

        return draw.svg(item)
    return str(item.problem["hoa"]) if format == "hoa" else canonical_json(item.problem)
