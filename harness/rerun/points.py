"""From Python's values, or those of a file, to the points of a sweep that they describe."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from harness_errors import SpecError

from harness.core.features import settings
from harness.core.hookspecs import Benchmark
from harness.core.words import axis, combined


def points(
    benchmark: Benchmark,
    settings: Mapping[str, Any],
    allowed: Iterable[str],
    texts: Mapping[str, list[str]] | None = None,
) -> list[dict[str, Any]]:
    """Return the values of each point of a sweep over lists, for `harness.core.spec.make`; None is no value.

    ``texts`` are values as words have them, which go before those given.

    Raises:
        SpecError: an unknown preset, a sweep of nothing, too many points.
    """
    texts = texts or {}
    plain = {key: _plain(value) for key, value in settings.items() if value is not None}
    chosen = texts["preset"] if "preset" in texts else plain.pop("preset", None)
    if isinstance(chosen, list) and (len(chosen) != 1 or "preset" not in texts):
        raise SpecError("preset takes one name, not a sweep")
    name = chosen[0] if isinstance(chosen, list) else None if chosen is None else str(chosen)
    axes = {key: _listed(benchmark, key, value) for key, value in plain.items() if key != "preset"}
    axes |= {key: axis(benchmark, key, text) for key, text in texts.items() if key != "preset"}
    return [*combined(benchmark, name, axes, frozenset(allowed))]


def values_of(benchmark: Benchmark, texts: Mapping[str, list[str]]) -> dict[str, Any]:
    """Return words as `points` takes them: a value, or the list of a sweep."""
    axes = {key: axis(benchmark, key, text) for key, text in texts.items()}
    return {key: values[0] if len(values) == 1 else values for key, values in axes.items()}


def _listed(benchmark: Benchmark, key: str, value: Any) -> list[Any]:
    """Return the points of a sweep over one key: of a list its elements, where the key does not take lists."""
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
