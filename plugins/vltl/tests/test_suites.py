"""Mutants, the suites of traces that tell them from the formula, and equivalence of formulas."""

import hashlib
import json
import random
from functools import reduce

import pytest
from cases import each
from harness_vltl import lassos, suites
from harness_vltl.engines import equivalence, evaluator, pymodelchecking, spot
from harness_vltl.engines.evaluator import freeze, thaw
from harness_vltl.formulas.formula import ARITY, propositions, substitute, validate
from harness_vltl.mutants import KINDS, mutants
from harness_vltl.suites import ConstantError
from harness_vltl.templates import skeletons
from vltl_fixpoint import naive
from vltl_random import LIFTED, TEMPORAL, random_formula, random_trace

from harness import Abstained, EngineError, HarnessError, canonical_json

A, B, C = LIFTED
GOLD = {
    skeleton.id: substitute(skeleton.formula, dict(zip("abc", LIFTED, strict=True)))
    for skeleton in skeletons()
}
each_template = each("gold", GOLD.values())


def said(formula):
    return repr(freeze(formula))


def places(formula, path=()):
    """Every part with its path, the formula first."""
    yield path, formula
    if isinstance(formula, list):
        for at, part in enumerate(formula[1:], 1):
            yield from places(part, (*path, at))


def replaced(formula, path, part):
    if not path:
        return part
    at, *rest = path
    return [*formula[:at], replaced(formula[at], rest, part), *formula[at + 1 :]]


# ------------------------------------------------------------------------------------ mutants


@each_template
def test_mutants_are_distinct_valid_and_never_the_formula(gold):
    found = mutants(gold)
    listed = [repr(mutant) for _, mutant in found]
    assert len(set(listed)) == len(listed)
    assert said(gold) not in listed
    assert {kind for kind, _ in found} <= set(KINDS)
    for _, mutant in found:
        validate(thaw(mutant))
        assert set(propositions(thaw(mutant))) <= set(propositions(gold))
    assert mutants(gold) == found


@each_template
def test_mutants_hold_all_that_the_issue_lists(gold):
    found = {repr(mutant) for _, mutant in mutants(gold)}
    expected = []
    for path, part in places(gold):
        expected.append(replaced(gold, path, ["X", part]))  # a step late
        if isinstance(part, str):
            expected.append(replaced(gold, path, ["!", part]))
        if not isinstance(part, list):
            continue
        operator, *operands = part
        if operator in ("!", "X"):  # a negation dropped, a step early
            expected.append(replaced(gold, path, operands[0]))
        if operator != "!":
            others = [
                o for o, n in ARITY.items() if n == len(operands) and o not in (operator, "!")
            ]
            expected += [replaced(gold, path, [other, *operands]) for other in others]
        if len(operands) == 2:
            expected.append(replaced(gold, path, [operator, operands[1], operands[0]]))
    names = propositions(gold)
    for one in names:
        for other in names:
            expected.append(substitute(gold, {one: other, other: one}))
    expected += [other for other in GOLD.values() if len(propositions(other)) == len(names)]
    assert {said(one) for one in expected} - {said(gold)} <= found


def test_every_kind_of_mutant_comes():
    kinds = [kind for kind, _ in mutants(["G", ["->", A, ["X", ["!", B]]]])]
    assert set(kinds) == set(KINDS)
    assert {kind for kind, _ in mutants(["G", A])} == {"negation", "next", "operator", "skeleton"}


def test_the_negation_of_a_formula_is_dropped_wherever_it_stands():
    found = {repr(m) for _, m in mutants(["G", ["->", ["!", A], ["!", ["F", ["!", B]]]]])}
    for expected in (
        ["G", ["->", A, ["!", ["F", ["!", B]]]]],
        ["G", ["->", ["!", A], ["F", ["!", B]]]],
        ["G", ["->", ["!", A], ["!", ["F", B]]]],
    ):
        assert said(expected) in found


# ------------------------------------------------------------------------------------- suites


