"""The door of this room: the items of a dataset file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.core.feature_hooks import featureimpl

if TYPE_CHECKING:
    from harness.core.items import Item
    from harness.core.plugins import Plugin
    from harness.core.spec import Spec


@featureimpl
def items_of(
    plugin: Plugin, spec: Spec, facts: dict[str, Any], kept: Path | None
) -> Iterable[Item] | None:
    """Return the items of a dataset, where one is named."""
    if spec.dataset is None:
        return None
    from harness.datasets import dataset

    return dataset.load(plugin, spec)
