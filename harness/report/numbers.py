"""A benchmark's metrics over answers: numbers per answer, estimates with intervals, outcomes and floors."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import product
from random import Random
from typing import NamedTuple

import numpy as np
from harness_errors import PluginError, SpecError, did_you_mean

from harness.core.facts import printable
from harness.core.hookspecs import Benchmark, Metric, Row
from harness.core.plugins import one_line
from harness.report import statistics
from harness.report.model import Answer, Estimate, Study, answers_of
from harness.report.statistics_sources import Floats
from harness.rerun import log_rows
from harness.run import floors as run_floors
from harness.run import repeats, stats


def metric_of(benchmark: Benchmark, name: str) -> Metric:
    """Return a metric, a published one, or a key of ``values`` (its mean), by name; `SpecError`: no such."""
    known = {key: Metric(key, f"mean of {key}") for key in benchmark.values}
    known |= {metric.name: metric for metric in (*benchmark.published, *benchmark.metrics)}
    if name not in known:
        hint = did_you_mean(name, known)
        raise SpecError(f"{benchmark.name} has no metric '{printable(name)[:80]}'; {hint}")
    return known[name]


def each(metric: Metric, answers: Sequence[Answer]) -> Floats:
    """Return one number per item; nan where it has none: unscored, or the metric says so.

    Of several answers to an item it is their mean. Metrics that are no mean (``compute``) have no number for an
    answer: nan everywhere. Raises `PluginError`: the metric fails on an answer.
    """
    if metric.compute is not None:
        return np.full(len(answers), math.nan)
    means = (stats.mean_of(numbers) if numbers else math.nan for numbers in _every(metric, answers))
    return np.fromiter(means, np.float64, len(answers))


def _every(metric: Metric, answers: Sequence[Answer]) -> Iterator[list[float]]:
    """Yield the numbers of each item's answers; raises as `each` does."""
    with _own_errors(metric):
        for answer in answers:
            yield stats.numbers_of(metric, answer.judged)


@contextmanager
def _own_errors(metric: Metric) -> Iterator[None]:
    """Turn whatever a plugin's metric raises into a `PluginError` that names it."""
    try:
        yield
    except Exception as error:
        raise PluginError(f"metric '{metric.name}' raised {one_line(error)}") from error


def estimate_mean(numbers: Iterable[Sequence[float]], sources: Sequence[str]) -> Estimate:
    """Return the mean over items of the mean of each one's numbers, with its interval; ``n`` counts the items.

    ``numbers``: those of each item's answers, of which there may be none; ``sources``: of each item.
    """
    known = [(part, source) for part, source in zip(numbers, sources, strict=True) if part]
    if len({len(part) for part, _ in known}) > 1:
        known = [([stats.mean_of(part)], source) for part, source in known]
    shared = [source for part, source in known for _ in part]
    interval = statistics.mean(np.array([x for part, _ in known for x in part]), shared)
    return estimate_of(interval, len(known))


def estimate(metric: Metric, answers: Sequence[Answer]) -> Estimate:
    """Return a metric over answers with its interval; unscored ones are in none, ``n`` is how many count.

    A method that ends in "hard labels" says that the metric would use probabilities and had none. Raises
    `PluginError`: the metric fails.
    """
    if metric.compute is None:
        return estimate_mean(_every(metric, answers), [answer.source for answer in answers])
    counted = [answer for answer in answers if answer.counts]
    judged = [answer.judged for answer in counted]
    compute, items = repeats.units(metric.compute, judged, metric.together)
    sources = [answer.source for answer in counted]
    if metric.together:  # what is judged together has the source of its first item
        of_units: dict[int | str, str] = {}
        for place, answer in enumerate(counted):  # an item may come twice: of several models
            shared = answer.row.features.get(metric.together)
            of_units.setdefault(place if shared is None else str(shared), answer.source)
        sources = list(of_units.values())
    with _own_errors(metric):
        marks = stats.marks_of_groups(compute, items) if metric.together else []
        of_shares = partial(statistics.mean, np.array(marks))
        of_whole = partial(statistics.whole, compute, items)
        interval = (of_shares if marks else of_whole)(sources)
    rows = [row for answer in judged for row in answer]
    if metric.probabilistic and rows and hard_labels(rows):
        method = f"{interval.method}, hard labels" if interval.method else "hard labels"
        interval = interval._replace(method=method)
    return estimate_of(interval, len(counted))


