"""Going on with an interrupted run: find the unfinished log of this run that no other process is writing.

Every log of a run carries a mark in its metadata: which run it belongs to, and a digest of all that decides what
is asked and how an answer is judged. No clock decides anything: not which log is gone on with, not who is alive.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import uuid4

from harness_errors import DatasetError, EngineError, OutputError
from inspect_ai import Task
from inspect_ai.log import (
    EvalLog,
    EvalLogInfo,
    EvalSampleSummary,
    RecoveryNotAvailable,
    recover_eval_log,
)
from inspect_ai.model import Model, ModelUsage

from harness.core.files import held
from harness.core.items import digest
from harness.core.plugins import one_line, registry
from harness.core.spec import Spec
from harness.rerun import sweeps
from harness.run import evaluation, logs
from harness.run.compat import PreviousTask, registry_params
from harness.run.inspect_task import task_params
from harness.run.metrics import registered
from harness.run.results import cause_of
from harness.run.strategies import strategy

MARK = "resume"  # the key of a log's metadata
# Settings that change no answer: one may go on with fewer connections than before.
_SERVICE = ("max_retries", "attempt_timeout", "max_connections")
_FACTS = ("fingerprint", "items_digest", "versions", "wrappers", "context")

Warn = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Run:
    """What tells one run from others: its task and arguments, its model, and a digest over everything."""

    task: str
    params: Mapping[str, Any]
    model: str
    ids: str
    digest: str


@dataclass(frozen=True, slots=True)
class _Log:
    """The facts of one log that matter here, known from its beginning; ``run`` and ``digest`` are its mark."""

    path: Path
    stamp: tuple[int, int, int]
    run: str
    digest: str
    ids: str
    known: tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Prior:
    """An unfinished log to go on with: where it is, where its samples are read, and how many are finished."""

    path: Path
    source: Path
    head: EvalLog
    finished: int


@dataclass(frozen=True, slots=True)
class Claim:
    """A run that is this process's alone; ``prior`` is what there is of it."""

    run: Run
    name: str
    prior: Prior | None

    @property
    def mark(self) -> dict[str, Any]:
        """The mark as metadata of a log."""
        return {MARK: {"run": self.name, "digest": self.run.digest}}

    def task(self, task: Task) -> Task | PreviousTask:
        """Return what Inspect is to run: the task, on top of the samples that are finished."""
        if self.prior is None:
            return task
        head = self.prior.head
        info = EvalLogInfo(
            name=str(self.prior.source), type="file", size=self.prior.source.stat().st_size, mtime=None,
            task=head.eval.task, task_id=head.eval.task_id, suffix=None,
        )  # fmt: skip
        return PreviousTask(
            id=head.eval.task_id, task=task, task_args=dict(self.run.params), model=None,
            model_roles=None, sandbox=task.sandbox, log=head, log_info=info,
        )  # fmt: skip


def evaluate(spec: Spec, task: Task, model: Model, facts: Mapping[str, Any], warn: Warn) -> EvalLog:
    """Run a task on top of what there is of the same run; what is finished is kept whatever ends it.

    An unfinished log of exactly the same run is gone on with, unless ``resume`` is off; so is the sweep that is
    under way.

    Raises:
        EngineError: Inspect could not run the task at all.
        OutputError: the log cannot be written.
    """
    folder, sweep = Path(spec.log_dir), sweeps.current()
    settings = evaluation.settings_of(spec, task)
    generate = {
        key: value for key, value in settings.items() if not key.startswith(("log_", "ctl_"))
    }
    run = run_of(spec, task, model, generate)
    done = finished(folder, run, sweep)
    if done:
        warn(f"{done} is finished")
        return logs.header(done)
    with claimed(folder, run, bool(spec.resume), warn) as claim:
        if sweep:
            sweep.begin(claim.name)
        if claim.prior:
            total = len(task.dataset) * (task.epochs or 1)
            there = f"{claim.prior.finished} of {total} samples are there"
            warn(f"going on with {claim.prior.path}: {there}")
        mine = {**claim.mark, **facts}
        try:
            log = evaluation.evaluated(claim.task(task), model, folder, metadata=mine, **settings)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(_kept(spec, claim).removeprefix("; ")) from None
        except OSError as error:
            raise OutputError(evaluation.unwritten(folder, error) + _kept(spec, claim)) from None
        if log.status == "error":
            why = cause_of(log)
            raise EngineError(f"the run failed: {why}{_kept(spec, claim)}")
        if sweep and not whole(log):
            sweep.lacking = True
        tidy(folder, claim, log)
    return log


def _kept(spec: Spec, claim: Claim) -> str:
    """Return what to say of the samples that are finished, nothing where none are."""
    log = newest(Path(spec.log_dir), claim) or (claim.prior and claim.prior.path)
    without = "" if spec.resume else ", without resume=no,"
    said = f"; finished samples are kept in {log}; the same command{without} goes on with them"
    return said if log else ""


