"""A worker puts a shard in its place: its draft, with the items drawn anew whose problems came before."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from harness_errors import EngineError, OutputError

from harness.core.items import Item
from harness.core.plugins import Plugin
from harness.core.spec import Spec, checksum
from harness.datasets import export_items, manifests, shard_facts
from harness.datasets.features import label_of
from harness.datasets.shard_worker import (
    WORK,
    known,
    named,
    store_of,
    watch,
)
from harness.datasets.storage import Storage

_KNOWN = {"items", "draws", "rejected", "targets", "features", "ids", "bytes"}


def finish(job: dict[str, Any], redrawn: list[list[int]], kinds: dict[str, Any]) -> dict[str, Any]:
    """Put a shard in its place, positions in ``redrawn`` (``[index, attempt]``) drawn anew; return its facts.

    ``kinds`` are the types of all shards' features, for the columns of Parquet.

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
            rows = _Rows(plugin, spec, old, dict(map(tuple, redrawn)), facts, job, beat)  # type: ignore[arg-type]
            if job["to"] == "parquet":
                _parquet(path, rows, kinds)
            else:
                _jsonl(path, rows)
        counted = {"features": facts["features"], "ids": facts["ids"], **rows.facts}
        shard = {"file": name, **counted, "bytes": path.stat().st_size, "sha256": checksum(path)}
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


class _Rows:
    """The lines of a shard as they will be; ``facts`` are right once all have been gone through."""

    def __init__(
        self, plugin: Plugin, spec: Spec, draft: Path, redrawn: Mapping[int, int],
        facts: dict[str, Any], job: Mapping[str, Any], beat: Any,
    ) -> None:  # fmt: skip
        self._plugin, self._spec, self._draft, self._redrawn = plugin, spec, draft, redrawn
        self._job, self._beat = job, beat
        self.facts = {k: facts[k] for k in ("items", "draws", "rejected", "targets")}

    def __iter__(self) -> Iterator[bytes]:
        with self._draft.open("rb") as file:
            for index, line in enumerate(file, self._job["start"]):
                attempt = self._redrawn.get(index)
                yield line if attempt is None else self._anew(line, index, attempt)

    def _anew(self, line: bytes, index: int, attempt: int) -> bytes:
        self._beat()
        item = named(self._job, index, self._plugin, self._spec, attempt)
        self._tell(Item(**json.loads(line)), -1)
        self._tell(item, 1)
        return export_items.line(item)

    def _tell(self, item: Item, times: int) -> None:
        tally, label = manifests.Tally(), label_of(item.target)
        tally.add(item.notes)
        self.facts["draws"] += times * tally.draws
        rejected = dict(self.facts["rejected"])
        for reason, count in tally.rejected.items():
            rejected[reason] = rejected.get(reason, 0) + times * count
        self.facts["rejected"] = {reason: n for reason, n in rejected.items() if n}
        self.facts["targets"] = shard_facts.count(self.facts["targets"], label, times)


def _jsonl(path: Path, rows: Iterable[bytes]) -> None:
    with path.open("wb") as file:
        file.writelines(rows)


def _parquet(path: Path, rows: Iterable[bytes], kinds: shard_facts.Kinds) -> None:
    from harness.datasets import export_parquet

    with path.open("wb") as file:
        items = (Item(**json.loads(line)) for line in rows)
        export_parquet.write(
            file, items, shard_facts.columns(kinds), {"harness.canary": manifests.CANARY}
        )
