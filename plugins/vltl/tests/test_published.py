"""Published records: taken over with labels and traces as they are, or refused in one line."""

from __future__ import annotations

import copy
import json
import re
from collections import Counter
from functools import cache

import pytest
from cases import ALL, SHARE, each, some
from harness_vltl import reading
from harness_vltl.answers import stages
from harness_vltl.answers.score import score
from harness_vltl.engines import evaluator, spot
from harness_vltl.formulas import syntax
from harness_vltl.published.adopt import adopt
from harness_vltl.scenarios import scenario
from hypothesis import given, settings
from hypothesis import strategies as st
from vltl_items import DEFAULTS, TASKS, holds
from vltl_records import DATA, RECORD, WARD, needs_data

from harness import DatasetError, Item

STRANGE = "a trace has an action that 'prop_dict' lacks"
# of one published record
WRONG = (
    "the satisfying `trace [prop_1 | prop_2; the last repeats]` does not satisfy "
    "`G (prop_1 <-> X prop_2)`"
)

FORMULA = ["G", ["->", "prop_1", ["G", ["!", "prop_2"]]]]
GROUNDED = ["G", ["->", "pickup(cup)", ["G", ["!", "idle"]]]]


def settings_of(task):
    return {**DEFAULTS, "task": task}


def taken(record, task="end_to_end"):
    item = adopt(record, settings_of(task))
    assert isinstance(item, Item)
    return item


def refusal(record):
    with pytest.raises(DatasetError) as caught:
        adopt(record, settings_of("translate"))
    assert "\n" not in str(caught.value)
    assert 10 < len(str(caught.value)) < 250
    return str(caught.value)


# ------------------------------------------------------------------------------------ one record


def test_a_record_becomes_an_item():
    item = taken(RECORD)
    assert item.target == "G (pickup(cup) -> G !idle)"
    assert item.problem == {
        "task": "end_to_end",
        "scenario": "warehouse",
        "sentence": "Whenever the agent grabs the mug, it never waits.",
    }
    assert (item.plugin, item.version, item.split) == ("vltl", "published", "published")
    label = " ".join(RECORD["tl"])
    assert item.notes == {"source_id": "7", "format": "vltl_jsonl", "label": label}
    proof = item.certificate
    assert (proof["formula"], proof["grounded"]) == (FORMULA, GROUNDED)
    assert proof["spans"] == {"prop_1": [[3, 6]], "prop_2": [[8, 9]]}
    assert proof["satisfying"] == [{"states": [["prop_2"], ["prop_1"], []], "loop": 2}]
    assert proof["violating"] == [{"states": [["prop_1"], [], ["prop_2"]], "loop": 2}]
    assert Item.from_dict(json.loads(json.dumps(item.to_dict()))) == item


def test_a_record_of_another_scenario_takes_its_names_from_a_file(monkeypatch):
    """The action `idle` is one of the warehouse, too; the file that is named counts."""
    monkeypatch.setenv(scenario.FILES, "")
    item = adopt(RECORD, {"task": "end_to_end", "scenario": str(WARD)})
    assert item.problem["scenario"] == item.features["scenario"] == "hospital_ward"
    assert "- bring(supply,room)" in item.prompt
    assert item.notes["findings"] == [
        "the label needs `pickup(cup)`, which the prompt does not name",
        "the label needs `idle`, which the prompt does not name",
    ]


@pytest.mark.parametrize(
    ("task", "target"),
    [
        ("lift", "Whenever the agent prop_1, it never prop_2."),
        ("translate", "G (prop_1 -> G !prop_2)"),
        ("ground", '{"prop_1": "pickup(cup)", "prop_2": "idle"}'),
        ("end_to_end", "G (pickup(cup) -> G !idle)"),
    ],
)
def test_what_each_task_asks_for(task, target):
    item = taken(RECORD, task)
    assert item.target == target
    assert reading.read(item.prompt) == item.problem
    assert score(item, f"Answer: {target}").value == {"correct": 1.0, "partial": 1.0}


