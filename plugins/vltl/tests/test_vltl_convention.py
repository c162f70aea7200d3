"""convention=published: what the published notebook prints, to the last digit, and its quirks one by one."""

import json
from dataclasses import replace
from functools import cache

import pytest
from cases import slow
from harness_vltl.answers.score import VALUES, score
from harness_vltl.config import BENCHMARK, FORMAT
from harness_vltl.published import convention
from harness_vltl.published.convention import best_part, figures, similarity, verified
from harness_vltl.published.publish import publish
from pace import within
from vltl_items import generated
from vltl_records import DATA, RECORD, adopt

from harness import Row

ANSWERS = DATA / "published_answers"
GOLD = ANSWERS / "translation_eval/nl2ltl/gt_masked_nl/nl2ltl_gpt-4.1-mini/warehouse.jsonl"
needs_answers = pytest.mark.skipif(not GOLD.is_file(), reason=f"no published answers at {ANSWERS}")
METRICS = {metric.name.removeprefix("published_"): metric for metric in BENCHMARK.published}
FORMULA = "globally ( prop_1 implies globally ( not prop_2 ) )"


# -------------------------------------------------------- what the notebook prints of the warehouse

LIFTING = {"gpt-3.5-turbo": "0.679585", "gpt-4.1-mini": "0.931708", "gpt-4o-mini": "0.689837"}
SIMILARITY = {
    "nl2ltl/gt_masked_nl/nl2ltl_gpt-3.5-turbo": "0.579585",
    "nl2ltl/gt_masked_nl/nl2ltl_gpt-4.1-mini": "0.455536",
    "nl2ltl/gt_masked_nl/nl2ltl_gpt-4o-mini": "0.611368",
    "nl2ltl/llm_masked_nl/nl2ltl_gpt-3.5-turbo": "0.771055",
    "nl2ltl/llm_masked_nl/nl2ltl_gpt-4.1-mini": "0.827534",
    "nl2ltl/llm_masked_nl/nl2ltl_gpt-4o-mini": "0.664818",
    "nl2ltl/raw_nl/nl2ltl_gpt-3.5-turbo": "0.571979",
    "nl2ltl/raw_nl/nl2ltl_gpt-4.1-mini": "0.837575",
    "nl2ltl/raw_nl/nl2ltl_gpt-4o-mini": "0.613745",
    "nl2spec/gt_masked_nl/nl2spec_gpt-3.5-turbo": "0.280270",
    "nl2spec/gt_masked_nl/nl2spec_gpt-4.1-mini": "0.513144",
    "nl2spec/gt_masked_nl/nl2spec_gpt-4o-mini": "0.278027",
    "nl2spec/llm_masked_nl/nl2spec_gpt-3.5-turbo": "0.250685",
    "nl2spec/llm_masked_nl/nl2spec_gpt-4.1-mini": "0.484946",
    "nl2spec/llm_masked_nl/nl2spec_gpt-4o-mini": "0.324999",
    "nl2spec/raw_nl/nl2spec_gpt-3.5-turbo": "0.283846",
    "nl2spec/raw_nl/nl2spec_gpt-4.1-mini": "0.524416",
    "nl2spec/raw_nl/nl2spec_gpt-4o-mini": "0.277302",
}
PART = {"nl2tl/gt_lifting": "1.000000", "nl2tl/raw_nl": "0.655364"}
VERIFICATION = {
    "nl2ltl/gt_masked_nl/nl2ltl_gpt-4.1-mini": "0.124 0.362 0.098",
    "nl2ltl/raw_nl/nl2ltl_gpt-4.1-mini": "0.524 0.586 0.262",
    "nl2ltl/llm_masked_nl/nl2ltl_gpt-4.1-mini": "0.448 0.566 0.264",
    "nl2tl/raw_nl": "0.142 0.142 0.142",
    "nl2tl/gt_lifting": "0.714 0.748 0.462",
    "nl2spec/gt_masked_nl/nl2spec_gpt-4.1-mini": "0.286 0.322 0.170",
    "nl2spec/raw_nl/nl2spec_gpt-4.1-mini": "0.314 0.346 0.196",
    "nl2spec/llm_masked_nl/nl2spec_gpt-4.1-mini": "0.320 0.346 0.190",
}
GROUNDING = {
    "3_5_turbo/warehouse_base": "0.074 0.182785",
    "3_5_turbo/warehouse_scenario": "0.050 0.136364",
    "4_1_mini/warehouse_base": "0.078 0.237911",
    "4_1_mini/warehouse_scenario": "0.130 0.344294",
    "4o_mini/warehouse_base": "0.070 0.183752",
    "4o_mini/warehouse_scenario": "0.092 0.235977",
}


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@cache
def items(task):
    return {record["id"]: adopt(record, task) for record in lines(GOLD)}


