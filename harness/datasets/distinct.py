"""Which positions of a spec repeat a problem, found by all workers of an engine before anything is made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from harness_errors import EngineError

from harness.core import fresh
from harness.core.plugins import Plugin
from harness.core.spec import Spec
from harness.datasets import engines
from harness.datasets.engines_local import Engine
from harness.datasets.progress import Making
from harness.datasets.shard_steps import TRIES
from harness.datasets.shard_worker import identity_of
from harness.datasets.shards import BATCH, job_of
from harness.datasets.uniqueness import Index, redrawn

_IDENTITY = np.dtype([("high", ">u8"), ("low", ">u2")])

Wanted = list[tuple[int, int]]


def distinct(
    plugin: Plugin, spec: Spec, engine: Engine, folder: Path
) -> tuple[dict[int, int], Callable[[str], bool]]:
    """Return the positions to be drawn again, with their attempts, and whether a problem may be an item's.

    ``folder`` holds what grows with the number of items. Of problems that no item has a few, drawn and not
    used, may count as an item's, too.

    Raises:
        EngineError: a worker failed.
        ExhaustedError: the settings have fewer distinct items.
    """
    fresh.check_room(plugin, spec)
    job = job_of(spec)

    def drawn(parts: Iterable[Wanted]) -> Iterator[tuple[Wanted, list[bytes]]]:
        return engines.ordered(lambda part: _drawn(engine, job, part), parts, engine.workers)

    def draw(wanted: Wanted) -> list[bytes]:
        batches = drawn(wanted[at : at + BATCH] for at in range(0, len(wanted), BATCH))
        return [identity for _, identities in batches for identity in identities]

    index = Index(folder, spec.n)
    starts = range(0, spec.n, BATCH)
    ranges = ([(at, 0) for at in range(start, min(start + BATCH, spec.n))] for start in starts)
    with Making(spec.n, what="items gone through") as shown:
        for part, identities in drawn(ranges):
            index.add(part[0][0], np.frombuffer(b"".join(identities), _IDENTITY))
            shown.at(part[-1][0] + 1)
    index.sort()

    def refused(position: int, attempt: int) -> None:
        fresh.give_up(plugin, spec, position, attempt, position)

    again = redrawn(index, draw, BATCH * engine.workers, refused)
    chosen = set(draw(sorted(again.items())))

    def taken(problem: str) -> bool:
        identity = identity_of(problem)
        return identity in chosen or index.first(identity) is not None

    return again, taken


def _drawn(engine: Engine, job: dict[str, Any], wanted: Wanted) -> list[bytes]:
    """Have a worker draw some items; one that dies is replaced."""
    for left in range(TRIES - 1, -1, -1):
        try:
            ids = engine.call("harness.datasets.shard_worker:draws", job, wanted)
            return [bytes.fromhex(text) for text in ids]
        except EngineError:
            if not left:
                raise
    raise AssertionError
