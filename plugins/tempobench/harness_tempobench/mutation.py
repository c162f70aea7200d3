"""Traces that a machine has no run with: one step of a run is changed, and the fault shows late.

A *hidden* trace is one that no look at single steps or pairs of steps decides: every two steps fit some
state together, whether or not the machine has the run, and half of the steps fit several states.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random
from typing import TypeAlias

from harness_tempobench.machine import Machine

TRIES = 32
"""Changes of a trace that are tried before another trace is drawn."""

FLIPS = 8
"""Other inputs of one step that are tried in a hidden trace."""

Steps: TypeAlias = "tuple[tuple[int, ...], tuple[int, ...]]"

Change: TypeAlias = "tuple[int, int, int]"
"""A step with its new letter and mask."""


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
    states: tuple[int, ...] = ()
    for step, letter, mask in (_hidden if hidden else _any)(machine, letters, masks, rng):
        states = states or machine.run(letters)[0]
        # the machine goes with it for half of the steps or more
        fault = _fault(machine, states, letters, masks, (step, letter, mask))
        if fault is not None and fault >= len(letters) // 2:
            return (
                (*letters[:step], letter, *letters[step + 1 :]),
                (*masks[:step], mask, *masks[step + 1 :]),
            )
    return None


def _fault(
    machine: Machine, states: Sequence[int], letters: Sequence[int], masks: Sequence[int], change: Change
) -> int | None:  # fmt: skip
    """Return the first step that a machine has not after a change of a run of its; None if it has all."""
    step, letter, mask = change
    state, given = machine.table[states[step]][letter]
    while given == mask:
        step += 1
        if state == states[step] or step == len(letters):
            return None  # from here on the run is the old one
        mask = masks[step]
        state, given = machine.table[state][letters[step]]
    return step


def _any(
    machine: Machine, letters: tuple[int, ...], masks: tuple[int, ...], rng: Random
) -> Iterator[Change]:
    """Yield random changes of one step; of its outputs only in the second half."""
    outputs = range(len(machine.outputs))
    for _ in range(TRIES):
        step = rng.randrange(len(letters) // 2, len(letters))
        if machine.inputs and rng.random() < 0.5:
            step = rng.randrange(step + 1)
            yield step, letters[step] ^ rng.randrange(1, machine.letters), masks[step]
        else:
            mask = masks[step]
            for place in rng.sample(outputs, rng.choice((1, 1, min(2, len(outputs))))):
                mask ^= 1 << place
            yield step, letters[step], mask


def _hidden(
    machine: Machine, letters: tuple[int, ...], masks: tuple[int, ...], rng: Random
) -> Iterator[Change]:
    """Yield, if the trace is hidden, changes of one step that leave it so, those of the same step together.

    Outputs are changed in the second half, to those of another state.
    """
    looks = [machine.looks(letter)[mask] for letter, mask in zip(letters, masks, strict=True)]
    surplus = sum(1 if look.several else -1 for look in looks)
    pairs = pairwise(looks)
    if surplus < 0 or not all(first.following & second.states for first, second in pairs):
        return
    length, flips = len(letters), range(1, machine.letters)
    places = [(step, True) for step in range(length // 2, length)]
    places += [(step, False) for step in range(length)]
    rng.shuffle(places)
    for step, outputs in places:
        old, letter, mask = looks[step], letters[step], masks[step]
        before = looks[step - 1].following if step else -1
        after = looks[step + 1].states if step + 1 < length else -1
        least = old.several if surplus < 2 else False
        if outputs:  # others that a state has for the inputs of the step
            others = [(letter, *pair) for pair in machine.looks(letter).items() if pair[0] != mask]
            rng.shuffle(others)
        else:
            drawn = [letter ^ flip for flip in rng.sample(flips, min(FLIPS, len(flips)))]
            others = [
                (each, mask, look) for each in drawn if (look := machine.looks(each).get(mask))
            ]
        for letter, mask, look in others:
            if look.states & before and look.following & after and look.several >= least:
                yield step, letter, mask
