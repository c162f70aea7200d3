"""The features of difficulty (paper, section 3.3), defined so that they depend on no notation.

- ``effect_depth``: the step of the effect, counted from 0 (tce).
- ``states``: states of the machine, all of them reachable.
- ``transitions``: pairs (state, next state) that some inputs lead from one to the other.
- ``causal_inputs``: pairs (step, input) that occur in the cause; an input counts at every step (tce).
- ``unique_inputs``: input propositions that are true somewhere in the trace.
- ``trace_length``: steps of the trace.

Beside them: ``depth`` (effect depth or run length), ``size`` (a band of states), ``family`` (of the
specification), ``inputs`` and ``outputs`` (propositions of the machine); ``clauses``, ``trivial`` (no clause) and
``joint`` (a clause of several inputs) for tce; ``accepted`` and ``run_length`` (steps that a run can take) for tte.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness_tempobench.cause_value import Clause
from harness_tempobench.loaded import Loaded
from harness_tempobench.machine import Machine

HARD = {
    "tce": ("effect_depth", "states", "transitions", "causal_inputs", "unique_inputs"),
    "tte": ("states", "transitions", "unique_inputs", "run_length"),
}
HARD |= {"min": HARD["tce"], "sim": HARD["tte"]}
"""What `hard=yes` goes by, by task. ``trace_length`` is the same for all items of a run."""


def of_cause(
    task: str, loaded: Loaded, letters: Sequence[int], step: int, clauses: Sequence[Clause]
) -> dict[str, Any]:
    """Return the features of a question for causes, or for necessary inputs."""
    return {
        "task": task,
        "effect_depth": step,
        "depth": step,
        "causal_inputs": len({pair for clause in clauses for pair in clause}),
        "clauses": len(clauses),
        "trivial": not clauses,
        "joint": any(len(clause) > 1 for clause in clauses),
    } | _common(loaded, letters)


def of_run(task: str, loaded: Loaded, letters: Sequence[int], run_length: int) -> dict[str, Any]:
    """Return the features of inputs or of a trace to follow, which the machine can follow for some steps."""
    return {
        "task": task,
        "run_length": run_length,
        "depth": run_length,
        **({"accepted": run_length == len(letters)} if task == "tte" else {}),
    } | _common(loaded, letters)


def _common(loaded: Loaded, letters: Sequence[int]) -> dict[str, Any]:
    return {"family": loaded.family, **of_machine(loaded.machine, letters)}


def of_machine(machine: Machine, letters: Sequence[int]) -> dict[str, Any]:
    """Return the features that a machine and the inputs of a trace have."""
    seen = 0
    for letter in letters:
        seen |= letter
    return {
        "states": len(machine.table),
        "size": size(len(machine.table)),
        "transitions": machine.transitions,
        "unique_inputs": seen.bit_count(),
        "trace_length": len(letters),
        "inputs": len(machine.inputs),
        "outputs": len(machine.outputs),
    }


def size(states: int) -> str:
    """Return the band of a number of states: 1 to 8, then doubling."""
    low, high = 1, 8
    while states > high:
        low, high = high + 1, 2 * high
    return f"{low} to {high} states"
