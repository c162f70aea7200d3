"""The two library engines against a naive evaluator, brute force, known laws, and each other."""

import random
import subprocess
import sys
from functools import reduce

import harness_guard
import pytest
from cases import each, slow, some
from harness_logic import spot_library
from harness_vltl.engines import evaluator, pymodelchecking, spot
from harness_vltl.formulas.formula import MAX_DEPTH, MAX_PROPOSITIONS, FormulaError, validate
from hypothesis import given, settings
from pace import within
from vltl_random import (
    ALL,
    BINARY,
    LIFTED,
    UNARY,
    formulas,
    lassos,
    random_formula,
    random_trace,
    traces,
)

from harness import Abstained, EngineError, HarnessError

A, B, C = LIFTED


def naive(formula, trace):
    """By the definition: look as far as all states that are still to come, state by state."""
    states, loop = trace["states"], trace["loop"]
    last = len(states) - 1

    def after(i):
        return i + 1 if i < last else loop

    def ahead(i):
        seen = []
        while i not in seen:
            seen.append(i)
            i = after(i)
        return seen

    def until(a, b, i):
        path = ahead(i)
        return any(at(b, j) and all(at(a, k) for k in path[:n]) for n, j in enumerate(path))

    def at(f, i):
        if isinstance(f, bool):
            return f
        if isinstance(f, str):
            return f in states[i]
        return by[f[0]](i, *f[1:])

    by = {
        "!": lambda i, a: not at(a, i),
        "X": lambda i, a: at(a, after(i)),
        "F": lambda i, a: any(at(a, j) for j in ahead(i)),
        "G": lambda i, a: all(at(a, j) for j in ahead(i)),
        "&": lambda i, a, b: at(a, i) and at(b, i),
        "|": lambda i, a, b: at(a, i) or at(b, i),
        "->": lambda i, a, b: not at(a, i) or at(b, i),
        "<->": lambda i, a, b: at(a, i) == at(b, i),
        "U": lambda i, a, b: until(a, b, i),
        "W": lambda i, a, b: until(a, b, i) or all(at(a, j) for j in ahead(i)),
        "R": lambda i, a, b: until(b, ["&", a, b], i) or all(at(b, j) for j in ahead(i)),
        "M": lambda i, a, b: until(b, ["&", a, b], i),
    }
    return at(formula, 0)


def word(*states, loop=None):
    """``word("ab", "", "c")``: letters stand for the propositions; the last state repeats."""
    names = dict(zip("abc", LIFTED, strict=True))
    spelled = [sorted(names[letter] for letter in state) for state in states]
    return {"states": spelled, "loop": len(states) - 1 if loop is None else loop}


ENGINES = {"spot": spot.holds, "pymc": pymodelchecking.holds, "naive": naive}
engines = each("holds", ENGINES.values())


@engines
@each(
    ("formula", "trace", "expected"),
    [
        (A, word("a", ""), True),
        (A, word("", "a"), False),
        (True, word(""), True),
        (False, word("a"), False),
        (["F", False], word("a"), False),
        (["G", True], word(""), True),
        (["U", True, A], word("", "", "a", ""), True),
        (["X", A], word("a"), True),  # the last state repeats
        (["X", A], word("a", ""), False),
        (["X", ["X", A]], word("a", "", loop=0), True),
        (["X", A], word("", "a", loop=0), True),
        (["G", ["F", A]], word("a", ""), False),
        (["G", ["F", A]], word("a", "", loop=0), True),
        (["F", ["G", A]], word("", "a", "a", loop=1), True),
        (["F", ["G", A]], word("a", "a", "", loop=1), False),
        (["U", A, B], word("a", "b"), True),
        (["U", A, B], word("b"), True),  # the present moment is included
        (["U", A, B], word("a"), False),  # U is strong
        (["W", A, B], word("a"), True),
        (["W", A, B], word("a", ""), False),
        (["R", A, B], word("b"), True),
        (["R", A, B], word("b", "a"), False),  # b at the moment of a as well
        (["R", A, B], word("b", "ab", ""), True),
        (["M", A, B], word("b"), False),
        (["M", A, B], word("b", "ab", ""), True),
        (["<->", A, B], word("a"), False),
        (["<->", A, B], word("c"), True),
        (["<->", A, ["X", A]], word("a", "b"), False),
        (["!", ["<->", A, ["X", A]]], word("a", "b"), True),
        (["->", A, B], word("a"), False),
        (["->", A, B], word(""), True),
    ],
)
def test_semantics(holds, formula, trace, expected):
    assert holds(formula, trace) is expected


