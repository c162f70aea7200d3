"""Draws the figures of a report with matplotlib: for papers on white, and for a page in light and dark."""

from __future__ import annotations

import math
import re
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any
from xml.etree import ElementTree

from harness.report import figures_style as style
from harness.report.figures_layout import Cell, Entries, arrange
from harness.report.figures_points import beeswarm, distribution, matrix, scatter
from harness.report.figures_series import bars, lines, part, stack
from harness.report.model import Curve, Figure, Panel

NARROW, WIDE = 5.0, 7.5  # inches, of a figure on paper
# On a page: text is still readable where a phone makes it smaller, and not huge where a screen has room.
BESIDE, ALONE = 3.7, 4.4
_LOCK = threading.Lock()  # matplotlib's settings are global

_Painter = Callable[[Any, Panel, int, style.Looks, float], style.Painted]
_PAINTERS: Mapping[str, _Painter] = {
    painter.__name__: painter
    for painter in (lines, bars, stack, scatter, distribution, matrix, beeswarm)
}


@dataclass(frozen=True, slots=True)
class Drawn:
    """A figure as files (SVG and PNG on white), and for within an HTML page.

    ``inline``: an SVG per panel, without ground of its own; ``legend``: the signs that they share, each as
    an SVG (empty: it has none) and what it means, which is plain text.
    """

    svg: str
    png: bytes
    inline: tuple[str, ...]
    legend: tuple[tuple[str, str], ...] = ()


def draw(figure: Figure) -> Drawn:
    """Return the figure drawn; the same bytes for the same figure.

    What has no number is left out; a figure without any says so. Floors that coincide are drawn once.
    """
    from matplotlib.style import context

    panels = (panel for panel in figure.panels if _has_numbers(figure.kind, panel))
    shown = replace(figure, panels=tuple(map(with_merged_floors, panels)))
    with _LOCK, context(["default", style.STYLE]):
        side_by_side = 3 if shown.kind in ("lines", "scatter") and len(shown.panels) != 4 else 2
        sheet = compose(shown, max(1, min(side_by_side, len(shown.panels))))
        paper, png = style.saved(sheet, "svg"), style.saved(sheet, "png")
        pages = [style.saved(page, "svg") for page in separate_panels(shown)]
        legend = [(swatch(sign), label) for sign, label in signs(shown, looks_of(shown))]
    name = figure.name
    inline = (for_page(page, f"{name}-{at}") for at, page in enumerate(pages))
    meanings = [
        (for_page(svg, f"{name}-sign-{at}") if svg else "", label)
        for at, (svg, label) in enumerate(legend)
    ]
    file = as_file(paper, name, figure.title, figure.alt)
    return Drawn(file, png, tuple(inline), tuple(meanings))


def compose(figure: Figure, columns: int) -> Any:
    """Return the whole figure as one of matplotlib, in so many columns; call it within the style."""
    looks = looks_of(figure)
    meanings = signs(figure, looks)
    short = style.names(label for _, label in meanings)
    legend = [(handle(sign), short[label]) for sign, label in meanings]
    wide = columns > 1 or _wide(figure)
    panels = list(enumerate(figure.panels))
    return _sheet(figure, panels, looks, (columns, WIDE if wide else NARROW), legend)


def separate_panels(figure: Figure) -> list[Any]:
    """Return every panel as a matplotlib figure of its own for a page, without the legend that they share."""
    looks = looks_of(figure)
    width = WIDE if _wide(figure) else ALONE if len(figure.panels) == 1 else BESIDE
    panels = [[pair] for pair in enumerate(figure.panels)] or [[]]
    return [_sheet(figure, panel, looks, (1, width), ()) for panel in panels]


def _sheet(
    figure: Figure,
    panels: Sequence[tuple[int, Panel]],
    looks: style.Looks,
    size: tuple[int, float],
    legend: Entries,
) -> Any:
    """Return numbered panels on one sheet; ``size`` is its columns and its width in inches."""
    columns, width = size
    sheet = style.empty_sheet(width, 4.0)
    if not panels:
        sheet.set_size_inches(3.0, 0.8)
        sheet.text(0.5, 0.5, "no data", ha="center", va="center")
        return sheet
    cells = []
    for order, (at, panel) in enumerate(panels):
        axes = sheet.add_subplot(len(panels), 1, order + 1)
        axes.patch.set_visible(False)
        painted = _PAINTERS[figure.kind](axes, panel, at, looks, 0.85 * width / columns)
        cells.append(Cell(panel, figure.panels, axes, painted))
    arrange(sheet, cells, columns, width, legend)
    return sheet


