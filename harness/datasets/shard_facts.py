"""What is counted of a shard's items: JSON that adds up over shards, in memory that does not grow with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness_errors import DatasetError

from harness.core.items import Item
from harness.datasets.features import DISTINCT, LONG, MAX_FEATURES, Feature, are_few, kind_of

Targets = dict[str, int] | None
"""How often each label came; None once they are too many or too long to be categories."""

Kinds = dict[str, Any]
"""By feature: the types of its values (``kinds``), the ``low``est and the ``high``est number."""


def count(targets: Targets, label: str, times: int = 1) -> Targets:
    """Add a label to counts that are given up (None) where labels are no categories."""
    if targets is None or len(label) > LONG:
        return None
    total = targets.get(label, 0) + times
    if total:
        targets[label] = total
    else:
        targets.pop(label, None)
    return targets if len(targets) <= DISTINCT else None


def shown(targets: Targets) -> dict[str, int] | int | str:
    """Return what a manifest says of the labels: their counts where they are few, else how many there are."""
    if targets is None:
        return f"more than {DISTINCT}, or long"
    return dict(sorted(targets.items())) if are_few(targets) else len(targets)


def note(kinds: Kinds, item: Item) -> None:
    """Take in the features of an item.

    Raises:
        DatasetError: the items have too many different features.
    """
    for name, value in item.features.items():
        kind = kind_of(value)
        number = value if kind in ("int", "float") else None
        known = kinds.get(name)
        if (
            known
            and kind in known["kinds"]
            and (number is None or known["low"] <= number <= known["high"])
        ):
            continue  # as almost always, and much faster
        _widen(kinds, name, {"kinds": [kind], "low": number, "high": number})


def join(kinds: Kinds, others: Kinds) -> None:
    """Take in what another shard says of its features; raises as `note`."""
    for name, other in others.items():
        _widen(kinds, name, other)


def _widen(kinds: Kinds, name: str, other: Mapping[str, Any]) -> None:
    known = kinds.setdefault(name, {"kinds": [], "low": None, "high": None})
    known["kinds"] = sorted({*known["kinds"], *other["kinds"]})
    for end, choose in (("low", min), ("high", max)):
        ends = [kind[end] for kind in (known, other) if kind[end] is not None]
        known[end] = choose(ends) if ends else None
    if len(kinds) > MAX_FEATURES:
        raise DatasetError(f"the items have more than {MAX_FEATURES} different features")


def columns(kinds: Kinds) -> dict[str, Feature]:
    """Return the features as `harness.datasets.export_parquet.write` takes them."""
    columns_by_name = {}
    for name, kind in kinds.items():
        columns_by_name[name] = Feature()
        columns_by_name[name].kinds = set(kind["kinds"])
        columns_by_name[name].low, columns_by_name[name].high = kind["low"], kind["high"]
    return columns_by_name
