"""Causes with contingencies: counterfactual runs in which outputs may be kept as they are in the trace.

At a step of such a run some outputs, any or none, are given the values that they have in the trace. If that changes
what the machine answers, the next state is that of some transition of the machine, from any state on any inputs, that
has just these outputs; without one they cannot be kept so. A set of flips breaks the effect if it fails in one of the
runs with these flips. (After Coenen et al., ATVA 2022, and the tool CATS, which take a state to be known by its
outputs; that the machine stays itself where nothing is changed is ours.)

For the engines this is a machine that is in a set of states, and whose effect fails at its step if it does from one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import or_

from harness_tempobench.errors import TempobenchError
from harness_tempobench.machine import Machine

MAX_SETS, MAX_CELLS = 1_000, 30_000
"""Sets of states that a machine may be in, and the same times combinations of inputs."""


def product(machine: Machine, letters: Sequence[int], place: int, value: bool) -> Machine:
    """Return a machine with the same answers, but the effect's output at the last of some steps fails if it can fail.

    Args:
        machine: that of the trace.
        letters: the inputs of the trace, up to the effect's step.
        place: the output.
        value: its value at the last step.

    Raises:
        TempobenchError: it would have too many states.
    """
    actual, last, bit = machine.run(letters)[1], len(letters) - 1, 1 << place
    kept = Kept(machine)
    first = (
        0,
        machine.start,
        1 << machine.start,
    )  # step, state of the machine itself, set of states
    numbers, rows = {first: 0}, []
    for step, state, possible in (queue := [first]):  # after the effect's step the machine itself
        after = min(step, last) + 1
        # of each letter the set of states that follow, or whether the effect fails
        reached = [0] * machine.letters
        for each in [each for each in range(len(machine.table)) if possible >> each & 1]:
            if step < last:
                ways = kept.row(each, actual[step])
            else:
                ways = [bool(own & bit) is not value for _, own in machine.table[each]]
            reached = list(map(or_, reached, ways))
        row = []
        for (to, mask), comes in zip(machine.table[state], reached, strict=True):
            following = comes if step < last else 0
            if step == last:
                mask = mask & ~bit | bit * (value is not bool(comes))
            target = (after, to, following)
            if target not in numbers:
                numbers[target] = len(queue)
                queue.append(target)
            row.append((numbers[target], mask))
        rows.append(tuple(row))
        if len(queue) > MAX_SETS or len(queue) << len(machine.inputs) > MAX_CELLS:
            raise TempobenchError(f"contingencies make more than {MAX_SETS:,} sets of states")
    return Machine(machine.inputs, machine.outputs, 0, tuple(rows))


class Kept:
    """The moves of a machine whose outputs may be kept."""

    def __init__(self, machine: Machine) -> None:
        self._table = machine.table
        self._ends: dict[int, set[int]] = {}
        for row in machine.table:
            for to, mask in set(row):
                self._ends.setdefault(mask, set()).add(to)
        self._known: dict[tuple[int, int], int] = {}
        self._rows: dict[tuple[int, int], list[int]] = {}

    def row(self, state: int, actual: int) -> list[int]:
        """Return of each letter the set of next states of a state."""
        if (state, actual) not in self._rows:
            moves = self._table[state]
            self._rows[state, actual] = [1 << to | self.ends(own, actual) for to, own in moves]
        return self._rows[state, actual]

    def ends(self, own: int, actual: int) -> int:
        """Return the set of next states, one bit each, where outputs are kept so that they change."""
        if (own, actual) not in self._known:
            reached = {end for _, ends in self._changed(own, actual) for end in ends}
            self._known[own, actual] = sum(1 << end for end in reached)
        return self._known[own, actual]

    def _changed(self, own: int, actual: int) -> Iterator[tuple[int, set[int]]]:
        """Yield the outputs that come of some if those of a step may be kept, and the states they lead to."""
        for mask, ends in self._ends.items():
            if mask != own and not (mask ^ own) & ~(own ^ actual):
                yield mask, ends

    def moves(self, state: int, letter: int, actual: int) -> Iterator[tuple[int, int]]:
        """Yield the next states with the outputs that come before, if those of a step may be kept."""
        to, own = self._table[state][letter]
        yield to, own
        for mask, ends in self._changed(own, actual):
            yield from ((end, mask) for end in sorted(ends))


def run(
    machine: Machine, word: Sequence[int], actual: Sequence[int], place: int, value: bool
) -> list[tuple[int, int]]:
    """Return a run on some inputs in which an output fails at the last step: each step's outputs, and the next state.

    Args:
        machine: that of the trace.
        word: the inputs.
        actual: the outputs of the trace.
        place: the output.
        value: the value that it has in the trace at the last step.

    Raises:
        TempobenchError: there is none.
    """
    kept = Kept(machine)
    came: list[dict[int, tuple[int, int]]] = []  # for each next state the state before, and outputs
    states: Sequence[int] = [machine.start]
    for step, letter in enumerate(word[:-1]):
        came.append({})
        for state in states:
            for to, mask in kept.moves(state, letter, actual[step]):
                came[-1].setdefault(to, (state, mask))
        states = list(came[-1])
    for state in states:
        to, mask = machine.table[state][word[-1]]
        if bool(mask >> place & 1) is not value:
            steps = [(mask, to)]
            for before in reversed(came):
                previous, mask = before[state]
                steps.append((mask, state))
                state = previous
            return steps[::-1]
    raise TempobenchError("the effect fails in none of the runs")
