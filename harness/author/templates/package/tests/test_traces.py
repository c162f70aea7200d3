"""Worked solutions are read back whatever the problem; the kit changes them and looks whether that is seen."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from harness import Item

from harness_mybench import generate
from harness_mybench.answers.explain import worked
from harness_mybench.config import CONFIG
from harness_mybench.traces import reader

DEFAULTS = {key: one["default"] for key, one in CONFIG["properties"].items()}


@pytest.mark.parametrize("config", [{}, {"steps": 1}, {"events": 20, "statements": 40}], ids=str)
def test_what_is_written_is_read_back(config: dict[str, Any]) -> None:
    for index in range(9):
        item = generate.item({**DEFAULTS, **config}, index, Random(index), "salt")
        text = worked(item)
        assert text is not None
        assert reader.findings(item, f"{text}\nAnswer: {item.target}") == []


PROBLEM = {"events": 3, "before": [[0, 1], [1, 2]], "ask": [2, 0]}
SAID = "It is known that A came before B, that B came before C. So A came before C.\nAnswer: no"
APART = {"events": 3, "before": [[0, 1]], "ask": [2, 0]}
BOTH = (
    "Both orders fit everything that is known: C A B, where C comes before A, and A C B, where it "
    "is the other way round.\nAnswer: unknown"
)


@pytest.mark.parametrize(
    ("problem", "text", "said"),
    [
        (PROBLEM, SAID, None),
        (PROBLEM, SAID.replace("no", "yes"), "neither a chain"),
        (
            PROBLEM,
            SAID.replace(": no", ": yes"),
            "the last line does not say that the answer is no",
        ),
        (PROBLEM, SAID.replace("A came before B, that ", ""), "does not lead from one"),
        (PROBLEM, SAID.replace("that B came", "that A came"), "nobody said [0, 2]"),
        (PROBLEM, SAID.replace("So A", "So B"), "does not lead from one"),
        (PROBLEM, BOTH, "has 2 before 1"),
        (APART, BOTH, None),
        (APART, BOTH.replace("C A B", "C B A"), "has 1 before 0"),
        (APART, BOTH.replace("C A B", "C A"), "does not hold every event once"),
        (APART, BOTH.replace("A C B", "C A B"), "has 2 before 0"),
        (
            APART,
            BOTH.replace("where C comes before A", "where A comes before C"),
            "not about the two",
        ),
        (APART, "", "neither a chain"),
    ],
)
def test_what_does_not_hold_is_found(problem: dict[str, Any], text: str, said: str | None) -> None:
    found = reader.findings(Item("x", "1", "", "", problem, None, {}), text)
    assert (found == []) is (said is None)
    assert said is None or any(said in one for one in found)
