"""The features of this installation: each registers itself, and the core names none of them elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module

import pluggy

from harness.core import feature_hooks
from harness.core.option import Option, Scope

# The doors of our own rooms. The order decides who is asked first where several could answer: the last.
DEFAULT_FEATURES = (
    "harness.run.plugin",
    "harness.cli.plugin",
    "harness.datasets.plugin",
    "harness.aids.plugin",
    "harness.rerun.plugin",
    "harness.audit.plugin",
    "harness.training.plugin",
    "harness.report.plugin",
    "harness.kit.plugin",
    "harness.notebook.plugin",
    "harness.author.plugin",
)


@cache
def features() -> pluggy.PluginManager:
    """Return the manager with every feature registered, loaded once."""
    manager = pluggy.PluginManager(feature_hooks.PROJECT)
    manager.add_hookspecs(feature_hooks)
    for name in DEFAULT_FEATURES:
        manager.register(import_module(name), name=name)
    return manager


@cache
def options() -> Mapping[str, Option]:
    """Return every setting there is, by name, in the order in which features register them."""
    # Pluggy asks the last one first.
    parts = reversed(features().hook.register_options())
    return {option.name: option for part in parts for option in part}


@cache
def settings() -> Mapping[str, Option]:
    """Return the options that are part of a `Spec`."""
    return {name: one for name, one in options().items() if one.scope != "command"}


def keys_of(command: str) -> tuple[str, ...]:
    """Return the names of the options that a command takes."""
    return tuple(name for name, one in options().items() if command in one.commands)


def of_scope(*scopes: Scope) -> tuple[str, ...]:
    """Return the names of the settings of some scopes."""
    return tuple(name for name, one in settings().items() if one.scope in scopes)


# Words of the command line that no option has (yet), and that must not mean something else for a benchmark.
_KEPT = ("plugin", "preset", "model_args", "limit", "retry")


@cache
def reserved() -> frozenset[str]:
    """Return the names that no benchmark's configuration may use: ``n=5`` means the same for all of them."""
    return frozenset({*_KEPT, *options()})
