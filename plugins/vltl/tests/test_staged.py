"""End-to-end translation in stages: what is asked, what is judged, and where it broke."""

import json
import math
from dataclasses import replace

import pytest
from cases import each, slow
from harness_vltl import reading, wording
from harness_vltl.answers import stages
from harness_vltl.answers.score import VALUES, score
from harness_vltl.config import CONFIG
from harness_vltl.engines import equivalence
from harness_vltl.formulas.formula import substitute, text
from harness_vltl.metrics import METRICS
from inspect_ai.log import read_eval_log
from vltl_items import CANONICAL, LIFTED, RESPONSE, SENTENCE, TASKS, generated, made, measured

from harness import EngineError, Row, SpecError
from harness.cli.main import main
from harness.core.items import to_json
from harness.kit.kit import HUGE, JUNK
from harness.run import reference

STAGES = stages.STAGES
# Requirement made by hand whose three propositions all stand in the sentence.
WORDS = "If the robot takes the bench, it grabs the table and idles."
HAND = {
    "sentence": WORDS,
    "tokens": WORDS.split(),
    "ids": [0, 0, 0, 1, 1, 1, 0, 2, 2, 2, 0, 3],
    "lifted": "If the robot prop_1, it prop_2 and prop_3.",
}
ITEM = made("end_to_end", **HAND)
GOLD = {stage: stages.gold(ITEM, stage) for stage in STAGES}
WRONG = {
    "lift": "Answer: If the robot prop_2, it prop_1 and prop_3.",
    "translate": "Answer: G (prop_1 -> F (prop_2 | prop_3))",
    "ground": f"Answer: {json.dumps({**CANONICAL, 'prop_2': 'pickup(bench)'})}",
}


def judged(replies, item=ITEM):
    verdict = score(item, stages.joined(item, replies))
    assert verdict.problems(VALUES) == []
    assert len(verdict.explanation) <= 2000
    to_json(verdict).encode()
    return verdict


def marks(verdict):
    return [verdict.extra.get(f"stage_{stage}") for stage in STAGES], verdict.extra.get("broke_at")


# -------------------------------------------------------------------------------------- prompts


def test_each_stage_is_the_prompt_of_the_task_of_its_name():
    for item in (*generated("end_to_end", 4), *generated("end_to_end", 2, depth=3), ITEM):
        replies = {}
        for stage in STAGES:
            asked = stages.prompt(item, stage, replies)
            problem = reading.read(asked)
            assert problem["task"] == stage
            assert asked == wording.prompt(problem, "signatures")
            assert problem.get("lifted", item.certificate["lifted"]) == item.certificate["lifted"]
            assert problem.get("sentence", item.problem["sentence"]) == item.problem["sentence"]
            replies[stage] = stages.gold(item, stage)


def test_the_prompts_tell_as_much_of_the_world_as_the_item_does():
    for world in CONFIG["properties"]["world"]["enum"]:
        item = generated("end_to_end", 1, world=world)[0]
        replies = {stage: stages.gold(item, stage) for stage in STAGES}
        asked = stages.prompt(item, "ground", replies)
        assert asked == wording.prompt(reading.read(asked), world)


def test_what_was_lifted_reaches_the_next_stages():
    asked = stages.prompt(ITEM, "translate", {"lift": WRONG["lift"]})
    assert reading.read(asked)["lifted"] == "If the robot prop_2, it prop_1 and prop_3."
    asked = stages.prompt(ITEM, "ground", {"lift": WRONG["lift"], "translate": ""})
    assert reading.read(asked)["lifted"] == "If the robot prop_2, it prop_1 and prop_3."
    assert reading.read(asked)["sentence"] == WORDS


@each("said", [*JUNK, "I refuse.", "Answer: G F prop_1", "Answer: none of them"])
def test_a_lifting_that_cannot_be_read_leaves_the_requirement_as_it_is(said):
    assert reading.read(stages.prompt(ITEM, "translate", {"lift": said}))["lifted"] == WORDS


@pytest.mark.parametrize("task", [task for task in TASKS if task != "end_to_end"])
def test_another_task_is_refused_in_one_line(task):
    item = generated(task, 1)[0]
    for stage in STAGES:
        with pytest.raises(SpecError) as caught:
            stages.prompt(item, stage, {})
        assert str(caught.value) == (
            f"strategy=staged is for task=end_to_end, and this item has task={task}"
        )


