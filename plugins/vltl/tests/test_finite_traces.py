"""Finite traces (semantics=ltlf): the verdicts, by three definitions; strong and weak next; items from end to end."""

from __future__ import annotations

import copy
import json
import random
import re
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import compress, product

import pytest
from cases import each, slow, some
from drawn import parsed, texts
from harness_logic import spot_library
from harness_proof import PROVED, REFUTED, UNCHECKED, outcome
from harness_vltl import certificate, config, engines, lassos, reading, twins, wording
from harness_vltl.answers import explain, score
from harness_vltl.draw import svg
from harness_vltl.engines import evaluator, finite_spot
from harness_vltl.formulas import syntax
from harness_vltl.formulas.formula import (
    FormulaError,
    exchanged,
    propositions,
    substitute,
    text,
    validate,
)
from harness_vltl.published import audit, publish, readings
from harness_vltl.templates import skeletons
from harness_vltl.traces import reader as trace_reader
from harness_vltl.traces import writer
from vltl_items import holds
from vltl_random import ALL, random_formula

from harness import Abstained, Item, SpecError
from harness.core import fresh
from harness.core.plugins import registry
from harness.core.schemas import schema_errors
from harness.core.spec import make
from harness.kit.checks_traces import mutants

PLUGIN = registry().get("vltl")
NAMES = ("a", "b", "c")
TENTH = max(some(20), 10)


def items_of(**values):
    return list(fresh.items(PLUGIN, make(PLUGIN, {"unique": False, "task": "verify", **values})))


@cache
def sample():
    """Two hundred items, twins side by side; in `make test` half of them."""
    found = items_of(n=6 * TENTH, semantics="ltlf") + items_of(
        n=2 * TENTH, semantics="ltlf", depth=2
    )
    for scenario in ("traffic_light", "search_and_rescue"):
        found += items_of(n=TENTH, semantics="ltlf", scenario=scenario, distractors=3)
    return tuple(found)


# ------------------------------------------------------------------------------- what is meant


def naive(formula, states):
    """The words of the prompt, one by one; nothing here is imported from what is tested."""
    return column(formula, states)[0]


def column(formula, states):
    """In which steps a formula is true."""
    if isinstance(formula, bool):
        return [formula for _ in states]
    if isinstance(formula, str):
        return [formula in state for state in states]
    operator, *parts = formula
    columns = [column(part, states) for part in parts]
    if operator in BOOLEAN:
        return [BOOLEAN[operator](*here) for here in zip(*columns, strict=True)]
    p, q = columns[0], columns[-1]
    return [TEMPORAL[operator](p[at:], q[at:]) for at in range(len(states))]


def until(p, q):
    return any(holds and all(p[:at]) for at, holds in enumerate(q))


TEMPORAL = {
    "X": lambda p, _: any(p[1:2]), "N": lambda p, _: all(p[1:2]),
    "F": lambda p, _: any(p), "G": lambda p, _: all(p),
    "U": until, "W": lambda p, q: until(p, q) or all(p),
    "M": lambda p, q: any(holds and all(q[: at + 1]) for at, holds in enumerate(p)),
    "R": lambda p, q: TEMPORAL["M"](p, q) or all(q),
}  # fmt: skip
BOOLEAN = {
    "!": lambda p: not p, "&": lambda p, q: p and q, "|": lambda p, q: p or q,
    "->": lambda p, q: not p or q, "<->": lambda p, q: p == q,
}  # fmt: skip


def formula_of(rng, operators, names=NAMES):
    """A formula by chance, in which each X may have become N."""
    return twins.variant(random_formula(rng, operators, names, (*ALL, "X", "X")), rng, plant=False)


def swapped_next(formula):
    """A formula with weak and strong next exchanged throughout."""
    return exchanged(formula, {"X": "N", "N": "X"})


def trace_of(rng, length):
    return lassos.ended([name for name in NAMES if rng.random() < 0.5] for _ in range(length))


def every_trace(names, longest):
    states = [list(compress(names, bits)) for bits in product((0, 1), repeat=len(names))]
    for length in range(1, longest + 1):
        yield length, [lassos.ended(listed) for listed in product(states, repeat=length)]


