"""Cheap answers to requirements and traces: what each leaves out, and that none sees the label."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from cases import slow, some
from harness_vltl import lassos
from harness_vltl.config import TASKS
from harness_vltl.engines import evaluator, truth
from harness_vltl.matching import Matcher
from harness_vltl.scenarios import scenario

from harness.core import fresh
from harness.core.items import Item
from harness.core.plugins import registry
from harness.core.spec import make
from harness.run.floors import is_for

PLUGIN = registry().get("vltl")


def items_of(n: int, **config: Any) -> list[Item]:
    spec = make(PLUGIN, {**config, "n": n})
    return [fresh.item_at(PLUGIN, spec, index) for index in range(n)]


def reply(item: Item, name: str) -> str:
    text: str = PLUGIN.call("shortcut", item=item, name=name, rng=Random(item.id))
    return text.removeprefix("Answer: ")


@pytest.mark.parametrize("task", TASKS)
def test_shortcuts_see_neither_label_nor_certificate(task: str) -> None:
    shortcuts = [s for s in PLUGIN.shortcuts() if is_for(s, task)]
    assert shortcuts
    for item in items_of(4, task=task):
        other = replace(item, target="", certificate=None, features={"task": task})
        for shortcut in shortcuts:
            assert reply(item, shortcut.name) == reply(other, shortcut.name)


@pytest.mark.parametrize("name", ["commonest", "nearest", "word_by_word"])
def test_translations_are_formulas(name: str) -> None:
    """So they are wrong, not unreadable, where they are not right."""
    for task, depth in (("translate", 1), ("translate", 3), ("end_to_end", 1), ("end_to_end", 2)):
        for item in items_of(
            5, task=task, depth=depth, scenario="traffic_light", suite=False, seed=2
        ):
            verdict = PLUGIN.call("score", item=item, completion=f"Answer: {reply(item, name)}")
            assert verdict.outcome == "scored", (reply(item, name), verdict)


def test_connectives_are_translated_one_by_one() -> None:
    item = replace(
        items_of(1, task="translate")[0],
        problem={
            "task": "translate",
            "lifted": "If prop_1 always, never prop_2 or prop_3 until prop_1.",
        },
    )
    # what stands before a proposition belongs to it, so "always" does not reach prop_1
    assert reply(item, "word_by_word") == "((prop_1 -> G !prop_2) | prop_3) U prop_1"


def test_strings_match_names_not_meanings() -> None:
    world = scenario.load("warehouse")
    names = Matcher.of(world, full=False)
    assert (
        names.action("delivers the teddy bear to the loading dock")
        == "deliver(teddy_bear,loading_dock)"
    )
    assert names.action("picks up the fork") == "pickup(fork)"
    assert names.action("asks for help") == "get_help"
    assert names.action("drops off the navel orange at the shelf") == "deliver(orange,shelf)"
    assert names.action("lifts the sofa") != "pickup(sofa)"  # nothing in the letters says so
    assert Matcher.of(world, full=True).action("lifts the sofa") == "pickup(sofa)"


def test_grounding_by_strings_names_every_proposition() -> None:
    for item in items_of(10, task="ground"):
        assert json.loads(reply(item, "string_match")).keys() == json.loads(item.target).keys()


def test_the_last_state_alone_is_judged() -> None:
    for item in items_of(20, task="verify"):
        last = lassos.make(item.problem["trace"]["states"][-1:])
        assert reply(item, "last_state") == truth(evaluator.holds(item.problem["formula"], last))


def test_the_last_state_repeats_for_who_ignores_the_loop() -> None:
    for item in items_of(20, task="verify"):
        trace = lassos.make(item.problem["trace"]["states"])
        said = truth(evaluator.holds(item.problem["formula"], trace))
        assert reply(item, "last_repeats") == said
        loop = item.problem["trace"]["states"][item.problem["trace"]["loop"] :]
        said = truth(evaluator.holds(item.problem["formula"], lassos.make(loop, 0)))
        assert reply(item, "loop_alone") == said


def won(items: list[Item], name: str) -> float:
    verdicts = [
        PLUGIN.call("score", item=item, completion=f"Answer: {reply(item, name)}") for item in items
    ]
    return sum(verdict.value["correct"] for verdict in verdicts) / len(items)


@slow
@pytest.mark.parametrize(
    ("task", "ceiling"),
    [("end_to_end", PLUGIN.benchmark.shortcut_ceiling), ("ground", 0.05), ("verify", 0.55)],
)
def test_no_shortcut_wins_the_default_settings(task: str, ceiling: float) -> None:
    items = items_of(max(some(150), 60), task=task, suite=False, seed=21)
    for shortcut in PLUGIN.shortcuts():
        if is_for(shortcut, task):
            # either half of a lasso tells much: README.md says why
            most = 0.8 if shortcut.name in ("last_repeats", "loop_alone") else ceiling
            assert won(items, shortcut.name) <= most, shortcut.name
