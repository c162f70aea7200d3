"""The one grammar: every notation reads, prints and reads back; whatever is no LTL is refused."""

from __future__ import annotations

import json
import random
import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import pytest
from cases import each, some
from harness_vltl.formulas.formula import (
    ARITY,
    MAX_DEPTH,
    UNARY,
    Formula,
    FormulaError,
    propositions,
    text,
    validate,
)
from harness_vltl.formulas.syntax import MAX_TEXT, parse
from hypothesis import given, settings
from hypothesis import strategies as st
from pace import within
from vltl_notations import NOTATIONS, show

KNOWN = ("prop_1", "prop_2", "a", "b", "pickup(person)")

# Names that a careless printer or lexer takes for something else.
AWKWARD = (
    *("a", "prop_1", "prop_10", "idle", "deliver(dining_table,loading_dock)", "x(y)"),
    *(
        "G",
        "U",
        "X",
        "V",
        "N",
        "true",
        "False",
        "until",
        "Next",
        "release(person)",
        "weak",
        "strong",
        "if",
    ),
    *(
        "FG",
        "XXX",
        "GF(a)",
        "A",
        "E",
        "AG",
        "AG(p)",
        "Y",
        "O",
        "once(a)",
        "since",
        "a-b",
        "a-",
        "a--b",
    ),
    *("_", "__a", "_1", "a_", "is", "double", "equivalent", "N(a)", "move(G)", "top", "xor", "Xa"),
)


def some_formula(rng: random.Random, depth: int, names: Sequence[str]) -> Formula:
    if depth == 0 or rng.random() < 0.15:
        return rng.choice([True, False]) if rng.random() < 0.1 else rng.choice(names)
    operator = rng.choice(list(ARITY))
    return [operator, *(some_formula(rng, depth - 1, names) for _ in range(ARITY[operator]))]


