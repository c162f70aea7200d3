"""From Python values to validated settings, one or a sweep of them, with the errors of the command line."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from harness_errors import SpecError

from harness.core.features import reserved, settings
from harness.core.hookspecs import Benchmark
from harness.core.plugins import Plugin, registry
from harness.core.spec import MAX_POINTS, Spec, make, preset
from harness.rerun.own_process import Point


def one(plugin: Plugin, given: Mapping[str, Any], allowed: Iterable[str]) -> Spec:
    """Return the one setting that values describe; ``allowed`` are the core keys that apply.

    Raises:
        SpecError: a key, value or preset that does not fit, or more than one setting.
    """
    axes = _axes(plugin.benchmark, given, frozenset(allowed))
    wide = next((key for key, values in axes.items() if len(values) > 1), None)
    if wide is not None:
        raise SpecError(
            f"{wide}={str(axes[wide])[:80]}: one value of each key is taken, not a sweep"
        )
    return make(plugin, {key: values[0] for key, values in axes.items()}, allowed)


def sweep(
    plugins: Sequence[str], given: Mapping[str, Any], allowed: Iterable[str]
) -> tuple[Point, ...]:
    """Return a point for each combination of the values of lists; each has been validated.

    Raises:
        PluginError: no such benchmark.
        SpecError: a key, value or preset that does not fit, an empty list, or too many combinations.
    """
    known, points = frozenset(allowed), list[Point]()
    if not plugins:
        raise SpecError("plugin=[]: a sweep of nothing; give at least one name")
    for name in plugins:
        plugin = registry().get(name)
        axes = _axes(plugin.benchmark, given, known)
        if math.prod(map(len, axes.values())) > MAX_POINTS:
            raise SpecError(f"the sweep has more than {MAX_POINTS} runs")
        for values in itertools.product(*axes.values()):
            point = dict(zip(axes, values, strict=True))
            make(plugin, point, known)
            points.append(Point(name, point))
    return tuple(points)


def _axes(
    benchmark: Benchmark, given: Mapping[str, Any], allowed: frozenset[str]
) -> dict[str, list[Any]]:
    """Return the values of each key, one or those of a sweep; a preset's come first, and are overridden."""
    given = {key: _plain(value) for key, value in given.items() if value is not None}
    axes: dict[str, list[Any]] = {}
    chosen = given.pop("preset", None)
    if isinstance(chosen, list):
        raise SpecError("preset takes one name, not a sweep")
    for key, value in (preset(benchmark, str(chosen)) if chosen is not None else {}).items():
        if key in allowed or key not in reserved():
            axes[key] = list(value) if isinstance(value, tuple) else [value]
    for key, value in given.items():
        axes[key] = _values(benchmark, key, value)
    return axes


def _values(benchmark: Benchmark, key: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        return [value]
    if not value:
        raise SpecError(f"{key}=[]: a sweep of nothing; give at least one value")
    if not _takes_list(benchmark, key) or all(isinstance(part, list) for part in value):
        return value
    return [value]


def _takes_list(benchmark: Benchmark, key: str) -> bool:
    if key in settings():
        return settings()[key].type == "list"
    schema = benchmark.config_schema["properties"].get(key, {})
    return bool(schema.get("type") == "array")


def _plain(value: Any) -> Any:
    """Return what JSON has for Python's own sequences, for paths, and for numbers and arrays of NumPy."""
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, list | tuple | range):
        return [_plain(part) for part in value]
    if type(value).__module__.partition(".")[0] in ("numpy", "pandas"):
        return _plain(value.tolist()) if hasattr(value, "tolist") else value
    return value


def typed(spec: Spec) -> str:
    """Return a setting in a line, as it would be typed: what is a default is left out."""
    options = {key: spec.options.get(key) for key in ("dataset", "n", "seed", "split")}
    changed = {k: v for k, v in options.items() if v not in (None, settings()[k].default)}
    values = {**spec.shown, **changed}
    return " ".join([spec.plugin, *(f"{key}={value}" for key, value in values.items())])