def test_verification_takes_either_trace_with_the_label_that_the_record_gives_it():
    seen = set()
    for number in range(30):
        item = taken(RECORD | {"id": number}, "verify")
        kind = {"satisfied": "good_trace", "violated": "bad_trace"}[item.target]
        assert item.problem["trace"]["states"] == RECORD[kind]
        assert item.problem["formula"] == GROUNDED
        assert item == taken(RECORD | {"id": number}, "verify")
        seen.add(item.target)
    assert seen == {"satisfied", "violated"}


def test_a_record_without_an_id_or_with_more_fields_is_taken():
    record = {name: value for name, value in RECORD.items() if name != "id"}
    assert taken(record).notes["source_id"] == ""
    assert taken(RECORD | {"prediction": ["x"], "": None}).certificate == taken(RECORD).certificate


@pytest.mark.parametrize(
    "record",
    [{}, {"id": 1}, {"sentence": ["a"], "prop_dict": {}}, {"question": "?", "answer": "True"}],
)
def test_a_record_of_something_else_is_none(record):
    assert adopt(record, settings_of("lift")) is None


def test_the_trap_of_names_is_noticed():
    """``tl`` holds the grounded formula and ``grounded_tl`` the lifted one; turned round it is refused."""
    swapped = RECORD | {"tl": RECORD["grounded_tl"], "grounded_tl": RECORD["tl"]}
    assert refusal(swapped) == "'grounded_tl' has 'pickup(cup)', which 'prop_dict' lacks"


TL = "'tl' is not 'grounded_tl' with its propositions put in"
UNMARKED = "some proposition is not marked in the sentence"
SAYS = "`G (prop_1 -> G !prop_2)`"
GOOD = (
    f"the satisfying `trace [prop_1 | nothing | prop_2; the last repeats]` does not satisfy {SAYS}"
)
BAD_TRACE = f"the violating `trace [prop_2 | prop_1 | nothing; the last repeats]` satisfies {SAYS}"
FORMULAS = {"translate", "end_to_end"}
LACKS = {"lifted_sentence": ["Whenever", "the", "agent", "prop_1,", "it", "never", "waits"]}
MORE = {"tl": ["globally", "pickup(cup)"], "grounded_tl": ["globally", "prop_1"],
        "good_trace": [["pickup(cup)"]]}  # fmt: skip
OTHER = {"action_canon": "idle", "action_ref": "grab", "args_canon": [], "args_ref": []}


@each(
    ("changes", "line", "labels"),
    [
        ({"tl": ["globally", "(", "idle", ")"]}, TL, {*FORMULAS, "ground"}),
        ({"tl": RECORD["grounded_tl"]}, TL, {*FORMULAS, "ground"}),
        ({"lifted_sentence_prop_ids": [0, 0, 0, 1, 1, 1, 0, 0, 0]}, UNMARKED, {"lift"}),
        ({"lifted_sentence_prop_ids": [3, 0, 0, 1, 1, 1, 0, 0, 2]}, UNMARKED, {"lift"}),
        ({"lifted_sentence_prop_ids": [0, 0, 1, 1, 1, 1, 0, 0, 2]},
         "prop_1 marks `agent grabs the mug,`, its words in 'prop_dict' are `grab mug`", {"lift"}),
        (LACKS, "the formula has prop_2, the lifted sentence has not", FORMULAS),
        (LACKS, "'lifted_sentence' is not the sentence with its marked tokens replaced", {"lift"}),
        (MORE, "the lifted sentence has prop_2, the formula has not", FORMULAS),
        ({"good_trace": RECORD["bad_trace"]}, GOOD, FORMULAS),
        ({"bad_trace": RECORD["good_trace"]}, BAD_TRACE, FORMULAS),
        ({"bad_trace": [["pickup(cup)"], ["fly", "idle"]]}, STRANGE, {"ground"}),
    ],
)  # fmt: skip
def test_what_shows_a_label_wrong_is_told_from_what_else_contradicts_itself(changes, line, labels):
    """What concerns the label of the task that is asked for is in ``wrong``; nothing is mended."""
    for task in TASKS:
        item = taken(RECORD | changes, task)
        if task == "verify":
            continue  # below
        own, other = ("wrong", "findings") if task in labels else ("findings", "wrong")
        assert line in item.notes.get(own, ()), task
        assert line not in item.notes.get(other, ()), task
        assert item.notes["label"] == item.target or task in FORMULAS | {"lift"}
    if labels == FORMULAS and "trace" in line:  # it does not do its job
        item = taken(RECORD | changes)
        assert item.target == taken(RECORD).target
        verdict = score(item, f"Answer: {item.target}")
        assert verdict.outcome == "unscored"
        assert verdict.explanation.startswith("`the item is wrong: trace ")


