"""Worked solutions in words: the run, then the counterfactuals; the answer itself comes after them."""

from __future__ import annotations

from collections.abc import Sequence

from harness import Item
from harness_tempobench import engines, problem, targets
from harness_tempobench.machine import Machine

MAX_CLAUSES = 40
"""Counterfactuals that are told one by one."""


def worked(item: Item) -> str | None:
    """Return the worked solution of an item with its certificate, for few-shot examples; None without."""
    case = problem.case(item.problem)
    states, accepted = engines.own_run(case)
    if item.problem["task"] == "tte":
        return "\n".join([*_steps(case, states, len(states) - 1), _verdict(case, states, accepted)])
    found = (item.certificate or {}).get("counterfactuals")
    if found is None:
        return None
    effect = item.problem["effect"]
    lines = _steps(case, states, effect["step"] + 1)
    shown = f"{effect['output']} is {_truth(effect['value'])} at step {effect['step']}"
    lines += ["", f"Which inputs of steps 0 to {effect['step']} make sure that {shown}?"]
    for one in found[:MAX_CLAUSES]:
        lines.append(_flipped(effect, one["flips"]))
    if len(found) > MAX_CLAUSES:
        lines.append(f"{len(found) - MAX_CLAUSES} more sets of inputs do, found in the same way.")
    if not found:
        lines.append(f"None: whatever the inputs are, {shown}. No step has a constraint.")
    else:
        lines.append(
            "No other smallest set of changed inputs does. These sets are the constraints."
        )
    return "\n".join(lines)


def _steps(case: problem.Case, states: Sequence[int], count: int) -> list[str]:
    machine, lines = case.machine, []
    for step in range(count):
        letter, mask = case.letters[step], machine.table[states[step]][case.letters[step]][1]
        lines.append(
            f"Step {step}: in state {states[step]}, on {_inputs(machine, letter)}, the machine sets "
            f"{_outputs(machine, mask)} and moves to state {states[step + 1]}."
        )
    return lines


def _verdict(case: problem.Case, states: Sequence[int], accepted: bool) -> str:
    if accepted:
        return "Every step of the trace is one of the machine's: it is accepted."
    fault, machine = len(states) - 1, case.machine
    letter = case.letters[fault]
    return (
        f"Step {fault}: in state {states[-1]}, on {_inputs(machine, letter)}, the machine sets "
        f"{_outputs(machine, machine.table[states[-1]][letter][1])}, but the trace has "
        f"{_outputs(machine, case.masks[fault])}: no run takes this step, and the trace is rejected."
    )


def _flipped(effect: targets.Effect, flips: Sequence[Sequence[object]]) -> str:
    what = " and ".join(f"{name} at step {step}" for step, name in flips)
    alone = "alone" if len(flips) == 1 else "together, but not fewer of them,"
    return (
        f"With {what} changed {alone} {effect['output']} becomes {_truth(not effect['value'])} "
        f"at step {effect['step']}."
    )


def _inputs(machine: Machine, letter: int) -> str:
    literals = [targets.literal(machine.inputs, letter, i) for i in range(len(machine.inputs))]
    return " and ".join(literals) or "no inputs"


def _outputs(machine: Machine, mask: int) -> str:
    literals = [targets.literal(machine.outputs, mask, i) for i in range(len(machine.outputs))]
    return " and ".join(literals)


def _truth(value: bool) -> str:
    return "true" if value else "false"