def run_of(spec: Spec, task: Task, model: Model, generate: Mapping[str, Any]) -> Run:
    """Return what the run of a task is known by; ``generate`` are the settings that the model is asked with."""
    samples = sha256()
    for one in task.dataset:
        samples.update(
            json.dumps([one.id, one.input, one.target, one.metadata], default=str).encode()
        )
    facts = task.metadata or {}
    params = _plain(task_params(spec))
    plan = strategy(registry().get(spec.plugin).benchmark, spec.strategy)
    all_of_it = [
        registered(spec.plugin), task.version, params, str(model),
        {key: value for key, value in generate.items() if key not in _SERVICE},
        {key: facts.get(key) for key in _FACTS},
        asdict(plan), registry_params(task.solver), samples.hexdigest(),
    ]  # fmt: skip
    ids = digest([one.id for one in task.dataset])
    return Run(registered(spec.plugin), params, str(model), ids, digest(_plain(all_of_it)))


def _plain(value: Any) -> Any:
    """Return a value as it comes back from a log."""
    return json.loads(json.dumps(value, default=str))


# ------------------------------------------------------------------------------- claiming


@contextmanager
def claimed(folder: Path, run: Run, go_on: bool, warn: Warn) -> Iterator[Claim]:
    """Hold a run for this process: the unfinished one in the folder if there is one and ``go_on``, else a new one.

    Raises:
        OSError: the folder cannot be written.
    """
    with ExitStack() as kept:
        prior, name = _prior(folder, run, kept, warn) if go_on else (None, "")
        if prior is None:
            name = uuid4().hex
            kept.enter_context(_held(folder, name))
        if prior is not None:
            _another_second(prior.path)
        yield Claim(run, name, prior)


def _prior(folder: Path, run: Run, kept: ExitStack, warn: Warn) -> tuple[Prior | None, str]:
    passed: set[str] = set()  # runs that other processes are at
    while True:
        found = [one for one in _unfinished(folder, run, warn) if one.run not in passed]
        best = max(found, key=lambda one: (_finished(one.path), one.path.name), default=None)
        if best is None:
            _tell_of_others(folder, run, warn)
            return None, ""
        with ExitStack() as own:
            if not own.enter_context(_held(folder, best.run)):
                passed.add(best.run)
                continue
            # Whoever held it may have gone on in the meantime.
            if best not in _unfinished(folder, run, warn):
                continue
            prior = _opened(best, own, warn)
            if prior is None:
                passed.add(best.run)
                continue
            kept.push(own.pop_all())
            return prior, best.run


@contextmanager
def _held(folder: Path, name: str) -> Iterator[bool]:
    """Hold a run; False is yielded where another process, alive now, does."""
    path = folder / f".{name}.lock"
    with path.open("a") as file:
        mine = held(file, path)  # whoever held it before may have removed it
        try:
            yield mine
        finally:
            if mine:
                with suppress(OSError):  # it does no harm, and must not hide what went wrong
                    path.unlink()


_tries: set[str] = set()  # the seconds in which this process went on with something


def _another_second(path: Path) -> None:
    """Wait, a second at most, where Inspect would now give the new log the name of an earlier try at it."""
    for _ in range(60):
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H-%M-%S")
        if now not in _tries and not path.name.startswith(now):
            break
        time.sleep(0.02)
    _tries.add(now)


def _opened(one: _Log, kept: ExitStack, warn: Warn) -> Prior | None:
    try:
        head = logs.header(one.path)
        source = _recovered(one, kept, warn)
        done = _done(source)
    except DatasetError as error:
        warn(f"warning: {error}; it is passed over")
        return None
    if not head.stats.model_usage:  # a killed run has no sum of what it used
        head.stats.model_usage = _used(done)
    return Prior(one.path, source, head, len(done))


def _recovered(one: _Log, kept: ExitStack, warn: Warn) -> Path:
    """Return a log of a killed run with what Inspect still has of samples that had not reached the log."""
    if _state(one.path, one.stamp)[0] != "started":
        return one.path
    folder = kept.enter_context(tempfile.TemporaryDirectory(prefix="harness-"))
    whole = Path(folder) / one.path.name
    try:
        recover_eval_log(str(one.path.absolute()), output=str(whole), cleanup=False)
    except RecoveryNotAvailable:
        return one.path
    # Its buffer is another program's affair; the log itself is there in any case.
    except Exception as error:
        warn(f"warning: {one.path}: only what reached the log is there ({one_line(error)[:150]})")
        return one.path
    return whole


def _done(path: Path) -> list[EvalSampleSummary]:
    return [one for one in logs.summaries(path) if one.error is None and one.completed]


def _finished(path: Path) -> int:
    try:
        return len(_done(path))
    except DatasetError:
        return -1


