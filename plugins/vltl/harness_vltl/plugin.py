"""VLTL as a plugin: hook implementations only; the work is in the modules beside."""

from __future__ import annotations

from random import Random
from typing import Any

from harness import Benchmark, Item, Shortcut, Solution, Verdict, hookimpl


@hookimpl
def describe() -> Benchmark:
    """Describe the benchmark."""
    from harness_vltl.config import BENCHMARK

    return BENCHMARK


@hookimpl
def generate(config: dict[str, Any], index: int, rng: Random, salt: str, attempt: int) -> Item:
    """Generate one requirement with a formula that two readers agree on."""
    from harness_vltl import generate

    return generate.item(config, index, rng, salt, attempt)


@hookimpl
def solve(problem: Any, engine: str) -> Solution:
    """Derive the answer with one engine."""
    from harness_vltl import engines

    return engines.solve(problem, engine)


@hookimpl
def read(prompt: str) -> Any:
    """Read a prompt back into the formal problem."""
    from harness_vltl import reading

    return reading.read(prompt)


@hookimpl
def score(item: Item, completion: str) -> Verdict:
    """Judge a completion."""
    from harness_vltl.answers import score

    return score.score(item, completion)


@hookimpl
def check(item: Item) -> list[str]:
    """Check the item's certificate."""
    from harness_vltl import certificate

    return certificate.errors(item)


@hookimpl
def adopt(record: dict[str, Any], config: dict[str, Any], format: str) -> Item | None:  # noqa: A002 (the hook's name)
    """Read a record of the published JSONL."""
    from harness_vltl.published import adopt

    return adopt.adopt(record, config, format)


@hookimpl
def publish(item: Item, format: str, record: dict[str, Any]) -> dict[str, Any] | None:  # noqa: A002 (the hook's name)
    """Write a record of the published JSONL."""
    from harness_vltl.published import publish

    return publish.publish(item, format, record)


@hookimpl
def audit(item: Item) -> list[dict[str, str]]:
    """Say in what way an item measures less than it claims."""
    from harness_vltl.published import audit

    return audit.audit(item)


@hookimpl
def readings(item: Item) -> dict[str, dict[str, bool]]:
    """Hold the label against each way to read traces, formulas and sentences."""
    from harness_vltl.published import readings

    return readings.readings(item)


@hookimpl
def shortcuts() -> tuple[Shortcut, ...]:
    """Name the cheap ways to answer."""
    from harness_vltl import shortcuts

    return shortcuts.SHORTCUTS


@hookimpl
def shortcut(item: Item, name: str, rng: Random) -> str:
    """Answer with one of them."""
    from harness_vltl import shortcuts

    return shortcuts.shortcut(item, name, rng)


@hookimpl
def capacity(config: dict[str, Any]) -> int | None:
    """Count the distinct items of a small configuration."""
    from harness_vltl import generate

    return generate.capacity(config)


@hookimpl
def explain(item: Item) -> str | None:
    """Write a worked solution."""
    from harness_vltl.answers import explain

    return explain.worked(item)


@hookimpl
def stage_prompt(item: Item, stage: str, replies: dict[str, str]) -> str:
    """Ask one stage of an end-to-end translation."""
    from harness_vltl.answers import stages

    return stages.prompt(item, stage, replies)


@hookimpl
def stage_gold(item: Item, stage: str) -> str:
    """Reply to a stage as a perfect model would."""
    from harness_vltl.answers import stages

    return stages.gold(item, stage)


@hookimpl
def stage_join(item: Item, replies: dict[str, str]) -> str:
    """Put the stages' replies together."""
    from harness_vltl.answers import stages

    return stages.joined(item, replies)


@hookimpl
def trace(item: Item) -> str | None:
    """Write the complete solution step by step, with the answer."""
    from harness_vltl.traces import writer

    return writer.written(item)


@hookimpl
def reread(item: Item, text: str) -> list[str]:
    """Hold every claim of such a solution against the item."""
    from harness_vltl.traces import reader

    return reader.findings(item, text)


@hookimpl
def prove(item: Item) -> dict[str, Any] | None:
    """Return what a checker needs beside prompt and label; None where it does not know how to judge."""
    from harness_vltl import certificate

    return certificate.prove(item)


@hookimpl
def render(item: Item, format: str) -> str | None:  # noqa: A002 (the hook's own name)
    """Write the requirement as a sentence, or the problem as JSON, or draw it."""
    if format == "svg":
        from harness_vltl import draw

        return draw.svg(item)
    from harness import canonical_json

    if format != "text":
        return canonical_json(item.problem)
    return str(item.problem.get("sentence") or item.problem.get("lifted") or item.prompt)
