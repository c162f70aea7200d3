"""What answers given without reading the problem score on some items of a study."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import product
from random import Random
from typing import NamedTuple

from harness.core.hookspecs import Benchmark, Metric, Row
from harness.report.model import Estimate, Study, answers_of
from harness.run import floors as run_floors
from harness.run import stats

KINDS = ("majority", "constant", "random", "shortcut")
JUDGED = 200_000  # rows that random answerers are judged on: the more answerers, the fewer items

Constants = Mapping[str, Row]
"""An item's row by constant answer, in the order of its task's choices."""


def floors(
    metrics: Sequence[Metric], study: Study, ids: Collection[str]
) -> dict[str, dict[str, Estimate]]:
    """Return the floors of several metrics, which is quicker than one at a time.

    ``majority``: for each task its best constant answer by the headline, together. ``constant``: the first of each
    item's choices, which is what ``model=harness/constant`` answers. ``random``: any of an item's
    choices with equal chance: for means what is to be expected, for whole-run metrics the average over seeded
    random answerers (where all items have the same choices and the logs are of just these items, the logs' own).
    ``shortcut``: for each task its best shortcut or constant answer by the headline, together.
    Where an item has no choices there is none; where the rows of its constants are missing, what the logs
    say, if they are of just these items and agree. No interval: nothing here is a sample.

    Raises:
        PluginError: a metric fails.
    """
    names = sorted(set(ids))
    known = _without_reading(metrics, study, names)
    shortcut = best_shortcut(study, names)
    if shortcut is not None:
        rows = [shortcut.rows[name] for name in names]
        for metric in metrics:
            known[metric.name]["shortcut"] = _estimate(stats.value_of(metric, rows), len(names))
    return known


class Best(NamedTuple):
    """The best cheap answer to some items: its name, and its row by the item's id."""

    name: str
    rows: Mapping[str, Row]


def best_shortcut(study: Study, ids: Collection[str]) -> Best | None:
    """Return the best shortcut (or constant answer) of each task; None where the rows of some item are missing."""
    cheap = {name: study.constants.get(name, {}) for name in ids}
    starts = run_floors.SHORTCUT
    if not cheap or not all(any(key.startswith(starts) for key in rows) for rows in cheap.values()):
        return None
    best = run_floors.best_by_task(study.benchmark, list(cheap.values()))
    chosen = {name: run_floors.chosen(rows, best) for name, rows in cheap.items()}
    return Best(run_floors.best_name(best), chosen)


def _without_reading(
    metrics: Sequence[Metric], study: Study, names: Sequence[str]
) -> dict[str, dict[str, Estimate]]:
    """Return what constant and random answers score; else the logs' own."""
    from_logs = _of_logs(metrics, study, names)
    items = [item for name in names if (item := _constants(study, name))]
    if not names or len(items) < len(names):
        return from_logs
    best = _best(study.benchmark, items)
    first = [next(iter(item.values())) for item in items]
    # Random answerers drawn twice differ in the third digit: a report and its run should not.
    alike = all(tuple(item) == tuple(items[0]) for item in items)
    kept = {
        metric.name: from_logs[metric.name]["random"]
        for metric in metrics
        if metric.compute is not None and alike and "random" in from_logs[metric.name]
    }
    drawn = _random([metric for metric in metrics if metric.name not in kept], items)
    n = len(names)
    return {
        metric.name: {
            "majority": _estimate(stats.value_of(metric, best), n),
            "constant": _estimate(stats.value_of(metric, first), n),
            "random": kept.get(metric.name) or _estimate(drawn[metric.name], n),
        }
        for metric in metrics
    }


def _estimate(value: float, n: int) -> Estimate:
    return Estimate(value if math.isfinite(value) else None, n=n)


def _constants(study: Study, name: str) -> Constants | None:
    """Return the rows of an item's own choices; None where one is missing or its task has none."""
    rows = study.constants.get(name)
    if not rows:
        return None
    features = next(iter(rows.values())).features
    choices = study.benchmark.choices_for(features)
    if not choices or any(choice not in rows for choice in choices):
        return None
    return rows if tuple(rows) == choices else {choice: rows[choice] for choice in choices}


def _best(benchmark: Benchmark, items: Sequence[Constants]) -> list[Row]:
    """Return the rows of each task's best constant answer by the headline (of equals: the first choice)."""
    headline = run_floors.headline_of(benchmark)
    tasks: dict[tuple[str, ...], list[Constants]] = defaultdict(list)
    for item in items:
        task = next(iter(item.values())).features.get("task")
        tasks[str(task), *item].append(item)
    rows: list[Row] = []
    for (_, *choices), members in sorted(tasks.items()):
        columns = {choice: [item[choice] for item in members] for choice in choices}
        scores = {choice: stats.value_of(headline, column) for choice, column in columns.items()}
        best = max(scores, key=lambda choice: (math.isfinite(scores[choice]), scores[choice]))
        rows += columns[best]
    return rows


def _random(metrics: Sequence[Metric], items: Sequence[Constants]) -> dict[str, float]:
    """Return what random answers score; all whole-run metrics judge the same answerers."""
    columns = [tuple(item.values()) for item in items]
    judged = [stats.counted(column) for column in columns]
    means = [metric for metric in metrics if metric.compute is None]
    scores = {metric.name: _expected(metric, columns, judged) for metric in means}
    whole = [metric for metric in metrics if metric.compute is not None]
    if not whole:
        return scores
    rng = Random(stats.SEED)
    answerers = max(1, min(max(20, stats.ANSWERS // len(columns)), JUDGED // len(columns)))
    sums = dict.fromkeys((metric.name for metric in whole), 0.0)
    for _ in range(answerers):
        # As fair as `Random.choice`, and three times as quick.
        rows = [column[int(rng.random() * len(column))] for column in columns]
        for metric in whole:
            sums[metric.name] += stats.value_of(metric, rows)
    return scores | {name: total / answerers for name, total in sums.items()}


def _expected(
    metric: Metric, columns: Sequence[tuple[Row, ...]], judged: Sequence[Sequence[Row]]
) -> float:
    """Return the mean over choices; items whose tasks have more choices count no more than others."""
    total, weight = 0.0, 0.0
    for column, scored in zip(columns, judged, strict=True):
        numbers = stats.numbers_of(metric, scored)
        total += sum(numbers) / len(column)
        weight += len(numbers) / len(column)
    return total / weight if weight else math.nan


def _of_logs(
    metrics: Sequence[Metric], study: Study, names: Sequence[str]
) -> dict[str, dict[str, Estimate]]:
    """Return the floors on which all logs agree, where every log is of all these items and of no others."""
    shared: dict[str, dict[str, Estimate]] = {metric.name: {} for metric in metrics}
    everything = {answer.id for answer in answers_of(study.series)}
    if everything != set(names) or any(log.n != len(names) for log in study.logs):
        return shared
    for metric, kind in product(metrics, KINDS):
        values = {log.floors.get(kind, {}).get(metric.name) for log in study.logs}
        value = values.pop() if len(values) == 1 else None
        if value is not None:
            shared[metric.name][kind] = Estimate(value, n=len(names))
    return shared