def test_the_label_of_a_trace_is_wrong_only_where_the_item_is_about_that_trace():
    swapped = {"good_trace": RECORD["bad_trace"], "bad_trace": RECORD["good_trace"]}
    seen = set()
    for number in range(8):
        item = taken(RECORD | swapped | {"id": number}, "verify")
        mine, rest = (GOOD, BAD_TRACE) if item.target == "satisfied" else (BAD_TRACE, GOOD)
        assert (item.notes["wrong"], item.notes["findings"]) == ([mine], [rest])
        seen.add(mine)
    assert len(seen) == 2
    assert "wrong" not in taken(RECORD, "verify").notes


# ------------------------------------------------------------------------------------- malformed


def changed(path, value):
    record = copy.deepcopy(RECORD)
    part = record
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    return record


@each("name", [name for name in RECORD if name != "id"])
def test_a_field_that_is_missing_is_named(name):
    record = {key: value for key, value in RECORD.items() if key != name}
    assert refusal(record) == f"field '{name}' is missing"


BAD = [
    None,
    True,
    3,
    2.5,
    "text",
    {"a": 1},
    [None],
    [3.5],
    [{}],
    [["\n"]],
    [[3]],
    ["x"] * 501,
    [[]] * 201,
]


@each("name", [name for name in RECORD if name != "id"])
def test_a_field_of_another_shape_is_named(name):
    for bad in BAD:
        check_bad(name, bad)


def check_bad(name, bad):
    if name == "prop_dict":
        assert "'prop_dict'" in refusal(RECORD | {name: bad})
    elif name == "tl" and bad is not None:
        try:
            taken(RECORD | {name: bad})
        except DatasetError as error:
            assert str(error).startswith("'tl'")  # noqa: PT017
    else:
        assert f"'{name}'" in refusal(RECORD | {name: bad})


