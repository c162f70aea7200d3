"""A large evaluation as many Inspect logs: prepared once, each shard run by a process of its own, on any machine.

What is prepared is what shards cannot know of each other: which positions repeat a problem, and which worked
examples are items. A shard that is finished is not run again; one that was interrupted is gone on with.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import uuid4

from harness_errors import (
    DatasetError,
    EngineError,
    OutputError,
    SpecError,
    UnansweredError,
)

from harness.core import fresh, provenance, spec
from harness.core.features import features, of_scope
from harness.core.files import checksum, hold
from harness.core.hookspecs import Row
from harness.core.items import digest, to_json
from harness.core.plugins import Plugin
from harness.core.spec import Spec
from harness.datasets import engines, reading
from harness.datasets.distinct import distinct
from harness.datasets.engines_local import Engine
from harness.datasets.storage import is_url
from harness.rerun import merged, recorded, slices, sweeps
from harness.run import logs
from harness.run.inspect_task import EXAMPLES, task_params
from harness.run.results import result_of_log
from harness.run.strategies import strategy

MARK = "shards"  # the key of a log's metadata: which set of shards it belongs to, and which of them it is
TRIES = 3
SHARD = "harness.rerun.shard_process"  # what runs one of them

Warn = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Prepared:
    """What all shards of a run need to know: how many items, those drawn again, problems no example may have."""

    total: int
    redrawn: Mapping[int, int]
    avoided: tuple[str, ...]
    digest: str
    # Ids that recorded answers may carry: of how many items.
    names: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Whole:
    """What came of all shards: the result (see docs/json.md), the judged answers, what was read of recorded ones."""

    result: dict[str, Any]
    rows: list[Row]
    responses: dict[str, Any] | None


def run(plugin: Plugin, own: Spec, warn: Warn) -> Whole:
    """Evaluate a spec in ``shards`` logs; in a sweep they are kept in mind until all of it is done.

    Raises:
        SpecError: keys that do not go together, a model or tool that cannot be used.
        DatasetError: the dataset cannot be read.
        EngineError: a shard failed several times; the same command goes on with what is left.
        OutputError: another process is at this run, or the logs cannot be written.
    """
    _check(own)
    sweep = sweeps.current()
    with engines.chosen(own.options) as engine:
        prepared = prepare(plugin, own, engine)
        if own.shards > prepared.total:
            raise SpecError(f"shards={own.shards}: at most {prepared.total}, the number of items")
        folder = Path(own.log_dir)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with _set(folder, own, prepared) as known:
                results = _all(own, prepared, engine, known, warn)
                if not any(result["failed"] for result in results.values()):
                    sweep.after.append(known.forget) if sweep else known.forget()
        except OSError as error:
            raise OutputError(f"{folder}: cannot be written: {error.strerror}") from None
    return _together(plugin, own, prepared, results)


def _check(own: Spec) -> None:
    if not own.unique and not own.dataset:
        raise SpecError("shards= needs items that can be told apart: leave unique=false out")
    if own.prune_model:
        raise SpecError(
            "'prune_model' does not go with shards=; generate with it, then run dataset=…"
        )
    if own.responses and not own.dataset:
        raise SpecError("shards= with responses= needs dataset=…: generate the items first")
    hooks = features().hook
    hooks.model_of(spec=own)
    hooks.check_spec(spec=own, model=own.model)


# ------------------------------------------------------------------------------- preparing


def prepare(plugin: Plugin, own: Spec, engine: Engine) -> Prepared:
    """Go through the items once, in flat memory, and return what shards cannot know of each other."""
    if own.dataset is not None:
        return _prepare_read(plugin, own)
    with tempfile.TemporaryDirectory(prefix="harness-") as folder:
        redrawn, taken = distinct(plugin, own, engine, Path(folder))
        avoided = _avoided(plugin, own, taken)
    made = _digest(plugin, own, own.fingerprint)
    return Prepared(own.n, redrawn, avoided, made)


def _digest(plugin: Plugin, own: Spec, items: str) -> str:
    """Return a digest of all that finished shards must have in common with the others."""
    named = [own.responses, own.context]
    read = [checksum(Path(name)) if name and Path(name).is_file() else None for name in named]
    return digest([items, provenance.versions(plugin), dict(own.files), read])


def _prepare_read(plugin: Plugin, own: Spec) -> Prepared:
    content, total, problems = sha256(), 0, set()
    names: Counter[str] = Counter()
    for item in reading.items(plugin, own):
        content.update(f"{to_json(item)}\n".encode())  # what no id holds decides a log, too
        total += 1
        problems.add(item.problem_id)
        if own.responses:
            names.update(recorded.names(item))
    made = _digest(plugin, own, content.hexdigest())
    return Prepared(total, {}, _avoided(plugin, own, problems.__contains__), made, names)


def _avoided(plugin: Plugin, own: Spec, taken: Callable[[str], bool]) -> tuple[str, ...]:
    """Return the problems that a worked example would have but for being an item's."""
    plan = strategy(plugin.benchmark, own.strategy)
    if not plan.examples or own.split == EXAMPLES:
        return ()
    shots = own.shots or len(plugin.benchmark.choices)
    few = spec.make(plugin, {**own.config, "seed": own.seed, "split": EXAMPLES, "n": shots})
    avoided: set[str] = set()
    while True:
        found = {item.problem_id for item in fresh.items(plugin, few, avoid=avoided)}
        more = {problem for problem in found if taken(problem)}
        if not more:
            return tuple(sorted(avoided))
        avoided |= more


