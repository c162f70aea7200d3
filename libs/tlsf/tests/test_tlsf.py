"""TLSF: the corpus, every construct, broken text with its place, hostile text within bounds."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cases import some
from harness_tlsf.errors import TlsfError
from harness_tlsf.specification import Specification, load, parse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pace import within

# Beside the checkout.
DATA = Path(__file__).parents[4] / "shared" / "data" / "tlsf"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the TLSF corpus is not here")


def spec(
    guarantee: str = "a;",
    definitions: str = "",
    parameters: str = "",
    inputs: str = "a; c; r[3];",
    outputs: str = "b; s[2];",
    semantics: str = "Mealy",
    target: str = "Mealy",
    more: str = "",
) -> str:
    return (
        f'INFO {{ TITLE: "t" DESCRIPTION: "d" SEMANTICS: {semantics} TARGET: {target} }}\n'
        f"GLOBAL {{ PARAMETERS {{ {parameters} }}\nDEFINITIONS {{\n{definitions}\n}} }}\n"
        f"MAIN {{ INPUTS {{ {inputs} }}\nOUTPUTS {{ {outputs} }}\n{more}\nGUARANTEE {{\n{guarantee}\n}} }}\n"
    )


def ltl(guarantee: str, definitions: str = "", **more: str) -> str:
    return load(spec(guarantee + ";", definitions, **more)).ltl


def same(specification: Specification, other: Specification) -> bool:
    fields = ("title", "description", "ltl", "inputs", "outputs", "semantics", "target", "tags")
    return all(getattr(specification, one) == getattr(other, one) for one in fields)


# The corpus


def rows() -> list[dict[str, str]]:
    with (DATA / "expected.csv").open() as file:
        return list(csv.DictReader(file))


def small_rows() -> list[dict[str, str]]:
    return [
        row
        for row in rows()
        if all(int(one.split("=")[1]) <= 3 for one in row["parameters"].split())
    ]


def loaded(row: dict[str, str]) -> Specification:
    pairs = (one.split("=") for one in row["parameters"].split())
    text = (DATA / row["file"]).read_text(encoding="utf-8")
    return load(text, {name: int(value) for name, value in pairs})


@needs_data
def test_every_file_has_the_expected_signals_and_reads_back() -> None:
    seen = set()
    for row in rows():
        # The other sizes of a family are the same text again.
        if row["file"] in seen:
            continue
        seen.add(row["file"])
        specification = loaded(row)
        if row["inputs"]:
            counts = (len(specification.inputs), len(specification.outputs))
            assert counts == (int(row["inputs"]), int(row["outputs"])), row["file"]
        assert same(load(specification.text()), specification), row["file"]
    for path in DATA.glob("*.tlsf"):
        if path.name not in seen:
            specification = load(path.read_text(encoding="utf-8"))
            assert same(load(specification.text()), specification), path.name


SOLVE = """
import json, resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
import spot
for ltl, outputs in json.load(sys.stdin):
    info = spot.synthesis_info()
    game = spot.ltl_to_game(ltl, outputs, info)
    names = [one.ap_name() for one in spot.atomic_prop_collect(spot.formula(ltl))]
    print("realizable" if spot.solve_game(game, info) else "unrealizable", *names, flush=True)
