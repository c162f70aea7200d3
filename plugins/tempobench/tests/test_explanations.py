"""What an explanation says, word for word: it is what a person checks a verdict by."""

import json

import pytest
from harness_tempobench.answers.score import score
from harness_tempobench.machine import Machine
from tb_scores import RUN, cause_item, judged

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


def test_a_step_beyond_the_run_is_named():
    answer = json.loads(RUN.target)
    answer["step_4"] = answer["step_0"]
    said = "Step 4 is stated, and the run takes 4 steps (from 0 on)."
    assert said in judged(RUN, answer).explanation
