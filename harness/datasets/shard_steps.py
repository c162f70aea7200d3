"""The steps to a dataset in shards: drafts, what must be drawn again, the shards in their places."""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harness_errors import EngineError, OutputError

from harness.core import fresh, provenance
from harness.core.items import digest
from harness.core.plugins import Plugin
from harness.core.spec import Spec
from harness.datasets import engines, manifests, proofs, shard_facts
from harness.datasets.engines_local import Engine
from harness.datasets.progress import Making
from harness.datasets.shard_finish import drafted, finished
from harness.datasets.shard_worker import RECORD, WORK
from harness.datasets.storage import Storage

TRIES = 3  # of a task whose worker dies without having made one more item; the next goes on where it ended
EVERY = 0.5  # seconds between two looks at how far the workers are
BATCH = 256  # draws of one task
READERS = 16  # small files that are read at a time; some storages take long for each
AGAIN = f"{WORK}/redrawn.json"


@dataclass(frozen=True, slots=True)
class _Count:
    items: int
    draws: int
    rejected: int

    def plus(self, other: _Count) -> _Count:
        return _Count(
            self.items + other.items, self.draws + other.draws, self.rejected + other.rejected
        )


@dataclass(frozen=True, slots=True)
class Shard:
    """A range of positions, and the name of the file that holds them."""

    name: str
    start: int
    stop: int


