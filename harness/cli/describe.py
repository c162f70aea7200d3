"""The command ``describe``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, replace

from harness_errors import HarnessError

from harness.cli.command import Found, one_spec
from harness.core import fresh
from harness.core.feature_hooks import Warn
from harness.core.items import Item
from harness.core.plugins import Plugin
from harness.core.spec import ITEMS, Spec
from harness.run import floors, stats
from harness.run.strategies import strategies

# What the benchmark itself says.
_SAID = (
    "name", "version", "summary", "licence", "citation", "config_schema", "presets", "levels", "engines",
    "headline", "choices", "shortcut_ceiling", "solution_features", "formats", "dataset_formats",
    "problem_schema", "answer_schema", "collision_rate",
)  # fmt: skip


def describe(words: Sequence[str], warn: Warn) -> Found:
    """Say what a benchmark is and which keys it takes."""
    spec, plugin = one_spec(words, "describe")
    benchmark = plugin.benchmark
    items = _items(plugin, spec, warn)
    scores = shortcut_scores(plugin, items)
    return {
        **{name: getattr(benchmark, name) for name in _SAID},
        "strategies": {name: s.summary for name, s in strategies(benchmark).items()},
        "stages": {s.name: list(s.stages) for s in strategies(benchmark).values() if s.stages},
        "metrics": {m.name: m.summary for m in (*benchmark.metrics, *benchmark.published)},
        "shortcuts": {
            s.name: {
                "score": scores.get(s.name),
                "summary": s.summary,
                "ignores": s.ignores,
                "tasks": list(s.tasks),
            }
            for s in plugin.shortcuts()
        },
        "shortcut_items": len(items),
        "weaknesses": {kind: asdict(weakness) for kind, weakness in benchmark.weaknesses.items()},
        "capacity": plugin.call("capacity", config=dict(spec.config)),
    }, 0


def shortcut_scores(plugin: Plugin, items: Sequence[Item]) -> dict[str, float]:
    """Return the headline of each shortcut on the items that it is for; left out where it is undefined."""
    headline = plugin.benchmark.headline_metric
    scores = {
        shortcut.name: stats.value_of(
            headline, [floors.shortcut_row(plugin, shortcut, item) for item in items]
        )
        for shortcut in plugin.shortcuts()
    }
    return {name: round(score, 6) for name, score in scores.items() if math.isfinite(score)}


def _items(plugin: Plugin, spec: Spec, warn: Warn) -> list[Item]:
    """Return the items that shortcuts are scored on; none, with a warning, where the settings yield too few."""
    # Problems may come again: small settings have few, and the last ones are long in coming.
    few = replace(spec, options={**spec.options, "n": min(spec.n or ITEMS, ITEMS), "unique": False})
    try:
        return [*fresh.items(plugin, few)] if plugin.shortcuts() else []
    except HarnessError as error:
        warn(f"these settings yield no items to score shortcuts on: {error}")
        return []
