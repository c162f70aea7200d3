"""Items as Inspect samples, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from inspect_ai.dataset import Sample
from inspect_ai.scorer import Target
from inspect_ai.solver import TaskState

from harness.core.hookspecs import Benchmark, Row
from harness.core.items import Item, canonical_json, sample_ids
from harness.run.floors import SHORTCUT


def samples(items: list[Item]) -> list[Sample]:
    """Return one sample per item, its metadata all of the item but prompt, target and id."""
    ids = sample_ids(items)
    return [
        Sample(id=sample_id, input=item.prompt, target=item.target, metadata=_metadata(item))
        for sample_id, item in zip(ids, items, strict=True)
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


# In a sample's metadata: the label cannot be right by the item's own record.
RULED_OUT = "ruled_out"

# A cheap answer's verdict on an item, among the sample's metadata: floors of any part of a run follow from it.
CONSTANT = "constant answer: "


def keep_constants(
    benchmark: Benchmark, kept: Sequence[Any], constant: Mapping[str, Sequence[Row]]
) -> None:
    """Write into the metadata of samples what each cheap answer scores on them (see `harness.run.floors`).

    ``kept`` are samples, or anything with ``metadata``, in the order of the rows.
    """
    for choice, rows in constant.items():
        for sample, row in zip(kept, rows, strict=True):
            values = [round(row.value.get(key, 0.0), 6) for key in benchmark.values]
            facts = [row.answer, row.outcome, values, dict(row.extra)]
            sample.metadata[_key(choice)] = canonical_json(facts)


def _key(choice: str) -> str:
    return choice if choice.startswith(SHORTCUT) else f"{CONSTANT}{choice}"


def is_cheap(key: str) -> bool:
    """Return whether a key of a sample's metadata is one that `keep_constants` wrote."""
    return key.startswith((CONSTANT, SHORTCUT))


def constants_of(benchmark: Benchmark, metadata: Mapping[str, Any], target: str) -> dict[str, Row]:
    """Return what `keep_constants` wrote, as rows; nothing of what cannot be read (a summary cuts long texts)."""
    rows = {}
    for key, text in metadata.items():
        if not is_cheap(key):
            continue
        try:
            answer, outcome, values, extra = json.loads(text)
            value = dict(zip(benchmark.values, values, strict=True))
        except (ValueError, TypeError):
            continue
        features = metadata.get("features", {})
        rows[key.removeprefix(CONSTANT)] = Row(
            target=target,
            answer=answer,
            outcome=outcome,
            value=value,
            features=features,
            extra=extra,
        )
    return rows