@pytest.mark.parametrize("finite", [True, False], ids=["finite", "lassos"])
def test_spot_agrees_with_the_naive_evaluator(finite):
    rng = random.Random(f"5,000 pairs, {finite}")
    used, true = set(), 0
    for _ in range(some(250)):  # with 20 traces each, finite and not
        formula = random_formula(rng, rng.randint(0, 8))
        for _ in range(20):
            trace = random_trace(rng, finite=float(finite))
            held = spot.holds(formula, trace)
            assert held is naive(formula, trace), (formula, trace)
            true += held
        used.update(part for part in str(formula).split("'") if part in ALL)
    assert used == set(ALL)
    assert 0.3 < true / (20 * some(250)) < 0.7  # the pairs say something


def test_every_operator_in_every_operator():
    inner = [[u, A] for u in UNARY] + [[b, A, B] for b in BINARY]
    words = [random_trace(random.Random(i), (A, B), 4) for i in range(12)]
    for f in inner:
        for formula in (
            [[u, f] for u in UNARY] + [[b, f, C] for b in BINARY] + [[b, C, f] for b in BINARY]
        ):
            for trace in words:
                assert spot.holds(formula, trace) is naive(formula, trace), (formula, trace)


def test_pymc_agrees_with_the_naive_evaluator():
    rng = random.Random("pymc")
    decided = 0
    for _ in range(some(600)):
        formula = random_formula(rng, rng.randint(0, 3))
        trace = random_trace(rng, longest=3)
        try:
            held = pymodelchecking.holds(formula, trace)
        except Abstained:
            continue
        assert held is naive(formula, trace), (formula, trace)
        decided += 1
    assert decided > 0.95 * some(600)


@settings(max_examples=max(some(60), 20), deadline=None)
@given(formulas(), traces())
def test_a_formula_or_its_negation_holds(formula, trace):
    assert spot.holds(formula, trace) is not spot.holds(["!", formula], trace)


# difference

LAWS = [
    (["!", ["F", A]], ["G", ["!", A]]),
    (["!", ["U", A, B]], ["R", ["!", A], ["!", B]]),
    (["!", ["W", A, B]], ["M", ["!", A], ["!", B]]),
    (["W", A, B], ["|", ["U", A, B], ["G", A]]),
    (["R", A, B], ["W", B, ["&", A, B]]),
    (["M", A, B], ["U", B, ["&", A, B]]),
    (["U", A, B], ["|", B, ["&", A, ["X", ["U", A, B]]]]),
    (["U", A, ["G", ["F", B]]], ["G", ["F", B]]),
    (["F", ["G", ["F", A]]], ["G", ["F", A]]),
    (["X", ["U", A, B]], ["U", ["X", A], ["X", B]]),
    (["G", ["&", A, B]], ["&", ["G", A], ["G", B]]),
    (["F", ["|", A, B]], ["|", ["F", A], ["F", B]]),
    (["<->", A, B], ["&", ["->", A, B], ["->", B, A]]),
    (["G", ["->", A, ["G", A]]], ["W", ["!", A], ["G", A]]),
    (["|", A, ["!", A]], True),
    (["&", ["G", A], ["F", ["!", A]]], False),
    (["|", ["F", C], ["!", ["F", C]]], ["->", ["G", A], A]),  # no proposition in common
    (["G", ["->", A, ["F", B]]], ["|", ["G", ["F", B]], ["G", ["->", A, ["F", B]]]]),
]


