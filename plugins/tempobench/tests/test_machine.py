"""Machines: what is refused, runs and traces, canonical numbering, random walks, speed."""

import random
from collections import Counter

import pytest
from harness_tempobench.errors import TempobenchError
from harness_tempobench.machine import (
    MAX_INPUTS,
    MAX_OUTPUTS,
    MAX_STATES,
    Machine,
    check_size,
    walk,
)
from hypothesis import given
from hypothesis import strategies as st
from pace import within

# "on" after "go" until "stop"; bit 0 of a letter is go, bit 1 is stop
SWITCH = Machine(
    ("go", "stop"),
    ("on", "off"),
    0,
    (((0, 2), (1, 1), (0, 2), (0, 2)), ((1, 1), (1, 1), (0, 2), (0, 2))),
)


@st.composite
def machines(draw, states=6, inputs=3, outputs=3):
    rng = random.Random(draw(st.integers(0, 2**32)))
    n, i, o = (draw(st.integers(1, most)) for most in (states, inputs, outputs))
    return random_machine(rng, n, i, o)


def random_machine(rng, states, inputs, outputs):
    names = [f"{kind}{k}" for kind, most in (("i", inputs), ("o", outputs)) for k in range(most)]
    table = tuple(
        tuple((rng.randrange(states), rng.randrange(1 << outputs)) for _ in range(1 << inputs))
        for _ in range(states)
    )
    return Machine(tuple(names[:inputs]), tuple(names[inputs:]), rng.randrange(states), table)


def test_a_run_starts_in_the_start_and_has_one_state_more_than_steps():
    assert SWITCH.run([0, 1, 0, 2]) == ((0, 0, 1, 1, 0), (2, 1, 1, 2))
    assert SWITCH.run([]) == ((0,), ())


STEP = {"go": False, "stop": False, "on": True, "off": False}


def test_a_trace_names_every_proposition_and_is_split_into_letters_and_masks():
    trace = [STEP | {"go": True}, {"go": False, "stop": True, "on": False, "off": True}]
    assert SWITCH.split(trace) == ((1, 2), (1, 2))
    assert SWITCH.split([]) == ((), ())


def test_the_first_deviation_is_named():
    assert SWITCH.deviation((1, 2), (1, 2)) is None
    assert SWITCH.deviation((1, 2, 0), (1, 1, 0)) == 1
    with pytest.raises(ValueError, match="shorter"):
        SWITCH.deviation((1, 2), (1,))


@pytest.mark.parametrize(
    ("trace", "said"),
    [
        (5, "list of steps"),
        ([5], "step 0 of the trace is a int"),
        ([{"go": True}], "no value for off"),
        ([STEP | {"x": True}], "names 'x'"),
        ([STEP | {"go": 2}], "gives go the value '2'"),
        ([STEP | {"go": "1"}], "gives go"),
        ([STEP | {"go": None}], "gives go"),
        ([STEP | {"go": 1.0}], "gives go"),
    ],
)
def test_a_trace_of_another_shape_is_refused(trace, said):
    with pytest.raises(TempobenchError, match=said):
        SWITCH.split(trace)


ROW = ((0, 0), (0, 1))


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ((("a",), (), 0, (ROW,)), "at least one output"),
        ((("a",), ("a",), 0, (ROW,)), "a is named twice"),
        ((("a",), ("b", "b"), 0, (ROW,)), "b is named twice"),
        ((("a",), ("b\n",), 0, (ROW,)), "printable"),
        ((("a",), ("",), 0, (ROW,)), "printable"),
        ((("a",), (7,), 0, (ROW,)), "printable"),
        ((("a",), ("b" * 101,), 0, (ROW,)), "printable"),
        ((("a",), ("b",), 1, (ROW,)), "cannot start in 1"),
        ((("a",), ("b",), -1, (ROW,)), "cannot start in -1"),
        ((("a",), ("b",), None, (ROW,)), "cannot start in None"),
        ((("a",), ("b",), 0, ()), "0 states"),
        ((("a",), ("b",), 0, (ROW[:1],)), "state 0 has 1 cells"),
        ((("a",), ("b",), 0, (((0, 0), (1, 0)),)), r"\(1, 0\)"),
        ((("a",), ("b",), 0, (((0, 0), (0, 2)),)), r"\(0, 2\)"),
        ((("a",), ("b",), 0, (((0, 0), (0, -1)),)), r"\(0, -1\)"),
        ((("a",), ("b",), 0, (((0, 0), (0,)),)), r"\(0,\)"),
        ((("a",), ("b",), 0, (((0, 0), (0, "1")),)), "which is no"),
        ((("a",), ("b",), 0, (((0, 0), 1),)), "rows of pairs"),
        ((("a",), ("b",), 0, (5,)), "rows of pairs"),
        ((tuple(map(str, range(MAX_INPUTS + 1))), ("b",), 0, (ROW,)), "13 inputs"),
        (((), tuple(map(str, range(MAX_OUTPUTS + 1))), 0, (((0, 0),),)), "41 outputs"),
        (((), ("b",), 0, (((0, 0),),) * (MAX_STATES + 1)), "2,001 states"),
    ],
)
def test_parts_that_do_not_fit_are_refused_in_one_line(parts, said):
    with pytest.raises(TempobenchError, match=said) as caught:
        Machine(*parts)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


