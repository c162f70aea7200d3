"""Weaknesses: against every graph there is, against Spot, and on cases worked out by hand."""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import replace
from itertools import combinations, permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from cases import each, slow
from harness_ltlbench.config import WEAKNESSES
from harness_ltlbench.engines import spot
from harness_ltlbench.published.audit import findings
from ltl_items import PLUGIN, TWINS, items_of
from ltl_random import any_shape
from pace import within

from harness import HarnessError, Item

DATA = Path(__file__).parents[3].parent / "shared" / "data" / "ltlbench"


def item_of(formula: Any, events: int = 3, initial: int = 1, edges: Any = ((1, 2),)) -> Item:
    problem = {
        "task": "decide",
        "events": events,
        "initial": initial,
        "edges": [list(edge) for edge in edges],
        "formula": formula,
    }
    return Item("ltlbench", "published", "", "True", problem)


def kinds(item: Item) -> list[str]:
    found = findings(item)
    for each_one in found:
        assert set(each_one) == {"kind", "message"}
        assert "\n" not in each_one["message"]
        assert len(each_one["message"]) < 120
    return [one["kind"] for one in found]


NOT_12: Any = ["&", ["!", 1], ["!", 2]]


@each(
    ("formula", "events", "edges", "expected"),
    [
        (["->", ["F", 2], ["F", 2]], 3, [[1, 2]], ["valid"]),
        (["F", ["|", 3, ["!", 3]]], 3, [[1, 2]], ["valid"]),
        (["F", ["&", 2, 3]], 3, [[1, 2]], ["unsatisfiable"]),
        (["!", ["->", 2, 2]], 3, [[1, 2]], ["unsatisfiable"]),
        # one of the events there are happens; of a fourth the formula says nothing
        (["G", ["|", 1, ["|", 2, 3]]], 3, [[1, 2]], ["valid"]),
        (["G", ["|", 1, ["|", 2, 3]]], 4, [[1, 2]], []),
        (1, 3, [[1, 2]], ["initial_event"]),
        (2, 3, [[1, 2]], ["initial_event"]),
        (["->", 2, ["G", 3]], 3, [[1, 2]], ["initial_event"]),
        (["F", 1], 9, [[1, 2]], ["initial_event"]),
        (["F", 2], 3, [[1, 2]], []),
        (["F", 2], 3, [[1, 3]], []),
        (["F", 2], 3, [[2, 1]], ["frozen"]),
        (["F", 2], 3, [[1, 1], [2, 3]], ["frozen"]),
        (["F", 1], 3, [], ["initial_event", "frozen"]),
        # only an edge to itself would let event2 happen twice and then event1
        (["!", ["&", ["X", 2], ["&", ["X", ["X", 2]], ["F", ["&", 2, ["X", 1]]]]]],
         9, [[1, 2]], ["any_graph"]),
        (["!", ["&", ["X", 2], ["&", ["X", ["X", 2]], ["F", ["&", 2, ["X", 1]]]]]],
         9, [[1, 2], [2, 2], [2, 1]], []),
        # two others can take turns, one cannot
        (["!", ["&", ["X", NOT_12], ["&", ["X", ["X", NOT_12]], ["X", ["X", ["X", 1]]]]]],
         3, [[1, 2]], ["any_graph"]),
        (["!", ["&", ["X", NOT_12], ["&", ["X", ["X", NOT_12]], ["X", ["X", ["X", 1]]]]]],
         4, [[1, 2]], []),
        # False wherever it is asked: the path would have to leave event1 in two ways
        (["&", ["X", 2], ["X", ["X", ["&", 1, ["X", 3]]]]], 3, [[1, 2], [2, 1]], ["any_graph"]),
    ],
)  # fmt: skip
def test_cases_by_hand(formula: Any, events: int, edges: Any, expected: list[str]) -> None:
    item = item_of(formula, events, edges=edges)
    assert kinds(item) == expected
    assert kinds(replace(item, target="False", id="")) == expected
    assert set(expected) <= set(WEAKNESSES)


def graphs(events: int) -> list[list[list[int]]]:
    pairs = list(permutations(range(1, events + 1), 2))
    return [
        [list(pair) for pair in chosen]
        for size in range(len(pairs) + 1)
        for chosen in combinations(pairs, size)
    ]


