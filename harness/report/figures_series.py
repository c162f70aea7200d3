"""Painters of panels whose places are named: lines, bars and stacks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from harness.report import figures_style as style
from harness.report.model import Curve, Estimate, Panel

ROWS = 60  # places that horizontal bars and stacks show at most
_NARROWEST = 4.0  # points of an upright bar
_FAINT = 0.18  # opacity of a band that is alone
_CAP = 5.0  # points across, at the ends of an interval
_FLAT = 0.005  # of an axis: a bar that is less high has no height to be seen
_MARKED = 40  # places above which a line has fewer markers than points


def lines(axes: Any, panel: Panel, at: int, looks: style.Looks, width: float) -> style.Painted:
    """Draw a line per series over the places, with bands or bars of its intervals."""
    del width
    numeric = numeric_places(panel)
    x = [float(place if numeric else at) for at, place in enumerate(panel.places)]
    chosen = [curve for curve in panel.curves if not curve.floor and curve.label in looks.series]
    step = min((b - a for a, b in pairwise(x) if b > a), default=1.0)
    banded = numeric and len(chosen) <= 4
    order = list(looks.series)
    for curve in chosen:
        which = looks.series[curve.label]
        # Bars of intervals at one place would lie on each other.
        apart = min(0.03 if numeric else 0.06, (0.3 if numeric else 0.5) / len(order))
        away = 0.0 if banded else (order.index(curve.label) - (len(order) - 1) / 2) * apart
        places = [value + away * step for value in x]
        axes.plot(
            places,
            [style.number(point) for point in curve.points],
            color=style.PALETTE[which],
            linestyle=style.DASHES[which],
            linewidth=1.5,
            marker=style.MARKERS[which],
            markersize=4.5,
            markevery=max(1, len(x) // _MARKED),
            clip_on=False,
            gid=f"curve-{at}-{which}",
        )
        crowd = len(chosen) if banded else 0
        _spread(axes, places, curve, style.PALETTE[which], crowd, f"{at}-{which}")
    for curve in (curve for curve in panel.curves if curve.floor):
        which = looks.floors.index(curve.label)
        axes.plot(
            x if len(x) > 1 else [x[0] - 0.5, x[0] + 0.5],
            [style.number(point) for point in curve.points] * (2 if len(x) == 1 else 1),
            color=style.INK,
            linestyle=style.FLOORS[which % len(style.FLOORS)],
            linewidth=1.1,
            gid=f"floor-{at}-{which}",
        )
    axes.grid(axis="y")
    _limits(panel, axes.set_ylim, axes.set_yticks)
    if not numeric:
        axes.set_xlim(-0.5, len(x) - 0.5)
    return style.Painted(2.3, x=tuple(zip(x, panel.places, strict=True)), numeric=numeric)


def numeric_places(panel: Panel) -> bool:
    """Say whether the places are different rising numbers on a scale."""
    if not panel.numeric:
        return False
    try:
        numbers = [style.finite(float(place)) for place in panel.places]
    except ValueError:
        return False
    return all(a < b for a, b in pairwise(numbers)) and not any(map(math.isnan, numbers))


def _spread(axes: Any, x: Sequence[float], curve: Curve, colour: str, crowd: int, gid: str) -> None:
    """Draw a series' intervals: a band where neighbours have one too, else a bar each.

    ``crowd``: the bands that lie on each other, the fainter the more; 0: there are only bars.
    """
    ends = [style.interval(point) for point in curve.points]
    known = [not math.isnan(low) for low, _ in ends]
    alone = [
        is_known and not (crowd and (known[i - 1 : i] == [True] or known[i + 1 : i + 2] == [True]))
        for i, is_known in enumerate(known)
    ]
    if known != alone:
        axes.fill_between(
            x,
            [low for low, _ in ends],
            [high for _, high in ends],
            facecolor=(colour, _FAINT / crowd**0.5),
            edgecolor=(colour, 0.45),
            linewidth=0.6,
            gid=f"band-{gid}",
        )
    bars = [(x[i], *ends[i]) for i in range(len(x)) if alone[i]]
    style.whiskers(axes, bars, _CAP, f"interval-{gid}", color=colour, clip_on=False)


def _limits(panel: Panel, limit: Any, ticks: Any) -> None:
    """Let the values' axis run from 0 to 1 where the panel says so, and further if a value does."""
    if not panel.unit:
        return
    points = [point for curve in panel.curves for point in curve.points]
    known = ((style.number(point), *style.interval(point)) for point in points)
    values = [value for three in known for value in three if not math.isnan(value)]
    if min(values, default=0.0) < 0:  # differences of shares, or intervals of what is near 0
        most = 1.1 * max(map(abs, values))
        limit(-most, most)
        return
    low, high = 0.0, max(1.0, *values, 0.0)
    if (low, high) == (0.0, 1.0):
        ticks([0, 0.2, 0.4, 0.6, 0.8, 1])
    limit(low, high)


