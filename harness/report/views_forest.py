"""What features foretell a metric: random forests, of all language models together and of each series.

A forest has its R² on unseen items and SHAP values; `forest` knows no benchmark.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.core.hookspecs import Metric, View
from harness.report import numbers
from harness.report import views_base as base
from harness.report.labels import number_text
from harness.report.model import Answer, Cell, Figure, Panel, Section, Table, answers_of
from harness.report.statistics_sources import Floats, Sources, batches_of, codes_of, members
from harness.report.views_scatter import column

FEWEST = 50  # items; below, a forest says nothing
FOLDS = 5
DEPTH = 8  # bounds a tree, and with it the time of TreeExplainer, to 256 leaves
LEAF = 5  # items in a leaf at least
SEEN = 1_500  # items that a tree is grown from at most
SEED = 0
GROWN = 20  # forests of single series in one report, at most: more would take more than about 20 s
DRAWN = 3  # of them in a figure
_TOLD_NOTHING = "The forest of all models together is not told which model answered."
TAKEN = f"{FEWEST} answers of a language model that are not all equal"


def forests(part: base.Part, view: View) -> Section | None:
    """Return what random forests find of one metric from the features.

    One forest is of all language models together, where there are several, and one of each series (of so many that a
    report takes about 20 s for all its forests). A feature counts where every answer has a number for it (yes and no
    are 1 and 0). One may be ``log10 NAME``: where every answer's NAME is above 0.
    """
    metric = numbers.metric_of(part.benchmark, view.metrics[0])
    grown, left_out = _forests(part, metric, view)
    if not grown:
        # Is there anything that a forest of more answers would be grown from?
        any_number = any(
            np.isfinite(numbers.each(metric, series.answers)).any()
            and np.isfinite(column(name, [answer.row.features for answer in series.answers])).any()
            for series, name in product(part.series, view.features)
        )
        return Section(view.title, note=f"No forest: one takes {TAKEN}.") if any_number else None
    features = [
        name for name in view.features if any(name in forest.order for forest in grown.values())
    ]
    rows: list[tuple[Cell, ...]] = []
    for name, found in grown.items():
        r2, order = base.number(found.r2, found.n), ", ".join(found.order)
        effects = {  # means of the absolute ones
            feature: base.number(sum(abs(effect) for effect, _ in swarm) / len(swarm), len(swarm))
            for feature, swarm in zip(found.order, found.swarm, strict=True)
        }
        rows.append((name, found.n, r2, order, *map(effects.get, features)))
    head = ("series", "n", "R²", "the most important first", *(f"effect of {f}" for f in features))
    lower = f"those with a lower {part.benchmark.headline}"
    note = base.notes(
        "R² on items that the forest has not seen, nor others of their sources; 0 or below: the features foretell "
        f"nothing. Effect: mean of the absolute SHAP values, in units of {metric.name}. One takes {TAKEN}.",
        _TOLD_NOTHING if base.TOGETHER in grown else "",
        f"Of {left_out} more series, {lower}, no forest is grown." if left_out else "",
    )
    table = Table(view.name, view.title, head, tuple(rows), note)
    telling = [(name, forest) for name, forest in grown.items() if not forest.r2 <= 0]
    panels = tuple(
        Panel(
            title=_title(name, forest),
            x=f"effect on {metric.name}",
            y="",
            places=forest.order,
            swarm=forest.swarm,
            unit=False,
        )
        for name, forest in telling[: DRAWN + (base.TOGETHER in grown)]
    )
    leading = (f"{panel.title}, {', '.join(panel.places[:3])} matter most" for panel in panels)
    alt = "; ".join(leading) + "."
    undrawn = ", ".join(name for name, forest in grown.items() if forest.r2 <= 0)
    bare = "Not drawn, because the features foretell nothing (R² not above 0): "
    bare = f"{bare}{undrawn}." if undrawn else ""
    figure = Figure(f"{view.name}_plot", view.title, "beeswarm", panels, alt, bare)
    note = base.notes(view.note, bare)
    return Section(view.title, (table,), (figure,) if panels else (), note)


def _title(name: str, forest: Forest) -> str:
    r2 = number_text(forest.r2) if math.isfinite(forest.r2) else "–"
    return f"{name}: R²\N{NO-BREAK SPACE}{r2}"  # no line of a title ends between the two


def _forests(part: base.Part, metric: Metric, view: View) -> tuple[dict[str, Forest], int]:
    """Return the forests by the names of their rows, and for how many series there was no time."""
    models = base.language_models(part.series)
    grown: dict[str, Forest] = {}
    if len(models) > 1:
        every = list(answers_of(models))
        if (pooled := _forest(every, metric, view.features, FULL)) is not None:
            grown[base.TOGETHER] = pooled
    views = sum(shown_view.kind == "forest" for shown_view in part.benchmark.views)
    chosen = base.highest([s for s in part.series if s.of_model], part, GROWN // max(1, views) or 1)
    for series in chosen:
        size = FULL if models == [series] else SMALL
        if (forest := _forest(series.answers, metric, view.features, size)) is not None:
            grown[base.label(series)] = forest
    return grown, sum(series.of_model for series in part.series) - len(chosen)


def _forest(
    answers: Sequence[Answer], metric: Metric, features: Sequence[str], size: Size
) -> Forest | None:
    y = numbers.each(metric, answers)
    usable = np.abs(y) <= base.LARGEST
    if usable.sum() < FEWEST:
        return None
    kept = list(compress(answers, usable))
    rows = [answer.row.features for answer in kept]
    # Yes and no are 1 and 0 here.
    rows = [
        {key: int(value) if isinstance(value, bool) else value for key, value in row.items()}
        for row in rows
    ]
    columns = {name: column(name, rows) for name in features}
    names = [name for name, values in columns.items() if np.isfinite(values).all()]
    if not names:
        return None
    x = np.column_stack([columns[name] for name in names])
    # An item that several models answered has one source: its answers are held out together.
    return forest(x, y[usable], names, [answer.source for answer in kept], size)


@dataclass(frozen=True, slots=True)
class Forest:
    """What a forest found.

    ``r2``: 1 − (squared errors) ÷ (squared deviations from the mean), over the ``n`` items, each predicted
    by a forest that was fitted without it and without all that share its source (five folds of whole
    sources, errors of all folds pooled); it may be below 0, and is nan of fewer than five sources.
    ``order``: the features that are not constant, by mean |SHAP|, the greatest first; equal ones in the
    order given. ``swarm[i]``: for the feature ``order[i]``, per explained item, (SHAP value in the unit of
    ``y``, the feature's value scaled to 0…1 between its least and greatest).
    """

    r2: float
    order: tuple[str, ...]
    swarm: tuple[tuple[tuple[float, float], ...], ...]
    n: int


@dataclass(frozen=True, slots=True)
class Size:
    """How much a forest is grown from: items and trees, and how many items get SHAP values, at most."""

    items: int
    trees: int
    explained: int


FULL = Size(5_000, 100, 1_000)
SMALL = Size(1_000, 50, 200)


def forest(
    x: Floats, y: Floats, names: Sequence[str], sources: Sources = None, size: Size = FULL
) -> Forest | None:
    """Return what a random forest finds of y, (n,), from x, (n, k) with k names; all numbers finite.

    Of more items than the size allows a fixed random choice is used. SHAP values are those of the forest fitted
    to all items used, path-dependent (Lundberg et al. 2020, doi:10.1038/s42256-019-0138-9): for each
    item they add up to its prediction less the forest's mean. None: under FEWEST items, or y or every
    feature is constant.
    """
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    assert x.ndim == 2
    assert x.shape == (len(y), len(names))
    assert np.isfinite(x).all()
    assert np.isfinite(y).all()
    if len(y) < FEWEST:
        return None
    used = _some(len(y), size.items)
    x, y = x[used], y[used]
    kept = None if sources is None else [sources[i] for i in used]
    groups = members(codes_of(kept, len(y)), len(y))
    varied = np.flatnonzero(np.ptp(x, axis=0) > 0)
    if not len(varied) or np.ptp(y) == 0:
        return None
    x = x[:, varied]
    shown = _some(len(y), size.explained)
    effects = _shap(_fitted(x, y, size.trees), x[shown])
    scaled = (x[shown] - x.min(axis=0)) / np.ptp(x, axis=0)
    order = np.argsort(-np.abs(effects).mean(axis=0), kind="stable")
    return Forest(
        r2=_held_out(x, y, groups, size.trees),
        order=tuple(names[varied[i]] for i in order),
        swarm=tuple(
            tuple(zip(effects[:, i].tolist(), scaled[:, i].tolist(), strict=True)) for i in order
        ),
        n=len(y),
    )


def _some(n: int, most: int) -> NDArray[np.int64]:
    """Return at most so many of the numbers below n: a fixed random choice, in rising order."""
    if n <= most:
        return np.arange(n)
    return np.sort(np.random.default_rng(SEED).permutation(n)[:most])


def _fitted(x: Floats, y: Floats, trees: int) -> Any:
    from sklearn.ensemble import RandomForestRegressor

    model = RandomForestRegressor(
        trees,
        max_depth=DEPTH,
        min_samples_leaf=LEAF,
        max_samples=min(len(y), SEEN),
        random_state=SEED,
        n_jobs=1,
    )
    return model.fit(x, y)


def _held_out(x: Floats, y: Floats, groups: Sequence[Sequence[int]], trees: int) -> float:
    """Return the R² of predictions for items of whose sources the predicting forest has seen nothing."""
    if len(groups) < FOLDS:
        return math.nan
    predicted = np.empty_like(y)
    for unseen in batches_of(groups, FOLDS):
        known = np.ones(len(y), dtype=bool)
        known[unseen] = False
        predicted[unseen] = _fitted(x[known], y[known], trees).predict(x[unseen])
    return float(1 - ((y - predicted) ** 2).sum() / ((y - y.mean()) ** 2).sum())


def _shap(model: Any, x: Floats) -> Floats:
    """Return the SHAP value of every feature for every row of x, (n, k)."""
    with warnings.catch_warnings():
        # shap and numba warn at import of what their own dependencies do.
        warnings.simplefilter("ignore")
        import shap

        values = shap.TreeExplainer(model).shap_values(x, check_additivity=True)
    return np.asarray(values, dtype=np.float64).reshape(x.shape)
