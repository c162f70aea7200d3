"""The certificate checker: its semantics against Spot, its refusals against anything at all."""

import random

import pytest
from cases import each, some
from harness_logic import spot_library
from harness_ltlbench.engines.lasso import MAX_LENGTH, holds, path_errors
from harness_ltlbench.formula import text
from hypothesis import given, settings
from hypothesis import strategies as st
from ltl_random import UNARY, any_shape

GRAPH = {"task": "counterexample", "events": 4, "initial": 1, "edges": [[1, 2], [2, 1], [2, 3]]}


def spot_holds(spot, formula, prefix, cycle, events):
    """Through Spot's parser and its words: another road than the engine takes."""

    def letter(event):
        return "&".join(f"{'' if e == event else '!'}event{e}" for e in range(1, events + 1))

    parts = [letter(event) for event in prefix]
    parts.append("cycle{" + ";".join(letter(event) for event in cycle) + "}")
    word = spot.parse_word(";".join(parts))
    automaton = spot.formula(text(formula)).translate("low")
    return word.as_automaton().intersects(automaton)


@pytest.mark.parametrize("operators", [0, 1, 2, 3, 5, 8])
def test_holds_means_what_spot_means(operators):
    spot = spot_library.modules()[0]
    rng = random.Random(operators)
    truths = set()
    for _ in range(500):
        events = rng.randint(1, 4)
        formula = any_shape(rng, events, operators)
        prefix = [rng.randint(1, events) for _ in range(rng.randint(0, 4))]
        cycle = [rng.randint(1, events) for _ in range(rng.randint(1, 4))]
        truth = holds(formula, prefix, cycle)
        assert truth == spot_holds(spot, formula, prefix, cycle, events), (formula, prefix, cycle)
        # two ways to write the same path
        assert truth == holds(formula, [*prefix, cycle[0]], [*cycle[1:], cycle[0]])
        assert truth == holds(formula, prefix, cycle * 3)
        truths.add(truth)
    assert truths == {True, False}


@each(
    ("formula", "prefix", "cycle", "truth"),
    [
        (["X", 1], [], [1], True),
        (["X", 2], [1], [2], True),
        (["X", ["X", 1]], [], [1, 2], True),
        (["U", 1, 2], [1, 1], [3], False),
        (["W", 1, 2], [], [1], True),
        (["U", 1, 2], [], [1], False),
        (["R", 2, 1], [1], [2], False),
        (["R", 2, 1], [], [1], True),
        (["M", 2, 1], [], [1], False),
        (["M", ["X", 2], 1], [1, 1], [2], True),
        (["G", ["F", 2]], [1, 1], [1, 2], True),
        (["F", ["G", 2]], [1, 1], [1, 2], False),
        (["F", 3], [1, 2], [2], False),
        (9, [], [1], False),
    ],
)
def test_known_cases(formula, prefix, cycle, truth):
    assert holds(formula, prefix, cycle) is truth


def test_deep_formulas_and_long_paths_are_no_problem():
    deep = 1
    for i in range(200):
        deep = [UNARY[i % 3], deep]
    assert holds(deep, [], [1])
    half = MAX_LENGTH // 2
    assert not holds(["U", 1, ["U", 1, 2]], [1] * half, [1] * half)
    assert holds(["U", 1, 2], [1] * half, [2])


@each(
    ("path", "reason"),
    [
        (None, "a path is an object with the keys prefix and cycle and no other"),
        ({"prefix": []}, "a path is an object with the keys prefix and cycle and no other"),
        ({"prefix": [], "cycle": [1], "x": 0}, "a path is an object with the keys"),
        ({"prefix": "1", "cycle": [1]}, "the prefix is not a list"),
        ({"prefix": [], "cycle": {}}, "the cycle is not a list"),
        ({"prefix": [], "cycle": []}, "the cycle is empty"),
        ({"prefix": [True], "cycle": [1]}, "the prefix has an entry that is not an event number"),
        ({"prefix": [], "cycle": [1.0]}, "the cycle has an entry that is not an event number"),
        ({"prefix": [], "cycle": [0]}, "there is no event0"),
        ({"prefix": [1, 5], "cycle": [1]}, "there is no event5"),
        ({"prefix": [1], "cycle": [10**5000]}, "there is no event(out of range)"),
        ({"prefix": [], "cycle": [2, 1]}, "the path starts at event2, not at event1"),
        ({"prefix": [1], "cycle": [3]}, "event1 cannot be followed by event3"),
        ({"prefix": [], "cycle": [1]}, "event1 cannot be followed by event1"),
        ({"prefix": [1, 2], "cycle": [3, 1]}, "event3 cannot be followed by event1"),
        ({"prefix": [], "cycle": [1, 2, 3]}, "event3 cannot be followed by event1"),
        ({"prefix": [], "cycle": [1, 2] * MAX_LENGTH}, "the path is longer than 4096 events"),
        ({"prefix": [1, 2] * 2000, "cycle": [1, 2] * 2000}, "the path is longer than 4096"),
        ({"prefix": [], "cycle": [1, 2]}, None),
        ({"prefix": [1, 2], "cycle": [3]}, None),
        ({"prefix": [1, 2], "cycle": [3, 3]}, None),
    ],
)
def test_path_errors(path, reason):
    found = path_errors(GRAPH, path)
    assert found is None if reason is None else found is not None and found.startswith(reason)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["prefix", "cycle", "x"]), inner, max_size=3)
    ),
    max_leaves=12,
)
events = st.lists(st.integers(0, 5) | json_values, max_size=5)


@settings(max_examples=some(100), deadline=None, derandomize=True)
@given(json_values | st.fixed_dictionaries({"prefix": events, "cycle": events}))
def test_path_errors_never_raises(value):
    found = path_errors(GRAPH, value)
    assert found is None or (isinstance(found, str) and "\n" not in found and len(found) < 100)
    if found is None:
        assert holds(["F", value["cycle"][0]], value["prefix"], value["cycle"])