def bars(axes: Any, panel: Panel, at: int, looks: style.Looks, width: float) -> style.Painted:
    """Draw a group of bars per place: upright where there is room for them and their names, else lying."""
    chosen = [curve for curve in panel.curves if not curve.floor and curve.label in looks.series]
    slot = width * 72 / max(1, len(panel.places))
    words = [word for place in panel.places for word in style.clean(place).split()]
    longest = max((len(style.clean(place)) for place in panel.places), default=0)
    upright = (
        slot * 0.8 / max(1, len(chosen)) >= _NARROWEST
        and max(map(len, words), default=0) * 0.66 * style.SIZE < slot
        and longest * 0.4 * style.SIZE < slot
    )
    places = panel.places if upright else panel.places[:ROWS]
    thick = 0.8 / max(1, len(chosen))
    row = min(1.6, max(0.36, 0.1 * len(chosen) + 0.06))
    cap = min(_CAP, 0.6 * thick * (slot if upright else row * 72))
    heights = (abs(style.number(point)) for curve in chosen for point in curve.points)
    scale = max([1.0 * panel.unit, *(high for high in heights if not math.isnan(high))])
    for order, curve in enumerate(chosen):
        which = looks.series[curve.label]
        away = (order - (len(chosen) - 1) / 2) * thick
        points = curve.points[: len(places)]
        _group(axes, points, away, thick, which, upright, cap, scale, f"{at}-{which}")
    for curve in (curve for curve in panel.curves if curve.floor):
        which = looks.floors.index(curve.label)
        floor = enumerate(map(style.number, curve.points[: len(places)]))
        marks = [(i, value) for i, value in floor if not math.isnan(value)]
        style.crossbars(
            axes, marks, 0.47, not upright, color=style.INK, linewidth=1.2,
            linestyle=style.FLOORS[which % len(style.FLOORS)], gid=f"floor-{at}-{which}",
        )  # fmt: skip
    axes.grid(axis="y" if upright else "x")
    named = style.numbered(places)
    if upright:
        _limits(panel, axes.set_ylim, axes.set_yticks)
        axes.set_xlim(-0.6, len(places) - 0.4)
        return style.Painted(2.3, x=named)
    _limits(panel, axes.set_xlim, axes.set_xticks)
    axes.set_ylim(len(places) - 0.45, -0.55)
    note = style.cut_note(len(panel.places), ROWS, "places")
    return style.Painted(row * len(places), rows=named, lying=True, note=note)


