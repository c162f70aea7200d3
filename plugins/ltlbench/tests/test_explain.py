"""Worked solutions say nothing that is not so."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from harness_ltlbench.answers import explain
from harness_ltlbench.engines import lasso, spot
from harness_ltlbench.formula import path_text, text
from ltl_items import PLUGIN, items_of

CONFIGS: list[dict[str, Any]] = [
    {"operators": 4},
    {"operators": 6, "events": 4, "logic": "full", "task": "counterexample"},
    {"operators": 3, "events": 9, "edge_probability": 0.2, "twins": False},
    {"operators": 40, "events": 5},
]
FALSE_STEP = re.compile(r"(\d+)\. `(.+)` holds at these moments of the sequence: (.+)\.")
TRUE_STEP = re.compile(r"(\d+)\. `(.+)`: (.+)\.")


def parsed(written: str) -> Any:
    """Read ``((X event1) & event2)`` back."""
    tokens = re.findall(r"event\d+|[()]|[^\s()]+", written)

    def take() -> Any:
        token = tokens.pop(0)
        if token.startswith("event"):
            return int(token[5:])
        assert token == "("
        if tokens[0] in ("X", "F", "G", "!"):
            node = [tokens.pop(0), take()]
        else:
            left = take()
            node = [tokens.pop(0), left, take()]
        assert tokens.pop(0) == ")"
        return node

    formula = take()
    assert not tokens
    return formula


def numbers(listed: str, word: str = "") -> list[int]:
    if listed == "none":
        return []
    return [int(part.removeprefix(word)) for part in listed.split(", ")]


def steps_of(told: str, form: re.Pattern[str]) -> list[tuple[Any, str]]:
    """Formula and claim of each numbered line; all between the first line and the last are steps."""
    found = [form.fullmatch(line) for line in told.splitlines()[1:-1]]
    assert [int(step[1]) for step in found if step] == list(range(1, len(found) + 1))
    return [(parsed(step[2]), step[3]) for step in found if step]


def assert_complete(steps: list[tuple[Any, str]], whole: Any) -> None:
    """Each part comes once, after its own parts, and the whole last if all fit."""
    names = [text(formula) for formula, _ in steps]
    assert len(set(names)) == len(names) <= explain.MAX_STEPS
    for place, (formula, _) in enumerate(steps):
        for part in formula[1:]:
            assert isinstance(part, int) or text(part) in names[:place]
    if len(steps) < explain.MAX_STEPS:
        assert names[-1] == text(whole)


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_what_is_said_of_a_violating_path_is_so(config: dict[str, Any]) -> None:
    for item in (i for i in items_of(**config) if i.target != "True"):
        told = PLUGIN.call("explain", item=item)
        path = item.certificate["violation"]
        prefix, cycle = path["prefix"], path["cycle"]
        first, last = told.splitlines()[0], told.splitlines()[-1]
        assert f"One possible sequence of events is {path_text(path)}, where" in first
        assert "fails at moment 1" in last
        assert "Answer:" not in told
        steps = steps_of(told, FALSE_STEP)
        assert_complete(steps, item.problem["formula"])
        rounds = [*prefix, *cycle, *cycle]
        for formula, claim in steps:
            # the path from a moment on, written out as far as the end of the next round
            truth = [
                lasso.holds(formula, rounds[at:], cycle) for at in range(len(prefix) + len(cycle))
            ]
            assert numbers(claim) == [at + 1 for at, true in enumerate(truth) if true]
            if formula == item.problem["formula"]:
                assert 1 not in numbers(claim)


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_what_is_said_of_a_true_item_is_so(config: dict[str, Any]) -> None:
    for item in (i for i in items_of(**config) if i.target == "True"):
        told = PLUGIN.call("explain", item=item)
        start = item.problem["initial"]
        assert told.splitlines()[-1] == (
            f"The first event is event{start}, and from it the whole hypothesis holds on every "
            "sequence."
        )
        assert "Answer:" not in told
        steps = steps_of(told, TRUE_STEP)
        assert_complete(steps, item.problem["formula"])
        for formula, claim in steps:
            events = range(1, item.problem["events"] + 1)
            asked = {**item.problem, "formula": formula}
            true = [e for e in events if spot.check({**asked, "initial": e}).holds]
            assert numbers(claim, "event") == true
            if formula == item.problem["formula"]:
                assert start in true


def test_a_long_formula_is_cut_short() -> None:
    longest = max(
        (PLUGIN.call("explain", item=item).splitlines() for item in items_of(operators=40)), key=len
    )
    assert len(longest) == explain.MAX_STEPS + 2


def test_nothing_is_claimed_for_a_label_without_evidence() -> None:
    for item in items_of(2):
        assert explain.worked(replace(item, certificate=None)) is None
