"""The features of this installation: each registers itself, and the core names none of them elsewhere."""

from __future__ import annotations

from functools import cache
from importlib import import_module

import pluggy

from harness.core import feature_hooks

# The doors of our own rooms. The order decides who is asked first where several could answer: the last.
DEFAULT_FEATURES = (
    "harness.run.plugin",
    "harness.datasets.plugin",
    "harness.aids.plugin",
    "harness.rerun.plugin",
    "harness.notebook.plugin",
)


@cache
def features() -> pluggy.PluginManager:
    """Return the manager with every feature registered, loaded once."""
    manager = pluggy.PluginManager(feature_hooks.PROJECT)
    manager.add_hookspecs(feature_hooks)
    for name in DEFAULT_FEATURES:
        manager.register(import_module(name), name=name)
    return manager
