"""What cheap answers win on the items of an audit: a benchmark's own shortcuts, and generic ones learnt there."""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from harness_errors import HarnessError

from harness.core.hookspecs import Row, Shortcut
from harness.core.items import Item
from harness.core.plugins import Plugin, registry
from harness.datasets import engines, surface
from harness.datasets.engines import Engine
from harness.run import floors, judging

MOST = 2_000  # items that shortcuts are scored on
LONGEST = 50_000  # characters of the prompt of such an item
SECONDS = 30  # for all shortcuts on an item
MEMORY_MB = 2048


class Sample:
    """A random choice of at most `MOST` items, always the same of a dataset: sets are often sorted by label."""

    def __init__(self) -> None:
        self._kept: list[tuple[int, int, Item]] = []

    def add(self, position: int, item: Item) -> None:
        """Take in the next item."""
        if len(item.prompt) > LONGEST:
            return
        chance = int.from_bytes(hashlib.sha256(str(position).encode()).digest()[:8], "big")
        heapq.heappush(self._kept, (-chance, position, item))
        if len(self._kept) > MOST:
            heapq.heappop(self._kept)

    @property
    def items(self) -> list[Item]:
        """The items in their order."""
        return [item for _, _, item in sorted(self._kept, key=lambda entry: entry[1])]


def won(
    plugin: Plugin, own: Sequence[Shortcut], items: Sequence[Item], engine: Engine
) -> dict[str, Any]:
    """Return what each shortcut wins of the headline, the best first (docs/audits.md).

    ``own``: the plugin's. Generic ones are learnt by cross-validation. Hooks run in guarded workers.
    """
    benchmark, hindered = plugin.benchmark, surface.hindrance(items)
    tasks = {item.features.get("task") for item in items}
    own = [s for s in own if any(floors.is_for(s, task) for task in tasks)]
    learnt = [] if hindered else [*surface.guessed(benchmark, items)]
    guesses = [{s.name: guessed[at] for s, guessed in learnt} for at in range(len(items))]

    def look(task: tuple[Item, dict[str, str | None]]) -> dict[str, dict[str, Any]]:
        request = ("harness.audit.shortcuts:rows_of", benchmark.name, task[0].to_dict(), task[1])
        try:
            return dict(engine.call(*request, seconds=SECONDS, memory_mb=MEMORY_MB))
        except HarnessError:
            return {}

    asked = zip(items, guesses, strict=True)
    rows = [row for _, row in engines.ordered(look, asked, engine.workers)]
    together, scores = surface.groups(benchmark, items), []
    kinds = [(OWN, shortcut) for shortcut in own] + [(GENERIC, shortcut) for shortcut, _ in learnt]
    for kind, shortcut in kinds:
        column = [
            # An item that cost a worker its life is unscored.
            Row(**row[kind][shortcut.name])
            if row
            else Row(item.target, None, "unscored", {}, item.features)
            for item, row in zip(items, rows, strict=True)
        ]
        number = surface.interval(benchmark.headline_metric, column, together)
        scores.append({
            "name": shortcut.name, "generic": kind == GENERIC, "summary": shortcut.summary,
            "ignores": shortcut.ignores, **number,
        })  # fmt: skip
    scores.sort(key=lambda score: -1 if score["value"] is None else score["value"], reverse=True)
    note = hindered or surface.left_out()
    return {"metric": benchmark.headline, "sample": len(items), "note": note, "scores": scores}


OWN, GENERIC = "own", "generic"


def rows_of(
    name: str, data: dict[str, Any], guesses: dict[str, str | None]
) -> dict[str, dict[str, Any]]:
    """Return the rows of a plugin's own shortcuts on an item, and of what generic ones guess."""
    plugin, item = registry().get(name), Item(**data)
    own = {s.name: floors.shortcut_row(plugin, s, item) for s in plugin.shortcuts()}
    # Most of them guess the same.
    judged = {
        guess: judging.row(plugin, item, surface.completion(guess)) for guess in {*guesses.values()}
    }
    generic = {shortcut: judged[guess] for shortcut, guess in guesses.items()}
    return {
        kind: {shortcut: asdict(row) for shortcut, row in rows.items()}
        for kind, rows in ((OWN, own), (GENERIC, generic))
    }