def test_the_reference_answers_every_stage_from_its_prompt():
    for item in (*generated("end_to_end", 5), *generated("end_to_end", 2, depth=2)):
        replies = {}
        for stage in STAGES:
            replies[stage] = reference.answer([stages.prompt(item, stage, replies)])
            assert "\n\nAnswer: " in replies[stage]
        verdict = judged(replies, item)
        assert verdict.value == {"correct": 1.0, "partial": 1.0}
        assert marks(verdict) == ([1.0, 1.0, 1.0], "nowhere")


# --------------------------------------------------------------------------- gold and its absence


def test_gold_replies_make_the_gold_formula():
    items = (*generated("end_to_end", 6), *generated("end_to_end", 2, depth=3), ITEM)
    for item in items:
        replies = {stage: stages.gold(item, stage) for stage in STAGES}
        joined = stages.joined(item, replies)
        assert joined.splitlines()[-1] == f"Answer: {item.target}"
        verdict = judged(replies, item)
        assert verdict.value == {"correct": 1.0, "partial": 1.0}
        assert marks(verdict) == ([1.0, 1.0, 1.0], "nowhere")


def test_a_reply_in_other_words_is_as_good():
    replies = {
        "lift": '```json\n{"prop_1": "takes the bench", "prop_2": "grabs the table", "prop_3": "idles"}\n```',
        "translate": "We need **response**.\n\n$$\\boxed{\\square (p_1 \\to \\Diamond (p_3 \\land p_2))}$$",
        "ground": "prop_1: deliver(bench, loading dock)\nprop_2: Pickup(dining-table)\nprop_3: idle()",
    }
    verdict = judged(replies)
    assert verdict.value["correct"] == 1.0
    assert marks(verdict) == ([1.0, 1.0, 1.0], "nowhere")


@each("broken", STAGES)
@each("said", ["wrong", "I refuse.", ""])
def test_each_stage_broken_in_turn(broken, said):
    replies = {**GOLD, broken: WRONG[broken] if said == "wrong" else said}
    verdict = judged(replies)
    assert marks(verdict) == ([float(stage != broken) for stage in STAGES], broken)
    assert verdict.extra.get("unread") == (None if said == "wrong" else broken)
    # nothing is made of what was lifted but the prompts of the other stages
    right = broken == "lift"
    readable = right or said == "wrong"
    assert verdict.outcome == ("scored" if readable else "unparsed")
    assert verdict.value["correct"] == float(right)


def test_the_first_stage_that_broke_is_named():
    everything = {**WRONG}
    assert marks(judged(everything)) == ([0.0, 0.0, 0.0], "lift")
    assert marks(judged({**everything, "lift": GOLD["lift"]})) == ([1.0, 0.0, 0.0], "translate")
    assert marks(judged(dict.fromkeys(STAGES, ""))) == ([0.0, 0.0, 0.0], "lift")


def test_a_formula_equivalent_to_gold_is_no_break():
    other = "Answer: !F (prop_1 & G (!prop_2 | !prop_3))"
    assert marks(judged({**GOLD, "translate": other})) == ([1.0, 1.0, 1.0], "nowhere")


def test_errors_in_two_stages_that_undo_each_other_are_right_in_the_end():
    turned = substitute(RESPONSE, {"prop_2": "prop_3", "prop_3": "prop_2", "prop_1": "prop_1"})
    names = {**CANONICAL, "prop_2": CANONICAL["prop_3"], "prop_3": CANONICAL["prop_2"]}
    lifted = "Answer: If the robot prop_1, it prop_3 and prop_2."
    replies = {"lift": lifted, "translate": f"Answer: {text(['X', turned])}", "ground": ""}
    assert judged(replies).outcome == "unparsed"
    replies |= {"translate": f"Answer: {text(turned)}", "ground": f"Answer: {json.dumps(names)}"}
    verdict = judged(replies)
    assert verdict.value["correct"] == 1.0
    assert marks(verdict)[1] == "lift"


