"""The items' own values: how they spread, how far metrics agree."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations, compress

import numpy as np
from numpy.typing import NDArray

from harness.core.hookspecs import View
from harness.report import numbers, statistics_fits
from harness.report import views_base as base
from harness.report.model import Cell, Curve, Estimate, Figure, Panel, Section, Table
from harness.report.statistics_sources import Floats
from harness.report.texts import first_four, number_text
from harness.report.views_scatter import thin

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
            if finite.any():
                values_of[base.label(series)] = values[finite]
                sources = list(compress((answer.source for answer in series.answers), finite))
                rows.append((base.label(series), metric.name, *_quartiles(values[finite], sources)))
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


def _quartiles(values: Floats, sources: Sequence[str]) -> tuple[Cell, ...]:
    n = len(values)
    with np.errstate(over="ignore", invalid="ignore"):
        quartiles = [base.number(float(q), n) for q in np.quantile(values, (0.25, 0.5, 0.75))]
    ends = [base.proportion(values == end, sources) for end in (0, 1)]
    return (n, *quartiles, *ends)


def _value_text(cell: Cell) -> str:
    return number_text(cell.value) if isinstance(cell, Estimate) and cell.value is not None else "–"


# ----------------------------------------------------------------------------- agreement


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
    ranks: dict[tuple[str, str], Cell] = {
        (name, name): Estimate(1.0, n=size[name]) for name in names
    }
    for (a, b), row in pairs.items():
        ranks[a, b] = ranks[b, a] = row[-1]
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
            tuple((*pair, *result) for pair, result in pairs.items()),
            "The difference is the first less the second, answer by answer; its standard deviation is over n − 1.",
        ),
    )
    curves = tuple(Curve(name, row) for name, row in zip(names, matrix, strict=True))
    panel = Panel(title=view.title, places=names, curves=curves, unit=False)
    alt = "Rank correlations: " + ", ".join(
        f"{a} and {b} {_value_text(result[-1])}" for (a, b), result in list(pairs.items())[:10]
    )
    figure = Figure(f"{view.name}_plot", view.title, "matrix", (panel,), f"{alt}.")
    return Section(view.title, tables, (figure,), view.note)


def _agreement_row(
    a: Floats, b: Floats, sources: NDArray[np.object_]
) -> tuple[int, *tuple[Estimate | None, ...]]:
    """Return of two metrics: answers, mean difference and its standard deviation, share equal, Spearman."""
    finite = np.isfinite(a) & np.isfinite(b)
    a, b = a[finite], b[finite]
    n = len(a)
    if not n:
        return 0, None, None, None, None
    vary = n > 1 and np.ptp(a) > 0 and np.ptp(b) > 0
    equal = base.proportion(a == b, sources[finite].tolist())
    rank = base.number(statistics_fits.spearman(a, b), n) if vary else None
    with np.errstate(over="ignore", invalid="ignore"):
        differences = a - b
        spread = float(differences.std(ddof=1)) if n > 1 else math.nan
    return n, base.number(float(differences.mean()), n), base.number(spread, n), equal, rank
