"""Draws the figures of a report with matplotlib: for papers on white, and for a page in light and dark."""

from __future__ import annotations

import math
import re
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from xml.etree import ElementTree

from harness.report.figures_layout import Cell, Entries, arrange
from harness.report.figures_legend import handle, looks_of, signs, swatch, with_merged_floors
from harness.report.figures_points import beeswarm, distribution, matrix, scatter
from harness.report.figures_series import bars, lines, stack
from harness.report.figures_style import (
    GROUND,
    INK,
    STYLE,
    Looks,
    Painted,
    empty_sheet,
    finite,
    names,
    number,
    saved,
)
from harness.report.model import Figure, Panel

NARROW, WIDE = 5.0, 7.5  # inches, of a figure on paper
# On a page: text is still readable where a phone makes it smaller, and not huge where a screen has room.
BESIDE, ALONE = 3.7, 4.4
_LOCK = threading.Lock()  # matplotlib's settings are global

_Painter = Callable[[Any, Panel, int, Looks, float], Painted]
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
    from matplotlib import style

    panels = (panel for panel in figure.panels if _has_numbers(figure.kind, panel))
    shown = replace(figure, panels=tuple(map(with_merged_floors, panels)))
    with _LOCK, style.context(["default", STYLE]):
        side_by_side = 3 if shown.kind in ("lines", "scatter") and len(shown.panels) != 4 else 2
        sheet = compose(shown, max(1, min(side_by_side, len(shown.panels))))
        paper, png = saved(sheet, "svg"), saved(sheet, "png")
        pages = [saved(page, "svg") for page in separate_panels(shown)]
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
    short = names(label for _, label in meanings)
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
    figure: Figure, panels: Sequence[tuple[int, Panel]], looks: Looks, size: tuple[int, float], legend: Entries
) -> Any:  # fmt: skip
    """Return numbered panels on one sheet; ``size`` is its columns and its width in inches."""
    columns, width = size
    sheet = empty_sheet(width, 4.0)
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
            not math.isnan(finite(x) + finite(y))
            for cloud in panel.clouds
            for x, y in zip(cloud.x, cloud.y, strict=True)
        )
    size = len(panel.places)
    values: Iterable[float]
    if kind == "distribution":
        values = (finite(value) for _, sample in panel.samples for value in sample)
    elif kind == "beeswarm":
        values = (finite(x) for swarm in panel.swarm[:size] for x, _ in swarm)
    else:
        curves = (curve for curve in panel.curves if not curve.floor)
        values = (number(point) for curve in curves for point in curve.points[:size])
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
        value = value.replace(INK, "currentColor").replace(GROUND, "none")
    return value


def _harmless(text: str) -> str:
    """Return text without what XML forbids, in one line."""
    return "".join(c if c.isprintable() else "□" for c in " ".join(text.split()))
