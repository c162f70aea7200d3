"""Worked solutions in words: the run, then the counterfactuals; the answer itself comes after them."""

from __future__ import annotations

from collections.abc import Sequence

from harness import Item
from harness_tempobench import problem, targets
from harness_tempobench.problem import Case

MAX_CLAUSES = 40
"""Counterfactuals that are told one by one."""


def worked(item: Item) -> str | None:
    """Return the worked solution of an item with its certificate, for few-shot examples; None without."""
    case = problem.plain(item.problem)
    states, accepted = case.run()
    if item.problem["task"] == "sim":
        return "\n".join(steps(case, len(states) - 1))
    if item.problem["task"] == "tte":
        return "\n".join([*steps(case, len(states) - 1), _verdict(case, states, accepted)])
    counterfactuals = (item.certificate or {}).get("counterfactuals")
    if counterfactuals is None:
        return None
    effect = item.problem["effect"]
    lines = steps(case, effect["step"] + 1)
    if "start" in item.problem:
        begun = [problem.case(each).machine.start for each in problem.variants(item.problem)]
        lines.insert(0, f"The trace can begin in state {' or '.join(map(str, begun))}.")
    shown = targets.effect_text(effect)
    if "contingencies" in item.problem:
        lines.append(
            "Below, each change is told with the run in which outputs are kept so that it tells."
        )
    single = item.problem["task"] == "min"
    lines += ["", f"Which inputs of steps 0 to {effect['step']} make sure that {shown}?"]
    for counterfactual in counterfactuals[:MAX_CLAUSES]:
        lines.append(_flipped(effect, counterfactual["flips"]))
    if len(counterfactuals) > MAX_CLAUSES:
        lines.append(
            f"{len(counterfactuals) - MAX_CLAUSES} more sets of inputs do, found in the same way."
        )
    if single:
        lines.append(f"Whatever other input is changed alone, {shown}.")
    elif not counterfactuals:
        lines.append(f"None: whatever the inputs are, {shown}. No step has a constraint.")
    else:
        lines.append(
            "No other smallest set of changed inputs does. These sets are the constraints."
        )
    return "\n".join(lines)


def step_text(case: Case, state: int, step: int) -> str:
    """Return what the machine does in a state on the inputs of a step, without a full stop."""
    machine, letter = case.machine, case.letters[step]
    read = targets.literals(machine.inputs, letter) or "no inputs"
    written = targets.literals(machine.outputs, machine.table[state][letter][1])
    return f"Step {step}: in state {state}, on {read}, the machine sets {written}"


def steps(case: Case, count: int, compared: str = "") -> list[str]:
    """Return a sentence for each of the first steps of the machine's run, with what it says of the trace."""
    states, _ = case.machine.run(case.letters)
    return [
        f"{step_text(case, states[step], step)}{compared} and moves to state {states[step + 1]}."
        for step in range(count)
    ]


def _verdict(case: Case, states: Sequence[int], accepted: bool) -> str:
    if accepted:
        return "Every step of the trace is one of the machine's: it is accepted."
    fault = len(states) - 1
    outputs = targets.literals(case.machine.outputs, case.masks[fault])
    return (
        f"{step_text(case, states[-1], fault)}, but the trace has {outputs}: "
        "no run takes this step, and the trace is rejected."
    )


def _flipped(effect: targets.Effect, flips: Sequence[Sequence[object]]) -> str:
    what = " and ".join(f"{name} at step {step}" for step, name in flips)
    alone = "alone" if len(flips) == 1 else "together, but not fewer of them,"
    fails = (
        f"{effect['output']} becomes {targets.truth(not effect['value'])} at step {effect['step']}"
    )
    if "literals" in effect:
        fails = targets.effect_text(effect, False)
    return f"With {what} changed {alone} {fails}."