def test_the_evaluator_does_what_the_words_say():
    rng = random.Random(1)
    seen = Counter()
    for _ in range(some(3000)):
        formula, length = formula_of(rng, rng.randrange(1, 9)), rng.randrange(1, 6)
        listed = [trace_of(rng, length) for _ in range(3)]
        expected = [naive(formula, trace["states"]) for trace in listed]
        assert evaluator.verdicts(formula, listed) == expected, (formula, listed)
        assert evaluator.holds(formula, listed[0]) is expected[0]
        seen[expected[0]] += 1
    assert min(seen.values()) > some(600)


def test_the_table_has_every_part_in_every_step():
    rng = random.Random(2)
    for _ in range(300):
        formula, trace = formula_of(rng, 6), trace_of(rng, 4)
        for part, line in evaluator.table(formula, trace):
            assert line == column(part, trace["states"])


def test_spot_agrees_by_its_own_translation():
    rng = random.Random(3)
    for _ in range(some(1500)):
        formula, trace = formula_of(rng, rng.randrange(1, 8)), trace_of(rng, rng.randrange(1, 6))
        assert finite_spot.holds(formula, trace) is naive(formula, trace["states"]), formula


def test_the_semantics_known_of_published_traces_are_these():
    """Without N, strong next is what `published.readings` calls so; without X, weak next."""
    rng = random.Random(4)
    for _ in range(300):
        formula, trace = random_formula(rng, 6, NAMES), trace_of(rng, 4)
        weak = json.loads(json.dumps(formula).replace('"X"', '"N"'))
        for name, spelled in (("strong next", formula), ("weak next", weak)):
            expected = naive(spelled, trace["states"])
            assert readings.holds(formula, trace["states"], name) is expected


@each(
    ("left", "right"),
    [
        ("!X a", "N !a"), ("!N a", "X !a"), ("F a", "a | X F a"), ("G a", "a & N G a"),
        ("a U b", "b | (a & X (a U b))"), ("a W b", "b | (a & N (a W b))"),
        ("a R b", "b & (a | N (a R b))"), ("a M b", "b & (a | X (a M b))"),
        ("!(a U b)", "!a R !b"), ("!(a W b)", "!a M !b"), ("a W b", "(a U b) | G a"),
        ("X a", "N a & X true"), ("N a", "X a | N false"), ("F N false", "true"),
        ("G F a", "F G a"), ("G F a", "F (a & N false)"), ("G X a", "false"), ("X (a & b)", "X a & X b"),
        ("F a", "true U a"), ("G a", "false R a"),
    ],
)  # fmt: skip
def test_laws(left, right):
    one, other = (syntax.parse(side, NAMES, finite=True) for side in (left, right))
    assert same(one, other)
    for _, listed in every_trace(("a", "b"), 4):
        assert evaluator.verdicts(one, listed) == evaluator.verdicts(other, listed)


@each(
    ("left", "right"),
    [("X a", "N a"), ("G a", "a & X G a"), ("F a", "a | N F a"), ("!X a", "X !a"), ("G X a", "G N a"),
     ("a U b", "a W b"), ("G F a", "F a"), ("N N a", "X X a"), ("N X a", "X N a")],
)  # fmt: skip
def test_no_laws(left, right):
    one, other = (syntax.parse(side, NAMES, finite=True) for side in (left, right))
    assert not same(one, other)
    assert differ(one, other)


def same(left, right):
    """Whether no finite trace tells two formulas apart, by the automata that Spot makes of them."""
    names = propositions(["&", left, right])
    ours, theirs = (substitute(f, {n: f"p{i}" for i, n in enumerate(names)}) for f in (left, right))
    session = spot_library.current(finite_spot.Finite)
    return not any(
        session.automaton(yes, negated=False).intersects(session.automaton(no, negated=True))
        for yes, no in ((ours, theirs), (theirs, ours))
    )


