"""Equivalence of causes: against truth tables, and hostile formulas within bounds."""

import itertools
import random
import time

import pytest
from harness_tempobench import equivalence
from harness_tempobench.equivalence import (
    as_clause,
    difference,
    disjunction,
    equivalent,
    literals,
    sited,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from harness import Abstained

VARIABLES = [(0, "a"), (0, "b"), (1, "a"), (1, "c"), (2, "b")]
SIGNS = {(0, "a"): True, (0, "b"): False, (1, "a"): False, (1, "c"): True, (2, "b"): True}
FOREIGN = [(0, "zz"), (7, "a")]


def lit(variable, value=True):
    return ("literal", variable, value)


ALL = VARIABLES + FOREIGN
ROWS = 1 << len(ALL)
FULL = (1 << ROWS) - 1
COLUMNS = {
    v: sum(1 << row for row in range(ROWS) if row >> place & 1) for place, v in enumerate(ALL)
}


def table(formula):
    """Bit `row` is the value where bit `i` of the row is the value of variable i."""
    kind, *parts = formula
    if kind == "literal":
        return COLUMNS[parts[0]] if parts[1] else FULL ^ COLUMNS[parts[0]]
    found = FULL if kind in ("and", "true") else 0
    for part in map(table, parts):
        found = found & part if kind == "and" else found | part
    return found


def tabulated(formulas):
    return table(("and", *formulas))


def random_gold(rng):
    sets = [frozenset(rng.sample(VARIABLES, rng.randint(1, 3))) for _ in range(rng.randint(0, 4))]
    least = [one for one in dict.fromkeys(sets) if not any(other < one for other in sets)]
    return [frozenset((*v, SIGNS[v]) for v in one) for one in least]


def random_formula(rng, variables, depth):
    if not depth or rng.random() < 0.3:
        if rng.random() < 0.08:
            return rng.choice([("true",), ("false",)])
        v = rng.choice(variables)
        return lit(v, SIGNS.get(v, True) ^ (rng.random() < 0.25))
    parts = [random_formula(rng, variables, depth - 1) for _ in range(rng.randint(1, 3))]
    return (rng.choice(["and", "or"]), *parts)


def disguised(rng, gold):
    """The gold cause in other words: shuffled, with weaker clauses, tautologies, distribution."""
    parts = [disjunction(clause) for clause in gold]
    parts += [
        ("or", disjunction(clause), lit(rng.choice(ALL))) for clause in gold if rng.random() < 0.4
    ]
    if rng.random() < 0.4:
        v = rng.choice(ALL)
        parts.append(("or", lit(v), lit(v, False)))
    if len(gold) > 1 and rng.random() < 0.5:  # multiplied out
        first, second, *parts = parts
        parts.append(("or", *(("and", x, y) for x in first[1:] for y in second[1:] or [second])))
    rng.shuffle(parts)
    return parts


def check(gold, stated):
    found = difference(gold, stated)
    true = tabulated(map(disjunction, gold))
    said = tabulated(stated)
    assert bool(found) is (true != said)
    assert set(found.missing) == {clause for clause in gold if said & ~table(disjunction(clause))}
    for part, values in found.superfluous:
        # what is not listed is as in the trace, where every clause of the gold cause is kept
        full = {v: SIGNS.get(v, True) for v in ALL} | values
        row = sum(1 << place for place, v in enumerate(ALL) if full[v])
        assert true >> row & 1
        assert not table(part) >> row & 1
    return bool(found)


def test_random_formulas_agree_with_their_truth_tables():
    rng = random.Random(1)
    different = sum(
        check(
            random_gold(rng),
            [random_formula(rng, ALL, 3) for _ in range(rng.randint(0, 4))],
        )
        for _ in range(1200)
    )
    assert 900 < different < 1200


def test_the_same_in_other_words_is_equivalent():
    rng = random.Random(2)
    for _ in range(800):
        gold = random_gold(rng)
        assert not check(gold, disguised(rng, gold))


def test_nearly_the_same_is_told_apart():
    rng = random.Random(3)
    different = 0
    for _ in range(800):
        gold = random_gold(rng)
        stated = disguised(rng, gold)
        if stated and rng.random() < 0.5:
            stated.pop(rng.randrange(len(stated)))
        else:
            stated.append(random_formula(rng, VARIABLES, 1))
        different += check(gold, stated)
    assert different > 400


A, B = lit((0, "a")), lit((0, "b"), False)
NOT_A = lit((0, "a"), False)
GOLD_A = [frozenset([(0, "a", True)])]


@pytest.mark.parametrize(
    ("gold", "stated", "same"),
    [
        ([], [], True),
        ([], [("true",)], True),
        ([], [("and",)], True),
        ([], [("or", A, NOT_A)], True),
        ([], [A], False),
        ([], [("false",)], False),
        ([], [("or",)], False),
        ([], [("and", A, NOT_A)], False),
        (GOLD_A, [], False),
        (GOLD_A, [("and", A, NOT_A)], False),
        (GOLD_A, [NOT_A], False),
        (GOLD_A, [("or", A)], True),
        (GOLD_A, [("or", A, ("and", B, ("false",)))], True),
        (GOLD_A, [("or", A, ("and", A, B))], True),
        (GOLD_A, [("or", A, B), ("or", A, ("literal", (0, "b"), True))], True),
        (GOLD_A, [A, lit((0, "zz"))], False),
        (GOLD_A, [A, ("or", lit((0, "zz")), lit((0, "zz"), False))], True),
        (GOLD_A, [("or", lit((0, "a")), lit((1, "a")))], False),
        (GOLD_A, [lit((1, "a"))], False),
        (GOLD_A, [A, A, ("and", A, A)], True),
        (GOLD_A, [A, ("or", A, B)], True),
    ],
)
def test_small_cases(gold, stated, same):
    assert equivalent(gold, stated) is same


def test_clauses_are_told_from_other_formulas():
    assert as_clause(A) == frozenset([(0, "a", True)])
    assert as_clause(("or", A, ("or", B, A))) == frozenset([(0, "a", True), (0, "b", False)])
    assert as_clause(("or",)) == as_clause(("false",)) == frozenset()
    assert as_clause(("or", A, ("false",))) == as_clause(A)
    for other in (
        ("and", A, B),
        ("or", A, ("and", A, B)),
        ("or", A, NOT_A),
        ("true",),
        ("or", A, ("true",)),
    ):
        assert as_clause(other) is None


def test_literals_and_sites():
    formula = ("or", lit("a"), ("and", lit("b", False), lit("a", False)), ("true",))
    assert literals(formula) == {("a", True), ("a", False), ("b", False)}
    assert literals(sited(3, formula)) == {((3, "a"), True), ((3, "a"), False), ((3, "b"), False)}


def deep(levels):
    formula = A
    for level in range(levels):
        formula = ("and" if level % 2 else "or", formula, B)
    return formula


def doubled(levels):
    formula = A
    for level in range(levels):
        formula = ("and" if level % 2 else "or", formula, formula)
    return formula


@pytest.mark.parametrize("formula", [deep(300), deep(50_000), doubled(60), ("or", *[A] * 50_000)])
@pytest.mark.parametrize("call", [lambda f: difference([], [f]), literals, lambda f: sited(0, f)])
def test_beyond_the_bounds_is_refused_at_once(formula, call):
    started = time.process_time()
    with pytest.raises(Abstained, match="more than"):
        call(formula)
    assert time.process_time() - started < 0.3


def test_formulas_are_bounded_together():
    with pytest.raises(Abstained, match="more than"):
        difference([], [("or", *[lit((0, f"x{i}")) for i in range(500)])] * 200)


def pigeons(holes):
    """No way to put one more pigeon than there are holes: unsatisfiable, and hard to see."""
    where = {(p, h): lit((0, f"p{p}_{h}")) for p in range(holes + 1) for h in range(holes)}
    away = {key: ("literal", one[1], False) for key, one in where.items()}
    yield from (("or", *(where[p, h] for h in range(holes))) for p in range(holes + 1))
    for h in range(holes):
        for p, q in itertools.combinations(range(holes + 1), 2):
            yield ("or", away[p, h], away[q, h])


def test_a_hard_equivalence_is_given_up_within_bounds():
    stated = [("or", A, *clause[1:]) for clause in pigeons(9)]
    started = time.process_time()
    with pytest.raises(Abstained, match="conflicts"):
        equivalent(GOLD_A, stated)
    assert time.process_time() - started < 0.4
    assert equivalent(GOLD_A, [("or", A, *clause[1:]) for clause in pigeons(4)])


def test_a_hard_part_does_not_hide_a_difference():
    assert not equivalent(GOLD_A, [*pigeons(9)])
    hard = [("or", A, *clause[1:]) for clause in pigeons(9)]
    assert not equivalent(GOLD_A, [*hard, lit((1, "c"))])


def test_many_clauses_take_no_time():
    rng = random.Random(5)
    names = [(t, f"i{i}") for t in range(10) for i in range(6)]
    gold = list({frozenset((*v, True) for v in rng.sample(names, 4)) for _ in range(3000)})
    stated = [disjunction(clause) for clause in gold]
    started = time.process_time()
    assert equivalent(gold, reversed(stated))
    assert not equivalent(gold, stated[:-1])
    assert len(difference(gold, []).missing) == equivalence.MAX_FOUND
    assert equivalent(
        gold, [("or", one, ("and", ("false",), one)) for one in stated[:-1]] + stated[-1:]
    )
    assert time.process_time() - started < 1.5


formulas = st.recursive(
    st.tuples(st.just("literal"), st.sampled_from(ALL), st.booleans())
    | st.sampled_from([("true",), ("false",), ("and",), ("or",)]),
    lambda part: st.lists(part, max_size=3).flatmap(
        lambda parts: st.sampled_from([("and", *parts), ("or", *parts)])
    ),
    max_leaves=12,
)


@settings(max_examples=100, deadline=None)
@given(st.lists(formulas, max_size=4), st.integers(0, 10**6))
def test_whatever_is_stated_agrees_with_its_truth_table(stated, seed):
    check(random_gold(random.Random(seed)), stated)
