"""task=sim, what a machine does on given inputs, and task=min, the inputs that an effect needed."""

import json
import random
from collections import Counter
from dataclasses import replace

import pytest
from cases import slow
from harness_tempobench import certificate, engines, hoa, targets
from harness_tempobench import problem as problems
from harness_tempobench.answers.score import score
from harness_tempobench.engines import flips
from harness_tempobench.metrics import ERRORS
from tb_items import PLUGIN, Walker, items_of
from tb_machines import lazy_machine, random_letters, random_machine
from tb_scores import ARBITER, CROSSING, SIMPLE, WORD, an_item, judged, say

from harness import Abstained, HarnessError


def simulation_item(machine, letters):
    states, masks = machine.run(letters)
    run = (machine.inputs, letters, states)
    target = targets.run_target(*run, None, machine.outputs, masks)
    inputs = problems.trace(machine, letters, [0] * len(letters))
    return an_item({"task": "sim", "hoa": hoa.write(machine), "trace": inputs}, target)


def needed_item(machine, letters, step, output):
    masks = machine.run(letters)[1]
    value = bool(masks[step] >> machine.outputs.index(output) & 1)
    effect = {"output": output, "value": value, "step": step}
    needed = flips.necessary(machine, letters, effect)
    target = targets.cause_target(effect, machine.inputs, letters, needed, False)
    trace = problems.trace(machine, letters, masks)
    problem = {"task": "min", "hoa": hoa.write(machine), "trace": trace, "effect": effect}
    return an_item(problem, target)


# g at step 2 because of r at step 1 and not s at step 2
NEEDED = needed_item(ARBITER, WORD, 2, "g")
RUN = simulation_item(ARBITER, WORD)
NONE = ["no constraints"]


# -------------------------------------------------------------------------------------- labels


def test_runs_are_those_of_a_walk_over_the_text_of_the_machine():
    for item in items_of(30, task="sim"):
        walker, trace = Walker(item.problem["hoa"]), item.problem["trace"]
        states, outputs = walker.run([set(true) for true in trace])
        answer = json.loads(item.target)
        assert [step["current state"] for step in answer.values()] == states[:-1]
        assert [step["next state"] for step in answer.values()] == states[1:]
        for step, true in zip(answer.values(), outputs, strict=True):
            words = step["outputs"].split(" and ")
            assert {word for word in words if word[0] != "!"} == true
            assert {word.removeprefix("!") for word in words} == walker.outputs


def test_an_input_is_needed_where_the_text_of_the_machine_says_so():
    sizes = Counter()
    for item in items_of(30, task="min"):
        walker, effect = Walker(item.problem["hoa"]), item.problem["effect"]
        actual = [set(true) - walker.outputs for true in item.problem["trace"]]
        stated = json.loads(item.target)[targets.effect_name(effect)]
        for step in range(effect["step"] + 1):
            needed = []
            for name in walker.names:
                if name not in walker.outputs:
                    words = [set(word) for word in actual]
                    words[step] ^= {name}
                    outputs = walker.run(words)[1][effect["step"]]
                    if (effect["output"] in outputs) is not effect["value"]:
                        needed.append(name if name in actual[step] else f"!{name}")
            assert stated[str(step)] == (needed or NONE)
            sizes[bool(needed)] += 1
    assert min(sizes.values()) > 10


@slow
def test_engines_agree_on_random_machines():
    rng = random.Random(8)
    for _ in range(150):
        make = rng.choice((random_machine, lazy_machine))
        machine = make(rng, rng.randint(1, 7), rng.randint(1, 4))
        letters = random_letters(rng, machine, 7)
        run = simulation_item(machine, letters)
        needed = needed_item(machine, letters, rng.randrange(7), rng.choice(machine.outputs))
        for item in (run, needed):
            for engine in ("exact", "spot", *(["text"] if item is run else [])):
                assert engines.solve(item.problem, engine).answer == item.target
            with pytest.raises(Abstained):
                engines.solve(item.problem, "sat")


def test_most_effects_need_an_input_of_an_early_step():
    early = [
        any(step <= item.problem["effect"]["step"] - 2 for step, _ in _flips(item))
        for item in items_of(60, task="min")
    ]
    assert sum(early) >= 36  # a share of 0.7 of those with a cause, which are 0.95


def _flips(item):
    return [flip for one in item.certificate["counterfactuals"] for flip in one["flips"]]


def test_a_needed_input_left_out_is_found_by_the_certificate_and_by_the_score():
    item = next(item for item in items_of(30, task="min") if len(_flips(item)) > 1)
    kept = item.certificate["counterfactuals"][1:]
    step, name = _flips(item)[0]
    answer = json.loads(item.target)
    sentences = answer[targets.effect_name(item.problem["effect"])]
    sentences[str(step)] = [s for s in sentences[str(step)] if s.lstrip("!") != name] or NONE
    forged = replace(
        item, target=json.dumps(answer), certificate={**item.certificate, "counterfactuals": kept}
    )
    assert certificate.errors(forged) == ["the inputs listed are not all that are necessary"]
    verdict = score(forged, f"Answer: {item.target}")
    assert verdict.outcome == "unscored"
    assert "not all inputs that are necessary" in verdict.explanation


def test_outputs_are_no_part_of_the_inputs_of_a_run():
    problem = {**RUN.problem, "trace": [["g"], [], [], []]}
    with pytest.raises(HarnessError, match="name an output"):
        problems.case(problem)


