"""What is installed: the entry points of every distribution on the path, and what keeps one out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from importlib import metadata
from typing import Any, NoReturn

from harness_errors import PluginError

from harness.core import contract

GROUP = "harness"

# (name, what loads it, distribution, module)
Source = tuple[str, Callable[[], Any], str, str]


def sources() -> Iterator[Source]:
    """Yield what is installed, in the order of names; a package whose metadata cannot be read has nothing."""
    installed: dict[str, list[metadata.Distribution]] = {}
    for distribution in metadata.distributions():
        with suppress(ValueError, OSError, KeyError, TypeError, AttributeError):
            if _points(distribution):
                key = re.sub(r"[-_.]+", "-", distribution.name).lower()
                installed.setdefault(key, []).append(distribution)
    unsorted = [source for same in installed.values() for source in _sources_of(same)]
    yield from sorted(unsorted, key=lambda source: (source[0], source[2], source[3]))


def _points(distribution: metadata.Distribution) -> list[metadata.EntryPoint]:
    text = distribution.read_text("entry_points.txt") or ""
    return list(distribution.entry_points.select(group=GROUP)) if GROUP in text else []


def _sources_of(same: list[metadata.Distribution]) -> Iterator[Source]:
    """Yield the entry points of one distribution, which may lie on the path more than once.

    One that does in two versions has no version to name in a log, and its code may be of either.
    """
    first = same[0]
    other = next((copy for copy in same if copy.version != first.version), None)

    def refuse() -> NoReturn:
        assert other is not None
        places = " and ".join(
            f"{copy.version} in {copy.locate_file('')}" for copy in (first, other)
        )
        raise PluginError(f"two versions of {first.name} are installed, {places}; uninstall one")

    if other is None:
        yield from _sources_in(first)
        return
    for name in sorted({point.name for copy in same for point in _points(copy)}):
        yield name, refuse, first.name, ""


def _sources_in(distribution: metadata.Distribution) -> Iterator[Source]:
    """Yield the entry points of a distribution; one of another contract says so before it is imported."""
    points, package = _points(distribution), distribution.name
    group = distribution.entry_points.select(group=contract.STATED)
    stated = {point.name: point.value for point in group}
    astray = contract.astray(stated, [point.name for point in points])
    for point in points:
        # Not point.module: where the value is malformed it raises here, outside the plugin's own try.
        module = point.value.partition(":")[0].partition("[")[0].strip()
        why = astray or contract.refusal(stated.get(point.name), package)
        yield point.name, partial(_refuse, why) if why else point.load, package, module


def _refuse(why: str) -> NoReturn:
    raise PluginError(why)
