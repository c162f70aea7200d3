"""Whether the labels of items are proved: each certificate is checked by `harness_proof` before it is counted.

A plugin writes certificates with the hook `prove`. The checker knows no plugin and no engine, and reads the prompt
itself.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import Any

import harness_guard
import harness_proof
from harness_errors import EngineError, PluginError

from harness.core.items import Item
from harness.core.plugins import Plugin, one_line, registry
from harness.datasets.export_items import Told
from harness.run import floors

SECONDS = 60.0  # for an item of a file, in a worker
SAMPLE = 200  # items of a dataset, the first ones, that its manifest has more to say of
OUTCOMES = (harness_proof.PROVED, harness_proof.REFUTED, harness_proof.UNCHECKED)


def certificate(plugin: str, data: dict[str, Any]) -> dict[str, Any] | None:
    """Return the certificate of an item, as `Item.to_dict` writes it; for a guarded worker."""
    found: dict[str, Any] | None = registry().get(plugin).call("prove", item=Item.from_dict(data))
    return found


def checked(item: Item, proof: Any) -> tuple[dict[str, Any], str, str]:
    """Return the record that `harness_proof.outcome` takes of an item and its certificate, and what that says.

    Raises:
        PluginError: the certificate is not JSON.
    """
    record = {
        "id": item.id,
        "plugin": item.plugin,
        "prompt": item.prompt,
        "target": item.target,
        "proof": proof,
    }
    try:
        read_back = json.loads(json.dumps(record))  # as it comes out of a file
    except (TypeError, ValueError, RecursionError) as error:
        raise PluginError(
            f"plugin '{item.plugin}': prove() of item {item.index} is not JSON: {one_line(error)}"
        ) from error
    return record, *harness_proof.outcome(read_back)


def of_sample(plugin: Plugin, items: Sequence[Item], foreign: bool) -> dict[str, Any]:
    """Return ``baselines`` and ``proofs`` of some items, as a dataset's manifest holds them.

    What cheap answers score on them, and of how many the label is proved, refuted, not checkable; None: there are no
    certificates. ``foreign``: the items were read from a file, so their certificates are made in a guarded worker.
    """
    cheap = floors.facts(plugin.benchmark, floors.rows_of(plugin, items))
    baselines = {"items": len(items), **cheap.pop("floors"), **cheap}
    if not plugin.has("prove"):
        return {"baselines": baselines, "proofs": None}
    tally = Tally(plugin, foreign)
    for item in islice(items, SAMPLE):
        tally.record(item)
    return {"baselines": baselines, "proofs": tally.counts()}


class Tally:
    """The items of one command, and what became of their labels."""

    def __init__(self, plugin: Plugin, foreign: bool) -> None:
        self.plugin, self.foreign = plugin, foreign
        self.outcomes: Counter[str] = Counter()
        self.why, self.unreadable = Told(), Told()
        self.given = 0

    def record(self, item: Item) -> dict[str, Any]:
        """Return the record of an item, as `harness_proof.outcome` takes it; count what that says."""
        record, outcome, why = checked(item, self._certificate(item))
        self.outcomes[outcome] += 1
        if outcome == harness_proof.PROVED:
            self.given += bool(why)
        else:
            self.why.add(f"item {item.id} (index {item.index}): {outcome}: {why}")
        return record

    def _certificate(self, item: Item) -> Any:
        if not self.foreign:
            return self.plugin.call("prove", item=item)
        call = (f"{__name__}:certificate", self.plugin.benchmark.name, item.to_dict())
        try:
            return harness_guard.call(*call, seconds=SECONDS)
        except EngineError as error:
            self.why.add(f"item {item.id} (index {item.index}): its certificate failed: {error}")
            return None

    def counts(self) -> dict[str, int]:
        """Return how many items there are, and of how many came what."""
        each = {outcome: self.outcomes[outcome] for outcome in OUTCOMES}
        return {"items": self.outcomes.total(), **each}

    def found(self) -> dict[str, Any]:
        """Return what became of all of them."""
        return {
            **self.counts(),
            "given": self.given,
            "why": self.why.data(),
            "unreadable": self.unreadable.data(),
        }
