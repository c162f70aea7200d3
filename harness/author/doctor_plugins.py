"""What the doctor asks in a guarded worker: a plugin that crashes there, or takes a library with it, is one line."""

from __future__ import annotations

import platform
from functools import cache
from typing import Any

from harness_errors import HarnessError

from harness.audit.item import opinion
from harness.core import fresh, plugins
from harness.core.installed import sources
from harness.core.items import Item
from harness.core.plugins import Plugin, Registry
from harness.core.spec import make


def alive() -> str:
    """Return the version of Python that runs here."""
    return platform.python_version()


def inspect() -> str:
    """Return Inspect's version once it and our bridge to it, without any plugin, have been imported.

    Raises:
        EngineError: (the guard's) it cannot be imported.
    """
    import inspect_ai

    from harness.run import models  # noqa: F401

    return str(inspect_ai.__version__)


def load(name: str) -> dict[str, Any]:
    """Return what one plugin is, loaded without the others: its failure, or its version and engines."""
    registry = _alone(name)
    if name in registry.benchmarks:
        benchmark = registry.benchmarks[name].benchmark
        engines = list(benchmark.engines)
        return {"kind": "benchmark", "version": benchmark.version, "engines": engines}
    if name in registry.wrappers:
        return {"kind": "wrapper", "version": registry.wrappers[name]}
    return {"kind": "failure", "why": registry.failures.get(name, "it is not installed any more")}


def together() -> dict[str, Any]:
    """Return what fails, or is warned of, only once all plugins are there."""
    registry = plugins.registry()
    return {"failures": registry.failures, "warnings": list(registry.warnings)}


def settings(name: str) -> list[dict[str, Any]]:
    """Return settings that make every engine's problems: a benchmark's own, and each of its tasks."""
    schema = _benchmark(name).benchmark.config_schema["properties"].get("task", {})
    return [{}, *({"task": task} for task in schema.get("enum", ()) if task != schema["default"])]


def problem(name: str, settings: dict[str, Any], index: int) -> dict[str, Any]:
    """Return an item of such settings."""
    plugin = _benchmark(name)
    return fresh.item_at(plugin, make(plugin, {**settings, "n": index + 1}), index).to_dict()


def solved(name: str, data: dict[str, Any], engine: str) -> dict[str, Any]:
    """Return what an engine thinks of an item's label; see `harness.audit.item.opinion`."""
    item = Item(**data)
    result = opinion(_benchmark(name), item, item.problem, engine)
    return {key: result[key] for key in ("opinion", "answer", "message") if key in result}


@cache
def _alone(name: str) -> Registry:
    """Return a registry into which one plugin alone was loaded."""
    return plugins.load(source for source in sources() if source[0] == name)


def _benchmark(name: str) -> Plugin:
    registry = _alone(name)
    if name not in registry.benchmarks:
        raise HarnessError(registry.failures.get(name, "it is no benchmark"))
    return registry.benchmarks[name]
