"""Run evaluations with Inspect and turn their logs into result tables."""

from __future__ import annotations

import logging
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from harness_errors import EngineError, OutputError, SpecError
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog
from inspect_ai.model import Model

from harness.core.facts import warnings
from harness.core.feature_hooks import Warn
from harness.core.features import features
from harness.core.plugins import one_line, registry
from harness.core.spec import Spec
from harness.run import compat, faults, home, models, progress, startup
from harness.run import registry as _registry
from harness.run.compat import PrerequisiteError
from harness.run.inspect_task import carried, task_params
from harness.run.models import plain
from harness.run.results import cause_of


def results(specs: Sequence[Spec], warn: Warn) -> list[dict[str, Any]]:
    """Return the result of each spec (see `result_of_log`); all of them are checked before the first is run.

    Raises:
        SpecError: a model, tool, sandbox or context that cannot be used; no log is written.
        EngineError: Inspect could not run a task at all.
        OutputError: a log cannot be written.
    """
    hooks = features().hook
    for spec in specs:
        hooks.model_of(spec=spec)
    for spec in specs:
        hooks.check_spec(spec=spec, model=spec.model)
    all_results: list[dict[str, Any]] = hooks.results_of(specs=specs, warn=warn)
    return all_results


def each(specs: Sequence[Spec], warn: Warn) -> list[dict[str, Any]]:
    """Run specs that were checked one after the other and return their results."""
    results_in_order = []
    words = [str(spec).split() for spec in specs]
    shared = set.intersection(*map(set, words))
    for number, spec in enumerate(specs, 1):
        if len(specs) > 1:
            varied = " ".join(word for word in words[number - 1] if word not in shared)
            warn(f"[{number}/{len(specs)}] {varied or spec}")
        results_in_order.append(features().hook.result_of(spec=spec, warn=warn))
    return results_in_order


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
    home.replace_unwritable()
    hooks = features().hook
    model = hooks.model_of(spec=spec)
    hooks.check_spec(spec=spec, model=spec.model)
    task = task_of(spec)
    for line in warnings(task.metadata.get("about")):
        warn(line)
    folder = Path(spec.log_dir)
    benchmark = registry().get(spec.plugin).benchmark
    # Whose mean stands for the run on the way.
    value = benchmark.headline if benchmark.headline in benchmark.values else benchmark.values[0]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass  # a folder that cannot be written is told of before anything else
        with progress.shown(len(task.dataset) * (task.epochs or 1), value), faults.watched():
            log: EvalLog = hooks.evaluate(
                spec=spec, task=task, model=model, facts=dict(facts or {}), warn=warn
            )
            return log
    except OSError as error:
        raise OutputError(unwritten(folder, error)) from None
    except PrerequisiteError as error:
        raise SpecError(plain(error).replace(_PRICELESS, "prices=FILE says it")) from None
    except ValueError as error:
        # A text that only Inspect itself can read, such as token_limit=output:1m.
        if not any(hooks.asked_with(spec=spec)):
            raise
        raise SpecError(plain(error)) from None


# What Inspect advises where a limit of cost lacks prices.
_PRICELESS = "Use set_model_cost() or --model-cost-config to configure pricing"


def unwritten(folder: Path, error: OSError) -> str:
    """Return what to say where no log can be written, or a file elsewhere that belongs to a run."""
    place = Path(str(error.filename or folder)).absolute()
    if not place.is_relative_to(folder.absolute()):
        return f"{place}: cannot be written: {error.strerror}"
    return f"{folder}: the log cannot be written: {error.strerror or one_line(error)[:150]}"


def log_of(spec: Spec, task: Any, model: Model, facts: Mapping[str, Any]) -> EvalLog:
    """Have Inspect run a task; return its log, which lies in the spec's ``log_dir``.

    Raises:
        EngineError: Inspect could not run the task at all.
    """
    settings = settings_of(spec, task)
    log = evaluated(task, model, Path(spec.log_dir), metadata=dict(facts), **settings)
    if log.status == "error":
        raise EngineError(f"the run failed: {cause_of(log)}")
    return log


def settings_of(spec: Spec, task: Any) -> dict[str, Any]:
    """Return how the model is asked and how the log is written, as Inspect's keywords."""
    if spec.model.startswith("harness/"):
        return asked(spec) | QUICK
    # The log is written after each finished sample, unless there are very many.
    return asked(spec) | {"log_buffer": max(1, len(task.dataset) * (task.epochs or 1) // FLUSHES)}


def asked(spec: Spec) -> dict[str, Any]:
    """Return how the model is asked, as Inspect's keywords."""
    settings = models.options(spec.options)
    for part in features().hook.asked_with(spec=spec):
        settings |= part
    return settings | ({"logprobs": True, "top_logprobs": 5} if spec.logprobs else {})


# There is nothing to watch live when an answer takes a millisecond, and the live buffer takes a quarter of the
# time, the server for `inspect ctl` as long as fifty answers. Finished samples still reach the disk, fifty at a time.
QUICK: dict[str, Any] = {"log_realtime": False, "log_buffer": 50, "ctl_server": False}
FLUSHES = 1000  # how often at most a log is written while its run goes on: each time as a whole


def evaluated(task: Any, model: Model, folder: Path, **settings: Any) -> EvalLog:
    """Have Inspect run a task; an interrupt is one whether Inspect raises it or tells of it."""
    startup.hush()
    with _refusing():
        logs = inspect_eval(
            task, model=model, log_dir=str(folder), log_format="eval", display="none",
            score_display=False, fail_on_error=False, **settings,
        )  # fmt: skip
    if not logs or logs[0].status == "cancelled":
        raise KeyboardInterrupt
    return logs[0]


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


def task_of(spec: Spec) -> Any:
    """Build the task through Inspect's registry, so that its log can be retried by name."""
    try:
        with carried(spec):
            return _registry.task_of(spec.plugin)(**task_params(spec))
    except PrerequisiteError as error:
        raise error.__cause__ or error from None