@each(
    ("path", "value", "reason"),
    [
        (["sentence"], [], "'sentence' is no list of 1 to 500 tokens"),
        (["sentence"], ["a\x00"] * 9, "'sentence' has something else than tokens"),
        (["sentence"], ["a\nb"] * 9, "'sentence' has something else than tokens"),
        (["sentence"], [""] * 9, "'sentence' has something else than tokens"),
        (["lifted_sentence_prop_ids"], [0] * 8, "not one number per token"),
        (["lifted_sentence_prop_ids"], [True] * 9, "something else than numbers from 0"),
        (["lifted_sentence_prop_ids"], [-1] * 9, "something else than numbers from 0"),
        (["lifted_sentence_prop_ids"], [100] * 9, "something else than numbers from 0"),
        (["lifted_sentence_prop_ids"], [10**5000] * 9, "something else than numbers from 0"),
        (["grounded_tl"], ["globally", "("], "'grounded_tl': column "),
        (["grounded_tl"], ["prop_9"], "'grounded_tl' has 'prop_9', which 'prop_dict' lacks"),
        (["grounded_tl"], ["("] * 400, "'grounded_tl': "),
        (["grounded_tl"], ["not"] * 499 + ["prop_1"], "'grounded_tl': "),
        (["tl"], ["globally", "("], "'tl': column "),
        (["prop_dict"], {}, "'prop_dict' is no object of 1 to 20 propositions"),
        (["prop_dict"], {f"prop_{i}": {} for i in range(1, 22)}, "of 1 to 20 propositions"),
        (["prop_dict", "prop_0"], {}, "'prop_dict' has 'prop_0' instead of prop_1"),
        (["prop_dict", "x" * 5000], {}, "instead of prop_1, prop_2"),
        (["prop_dict", "prop_2"], None, "'prop_dict' says no action and arguments of prop_2"),
        (["prop_dict", "prop_2"], {}, "'prop_dict' says no action and arguments of prop_2"),
        (["prop_dict", "prop_2"], [], "'prop_dict' says no action and arguments of prop_2"),
        (["prop_dict", "prop_2", "action_canon"], 3, "something else than words for prop_2"),
        (["prop_dict", "prop_2", "action_canon"], "", "something else than words for prop_2"),
        (["prop_dict", "prop_2", "args_canon"], None, "no action and arguments of prop_2"),
        (["prop_dict", "prop_2", "args_canon"], [None], "something else than words for prop_2"),
        (["prop_dict", "prop_2", "args_ref"], 5, "no action and arguments of prop_2"),
        (["good_trace"], [], "'good_trace' is no list of states"),
        (["bad_trace"], ["idle"], "'bad_trace' is no list of states"),
        (["bad_trace"], [["a b"]], "'bad_trace': state 1 of a trace has 'a b'"),
        (["bad_trace"], [["idle"], [["idle"]]], "'bad_trace': "),
        (["bad_trace"], [[f"a{i}" for i in range(201)]], "'bad_trace': state 1"),
        (["bad_trace"], [["x" * 5000]], "'bad_trace': state 1"),
        (["bad_trace"], [["idle", 3]], "'bad_trace': "),
    ],
)
def test_what_is_wrong_within_a_field_is_said(path, value, reason):
    assert reason in refusal(changed(path, value))


@each("bad", ["a b", "pick up", "a(b", "a)", "G", "x" * 200, "-", "ä", "a,b", "1", "é(x)"])
def test_an_action_that_is_no_name(bad):
    """A canonical name is a proposition of the formula, so it has to be one."""
    record = changed(["prop_dict", "prop_2", "action_canon"], bad)
    try:
        item = taken(record)
    except DatasetError as error:
        assert "\n" not in str(error)  # noqa: PT017
        return
    assert item.notes["wrong"]  # the formula in "tl" names another action


_JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-3, 300), st.floats(), st.text(max_size=12),
              st.sampled_from(["prop_1", "globally", "(", ")", "not", "idle", "pickup(cup)"])),
    lambda part: st.one_of(st.lists(part, max_size=5), st.dictionaries(st.text(max_size=8), part, max_size=3)),
    max_leaves=8,
)  # fmt: skip


@settings(max_examples=max(some(80), 20), deadline=None)
@given(
    name=st.sampled_from([name for name in RECORD if name != "id"]),
    value=_JSON,
    task=st.sampled_from(TASKS),
)
def test_any_value_in_any_field_is_an_item_or_one_line(name, value, task):
    try:
        item = adopt(RECORD | {name: value}, settings_of(task))
    except DatasetError as error:
        assert "\n" not in str(error)  # noqa: PT017
        return
    assert item is not None
    score(item, f"Answer: {item.target}")


@settings(max_examples=15, deadline=None)
@given(value=_JSON)
def test_any_id_is_taken(value):
    assert len(taken(RECORD | {"id": value}).notes["source_id"]) <= 200


# ------------------------------------------------------------------------------ the published data


@cache
def records():
    files = sorted(DATA.glob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]


@cache
def chosen():
    """The records with a wrong label, and a share of the others."""
    return [
        record
        for at, record in enumerate(records())
        if at % SHARE == 0
        or "neither" in record["sentence"]
        or "double_implies next" in " ".join(record["grounded_tl"])
    ]


def canonical(one):
    arguments = ",".join(one["args_canon"])
    return one["action_canon"] + (f"({arguments})" if arguments else "")