# ------------------------------------------------------------------------------- running


@dataclass(frozen=True, slots=True)
class _Set:
    """The logs that are one run: their common name, and whether none of them was begun before."""

    name: str
    fresh: bool
    path: Path

    def forget(self) -> None:
        """Have the same command begin a new set from now on."""
        self.path.unlink(missing_ok=True)


@contextmanager
def _set(folder: Path, own: Spec, prepared: Prepared) -> Iterator[_Set]:
    """Hold the set of logs that a run is, begun or new."""
    parts = [
        task_params(own), own.plugin, own.version, own.shards, _asked(own), prepared.digest
    ]  # fmt: skip
    path = folder / f".shards-{digest(json.loads(json.dumps(parts)))[:16]}"
    with path.open("a+", encoding="utf-8") as file:
        hold(
            file, f"{folder}: another process is at this run; wait for it, or use another log_dir="
        )
        file.seek(0)
        name = file.read(100)
        fresh = not (own.resume and name.isalnum())
        if fresh:
            name = uuid4().hex
            file.truncate(0)
            file.write(name)
            file.flush()
        yield _Set(name, fresh, path)


def _all(
    own: Spec, prepared: Prepared, engine: Engine, known: _Set, warn: Warn
) -> dict[int, dict[str, Any]]:
    """Return the results of all shards, running those that are not finished."""
    done = {} if known.fresh else _finished(Path(own.log_dir), known.name)
    if done:
        warn(f"{len(done)} of {own.shards} shards are finished; going on with the others")
    left = [number for number in range(1, own.shards + 1) if number not in done]

    def one(number: int) -> dict[str, Any]:
        return _shard(own, prepared, engine, known, number)

    for number, result in engines.unordered(one, left, engine.workers, lambda: None, 1.0):
        done[number] = result
        said = (
            f"{result['n']} items, {result['log']}"
            if "log" in result
            else "no answers to its items"
        )
        warn(f"[{len(done)}/{own.shards}] shard {number}: {said}")
    return done


def _finished(folder: Path, name: str) -> dict[int, dict[str, Any]]:
    """Return the results of the shards of a set all of whose answers are there."""
    found = {}
    for path in sorted(folder.glob("*.eval")):
        try:
            log = logs.header(path)
        except DatasetError:  # torn by a crash: its shard is not finished
            continue
        mark = (log.eval.metadata or {}).get(MARK)
        if isinstance(mark, dict) and mark.get("set") == name and log.status == "success":
            result = result_of_log(log)
            if not result["failed"]:
                found[int(mark["number"])] = result
    return found


