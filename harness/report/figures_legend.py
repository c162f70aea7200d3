"""What the signs of a figure mean: which name gets which colour, and its legend on paper and on a page."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from harness.report import figures_style as style
from harness.report.figures_series import part
from harness.report.model import Curve, Figure, Panel

FLOOR = " floor"  # what the name of a floor ends in

_THICK = 0.006  # of an axis from 0 to 1, as thick as a line

Sign = tuple[str, str, int]
"""A kind of sign, the word that it depends on (a kind of figure, a part's name, a marker), and its number."""

_NOTHING: Sign = ("nothing", "", 0)


def with_merged_floors(panel: Panel) -> Panel:
    """Return the panel with floors that lie on each other as one: two lines there look like neither."""
    thick = _THICK if panel.unit else 0.0
    groups: list[list[Curve]] = []
    for curve in (curve for curve in panel.curves if curve.floor):
        near = (group for group in groups if _coincide(group[0], curve, thick))
        group = next(near, None)
        if group is None:
            groups.append([curve])
        else:
            group.append(curve)
    together = [
        replace(group[0], label=_joined_label([c.label for c in group])) for group in groups
    ]
    return replace(panel, curves=(*(curve for curve in panel.curves if not curve.floor), *together))


def _coincide(a: Curve, b: Curve, thick: float) -> bool:
    """Say whether no place shows two lines: they are apart by less than a line is thick."""
    pairs = zip(map(style.number, a.points), map(style.number, b.points), strict=True)
    return all((math.isnan(x) and math.isnan(y)) or abs(x - y) <= thick for x, y in pairs)


def _joined_label(labels: Sequence[str]) -> str:
    """Return "majority and random floor" of "majority floor" and "random floor"."""
    end = FLOOR if all(label.endswith(FLOOR) for label in labels) else ""
    # One of them may be several already, as the rows of a table say them.
    stems = ", ".join(label.removesuffix(end) for label in labels)
    *names, last = re.split(", | and ", stems)
    return f"{', '.join(names)} and {last}{end}" if names else labels[0]


def looks_of(figure: Figure) -> style.Looks:
    """Return which name gets which colour: the same in every panel."""
    curves = [curve for panel in figure.panels for curve in panel.curves]
    others = [c.label for panel in figure.panels for c in panel.clouds]
    others += [label for panel in figure.panels for label, _ in panel.samples]
    drawn = [c.label for c in curves if not c.floor and any(p is not None for p in c.points)]
    series = list(dict.fromkeys([*drawn, *others]))
    floors = tuple(dict.fromkeys(c.label for c in curves if c.floor))
    coloured = figure.kind in ("lines", "bars", "scatter")
    most = len(style.PALETTE)
    left_out = max(0, len(series) - most) if coloured else 0
    # A series has the colour of its place in the figure's order, else the first that is free.
    fixed = {label: at for at, label in enumerate(figure.order[:most])}
    taken = {fixed[label] for label in series[:most] if label in fixed}
    free = (at for at in (*range(len(fixed), most), *range(len(fixed))) if at not in taken)
    places = {label: fixed[label] if label in fixed else next(free) for label in series[:most]}
    return style.Looks(places, floors, left_out)


def signs(figure: Figure, looks: style.Looks) -> list[tuple[Sign, str]]:
    """Return what the signs of the whole figure mean, and how many series have none."""
    if figure.kind in ("matrix", "beeswarm"):
        return []
    if figure.kind == "distribution":
        return [(("point", "D", 0), "mean"), (("point", "|", 0), "median")]
    if figure.kind == "stack":
        labels = dict.fromkeys(c.label for panel in figure.panels for c in panel.curves)
        return [(("part", label, which), label) for which, label in enumerate(labels)]
    shown: list[tuple[Sign, str]] = [
        (("series", figure.kind, which), label) for label, which in looks.series.items()
    ]
    shown += [(("floor", "", which), label) for which, label in enumerate(looks.floors)]
    more = [(_NOTHING, f"… and {looks.left_out} more, in the table")] if looks.left_out else []
    return [*shown, *more]


def handle(sign: Sign) -> Any:
    """Return the artist that stands for something in a legend."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    kind, word, which = sign
    if kind == "part" or (kind, word) == ("series", "bars"):
        colour, hatch = part(which, word if kind == "part" else "")
        return Patch(facecolor=colour, hatch=hatch, edgecolor=style.LIGHT, linewidth=0)
    if kind == "floor":
        dashes = style.FLOORS[which % len(style.FLOORS)]
        return Line2D([], [], color=style.INK, linewidth=1.2, linestyle=dashes)
    if kind == "point":
        size = 4.5 if word == "D" else 11
        return Line2D([], [], color=style.INK, marker=word, markersize=size, linestyle="none")
    if kind == "nothing":
        return Line2D([], [], linestyle="none")
    line: Any = "none" if word == "scatter" else style.DASHES[which]
    look: dict[str, Any] = {"color": style.PALETTE[which], "marker": style.MARKERS[which]}
    return Line2D([], [], linestyle=line, markersize=5, linewidth=1.5, **look)


@lru_cache(maxsize=256)
def swatch(sign: Sign) -> bytes:
    """Return a sign as an SVG of its own; nothing for the sign of what has none. Call it within the style."""
    if sign == _NOTHING:
        return b""
    sheet = style.empty_sheet(24 / 72, 12 / 72)
    legend = sheet.legend(
        [handle(sign)], ["x"], loc="center left", bbox_to_anchor=(0.05, 0.5), borderaxespad=0, borderpad=0,
        handlelength=2.4, labelspacing=0,
    )  # fmt: skip
    legend.get_texts()[0].set_text("")
    return style.saved(sheet, "svg")