@each(("left", "right"), LAWS)
def test_laws_have_no_difference(left, right):
    assert spot.difference(left, right) is None
    assert spot.difference(["X", ["!", right]], ["X", ["!", left]]) is None


@each(
    ("left", "right", "expected"),
    [
        (A, B, word("a")),
        (True, False, word("")),
        (True, A, word("")),
        (["G", A], ["F", A], word("a", "")),
        (["X", A], ["X", ["X", A]], word("", "a", "")),
        (["U", A, B], ["W", A, B], word("a")),
        (["G", ["F", A]], ["F", ["G", A]], word("a", "", loop=0)),
    ],
)
def test_difference_is_short(left, right, expected):
    found = spot.difference(left, right)
    assert naive(left, found) is not naive(right, found)
    assert len(found["states"]) <= len(expected["states"])
    assert naive(left, expected) is not naive(right, expected)


def test_difference_against_brute_force():
    rng = random.Random("difference")
    every = list(lassos((A, B), 3))
    same = 0
    for _ in range(some(1_000)):
        left, right = (random_formula(rng, rng.randint(0, 5), (A, B)) for _ in "lr")
        found = spot.difference(left, right)
        if found is None:
            same += 1
            assert all(naive(left, trace) is naive(right, trace) for trace in every), (left, right)
        else:
            assert naive(left, found) is not naive(right, found), (left, right, found)
            assert 0 <= found["loop"] < len(found["states"])
            assert all(state == sorted(set(state) & {A, B}) for state in found["states"])
    assert some(20) < same < some(200)


def test_difference_is_the_same_in_both_directions():
    rng = random.Random("directions")
    for _ in range(some(200)):
        left, right = (random_formula(rng, 6) for _ in "lr")
        one, other = spot.difference(left, right), spot.difference(right, left)
        assert (one is None) is (other is None), (left, right)


def test_difference_refuses_to_return_what_it_cannot_confirm(monkeypatch):
    monkeypatch.setattr(spot, "holds", lambda formula, trace: True)
    with pytest.raises(EngineError, match="does not tell the formulas apart"):
        spot.difference(["G", A], ["G", B])


def test_true_is_not_one():
    with pytest.raises(FormulaError):
        spot.difference(["F", True], ["F", 1])
    spot.holds(["F", True], word(""))
    with pytest.raises(FormulaError):
        spot.holds(["F", 1], word(""))


# names, nesting, what is no formula and no trace

AWKWARD = (
    "deliver(bench,loading_dock)",
    "X",
    "G",
    "U",
    "true",
    "p1",
    "p0",
    "not",
    "_",
    "or-2",
    "Or",
)


def test_awkward_names():
    rng = random.Random("names")
    for _ in range(max(some(100), 25)):
        names = rng.sample(AWKWARD, 3)
        formula, trace = random_formula(rng, 3, names), random_trace(rng, AWKWARD, 3)
        validate(formula)
        expected = naive(formula, trace)
        assert spot.holds(formula, trace) is expected, (formula, trace)
        assert pymodelchecking.holds(formula, trace) is expected, (formula, trace)
        found = spot.difference(formula, ["X", names[0]])
        assert found is None or naive(formula, found) is not naive(["X", names[0]], found)
    found = spot.difference(["G", AWKWARD[0]], ["F", AWKWARD[0]])
    assert {name for state in found["states"] for name in state} == {AWKWARD[0]}


def test_formulas_at_the_bounds():
    names = [f"name_{i}" for i in range(MAX_PROPOSITIONS)]
    for operator in ("X", "!", "F", "G"):
        deep = reduce(lambda f, _: [operator, f], range(MAX_DEPTH - 1), A)
        validate(deep)
        assert spot.holds(deep, word("a")) is naive(deep, word("a"))
        assert spot.difference(deep, B) is not None
    wide = _balanced("|", names)
    trace = {"states": [[], [names[39]]], "loop": 1}
    assert spot.holds(["F", wide], trace)
    others = _balanced("|", [f"other_{i}" for i in range(MAX_PROPOSITIONS)])
    found = spot.difference(wide, others)  # 80 propositions in all
    assert naive(wide, found) is not naive(others, found)