def _wide(figure: Figure) -> bool:
    """Say whether a matrix has too many columns for half a page."""
    return figure.kind == "matrix" and any(len(panel.places) > 10 for panel in figure.panels)


def _has_numbers(kind: str, panel: Panel) -> bool:
    """Say whether a panel has any number to draw."""
    if kind == "scatter":
        return any(
            not math.isnan(style.finite(x) + style.finite(y))
            for cloud in panel.clouds
            for x, y in zip(cloud.x, cloud.y, strict=True)
        )
    size = len(panel.places)
    values: Iterable[float]
    if kind == "distribution":
        values = (style.finite(value) for _, sample in panel.samples for value in sample)
    elif kind == "beeswarm":
        values = (style.finite(x) for swarm in panel.swarm[:size] for x, _ in swarm)
    else:
        curves = (curve for curve in panel.curves if not curve.floor)
        values = (style.number(point) for curve in curves for point in curve.points[:size])
    return not all(map(math.isnan, values))


_FONTS = "'DejaVu Sans', Verdana, sans-serif"
_REFERENCE = re.compile(r"url\(#([^)]*)\)")


def as_file(svg: bytes, name: str, title: str, alt: str) -> str:
    """Return the SVG as a file with title and description, every id prefixed by ``name``, no metadata."""
    described = _harmless(alt)
    root = _cleaned(svg, name, inline=False)
    root.attrib = {"role": "img", "aria-label": described, **root.attrib}
    for at, (tag, text) in enumerate((("title", _harmless(title)), ("desc", described))):
        element = ElementTree.Element(tag)
        element.text = text
        root.insert(at, element)
    text = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'


def for_page(svg: bytes, name: str) -> str:
    """Return the SVG for a page that describes it itself: no ground, INK becomes currentColor."""
    root = _cleaned(svg, name, inline=True)
    root.attrib = {"aria-hidden": "true", **root.attrib}
    return ElementTree.tostring(root, encoding="unicode")


def _cleaned(svg: bytes, name: str, inline: bool) -> ElementTree.Element:
    """Return the tree; references are plain ``href``, names carry no prefix, the same to HTML and XML."""
    root = ElementTree.fromstring(svg)  # noqa: S314 - matplotlib wrote it just now
    prefix = re.sub(r"[^A-Za-z0-9_-]", "_", name)
    for element in list(root):
        if _local(element.tag) == "metadata" or element.find("{*}style") is not None:
            root.remove(element)
    for element in root.iter():
        element.tag = _local(element.tag)
        element.attrib = {
            _local(key): _value(_local(key), value, prefix, inline)
            for key, value in element.attrib.items()
        }
    head = {"xmlns": "http://www.w3.org/2000/svg", "id": prefix}
    rest = {"stroke-linejoin": "round", "stroke-linecap": "butt", "font-family": _FONTS}
    root.attrib = {**head, **root.attrib, **rest}
    return root


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def _value(key: str, value: str, prefix: str, inline: bool) -> str:
    if key == "id":
        return f"{prefix}-{value}"
    if key == "href" and value.startswith("#"):
        return f"#{prefix}-{value[1:]}"
    if key == "href":
        return value.replace("\n", "")
    if key not in ("style", "clip-path", "fill", "stroke"):
        return value
    value = _REFERENCE.sub(rf"url(#{prefix}-\1)", value)
    if key == "style":
        value = "; ".join(p for p in value.split("; ") if not p.startswith("font-family"))
    if inline:
        value = value.replace(style.INK, "currentColor").replace(style.GROUND, "none")
    return value


def _harmless(text: str) -> str:
    """Return text without what XML forbids, in one line."""
    return "".join(c if c.isprintable() else "□" for c in " ".join(text.split()))


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
        [handle(sign)],
        ["x"],
        loc="center left",
        bbox_to_anchor=(0.05, 0.5),
        borderaxespad=0,
        borderpad=0,
        handlelength=2.4,
        labelspacing=0,
    )
    legend.get_texts()[0].set_text("")
    return style.saved(sheet, "svg")
