"""What answers given without reading the problem score on some items of a study."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from itertools import product
from random import Random

from harness.core.hookspecs import Benchmark, Metric, Row
from harness.report.model import Estimate, Study
from harness.run import stats

KINDS = ("majority", "constant", "random")
JUDGED = 200_000  # rows that random answerers are judged on: the more answerers, the fewer items

Constants = Mapping[
    str, Row
]  # an item's row by constant answer, in the order of its task's choices


def floors(
    metrics: Sequence[Metric], study: Study, ids: Collection[str]
) -> dict[str, dict[str, Estimate]]:
    """Return the floors of several metrics, which is quicker than one at a time.

    ``majority``: for each task its best constant answer by the headline, together. ``constant``: the first of each
    item's choices, which is what ``model=harness/constant`` answers. ``random``: any of an item's
    choices with equal chance: for means what is to be expected, for whole-run metrics the average over seeded
    random answerers (where all items have the same choices and the logs are of just these items, the logs' own).
    Where an item has no choices there is none; where the rows of its constants are missing, what the logs
    say, if they are of just these items and agree. No interval: nothing here is a sample.

    Raises:
        PluginError: a metric fails.
    """
    names = sorted(set(ids))
    items = [one for name in names if (one := _constants(study, name))]
    told = _of_logs(metrics, study, names)
    if not names or len(items) < len(names):
        return told
    best = _best(study.benchmark, items)
    first = [next(iter(one.values())) for one in items]
    # Random answerers drawn twice differ in the third digit: a report and its run should not.
    alike = all(tuple(one) == tuple(items[0]) for one in items)
    kept = {
        metric.name: told[metric.name]["random"]
        for metric in metrics
        if metric.compute is not None and alike and "random" in told[metric.name]
    }
    drawn = _random([metric for metric in metrics if metric.name not in kept], items)
    return {
        metric.name: {
            "majority": _estimate(stats.value_of(metric, best), len(names)),
            "constant": _estimate(stats.value_of(metric, first), len(names)),
            "random": kept.get(metric.name) or _estimate(drawn[metric.name], len(names)),
        }
        for metric in metrics
    }


def _estimate(value: float, n: int) -> Estimate:
    return Estimate(value if math.isfinite(value) else None, n=n)


def _constants(study: Study, name: str) -> Constants | None:
    """Return the rows of an item's own choices; None where one is missing or its task has none."""
    found = study.constants.get(name)
    if not found:
        return None
    features = next(iter(found.values())).features
    choices = study.benchmark.choices_for(features)
    if not choices or any(choice not in found for choice in choices):
        return None
    if tuple(found) == choices:
        return found
    return {choice: found[choice] for choice in choices}


def _best(benchmark: Benchmark, items: Sequence[Constants]) -> list[Row]:
    """Return the rows of each task's best constant answer by the headline (of equals: the first choice)."""
    headline = next(one for one in benchmark.metrics if one.name == benchmark.headline)
    tasks: dict[tuple[str, ...], list[Constants]] = {}
    for one in items:
        tasks.setdefault((_task(one), *one), []).append(one)
    rows: list[Row] = []
    for (_, *choices), members in sorted(tasks.items()):
        columns = {choice: [one[choice] for one in members] for choice in choices}
        scores = {choice: stats.value_of(headline, column) for choice, column in columns.items()}
        best = max(scores, key=lambda choice: (math.isfinite(scores[choice]), scores[choice]))
        rows += columns[best]
    return rows


def _task(constants: Constants) -> str:
    return str(next(iter(constants.values())).features.get("task"))


def _random(metrics: Sequence[Metric], items: Sequence[Constants]) -> dict[str, float]:
    """Return what random answers score; all whole-run metrics judge the same answerers."""
    columns = [tuple(one.values()) for one in items]
    judged = [stats.counted(column) for column in columns]
    found = {one.name: _expected(one, columns, judged) for one in metrics if one.compute is None}
    whole = [one for one in metrics if one.compute is not None]
    if not whole:
        return found
    rng = Random(stats.SEED)
    answerers = max(20, stats.ANSWERS // len(columns))
    answerers = max(1, min(answerers, JUDGED // len(columns)))
    sums = dict.fromkeys((one.name for one in whole), 0.0)
    for _ in range(answerers):
        # As fair as `Random.choice`, and three times as quick.
        rows = [column[int(rng.random() * len(column))] for column in columns]
        for metric in whole:
            sums[metric.name] += stats.value_of(metric, rows)
    return found | {name: total / answerers for name, total in sums.items()}


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
    """Return the floors that the logs tell and agree on, where every log is of all these items and of no others."""
    found: dict[str, dict[str, Estimate]] = {metric.name: {} for metric in metrics}
    everything = {one.id for series in study.series for one in series.answers}
    if everything != set(names) or any(log.n != len(names) for log in study.logs):
        return found
    for metric, kind in product(metrics, KINDS):
        values = {log.floors.get(kind, {}).get(metric.name) for log in study.logs}
        value = values.pop() if len(values) == 1 else None
        if value is not None:
            found[metric.name][kind] = Estimate(value, n=len(names))
    return found
