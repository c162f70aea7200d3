"""Causes of `X^k o` with a SAT solver: a third opinion, for machines that Spot cannot determinise.

The machine is unrolled from the last step back into decisions "is this input of this step flipped?",
equal decisions being one, until either the output has failed or it has not. Every decision that the
first one leads to is a variable; it implies, by whether its flip variable is true, the decision that
comes next. Such a formula has a model with given flips just if these break the effect. (Only this
direction is written: what does not happen is left open, which no flip can notice.)

A breaking set is *blocked* by the clause that one of its flips is not made, which takes all its
supersets away. A list of clauses is therefore the cause (CONTRACT.md) if each of them breaks, none
contains another, and the formula with all of them blocked has no model: a breaking set that was left,
and a smaller one within a clause, would each be a model.

Deterministic: bounds count decisions and propagations, never seconds. For `harness_guard.call`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache

from pysat.solvers import Solver

from harness import Abstained
from harness_tempobench.errors import CauseError

MAX_CLAUSES = 5_000
"""Clauses beyond which `cause` abstains."""

MAX_CELLS = 500_000
"""States × letters of a machine."""

MAX_DECISIONS = 150_000
"""States and decisions of one step × steps: some 2 s (2 GHz, one core)."""

MAX_PROPAGATIONS = 30_000_000
"""Propagations of the solver, in all: some 3 s (2 GHz, one core)."""

_SOLVER = "minisat22"  # can be told how much to propagate, and leaves nothing to chance

_HOLDS, _FAILS = 0, 1

Clauses = Sequence[Sequence[Sequence[int]]]


def cause(
    machine: str, letters: Sequence[int], step: int, output: str, value: bool
) -> list[list[list[int]]]:
    """Return the minimal breaking sets by size and content, each a sorted list of [step, input].

    Args:
        machine: text of a JSON object with "inputs", "outputs", "start" and "table" (CONTRACT.md).
        letters: the trace's input letters.
        step: the effect's step.
        output: the effect's output.
        value: the output's value there.

    Raises:
        Abstained: beyond this module's bounds.
        CauseError: no such effect.
    """
    problem = _Problem(machine, letters, step, output, value)
    clauses: list[list[list[int]]] = []
    with _Search(problem) as search:
        for flips in search.minimal():
            if len(clauses) == MAX_CLAUSES:
                raise Abstained(f"sat: the cause has more than {MAX_CLAUSES} clauses")
            clauses.append([list(divmod(flip - 1, problem.width)) for flip in flips])
    return sorted(clauses, key=lambda clause: (len(clause), clause))


def confirm(
    machine: str, letters: Sequence[int], step: int, output: str, value: bool, clauses: Clauses
) -> bool:
    """Return whether the cause is this list of minimal breaking sets; arguments as for `cause`.

    Raises `Abstained`: beyond this module's bounds; `CauseError`: no such effect.
    """
    problem = _Problem(machine, letters, step, output, value)
    sets = [problem.flips(clause) for clause in clauses]
    if not all(sets) or _nested(sets) or not all(map(problem.breaks, sets)):
        return False
    with _Search(problem) as search:
        for flips in sets:
            search.block(flips)
        return search.solve() is None


class _Machine:
    """A machine as its JSON text gives it, with what does not depend on the trace."""

    def __init__(self, text: str) -> None:
        data = json.loads(text)
        self.width, self.outputs = len(data["inputs"]), list(data["outputs"])
        self.start: int = data["start"]
        self.table: list[list[list[int]]] = data["table"]
        self._ends: dict[tuple[int, bool], tuple[_Shape, list[int]]] = {}

    @cached_property
    def moves(self) -> tuple[_Shape, list[int]]:
        """The decisions on the next state, and which of them each state begins with."""
        shape = _Shape(len(self.table))
        return shape, [shape.fold([to for to, _ in row]) for row in self.table]

    def ends(self, bit: int, value: bool) -> tuple[_Shape, list[int]]:
        """Return the decisions on whether an output keeps a value, and which of them each state begins with."""
        if (bit, value) not in self._ends:
            shape, results = _Shape(2), (_FAILS, _HOLDS) if value else (_HOLDS, _FAILS)
            rows = ([results[mask >> bit & 1] for _, mask in row] for row in self.table)
            self._ends[bit, value] = shape, [shape.fold(row) for row in rows]
        return self._ends[bit, value]


_machine = lru_cache(maxsize=128)(_Machine)


class _Problem:
    """A machine, the letters of steps 0…k, and which bit of the last outputs is the effect.

    Flips are numbered from 1 as the solver does it: step × inputs + input + 1.
    """

    def __init__(
        self, machine: str, letters: Sequence[int], step: int, output: str, value: bool
    ) -> None:
        self.machine = _machine(machine)
        self.width = self.machine.width
        self.letters = list(letters[: step + 1])
        states = len(self.machine.table)
        if states << self.width > MAX_CELLS:
            raise Abstained(f"sat: {states} states and {self.width} inputs are beyond its bounds")
        self.bit = self.machine.outputs.index(output)
        self.value = bool(value)
        if self.breaks(frozenset()):
            actual = str(not self.value).lower()
            raise CauseError(f"sat: {output} is {actual} at step {step} of the trace: no effect")

    def breaks(self, flips: Iterable[int]) -> bool:
        """Run the machine with these flips made and tell whether the effect fails."""
        letters = self.letters.copy()
        for flip in flips:
            when, which = divmod(flip - 1, self.width)
            letters[when] ^= 1 << which
        state, outputs, table = self.machine.start, 0, self.machine.table
        for letter in letters:
            state, outputs = table[state][letter]
        return bool(outputs >> self.bit & 1) is not self.value

    def flips(self, clause: Sequence[Sequence[int]]) -> frozenset[int]:
        """Return the flips of a clause; the empty set, which is never one, if it is malformed."""
        steps, places = range(len(self.letters)), range(self.width)
        if not all(when in steps and which in places for when, which in clause):
            return frozenset()
        return frozenset(when * self.width + which + 1 for when, which in clause)


def _nested(sets: Sequence[frozenset[int]]) -> bool:
    """Tell whether one of the sets, none of them empty, contains another or is there twice."""
    by_least: dict[int, list[frozenset[int]]] = {}
    for current in sorted(sets, key=len):
        for least in current:
            if any(other <= current for other in by_least.get(least, ())):
                return True
        by_least.setdefault(min(current), []).append(current)
    return False


class _Shape:
    """The moves of a machine as decisions on the inputs of one step, equal ones being one.

    Decision `leaves + n` is `decisions[n]`: (input, what follows if it is false, if it is true),
    where a number below `leaves` is a result. What follows has a smaller number.
    """

    def __init__(self, leaves: int) -> None:
        self._leaves = leaves
        self._known: dict[tuple[int, int, int], int] = {}

    def fold(self, row: Sequence[int]) -> int:
        """Return the decision that has the results `row`, one for each letter."""
        index = 0
        while len(row) > 1:
            pairs = zip(row[::2], row[1::2], strict=True)
            row = [self._decision(index, low, high) for low, high in pairs]
            index += 1
        return row[0]

    def _decision(self, index: int, low: int, high: int) -> int:
        if low == high:
            return low
        return self._known.setdefault((index, low, high), self._leaves + len(self._known))

    def __len__(self) -> int:
        """Return how many results and decisions there are."""
        return self._leaves + len(self._known)

    @property
    def decisions(self) -> Iterable[tuple[int, int, int]]:
        return self._known


class _Unrolled:
    """The decisions of all steps; 0 and 1 stand for `_HOLDS` and `_FAILS`."""

    def __init__(self, problem: _Problem) -> None:
        self._problem = problem
        self._known: dict[tuple[int, int, int], int] = {}
        moves, first = problem.machine.moves
        last, ends = problem.machine.ends(problem.bit, problem.value)
        steps = len(problem.letters)
        if (len(moves) + len(last)) * steps > MAX_DECISIONS:
            raise Abstained(f"sat: unrolling the machine over {steps} steps takes too much memory")
        reached = self._before(steps - 1, last, [_HOLDS, _FAILS])
        layer = [reached[end] for end in ends]
        for step in range(steps - 2, -1, -1):
            reached = self._before(step, moves, layer)
            layer = [reached[end] for end in first]
        self.root = layer[problem.machine.start]

    def _before(self, step: int, shape: _Shape, results: Sequence[int]) -> list[int]:
        """Return what the decisions of a step become, given what its results lead to."""
        reached = list(results)
        letter, begin = self._problem.letters[step], step * self._problem.width + 1
        known = self._known
        for index, low, high in shape.decisions:
            kept, other = reached[low], reached[high]
            if letter >> index & 1:
                kept, other = other, kept
            if kept == other:
                reached.append(kept)
            else:
                reached.append(known.setdefault((begin + index, kept, other), len(known) + 2))
        return reached

    def formula(self) -> list[list[int]]:
        """Return the formula in conjunctive form, over the flips and one variable per decision."""
        decisions = list(self._known)
        offset = len(self._problem.letters) * self._problem.width - 1
        if self.root < 2:
            return [[]] if self.root == _HOLDS else []
        clauses = [[self.root + offset]]
        queue, seen = [self.root], {self.root}
        for node in queue:
            flip, kept, other = decisions[node - 2]
            for literal, target in ((flip, kept), (-flip, other)):
                if target == _FAILS:
                    continue
                clause = [-node - offset, literal]
                clauses.append(clause if target == _HOLDS else [*clause, target + offset])
                if target > _FAILS and target not in seen:
                    seen.add(target)
                    queue.append(target)
        return clauses


class _Search:
    """A solver that knows the formula of a problem."""

    def __init__(self, problem: _Problem) -> None:
        self._flips = range(1, len(problem.letters) * problem.width + 1)
        formula = _Unrolled(problem).formula()
        self._impossible = [] in formula
        self._solver = Solver(name=_SOLVER)
        self._solver.append_formula([clause for clause in formula if clause])
        self._solver.set_phases([-flip for flip in self._flips])  # few flips are tried first

    def __enter__(self) -> _Search:
        return self

    def __exit__(self, *_: object) -> None:
        self._solver.delete()

    def minimal(self) -> Iterator[list[int]]:
        """Yield the minimal breaking sets."""
        while (flips := self.solve()) is not None:
            # Blocking each set on the way down asks for a smaller one, and is never wrong: if there
            # is one, that will be blocked as well, and takes away more.
            while flips is not None:
                least = flips
                self.block(least)
                inside = set(least)
                flips = self.solve([-flip for flip in self._flips if flip not in inside])
            yield least

    def block(self, flips: Iterable[int]) -> None:
        """Take away a breaking set, and all that contain it."""
        self._solver.add_clause([-flip for flip in flips])

    def solve(self, assumptions: Sequence[int] = ()) -> list[int] | None:
        """Return the flips of a breaking set that is not blocked, None if there is none."""
        if self._impossible:
            return None
        left = MAX_PROPAGATIONS - self._solver.accum_stats()["propagations"]
        self._solver.prop_budget(max(1, left))
        answer = self._solver.solve_limited(assumptions=assumptions)
        if answer is None:
            raise Abstained(f"sat: the solver took more than {MAX_PROPAGATIONS:,} propagations")
        if not answer:
            return None
        model = self._solver.get_model()
        return [literal for literal in model[: len(self._flips)] if literal > 0]