@each("holds", [spot.holds, pymodelchecking.holds])
@each(
    "bad",
    [
        None, 1, 1.5, [], ["G"], ["G", A, B], ["U", A], ["?", A], "a b", "p\n", "", {}, ["X", None],
        ["ap", A], reduce(lambda f, _: ["X", f], range(MAX_DEPTH), A),
        reduce(lambda f, _: ["X", f], range(100_000), A), ["&", *[A] * 400],
        reduce(lambda f, _: ["&", f, f], range(30), A),
    ],
)  # fmt: skip
def test_what_is_no_formula(holds, bad):
    with pytest.raises(FormulaError):
        holds(bad, word("a"))
    with pytest.raises(FormulaError):
        spot.difference(A, bad)


@each("holds", [spot.holds, pymodelchecking.holds])
@each("loop", [-1, 2, 2**40, None, 0.5, True, "0"])
def test_a_loop_that_leads_nowhere(holds, loop):
    with pytest.raises(HarnessError, match="2 states cannot go back to"):
        holds(["G", A], {"states": [[A], []], "loop": loop})
    with pytest.raises(HarnessError, match="0 states cannot go back"):
        holds(["G", A], {"states": [], "loop": 0})


# bounds


def _balanced(operator, parts):
    if len(parts) == 1:
        return parts[0]
    half = len(parts) // 2
    return [operator, _balanced(operator, parts[:half]), _balanced(operator, parts[half:])]


P = [f"q{i}" for i in range(MAX_PROPOSITIONS)]
EXPLODING = {
    "nested": reduce(lambda a, b: ["U", a, b], P[:30]),
    "respond": [
        "G",
        _balanced("&", [["->", P[i], ["U", P[i + 10], P[i + 20]]] for i in range(16)]),
    ],
    "promises": _balanced("&", [["G", ["F", p]] for p in P]),
    "cubes": _balanced("&", [["|", P[2 * i], P[2 * i + 1]] for i in range(20)]),
    "equivalences": reduce(lambda a, b: ["<->", a, ["X", b]], P),
    "parity": reduce(lambda a, b: ["<->", a, b], P),
    "untils": reduce(lambda a, b: ["<->", a, ["U", b, A]], P[1:]),
    "weak": reduce(lambda a, b: ["W", ["|", a, b], ["&", b, A]], P[:19]),
    # the two below have small automata, but decision diagrams of 2^24 and 2^40 nodes on the way
    "never one": ["!", _balanced("&", [["F", p] for p in P[:24]])],
    "somewhere": _balanced("|", [["G", p] for p in P]),
}


@pytest.mark.parametrize("hard", EXPLODING.values(), ids=EXPLODING.keys())
def test_spot_abstains_quickly_where_it_would_not_return(hard):
    validate(hard)
    with within(4), pytest.raises(Abstained, match="effort over"):
        spot.holds(hard, word("a"))
    with within(0.5):
        for _ in range(100):  # what was too hard once is not tried again
            with pytest.raises(Abstained):
                spot.holds(hard, word("a"))
    assert spot.difference(hard, hard) is None  # seen without translating


def test_difference_abstains_as_well():
    for name in ("nested", "respond", "never one"):
        for pair in ((EXPLODING[name], A), (A, EXPLODING[name])):
            with pytest.raises(Abstained, match="effort over"):
                spot.difference(*pair)


