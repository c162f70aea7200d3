"""From Python values to validated settings, one or a sweep of them, with the errors of the command line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from harness_errors import SpecError

from harness.core.features import settings
from harness.core.plugins import Plugin, registry
from harness.core.spec import Spec, make
from harness.rerun.own_process import Point
from harness.rerun.points import points


def spec_of(plugin: Plugin, values: Mapping[str, Any], allowed: Iterable[str]) -> Spec:
    """Return the one setting that values describe; ``allowed`` are the core keys that apply.

    Raises:
        SpecError: a key, value or preset that does not fit, or more than one setting.
    """
    settings = points(plugin.benchmark, values, allowed)
    if len(settings) > 1:
        wide = next(key for key in settings[0] if settings[0][key] != settings[-1][key])
        raise SpecError(
            f"{wide}={str(values.get(wide, ''))[:80]}: one value of each key is taken, not a sweep"
        )
    return make(plugin, settings[0], allowed)


def sweep(
    plugins: Sequence[str], values: Mapping[str, Any], allowed: Iterable[str]
) -> tuple[Point, ...]:
    """Return a point for each combination of the values of lists; each has been validated.

    Raises:
        PluginError: no such benchmark.
        SpecError: a key, value or preset that does not fit, an empty list, or too many combinations.
    """
    if not plugins:
        raise SpecError("plugin=[]: a sweep of nothing; give at least one name")
    known = frozenset(allowed)
    runs = []
    for name in plugins:
        plugin = registry().get(name)
        for point in points(plugin.benchmark, values, known):
            make(plugin, point, known)
            runs.append(Point(name, point))
    return tuple(runs)


def typed(spec: Spec) -> str:
    """Return a setting in a line, as it would be typed: what is a default is left out."""
    options = {key: spec.options.get(key) for key in ("dataset", "n", "seed", "split")}
    changed = {k: v for k, v in options.items() if v not in (None, settings()[k].default)}
    values = {**spec.shown, **changed}
    return " ".join([spec.plugin, *(f"{key}={value}" for key, value in values.items())])
