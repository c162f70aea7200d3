"""An SVG of matplotlib made fit for a file of its own, or for a page that holds many."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from harness.report.figures_style import GROUND, INK

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
