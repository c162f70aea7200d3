"""The door of this room: how a notebook shows what is ours."""

from __future__ import annotations

from typing import Any

from harness.core.feature_hooks import featureimpl
from harness.core.items import Item


@featureimpl
def html_of(value: Any) -> str | None:
    """Return an item as HTML."""
    if not isinstance(value, Item):
        return None
    from harness.notebook import displays

    return displays.item(value)