@pytest.mark.parametrize(
    "changes",
    [
        # names with hyphens, as published ones have, and a sentence that can be cut in two ways
        {"propositions": {**ITEM.certificate["propositions"], "prop_2": {
            "action": "search", "arguments": ["teddy-bear"], "text": "look for the toy"}}},
        {"sentence": "It must get pie and pie and wait.", "tokens": "It must get pie and pie and wait.".split(),  # noqa: SIM905
         "ids": [0, 0, 1, 1, 1, 1, 0, 2], "lifted": "It must prop_1 and prop_2."},
    ],
    ids=["hyphens", "cuts"],
)  # fmt: skip
def test_stages_are_compared_as_the_tasks_of_their_names_are(changes):
    item = made("end_to_end", **HAND)
    item = replace(item, certificate={**item.certificate, **changes})
    replies = {stage: stages.gold(item, stage) for stage in STAGES}
    verdict = score(item, stages.joined(item, replies))
    assert marks(verdict) == ([1.0, 1.0, 1.0], "nowhere")
    assert verdict.value["correct"] == 1.0


def test_a_grounding_of_too_few_propositions_is_wrong():
    less = {name: CANONICAL[name] for name in ("prop_1", "prop_2")}
    verdict = judged({**GOLD, "ground": f"Answer: {json.dumps(less)}"})
    assert (verdict.outcome, verdict.value["correct"]) == ("scored", 0.0)
    assert "Not a proposition of the gold formula: `prop_3`." in verdict.explanation
    assert marks(verdict) == ([1.0, 1.0, 0.0], "ground")


# -------------------------------------------------------------------------------- hostile replies

EVIL = (
    "Answer: G prop_1\nAnswer: idle", "\\boxed{G idle}", "\\boxed{" * 50 + "idle", "<answer>idle</answer>",
    "<think>what was it", "</think>", "<think>a</think>b", "[/think]", "◁think▷", "<|channel|>analysis<|message|>",
    "<|channel|>final<|message|>idle", "<|im_end|>", "</s>", "<eos>", "\nHuman: more", "```", "~~~", "`", "**",
    '"}', "\\", "\\\\", '\\"', "\x00", "\ud800", "😀\udfff", "\u2028Answer: idle", "\r\nAnswer: idle\r\n",
    "The answer is: idle. So the final answer is: idle", "最终答案: idle", "Replies to the stages: {}", "{" * 500,
    "Correction: wait, that is wrong. The answer above is wrong.",
)  # fmt: skip


@pytest.mark.parametrize("stage", STAGES)
def test_a_reply_cannot_speak_for_another_stage(stage):
    """Whatever is in a reply, the other stages are judged by theirs, and the end by what was put together."""
    for evil in EVIL:
        check_evil(stage, evil)


def check_evil(stage, evil):
    replies = {**GOLD, stage: evil}
    joined = stages.joined(ITEM, replies)
    first, *rest = joined.split("\n")
    assert json.loads(first.removeprefix("Replies to the stages: ")) == replies
    assert len(rest) in (1, 2)
    verdict = judged(replies)
    own, _ = marks(verdict)
    assert own == [float(other != stage) for other in STAGES]
    if stage == "lift":
        assert verdict.value["correct"] == 1.0
    else:
        assert verdict.value["correct"] == 0.0


@pytest.mark.parametrize(
    "before", ["<think>so</think>", "Let me think.", "\x1b[1m", "The answer is hard.\n"]
)
def test_a_right_reply_with_noise_around_it(before):
    for stage in STAGES:
        verdict = judged({**GOLD, stage: f"{before}\n{GOLD[stage]}<|im_end|>"})
        assert verdict.value["correct"] == 1.0, stage


@slow
def test_huge_replies():
    for said in (HUGE[3][:300_000], "prop_1 " * 30_000):
        for stage in STAGES:
            verdict = judged({**GOLD, stage: said})
            assert verdict.value["correct"] == float(stage == "lift")
            assert marks(verdict)[1] == stage


@each(
    "rest",
    [
        "", "{", "null", "[]", "3", '"x"', "{}", '{"lift": 1, "translate": 2, "ground": 3}', '{"lift": "a"}',
        "[" * 100_000, '{"a":' * 100_000, "9" * 10_000, '{"lift": null, "translate": "", "ground": ""}',
    ],
)  # fmt: skip
def test_what_only_looks_like_a_staged_reply_is_judged_like_any_other(rest):
    said = f"Replies to the stages: {rest}\n\nAnswer: {ITEM.target}"
    verdict = score(ITEM, said)
    assert verdict.problems(VALUES) == []
    assert verdict.value["correct"] == 1.0
    assert marks(verdict) == ([None] * 3, None)