# ---------------------------------------------------------------------------------------- runs


def test_a_run_is_right_in_every_step_or_wrong_from_one_on():
    answer = json.loads(RUN.target)
    assert judged_alone(RUN, answer).value["correct"] == 1
    del answer["step_0"]["defining inputs"]  # they stand in the prompt
    assert judged_alone(RUN, answer).value["correct"] == 1
    answer["step_2"]["outputs"] = "!g and h"
    verdict = judged_alone(RUN, answer)
    assert verdict.value["correct"] == 0
    assert verdict.value["recall_ts"] == 0.75
    assert verdict.extra["before_error"] == 0.5
    assert verdict.extra["f1_state"] == 1
    assert "first step that is off is step 2" in verdict.explanation
    assert "accepted" not in verdict.extra


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("outputs", "g"), ("outputs", "g and h and i"), ("outputs", "g or h"), ("outputs", "!g"),
        ("outputs", "g and !g and h"), ("outputs", None), ("next state", 1), ("current state", 0),
        ("defining inputs", "r and s"),
    ],
)  # fmt: skip
def test_wrong_steps(field, value):
    answer = json.loads(RUN.target)
    answer["step_2"][field] = value
    assert judged_alone(RUN, answer).value["correct"] == 0


@pytest.mark.parametrize("text", ["g & h", "h and g", "g=1, h=1", ["g", "h"], "!(!g or !h)"])
def test_the_same_outputs_in_other_words(text):
    answer = json.loads(RUN.target)
    answer["step_2"]["outputs"] = text
    verdict = say(RUN, answer)
    assert (verdict.outcome, verdict.value["correct"]) == ("scored", 1), verdict.explanation


def test_steps_left_out_or_beyond():
    answer = json.loads(RUN.target)
    last = answer.pop("step_3")
    assert judged_alone(RUN, answer).value["recall_ts"] == 0.75
    assert judged_alone(RUN, {**answer, "step_3": last, "step_4": last}).value["correct"] == 0


def judged_alone(item, answer):
    verdict = say(item, answer)
    assert verdict.outcome == "scored", verdict.explanation
    return verdict


# ------------------------------------------------------------------------------ kinds of errors


@pytest.mark.parametrize(
    ("steps", "error"),
    [
        ({"0": NONE, "1": ["r"], "2": ["!s"]}, "exact"),
        ({"0": ["!r"], "1": ["r"], "2": ["!s"]}, "overspecified"),
        ({"0": NONE, "1": ["r"], "2": NONE}, "underspecified"),
        ({"0": NONE, "1": NONE, "2": NONE}, "underspecified"),
        ({"0": NONE, "1": ["!s"], "2": ["r"]}, "other_step"),
        ({"0": ["!r"], "1": ["r"], "2": NONE}, "mixed"),
        ({"0": NONE, "1": ["!r"], "2": ["!s"]}, "mixed"),
    ],
)
@pytest.mark.parametrize("task", ["min", "tce"])
def test_what_is_wrong_with_an_answer(steps, error, task):
    verdict = say(NEEDED if task == "min" else SIMPLE, {"XX g": steps})
    assert verdict.extra["error"] == error
    assert verdict.value["correct"] == (error == "exact")


def test_literals_joined_otherwise_and_another_effect():
    answer = json.loads(CROSSING.target)
    answer["cross_step_clauses"] = {"XXX !g": []}
    answer["XXX !g"] |= {"2": ["!r"], "3": ["s"]}
    assert judged(CROSSING, answer).extra["error"] == "other_form"
    assert say(NEEDED, {"XXX g": {"0": ["r"]}}).extra["error"] == "other_effect"


def test_inputs_that_count_only_together_are_not_needed_and_the_answer_is_judged():
    # Not g at step 3: not r at step 2, or s at step 3. None of the two is necessary alone.
    item = needed_item(ARBITER, WORD, 3, "g")
    steps = {str(step): NONE for step in range(4)}
    assert json.loads(item.target) == {"XXX !g": steps}
    verdict = say(item, {"XXX !g": steps | {"3": ["s or !r"]}})
    assert (verdict.outcome, verdict.value["correct"]) == ("scored", 0)
    verdict = say(item, {"XXX !g": steps, "cross_step_clauses": {"XXX !g": [["2:!r", "3:s"]]}})
    assert (verdict.outcome, verdict.value["correct"]) == ("scored", 0)
    assert "each of which is necessary alone" in verdict.explanation


def test_shares_of_errors_are_of_wrong_answers_alone():
    rows = [
        _row(say(NEEDED, {"XX g": steps}))
        for steps in ({"1": ["r"], "2": ["!s"]}, {"1": ["r"]}, {"0": ["!r"], "1": ["r"]}, {})
    ]
    rows += [_row(score(NEEDED, "I do not know."))]
    metrics = {metric.name: metric for metric in PLUGIN.benchmark.metrics}
    shares = {name: [metrics[name].each(row) for row in rows] for name in ERRORS}
    assert shares["underspecified"] == [None, 1, 0, 1, None]
    assert shares["mixed"] == [None, 0, 1, 0, None]


def _row(verdict):
    from harness import Row

    return Row(
        target="", answer=verdict.answer, outcome=verdict.outcome, value=verdict.value,
        features={}, extra=verdict.extra,
    )  # fmt: skip
