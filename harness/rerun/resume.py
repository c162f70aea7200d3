"""Going on with an interrupted run: find the unfinished log of this run that no other process is writing.

No clock decides anything: not which log is gone on with (see `harness.rerun.run_logs`), not who is alive.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import uuid4

from harness_errors import DatasetError, EngineError, OutputError
from inspect_ai import Task
from inspect_ai.log import EvalLog, EvalLogInfo, RecoveryNotAvailable, recover_eval_log
from inspect_ai.model import Model

from harness.core.feature_hooks import Warn
from harness.core.features import of_scope
from harness.core.items import digest
from harness.core.plugins import one_line, registry
from harness.core.spec import Spec
from harness.datasets.files import hold
from harness.rerun import log_samples, logs, run_logs
from harness.rerun.run_logs import MARK, Run, RunLog, plain
from harness.run import evaluation
from harness.run.compat import PreviousTask, registry_params
from harness.run.inspect_task import task_params
from harness.run.metrics import registered
from harness.run.results import cause_of
from harness.run.strategies import strategy

BUSY = "{}: another process is at this run; wait for it, or use another log_dir="
_FACTS = ("fingerprint", "items_digest", "versions", "wrappers")


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

    An unfinished log of exactly the same run is gone on with. Of a finished one, nothing is asked: its log is
    returned, except with ``again`` and for the embedded models, which cost nothing. ``resume=no`` looks at neither.

    Raises:
        EngineError: Inspect could not run the task at all.
        OutputError: another process is at this run, or the log cannot be written.
    """
    folder = Path(spec.log_dir)
    settings = evaluation.settings_of(spec, task)
    run = run_of(spec, task, model, asked_with(settings))
    with _held(folder, run), ExitStack() as kept:
        finished = _finished(spec, run, warn)
        if finished:
            warn(f"this run is finished: {finished}; nothing is asked, again=yes asks anew")
            return logs.header(finished)
        prior, name = _prior(spec, run, kept, warn)
        if prior is not None:
            _another_second(prior.path)
        claim = Claim(run, name or uuid4().hex, prior)
        return _evaluated(spec, task, model, facts, claim, settings, warn)


def answered(spec: Spec, task: Task, model: Model) -> set[tuple[str, int]] | None:
    """Return what `evaluate` would not ask for, id and epoch of each sample; None of a run that is finished.

    Raises:
        OSError: the folder of the logs cannot be used.
    """
    run = run_of(spec, task, model, asked_with(evaluation.settings_of(spec, task)))
    if _finished(spec, run, lambda line: None):
        return None
    with ExitStack() as kept:
        prior, _ = _prior(spec, run, kept, lambda line: None)
        done = run_logs.done_in(prior.source) if prior else []
        return {(name, epoch) for name, epoch, _ in run_logs.tries(done)}