def _group(
    axes: Any,
    points: Sequence[Estimate | None],
    away: float,
    thick: float,
    which: int,
    upright: bool,
    cap: float,
    scale: float,
    gid: str,
) -> None:
    """Draw one series' bars, each with its interval and caps of so many points; – where nothing was measured.

    ``scale``: the greatest height of all. A bar without height is a line with its value.
    """
    shown = [(i, p) for i, p in enumerate(points) if not math.isnan(style.number(p))]
    middles, values = [i + away for i, _ in shown], [style.number(p) for _, p in shown]
    drawn = (axes.bar if upright else axes.barh)(
        middles,
        values,
        thick * 0.94,
        color=style.PALETTE[which],
        hatch=style.HATCHES[which],
        edgecolor=style.LIGHT,
        linewidth=0,
    )
    for (place, _), patch in zip(shown, drawn, strict=True):
        patch.set_gid(f"bar-{gid}-{place}")
    ends = [(m, *style.interval(p)) for m, (_, p) in zip(middles, shown, strict=True)]
    highs = [0.0 if math.isnan(high) else high for _, _, high in ends]
    bars = zip(middles, values, highs, strict=True)
    flat = [(m, v, high) for m, v, high in bars if v == 0 or abs(v) < _FLAT * scale]
    # A bar without height would not be seen, nor be told from one that there is not.
    style.crossbars(
        axes, [(m, 0.0) for m, _, _ in flat], thick * 0.47, not upright, color=style.PALETTE[which],
        linewidth=3, clip_on=False, gid=f"zero-{gid}",
    )  # fmt: skip
    texts = [(m, h, "value", f"{v:.1g}".replace("-", "−")) for m, v, h in flat]
    missing = (i for i, p in enumerate(points) if math.isnan(style.number(p)))
    texts += [(i + away, 0.0, "none", "–") for i in missing]
    for m, high, kind, text in texts:
        axes.annotate(
            text, (m, high) if upright else (high, m), (0, 3) if upright else (3, 0),
            textcoords="offset points", size=7, color=style.PALETTE[which], gid=f"{kind}-{gid}",
            ha="center" if upright else "left", va="bottom" if upright else "center_baseline",
        )  # fmt: skip
    ends = [end for end in ends if not math.isnan(end[1])]
    style.whiskers(axes, ends, cap, f"interval-{gid}", not upright, color=style.INK)


def stack(axes: Any, panel: Panel, at: int, looks: style.Looks, width: float) -> style.Painted:
    """Draw a lying bar per place, made of the parts; a part says its share where there is room."""
    del looks
    places = panel.places[:ROWS]
    left = [0.0] * len(places)
    for which, curve in enumerate(panel.curves):
        colour, hatch = part(which, curve.label)
        for i, point in enumerate(curve.points[: len(places)]):
            share = style.number(point)
            if math.isnan(share) or share <= 0:
                continue
            (patch,) = axes.barh(
                [i], [share], 0.74, left=[left[i]],
                color=colour, hatch=hatch, edgecolor=style.LIGHT, linewidth=0,
            )  # fmt: skip
            patch.set_gid(f"part-{at}-{which}-{i}")
            if share * width * 0.7 * 72 > 30:
                axes.text(
                    left[i] + share / 2, i, f"{share * 100:.0f} %", ha="center", va="center",
                    color=style.LIGHT, size=8,
                    bbox={"facecolor": colour, "edgecolor": "none", "pad": 1.2},
                )  # fmt: skip
            left[i] += share
    axes.set_xlim(0, max(1.0, *left, 0.0))
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1])
    axes.xaxis.set_major_formatter(lambda value, _: f"{value * 100:.4g} %")
    axes.set_ylim(len(places) - 0.5, -0.5)
    style.hide_axis(axes)
    note, rows = style.cut_note(len(panel.places), ROWS, "rows"), style.numbered(places)
    return style.Painted(0.36 * len(places) + 0.1, rows=rows, lying=True, note=note)


def part(which: int, label: str) -> tuple[str, str]:
    """Return the colour and hatch of a stack's part: fixed for outcomes, else by its order."""
    if label in style.PARTS:
        return style.PARTS[label]
    return style.PALETTE[which % len(style.PALETTE)], style.HATCHES[which % len(style.HATCHES)]
