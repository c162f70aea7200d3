"""Painters of panels of many numbers: scatters, distributions, matrices and SHAP values."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import count
from typing import TYPE_CHECKING, Any

from harness.report import figures_style as style
from harness.report.labels import MINUS, decimal
from harness.report.model import Cloud, Panel

if TYPE_CHECKING:
    from harness.report.statistics_sources import Floats

POINTS = 4_000  # that a panel shows at most, over all its series
VECTORS = 400  # points that are drawn each on its own; more become one picture
ROWS = 40  # distributions of a panel
CELLS = 20  # rows and columns of a matrix
FEATURES = 20  # of a beeswarm
BINS = 20
FEWEST, NEIGHBOURS = 4, 10  # groups of items alike in x, where nearly every y is 0 or 1
ALIKE = 6  # items that a group should have
BINARY = 0.75  # a share of items that is nearly all
_SPAN = (0.09, 0.9)  # of a row: the least and greatest height a distribution fills


def scatter(axes: Any, panel: Panel, at: int, looks: style.Looks, width: float) -> style.Painted:
    """Draw the points of every series, its fit, and r and p; equal points become one larger one.

    Where nearly every y is 0 or 1 the points would lie on two lines: means of neighbours along x are drawn.
    """
    del width
    chosen = [cloud for cloud in panel.clouds if cloud.label in looks.series]
    points = [_points(cloud) for cloud in chosen]
    whole = all(x.is_integer() for group in points for x, _ in group)
    binary = mostly_binary(points)
    if binary:
        points = [means(group) for group in points]
    shown = [_thinned(group, max(1, POINTS // len(points))) for group in points]
    many = sum(len(group) for group in shown) > VECTORS
    most = max((n for group in shown for n in group.values()), default=1)
    legend = []
    for cloud, group in zip(chosen, shown, strict=True):
        which = looks.series[cloud.label]
        axes.scatter(
            [x for x, _ in group],
            [y for _, y in group],
            s=[(14 if binary else 9) + 60 * (n - 1) / max(most - 1, 30) for n in group.values()],
            color=style.PALETTE[which],
            marker=style.MARKERS[which],
            linewidths=0,
            alpha=0.8 if binary else 0.55 if len(group) < 200 else 0.35,
            rasterized=many,
            clip_on=many,
            gid=f"points-{at}-{which}",
        )
        line = _fit(axes, cloud, which, f"fit-{at}-{which}")
        legend.append((line, correlation(cloud.r, cloud.p)))
    axes.grid()
    axes.xaxis.get_major_locator().set_params(integer=whole)
    if panel.unit:
        ys = [y for group in points for _, y in group]
        axes.set_ylim(min(-0.03, *ys, 0.0), max(1.03, *ys, 1.0))
    drawn, total = sum(len(f) for f in shown), sum(len(f) for f in points)
    notes = [f"{drawn:,} of {total:,} different points drawn"] * (drawn < total)
    if binary:
        notes.append(f"points: means, each of up to {most:,} items")
    elif most > 1:
        notes.append(f"larger: up to {most:,} items at one point")
    return style.Painted(2.4, legend=tuple(legend), note="; ".join(notes))


def correlation(r: float | None, p: float | None) -> str:
    """Return Pearson's r and its p as a legend says them; – where undefined."""
    r, p = style.finite(r), style.finite(p)
    text = "r = –" if math.isnan(r) else f"r = {r:.2f}".replace("-", "−")
    chance = "= –" if math.isnan(p) else "< 0.001" if p < 0.001 else f"= {p:.3f}"
    return f"{text}, p (uncorrected) {chance}"


def _points(cloud: Cloud) -> Counter[tuple[float, float]]:
    """Return the different points and how many items lie on each, in a fixed order."""
    pairs = zip(map(style.finite, cloud.x), map(style.finite, cloud.y), strict=True)
    return Counter(sorted((x, y) for x, y in pairs if not math.isnan(x) and not math.isnan(y)))


def mostly_binary(points: Sequence[Counter[tuple[float, float]]]) -> bool:
    """Say whether at least `BINARY` of all items have 0 or 1 as their y."""
    ends = sum(n for group in points for (_, y), n in group.items() if y in (0, 1))
    return ends >= BINARY * sum(group.total() for group in points)


