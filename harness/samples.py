"""Items as Inspect samples, and back."""

from __future__ import annotations

import json
from typing import Any

from inspect_ai.dataset import Sample
from inspect_ai.scorer import Target
from inspect_ai.solver import TaskState

from harness import dataset
from harness.items import Item, canonical_json


def samples(items: list[Item]) -> list[Sample]:
    """Return one sample per item, its metadata all of the item but prompt, target and id."""
    ids = dataset.sample_ids(items)
    return [
        Sample(id=own, input=item.prompt, target=item.target, metadata=_metadata(item))
        for own, item in zip(ids, items, strict=True)
    ]


# Inspect copies, checks and writes a sample's metadata many times over; nested values cost a
# third of a run's time, as text they cost nothing and read as well.
_AS_TEXT = ("problem", "certificate", "notes")


def _metadata(item: Item) -> dict[str, Any]:
    data = item.to_dict()
    for key in ("prompt", "target", "id"):
        del data[key]
    return data | {key: canonical_json(data[key]) for key in _AS_TEXT}


def item_of(state: TaskState, target: Target) -> Item:
    """Return the item that a sample was made of."""
    known = {key: state.metadata[key] for key in _METADATA}
    known |= {key: json.loads(known[key]) for key in _AS_TEXT}
    if "family" in state.metadata:
        known["family"] = state.metadata["family"]
    return Item(prompt=state.input_text, target=target.text, **known)


_METADATA = tuple(_metadata(Item("", "", "", "", None)))
