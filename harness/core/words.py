"""From ``key=value`` words to the runs that they describe: a sweep takes every combination."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from harness_errors import SpecError, did_you_mean

from harness.core.features import reserved
from harness.core.hookspecs import Benchmark
from harness.core.plugins import Plugin, Registry
from harness.core.schemas import shown
from harness.core.spec import Spec, check_key, check_text, level, preset, schema_of, spec_of, typed

MAX_WORD = 20_000
MAX_POINTS = 10_000  # runs of a sweep


def parse(words: Sequence[str]) -> dict[str, list[str]]:
    """Split ``key=value`` words; a value with commas outside brackets and quotes is a sweep.

    Raises:
        SpecError: a word without ``=``, an empty key or value, a key given twice.
    """
    raw: dict[str, list[str]] = {}
    for word in words:
        check_text(word)
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise SpecError(f"'{word[:80]}' is not key=value")
        if len(value) > MAX_WORD:
            raise SpecError(
                f"{key}: the value has {len(value)} characters, at most {MAX_WORD} are read"
            )
        if key in raw:
            raise SpecError(f"'{key}' is given twice")
        raw[key] = _split(key, value)
    return raw


def _split(key: str, value: str) -> list[str]:
    parts, depth, quote, start = [], 0, "", 0
    for at, char in enumerate(value):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char in "[{":
            depth += 1
        elif char in "]}":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(value[start:at])
            start = at + 1
    parts.append(value[start:])
    parts = [part.strip() for part in parts]
    if not all(parts):
        raise SpecError(f"{key}={value[:80]}: a value is empty")
    return parts


def build(
    registry: Registry, words: Sequence[str], allowed: Iterable[str], taken: Iterable[str] = ()
) -> list[Spec]:
    """Return one spec per point of the sweep that the words describe.

    ``allowed`` are the core keys that the command at hand understands, ``taken`` those that it has taken out of the
    words itself, to be suggested.
    """
    raw = parse(words)
    names = raw.pop("plugin", None)
    if names is None:
        for key in get_close_matches("plugin", raw, n=1):
            raise SpecError(f"unknown key '{key}'; did you mean 'plugin'?")
        raise SpecError(f"plugin=… is missing; {did_you_mean('', registry.benchmarks)}")
    specs = []
    for name in names:
        plugin = registry.get(name)
        specs += _specs(plugin, raw, frozenset(allowed), tuple(taken))
    return specs


def _specs(
    plugin: Plugin, raw: Mapping[str, list[str]], allowed: frozenset[str], taken: Iterable[str]
) -> list[Spec]:
    benchmark = plugin.benchmark
    presets = raw.get("preset")
    if presets is not None and len(presets) != 1:
        raise SpecError("preset takes one name, not a sweep")
    settings = {key: texts for key, texts in raw.items() if key != "preset"}
    for key in settings:
        if key != "difficulty":
            check_key(benchmark, key, allowed, taken)
    chosen = presets[0] if presets else None
    axes = {key: axis(benchmark, key, texts) for key, texts in settings.items()}
    return [spec_of(plugin, point) for point in combined(benchmark, chosen, axes, allowed)]


def combined(
    benchmark: Benchmark,
    chosen: str | None,
    settings: Mapping[str, list[Any]],
    allowed: frozenset[str],
) -> Iterator[dict[str, Any]]:
    """Yield every combination of the values of each key.

    Those of a preset are overridden by those of a level of difficulty, and these by those of other keys.
    """
    axes: dict[str, list[Any]] = {}
    for key, value in (preset(benchmark, chosen) if chosen is not None else {}).items():
        if key in allowed or key not in reserved():
            axes[key] = list(value) if isinstance(value, tuple) else [value]
    axes |= settings
    if math.prod(map(len, axes.values())) > MAX_POINTS:
        raise SpecError(f"the sweep has more than {MAX_POINTS} runs")
    for values in itertools.product(*axes.values()):
        point = dict(zip(axes, values, strict=True))
        by_level = level(benchmark, point.pop("difficulty", None))
        yield point | {key: value for key, value in by_level.items() if key not in settings}


def axis(benchmark: Benchmark, key: str, texts: Sequence[str]) -> list[Any]:
    """Return the points of a sweep over one key; for a list, bare words are one point together."""
    schema = schema_of(benchmark, key)
    if schema.get("type") != "array":
        return [typed(schema, text) for text in texts]
    bracketed = [text.startswith("[") for text in texts]
    if all(bracketed):
        return [typed(schema, text) for text in texts]
    if any(bracketed):
        raise SpecError(
            f"{key}={shown(','.join(texts))}: "
            f"expected one list, {key}=a,b, or a sweep of lists, {key}=[a],[b,c]"
        )
    return [[typed(schema.get("items", {}), text) for text in texts]]
