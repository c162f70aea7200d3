"""What the library works around: Spot's import and its appetite, pyModelChecking's defect."""

import random
import subprocess
import sys
import time
from functools import reduce

import pytest
from cases import some
from harness_logic import lassos, model_checking, path_semantics, spot_library

from harness import Abstained


def ran(*words):
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
    return done.stdout, done.stderr


def test_spot_can_be_imported_where_warnings_are_errors():
    code = "from harness_logic import spot_library as s; s.modules(); print('fine')"
    out, said = ran("-W", "error", "-c", code)
    assert out == "fine\n", said


def test_libraries_are_imported_late():
    code = (
        "import sys; from harness_logic import model_checking, spot_library;"
        "print([m for m in ('spot', 'pyModelChecking') if m in sys.modules])"
    )
    assert ran("-c", code)[0] == "[]\n"


# ------------------------------------------------------------------------------------ Spot


def promises(count):
    """F p0 & F p1 & …: as an automaton of so many promises, all of them to be kept at once."""
    spot, _ = spot_library.modules()
    return spot.formula.And([spot.formula.F(spot.formula.ap(f"p{i}")) for i in range(count)])


def test_the_effort_of_a_small_formula_is_small():
    assert spot_library.effort(promises(2), 2) < 100
    assert spot_library.effort(promises(2), 50) == spot_library.effort(promises(2), 2)


@pytest.mark.parametrize("count", [20, 24, 40])
def test_what_would_take_all_time_is_declined_soon(count):
    start = time.process_time()
    with pytest.raises(Abstained, match="effort over 200000"):
        spot_library.effort(promises(count), count)
    assert time.process_time() - start < 5


def test_effort_grows_as_the_translation_does():
    found = [spot_library.effort(promises(count), count) for count in range(2, 10)]
    assert found == sorted(found)
    assert found[-1] > 50 * found[0]


# ------------------------------------------------------------------------- pyModelChecking


def structure(known, *states):
    """A path through states with these propositions true, the last repeating."""
    edges = [(i, min(i + 1, len(states) - 1)) for i in range(len(states))]
    proposition = known.LTL.AtomicProposition
    labels = {i: {proposition(name) for name in state} for i, state in enumerate(states)}
    return known.kripke.Kripke(S=list(labels), R=edges, L=labels)


def built(formula):
    if isinstance(formula, str):
        return model_checking.library().LTL.AtomicProposition(formula)
    return model_checking.combined(formula[0], [built(part) for part in formula[1:]])


def where(formula, *states):
    known = model_checking.library()
    restricted = built(formula).get_equivalent_restricted_formula()
    return model_checking.satisfying(structure(known, *states), restricted)


def test_pymodelchecking_is_still_unsound():
    known = model_checking.library()
    kripke = known.kripke.Kripke(S=[0], R=[(0, 0)], L={0: {"p"}})
    always = known.LTL.A(known.LTL.G(known.LTL.AtomicProposition("p")))
    assert known.LTL.modelcheck(kripke, always) == set(), (
        "upstream has mended its LTL model checker: if the other tests agree, the correction in"
        " model_checking (_tableau, _supported) can go, and facts.md should say so"
    )
    assert where(["G", "p"], "p") == {0}


def test_the_library_is_left_as_it_is():
    known = model_checking.library()
    before = dict(vars(known.checking))
    where(["G", ["U", "p", "q"]], "p", "q")
    assert dict(vars(known.checking)) == before


@pytest.mark.parametrize(
    ("formula", "states"),
    [
        (["X", "q"], {0, 1}),
        (["W", "p", "q"], {0, 1}),
        (["M", "q", "p"], set()),
        (["M", ["|", "p", "q"], "p"], {0}),
        (["R", "p", "q"], {1}),
        (["<->", "p", ["X", "q"]], {0}),
        (["->", "q", ["G", "q"]], {0, 1}),
    ],
)
def test_operators_mean_what_they_should(formula, states):
    assert where(formula, "p", "q") == states