def differ(left, right):
    """Whether a trace of up to four states tells two formulas apart."""
    return any(
        evaluator.verdicts(left, listed) != evaluator.verdicts(right, listed)
        for _, listed in every_trace(("a", "b"), 4)
    )


def test_spot_tells_formulas_apart_where_enumeration_does():
    rng = random.Random(5)
    found = Counter()
    for at in range(300):
        most, names = (3, ("a",)) if at % 2 else (5, ("a", "b"))
        left, right = (formula_of(rng, rng.randrange(1, most), names) for _ in range(2))
        found[same(left, right), differ(left, right)] += 1
    assert found[True, True] == 0
    assert found[False, False] <= 1  # four states may be too few
    assert min(found[True, False], found[False, True]) > 10


def test_a_formula_too_much_for_spot_is_left_to_others():
    far = ["&", *[["F", f"p{i}"] for i in range(2)]]
    for i in range(2, 26):
        far = ["&", far, ["F", f"p{i}"]]
    with pytest.raises(Abstained):
        finite_spot.holds(["<->", far, ["G", far]], {"states": [["p1"]]})


# ------------------------------------------------------------------------------ formulas, traces


def test_weak_next_is_for_finite_traces_alone():
    validate(["N", "a"], finite=True)
    with pytest.raises(FormulaError, match="is no operator"):
        validate(["N", "a"])
    assert syntax.parse("N a") == ["X", "a"]  # as some write it
    assert syntax.parse("N a", ["a"]) == ["X", "a"]
    for known in ((), ("a",)):
        assert syntax.parse("N a", known, finite=True) == ["N", "a"]
    assert syntax.parse("N & a", ["N", "a"], finite=True) == ["&", "N", "a"]


def test_formulas_read_back():
    rng = random.Random(6)
    for _ in range(500):
        formula = formula_of(rng, rng.randrange(1, 9), ("prop_1", "pickup(fork)", "idle"))
        for known in ((), propositions(formula)):
            assert syntax.parse(text(formula), known, finite=True) == formula


@each("trace", [
    {"states": [["a"]], "loop": 0}, {"states": []}, {}, None, [["a"]], {"states": [["b", "a"]]},
    {"states": [["a", "a"]]}, {"states": [[1]]}, {"states": [[]] * 201}, {"states": ["a"]},
])  # fmt: skip
def test_what_is_no_finite_trace(trace):
    with pytest.raises(lassos.TraceError):
        lassos.validate(trace, finite=True)


def test_the_schema_ties_the_loop_to_the_semantics():
    finite = {"task": "verify", "formula": "a", "trace": {"states": [["a"]]}, "semantics": "ltlf"}
    infinite = {"task": "verify", "formula": "a", "trace": {"states": [["a"]], "loop": 0}}
    assert schema_errors(config.PROBLEM, finite) == schema_errors(config.PROBLEM, infinite) == []
    for wrong in (
        {**finite, "trace": infinite["trace"]},
        {**infinite, "trace": finite["trace"]},
        {**finite, "semantics": "infinite"},
        {**finite, "task": "lift"},
    ):
        assert schema_errors(config.PROBLEM, wrong)


# ----------------------------------------------------------------------------------------- items


@slow
def test_items_are_twins_of_which_one_is_satisfied():
    found = sample()
    for one, other in zip(found[::2], found[1::2], strict=True):
        assert {one.target, other.target} == {"satisfied", "violated"}
        assert one.problem["formula"] == other.problem["formula"]
        assert one.features["twin"] == other.features["twin"]
        states, others = one.problem["trace"]["states"], other.problem["trace"]["states"]
        assert len(states) == len(others) == one.features["states"]
        moved = [k for k, pair in enumerate(zip(states, others, strict=True)) if pair[0] != pair[1]]
        assert len(moved) == 2
        assert 0 not in moved
        assert len(states) - 1 not in moved
        (first,) = {*states[moved[0]]} ^ {*others[moved[0]]}
        assert {*states[moved[1]]} ^ {*others[moved[1]]} == {first}
        assert sum(first in s for s in states) == sum(first in s for s in others)


