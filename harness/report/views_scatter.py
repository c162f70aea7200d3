"""The items' own values: against the numbers among features, how they spread, how far metrics agree."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, compress

import numpy as np
from numpy.typing import NDArray

from harness.core.hookspecs import Metric, View
from harness.report import numbers, statistics_tests
from harness.report import views_base as base
from harness.report.labels import first_four, number_text
from harness.report.model import Cell, Cloud, Curve, Estimate, Figure, Panel, Section, Table
from harness.report.statistics_sources import Floats, share_sources
from harness.report.tables import P

POINTS = 2_000  # of one panel, all series together; the numbers are of all items
LOG = "log10 "  # before a feature's name: its logarithm
_SHARED = (
    "Some items share a source, which p allows for: the slope over its leave-one-source-out jackknife error, "
    "Student's t."
)


@dataclass(frozen=True, slots=True)
class _Correlation:
    """The correlation of one metric with one feature over one series' items; neither is constant."""

    series: str
    metric: str
    feature: str
    x: Floats
    y: Floats
    r: float
    p: float
    rank: float


def scatter(part: base.Part, view: View, most: int = 0) -> Section | None:
    """Return the correlations of every metric with every numeric feature, as a table and clouds of points.

    Features that are no numbers make no correlation, nor does what is too little for one (`lacking`):
    a line says so. ``most``: so many panels at most, those with the strongest correlation; 0 means all.
    """
    metrics = [numbers.metric_of(part.benchmark, name) for name in view.metrics]
    correlations, why = _correlations(part, metrics, view.features)
    if not correlations:
        return Section(view.title, note=why) if why else None
    holm = statistics_tests.holm([row.p for row in correlations])
    rows: list[tuple[Cell, ...]] = []
    for row, adjusted in zip(correlations, holm, strict=True):
        n = len(row.x)
        chances = base.number(row.p, n, P), base.number(adjusted, n, P)
        ends = (base.number(row.r, n), *chances, base.number(row.rank, n))
        rows.append((row.series, row.metric, row.feature, n, *ends))
    head = ("series", "metric", "feature", "n", "Pearson r", "p", "p (Holm)", "Spearman")
    shared = any(share_sources([a.source for a in series.answers]) for series in part.series)
    counted = f"Holm's correction is over the {len(rows)} rows."
    logarithms = _without_logarithm(part, view.features)
    note = base.notes(counted, _SHARED if shared else "", logarithms)
    table = Table(view.name, view.title, head, tuple(rows), note)
    shown, omitted = base.leading(part)
    figures, thin = _figure(view, correlations, {base.label(series) for series in shown}, most)
    return Section(view.title, (table,), figures, base.notes(view.note, omitted, thin, why))


def numeric_features(part: base.Part) -> tuple[str, ...]:
    """Return the features that are numbers wherever an item has them, and that vary, in order of appearance."""
    seen: dict[str, set[object]] = {}
    spoiled: set[str] = set()
    for row in base.features_by_item(part).values():
        for key, value in row.items():
            if not base.is_number(value):
                spoiled.add(key)
            elif len(known := seen.setdefault(key, set())) < 2:
                known.add(value)
    return tuple(key for key, known in seen.items() if len(known) > 1 and key not in spoiled)


def _correlations(
    part: base.Part, metrics: Sequence[Metric], features: Sequence[str]
) -> tuple[list[_Correlation], str]:
    """Return the correlations, and a line that says why there are no others."""
    correlations = []
    without: dict[str, dict[str, None]] = defaultdict(dict)  # what is lacking, and who lacks it
    for series in part.series:
        name, sources = base.label(series), [answer.source for answer in series.answers]
        ys = [(metric.name, numbers.each(metric, series.answers)) for metric in metrics]
        for feature in features:
            x = column(feature, [answer.row.features for answer in series.answers])
            for metric, y in ys:
                usable = np.isfinite(x) & (np.abs(y) <= base.LARGEST)
                pairs, shared = (x[usable], y[usable]), list(compress(sources, usable))
                if not shared:
                    continue
                if not series.of_model:
                    without["no language model"][series.label] = None
                elif lack := statistics_tests.lacking(*pairs, shared):
                    whose = name if len(features) == 1 else f"{name} with {feature}"
                    without[lack][whose] = None
                else:
                    fit = statistics_tests.pearson(*pairs, shared)
                    rank = statistics_tests.spearman(*pairs)
                    correlations.append(_Correlation(name, metric, feature, *pairs, *fit, rank))
    why = []
    for lack, names in without.items():
        more = f" and {len(names) - 2} more" if len(names) > 2 else ""
        why.append(f"{', '.join(list(names)[:2])}{more} ({lack})")
    if not why:
        return correlations, ""
    return correlations, f"A fit takes {statistics_tests.TAKEN}. None for {first_four(why)}"


