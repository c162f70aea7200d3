"""Records of the published format: written, read back, corrected; and corrupted ones are found."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from random import Random

import pytest
from cases import SHARE, each, some
from harness_vltl import certificate, engines
from harness_vltl.answers.score import score
from harness_vltl.config import FORMAT
from harness_vltl.engines import evaluator, plain_reader
from harness_vltl.engines.equivalence import compare
from harness_vltl.formulas import syntax
from harness_vltl.formulas.formula import propositions, substitute
from harness_vltl.published import adopt as published
from harness_vltl.published import audit
from harness_vltl.published.publish import publish, words
from vltl_items import TASKS, generated, made
from vltl_records import RECORD, adopt, needs_data, records

from harness import Abstained, DatasetError
from harness.core.plugins import registry
from harness.core.spec import make
from harness.datasets.reading import entries


def same(one, other):
    return (one.problem, one.prompt, one.target) == (other.problem, other.prompt, other.target)


# ---------------------------------------------------------------------------------- round trips


@each("task", TASKS)
def test_an_adopted_item_becomes_its_record_again(task):
    item = adopt(RECORD, task)
    assert publish(item, FORMAT, RECORD) == RECORD
    fresh = publish(item, FORMAT, {})
    assert same(adopt(fresh, task), item)
    assert {key: value for key, value in fresh.items() if key != "id"} == {
        **{key: value for key, value in RECORD.items() if key != "id"},
        "grounded_tl": words(item.certificate["formula"]),
        "tl": words(item.certificate["grounded"]),
    }


@each(("task", "suite"), [(task, task in ("lift", "ground")) for task in TASKS if task != "verify"])
def test_a_generated_item_with_finite_traces_is_said(task, suite):
    said = 0
    for item in generated(task, 12, suite=suite, scenario="search_and_rescue"):
        record = publish(item, FORMAT, {})
        if record is None:  # an operator or a lasso
            continue
        said += 1
        back = adopt(record, task, scenario="search_and_rescue")
        assert same(back, item)
        assert not back.notes.keys() & {"wrong", "findings"}
        assert record.keys() - {"style"} == RECORD.keys()
        assert record.get("style", "exact") == item.features["style"]
    assert said >= 6


def test_what_the_format_cannot_say_is_no_record():
    assert publish(generated("verify", 1)[0], FORMAT, {}) is None  # it has no sentence
    assert publish(adopt(RECORD), "other", RECORD) is None
    one = adopt(RECORD, "translate")
    lasso = {**one.certificate, "satisfying": [{"states": [["prop_1"], []], "loop": 0}]}
    assert publish(replace(one, certificate=lasso), FORMAT, {}) is None
    suite = {**lasso, "satisfying": [*lasso["satisfying"], *one.certificate["satisfying"]]}
    written = publish(replace(one, certificate=suite), FORMAT, {})  # the first finite one
    assert written["good_trace"] == RECORD["good_trace"]
    assert publish(made("translate", ["W", "prop_1", "prop_2"]), FORMAT, {}) is None
    assert publish(replace(one, certificate=None), FORMAT, {}) is None
    assert publish(replace(one, target="prop_1 W prop_2"), FORMAT, RECORD) is None
    assert publish(replace(one, target="F prop_7"), FORMAT, RECORD) is None


@needs_data
def test_every_thirtieth_published_record_comes_back():
    for record in records()[:: 30 * SHARE]:
        for task in TASKS:
            item = adopt(record, task)
            assert publish(item, FORMAT, record) == record
            assert same(adopt(publish(item, FORMAT, {}), task), item)


# ---------------------------------------------------------------------------------- corrections


def test_correcting_a_label_changes_only_what_holds_it():
    def corrected(task, target):
        item = replace(adopt(RECORD, task), target=target, id="")
        fixed = publish(item, FORMAT, RECORD)
        assert same(adopt(fixed, task), item)
        return {name: value for name, value in fixed.items() if value != RECORD[name]}

    formulas = {
        "tl": ["globally", "(", "pickup(cup)", "implies", "next", "globally", "not", "idle", ")"],
        "grounded_tl": [
            "globally",
            "(",
            "prop_1",
            "implies",
            "next",
            "globally",
            "not",
            "prop_2",
            ")",
        ],
    }
    assert corrected("translate", "G (prop_1 -> X G !prop_2)") == formulas
    assert corrected("end_to_end", "G (pickup(cup) -> X G !idle)") == formulas
    changed = corrected("ground", '{"prop_1": "deliver(cup,shelf)", "prop_2": "idle"}')
    assert changed.keys() == {"tl", "prop_dict", "good_trace", "bad_trace"}
    assert changed["good_trace"] == [["idle"], ["deliver(cup,shelf)"], []]
    lifted = "Whenever the agent prop_1 the mug, it never prop_2."
    changed = corrected("lift", lifted)
    assert changed["lifted_sentence_prop_ids"] == [0, 0, 0, 1, 0, 0, 0, 0, 2]
    assert changed["lifted_sentence"] == lifted.split()


@each(
    ("formula", "replaced"),
    [
        ("G (prop_1 -> X G !prop_2)", set()),
        ("F prop_1", {"bad_trace"}),
        ("F prop_2", {"bad_trace"}),
        ("G !prop_1", {"good_trace"}),
        ("!prop_2 U prop_1", {"good_trace", "bad_trace"}),
    ],
)
def test_a_trace_that_a_corrected_formula_contradicts_is_made_anew(formula, replaced):
    fixed = publish(replace(adopt(RECORD, "translate"), target=formula, id=""), FORMAT, RECORD)
    changed = {name for name in ("good_trace", "bad_trace") if fixed[name] != RECORD[name]}
    assert changed == replaced
    proof = adopt(fixed, "translate").certificate
    parsed = syntax.parse(formula, ["prop_1", "prop_2"])
    assert evaluator.holds(parsed, proof["satisfying"][0])
    assert not evaluator.holds(parsed, proof["violating"][0])


@each("formula", ["F G !prop_1 | G F prop_1", "G F prop_1 & G F !prop_1"])
def test_a_corrected_formula_without_a_finite_trace_of_both_kinds_is_no_record(formula):
    item = replace(adopt(RECORD, "translate"), target=formula, id="")
    assert publish(item, FORMAT, RECORD) is None


def test_a_trace_with_the_wrong_label_goes_where_it_belongs():
    swapped = {**RECORD, "good_trace": RECORD["bad_trace"], "bad_trace": RECORD["good_trace"]}
    assert adopt(swapped, "verify").problem == adopt(RECORD, "verify").problem
    fixed = replace(adopt(swapped, "verify"), target=adopt(RECORD, "verify").target, id="")
    assert publish(fixed, FORMAT, swapped) == RECORD
    # two that violate: the one the item is about is put right, and one that satisfies is made
    for number in range(8):
        both = {**RECORD, "id": number, "good_trace": [["pickup(cup)", "idle"]]}
        item = adopt(both, "verify")
        if item.target == "satisfied":
            right = replace(item, target="violated", id="")
            record = publish(right, FORMAT, both)
            assert same(adopt(record, "verify"), right)
            assert audit.audit(adopt(record, "translate"))[0]["kind"] == "weak_traces"
            assert {k for k in record if record[k] != both[k]} == {"good_trace", "bad_trace"}


# ------------------------------------------------------------------------------------ corruption


def _written(record, formula):
    names = {
        name: certificate.canonical({"action": one["action_canon"], "arguments": one["args_canon"]})
        for name, one in record["prop_dict"].items()
    }
    record["grounded_tl"] = words(formula)
    record["tl"] = words(substitute(formula, names))


def traces_exchanged(record, rng):
    record["good_trace"], record["bad_trace"] = record["bad_trace"], record["good_trace"]


def negation_dropped(record, rng):
    places = [at for at, token in enumerate(record["grounded_tl"]) if token == "not"]
    if places:
        at = rng.choice(places)
        kept = record["grounded_tl"][:at] + record["grounded_tl"][at + 1 :]
        _written(record, syntax.parse(" ".join(kept)))


def operators_exchanged(record, rng):
    """One of F and G for the other, or one of and and or."""
    swap = {"finally": "globally", "and": "or"}
    swap |= {other: one for one, other in swap.items()}
    tokens = list(record["grounded_tl"])
    places = [at for at, token in enumerate(tokens) if token in swap]
    if places:
        at = rng.choice(places)
        tokens[at] = swap[tokens[at]]
        _written(record, syntax.parse(" ".join(tokens)))


def propositions_exchanged(record, rng):
    formula = syntax.parse(" ".join(record["grounded_tl"]))
    names = propositions(formula)
    if len(names) > 1:
        one, other = rng.sample(names, 2)
        _written(record, substitute(formula, {one: other, other: one}))


def marks_exchanged(record, rng):
    ids = record["lifted_sentence_prop_ids"]
    swap = {1: 2, 2: 1}
    record["lifted_sentence_prop_ids"] = [swap.get(own, own) for own in ids]


def actions_exchanged(record, rng):
    one, *rest = record["prop_dict"].values()
    for other in rest[:1]:
        for key in ("action_canon", "args_canon"):
            one[key], other[key] = other[key], one[key]


def counted(item):
    """Tell whether an item counts as a wrong label: by its own content, or by an engine."""
    if item.notes.get("wrong"):
        return True
    for engine in engines.ENGINES:
        try:
            told = engines.solve(item.problem, engine)
        except Abstained:
            continue
        gold = replace(item, target=told.answer, certificate=told.certificate, id="")
        verdict = score(gold, f"Answer: {item.target}")
        assert verdict.outcome == "scored"
        if not verdict.value["correct"]:
            return True
    return False


def test_a_slip_in_a_sentence_is_no_doubt_about_what_it_says():
    for lifted, formula in (
        ("The robot must prop_1 holds at all times.", ["G", "prop_1"]),
        ("Either prop_1 happensing infinitely often, or prop_2 happens in the next step.",
         ["|", ["G", ["F", "prop_1"]], ["X", "prop_2"]]),
        ("Globally, it is not the case that both prop_1 and prop_2 holding simultaneously.",
         ["G", ["!", ["&", "prop_1", "prop_2"]]]),
    ):  # fmt: skip
        with pytest.raises(Abstained):
            plain_reader.read(lifted)  # no engine mends a sentence
        assert plain_reader.read(plain_reader.mended(lifted)) == formula


@needs_data
def test_a_change_that_puts_a_wrong_label_right_is_no_error():
    """ "Neither … nor …" is published with "not both": with "or" for "and" the label is what is said."""
    record = next(one for one in records() if "neither" in one["sentence"])
    right = copy.deepcopy(record)
    tokens = ["or" if token == "and" else token for token in record["grounded_tl"]]
    _written(right, syntax.parse(" ".join(tokens)))
    for task in ("translate", "end_to_end"):
        assert counted(adopt(record, task))
        assert not counted(adopt(right, task))


@needs_data
@each(
    ("change", "task", "fewest"),
    [
        (traces_exchanged, "verify", 20),
        (traces_exchanged, "translate", 20),
        (negation_dropped, "translate", 20),
        (operators_exchanged, "translate", 20),
        (operators_exchanged, "end_to_end", 20),
        (propositions_exchanged, "end_to_end", 5),
        (marks_exchanged, "lift", 20),
        (actions_exchanged, "ground", 20),
    ],
)
def test_corrupted_records_are_found(change, task, fewest):
    """A fifth of the hundred that README.md reports; what means the same as before is no error."""
    rng, most = Random(7), max(some(20), 5)
    corrupted = 0
    for record in rng.sample(records(), 110):
        wrong = copy.deepcopy(record)
        change(wrong, rng)
        if wrong == record or corrupted == most:
            continue
        before, after = adopt(record, task), adopt(wrong, task)
        same_formula = compare(before.certificate["grounded"], after.certificate["grounded"])
        if change in (operators_exchanged, propositions_exchanged) and same_formula.equivalent:
            continue
        if counted(before):  # one of the eleven: what is changed there may put it right
            continue
        corrupted += 1
        assert counted(after), (wrong, after.target)
    assert corrupted >= min(fewest, most)


# -------------------------------------------------------------------------------------- malformed


MALFORMED = [
    ('{"id": 1', "not a line of JSON"),
    ("[1]", "instead of an object"),
    ({"tl": None}, "'tl' is no list of 1 to 500 tokens"),
    ({"grounded_tl": ["globally", "("]}, "'grounded_tl': column "),
    ({"grounded_tl": ["prop_9"]}, "'grounded_tl' has 'prop_9', which 'prop_dict' lacks"),
    ({"lifted_sentence_prop_ids": [0]}, "not one number per token"),
    ({"prop_dict": {}}, "'prop_dict' is no object of 1 to 20 propositions"),
    ({"prop_dict": {"a": 1}}, "'prop_dict' has 'a' instead of prop_1"),
    ({"good_trace": []}, "'good_trace' is no list of states"),
    ({"bad_trace": [["a b"]]}, "'bad_trace': state 1 of a trace has 'a b'"),
    ({"sentence": ["x"] * 501}, "'sentence' is no list of 1 to 500 tokens"),
    (["sentence"], "field 'sentence' is missing"),
]


def test_ten_kinds_of_malformed_records_are_one_line_each_with_the_number(tmp_path):
    def line(change):
        if isinstance(change, str):
            return change
        if isinstance(change, list):
            return json.dumps({key: RECORD[key] for key in RECORD if key not in change})
        return json.dumps({**RECORD, **change})

    path = tmp_path / "bad.jsonl"
    listed = [json.dumps(RECORD), *(line(change) for change, _ in MALFORMED)]
    path.write_text("\n".join(listed) + "\n", encoding="utf-8")
    plugin = registry().get("vltl")
    first, *rest = entries(plugin, make(plugin, {"dataset": str(path), "task": "translate"}))
    assert first.error is None
    for number, (entry, (_, reason)) in enumerate(zip(rest, MALFORMED, strict=True), 2):
        assert isinstance(entry.error, DatasetError), reason
        said = str(entry.error)
        assert "\n" not in said
        assert reason in said
        assert str(number) in entry.where


def test_a_format_that_is_named():
    assert published.adopt({"a": 1}, {}, "") is None
    assert published.adopt(RECORD, {}, "other") is None
    with pytest.raises(DatasetError, match="field 'sentence' is missing"):
        published.adopt({"a": 1}, {}, FORMAT)
    assert published.adopt(RECORD, {}, "") == adopt(RECORD)
