"""Constraint sentences: spellings, names, what has no certain reading, bounds."""

import random
from itertools import product

import pytest
from harness_tempobench.constraint import (
    FALSE,
    MAX_LITERALS,
    MAX_NESTING,
    TRUE,
    ConstraintError,
    conjunction,
    parse,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from pace import within


def lit(name, value=True):
    return ("literal", name, value)


A, B, C = lit("a"), lit("b"), lit("c")
NOT_A = lit("a", False)


def holds(formula, values):
    """Evaluate a formula, whether in negation normal form or with not, -> and <-> in it."""
    kind, *parts = formula
    if kind == "literal":
        return values[parts[0]] == parts[1]
    if kind in ("true", "false"):
        return kind == "true"
    said = [holds(part, values) for part in parts]
    return {
        "not": not said[0],
        "and": all(said),
        "or": any(said),
        "->": len(said) > 1 and said[0] <= said[1],
        "<->": len(set(said)) == 1,
    }[kind]


NOTHING = """|no constraints|No Constraints.|none|None|no constraint|unconstrained|-|—|n/a|true|TRUE|'no constraints'
(no constraints)|"none"|no  constraints|not constrained|don't care|don’t care|⊤|*|T|any|anything|Nothing|irrelevant
no_constraints|no-constraints|noconstraints|no constraints (irrelevant)|no causal inputs|no minimal breaking sets
free|no breaking set|none needed|any value|no constraints needed"""


@pytest.mark.parametrize(
    "sentence", [part for line in NOTHING.split("\n") for part in line.split("|")]
)
def test_says_nothing(sentence):
    assert parse(sentence) == TRUE


@pytest.mark.parametrize(
    ("sentence", "formula"),
    [
        ("a", A),
        ("a.", A),
        ("!a", NOT_A),
        ("not a", NOT_A),
        ("NOT(a)", NOT_A),
        ("~ ¬ ! a", NOT_A),
        ("a and b", ("and", A, B)),
        ("a && b & c", ("and", A, B, C)),
        ("a ∧ b AND c", ("and", A, B, C)),
        (r"\neg a \land b", ("and", NOT_A, B)),
        ("a, b, and c", ("and", A, B, C)),
        ("a; b", ("and", A, B)),
        ("a or b, c", ("and", ("or", A, B), C)),
        ("a or b and c", ("or", A, ("and", B, C))),
        ("(a || b) ∧ c", ("and", ("or", A, B), C)),
        ("not a or b", ("or", NOT_A, B)),
        ("!(a & !b)", ("or", NOT_A, B)),
        ("a -> b", ("or", NOT_A, B)),
        ("a => b → c", ("or", NOT_A, lit("b", False), C)),
        ("a = true", A),
        ("a=0", NOT_A),
        ("a is false or b==1", ("or", NOT_A, B)),
        ("a is not true", NOT_A),
        ("a != 1", NOT_A),
        ("a must be true", A),
        ("a must not be true and b", ("and", NOT_A, B)),
        ("not a = false", A),
        ("false", FALSE),
        ("not false", TRUE),
        ("a or true", ("or", A, TRUE)),
        (
            "command and sensor or ordinary",
            ("or", ("and", lit("command"), lit("sensor")), lit("ordinary")),
        ),
        ("not_ready and notify", ("and", lit("not_ready"), lit("notify"))),
        ("G_req & door_1", ("and", lit("G_req"), lit("door_1"))),
        ("!req[0] or a.b", ("or", lit("req[0]", False), lit("a.b"))),
        ("Req and req", ("and", lit("Req"), lit("req"))),
        ("'and' or \"or\" or `not`", ("or", lit("and"), lit("or"), lit("not"))),
        ("“door 1” and not ‘b’", ("and", lit("door 1"), lit("b", False))),
        ("größe and 门", ("and", lit("größe"), lit("门"))),
        ("a: true, b: false", ("and", A, lit("b", False))),
        ("a=T and b = F", ("and", A, lit("b", False))),
        ("a is on or b=off", ("or", A, lit("b", False))),
        ("（a） and ！b", ("and", A, lit("b", False))),
        ("any_1 and T", ("and", lit("any_1"), lit("T"))),
        ("true_1 and none_2", ("and", lit("true_1"), lit("none_2"))),
    ],
)
def test_reads(sentence, formula):
    assert parse(sentence) == formula


UNREADABLE = [
    "a b",
    "a and",
    "and a",
    "or",
    "not",
    "!",
    "a or or b",
    "(a",
    "a)",
    "()a",
    "a, or b",
    "a, b or c",
    "a, b, or c",
    "a xor b",
    "a ^ b",
    "a + b",
    "a * b",
    "a'",
    "a-b",
    "-a",
    "1",
    "0",
    "1 and a",
    "0&!1",
    "X a",
    "no constraints and a",
    "a (needed)",
    "if a then b",
    "either a or b",
    "neither a nor b",
    "...",
    "…",
    ".",
    "?",
    "a = b",
    "a = 2",
    "a == 1.5",
    "a, ",
    ",",
    "a &&& b",
    "a == = 1",
    "'a",
    "a and 'b",
    "\x00",
    "a\x00b",
    "\ud800",
    "a \ud800",
    "\u202ea",
    "{a}",
    "[a]",
    "a ? b",
    "not constrained by a",
    "the same as step 1",
    "a" * 101,
    "'" + "b" * 101 + "'",
    "a <- b",
    "no r",
    "a unless b",
    "a until b",
    "a -> ",
    "a <->",
    "0:a",
    "a is",
    "a is not",
    "a must be",
    "$a$",
    "0: a",
    "a : b",
    "a: on b",
    "no constraints (a)",
    "no constraints (irrelevant) and a",
    "* a",
    "both a or b",
    "input a",
    r"a\_b",
    "a_{0}",
]


@pytest.mark.parametrize("sentence", UNREADABLE)
def test_unreadable_is_never_no_constraints(sentence):
    with pytest.raises(ConstraintError) as caught:
        parse(sentence)
    message = str(caught.value)
    assert message.isprintable()
    assert len(message) < 200


@pytest.mark.parametrize(
    ("sentence", "names", "formula"),
    [
        ("door open and a", ["door open", "a"], ("and", lit("door open"), A)),
        ("!door open", ["door open"], lit("door open", False)),
        ("a-b or a", ["a-b", "a"], ("or", lit("a-b"), A)),
        ("a' and a", ["a'", "a"], ("and", lit("a'"), A)),
        ("and", ["and"], lit("and")),
        (
            "and and or or not",
            ["and", "or", "not"],
            ("or", ("and", lit("and"), lit("or")), lit("not")),
        ),
        ("not not", ["not"], lit("not", False)),
        ("none", ["none"], lit("none")),
        ("true", ["true"], lit("true")),
        ("no constraints", ["a"], TRUE),
        ("0 and !1", ["0", "1"], ("and", lit("0"), lit("1", False))),
        ("`a and !b`", ["a", "b"], ("and", A, lit("b", False))),
        ("'!a' or 'b'", ["a", "b"], ("or", NOT_A, B)),
        ("a and z", ["a"], ("and", A, lit("z"))),
        ("a.", ["a."], lit("a.")),
        ("door opener", ["door open", "door opener"], lit("door opener")),
        ("A and not B", ["a", "b"], ("and", A, lit("b", False))),
        ("A and a", ["a", "A"], ("and", lit("A"), A)),
        ("Ab and B", ["ab", "aB", "b"], ("and", lit("Ab"), B)),
        ("ANY", ["any"], lit("any")),
        ("nothing", ["nothing", "a"], lit("nothing")),
        ("T or a", ["t", "a"], ("or", lit("t"), A)),
        ("T", ["t"], lit("t")),
        ("T", ["a"], TRUE),
        ("both a and !b", ["a", "b"], ("and", A, lit("b", False))),
        ("both and a", ["both", "a"], ("and", lit("both"), A)),
        ("input a is true", ["a"], A),
        ("!input a and input b", ["a", "b"], ("and", NOT_A, B)),
        ("input and a", ["input", "a"], ("and", lit("input"), A)),
        (r"$a \wedge \neg b$", ["a", "b"], ("and", A, lit("b", False))),
        ("$a$", ["a"], A),
        ("$a$", ["$a$"], lit("$a$")),
        ("[a & !b]", ["a", "b"], ("and", A, lit("b", False))),
        ("{a}", ["a"], A),
        (r"r\_0 and \!a", ["r_0", "a"], ("and", lit("r_0"), NOT_A)),
        ("!r_{0}", ["r_0"], lit("r_0", False)),
        ("r_{0}", ["r_{0}"], lit("r_{0}")),
    ],
)
def test_known_names(sentence, names, formula):
    assert parse(sentence, names) == formula


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("not ready", ["not ready", "ready"]),
        ("!a", ["!a", "a"]),
        ("a and b", ["a and b", "a", "b"]),
        ("door opened", ["door open"]),
        ("a-c", ["a-b", "a"]),
        ("not and", ["not"]),
        ("{a, !b}", ["a", "b"]),
        ("[a, b]", ["a", "b"]),
        ("a = on", ["a", "on"]),
        ("a = T", ["a", "t"]),
        ("a: off", ["a", "off"]),
        ("both a or b", ["a", "b"]),
        ("both a and b and c", ["a", "b", "c"]),
        ("$a$ and $b$", ["a", "b"]),
        ("[a] or [b]", ["a", "b"]),
        ("either a or b", ["a", "b"]),
        ("no constraints (a)", ["a"]),
    ],
)
def test_known_names_with_two_readings_or_none(sentence, names):
    with pytest.raises(ConstraintError):
        parse(sentence, names)


