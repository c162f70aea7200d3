"""What a cause is: its clauses, the certificates that check them, and the forms it is given in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

import harness
from harness_tempobench import cause_hoa, targets
from harness_tempobench.errors import CauseError

if TYPE_CHECKING:
    from harness_tempobench.machine import Machine

Clause = tuple[tuple[int, int], ...]


class Abstained(CauseError, harness.Abstained):
    """The cause exists but has more clauses, or takes more work, than was allowed."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """A clause with the input letters of steps 0…k in which exactly its literals are flipped."""

    clause: Clause
    letters: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Cause:
    """Why an output has its value at a step: every clause has a literal that is as in the trace.

    Attributes:
        machine: the machine that ran.
        letters: the trace's input letters, steps 0…k.
        step: k, the step of the effect.
        output: the name of the output.
        value: the value it has.
        clauses: the minimal breaking sets, each a sorted tuple of (step, input index), by size and
            content; none if the effect holds whatever the inputs are; `((),)` is impossible.
    """

    machine: Machine = field(repr=False, compare=False)
    letters: tuple[int, ...]
    step: int
    output: str
    value: bool
    clauses: tuple[Clause, ...]

    @property
    def per_step(self) -> dict[str, list[str]] | None:
        """Return the published label, or None if some clause has literals of two steps."""
        entries, crossing = self._stated()
        return None if crossing else entries

    @property
    def cross_step_clauses(self) -> list[list[str]]:
        """Return the clauses with literals of two or more steps, as lists such as `["0:a", "2:!b"]`."""
        return self._stated()[1]

    def _stated(self) -> tuple[dict[str, list[str]], list[list[str]]]:
        return targets.stated(self.machine.inputs, self.letters, self.clauses, self.step)

    @property
    def certificates(self) -> tuple[Certificate, ...]:
        """Return for every clause the input word in which it, and nothing else, is flipped."""
        return tuple(Certificate(clause, flipped(self.letters, clause)) for clause in self.clauses)

    def faults(self) -> list[str]:
        """Return what is wrong with the certificates, one line each; nothing if every clause holds.

        Each clause M is flipped and the machine run: the output must have the other value. For
        minimality no subset needs to be tried one by one: for each x in M, the set of states that
        flips *within* M without x can lead to is walked forwards, which covers all subsets of
        M without x at once in k · states · 2^(literals of one step) moves, and every proper
        subset of M lacks some x. That no clause is *missing* is not shown here.
        """
        place, faults = self.machine.outputs.index(self.output), []
        for clause in self.clauses:
            _, masks = self.machine.run(flipped(self.letters, clause))
            if bool(masks[self.step] >> place & 1) == self.value:
                faults.append(f"flipping {clause} does not break the effect")
        faults += [
            f"{clause} is not minimal: {left_out} can be left out"
            for clause in self.clauses
            for left_out in clause
            if self._may_break(set(clause) - {left_out})
        ]
        return faults

    def _may_break(self, allowed: set[tuple[int, int]]) -> bool:
        table, place = self.machine.table, self.machine.outputs.index(self.output)
        states, values = {self.machine.start}, {self.value}
        for step, letter in enumerate(self.letters):
            mask = sum(1 << i for t, i in allowed if t == step)
            moves = [table[q][letter ^ flips] for q in states for flips in subsets(mask)]
            states = {state for state, _ in moves}
            values = {bool(output >> place & 1) for _, output in moves}
        return (not self.value) in values

    def to_hoa(self) -> str:
        """Return the cause as a deterministic automaton over the inputs, in HOA.

        Raises:
            Abstained: it would have too many states or edges.
        """
        try:
            return cause_hoa.text_of(self.machine.inputs, self.letters, self.clauses)
        except OverflowError as error:
            raise Abstained(str(error)) from None


def flipped(letters: Sequence[int], clause: Clause) -> tuple[int, ...]:
    """Return the letters of a trace with the inputs of a clause flipped."""
    changed = list(letters)
    for step, index in clause:
        changed[step] ^= 1 << index
    return tuple(changed)


@lru_cache(maxsize=1024)
def subsets(mask: int) -> tuple[int, ...]:
    """Return all subsets of a mask, smaller ones first, beginning with the empty one."""
    submasks, sub = [0], mask
    while sub:
        submasks.append(sub)
        sub = (sub - 1) & mask
    return tuple(sorted(submasks, key=lambda submask: (submask.bit_count(), submask)))


def output_of(names: Sequence[str], name: str | int) -> int:
    """Return the index of an output given by name or index, or refuse it."""
    if isinstance(name, str) and name in names:
        return list(names).index(name)
    if type(name) is int and 0 <= name < len(names):
        return name
    listed = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
    raise CauseError(f"no output {str(name)[:40]!r}: the machine's outputs are {listed}")


def check_step(step: int, length: int) -> None:
    """Refuse a step that a trace of this length does not have."""
    if type(step) is not int:
        raise CauseError(f"a step is a whole number, not {step!r:.40} ({type(step).__name__})")
    if not 0 <= step < length:
        raise CauseError(
            f"step {str(step)[:40]} is outside the trace: its {length} steps are numbered from 0"
        )


def check_outputs(outputs: Sequence[int] | None, seen: Sequence[int]) -> None:
    """Refuse output masks that are not those of the run, as far as the run goes."""
    if outputs is None:
        return
    if len(outputs) < len(seen):
        raise CauseError(f"outputs of {len(outputs)} steps: at least {len(seen)} are needed")
    for place, (stated, real) in enumerate(zip(outputs, seen, strict=False)):
        if stated != real:
            raise CauseError(
                f"the trace is none of the machine's: its outputs differ at step {place}"
            )
