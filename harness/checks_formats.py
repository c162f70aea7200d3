"""Conformance check of what `render` writes: every format of every item, drawings above all."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as ET

from harness.kit import Failure, Kit
from harness.plugins import one_line

LARGEST = 300_000  # characters of a drawing: a report holds hundreds
ITEMS = 20
SVG = "{http://www.w3.org/2000/svg}"
# What a picture on a page could act or fetch with.
FORBIDDEN = ("script", "foreignobject", "iframe", "image", "use", "a")


def formats(kit: Kit) -> str:
    """Every format of every item is a text or None; a drawing is one well-formed SVG that does nothing."""
    names = kit.plugin.benchmark.formats
    for item in kit.items[:ITEMS]:
        for name in names:
            where = f"item {item.index}: render(format='{name}')"
            try:
                text = kit.plugin.hooks.render(item=item, format=name)
            except Exception as error:
                raise Failure(f"{where} raised {one_line(error)}") from error
            if text is not None and not isinstance(text, str):
                raise Failure(f"{where} returned {type(text).__name__}, expected str or None")
            if name == "svg" and text is not None:
                _picture(where, text)
    return f"{', '.join(names)} of {len(kit.items[:ITEMS])} items" if names else "has no formats"


def _picture(where: str, text: str) -> None:
    if len(text) > LARGEST:
        raise Failure(f"{where} has {len(text)} characters, at most {LARGEST} are shown")
    if "<!" in text.replace("<!--", ""):
        raise Failure(f"{where} declares a document type or entities")
    try:
        root = ET.fromstring(text)  # noqa: S314 (no entities: looked for above)
    except ET.ParseError as error:
        raise Failure(f"{where} is no XML: {error}") from None
    if root.tag != f"{SVG}svg":
        raise Failure(f"{where} is no SVG: its root is '{root.tag[:60]}'")
    if root.find(f"{SVG}title") is None:
        raise Failure(f"{where} has no <title> first, which is what a screen reader says")
    for element in root.iter():
        _harmless(where, element)


def _harmless(where: str, element: ET.Element[Any]) -> None:
    name = str(element.tag).rpartition("}")[2].casefold()
    if name in FORBIDDEN:
        raise Failure(f"{where} holds <{name}>, which a drawing has no use for")
    for key in element.attrib:
        own = key.rpartition("}")[2].casefold()
        if own.startswith("on") or own in ("href", "src"):
            raise Failure(f"{where} has the attribute '{own}', which a drawing has no use for")
