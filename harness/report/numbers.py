"""A benchmark's metrics over answers: numbers per answer, estimates with intervals, outcomes and floors."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from harness_errors import PluginError, SpecError, did_you_mean

from harness.core.facts import printable
from harness.core.hookspecs import Benchmark, Metric, Row
from harness.core.plugins import one_line
from harness.report import statistics
from harness.report.model import Answer, Estimate
from harness.report.statistics_sources import Floats
from harness.rerun import log_rows


def metric_of(benchmark: Benchmark, name: str) -> Metric:
    """Return a metric by name: of ``metrics``, of ``published``, or a key of ``values`` (then its mean).

    Raises:
        SpecError: the benchmark has no such metric.
    """
    known = {key: Metric(key, f"mean of {key}") for key in benchmark.values}
    known |= {metric.name: metric for metric in (*benchmark.published, *benchmark.metrics)}
    if name not in known:
        hint = did_you_mean(name, known)
        raise SpecError(f"{benchmark.name} has no metric '{printable(name)[:80]}'; {hint}")
    return known[name]


def each(metric: Metric, answers: Sequence[Answer]) -> Floats:
    """Return one number per answer; nan where it has none: unscored, or the metric says so.

    Metrics that are no mean (``compute``) have no number for an answer: nan everywhere.

    Raises:
        PluginError: the metric fails on an answer.
    """
    if metric.compute is not None:
        return np.full(len(answers), math.nan)
    value_of = metric.each or (lambda row: row.value[metric.name])
    try:
        values = (value_of(answer.row) if answer.counts else None for answer in answers)
        numbers = (math.nan if value is None else float(value) for value in values)
        return np.fromiter(numbers, np.float64, len(answers))
    except Exception as error:
        raise _failed(metric, error) from error


def _failed(metric: Metric, error: Exception) -> PluginError:
    return PluginError(f"metric '{metric.name}' raised {one_line(error)}")


def estimate(metric: Metric, answers: Sequence[Answer]) -> Estimate:
    """Return a metric over answers with its interval; unscored ones are in none, ``n`` is how many count.

    A method that ends in "hard labels" says that the metric would use probabilities and had none.

    Raises:
        PluginError: the metric fails.
    """
    if metric.compute is None:
        numbers = each(metric, answers)
        interval = statistics.mean(numbers, [answer.source for answer in answers])
        return estimate_of(interval, int(np.count_nonzero(~np.isnan(numbers))))
    counted = [answer for answer in answers if answer.counts]
    rows = [answer.row for answer in counted]
    try:
        interval = statistics.whole(metric.compute, rows, [answer.source for answer in counted])
    except Exception as error:
        raise _failed(metric, error) from error
    if metric.probabilistic and rows and hard_labels(rows):
        method = f"{interval.method}, hard labels" if interval.method else "hard labels"
        interval = interval._replace(method=method)
    return estimate_of(interval, len(rows))


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
    outcomes = [answer.row.outcome for answer in answers if answer.counts]
    return outcomes.count("unparsed") / len(outcomes) if outcomes else math.nan


def outcome(benchmark: Benchmark, answer: Answer) -> str:
    """Return how an answer came out (see `harness.rerun.log_rows.outcome`)."""
    return log_rows.outcome(benchmark, answer.row)


def output_tokens(answers: Sequence[Answer]) -> Estimate | None:
    """Return how much was written for an item, on average; None where no model says so."""
    numbers = tokens(answers)
    n = int(np.count_nonzero(~np.isnan(numbers)))
    sources = [answer.source for answer in answers]
    return estimate_of(statistics.mean(numbers, sources), n) if n else None


def tokens(answers: Sequence[Answer]) -> Floats:
    """Return how many tokens were written for each answer; nan where it is unscored or nobody says so."""
    counts = (answer.row.output_tokens if answer.counts else None for answer in answers)
    return np.array([math.nan if count is None else count for count in counts], np.float64)


def rounded(value: float) -> float | None:
    """Return a number as results hold it: six digits after the point, None where it is undefined."""
    return round(value, 6) + 0.0 if math.isfinite(value) else None


def six_digits(p: float) -> float | None:
    """Return a probability with six significant digits, None where it is undefined."""
    return None if math.isnan(p) else float(f"{p:.6g}")
