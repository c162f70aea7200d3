"""The published scorer's figures, quirks included: each expected number is worked out by hand."""

import json

import pytest
from harness_tempobench.published import score
from harness_tempobench.published.score import NAMES, figures
from pace import within

TCE = {"task": "tce", "effect": {"output": "g", "value": True, "step": 2}}
TTE = {"task": "tte"}
NONE = ["no constraints"]
GOLD = {"XX g": {"0": NONE, "1": ["r"], "2": ["a or !b", "c"]}}
RUN = {
    "step_0": {"current state": 0, "defining inputs": "r and !s", "next state": 2},
    "step_1": {"current state": 2, "defining inputs": "!r and s", "next state": 0},
    "accepted": "yes",
}


def fence(answer):
    return f"So:\n```json\n{answer if isinstance(answer, str) else json.dumps(answer)}\n```\n"


def cause(answer, gold=GOLD):
    return figures(fence(answer), json.dumps(gold), TCE)


def run(answer):
    return figures(fence(answer), json.dumps(RUN), TTE)


def ap(found):
    return found["published_precision_ap"], found["published_recall_ap"], found["published_f1_ap"]


def ts(found):
    return found["published_precision_ts"], found["published_recall_ts"], found["published_f1_ts"]


def all_zero(found):
    return found == dict.fromkeys(NAMES, 0.0)


def test_the_gold_answer_is_right():
    assert cause(GOLD) == run(RUN) == dict.fromkeys(NAMES, 1.0)
    full = GOLD | {"cross_step_clauses": {"XX g": [["0:a", "2:!b"]]}}
    assert cause(GOLD, full) == dict.fromkeys(NAMES, 1.0)


def test_an_answer_that_says_nothing_is_paid_for_every_unconstrained_step():
    found = cause({"XX g": {}})
    # one true positive at step 0; r, then "aor..": step 2 is read as a, !bc (no word between the sentences)
    assert ap(found) == (1.0, pytest.approx(1 / 4), pytest.approx(0.4))
    assert ts(found) == (1.0, pytest.approx(1 / 3), pytest.approx(0.5))
    long = {"g": {str(step): NONE for step in range(19)} | {"19": ["r"]}}
    assert cause({"g": {}}, long)["published_f1_ap"] == pytest.approx(2 * 19 / (2 * 19 + 1))


def test_and_equals_or_and_brackets_do_not_matter_for_literals_but_do_for_steps():
    gold = {"g": {"0": ["a or !b"]}}
    for said in ("a and !b", "(a) AND (!b)", "! b oR a"):
        found = cause({"g": {"0": [said]}}, gold)
        assert found["published_f1_ap"] == 1
        assert found["published_f1_ts"] == found["published_correct"] == 0


def test_words_are_cut_inside_names():
    gold = {"g": {"0": ["command"]}}
    assert cause({"g": {"0": ["comm"]}}, gold)["published_f1_ap"] == 1
    assert cause({"g": {"0": ["sens"]}}, {"g": {"0": ["sensor"]}})["published_f1_ap"] == 1
    assert cause({"g": {"0": ["&"]}}, gold)["published_f1_ap"] == 0


def test_sentences_are_joined_by_a_blank():
    gold = {"g": {"0": ["a", "b"]}}
    assert cause({"g": {"0": ["ab"]}}, gold)["published_f1_ap"] == 1
    assert cause({"g": {"0": ["a and b"]}}, gold)["published_f1_ap"] == 0


def test_a_text_in_the_place_of_a_list_is_its_characters():
    assert cause({"g": {"0": "a"}}, {"g": {"0": ["a"]}})["published_f1_ap"] == 1
    assert cause({"g": {"0": "a or b"}}, {"g": {"0": ["a or b"]}})["published_f1_ap"] == 0


def test_the_first_key_counts_whatever_it_is_called():
    assert cause({"!h": GOLD["XX g"], "XX g": {}})["published_correct"] == 1
    assert cause({"XX h": {}} | GOLD)["published_correct"] == 0
    assert all_zero(cause({"thoughts": "so it is"} | GOLD))  # crashes


def test_steps_beyond_the_gold_ones_are_free():
    answer = {"XX g": GOLD["XX g"] | {"3": ["z"], "99": ["y"], "-1": 5}}
    assert cause(answer)["published_correct"] == 1


def test_a_step_that_is_unconstrained_in_gold_alone_or_in_the_answer_alone():
    found = cause({"g": {"0": ["x"], "1": NONE}}, {"g": {"0": NONE, "1": ["r"]}})
    assert ap(found) == ts(found) == (0, 0, 0)
    found = cause({"g": {"0": ["x", "no constraints"]}}, {"g": {"0": ["x"]}})
    assert found["published_f1_ap"] == 0  # "x no constraints" is one literal
    assert cause({"g": {"0": ["x or no constraints"]}}, {"g": {"0": ["x"]}})["published_f1_ap"] == 1


