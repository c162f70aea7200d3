"""Two series of answers on identical items: which items those are, differences, tests, where the two differ."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import compress
from typing import Any

import numpy as np

from harness.core.hookspecs import Benchmark, Metric
from harness.report import numbers, statistics, statistics_tests
from harness.report.model import Answer, Series
from harness.report.statistics import Interval
from harness.report.statistics_sources import Floats, share_sources
from harness.run import repeats, stats

METRICS = 8  # looked at where nobody says which
ITEMS = 1_000  # on which two series differ, in the result; the total is told


@dataclass(frozen=True, slots=True)
class Pair:
    """Two series on the items that both of them have, scored in both.

    ``first`` and ``second`` are their answers, item by item; ``common`` counts the items both have, scored or not.
    """

    a: Series
    b: Series
    first: Sequence[Answer]
    second: Sequence[Answer]
    common: int

    @property
    def sources(self) -> list[str]:
        """What each item shares with others."""
        return [answer.source for answer in self.first]

    @property
    def clustered(self) -> bool:
        """Whether any two items share a source."""
        return share_sources(self.sources)


def tasks_of(answers: Iterable[Answer]) -> list[object]:
    """Return the task of every item that is answered, each item once; None where it has none."""
    return list({answer.id: answer.row.features.get("task") for answer in answers}.values())


def on_common_items(a: Series, b: Series) -> Pair:
    """Return two series on their common items; equal ids have equal targets (`log_studies.load` sees to it)."""
    others = {answer.id: answer for answer in b.answers}
    both = [(answer, others[answer.id]) for answer in a.answers if answer.id in others]
    scored = [both for both in both if all(answer.counts for answer in both)]
    return Pair(a, b, [answer for answer, _ in scored], [other for _, other in scored], len(both))


def comparison(
    benchmark: Benchmark, pair: Pair, metrics: Sequence[Metric], named: bool
) -> dict[str, Any]:
    """Return the comparison of a pair (see docs/comparing.md), without verdicts and the p after Holm so far.

    ``named``: all of the metrics are wanted; else the first `METRICS` that are defined for these items, the headline
    and what of the others can say more than those before it.
    """
    results: list[dict[str, Any]] = []
    undefined: list[str] = []
    left: list[dict[str, str]] = []
    seen: dict[str, Floats] = {}
    for at, metric in enumerate(metrics):
        if not named and len(results) + len(left) >= METRICS:
            left += [
                {"metric": metric.name, "why": f"beyond the first {METRICS}"}
                for metric in metrics[at:]
            ]
            break
        values = _values(metric, pair)
        if not named and metric.name != benchmark.headline and (why := _why_needless(values, seen)):
            left.append({"metric": metric.name, "why": why})
            continue
        result = _difference(metric, values, pair)
        if not named and not result["n"]:
            undefined.append(metric.name)
            continue
        results.append(result)
        if values is not None:
            seen[metric.name] = values
    return {
        "a": pair.a.label,
        "b": pair.b.label,
        "n": len(pair.first),
        "n_a": len(pair.a.answers),
        "n_b": len(pair.b.answers),
        "common": pair.common,
        "unscored": pair.common - len(pair.first),
        "sources": len(set(pair.sources)) if pair.clustered else None,
        "epochs": max(len(answer.rows) for side in (pair.first, pair.second) for answer in side),
        "unparsed_a": numbers.rounded(numbers.unparsed_share(pair.first)),
        "unparsed_b": numbers.rounded(numbers.unparsed_share(pair.second)),
        **_right_counts(benchmark, pair),
        "metrics": results,
        "undefined": undefined,
        "not_compared": left,
    }


def _right_counts(benchmark: Benchmark, pair: Pair) -> dict[str, Any]:
    """Return how often both, one or none of the two is right, and the items where just one is."""
    sides = _right_answers(benchmark, pair.first), _right_answers(benchmark, pair.second)
    marks = list(zip(*sides, strict=True))
    differ = [
        {
            "id": first.id,
            "features": dict(first.row.features),
            "target": first.row.target,
            "answer_a": first.row.answer,
            "answer_b": other.row.answer,
            "outcome_a": numbers.outcome(benchmark, first),
            "outcome_b": numbers.outcome(benchmark, other),
        }
        for first, other, (a, b) in zip(pair.first, pair.second, marks, strict=True)
        if None not in (a, b) and a != b
    ]
    return {
        "right": {
            "both": marks.count((True, True)),
            "only_a": marks.count((True, False)),
            "only_b": marks.count((False, True)),
            "neither": marks.count((False, False)),
        },
        "items": differ[:ITEMS],
        "items_total": len(differ),
    }


def _right_answers(benchmark: Benchmark, answers: Sequence[Answer]) -> list[bool | None]:
    """Return of each answer whether the headline counts it as fully right; None where it has no number of it.

    A headline over the whole run has none of any: there the outcome decides.
    """
    metric = numbers.metric_of(benchmark, benchmark.headline)
    if metric.compute is not None:
        return [numbers.outcome(benchmark, answer) == "right" for answer in answers]
    values = numbers.each(metric, answers)
    return [None if math.isnan(value) else bool(value >= 1) for value in values]


def _values(metric: Metric, pair: Pair) -> Floats | None:
    """Return a metric's numbers of both series, 2 × items, nan for both where one has none; None if of a run."""
    if metric.compute is not None:
        return None
    both = np.stack([numbers.each(metric, side) for side in (pair.first, pair.second)])
    both[:, np.isnan(both).any(axis=0)] = math.nan
    return both