@slow
def test_the_easier_of_a_formula_and_its_negation_decides():
    # "a somewhere and 40 steps later a": easy to guess, hard to rule out
    far = ["F", ["&", A, reduce(lambda f, _: ["X", f], range(40), A)]]
    with pytest.raises(Abstained):
        spot_library.current(spot.Session).effort(far, negated=True)
    for trace in (word("a"), word("a", ""), word("a", "", loop=0), word("a", "", "", loop=0)):
        assert spot.holds(far, trace) is naive(far, trace)
        assert spot.holds(["!", far], trace) is not naive(far, trace)


@slow
@pytest.mark.parametrize(
    ("operators", "number", "allowed"), [(9, 100, 0), (20, 50, 1), (35, 20, 1)]
)
def test_spot_decides_nearly_all_random_formulas(operators, number, allowed):
    rng = random.Random(f"random {operators}")
    declined = 0
    for _ in range(number):
        formula, trace = random_formula(rng, operators), random_trace(rng)
        try:
            assert spot.holds(formula, trace) is evaluator.holds(formula, trace)
        except Abstained:
            declined += 1
    assert declined <= allowed


def test_pymc_abstains_beyond_its_bounds():
    with pytest.raises(Abstained, match="operators are more than"):
        pymodelchecking.holds(reduce(lambda f, _: ["X", f], range(41), A), word("a"))
    with pytest.raises(Abstained, match="operators are more than"):  # 2^50 when written out
        pymodelchecking.holds(reduce(lambda f, _: ["<->", A, f], range(50), A), word("a"))
    with pytest.raises(Abstained, match="operators are more than"):
        pymodelchecking.holds(reduce(lambda f, _: ["M", A, f], range(50), A), word("a"))
    with pytest.raises(Abstained, match="beyond its bounds"):
        pymodelchecking.holds(reduce(lambda a, b: ["U", a, b], P[:12]), word("a"))
    with pytest.raises(Abstained, match="beyond its bounds"):
        pymodelchecking.holds(["U", A, B], {"states": [[A]] * 10_000, "loop": 0})


def test_long_traces():
    states = [[A]] * 9_999 + [[B]]
    assert spot.holds(["U", A, B], {"states": states, "loop": 0})
    assert not spot.holds(["F", ["G", A]], {"states": states, "loop": 0})


def test_what_is_kept_stays_bounded(monkeypatch):
    monkeypatch.setattr(spot_library, "RENEW_AFTER", 600)
    monkeypatch.setattr(spot_library, "_current", {})
    rng = random.Random("kept")
    first = spot_library.current(spot.Session)
    for i in range(300):
        spot.holds(["F", f"name_{i}"], random_trace(rng))
    assert len(first.words) == spot.KEPT
    assert len(first.automata) == 1  # but for the names it is one formula
    for _ in range(1_000):
        spot.holds(random_formula(rng, 6), word("a"))
    assert len(first.automata) == spot.KEPT
    assert spot_library.current(spot.Session) is not first


# where they run


def test_spot_in_a_guarded_worker():
    def ask(*arguments):
        return harness_guard.call(
            "harness_vltl.engines.spot:difference", *arguments, seconds=300, memory_mb=1024
        )

    found = ask(["G", AWKWARD[0]], ["F", AWKWARD[0]])
    assert found == spot.difference(["G", AWKWARD[0]], ["F", AWKWARD[0]])
    assert ask(["F", ["F", A]], ["F", A]) is None
    with pytest.raises(Abstained):
        ask(EXPLODING["promises"], A)
    holds = "harness_vltl.engines.spot:holds"
    assert harness_guard.call(holds, ["X", B], word("a", "b"), seconds=300, memory_mb=1024) is True


def test_engines_import_their_libraries_late_and_without_warnings():
    code = (
        "import sys; from harness_vltl.engines import pymodelchecking, spot;"
        "print([m for m in ('spot', 'pyModelChecking') if m in sys.modules]);"
        "t = {'states': [['a']], 'loop': 0};"
        "print(spot.holds('a', t), pymodelchecking.holds('a', t))"
    )
    # warnings as errors only once the core, which is not tested here, is imported
    code = "import harness, warnings; warnings.simplefilter('error');" + code
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\nTrue True\n"
