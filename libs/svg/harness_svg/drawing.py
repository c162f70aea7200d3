"""Drawings of items as SVG, for plugins: escaped, readable on light and on dark ground, alike on every machine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

# Classes a drawing's shapes may have: what they mean, not how they look.
STYLE = "\n" + Path(__file__).with_name("drawing.css").read_text("utf-8")

WIDEST = 4_000  # units along one side; more is cut off


class Drawing:
    """An SVG of a fixed size in user units (1 unit = 1 CSS pixel); x grows to the right, y downwards.

    Text is escaped and characters that XML forbids are replaced. ``title`` is what a screen reader says.
    The classes of shapes are those of `STYLE`: ``line``, ``strong`` and ``good-line`` for paths
    (dashed with ``once``, dotted with ``stay``, weak with ``thin`` after them), ``plain``, ``marked``,
    ``cause``, ``right`` and ``quiet`` for areas, ``ink``, ``faint``, ``accent`` and ``good`` for text.
    """

    def __init__(self, width: float, height: float, title: str) -> None:
        size = {"width": _short(min(width, WIDEST)), "height": _short(min(height, WIDEST))}
        self._root = ET.Element(
            "svg",
            {"xmlns": "http://www.w3.org/2000/svg", "role": "img", **size}
            | {"viewBox": f"0 0 {size['width']} {size['height']}"},
        )
        ET.SubElement(self._root, "title").text = _clean(title)
        ET.SubElement(self._root, "style").text = STYLE
        ET.SubElement(self._root, "rect", {"class": "ground", "width": "100%", "height": "100%"})

    def text(
        self, x: float, y: float, words: str, style: str = "ink",
        anchor: str = "start", size: float = 14, bold: bool = False,
    ) -> None:  # fmt: skip
        """Write one line; ``y`` is its baseline, ``anchor`` one of start, middle, end."""
        attributes = {"x": _short(x), "y": _short(y), "class": style, "text-anchor": anchor}
        attributes |= {"font-size": _short(size)} if size != 14 else {}
        attributes |= {"font-weight": "bold"} if bold else {}
        ET.SubElement(self._root, "text", attributes).text = _clean(words)

    def rect(
        self, x: float, y: float, width: float, height: float, style: str = "plain", radius: float = 0
    ) -> None:  # fmt: skip
        """Draw a rectangle; ``x`` and ``y`` are its upper left corner."""
        box = {"x": _short(x), "y": _short(y), "width": _short(width), "height": _short(height)}
        box |= {"rx": _short(radius)} if radius else {}
        ET.SubElement(self._root, "rect", {**box, "class": style})

    def circle(self, x: float, y: float, radius: float, style: str = "plain") -> None:
        """Draw a circle around a point."""
        attributes = {"cx": _short(x), "cy": _short(y), "r": _short(radius), "class": style}
        ET.SubElement(self._root, "circle", attributes)

    def path(self, steps: str, style: str = "line") -> None:
        """Draw a path given in SVG's own path language (numbers and the letters M L H V C Q A Z)."""
        ET.SubElement(self._root, "path", {"d": steps, "class": style})

    def polygon(self, points: Sequence[tuple[float, float]], style: str = "head") -> None:
        """Fill the polygon through some points (an arrow's head)."""
        text = " ".join(f"{_short(x)},{_short(y)}" for x, y in points)
        ET.SubElement(self._root, "polygon", {"points": text, "class": style})

    def svg(self) -> str:
        """Return the text of the drawing, the same for the same calls."""
        return ET.tostring(self._root, encoding="unicode")

    def data(self, **facts: str | int) -> None:
        """Attach facts to the shape drawn last, as attributes ``data-…`` that programs and tests read back."""
        for name, fact in facts.items():
            self._root[-1].set(f"data-{name}", _clean(str(fact))[:200])


def _short(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")


def _clean(words: str) -> str:
    """Replace what XML 1.0 has no way to say."""
    return "".join(
        char if char >= " " and not 0xD800 <= ord(char) <= 0xDFFF and char not in "\ufffe\uffff" else "\ufffd"
        for char in words
    )  # fmt: skip
