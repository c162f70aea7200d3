"""Time Puzzles as a plugin: its hooks, each of which calls the module that does the work."""

from __future__ import annotations

from random import Random
from typing import Any

from harness import Benchmark, Item, Shortcut, Solution, Verdict, hookimpl


@hookimpl
def describe() -> Benchmark:
    """Describe the benchmark."""
    from harness_timepuzzles.config import BENCHMARK

    return BENCHMARK


@hookimpl
def generate(config: dict[str, Any], index: int, rng: Random, salt: str) -> Item:
    """Generate one puzzle or conversion whose answer two engines agree on."""
    from harness_timepuzzles import generate
    from harness_timepuzzles.conversions import items

    items.check_settings(config)
    makers = {"puzzle": generate.item, "convert": items.item}
    return makers[config["task"]](config, index, rng, salt)


@hookimpl
def solve(problem: Any, engine: str) -> Solution:
    """Derive the solution set with one engine."""
    from harness_timepuzzles import engines

    return engines.solve(problem, engine)


@hookimpl
def read(prompt: str) -> Any:
    """Read a prompt back into the formal problem."""
    from harness_timepuzzles import reading
    from harness_timepuzzles.conversions import problem

    return reading.read(prompt) or problem.read(prompt)


@hookimpl
def score(item: Item, completion: str) -> Verdict:
    """Judge a completion."""
    from harness_timepuzzles.answers import score

    return score.score(item, completion)


@hookimpl
def check(item: Item) -> list[str]:
    """Check the item's certificate."""
    from harness_timepuzzles import certificate
    from harness_timepuzzles.conversions import items

    return items.errors(item) if _converts(item) else certificate.errors(item)


@hookimpl
def adopt(record: dict[str, Any], config: dict[str, Any], format: str) -> Item | None:  # noqa: A002
    """Take over a published record."""
    from harness_timepuzzles.published import adopt

    return adopt.adopt(record, config, format)


@hookimpl
def publish(item: Item, format: str, record: dict[str, Any]) -> dict[str, Any] | None:  # noqa: A002
    """Say an item in the published form."""
    from harness_timepuzzles.published import publish

    return None if _converts(item) else publish.publish(item, format, record)


@hookimpl
def audit(item: Item) -> list[dict[str, str]]:
    """Find what the item does not measure."""
    from harness_timepuzzles.published import audit

    return [] if _converts(item) else audit.audit(item)


@hookimpl
def readings(item: Item) -> dict[str, dict[str, bool]]:
    """Hold the label against other readings of the clues."""
    from harness_timepuzzles.published import readings

    return readings.readings(item)


@hookimpl
def shortcuts() -> tuple[Shortcut, ...]:
    """Name the cheap ways to answer."""
    from harness_timepuzzles import shortcuts

    return shortcuts.SHORTCUTS


@hookimpl
def shortcut(item: Item, name: str, rng: Random) -> str:
    """Answer with one of them."""
    from harness_timepuzzles import shortcuts

    return shortcuts.shortcut(item, name, rng)


@hookimpl
def explain(item: Item) -> str | None:
    """Write a worked solution."""
    from harness_timepuzzles.answers import explain
    from harness_timepuzzles.conversions import items

    return items.worked(item) if _converts(item) else explain.worked(item)


@hookimpl
def trace(item: Item) -> str | None:
    """Write the complete solution step by step, with the answer."""
    from harness_timepuzzles.traces import writer

    return None if _converts(item) else writer.written(item)


@hookimpl
def reread(item: Item, text: str) -> list[str]:
    """Hold every claim of such a solution against the item."""
    from harness_timepuzzles.traces import reader

    return ["a conversion has no trace"] if _converts(item) else reader.findings(item, text)


@hookimpl
def prove(item: Item) -> dict[str, Any] | None:
    """Write the complete certificate of the label."""
    from harness_timepuzzles import proof

    return proof.prove(item)


@hookimpl
def render(item: Item, format: str) -> str | None:  # noqa: A002 (the hook's own name)
    """Write the problem as JSON, or draw it as calendar sheets."""
    if format == "svg":
        from harness_timepuzzles import draw

        return None if _converts(item) else draw.svg(item)
    from harness import canonical_json

    return canonical_json(item.problem)


def _converts(item: Item) -> bool:
    """Tell whether an item is a conversion, which has no clues."""
    from harness_timepuzzles.conversions.problem import is_conversion

    return is_conversion(item.problem)