def test_a_tableau_beyond_the_bounds_is_declined():
    nested = reduce(lambda inner, name: ["U", inner, name], "bcdefgh", "a")
    with pytest.raises(Abstained, match="beyond its bounds"):
        where(nested, *"abcdefghi")


# ------------------------------------------------------------------------------ one path


@pytest.mark.parametrize(
    ("operator", "expected"),
    [
        ("!", "0011"), ("&", "0100"), ("|", "1111"), ("->", "0111"), ("<->", "0100"), ("X", "1000"),
        ("F", "1100"), ("G", "0000"), ("U", "1111"), ("W", "1111"), ("R", "0111"), ("M", "0100"),
    ],
)  # fmt: skip
def test_operators_on_a_path_mean_what_their_definitions_say(operator, expected):
    """On p, then p and q, then q and again q, and so on."""
    p, q = (True, True, False, False), (False, True, True, True)
    values = []
    for at in range(4):
        moments = path_semantics.ahead(at, 4, 3)
        values.append(path_semantics.holds(operator, [[row[m] for m in moments] for row in (p, q)]))
    assert "".join("01"[value] for value in values) == expected


def test_what_lies_ahead_comes_to_every_moment_and_once_more():
    assert path_semantics.ahead(0, 2, 0) == [0, 1, 0, 1, 0]
    assert path_semantics.ahead(1, 3, 1) == [1, 2, 1, 2, 1, 2, 1]


# --------------------------------------------------------------------------- many lassos


def drawn(rng, depth):
    if not depth or rng.random() < 0.2:
        return rng.choice("pq")
    operator = rng.choice(["!", "X", "F", "G", "&", "|", "->", "<->", "U", "W", "R", "M"])
    return (operator, *(drawn(rng, depth - 1) for _ in range(1 if operator in "!XFG" else 2)))


def by_definition(formula, word, loop, at):
    if isinstance(formula, str):
        return formula in word[at]
    moments = path_semantics.ahead(at, len(word), loop)
    operands = [[by_definition(part, word, loop, m) for m in moments] for part in formula[1:]]
    return path_semantics.holds(formula[0], operands)


def test_a_pool_says_of_every_word_what_the_definitions_say():
    rng = random.Random("lassos")
    for length, loop in ((1, 0), (2, 0), (3, 2), (4, 1)):
        words = [[{n for n in "pq" if rng.random() < 0.5} for _ in range(length)] for _ in range(9)]
        pool = lassos.Pool(length, loop, lassos.columns(words, length), len(words))
        for formula in (drawn(rng, 2) for _ in range(60)):
            held = pool.holds(formula)
            right = [by_definition(formula, word, loop, 0) for word in words]
            assert [bool(held >> w * length & 1) for w in range(9)] == right


def test_mixed_words_say_what_the_definitions_say():
    rng = random.Random("mixed")
    for count, formulas in ((1, some(150)), (2, some(150)), (30, some(50))):
        paths = []
        for _ in range(count):
            path = bytes(rng.choice([ord("p"), ord("q"), 1]) for _ in range(rng.randint(1, 9)))
            paths.append((path, rng.randrange(len(path))))
        pool = lassos.Mixed(paths)
        renamed = {ord(name): pool.columns.get(ord(name), 0) for name in "pq"}
        pool.columns = {chr(number): column for number, column in renamed.items()}
        for formula in (drawn(rng, 2) for _ in range(formulas)):
            value = pool.values(formula)
            assert pool.holds(formula) == value & (1 << count) - 1
            for number, (path, loop) in enumerate(paths):
                word = [{chr(state)} for state in path]
                for at in range(len(path)):
                    held = bool(value >> (at * count + number) & 1)
                    assert held == by_definition(formula, word, loop, at)


def test_the_shortest_form_of_a_word():
    assert lassos.shortest("abc", "bcbc") == (["a"], ["b", "c"])
    assert lassos.shortest("", "aa") == ([], ["a"])
    assert lassos.shortest("ab", "c") == (["a", "b"], ["c"])
