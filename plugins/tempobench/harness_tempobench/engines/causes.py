"""The exact cause of `X^k o` on a trace of a Mealy machine, by decision diagrams.

A set of pairs (step, input) *breaks* the effect if flipping them against the trace gives the
output the other value at step k; the minimal breaking sets are the clauses of the cause (sources:
Finkbeiner et al., CAV 2024, after Coenen et al., ATVA 2022; see CONTRACT.md). They are found in three passes.

**Backwards**, from which states do the trace's own inputs break the effect? A single flip that leads
from the run to such a state is a clause by itself. It occurs in no other clause, so such inputs are
left alone from there on.

**Forwards**, which states do flips of the others lead to? If the effect fails in none, that was all.

**Backwards** over these states, for each of them: which sets of flips in the steps to come break the
effect, or contain a set that does? A set does if the flips of the next step in it, or some of them, lead to a
state from which the rest does. That is a monotone function, kept as a decision diagram. Flips before a step
are in vain where the rest breaks the effect without them: so the function of the run's own state is joined to
that of each other state of a step, which makes many of them equal. The minimal sets of the first
step's are the other clauses. They are counted before they are listed.

Diagrams can be exponential in k, so nodes are bounded; beyond the bound the engine abstains.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from itertools import compress
from math import inf
from operator import and_, itemgetter, or_
from typing import TYPE_CHECKING, Any, NamedTuple

from harness_tempobench.cause_value import (
    Abstained,
    Cause,
    Clause,
    check_outputs,
    check_step,
    output_of,
    subsets,
)
from harness_tempobench.engines.diagrams import Diagrams
from harness_tempobench.errors import CauseError

if TYPE_CHECKING:
    from harness_tempobench.machine import Machine

__all__ = ["MAX_CLAUSES", "MAX_NODES", "Abstained", "Cause", "Engine", "Search"]

MAX_CLAUSES = 5_000
MAX_NODES = 1_000_000
"""Nodes of diagrams, and kept results of one kind: some four seconds and 300 MB (2 GHz, one core)."""

_FIRST_LOOK = 10_000
"""Nodes from which on it is looked, whenever there are two fifths more, whether there are too many clauses."""

_KEPT = 20_000
"""Facts of one kind that an engine keeps of its machine."""

Layer = tuple[bool, ...]
"""For each state, and one more that does not exist, whether the effect fails from there."""


class Ways(NamedTuple):
    """What may come of a state: the next states, the outputs that may be true, and those that must be."""

    states: frozenset[int]
    some: int
    always: int

    def fails(self, place: int, value: bool) -> bool:
        """Return whether an output may have the other value."""
        return not self.always >> place & 1 if value else bool(self.some >> place & 1)


class Engine:
    """Causes on one machine; what depends on the machine alone is computed once."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        states = len(machine.table)
        self.moves = _Decisions([[to for to, _ in row] for row in machine.table], states)
        self._columns: dict[int, itemgetter[Any]] = {}
        self._failures: dict[tuple[int, int, bool], Layer] = {}
        self._ends: dict[int, _Decisions] = {}
        self._ways: dict[tuple[int, int, int], Ways] = {}
        self._reached: list[Ways] = []

    def cause(
        self,
        letters: Sequence[int],
        outputs: Sequence[int] | None,
        step: int,
        output: str | int,
        value: bool = True,
        max_clauses: int = MAX_CLAUSES,
        max_nodes: int = MAX_NODES,
    ) -> Cause:
        """Return the exact cause of an output's value at a step.

        Args:
            letters: the input letters of the trace.
            outputs: its output masks, to be confirmed up to the step, or None.
            step: the step k of the effect, 0 <= k < len(letters).
            output: the output by name, or by index.
            value: the value that the output has there.
            max_clauses: the number of clauses beyond which to abstain.
            max_nodes: the number of nodes of diagrams beyond which to abstain.

        Raises:
            CauseError: the trace is none of the machine's, or the effect is not one of the trace.
            Abstained: a bound was reached.
        """
        machine, value = self.machine, bool(value)
        place = output_of(machine.outputs, output)
        check_step(step, len(letters))
        word = tuple(letters[: step + 1])
        _, seen = machine.run(word)
        check_outputs(outputs, seen)
        name = machine.outputs[place]
        if bool(seen[step] >> place & 1) is not value:
            shown = "true" if value else "false"
            raise CauseError(
                f"{name} is not {shown} at step {step} of the trace: no effect, no cause"
            )
        clauses = Search(self, word, place, value).clauses(max_clauses, max_nodes, counted=True)
        return Cause(machine, word, step, name, value, clauses)

    def avoidable(self, step: int, place: int, value: bool) -> bool:
        """Return whether some inputs give an output the other value at a step."""
        every = self.machine.letters - 1
        while len(self._reached) <= step:
            before = self._reached[-1].states if self._reached else (self.machine.start,)
            states, some, always = zip(*(self.ways(one, 0, every) for one in before), strict=True)
            ways = Ways(frozenset().union(*states), reduce(or_, some), reduce(and_, always))
            self._reached.append(ways)
        return self._reached[step].fails(place, value)

    def ways(self, state: int, letter: int, free: int) -> Ways:
        """Return what may come of a state on a letter of which some inputs are free."""
        key = (state, free, letter & ~free)
        ways = self._ways.get(key)
        if ways is None:
            row = self.machine.table[state]
            states, masks = zip(*{row[letter ^ flips] for flips in subsets(free)}, strict=True)
            ways = Ways(frozenset(states), reduce(or_, masks), reduce(and_, masks))
            _keep(self._ways, key, ways)
        return ways

    def after(self, letter: int, layer: Layer) -> Layer:
        """Return for each state its successor's entry in a layer."""
        getter = self._columns.get(letter)
        if getter is None:
            column = [row[letter][0] for row in self.machine.table]
            getter = self._columns[letter] = itemgetter(*column, len(column))
        result: Layer = getter(layer)
        return result

    def failing(self, letter: int, place: int, value: bool) -> Layer:
        """Return for each state whether an output does not have a value on a letter."""
        key = (letter, place, value)
        layer = self._failures.get(key)
        if layer is None:
            bits = [row[letter][1] >> place & 1 for row in self.machine.table]
            layer = (*[bit != value for bit in bits], False)
            _keep(self._failures, key, layer)
        return layer

    def ends(self, place: int) -> _Decisions:
        """Return the decisions on the value of an output."""
        if place not in self._ends:
            rows = [[mask >> place & 1 for _, mask in row] for row in self.machine.table]
            self._ends[place] = _Decisions(rows, 2)
        return self._ends[place]


