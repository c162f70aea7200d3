"""Where the panels of a figure stand: names that do not overlap, legends that cover and clip nothing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import add
from typing import Any

from harness.report.figures_style import SIZE, Painted, Ruler, clean
from harness.report.model import Panel

_GAP = 9.0  # points between panels and at the edge
_LINE = 1.25 * SIZE  # points from one line of names to the next
_TURNED = 40.0  # degrees of names that have no room to stand level
_LONGEST = 120.0  # points of a turned name
_BOLD = 11.6  # the size at which plain text is as wide as a title
_ROWS = 0.4  # of a panel's column that the names of rows may take

Entries = Sequence[tuple[Any, str]]


@dataclass(slots=True)
class Cell:
    """A panel, all panels of its figure, its axes and what they need around them, in points."""

    panel: Panel
    beside: Sequence[Panel]
    axes: Any
    painted: Painted
    left: float = 0.0
    right: float = 0.0
    top: float = 0.0
    bottom: float = 0.0
    inside: float = -1.0  # the width that this was measured for
    legend: Any = None


def arrange(sheet: Any, cells: Sequence[Cell], columns: int, width: float, legend: Entries) -> None:
    """Place the cells in rows of so many columns, as high as they need, the legend below.

    ``width`` is that of the sheet in inches; its height becomes what it takes.
    """
    from matplotlib.transforms import Affine2D

    ruler = Ruler(sheet.canvas.get_renderer())
    column = (width * 72 - _GAP * (columns + 1)) / columns
    for cell in cells:
        _name_rows(cell, ruler, column)
        # Lengths that depend on each other settle within two rounds.
        inside = column * 0.8
        for _ in range(2):
            _fit(sheet, cell, ruler, inside, column)
            inside = column - cell.left - cell.right
        if cell.painted.legend:
            cell.legend = _legend(cell.axes, cell.painted.legend, ruler, column)
            cell.legend.set_in_layout(False)
    for at in range(columns):
        _align(sheet, cells[at::columns], ruler, column)
    below = _legend(sheet, legend, ruler, width * 72 - 2 * _GAP) if legend else None
    foot = _legend_height(sheet, below) + _GAP if below else _GAP
    rows = [cells[at : at + columns] for at in range(0, len(cells), columns)]
    tall = []
    for row in rows:
        legends = (_legend_height(sheet, c.legend) + 2 if c.legend else 0 for c in row)
        bare = (cell.top + cell.painted.height * 72 + cell.bottom for cell in row)
        tall.append(max(map(add, bare, legends)))
    y = height = sum(tall) + _GAP * len(rows) + foot
    sheet.set_size_inches(width, height / 72)
    points = Affine2D().scale(1 / 72) + sheet.dpi_scale_trans  # holds at any resolution
    for row, high in zip(rows, tall, strict=True):
        y -= _GAP
        for at, cell in enumerate(row):
            x, inside = _GAP + at * (column + _GAP) + cell.left, column - cell.left - cell.right
            inner, whole = cell.painted.height * 72, width * 72
            base = y - cell.top - inner
            cell.axes.set_position((x / whole, base / height, inside / whole, inner / height))
            if cell.legend:
                cell.legend.set_bbox_to_anchor((x - cell.left, base - cell.bottom - 2), points)
        y -= high
    if below:
        below.set_bbox_to_anchor((_GAP, _GAP / 2), transform=points)


def _align(sheet: Any, cells: Sequence[Cell], ruler: Ruler, column: float) -> None:
    """Let the panels of a column share their margins, so that their axes stand in line; some have less room then."""
    sides = max(cell.left for cell in cells), max(cell.right for cell in cells)
    for cell in cells:
        _fit(sheet, cell, ruler, column - sides[0] - sides[1], column)
        cell.left, cell.right = sides


def _fit(sheet: Any, cell: Cell, ruler: Ruler, inside: float, column: float) -> None:
    """Give the axes their width, somewhere, write their names, and measure what stands around them.

    This takes a third of the time of a figure, so it is not done again for a width that it was done for.
    """
    if math.isclose(inside, cell.inside, abs_tol=1e-6):
        return
    cell.inside = inside
    whole = sheet.get_size_inches() * 72
    cell.axes.set_position((0.5, 0.5, inside / whole[0], cell.painted.height * 72 / whole[1]))
    _name_places(cell, ruler)
    _title(cell, ruler, inside, column)
    # What is within the axes need not be measured.
    around = cell.axes.child_axes
    box = cell.axes.get_tightbbox(sheet.canvas.get_renderer(), bbox_extra_artists=around)
    within = cell.axes.get_window_extent()
    cell.left, cell.right = within.x0 - box.x0 + 1, box.x1 - within.x1 + 2
    cell.bottom, cell.top = within.y0 - box.y0 + 1, box.y1 - within.y1 + 1


def _name_rows(cell: Cell, ruler: Ruler, column: float) -> None:
    rows = cell.painted.rows
    if _nameless(rows):
        cell.axes.set_yticks([])
    elif rows:
        lines = 2 if cell.painted.height * 72 / len(rows) > 2.2 * _LINE else 1
        texts = ruler.all_fitted((name for _, name in rows), column * _ROWS, lines)
        cell.axes.set_yticks([at for at, _ in rows], [texts[name] for _, name in rows])


def _nameless(places: Sequence[tuple[float, str]]) -> bool:
    """Say whether there is but one place, of which there is nothing to say."""
    return [name for _, name in places] == [""]


def _title(cell: Cell, ruler: Ruler, inside: float, column: float) -> None:
    """Write title and axes' names, broken to the room there is."""
    axes, panel = cell.axes, cell.panel
    if panel.title.strip():
        titles = ruler.all_fitted((other.title for other in cell.beside), inside, 3, _BOLD)
        axes.set_title(titles[panel.title], loc="left", weight="bold")
    x, y = (panel.y, panel.x) if cell.painted.lying else (panel.x, panel.y)
    words = [word for other in cell.beside for word in (other.x, other.y)]
    below = [ruler.all_fitted(words, inside, 2)[x]] if x.strip() else []
    if cell.painted.note:
        note = f"({cell.painted.note})"
        below.append(ruler.all_fitted([note], min(inside, column), 3)[note])
    axes.set_xlabel("\n".join(below))
    if y.strip():
        axes.set_ylabel(ruler.all_fitted(words, cell.painted.height * 72, 2)[y])