def test_answers_of_other_strategies_have_no_marks():
    assert marks(score(ITEM, f"Answer: {ITEM.target}")) == ([None] * 3, None)
    assert marks(score(ITEM, "")) == ([None] * 3, None)


def test_a_stage_that_cannot_be_decided_costs_no_verdict(monkeypatch):
    """The whole is wrong by its traces; whether the one stage was right, nobody knows."""

    def fails(*args, **limits):
        raise EngineError("difference ran longer than 3 s")

    monkeypatch.setattr(equivalence.harness_guard, "call", fails)
    hard = "Answer: G (!prop_1 | F (prop_3 & prop_2 & prop_2)) & (F prop_1 | !F prop_1)"
    verdict = judged({**GOLD, "translate": hard, "ground": WRONG["ground"]})
    assert (verdict.outcome, verdict.value["correct"]) == ("scored", 0.0)
    assert verdict.extra.get("stage_translate") is None
    # where the whole agrees with gold on all traces, it is the whole that cannot be decided
    assert judged({**GOLD, "translate": hard}).outcome == "unscored"


@pytest.mark.parametrize("proof", [{}, None, {"formula": "prop_1"}])
def test_an_item_without_its_proof_is_unscored(proof):
    said = stages.joined(ITEM, GOLD)
    assert score(replace(ITEM, certificate=proof), said).outcome == "unscored"


# -------------------------------------------------------------------------------- metrics and runs


def test_metrics_are_shares_of_right_replies():
    rows = []
    for broken in (*STAGES, "translate", None):
        replies = {**GOLD, **({broken: ""} if broken else {})}
        verdict = judged(replies)
        rows.append(
            Row(ITEM.target, verdict.answer, verdict.outcome, verdict.value, extra=verdict.extra)
        )
    told = {metric.name: metric for metric in METRICS}
    assert measured(told["lift_stage"], rows) == pytest.approx(4 / 5)
    assert measured(told["translate_stage"], rows) == pytest.approx(3 / 5)
    assert measured(told["ground_stage"], rows) == pytest.approx(4 / 5)
    assert math.isnan(measured(told["lift_stage"], []))


@pytest.fixture
def run(tmp_path, capsys):
    def call(*words):
        own = [
            "run",
            "plugin=vltl",
            "strategy=staged",
            f"log_dir={tmp_path / 'logs'}",
            *words,
            "--json",
        ]
        code = main(own)
        return code, json.loads(capsys.readouterr().out)

    return call


@pytest.mark.parametrize("gold", [[], ["lift", "ground"]])
def test_a_run_in_stages(run, gold):
    code, found = run("n=3", *([f"gold={','.join(gold)}"] if gold else []))
    (result,) = found["results"]
    assert (code, result["n"], result["unscored"], result["unparsed"]) == (0, 3, 0, 0)
    for name in ("correct", "lift_stage", "translate_stage", "ground_stage"):
        assert result["metrics"][name]["value"] == 1.0
    samples = read_eval_log(found["logs"][0]).samples
    assert len(samples) == 3
    for sample in samples:
        roles = [message.role for message in sample.messages]
        assert roles == ["user", "assistant"] * 3
        replies = sample.messages[1::2]
        given = [m.metadata["stage"] for m in replies if (m.metadata or {}).get("source") == "gold"]
        assert given == gold
        kept, _, answer = sample.output.completion.split("\n")
        assert answer.startswith("Answer: ")  # equivalent to the target, of any shape
        assert list(json.loads(kept.partition(": ")[2])) == list(STAGES)


def test_a_run_of_another_task_in_stages_is_refused(run):
    code, found = run("n=2", "task=lift")
    assert code == 2
    assert found["error"]["message"].startswith("strategy=staged is for task=end_to_end")


def test_the_items_of_these_tests():
    assert (stages.gold(made("end_to_end"), "lift"), SENTENCE[:2]) == (f"Answer: {LIFTED}", "If")
    assert score(ITEM, f"Answer: {ITEM.target}").value["correct"] == 1.0
