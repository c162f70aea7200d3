"""Equivalence of causes: against truth tables, and hostile formulas within bounds."""

import itertools
import random

import pytest
from cases import some
from harness_tempobench import equivalence
from harness_tempobench.equivalence import compare
from harness_tempobench.formulas import Part, at_step, check_size, conjuncts, disjunction
from hypothesis import given, settings
from hypothesis import strategies as st
from pace import within

from harness import Abstained

VARIABLES = [(0, "a"), (0, "b"), (1, "a"), (1, "c"), (2, "b")]
SIGNS = {(0, "a"): True, (0, "b"): False, (1, "a"): False, (1, "c"): True, (2, "b"): True}
FOREIGN = [(0, "zz"), (7, "a")]


def difference(gold, stated, trace=None):
    formulas = list(stated)
    check_size(formulas)
    parts = conjuncts((None, formula) for formula in formulas)
    if trace is None:  # a cause can have all variables that occur
        trace = {variable: True for part in parts for variable in part.variables}
        trace |= {literal[:2]: literal[2] for clause in gold for literal in clause}
    return compare(gold, parts, trace)


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


def equivalent(gold, stated, trace=None):
    return not difference(gold, stated, trace)


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
        for _ in range(some(1200))
    )
    assert some(900) < different < some(1200)


def test_the_same_in_other_words_is_equivalent():
    rng = random.Random(2)
    for _ in range(some(800)):
        gold = random_gold(rng)
        assert not check(gold, disguised(rng, gold))


def test_nearly_the_same_is_told_apart():
    rng = random.Random(3)
    different = 0
    for _ in range(some(800)):
        gold = random_gold(rng)
        stated = disguised(rng, gold)
        if stated and rng.random() < 0.5:
            stated.pop(rng.randrange(len(stated)))
        else:
            stated.append(random_formula(rng, VARIABLES, 1))
        different += check(gold, stated)
    assert different > some(400)


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


def clause_of(formula):
    return Part(formula).clause


def test_clauses_are_told_from_other_formulas():
    assert clause_of(A) == frozenset([(0, "a", True)])
    assert clause_of(("or", A, ("or", B, A))) == frozenset([(0, "a", True), (0, "b", False)])
    assert clause_of(("or",)) == clause_of(("false",)) == frozenset()
    assert clause_of(("or", A, ("false",))) == clause_of(A)
    for other in (
        ("and", A, B),
        ("or", A, ("and", A, B)),
        ("or", A, NOT_A),
        ("true",),
        ("or", A, ("true",)),
    ):
        assert clause_of(other) is None


def test_literals_and_sites():
    formula = ("or", lit("a"), ("and", lit("b", False), lit("a", False)), ("true",))
    assert Part(at_step(3, formula)).literals == {(3, "a", True), (3, "a", False), (3, "b", False)}


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


@pytest.mark.parametrize("formula", [deep(300), deep(50_000), doubled(60), ("or", *[A] * 200_000)])
@pytest.mark.parametrize("call", [lambda f: difference([], [f]), lambda f: check_size([A, f])])
def test_beyond_the_bounds_is_refused_at_once(formula, call):
    with within(0.3), pytest.raises(Abstained, match="more than"):
        call(formula)


def test_formulas_are_bounded_together():
    with pytest.raises(Abstained, match="more than"):
        difference([], [("or", *[lit((0, f"x{i}")) for i in range(500)])] * 400)


def pigeons(holes):
    """No way to put one more pigeon than there are holes: unsatisfiable, and hard to see."""
    where = {(p, h): lit((p + 1, f"h{h}")) for p in range(holes + 1) for h in range(holes)}
    away = {key: ("literal", one[1], False) for key, one in where.items()}
    yield from (("or", *(where[p, h] for h in range(holes))) for p in range(holes + 1))
    for h in range(holes):
        for p, q in itertools.combinations(range(holes + 1), 2):
            yield ("or", away[p, h], away[q, h])


def test_a_hard_equivalence_is_given_up_within_bounds():
    stated = [("or", A, *clause[1:]) for clause in pigeons(9)]
    with within(0.4), pytest.raises(Abstained, match="conflicts"):
        equivalent(GOLD_A, stated)
    assert equivalent(GOLD_A, [("or", A, *clause[1:]) for clause in pigeons(4)])


def wide(clauses, *common):
    return [("or", *common, *clause[1:]) for clause in clauses]