@pytest.mark.parametrize(
    "answer",
    [
        "{}", '{"g": null}', '{"g": 5}', '{"g": []}', '{"g": "r"}', '{"g": {"0": 5}}', '{"g": {"1": [5]}}',
        '{"g": {"1": [null]}}', '{"g": {"1": [["r"]]}}', '{"g": {', "{'g': {}}", '{"g": {},}', '{"g": 1e999999}',
        '{"g": ' + "9" * 5000 + "}", '{"g": ' + "[" * 100_000 + "]" * 100_000 + "}", "[]", "{}}",
    ],
)  # fmt: skip
def test_odd_json_is_zero(answer):
    assert all_zero(cause(answer, {"g": {"0": NONE, "1": ["r"]}}))


@pytest.mark.parametrize(
    "answer",
    ['{"step_0": null}', '{"step_0": "r"}', '{"step_1": [1]}', '{"step_0": {"defining inputs": [3]}}',
     '{"step_0": {"defining inputs": 3}}', "{}"],
)  # fmt: skip
def test_an_odd_run_is_zero(answer):
    assert all_zero(run(answer))


def test_runs():
    half = run({"step_0": RUN["step_0"]})
    assert ap(half) == (1.0, 0.5, pytest.approx(2 / 3))
    assert ts(half) == (1.0, 0.5, pytest.approx(2 / 3))
    assert run(RUN | {"accepted": "no", "step_9": {}})["published_correct"] == 1
    order = run(RUN | {"step_0": RUN["step_0"] | {"defining inputs": "!s and r"}})
    assert order["published_f1_ap"] == 1
    assert ts(order) == (0.5, 0.5, 0.5)
    assert order["published_correct"] == 0
    listed = run(RUN | {"step_0": RUN["step_0"] | {"defining inputs": ["r and", "!s"]}})
    assert listed["published_f1_ap"] == 1
    assert ts(run({"step_0": {}}))[0] == 0


def test_a_run_without_inputs_is_a_match_of_no_constraints():
    gold = {"step_0": {"current state": 0, "defining inputs": "no constraints", "next state": 0}}
    assert figures(fence({"step_7": {}}), json.dumps(gold), TTE)["published_f1_ap"] == 1


def test_the_run_of_a_trace_that_is_rejected_at_once_scores_nothing():
    assert all_zero(figures(fence({"accepted": "no"}), '{"accepted": "no"}', TTE))


def test_the_first_fence_counts():
    gold = json.dumps(GOLD)
    assert figures(fence({"g": {}}) + fence(GOLD), gold, TCE)["published_correct"] == 0
    assert figures(fence(GOLD) + fence({"g": {}}), gold, TCE)["published_correct"] == 1
    # an object ends where a fence follows a brace; what does not begin with one is passed over
    assert figures(fence("see below") + fence(GOLD), gold, TCE)["published_correct"] == 1
    assert all_zero(figures("```json\n" + gold, gold, TCE))
    assert all_zero(figures("```JSON\n" + gold + "\n```json", gold, TCE))


def test_without_a_fence_our_own_reader_is_asked():
    gold = json.dumps(GOLD)
    assert figures(f"Answer: {gold}", gold, TCE)["published_correct"] == 1
    assert figures(f"```\n{gold}\n```", gold, TCE)["published_correct"] == 1
    assert (
        figures(f'{{"g": {{}}}}\nAnswer: {gold}\nor {{"x": 1}}', gold, TCE)["published_correct"]
        == 1
    )
    assert all_zero(figures(f"```json\nAnswer: {gold}", gold, TCE))
    assert all_zero(figures("", gold, TCE))
    assert all_zero(figures("no idea", gold, TCE))


@pytest.mark.parametrize("remark", ['Here {"1": ["!en"]} means that.', '{"foo": 1}', "So {} it is"])
def test_without_a_fence_what_our_reader_takes_for_the_answer_counts(remark):
    for gold, problem in ((json.dumps(GOLD), TCE), (json.dumps(RUN), TTE)):
        said = f"```\n{gold}\n```\n{remark}"
        assert figures(said, gold, problem)["published_correct"] == 1
        assert figures(f"{remark}\n\nAnswer: {gold}", gold, problem)["published_correct"] == 1


@pytest.mark.parametrize(
    "text",
    [
        "```json {" * 30_000, "```json" + " " * 200_000, "```json{" + "} " * 100_000,
        "```json{}" + " " * 199_000 + "x",
        fence({"g": {"1": [" " * 150_000]}}), fence({"g": {"1": ["and " * 40_000]}}),
        fence({"g": {"1": ["r"] * 40_000}}), "```json" + "{" * 199_000 + "}```", "{" * 200_000,
    ],
)  # fmt: skip
def test_hostile_replies_take_no_time(text):
    with within(0.4):
        found = figures(text, json.dumps(GOLD), TCE)
    assert set(found) == set(NAMES)


def test_only_the_beginning_of_an_endless_reply_is_read():
    text = "x" * score.MAX_REPLY + fence(GOLD)
    assert all_zero(figures(text, json.dumps(GOLD), TCE))
