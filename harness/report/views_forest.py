"""What features foretell a metric: random forests, of all language models together and of each series."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import compress, product

import numpy as np

from harness.core.hookspecs import Metric, View
from harness.report import numbers
from harness.report import views_base as base
from harness.report.forest import FEWEST, FULL, SMALL, Forest, Size, forest
from harness.report.model import Answer, Estimate, Figure, Panel, Section, Series, Table, answers_of
from harness.report.texts import number_text
from harness.report.views_scatter import column

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
    rows = tuple(
        (
            name, forest.n, base.number(forest.r2, forest.n), ", ".join(forest.order),
            *_effects(forest, features),
        )
        for name, forest in grown.items()
    )  # fmt: skip
    head = ("series", "n", "R²", "the most important first", *(f"effect of {f}" for f in features))
    lower = f"those with a lower {part.benchmark.headline}"
    note = base.notes(
        "R² on items that the forest has not seen, nor others of their sources; 0 or below: the features foretell "
        f"nothing. Effect: mean of the absolute SHAP values, in units of {metric.name}. One takes {TAKEN}.",
        _TOLD_NOTHING if base.TOGETHER in grown else "",
        f"Of {left_out} more series, {lower}, no forest is grown." if left_out else "",
    )
    table = Table(view.name, view.title, head, rows, note)
    telling = [(name, forest) for name, forest in grown.items() if not forest.r2 <= 0]
    panels = tuple(
        Panel(
            title=_title(name, forest), x=f"effect on {metric.name}", y="",
            places=forest.order, swarm=forest.swarm, unit=False,
        )
        for name, forest in telling[: DRAWN + (base.TOGETHER in grown)]
    )  # fmt: skip
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
    chosen = _highest(part, max(1, GROWN // max(1, views)))
    for series in chosen:
        size = FULL if models == [series] else SMALL
        if (forest := _forest(series.answers, metric, view.features, size)) is not None:
            grown[base.label(series)] = forest
    return grown, sum(series.of_model for series in part.series) - len(chosen)


def _highest(part: base.Part, most: int) -> list[Series]:
    """Return so many series of language models, those with the highest headline."""
    headline = numbers.metric_of(part.benchmark, part.benchmark.headline)
    models = [series for series in part.series if series.of_model]
    ranked = sorted(models, key=lambda series: base.rank(headline, series))
    kept = {series.label for series in ranked[:most]}
    return [series for series in models if series.label in kept]


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


def _effects(forest: Forest, features: Sequence[str]) -> list[Estimate | None]:
    """Return each feature's mean absolute effect; nothing where the forest did without it."""
    effects = {
        name: base.number(sum(abs(effect) for effect, _ in swarm) / len(swarm), len(swarm))
        for name, swarm in zip(forest.order, forest.swarm, strict=True)
    }
    return [effects.get(name) for name in features]
