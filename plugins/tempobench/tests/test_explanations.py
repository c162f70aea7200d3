"""What an explanation says, word for word: it is what a person checks a verdict by."""

import json
from dataclasses import replace

import pytest
from harness_tempobench import hoa, targets
from harness_tempobench import problem as problems
from harness_tempobench.answers.score import score
from harness_tempobench.machine import Machine
from tb_scores import RUN, an_item, cause_item, judged

# g is true at a step if any of the inputs is.
ANY = Machine(
    tuple(f"i{number}" for number in range(8)),
    ("g",),
    0,
    (tuple((0, int(letter != 0)) for letter in range(256)),),
)


@pytest.mark.parametrize(
    ("reply", "end"), [("", "The reply is empty."), ("Hmm", "The reply ends with `Hmm`.")]
)
def test_of_an_unreadable_reply_the_end_is_told(reply, end):
    verdict = score(RUN, reply)
    assert verdict.outcome == "unparsed"
    assert f"`no JSON object in the reply`. {end}\n" in verdict.explanation


@pytest.mark.parametrize(
    ("inputs", "more"), [(6, ""), (7, ", 1 more inputs"), (8, ", 2 more inputs")]
)
def test_of_many_flips_the_first_six_are_named_and_the_others_counted(inputs, more):
    machine = Machine(
        ANY.inputs[:inputs], ("g",), 0, (tuple((0, int(x != 0)) for x in range(2**inputs)),)
    )
    verdict = judged(cause_item(machine, (2**inputs - 1,), 0, "g"), "{}")
    named = ", ".join(f"`i{number}` at step 0" for number in range(6))
    assert f": flip {named}{more} and `g` is false at step 0" in verdict.explanation


def changed(step, **facts):
    """The right run with something else at one step."""
    answer = json.loads(RUN.target)
    answer[f"step_{step}"] |= {name.replace("_", " "): fact for name, fact in facts.items()}
    return answer


@pytest.mark.parametrize(
    ("step", "facts", "said"),
    [
        (1, {"next_state": 0}, "but the answer goes to state 0."),
        (2, {"next_state": 1}, "but the answer goes to state 1."),
        (2, {"next_state": 12345}, "but the answer goes to state 12345."),
        (2, {"next_state": 999_999_999}, "but the answer goes to state 999999999."),
        (2, {"current_state": 0}, "but the answer starts in state 0."),
        (
            1,
            {"current_state": 1, "next_state": 0},
            "the answer starts in state 1, goes to state 0.",
        ),
        (1, {"defining_inputs": "r and s"}, "but the answer reads `r and s`."),
    ],
)
def test_the_first_step_that_is_off_and_all_that_is_wrong_in_it(step, facts, said):
    verdict = judged(RUN, changed(step, **facts))
    assert verdict.value["correct"] == 0
    assert f"The first step that is off is step {step}: " in verdict.explanation
    assert said in verdict.explanation
    assert "Accepted is yes, as answered." in verdict.explanation


@pytest.mark.parametrize("notes", [{}, {"wording": "published"}])
def test_a_step_beyond_the_run_is_named(notes):
    answer = json.loads(RUN.target)
    answer["step_4"] = answer["step_0"]
    said = "Step 4 is stated, and the run takes 4 steps (from 0 on)."
    assert said in judged(replace(RUN, notes=notes), answer).explanation


@pytest.mark.parametrize(("step", "share"), [(0, 0.0), (1, 0.25), (2, 0.5), (3, 0.75)])
def test_the_share_of_the_run_before_the_first_error(step, share):
    verdict = judged(RUN, changed(step, defining_inputs="r and s"))
    assert verdict.extra["before_error"] == share
    assert judged(RUN, RUN.target).extra["before_error"] == 1.0


def test_a_step_of_which_nothing_is_said():
    answer = json.loads(RUN.target)
    del answer["step_1"]
    said = "The first step that is off is step 1: nothing is said of it; "
    assert said in judged(RUN, answer).explanation


def test_an_unreadable_run_claims_nothing():
    extra = score(RUN, "Hmm").extra
    counts = {f"{level}_{kind}": 0.0 for level in ("ap", "ts") for kind in ("tp", "fp")}
    assert {name: extra[name] for name in counts} == counts
    assert (extra["ap_fn"], extra["ts_fn"]) == (8, 4)


def test_a_rejected_trace_is_explained_by_all_outputs_that_are_wrong():
    machine = Machine(("r",), ("a", "b", "c"), 0, (((0, 0b101), (0, 0b010)),))
    masks = (0b101, 0b011)  # at step 1 "a" is wrong: r was read
    trace = problems.trace(machine, (0, 1), masks)
    target = targets.run_target(machine.inputs, (0, 1), machine.run((0,))[0], False)
    item = an_item({"task": "tte", "hoa": hoa.write(machine), "trace": trace}, target)
    answer = json.loads(target) | {"accepted": "yes"}
    said = (
        "at step 1, in state 0, `a` is true in the trace, and the machine's output is the opposite."
    )
    assert f"Accepted is no, answered yes: {said}" in judged(item, answer).explanation
