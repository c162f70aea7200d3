"""Targets of the readers of formal text: what is read can be written, and is read again as the same."""

from functools import cache, partial
from pathlib import Path

from harness_errors import DatasetError, HarnessError

from fuzzing import seeds, words
from fuzzing.mutation import text_of
from fuzzing.target import Target, now_and_then, require

NAMES = ("prop_1", "prop_2", "a", "b", "G", "deliver(a,b)")


# ------------------------------------------------------------------------------------- HOA


def hoa(data):
    """A machine that is read is written and read as the same; both readers agree."""
    from harness_tempobench import hoa as own
    from harness_tempobench.errors import TempobenchError

    text = text_of(data)
    for read in (own.read, lambda text: own.read_open(text).machine):
        try:
            machine = read(text)
        except TempobenchError as error:
            require(len(str(error).splitlines()) == 1, f"not one line: {error!s}")
            continue
        for names in (False, True):
            again = own.read(own.write(machine, names=names))
            require(again == machine, "a machine does not come back from its text")
        machine.canonical()


@cache
def _machines():
    from harness_tempobench import hoa as own

    texts = {item.problem["hoa"] for item in seeds.all_items("tempobench")}
    texts = sorted(texts, key=len)[:8]
    named = [own.write(own.read(text), names=True) for text in texts]
    more = (
        'HOA: v1\nStates: 2\nStart: 0\nAP: 2 "r" "g"\nAlias: @a 0 & !1\nacc-name: all\nAcceptance: 0 t\n'
        'tool: "x" "1"\nname: "n"\nproperties: deterministic\ncontrollable-AP: 1\n--BODY--\n'
        'State: 0 "s"\n[@a] 1\n[!0&!1 | f] 0\nState: [t] 1\n1\n--END--\n',
        'HOA: v1 States: 1 Start: 0 AP: 1 "a b" Acceptance: 0 t controllable-AP: 0 --BODY-- State: 0 [0] 0 --END--',
    )
    return [text.encode() for text in (*texts, *named, *more)]


# ------------------------------------------------------------------------------------ TLSF


def tlsf(data):
    """A specification that is read is written in the basic format and read as the same formula."""
    from harness_tlsf import specification as own
    from harness_tlsf.errors import TlsfError

    text = text_of(data)
    try:
        spec = own.load(text)
    except TlsfError as error:
        require(len(str(error).splitlines()) == 1, f"not one line: {str(error)!a}")
        return
    if len(spec.ltl) > 100_000 or '"' in spec.title + spec.description:
        return
    again = own.load(spec.text())
    require(again.ltl == spec.ltl, "another formula comes back from the basic format")
    require(
        (again.inputs, again.outputs) == (spec.inputs, spec.outputs), "other propositions come back"
    )


def _specifications():
    import harness_tempobench

    folder = Path(harness_tempobench.__file__).parent / "specs"
    files = sorted(folder.rglob("*.tlsf"), key=lambda one: (one.stat().st_size, one.name))
    return [one.read_bytes() for one in files[:25]]


def constraint(data):
    """A sentence over inputs is a formula, or cannot be read; the names known change no literal."""
    from harness_tempobench import constraint as own
    from harness_tempobench.errors import TempobenchError

    text = text_of(data)
    for names in ((), ("a", "b", "r_0", "not", "x y", "true")):
        try:
            found = own.parse(text, names)
            require(own.parse(f" {text}\n", names) == found, "blanks around a sentence change it")
            if found != own.TRUE:  # "(any)" is as little as "any", but not in brackets without end
                require(
                    own.parse(f"({text})", names) == found,
                    "parentheses around a sentence change it",
                )
        except TempobenchError:
            continue


def _sentences():
    return [s.encode() for s in (
        "a", "!a", "a and b", "not a or (b and not r_0)", "no constraints", "a & !b | r_0", "a -> b", "a <-> !b",
        "x y", "a is true and b is false", "a=1, b=0", "either a or b", "neither a nor b", "`a` ∧ ¬`b`",
        "if a then b", "a xor b", "true", "false", "a XOR (b XOR r_0)", "r_0 must be high", "any value", "{a, !b}",
        "a unless b", "¬(a ∨ b)",
    )]  # fmt: skip