def test_five_thousand_formulas_read_back_equal() -> None:
    rng = random.Random(4)
    for number in range(some(5_000)):
        formula = some_formula(rng, number % 6, AWKWARD)
        notation = NOTATIONS[number // 6 % len(NOTATIONS)]
        shown = show(formula, notation)
        assert parse(shown) == formula, shown
        if number % 8 == 0:  # nor does it matter which names besides its own are known
            others = rng.sample(AWKWARD, 5)
            known = {*propositions(formula), *others} - {"true"}  # that would be no constant then
            assert parse(shown, known) == formula, (shown, others)


@each("notation", NOTATIONS)
@each("name", AWKWARD)
def test_awkward_names_read_back_next_to_every_operator(name: str, notation: str) -> None:
    for operator, arity in ARITY.items():
        formula = ["&", [operator, *[name] * arity], ["X", name]]
        assert parse(show(formula, notation)) == formula


@each("notation", NOTATIONS)
@each("side", [1, 2])
@each("operator", ["U", "&", "->", "G"])
def test_the_deepest_formula_reads_back(operator: str, side: int, notation: str) -> None:
    formula: Formula = "a"
    for _ in range(MAX_DEPTH - 1):
        operands = [formula, "b"] if side == 1 else ["b", formula]
        formula = [operator, formula] if operator in UNARY else [operator, *operands]
    assert parse(show(formula, notation)) == formula


def test_letters_are_the_notation_of_every_label() -> None:
    rng = random.Random(5)
    for _ in range(500):
        formula = some_formula(rng, 4, ["a", "prop_1", "deliver(bench,dock)"])
        assert show(formula, "letters") == text(formula)
        assert parse(text(formula)) == formula


@each(
    ("notation", "shown"),
    [
        ("letters", "G (prop_1 -> F !prop_2)"),
        ("words", "globally ( prop_1 implies finally not prop_2 )"),
        ("symbols", "[] (prop_1 -> <> !prop_2)"),
        ("unicode", "□ (prop_1 → ◇ ¬prop_2)"),
        ("latex", r"\square (prop\_1 \rightarrow \Diamond \lnot prop\_2)"),
    ],
)
def test_notations_look_as_documented(notation: str, shown: str) -> None:
    formula = ["G", ["->", "prop_1", ["F", ["!", "prop_2"]]]]
    assert show(formula, notation) == shown
    assert parse(shown) == formula
    assert json.loads(show(formula, "json"))["op"] == "G"


READINGS = r"""
()a U () b                                    = X a U X b
□(a → ◇ b) ∧ ○ a 𝒰 b                          = G (a -> F b) & (X a U b)
◻️ ⬜a ⟺ ⃝ b                                   = G G a <-> X b
𝑈(a, b) ⇒ 𝒢 ℱ 𝒳 a ℛ b                         = (a U b) -> (G F X a R b)
ａ　－＞ ｂ                                       = a -> b
[ ] a /\ < > b \/ ~a                          = (G a & F b) | !a
a --> b <=> ¬ a                               = a -> (b <-> !a)
[] <> a                                       = G F a
\square (prop\_1 \to \Diamond prop_{2})       = G (prop_1 -> F prop_2)
a \mathbin{\mathcal{U}} \neg b                = a U !b
$\mathbf{G}(\mathrm{a} \implies \mathsf{F}\text{b})$ = G (a -> F b)
\( \Box a \) = G a
\[ \lozenge a \iff \bigcirc^{2} b \]          = F a <-> X X b
\left( a \wedge b \right) \; \vee \mathcal U(a, b) = (a & b) | (a U b)
\text{prop}_1 \text{ weak until } \mathit{lay}(\text{dining table}, \text{a\_1}) = prop_1 W lay(dining_table,a_1)
`G a` = G a
"prop_1" U 'prop_2' U `a`                     = prop_1 U (prop_2 U a)
prop₁ | prop\_2                               = prop_1 | prop_2
Always (a Implies EVENTUALLY b)               = G (a -> F b)
henceforth sometime nexttime a                = G F X a
a weak_until b | a weak until b | a unless b  = ((a W b) | (a W b)) | (a W b)
a strong release b and a releases b           = (a M b) & (a R b)
a if and only if b iff a double_implies b equivalent a = a <-> (b <-> (a <-> (b <-> a)))
a V b                                         = a R b
V(a, b)                                       = a R b
N a & N(b)                                    = X a & X b
GFprop_1 U XXX prop_2                         = G F prop_1 U X X X prop_2
Xa U aUb                                      = X a U (a U b)
Fpickup(person)                               = F pickup(person)
GF(a & b)                                     = G F (a & b)
Until(a, b) & And(a, b, c)                    = (a U b) & ((a & b) & c)
Always(Or(Not(a), Implies(a,b)))              = G (!a | (a -> b))
deliver(dining table ,  loading_dock) U idle() = deliver(dining_table,loading_dock) U idle
carry("big box", 'dock')                      = carry(big_box,dock)
pickup (person)                               = pickup(person)
search(shelf 3)                               = search(shelf_3)
X[3] a & X^3 a & ○³ a & next^1 a & X[!] a     = (((X X X a & X X X a) & X X X a) & X a) & X a
F[0,2] a                                      = a | X (a | X a)
F[<=1] a & F[1:1] b & \mathbf{F}_{[1..2]} a   = ((a | X a) & X b) & X (a | X a)
F_{\le 1} a | G_{[0,1]} a                     = (a | X a) | (a & X a)
G[1,2] a                                      = X (a & X a)
F[2,inf] a & G[1:] b                          = X X F a & X G b
F [a & b] U {a}                               = F (a & b) U a
a ^ b & a                                     = !(a <-> (b & a))
1 U 0 | True & ⊥ | \top                       = ((true U false) | (true & false)) | true
a & b & c | a -> b -> c                       = (((a & b) & c) | a) -> (b -> c)
{"op": "G", "args": [{"operator": "->", "left": "a", "right": "F b"}]} = G (a -> F b)
["G", ["implies", "a", ["F", {"prop": "b"}]]] = G (a -> F b)
['and', 'a', 'b', 'true']                     = (a & b) & true
{"and": [{"G": {"F": "a"}}, {"not": "b"}, {"U": ["a", "b"]}]} = (G F a & !b) & (a U b)
always eventually! a & infinitely often !a = G F a & G F !a
{"op": "not", "operand": {"op": "xor", "operands": ["a", "b"]}} = !!(a <-> b)
["a" & "b"]                                   = a & b
G (a != F b) | X (a ≠ b)                      = G !(a <-> F b) | X !(a <-> b)
a ⇎ !b                                        = !(a <-> !b)
a \neq b                                      = !(a <-> b)
F[0,∞) a & G[0, inf) b & F_{[0,\infty)} a     = (F a & G b) & F a
F[2,∞) a U G_[1,+∞) b                         = (X X F a) U X G b
G F pickup[person]                            = G F pickup(person)
g (a -> f b) & x[2] a & (a u b)               = (G (a -> F b) & X X a) & (a U b)
g(prop_1 -> f(prop_2))                        = G (prop_1 -> F prop_2)
"""


@each("line", READINGS.strip().splitlines())
def test_reads(line: str) -> None:
    written, _, meant = line.rpartition(" = ")
    assert parse(written, KNOWN) == parse(meant, KNOWN)


@each(
    "written",
    [
        "a & b != a",
        "a != b & a",
        "a != b != a",
        "a -> b != a",
        "a U b != a",
        "a != b -> a",
        "a !=",
        "!= a",
        "a != != b",
        "F(0,3) a",
        "G (0, 3] a) ",
        "##[0:3] a & b",
        "a ##1 b",
        "a U[0] b",
        "a W[0,3] b",
        "M[0,3](a, b)",
        "F[∞) a",
        "X[0,∞) a",
        "F[51,∞) a",
        "pickup[a]",
        "pickup[person",
        "b[person]",
        "g",
        "x u",
    ],
)
def test_what_could_mean_two_things_is_refused(written: str) -> None:
    with pytest.raises(FormulaError):
        parse(written, KNOWN)


def test_known_names_settle_what_is_a_name() -> None:
    assert parse("release(person) U next", ["release(person)", "next"]) == [
        *("U", "release(person)", "next")
    ]
    assert parse("next next", ["next"]) == ["X", "next"]
    assert parse("release (a, b)", ["release(person)"]) == ["R", "a", "b"]
    assert parse("weak until strong", ["weak", "strong"]) == ["U", "weak", "strong"]
    assert parse("U U U", ["U"]) == ["U", "U", "U"]
    assert parse("Xa & GFp") == ["&", "Xa", "GFp"]
    assert parse("Xa & GFp", ["Xa", "p"]) == ["&", "Xa", ["G", ["F", "p"]]]
    assert parse("true", ["true"]) == "true"
    assert parse("A & once", ["A"]) == ["&", "A", "once"]
    assert parse("N(a) & V(a,b)") == ["&", "N(a)", "V(a,b)"]
    assert parse("g U f") == ["U", "g", "f"]
    assert parse("f g", ["g"]) == ["F", "g"]
    assert parse("g(a) & g", ["g", "g(a)"]) == ["&", "g(a)", "g"]
    assert parse("prop_10Uprop_1", ["prop_1", "prop_10"]) == ["U", "prop_10", "prop_1"]


REFUSED = {
    "": "column 1: expected a prop",
    "a &": "column 4: expected a proposition",
    "& a": "column 1: expected",
    "(a": "column 3: expected an operator or ')', found the end",
    "a)": "column 2",
    "(a]": "column 3",
    "a b": "column 3: expected an operator or the end, found 'b'",
    "G a\nF b": "column 5",
    "G a G b": "column 5",
    "G a; F b": "column 4",
    "G a.": "column 4",
    "A G p": "column 1: 'A' is a path quantifier",
    "AG p": "path quantifier",
    "AG(p)": "path quantifier",
    "A(G p)": "path quantifier",
    "E F p": "path quantifier",
    "E [a U b]": "path quantifier",
    "O a": "'O' is a past operator",
    "G Y a": "column 3: 'Y' is a past",
    "H (a)": "past",
    "a S b": "column 3: 'S' is a past",
    "once a": "past",
    "Once(a)": "past",
    "a since b": "past",
    "previously a": "past",
    "a == b": "column 3: '=' is no operator of LTL, which has no comparisons",
    "a <= 3": "comparisons",
    "a > 2": "comparisons",
    "a != b": "comparisons",
    "2": "the number 2",
    "-a": "column 1",
    "a - b": "column 3",
    "a\0": r"control character '\x00'",
    "a \x1b b": "control character",
    "a \ud800": "control character",
    "∀ a": "column 1",
    "é": "column 1",
    "a & &&& b": "column 5",
    "U(a)": "1 operands",
    "U(a, b, c)": "3 operands",
    "G(a, b)": "column 4",
    "a, b": "column 2",
    "a(b & c)": "'b & c' no argument",
    "a(": "list of arguments",
    "a(b": "list of arguments",
    "f(g(a))": "list of arguments",
    "foo(G p)": "no argument",
    "a(b,)": "no argument",
    "a(1b)": "no argument",
    "a(b,c,d,e,f,g,h)": "no name of a proposition",
    "x" * 101: "no name of a proposition",
    '"a b"': "no name of a proposition",
    '"a': "column 1",
    "\"a' & b": "column 1",
    "F[3] a": "no such bound",
    "G^2 a": "no such bound",
    "X[1,2] a": "no such bound",
    "F[!] a": "no such bound",
    "F[3,1] a": "from fewer to more",
    "F[0,51] a": "at most 50",
    "X[51] a": "at most 50",
    "F[0,50] F[0,9] a": "written out",
    "F(0,3) a": "may be an open interval or not",
    "F(0,1) a": "may be an open interval or not",
    "F_(0,1) a": "at least one",
    "F<0 a": "at least one",
    "a U[0,51] b": "at most 50",
    "a W[0,3] b": "no such bound",
    "a U[!] b": "column 6",
    "##a": "behind ## stands a number",
    "##[3:1] a": "from fewer to more",
    "##2 a & b": "parentheses around what ## delays",
    "F[0,9] F[0,9] F[0,9] a": "more than 400 parts",
    r"\foo a": r"the LaTeX command '\foo'",
    r"a \! b": "column 3",
    "$a": "column 1",
    "G": "column 2",
    "until": "column 1",
    "G ()": "column 5",
    '{"op": "G"': "looks like JSON",
    '{"op": "G", "args": []}': "'G' has 0 operands",
    '{"op": "G", "args": ["a", "b"]}': "'G' has 2 operands",
    '{"op": "U", "args": ["a"]}': "'U' has 1 operands",
    '{"op": "S", "args": ["a", "b"]}': "no operator",
    '{"S": ["a", "b"]}': "no operator",
    '{"G": ["a", "b"]}': "'G' has 2 operands",
    '{"op": ["G"], "args": ["a"]}': "no formula",
    '{"op": "G", "args": ["a"], "note": "x"}': "JSON keys",
    '{"op": "G", "op": "F", "args": ["a"]}': "a key twice",
    '{"op": "G", "args": [1]}': "no formula",
    '{"op": "G", "args": [null]}': "no formula",
    '{"op": "G", "args": [[]]}': "no formula",
    '{"op": "G", "args": ["a b"]}': 'in the JSON string "a b": column 3',
    '["prop_1"]': "no operator",
    '["G", "a"] F': "column",
}


@each("written", REFUSED)
def test_refuses_with_one_line_and_a_place(written: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse(written)
    message = str(caught.value)
    assert REFUSED[written] in message
    assert "\n" not in message
    assert len(message) < 300


@each(
    "hostile",
    [
        *(
            "!" * 1_000_000,
            "(" * 10_000,
            "!" * 10_000,
            "(" * 5000 + "a" + ")" * 5000,
            "!" * MAX_TEXT,
        ),
        *(
            "!" * 61 + "a",
            "(" * 61 + "a" + ")" * 61,
            "X " * 60 + "a",
            "G(a1 & F(" * 2200,
            "a U " * 3000,
        ),
        *(
            "a -> " * 200 + "a",
            "a & " * 200 + "a",
            "[[" * 5000,
            '["' * 6000,
            '{"op":' * 2000,
            "[" * 9000,
        ),
        *(
            [
                "X[50] " * 60 + "a",
                "F[0,20] " * 50 + "a",
                r"\text{" * 3000,
                "a(" * 5000,
                "'" * 10_000,
            ]
        ),
        *("weak " * 3000, "X" * 19_000, "aUb" * 6000, "a-" * 9000, "𝒰" * 19_000, "_{a}" * 4000),
        *(
            "U(" * 1000 + "a",
            "a(b" + " b" * 9000,
            "ﷺ" * 9000,
            " " * 19_999,
            "<" * 9000,
            "\\_" * 9000,
        ),
        *('["G", ' * 59 + '["G", "a"]' + "]" * 59, '["&"' + ', "a"' * 2500 + "]", "a\n" * 9000),
        "&".join(f"p{number}" for number in range(60)),
    ],
)
def test_hostile_texts_are_refused_at_once(hostile: str) -> None:
    with within(0.2):
        for _ in range(2):
            with pytest.raises(FormulaError) as caught:
                parse(hostile, KNOWN)
            assert "\n" not in str(caught.value)
            assert len(str(caught.value)) < 300


PIECES = [
    *(
        "G",
        "F",
        "X",
        "U",
        "R",
        "W",
        "M",
        "!",
        "&",
        "|",
        "->",
        "<->",
        "^",
        "(",
        ")",
        "[",
        "]",
        "{",
        "a",
        "b",
    ),
    *(
        "prop_1",
        "until",
        "weak",
        "weak until",
        "if and only if",
        "[]",
        "<>",
        "()",
        "□",
        "𝒰",
        "\\square",
    ),
    *(
        "\\text{U}",
        "\\_",
        "_",
        "-",
        "[3]",
        "^2",
        "[0,2]",
        ",",
        '"',
        "'",
        "`",
        "$",
        "1",
        "pickup(person)",
    ),
    *(
        "pickup",
        "\\mathbf{",
        "}",
        "⃝",
        "N",
        "V",
        "O",
        "A",
        "true",
        "\0",
        "é",
        "≤",
        "=",
        '["',
        '":',
        " ",
    ),
]


def read(written: str, known: Sequence[str] = ()) -> Formula:
    """Return the formula, None where there is none; whatever else happens fails the test."""
    try:
        return parse(written, known)
    except FormulaError as problem:
        if "\n" in str(problem):
            raise ValueError from problem
        return None


@settings(max_examples=max(some(250), 60), deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=25), st.sampled_from(["", " "]))
def test_any_text_is_a_valid_formula_or_an_error(pieces: list[str], between: str) -> None:
    formula = read(between.join(pieces), KNOWN)
    if formula is not None:
        validate(formula)
        assert all(parse(show(formula, notation)) == formula for notation in NOTATIONS)


@settings(max_examples=max(some(150), 40), deadline=None)
@given(st.text(max_size=40))
def test_any_characters_are_a_formula_or_an_error(written: str) -> None:
    formula = read(written)
    assert formula is None or parse(show(formula, "letters")) == formula


def spot() -> Any:
    with warnings.catch_warnings():
        # see harness_ltlbench.engines.spot: a crash otherwise, where warnings are errors
        warnings.filterwarnings("ignore", "builtin type .* has no __module__", DeprecationWarning)
        return import_module("spot")


def to_spot(make: Any, formula: Formula) -> Any:
    if isinstance(formula, bool):
        return make.tt() if formula else make.ff()
    if isinstance(formula, str):
        return make.ap(formula)
    kinds = {"!": "Not", "->": "Implies", "<->": "Equiv", "&": "And", "|": "Or"}
    parts = [to_spot(make, part) for part in formula[1:]]
    build = getattr(make, kinds.get(formula[0], formula[0]))
    return build(parts) if formula[0] in "&|" else build(*parts)


def without_parentheses(rng: random.Random, operands: int) -> str:
    words = []
    opened = 0
    for number in range(operands):
        words += [rng.choice(["!", "X", "F", "G"]) for _ in range(rng.choice([0, 0, 0, 1, 2]))]
        if rng.random() < 0.1 and number < operands - 1:
            words.append("(")
            opened += 1
        words.append(rng.choice("abcde"))
        if opened and rng.random() < 0.3:
            words.append(")")
            opened -= 1
        words.append(rng.choice(["U", "R", "W", "M", "&", "|", "->", "<->", "xor"]))
    return " ".join(words[:-1] + [")"] * opened)


def test_precedence_is_that_of_spot() -> None:
    module = spot()
    rng = random.Random(6)
    for _ in range(1000):
        written = without_parentheses(rng, rng.randint(2, 8))
        theirs = module.formula(written)
        # Spot keeps xor, which is the negation of an equivalence here
        ours = to_spot(module.formula, parse(written))
        same = without_xor(module, theirs)
        assert ours == same, written


def without_xor(module: Any, formula: Any) -> Any:
    changed = formula.map(lambda part: without_xor(module, part))
    if changed.kindstr() != "Xor":
        return changed
    return module.formula.Not(module.formula.Equiv(changed[0], changed[1]))