def test_the_number_of_cells_is_bounded():
    with pytest.raises(TempobenchError, match="2,000,000"):
        check_size(tuple(map(str, range(12))), ("b",), 489)
    check_size(tuple(map(str, range(12))), ("b",), 488)
    with pytest.raises(TempobenchError, match="2,001 states: a machine has 1 to 2,000"):
        check_size((), ("b",), 2_001)


def test_lists_are_made_tuples_and_machines_can_be_compared_and_shown():
    lists = Machine(
        *(list(part) for part in (("go", "stop"), ("on", "off"))), 0, list(SWITCH.table)
    )
    assert lists == SWITCH
    assert hash(lists) == hash(SWITCH)
    assert "table" not in repr(SWITCH)


@given(machines(), st.integers(0, 2**32))
def test_the_canonical_machine_behaves_the_same_whatever_the_numbers_were(machine, seed):
    rng = random.Random(seed)
    canonical = machine.canonical()
    letters, masks = walk(machine, 30, rng)
    assert canonical.run(letters)[1] == masks
    assert canonical.reachable() == list(range(len(canonical.table)))
    order = list(range(len(machine.table)))
    rng.shuffle(order)
    table = [machine.table[order.index(state)] for state in range(len(order))]
    shuffled = [[(order[to], mask) for to, mask in row] for row in table]
    other = Machine(machine.inputs, machine.outputs, order[machine.start], shuffled)
    assert other.canonical() == canonical


def test_unreachable_states_are_dropped():
    table = (((2, 0),), ((0, 0),), ((2, 1),))
    machine = Machine((), ("b",), 0, table)
    assert machine.reachable() == [0, 2]
    assert machine.canonical() == Machine((), ("b",), 0, (((1, 0),), ((1, 1),)))


@given(machines(), st.integers(0, 2**32), st.integers(0, 50))
def test_a_walk_is_a_run_and_the_seed_decides_it(machine, seed, steps):
    letters, masks = walk(machine, steps, random.Random(seed))
    assert len(letters) == len(masks) == steps
    assert machine.deviation(letters, masks) is None
    assert walk(machine, steps, random.Random(seed)) == (letters, masks)


def test_inputs_follow_their_chances():
    letters, _ = walk(SWITCH, 20_000, random.Random(5), {"go": 0.5, "stop": 0.1})
    share = {
        name: sum(x >> i & 1 for x in letters) / 20_000 for i, name in enumerate(SWITCH.inputs)
    }
    assert abs(share["go"] - 0.5) < 0.02
    assert abs(share["stop"] - 0.1) < 0.02
    counts = Counter(letters)  # each on its own
    assert abs(counts[3] / 20_000 - 0.05) < 0.01


@pytest.mark.parametrize(("go", "stop", "letter"), [(0, 0, 0), (1, 1, 3), (1, 0, 1)])
def test_certain_inputs_are_certain(go, stop, letter):
    chances = {"go": go, "stop": stop}
    assert set(walk(SWITCH, 1_000, random.Random(1), chances)[0]) == {letter}


def test_half_a_million_steps_take_less_than_a_second():
    machine = random_machine(random.Random(1), 200, 6, 6)
    with within(1):
        walk(machine, 500_000, random.Random(1))
