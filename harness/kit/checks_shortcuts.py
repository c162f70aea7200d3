"""Conformance check of what cheap answers win: a plugin's own shortcuts, and generic ones learnt on other items."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple

from harness.core import fresh
from harness.core.hookspecs import Shortcut
from harness.core.items import Item
from harness.core.spec import make
from harness.datasets import surface
from harness.kit.kit import Failure, Kit, Remark, failing, replace_options
from harness.run import floors, judging

TIMES = 5  # as many items as the other checks have, where answers repeat: shares need them
AGAIN = 100  # at least as many other items must confirm that a shortcut wins: of few items it may win most by luck
SHOWN = 3  # shortcuts that the note names


class Won(NamedTuple):
    """What a shortcut wins of how many items, with its 95 % interval."""

    name: str
    items: int
    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.name} {self.value:.2f} ({self.low:.2f} to {self.high:.2f} of {self.items} items)"


def shortcuts(kit: Kit) -> str:
    """No shortcut wins more of the default settings than shortcut_ceiling allows, and none reads the label."""
    benchmark, own = kit.plugin.benchmark, kit.plugin.shortcuts()
    for shortcut in own:
        _check_blind(kit, shortcut)
    hindered, items = surface.hindrance(kit.items), kit.items
    if not hindered:
        items = [*items, *_more(kit, len(items), (TIMES - 1) * len(items))]
    won = _won(kit, own, items, not hindered)
    ceiling = benchmark.shortcut_ceiling
    default = kit.spec.config == make(kit.plugin, {}).config
    most = ceiling if default and ceiling is not None else math.inf
    above = [score for score in won if score.low > most]
    if above:
        others = _more(kit, len(items), max(len(items), AGAIN))
        names = {score.name for score in above}
        again = _won(kit, own, others, not hindered)
        above = [score for score in again if score.name in names and score.low > most]
    if above:
        also = f"; so do {', '.join(map(str, above[1:]))}" if above[1:] else ""
        wrong = f"a shortcut wins more {benchmark.headline} than shortcut_ceiling={most:g}"
        raise Failure(f"{wrong}: {above[0]}{also}")
    best = ", ".join(map(str, won[:SHOWN]))
    notes = [*_remarks(kit, not hindered)]
    kind = Remark if notes else str
    notes += [f"{benchmark.headline} of the best shortcuts: {best}"] if best else []
    notes += [f"shortcut_ceiling {most:g}"] if most < math.inf else []
    return kind("; ".join(filter(None, [*notes, hindered])))


def _remarks(kit: Kit, learnt: bool) -> Iterator[str]:
    """Yield what keeps the check from saying all that it could."""
    if not kit.plugin.has("shortcuts"):
        yield "the plugin names no shortcuts, so nobody knows what its scores are worth (docs/hooks.md)"
    elif kit.plugin.benchmark.shortcut_ceiling is None:
        yield "it declares no shortcut_ceiling that they could be held against"
    if learnt and surface.left_out():
        yield surface.left_out()


def _check_blind(kit: Kit, shortcut: Shortcut) -> None:
    """Refuse a shortcut whose answer to an item depends on its label, or on nothing that one could know."""
    hidden = kit.plugin.benchmark.solution_features
    for at, item in enumerate(kit.items):
        if not floors.is_for(shortcut, item.features.get("task")):
            continue
        other = kit.items[at - 1]
        features = {
            key: other.features.get(key, value) if key in hidden else value
            for key, value in item.features.items()
        }
        blind = replace(item, target="", certificate=None, notes={})
        answer = _answer(kit, shortcut, blind)
        if kit.judge(item, answer).outcome == "unscored":
            wrong = f"the answer of shortcut '{shortcut.name}' cannot be judged"
            raise Failure(wrong, item, answer)
        reasons = {
            "says something else when it is asked again": blind,
            "reads the label: with it, it answers otherwise": item,
            "reads the label: with another item's, it answers otherwise": replace(
                item, target=other.target, certificate=other.certificate, notes=other.notes
            ),
            "reads the label: with another item's solution_features, it answers otherwise": replace(
                blind, features=features
            ),
        }
        for wrong, seen in reasons.items():
            if _answer(kit, shortcut, seen) != answer:
                raise Failure(f"shortcut '{shortcut.name}' {wrong}", item, answer)


def _answer(kit: Kit, shortcut: Shortcut, item: Item) -> str:
    rng = Random(f"{shortcut.name}|{item.id}")
    with failing(item, shortcut.name):
        return str(kit.plugin.call("shortcut", item=item, name=shortcut.name, rng=rng))


def _more(kit: Kit, first: int, count: int) -> list[Item]:
    return [fresh.item_at(kit.plugin, kit.spec, index) for index in range(first, first + count)]


def _won(kit: Kit, own: Sequence[Shortcut], items: Sequence[Item], learnt: bool) -> list[Won]:
    """Return what each shortcut wins, a plugin's own on the items it is for, the best first."""
    plugin = kit.plugin
    rows = {
        shortcut.name: [floors.shortcut_row(plugin, shortcut, item) for item in items]
        for shortcut in own
    }
    if learnt:
        train = replace_options(kit.spec, split="train")
        known = [fresh.item_at(plugin, train, index) for index in range(len(items))]
        for shortcut, guesses in surface.guessed(plugin.benchmark, items, known):
            rows[f"generic {shortcut.name}"] = [
                judging.row(plugin, item, surface.completion(guess))
                for item, guess in zip(items, guesses, strict=True)
            ]
    headline = plugin.benchmark.headline_metric
    groups = surface.groups(plugin.benchmark, items)
    won = []
    for name, judged in rows.items():
        number: dict[str, Any] = surface.interval(headline, judged, groups)
        value, low, high = (number[key] for key in ("value", "ci_low", "ci_high"))
        if value is not None:
            # Where all resamples are equal there is no interval: the value stands for it.
            ends = (value if end is None else end for end in (low, high))
            won.append(Won(name, number["items"], value, *ends))
    return sorted(won, key=lambda score: -score.value)
