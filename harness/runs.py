"""Run evaluations with Inspect and turn their logs into result tables."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from inspect_ai import eval as inspect_eval
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.log import EvalError, EvalLog
from inspect_ai.scorer import Score

from harness import _registry, models, progress, recorded, tools
from harness.errors import EngineError, OutputError, SpecError
from harness.facts import warnings
from harness.inspect_task import SCORER, task_params
from harness.models import model_of, plain
from harness.plugins import registry
from harness.spec import Spec

GENERATE = ("temperature", "top_p", "max_tokens", "timeout", "max_retries", "max_connections")


def run(spec: Spec, warn: Callable[[str], object] = lambda line: None) -> EvalLog:
    """Evaluate one spec and return its log (already written to ``log_dir``).

    ``warn`` is given each warning about the items, as a line, before the model is asked.

    Raises:
        SpecError: a model, tool, sandbox or context that cannot be used; no log is written.
        EngineError: Inspect could not run the task at all.
        OutputError: the log cannot be written.
    """
    model = recorded.model_of(spec.model) if spec.responses else model_of(spec.model)
    tools.check(spec)
    task = _task(spec)
    for line in warnings(task.metadata.get("about")):
        warn(line)
    options = {key: spec.options[key] for key in GENERATE if spec.options[key] is not None}
    options.setdefault("max_retries", models.RETRIES)
    if spec.logprobs:
        options |= {"logprobs": True, "top_logprobs": 5}
    if spec.responses or spec.model.startswith("harness/"):
        # There is nothing to watch live when an answer takes a millisecond, and the live
        # buffer takes a quarter of the time. Finished samples still reach the disk, fifty at a time.
        options |= {"log_realtime": False, "log_buffer": 50}
    try:
        Path(spec.log_dir).mkdir(parents=True, exist_ok=True)
        with progress.shown(*_extent(task, spec)):
            logs = inspect_eval(
                task, model=model, log_dir=spec.log_dir, log_format="eval", display="none",
                score_display=False, fail_on_error=False, **options,
            )  # fmt: skip
    except OSError as error:
        raise OutputError(f"{spec.log_dir}: the log cannot be written: {error.strerror}") from None
    except PrerequisiteError as error:
        raise SpecError(plain(error)) from None
    if not logs or logs[0].status == "cancelled":
        raise KeyboardInterrupt(_go_on(_newest(Path(spec.log_dir))))
    log = logs[0]
    if log.status == "error":
        why = _cause_of(log.error) if log.error else "no reason given"
        raise EngineError(f"the run failed: {why}; {_go_on(log.location)}")
    return log


def _task(spec: Spec) -> Any:
    """Build the task through Inspect's registry, so that its log can be retried by name."""
    try:
        return _registry.task_of(spec.plugin)(**task_params(spec))
    except PrerequisiteError as error:
        raise error.__cause__ or error from None


def _extent(task: Any, spec: Spec) -> tuple[int, str]:
    """Return how many answers a run judges, and the value whose mean stands for it on the way."""
    benchmark = registry().get(spec.plugin).benchmark
    shown = benchmark.headline if benchmark.headline in benchmark.values else benchmark.values[0]
    return len(task.dataset) * (task.epochs or 1), shown


def _newest(folder: Path) -> str:
    """Return the log written last: Inspect hands none back when a run is interrupted."""
    logs = sorted(folder.glob("*.eval"), key=lambda path: path.stat().st_mtime)
    return str(logs[-1]) if logs else ""


def _go_on(log: str) -> str:
    return f"finished samples are kept; `inspect eval-retry {log}` goes on"


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
    failed, errors = _failed(log, unscored)
    unparsed = metrics.get("unparsed", {}).get("value")
    tokens = metrics.get("output_tokens")
    benchmark = registry().get(str(facts["plugin"])).benchmark
    undefined = dict.fromkeys(("value", "ci_low", "ci_high", "stderr"))
    order = [m.name for m in benchmark.metrics]
    order += [m.name for m in benchmark.published if m.name in metrics]
    metrics = {name: {**undefined, **metrics.get(name, {})} for name in order}
    return {
        "plugin": facts["plugin"],
        "model": log.eval.model,
        "strategy": facts.get("strategy", ""),
        "gold": facts.get("gold", []),
        "config": facts.get("config", {}),
        "dataset": facts.get("dataset"),
        "n": log.eval.dataset.samples or 0,
        "tools": facts.get("tools", "none"),
        "context": facts.get("context"),
        "structured": facts.get("structured"),
        "metrics": metrics,
        "output_tokens": {**undefined, **tokens} if tokens else None,
        "groups": groups,
        "unparsed": unparsed,
        "unscored": unscored + failed,
        "errors": errors[:5],
        "floors": facts.get("floors", {}),
        "fingerprint": facts.get("fingerprint", ""),
        "wrappers": facts.get("wrappers", {}),
        "draws": facts.get("draws"),
        "rejected": facts.get("rejected"),
        "rejected_share": facts.get("rejected_share"),
        "pruning": _pruning(facts.get("pruning")),
        "about": facts.get("about"),
        "log": _relative(log.location),
    }


def _pruning(found: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return {**found, "file": _relative(found["file"])} if found else None


def _relative(location: str) -> str:
    path = Path(location.removeprefix("file://"))
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def _failed(log: EvalLog, unscored: int) -> tuple[int, list[str]]:
    """Return how many items have no score because every try at them failed, and all reasons.

    ``unscored`` are those that completed and could not be scored; their reasons count too.
    """
    done = log.results.completed_samples if log.results else 0
    if log.results and done == log.results.total_samples and not unscored:
        return 0, []  # without reading the samples back from the file
    samples = log.samples or []
    scored = {sample.id for sample in samples if sample.scores}
    failed = {sample.id for sample in samples} - scored
    reasons = Counter(_cause_of(sample.error) for sample in samples if sample.error)
    judged = [score for sample in samples for score in (sample.scores or {}).values()]
    reasons.update(_why(score) for score in judged if not isinstance(score.value, dict))
    return len(failed), [f"{count} × {reason}" for reason, count in reasons.most_common()]


def _cause_of(error: EvalError) -> str:
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