def asked_with(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of Inspect's keywords that say how a model is asked, not how its log is written."""
    return {key: value for key, value in settings.items() if not key.startswith(("log_", "ctl_"))}


def _finished(spec: Spec, run: Run, warn: Warn) -> Path | None:
    """Return the log of a finished run that is not to be asked for again, None where there is none."""
    if not spec.resume or spec.again or embedded(spec):
        return None
    known = [log for log in run_logs.in_folder(Path(spec.log_dir), warn) if log.is_of(run)]
    return next((log.path for log in reversed(known) if log.whole), None)


def embedded(spec: Spec) -> bool:
    """Return whether a run asks one of our own models, which answers for nothing and at once."""
    return str(spec.model).startswith("harness/")


def _evaluated(
    spec: Spec, task: Task, model: Model, facts: Mapping[str, Any], claim: Claim,
    settings: Mapping[str, Any], warn: Warn,
) -> EvalLog:  # fmt: skip
    folder = Path(spec.log_dir)
    if claim.prior:
        total = len(task.dataset) * (task.epochs or 1)
        there = f"{claim.prior.finished} of {total} samples are there"
        warn(f"going on with {claim.prior.path}: {there}")
    mark = {MARK: {"run": claim.name, "digest": claim.run.digest}}
    mine = {**mark, **facts}
    try:
        log = evaluation.evaluated(claim.task(task), model, folder, metadata=mine, **settings)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(_kept(spec, claim).removeprefix("; ")) from None
    except OSError as error:
        raise OutputError(evaluation.unwritten(folder, error) + _kept(spec, claim)) from None
    if log.status == "error":
        raise EngineError(f"the run failed: {cause_of(log)}{_kept(spec, claim)}")
    _tidy(folder, claim, log)
    return log


def _kept(spec: Spec, claim: Claim) -> str:
    """Return what to say of the samples that are finished, nothing where none are."""
    log = run_logs.newest(Path(spec.log_dir), claim.name) or (claim.prior and claim.prior.path)
    without = "" if spec.resume else ", without resume=no,"
    hint = f"; finished samples are kept in {log}; the same command{without} goes on with them"
    return hint if log else ""


def run_of(spec: Spec, task: Task, model: Model, generate: Mapping[str, Any]) -> Run:
    """Return what the run of a task is known by; ``generate`` are the settings that the model is asked with."""
    samples = sha256()
    for sample in task.dataset:
        parts = [sample.id, sample.input, sample.target, sample.metadata]
        samples.update(json.dumps(parts, default=str).encode())
    facts = task.metadata or {}
    params = plain(task_params(spec))
    plan = strategy(registry().get(spec.plugin).benchmark, spec.strategy)
    # What changes no answer: one may go on with fewer connections than before.
    service = {"attempt_timeout", *of_scope("service")}
    all_of_it = [
        registered(spec.plugin), task.version, plain(identity(spec)), str(model),
        {key: value for key, value in generate.items() if key not in service},
        {key: facts.get(key) for key in _FACTS},
        asdict(plan), registry_params(task.solver), samples.hexdigest(),
    ]  # fmt: skip
    ids = digest([sample.id for sample in task.dataset])
    return Run(registered(spec.plugin), params, str(model), ids, digest(plain(all_of_it)))


def _prior(spec: Spec, run: Run, kept: ExitStack, warn: Warn) -> tuple[Prior | None, str]:
    """Return the unfinished run in the folder, if there is one to go on with, and its name."""
    if not spec.resume:
        return None, ""
    folder = Path(spec.log_dir)
    left = run_logs.unfinished(log for log in run_logs.in_folder(folder, warn) if log.is_of(run))
    left.sort(key=lambda log: (run_logs.count_done(log.path), log.path.name), reverse=True)
    for log in left:
        if prior := _opened(log, kept, warn):
            return prior, log.run
    _tell_of_others(folder, run, warn)
    return None, ""


def _tell_of_others(folder: Path, run: Run, warn: Warn) -> None:
    """Say which unfinished logs a user may have meant, and why they are left alone."""
    known = (run.task, digest(run.params), run.model)
    alike = [log for log in run_logs.in_folder(folder, warn) if log.known == known]
    for log in run_logs.unfinished(alike):
        if not log.is_of(run):
            why = "is unfinished, but of other items, versions or settings: it is left as it is"
            warn(f"warning: {log.path} {why}")


@contextmanager
def _held(folder: Path, run: Run) -> Iterator[None]:
    """Hold a run; no other process, alive now, is at the same one in this folder.

    Raises:
        OutputError: another process is.
        OSError: the folder cannot be written.
    """
    path = folder / f".{digest([run.digest, run.ids])[:32]}.lock"
    with path.open("a") as file:
        # Whoever held it before may have removed it.
        hold(file, BUSY.format(folder), path)
        try:
            yield
        finally:
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


def _opened(log: RunLog, kept: ExitStack, warn: Warn) -> Prior | None:
    try:
        head = logs.header(log.path)
        source = _recovered(log, kept, warn)
        done = run_logs.done_in(source)
    except DatasetError as error:
        warn(f"warning: {error}; it is passed over")
        return None
    if not head.stats.model_usage:  # a killed run has no sum of what it used
        head.stats.model_usage = run_logs.usage(done)
    return Prior(log.path, source, head, len(done))


def _recovered(log: RunLog, kept: ExitStack, warn: Warn) -> Path:
    """Return a log of a killed run with what Inspect still has of samples that had not reached the log."""
    if log.status != "started":
        return log.path
    folder = kept.enter_context(tempfile.TemporaryDirectory(prefix="harness-"))
    whole = Path(folder) / log.path.name
    try:
        recover_eval_log(str(log.path.absolute()), output=str(whole), cleanup=False)
    except RecoveryNotAvailable:
        return log.path
    # Its buffer is another program's affair; the log itself is there in any case.
    except Exception as error:
        warn(f"warning: {log.path}: only what reached the log is there ({one_line(error)[:150]})")
        return log.path
    return whole


def _tidy(folder: Path, claim: Claim, log: EvalLog) -> None:
    """Remove the unfinished logs of a run all of whose finished samples are in its whole log."""
    if claim.prior is None:
        return
    whole = Path(log.location.removeprefix("file://"))
    kept = run_logs.tries(log_samples.summaries(whole))
    for earlier in run_logs.in_folder(folder):
        if earlier.run != claim.name or earlier.path.samefile(whole) or earlier.status == "success":
            continue
        if run_logs.tries(run_logs.done_in(earlier.path)) <= kept:
            earlier.path.unlink()


def identity(spec: Spec) -> dict[str, Any]:
    """Return what tells a run from others among `task_params`: files by their content, wherever they or logs lie."""
    params = task_params(spec)
    params.pop("log_dir", None)
    return {**params, **{name: of for name, of in spec.contents.items() if name in params}}
