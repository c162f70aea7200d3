"""Which positions must be drawn again so that no problem comes twice, in flat memory, by all workers of an engine.

The result is that of going through the positions in order and drawing each again until its problem is none of
those before (`harness.datasets.dataset.fresh`); but all first draws are there already, made in any order.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from harness_errors import EngineError

from harness.core import fresh
from harness.core.plugins import Plugin
from harness.core.spec import Spec
from harness.datasets import engines
from harness.datasets.engines import Engine
from harness.datasets.progress import Making
from harness.datasets.shard_worker import identity_of, job_of

BATCH = 256  # draws of one task
PART = 2_000_000  # identities that are sorted in memory at a time
WINDOW = 16  # batches of positions that are drawn for before their turn
PATIENCE = 256  # draws of a position before its turn
_ROW = np.dtype([("high", "<u8"), ("low", "<u2"), ("index", "<i8")])

_IDENTITY = np.dtype([("high", ">u8"), ("low", ">u2")])

Wanted = list[tuple[int, int]]
Draw = Callable[[Wanted], list[bytes]]
"""From (index, attempt) to identities of 10 bytes."""


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
    index = Index(folder, spec.n)
    starts = range(0, spec.n, BATCH)
    ranges = ([(at, 0) for at in range(start, min(start + BATCH, spec.n))] for start in starts)
    with Making(spec.n, what="items gone through") as shown:
        for part, identities in _drawn(engine, job, ranges):
            index.add(part[0][0], np.frombuffer(b"".join(identities), _IDENTITY))
            shown.at(part[-1][0] + 1)
    index.sort()
    again = redrawn_by(engine, job, plugin, spec, index)
    chosen = set(_draws(engine, job, sorted(again.items())))

    def taken(problem: str) -> bool:
        identity = identity_of(problem)
        return identity in chosen or index.first(identity) is not None

    return again, taken


def redrawn_by(
    engine: Engine,
    job: dict[str, Any],
    plugin: Plugin,
    spec: Spec,
    index: Index,
    tick: Callable[[int, int], None] = lambda done, known: None,
) -> dict[int, int]:
    """Return what `redrawn` does, drawn by all workers of an engine."""

    def refused(position: int, attempt: int) -> None:
        fresh.give_up(plugin, spec, position, attempt, position)

    return redrawn(index, partial(_draws, engine, job), BATCH * engine.workers, refused, tick)


def _draws(engine: Engine, job: dict[str, Any], wanted: Wanted) -> list[bytes]:
    parts = (wanted[at : at + BATCH] for at in range(0, len(wanted), BATCH))
    return [identity for _, identities in _drawn(engine, job, parts) for identity in identities]


def _drawn(
    engine: Engine, job: dict[str, Any], parts: Iterable[Wanted]
) -> Iterator[tuple[Wanted, list[bytes]]]:
    """Yield parts with the identities of their items; a worker that dies is replaced."""

    def drawn(part: Wanted) -> list[bytes]:
        for left in range(engines.TRIES - 1, -1, -1):
            try:
                ids = engine.call("harness.datasets.shard_worker:draws", job, part)
                return [bytes.fromhex(text) for text in ids]
            except EngineError as error:
                if not left:
                    raise EngineError(f"from index {part[0][0]} on: {error}") from None
        raise AssertionError

    return engines.ordered(drawn, parts, engine.workers)


class Index:
    """The identities of all first draws, sorted in parts on disk; ``repeated`` are positions that repeat one."""

    def __init__(self, folder: Path, total: int) -> None:
        self._parts = max(1, -(-total // PART))
        self._paths = [folder / f"part-{number}" for number in range(self._parts)]
        self._rows: list[Any] = []
        self._new: list[Any] = []
        self._waiting = 0
        self.repeated: list[int] = []
        for path in self._paths:
            path.write_bytes(b"")

    def add(self, start: int, identities: np.ndarray[Any, Any]) -> None:
        """Take in the identities (``high`` and ``low``) of consecutive positions."""
        rows = np.empty(len(identities), _ROW)
        rows["high"], rows["low"] = identities["high"], identities["low"]
        rows["index"] = np.arange(start, start + len(identities))
        self._new.append(rows)
        self._waiting += len(rows)
        if self._waiting >= PART // 4:  # many at a time: each goes to every part
            self._flush()

    def _flush(self) -> None:
        if not self._new:
            return
        rows = np.concatenate(self._new)
        self._new, self._waiting = [], 0
        owner = rows["high"] % self._parts
        for number, path in enumerate(self._paths):
            with path.open("ab") as file:
                file.write(rows[owner == number].tobytes())

    def sort(self) -> None:
        """Sort all parts; call it once, when all identities are there."""
        self._flush()
        repeated = []
        for path in self._paths:
            rows = np.fromfile(path, _ROW)
            rows = rows[np.lexsort((rows["index"], rows["low"], rows["high"]))]
            rows.tofile(path)
            self._rows.append(np.memmap(path, _ROW, "r") if len(rows) else rows)
            same = (rows["high"][1:] == rows["high"][:-1]) & (rows["low"][1:] == rows["low"][:-1])
            repeated += rows["index"][1:][same].tolist()
        self.repeated = sorted(repeated)

    def first(self, identity: bytes) -> int | None:
        """Return the first position whose first draw has an identity."""
        high, low = int.from_bytes(identity[:8], "big"), int.from_bytes(identity[8:], "big")
        rows = self._rows[high % self._parts]
        # Not searchsorted(): of one field it copies the whole column first.
        at = bisect_left(rows, high, key=lambda row: int(row["high"]))
        while at < len(rows) and rows["high"][at] == high:
            if rows["low"][at] == low:
                return int(rows["index"][at])
            at += 1
        return None


def redrawn(
    index: Index,
    draw: Draw,
    batch: int,
    refused: Callable[[int, int], None],
    tick: Callable[[int, int], None] = lambda done, known: None,
) -> dict[int, int]:
    """Return the positions that are drawn again, with the attempt that gives each a problem of its own.

    ``draw`` is given up to ``batch`` draws at a time; ``refused`` is told of a position and how often it was drawn
    in vain, in order, and may raise; ``tick`` how many positions are done, and how many are known by now.
    """
    ahead = _Ahead(index, draw, batch)
    attempts: dict[int, int] = {}
    while (position := ahead.first()) is not None:
        attempt, identity = ahead.settle(position, refused)
        attempts[position] = attempt
        holder = index.first(identity)
        if holder is not None:  # it came to have a problem that is taken now
            ahead.add(holder)
        tick(len(attempts), len(attempts) + ahead.known)
    return attempts


class _Ahead:
    """Positions that are to be drawn again, in order, and draws for the next of them, made in batches.

    What a draw gives is looked up at once: most of those in vain are known for that long before their turn.
    """

    def __init__(self, index: Index, draw: Draw, batch: int) -> None:
        self._index, self._draw, self._batch = index, draw, batch
        self._waiting = list(index.repeated)  # a heap, as it is sorted
        self._next: list[int] = []  # a heap: those that are drawn for
        self._attempt: dict[
            int, int
        ] = {}  # of these, how many draws there were, and the last if it may do
        self._drawn: dict[int, bytes] = {}
        self._idle: dict[int, None] = {}  # of these, those whose last draw was in vain
        self._chosen: set[bytes] = set()

    @property
    def known(self) -> int:
        """How many positions are to be drawn again, as far as is known."""
        return len(self._waiting) + len(self._next)

    def add(self, position: int) -> None:
        """Have a later position drawn again, too."""
        heapq.heappush(self._waiting, position)

    def first(self) -> int | None:
        """Return the first position that is left."""
        while self._waiting and (
            len(self._next) < WINDOW * self._batch or self._waiting[0] < self._next[0]
        ):
            position = heapq.heappop(self._waiting)
            heapq.heappush(self._next, position)
            self._attempt[position] = 0
            self._idle[position] = None
        return self._next[0] if self._next else None

    def settle(self, position: int, refused: Callable[[int, int], None]) -> tuple[int, bytes]:
        """Return attempt and identity of the draw that the first position is to have; it is left no more."""
        reported = 0
        while True:
            last = self._drawn.get(position)
            good = last is not None and last not in self._chosen
            in_vain = self._attempt[position] - good
            for attempt in range(reported + 1, in_vain + 1):
                refused(position, attempt)
            reported = in_vain
            if good:
                break
            if self._drawn.pop(position, None) is not None:  # taken since it was drawn
                self._idle[position] = None
            self._round(position)
        heapq.heappop(self._next)
        identity = self._drawn.pop(position)
        self._chosen.add(identity)
        return self._attempt.pop(position), identity

    def _round(self, first: int) -> None:
        """Draw once for all that lack a draw, as far as one batch goes, and more often for the first."""
        tries = self._attempt[first]
        wanted = [(first, tries + 1 + more) for more in range(min(1 + tries // 2, self._batch))]
        for position in self._idle:
            if len(wanted) >= self._batch:
                break
            if position != first and self._attempt[position] < PATIENCE:
                wanted.append((position, self._attempt[position] + 1))
        for (position, attempt), identity in zip(wanted, self._draw(wanted), strict=True):
            if (
                position in self._drawn
            ):  # the first one, which was drawn for more often than it took
                continue
            self._attempt[position] = attempt
            if not self._taken(position, identity):
                self._drawn[position] = identity
                del self._idle[position]

    def _taken(self, position: int, identity: bytes) -> bool:
        if identity in self._chosen:
            return True
        holder = self._index.first(identity)
        return holder is not None and holder <= position
