"""Traces that a machine has no run with: one step of a run is changed, and the fault shows late.

A *hidden* trace is one that no look at single steps or pairs of steps decides: every two steps fit some
state together, whether or not the machine has the run, and half of the steps fit several states.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeAlias

from harness_tempobench.machine import Machine

TRIES = 32
"""Changes of a trace that are tried before another trace is drawn."""

Steps: TypeAlias = "tuple[tuple[int, ...], tuple[int, ...]]"


def mutated(
    machine: Machine, letters: tuple[int, ...], masks: tuple[int, ...], rng: Random, hidden: bool
) -> Steps | None:
    """Return letters and masks that the machine has no run with, from the middle on; None if none was found.

    Args:
        machine: whose run it is.
        letters: inputs of each step.
        masks: outputs of each step, those of the machine.
        rng: source of chance.
        hidden: both traces, the run and what is returned, are to be hidden.
    """
    if hidden and not _hides(machine, letters, masks):
        return None
    for _ in range(TRIES):
        changed = _changed(machine, letters, masks, rng, hidden)
        if _late(machine, *changed) and (not hidden or _hides(machine, *changed)):
            return changed
    return None


def _late(machine: Machine, letters: Sequence[int], masks: Sequence[int]) -> bool:
    """Tell whether the machine has no run with a trace, and goes with it for half of its steps or more."""
    fault = machine.deviation(letters, masks)
    return fault is not None and fault >= len(letters) // 2


def _hides(machine: Machine, letters: Sequence[int], masks: Sequence[int]) -> bool:
    """Tell whether every two steps fit some state together, and at least half of the steps several alone."""
    fitting = [machine.fitting(*step) for step in zip(letters, masks, strict=True)]
    moves = zip(letters, fitting, fitting[1:], strict=False)
    return (
        all(fitting)
        and 2 * sum(len(states) > 1 for states in fitting) >= len(fitting)
        and all(
            any(machine.table[state][letter][0] in following for state in states)
            for letter, states, following in moves
        )
    )


def _changed(
    machine: Machine, letters: tuple[int, ...], masks: tuple[int, ...], rng: Random, hidden: bool
) -> Steps:
    """Return a trace with one step changed, from its middle on if the change is one of outputs.

    In a hidden trace changed outputs are those of another state. The machine may have a run with the
    result.
    """
    step = rng.randrange(len(letters) // 2, len(letters))
    if machine.inputs and rng.random() < 0.5:
        place = rng.randrange(step + 1)
        other = letters[place] ^ rng.randrange(1, machine.letters)
        return (*letters[:place], other, *letters[place + 1 :]), masks
    if hidden:
        changed = rng.choice(machine.table)[letters[step]][1]
    else:
        outputs = range(len(machine.outputs))
        changed = masks[step]
        for place in rng.sample(outputs, rng.choice((1, 1, min(2, len(outputs))))):
            changed ^= 1 << place
    return letters, (*masks[:step], changed, *masks[step + 1 :])
