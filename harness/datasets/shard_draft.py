"""A worker drafts a shard: the items of a range of positions, as if no other position mattered."""

from __future__ import annotations

import fcntl
import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from harness_errors import OutputError

from harness.core.items import Item
from harness.core.spec import checksum
from harness.datasets import export_items, files, manifests, shard_facts
from harness.datasets.features import label_of
from harness.datasets.shard_worker import (
    RECORD,
    WORK,
    identity,
    known,
    named,
    store_of,
    watch,
)
from harness.datasets.storage import Storage


def draft(job: dict[str, Any]) -> dict[str, Any]:
    """Write the items of positions ``start`` to ``stop``, as if no other position mattered; resumes.

    They come to lie in ``.work/<name>.jsonl`` and their identities (`RECORD` each) in ``.work/<name>.ids``.
    Returns the shard's tally and the types of its features.

    Raises:
        EngineError: this machine does not see the folder, or makes other items.
        OutputError: something cannot be written.
        PluginError: the plugin broke the contract.
    """
    plugin, spec = known(job)
    store = store_of(job)
    lines, ids = f"{WORK}/{job['name']}.jsonl", f"{WORK}/{job['name']}.ids"
    with _room(store, job["name"]) as folder, store.failures_named(lines):
        lines_path, records = folder / "items.partial", folder / "ids.partial"
        if store.local and not lines_path.exists() and (store.local / lines).exists():
            (store.local / lines).replace(lines_path)  # whole, but what was to tell of it is lost
        with _Draft(lines_path, records, job) as kept, watch() as beat:
            for index in range(job["start"] + kept.items, job["stop"]):
                beat()
                kept.add(named(job, index, plugin, spec))
        facts = kept.summary() | {
            "bytes": lines_path.stat().st_size,
            "draft": checksum(lines_path),
            "ids": checksum(records),
        }
        store.put(records, ids)
        store.put(lines_path, lines)
        store.write(f"{WORK}/{job['name']}.json", json.dumps(facts).encode())
    return facts


@contextmanager
def _room(store: Storage, name: str) -> Iterator[Path]:
    """Give a folder for a shard's unfinished files: one that outlives this process, where there is a disk.

    One worker at a time is in it: a task that was given up may still be at work somewhere.
    """
    if store.local is None:
        with tempfile.TemporaryDirectory(prefix="harness-") as folder:
            yield Path(folder)
        return
    path = store.local / WORK / f"{name}.partial"
    with store.failures_named(f"{WORK}/{name}.partial"):
        if path.is_symlink():
            raise OutputError(f"{path} is a link; remove it")
        path.mkdir(exist_ok=True)
        with open(files.opened(path / "lock"), "w") as lock:  # noqa: PTH123
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield path


class _Draft:
    """The two files of a shard that is being made; what an earlier try left of them is gone on with."""

    def __init__(self, lines: Path, ids: Path, job: Mapping[str, Any]) -> None:
        self._start, self._most = job["start"], job["stop"] - job["start"]
        self.items = 0
        self._tally = manifests.Tally()
        self._kinds: shard_facts.Kinds = {}
        self._targets: shard_facts.Targets = {}
        self._lines = open(files.opened(lines), "r+b")  # noqa: PTH123, SIM115
        self._ids = open(files.opened(ids), "r+b", buffering=0)  # noqa: PTH123, SIM115

    def __enter__(self) -> _Draft:
        good, records = 0, []
        self._ids.truncate(0)
        for line, item in export_items.finished(islice(self._lines, self._most)):
            if item.index != self._start + self.items:
                break
            good += len(line)
            records.append(self._count(item))
        self._lines.seek(good)
        self._lines.truncate()
        self._ids.write(b"".join(records))
        return self

    def add(self, item: Item) -> None:
        """Write one more item."""
        self._lines.write(export_items.line(item))
        self._lines.flush()  # what was generated is kept even when the process is killed
        self._ids.write(self._count(item))

    def _count(self, item: Item) -> bytes:
        self.items += 1
        self._tally.add(item.notes)
        shard_facts.note(self._kinds, item)
        self._targets = shard_facts.count(self._targets, label_of(item.target))
        draws, rejected = self._tally.draws, sum(self._tally.rejected.values())
        return RECORD.pack(identity(item), min(draws, 2**32 - 1), min(rejected, 2**32 - 1))

    def summary(self) -> dict[str, Any]:
        """Return what is known of the items."""
        return {
            "items": self.items,
            "draws": self._tally.draws,
            "rejected": dict(self._tally.rejected),
            "targets": self._targets,
            "features": self._kinds,
        }

    def __exit__(self, *_: object) -> None:
        try:
            self._lines.close()
        finally:
            self._ids.close()
