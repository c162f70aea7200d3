"""Traces: the word stays the same, prompts read back, and what is no trace is refused."""

import random
import re

import pytest
from cases import each, some
from harness_vltl import lassos as module
from harness_vltl.lassos import TraceError, validate
from hypothesis import given, settings
from hypothesis import strategies as st
from vltl_random import random_trace, traces

from harness import HarnessError

NAMES = ("idle", "deliver(bench,loading_dock)", "photo(dog-2,north_1st)", "p", "nothing_much")


def word(trace, length=60):
    states, loop = trace["states"], trace["loop"]
    period = len(states) - loop
    return [states[i if i < loop else loop + (i - loop) % period] for i in range(length)]


# ------------------------------------------------------------------------------------ reduced


@settings(max_examples=max(some(75), 20), deadline=None)
@given(traces(("p", "q"), longest=8))
def test_reduced_is_the_same_word(trace):
    found = module.reduced(trace["states"], trace["loop"])
    validate(found)
    assert word(found) == word(trace)


def test_reduced_is_the_shortest_of_its_word():
    rng = random.Random("reduced")
    shorter = 0
    for _ in range(400):
        trace = random_trace(rng, ("p",), longest=7)
        found = module.reduced(trace["states"], trace["loop"])
        assert word(found) == word(trace)
        shorter += len(found["states"]) < len(trace["states"])
        states = word(trace)
        for length in range(1, len(found["states"])):
            for loop in range(length):
                assert word({"states": states[:length], "loop": loop}) != states
    assert shorter > 100


def test_reduced_does_not_depend_on_how_the_word_is_written():
    rng = random.Random("written")
    for _ in range(200):
        trace = random_trace(rng, ("p", "q"), longest=5)
        states, loop = trace["states"], trace["loop"]
        longer = [*states, *states[loop:], *states[loop:]]
        one = module.reduced(states, loop)
        assert module.reduced(longer, loop) == one
        assert module.reduced(longer, len(states)) == one
        assert module.reduced(one["states"], one["loop"]) == one


def test_reduced_leaves_its_input_alone():
    states = [["p"], ["p"], ["p"]]
    assert module.reduced(states, 1) == {"states": [["p"]], "loop": 0}
    assert states == [["p"], ["p"], ["p"]]


# -------------------------------------------------------------------------------- text, read


@settings(max_examples=max(some(75), 20), deadline=None)
@given(traces(NAMES, longest=9))
def test_what_is_written_reads_back(trace):
    said = module.text(trace)
    assert module.read(said.split("\n")) == trace
    assert len(said.split("\n")) == len(trace["states"]) + 1


def test_the_longest_trace_reads_back():
    full = sorted(f"action_{i}(a,b)" for i in range(60))
    for loop in (0, 57, 199):
        trace = {"states": [full, []] * 100, "loop": loop}
        assert module.read(module.text(trace).split("\n")) == trace


TRACE = {"states": [["p"], [], ["p", "q"]], "loop": 1}
LINES = tuple(module.text(TRACE).split("\n"))


@each(
    "lines",
    [
        LINES[:-1],
        LINES[1:],
        LINES[-1:],
        [LINES[0], *LINES[2:]],
        [LINES[1], LINES[0], *LINES[2:]],
        [*LINES, LINES[-1]],
        [*LINES, ""],
        ["", *LINES],
        [*LINES[:2], "Step 3: q, p", LINES[3]],
        [*LINES[:2], "Step 3: p, p", LINES[3]],
        [*LINES[:2], "Step 3: p,q", LINES[3]],
        [*LINES[:2], "Step 3: p,  q", LINES[3]],
        [*LINES[:2], "Step 3: ", LINES[3]],
        [*LINES[:2], "Step 3: p and q", LINES[3]],
        [*LINES[:2], "step 3: p", LINES[3]],
        [*LINES[:2], "Step 3: p\n", LINES[3]],
        [*LINES[:2], "Step ٣: p", LINES[3]],
        [*LINES[:3], LINES[3].replace("step 2", "step 4")],
        [*LINES[:3], LINES[3].replace("step 2", "step 0")],
        [*LINES[:3], LINES[3].replace("After step 3", "After step 2")],
        [*LINES[:3], LINES[3] + " "],
        [*LINES[:3], "From step 2 on, the state stays as it is forever."],
        [*LINES[:3], "From step 3 on, the state stays as it is for ever."],
        ["Step 1: " + "p" * 20_001, "From step 1 on, the state stays as it is forever."],
        ["Step 1: p", "From step 1000 on, the state stays as it is forever."],
    ],
)
def test_lines_that_are_no_trace_are_not_read(lines):
    assert module.read(lines) is None


