"""The features of this installation: each registers itself, and the core names none of them elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cache
from importlib import import_module, metadata
from typing import Any

import pluggy
from harness_errors import HarnessError, PluginError, did_you_mean

from harness.core import feature_hooks
from harness.core.feature_hooks import Option, Scope

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


GROUP = "harness.features"
"""The entry point group of features of others."""


@cache
def features() -> pluggy.PluginManager:
    """Return the manager with every feature registered, loaded once."""
    manager = pluggy.PluginManager(feature_hooks.PROJECT)
    manager.add_hookspecs(feature_hooks)
    for name in DEFAULT_FEATURES:
        manager.register(import_module(name), name=name)
    for point in sorted(metadata.entry_points(group=GROUP), key=lambda point: point.name):
        try:
            _register(manager, point.name, point.load())
        # Foreign code: whatever it raises costs this one feature.
        except Exception as error:
            message = str(error) if isinstance(error, HarnessError) else repr(error)
            FAILURES[point.name] = " ".join(message.split())[:300]
    return manager


FAILURES: dict[str, str] = {}
"""Features that are installed and could not be registered, each with the reason."""


def _register(manager: pluggy.PluginManager, name: str, feature: Any) -> None:
    """Register a feature of somebody else's.

    Raises:
        PluginError: it has a hook that there is not, or an option that another feature has.
    """
    taken = {option.name for part in manager.hook.register_options() for option in part}
    manager.register(feature, name=name)
    try:
        for hook in manager.get_hookcallers(feature) or ():
            if hook.spec is None:
                known = [
                    option
                    for option, caller in vars(manager.hook).items()
                    if getattr(caller, "spec", None)
                ]
                raise PluginError(f"unknown hook '{hook.name}'; {did_you_mean(hook.name, known)}")
            if hook.name == "register_options":
                _check_options(feature.register_options(), taken)
    except BaseException:
        manager.unregister(feature)
        raise


def _check_options(options_given: Any, taken: Set[str]) -> None:
    for option in options_given:
        if not isinstance(option, Option):
            raise PluginError(
                f"register_options() returned {type(option).__name__}, expected options"
            )
        if option.name in taken or option.name in _KEPT:
            raise PluginError(f"the option '{option.name}' exists already: choose another name")


def _registered() -> dict[str, Option]:
    return _named(features().hook.register_options())


def _named(parts: Sequence[Iterable[Option]]) -> dict[str, Option]:
    # Pluggy asks the last one first.
    return {option.name: option for part in reversed(parts) for option in part}


_extended: list[bool] = []


def extend() -> None:
    """Have `options` hold those, too, that features know only once a large library is imported."""
    if not _extended:
        _extended.append(True)
        options.cache_clear()
        settings.cache_clear()


@cache
def options() -> Mapping[str, Option]:
    """Return every setting there is, by name, in the order in which features register them; see `extend`."""
    registered = _registered()
    return (
        {**registered, **_named(features().hook.late_options()), **registered}
        if _extended
        else registered
    )


@cache
def settings() -> Mapping[str, Option]:
    """Return the options that are part of a `Spec`."""
    return {name: option for name, option in options().items() if option.scope != "command"}


def keys_of(command: str) -> tuple[str, ...]:
    """Return the names of the options that a command takes."""
    return tuple(name for name, option in options().items() if command in option.commands)


def of_scope(*scopes: Scope) -> tuple[str, ...]:
    """Return the names of the settings of some scopes."""
    return tuple(name for name, option in settings().items() if option.scope in scopes)


# Words of the command line that no option has (yet), and that must not mean something else for a benchmark.
_KEPT = ("plugin", "preset", "difficulty", "limit", "retry")


@cache
def reserved() -> frozenset[str]:
    """Return the names that no benchmark's configuration may use: ``n=5`` means the same for all of them."""
    return frozenset({*_KEPT, *_registered()})