def _name_places(cell: Cell, ruler: Ruler) -> None:
    """Write the names along x: level, broken or turned, and only as many as have room."""
    axes = cell.axes
    if _nameless(cell.painted.x):
        axes.set_xticks([])
        return
    places = cell.painted.x
    if not places:
        _thin_ticks(cell, ruler)
        return
    at = [float(x) for x in axes.transData.transform([(p, 0.0) for p, _ in places])[:, 0]]
    texts = [clean(name) for _, name in places]
    slot = min((b - a for a, b in pairwise(at)), default=_LONGEST * 2) - 4
    turn, high = 0.0, 1.1 * _LINE / math.sin(math.radians(_TURNED))
    if not cell.painted.numeric and max(map(ruler.width, texts)) > slot:
        broken = _texts(places, ruler, slot, 3)
        if all(b.replace("\n", " ") == t for b, t in zip(broken, texts, strict=True)):
            texts = broken
        else:
            lines = 2 if slot > 1.9 * high else 1
            texts = _texts(places, ruler, _LONGEST, lines)
            turn, high = _TURNED, high * (1.9 if lines == 2 else 1)
    widths = [high if turn else ruler.width(text) + 4 for text in texts]
    kept: list[int] = []
    for i, (x, wide) in enumerate(zip(at, widths, strict=True)):
        if not kept or x - wide / 2 >= at[kept[-1]] + widths[kept[-1]] / 2:
            kept.append(i)  # from the left, each that does not touch the one before
    look = {"ha": "right", "rotation_mode": "anchor"} if turn else {"ha": "center"}
    axes.set_xticks([places[i][0] for i in kept], [texts[i] for i in kept], rotation=turn, **look)


def _texts(
    places: Sequence[tuple[float, str]], ruler: Ruler, width: float, lines: int
) -> list[str]:
    texts = ruler.all_fitted((name for _, name in places), width, lines)
    return [texts[name] for _, name in places]


def _thin_ticks(cell: Cell, ruler: Ruler) -> None:
    """Take numbers from a numeric x axis until they do not touch."""
    from matplotlib.ticker import MaxNLocator

    axes, most = cell.axes, 6
    while most > 1 and _ticks_touch(axes, ruler):
        most -= 1
        axes.xaxis.set_major_locator(MaxNLocator(most))


def _ticks_touch(axes: Any, ruler: Ruler) -> bool:
    labels = axes.get_xticklabels()
    at = axes.transData.transform([(label.get_position()[0], 0.0) for label in labels])[:, 0]
    widths = [ruler.width(label.get_text()) for label in labels]
    return any(b - a < (widths[i] + widths[i + 1]) / 2 + 3 for i, (a, b) in enumerate(pairwise(at)))


def _legend(parent: Any, entries: Entries, ruler: Ruler, width: float) -> Any:
    """Add a legend in as many columns as fit in so many points; it is placed later."""
    fitted = ruler.all_fitted((label for _, label in entries), width - 45, 2)
    labels = [fitted[label] for _, label in entries]
    widest = max(map(ruler.width, labels)) + 42
    legend = parent.legend(
        [handle for handle, _ in entries],
        ["x"] * len(entries),  # a label that starts with _ would be left out
        loc="upper left" if hasattr(parent, "get_legend") else "lower left",
        ncols=max(1, min(len(entries), int(width / widest))),
        borderaxespad=0,
        borderpad=0.2,
        handlelength=2.4,
        columnspacing=1.2,
        labelspacing=0.35,
    )
    for text, label in zip(legend.get_texts(), labels, strict=True):
        text.set_text(label)
    return legend


def _legend_height(sheet: Any, legend: Any) -> float:
    return float(legend.get_window_extent(sheet.canvas.get_renderer()).height)
