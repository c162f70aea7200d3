"""The same problem in two forms: differences over items that share a family."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np

from harness.core.hookspecs import Metric, View
from harness.report import numbers, statistics, statistics_tests
from harness.report import views_base as base
from harness.report.labels import natural, stem
from harness.report.model import (
    Answer,
    Cell,
    Curve,
    Estimate,
    Figure,
    Panel,
    Section,
    Series,
    Table,
)
from harness.report.statistics_sources import Floats
from harness.report.tables import P
from harness.run import repeats

MOST = 4  # values of a feature that are held against each other
TOKENS = "output tokens"
_FAMILY = re.compile(r"([0-9a-f]{12})-[0-9a-f]{20}(-\d+)?")

Pairs = Sequence[tuple[Sequence[Answer], Sequence[Answer]]]


@dataclass(frozen=True, slots=True)
class _Comparison:
    """The comparison of two values of a feature: one series, one metric."""

    series: str
    metric: str
    n: int
    first: float
    second: float
    difference: Estimate
    p: float
    test: str


def pairs(part: base.Part, view: View) -> Section | None:
    """Return, per feature, how the metrics differ between its values over items that share a family."""
    pieces = []
    for feature in view.features:
        items = base.features_by_item(part).values()
        every = {base.word(row[feature]) for row in items if feature in row}
        values = sorted(every, key=natural)
        if len(values) > MOST:
            continue
        several = len(values) > 2 or len(view.features) > 1
        for first, second in combinations(values, 2):
            words = "_".join(map(stem, (feature, first, second)))
            name = f"{view.name}_{words}" if several else view.name
            title = f"{view.title}: {first} less {second}"
            pieces.append(_pair(part, view, (feature, first, second), (name, title)))
    return base.joined_sections(view.title, pieces, view.note)


def family(answer: Answer) -> str:
    """Return the family that an item's id begins with, or nothing."""
    match = _FAMILY.fullmatch(answer.id)
    return match[1] if match else ""


def _pair(
    part: base.Part, view: View, values: tuple[str, str, str], words: tuple[str, str]
) -> Section | None:
    """Compare two values of a feature; ``words`` are the name and the title."""
    _, first, second = values
    name, title = words
    metrics = [numbers.metric_of(part.benchmark, metric) for metric in view.metrics]
    comparisons = [row for series in part.series for row in _series(series, metrics, values)]
    if not comparisons:
        return None
    shown, omitted = base.leading(part)
    labels = {base.label(series) for series in shown}
    rows: list[tuple[Cell, ...]] = []
    tests: dict[str, dict[str, None]] = defaultdict(dict)
    bars: dict[str, list[Curve]] = {row.metric: [] for row in comparisons}
    holm = statistics_tests.holm([row.p for row in comparisons])
    for row, adjusted in zip(comparisons, holm, strict=True):
        sides = base.number(row.first, row.n), base.number(row.second, row.n)
        chances = base.number(row.p, row.n, P), base.number(adjusted, row.n, P)
        rows.append((row.series, row.metric, row.n, *sides, row.difference, *chances))
        tests[row.test][row.metric] = None
        if row.series in labels:
            bars[row.metric].append(Curve(row.series, (row.difference,)))
    head = ("series", "metric", "pairs", first, second, "difference", "p", "p (Holm)")
    by_test = "; ".join(f"{test} ({', '.join(names)})" for test, names in tests.items())
    note = (
        f"Pairs: items that share a family, one {first}, one {second}, both answered and judged. "
        f"Holm's correction is over the {len(rows)} rows. Tests: {by_test}."
    )
    table = Table(name, title, head, tuple(rows), note)
    panels = tuple(
        Panel(
            metric,
            y=f"difference of {metric}",
            places=(f"{first} less {second}",),
            curves=tuple(curves),
            unit=False,
        )
        for metric, curves in bars.items()
        if curves
    )
    if not panels:
        return Section(title, (table,))
    figure = Figure(f"{name}_plot", title, "bars", panels, base.curves_text(panels), omitted)
    return Section(title, (table,), (figure,), omitted)


def _series(
    series: Series, metrics: Sequence[Metric], values: tuple[str, str, str]
) -> list[_Comparison]:
    """Return the comparisons of one series, over the answers to items with the first and with the second value."""
    feature, first, second = values
    families: dict[str, tuple[list[Answer], list[Answer]]] = {}
    for answer in series.answers:
        name = family(answer)
        if name and feature in answer.row.features:
            value = base.word(answer.row.features[feature])
            if value in (first, second):
                families.setdefault(name, ([], []))[value != first].append(answer)
    both = [families[name] for name in sorted(families) if all(families[name])]
    comparisons = [
        _whole(series, metric, both)
        if metric.compute
        else _items(series, metric.name, both, partial(numbers.each, metric))
        for metric in metrics
    ]
    comparisons.append(_items(series, TOKENS, both, numbers.tokens))
    return [row for row in comparisons if row is not None]


def _items(
    series: Series, name: str, both: Pairs, values: Callable[[Sequence[Answer]], Floats]
) -> _Comparison | None:
    """Compare a metric that items have; a family's several items of one value count as their mean."""
    a, b = (_means([side[i] for side in both], values) for i in (0, 1))
    finite = np.isfinite(a) & np.isfinite(b)
    if not finite.any():
        return None
    a, b = a[finite], b[finite]
    sources = np.array([side[0][0].source for side in both])[finite]
    interval = statistics.difference(a, b, sources)
    if not math.isfinite(interval.value):
        return None
    sides = float(a.mean()), float(b.mean())
    test = statistics_tests.paired_test(a, b, sources)
    return _Comparison(
        base.label(series), name, len(a), *sides, numbers.estimate_of(interval, len(a)), *test
    )


def _means(
    sides: Sequence[Sequence[Answer]], values: Callable[[Sequence[Answer]], Floats]
) -> Floats:
    """Return the mean value per family; nan where no item has one."""
    every = values([answer for side in sides for answer in side])
    place = np.repeat(np.arange(len(sides)), [len(side) for side in sides])
    finite = np.isfinite(every)
    sums = np.bincount(place[finite], every[finite], minlength=len(sides))
    counts = np.bincount(place[finite], minlength=len(sides))
    return np.where(counts > 0, sums / np.maximum(counts, 1), math.nan)


def _whole(series: Series, metric: Metric, both: Pairs) -> _Comparison | None:
    """Compare a metric that only a whole run has, over the first item of each value."""
    assert metric.compute is not None
    judged = [
        (side[0][0], side[1][0]) for side in both if all(answers[0].counts for answers in side)
    ]
    if not judged:
        return None
    every = [pair[i].judged for i in (0, 1) for pair in judged]
    compute, items = repeats.units(metric.compute, every)
    a, b = items[: len(judged)], items[len(judged) :]
    first, second = float(compute(a)), float(compute(b))
    if not math.isfinite(first - second):
        return None
    sources = np.array([pair[0].source for pair in judged])
    test = statistics_tests.whole_test(compute, a, b, sources)
    interval = statistics.difference_of(compute, a, b, sources)
    apart = numbers.estimate_of(interval, len(judged))
    label = base.label(series)
    return _Comparison(label, metric.name, len(judged), first, second, apart, *test)
