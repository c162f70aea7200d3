"""Run evaluations with Inspect and turn their logs into result tables."""

from __future__ import annotations

import logging
import math
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from harness_errors import EngineError, OutputError, SpecError
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalError, EvalLog, EvalSample
from inspect_ai.model import Model
from inspect_ai.scorer import Score

from harness.core.facts import warnings
from harness.core.feature_hooks import Warn
from harness.core.features import features
from harness.core.plugins import one_line, registry
from harness.core.spec import Spec
from harness.run import compat, logs, models, progress, startup
from harness.run import registry as _registry
from harness.run.compat import PrerequisiteError
from harness.run.inspect_task import carried, task_params
from harness.run.metrics import SCORER, unparsed_by
from harness.run.models import plain


def results(specs: Sequence[Spec], warn: Warn) -> list[dict[str, Any]]:
    """Return the result of each spec (see `result`); all of them are checked before the first is run.

    Raises:
        SpecError: a model, tool, sandbox or context that cannot be used; no log is written.
        EngineError: Inspect could not run a task at all.
        OutputError: a log cannot be written.
    """
    for name in dict.fromkeys(spec.model for spec in specs):
        models.model_of(name)
    hooks = features().hook
    for spec in specs:
        hooks.check_spec(spec=spec, model=spec.model)
    found: list[dict[str, Any]] = hooks.results_of(specs=specs, warn=warn)
    return found


def each(specs: Sequence[Spec], warn: Warn) -> list[dict[str, Any]]:
    """Run specs that were checked one after the other and return their results."""
    found = []
    for number, spec in enumerate(specs, 1):
        if len(specs) > 1:
            warn(f"[{number}/{len(specs)}] {spec}")
        found.append(features().hook.result_of(spec=spec, warn=warn))
    return found


def run(
    spec: Spec, warn: Warn = lambda line: None, facts: Mapping[str, Any] | None = None
) -> EvalLog:
    """Evaluate one spec and return its log (already written to ``log_dir``), with ``facts`` in its metadata.

    ``warn`` is given each warning about the items, as a line, before the model is asked.

    Raises:
        SpecError: a model, tool, sandbox or context that cannot be used; no log is written.
        EngineError: Inspect could not run the task at all.
        OutputError: the log cannot be written.
    """
    hooks = features().hook
    model = hooks.model_of(spec=spec)
    hooks.check_spec(spec=spec, model=spec.model)
    task = _task(spec)
    for line in warnings(task.metadata.get("about")):
        warn(line)
    folder = Path(spec.log_dir)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass  # a folder that cannot be written is told of before anything else
        with progress.shown(*_extent(task, spec)):
            log: EvalLog = hooks.evaluate(
                spec=spec, task=task, model=model, facts=dict(facts or {}), warn=warn
            )
            return log
    except OSError as error:
        raise OutputError(unwritten(folder, error)) from None
    except PrerequisiteError as error:
        raise SpecError(plain(error)) from None


def unwritten(folder: Path, error: OSError) -> str:
    """Return what to say where no log can be written."""
    return f"{folder}: the log cannot be written: {error.strerror or one_line(error)[:150]}"


def log_of(
    spec: Spec, task: Any, model: Model, facts: Mapping[str, Any], folder: Path | None = None
) -> EvalLog:
    """Have Inspect run a task; return its log, which lies in ``folder``, else in the spec's ``log_dir``.

    Raises:
        EngineError: Inspect could not run the task at all.
    """
    settings = settings_of(spec, task)
    log = evaluated(task, model, folder or Path(spec.log_dir), metadata=dict(facts), **settings)
    if log.status == "error":
        raise EngineError(f"the run failed: {cause_of(log)}")
    return log


def cause_of(log: EvalLog) -> str:
    """Return why a run as a whole failed."""
    return _cause(log.error) if log.error else "no reason given"