def test_both_engines_agree_and_the_third_abstains():
    assert len(sample()) == 10 * TENTH
    for item in sample():
        assert {engines.solve(item.problem, e).answer for e in ("evaluator", "spot")} == {item.target}  # fmt: skip
        assert naive(item.problem["formula"], item.problem["trace"]["states"]) is (
            item.target == "satisfied"
        )
        with pytest.raises(Abstained, match="semantics=ltlf"):
            engines.solve(item.problem, "pymodelchecking")


def repeating(item):
    """What somebody says who takes it that the last state repeats forever, by another evaluator."""
    formula = exchanged(item.problem["formula"], {"N": "X"})
    return holds(formula, lassos.make(item.problem["trace"]["states"]))


def test_the_end_of_traces_matters():
    asked = [item for item in sample() if twins.has_next(item.problem["formula"])]
    assert len(asked) > 0.85 * len(sample())
    wrong = [repeating(item) is not (item.target == "satisfied") for item in asked]
    assert 0.4 * len(asked) < sum(wrong) < 0.5 * len(asked) + 1
    right = 0
    for item in sample():
        said = PLUGIN.call("shortcut", item=item, name="last_repeats", rng=random.Random(1))
        assert said == f"Answer: {engines.truth(repeating(item))}"
        right += said == f"Answer: {item.target}"
    assert right < 0.62 * len(sample())


def test_weak_and_strong_next_are_told_apart():
    asked = [item for item in sample() if twins.has_next(item.problem["formula"])]
    assert len(asked) > 60
    whole = " ".join(text(item.problem["formula"]) for item in asked)
    letters = Counter(re.findall(r"\b[XN]\b", whole))
    assert min(letters["X"], letters["N"]) > 0.25 * letters.total()
    other = [
        naive(swapped_next(item.problem["formula"]), item.problem["trace"]["states"])
        is not (item.target == "satisfied")
        for item in asked
    ]
    assert sum(other) >= 0.3 * len(asked)


def test_no_formula_is_constant():
    for item in sample()[:120:2]:
        formula = item.problem["formula"]
        for constant in (True, False):
            assert not same(formula, constant)


def test_templates_without_even_twins_come_on_request():
    found = items_of(n=8, semantics="ltlf", families=["fairness", "existence"], arity=[1])
    assert Counter(item.target for item in found) == {"satisfied": 4, "violated": 4}
    assert all(certificate.errors(item) == [] for item in found)
    assert sum(twins.way(s, True) == twins.WAYS[1] for s in skeletons()) == 42


def test_features_say_what_is_asked():
    for item in sample():
        assert item.features["semantics"] == "ltlf"
        assert item.features["states"] == len(item.problem["trace"]["states"])
        assert "lasso" not in item.features
        assert "kill_rate" not in item.features


@each("task", ["lift", "ground"])
def test_tasks_without_formulas_have_no_finite_traces(task):
    with pytest.raises(
        SpecError, match=r"^semantics=ltlf is for task=verify, translate and end_to_end$"
    ):
        items_of(n=1, task=task, semantics="ltlf")


def test_infinite_traces_are_the_default():
    """The key at its default enters no id."""
    said, silent = (
        list(fresh.items(PLUGIN, make(PLUGIN, {"n": 12, "task": "verify", **settings})))
        for settings in ({}, {"semantics": "infinite"})
    )
    assert said == silent


# --------------------------------------------------------------------------------------- prompts


def test_prompts_say_what_is_meant_and_read_back():
    for item in sample():
        lines = item.prompt.split("\n")
        steps = f"The trace has {len(item.problem['trace']['states'])} steps"
        assert lines[0] == wording.FINITE_HEADERS["verify"]
        assert f"{steps} and ends after the last one; there are no further steps." in lines
        assert "X p (strong next): there is a next step, and p holds in it" in item.prompt
        assert "N p (weak next): there is no next step, or p holds in it" in item.prompt
        assert "forever" not in item.prompt
        assert "  " not in item.prompt
        assert reading.read(item.prompt) == item.problem
        assert schema_errors(config.PROBLEM, item.problem) == []
        assert reading.read(f"{sample()[0].prompt}\n\n{item.prompt}\n\nThink.") == item.problem