class Steps:
    """One dataset on its way: drafts of all shards, what must be drawn again, the shards themselves."""

    def __init__(
        self, plugin: Plugin, spec: Spec, store: Storage, shards: list[Shard],
        job: dict[str, Any], engine: Engine,
    ) -> None:  # fmt: skip
        self._plugin, self._spec, self.store, self._shards = plugin, spec, store, shards
        self._job, self._engine = job, engine
        self._kinds: shard_facts.Kinds = {}
        self._whole = _Count(0, 0, 0)  # of the shards that are drafted
        self._begun: dict[str, Shard] = {}  # those that workers are at

    def all(self, folder: Path) -> dict[str, Any]:
        """Do everything; return the manifest."""
        again = self._kept_again() if self._spec.unique else {}
        self._drafts(again is None)
        if again is None:
            again = self._again(folder)
        if self._spec.to == "parquet":
            self._widen(again)
        return self._manifest(self._finished(again))

    def _of(self, shard: Shard) -> dict[str, Any]:
        return {**self._job, "name": shard.name, "start": shard.start, "stop": shard.stop}

    def _run(self, function: str, shard: Shard, *more: Any) -> Any:
        """Have a worker do something for a shard; a worker that dies is replaced, and the work goes on."""
        left, reached = TRIES, self._reached(shard)
        while True:
            try:
                return self._engine.call(f"harness.datasets.{function}", self._of(shard), *more)
            except EngineError as error:
                left, before, reached = left - 1, reached, self._reached(shard)
                if reached > before:
                    left = TRIES
                if not left:
                    message = str(error)
                    at = "" if shard.name in message else f"{shard.name}, from index {reached} on: "
                    raise EngineError(f"{at}{message}; what is finished is kept") from None

    def _map(
        self,
        function: str,
        tasks: Sequence[tuple[Shard, tuple[Any, ...]]],
        tick: Callable[[], object],
    ) -> Iterator[tuple[Shard, Any]]:
        def work(task: tuple[Shard, tuple[Any, ...]]) -> Any:
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
            tasks: list[tuple[Shard, tuple[Any, ...]]] = []
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
        shard_facts.join(self._kinds, draft["features"])
        more = _Count(draft["items"], draft["draws"], sum(draft["rejected"].values()))
        self._whole = self._whole.plus(more)
        self._look(shown)

    def _look(self, shown: Making, begun: Sequence[Shard] | None = None) -> None:
        """Show how far the workers are, as far as their unfinished files can be seen."""
        total = self._whole
        for shard in list(self._begun.values()) if begun is None else begun:
            total = total.plus(self._record(shard))
        shown.at(total.items, total.draws, total.rejected)

    def _record(self, shard: Shard) -> _Count:
        """Return items, draws and rejections of a shard that is being drafted."""
        if self.store.local is None:
            return _Count(0, 0, 0)
        work = self.store.local / WORK
        for path in (work / f"{shard.name}.partial" / "ids.partial", work / f"{shard.name}.ids"):
            with suppress(OSError), path.open("rb") as file:
                items = file.seek(0, 2) // RECORD.size
                if not items:
                    break
                file.seek((items - 1) * RECORD.size)
                _, draws, rejected = RECORD.unpack(file.read(RECORD.size))
                return _Count(items, draws, rejected)
        return _Count(0, 0, 0)

    def _reached(self, shard: Shard) -> int:
        return shard.start + self._record(shard).items

    def _identities(self, shard: Shard, draft: Mapping[str, Any]) -> bytes | None:
        """Return the identities of a shard's items (`RECORD` each); None: they are lost."""
        data = self.store.read(f"{WORK}/{shard.name}.ids")
        return data if data and hashlib.sha256(data).hexdigest() == draft["ids"] else None

    def _kept_again(self) -> dict[int, int] | None:
        """Return what `_again` found when it was called before, if it was."""
        kept = json_of(self.store.read(AGAIN))
        try:
            return {int(index): int(attempt) for index, attempt in kept}
        except (TypeError, ValueError):
            return None

    def _again(self, folder: Path) -> dict[int, int]:
        """Return the positions to be drawn again, with their attempts; kept for when this is called again."""
        import numpy as np

        from harness.datasets.uniqueness import Index, redrawn

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
        batch = BATCH * self._engine.workers
        with Making(len(index.repeated), what="repeated items drawn again") as shown:
            positions = redrawn(
                index, self._draw, batch, self._refused,
                lambda done, known: shown.at(done, total=known),
            )  # fmt: skip
        self.store.write(AGAIN, json.dumps(sorted(positions.items())).encode())
        return positions

    def _draw(self, wanted: list[tuple[int, int]]) -> list[bytes]:
        """Return the identities of some (index, attempt), drawn by all workers."""
        parts = [wanted[at : at + BATCH] for at in range(0, len(wanted), BATCH)]

        def draw(part: list[tuple[int, int]]) -> list[str]:
            shard = Shard(f"index {part[0][0]}", part[0][0], part[-1][0] + 1)
            ids: list[str] = self._run("shard_worker:draws", shard, part)
            return ids

        results = engines.ordered(draw, parts, min(self._engine.workers, len(parts)))
        return [bytes.fromhex(text) for _, ids in results for text in ids]

    def _refused(self, index: int, attempt: int) -> None:
        """Give up where there is nothing left to find, as `harness.datasets.dataset.fresh` does."""
        fresh.give_up(self._plugin, self._spec, index, attempt, index)

    def _widen(self, again: Mapping[int, int]) -> None:
        """Take in the features of items that are drawn again."""
        within = _Within(again)
        tasks = [(shard, (positions,)) for shard in self._shards if (positions := within(shard))]
        for _, kinds in self._map("shard_worker:features", tasks, lambda: None):
            shard_facts.join(self._kinds, kinds)

    def _finished(self, again: Mapping[int, int]) -> list[dict[str, Any]]:
        """Have all shards put in their places; return what each is, in order."""
        kinds = self._kinds if self._spec.to == "parquet" else {}
        within = _Within(again)
        tasks = [(shard, (within(shard), kinds)) for shard in self._shards]
        results: dict[str, dict[str, Any]] = {}
        with Making(self._spec.n, what="items in their places") as shown:
            done = 0
            for shard, result in self._map("shard_finish:finish", tasks, lambda: None):
                results[shard.name] = result
                done += result["items"]
                shown.at(done)
        return [results[shard.name] for shard in self._shards]

    def _manifest(self, finished: Sequence[dict[str, Any]]) -> dict[str, Any]:
        draws, rejected = 0, Counter[str]()
        targets: shard_facts.Targets = {}
        for shard in finished:
            draws += shard["draws"]
            rejected.update(shard["rejected"])
            targets = _added(targets, shard["targets"])
        files = [{k: shard[k] for k in ("file", "items", "bytes", "sha256")} for shard in finished]
        about = manifests.about(self._plugin, self._spec)
        few = {**self._spec.options, "n": min(self._spec.n, proofs.SAMPLE)}
        first = [*fresh.items(self._plugin, replace(self._spec, options=few))]
        return {
            "canary": manifests.CANARY,
            "spec": self._spec.data(),
            "fingerprint": self._spec.fingerprint,
            "versions": provenance.versions(self._plugin),
            "items": sum(shard["items"] for shard in finished),
            "targets": shard_facts.shown(targets),
            **manifests.tally_of(draws, rejected),
            **proofs.of_sample(self._plugin, first, foreign=False),
            "sha256": digest([shard["sha256"] for shard in files]),
            "shards": files,
            **({} if about is None else {"plugin": about}),
        }


def _added(first: shard_facts.Targets, other: shard_facts.Targets) -> shard_facts.Targets:
    if other is None:
        return None
    for label, times in other.items():
        first = shard_facts.count(first, label, times)
    return first


class _Within:
    """From a shard to the positions in it that are drawn again, with their attempts."""

    def __init__(self, again: Mapping[int, int]) -> None:
        self._pairs = sorted([index, attempt] for index, attempt in again.items())

    def __call__(self, shard: Shard) -> list[list[int]]:
        first, last = (bisect_left(self._pairs, [end]) for end in (shard.start, shard.stop))
        return self._pairs[first:last]


def json_of(text: bytes | None) -> Any:
    """Return what a small file says; None: nothing that can be read."""
    try:
        return json.loads(text or b"")
    except (ValueError, RecursionError):
        return None
