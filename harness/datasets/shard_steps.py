"""The steps to a dataset in shards: drafts, what must be drawn again, the shards in their places."""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harness_errors import EngineError, OutputError

from harness.core import fresh
from harness.core.items import digest
from harness.core.plugins import Plugin
from harness.core.spec import Spec
from harness.datasets import engines, features, manifests, proofs
from harness.datasets.engines import Engine
from harness.datasets.features import DISTINCT, Column, Counts, widen
from harness.datasets.progress import Making
from harness.datasets.shard_finish import drafted, finished
from harness.datasets.shard_worker import RECORD, WORK, parts_of
from harness.datasets.storage import Storage

EVERY = 0.5  # seconds between two looks at how far the workers are
READERS = 16  # small files that are read at a time; some storages take long for each
AGAIN = f"{WORK}/redrawn.json"

Again = list[tuple[int, int]]
"""Positions that are drawn again, in order, with their attempts."""


@dataclass(frozen=True, slots=True)
class Shard:
    """A range of positions, and the name of the file that holds them."""

    name: str
    start: int
    stop: int


Task = tuple[Shard, tuple[Any, ...]]
"""What a worker does something for, and what it is given beside."""


class Steps:
    """One dataset on its way: drafts of all shards, what must be drawn again, the shards themselves."""

    def __init__(
        self, plugin: Plugin, spec: Spec, store: Storage, shards: list[Shard],
        job: dict[str, Any], engine: Engine,
    ) -> None:  # fmt: skip
        self._plugin, self._spec, self.store, self._shards = plugin, spec, store, shards
        self._job, self._engine = job, engine
        self._columns: dict[str, Column] = {}
        self._whole = (0, 0, 0)  # items, draws and rejections of the shards that are drafted
        self._begun: dict[str, Shard] = {}  # those that workers are at

    def all(self, folder: Path) -> dict[str, Any]:
        """Do everything; return the manifest."""
        again = self._kept_again() if self._spec.unique else []
        self._drafts(again is None)
        if again is None:
            again = self._again(folder)
        if self._spec.to == "parquet":
            self._widen(again)
        return self._manifest(self._finished(again))

    def _run(self, function: str, shard: Shard, *more: Any) -> Any:
        """Have a worker do something for a shard; a worker that dies is replaced, and the work goes on."""
        job = {**self._job, "name": shard.name, "start": shard.start, "stop": shard.stop}
        left, reached = engines.TRIES, self._reached(shard)
        while True:
            try:
                return self._engine.call(f"harness.datasets.{function}", job, *more)
            except EngineError as error:
                left, before, reached = left - 1, reached, self._reached(shard)
                if reached > before:
                    left = engines.TRIES
                if not left:
                    message = str(error)
                    at = "" if shard.name in message else f"{shard.name}, from index {reached} on: "
                    raise EngineError(f"{at}{message}; what is finished is kept") from None

    def _map(
        self, function: str, tasks: Sequence[Task], tick: Callable[[], object]
    ) -> Iterator[tuple[Shard, Any]]:
        def work(task: Task) -> Any:
            shard, more = task
            self._begun[shard.name] = shard
            return self._run(function, shard, *more)

        workers = min(self._engine.workers, max(1, len(tasks)))
        for (shard, _), result in engines.unordered(work, tasks, workers, tick, EVERY):
            del self._begun[shard.name]
            yield shard, result

    def _drafts(self, identities: bool) -> None:
        """Have all shards drafted that are not yet, or whose ``identities`` are needed and lost."""
        names = self.store.names(WORK)

        def kept(shard: Shard) -> dict[str, Any] | None:
            if names.isdisjoint({f"{shard.name}.done", f"{shard.name}.json"}):
                return None
            draft = finished(self.store, shard.name) or drafted(self.store, shard.name)
            lost = draft is not None and identities and self._identities(shard, draft) is None
            return None if lost else draft

        with Making(self._spec.n) as shown:
            tasks: list[Task] = []
            for shard, draft in engines.ordered(kept, self._shards, READERS):
                if draft is None:
                    tasks.append((shard, ()))
                else:
                    self._drafted(draft, shown)
            self._look(shown, [shard for shard, _ in tasks] if names else [])
            shown.begin()
            for _, draft in self._map("shard_draft:draft", tasks, lambda: self._look(shown)):
                self._drafted(draft, shown)

    def _drafted(self, draft: dict[str, Any], shown: Making) -> None:
        self._join(draft["features"])
        items, draws, rejected = self._whole
        rejected += sum(draft["rejected"].values())
        self._whole = (items + draft["items"], draws + draft["draws"], rejected)
        self._look(shown)

    def _look(self, shown: Making, begun: Sequence[Shard] | None = None) -> None:
        """Show how far the workers are, as far as their unfinished files can be seen."""
        shards = list(self._begun.values()) if begun is None else begun
        counts = [self._whole, *map(self._record, shards)]
        items, draws, rejected = (sum(part) for part in zip(*counts, strict=True))
        shown.at(items, draws, rejected)

    def _record(self, shard: Shard) -> tuple[int, int, int]:
        """Return items, draws and rejections of a shard that is being drafted."""
        if self.store.local is None:
            return 0, 0, 0
        work = self.store.local / WORK
        for path in (work / f"{shard.name}.partial" / "ids.partial", work / f"{shard.name}.ids"):
            with suppress(OSError), path.open("rb") as file:
                items = file.seek(0, 2) // RECORD.size
                if not items:
                    break
                file.seek((items - 1) * RECORD.size)
                _, draws, rejected = RECORD.unpack(file.read(RECORD.size))
                return items, draws, rejected
        return 0, 0, 0

    def _reached(self, shard: Shard) -> int:
        return shard.start + self._record(shard)[0]

    def _identities(self, shard: Shard, draft: Mapping[str, Any]) -> bytes | None:
        """Return the identities of a shard's items (`RECORD` each); None: they are lost."""
        data = self.store.read(f"{WORK}/{shard.name}.ids")
        return data if data and hashlib.sha256(data).hexdigest() == draft["ids"] else None

    def _kept_again(self) -> Again | None:
        """Return what `_again` found when it was called before, if it was."""
        kept = json_of(self.store.read(AGAIN))
        try:
            return [(int(index), int(attempt)) for index, attempt in kept]
        except (TypeError, ValueError):
            return None

    def _again(self, folder: Path) -> Again:
        """Return the positions to be drawn again; kept for when this is called again."""
        import numpy as np

        from harness.datasets.uniqueness import Index, redrawn_by

        record = np.dtype([("high", ">u8"), ("low", ">u2"), ("draws", ">u4"), ("rejected", ">u4")])
        index = Index(folder, self._spec.n)

        def read(shard: Shard) -> bytes | None:
            return self.store.read(f"{WORK}/{shard.name}.ids")

        for shard, data in engines.ordered(read, self._shards, READERS):
            if data is None or len(data) != RECORD.size * (shard.stop - shard.start):
                raise OutputError(
                    f"{self.store.path(WORK)}/{shard.name}.ids: changed since it was written; "
                    "the same command makes it anew"
                )
            index.add(shard.start, np.frombuffer(data, record))
        with self.store.failures_named(WORK):
            index.sort()
        with Making(len(index.repeated), what="repeated items drawn again") as shown:
            try:
                positions = redrawn_by(
                    self._engine, self._job, self._plugin, self._spec, index,
                    lambda done, known: shown.at(done, total=known),
                )  # fmt: skip
            except EngineError as error:
                raise EngineError(f"{error}; what is finished is kept") from None
        again = sorted(positions.items())
        self.store.write(AGAIN, json.dumps(again).encode())
        return again

    def _widen(self, again: Again) -> None:
        """Make room in the columns for items that are drawn again."""
        parts = [(shard, _within(again, shard)) for shard in self._shards]
        tasks: list[Task] = [(shard, (positions,)) for shard, positions in parts if positions]
        for _, columns in self._map("shard_worker:features", tasks, lambda: None):
            self._join(columns)

    def _join(self, columns: Mapping[str, Any]) -> None:
        widen(self._columns, {name: Column(*parts) for name, parts in columns.items()})

    def _finished(self, again: Again) -> list[dict[str, Any]]:
        """Have all shards put in their places; return what each is, in order."""
        columns = parts_of(self._columns) if self._spec.to == "parquet" else {}
        tasks: list[Task] = [(shard, (_within(again, shard), columns)) for shard in self._shards]
        results: dict[str, dict[str, Any]] = {}
        with Making(self._spec.n, what="items in their places") as shown:
            done = 0
            for shard, result in self._map("shard_finish:finish", tasks, lambda: None):
                results[shard.name] = result
                done += result["items"]
                shown.at(done)
        return [results[shard.name] for shard in self._shards]

    def _manifest(self, finished: Sequence[dict[str, Any]]) -> dict[str, Any]:
        tally, targets = manifests.Tally(), Counts()
        for shard in finished:
            tally.draws += shard["draws"]
            tally.rejected.update(shard["rejected"])
            targets.join(shard["targets"])
        files = [{k: shard[k] for k in ("file", "items", "bytes", "sha256")} for shard in finished]
        few = {**self._spec.options, "n": min(self._spec.n, proofs.SAMPLE)}
        first = [*fresh.items(self._plugin, replace(self._spec, options=few))]
        return {
            **manifests.head(self._plugin, self._spec),
            "items": sum(shard["items"] for shard in finished),
            "targets": features.shown(targets.values, f"more than {DISTINCT}, or long"),
            **tally.summary(),
            **proofs.of_sample(self._plugin, first, foreign=False),
            "sha256": digest([shard["sha256"] for shard in files]),
            "shards": files,
            **manifests.about_of(self._plugin, self._spec),
        }


def _within(again: Again, shard: Shard) -> Again:
    """Return the positions of a shard that are drawn again."""
    return again[bisect_left(again, (shard.start,)) : bisect_left(again, (shard.stop,))]


def json_of(text: bytes | None) -> Any:
    """Return what a small file says; None: nothing that can be read."""
    try:
        return json.loads(text or b"")
    except (ValueError, RecursionError):
        return None