def test_a_prompt_with_a_line_less_or_other_words_is_not_read_as_another_problem():
    for item in sample()[::20]:
        lines = item.prompt.split("\n")
        for at in range(len(lines)):
            found = reading.read("\n".join([*lines[:at], *lines[at + 1 :]]))
            assert found is None or found == item.problem
        for before, after in (
            (wording.FINITE_HEADERS["verify"], wording.HEADERS["verify"]),
            (wording.FINITE_OPERATORS, wording.OPERATORS),
            ("weak next", "strong next"), ("there is a next", "there is no next"),
            ("ends after the last one; there are no further steps", "the last step repeats forever"),
            ("The trace has", "A trace has"), ("steps and ends", "states and ends"), ("Step 2", "Step 3"),
        ):  # fmt: skip
            assert before in item.prompt
            assert reading.read(item.prompt.replace(before, after)) is None


def test_what_is_read_of_a_changed_prompt_is_what_it_says():
    rng, read = random.Random(7), 0
    for item in sample()[::5]:
        words = re.split(r"([^\w]+)", item.prompt)
        end = item.prompt.index("Operators")
        inside = [at for at in range(3, len(words)) if len("".join(words[:at])) < end]
        for _ in range(30):
            mutant = list(words)
            mutant[rng.choice(inside)] = rng.choice([words[at] for at in inside] + ["X", "N", ""])
            prompt = "".join(mutant)
            problem = reading.read(prompt)
            if problem is not None and problem != item.problem:
                again = wording.prompt(problem, "none")
                assert reading.read(again) == problem
                assert problem["semantics"] == "ltlf"
                read += 1
    assert read > 50


def test_verdicts_on_finite_traces_are_proved_and_the_others_refuted():
    for item in sample()[:60]:
        assert PLUGIN.call("prove", item=item) == {}
        data = {"plugin": "vltl", "prompt": item.prompt, "target": item.target, "proof": {}}
        assert outcome(data) == (PROVED, "")
        other = "violated" if item.target == "satisfied" else "satisfied"
        assert outcome({**data, "target": other})[0] == REFUTED
        for steps in ("1 steps", "99 steps", "no steps"):
            prompt = re.sub(r"The trace has \d+ steps?", f"The trace has {steps}", item.prompt)
            assert outcome({**data, "prompt": prompt})[0] == UNCHECKED
        # with one of the two halves of infinite traces
        for before, after in (
            (wording.FINITE_HEADERS["verify"], wording.HEADERS["verify"]),
            (wording.FINITE_OPERATORS, wording.OPERATORS),
        ):
            prompt = item.prompt.replace(before, after)
            assert outcome({**data, "prompt": prompt})[0] == UNCHECKED


# ---------------------------------------------------------------------------------- certificates


def test_certificates_prove_the_labels():
    for item in sample():
        assert certificate.errors(item) == []
        other = "violated" if item.target == "satisfied" else "satisfied"
        assert certificate.errors(replace(item, id="", target=other))


def test_every_changed_digit_is_noticed():
    for item in sample()[::10]:
        for row, line in enumerate(item.certificate["values"]):
            for at, digit in enumerate(line):
                values = list(item.certificate["values"])
                values[row] = f"{line[:at]}{'10'[int(digit)]}{line[at + 1 :]}"
                assert certificate.errors(replace(item, id="", certificate={"values": values}))


def test_whatever_else_is_altered_is_noticed_unless_it_stays_right():
    rng, noticed = random.Random(8), Counter()
    for item in sample()[::4]:
        for _ in range(20):
            problem = copy.deepcopy(item.problem)
            states = problem["trace"]["states"]
            kind = rng.randrange(5)
            if kind == 0:
                problem["formula"] = swapped_next(problem["formula"])
            elif kind == 1:
                at, name = rng.randrange(len(states)), rng.choice(propositions(problem["formula"]))
                states[at] = sorted({*states[at]} ^ {name})
            elif kind == 2:
                problem["trace"]["loop"] = rng.randrange(len(states))
            elif kind == 3:
                del problem["semantics"]
            else:
                states.insert(rng.randrange(len(states) + 1), [])
            found = certificate.errors(replace(item, id="", problem=problem))
            assert kind < 2 or found
            noticed[bool(found)] += 1
            if not found:
                assert naive(problem["formula"], states) is (item.target == "satisfied")
    assert noticed[True] > 2 * noticed[False]