def of(task, replies):
    """Return each published metric over the replies to the 500 records."""
    rows = [
        Row("", None, "scored", {}, extra=figures(items(task)[number], reply))
        for number, reply in replies
    ]
    assert len(rows) == 500
    return lambda name, digits: f"{value(name, rows):.{digits}f}"


def value(name, rows):
    metric = METRICS[name]
    if metric.compute:
        return metric.compute(rows)
    return sum(metric.each(row) for row in rows) / len(rows)


@slow
@needs_answers
@pytest.mark.parametrize("name", LIFTING)
def test_lifting_figures_are_those_of_the_notebook(name):
    found = of(
        "lift",
        ((one["id"], " ".join(one["grounded_sentence"]))
         for one in lines(ANSWERS / "lifting_eval" / name / "warehouse.jsonl")),
    )  # fmt: skip
    assert found("lifting", 6) == LIFTING[name]


@slow
@needs_answers
@pytest.mark.parametrize("name", [*SIMILARITY, *PART])
def test_translation_and_verification_figures_are_those_of_the_notebook(name, monkeypatch):
    if name in SIMILARITY:  # the parts that are most alike are printed of the others only
        monkeypatch.setattr(convention, "MAX_COMPARED", 1)
    path = ANSWERS / "translation_eval" / name / "warehouse.jsonl"
    found = of("translate", ((one["id"], one["prediction"]) for one in lines(path)))
    if name in SIMILARITY:
        assert found("similarity", 6) == SIMILARITY[name]
    else:
        assert found("part", 6) == PART[name]
    if name in VERIFICATION:
        shown = " ".join(found(kind, 3) for kind in ("sat", "unsat", "both"))
        assert shown == VERIFICATION[name]


@needs_answers
@pytest.mark.parametrize("name", GROUNDING)
def test_grounding_figures_are_those_of_the_notebook(name):
    found = of(
        "ground",
        ((int(one["custom_id"].rpartition("-")[2]), one["response"]["body"]["choices"][0]["message"]["content"])
         for one in lines(ANSWERS / "grounding_eval" / f"{name}.jsonl")),
    )  # fmt: skip
    assert f"{found('dictionary', 3)} {found('grounding', 6)}" == GROUNDING[name]


@slow
@needs_answers
def test_gold_formulas_fail_the_published_verification_and_not_ours():
    both = []
    for number, item in items("translate").items():
        said = item.certificate["said"]
        found, verdict = figures(item, said), score(item, said)
        assert found["published_exact"] == found["published_similarity"] == 1
        wrong_trace = "double_implies next" in said  # its good trace does not satisfy it
        assert (verdict.outcome == "unscored") is wrong_trace, number
        assert wrong_trace or verdict.extra["both"] == 1
        both.append(found["published_both"])
    assert sum(both) == 231


# -------------------------------------------------------------------------------- quirk by quirk


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (FORMULA, (True, True)),  # idle has no arguments: "not prop_2" holds throughout
        ("LTL: finally prop_1", (True, True)),
        ("3. *FINAL:* finally prop_1 *FINISH*", (True, True)),
        ("finally prop_1 FINISH", (True, True)),
        ("Always prop_1", (False, False)),
        ("finally (prop_1 AND prop_2)", None),  # only small letters are read
        ("finally (prop_1 and next not prop_1)", (True, True)),
        ("prop_1 double_implies prop_2", (True, False)),  # one-way
        ("prop_2 double_implies prop_1", (True, True)),
        ("F(prop_1) ∧ G(prop_2)", None),  # the sign is dropped, two formulas are left
        ("¬prop_1", (False, True)),  # the sign is dropped, prop_1 is left
        ("prop_1 → prop_2", None),
        ("prop_1 or prop_2 or (finally prop_1)", (False, True)),  # the third part is never looked at
        ("true", None),
        ("prop_1 R prop_1", None),
        ("finally prop_2", (False, False)),
        ("finally idle", (True, True)),  # as the trace says it
        ("", None),
        ("The answer is: finally prop_1", None),
    ],
)  # fmt: skip
def test_formulas_are_read_as_the_notebook_reads_them(reply, expected):
    assert verified(reply, adopt(RECORD, "translate").certificate) == expected


def test_a_bare_action_is_never_true():
    found = figures(adopt(RECORD, "translate"), FORMULA)
    assert [found[f"published_{name}"] for name in ("sat", "unsat", "both")] == [1, 0, 0]
    assert (found["published_exact"], found["published_unparsed"]) == (1, 0)
    assert score(adopt(RECORD, "translate"), FORMULA).value["correct"] == 1