def column(feature: str, rows: Sequence[Mapping[str, object]]) -> Floats:
    """Return a feature's number per row; nan where it is none.

    ``log10 NAME`` is the logarithm of NAME, nan where that is not above 0.
    """
    name = logged(feature, rows)
    values = _plain(name or feature, rows)
    if not name:
        return values
    values[~(values > 0)] = math.nan
    return np.log10(values)


def logged(feature: str, rows: Sequence[Mapping[str, object]]) -> str:
    """Return which feature's logarithm is meant, if one's is: no item has one of just that name."""
    name = feature.removeprefix(LOG)
    return "" if name == feature or any(feature in row for row in rows) else name


def _plain(name: str, rows: Sequence[Mapping[str, object]]) -> Floats:
    values = (row.get(name) for row in rows)
    numeric = [float(v) if base.is_number(v) else math.nan for v in values]  # type: ignore[arg-type]
    return np.array(numeric, dtype=np.float64)


def _without_logarithm(part: base.Part, features: Sequence[str]) -> str:
    """Say how many items have no logarithm, feature by feature."""
    rows = list(base.features_by_item(part).values())
    names = [name for feature in features if (name := logged(feature, rows))]
    counts = {name: int((_plain(name, rows) <= 0).sum()) for name in names}
    return " ".join(
        f"Items whose {name} is not above 0 have no logarithm and are left out ({count})."
        for name, count in counts.items()
        if count
    )


