"""The evaluator that makes labels, against fixpoints written out state by state."""

import random
import sys

from cases import each, slow, some
from harness_logic import lassos as words
from harness_vltl.engines import evaluator
from harness_vltl.engines.evaluator import freeze, pool_of, thaw
from hypothesis import given, settings
from vltl_fixpoint import fixpoint
from vltl_random import (
    ALL,
    BINARY,
    LIFTED,
    TEMPORAL,
    UNARY,
    formulas,
    lassos,
    random_formula,
    random_trace,
    traces,
)


def small(depth, leaves):
    """Every formula of at most so many operators on one path."""
    if depth == 0:
        return list(leaves)
    less = small(depth - 1, leaves)
    return [
        *less,
        *([o, f] for o in UNARY for f in less),
        *([o, f, g] for o in BINARY for f in less for g in leaves),
        *([o, g, f] for o in BINARY for f in less for g in leaves if f not in leaves),
    ]


def test_random_pairs_of_formula_and_traces_in_one_batch():
    rng = random.Random("evaluate")
    pairs = {True: 0, False: 0}
    for round_ in range(some(260)):
        known = TEMPORAL if round_ % 2 else ALL
        formula = random_formula(rng, rng.randint(0, 9), known=known)
        listed = [random_trace(rng, longest=7) for _ in range(20)]
        found = evaluator.verdicts(formula, listed)
        assert found == [fixpoint(formula, trace)[0] for trace in listed], (formula, listed)
        assert all(type(value) is bool for value in found)
        for trace in listed:
            pairs[trace["loop"] == len(trace["states"]) - 1] += 1
    assert min(pairs.values()) > 5 * some(260)


@slow
def test_every_small_formula_on_every_small_trace():
    listed = list(lassos(("p",), 3))
    for formula in small(2, ("p", True)):
        expected = [fixpoint(formula, trace)[0] for trace in listed]
        assert evaluator.verdicts(formula, listed) == expected, formula


@each("operator", ALL)
def test_every_operator_on_every_trace_of_two_propositions(operator):
    listed = list(lassos(("p", "q"), 3))
    formula = [operator, "p", "q"] if operator in BINARY else [operator, "p"]
    for wrapped in (formula, ["X", formula], ["!", formula]):
        expected = [fixpoint(wrapped, trace)[0] for trace in listed]
        assert evaluator.verdicts(wrapped, listed) == expected


@settings(max_examples=max(some(75), 20), deadline=None)
@given(formulas(), traces())
def test_holds_is_the_first_value_of_the_last_row_of_the_table(formula, trace):
    rows = evaluator.table(formula, trace)
    assert evaluator.holds(formula, trace) is rows[-1][1][0]
    assert rows[-1][0] == formula
    for part, values in rows:
        assert values == fixpoint(part, trace), part
    seen = []
    for part, _ in rows:  # operands come before their operators, and nothing twice
        assert not isinstance(part, list) or all(repr(one) in seen for one in part[1:])
        seen.append(repr(part))
    assert len(set(seen)) == len(seen)


@settings(max_examples=max(some(80), 20), deadline=None)
@given(formulas(), traces())
def test_freeze_and_thaw_are_inverse_and_keep_the_type_of_constants(formula, trace):
    frozen = freeze(formula)
    assert repr(thaw(frozen)) == repr(formula)
    assert freeze(frozen) == frozen
    hash(frozen)


@each("shape", [(1, 0), (2, 0), (7, 3), (8, 7), (9, 8), (17, 16), (33, 5)])
def test_traces_of_a_pool_do_not_touch_each_other(shape):
    """Every lane beside full and empty neighbours gives what it gives alone."""
    length, loop = shape
    rng = random.Random(f"pool|{shape}")
    full = {"states": [sorted(LIFTED)] * length, "loop": loop}
    empty = {"states": [[]] * length, "loop": loop}
    for _ in range(12):
        drawn = random_trace(rng, longest=1)["states"]
        states = [sorted(n for n in LIFTED if rng.random() < 0.5) for _ in range(length - 1)]
        own = {"states": states + drawn, "loop": loop}
        formula = random_formula(rng, 6, known=TEMPORAL)
        pool = pool_of([full, own, empty, own, full])
        value = pool.values(freeze(formula))
        for lane, trace in enumerate([full, own, empty, own, full]):
            lanes = [bool(value >> lane * length + i & 1) for i in range(length)]
            assert lanes == fixpoint(formula, trace)
        assert value < 1 << 5 * length


def test_values_are_the_same_before_and_after_the_cache_is_thrown_away(monkeypatch):
    rng = random.Random("cache")
    listed = [{**random_trace(rng, longest=4), "loop": 0} for _ in range(40)]
    listed = [trace for trace in listed if len(trace["states"]) == 4]
    asked = [random_formula(rng, 5) for _ in range(60)]
    whole = pool_of(listed)
    right = [whole.holds(freeze(f)) for f in asked]
    monkeypatch.setattr(words, "MAX_CACHED", 2)
    tiny = pool_of(listed)
    assert [tiny.holds(freeze(f)) for f in asked] == right
    assert len(tiny.known) <= 2


def test_a_word_written_in_other_ways_has_the_same_verdicts():
    rng = random.Random("unrolled")
    for _ in range(150):
        trace = random_trace(rng, longest=5)
        states, loop = trace["states"], trace["loop"]
        cycle = states[loop:]
        ways = [
            trace,
            {"states": states + cycle, "loop": loop},
            {"states": states + cycle, "loop": len(states)},
            {"states": [*states, states[loop]], "loop": loop + 1},
        ]
        formula = random_formula(rng, 6, known=TEMPORAL)
        assert len(set(evaluator.verdicts(formula, ways))) == 1, (formula, trace)


def test_what_the_formula_does_not_name_does_not_matter():
    trace = {"states": [["p", "x"], ["x"], ["p"]], "loop": 1}
    plain = {"states": [["p"], [], ["p"]], "loop": 1}
    for formula in small(1, ("p", "q", False)):
        assert evaluator.holds(formula, trace) is evaluator.holds(formula, plain)
    assert evaluator.holds("absent", trace) is False
    assert evaluator.holds(["G", ["!", "absent"]], trace) is True


def test_constants_need_no_proposition():
    for trace in lassos((), 3):
        assert evaluator.holds(True, trace) is True
        assert evaluator.holds(False, trace) is False
        assert evaluator.holds(["U", True, False], trace) is False
        assert evaluator.holds(["W", True, False], trace) is True


def test_pools_keep_the_numbers_of_their_traces():
    rng = random.Random("pools")
    listed = [random_trace(rng, longest=4) for _ in range(60)]
    numbers = []
    for pool, own in evaluator.pools(listed):
        assert own == sorted(own)
        for number in own:
            assert (pool.length, pool.loop) == (
                len(listed[number]["states"]),
                listed[number]["loop"],
            )
        numbers += own
    assert sorted(numbers) == list(range(60))
    assert evaluator.pools([]) == []
    assert evaluator.verdicts("p", []) == []


def test_the_deepest_formula_and_the_longest_trace_are_within_reach():
    formula = "p"
    for _ in range(59):
        formula = ["X", formula]
    trace = {"states": [[]] * 59 + [["p"]] * 141, "loop": 199}
    assert evaluator.holds(formula, trace) is True
    assert evaluator.holds(formula[1], trace) is False
    assert sys.getrecursionlimit() >= 1000