def _shard(
    own: Spec, prepared: Prepared, engine: Engine, known: _Set, number: int
) -> dict[str, Any]:
    """Run one shard; where its process dies, or samples stay without an answer, it goes on where it ended."""
    result: dict[str, Any] = {}
    for left in range(TRIES - 1, -1, -1):
        try:
            result = engine.process(_request(own, prepared, known, number, left < TRIES - 1), SHARD)
        except UnansweredError as error:
            return {"unanswered": str(error), "failed": 0}
        except EngineError as error:
            if not left:
                raise EngineError(
                    f"shard {number} of {own.shards}: {error}; the same command goes on with what is left"
                ) from None
            continue
        if not result["failed"]:
            break
    return result


def _request(
    own: Spec, prepared: Prepared, known: _Set, number: int, again: bool
) -> dict[str, Any]:
    places = slices.of(number, own.shards, prepared.total)
    values = {
        "plugin": own.plugin,
        **task_params(own),
        **_asked(own),
        **_absolute({**own.config, **own.options}, (*own.files, "responses", "context", "log_dir")),
        **({} if is_url(own.dataset or "") else _absolute(own.options, ("dataset",))),
        "n": prepared.total,
        "shards": None,
        "shard": f"{number}/{own.shards}",
        "redrawn": slices.word(prepared.redrawn, places),
        "avoided": " ".join(prepared.avoided) or None,
        "resume": again or not known.fresh,
    }
    facts = {MARK: {"set": known.name, "number": number, "of": own.shards}}
    values = {key: value for key, value in values.items() if value is not None}
    return {
        "values": values,
        "facts": facts,
        "fingerprint": own.fingerprint,
        "version": own.version,
    }


def _asked(own: Spec) -> dict[str, Any]:
    """Return how the model is asked, which is no part of the task."""
    return {name: own.options[name] for name in of_scope("model", "service")}


def _absolute(values: Mapping[str, Any], keys: Iterable[str]) -> dict[str, str]:
    """Return what keys name, if anything, as paths that are right in any directory."""
    return {key: str(Path(values[key]).absolute()) for key in keys if values[key]}


# ------------------------------------------------------------------------------- together


def _together(
    plugin: Plugin, own: Spec, prepared: Prepared, results: Mapping[int, dict[str, Any]]
) -> Whole:
    logged = [results[number] for number in sorted(results) if "log" in results[number]]
    if not logged:
        raise UnansweredError(results[1]["unanswered"])
    log, rows = merged.joined(plugin, [Path(one["log"]) for one in logged], own.convention)
    reasons: Counter[str] = Counter()
    for line in (line for one in logged for line in one["errors"]):
        count, _, why = line.partition(" × ")
        reasons[why] += int(count)
    found = {
        **result_of_log(log),
        "unscored": sum(one["unscored"] for one in logged),
        "failed": sum(one["failed"] for one in logged),
        "errors": [f"{count} × {why}" for why, count in reasons.most_common(5)],
        "shards": [one["log"] for one in logged],
    }
    if not own.responses:
        return Whole(found, rows, None)
    without = [
        len(slices.of(n, own.shards, prepared.total)) for n in results if "log" not in results[n]
    ]
    told = _responses([Path(one["log"]) for one in logged], sum(without))
    return Whole(found, rows, told | recorded.ownerless(own, prepared.names))


def _responses(paths: Sequence[Path], without: int) -> dict[str, Any]:
    """Return what was read of recorded answers by all shards; ``without`` items had none in all of their shard."""
    told = [dict((logs.header(path).eval.metadata or {})["responses"]) for path in paths]
    found = dict(told[0])
    for key in ("items", "scored", "empty"):
        found[key] = sum(one[key] for one in told)
    found["items"] += without
    found["labels_only"] = all(one["labels_only"] for one in told)
    for kind in recorded.KINDS:
        examples = [text for one in told for text in one[kind]["examples"]]
        count = sum(one[kind]["count"] for one in told)
        found[kind] = {"count": count, "examples": examples[: recorded.EXAMPLES]}
    found["missing"]["count"] += without
    return found
