"""Make a dataset: one file, or a folder of shards, by as many workers as there are."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from harness_errors import EngineError, HarnessError, SpecError

from harness.cli.command import Found, one_spec
from harness.core import facts
from harness.core.feature_hooks import Warn
from harness.core.features import features
from harness.core.items import Item
from harness.core.plugins import Plugin
from harness.core.spec import MANIFEST, Spec
from harness.datasets import dataset, engines, reading, shards
from harness.datasets.engines import Engine
from harness.datasets.shard_worker import job_of
from harness.datasets.storage import Storage, is_url

CHUNK = 64  # items of one task
FEW = 1_000  # items that are made sooner than workers are started


def make(plugin: Plugin, spec: Spec) -> dict[str, Any]:
    """Generate the dataset of a spec into ``spec.out``: a file ``NAME.jsonl``, or a folder of shards.

    Returns the manifest, with ``out`` and ``manifest`` (where they are). The bytes are the same whatever
    ``engine``, ``workers`` and ``address`` say.

    Raises:
        SpecError: a name or key that does not fit.
        OutputError: the output exists, is being written by another process, or cannot be written.
        EngineError: workers failed, or no cluster was found.
        ExhaustedError: the settings have fewer distinct items.
    """
    engines.check(spec.options)
    ending = Path(spec.out).suffix
    if ending == ".jsonl" and not is_url(spec.out):
        return _file(plugin, spec)
    Storage(spec.out)  # first: it refuses an address that must not be shown
    if ending and (is_url(spec.out) or not os.path.isdir(spec.out)):  # noqa: PTH112 (never raises)
        raise SpecError(
            f"out={spec.out[:200]}: expected a name that ends in .jsonl, or a folder's (no ending) for shards"
        )
    shards.check(spec)
    shards.plan(spec.n, spec.shards)
    with engines.chosen(spec.options) as engine:
        manifest = shards.write(plugin, spec, engine)
    place = f"{spec.out.rstrip('/')}/{MANIFEST}"
    return {"out": spec.out, "manifest": place, **manifest}


def _file(plugin: Plugin, spec: Spec) -> dict[str, Any]:
    for key, default in (("shards", None), ("to", "jsonl")):
        if spec.options[key] != default:
            raise SpecError(
                f"{key}={spec.options[key]} goes with a folder: out=NAME without .jsonl"
            )
    path = Path(spec.out)
    alone = spec.n < FEW if spec.workers is None else spec.workers == 1
    if spec.prune_model or (spec.engine == "local" and alone):
        manifest = dataset.write(plugin, spec, path)
    else:
        with engines.chosen(spec.options) as engine:
            manifest = dataset.write(plugin, spec, path, lambda start: firsts(spec, engine, start))
    return {"out": str(path), "manifest": str(reading.manifest_path(path)), **manifest}


def firsts(spec: Spec, engine: Engine, start: int) -> Iterator[tuple[Item, str]]:
    """Yield the first draws of all positions from ``start`` on, with their lines, made by an engine's workers."""
    job = job_of(spec)

    def lines(chunk: range) -> tuple[list[str], HarnessError | None]:
        drawn: list[str] = []
        left = engines.TRIES
        while len(drawn) < len(chunk):
            at = chunk.start + len(drawn)
            try:
                drawn += engine.call("harness.datasets.shard_worker:lines", job, at, chunk.stop)
                left = engines.TRIES
            except HarnessError as error:
                left -= isinstance(error, EngineError)  # a worker died: another goes on
                if not (left and isinstance(error, EngineError)):
                    return drawn, error
        return drawn, None

    starts = range(start, spec.n, CHUNK)
    chunks = (range(at, min(at + CHUNK, spec.n)) for at in starts)
    for _, (drawn, error) in engines.ordered(lines, chunks, engine.workers):
        yield from ((Item(**json.loads(line)), line) for line in drawn)
        if error is not None:  # only now: what came before is kept
            raise error


def command(words: Sequence[str], warn: Warn) -> Found:
    """Run ``harness generate``."""
    spec, plugin = one_spec(words, "generate")
    if spec.out is None:
        raise SpecError("out=… is missing: FILE.jsonl, or a folder or URL for shards")
    if spec.prune_model:
        features().hook.check_spec(spec=spec, model=None)  # before a file is begun
    manifest = make(plugin, spec)
    for line in facts.warnings(manifest.get("plugin")):
        warn(line)
    return manifest, 0
