"""A worker puts a shard in its place: its draft, with the items drawn anew whose problems came before."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from harness_errors import EngineError, OutputError

from harness.core.items import Item
from harness.core.plugins import Plugin
from harness.core.spec import Spec, checksum
from harness.datasets import export_items, manifests
from harness.datasets.features import Column, Counts, label_of
from harness.datasets.shard_worker import WORK, known, named, store_of, watch
from harness.datasets.storage import Storage

_KNOWN = {"items", "draws", "rejected", "targets", "features", "ids", "bytes"}


def finish(
    job: dict[str, Any], redrawn: list[list[int]], columns: dict[str, Any]
) -> dict[str, Any]:
    """Put a shard in its place, positions in ``redrawn`` (``[index, attempt]``) drawn anew; return its facts.

    ``columns`` (`parts_of`) are those of all shards' features, for Parquet.

    Raises:
        as `draft`.
    """
    plugin, spec = known(job)
    store = store_of(job)
    done = finished(store, job["name"])
    if done is not None:
        return done
    name, draft_name = f"{job['name']}.{job['to']}", f"{WORK}/{job['name']}.jsonl"
    facts = drafted(store, job["name"])
    if facts is None:
        raise EngineError(f"{store.path(draft_name)}: it is gone, or was changed")
    with (
        tempfile.TemporaryDirectory(prefix="harness-", dir=near(store)) as folder,
        store.failures_named(name),
    ):
        path = Path(folder, "shard")
        with store.fetched(draft_name) as old, watch() as beat:
            if checksum(old) != facts["draft"]:
                store.remove(f"{WORK}/{job['name']}.json")
                raise OutputError(
                    f"{store.path(draft_name)}: changed since it was written; the same command makes it anew"
                )
            counted: dict[str, Any] = {}
            if redrawn or job["to"] == "parquet":
                rows = _rows(plugin, spec, job, old, redrawn, beat)
                counted = _written(path, rows, columns if job["to"] == "parquet" else None)
            else:
                shutil.copyfile(old, path)
        size = path.stat().st_size
        shard = {**facts, **counted, "file": name, "bytes": size, "sha256": checksum(path)}
        store.put(path, name)
    # The draft goes last: until then the same call does the same again.
    store.write(f"{WORK}/{job['name']}.done", json.dumps(shard).encode())
    store.remove(draft_name)
    return shard


def near(store: Storage) -> str | None:
    """Return a folder on the disk that the shards will lie on: another one may be too small for them."""
    return None if store.local is None else str(store.local / WORK)


def drafted(store: Storage, name: str) -> dict[str, Any] | None:
    """Return what is known of a shard's draft; None: it is not there, or not whole."""
    facts = _kept(store, f"{name}.json", {"draft"})
    whole = facts is not None and store.size(f"{WORK}/{name}.jsonl") == facts["bytes"]
    return facts if whole else None


def finished(store: Storage, name: str) -> dict[str, Any] | None:
    """Return what is known of a shard that is in its place; None: it is not."""
    facts = _kept(store, f"{name}.done", {"file", "sha256"})
    whole = facts is not None and store.size(facts["file"]) == facts["bytes"]
    return facts if whole else None


def _kept(store: Storage, name: str, keys: set[str]) -> dict[str, Any] | None:
    try:
        facts = json.loads(store.read(f"{WORK}/{name}") or b"")
    except (ValueError, RecursionError):  # what a crash of the machine left
        return None
    return facts if isinstance(facts, dict) and keys | _KNOWN <= set(facts) else None


def _rows(
    plugin: Plugin,
    spec: Spec,
    job: Mapping[str, Any],
    draft: Path,
    redrawn: list[list[int]],
    beat: Callable[[], object],
) -> Iterator[tuple[bytes, Item]]:
    """Yield the lines of a shard with their items, as they will be."""
    attempts = {index: attempt for index, attempt in redrawn}  # noqa: C416 (pairs are lists)
    with draft.open("rb") as file:
        for index, line in enumerate(file, job["start"]):
            if index in attempts:
                beat()
                item = named(job, index, plugin, spec, attempts[index])
                yield export_items.line(item), item
            else:
                yield line, Item(**json.loads(line))


def _written(
    path: Path, rows: Iterator[tuple[bytes, Item]], columns: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Write a shard, as Parquet where its columns are given; return what is counted of its items."""
    tally, targets = manifests.Tally(), Counts()

    def counted() -> Iterator[tuple[bytes, Item]]:
        for line, item in rows:
            tally.add(item.notes)
            targets.add(label_of(item.target))
            yield line, item

    with path.open("wb") as file:
        if columns is None:
            file.writelines(line for line, _ in counted())
        else:
            from harness.datasets import export_parquet

            types = {name: Column(*parts) for name, parts in columns.items()}
            items = (item for _, item in counted())
            export_parquet.write(file, items, types, {"harness.canary": manifests.CANARY})
    return {"draws": tally.draws, "rejected": dict(tally.rejected), "targets": targets.values}
