"""Each item's value against the numbers among its features: fit, Pearson's r with its p, rank correlation."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from harness.core.hookspecs import Metric, View
from harness.report import numbers, statistics_fits, statistics_tests
from harness.report import views_base as base
from harness.report.model import Cell, Cloud, Figure, Panel, Section, Series, Table
from harness.report.statistics_sources import Floats, share_sources
from harness.report.tables import P
from harness.report.texts import first_four, number_text

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

    Features that are no numbers make no correlation, nor does what is too little for one (`statistics_fits.lacking`):
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
    shared = any(_sources(series) is not None for series in part.series)
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


def _sources(series: Series) -> NDArray[np.str_] | None:
    """Return what each item of a series shares with others; None where nothing is shared."""
    names = [answer.source for answer in series.answers]
    return np.array(names, dtype=np.str_) if share_sources(names) else None


def _correlations(
    part: base.Part, metrics: Sequence[Metric], features: Sequence[str]
) -> tuple[list[_Correlation], str]:
    """Return the correlations, and a line that says why there are no others."""
    correlations = []
    without: dict[str, dict[str, None]] = {}  # what is lacking, and who lacks it
    for series in part.series:
        sources = _sources(series)
        name = base.label(series)
        ys = [(metric.name, numbers.each(metric, series.answers)) for metric in metrics]
        for feature in features:
            x = column(feature, [answer.row.features for answer in series.answers])
            for metric, y in ys:
                usable = np.isfinite(x) & (np.abs(y) <= base.LARGEST)
                if not usable.any():
                    continue
                shared = None if sources is None else sources[usable]
                if not series.of_model:
                    without.setdefault("no language model", {})[series.label] = None
                elif lack := statistics_fits.lacking(x[usable], y[usable], shared):
                    whose = name if len(features) == 1 else f"{name} with {feature}"
                    without.setdefault(lack, {})[whose] = None
                else:
                    fit = statistics_fits.pearson(x[usable], y[usable], shared)
                    rank = statistics_fits.spearman(x[usable], y[usable])
                    row = _Correlation(name, metric, feature, x[usable], y[usable], *fit, rank)
                    correlations.append(row)
    why = []
    for lack, names in without.items():
        more = f" and {len(names) - 2} more" if len(names) > 2 else ""
        why.append(f"{', '.join(list(names)[:2])}{more} ({lack})")
    if not why:
        return correlations, ""
    return correlations, f"A fit takes {statistics_fits.TAKEN}. None for {first_four(why)}"


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
    panels: dict[tuple[str, str], list[_Correlation]] = {}
    for row in correlations:
        if row.series in shown:
            panels.setdefault((row.metric, row.feature), []).append(row)
    keys = list(panels)
    if most and len(keys) > most:
        keys = sorted(keys, key=lambda key: -max(abs(row.r) for row in panels[key]))[:most]
    if not keys:
        return (), ""
    drawn = tuple(_panel(metric, feature, panels[metric, feature]) for metric, feature in keys)
    fewer = any(
        len(cloud.x) < len(row.x)
        for key, panel in zip(keys, drawn, strict=True)
        for cloud, row in zip(panel.clouds, panels[key], strict=True)
    )
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
        slope, start = statistics_fits.line(row.x, row.y)
        points = tuple(row.x[keep].tolist()), tuple(row.y[keep].tolist())
        clouds.append(Cloud(row.series, *points, slope, start, row.r, row.p))
    unit = all(((row.y >= 0) & (row.y <= 1)).all() for row in correlations)
    return Panel(
        title=f"{metric} and {feature}", x=feature, y=metric, clouds=tuple(clouds), unit=bool(unit)
    )


def thin(n: int, most: int) -> NDArray[np.int64]:
    """Return at most so many of the numbers below n, evenly spread."""
    if n <= most:
        return np.arange(n)
    return np.linspace(0, n - 1, most).astype(np.int64)


def _correlation_text(row: _Correlation) -> str:
    return f"{number_text(row.r)} ({row.series}, {row.metric} and {row.feature}, n = {len(row.x)})"