def _used(samples: list[EvalSampleSummary]) -> dict[str, ModelUsage]:
    total: dict[str, ModelUsage] = {}
    for one in samples:
        for name, usage in one.model_usage.items():
            total[name] = total[name] + usage if name in total else usage
    return total


# ------------------------------------------------------------------------------- looking


def _unfinished(folder: Path, run: Run, warn: Warn) -> list[_Log]:
    """Return the logs of the runs, exactly this one's, none of whose logs is finished."""
    return _open(
        one for one in _all(folder, warn) if (one.digest, one.ids) == (run.digest, run.ids)
    )


def _open(found: Iterable[_Log]) -> list[_Log]:
    """Return the logs of runs none of whose logs is finished."""
    found = list(found)
    over = {one.run for one in found if _state(one.path, one.stamp)[1]}
    return [one for one in found if one.run not in over]


def _all(folder: Path, warn: Warn) -> list[_Log]:
    found = []
    for path in sorted(folder.glob("*.eval")):
        if path.name.startswith("."):
            continue
        try:
            facts = path.stat()
        except OSError:  # gone since
            continue
        one = _look(path, (facts.st_ino, facts.st_mtime_ns, facts.st_size))
        if isinstance(one, _Log):
            found.append(one)
        elif one and (path, one) not in _told:
            _told.add((path, one))
            warn(f"warning: {one}; it is passed over")
    return found


_told: set[tuple[Path, str]] = set()  # damaged logs, each told of once


# A sweep looks at the same logs again and again; the stamp tells a changed one.
@lru_cache(maxsize=100_000)
def _look(path: Path, stamp: tuple[int, int, int]) -> _Log | str | None:
    """Return the facts of a log; what is wrong with it; or None where it is none of these runs'."""
    try:
        spec = logs.beginning(path)
    except DatasetError as error:
        return str(error)
    facts = spec.metadata or {}
    mark = facts.get(MARK)
    named = (mark.get("run"), mark.get("digest")) if isinstance(mark, dict) else (None, None)
    # A log that was scored anew is no run.
    if "rescored" in facts or not all(isinstance(word, str) for word in named):
        return None
    run, own = map(str, named)
    if not run.isalnum():  # it becomes a file's name
        return None
    known = (spec.task_registry_name or "", digest(_plain(spec.task_args)), spec.model)
    return _Log(path, stamp, run, own, digest(spec.dataset.sample_ids or []), known)


@lru_cache(maxsize=1000)
def _state(path: Path, stamp: tuple[int, int, int]) -> tuple[str, bool]:
    """Return a log's status, and whether it is `whole`."""
    try:
        log = logs.header(path)
    except DatasetError:
        return "damaged", False
    return log.status, whole(log)


def whole(log: EvalLog) -> bool:
    """Return whether every sample of a log has an answer: else asking again is asking for the rest."""
    results = log.results
    counted = results is not None and results.completed_samples == results.total_samples
    return log.status == "success" and counted


def finished(folder: Path, run: Run, sweep: sweeps.Sweep | None) -> Path | None:
    """Return the log that an interrupted sweep has of a run, where it is whole: it is not asked for again."""
    for one in _all(folder, lambda line: None) if sweep and sweep.earlier else ():
        same = (one.digest, one.ids) == (run.digest, run.ids)
        if sweep and same and one.run in sweep.earlier and _state(one.path, one.stamp)[1]:
            sweep.took(one.run)
            return one.path
    return None


def _tell_of_others(folder: Path, run: Run, warn: Warn) -> None:
    """Say which unfinished logs a user may have meant, and why they are left alone."""
    known = (run.task, digest(run.params), run.model)
    for one in _open(one for one in _all(folder, warn) if one.known == known):
        if (one.digest, one.ids) != (run.digest, run.ids):
            warn(
                f"warning: {one.path} is unfinished, but of other items, versions or settings: "
                "it is left as it is"
            )


# ------------------------------------------------------------------------------- afterwards


def newest(folder: Path, claim: Claim) -> Path | None:
    """Return the log that holds most of a run, None where there is none yet."""
    own = [one.path for one in _all(folder, lambda line: None) if one.run == claim.name]
    return max(own, key=lambda path: (_finished(path), path.name), default=None)


def tidy(folder: Path, claim: Claim, log: EvalLog) -> None:
    """Remove the unfinished logs of a run all of whose finished samples are in its whole log.

    Raises:
        OSError: one cannot be removed.
    """
    if claim.prior is None:
        return
    whole = Path(log.location.removeprefix("file://"))
    kept = {(str(one.id), one.epoch, one.uuid) for one in logs.summaries(whole)}
    for one in _all(folder, lambda line: None):
        if one.run != claim.name or one.path.samefile(whole):
            continue
        if _state(one.path, one.stamp)[0] == "success":
            continue
        if {(str(own.id), own.epoch, own.uuid) for own in _done(one.path)} <= kept:
            one.path.unlink()
