"""What a worker does for a large dataset: draw items, and what it has in common with drafting and finishing shards.

Every function that takes a job takes and returns JSON, and gives the same wherever and however often it is called.
"""

from __future__ import annotations

import faulthandler
import hashlib
import json
import os
import platform
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from struct import Struct
from typing import Any

from harness_errors import EngineError, HarnessError, PluginError

from harness.core import fresh
from harness.core.features import of_scope
from harness.core.items import Item
from harness.core.plugins import Plugin, registry
from harness.core.spec import Spec, make
from harness.datasets import export_items
from harness.datasets.features import Column, widen
from harness.datasets.storage import Storage

WORK = ".work"  # the folder of what is unfinished
HEAD = f"{WORK}/spec.json"
# Of one item: its problem's identity, and the draws and rejections of its shard up to it.
RECORD = Struct(">10sII")
ITEM_SECONDS = 900.0  # for one item; native code cannot be interrupted otherwise
_BEAT = 1.0  # seconds between two settings of that watch
_REPLY = 4 * 2**20  # bytes of lines in one reply


def job_of(spec: Spec) -> dict[str, Any]:
    """Return what a worker has to know, whatever directory it is in."""
    config = {k: str(Path(v).absolute()) if k in spec.files else v for k, v in spec.config.items()}
    which = {key: spec.options[key] for key in of_scope("items") if spec.options[key] is not None}
    values = {"plugin": spec.plugin, **config, **which}
    return {"values": values, "fingerprint": spec.fingerprint, "version": spec.version}


def known(job: Mapping[str, Any]) -> tuple[Plugin, Spec]:
    """Return plugin and spec of a job.

    Raises:
        EngineError: this machine would make other items than the one that asks.
    """
    plugin, spec = _made(json.dumps(job["values"]))
    same_items(spec, job)
    return plugin, spec


@lru_cache(maxsize=1)
def _made(values: str) -> tuple[Plugin, Spec]:
    options = json.loads(values)
    plugin = registry().get(options.pop("plugin"))
    return plugin, make(plugin, options)


def store_of(job: Mapping[str, Any]) -> Storage:
    """Return the folder of a job.

    Raises:
        EngineError: it is another one on this machine.
    """
    os.environ.update(job.get("access", {}))
    store = Storage(job["out"])
    if store.size(HEAD) is None:
        raise EngineError(
            f"{platform.node()} does not see {store.shown}; out= must be a folder that all machines "
            "share, or a URL such as s3://bucket/name"
        )
    return store


def same_items(spec: Spec, job: Mapping[str, Any]) -> None:
    """Refuse, on another machine than the one that asks, to make other items than it would."""
    same = (
        spec.version == job["version"] if spec.dataset else spec.fingerprint == job["fingerprint"]
    )
    if not same:
        raise EngineError(
            f"{platform.node()} would make other items: plugin {spec.plugin} {spec.version} there, "
            f"{job['version']} here, or another wrapper or file; install the same on all machines"
        )


def identity_of(problem: str) -> bytes:
    """Return 10 bytes for what makes two items duplicates, from their `Item.problem_id`."""
    return hashlib.blake2b(problem.encode(), digest_size=10).digest()


def named(job: Mapping[str, Any], index: int, plugin: Plugin, spec: Spec, attempt: int = 0) -> Item:
    """Return an item; an error says of which shard and index it is."""
    try:
        return fresh.item_at(plugin, spec, index, attempt)
    except HarnessError as error:
        is_ours = type(error).__module__ == HarnessError.__module__
        kind = type(error) if is_ours else PluginError
        name = f"{job['name']}, " if "name" in job else ""
        raise kind(f"{name}index {index}: {error}") from error


@contextmanager
def watch() -> Iterator[Any]:
    """End this process if one item takes longer than `ITEM_SECONDS`, even within native code."""
    last = 0.0

    def beat() -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _BEAT:
            last = now
            faulthandler.dump_traceback_later(ITEM_SECONDS, exit=True, file=2)

    try:
        yield beat
    finally:
        faulthandler.cancel_dump_traceback_later()


def draws(job: dict[str, Any], wanted: list[list[int]]) -> list[str]:
    """Return the identities (hexadecimal) of the items of some ``[index, attempt]``."""
    plugin, spec = known(job)
    with watch() as beat:
        ids = []
        for index, attempt in wanted:
            beat()
            ids.append(identity_of(fresh.item_at(plugin, spec, index, attempt).problem_id).hex())
    return ids


def columns_of(item: Item) -> dict[str, Column]:
    """Return the columns that the features of an item need."""
    return {name: Column.of(value) for name, value in item.features.items()}


def parts_of(columns: Mapping[str, Column]) -> dict[str, Any]:
    """Return columns as JSON."""
    return {name: column.parts() for name, column in columns.items()}


def features(job: dict[str, Any], wanted: list[list[int]]) -> dict[str, Any]:
    """Return the columns (`parts_of`) that the items of some ``[index, attempt]`` need."""
    plugin, spec = known(job)
    columns: dict[str, Column] = {}
    with watch() as beat:
        for index, attempt in wanted:
            beat()
            widen(columns, columns_of(named(job, index, plugin, spec, attempt)))
    return parts_of(columns)


def lines(job: dict[str, Any], start: int, stop: int) -> list[str]:
    """Return the lines of positions ``start`` to ``stop`` or of as many of them as a reply holds, one at least."""
    plugin, spec = known(job)
    written: list[str] = []
    size = 0
    with watch() as beat:
        for index in range(start, stop):
            beat()
            try:
                line = export_items.line(named(job, index, plugin, spec)).decode()
            except HarnessError:
                if not written:
                    raise
                break  # the next call meets it; what there is by now is not lost
            written.append(line)
            size += len(line)
            if size > _REPLY:
                break
    return written