@each(
    ("formula", "values", "target"),
    [
        (["X", "p"], ["11", "11"], "satisfied"), (["N", "p"], ["11", "10"], "satisfied"),
        (["F", "q"], ["00", "11"], "satisfied"), (["G", "p"], ["11", "00"], "violated"),
        (["U", "p", "q"], ["11", "00", "11"], "satisfied"),
        (["W", "p", "q"], ["11", "00", "00"], "violated"),
        (["M", "q", "p"], ["00", "11", "11"], "satisfied"),
        (["R", "q", "p"], ["00", "11", "00"], "violated"),
    ],
)  # fmt: skip
def test_what_is_after_the_end_is_no_matter_of_choice(formula, values, target):
    trace = {"states": [["p"], ["p"]]}
    problem = {"task": "verify", "formula": formula, "trace": trace, "semantics": "ltlf"}
    item = Item(
        plugin="vltl", version="1", prompt="", target=target, problem=problem,
        certificate={"values": values},
    )  # fmt: skip
    assert "does not follow" in certificate.errors(item)[0]
    right = replace(
        item, id="", certificate={"values": evaluator.rows(problem["formula"], problem["trace"])}
    )
    holds = "satisfied" if naive(formula, problem["trace"]["states"]) else "violated"
    assert certificate.errors(replace(right, id="", target=holds)) == []


# ----------------------------------------------------------------------- what is made of an item


def test_answers_are_scored_with_a_table_that_says_that_the_trace_ends():
    for item in sample()[:20]:
        for answer in ("satisfied", "violated"):
            verdict = score.score(item, f"Answer: {answer}")
            assert verdict.outcome == "scored"
            assert verdict.value["correct"] == float(answer == item.target)
            assert "The trace ends." in verdict.explanation
            assert "↻" not in verdict.explanation


@slow
def test_worked_solutions_hold_and_no_change_of_them_passes():
    rng, count = random.Random(9), 0
    for item in sample()[:40]:
        told = writer.written(item)
        assert trace_reader.findings(item, told) == []
        assert explain.worked(item).endswith("it counts at step 1.")
        other = "violated" if item.target == "satisfied" else "satisfied"
        changes = list(mutants(told, other))
        for what, changed in rng.sample(changes, min(15, len(changes))):
            assert trace_reader.findings(item, changed), (what, told)
            count += 1
        formula = item.problem["formula"]
        other = {**item.problem, "formula": swapped_next(formula)}
        found = trace_reader.findings(replace(item, id="", problem=other), told)
        assert found or not twins.has_next(formula)
    assert count > 300


def test_pictures_say_that_the_trace_ends():
    for item in sample()[:10]:
        shown = " ".join(texts(parsed(svg(item))))
        assert "It ends after the last step." in svg(item)
        assert "again" not in shown


def test_nothing_is_said_of_them_that_is_about_infinite_traces():
    for item in sample()[:60]:
        assert {one["kind"] for one in audit.audit(item)} <= {"still_trace"}
        assert readings.readings(item) == {}
        assert publish.publish(item, config.FORMAT, {}) is None
        for shortcut in ("majority", "last_state"):
            answer = PLUGIN.call("shortcut", item=item, name=shortcut, rng=random.Random(1))
            assert answer in ("Answer: satisfied", "Answer: violated")
    item = sample()[0]
    wrong = replace(item, id="", target="violated" if item.target == "satisfied" else "satisfied")
    assert {"satisfying_trace", "violating_trace"} & {one["kind"] for one in audit.audit(wrong)}
    assert "; there it ends]" in audit.audit(wrong)[0]["message"]