# ------------------------------------------------------------------------------------- LTL


def ltl(data):
    """A formula that is read is printed in every notation and read as the same."""
    import vltl_notations
    from harness_vltl.formulas import syntax
    from harness_vltl.formulas.formula import FormulaError, validate

    text = text_of(data)
    for known in ((), NAMES):
        try:
            formula = syntax.parse(text, known)
        except FormulaError as error:
            require(str(error), "refused without a word")
            continue
        validate(formula)
        names = tuple(dict.fromkeys([*known, *syntax_names(formula)]))
        if {"true", "false"} & {name.lower() for name in names}:
            continue  # a scenario has no such proposition: the constant could not be told from it
        for notation in vltl_notations.NOTATIONS if now_and_then(data, 3) else ("letters", "latex"):
            shown = vltl_notations.show(formula, notation)
            if len(shown) <= syntax.MAX_TEXT:
                back = syntax.parse(shown, names)
                require(back == formula, lambda n=notation: f"another formula comes back from {n}")


def syntax_names(formula):
    from harness_vltl.formulas.formula import propositions

    return tuple(propositions(formula))


def _formulas():
    import vltl_notations

    formulas = [item.certificate["formula"] for item in seeds.items("vltl_translate", 8)]
    formulas.append(
        ["M", ["W", ["!", "a"], "deliver(a,b)"], ["<->", ["X", "G"], ["R", "true", "b"]]]
    )
    texts = [
        vltl_notations.show(f, n) for f in formulas for n in vltl_notations.NOTATIONS if _valid(f)
    ]
    texts += ["G(a -> F b)", "[] (a -> <> b)", "aUb", "GF a", "X[3] a & F[0,3] b", "And(a, b, c)", "a unless b",
              '{"op": "G", "args": ["a"]}', "deliver(dining table, dock) xor b",
              "always (a implies eventually b)"]  # fmt: skip
    return [text.encode() for text in texts]


def _valid(formula):
    from harness_vltl.formulas.formula import FormulaError, validate

    try:
        validate(formula)
    except FormulaError:
        return False
    return True


def spot(data):
    """A formula that we can read is one that Spot's worker takes, or declines in one line."""
    from harness_vltl.engines import equivalence
    from harness_vltl.formulas import syntax
    from harness_vltl.formulas.formula import FormulaError

    try:
        formula = syntax.parse(text_of(data), NAMES)
    except FormulaError:
        return
    try:
        found = equivalence.compare(formula, ["|", formula, ["&", formula, ["F", "elsewhere"]]])
    except HarnessError:
        return
    require(found.equivalent, "a formula is not equivalent to itself or a part of itself")


def trace(data):
    """A trace in words that is read is written and read as the same."""
    from harness_vltl import lassos

    found = lassos.read(text_of(data).split("\n"))
    if found is not None:
        lassos.validate(found)
        require(
            lassos.read(lassos.text(found).split("\n")) == found,
            "a trace does not come back from its text",
        )
        lassos.shown(found)


def _traces():
    from harness_vltl import lassos

    return [lassos.text(item.problem["trace"]).encode() for item in seeds.items("vltl_verify", 8)]


def nusmv(data):
    """A module that is read is a problem that is written and read as the same."""
    from harness_ltlbench.published import nusmv as own

    try:
        problem = own.parse(text_of(data))
    except DatasetError as error:
        require(str(error), "refused without a word")
        return
    require(own.parse(own.source(problem)) == problem, "a module does not come back from its text")


def _modules():
    from harness_ltlbench.published import nusmv as own

    return [own.source(item.problem).encode() for item in seeds.all_items("ltlbench")]


# ------------------------------------------------------------------------ files of the user's


def scenario(data):
    """A scenario file is a scenario that can be described and drawn from, or has a fault with a line."""
    from random import Random

    from harness_vltl.scenarios import reader
    from harness_vltl.scenarios import scenario as own
    from harness_vltl.scenarios.model import ScenarioError

    try:
        found = reader.parse(data, "mine.yaml")
    except ScenarioError as error:
        require("mine.yaml" in str(error), f"no place: {str(error)!a}")
        require(len(str(error).splitlines()) == 1, f"not one line: {str(error)!a}")
        return
    own.capacity(found)
    own.describe(found, full=True)
    own.draw(found, Random(0))


