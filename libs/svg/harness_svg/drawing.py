"""Drawings of items as SVG, for plugins: escaped, readable on light and on dark ground, alike on every machine."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree as ET

# Classes a drawing's shapes may have: what they mean, not how they look.
STYLE = """
svg{font:14px system-ui,sans-serif;color-scheme:light dark}
.mono{font-family:ui-monospace,"DejaVu Sans Mono",monospace}
.ground{fill:#ffffff}.ink{fill:#1b1f24}.faint{fill:#57606a}.accent{fill:#b3261e}.good{fill:#1a6b36}
.line{stroke:#57606a;fill:none;stroke-width:1.5}.strong{stroke:#b3261e;fill:none;stroke-width:3}
.plain{stroke:#57606a;fill:#ffffff;stroke-width:1.5}.marked{stroke:#b3261e;fill:#fbe4e2;stroke-width:2.5}
.right{stroke:#1a6b36;fill:#ddf2e3;stroke-width:2}.quiet{stroke:none;fill:#eef1f4}
.head{fill:#57606a}.head-strong{fill:#b3261e}.head-good{fill:#1a6b36}
.good-line{stroke:#1a6b36;fill:none;stroke-width:3}.once{stroke-dasharray:8 4}.stay{stroke-dasharray:2 3}
.thin{stroke-width:1;opacity:.6}.halo{stroke:#ffffff;stroke-width:4;paint-order:stroke}
@media (prefers-color-scheme:dark){
.ground{fill:#14181d}.ink{fill:#e6edf3}.faint{fill:#9aa6b2}.accent{fill:#ff9d94}.good{fill:#7bd88f}
.line{stroke:#9aa6b2}.strong{stroke:#ff7b72}.plain{stroke:#9aa6b2;fill:#14181d}
.marked{stroke:#ff7b72;fill:#48201d}.right{stroke:#7bd88f;fill:#15391f}.quiet{fill:#222a33}
.head{fill:#9aa6b2}.head-strong{fill:#ff7b72}.head-good{fill:#7bd88f}.good-line{stroke:#7bd88f}
.halo{stroke:#14181d}}
"""

WIDEST = 4_000  # units along one side; more is cut off


class Drawing:
    """An SVG of a fixed size in user units (1 unit = 1 CSS pixel); x grows to the right, y downwards.

    Text is escaped and characters that XML forbids are replaced. ``title`` is what a screen reader says.
    The classes of shapes are those of `STYLE`: ``line``, ``strong`` and ``good-line`` for paths
    (dashed with ``once``, dotted with ``stay``, weak with ``thin`` after them), ``plain``, ``marked``,
    ``right`` and ``quiet`` for areas, ``ink``, ``faint``, ``accent`` and ``good`` for text.
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
