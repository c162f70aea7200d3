"""Draws the figures of a report with matplotlib: for papers on white, and for a page in light and dark."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from harness.report.figures_layout import Cell, Entries, arrange
from harness.report.figures_points import beeswarm, distribution, matrix, scatter
from harness.report.figures_series import bars, lines, part, stack
from harness.report.figures_style import (
    DASHES,
    FLOORS,
    HATCHES,
    INK,
    LIGHT,
    MARKERS,
    PALETTE,
    STYLE,
    Looks,
    Painted,
    finite,
    names,
    number,
)
from harness.report.figures_svg import finished
from harness.report.model import Figure, Panel

NARROW, WIDE = (
    5.0,
    7.5,
)  # inches; at the width of a phone the text of a narrow one is still readable
_PIXELS = 160  # per inch, in PNGs and in pictures within SVGs
_LOCK = threading.Lock()  # matplotlib's settings are global

_Painter = Callable[[Any, Panel, int, Looks, float], Painted]
_PAINTERS: Mapping[str, _Painter] = {
    "lines": lines,
    "bars": bars,
    "stack": stack,
    "scatter": scatter,
    "distribution": distribution,
    "matrix": matrix,
    "beeswarm": beeswarm,
}


@dataclass(frozen=True, slots=True)
class Drawn:
    """A figure as files (SVG and PNG on white) and as SVG for within an HTML page (no ground of its own)."""

    svg: str
    png: bytes
    inline: str


def draw(figure: Figure) -> Drawn:
    """Return the figure drawn; the same bytes for the same figure.

    For papers several panels stand side by side, on a page one below the other. What has no number is
    left out; a figure without any says so.
    """
    from matplotlib import style

    shown = replace(figure, panels=tuple(p for p in figure.panels if _filled(figure.kind, p)))
    with _LOCK, style.context(["default", STYLE]):
        columns = _columns(shown)
        sheet = compose(shown, columns)
        paper = _saved(sheet, "svg")
        png = _saved(sheet, "png")
        page = paper if columns == 1 else _saved(compose(shown, 1), "svg")
    told = (figure.name, figure.title, figure.alt)
    return Drawn(finished(paper, *told, inline=False), png, finished(page, *told, inline=True))


def _columns(figure: Figure) -> int:
    n = len(figure.panels)
    if figure.kind in ("lines", "scatter") and n != 4:
        return max(1, min(3, n))
    return max(1, min(2, n))


def compose(figure: Figure, columns: int) -> Any:
    """Return the figure as matplotlib's, in so many columns; call it within the style."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Sheet

    sheet = Sheet(figsize=(NARROW, 4.0), dpi=72)
    FigureCanvasAgg(sheet)
    if not figure.panels:
        sheet.set_size_inches(3.0, 0.8)
        sheet.text(0.5, 0.5, "no data", ha="center", va="center")
        return sheet
    wide = columns > 1 or (figure.kind == "matrix" and max(map(_across, figure.panels)) > 10)
    width = WIDE if wide else NARROW
    looks, left_out = _looks(figure)
    cells = []
    for at, panel in enumerate(figure.panels):
        axes = sheet.add_subplot(len(figure.panels), 1, at + 1)
        axes.patch.set_visible(False)
        painted = _PAINTERS[figure.kind](axes, panel, at, looks, 0.85 * width / columns)
        cells.append(Cell(panel, axes, painted))
    arrange(sheet, cells, columns, width, [*_legend(figure, looks), *left_out])
    return sheet


def _across(panel: Panel) -> int:
    return len(panel.places)


def _saved(sheet: Any, kind: str) -> bytes:
    file = io.BytesIO()
    empty = {"svg": ("Date", "Creator", "Format", "Type"), "png": ("Software",)}[kind]
    sheet.savefig(file, format=kind, dpi=_PIXELS, metadata=dict.fromkeys(empty))
    return file.getvalue()


def _filled(kind: str, panel: Panel) -> bool:
    """Say whether a panel has any number to draw."""
    found: Iterable[float]
    if kind == "scatter":
        found = (finite(x) + finite(y) for c in panel.clouds for x, y in zip(c.x, c.y, strict=True))
    elif kind == "distribution":
        found = (finite(value) for _, values in panel.samples for value in values)
    elif kind == "beeswarm":
        found = (finite(x) for swarm in panel.swarm[: len(panel.places)] for x, _ in swarm)
    else:
        found = (
            number(point)
            for curve in panel.curves
            if not curve.floor
            for point in curve.points[: len(panel.places)]
        )
    return any(value == value for value in found)


def _looks(figure: Figure) -> tuple[Looks, Entries]:
    """Return which name gets which colour, and what the legend says of those that get none."""
    from matplotlib.lines import Line2D

    curves = [curve for panel in figure.panels for curve in panel.curves]
    clouds = [cloud for panel in figure.panels for cloud in panel.clouds]
    drawn = [c.label for c in curves if not c.floor and any(p is not None for p in c.points)]
    series = tuple(dict.fromkeys([*drawn, *(cloud.label for cloud in clouds)]))
    floors = tuple(dict.fromkeys(c.label for c in curves if c.floor))
    more = len(series) - len(PALETTE)
    none = Line2D([], [], linestyle="none")
    coloured = figure.kind in ("lines", "bars", "scatter")
    left_out = [(none, f"… and {more} more, in the table")] if more > 0 and coloured else []
    return Looks(series[: len(PALETTE)], floors), left_out


def _legend(figure: Figure, looks: Looks) -> Entries:
    """Return what the signs of the whole figure mean."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    def point(marker: str, size: float) -> Any:
        return Line2D([], [], color=INK, marker=marker, markersize=size, linestyle="none")

    if figure.kind in ("matrix", "beeswarm"):
        return []
    if figure.kind == "distribution":
        return [(point("D", 4.5), "mean"), (point("|", 11), "median")]
    if figure.kind == "stack":
        found = dict.fromkeys(c.label for panel in figure.panels for c in panel.curves)
        shades = [part(which, label) for which, label in enumerate(found)]
        patches = [Patch(facecolor=c, hatch=h, edgecolor=LIGHT, linewidth=0) for c, h in shades]
        return list(zip(patches, names(list(found)), strict=True))
    signs: list[Any] = [_sign(figure.kind, which) for which in range(len(looks.series))]
    signs += [
        Line2D([], [], color=INK, linewidth=1.2, linestyle=FLOORS[which % len(FLOORS)])
        for which in range(len(looks.floors))
    ]
    return list(zip(signs, names([*looks.series, *looks.floors]), strict=True))


def _sign(kind: str, which: int) -> Any:
    """Return what stands for a series in the legend."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    if kind == "bars":
        colour, hatch = PALETTE[which], HATCHES[which]
        return Patch(facecolor=colour, hatch=hatch, edgecolor=LIGHT, linewidth=0)
    return Line2D(
        [],
        [],
        color=PALETTE[which],
        marker=MARKERS[which],
        markersize=5,
        linestyle="none" if kind == "scatter" else DASHES[which],
        linewidth=1.5,
    )