def test_a_word_changed_or_dropped_is_never_read_as_the_same_trace():
    words = "\n".join(LINES).split(" ")
    for at in range(len(words)):
        for other in ([], ["7"], [words[at], words[at]]):
            changed = " ".join([*words[:at], *other, *words[at + 1 :]])
            if changed != "\n".join(LINES):
                assert module.read(changed.split("\n")) != TRACE, changed


@settings(max_examples=max(some(60), 20), deadline=None)
@given(st.lists(st.text(max_size=40), min_size=1, max_size=4))
def test_any_lines_are_a_trace_or_none(lines):
    found = module.read(lines)
    assert found is None or module.text(found)


# ----------------------------------------------------------------------------------- validate


@settings(max_examples=max(some(60), 20), deadline=None)
@given(traces(NAMES))
def test_traces_are_valid(trace):
    validate(trace)


@each(
    "trace",
    [
        None,
        [],
        "p",
        {},
        {"states": [[]]},
        {"loop": 0},
        {"states": [[]], "loop": 0, "more": 1},
        {"states": [], "loop": 0},
        {"states": "p", "loop": 0},
        {"states": [[]] * 201, "loop": 0},
        {"states": ["p"], "loop": 0},
        {"states": [("p",)], "loop": 0},
        {"states": [{"p": 1}], "loop": 0},
        {"states": [[1]], "loop": 0},
        {"states": [[None]], "loop": 0},
        {"states": [[["p"]]], "loop": 0},
        {"states": [["p", 1]], "loop": 0},
        {"states": [["q", "p"]], "loop": 0},
        {"states": [["p", "p"]], "loop": 0},
        {"states": [["p "]], "loop": 0},
        {"states": [["p\n"]], "loop": 0},
        {"states": [["p()"]], "loop": 0},
        {"states": [["p(a, b)"]], "loop": 0},
        {"states": [["1p"]], "loop": 0},
        {"states": [[""]], "loop": 0},
        {"states": [["p" * 101]], "loop": 0},
        {"states": [[f"p{i:03}" for i in range(201)]], "loop": 0},
        {"states": [["p"]], "loop": 1},
        {"states": [["p"]], "loop": -1},
        {"states": [["p"]], "loop": 0.0},
        {"states": [["p"]], "loop": False},
        {"states": [["p"]], "loop": "0"},
        {"states": [["p"]], "loop": None},
    ],
)
def test_what_is_no_trace_is_refused_in_one_line(trace):
    with pytest.raises(TraceError) as caught:
        validate(trace)
    said = str(caught.value)
    assert isinstance(caught.value, HarnessError)
    assert "trace" in said
    assert "\n" not in said
    assert len(said) < 200


def test_the_refusal_names_the_state():
    with pytest.raises(TraceError, match=re.escape("state 3 of a trace has 'p q'")):
        validate({"states": [[], ["p"], ["p q"]], "loop": 0})


# ------------------------------------------------------------------------------- make, renamed


def test_make_sorts_and_repeats_the_last_state():
    assert module.make([("q", "p"), {"p"}]) == {"states": [["p", "q"], ["p"]], "loop": 1}
    assert module.make([["p"], []], 0) == {"states": [["p"], []], "loop": 0}
    assert module.is_finite(module.make([["p"], []]))
    assert not module.is_finite(module.make([["p"], []], 0))


def test_renamed_sorts_anew_and_keeps_other_names():
    trace = {"states": [["prop_1", "prop_2"], ["x"]], "loop": 0}
    found = module.renamed(trace, {"prop_1": "z", "prop_2": "a"})
    assert found == {"states": [["a", "z"], ["x"]], "loop": 0}
    assert trace["states"][0] == ["prop_1", "prop_2"]