def _scenarios():
    import harness_vltl

    folder = Path(harness_vltl.__file__).parent / "scenarios"
    small = (
        "name: mine\nagents: [robot]\ntypes:\n  person:\n    article: none\n    values:\n"
        "      ann: [ann, miss ann]\n      bob: [bob]\n"
        "actions:\n  wave:\n    arguments: [person]\n    phrases:\n      - wave to {person}\n"
    )
    return [small.encode(), *(one.read_bytes() for one in sorted(folder.glob("*.yaml")))]


def facts(suffix, data):
    """A file of facts is a table, or has a fault in one line that names the file."""
    from harness_timepuzzles import facts as own

    try:
        own._parsed(f"mine{suffix}", data, own.builtin())
    except HarnessError as error:
        require("mine" in str(error), f"no place: {str(error)!a}")
        require(len(str(error).splitlines()) == 1, f"not one line: {str(error)!a}")


def _facts(suffix):
    import harness_timepuzzles

    lines = (Path(harness_timepuzzles.__file__).parent / "facts.csv").read_text().splitlines()
    kinds = {line.split(",")[0]: line for line in lines[1:]}
    table = "\n".join([lines[0], *kinds.values(), *lines[1:6]]) + "\n"
    if suffix == ".csv":
        return [table.encode()]
    import csv
    import io

    import yaml

    rows = [{k: v for k, v in row.items() if v} for row in csv.DictReader(io.StringIO(table))]
    return [
        yaml.safe_dump(rows, allow_unicode=True).encode(),
        yaml.safe_dump(rows, default_flow_style=True).encode(),
    ]


def dates(data):
    """Dates in words: each that is read exists or is named impossible, and is read again from ISO."""
    from datetime import date

    from harness_timepuzzles.answers import dates as own

    text = text_of(data)
    for compact in (True, False):
        found = own.read(text, compact)
        if found is None:
            continue
        for one in found.dates:
            require(date.fromisoformat(str(one)).isoformat() == str(one), f"{one} is no date")
        said = ", ".join(sorted(map(str, found.dates)))
        back = own.read(said, compact) if said else found
        require(
            back is not None and set(back.dates) == set(found.dates),
            "dates do not come back from ISO",
        )


def _dates():
    return [s.encode() for s in (
        "2001-02-03", "2001-02-03, 2001-02-04 and 2001-02-05", "February 3, 2001", "3 Feb 2001; 4th of March 2002",
        "none", "- 2001-02-03\n- 2001-02-04", "[\"2001-02-03\", \"2001-02-04\"]", "Saturday, 3 February 2001",
        "20010203 20010204", "03.02.2001", "2001/2/3", "Feb 3 and 4, 2001", "from 2001-02-03 to 2001-02-05",
        "2001年2月3日", "2001-02-29 (no date)", "{2001-02-03}", "| 2001-02-03 | ok |", "1. 2001-02-03\n2. 2001-02-04",
        "3rd, 4th and 5th of May 1999", "1999 May 3",
    )]  # fmt: skip


TARGETS = (
    Target("hoa", hoa, _machines, words.HOA),
    Target("tlsf", tlsf, _specifications, words.TLSF, seconds=3.0),
    Target("constraint", constraint, _sentences, words.TEMPOBENCH),
    Target("ltl", ltl, _formulas, words.LTL),
    Target("ltl_spot", spot, _formulas, words.LTL),
    Target("trace", trace, _traces, words.VLTL),
    Target("nusmv", nusmv, _modules, (*words.NUSMV, *words.LTLBENCH)),
    Target("scenario", scenario, _scenarios, words.SCENARIO),
    Target(
        "facts_csv",
        partial(facts, ".csv"),
        partial(_facts, ".csv"),
        (*words.FACTS, *words.TIMEPUZZLES),
        seconds=2.0,
    ),
    Target(
        "facts_yaml",
        partial(facts, ".yaml"),
        partial(_facts, ".yaml"),
        (*words.FACTS, *words.SCENARIO),
        seconds=2.0,
    ),
    Target("dates", dates, _dates, words.TIMEPUZZLES),
)
