"""A run in shards: which of its items belong to one of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from harness_errors import SpecError

from harness.core import fresh
from harness.core.items import Item
from harness.core.plugins import Plugin
from harness.core.spec import Spec
from harness.datasets import reading

_SHARD = re.compile(r"([1-9]\d{0,6})/([1-9]\d{0,6})")
_REDRAWN = re.compile(r"(\d{1,15}):(\d{1,9})")


def of(number: int, shards: int, total: int) -> range:
    """Return the positions of a shard (from 1), all shards being as equal as can be."""
    return range(total * (number - 1) // shards, total * number // shards)


def places(spec: Spec) -> range:
    """Return the positions that the key ``shard`` of a spec names, ``3/16`` the third of sixteen.

    Raises:
        SpecError: it names none.
    """
    match = _SHARD.fullmatch(spec.shard)
    number, shards = map(int, match.groups()) if match else (1, 0)
    if number > shards or spec.n is None:
        raise SpecError(f"shard={spec.shard[:80]}: expected k/N, the k-th of N shards of n=… items")
    return of(number, shards, spec.n)


def word(redrawn: Mapping[int, int], indices: range) -> str | None:
    """Return what the key ``redrawn`` says of a shard: positions drawn again, and attempts; None: there are none."""
    parts = [f"{index}:{redrawn[index]}" for index in indices if index in redrawn]
    return " ".join(parts) or None


def items(plugin: Plugin, spec: Spec) -> Iterator[Item]:
    """Yield the items of a shard; a bad record ends it.

    Raises:
        SpecError: the keys ``shard`` or ``redrawn`` cannot be read.
        DatasetError, PluginError: as `harness.datasets.dataset.load`.
    """
    indices = places(spec)
    if spec.dataset is None:
        text = spec.redrawn or ""
        matches = [_REDRAWN.fullmatch(part) for part in text.split()]
        if not all(matches):
            why = "expected index:attempt, several with a space between"
            raise SpecError(f"redrawn={text[:80]}: {why}")
        redrawn = {int(match[1]): int(match[2]) for match in matches if match}
        for index in indices:
            yield fresh.item_at(plugin, spec, index, redrawn.get(index, 0))
        return
    yield from islice(reading.items(plugin, spec), indices.start, indices.stop)
