"""The result of a run, made from its log alone: metrics with intervals, floors, counts (docs/json.md)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalError, EvalLog, EvalSample, EvalScore
from inspect_ai.scorer import Score

from harness.core.features import features
from harness.core.plugins import registry
from harness.run import models, repeats
from harness.run.floors import ABOVE
from harness.run.metrics import AGAIN, SCORER, SPREAD, UNPARSED, WITHOUT_WRONG
from harness.run.stats import SEARCHED


def result_of_log(log: EvalLog) -> dict[str, Any]:
    """Return the result table of one log (see docs/json.md): metrics with intervals, floors, counts."""
    facts: Mapping[str, Any] = log.eval.metadata or {}
    whole, means, unscored, unjudged = _numbers(log.results.scores if log.results else [])
    groups = {k: _round(v) for k, v in whole.items() if " at " in k}
    metrics = _whole(whole)
    metrics |= {name: _named(numbers) | metrics.get(name, {}) for name, numbers in means.items()}
    lost, failed, errors = _failed(log, unscored or unjudged)
    unparsed = metrics.get("unparsed", {}).get("value")
    tokens, above = metrics.get("output_tokens"), metrics.get(ABOVE)
    searched = {
        key.removeprefix(SEARCHED): int(number)
        for key, number in whole.items()
        if key.startswith(SEARCHED)
    }
    wrong = facts.get("wrong") or {}
    without = metrics.get(WITHOUT_WRONG) if wrong.get("decision") == "both" else None
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
        ABOVE: {**undefined, **above} if above else None,
        WITHOUT_WRONG: {**undefined, **without} if without else None,
        "output_tokens": {**undefined, **tokens} if tokens else None,
        "searched": searched or None,
        "repeats": _repeats(log),
        "groups": groups,
        "usage": models.usage(log.stats.model_usage),
        "unparsed": unparsed,
        "unparsed_by": _unparsed_by(whole),
        "unscored": unscored + lost,
        "failed": failed,
        "errors": errors[:5],
        "floors": facts.get("floors", {}),
        "best_shortcut": facts.get("best_shortcut"),
        "fingerprint": facts.get("fingerprint", ""),
        "wrappers": facts.get("wrappers", {}),
        "draws": facts.get("draws"),
        "rejected": facts.get("rejected"),
        "rejected_share": facts.get("rejected_share"),
        "about": facts.get("about"),
        "log": relative(log.location),
    }


def _numbers(
    scores: Iterable[EvalScore],
) -> tuple[dict[str, float], dict[str, dict[str, float]], int, int]:
    """Return the numbers over a run; those of each mean; how many items, and how many answers, have no score."""
    whole: dict[str, float] = {}
    means: dict[str, dict[str, float]] = {}
    items = answers = 0
    for score in scores:
        numbers = {k: m.value for k, m in score.metrics.items() if m.group != AGAIN}
        unscored = score.unscored_samples or 0
        answers = max(answers, unscored)
        if score.name == SCORER:
            whole |= numbers
            continue
        if "mean" in numbers:
            items = unscored
        if score.scored_samples:
            # Means are of what the reducer makes of an item, intervals perhaps of all answers.
            means.setdefault(score.name, {}).update(numbers)
    return whole, means, items, answers


def _repeats(log: EvalLog) -> dict[str, Any] | None:
    """Return what several answers to an item tell beside their mean; None where an item has one, or a vote."""
    numbers = {
        key: metric.value
        for score in (log.results.scores if log.results else [])
        for key, metric in score.metrics.items()
        if metric.group == AGAIN
    }
    if not numbers:
        return None
    undefined = dict.fromkeys(("value", "ci_low", "ci_high", "stderr"))
    parts = {name: {**undefined, **part} for name, part in _whole(numbers).items()}
    passing = [name for name in parts if name.startswith("pass")]
    metric = repeats.graded(registry().get(str((log.eval.metadata or {})["plugin"])).benchmark)
    return {
        "epochs": log.eval.config.epochs,
        "right": metric.name,
        **{name: parts.get(name, undefined) for name in SPREAD},
        **{
            key: {
                name.removeprefix(start): parts[name] for name in passing if name.startswith(start)
            }
            for key, start in (("pass_at", "pass@"), ("pass_all", "pass^"))
        },
    }


def _unparsed_by(whole: Mapping[str, float]) -> dict[str, float]:
    """Return the shares of unparsed answers among the numbers of a log, by the reason, the commonest first."""
    shares = [(key, share) for key, share in whole.items() if key.startswith(UNPARSED)]
    shares.sort(key=lambda entry: (-entry[1], entry[0]))
    return {key.removeprefix(UNPARSED): round(share, 6) for key, share in shares}


def relative(location: str) -> str:
    """Return a file's place as a result names it: from the working directory, where it lies below that."""
    path = Path(location.removeprefix("file://"))
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def cause_of(log: EvalLog) -> str:
    """Return why a run as a whole failed."""
    return _cause(log.error) if log.error else "no reason given"


def _failed(log: EvalLog, unscored: int) -> tuple[int, int, list[str]]:
    """Return how many items have no score because every try at them failed, how many answers, and all reasons.

    ``unscored`` are those that completed and could not be scored; their reasons count too.
    """
    done = log.results.completed_samples if log.results else 0
    if log.results and done == log.results.total_samples and not unscored:
        return 0, 0, []  # without reading the samples back from the file
    known: set[int | str] = set()
    scored: set[int | str] = set()
    reasons: Counter[str] = Counter()
    failed = 0
    for sample in samples_of(log):
        known.add(sample.id)
        if sample.scores:
            scored.add(sample.id)
        else:
            failed += 1
        reasons.update(reasons_of(sample))
    shown = [f"{count} × {reason}" for reason, count in reasons.most_common()]
    return len(known - scored), failed, shown


def reasons_of(sample: EvalSample) -> list[str]:
    """Return why a sample has no score: what failed on the way, what its scorers say; nothing where it has one."""
    judged = (sample.scores or {}).values()
    failed = [_cause(sample.error)] if sample.error else []
    return failed + [_why(score) for score in judged if not isinstance(score.value, dict)]


def samples_of(log: EvalLog) -> Iterable[EvalSample]:
    """Yield the samples of a log with their scores, from its file where they are not in memory."""
    if log.samples is not None:
        return log.samples
    read: Iterable[EvalSample] = features().hook.samples_of(log=log)
    return read


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
    metrics: dict[str, dict[str, float | None]] = {}
    for key, value in numbers.items():
        if " at " in key or key == "whole":
            continue
        base, part = key, "value"
        for end, name in ends.items():
            if key.endswith(end):
                base, part = key.removesuffix(end), name
                base = base.removesuffix("_wilson").removesuffix("_bootstrap")
        metrics.setdefault(base, {})[part] = _round(value)
    return metrics
