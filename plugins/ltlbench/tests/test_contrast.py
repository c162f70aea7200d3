"""Contrasts: found whenever one exists, and no forged one passes."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from itertools import pairwise, product
from random import Random
from typing import Any

import pytest
from cases import each, some
from harness_ltlbench import contrast
from harness_ltlbench.engines import spot, tableau
from hypothesis import given, settings
from hypothesis import strategies as st
from ltl_items import TWINS, items_of
from ltl_random import any_shape

from harness import Item

CONFIGS: list[dict[str, Any]] = [
    {"n": 30},
    {"logic": "full", "n": 12},
    {"task": "counterexample", "n": 8},
]


@cache  # not at import: a defect in the generator is to fail tests, not their collection
def items() -> list[Item]:
    return [item for config in CONFIGS for item in items_of(**TWINS, **config)]


# ------------------------------------------------------- what a formula means on a path, word by word


def truth(formula: Any, path: list[int], loop: int) -> list[bool]:
    """Per moment of a path that goes on at ``loop`` after its last; straight from the definitions."""
    if isinstance(formula, int):
        return [event == formula for event in path]
    operator, *parts = formula
    values = [truth(part, path, loop) for part in parts]
    found = []
    for at in range(len(path)):
        # all that ever comes has come after as many steps as the path has moments
        ahead = [at]
        for _ in path:
            ahead.append(ahead[-1] + 1 if ahead[-1] + 1 < len(path) else loop)
        a, b = ([value[i] for i in ahead] for value in (values[0], values[-1]))
        found.append(MEANING[operator](a, b))
    return found


MEANING: dict[str, Any] = {
    "!": lambda a, _: not a[0],
    "&": lambda a, b: a[0] and b[0],
    "|": lambda a, b: a[0] or b[0],
    "->": lambda a, b: not a[0] or b[0],
    "X": lambda a, _: a[1],
    "F": lambda a, _: any(a),
    "G": lambda a, _: all(a),
    "U": lambda a, b: any(b[i] and all(a[:i]) for i in range(len(a))),
    "W": lambda a, b: all(a) or any(b[i] and all(a[:i]) for i in range(len(a))),
    "R": lambda a, b: all(b) or any(a[i] and all(b[: i + 1]) for i in range(len(a))),
    "M": lambda a, b: any(a[i] and all(b[: i + 1]) for i in range(len(a))),
}


def holds(formula: Any, path: dict[str, list[int]]) -> bool:
    return truth(formula, [*path["prefix"], *path["cycle"]], len(path["prefix"]))[0]


# ------------------------------------------------------------------------------- finding contrasts


def only_paths(events: int, initial: int) -> Iterator[dict[str, list[int]]]:
    """The path of every graph in which each event has one successor, or none and repeats."""
    for follow in product(range(1, events + 1), repeat=events):
        path = [initial]
        while follow[path[-1] - 1] not in path:
            path.append(follow[path[-1] - 1])
        loop = path.index(follow[path[-1] - 1])
        yield {"prefix": path[:loop], "cycle": path[loop:]}


@pytest.mark.parametrize("events", [3, 4, 5])
def test_every_graph_on_which_a_formula_holds_is_found(events: int) -> None:
    """Exact: where all paths of a graph satisfy it, so does the only path of a part of the graph."""
    rng = Random(f"functional {events}")
    paths = {
        start: list({str(p): p for p in only_paths(events, start)}.values())
        for start in range(1, events + 1)
    }
    # Of five events there are thousands of paths to walk for each formula.
    count, missing = some(60 if events == 5 else 120), 0
    for _ in range(count):
        # few events named, so that the unnamed ones count, and conjunctions, so that few paths do
        parts = [any_shape(rng, rng.randint(1, events), 3) for _ in range(rng.randint(1, 4))]
        formula = parts[0]
        for part in parts[1:]:
            formula = ["&", formula, part]
        start = rng.randint(1, events)
        exists = any(holds(formula, path) for path in paths[start])
        found = contrast.find(formula, start, events, False)
        assert (found is not None) == exists, (formula, start)
        missing += not exists
    assert count / 12 < missing < count * 11 / 12


def back_after(steps: int) -> Any:
    """Event1 happens again after so many moments, a prime number, and does not simply stay."""
    formula: Any = 1
    for _ in range(steps):
        formula = ["X", formula]
    return ["&", formula, ["!", ["X", 1]]]


@each(("steps", "events", "exists"), [
    (2, 2, True), (3, 2, False), (3, 3, True), (3, 5, True), (5, 4, False), (5, 5, True),
])  # fmt: skip
def test_unnamed_events_are_all_in_play(steps: int, events: int, exists: bool) -> None:
    """Only a ring of this many events will do, though the formula names one of them."""
    found = contrast.find(back_after(steps), 1, events, False)
    assert (found is not None) == exists
    if found:
        assert len(found["cycle"]) == steps
        assert contrast.errors(problem_of(back_after(steps), events), False, found) is None


def problem_of(formula: Any, events: int, initial: int = 1) -> dict[str, Any]:
    problem = {"task": "decide", "events": events, "initial": initial}
    return {**problem, "edges": [], "formula": formula}


@pytest.mark.parametrize("label", [True, False])
def test_names_of_events_do_not_matter(label: bool) -> None:
    rng = Random("names")
    for _ in range(100):
        formula, names = any_shape(rng, 4, 4), rng.sample(range(1, 5), 4)
        other = renamed(formula, names)
        found = contrast.find(formula, 2, 4, label)
        twin = contrast.find(other, names[1], 4, label)
        assert (found is None) == (twin is None)
        for path, asked, start in ((found, formula, 2), (twin, other, names[1])):
            if path is not None:
                assert contrast.errors(problem_of(asked, 4, start), label, path) is None


def renamed(formula: Any, names: list[int]) -> Any:
    if isinstance(formula, int):
        return names[formula - 1]
    return [formula[0], *(renamed(part, names) for part in formula[1:])]


@pytest.mark.parametrize("end", [["F", 3], ["F", ["G", 3]]], ids=["among others", "dead end"])
def test_a_contrast_may_need_a_path_that_no_graph_has_alone(end: Any) -> None:
    # To violate it, event2 must be followed by event1 and later by event3, perhaps forever.
    formula = ["!", ["&", ["X", 2], ["&", ["X", ["X", 1]], end]]]
    assert all(holds(formula, path) for path in only_paths(3, 1))
    found = contrast.find(formula, 1, 3, True)
    assert found is not None
    assert not holds(formula, found)
    assert contrast.errors(problem_of(formula, 3), True, found) is None


# ------------------------------------------------------------------------------ contrasts of items


def steps(path: dict[str, list[int]]) -> set[tuple[int, int]]:
    walk = [*path["prefix"], *path["cycle"], path["cycle"][0]]
    return set(pairwise(walk))


def test_the_contrast_of_an_item_is_a_graph_with_the_other_label() -> None:
    for item in items():
        problem, label = item.problem, item.target == "True"
        path = item.certificate["contrast"]
        assert contrast.errors(problem, label, path) is None
        assert holds(problem["formula"], path) is not label
        # the claim of the module, on the graph itself: what repeats at once is a dead end
        edges = [[a, b] for a, b in sorted(steps(path)) if a != b]
        other = {**problem, "edges": edges}
        sources = [a for a, _ in edges]
        assert not {a for a, b in steps(path) if a == b} & set(sources)
        assert label or len(sources) == len(set(sources))
        assert tableau.check(other).holds is not label
        assert spot.check(other).holds is not label


def test_forged_contrasts_are_rejected() -> None:
    tried = 0
    for item in items():
        problem, label, path = item.problem, item.target == "True", item.certificate["contrast"]
        # of another label: what contradicts True supports False
        assert contrast.errors(problem, not label, path) is not None
        other = next(e for e in range(1, problem["events"] + 1) if e != problem["initial"])
        first = {"prefix": [other, *path["prefix"]], "cycle": path["cycle"]}
        assert "starts at" in str(contrast.errors(problem, label, first))
        for part in ("prefix", "cycle"):
            for place, event in product(range(len(path[part])), (0, problem["events"] + 1, -1)):
                fake = deepcopy(path)
                fake[part][place] = event
                assert contrast.errors(problem, label, fake) is not None
                tried += 1
            assert contrast.errors(problem, label, {part: path[part]}) is not None
        assert contrast.errors(problem, label, {**path, "more": []}) is not None
        assert contrast.errors(problem, label, {**path, "cycle": []}) is not None
    assert tried > 300


def test_a_changed_event_passes_only_if_the_path_still_contrasts() -> None:
    rejected = 0
    for item in items():
        problem, label, path = item.problem, item.target == "True", item.certificate["contrast"]
        for part in ("prefix", "cycle"):
            for place, event in product(range(len(path[part])), range(1, problem["events"] + 1)):
                fake = deepcopy(path)
                fake[part][place] = event
                stays = {a for a, b in steps(fake) if a == b}
                sources = [a for a, b in steps(fake) if a != b]
                proves = (
                    [*fake["prefix"], *fake["cycle"]][0] == problem["initial"]
                    and not stays & set(sources)
                    and (label or len(sources) == len(set(sources)))
                    and holds(problem["formula"], fake) is not label
                )
                assert (contrast.errors(problem, label, fake) is None) == proves
                rejected += not proves
    assert rejected > 500


def test_a_second_successor_spoils_the_contrast_of_a_false_item() -> None:
    # F event3 holds on the path, but event1 may go back to event2 forever.
    path = {"prefix": [1, 2, 1], "cycle": [3]}
    asked = problem_of(["F", 3], 3)
    assert "two successors" in str(contrast.errors(asked, False, path))
    assert not tableau.check({**asked, "edges": [[1, 2], [1, 3], [2, 1]]}).holds
    # of a True item it is one path among others
    assert contrast.errors(problem_of(["G", ["!", 3]], 3), True, path) is None


JUNK: list[Any] = [
    None, True, 0, 1.5, "", "prefix", [], [[1], [2]], {}, {"prefix": 1, "cycle": 1},
    {"prefix": [], "cycle": "1"}, {"prefix": None, "cycle": [1]}, {"prefix": [True], "cycle": [1]},
    {"prefix": [1.0], "cycle": [2]}, {"prefix": ["1"], "cycle": [2]}, {"prefix": [], "cycle": [[1]]},
    {"prefix": {}, "cycle": {}}, {"prefix": {}, "cycle": {"0": 1}}, {"prefix": [1, "a"], "cycle": [2]},
    {"prefix": [10**400], "cycle": [-(10**5000)]}, {"prefix": [1] * 10**6, "cycle": [2]},
    {"prefix": [1, 2] * 10**5, "cycle": [1, 2]}, {"prefix": "a" * 10**6, "cycle": "b"},
]  # fmt: skip


@each("label", [True, False])
@each("place", range(len(JUNK)))
def test_junk_is_no_contrast(place: int, label: bool) -> None:
    assert contrast.errors(problem_of(["X", 2], 3), label, JUNK[place]) is not None


def test_nesting_without_end_is_no_contrast() -> None:
    one: Any = []
    two: Any = []
    for _ in range(5000):
        one, two = [one], [two]
    for fake in (one, {"prefix": [one], "cycle": [two]}, {"prefix": one, "cycle": two}):
        assert contrast.errors(problem_of(["X", 2], 3), True, fake) is not None


PATHS = st.fixed_dictionaries(
    {"prefix": st.lists(st.integers(0, 4), max_size=4), "cycle": st.lists(st.integers(0, 4))}
)


@settings(max_examples=some(75), deadline=None)
@given(PATHS, st.integers(0, 49))
def test_whatever_passes_is_a_graph_with_the_other_label(path: Any, place: int) -> None:
    item = items()[place]
    label = item.target == "True"
    if contrast.errors(item.problem, label, path) is None:
        edges = [[a, b] for a, b in sorted(steps(path)) if a != b]
        assert tableau.check({**item.problem, "edges": edges}).holds is not label