class Search:
    """The search for the clauses of one effect.

    Args:
        engine: the machine's.
        letters: the trace's input letters, steps 0…k.
        place: the output.
        value: its value at step k.

    Attributes:
        singles: the clauses of one literal, from the last step to the first: step × inputs + input.
        joint: whether some clause has several literals.
    """

    def __init__(self, engine: Engine, letters: tuple[int, ...], place: int, value: bool) -> None:
        self._engine, self._letters = engine, letters
        self._states, _ = engine.machine.run(letters)
        self._effect = (place, value)
        self._width = len(engine.machine.inputs)
        self.singles: list[int] = []
        self._free = [0] * len(
            letters
        )  # the inputs of each step of which a flip alone breaks nothing
        self._failing = self._backwards()
        self._reached, self.joint = self._forwards()

    def clauses(
        self, max_clauses: int, max_nodes: int = MAX_NODES, counted: bool = False
    ) -> tuple[Clause, ...]:
        """Return the minimal breaking sets by size and content.

        Args:
            max_clauses: the number of them beyond which to abstain.
            max_nodes: the number of nodes of diagrams beyond which to abstain.
            counted: say how many there are in all, if too many; else it may end as soon as there are too many.

        Raises:
            Abstained: a bound was reached.
        """
        sets: list[tuple[int, ...]] = [(single,) for single in self.singles]
        if self.joint:
            diagrams, look = Diagrams(max_nodes), inf if counted else float(_FIRST_LOOK)
            # A set without flips before a step is a clause if it is one for what begins there.
            for function in self._functions(diagrams):
                if len(diagrams) > look:
                    self._count(diagrams, diagrams.minimal(function), max_clauses, "at least ")
                    look = 1.4 * len(diagrams)
            family = diagrams.minimal(function)
            self._count(diagrams, family, max_clauses)
            sets += diagrams.sets(family)
        pairs = _pairs(self._width, len(self._letters))
        clauses = [tuple([pairs[level] for level in levels]) for levels in sets]
        return tuple(sorted(clauses, key=lambda clause: (len(clause), clause)))

    def _count(self, diagrams: Diagrams, family: int, most: int, least: str = "") -> None:
        count = len(self.singles) + diagrams.count(family)
        if count > most:
            raise Abstained(
                f"the cause has {least}{count:,} clauses: allow more than {most:,}, or take an earlier step"
            )

    def _backwards(self) -> list[Layer]:
        """Fill `singles` and `_free`; return for steps 1…k from which states the trace's inputs break."""
        table, width = self._engine.machine.table, self._width
        place, value = self._effect
        layer = self._engine.failing(self._letters[-1], place, value)
        layers: list[Layer] = []
        for step in range(len(self._letters) - 1, -1, -1):
            row, letter = table[self._states[step]], self._letters[step]
            for index in range(width):
                to, mask = row[letter ^ 1 << index]
                if layers[-1][to] if layers else mask >> place & 1 != value:
                    self.singles.append(step * width + index)
                else:
                    self._free[step] |= 1 << index
            if layers:
                layer = self._engine.after(letter, layer)
            layers.append(layer)
        return layers[-2::-1]

    def _forwards(self) -> tuple[list[frozenset[int]], bool]:
        """Return the states of each step that free flips lead to, and whether these can break the effect.

        States from which the trace's own inputs break it are left out.
        """
        engine, joint = self._engine, False
        reached = [frozenset(self._states[:1])]
        for step, failing in enumerate(self._failing):
            letter, free = self._letters[step], self._free[step]
            following = frozenset().union(
                *[engine.ways(state, letter, free).states for state in reached[-1]]
            )
            going_on = frozenset([state for state in following if not failing[state]])
            joint = joint or len(going_on) < len(following)
            reached.append(going_on)
        letter, free = self._letters[-1], self._free[-1]
        return reached, joint or any(
            engine.ways(state, letter, free).fails(*self._effect) for state in reached[-1]
        )

    def _functions(self, diagrams: Diagrams) -> Iterator[int]:
        """Yield for each step, from the last one to the first, which sets of free flips from there on break.

        A set of flips does so in the state that the run has there, or a part of the set does.
        """
        place, value = self._effect
        functions = {int(value): 0, int(not value): 1}
        decisions = self._engine.ends(place)
        for step in range(len(self._letters) - 1, -1, -1):
            if step < len(self._failing):
                broken = compress(range(len(self._failing[step])), self._failing[step])
                functions.update(dict.fromkeys(broken, 1))
                decisions = self._engine.moves
            moment = _Moment(diagrams, decisions, functions, step * self._width)
            moment.letter, moment.free = self._letters[step], self._free[step]
            enough = moment.function(decisions.root(self._states[step]))
            yield enough
            functions = {
                state: diagrams.union(enough, moment.function(decisions.root(state)))
                for state in self._reached[step]
            }


