"""What caused an effect: the machine is run anew, and that no clause is missing is proved by a table.

A set of flips is a set of inputs at steps up to the effect's last. It is a number: bit step · inputs + i is the
i-th input at the step. **Theorem.** Let a table have, for steps and states, lists of sets of flips, such that each
possible state at step 0 is in it, and for each of its states at a step and each way to flip inputs of this step

1. if the effect is broken then: the flips contain a set of the list;
2. if it is still open: each state that may come next is in the table at the next step, and for each set of its list,
   that set with the flips of this step contains a set of this list.

Then each set of flips that breaks the effect contains a set of the first state's list. If each set of that list
breaks the effect, and none contains another, they are exactly the minimal breaking sets (docs/proofs.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from harness_proof.machines import Machine
from harness_proof.outcomes import known, proven

MAX_WORK = 5_000_000
"""Comparisons of sets in one table."""

Table = list[dict[int, list[int]]]
"""For each step and state the sets of flips, one of which each set that breaks the effect from there on contains."""


class Question(NamedTuple):
    """What a prompt asks."""

    like: set[str]
    """Its kind and variants, as ``prompts/tempobench.txt`` calls them."""
    machine: Machine
    trace: list[tuple[int, int]]
    """Inputs and outputs of each step."""
    shown: int
    """The outputs that the trace shows."""
    effect: list[tuple[int, int, bool]]
    """Step, output and value of literals, all of which hold, or one at least (``or``)."""
    name: str
    last: int
    """The last step of the effect."""
    kept: dict[int, set[int]]
    """Where outputs may be kept: the next states of all transitions, by their outputs."""

    def broken(self, step: int, outputs: int) -> bool | None:
        """Tell whether the outputs of a step break an effect that was open before it; None: it stays open."""
        every = "and" in self.like
        for at, output, value in self.effect:
            if at == step and (bool(outputs >> output & 1) is value) is not every:
                return every
        return not every if step == self.last else None

    def move(self, step: int, state: int, flips: int) -> tuple[int, set[int]]:
        """Return outputs, and the states that may come next, where some inputs of a step are flipped."""
        given, traced = self.trace[step]
        outputs, to = self.machine.step(state, given ^ flips)
        states = {to}
        for other, ends in self.kept.items():
            if other != outputs and not (other ^ outputs) & ~(outputs ^ traced):
                states |= ends
        return outputs, states

    def breaks(self, flips: int) -> bool:
        """Tell whether some flips break the effect."""
        width, states = len(self.machine.inputs), {self.machine.start}
        for step in range(self.last + 1):
            following: set[int] = set()
            for state in states:
                outputs, ends = self.move(step, state, flips >> step * width & (1 << width) - 1)
                broken = self.broken(step, outputs)
                if broken:
                    return True
                following |= ends if broken is None else set()
            states = following
        return False


def cases(question: Question) -> list[Question]:
    """Return the question for each state that is possible at step 0, with all outputs in the trace."""
    machine = question.machine
    possible = []
    for start in sorted(machine.edges) if "unknown" in question.like else [machine.start]:
        state, trace = start, []
        for given, _ in question.trace:
            outputs, state = machine.step(state, given)
            trace.append((given, outputs))
        case = question._replace(machine=machine._replace(start=start), trace=trace)
        same = [(a ^ b) & question.shown == 0 for (_, a), (_, b) in zip(trace, question.trace)]
        if all(same) and not case.breaks(0):
            possible.append(case)
    one = len(possible) == 1 or (possible and not question.kept)
    known(one, "the trace with the effect is not what the machine does from one state")
    return possible


def proved(case: Question, table: Table) -> list[int]:
    """Return the minimal breaking sets, once the table of the theorem has been checked."""
    clauses = table[0][case.machine.start]
    proven(all(case.breaks(clause) for clause in clauses), "a clause does not break the effect")
    alone = sum(a & b == a for a in clauses for b in clauses) == len(clauses)
    proven(alone, "a clause contains another one, or stands twice")
    work = sum(map(len, table)) << len(case.machine.inputs)
    for step, row in enumerate(table):
        for state, sets in row.items():
            for whole in breaking(case, table, step, state):
                work += len(sets)
                known(work <= MAX_WORK, f"the table needs more than {MAX_WORK} comparisons")
                contained = any(one & whole == one for one in sets)
                proven(contained, f"flips at step {step} contain no set of the table")
    return clauses


def breaking(case: Question, table: Table, step: int, state: int) -> Iterator[int]:
    """Yield what has to contain a set of a state at a step: flips of the step with each set of what they lead to."""
    width = len(case.machine.inputs)
    for flips in range(1 << width):
        outputs, ends = case.move(step, state, flips)
        broken = case.broken(step, outputs)
        if broken:
            yield flips << step * width
        elif broken is None:
            for to in ends:
                yield from (later | flips << step * width for later in table[step + 1][to])