def _figure(
    view: View, correlations: Sequence[_Correlation], shown: set[str], most: int
) -> tuple[tuple[Figure, ...], str]:
    """Return the clouds of the series shown, and a note where not all points or panels are there."""
    panels: dict[tuple[str, str], list[_Correlation]] = defaultdict(list)
    for row in correlations:
        if row.series in shown:
            panels[row.metric, row.feature].append(row)
    keys = list(panels)
    if most and len(keys) > most:
        keys = sorted(keys, key=lambda key: -max(abs(row.r) for row in panels[key]))[:most]
    if not keys:
        return (), ""
    drawn = tuple(_panel(metric, feature, panels[metric, feature]) for metric, feature in keys)
    fewer = any(len(row.x) > POINTS // len(panels[key]) for key in keys for row in panels[key])
    left_out = f"The {most} panels with the strongest correlation are drawn."
    note = base.notes(
        left_out if len(keys) < len(panels) else "",
        "Not all points are drawn; lines and numbers are of all." if fewer else "",
    )
    rows = [row for key in keys for row in panels[key]]
    low, high = (_correlation_text(end(rows, key=lambda row: row.r)) for end in (min, max))
    alt = f"Pearson's r is {low}."
    if len(rows) > 1:
        alt = f"Pearson's r of {len(rows)} series and features lies between {low} and {high}."
    return (Figure(f"{view.name}_plot", view.title, "scatter", drawn, alt, note),), note


def _panel(metric: str, feature: str, correlations: Sequence[_Correlation]) -> Panel:
    clouds = []
    for row in correlations:
        keep = thin(len(row.x), POINTS // len(correlations))
        slope, start = statistics_tests.line(row.x, row.y)
        points = tuple(row.x[keep].tolist()), tuple(row.y[keep].tolist())
        clouds.append(Cloud(row.series, *points, slope, start, row.r, row.p))
    unit = all(((row.y >= 0) & (row.y <= 1)).all() for row in correlations)
    title = f"{metric} and {feature}"
    return Panel(title, x=feature, y=metric, clouds=tuple(clouds), unit=bool(unit))


def thin(n: int, most: int) -> NDArray[np.int64]:
    """Return at most so many of the numbers below n, evenly spread."""
    if n <= most:
        return np.arange(n)
    return np.linspace(0, n - 1, most).astype(np.int64)


def _correlation_text(row: _Correlation) -> str:
    return f"{number_text(row.r)} ({row.series}, {row.metric} and {row.feature}, n = {len(row.x)})"


SPREAD = 5_000  # numbers of one series that a figure gets; tables are of all


def distribution(part: base.Part, view: View) -> Section | None:
    """Return how the items' values of each metric spread: quartiles, shares of 0 and 1, and a figure."""
    shown, omitted = base.leading(part)
    labels = {base.label(series) for series in shown}
    rows: list[tuple[Cell, ...]] = []
    panels = []
    for metric in (numbers.metric_of(part.benchmark, name) for name in view.metrics):
        values_of = {}
        for series in part.series:
            values = numbers.each(metric, series.answers)
            finite = np.isfinite(values)
            values, n, name = values[finite], int(finite.sum()), base.label(series)
            if not n:
                continue
            values_of[name] = values
            sources = list(compress((answer.source for answer in series.answers), finite))
            with np.errstate(over="ignore", invalid="ignore"):
                quartiles = np.quantile(values, (0.25, 0.5, 0.75))
            ends = (base.proportion(values == end, sources) for end in (0, 1))
            rows.append((name, metric.name, n, *(base.number(q, n) for q in quartiles), *ends))
        samples = tuple(
            (name, tuple(np.sort(values)[thin(len(values), SPREAD)].tolist()))
            for name, values in values_of.items()
            if name in labels
        )
        if samples:
            unit = all(0 <= value <= 1 for _, values in samples for value in values)
            panels.append(Panel(title=metric.name, x=metric.name, samples=samples, unit=unit))
    if not rows:
        return None
    quarters = ("lower quartile", "median", "upper quartile")
    head = ("series", "metric", "n", *quarters, "share of 0", "share of 1")
    table = Table(view.name, view.title, head, tuple(rows))
    alt = first_four([
        f"{name}, {metric}: half of the items between {_value_text(low)} and {_value_text(high)}, "
        f"median {_value_text(middle)}"
        for name, metric, _, low, middle, high, *_ in rows
    ])  # fmt: skip
    figure = Figure(f"{view.name}_plot", view.title, "distribution", tuple(panels), alt, omitted)
    return Section(view.title, (table,), (figure,), base.notes(view.note, omitted))


def _value_text(cell: Cell) -> str:
    return number_text(cell.value) if isinstance(cell, Estimate) and cell.value is not None else "–"


def agreement(part: base.Part, view: View) -> Section | None:
    """Return the rank correlation of every two metrics over all answers of language models.

    A second table says by how much the two differ and how often they are equal.
    """
    series = base.language_models(part.series)
    answers = base.with_common_sources(series)
    sources = np.array([answer.source for answer in answers], dtype=object)
    columns, size = {}, {}
    for metric in (numbers.metric_of(part.benchmark, name) for name in view.metrics):
        values = numbers.each(metric, answers)
        finite = values[np.isfinite(values)]
        if len(finite) and np.ptp(finite) > 0:
            columns[metric.name], size[metric.name] = values, len(finite)
    if len(columns) < 2:
        return None
    names = tuple(columns)
    pairs = {
        (a, b): _agreement_row(columns[a], columns[b], sources) for a, b in combinations(names, 2)
    }
    ranks: dict[tuple[str, str], Estimate | None] = {}
    for name in names:
        ranks[name, name] = Estimate(1.0, n=size[name])
    for (a, b), (_, rank) in pairs.items():
        ranks[a, b] = ranks[b, a] = rank
    matrix = tuple(tuple(ranks[a, b] for b in names) for a in names)
    rows = tuple((name, *row) for name, row in zip(names, matrix, strict=True))
    note = (
        f"Spearman's rank correlation over the answers of {len(series)} series of language models."
    )
    measures = ("mean difference", "standard deviation", "share equal")
    tables = (
        Table(view.name, view.title, ("metric", *names), rows, note),
        Table(
            f"{view.name}_pairs",
            f"{view.title}: two by two",
            ("first", "second", "n", *measures, "Spearman"),
            tuple((*pair, *cells, rank) for pair, (cells, rank) in pairs.items()),
            "The difference is the first less the second, answer by answer; its standard deviation is over n − 1.",
        ),
    )
    curves = tuple(Curve(name, row) for name, row in zip(names, matrix, strict=True))
    panel = Panel(title=view.title, places=names, curves=curves, unit=False)
    first = list(pairs.items())[:10]
    said = ", ".join(f"{a} and {b} {_value_text(rank)}" for (a, b), (_, rank) in first)
    alt = f"Rank correlations: {said}."
    figure = Figure(f"{view.name}_plot", view.title, "matrix", (panel,), alt)
    return Section(view.title, tables, (figure,), view.note)


def _agreement_row(
    a: Floats, b: Floats, sources: NDArray[np.object_]
) -> tuple[tuple[Cell, ...], Estimate | None]:
    """Return of two metrics: answers, mean difference and its standard deviation, share equal; and Spearman's."""
    finite = np.isfinite(a) & np.isfinite(b)
    a, b = a[finite], b[finite]
    n = len(a)
    if not n:
        return (0, None, None, None), None
    vary = n > 1 and np.ptp(a) > 0 and np.ptp(b) > 0
    equal = base.proportion(a == b, sources[finite].tolist())
    rank = base.number(statistics_tests.spearman(a, b), n) if vary else None
    with np.errstate(over="ignore", invalid="ignore"):
        differences = a - b
        spread = float(differences.std(ddof=1)) if n > 1 else math.nan
    mean = base.number(float(differences.mean()), n)
    return (n, mean, base.number(spread, n), equal), rank