"""


def solved(specifications: list[Specification]) -> list[list[str]]:
    """For each, whether it is realizable, and the propositions that Spot reads."""
    pytest.importorskip("spot")
    question = json.dumps([(one.ltl, one.outputs) for one in specifications])
    run = subprocess.run(
        [sys.executable, "-c", SOLVE], input=question, capture_output=True, text=True, timeout=600
    )
    assert run.returncode == 0, run.stderr
    return [line.split() for line in run.stdout.splitlines()]


@needs_data
def test_spot_finds_the_expected_realizability() -> None:
    chosen = [row for row in small_rows() if row["file"] not in SLOW]
    assert len({row["file"] for row in chosen}) >= 40
    specifications = [loaded(row) for row in chosen]
    for row, one, answer in zip(chosen, specifications, solved(specifications), strict=True):
        assert answer[0] == row["status"], row
        assert set(answer[1:]) <= {*one.inputs, *one.outputs}, row


# Each takes Spot half a second or more; they agree as well.
SLOW = {
    "lily__lilydemo21.tlsf",
    "ltl_f__generated_TLSF__finding_nemo_pb_3_pe_.tlsf",
    "robot_grid__parametric__robot_grid.tlsf",
    "sweap__heim-double-x1.tlsf",
    "tsl_paper__TwoCountersDisButA2.tlsf",
    "tsl_smart_home_jarvis__extracted-benchmarks__Coffee_235467da.tlsf",
    "tsl_smart_home_jarvis__extracted-benchmarks__Demo1_c2b9e44d__Demo1_c2b9e44d_3.tlsf",
}


@needs_data
@pytest.mark.skipif("TEMPOBENCH_SLOW" not in os.environ, reason="slow; TEMPOBENCH_SLOW=1 runs it")
def test_spot_finds_the_expected_realizability_of_slow_files() -> None:
    chosen = [row for row in small_rows() if row["file"] in SLOW]
    answers = solved([loaded(row) for row in chosen])
    assert [one[0] for one in answers] == [row["status"] for row in chosen]


def test_spot_reads_odd_names_as_they_are() -> None:
    odd = [
        "Go",
        "X1",
        "F_",
        "M",
        "V",
        "xor",
        "x'",
        "@a",
        "not",
        "Until",
        "G'",
        "_a",
        "W1",
        "first_match",
        "inf",
    ]
    text = spec(" && ".join(odd) + ";", inputs="; ".join(odd), outputs="b")
    assert set(solved([load(text)])[0][1:]) == set(odd)


def test_a_formula_at_the_bound_of_depth_is_read_by_spot_and_again() -> None:
    deep = load(spec("F[0:400] (b && X b);"))
    assert same(load(deep.text()), deep)
    assert solved([deep])[0][0] == "realizable"


# Formulas

FORMULAS = [
    ("a && b || c", "((a && b) || c)"),
    ("a || b && c", "(a || (b && c))"),
    ("a && (b && c)", "(a && (b && c))"),
    ("(a && b) && c", "(a && b && c)"),
    ("a -> b -> c", "(a -> (b -> c))"),
    ("a -> b <-> c", "(a -> (b <-> c))"),
    ("a <-> b -> c", "(a <-> (b -> c))"),
    # W, U and R are looser than the implication.
    ("a -> b U c", "((a -> b) U c)"),
    ("a U b W c", "(a U (b W c))"),
    ("a W b U c", "((a W b) U c)"),
    ("a R b R c", "((a R b) R c)"),
    ("a R b U c", "(a R (b U c))"),
    ("a U b U c", "(a U (b U c))"),
    ("a W b W c", "(a W (b W c))"),
    ("G a && b", "(G a && b)"),
    ("!a && X b", "(!a && X b)"),
    ("! a U b", "(!a U b)"),
    ("G F ! X a", "G F !X a"),
    ("NOT a AND b OR c IMPLIES b EQUIV c", "(((!a && b) || c) -> (b <-> c))"),
    ("true && a", "a"),
    ("false || a", "a"),
    ("false && a", "false"),
    ("a -> false", "!a"),
    ("a <-> false", "!a"),
    ("true U a", "(true U a)"),
    ("G true", "true"),
    ("X[3] a", "X X X a"),
    ("X[0] a", "a"),
    ("X[1 + 1] a && b", "(X X a && b)"),
    ("G[1:2] a", "X (a && X a)"),
    ("F[0:2] a", "(a || X (a || X a))"),
    ("G[2:1] a && b", "b"),
    ("F[2:1] a || b", "b"),
    ("r[0] && r[SIZEOF r - 1]", "(r_0 && r_2)"),
    ("&&[0 <= i < 3] r[i]", "(r_0 && r_1 && r_2)"),
    ("&&[0 < i <= 2] r[i]", "(r_1 && r_2)"),
    ("&&[2 >= i > 0] r[i]", "(r_1 && r_2)"),
    ("||[i IN {0, 2}] r[i] && a", "((r_0 || r_2) && a)"),
    ("OR[i ELEM {0, 2}] r[i]", "(r_0 || r_2)"),
    ("EXISTS[i <- {0, 2}] r[i]", "(r_0 || r_2)"),
    (
        "FORALL[i IN {0, 1 .. 2}] AND[i < j < 3] (r[i] || r[j])",
        "((r_0 || r_1) && (r_0 || r_2) && (r_1 || r_2))",
    ),
    ("||[0 <= i < 2, i < j < 3] (r[i] && r[j])", "((r_0 && r_1) || (r_0 && r_2) || (r_1 && r_2))"),
    ("&&[0 <= i < 0] r[i] && a", "a"),
    ("||[0 <= i < 0] r[i] || a", "a"),
    ("&&[x IN {a, c, a}] F x", "(F a && F c)"),
]


@pytest.mark.parametrize(("formula", "expected"), FORMULAS)
def test_formulas(formula: str, expected: str) -> None:
    specification = load(spec(formula + ";"))
    assert specification.ltl == expected
    assert same(load(specification.text()), specification)


NUMBERS = [
    ("2 + 3 * 4", 14),
    ("2 * 3 + 4", 10),
    ("10 - 3 - 2", 5),
    ("100 / 10 / 5", 50),
    ("12 / 2 * 3", 2),
    ("7 % 4", 3),
    ("(0 - 7) / 2 + 10", 6),
    ("(0 - 7) % 4", 1),
    ("7 MOD 4 PLUS 2 MUL 3 MINUS 8 DIV 4", 7),
    ("SUM[i IN {1, 2, 3}] i * 2", 12),
    ("+[0 <= i < 4] (i * i)", 14),
    ("PROD[1 <= i <= 4] i", 24),
    ("*[i IN {}] i", 1),
    ("MIN {3, 1, 2} + MAX {3, 1, 2}", 4),
    ("SIZE {1, 2, 2} + |{5}|", 3),
    ("SIZEOF r", 3),
    ("SIZE {1, 3 .. 10}", 5),
    ("SIZE {10, 8 .. 1}", 5),
    ("SIZE {4 .. 6}", 3),
    ("SIZE ({1, 2, 3} (-) {2} (+) {7, 8})", 4),
    ("MAX ({1, 2, 3} (*) {2, 9})", 2),
    ("SIZE ({1} CUP {2} CAP {2} SETMINUS {2})", 1),
    ("SIZE ({1, 2} (\\) {2} (\\) {1, 2})", 2),
    ("SIZE ((+)[i IN {1, 2}] {i, i + 1})", 3),
    ("SIZE (CAP[i IN {1, 2}] {i, i + 1})", 1),
    ("SIZE {true, 1}", 2),
    ("SIZE {{1, 2}, {2, 1}}", 1),
]


@pytest.mark.parametrize(("number", "expected"), NUMBERS)
def test_numbers(number: str, expected: int) -> None:
    assert ltl(f"({number}) == {expected} && a") == "a"


TRUTHS = [
    "1 < 2",
    "2 LE 3",
    "2 <= 2",
    "2 LEQ 2",
    "3 > 2",
    "3 GE 2",
    "2 >= 2",
    "2 GEQ 2",
    "1 != 2",
    "1 /= 2",
]
TRUTHS += [
    "1 NEQ 2",
    "1 EQ 1",
    "1 IN {1}",
    "!(2 ELEM {1})",
    "{1} IN {{1}}",
    "!(1 IN {true})",
    "a IN {a}",
]


@pytest.mark.parametrize("truth", TRUTHS)
def test_truths(truth: str) -> None:
    assert ltl(f"({truth}) && a") == "a"


# Definitions

DEFINITIONS = [
    ("f(a, b)", "f(x, y) = x U y;", "(a U b)"),
    ("f", "f = G a;", "G a"),
    ("f()", "f() = G a;", "G a"),
    ("X[n] a", "n = m + 1; m = 1;", "X X a"),
    ("f(0) && f(5)", "f(i) = i == 0 : a i < 3 : b otherwise : c;", "(a && c)"),
    ("f(2)", "f(i) = i == 0 : a otherwise : X f(i - 1);", "X X a"),
    (
        "even(3)",
        "even(i) = i == 0 : a otherwise : odd(i - 1); odd(i) = i == 0 : b otherwise : even(i - 1);",
        "b",
    ),
    ("all(r)", "all(bus) = &&[0 <= i < SIZEOF bus] bus[i];", "(r_0 && r_1 && r_2)"),
    ("f(1)", "f(i) = i > 3 && r[i] : a otherwise : b;", "b"),
    ("f({1, 2})", "f(S) = ||[i IN S] r[i];", "(r_1 || r_2)"),
    ("f(a U b)", "f(x) = x ~ p U q : q || (p && X x) otherwise : x;", "(b || (a && X (a U b)))"),
    ("f(G F a)", "f(x) = x ~ G F _ : b otherwise : c;", "b"),
    ("f(a)", "f(x) = x ~ G F _ : b otherwise : c;", "c"),
    ("f(a && b && c)", "f(x) = x ~ p && q : X q && f(p) otherwise : x;", "(X c && (X b && a))"),
    ("f(a -> a) && f(a -> b)", "f(x) = x ~ p -> p : c otherwise : b;", "(c && b)"),
    ("f(true)", "f(x) = x ~ true : a otherwise : b;", "a"),
    ("f(!a)", "f(x) = x ~ false : a x ~ !p : p otherwise : b;", "a"),
    ("f(a)", "f(a) = X a;", "X a"),
    ("f(1)", "f(x) = /* one /* two */ */ a // end\n;", "a"),
    ("f(0)", "f(i) = i == 0 : a +[j IN {1}] j == 1 : b;", "a"),
]


@pytest.mark.parametrize(("formula", "definitions", "expected"), DEFINITIONS)
def test_definitions(formula: str, definitions: str, expected: str) -> None:
    assert ltl(formula, definitions) == expected


def test_parameters_and_overrides() -> None:
    text = spec(
        "X[m] a;", parameters="n = 2; m = 2 * n;", inputs="a; q[n + k];", definitions="k = 1;"
    )
    assert load(text).parameters == {"n": 2, "m": 4}
    assert load(text).inputs == ("a", "q_0", "q_1", "q_2")
    assert load(text, {"n": 0}).inputs == ("a", "q_0")
    assert load(text, {"m": 1}).ltl == "X a"
    assert load(text, {"m": 1}).parameters == {"n": 2, "m": 1}


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"nn": 3}, "there is no parameter 'nn'; did you mean n?"),
        ({"n": -1}, "the parameter n is a number from 0 on, not -1"),
        ({"n": True}, "the parameter n is a number from 0 on, not True"),
        ({"n": "3"}, "the parameter n is a number from 0 on, not '3'"),
        ({"n": 10**30}, "the parameter n is a number from 0 on, not 1000000"),
    ],
)
def test_bad_overrides(parameters: dict[str, int], message: str) -> None:
    with pytest.raises(TlsfError) as caught:
        load(spec(parameters="n = 2;"), parameters)
    assert str(caught.value).startswith(message)


def test_no_parameters_to_override() -> None:
    with pytest.raises(TlsfError, match=r"no parameter .n.; the specification has none$"):
        load(spec(), {"n": 3})


# Enumerations

COLOURS = "enum colour = RED: 10 GREEN: 01 OFF: 00;"


def test_enumeration_values_and_implied_conditions() -> None:
    light = load(spec("l == RED; l != OFF;", COLOURS, outputs="colour l;"))
    assert light.outputs == ("l_0", "l_1")
    assert light.ltl == (
        "(G ((l_0 && !l_1) || (!l_0 && l_1) || (!l_0 && !l_1)) && "
        "((l_0 && !l_1) && !(!l_0 && !l_1)))"
    ).replace("((l_0 && !l_1) && !(", "(l_0 && !l_1 && !(")
    assert same(load(light.text()), light)


def test_an_enumeration_of_every_valuation_implies_nothing() -> None:
    assert ltl("q == ON", "enum e = ON: 1* OFF: 01, 00;", outputs="e q;") == "q_0"
    assert ltl("OFF == q", "enum e = ON: 1* OFF: 01, 00;", outputs="e q;") == (
        "((!q_0 && q_1) || (!q_0 && !q_1))"
    )


def test_an_enumeration_of_an_input_is_required() -> None:
    two = "enum two = A: 1 ;"
    assert ltl("b", two, inputs="two q;", outputs="b") == "(G q_0 -> b)"


# Sections and semantics

SECTIONS = "INITIALLY { a; } PRESET { b; } REQUIRE { X c; } ASSERT { X b; } ASSUMPTIONS { F a; }"


def test_sections_are_combined() -> None:
    assert ltl("F b", more=SECTIONS) == "(a -> (b && ((G X c && F a) -> (G X b && F b))))"


def test_strict_semantics() -> None:
    expected = "(a -> (b && (X b W !X c) && ((G X c && F a) -> F b)))"
    assert ltl("F b", more=SECTIONS, semantics="Mealy,Strict") == expected
    assert ltl("F b", more=SECTIONS, semantics="Strict, Mealy") == expected
    assert ltl("F b", more="ASSERT { b; }", semantics="Mealy,Strict") == "(G b && F b)"


def test_a_target_of_the_other_kind_delays_what_it_sees_or_does() -> None:
    assert ltl("a <-> X b", semantics="Moore") == "(X a <-> X b)"
    assert ltl("a <-> X b", target="Moore") == "(a <-> X X b)"
    assert ltl("a <-> X b", semantics="Moore", target="Moore") == "(a <-> X b)"
    strict = load(spec(semantics="Moore,Strict"))
    assert (strict.semantics, strict.target, strict.ltl) == ("Moore,Strict", "Mealy", "X a")
    assert same(load(strict.text()), strict)


def test_a_moore_specification_is_as_realizable_as_its_mealy_target() -> None:
    # Its output would have to know the input of the same step.
    answers = solved([load(spec("G (a <-> b);", semantics=one)) for one in ("Mealy", "Moore")])
    assert [answer[0] for answer in answers] == ["realizable", "unrealizable"]


def test_info_tags_order_and_what_may_be_left_out() -> None:
    text = (
        "MAIN { OUTPUTS { a } GUARANTEES { a; ; } GUARANTEE { X a } }"
        'INFO { TAGS: GR1, "two" TARGET: Moore SEMANTICS: Moore DESCRIPTION: "x\ny" TITLE: "" }'
    )
    specification = load("\ufeff" + text)
    assert specification.tags == ("GR1", '"two"')
    assert specification.description == "x\ny"
    assert specification.ltl == "(a && X a)"
    assert specification.inputs == ()
    assert same(load(specification.text()), specification)
    assert parse(text).target == "Moore"


# Broken text: § marks the place that the message must name, and is taken out.

INFO = 'INFO { TITLE: "t" DESCRIPTION: "d" SEMANTICS: Mealy TARGET: Mealy }\n'
MAIN = "MAIN { INPUTS { a; r[3]; }\n OUTPUTS { b; } GUARANTEE { a; } }"


def main_of(guarantee: str) -> str:
    return INFO + "MAIN { INPUTS { a; r[3]; }\n OUTPUTS { b; }\nGUARANTEE {\n" + guarantee + " } }"


def global_of(definitions: str, guarantee: str = "a;") -> str:
    start = "GLOBAL { PARAMETERS { n = 2; }\n DEFINITIONS { " + definitions + " } }\n"
    return INFO + start + MAIN.replace("a; } }", guarantee + " } }")


def info_of(info: str) -> str:
    return "INFO {\n " + info + " }\n" + MAIN


BROKEN = [
    ("§", "the INFO part is missing"),
    ("§foo", "expected INFO, GLOBAL or MAIN, found 'foo'"),
    ("§INF { }", "found 'INF'; did you mean INFO?"),
    ("INFO §x", "expected '{' after INFO, found 'x'"),
    (INFO + "§", "the MAIN part is missing"),
    (INFO + "§INFO { }", "a second INFO part"),
    (INFO + "MAIN { INPUTS { a; }§", "expected '}' at the end of MAIN, found the end of the text"),
    (info_of("§TITEL: 3"), "did you mean TITLE?"),
    (info_of('TITLE: "a" §TITLE: "b"'), "a second TITLE"),
    (info_of("TITLE: §abc"), "expected a text in double quotes, found 'abc'"),
    (info_of('TITLE: §"abc').replace('"d"', ""), "this string has no end"),
    (info_of("SEMANTICS: §Finite TARGET: Mealy"), "finite semantics cannot be read"),
    (info_of("SEMANTICS: Mealy,§Finite TARGET: Mealy"), "finite semantics cannot be read"),
    (info_of("SEMANTICS: §Strict TARGET: Mealy"), "semantics are Mealy or Moore"),
    (info_of("SEMANTICS: §Mealy, Moore TARGET: Mealy"), "semantics are Mealy or Moore"),
    (info_of("SEMANTICS: §Mely TARGET: Mealy"), "did you mean Mealy?"),
    (info_of("SEMANTICS: Mealy TARGET: §Strict"), "expected Mealy or Moore, found 'Strict'"),
    (info_of("SEMANTICS: Mealy§").replace("§ }", " §}"), "INFO says no TARGET: Mealy or Moore?"),
    (info_of("TARGET: Mealy§").replace("§ }", " §}"), "INFO says no SEMANTICS: Mealy or Moore?"),
    (INFO + "MAIN { §GARANTEE { a; } }", "did you mean GUARANTEE"),
    (main_of("a && §&& b;"), "expected an expression, found '&&'"),
    (main_of("a §b;"), "expected ';' or '}' in GUARANTEE, found 'b'"),
    (main_of("(a && b§;"), "expected ')' for the '(' of line 5, column 1, found ';'"),
    (main_of("a §& b;"), "'&' is not TLSF; write '&&'"),
    (main_of("a §∧ b;"), "'∧' is not TLSF; write '&&'"),
    (main_of("a §$ b;"), "the character '$' has no meaning in TLSF"),
    (main_of("§3x;"), "a name starts with a letter, '_' or '@'"),
    (main_of("§/* a;"), "this comment has no end: '*/' is missing"),
    (main_of("§zz;"), "'zz' is not defined"),
    (main_of("a && §_;"), "'_' is not defined"),
    (main_of("§3;"), "expected a formula, found a number"),
    (main_of("§r;"), "expected a formula, found the bus 'r'; one bit of it is r[0]"),
    (main_of("§{a};"), "expected a formula, found a set"),
    (main_of("§r[3];"), "the bus 'r' has no bit 3: its bits are 0 to 2"),
    (main_of("§a[0];"), "'a' is a formula, not a bus"),
    (main_of("r[§a];"), "expected a number, found a formula"),
    (main_of("r[1§;"), "expected ']' after the position in a bus, found ';'"),
    (main_of("§SIZEOF a == 1 && a;"), "SIZEOF is of a bus, not of a formula"),
    (main_of("§f(a);"), "there is no function 'f'"),
    (main_of("1 §== a;"), "'==' cannot compare a number and a formula; '<->' compares formulas"),
    (main_of("a §< b;"), "'<' cannot compare a formula and a formula"),
    (main_of("1 §/ 0 == 1;"), "division by zero"),
    (main_of("1 §% 0 == 1;"), "the remainder of a division by zero"),
    (main_of("999999999999999999 §* 999 == 1;"), "a number beyond 2^63"),
    (main_of("§1000000000000000000 == 1;"), "a number of more than 18 digits"),
    (main_of("§MIN {} == 1;"), "MIN of an empty set"),
    (main_of("§MAX {a} == 1;"), "MAX of a set with a formula"),
    (main_of("SIZE §3 == 1;"), "expected a set, found a number"),
    (main_of("1 IN §2;"), "expected a set, found a number"),
    (main_of("1 IN §{1, 1 .. 2};"), "the range {1, 1 .. 2} never moves on"),
    (main_of("1 IN {1 §2};"), "expected ',' or '}' in a set, found '2'"),
    (main_of("1 IN {1, 2, 3 §.. 4};"), "expected ',' or '}' in a set, found '..'"),
    (main_of("SIZE §(*)[i IN {}] {i} == 0;"), "the intersection of no sets at all"),
    (main_of("&&[i§] a;"), "expected 'name IN set' or 'low <= name < high', found ']'"),
    (main_of("&&[0 <= i §> 2] a;"), "expected 'name IN set' or 'low <= name < high', found '>'"),
    (main_of("&&[0 <= §3 < 4] a;"), "expected the name that takes the values, found '3'"),
    (main_of("&&[§3 IN {4}] a;"), "expected the name that takes the values, found '3'"),
    (main_of("&&[0 <= i < 2 §a;"), "expected ']' after what &&[…] ranges over, found 'a'"),
    (main_of("G[1§] a;"), "expected ':' between the bounds of G[from:to], found ']'"),
    (main_of("§X[0 - 1] a;"), "the bounds of X[…] are from 0 to 1,000, not -1"),
    (main_of("§F[0:1001] a;"), "the bounds of F[…] are from 0 to 1,000, not 1001"),
    (main_of("§otherwise;"), "'otherwise' is a guard of its own"),
    (main_of("a §~ b;"), "expected ';' or '}' in GUARANTEE, found '~'"),
    (main_of("§U a;"), "expected an expression, found 'U'"),
    (INFO + MAIN.replace("b;", "§a;"), "'a' is defined already in line 2, column 17"),
    (INFO + MAIN.replace("b;", "§r_1;"), "'r_1' would be a second proposition 'r_1'; rename one"),
    (INFO + MAIN.replace("b;", "§X;"), "'X' is a word of TLSF and cannot be the name of a signal"),
    (INFO + MAIN.replace("b;", "§3;"), "expected the name of a signal, found '3'"),
    (INFO + MAIN.replace("b;", "b[§a];"), "expected a number, found a formula"),
    (INFO + MAIN.replace("b;", "e §b;"), "there is no enumeration 'e'"),
    (global_of("§n = 3;"), "'n' is defined already in line 2, column 23"),
    (global_of("f(x, §x) = a;"), "a second argument 'x'"),
    (global_of("f(x §= a;"), "expected ',' or ')' after an argument, found '='"),
    (global_of("f §a;"), "expected '=' after 'f', found 'a'"),
    (global_of("f(x) = §;"), "expected an expression, found ';'"),
    (global_of("f(x) = x > 1 : a x > 2§;"), "expected ':' after the guard of a clause, found ';'"),
    (global_of("f(x) = a §~ b;"), "a pattern belongs in a guard"),
    (global_of("f = §f;", "f;"), "'f' is defined by itself"),
    (global_of("f(x) = a;", "§f;"), "'f' needs 1 argument in parentheses"),
    (global_of("f(x) = a;", "§f(1, 2);"), "'f' takes 1 argument, not 2"),
    (
        global_of("f(x) = x > 1 : a;", "§f(1);"),
        "no clause of 'f' applies here; 'otherwise :' would",
    ),
    (global_of("f(x) = §b : a;", "f(1);"), "this guard is a formula, neither true nor false"),
    (global_of("f(x) = x ~ §n U p : a;", "f(b);"), "'n' has a meaning already"),
    (global_of("f(x) = x ~ §1 : a;", "f(b);"), "a pattern is made of new names"),
    (global_of("f = §{{{{{{{{{1}}}}}}}}};", "f;"), "sets within sets, more than 8 deep"),
    (global_of("enum e = §;"), "expected the first value of the enumeration, found ';'"),
    (global_of("enum e = A: §2;"), "expected bits of 0, 1 and *, found '2'"),
    (global_of("enum e = A: 01 §B: 1;"), "'B' has 1 bits, the first value 2"),
    (global_of("enum e = A: 0* §B: *1;"), "'B' and 'A' share bits: 0*"),
    (global_of("enum e = A: 0 §A: 1;"), "'A' is defined already in line 3, column 25"),
    (global_of("enum e = A: 0;", "b §== A;"), "'==' cannot compare a formula and the value 'A'"),
]


@pytest.mark.parametrize(("text", "message"), BROKEN)
def test_broken_text_is_one_line_that_says_where(text: str, message: str) -> None:
    place = text.index("§")
    text = text.replace("§", "")
    line, column = text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)
    with pytest.raises(TlsfError) as caught:
        load(text)
    said = str(caught.value)
    assert said.startswith(f"line {line}, column {column}: ")
    assert message in said
    assert "\n" not in said
    assert len(said) < 250


# Hostile text

HOSTILE = {
    "parentheses": spec("(" * 990_000),
    "negations": spec("!" * 900_000 + "a"),
    "nexts": spec("X " * 450_000 + "a"),
    "sets": spec("{" * 900_000),
    "calls": spec("f(" * 450_000),
    "bits": spec("r[" * 450_000),
    "sums": spec("X[" + "1 + " * 200_000 + "1] a"),
    "comments": "/*" * 100_000,
    "quotes": '"' * 999_999,
    "one long name": spec("a" * 900_000),
    "one long number": spec("X[" + "9" * 900_000 + "] a"),
    "too long": " " * 1_000_001,
    "zero bytes": "\0" * 999_999,
    "recursion": spec("f(1);", "f(x) = f(x + 1);"),
    "recursion both ways": spec("f(1);", "f(x) = x > 0 : g(x) && f(x); g(x) = f(x) || f(x);"),
    "a circle": spec("f;", "f = g; g = f;"),
    "a wide bus": spec(inputs="r[1000000000];"),
    "many buses": spec(inputs="".join(f"q{i}[9000];" for i in range(9))),
    "a wide operator": spec("&&[0 <= i < 1000000000] a;"),
    "a long range": spec("1 IN {0 .. 1000000000};"),
    "large numbers": spec("X[f(100)] a;", "f(x) = x == 0 : 2 otherwise : f(x - 1) * f(x - 1);"),
    "doubling": spec("f(99);", "f(x) = x == 0 : a otherwise : g(f(x - 1)); g(x) = x U x;"),
    "bounds": spec("G[0:999999999] a;"),
    "bounds in bounds": spec("G[0:400] F[0:400] a;"),
    "sets in sets": spec(
        "f(40) IN f(40);", "f(x) = x == 0 : {} otherwise : g(f(x - 1)); g(s) = {s, {s}};"
    ),
    "many arguments": spec(definitions="f(" + ", ".join(f"x{i}" for i in range(90_000)) + ") = a;"),
    "a wide enumeration": spec(definitions="enum e = A: " + "1" * 100_000 + ";"),
    "many parameters": spec(parameters="".join(f"n{i} = n{i + 1};" for i in range(40_000))),
    "binders": spec("&&[" + ", ".join(f"i{k} IN {{1, 2}}" for k in range(60)) + "] a;"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_text_is_refused_soon(kind: str) -> None:
    with within(5), pytest.raises(TlsfError) as caught:
        load(HOSTILE[kind])
    assert len(str(caught.value)) < 250


@settings(
    max_examples=max(some(60), 20), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
@given(st.data())
def test_mangled_text_is_read_or_refused(data: st.DataObject) -> None:
    text = spec("&&[i IN {0, 1}] f(r[i]);", "f(x) = x ~ p U q : q otherwise : X x; " + COLOURS)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 9)))
    words = st.sampled_from(
        ["", "(", ")", "[", "]", "{", "}", "U", "~", ":", "1", "*", "a", "enum", '"']
    )
    put = "".join(data.draw(st.lists(words, max_size=3)))
    try:
        specification = load(text[:start] + put + text[end:])
    except TlsfError:
        return
    assert same(load(specification.text()), specification)


LEAVES = st.sampled_from(["a", "b", "c", "r[1]", "true", "false"])
TREES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(["!", "X ", "G ", "F ", "X[2] ", "G[0:2] "]), inner).map("".join),
        st.tuples(inner, st.sampled_from(["&&", "||", "->", "<->", "U", "W", "R"]), inner).map(
            lambda three: "(" + " ".join(three) + ")"
        ),
    ),
    max_leaves=12,
)


@settings(max_examples=max(some(60), 20), deadline=None)
@given(TREES, st.sampled_from(["Mealy", "Moore", "Mealy,Strict", "Moore,Strict"]), st.booleans())
def test_any_formula_reads_back(formula: str, semantics: str, mealy: bool) -> None:
    target = "Mealy" if mealy else "Moore"
    more = f"REQUIRE {{ {formula}; a; }} ASSERT {{ b; {formula} }}"
    specification = load(spec(formula + ";", semantics=semantics, target=target, more=more))
    assert same(load(specification.text()), specification)
