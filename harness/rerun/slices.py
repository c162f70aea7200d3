"""A run in shards: which of its items belong to one of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from harness_errors import HarnessError, SpecError

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
    found = _SHARD.fullmatch(spec.shard)
    number, shards = map(int, found.groups()) if found else (1, 0)
    if number > shards or spec.n is None:
        raise SpecError(f"shard={spec.shard[:80]}: expected k/N, the k-th of N shards of n=… items")
    return of(number, shards, spec.n)


def word(redrawn: Mapping[int, int], own: range) -> str | None:
    """Return what the key ``redrawn`` says of a shard: positions drawn again, and attempts; None: there are none."""
    found = [f"{index}:{redrawn[index]}" for index in own if index in redrawn]
    return " ".join(found) or None


def _redrawn(text: str) -> dict[int, int]:
    found = [_REDRAWN.fullmatch(part) for part in text.split()]
    if not all(found):
        raise SpecError(
            f"redrawn={text[:80]}: expected index:attempt, several with a space between"
        )
    return {int(one[1]): int(one[2]) for one in found if one}


def items(plugin: Plugin, spec: Spec) -> Iterator[Item]:
    """Yield the items of a shard; a bad record ends it.

    Raises:
        SpecError: the keys ``shard`` or ``redrawn`` cannot be read.
        DatasetError, PluginError: as `harness.datasets.dataset.load`.
    """
    own = places(spec)
    if spec.dataset is None:
        redrawn = _redrawn(spec.redrawn or "")
        for index in own:
            yield fresh.one(plugin, spec, index, redrawn.get(index, 0))
        return
    for found in islice(reading.records(plugin, spec), own.start, own.stop):
        if isinstance(found, HarnessError):
            raise found
        yield found