@each_template
def test_two_engines_agree_on_every_trace_of_every_suite(gold):
    found = suites.suite(gold)
    listed = [*found.satisfying, *found.violating]
    right = [True] * len(found.satisfying) + [False] * len(found.violating)
    assert min(len(found.satisfying), len(found.violating)) >= 1
    assert evaluator.verdicts(gold, listed) == right
    assert [spot.holds(gold, trace) for trace in listed] == right
    assert [naive(gold, trace) for trace in listed] == right
    assert len({canonical_json(trace) for trace in listed}) == len(listed)
    for trace in listed:
        lassos.validate(trace)
        assert lassos.reduced(trace["states"], trace["loop"]) == trace
        assert {name for state in trace["states"] for name in state} <= set(propositions(gold))


def test_pymodelchecking_agrees_on_a_sample():
    decided = 0
    for gold in list(GOLD.values())[::4]:
        found = suites.suite(gold)
        for trace, right in ((found.satisfying[0], True), (found.violating[0], False)):
            if len(trace["states"]) > 4:
                continue
            try:
                assert pymodelchecking.holds(gold, trace) is right
            except Abstained:
                continue
            decided += 1
    assert decided >= 20


def test_the_mean_kill_rate_is_as_promised_and_the_pair_alone_kills_visibly_less():
    found = [suites.suite(gold) for gold in GOLD.values()]
    rates, pairs = [one.rate for one in found], [one.pair_rate for one in found]
    assert sum(rates) / len(rates) >= 0.99
    assert min(rates) >= 0.95
    assert sum(pairs) / len(pairs) < 0.95
    assert all(pair <= rate for pair, rate in zip(pairs, rates, strict=True))
    assert sum(pair < rate for pair, rate in zip(pairs, rates, strict=True)) > len(GOLD) * 0.85
    assert all(one.mutants > 10 for one in found)


def test_the_counts_are_right():
    """Which mutants the suite kills, told anew; of the others, Spot says which are equivalent."""
    survivors = 0
    for gold in GOLD.values():
        suite = suites.suite(gold)
        listed = [*suite.satisfying, *suite.violating]
        right = evaluator.verdicts(gold, listed)
        pair = (0, len(suite.satisfying))
        killed = equivalent = pair_killed = 0
        pools = evaluator.pools(listed)
        for _, mutant in mutants(gold):
            verdicts = {}
            for pool, numbers in pools:
                value = pool.holds(mutant)
                verdicts |= {n: bool(value >> i * pool.length & 1) for i, n in enumerate(numbers)}
            wrong = [n for n, verdict in verdicts.items() if verdict is not right[n]]
            if wrong:
                killed += 1
                pair_killed += any(n in pair for n in wrong)
                continue
            trace = spot.difference(gold, thaw(mutant))
            equivalent += trace is None
            if trace is not None:  # a survivor: different, but not on any trace of the suite
                survivors += 1
                assert naive(gold, trace) is not naive(thaw(mutant), trace)
                assert all(naive(gold, t) is naive(thaw(mutant), t) for t in listed)
        assert (suite.killed, suite.equivalent, suite.pair_killed) == (
            killed,
            equivalent,
            pair_killed,
        ), gold
        assert suite.mutants == len(mutants(gold)) - equivalent
    assert 0 < survivors < 50


def test_suites_of_all_templates_are_as_they_were():
    """Who means to change templates, pools or mutants pins the new digest; all labels stay right."""
    text = json.dumps([[gold, shown(suites.suite(gold))] for gold in GOLD.values()])
    assert hashlib.sha256(text.encode()).hexdigest() == PINNED


def shown(suite):
    counts = [suite.mutants, suite.killed, suite.equivalent, suite.pair_killed]
    return [suite.satisfying, suite.violating, counts]


def test_a_suite_does_not_depend_on_what_was_asked_before():
    asked = [GOLD["response"], GOLD["until"], GOLD["always_one_of_three"], ["X", ["X", A]]]
    first = [suites.suite(gold) for gold in asked]
    for kept in (suites._suite, suites._pools):
        kept.cache_clear()
    again = [suites.suite(gold) for gold in reversed(asked)]
    assert again[::-1] == first


def test_names_decide_which_proposition_is_which():
    """prop_2 before prop_1: the same suite but for the mutants' order of names."""
    found = suites.suite(["G", ["->", B, ["F", A]]])
    listed = [*found.satisfying, *found.violating]
    right = [naive(["G", ["->", B, ["F", A]]], trace) for trace in listed]
    assert right == [True] * len(found.satisfying) + [False] * len(found.violating)
    assert found.rate >= 0.99


