"""What a plugin draws and works out of an item, in a worker of `harness_guard`: bad code costs one item."""

from __future__ import annotations

import base64
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

import harness_guard
from harness_errors import HarnessError

from harness.core.items import Item
from harness.core.plugins import Plugin, registry

LARGEST = 300_000  # bytes of one drawing
WORKED = 6_000  # characters of a worked solution
LONGEST = 5.0  # seconds for one item
SHARE = 0.5  # seconds per item, over all items


class Drawn(NamedTuple):
    """A drawing as a ``data:`` address (None: there is none) and the worked solution ("": there is none)."""

    address: str | None = None
    solution: str = ""


class Draughtsman:
    """Draws items of one plugin, never more than ``SHARE`` seconds an item on average, plus `LONGEST`."""

    def __init__(self, plugin: str, items: int) -> None:
        self._plugin = plugin
        self._left = LONGEST + SHARE * items

    def draw(self, item: Mapping[str, Any]) -> Drawn:
        """Return what there is of an item (as `Item.to_dict` writes it); nothing where it fails or time is up."""
        if self._left <= 0:
            return Drawn()
        begun = time.monotonic()
        try:
            svg, solution = harness_guard.call(
                f"{__name__}:work", self._plugin, dict(item), seconds=min(LONGEST, self._left)
            )
        # A drawing is a help to the reader; without it the report still says all it has to.
        except HarnessError:
            return Drawn()
        finally:
            self._left -= time.monotonic() - begun
        data = str(svg).encode(errors="replace")
        if not data or len(data) > LARGEST:
            return Drawn(None, str(solution))
        return Drawn(f"data:image/svg+xml;base64,{base64.b64encode(data).decode()}", str(solution))


def work(plugin: str, data: dict[str, Any]) -> tuple[str, str]:
    """Return an item's SVG and worked solution; runs in the worker.

    Raises:
        HarnessError: it is no item of the plugin's.
    """
    owner = registry().get(plugin)
    item = Item.from_dict(data)
    svg = (
        _text_of(owner, "render", item=item, format="svg")
        if "svg" in owner.benchmark.formats
        else ""
    )
    solution = _text_of(owner, "explain", item=item)
    more = "… cut" if len(solution) > WORKED else ""
    return svg if len(svg) <= LARGEST else "", solution[:WORKED] + more


def _text_of(plugin: Plugin, hook: str, **arguments: Any) -> str:
    """Return the text that an optional hook returns, else nothing: one that fails takes only its own away."""
    text = None
    if plugin.has(hook):
        with suppress(HarnessError):
            text = plugin.call(hook, **arguments)
    return text if isinstance(text, str) else ""