def value_of(metric: Metric, answers: Sequence[Answer]) -> float:
    """Return a metric over answers without an interval; nan where it is undefined."""
    return stats.value_by_item(metric, [judged for a in answers if (judged := a.judged)])


def hard_labels(rows: Iterable[Row]) -> bool:
    """Return whether a probabilistic metric had labels only, as `harness.run.metrics.whole` says it."""
    sure = [row.probability is not None for row in rows if row.outcome == "scored"]
    return not sure or not all(sure)


def estimate_of(interval: statistics.Interval, n: int) -> Estimate:
    """Return an interval over n answers as an estimate; without ends that are defined it is a bare number."""
    value, low, high = (x if math.isfinite(x) else None for x in interval[:3])
    if value is None or low is None or high is None:
        return Estimate(value, None, None, n, interval.method)
    return Estimate(value, low, high, n, interval.method)


def unparsed_share(answers: Sequence[Answer]) -> float:
    """Return the share of unparsed answers among all but the unscored ones; nan of none."""
    shares = [stats.mean_of(marks) for marks in unparsed_marks(answers) if marks]
    return sum(shares) / len(shares) if shares else math.nan


def unparsed_marks(answers: Iterable[Answer]) -> list[list[float]]:
    """Return of each item's answers whether they are unparsed, 1 or 0; unscored ones are left out."""
    return [[float(row.outcome == "unparsed") for row in answer.judged] for answer in answers]


def outcome(benchmark: Benchmark, answer: Answer) -> str:
    """Return how an answer came out (see `harness.rerun.log_rows.outcome`)."""
    return log_rows.outcome(benchmark, answer.row)


def output_tokens(answers: Sequence[Answer]) -> Estimate | None:
    """Return how much was written for an answer, on average; None where no model says so."""
    written = [stats.output_tokens(answer.judged) for answer in answers]
    return estimate_mean(written, [answer.source for answer in answers]) if any(written) else None


def searched(answers: Sequence[Answer]) -> str | None:
    """Return for how many answers a web search was made, in words; None where none could search."""
    counts = stats.searched(answer.judged for answer in answers)
    return " of ".join(map(str, counts.values())) or None


def tokens(answers: Sequence[Answer]) -> Floats:
    """Return how many tokens were written for each item's answer; nan where it is unscored or nobody says so."""
    written = (stats.output_tokens(answer.judged) for answer in answers)
    return np.array([stats.mean_of(counts) if counts else math.nan for counts in written])


def rounded(value: float) -> float | None:
    """Return a number as results hold it: six digits after the point, None where it is undefined."""
    return round(value, 6) + 0.0 if math.isfinite(value) else None


def six_digits(p: float) -> float | None:
    """Return a probability with six significant digits, None where it is undefined."""
    return None if math.isnan(p) else float(f"{p:.6g}")


KINDS = ("majority", "constant", "random", "shortcut")
JUDGED = 200_000  # rows that random answerers are judged on: the more answerers, the fewer items

Constants = Mapping[str, Row]
"""An item's row by constant answer, in the order of its task's choices."""


def floors(
    metrics: Sequence[Metric], study: Study, ids: Collection[str]
) -> dict[str, dict[str, Estimate]]:
    """Return the floors of several metrics, which is quicker than one at a time.

    ``majority``: for each task its best constant answer by the headline, together. ``constant``: the first of each
    item's choices, which is what ``model=harness/constant`` answers. ``random``: any of an item's choices with
    equal chance: for means what is to be expected, for whole-run metrics the average over seeded random answerers
    (where all items have the same choices and the logs are of just these items, the logs' own). ``shortcut``: for
    each task its best shortcut or constant answer by the headline, together. Where an item has no choices there is
    none; where the rows of its constants are missing, what the logs say, if they are of just these items and agree.
    No interval: nothing here is a sample. Raises `PluginError`: a metric fails.
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
    headline = benchmark.headline_metric
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
