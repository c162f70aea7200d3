"""What comes of one input's flip: each input of a trace is flipped alone, and the machine run again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from harness_tempobench.cause_value import Clause
from harness_tempobench.machine import Machine


def alone(
    machine: Machine, letters: Sequence[int], step: int
) -> Iterator[tuple[int, int, list[int], int]]:
    """Yield each step and input with what comes of its flip, up to a step.

    That is the states from the next step on, with the one after the last step, and the outputs at the last step.
    """
    states, masks = machine.run(letters[: step + 1])
    for when in range(step + 1):
        for index in range(len(machine.inputs)):
            state, mask = machine.table[states[when]][letters[when] ^ 1 << index]
            way = [state]
            for at in range(when + 1, step + 1):
                if state == states[at]:  # from here on the run is the trace's
                    way += states[at + 1 :]
                    mask = masks[step]
                    break
                state, mask = machine.table[state][letters[at]]
                way.append(state)
            yield when, index, way, mask


def necessary(
    machine: Machine, letters: Sequence[int], effect: Mapping[str, Any]
) -> tuple[Clause, ...]:
    """Return each (step, input) whose flip alone gives an effect's output another value, as a clause of its own.

    Args:
        machine: whose table is run.
        letters: the inputs of the trace, up to the effect's step at least.
        effect: "output", "value" and "step" (CONTRACT.md).
    """
    place = machine.outputs.index(effect["output"])
    return tuple(
        ((when, index),)
        for when, index, _, mask in alone(machine, letters, effect["step"])
        if bool(mask >> place & 1) is not effect["value"]
    )
