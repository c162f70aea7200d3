"""Cheap answers that use a part of the problem only: what they score, an answer is worth nothing.

They look at the problem alone, never at target, certificate, features or notes.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from harness import Item, PluginError, Shortcut
from harness_tempobench import problem as problems
from harness_tempobench import targets
from harness_tempobench.engines import flips
from harness_tempobench.problem import Case

_CAUSES, _TRACES, _RUNS, _NEEDED = ("tce",), ("tte",), ("sim",), ("min",)
_EFFECTS = _CAUSES + _NEEDED

SHORTCUTS = (
    Shortcut("single_flips", "Flip each input at each step alone, and list those that break the effect.",
        "inputs that break it only together", _CAUSES),
    Shortcut("last_step", "List all inputs of the effect's own step as they are in the trace.",
        "the machine, and all that came before", _EFFECTS),
    Shortcut("previous_step", "List all inputs of the step before the effect as they are in the trace.",
        "the machine, and all other steps", _EFFECTS),
    Shortcut("all_true_inputs", "List all inputs that are true at some step up to the effect.",
        "the machine, and inputs that are false", _EFFECTS),
    Shortcut("copy", "List all inputs of all steps up to the effect as they are in the trace.",
        "the machine", _EFFECTS),
    Shortcut("nothing", "Say that no step has a constraint.",
        "the machine and the trace", _EFFECTS),
    Shortcut("late_flips", "Flip each input of the effect's step and of the step before alone.",
        "what happened earlier", _NEEDED),
    Shortcut("start_state", "At each step state what the machine does in its initial state.",
        "which state the step before led to", _RUNS),
    Shortcut("any_state", "At each step take the first state that gives these outputs on these inputs, "
        "and reject the trace where there is none.",
        "which state the step before led to", _TRACES),
    Shortcut("two_steps", "As any_state, but take the first state that leads to one that fits the next step, too.",
        "all but two steps at a time", _TRACES),
)  # fmt: skip


def answer(item: Item, name: str) -> str:
    """Return what a shortcut answers.

    Raises `TempobenchError`: the problem cannot be read; `PluginError`: no such shortcut for this
    task.
    """
    case, task = problems.case(item.problem), item.problem["task"]
    if not any(shortcut.name == name and task in shortcut.tasks for shortcut in SHORTCUTS):
        raise PluginError(f"{name[:40]!r} is no shortcut for task={task}")
    if name == "start_state":
        return _standing(case)
    if task == "tte":
        return _run(case, look_ahead=name == "two_steps")
    effect, full = item.problem["effect"], item.problem.get("label") == "full"
    if name.endswith("flips"):
        inputs = [pair for (pair,) in flips.necessary(case.machine, case.letters, effect)]
    else:
        inputs = list(product(range(effect["step"] + 1), range(len(case.machine.inputs))))
    clauses = [(pair,) for pair in inputs if _LISTED[name](case, effect["step"], *pair)]
    return targets.cause_target(effect, case.machine.inputs, case.letters, clauses, full)


_LISTED: dict[str, Callable[[Case, int, int, int], bool]] = {
    "single_flips": lambda case, last, step, place: True,
    "late_flips": lambda case, last, step, place: step > last - 2,
    "last_step": lambda case, last, step, place: step == last,
    "previous_step": lambda case, last, step, place: step == last - 1,
    "all_true_inputs": lambda case, last, step, place: case.value(step, place),
    "copy": lambda case, last, step, place: True,
    "nothing": lambda case, last, step, place: False,
}
"""Which inputs a shortcut lists: of those that break an effect at the last step alone (flips), or of all."""


def _standing(case: Case) -> str:
    """Return the run of a machine that is thought to be in its initial state at each step."""
    machine = case.machine
    moves = [machine.table[machine.start][letter] for letter in case.letters]
    states = [machine.start, *(following for following, _ in moves)]
    masks = [mask for _, mask in moves]
    run = (machine.inputs, case.letters, states)
    return targets.run_target(*run, None, machine.outputs, masks)


def _run(case: Case, look_ahead: bool) -> str:
    """Return a run made of the first state at each step that fits it, up to a step that none fits."""
    table = case.machine.table
    fitting = [
        [state for state, row in enumerate(table) if row[letter][1] == mask]
        for letter, mask in zip(case.letters, case.masks, strict=True)
    ]
    states: list[int] = []
    for at, fits in enumerate(fitting):
        following = fitting[at + 1] if look_ahead and at + 1 < len(fitting) else range(len(table))
        leading = [state for state in fits if table[state][case.letters[at]][0] in following]
        states += (leading or fits)[:1]
        if not leading:
            break
    accepted = len(states) == len(case.letters)
    # A run ends in the state after its last step.
    end = table[states[-1]][case.letters[len(states) - 1]][0] if states else case.machine.start
    return targets.run_target(case.machine.inputs, case.letters, [*states, end], accepted)