def _why_needless(values: Floats | None, seen: Mapping[str, Floats]) -> str:
    """Return why these numbers can show nothing new; "" where they may, or where there are none."""
    if values is None or np.isnan(values).all():
        return ""
    if np.nanmin(values) == np.nanmax(values):
        return f"{np.nanmin(values):g} for every answer"
    same = (name for name, known in seen.items() if np.array_equal(known, values, equal_nan=True))
    return next((f"the same as {name} on every item" for name in same), "")


def _difference(metric: Metric, values: Floats | None, pair: Pair) -> dict[str, Any]:
    """Return one metric's two values, their difference with its interval, and the test's p."""
    if values is None:
        return _whole_difference(metric, pair)
    have = ~np.isnan(values[0])
    first, second = values[:, have]
    if not len(first):
        return _row(metric, 0, (math.nan, math.nan))
    sources = list(compress(pair.sources, have))
    interval = statistics.difference(second, first, sources)
    tested = statistics_tests.paired_test(first, second, sources)
    return _row(metric, len(first), (float(first.mean()), float(second.mean())), interval, tested)


def _whole_difference(metric: Metric, pair: Pair) -> dict[str, Any]:
    """Return what `_difference` does for a metric that is a function of all rows together."""
    sides = ("A", pair.first), ("B", pair.second)
    every = [answer.judged for _, answers in sides for answer in answers]
    compute, items = repeats.units(partial(stats.value_of, metric), every)
    a, b = items[: len(pair.first)], items[len(pair.first) :]
    values = compute(a), compute(b)
    labels = [
        side
        for side, answers in sides
        if metric.probabilistic
        and any(r.outcome == "scored" and r.probability is None for a in answers for r in a.rows)
    ]
    if len(labels) == 1 or not all(map(math.isfinite, values)):
        n = 0 if all(map(math.isnan, values)) else len(a)
        return _row(metric, n, values) | {"hard_labels": labels}
    # What is judged together is one source where items have none.
    together = metric.together
    sources = [a.source or str(a.row.features.get(together, "")) for a in pair.first]
    interval = statistics.difference_of(compute, b, a, sources)
    tested = statistics_tests.whole_test(compute, a, b, sources)
    return _row(metric, len(a), values, interval, tested) | {"hard_labels": labels}


def _row(
    metric: Metric,
    n: int,
    values: tuple[float, float],
    interval: Interval = statistics.UNKNOWN,
    tested: tuple[float, str] = (math.nan, ""),
) -> dict[str, Any]:
    return {
        "metric": metric.name,
        "hard_labels": [],
        "n": n,
        "a": numbers.rounded(values[0]),
        "b": numbers.rounded(values[1]),
        "difference": numbers.rounded(interval.value),
        "ci_low": numbers.rounded(interval.low),
        "ci_high": numbers.rounded(interval.high),
        "interval": interval.method,
        "test": tested[1],
        "p": numbers.six_digits(tested[0]),
    }
