"""Cheap answers to puzzles: what each leaves out, and that none sees the label."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from cases import slow
from harness_timepuzzles.engines.masks import intersection
from harness_timepuzzles.problem import Problem, answer_days

from harness.core import fresh
from harness.core.items import Item
from harness.core.plugins import registry
from harness.core.spec import make

PLUGIN = registry().get("timepuzzles")
FOR_PUZZLES = [shortcut for shortcut in PLUGIN.shortcuts() if not shortcut.tasks]


def items_of(n: int, **config: Any) -> list[Item]:
    spec = make(PLUGIN, {**config, "n": n})
    return [fresh.item_at(PLUGIN, spec, index) for index in range(n)]


def reply(item: Item, name: str) -> str:
    text: str = PLUGIN.call("shortcut", item=item, name=name, rng=Random(item.id))
    return text


def days(item: Item, name: str) -> list[str]:
    return answer_days(reply(item, name).removeprefix("Answer: "))


@pytest.mark.parametrize("mode", ["implicit", "spelled", "explicit"])
def test_shortcuts_see_neither_label_nor_certificate(mode: str) -> None:
    for item in items_of(4, mode=mode):
        other = replace(item, target="none", certificate=None)
        for shortcut in FOR_PUZZLES:
            assert reply(item, shortcut.name) == reply(other, shortcut.name)
            assert (
                PLUGIN.call("score", item=item, completion=reply(item, shortcut.name)).outcome
                == "scored"
            )


def test_a_guess_among_the_rest_leaves_out_the_event_alone() -> None:
    for item in items_of(12):
        problem = Problem.parse(item.problem)
        rest = [clue for clue in problem.clues if clue.type not in ("event", "recurring")]
        guessed = days(item, "guess_rest")
        assert guessed
        assert all(clue.holds(day) for clue in rest for day in map(_date, guessed))


def test_without_an_event_plain_clues_hold() -> None:
    for item in items_of(12):
        plain = [
            c
            for c in Problem.parse(item.problem).clues
            if not c.implicit and c.type not in ("event", "recurring")
        ]
        answered = days(item, "no_event")
        assert bool(answered) is bool(intersection(plain))
        assert all(clue.holds(day) for clue in plain for day in map(_date, answered))


def test_each_is_told_in_a_sentence_that_another_can_follow() -> None:
    for shortcut in PLUGIN.shortcuts():
        assert shortcut.summary[0].isupper(), shortcut.name
        assert shortcut.summary.endswith("."), shortcut.name


def test_the_empty_set_is_none() -> None:
    assert reply(items_of(1)[0], "empty_set") == "Answer: none"


def _date(text: str) -> Any:
    from datetime import date

    return date.fromisoformat(text)


@slow
def test_no_shortcut_wins_the_default_settings() -> None:
    ceiling = PLUGIN.benchmark.shortcut_ceiling
    assert ceiling is not None
    items = items_of(120, seed=21)
    for shortcut in FOR_PUZZLES:
        verdicts = [
            PLUGIN.call("score", item=item, completion=reply(item, shortcut.name)) for item in items
        ]
        assert sum(verdict.value["exact"] for verdict in verdicts) / len(items) < ceiling, (
            shortcut.name
        )
