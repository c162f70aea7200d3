"""Conformance check of what `render` writes: every format of every item, drawings above all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET

from harness.kit.kit import Failure, Kit, failing

LARGEST = 300_000  # characters of a drawing: a report holds hundreds
ITEMS = 20
SVG = "{http://www.w3.org/2000/svg}"
# What a picture on a page could act or fetch with.
FORBIDDEN = ("script", "foreignobject", "iframe", "image", "use", "a")


def formats(kit: Kit) -> str:
    """render() returns a text or None for every format; a drawing is a well-formed SVG that does nothing."""
    names = kit.plugin.benchmark.formats
    for item in kit.items[:ITEMS]:
        for name in names:
            where = f"render(format='{name}')"
            with failing(item, what=where):
                text = kit.plugin.hooks.render(item=item, format=name)
            if text is not None and not isinstance(text, str):
                wrong = f"{where} returned {type(text).__name__}, expected str or None"
                raise Failure(wrong, item)
            if name == "svg" and text is not None:
                for wrong in _wrong(text):
                    raise Failure(f"{where} {wrong}", item, text)
    return f"{', '.join(names)} of {len(kit.items[:ITEMS])} items" if names else "has no formats"


def _wrong(text: str) -> Iterator[str]:
    """Yield what is wrong with a drawing, to follow the name of what wrote it."""
    if len(text) > LARGEST:
        yield f"has {len(text)} characters, at most {LARGEST} are shown"
    if "<!" in text.replace("<!--", ""):
        yield "declares a document type or entities"
        return
    try:
        root = ET.fromstring(text)  # noqa: S314 (no entities: looked for above)
    except ET.ParseError as error:
        yield f"is no XML: {error}"
        return
    if root.tag != f"{SVG}svg":
        yield f"is no SVG: its root is '{root.tag[:60]}'"
    if root.find(f"{SVG}title") is None:
        yield "has no <title> first, which is what a screen reader says"
    for element in root.iter():
        yield from _harmful(element)


def _harmful(element: ET.Element[Any]) -> Iterator[str]:
    name = str(element.tag).rpartition("}")[2].casefold()
    if name in FORBIDDEN:
        yield f"holds <{name}>, which a drawing has no use for"
    for key in element.attrib:
        attribute = key.rpartition("}")[2].casefold()
        if attribute.startswith("on") or attribute in ("href", "src"):
            yield f"has the attribute '{attribute}', which a drawing has no use for"
