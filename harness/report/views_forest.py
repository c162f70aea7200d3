"""What features foretell a metric: random forests, of all language models together and of each series."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from harness.core.hookspecs import Metric, View
from harness.report import numbers
from harness.report import views_base as base
from harness.report.forest import FEWEST, FULL, SMALL, Forest, Size, forest
from harness.report.model import Answer, Estimate, Figure, Panel, Section, Series, Table
from harness.report.views_scatter import column

GROWN = 20  # forests of single series in one report, at most: more would take more than about 20 s
DRAWN = 3  # of them in a figure


def forests(part: base.Part, view: View) -> Section | None:
    """Return what random forests find of one metric from the features.

    One forest is of all language models together, where there are several, and one of each series (of so many that a
    report takes about 20 s for all its forests). A feature counts where every answer has a number for it (yes and no
    are 1 and 0). One may be ``log10 NAME``: where every answer's NAME is above 0.
    """
    metric = numbers.metric_of(part.benchmark, view.metrics[0])
    found, left_out = _grown(part, metric, view)
    if not found:
        return None
    features = [name for name in view.features if any(name in one.order for one in found.values())]
    rows = tuple(
        (name, one.n, base.number(one.r2, one.n), ", ".join(one.order), *_effects(one, features))
        for name, one in found.items()
    )
    head = ("series", "n", "R²", "the most important first", *(f"effect of {f}" for f in features))
    few = (
        f"Of {left_out} more series, those with a lower {part.benchmark.headline}, no forest is grown."
        if left_out
        else ""
    )
    table = Table(
        view.name, view.title, head, rows, base.notes(_note(metric, base.TOGETHER in found), few)
    )
    telling = [(name, one) for name, one in found.items() if not one.r2 <= 0]
    drawn = telling[: DRAWN + (base.TOGETHER in found)]
    panels = tuple(
        Panel(
            title=_titled(name, one), x=f"effect on {metric.name}", y="",
            places=one.order, swarm=one.swarm, unit=False,
        )
        for name, one in drawn
    )  # fmt: skip
    said = [f"{_titled(name, one)}, {', '.join(one.order[:3])} matter most" for name, one in drawn]
    alt = "; ".join(said) + "."
    bare = _undrawn([name for name, one in found.items() if one.r2 <= 0])
    figures = (
        (Figure(f"{view.name}_plot", view.title, "beeswarm", panels, alt, bare),) if drawn else ()
    )
    return Section(view.title, (table,), figures, base.notes(view.note, bare))


def _undrawn(names: Sequence[str]) -> str:
    """Say which forests are not drawn because what they found is nothing."""
    if not names:
        return ""
    return f"Not drawn, because the features foretell nothing (R² not above 0): {', '.join(names)}."


def _note(metric: Metric, together: bool) -> str:
    return base.notes(
        "R² on items that the forest has not seen, nor others of their sources; 0 or below: the features foretell "
        f"nothing. Effect: mean of the absolute SHAP values, in units of {metric.name}. A series with fewer than "
        f"{FEWEST} answers, or with equal ones alone, has none.",
        "The forest of all models together is not told which model answered." if together else "",
    )


def _titled(name: str, one: Forest) -> str:
    # No line of a title ends between the two.
    return f"{name}: R²\N{NO-BREAK SPACE}{base.told(one.r2) if math.isfinite(one.r2) else '–'}"


def _grown(part: base.Part, metric: Metric, view: View) -> tuple[dict[str, Forest], int]:
    """Return the forests by the names of their rows, and for how many series there was no time."""
    models = base.models_of(part.series)
    found: dict[str, Forest] = {}
    if len(models) > 1:
        every = [answer for one in models for answer in one.answers]
        if (pooled := _forest(every, metric, view.features, FULL)) is not None:
            found[base.TOGETHER] = pooled
    views = sum(one.kind == "forest" for one in part.benchmark.views)
    chosen = _best(part, max(1, GROWN // max(1, views)))
    for one in chosen:
        size = FULL if models == [one] else SMALL
        if (own := _forest(one.answers, metric, view.features, size)) is not None:
            found[base.label(one)] = own
    return found, len(part.series) - len(chosen)


def _best(part: base.Part, most: int) -> list[Series]:
    """Return so many series, those with the highest headline; models before what is none."""
    headline = numbers.metric_of(part.benchmark, part.benchmark.headline)

    def rank(one: Series) -> tuple[bool, float]:
        value = base.value_of(headline, one)
        return one.kind not in base.MODELS, -value if math.isfinite(value) else math.inf

    kept = {one.label for one in sorted(part.series, key=rank)[:most]}
    chosen = [one for one in part.series if one.label in kept]
    return sorted(chosen, key=lambda one: one.kind not in base.MODELS)


def _forest(
    answers: Sequence[Answer], metric: Metric, features: Sequence[str], size: Size
) -> Forest | None:
    y = numbers.each(metric, answers)
    there = np.abs(y) <= base.LARGEST
    if there.sum() < FEWEST:
        return None
    kept = [one for one, use in zip(answers, there.tolist(), strict=True) if use]
    rows = [one.row.features for one in kept]
    columns = {name: column(name, [_plain(row, name) for row in rows]) for name in features}
    names = [name for name, values in columns.items() if np.isfinite(values).all()]
    if not names:
        return None
    x = np.column_stack([columns[name] for name in names])
    # An item that several models answered has one source: its answers are held out together.
    return forest(x, y[there], names, [one.source for one in kept], size)


def _plain(row: Mapping[str, object], name: str) -> Mapping[str, object]:
    value = row.get(name)
    return {name: int(value)} if isinstance(value, bool) else row


def _effects(found: Forest, features: Sequence[str]) -> list[Estimate | None]:
    """Return each feature's mean absolute effect; nothing where the forest did without it."""
    effects: list[Estimate | None] = []
    for name in features:
        if name in found.order:
            swarm = found.swarm[found.order.index(name)]
            mean = sum(abs(effect) for effect, _ in swarm) / len(swarm)
            effects.append(base.number(mean, len(swarm)))
        else:
            effects.append(None)
    return effects
