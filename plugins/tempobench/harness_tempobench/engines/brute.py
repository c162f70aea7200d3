"""Causes and equality by brute force, for small cases: a check on the engine that shares no code with it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product
from typing import TYPE_CHECKING

from harness import Abstained
from harness_tempobench.errors import CauseError

if TYPE_CHECKING:
    from harness_tempobench.machine import Machine

MAX_PAIRS = 14

Pairs = tuple[tuple[int, int], ...]


def holds(machine: Machine, letters: Sequence[int], step: int, output: str, value: bool) -> bool:
    """Run the machine letter by letter and tell whether the output has the value at the step."""
    state, mask = machine.start, 0
    for letter in letters[: step + 1]:
        state, mask = machine.table[state][letter]
    names = list(machine.outputs)
    return bool(mask & 2 ** names.index(output)) is value


def cause(
    machine: Machine, letters: Sequence[int], step: int, output: str, value: bool = True
) -> tuple[Pairs, ...]:
    """Return the minimal sets of (step, input) whose flipping breaks the effect: all sets are tried.

    Returns:
        the sets as sorted tuples, by size and content.

    Raises:
        Abstained: more than `MAX_PAIRS` pairs.
        CauseError: an effect that is false on the trace.
    """
    pairs = list(product(range(step + 1), range(len(machine.inputs))))
    if len(pairs) > MAX_PAIRS:
        raise Abstained(f"brute: more than {MAX_PAIRS} pairs of step and input")
    if not holds(machine, letters, step, output, value):
        raise CauseError(
            f"{output} does not have that value at step {step}: no effect, so no cause"
        )
    minimal: list[Pairs] = []
    for size in range(1, len(pairs) + 1):
        for chosen in combinations(pairs, size):
            word = list(letters[: step + 1])
            for when, which in chosen:
                word[when] ^= 2**which
            if not holds(machine, word, step, output, value) and not any(
                set(chosen).issuperset(known) for known in minimal
            ):
                minimal.append(chosen)
    return tuple(minimal)