def test_nested_formulas_have_suites_too():
    rng = random.Random("nested suites")
    rates = []
    for _ in range(25):
        outer, inner = rng.choices(skeletons(), k=2)
        names = ["prop_1", "prop_2", "prop_3", "prop_4"]
        within = substitute(inner.formula, dict(zip("abc", names, strict=False)))
        order = [within, *names[inner.arity :], *names]
        formula = substitute(outer.formula, dict(zip("abc", order, strict=False)))
        known = sorted(propositions(formula))
        formula = substitute(formula, dict(zip(known, names, strict=False)))
        try:
            found = suites.suite(formula)
        except (ConstantError, Abstained):
            continue
        rates.append(found.rate)
        for trace in found.satisfying:
            assert naive(formula, trace)
        for trace in found.violating:
            assert not naive(formula, trace)
    assert len(rates) >= 15
    assert sum(rates) / len(rates) >= 0.9


@each(
    "formula",
    [
        True,
        False,
        ["|", A, ["!", A]],
        ["&", A, ["!", A]],
        ["G", ["->", A, ["F", A]]],
        ["U", A, False],
        ["U", ["F", ["G", A]], ["&", ["G", ["F", ["!", A]]], ["F", ["G", A]]]],
        ["<->", ["W", A, B], ["|", ["U", A, B], ["G", A]]],
        ["->", ["U", A, B], ["F", B]],
        ["&", ["&", ["G", A], ["F", B]], ["G", ["->", B, ["!", A]]]],
    ],
)
def test_formulas_that_all_traces_satisfy_or_none_have_no_suite(formula):
    for make in (suites.suite, suites.pair):
        with pytest.raises(ConstantError) as caught:
            make(formula)
        assert isinstance(caught.value, HarnessError)
        assert "\n" not in str(caught.value)


@each_template
def test_a_pair_is_the_designated_two(gold):
    found = suites.pair(gold)
    assert (len(found.satisfying), len(found.violating)) == (1, 1)
    assert naive(gold, found.satisfying[0])
    assert not naive(gold, found.violating[0])


def test_a_suite_on_which_spot_disagrees_is_refused(monkeypatch):
    monkeypatch.setattr(spot, "holds", lambda formula, trace: False)
    with pytest.raises(EngineError, match="engines contradict each other") as caught:
        suites.suite(["M", A, ["X", B]])
    assert "\n" not in str(caught.value)
    with pytest.raises(EngineError, match="engines contradict each other"):
        suites.pair(["M", A, ["X", B]])


# -------------------------------------------------------------------------------- equivalence

LAWS = [
    (["F", A], ["U", True, A]),
    (["G", A], ["!", ["F", ["!", A]]]),
    (["G", A], ["R", False, A]),
    (["W", A, B], ["|", ["U", A, B], ["G", A]]),
    (["R", A, B], ["!", ["U", ["!", A], ["!", B]]]),
    (["R", A, B], ["W", B, ["&", A, B]]),
    (["M", A, B], ["U", B, ["&", A, B]]),
    (["U", A, B], ["|", B, ["&", A, ["X", ["U", A, B]]]]),
    (["X", ["U", A, B]], ["U", ["X", A], ["X", B]]),
    (["G", ["F", ["|", A, B]]], ["|", ["G", ["F", A]], ["G", ["F", B]]]),
    (["F", ["G", ["&", A, B]]], ["&", ["F", ["G", A]], ["F", ["G", B]]]),
    (["U", A, ["G", ["F", B]]], ["G", ["F", B]]),
    (["U", A, ["U", A, B]], ["U", A, B]),
    (["<->", A, B], ["&", ["->", A, B], ["->", B, A]]),
    (["G", ["->", A, ["F", A]]], True),
    (["&", C, ["!", C]], False),
    (["|", A, ["&", B, ["!", B]]], A),
]
NEAR = [
    (["G", ["F", ["&", A, B]]], ["&", ["G", ["F", A]], ["G", ["F", B]]]),
    (["F", ["&", A, B]], ["&", ["F", A], ["F", B]]),
    (["U", A, B], ["W", A, B]),
    (["R", A, B], ["M", A, B]),
    (["U", A, B], ["U", ["!", B], A]),
    (["F", ["G", A]], ["G", ["F", A]]),
    (["X", ["X", A]], ["X", A]),
    (["G", ["->", A, ["X", ["F", B]]]], ["G", ["->", A, ["F", B]]]),
    (A, B),
    (A, ["&", A, C]),
    (True, ["F", A]),
    (False, ["&", ["&", ["G", A], ["F", B]], C]),
    (True, False),
    ("deliver(bench,loading_dock)", "deliver(bench,dock)"),
]


