"""The exact engine against brute force, against published cases, and against bad input."""

import json
import random
import sys
from collections.abc import Iterable
from functools import cache, partial
from math import comb
from pathlib import Path

import pytest
import tb_cause_hoa
from cases import SHARE, slow, some
from harness_tempobench import cause_hoa
from harness_tempobench.engines import brute, causes, diagrams
from harness_tempobench.errors import CauseError, HoaError
from harness_tempobench.machine import Machine
from hypothesis import given, settings
from hypothesis import strategies as st
from pace import within
from tb_machines import cause_of, lazy_machine, random_letters, random_machine, satisfies

from harness import Abstained

CASES = Path(__file__).parents[3].parent / "shared" / "data" / "causality" / "cases.jsonl"


def canonical(
    clauses: Iterable[Iterable[tuple[int, int]]],
) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return clauses in the form in which two causes are equal iff they mean the same.

    Repetitions and clauses that contain another one go; the rest is sorted by size and content.
    (A monotone function has exactly one irredundant conjunctive form.)
    """
    sets = sorted({frozenset(clause) for clause in clauses}, key=len)
    kept: list[frozenset[tuple[int, int]]] = []
    for one in sets:
        if not any(other <= one for other in kept):
            kept.append(one)
    return tuple(sorted((tuple(sorted(one)) for one in kept), key=lambda c: (len(c), c)))


# a latch: `o` holds once `s` was given without `r`; `echo` is `s` or `r`
LATCH = Machine(
    ("s", "r"),
    ("o", "echo"),
    0,
    (
        ((0, 0b00), (1, 0b11), (0, 0b10), (0, 0b10)),
        ((1, 0b01), (1, 0b11), (0, 0b10), (0, 0b10)),
    ),
)


def some_case(rng: random.Random, pairs: int = 11):
    """A small machine, a word, a step, an output and the value it has there."""
    width, step = rng.randint(1, 3), rng.randint(0, 5)
    while width * (step + 1) > pairs:
        width, step = rng.randint(1, 3), rng.randint(0, 5)
    kind = rng.choice((random_machine, lazy_machine))
    machine = kind(rng, rng.randint(1, 6), width)
    word = random_letters(rng, machine, step + 1 + rng.randint(0, 2))
    output = rng.choice(machine.outputs)
    return machine, word, step, output, brute.holds(machine, word, step, output, True)


# exactness


def test_equals_brute_force_and_every_certificate_holds():
    rng, seen = random.Random(20), set()
    for _ in range(some(700)):
        machine, word, step, output, value = some_case(rng)
        cause = cause_of(machine, word, None, step, output, value)
        assert cause.clauses == brute.cause(machine, word, step, output, value)
        assert cause.clauses == canonical(cause.clauses)
        assert cause.faults() == []
        assert satisfies(cause, word)
        assert not any(satisfies(cause, proof.letters) for proof in cause.certificates)
        seen.add((value, bool(cause.clauses), cause.per_step is None))
    assert (
        len(seen) == 6
    )  # a cause that is true fits the published form, so two of the eight cannot be


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9))
def test_an_engine_kept_gives_what_a_new_one_gives(seed):
    rng = random.Random(seed)
    machine, word, step, _, _ = some_case(rng, 8)
    engine = causes.Engine(machine)
    for output in machine.outputs:
        for when in range(step + 1):
            value = brute.holds(machine, word, when, output, True)
            kept = engine.cause(word, machine.run(word)[1], when, output, value)
            assert kept == cause_of(machine, word, None, when, output, value)


def test_a_cause_says_of_every_word_what_the_definition_says():
    rng = random.Random(22)
    for _ in range(60):
        machine, word, step, output, value = some_case(rng, 8)
        cause = cause_of(machine, word, None, step, output, value)
        width = len(machine.inputs)
        broken = []
        for flips in range(1 << width * (step + 1)):
            other = [
                x ^ (flips >> t * width) % (1 << width) for t, x in enumerate(word[: step + 1])
            ]
            if not brute.holds(machine, other, step, output, value):
                broken.append(flips)
            assert satisfies(cause, other) is not any(flips & b == b for b in broken)


@cache
def machine_of(text: str, inputs: tuple[str, ...], outputs: tuple[str, ...]) -> Machine:
    read = tb_cause_hoa.read(text)
    table = []
    for state in range(len(read.edges)):
        cells = []
        for letter in range(1 << len(inputs)):
            cell = []
            for mask in range(1 << len(outputs)):
                values = {name: letter >> i & 1 for i, name in enumerate(inputs)}
                values |= {name: mask >> i & 1 for i, name in enumerate(outputs)}
                target = read.next(state, sum(values[ap] << i for i, ap in enumerate(read.aps)))
                cell += [(target, mask)] if target is not None else []
            assert len(cell) == 1
            cells += cell
        table.append(tuple(cells))
    return Machine(inputs, outputs, read.start, tuple(table))


def masks(row, names):
    return [
        sum(bool(step[name]) << i for i, name in enumerate(row[names])) for step in row["trace"]
    ]


@pytest.mark.skipif(not CASES.exists(), reason="the published cases are not here")
def test_all_published_cases_agree_as_automata(tmp_path):
    spot = pytest.importorskip("spot")
    rows = [json.loads(line) for line in CASES.read_text().splitlines()]
    assert len(rows) == 300
    simulated = 0
    for row in rows[::SHARE]:
        machine = machine_of(row["machine"], tuple(row["inputs"]), tuple(row["outputs"]))
        step, output = row["effect"]["step"], row["effect"]["ap"]
        cause = cause_of(machine, masks(row, "inputs"), masks(row, "outputs"), step, output)
        assert len(cause.clauses) == row["clauses"]
        assert cause.faults() == []
        (tmp_path / "ours.hoa").write_text(cause.to_hoa())
        (tmp_path / "theirs.hoa").write_text(row["cause_hoa"] + "\n")
        ours, theirs = (spot.automaton(str(tmp_path / f"{n}.hoa")) for n in ("ours", "theirs"))
        assert spot.is_deterministic(ours)
        assert spot.are_equivalent(ours, theirs)
        if len(machine.inputs) * (step + 1) <= 9:  # without Spot, in every word
            simulated += 1
            for text in (row["cause_hoa"], cause.to_hoa()):
                automaton = tb_cause_hoa.read(text)
                assert tb_cause_hoa.same_language(
                    automaton, cause.machine.inputs, step + 1, partial(satisfies, cause)
                )
    assert simulated > some(100)


# what a cause tells


def test_a_disjunction_across_steps():
    cause = cause_of(LATCH, [0b01, 0b01, 0b00], None, 2, "o")
    assert cause.clauses == (((1, 1),), ((2, 1),), ((0, 0), (1, 0)), ((0, 1), (1, 0)))
    assert cause.per_step is None
    assert cause.cross_step_clauses == [["0:s", "1:s"], ["0:!r", "1:s"]]
    proofs = [proof.letters for proof in cause.certificates]
    assert proofs == [(1, 3, 0), (1, 1, 2), (0, 0, 0), (3, 0, 0)]


def test_the_published_label():
    cause = cause_of(LATCH, [0b01, 0b11], None, 1, "echo")
    assert cause.per_step == {"0": ["no constraints"], "1": ["s or r"]}
    assert cause.cross_step_clauses == []
    negative = cause_of(LATCH, [0b00], None, 0, "o", False)
    assert negative.per_step == {"0": ["!s"]}


def test_an_unavoidable_effect_has_the_cause_true():
    machine = Machine(("a",), ("o",), 0, (((0, 1), (0, 1)),))
    cause = cause_of(machine, [0, 1], [1, 1], 1, "o")
    assert (cause.clauses, cause.certificates) == ((), ())
    assert cause.per_step == {"0": ["no constraints"], "1": ["no constraints"]}
    assert satisfies(cause, [1, 0])
    assert "[t] 0" in cause.to_hoa()


def test_a_machine_without_inputs_has_causes():
    machine = Machine((), ("o",), 0, (((1, 1),), ((0, 0),)))
    assert cause_of(machine, [0, 0, 0], None, 2, "o").clauses == ()
    assert cause_of(machine, [0, 0], None, 1, "o", False).clauses == ()


def test_outputs_by_name_and_by_place_are_the_same():
    one = cause_of(LATCH, [1, 1, 0], None, 2, 0)
    assert one == cause_of(LATCH, [1, 1, 0], None, 2, "o")


def test_causes_are_equal_by_meaning():
    assert canonical([[(1, 0), (0, 0)], [(0, 0), (1, 0), (1, 1)], [(2, 0)], [(2, 0)]]) == (
        ((2, 0),),
        ((0, 0), (1, 0)),
    )


# certificates that do not hold


@pytest.mark.parametrize(
    ("clauses", "fault"),
    [
        ((((0, 0),),), "does not break"),
        ((((1, 0), (1, 1)),), "(1, 0) can be left out"),
        ((((0, 0), (1, 0), (2, 0)),), "(2, 0) can be left out"),
    ],
)
def test_a_wrong_clause_is_found(clauses, fault):
    right = cause_of(LATCH, [1, 1, 0], None, 2, "o")
    wrong = causes.Cause(LATCH, right.letters, 2, "o", True, clauses)
    assert any(fault in line for line in wrong.faults())


def test_minimality_is_shown_even_where_no_single_literal_can_be_left_out():
    # `o` fails after an odd number of flips: {a} breaks, pairs do not, three do again
    odd = Machine(("a",), ("o",), 0, (((0, 1), (1, 0)), ((1, 0), (0, 1))))
    right = cause_of(odd, [0, 0, 0], None, 2, "o")
    assert right.clauses == (((0, 0),), ((1, 0),), ((2, 0),))
    three = (((0, 0), (1, 0), (2, 0)),)
    assert causes.Cause(odd, right.letters, 2, "o", True, three).faults()


# refusals


@pytest.mark.parametrize(
    ("letters", "outputs", "step", "output", "value", "words"),
    [
        ([1, 1, 0], None, 2, "o", False, "o is not false at step 2"),
        ([1, 1, 2], None, 2, "o", True, "o is not true at step 2"),
        ([1, 1, 0], None, 3, "o", True, "step 3 is outside"),
        ([1, 1, 0], None, -1, "o", True, "step -1 is outside"),
        ([1, 1, 0], None, True, "o", True, "a step is a whole number, not True"),
        ([1, 1, 0], None, 10**30, "o", True, "is outside"),
        ([1, 1, 0], None, "2", "o", True, "a step is a whole number, not '2'"),
        ([], None, 0, "o", True, "its 0 steps"),
        ([1, 1, 0], None, 2, "s", True, "no output 's'"),
        ([1, 1, 0], None, 2, "x" * 10**6, True, "no output"),
        ([1, 1, 0], None, 2, 2, True, "no output '2'"),
        ([1, 1, 0], None, 2, -1, True, "no output '-1'"),
        ([1, 1, 0], None, 2, None, True, "no output 'None'"),
        ([1, 1, 0], [3, 3], 2, "o", True, "outputs of 2 steps"),
        ([1, 1, 0], [3, 2, 1], 2, "o", True, "differ at step 1"),
    ],
)
def test_effects_that_have_no_cause_are_refused_with_one_line(
    letters, outputs, step, output, value, words
):
    with pytest.raises(CauseError, match=words) as caught:
        cause_of(LATCH, letters, outputs, step, output, value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


def test_brute_force_refuses_what_is_too_large_and_what_is_no_effect():
    with pytest.raises(Abstained, match="more than 14 pairs"):
        brute.cause(LATCH, [0] * 8, 7, "o")
    with pytest.raises(CauseError, match="no effect"):
        brute.cause(LATCH, [0], 0, "o")


# bounds


def majority(need: int) -> Machine:
    """`o` fails from the step on at which `a` was given `need` times."""
    rows = [((q, 1), (q + 1, int(q + 1 < need))) for q in range(need)]
    return Machine(("a",), ("o",), 0, (*rows, ((need, 0), (need, 0))))


def test_too_many_clauses_abstain_with_their_number():
    assert len(cause_of(majority(3), [0] * 12, None, 11, "o").clauses) == 220
    assert len(cause_of(majority(3), [0] * 12, None, 11, "o", max_clauses=220).clauses) == 220
    with pytest.raises(causes.Abstained, match="has 220 clauses: allow more than 219"):
        cause_of(majority(3), [0] * 12, None, 11, "o", max_clauses=219)
    with pytest.raises(causes.Abstained, match=f"has {comb(60, 30):,} clauses"):
        cause_of(majority(30), [0] * 60, None, 59, "o")


def test_the_bound_of_nodes_is_exact():
    def asked(most: int) -> int:
        return len(cause_of(majority(3), [0] * 12, None, 11, "o", max_nodes=most).clauses)

    least = 32
    assert asked(least) == asked(10**6) == 220  # 31 nodes say it: steps left × flips left
    with pytest.raises(causes.Abstained, match=f"more than {least - 1} nodes"):
        asked(least - 1)


def test_nodes_below_each_other_are_bounded():
    """Any two of 500 flips break the effect; so the stack is no deeper than `MAX_HEIGHT` allows."""
    half = diagrams.MAX_HEIGHT
    assert len(cause_of(majority(1), [0] * 2 * half, None, 2 * half - 1, "o").clauses) == 2 * half
    assert cause_of(majority(2), [0] * 90, None, 89, "o").clauses[-1] == ((88, 0), (89, 0))
    with pytest.raises(causes.Abstained, match=f"{half} below each other"):
        cause_of(majority(2), [0] * 2 * half, None, 2 * half - 1, "o")


@settings(max_examples=100, deadline=None)
@given(st.lists(st.frozensets(st.integers(0, 5)), max_size=6), st.integers(0, 2**32))
def test_diagrams_are_the_functions_that_they_stand_for(sets, seed):
    """Minimal sets and their number are those of the up-closed function of random sets of 0 to 5."""
    table = diagrams.Diagrams(10_000)
    random.Random(seed).shuffle(sets)
    function = 0
    for chosen in sets:
        below = 1
        for level in sorted(chosen, reverse=True):
            below = table.node(level, 0, below)
        function = table.union(function, below)
    least = {chosen for chosen in sets if not any(other < chosen for other in sets)}
    family = table.minimal(function)
    assert table.count(family) == len(least)
    assert sorted(table.sets(family)) == sorted(tuple(sorted(chosen)) for chosen in least)


def test_an_automaton_of_too_many_edges_abstains(monkeypatch):
    cause = cause_of(majority(3), [0] * 12, None, 11, "o")
    assert cause.to_hoa().count("State:") == 31  # steps left × flips left
    monkeypatch.setattr(cause_hoa, "MAX_EDGES", 20)
    with pytest.raises(causes.Abstained, match="more than 20 edges"):
        cause.to_hoa()
    monkeypatch.setattr(cause_hoa, "MAX_WORK", 100)
    with pytest.raises(causes.Abstained, match="more work"):
        cause.to_hoa()


@slow
def test_a_machine_of_200_states_takes_little_time():
    rng = random.Random(3)
    machine = random_machine(rng, 200, 4)
    word = random_letters(rng, machine, 21)
    value = brute.holds(machine, word, 20, "o0", True)
    with within(1 if sys.gettrace() is None else 10):
        cause = cause_of(machine, word, None, 20, "o0", value)
    assert cause.clauses


# automata


def test_the_automaton_has_the_inputs_in_order_and_quotes_names():
    machine = Machine(('a"b', "c\\d"), ("o",), 0, (((0, 0), (0, 1), (0, 0), (0, 1)),))
    text = cause_of(machine, [1], None, 0, "o").to_hoa()
    assert 'AP: 2 "a\\"b" "c\\\\d"' in text
    assert tb_cause_hoa.read(text).aps == ('a"b', "c\\d")


HOA = """HOA: v1
States: 2
Start: 0
AP: 1 "s"
Acceptance: 0 t
--BODY--
State: 0
[0] 1
State: 1
[t] 1
--END--
"""


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("HOA: v1", "", "begins with HOA:"),
        ("HOA: v1", "/bin/ls |", "begins with HOA:"),
        ("--BODY--", "", "--BODY--"),
        ("--END--", "", "--END--"),
        ("0 t", "1 Inf(0)", "Acceptance: 0 t"),
        ("States: 2", "States: 2000000000", "States: once"),
        ("States: 2", "States: 200000000", "at most"),
        ("States: 2", "States: 2\nStates: 2", "States: once"),
        ("Start: 0", "Start: 2", "start 2"),
        ("Start: 0", "", "Start: once"),
        ("AP: 1", "AP: 2", "as many"),
        ('AP: 1 "s"', 'AP: 2 "s" "s"', "as many"),
        ('AP: 1 "s"', 'AP: 20 "s"', "as many"),
        ('AP: 1 "s"', 'AP: 1 "s', "AP: once"),
        ("State: 1\n", "State: 2\n", "beyond"),
        ("[0] 1", "[0] 7", "neither"),
        ("State: 0\n", "", "neither"),
        ("[0] 1", "1", "neither"),
        ("[0] 1", "[1] 1", "no label"),
        ("[0] 1", "[] 1", "no label"),
        ("[0] 1", "[0 0] 1", "no label"),
        ("[0] 1", "[(0] 1", "no label"),
        ("[0] 1", "[" + "!" * 10**5 + "0] 1", "no label"),
        ("[0] 1", "[" + "(" * 10**5 + "0] 1", "no label"),
        ("[0] 1", "[__import__('os')] 1", "no label"),
    ],
)
def test_a_text_that_is_no_automaton_of_a_cause_is_refused(old, new, words):
    assert tb_cause_hoa.read(HOA).start == 0
    with pytest.raises(HoaError, match=words) as caught:
        tb_cause_hoa.read(HOA.replace(old, new, 1))
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("", "", True),
        ("[0] 1", "[!!0&t|f] 1", True),
        ("[0] 1", "[!0] 1", False),
        ("[0] 1", "[t] 1", False),
        ("[t] 1", "[0] 1", False),  # says something about the step behind
        ("[t] 1", "[f] 1", False),
        ("[0] 1", "[0] 1\n[!0] 0", False),  # only later
    ],
)
def test_equality_with_an_automaton(old, new, same):
    automaton = tb_cause_hoa.read(HOA.replace(old, new, 1) if old else HOA)
    assert (
        tb_cause_hoa.same_language(automaton, ("s", "r"), 1, lambda word: bool(word[0] & 1)) is same
    )


def test_automata_that_cannot_be_compared_are_refused():
    automaton = tb_cause_hoa.read(HOA)
    with pytest.raises(HoaError, match="more than"):
        tb_cause_hoa.same_language(automaton, ("s", "r"), 9, lambda word: True)
    with pytest.raises(HoaError, match="inputs only"):
        tb_cause_hoa.same_language(automaton, ("r",), 1, lambda word: True)
    split = tb_cause_hoa.read(HOA.replace("[0] 1", "[0] 1\n[0] 0"))
    with pytest.raises(HoaError, match="several edges"):
        tb_cause_hoa.same_language(split, ("s",), 1, lambda word: True)
