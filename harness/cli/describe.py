"""The command ``describe``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from harness.cli.command import Found, one_spec
from harness.core.feature_hooks import Warn
from harness.run.strategies import strategies


def describe(words: Sequence[str], warn: Warn) -> Found:
    """Say what a benchmark is and which keys it takes."""
    spec, plugin = one_spec(words, "describe")
    benchmark = plugin.benchmark
    return {
        "name": benchmark.name,
        "version": benchmark.version,
        "summary": benchmark.summary,
        "licence": benchmark.licence,
        "citation": benchmark.citation,
        "config_schema": benchmark.config_schema,
        "presets": benchmark.presets,
        "strategies": {name: s.summary for name, s in strategies(benchmark).items()},
        "stages": {s.name: list(s.stages) for s in strategies(benchmark).values() if s.stages},
        "engines": list(benchmark.engines),
        "metrics": {m.name: m.summary for m in (*benchmark.metrics, *benchmark.published)},
        "headline": benchmark.headline,
        "choices": list(benchmark.choices),
        "formats": list(benchmark.formats),
        "dataset_formats": list(benchmark.dataset_formats),
        "weaknesses": {kind: asdict(weakness) for kind, weakness in benchmark.weaknesses.items()},
        "problem_schema": benchmark.problem_schema,
        "answer_schema": benchmark.answer_schema,
        "collision_rate": benchmark.collision_rate,
        "capacity": plugin.call("capacity", config=dict(spec.config)),
    }, 0
