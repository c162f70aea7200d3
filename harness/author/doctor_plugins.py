"""What the doctor asks in a guarded worker: a plugin that crashes there, or takes a library with it, is one line."""

from __future__ import annotations

import os
import platform
import sys
from functools import cache
from typing import Any

from harness_errors import HarnessError

from harness.audit.item import opinion
from harness.core import fresh, plugins
from harness.core.installed import sources
from harness.core.items import Item
from harness.core.plugins import Plugin
from harness.core.spec import make


def alive() -> dict[str, Any]:
    """Return what runs here."""
    return {"python": platform.python_version(), "executable": sys.executable, "pid": os.getpid()}


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
    found = plugins.load(one for one in sources() if one[0] == name)
    if name in found.benchmarks:
        own = found.benchmarks[name]
        return {
            "kind": "benchmark",
            "version": own.benchmark.version,
            "engines": list(own.benchmark.engines),
        }
    if name in found.wrappers:
        return {"kind": "wrapper", "version": found.wrappers[name]}
    return {"kind": "failure", "why": found.failures.get(name, "it is not installed any more")}


def together() -> dict[str, Any]:
    """Return what fails, or is warned of, only once all plugins are there."""
    found = plugins.registry()
    return {"failures": found.failures, "warnings": list(found.warnings)}


def settings(name: str) -> list[dict[str, Any]]:
    """Return settings that make every engine's problems: a benchmark's own, and each of its tasks."""
    schema = _alone(name).benchmark.config_schema["properties"].get("task", {})
    return [{}, *({"task": task} for task in schema.get("enum", ()) if task != schema["default"])]


def problem(name: str, given: dict[str, Any], index: int) -> dict[str, Any]:
    """Return an item of such settings."""
    plugin = _alone(name)
    return fresh.one(plugin, make(plugin, {**given, "n": index + 1}), index).to_dict()


def solved(name: str, data: dict[str, Any], engine: str) -> dict[str, Any]:
    """Return what an engine thinks of an item's label; see `harness.audit.item.opinion`."""
    item = Item(**data)
    found = opinion(_alone(name), item, item.problem, engine)
    return {key: found[key] for key in ("opinion", "answer", "message") if key in found}


@cache
def _alone(name: str) -> Plugin:
    found = plugins.load(one for one in sources() if one[0] == name)
    if name not in found.benchmarks:
        raise HarnessError(found.failures.get(name, "it is no benchmark"))
    return found.benchmarks[name]