class _Decisions:
    """Rows of a machine as decisions on one input after the other, equal ones being one.

    Numbers below ``leaves`` are the entries of rows, ``leaves + n`` is the decision ``made[n]``: an input, and
    what follows if it is false, if it is true.
    """

    def __init__(self, rows: list[list[int]], leaves: int) -> None:
        self._rows, self.leaves = rows, leaves
        self.made: list[tuple[int, int, int]] = []
        self._numbers: dict[tuple[int, int, int], int] = {}
        self._roots: dict[int, int] = {}

    def root(self, state: int) -> int:
        """Return what a state's row starts with: the first input is decided first."""
        if state not in self._roots:
            row = self._rows[state]
            while len(row) > 1:
                half = len(row) // 2
                index = half.bit_length() - 1
                row = [
                    low if low == high else self._decision((index, low, high))
                    for low, high in zip(row[:half], row[half:], strict=True)
                ]
            self._roots[state] = row[0]
        return self._roots[state]

    def _decision(self, decision: tuple[int, int, int]) -> int:
        number = self._numbers.get(decision)
        if number is None:
            number = self._numbers[decision] = self.leaves + len(self.made)
            self.made.append(decision)
        return number


class _Moment:
    """The functions of what is decided at one step."""

    def __init__(
        self, diagrams: Diagrams, decisions: _Decisions, functions: dict[int, int], first: int
    ) -> None:
        self._diagrams, self._first = diagrams, first
        self._made, self._leaves, self._functions = decisions.made, decisions.leaves, functions
        self.letter = self.free = 0

    def function(self, number: int) -> int:
        """Return the function of a decision; there are as many within each other as inputs."""
        functions = self._functions
        function = functions.get(number)
        if function is None:
            index, low, high = self._made[number - self._leaves]
            if self.letter >> index & 1:
                low, high = high, low
            function = functions[low] if low in functions else self.function(low)
            if function != 1 and self.free >> index & 1:
                other = functions[high] if high in functions else self.function(high)
                if other != function:
                    other = self._diagrams.union(function, other)
                if other != function:
                    function = self._diagrams.node(self._first + index, function, other)
            functions[number] = function
        return function


def _keep(known: dict[Any, Any], key: Any, value: Any) -> None:
    if len(known) >= _KEPT:
        known.clear()
    known[key] = value


@lru_cache(maxsize=64)
def _pairs(width: int, steps: int) -> tuple[tuple[int, int], ...]:
    return tuple((step, index) for step in range(steps) for index in range(width))
