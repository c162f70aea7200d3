"""Shortcuts: each does what its sentence says, from the problem alone, and is scored as a model is."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from cases import SHARE
from tb_items import PLUGIN, Walker, items_of
from tb_published import prebuilt

from harness import HarnessError, Item
from harness.run import floors

NAMES = {
    "tce": ("single_flips", "last_step", "previous_step", "all_true_inputs", "copy", "nothing"),
    "tte": ("any_state", "two_steps"),
}


def items() -> tuple[Item, ...]:
    """Items of both tasks and of both labels."""
    paper = {"label": "per_step", "joint": 0}
    return (*items_of(25), *items_of(25, **paper), *items_of(25, task="tte", hidden=0.5))


def answer(item: Item, name: str) -> str:
    text = PLUGIN.call("shortcut", item=item, name=name, rng=Random(0))
    assert isinstance(text, str)
    return text


def verdict(item: Item, name: str) -> Any:
    return PLUGIN.call("score", item=item, completion=answer(item, name))


def test_each_has_a_task_and_each_task_has_some() -> None:
    for task, names in NAMES.items():
        assert tuple(s.name for s in PLUGIN.shortcuts() if floors.is_for(s, task)) == names


def test_neither_label_nor_certificate_is_read() -> None:
    for item in items():
        blind = replace(item, target="", certificate=None, features={}, notes={}, id="")
        for name in NAMES[item.features["task"]]:
            assert answer(blind, name) == answer(item, name)


def test_every_answer_can_be_scored_ours_and_published() -> None:
    published = [
        PLUGIN.call(
            "adopt", record=prebuilt(item), config={"task": item.problem["task"]}, format=""
        )
        for item in items()[::SHARE]
        if item.problem.get("label") != "full"
    ]
    for item in (*items()[::SHARE], *published):
        for name in NAMES[item.problem["task"]]:
            assert verdict(item, name).outcome == "scored"


def _breaks(walker: Walker, item: Item, step: int, name: str) -> bool:
    """Whether one input flipped at one step changes the effect, by running another reader's machine anew."""
    effect = item.problem["effect"]
    words = [set(true) - walker.outputs for true in item.problem["trace"][: effect["step"] + 1]]
    words[step] ^= {name}
    return (effect["output"] in walker.run(words)[1][-1]) is not effect["value"]


def test_single_flips_lists_what_breaks_the_effect_alone() -> None:
    seen = set()
    for item in items():
        if item.problem["task"] == "tte":
            continue
        walker = Walker(item.problem["hoa"])
        inputs = [name for name in walker.names if name not in walker.outputs]
        last = item.problem["effect"]["step"]
        pairs = {
            (step, name)
            for step in range(last + 1)
            for name in inputs
            if _breaks(walker, item, step, name)
        }
        certificates = item.certificate["counterfactuals"]
        clauses = [frozenset(map(tuple, one["flips"])) for one in certificates]
        assert pairs == {pair for clause in clauses if len(clause) == 1 for pair in clause}
        right = all(len(clause) == 1 for clause in clauses)
        assert verdict(item, "single_flips").value["correct"] == right
        seen.add(right)
    assert seen == {True, False}


def test_the_inputs_that_the_others_list() -> None:
    item = next(i for i in items_of(25, label="per_step") if i.problem["effect"]["step"] > 1)
    walker = Walker(item.problem["hoa"])
    names = [name for name in walker.names if name not in walker.outputs]
    last = item.problem["effect"]["step"]
    rows = {
        step: ["!" * (name not in item.problem["trace"][step]) + name for name in names]
        for step in range(last + 1)
    }
    listed = {
        "last_step": {last: rows[last]},
        "previous_step": {last - 1: rows[last - 1]},
        "all_true_inputs": {
            step: [text for text in row if not text.startswith("!")] for step, row in rows.items()
        },
        "copy": rows,
        "nothing": {},
    }
    for name, steps in listed.items():
        (stated,) = json.loads(answer(item, name)).values()
        assert stated == {str(s): steps.get(s) or ["no constraints"] for s in rows}


def test_nothing_is_right_where_the_cause_is_empty() -> None:
    for item in items_of(25):
        assert verdict(item, "nothing").value["correct"] == item.features["trivial"]


def _fits(walker: Walker, state: int, true: list[str]) -> int | None:
    """Return the next state if a state answers the inputs of a step with its outputs."""
    following, outputs = walker.step(state, set(true) - walker.outputs)
    return following if outputs == set(true) & walker.outputs else None


def test_states_that_fit_one_step_or_two() -> None:
    wrong = 0
    for item in items_of(25, task="tte", hidden=0.5):
        walker, trace = Walker(item.problem["hoa"]), item.problem["trace"]
        one = [[s for s in walker.edges if _fits(walker, s, true) is not None] for true in trace]
        two = [
            [s for s in states if _fits(walker, s, true) in following]
            for states, following, true in zip(one, [*one[1:], walker.edges], trace, strict=True)
        ]
        for name, leading in (("any_state", one), ("two_steps", two)):
            told = json.loads(answer(item, name))
            fits = told.pop("accepted") == "yes"
            assert fits is all(leading)
            # Where no state leads on, the run ends behind it.
            taken = leading.index([]) + bool(one[leading.index([])]) if not fits else len(trace)
            assert [step["current state"] for step in told.values()] == [
                (two_fit or one_fit)[0]
                for two_fit, one_fit in zip(leading[:taken], one, strict=False)
            ]
            wrong += fits is not item.features["accepted"]
    assert wrong


def test_no_single_steps_tell_a_hidden_trace() -> None:
    """By another reader of the machine: two steps always fit, half of the steps fit several states."""
    items = items_of(60, task="tte", hidden=1)
    families = {
        kind: Counter(i.features["family"] for i in items if i.features["accepted"] is kind)
        for kind in (True, False)
    }
    for item in items:
        walker, trace = Walker(item.problem["hoa"]), item.problem["trace"]
        ends = [[_fits(walker, state, true) for state in walker.edges] for true in trace]
        one = [[s for s, end in enumerate(row) if end is not None] for row in ends]
        assert sum(len(states) > 1 for states in one) >= len(trace) / 2
        for row, following in zip(ends, one[1:], strict=False):
            assert set(row) & set(following)
        assert item.features["run_length"] >= len(trace) // 2
    shared = sum((families[True] & families[False]).values())
    assert shared >= 18  # of 30: a machine does not foretell the answer


def test_shares_and_depths_are_what_the_keys_ask_for() -> None:
    items = items_of(140)
    assert sum(item.features["joint"] for item in items) > 0.6 * len(items)
    depths = Counter(item.features["depth"] for item in items)
    assert set(depths) == set(range(1, 8))
    assert max(depths.values()) < 40  # of 20 on average
    assert all(item.features["joint"] for item in items_of(12, joint=1, trivial=0))


@pytest.mark.parametrize("name", ["any_state", "walks"])
def test_what_is_none_is_refused(name: str) -> None:
    with pytest.raises(HarnessError, match=f"'{name}' is no shortcut for task=tce"):
        answer(items_of(25)[0], name)
