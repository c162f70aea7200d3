"""The inputs that were necessary for an effect: each is flipped alone, and the machine run again."""

from __future__ import annotations

from collections.abc import Sequence

from harness_tempobench.cause_value import Clause
from harness_tempobench.machine import Machine


def necessary(
    machine: Machine, letters: Sequence[int], step: int, place: int, value: bool
) -> tuple[Clause, ...]:
    """Return each (step, input) whose flip alone gives an output another value, as a clause of its own.

    Args:
        machine: whose table is run.
        letters: the inputs of the trace, up to the effect's step at least.
        step: the step of the effect.
        place: the number of its output.
        value: the output's value there.
    """
    states, _ = machine.run(letters[: step + 1])
    return tuple(
        ((when, index),)
        for when in range(step + 1)
        for index in range(len(machine.inputs))
        if _breaks(machine, states, letters, when, index, step, place, value)
    )


def _breaks(
    machine: Machine,
    states: Sequence[int],
    letters: Sequence[int],
    when: int,
    index: int,
    step: int,
    place: int,
    value: bool,
) -> bool:
    """Return whether one flip changes the output at the effect's step."""
    state, mask = machine.table[states[when]][letters[when] ^ 1 << index]
    for at in range(when + 1, step + 1):
        if state == states[at]:
            return False  # from here on the run is the trace's
        state, mask = machine.table[state][letters[at]]
    return bool(mask >> place & 1) is not value