@needs_data
def test_there_are_2317_records_and_tl_is_grounded_tl_with_the_propositions_put_in():
    """By their text alone: no parser of ours is needed to see it."""
    assert len(records()) == 2317
    for record in records():
        put_in = " ".join(record["grounded_tl"])
        for name, one in record["prop_dict"].items():
            put_in = re.sub(rf"{name}\b", canonical(one), put_in)
        assert put_in == " ".join(record["tl"])


@needs_data
@pytest.mark.parametrize("task", TASKS)
def test_every_record_is_adopted_and_gold_is_right(task):
    found = [adopt(record, settings_of(task)) for record in chosen()]
    assert {item.problem["task"] for item in found} == {task}
    noted = [item for kind in ("wrong", "findings") for item in found
             if any(line.startswith("the satisfying ") for line in item.notes.get(kind, ()))]  # fmt: skip
    # numbers that are not in the order that the prompt asks for; it names all that a label needs
    others = [item for item in found if "findings" in item.notes and item not in noted]
    assert (len(noted), len(others)) == (1, {"lift": 41 if ALL else 7}.get(task, 0))
    # the one trace; for end_to_end the ten that say neither, which spot says of translate
    wrong = [item for item in found if "wrong" in item.notes]
    assert len(wrong) == {"translate": 1, "end_to_end": 11, "verify": 1}.get(task, 0)
    assert all(item in noted or "neither" in item.prompt for item in wrong)
    # of the three tasks without a formula every third is enough, with the one that is wrong
    listed = found if task in ("translate", "end_to_end") else [*found[::3], *noted]
    outcomes = Counter()
    for item in listed:
        verdict = score(item, f"Answer: {item.target}")
        outcomes[verdict.outcome, verdict.value["correct"], verdict.value["partial"]] += 1
        if verdict.outcome == "unscored":
            assert item is noted[0]
            assert verdict.explanation.startswith("`the item is wrong: ")
    broken = {("unscored", 0.0, 0.0): 1} if task in ("translate", "end_to_end", "verify") else {}
    right = len(listed) - len(broken)
    assert outcomes == {("scored", 1.0, 1.0): right, **broken}


@needs_data
def test_three_engines_agree_on_every_published_trace_and_one_is_wrong():
    wrong = []
    for record in chosen():
        formula = syntax.parse(" ".join(record["tl"]))
        for name, label in (("good_trace", True), ("bad_trace", False)):
            states = [sorted(set(state)) for state in record[name]]
            trace = {"states": states, "loop": len(states) - 1}
            told = evaluator.holds(formula, trace)
            assert told == spot.holds(formula, trace) == holds(formula, trace)
            if told is not label:
                item = adopt(record, settings_of("end_to_end"))
                wrong.append((item.notes["wrong"], name))
    assert wrong == [([WRONG], "good_trace")]


@needs_data
def test_prompts_read_back_and_wrong_answers_are_wrong():
    for task in ("lift", "ground", "end_to_end"):
        for item in (adopt(record, settings_of(task)) for record in records()[:: 40 * SHARE]):
            assert reading.read(item.prompt) == item.problem
            other = {
                "lift": "prop_9 it",
                "ground": '{"prop_1": "fly"}',
                "end_to_end": "G !fly(home)",
            }[task]
            assert score(item, f"Answer: {other}").value["correct"] == 0.0


@needs_data
def test_gold_replies_to_the_stages_are_right_on_published_records():
    hyphens = [one for one in records() if "-" in " ".join(one["tl"]).replace("->", "")]
    assert len(hyphens) > 10
    for record in (*hyphens[::SHARE], *records()[:: 40 * SHARE]):
        item = adopt(record, settings_of("end_to_end"))
        replies = {stage: stages.gold(item, stage) for stage in stages.STAGES}
        verdict = score(item, stages.joined(item, replies))
        assert verdict.value == {"correct": 1.0, "partial": 1.0}
        assert verdict.extra["broke_at"] == "nowhere"


@needs_data
def test_the_trap_of_names_is_noticed_in_every_published_record():
    for record in records()[::20]:
        refusal(record | {"tl": record["grounded_tl"], "grounded_tl": record["tl"]})
