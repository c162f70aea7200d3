"""A large evaluation as many Inspect logs: prepared once, each shard run by a process of its own, on any machine.

What is prepared is what shards cannot know of each other: which positions repeat a problem, and which worked
examples are items. A shard that is finished is not run again; one that was interrupted is gone on with.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import uuid4

from harness_errors import DatasetError, EngineError, OutputError, SpecError, UnansweredError

from harness.core import provenance
from harness.core.feature_hooks import Warn
from harness.core.features import features, of_scope
from harness.core.hookspecs import Row
from harness.core.items import digest, json_bytes
from harness.core.plugins import Plugin
from harness.core.spec import Spec, make
from harness.datasets import engines, reading
from harness.datasets.engines import Engine
from harness.datasets.files import hold
from harness.datasets.storage import is_url
from harness.datasets.uniqueness import distinct
from harness.rerun import logs, merged, recorded, resume, slices
from harness.run.inspect_task import EXAMPLES, examples, task_params
from harness.run.results import result_of_log
from harness.run.strategies import strategy

MARK = "shards"  # the key of a log's metadata: which set of shards it belongs to, and which of them it is
SHARD = "harness.rerun.shard_process"  # what runs one of them


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


def run(plugin: Plugin, spec: Spec, warn: Warn) -> Whole:
    """Evaluate a spec in ``shards`` logs; of a run that is finished nothing is asked (see `resume.evaluate`).

    Raises:
        SpecError: keys that do not go together, a model or tool that cannot be used.
        DatasetError: the dataset cannot be read.
        EngineError: a shard failed several times; the same command goes on with what is left.
        OutputError: another process is at this run, or the logs cannot be written.
    """
    _check(spec)
    with engines.chosen(spec.options) as engine:
        prepared = prepare(plugin, spec, engine)
        folder = Path(spec.log_dir)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with _set(folder, spec, prepared) as known:
                results = _all(spec, prepared, engine, known, warn)
                if resume.embedded(spec) and not any(r["failed"] for r in results.values()):
                    known.path.unlink()  # it costs nothing to run it again
        except OSError as error:
            raise OutputError(f"{folder}: cannot be written: {error.strerror}") from None
    return _together(plugin, spec, prepared, results)


def left(plugin: Plugin, spec: Spec) -> tuple[list[Spec], int]:
    """Return the spec of each shard that `run` would run, and how many items are in those that are finished."""
    _check(spec)
    with engines.chosen(spec.options) as engine:
        prepared = prepare(plugin, spec, engine)
    path = _place(spec, prepared)
    known = _begun(spec, path, path.read_text(encoding="utf-8")[:100] if path.is_file() else "")
    specs = []
    for number in range(1, spec.shards + 1):
        if number not in known.finished:
            values = _request(spec, prepared, known, number, False)["values"]
            specs.append(make(plugin, {key: v for key, v in values.items() if key != "plugin"}))
    return specs, sum(
        len(slices.of(number, spec.shards, prepared.total)) for number in known.finished
    )


def _check(spec: Spec) -> None:
    if not spec.unique and not spec.dataset:
        raise SpecError("shards= needs items that can be told apart: leave unique=false out")
    if spec.prune_model:
        raise SpecError(
            "'prune_model' does not go with shards=; generate with it, then run dataset=…"
        )
    if spec.responses and not spec.dataset:
        raise SpecError("shards= with responses= needs dataset=…: generate the items first")
    hooks = features().hook
    hooks.model_of(spec=spec)
    hooks.check_spec(spec=spec, model=spec.model)


def prepare(plugin: Plugin, spec: Spec, engine: Engine) -> Prepared:
    """Go through the items once, in flat memory, and return what shards cannot know of each other."""
    total, redrawn, content = spec.n, dict[int, int](), spec.fingerprint
    names: Counter[str] = Counter()
    if spec.dataset is None:
        with tempfile.TemporaryDirectory(prefix="harness-") as folder:
            redrawn, taken = distinct(plugin, spec, engine, Path(folder))
            avoided = _avoided(plugin, spec, taken)
    else:
        total, problems, sha = 0, set[str](), sha256()
        for item in reading.items(plugin, spec):
            sha.update(json_bytes(item) + b"\n")  # what no id holds decides a log, too
            total += 1
            problems.add(item.problem_id)
            if spec.responses:
                names.update(recorded.names(item))
        avoided, content = _avoided(plugin, spec, problems.__contains__), sha.hexdigest()
    if spec.shards > total:
        raise SpecError(f"shards={spec.shards}: at most {total}, the number of items")
    whole = digest([content, provenance.versions(plugin), dict(spec.files)])
    return Prepared(total, redrawn, avoided, whole, names)


def _avoided(plugin: Plugin, spec: Spec, taken: Callable[[str], bool]) -> tuple[str, ...]:
    """Return the problems that a worked example would have but for the items."""
    plan = strategy(plugin.benchmark, spec.strategy)
    if not plan.examples or spec.split == EXAMPLES:
        return ()
    shots = spec.shots or len(plugin.benchmark.choices)
    return tuple(sorted(examples(plugin, spec, shots, taken)[1]))


@dataclass(frozen=True, slots=True)
class _Set:
    """The logs that are one run: their common name, and the results of those that are finished by their numbers."""

    name: str
    fresh: bool
    finished: dict[int, dict[str, Any]]
    path: Path


@contextmanager
def _set(folder: Path, spec: Spec, prepared: Prepared) -> Iterator[_Set]:
    """Hold the set of logs that a run is, begun or new."""
    path = _place(spec, prepared)
    with path.open("a+", encoding="utf-8") as file:
        hold(file, resume.BUSY.format(folder))
        file.seek(0)
        known = _begun(spec, path, file.read(100))
        if known.fresh:
            file.truncate(0)
            file.write(known.name)
            file.flush()
        yield known


def _begun(spec: Spec, path: Path, name: str) -> _Set:
    """Return the set of logs of a name, or a new one where there is none that is to be gone on with."""
    finished = _finished(path.parent, name) if spec.resume and name.isalnum() else {}
    anew = len(finished) == spec.shards and spec.again
    if anew or not (spec.resume and name.isalnum()):
        return _Set(uuid4().hex, True, {}, path)
    return _Set(name, False, finished, path)


def _place(spec: Spec, prepared: Prepared) -> Path:
    """Return the file that names the set of logs that a run is."""
    which = [resume.identity(spec), spec.plugin, spec.version, spec.shards]
    parts = json.loads(json.dumps([*which, _asked(spec), prepared.digest]))
    return Path(spec.log_dir) / f".shards-{digest(parts)[:16]}"


def _all(
    spec: Spec, prepared: Prepared, engine: Engine, known: _Set, warn: Warn
) -> dict[int, dict[str, Any]]:
    """Return the results of all shards, running those that are not finished."""
    done = dict(known.finished)
    if len(done) == spec.shards:
        warn(f"this run is finished in {spec.log_dir}; nothing is asked, again=yes asks anew")
    elif done:
        warn(f"{len(done)} of {spec.shards} shards are finished; going on with the others")
    left = [number for number in range(1, spec.shards + 1) if number not in done]
    shard = partial(_shard, spec, prepared, engine, known)
    for number, result in engines.unordered(shard, left, engine.workers, lambda: None, 1.0):
        done[number] = result
        line = "no answers to its items"
        if "log" in result:
            line = f"{result['n']} items, {result['log']}"
        warn(f"[{len(done)}/{spec.shards}] shard {number}: {line}")
    return done


def _finished(folder: Path, name: str) -> dict[int, dict[str, Any]]:
    """Return the results of the shards of a set all of whose answers are there."""
    results = {}
    for path in sorted(folder.glob("*.eval")):
        try:
            log = logs.header(path)
        except DatasetError:  # torn by a crash: its shard is not finished
            continue
        mark = (log.eval.metadata or {}).get(MARK)
        if isinstance(mark, dict) and mark.get("set") == name and log.status == "success":
            result = result_of_log(log)
            if not result["failed"]:
                results[int(mark["number"])] = result
    return results


def _shard(
    spec: Spec, prepared: Prepared, engine: Engine, known: _Set, number: int
) -> dict[str, Any]:
    """Run one shard; where its process dies, or samples stay without an answer, it goes on where it ended."""
    result: dict[str, Any] = {}
    for left in range(engines.TRIES - 1, -1, -1):
        try:
            again = left < engines.TRIES - 1
            result = engine.process(_request(spec, prepared, known, number, again), SHARD)
        except UnansweredError as error:
            return {"unanswered": str(error), "failed": 0}
        except EngineError as error:
            if not left:
                which = f"shard {number} of {spec.shards}"
                hint = "the same command goes on with what is left"
                raise EngineError(f"{which}: {error}; {hint}") from None
            continue
        if not result["failed"]:
            break
    return result


def _request(
    spec: Spec, prepared: Prepared, known: _Set, number: int, again: bool
) -> dict[str, Any]:
    places = slices.of(number, spec.shards, prepared.total)
    named = [*spec.files, "responses", "context", "study", "prices", "log_dir"]
    named += [] if is_url(spec.dataset or "") else ["dataset"]
    settings = {**spec.config, **spec.options}
    values = {
        "plugin": spec.plugin,
        **task_params(spec),
        **_asked(spec),
        # Paths that are right in any directory.
        **{key: str(Path(settings[key]).absolute()) for key in named if settings[key]},
        "n": prepared.total,
        "shards": None,
        "shard": f"{number}/{spec.shards}",
        "redrawn": slices.word(prepared.redrawn, places),
        "avoided": " ".join(prepared.avoided) or None,
        "resume": again or not known.fresh,
        "again": None,
    }
    facts = {MARK: {"set": known.name, "number": number, "of": spec.shards}}
    values = {key: value for key, value in values.items() if value is not None}
    marks = {"fingerprint": spec.fingerprint, "version": spec.version}
    return {"values": values, "facts": facts, **marks}


def _asked(spec: Spec) -> dict[str, Any]:
    """Return how the model is asked, which is no part of the task."""
    return {name: spec.options[name] for name in of_scope("model", "service")}


def _together(
    plugin: Plugin, spec: Spec, prepared: Prepared, results: Mapping[int, dict[str, Any]]
) -> Whole:
    logged = [results[number] for number in sorted(results) if "log" in results[number]]
    if not logged:
        raise UnansweredError(results[1]["unanswered"])
    log, rows = merged.joined(plugin, [Path(shard["log"]) for shard in logged], spec.convention)
    reasons: Counter[str] = Counter()
    for shard in logged:
        for line in shard["errors"]:
            count, _, why = line.partition(" × ")
            reasons[why] += int(count)
    result = {
        **result_of_log(log),
        "unscored": sum(shard["unscored"] for shard in logged),
        "failed": sum(shard["failed"] for shard in logged),
        "errors": [f"{count} × {why}" for why, count in reasons.most_common(5)],
        "shards": [shard["log"] for shard in logged],
    }
    if not spec.responses:
        return Whole(result, rows, None)
    silent = [number for number in results if "log" not in results[number]]
    without = sum(len(slices.of(number, spec.shards, prepared.total)) for number in silent)
    responses = _responses([Path(shard["log"]) for shard in logged], without)
    return Whole(result, rows, responses | recorded.ownerless(spec, prepared.names))


def _responses(paths: Sequence[Path], without: int) -> dict[str, Any]:
    """Return what was read of recorded answers by all shards; ``without`` items had none in all of their shard."""
    parts = [dict((logs.header(path).eval.metadata or {})["responses"]) for path in paths]
    joined = dict(parts[0])
    for key in ("items", "scored", "empty"):
        joined[key] = sum(part[key] for part in parts)
    joined["items"] += without
    joined["labels_only"] = all(part["labels_only"] for part in parts)
    for kind in recorded.KINDS:
        told = [text for part in parts for text in part[kind]["examples"]]
        count = sum(part[kind]["count"] for part in parts)
        joined[kind] = {"count": count, "examples": told[: recorded.EXAMPLES]}
    joined["missing"]["count"] += without
    return joined