def means(points: Counter[tuple[float, float]]) -> Counter[tuple[float, float]]:
    """Return (mean x, mean y) and the count of `FEWEST` to `NEIGHBOURS` groups of items alike in x.

    Every x is a group of its own where there are few; else groups are about equally large, an x in one alone.
    """
    total, below = points.total(), 0
    counts: Counter[float] = Counter()
    for (x, _), n in points.items():
        counts[x] += n
    groups: dict[float, int] = {}
    most = max(FEWEST, min(NEIGHBOURS, total // ALIKE))
    few = len(counts) <= most
    for order, x in enumerate(sorted(counts)):
        groups[x] = order if few else most * below // total
        below += counts[x]
    sums: dict[int, list[float]] = {}
    for (x, y), n in sorted(points.items()):
        group = sums.setdefault(groups[x], [0, 0.0, 0.0])
        group[0], group[1], group[2] = group[0] + n, group[1] + n * x, group[2] + n * y
    return Counter({(x / n, y / n): int(n) for n, x, y in sums.values()})


def _thinned(points: Counter[tuple[float, float]], most: int) -> Counter[tuple[float, float]]:
    """Return a fixed random choice of at most so many different points."""
    if len(points) <= most:
        return points
    import numpy as np

    ordered = list(points)
    kept = np.sort(np.random.default_rng(0).permutation(len(ordered))[:most])
    return Counter({ordered[i]: points[ordered[i]] for i in kept})


def _fit(axes: Any, cloud: Cloud, which: int, gid: str) -> Any:
    """Draw the least-squares line over the points' span; return what stands for the series in a legend."""
    from matplotlib.lines import Line2D

    slope, intercept = style.finite(cloud.slope), style.finite(cloud.intercept)
    look = {"color": style.PALETTE[which], "linestyle": style.DASHES[which], "linewidth": 1.6}
    ends = [x for x in map(style.finite, cloud.x) if not math.isnan(x)]
    if math.isnan(slope) or math.isnan(intercept) or not ends:
        look["linestyle"] = "none"
    else:
        span = [min(ends), max(ends)]
        axes.plot(span, [intercept + slope * x for x in span], gid=gid, **look)
    return Line2D([], [], **look, marker=style.MARKERS[which], markersize=5)


def distribution(
    axes: Any, panel: Panel, at: int, looks: style.Looks, width: float
) -> style.Painted:
    """Draw a histogram per series on a row of its own, all on one scale, with median and mean."""
    del width
    import numpy as np

    samples = [
        (label, np.array([v for v in map(style.finite, values) if not math.isnan(v)], dtype=float))
        for label, values in panel.samples[:ROWS]
    ]
    edges = _edges(np.concatenate([values for _, values in samples]), panel.unit)
    shares = [np.histogram(v, edges)[0] / max(1, len(v)) for _, v in samples]
    most = max(float(share.max()) for share in shares)
    for i, ((label, values), share) in enumerate(zip(samples, shares, strict=True)):
        base, colour = i + 0.45, style.PALETTE[looks.series.get(label, i % len(style.PALETTE))]
        outline = base - np.repeat(share / most * _SPAN[1], 2)
        axes.fill_between(
            np.repeat(edges, 2)[1:-1], outline, base,
            facecolor=colour, alpha=0.6, linewidth=0, gid=f"spread-{at}-{i}",
        )  # fmt: skip
        axes.plot(np.repeat(edges, 2)[1:-1], outline, color=colour, linewidth=1)
        axes.axhline(base, color=style.INK, linewidth=0.5, alpha=0.4)
        if len(values):
            for gid, value, marker, size in (
                ("median", float(np.median(values)), "|", 11),
                ("mean", float(values.mean()), "D", 4.5),
            ):
                axes.plot(
                    [value], [base - 0.08], color=style.INK, marker=marker, markersize=size,
                    linestyle="none", clip_on=False, gid=f"{gid}-{at}-{i}",
                )  # fmt: skip
    axes.set_xlim(edges[0], edges[-1])
    axes.set_ylim(len(samples) - 0.5, -0.55)
    style.hide_axis(axes)
    notes = (
        f"the highest bar is {most:.0%} of a series",
        style.cut_note(len(panel.samples), ROWS, "series"),
    )
    return style.Painted(
        max(0.7, (0.7 if len(samples) <= 4 else 0.5) * len(samples)),
        rows=style.numbered(label for label, _ in samples),
        note="; ".join(filter(None, notes)),
    )


def _edges(values: Floats, unit: bool) -> Floats:
    """Return the bins' edges: round few whole numbers one bin each, else BINS equal ones."""
    import numpy as np

    low, high = float(values.min()), float(values.max())
    if unit and low >= 0 and high <= 1:
        return np.linspace(0, 1, BINS + 1)
    if high - low <= 2 * BINS and (values == np.round(values)).all():
        return np.arange(low, high + 2) - 0.5
    return np.linspace(low, high, BINS + 1) if high > low else np.array([low - 0.5, low + 0.5])


def matrix(axes: Any, panel: Panel, at: int, looks: style.Looks, width: float) -> style.Painted:
    """Draw a cell per pair with its number; from a lack of anything, – and no colour."""
    del looks, width
    from matplotlib.patches import Rectangle

    places, rows = panel.places[:CELLS], panel.curves[:CELLS]
    values = [[style.number(point) for point in curve.points[: len(places)]] for curve in rows]
    known = [value for row in values for value in row if not math.isnan(value)]
    most = max([1.0 if panel.unit else 0.0, *map(abs, known)]) or 1.0
    size = 9 if len(places) <= 8 else 7
    for i, row in enumerate(values):
        for j, value in enumerate(row):
            colour = "none" if math.isnan(value) else _shade(value / most)
            cell = Rectangle((j - 0.48, i - 0.48), 0.96, 0.96, facecolor=colour, linewidth=0)
            cell.set_gid(f"cell-{at}-{i}-{j}")
            axes.add_patch(cell)
            text, ink = "–", style.INK
            if not math.isnan(value):
                large = abs(value) >= 100
                text = f"{value:.3g}".replace("-", MINUS) if large else decimal(value, 2)
                # The dark text of a pale cell must not turn light with the page's own.
                ink = "#101010" if abs(value / most) < 0.5 else style.LIGHT
            axes.text(j, i, text, ha="center", va="center", color=ink, size=size)
    axes.set_xlim(-0.5, len(places) - 0.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    style.hide_axis(axes, "both", ("left", "bottom"))
    return style.Painted(
        0.34 * len(rows),
        x=style.numbered(places),
        rows=style.numbered(curve.label for curve in rows),
        note=style.cut_note(max(len(panel.places), len(panel.curves)), CELLS, "rows and columns"),
    )


def _shade(share: float) -> tuple[float, float, float]:
    """Return a colour from pale (0) to blue (1) or brown (−1), dark enough for light text from ±0.5."""
    end = (0.09, 0.35, 0.62) if share >= 0 else (0.60, 0.25, 0.06)
    pale = (0.93, 0.94, 0.95)
    strength = abs(share) * 0.55 if abs(share) < 0.5 else 0.8 + 0.4 * (abs(share) - 0.5)
    red, green, blue = (p + (e - p) * strength for p, e in zip(pale, end, strict=True))
    return red, green, blue


def beeswarm(axes: Any, panel: Panel, at: int, looks: style.Looks, width: float) -> style.Painted:
    """Draw every item's effect of every feature, coloured by the feature's value, as SHAP does."""
    del looks, width
    from matplotlib.colors import LinearSegmentedColormap

    plain = LinearSegmentedColormap.from_list("value", ["#2f7ed8", "#8f6fb0", "#d9541e"])
    colours = plain.with_extremes(bad="#7a8087")
    rows = min(FEATURES, len(panel.places), len(panel.swarm))
    for i, swarm in enumerate(panel.swarm[:rows]):
        shown = [(style.finite(x), style.finite(value)) for x, value in swarm]
        shown = [pair for pair in shown if not math.isnan(pair[0])]
        if shown:
            axes.scatter(
                [x for x, _ in shown],
                [i + away for away in _offsets([x for x, _ in shown])],
                c=[value for _, value in shown],
                cmap=colours,
                vmin=0,
                vmax=1,
                s=7,
                linewidths=0,
                alpha=0.85,
                plotnonfinite=True,
                rasterized=len(shown) * rows > VECTORS,
                gid=f"swarm-{at}-{i}",
            )
    axes.axvline(0, color=style.INK, linewidth=0.8, alpha=0.6, zorder=0)
    axes.grid(axis="y")
    axes.set_ylim(rows - 0.4, -0.6)
    style.hide_axis(axes)
    _scale(axes, colours)
    return style.Painted(
        max(1.2, 0.36 * rows),
        rows=style.numbered(panel.places[:rows]),
        note=style.cut_note(len(panel.places), FEATURES, "features"),
    )


def _offsets(x: Sequence[float]) -> list[float]:
    """Return how far each point lies off its row: those of one narrow bin above and below in turn."""
    low, high = min(x), max(x)
    wide = (high - low) / 80 or 1.0
    bins = [int((value - low) / wide) for value in x]
    step = min(0.05, 0.84 / max(Counter(bins).values()))
    turns: dict[int, count[int]] = defaultdict(count)
    return [
        (turn + 1) // 2 * (1 if turn % 2 else -1) * step for turn in (next(turns[b]) for b in bins)
    ]


def _scale(axes: Any, colours: Any) -> None:
    """Draw the scale of the colours right of the panel."""
    scale = axes.inset_axes((1.03, 0.08, 0.025, 0.84))
    scale.imshow([[i / 31] for i in range(32)], cmap=colours, aspect="auto", origin="lower")
    scale.set_xticks([])
    scale.set_yticks([0, 31], ["low", "high"])
    scale.yaxis.tick_right()
    scale.tick_params(length=0, labelsize=style.SIZE - 1)
    scale.set_ylabel("feature's value", size=style.SIZE - 1, labelpad=-14)
    scale.yaxis.set_label_position("right")
    for spine in scale.spines.values():
        spine.set_visible(False)
