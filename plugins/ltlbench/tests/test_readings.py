"""Other readings of the published words, against definitions written out path by path."""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from cases import each, slow
from harness_ltlbench.published import readings
from ltl_items import PLUGIN, items_of
from ltl_random import any_shape

from harness import Item

DATA = Path(__file__).parents[3].parent / "shared" / "data" / "ltlbench"

FIRST = {
    "transitions": "any listed event may follow",
    "event without successor": "repeats forever",
    "paths": "every path",
    "eventually, always": "now counts",
}
OFTEN_NEXT = ("X", "X", "X", "!", "&", "|", "F", "G", "U", "R", "W", "M")
STRONG, WEAK = "path ends, next is false there", "path ends, next is true there"


def asked(formula: Any, edges: Any, label: bool = True, events: int = 3, initial: int = 1) -> Any:
    problem = {
        "task": "decide",
        "events": events,
        "initial": initial,
        "edges": [list(edge) for edge in edges],
        "formula": formula,
    }
    found = PLUGIN.call("readings", item=Item("ltlbench", "published", "", str(label), problem))
    assert {question: next(iter(verdicts)) for question, verdicts in found.items()} == FIRST
    assert len({verdicts[FIRST[question]] for question, verdicts in found.items()}) == 1
    return found


@each(
    ("formula", "edges", "question", "holds"),
    [
        (["F", 3], [[1, 2], [1, 3], [2, 1]], "transitions", [False, False]),
        (["X", 2], [[1, 2], [1, 3], [2, 1]], "transitions", [False, True]),
        (["X", 2], [[1, 2]], "transitions", [True, True]),
        (["X", ["X", 2]], [[1, 2]], "event without successor", [True, False, True, True]),
        (["F", ["G", 2]], [[1, 2]], "event without successor", [True, True, True, True]),
        (["X", ["X", 1]], [[1, 2]], "event without successor", [False, False, True, True]),
        (["G", ["F", 1]], [[1, 2], [2, 1], [2, 3]], "event without successor",
         [False, False, False, True]),
        (["G", ["X", ["|", 1, ["|", 2, 3]]]], [[1, 2]], "event without successor",
         [True, False, True, True]),
        (["!", ["X", 2]], [], "event without successor", [True, True, False, True]),
        (["X", 2], [[1, 2], [1, 3]], "paths", [False, True]),
        (["X", 1], [[1, 2], [1, 3]], "paths", [False, False]),
        (["F", 1], [[1, 2]], "eventually, always", [True, False]),
        (["G", ["F", 2]], [[1, 2], [2, 1]], "eventually, always", [True, True]),
        (["G", 2], [[1, 2]], "eventually, always", [False, True]),
    ],
)  # fmt: skip
def test_cases_by_hand(formula: Any, edges: Any, question: str, holds: list[bool]) -> None:
    assert list(asked(formula, edges)[question].values()) == holds
    # the other label holds where this one does not
    assert list(asked(formula, edges, False)[question].values()) == [not value for value in holds]


# --------------------------------------------------------- paths that end, straight from the meaning


MEANING: dict[str, Any] = {
    "!": lambda a, b, _: not a[0],
    "&": lambda a, b, _: a[0] and b[0],
    "|": lambda a, b, _: a[0] or b[0],
    "->": lambda a, b, _: not a[0] or b[0],
    "X": lambda a, b, strong: a[1] if len(a) > 1 else not strong,
    "F": lambda a, b, _: any(a),
    "G": lambda a, b, _: all(a),
    "U": lambda a, b, _: any(b[k] and all(a[:k]) for k in range(len(a))),
    "W": lambda a, b, _: all(a) or any(b[k] and all(a[:k]) for k in range(len(a))),
    "R": lambda a, b, _: all(b) or any(a[k] and all(b[: k + 1]) for k in range(len(a))),
    "M": lambda a, b, _: any(a[k] and all(b[: k + 1]) for k in range(len(a))),
}


def truth(formula: Any, path: list[int], strong: bool) -> list[bool]:
    """By moment of a path that is over after its last."""
    if isinstance(formula, int):
        return [event == formula for event in path]
    values = [truth(part, path, strong) for part in formula[1:]]
    mean = MEANING[formula[0]]
    return [mean(values[0][now:], values[-1][now:], strong) for now in range(len(path))]


def test_paths_that_end_are_read_as_finite_ones() -> None:
    rng, differing = Random("finite"), Counter[str]()
    for _ in range(300):
        path = rng.sample(range(1, 5), rng.randint(1, 4))
        formula = any_shape(rng, 4, rng.randint(2, 6), OFTEN_NEXT)
        found = asked(formula, list(pairwise(path)), events=4, initial=path[0])
        found = found["event without successor"]
        for name, strong in ((STRONG, True), (WEAK, False)):
            assert found[name] == truth(formula, path, strong)[0], (formula, path, name)
            differing[name] += found[name] != found["repeats forever"]
        assert found["no path leads there"] is True  # there is none to fail on
    assert min(differing[name] for name in (STRONG, WEAK)) >= 15


def test_without_a_dead_end_all_is_one() -> None:
    rng = Random("endless")
    for _ in range(100):
        formula = any_shape(rng, 3, rng.randint(1, 6))
        found = asked(formula, [[1, 2], [2, 3], [3, 1], [2, 1]])["event without successor"]
        assert len(set(found.values())) == 1, formula


def test_our_own_prompts_leave_nothing_open() -> None:
    (item,) = items_of(1)
    assert PLUGIN.call("readings", item=item) == {}
    other = {**item.problem, "task": "counterexample"}
    assert readings.readings(replace(item, version="published", problem=other, id="")) == {}


def test_a_question_that_cannot_be_decided_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readings, "MAX_NODES", 0)
    assert readings.readings(Item("ltlbench", "published", "", "True", {
        "task": "decide", "events": 2, "initial": 1, "edges": [[1, 2], [2, 1], [2, 2], [1, 1]],
        "formula": ["|", ["F", ["G", 1]], ["G", ["F", 2]]],
    })) == {}  # fmt: skip


@slow
@pytest.mark.skipif(not DATA.is_dir(), reason=f"the published data is not at {DATA}")
def test_the_published_labels_follow_the_first_reading_of_each_question() -> None:
    agree: dict[str, Counter[str]] = {question: Counter() for question in FIRST}
    for path in sorted(DATA.glob("*.csv")):
        with path.open(newline="", encoding="utf-8") as file:
            for record in csv.DictReader(file):
                item = PLUGIN.call("adopt", record=record, config={}, format="")
                for question, verdicts in readings.readings(item).items():
                    agree[question].update(name for name, holds in verdicts.items() if holds)
    assert {question: list(counts.values()) for question, counts in agree.items()} == {
        "transitions": [1200, 1162],
        "event without successor": [1200, 1118, 1139, 904],
        "paths": [1200, 1131],
        "eventually, always": [1200, 1181],
    }
