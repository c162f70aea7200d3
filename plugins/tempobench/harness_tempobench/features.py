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

The paper takes the problems with the highest values of its features for hard. Here a pool of problems is drawn
as for ``hard=no``, without confirmation, from a source of chance that depends on the configuration alone; a
problem's *hardness* is the mean, over the features, of the share of the pool that has a lower value (equal values
count half); hard is what reaches the hardness that ``hardest`` of the pool reach. So the bar is the same whatever
the seed, the split and the number of items.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness_tempobench.cause_value import Clause
from harness_tempobench.machine import Machine
from harness_tempobench.source_files import Loaded

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


@dataclass(frozen=True, slots=True)
class Bar:
    """The features of a pool of problems, and the hardness from which a problem counts as hard.

    ``columns``: by feature, the pool's values in ascending order; ``threshold``: the least hardness
    that counts as hard.
    """

    columns: Mapping[str, tuple[float, ...]]
    threshold: float

    def hardness(self, features: Mapping[str, Any]) -> float:
        """Return a problem's hardness, from 0 to 1."""
        ranks = [_rank(column, features[name]) for name, column in self.columns.items()]
        return sum(ranks) / len(ranks)

    def summary(self) -> dict[str, Any]:
        """Return what a manifest says: size, threshold, and each feature's median and highest decile."""
        size = len(next(iter(self.columns.values())))
        return {
            "problems": size,
            "threshold": round(self.threshold, 6),
            "features": {
                name: {"median": column[size // 2], "decile": column[size * 9 // 10]}
                for name, column in self.columns.items()
            },
        }


def bar(task: str, pool: Sequence[Mapping[str, Any]], share: float) -> Bar:
    """Return the bar that ``share`` of a pool of problems, and at least one of them, reach."""
    columns = {name: tuple(sorted(features[name] for features in pool)) for name in HARD[task]}
    ranked = Bar(columns, 0.0)
    hardnesses = sorted((ranked.hardness(features) for features in pool), reverse=True)
    return Bar(columns, hardnesses[max(0, round(share * len(hardnesses)) - 1)])


def _rank(column: Sequence[float], value: float) -> float:
    low, high = bisect_left(column, value), bisect_right(column, value)
    return (low + high) / (2 * len(column))