def test_only_who_knows_a_true_clause_can_ask_for_a_search():
    trace = {variable: True for part in pigeons(9) for variable in Part(part).variables}
    trace |= {(0, name): True for name in "abc"}
    b, c = lit((0, "b")), lit((0, "c"))
    with pytest.raises(Abstained, match="conflicts"):
        difference(GOLD_A, wide(pigeons(9), A), trace)
    with within(0.5):
        for common in ([], [b], [A, b], [A, b, c], [b, c]):
            stated = wide(pigeons(9), *common)
            found = difference(GOLD_A, stated, trace)
            assert found
            assert bool(found.superfluous) is (A not in common)
            if A in common:
                assert found.missing == tuple(GOLD_A)
        two = [*GOLD_A, frozenset([(0, "b", True)])]
        assert difference(two, wide(pigeons(9), A), trace).missing == (two[1],)


FOREIGN_PARTS = [
    lit((0, "zz")),
    ("or", A, lit((0, "zz"))),
    ("or", lit((0, "zz")), lit((0, "yy"), False)),
    ("or", A, ("and", A, lit((0, "zz")))),
    ("or", ("and", lit((0, "zz")), A), ("and", lit((0, "zz"), False), A)),
    lit((9, "a")),
    ("or", A, lit((9, "a"))),
    ("or", ("and", lit((9, "a")), lit((9, "b"))), lit((9, "a"), False), lit((9, "b"), False)),
]


@pytest.mark.parametrize("part", FOREIGN_PARTS)
def test_what_no_cause_can_speak_of_is_superfluous_whatever_it_says(part):
    trace = {(0, "a"): True, (0, "b"): False}
    assert difference(GOLD_A, [A, part], trace).superfluous == ((part, {}),)
    assert difference(GOLD_A, [part, A, *wide(pigeons(9), part)], trace)


@pytest.mark.parametrize("variable", [(0, "zz"), (9, "a")])
def test_a_plain_tautology_may_speak_of_anything(variable):
    trace = {(0, "a"): True}
    tautology = ("or", lit(variable), ("or", lit((0, "a"), False), lit(variable, False)))
    for part in (tautology, ("or", lit(variable), ("true",)), ("true",)):
        assert equivalent(GOLD_A, [A, part], trace)
        assert equivalent([], [part], trace)


def test_the_trace_makes_no_difference_to_what_is_the_same():
    rng = random.Random(6)
    same = 0
    for _ in range(some(300)):
        gold = random_gold(rng)
        stated = disguised(rng, gold)
        if rng.random() < 0.5:
            stated.append(random_formula(rng, VARIABLES, 2))
        if all(Part(part).variables <= SIGNS.keys() for part in stated):
            assert equivalent(gold, stated, SIGNS) is equivalent(gold, stated)
            same += equivalent(gold, stated, SIGNS)
    assert same > some(25)


def test_a_superfluous_part_is_shown_with_no_more_flips_than_it_needs():
    trace = {(0, name): True for name in "abc"}
    a, b, c = (lit((0, name)) for name in "abc")
    part = ("or", ("and", a, b), ("and", c, a))
    shown = dict(difference([], [part], trace).superfluous)[part]
    assert shown == {(0, "a"): False, (0, "b"): True, (0, "c"): True}
    gold = [frozenset([(0, "a", True)])]
    assert sum(dict(difference(gold, [part], trace).superfluous)[part].values()) == 1


def test_a_step_of_too_many_propositions_is_refused():
    names = [lit((0, f"x{i}")) for i in range(14)]
    with pytest.raises(Abstained, match="more than 12"):
        difference([], [("or", ("and", one, names[0]), names[1]) for one in names])


def test_a_hard_part_does_not_hide_a_difference():
    assert not equivalent(GOLD_A, [*pigeons(9)])
    hard = [("or", A, *clause[1:]) for clause in pigeons(9)]
    assert not equivalent(GOLD_A, [*hard, lit((1, "c"))])


def test_many_clauses_take_no_time():
    rng = random.Random(5)
    names = [(t, f"i{i}") for t in range(10) for i in range(6)]
    gold = list({frozenset((*v, True) for v in rng.sample(names, 4)) for _ in range(1500)})
    stated = [disjunction(clause) for clause in gold]
    with within(0.8):
        assert equivalent(gold, reversed(stated))
        assert not equivalent(gold, stated[:-1])
        assert len(difference(gold, []).missing) == equivalence.MAX_FOUND
        assert equivalent(
            gold, [("or", one, ("and", ("false",), one)) for one in stated[:-1]] + stated[-1:]
        )


formulas = st.recursive(
    st.tuples(st.just("literal"), st.sampled_from(ALL), st.booleans())
    | st.sampled_from([("true",), ("false",), ("and",), ("or",)]),
    lambda part: st.lists(part, max_size=3).flatmap(
        lambda parts: st.sampled_from([("and", *parts), ("or", *parts)])
    ),
    max_leaves=12,
)


@settings(max_examples=some(50), deadline=None)
@given(st.lists(formulas, max_size=4), st.integers(0, 10**6))
def test_whatever_is_stated_agrees_with_its_truth_table(stated, seed):
    check(random_gold(random.Random(seed)), stated)
