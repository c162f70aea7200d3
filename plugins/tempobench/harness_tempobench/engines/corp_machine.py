"""What the automata construction needs of a machine; see `corp`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from harness_tempobench.errors import CauseError


class MachineLike(Protocol):
    """What of a machine is needed here (CONTRACT.md)."""

    @property
    def inputs(self) -> Sequence[str]:
        """The names of the inputs."""

    @property
    def outputs(self) -> Sequence[str]:
        """The names of the outputs."""

    @property
    def start(self) -> int:
        """The first state."""

    @property
    def table(self) -> Sequence[Sequence[Sequence[int]]]:
        """For every state and letter the next state and the output mask."""


def check(machine: MachineLike, letters: Sequence[int], step: int, output: str) -> None:
    """Check a machine and an effect before Spot sees them.

    Raises:
        CauseError: one line.
    """
    if output not in machine.outputs:
        known = ", ".join(machine.outputs)
        raise CauseError(f"effect: no output {output!r:.60}; the machine's outputs: {known:.200}")
    if not 0 <= step < len(letters):
        raise CauseError(f"effect: step {step} of a trace whose steps are 0 to {len(letters) - 1}")
    count = len(machine.table)
    if not 0 <= machine.start < count:
        raise CauseError(f"machine: starts in state {machine.start} of {count}")
    bits = 1 << len(machine.inputs)
    if any(not 0 <= letter < bits for letter in letters[: step + 1]):
        raise CauseError(f"trace: a letter of {len(machine.inputs)} inputs is 0 to {bits - 1}")
    if not all(len(row) == bits and all(0 <= to < count for to, _ in row) for row in machine.table):
        raise CauseError("machine: a state lacks a letter, or goes to a state that does not exist")


def last_outputs(machine: MachineLike, letters: Sequence[int]) -> int:
    """Return the output mask of the last of these letters."""
    state, outputs = machine.start, 0
    for letter in letters:
        state, outputs = machine.table[state][letter]
    return outputs
