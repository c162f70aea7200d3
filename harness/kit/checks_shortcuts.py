"""Conformance check of what cheap answers win: a plugin's own shortcuts, and generic ones learnt on other items."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from harness.core import fresh
from harness.core.hookspecs import Row, Shortcut
from harness.core.items import Item
from harness.core.spec import make
from harness.datasets import surface
from harness.kit.kit import Failure, Kit, Remark, failing, replace_options
from harness.run import floors, judging

TIMES = 5  # as many items as the other checks have, where answers repeat: shares need them
AGAIN = 100  # at least as many other items must confirm that a shortcut wins: of few items it may win most by luck
SHOWN = 3  # shortcuts that the note names


@dataclass(frozen=True, slots=True)
class Won:
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
        raise Failure(
            f"a shortcut wins more {benchmark.headline} than shortcut_ceiling={most:g}: {above[0]}{also}"
        )
    best = ", ".join(map(str, won[:SHOWN]))
    notes = [
        f"{benchmark.headline} of the best shortcuts: {best}" if best else "",
        f"shortcut_ceiling {ceiling:g}" if ceiling is not None and default else "",
        hindered,
    ]
    remarks = [*_remarks(kit, not hindered)]
    note = "; ".join(filter(None, [*remarks, *notes]))
    return Remark(note) if remarks else note


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
    return sorted(_scores(kit, own, items, learnt), key=lambda score: -score.value)


def _scores(
    kit: Kit, own: Sequence[Shortcut], items: Sequence[Item], learnt: bool
) -> Iterator[Won]:
    for shortcut in own:
        rows = [floors.shortcut_row(kit.plugin, shortcut, item) for item in items]
        yield from _number(kit, shortcut.name, items, rows)
    if not learnt:
        return
    train = replace_options(kit.spec, split="train")
    known = [fresh.item_at(kit.plugin, train, index) for index in range(len(items))]
    for shortcut, guesses in surface.guessed(kit.plugin.benchmark, items, known):
        rows = [
            judging.row(kit.plugin, item, surface.completion(guess))
            for item, guess in zip(items, guesses, strict=True)
        ]
        yield from _number(kit, f"generic {shortcut.name}", items, rows)


def _number(kit: Kit, name: str, items: Sequence[Item], rows: Sequence[Row]) -> Iterator[Won]:
    benchmark = kit.plugin.benchmark
    number: dict[str, Any] = surface.interval(
        floors.headline_of(benchmark), rows, surface.groups(benchmark, items)
    )
    if number["value"] is not None:
        low, high = (number[end] for end in ("ci_low", "ci_high"))
        value = number["value"]
        # Where all resamples are equal there is no interval: the value stands for it.
        yield Won(
            name,
            number["items"],
            value,
            value if low is None else low,
            value if high is None else high,
        )