def settings_of(spec: Spec, task: Any) -> dict[str, Any]:
    """Return how the model is asked and how the log is written, as Inspect's keywords."""
    settings = models.options(spec.options)
    if spec.logprobs:
        settings |= {"logprobs": True, "top_logprobs": 5}
    return settings | (
        QUICK if spec.model.startswith("harness/") else {"log_buffer": buffer_of(task)}
    )


# There is nothing to watch live when an answer takes a millisecond, and the live buffer takes a quarter of the
# time, the server for `inspect ctl` as long as fifty answers. Finished samples still reach the disk, fifty at a time.
QUICK: dict[str, Any] = {"log_realtime": False, "log_buffer": 50, "ctl_server": False}
FLUSHES = 1000  # how often at most a log is written while its run goes on: each time as a whole


def buffer_of(task: Task) -> int:
    """Return after how many finished samples the log is written: each, unless there are very many."""
    return max(1, len(task.dataset) * (task.epochs or 1) // FLUSHES)


def evaluated(task: Any, model: Model, folder: Path, **settings: Any) -> EvalLog:
    """Have Inspect run a task; an interrupt is one whether Inspect raises it or tells of it."""
    startup.hush()
    with _refusing():
        found = inspect_eval(
            task, model=model, log_dir=str(folder), log_format="eval", display="none",
            score_display=False, fail_on_error=False, **settings,
        )  # fmt: skip
    if not found or found[0].status == "cancelled":
        raise KeyboardInterrupt
    return found[0]


class _Refusal(logging.Handler):
    """Ends a run whose log cannot be written, which Inspect is about to pass over with a warning."""

    def emit(self, record: logging.LogRecord) -> None:
        """Raise what the warning is about."""
        error = sys.exc_info()[1]
        if isinstance(error, PermissionError):
            raise error


@contextmanager
def _refusing() -> Iterator[None]:
    """Have a folder that may not be written any more end the run, as a full disk does.

    Inspect takes it for a file that a viewer on Windows holds: it would go on asking, forget the answers, and
    fail at the end.
    """
    writer, handler = logging.getLogger(compat.WRITER_OF_LOGS), _Refusal()
    writer.addHandler(handler)
    try:
        yield
    finally:
        writer.removeHandler(handler)


def _task(spec: Spec) -> Any:
    """Build the task through Inspect's registry, so that its log can be retried by name."""
    try:
        with carried(spec):
            return _registry.task_of(spec.plugin)(**task_params(spec))
    except PrerequisiteError as error:
        raise error.__cause__ or error from None


def _extent(task: Any, spec: Spec) -> tuple[int, str]:
    """Return how many answers a run judges, and the value whose mean stands for it on the way."""
    benchmark = registry().get(spec.plugin).benchmark
    shown = benchmark.headline if benchmark.headline in benchmark.values else benchmark.values[0]
    return len(task.dataset) * (task.epochs or 1), shown


def result(log: EvalLog) -> dict[str, Any]:
    """Return the result table of one log (see docs/json.md): metrics with intervals, floors, counts."""
    facts: Mapping[str, Any] = log.eval.metadata or {}
    metrics: dict[str, dict[str, float | None]] = {}
    groups: dict[str, float] = {}
    scores = log.results.scores if log.results else []
    unscored = 0
    for score in scores:
        numbers = {key: one.value for key, one in score.metrics.items()}
        if score.name == SCORER:
            groups |= {k: _round(v) for k, v in numbers.items() if " at " in k}  # type: ignore[misc]
            metrics |= _whole(numbers)
        else:
            unscored = score.unscored_samples or 0
            if score.scored_samples:
                metrics[score.name] = _named(numbers)
    lost, failed, errors = _failed(log, unscored)
    unparsed = metrics.get("unparsed", {}).get("value")
    tokens = metrics.get("output_tokens")
    benchmark = registry().get(str(facts["plugin"])).benchmark
    undefined = dict.fromkeys(("value", "ci_low", "ci_high", "stderr"))
    order = [m.name for m in benchmark.metrics]
    order += [m.name for m in benchmark.published if m.name in metrics]
    metrics = {name: {**undefined, **metrics.get(name, {})} for name in order}
    hooks = features().hook
    return {
        "plugin": facts["plugin"],
        "model": log.eval.model,
        "strategy": facts.get("strategy", ""),
        "gold": facts.get("gold", []),
        "config": facts.get("config", {}),
        "dataset": facts.get("dataset"),
        "n": log.eval.dataset.samples or 0,
        **{key: value for part in hooks.facts_of(log=facts) for key, value in part.items()},
        "metrics": metrics,
        "output_tokens": {**undefined, **tokens} if tokens else None,
        "groups": groups,
        "usage": models.usage(log.stats.model_usage),
        "unparsed": unparsed,
        "unparsed_by": unparsed_by(log),
        "unscored": unscored + lost,
        "failed": failed,
        "errors": errors[:5],
        "floors": facts.get("floors", {}),
        "fingerprint": facts.get("fingerprint", ""),
        "wrappers": facts.get("wrappers", {}),
        "draws": facts.get("draws"),
        "rejected": facts.get("rejected"),
        "rejected_share": facts.get("rejected_share"),
        "about": facts.get("about"),
        "log": relative(log.location),
    }


def relative(location: str) -> str:
    """Return a file's place as a result names it: from the working directory, where it lies below that."""
    path = Path(location.removeprefix("file://"))
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def _failed(log: EvalLog, unscored: int) -> tuple[int, int, list[str]]:
    """Return how many items have no score because every try at them failed, how many answers, and all reasons.

    ``unscored`` are those that completed and could not be scored; their reasons count too.
    """
    done = log.results.completed_samples if log.results else 0
    if log.results and done == log.results.total_samples and not unscored:
        return 0, 0, []  # without reading the samples back from the file
    found: set[int | str] = set()
    scored: set[int | str] = set()
    reasons: Counter[str] = Counter()
    failed = 0
    for sample in samples_of(log):
        found.add(sample.id)
        if sample.scores:
            scored.add(sample.id)
        else:
            failed += 1
        if sample.error:
            reasons[_cause(sample.error)] += 1
        judged = (sample.scores or {}).values()
        reasons.update(_why(score) for score in judged if not isinstance(score.value, dict))
    shown = [f"{count} × {reason}" for reason, count in reasons.most_common()]
    return len(found - scored), failed, shown


def samples_of(log: EvalLog) -> Iterable[EvalSample]:
    """Yield the samples of a log with their scores, from its file where they are not in memory."""
    if log.samples is not None:
        return log.samples
    return logs.samples(Path(log.location.removeprefix("file://")), log, logs.ASIDE - {"scores"})


def _cause(error: EvalError) -> str:
    return models.cause(error.traceback, error.message)


def _why(score: Score) -> str:
    return " ".join((score.explanation or "no reason given").replace("*", "").split())[:200]


def _round(value: float) -> float | None:
    return round(value, 6) if value == value else None


def _named(numbers: Mapping[str, float]) -> dict[str, float | None]:
    # Which interval it is, Wilson's or the bootstrap's, is part of its name.
    ends = {end: v for k, v in numbers.items() for end in ("lower", "upper") if k.endswith(end)}
    return {
        "value": _round(numbers["mean"]),
        "ci_low": _round(ends.get("lower", math.nan)),
        "ci_high": _round(ends.get("upper", math.nan)),
        "stderr": _round(numbers["stderr"]),
    }


def _whole(numbers: Mapping[str, float]) -> dict[str, dict[str, float | None]]:
    ends = {"_lower": "ci_low", "_upper": "ci_high", "_stderr": "stderr", "_hard": "hard_labels"}
    found: dict[str, dict[str, float | None]] = {}
    for key, value in numbers.items():
        if " at " in key or key == "whole":
            continue
        base, part = key, "value"
        for end, name in ends.items():
            if key.endswith(end):
                base, part = key.removesuffix(end), name
        found.setdefault(base, {})[part] = _round(value)
    return found
