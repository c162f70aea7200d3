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
from harness.core.plugins import Plugin
from harness.core.spec import Spec, checksum
from harness.datasets import export_items, files, manifests
from harness.datasets.features import Column, Counts, label_of, widen
from harness.datasets.shard_worker import (
    RECORD,
    WORK,
    columns_of,
    identity_of,
    known,
    named,
    parts_of,
    store_of,
    watch,
)
from harness.datasets.storage import Storage

_MOST = 2**32 - 1  # that a record can hold


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
        facts = _drafted(plugin, spec, job, lines_path, records) | {
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


def _drafted(
    plugin: Plugin, spec: Spec, job: Mapping[str, Any], lines: Path, ids: Path
) -> dict[str, Any]:
    """Write the items that an earlier try has not left in the two files of a shard; return what is known of all."""
    tally, targets = manifests.Tally(), Counts()
    columns: dict[str, Column] = {}

    def record(item: Item) -> bytes:
        tally.add(item.notes)
        targets.add(label_of(item.target))
        widen(columns, columns_of(item))
        return RECORD.pack(
            identity_of(item.problem_id), min(tally.draws, _MOST), min(tally.refused, _MOST)
        )

    with (
        open(files.opened(lines), "r+b") as lines_file,  # noqa: PTH123
        open(files.opened(ids), "r+b", buffering=0) as ids_file,  # noqa: PTH123
        watch() as beat,
    ):
        good = 0
        records: list[bytes] = []
        for line, item in export_items.finished(islice(lines_file, job["stop"] - job["start"])):
            if item.index != job["start"] + len(records):
                break
            good += len(line)
            records.append(record(item))
        lines_file.seek(good)
        lines_file.truncate()
        ids_file.truncate(0)
        ids_file.write(b"".join(records))
        for index in range(job["start"] + len(records), job["stop"]):
            beat()
            item = named(job, index, plugin, spec)
            lines_file.write(export_items.line(item))
            lines_file.flush()  # what was generated is kept even when the process is killed
            ids_file.write(record(item))
    return {
        "items": job["stop"] - job["start"],
        "draws": tally.draws,
        "rejected": dict(tally.rejected),
        "targets": targets.values,
        "features": parts_of(columns),
    }