@each(("one", "other"), LAWS)
def test_laws_are_equivalences(one, other):
    for pair in ((one, other), (other, one), (["!", one], ["!", other])):
        assert equivalence.compare(*pair) == equivalence.Comparison(True, None)


@each(("one", "other"), NEAR)
def test_a_difference_is_shown_by_a_trace(one, other):
    for left, right in ((one, other), (other, one)):
        found = equivalence.compare(left, right)
        assert not found.equivalent
        lassos.validate(found.trace)
        assert naive(left, found.trace) is not naive(right, found.trace)
        assert lassos.reduced(found.trace["states"], found.trace["loop"]) == found.trace
    assert equivalence.compare(one, one).equivalent


def test_rare_differences_are_found_by_spot():
    """Nothing random shows a proposition true for twenty steps and false in the next one."""
    run = reduce(lambda f, _: ["&", A, ["X", f]], range(12), ["!", A])
    found = equivalence.compare(["F", run], False)
    assert not found.equivalent
    assert naive(["F", run], found.trace)


def test_random_comparisons_are_right_either_way():
    rng = random.Random("compare")
    counts = {True: 0, False: 0}
    for _ in range(150):
        formula = random_formula(rng, rng.randint(1, 4), ("prop_1", "prop_2"), TEMPORAL)
        other = thaw(rng.choice(mutants(formula))[1])
        found = equivalence.compare(formula, other)
        counts[found.equivalent] += 1
        if found.equivalent:
            drawn = [random_trace(rng, ("prop_1", "prop_2")) for _ in range(30)]
            assert all(naive(formula, trace) is naive(other, trace) for trace in drawn)
        else:
            assert naive(formula, found.trace) is not naive(other, found.trace)
    assert min(counts.values()) >= 10


def test_true_is_not_taken_for_another_value():
    assert not equivalence.compare(["G", True], ["G", False]).equivalent
    assert equivalence.compare(["G", True], ["G", ["!", False]]).equivalent


NESTED = reduce(lambda a, b: ["U", a, b], [f"q{i}" for i in range(30)])


@pytest.mark.parametrize(
    "answer",
    [
        ["|", ["&", NESTED, A], ["&", NESTED, ["!", A]]],
        ["|", NESTED, ["&", NESTED, ["X", A]]],
        ["!", ["!", ["&", NESTED, ["|", B, ["->", B, ["F", B]]]]]],
    ],
)
def test_what_spot_declines_is_an_error(answer):
    with pytest.raises(EngineError) as caught:
        equivalence.compare(NESTED, answer)
    assert "\n" not in str(caught.value)
    assert equivalence.compare(A, ["&", A, ["|", B, ["!", B]]]).equivalent  # and life goes on


def test_what_spot_would_decline_is_no_error_if_a_trace_tells():
    found = equivalence.compare(NESTED, ["!", NESTED])
    assert naive(NESTED, found.trace) is not naive(["!", NESTED], found.trace)


def test_an_answer_with_another_spelling_of_a_name_is_recognised():
    gold = ["G", ["->", "pick_up(dining-table)", ["F", "idle"]]]
    answer = ["G", ["->", "Pick_Up(dining_table)", ["F", "IDLE"]]]
    found = equivalence.renamed_to(propositions(gold), answer)
    assert found == {"Pick_Up(dining_table)": "pick_up(dining-table)", "IDLE": "idle"}
    assert equivalence.renamed_to(propositions(gold), "search(cup)") == {}


PINNED = "5de8a915bd9b6a0d479834138f46516c176f0e776f36bbf4a0135f18e8478dbc"
