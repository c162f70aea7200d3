"""Random machines for the tests of this plugin."""

from __future__ import annotations

import random
from typing import Any

from harness_tempobench.engines.causes import Cause, Engine
from harness_tempobench.machine import Machine


def random_machine(
    rng: random.Random, states: int, inputs: int, outputs: int = 2, rare: float = 0.5
) -> Machine:
    """A machine with random moves; an output is true with probability `rare`."""
    table = tuple(
        tuple(
            (rng.randrange(states), sum((rng.random() < rare) << o for o in range(outputs)))
            for _ in range(1 << inputs)
        )
        for _ in range(states)
    )
    return Machine(_names("i", inputs), _names("o", outputs), rng.randrange(states), table)


def lazy_machine(rng: random.Random, states: int, inputs: int, outputs: int = 2) -> Machine:
    """A machine whose moves depend on one or two inputs of a state, as those of controllers do."""
    table = []
    for _ in range(states):
        seen = [rng.randrange(inputs) for _ in range(2)]
        ends = [(rng.randrange(states), rng.randrange(1 << outputs)) for _ in range(4)]
        picks = (2 * (x >> seen[0] & 1) + (x >> seen[1] & 1) for x in range(1 << inputs))
        table.append(tuple(ends[pick] for pick in picks))
    return Machine(_names("i", inputs), _names("o", outputs), 0, tuple(table))


def random_letters(rng: random.Random, machine: Machine, length: int) -> tuple[int, ...]:
    return tuple(rng.randrange(1 << len(machine.inputs)) for _ in range(length))


def _names(letter: str, number: int) -> tuple[str, ...]:
    return tuple(f"{letter}{i}" for i in range(number))


def cause_of(machine: Machine, *asked: Any, **bounds: Any) -> Cause:
    return Engine(machine).cause(*asked, **bounds)


def satisfies(cause, letters):
    """Tell whether an input word, at least as long as the effect is deep, satisfies a cause."""
    flips = [ours ^ theirs for ours, theirs in zip(cause.letters, letters, strict=False)]
    return all(any(not flips[t] >> i & 1 for t, i in clause) for clause in cause.clauses)