def test_a_number_in_front_is_cut_and_nothing_else():
    item = adopt(RECORD, "translate")
    for reply, exact in (
        (f" 1. {FORMULA} ", 1),
        (f"2 {FORMULA}", 1),
        (f"1.{FORMULA}", 0),
        (f"- {FORMULA}", 0),
    ):
        assert figures(item, reply)["published_exact"] == exact
    assert figures(item, f"The formula is {FORMULA}")["published_part"] == 1
    assert figures(item, f"The formula is {FORMULA}")["published_similarity"] < 1


def test_a_formula_of_actions_is_compared_with_the_lifted_one():
    item = adopt(RECORD, "end_to_end")
    said = " ".join(RECORD["tl"])
    assert score(item, said).value["correct"] == 1
    assert figures(item, said)["published_exact"] == 0
    assert figures(item, said)["published_unparsed"] == 1  # pickup ( cup )


@pytest.mark.parametrize(
    ("reply", "right", "dictionary"),
    [
        (json.dumps(RECORD["prop_dict"]), 2, 1),
        ("```json\n" + json.dumps(RECORD["prop_dict"]) + "\n```", 2, 1),
        ("prop_dict: " + json.dumps(RECORD["prop_dict"]), 2, 1),
        (json.dumps({**RECORD["prop_dict"], "prop_3": None}), 2, 0),
        (json.dumps({"prop_1": RECORD["prop_dict"]["prop_1"]}), 1, 0),
        # actions and arguments alone are right by ours
        (json.dumps({"prop_1": {"action_canon": "pickup", "args_canon": ["cup"]}}), 0, 0),
        ("[]", 0, 0),
    ],
)
def test_dictionaries_are_compared_as_json(reply, right, dictionary):
    found = figures(adopt(RECORD, "ground"), reply)
    assert (found["published_grounded"], found["published_grounded_of"]) == (right, 2)
    assert (found["published_dictionary"], found["published_unparsed"]) == (dictionary, 0)


@pytest.mark.parametrize("reply", ["", "prop_1: pickup(cup)", "Sure! {}", "[" * 1_900])
def test_what_is_no_json_is_unparsed(reply):
    assert figures(adopt(RECORD, "ground"), reply)["published_unparsed"] == 1


def test_lifting_is_similarity_of_characters():
    item = adopt(RECORD, "lift")
    gold = " ".join(RECORD["lifted_sentence"])
    assert figures(item, gold) == {"published_lifting": 1, "published_correct": 1}
    assert (
        0.6 < figures(item, " ".join(RECORD["sentence"]))["published_lifting"] < 0.8
    )  # nothing is lifted


def test_the_best_part_is_the_best_of_all_parts():
    for reply in ("abcabdabeabc" * 4, "globally finally " * 6, "xyz" * 20):
        gold = "abd abc"
        every = [similarity(reply[at : at + 7], gold) for at in range(len(reply) - 6)]
        assert best_part(reply, gold) == max(every)
    assert best_part("abc", "abcd") == similarity("abc", "abcd")


# ----------------------------------------------------------------------- where there are figures


def test_only_published_records_have_published_figures():
    for item in (*generated("translate", 1), adopt(RECORD, "verify")):
        assert not any(
            name.startswith("published") for name in score(item, "Answer: violated").extra
        )
    verdict = score(adopt(RECORD, "translate"), "no formula at all")
    assert verdict.outcome == "unparsed"
    assert verdict.extra["published_unparsed"] == 1
    assert verdict.problems(VALUES) == []


def test_records_of_the_answers_files_are_adopted_and_corrected_under_their_older_names():
    older = {"grounded_tl": "masked_tl", "lifted_sentence": "grounded_sentence"}
    record = {older.get(name, name): value for name, value in RECORD.items()}
    assert adopt(record, "translate") == adopt(RECORD, "translate")
    both = {**record, **RECORD, "masked_tl": ["prop_1"]}
    assert adopt(both, "translate") == adopt(RECORD, "translate")
    item = adopt(record, "ground")
    assert publish(item, FORMAT, record) == record
    other = replace(item, target=item.target.replace("cup", "fork"))
    assert publish(other, FORMAT, record) == publish(other, FORMAT, RECORD)


# ---------------------------------------------------------------------------------- hostile text


@pytest.mark.parametrize(
    "reply",
    [
        "prop_1 " + "implies prop_1 " * 10**5,
        "not " * 400 + "prop_1",
        "(" * 10**6,
        "globally finally " * 40 + "prop_1",
        "ab" * 999,
        "G" * convention.MAX_TEXT,
    ],
    ids=range(6),
)
def test_hostile_text_is_fast(reply):
    item = adopt(RECORD, "translate")
    with within(2.0):
        assert figures(item, reply)["published_correct"] == 0