def test_it_is_said_exactly_when_all_graphs_give_one_label() -> None:
    rng, seen = Random("audit"), Counter[str]()
    every = graphs(3)
    for _ in range(60):
        formula, start = any_shape(rng, 3, rng.randint(1, 5)), rng.randint(1, 3)
        item = item_of(formula, 3, start, rng.choice(every))
        found = [kind for kind in kinds(item) if kind != "frozen"]
        labels = {spot.check({**item.problem, "edges": edges}).holds for edges in every}
        assert len(found) == (len(labels) == 1), (formula, start)
        seen[found[0] if found else "none"] += 1
        if found:
            assert (found[0] == "valid") <= (labels == {True})
            assert (found[0] == "unsatisfiable") <= (labels == {False})
    assert min(seen[kind] for kind in ("valid", "unsatisfiable", "initial_event", "none")) >= 4


def test_the_first_three_kinds_are_exact_by_spot_for_many_events() -> None:
    rng, seen = Random("audit by Spot"), Counter[str]()
    events = 7
    anything = [[s, t] for s in range(1, events + 1) for t in range(1, events + 1)]
    for _ in range(60):
        formula, start = any_shape(rng, 3, rng.randint(1, 5)), rng.randint(1, events)
        verdicts = {
            (begin, sign): spot.check(
                {"events": events, "initial": begin, "edges": anything, "formula": asked}
            ).holds
            for begin in range(1, events + 1)
            for sign, asked in ((True, formula), (False, ["!", formula]))
        }
        expected = ""
        for sign, name in ((True, "valid"), (False, "unsatisfiable")):
            if verdicts[start, sign]:
                always = all(verdicts[begin, sign] for begin in range(1, events + 1))
                expected = name if always else "initial_event"
        found = [
            k for k in kinds(item_of(formula, events, start)) if k not in ("frozen", "any_graph")
        ]
        assert found == ([expected] if expected else []), (formula, start)
        seen[expected] += 1
    assert min(seen[k] for k in ("valid", "unsatisfiable", "initial_event", "")) >= 3


@each("config", [{}, {"logic": "full"}, {"task": "counterexample"}])
def test_items_that_depend_on_their_graph_have_no_such_weakness(config: dict[str, Any]) -> None:
    for item in items_of(6, **TWINS, **config):
        stays = item.problem["initial"] not in {source for source, _ in item.problem["edges"]}
        assert PLUGIN.call("audit", item=item) == findings(item)
        assert kinds(item) == ["frozen"] * stays


def test_time_is_bounded_and_what_is_beyond_it_not_claimed() -> None:
    # A path through each of 14 events once: hard to find, and harder to find absent.
    events = 14
    formula: Any = 1
    for event in range(2, events + 1):
        formula = [
            "&",
            formula,
            ["&", ["F", event], ["G", ["->", event, ["X", ["G", ["!", event]]]]]],
        ]
    rng = Random(14)
    edges = [list(pair) for pair in permutations(range(1, events + 1), 2) if rng.random() < 0.3]
    with within(1.5):
        assert kinds(item_of(["!", formula], events, edges=edges)) in ([], ["any_graph"])


@each("formula", [0, ["F", 4], ["?", 1], [], "G a", ["F"] * 3])
def test_a_broken_formula_is_refused_in_one_line(formula: Any) -> None:
    with pytest.raises(HarnessError) as caught:
        findings(item_of(formula))
    assert "\n" not in str(caught.value)


@slow
@pytest.mark.skipif(not DATA.is_dir(), reason=f"the published data is not at {DATA}")
def test_the_published_files_have_what_the_readme_says() -> None:
    counts, needless, problems = Counter[str](), 0, Counter[str]()
    for path in sorted(DATA.glob("*.csv")):
        with path.open(newline="", encoding="utf-8") as file:
            for record in csv.DictReader(file):
                item = PLUGIN.call("adopt", record=record, config={}, format="")
                found = kinds(item)
                counts.update(found)
                needless += found not in ([], ["frozen"])
                problems[item.problem_id] += 1
    assert counts == {
        "valid": 205, "unsatisfiable": 147, "initial_event": 439, "any_graph": 7, "frozen": 377
    }  # fmt: skip
    assert needless == 798
    assert sum(problems.values()) - len(problems) == 31