def test_bounds():
    deep = "(" * MAX_NESTING + "a" + ")" * MAX_NESTING
    assert parse(deep) == A
    assert parse("!" * 1999 + "a") == NOT_A
    assert len(parse(" or ".join("a" * MAX_LITERALS))) == MAX_LITERALS + 1
    for sentence in [
        f"({deep})",
        "a|" * MAX_LITERALS + "a",
        "a <-> " * 20 + "a",
        "⊤ <-> " * 12 + "⊤",
        "a -> " * 100 + "a",
        "(" * 2000,
        "a" * 2001,
        " " * 2001,
        "a&" * 999,
        "!(" * 900 + "a",
    ]:
        with pytest.raises(ConstraintError):
            parse(sentence)


def test_every_sentence_is_read_quickly():
    names = [f"x y{i}" for i in range(52)]
    parts = [
        "(",
        "!",
        "a",
        " ",
        "not ",
        "'",
        "`",
        "a[",
        "a.",
        "\\",
        "a <-> ",
        "a -> ",
        ",",
        "-",
        "<",
        "=",
        "is ",
        "x y1 ",
        "@",
    ]
    for part in parts:
        with within(0.4):
            for known in ((), names):
                for text in (part * (2000 // len(part)), part * (1900 // len(part)) + "a and b"):
                    try:
                        parse(text, known)
                    except ConstraintError:
                        continue


def test_conjunction():
    assert conjunction([]) == conjunction([TRUE]) == TRUE
    assert conjunction([A]) == A
    assert conjunction([("and", A, B), TRUE, C]) == ("and", A, B, C)


NAMES = ["a", "command", "G_req", "req[0]", "not_x"]
SPELLINGS = {
    "not": ["!", "~", "¬", "not ", "NOT ", "! "],
    "and": [" and ", " & ", "&&", " ∧ ", " AND ", "\nand  "],
    "or": [" or ", "|", " || ", " ∨ ", " OR "],
    "->": [" -> ", "->", " implies ", " ⇒ "],
    "<->": [" <-> ", " iff ", "↔"],
}
TIGHT = ["<->", "->", "or", "and", "not", "literal"]

formulas = st.recursive(
    st.sampled_from([lit(name) for name in NAMES]),
    lambda inner: st.one_of(
        st.tuples(st.just("not"), inner),
        st.builds(
            lambda kind, parts: (kind, *parts),
            st.sampled_from(["and", "or"]),
            st.lists(inner, min_size=2, max_size=3),
        ),
        st.tuples(st.sampled_from(["->", "<->"]), inner, inner),
    ),
    max_leaves=8,
)


def spelled(formula, rng, above=-1):
    kind, *parts = formula
    level = TIGHT.index(kind)
    if kind == "literal":
        text = rng.choice(["{}", "{}", "{}", "'{}'", "`{}`", '"{}"', "({})"]).format(parts[0])
    elif kind == "not":
        text = rng.choice(SPELLINGS["not"]) + spelled(parts[0], rng, level - 0.5)
    else:
        text = rng.choice(SPELLINGS[kind]).join(spelled(part, rng, level) for part in parts)
    return f"({text})" if level <= above or rng.random() < 0.1 else text


@settings(max_examples=50, deadline=None)
@given(formulas, st.integers(0, 2**32))
def test_random_formulas_in_random_spellings_are_read_as_meant(formula, seed):
    read = parse(spelled(formula, random.Random(seed)), NAMES if seed % 2 else ())
    assert "not" not in str(read).replace("not_x", "")
    for values in product((False, True), repeat=len(NAMES)):
        point = dict(zip(NAMES, values, strict=True))
        assert holds(read, point) == holds(formula, point)


@settings(max_examples=50, deadline=None)
@given(st.text(st.sampled_from("ab !()|&,'\"`=<->.10not") | st.characters(), max_size=40))
def test_any_text_is_a_formula_or_an_error(text):
    try:
        read = parse(text, ("a", "b c"))
    except ConstraintError:
        return
    assert read[0] in ("literal", "and", "or", "true", "false")
