"""A small arbiter, questions about it, and answers judged."""

import json

from harness_tempobench import hoa, metrics, targets
from harness_tempobench import problem as problems
from harness_tempobench.answers.score import VALUES, score
from harness_tempobench.machine import Machine
from tb_machines import cause_of

from harness import Item

PUBLISHED = {m.name for m in metrics.PUBLISHED} - {"published_accuracy"}
COUNTS = {f"{level}_{kind}" for level in ("ap", "ts") for kind in ("tp", "fp", "fn")}


def an_item(problem, target, prompt="Machine, trace, question."):
    return Item("tempobench", "1.0", prompt, target, problem)


def cause_item(machine, letters, step, output, label="full"):
    masks = machine.run(letters)[1]
    value = bool(masks[step] >> machine.outputs.index(output) & 1)
    found = cause_of(machine, letters, masks, step, output, value)
    effect = {"output": output, "value": value, "step": step}
    full = label == "full"
    target = targets.cause_target(effect, machine.inputs, letters, found.clauses, full)
    problem = {
        "task": "tce", "hoa": hoa.write(machine), "trace": problems.trace(machine, letters, masks),
        "effect": effect, "label": label,
    }  # fmt: skip
    return an_item(problem, target)


def run_item(machine, letters, wrong=None):
    masks = list(machine.run(letters)[1])
    if wrong is not None:
        masks[wrong] ^= 1
    states = machine.run(letters[:wrong])[0]
    target = targets.run_target(machine.inputs, letters, states, wrong is None)
    trace = problems.trace(machine, letters, masks)
    return an_item({"task": "tte", "hoa": hoa.write(machine), "trace": trace}, target)


# Grants g at the step after r, unless s: two states, "asked" or not. h is always true.
ARBITER = Machine(
    ("r", "s"),
    ("g", "h"),
    0,
    tuple(tuple((int(x & 1), 2 | (state & (~x >> 1) & 1)) for x in range(4)) for state in range(2)),
)
WORD = (0, 1, 0, 2)  # nothing, r, nothing, s
# g at step 2 because of r at step 1 and not s at step 2
SIMPLE = cause_item(ARBITER, WORD, 2, "g", "per_step")
NAME = "XX g"
TRIVIAL = cause_item(ARBITER, WORD, 2, "h", "per_step")
# not g at step 3: not r at step 2, or s at step 3
CROSSING = cause_item(ARBITER, WORD, 3, "g")
RUN = run_item(ARBITER, WORD)
REJECTED = run_item(ARBITER, WORD, 2)


def say(item, answer):
    verdict = score(item, f"Answer: {answer if isinstance(answer, str) else json.dumps(answer)}")
    assert not verdict.problems(VALUES), verdict.problems(VALUES)
    return verdict


def judged(item, answer):
    verdict = say(item, answer)
    assert verdict.outcome == "scored", verdict.explanation
    assert set(verdict.extra) >= COUNTS | PUBLISHED
    return verdict
