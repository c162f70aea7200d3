"""Weaknesses, readings, finite traces, and what engines make of sentences of others."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from itertools import product

import pytest
from cases import each, slow
from harness_vltl import certificate, engines
from harness_vltl.config import WEAKNESSES
from harness_vltl.engines import foreign_sentences, plain_reader
from harness_vltl.engines.evaluator import holds as ours
from harness_vltl.formulas import syntax
from harness_vltl.mutants import mutants
from harness_vltl.published import audit, readings
from harness_vltl.scenarios.scenario import known
from vltl_items import TASKS, generated, holds, verification
from vltl_records import RECORD, adopt, needs_data, records

from harness import Abstained

SEMANTICS = readings.SEMANTICS
A, B = ["a"], ["b"]
NOTHING: list[str] = []

# ------------------------------------------------------------------------------- finite traces


@each(
    ("formula", "states", "held"),
    [  # as the definitions of finite LTL say: last state repeats, weak next, strong next, empty afterwards
        ("X a", [A], (True, True, False, False)),
        ("X !a", [A], (False, True, False, True)),
        ("!X a", [A], (False, False, True, True)),
        ("G a", [A, A], (True, True, True, False)),
        ("F !a", [A, A], (False, False, False, True)),
        ("F G a", [NOTHING, A], (True, True, True, False)),
        ("G F a", [NOTHING, A], (True, True, True, False)),
        ("G X true", [A], (True, True, False, True)),
        ("a U b", [A, A], (False,) * 4),
        ("a W b", [A, A], (True, True, True, False)),
        ("b R a", [A, A], (True, True, True, False)),
        ("b M a", [A, ["a", "b"]], (True,) * 4),
        ("X X a", [A, NOTHING], (False, True, False, False)),
        ("G (a -> X b)", [A, B], (True,) * 4),
        ("G (a -> X b)", [B, A], (False, True, False, False)),
    ],
)
def test_a_trace_that_ends(formula, states, held):
    parsed = syntax.parse(formula, ["a", "b"])
    assert tuple(readings.holds(parsed, states, name) for name in SEMANTICS) == held


def test_two_semantics_are_those_of_infinite_words():
    states = [list(part) for part in product([NOTHING, A, B], repeat=3)]
    listed = [["U", "a", ["X", "b"]], ["G", ["F", "a"]], ["R", "a", ["!", "b"]], ["W", "a", "b"],
              ["M", ["X", "a"], "b"], ["<->", ["F", "a"], ["X", ["G", "b"]]], True]  # fmt: skip
    for formula in listed:
        for trace in states:
            repeats = {"states": trace, "loop": 2}
            empty = {"states": [*trace, NOTHING], "loop": 3}
            assert readings.holds(formula, trace, SEMANTICS[0]) is holds(formula, repeats)
            assert readings.holds(formula, trace, SEMANTICS[3]) is holds(formula, empty)


# ------------------------------------------------------------------------------------- readings


def test_readings_of_one_record():
    found = readings.readings(adopt(RECORD))
    assert found == {"trace semantics": dict.fromkeys(SEMANTICS, True)}
    last = {**RECORD, "grounded_tl": ["next", "prop_1"], "tl": ["next", "pickup(cup)"],
            "good_trace": [["pickup(cup)"]], "bad_trace": [[]]}  # fmt: skip
    assert readings.readings(adopt(last)) == {
        "trace semantics": {
            "last state repeats": True, "weak next": False, "strong next": False, "empty afterwards": False,
        }
    }  # fmt: skip
    bare = {**RECORD, "tl": [*["globally", "pickup(cup)", "or", "idle"]],
            "grounded_tl": ["globally", "prop_1", "or", "prop_2"],
            "good_trace": [["idle"], []], "bad_trace": [[], ["pickup(cup)"]]}  # fmt: skip
    assert readings.readings(adopt(bare))["precedence"] == {
        "unary operators first": True,
        "unary operators last": False,
    }


def test_our_own_items_leave_nothing_open():
    for task in TASKS:
        assert readings.readings(generated(task, 1)[0]) == {}
    assert readings.readings(replace(adopt(RECORD), certificate=None)) == {}


@each(
    ("said", "reaching"),
    [
        ("a and b", "a and b"),
        ("globally a or b", "globally ( a or b )"),
        ("not globally a or b", "not ( globally ( a or b ) )"),
        ("( not a or b ) and next c", "( not ( a or b ) ) and next ( c )"),
        ("a until ( finally b and not c )", "a until ( finally ( b and not ( c ) ) )"),
    ],
)
def test_unary_operators_that_reach_to_the_end(said, reaching):
    assert " ".join(readings.reaching(said.split())) == reaching


@needs_data
def test_readings_of_the_published_data():
    """Of every eighth record; README.md has the numbers of all."""
    agree = Counter()
    asked = set()
    for record in records()[::8]:
        item = adopt(record, "translate")
        for question, answers in readings.readings(item).items():
            agree.update((question, name) for name, held in answers.items() if held)
            asked.add(question)
    assert [agree["trace semantics", name] for name in SEMANTICS] == [290, 290, 263, 160]
    assert agree["precedence", "unary operators first"] == 53
    assert agree["precedence", "unary operators last"] == 41
    # of the words of two kinds of sentences the labels follow no reading
    assert {'sentence: "then"', 'sentence: "grace period"'} <= asked
    followed = {question for question, _ in agree}
    assert asked - followed == {'sentence: "then"', 'sentence: "grace period"'}


@needs_data
@each("task", ["lift", "ground"])
def test_a_bad_trace_is_no_fault_of_a_label_that_is_no_formula(task):
    (record,) = (record for record in records() if record["id"] == 6611)
    item = adopt(record, task)
    assert certificate.errors(adopt(record, "translate")) != []
    assert certificate.errors(item) == []
    assert audit.audit(item) == []
    assert readings.readings(item) == {}
    assert "wrong" not in item.notes
    assert item.notes["findings"][0].startswith("the satisfying ")


# ----------------------------------------------------------------------------------- weaknesses


def kinds(item):
    found = audit.audit(item)
    assert all(one["kind"] in WEAKNESSES and "\n" not in one["message"] for one in found)
    return {one["kind"]: one["message"] for one in found}


def record_of(formula, **changes):
    names = {"prop_1": "pickup(cup)", "prop_2": "idle"}
    tl = [names.get(token, token) for token in formula.split()]
    return {**RECORD, "grounded_tl": formula.split(), "tl": tl, **changes}


@each(
    ("formula", "kind", "evidence"),
    [
        (
            "globally finally prop_1 or not globally finally prop_1",
            "constant",
            "equivalent to `true`",
        ),
        (
            "prop_1 until globally finally prop_2",
            "idle_proposition",
            "equivalent to `G F idle`, whatever",
        ),
        (
            "not globally ( not ( prop_1 and next prop_1 ) )",
            "simpler_formula",
            "to `F (prop_1 & X prop_1)`",
        ),
        ("finally finally prop_1", "simpler_formula", "`F F prop_1` is equivalent to `F prop_1`"),
    ],
)
def test_a_formula_with_too_much(formula, kind, evidence):
    found = kinds(adopt(record_of(formula), "translate"))
    assert evidence.replace("idle", "prop_2") in found[kind]


def test_nothing_is_too_much_in_a_plain_formula():
    for formula in (
        "globally prop_1",
        "prop_1 until prop_2",
        "globally ( prop_1 implies finally prop_2 )",
    ):
        found = kinds(adopt(record_of(formula), "translate"))
        assert not found.keys() & {"constant", "idle_proposition", "simpler_formula"}


def test_traces_that_do_not_do_their_job():
    found = kinds(adopt({**RECORD, "good_trace": RECORD["bad_trace"]}, "translate"))
    assert "does not satisfy `G (prop_1 -> G !prop_2)`" in found["satisfying_trace"]
    found = kinds(adopt({**RECORD, "bad_trace": RECORD["good_trace"]}, "translate"))
    assert "satisfies `G (prop_1 -> G !prop_2)`" in found["violating_trace"]
    wrong = verification(["F", "a"], {"states": [["a"], []], "loop": 1}, "violated")
    assert "violating_trace" in kinds(wrong)
    still = verification(["G", "a"], {"states": [["a", "b"], ["a"]], "loop": 1})
    assert kinds(still) == {"still_trace": "in all 2 states of what the formula names is true: `a`"}


def test_wrong_formulas_that_pass_are_counted_and_one_is_shown():
    item = adopt(RECORD, "translate")
    said = kinds(item)["weak_traces"]
    passing, told = map(
        int, re.match(r"([0-9]+) of ([0-9]+) wrong formulas pass all 2 traces", said).groups()
    )
    proof = item.certificate
    listed = [(proof["satisfying"][0], True), (proof["violating"][0], False)]
    every = mutants(proof["formula"])
    thawed = [audit.thaw(mutant) for mutant in every]
    counted = [m for m in thawed if all(holds(m, trace) is label for trace, label in listed)]
    assert 0 < passing <= len(counted)
    assert told <= len(every)
    shown = syntax.parse(said.split("`")[1], ["prop_1", "prop_2"])
    assert all(ours(shown, trace) is label for trace, label in listed)


def test_a_suite_leaves_little_to_be_found():
    items = generated("translate", 12)
    left = sum("weak_traces" in kinds(item) for item in items)
    assert left <= 1
    pairs = generated("translate", 12, suite=False)
    assert sum("weak_traces" in kinds(item) for item in pairs) > left


def test_an_item_that_is_broken_has_no_weaknesses_and_raises_nothing():
    for task in TASKS:
        item = adopt(RECORD, task)
        for broken in ({}, None, {"formula": 3}, {**item.certificate, "satisfying": [{}]}):
            audit.audit(replace(item, certificate=broken))
        assert audit.audit(replace(item, problem={})) == []


@slow
@needs_data
def test_weaknesses_of_the_published_data():
    """Of every eighth record; README.md has the numbers of all."""
    found = {task: Counter() for task in ("verify", "end_to_end")}
    for task, counts in found.items():
        for record in records()[::8]:
            counts.update(set(kinds(adopt(record, task))))
    assert found["end_to_end"] == {
        "weak_traces": 290,
        "doubtful_sentence": 65,
        "simpler_formula": 27,
        "broken_sentence": 11,
        "two_things": 4,
    }
    assert found["verify"] == {"still_trace": 94, "simpler_formula": 27}


# --------------------------------------------------------------------------- sentences of others


@each(
    ("sentence", "formula"),
    [
        ("It must always avoid prop_1", "G !prop_1"),
        ("prop_1 holds at every moment.", "G prop_1"),
        ("From some point on, prop_3 never happens again.", "F G !prop_3"),
        ("Every time prop_2 occurs, prop_1 occurs too.", "G (prop_2 -> prop_1)"),
        ("Whenever prop_1 holds, prop_2 holds exactly two steps later.", "G (prop_1 -> X X prop_2)"),
        ("Whenever neither prop_1 nor prop_2 holds, prop_3 eventually holds.",
         "G ((!prop_1 & !prop_2) -> F prop_3)"),
        ("If prop_1 happens infinitely often then so does prop_2", "G F prop_1 -> G F prop_2"),
        ("If prop_2 ever holds, prop_1 must have held beforehand.", "F prop_2 -> (!prop_2 U (prop_1 & !prop_2))"),
    ],
)  # fmt: skip
def test_a_plain_sentence_is_read(sentence, formula):
    names = ["prop_1", "prop_2", "prop_3"]
    assert plain_reader.read(sentence) == syntax.parse(formula, names)
    assert not plain_reader.doubtful(sentence)


@each(
    "sentence",
    [
        "", "prop_1", "prop_1 then prop_2",
        "You must Please prop_1 and then prop_2",
        "prop_1 can only happen after prop_2", "Never prop_1.", "x" * 100_000, "prop_1 holds " * 5_000,
        "The " * 20_000 + "must always avoid prop_1", "Whenever prop_1 holds, prop_2 holds exactly nine steps later.",
    ],
)  # fmt: skip
def test_what_is_not_plain_is_declined(sentence):
    with pytest.raises(Abstained) as caught:
        plain_reader.read(sentence)
    assert len(str(caught.value)) < 300


def test_engines_answer_what_they_can_and_decline_the_rest():
    problem = {
        "task": "ground",
        "scenario": "warehouse",
        "sentence": "Sooner or later call for help, or pick up the cup.",
        "lifted": "Sooner or later prop_2 or prop_1",
    }
    told = engines.solve(problem, "evaluator")
    assert told.answer == engines.solve(problem, "spot").answer
    assert json.loads(told.answer) == {"prop_1": "pickup(cup)", "prop_2": "get_help"}
    assert told.certificate["propositions"]["prop_1"]["arguments"] == ["cup"]
    for task, engine in (
        ("lift", "spot"),
        ("end_to_end", "evaluator"),
        ("ground", "pymodelchecking"),
    ):
        with pytest.raises(Abstained):
            engines.solve(adopt(RECORD, task).problem, engine)
    problem = {"task": "translate", "lifted": "Both prop_1 and prop_2 hold at all times."}
    assert engines.solve(problem, "spot").answer == "G (prop_1 & prop_2)"


@each(
    ("sentence", "lifted"),
    [
        ("Either fly or idle.", "Either prop_1 or prop_2."),
        ("Either pick up the cup or idle.", "prop_1."),
        ("Either pick up the cup or idle.", "Either prop_1 prop_2."),
        ("Either pick up the cup or idle.", "prop_1 or prop_1."),
        ("Either pick up the tv or idle.", "Either prop_1 or prop_2."),
        ("Either pick up the cup", ""),
        ("a " * 5_000, "prop_1 a"),
    ],
)
def test_actions_that_are_not_clear_are_declined(sentence, lifted):
    problem = {"task": "ground", "scenario": "warehouse", "sentence": sentence, "lifted": lifted}
    for engine in ("evaluator", "spot"):
        with pytest.raises(Abstained):
            foreign_sentences.meaning(problem, known("warehouse"), engine)


@slow
@needs_data
def test_what_engines_say_of_the_published_data():
    """Of every eighth record; README.md has the numbers of all."""
    outcome = Counter()
    for record in records()[::8]:
        for task, engine in (("translate", "spot"), ("ground", "evaluator"), ("ground", "spot")):
            item = adopt(record, task)
            try:
                told = engines.solve(item.problem, engine)
            except Abstained:
                outcome[task, engine, "abstained"] += 1
                continue
            if task == "ground":
                right = told.answer == item.target or sorted(told.answer) == sorted(item.target)
            else:
                right = engines_agree(told.answer, item)
            outcome[task, engine, right] += 1
    assert outcome == {
        ("translate", "spot", True): 223,
        ("translate", "spot", "abstained"): 67,
        ("ground", "evaluator", True): 82,
        ("ground", "evaluator", "abstained"): 208,
        ("ground", "spot", True): 82,
        ("ground", "spot", "abstained"): 208,
    }


def engines_agree(answer, item):
    from harness_vltl.engines.equivalence import compare

    names = list(item.certificate["propositions"])
    return compare(item.certificate["formula"], syntax.parse(answer, names)).equivalent
