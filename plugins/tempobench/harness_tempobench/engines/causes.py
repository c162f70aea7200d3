"""The exact cause of `X^k o` on a trace of a Mealy machine, by a search over sets of flipped inputs.

A set of pairs (step, input) *breaks* the effect if flipping them against the trace gives the
output the other value at step k; the minimal breaking sets are the clauses of the cause (sources:
Coenen et al., ATVA 2022; Finkbeiner et al., CAV 2024; see CONTRACT.md). They are found in two passes.

**Backwards**, the states of each step are merged into classes that no choice of flips in the steps
to come tells apart: one class for all states from which the trace's own inputs break the effect
(BROKEN), one for all from which nothing breaks it (SAFE). A single flip that breaks is a clause by
itself, and occurs in no other clause: such inputs are left alone from there on.

**Forwards**, each class carries the antichain of the minimal sets of flips that lead to it. A set
that reaches BROKEN is a clause and goes no further; a set that contains a clause is dropped; SAFE
is forgotten. Nothing is lost: let D be a minimal breaking set and P its part before step t. If a
proper part of P led to the same class, it would break the effect with the rest of D; and if P
contained a clause, D would be that clause, which was recorded when its last flip was made.

Sets are compared before a step's flips are added: one with its flips contains another with those of
its own if the sets do so and the flips do so.

A set is an int here: bit `step * inputs + input`. Families can be exponential in k, so clauses,
work and memory are bounded; beyond the bounds the engine abstains.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from harness_tempobench.cause_value import (
    Abstained,
    Cause,
    Clause,
    check_letters,
    check_outputs,
    check_step,
    index_of,
    subsets,
)
from harness_tempobench.errors import CauseError

if TYPE_CHECKING:
    from harness_tempobench.machine import Machine

__all__ = ["MAX_CLAUSES", "MAX_WORK", "Abstained", "Cause", "Engine"]

MAX_CLAUSES = 5_000
MAX_WORK = 20_000_000
"""Comparisons of two sets: about one second."""

MAX_SETS = 400_000
"""The most sets that one step may produce, and ways between classes that it may have: some 30 MB."""

_CHUNK = 64
_CELLS = 16  # cells of a table that are handled in the time of one comparison
_FEW = 16  # so many sets are compared one by one: groups cost more
_WORDS = 2_000  # sets in a group that is handled in the time of one comparison
_KEPT = 256  # columns of outputs that an engine keeps

_SAFE, _BROKEN = 0, 1

Layer = tuple[int, ...]
"""The class of each state at one step, and of one more state that does not exist."""

Families = dict[int, list[int]]
"""For each class, the sets that lead to it."""

Ways = dict[int, list[int]]
"""For each choice of flips, the classes that it brings to one class."""


class Engine:
    """Causes on one machine; what depends on the machine alone is computed once."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._columns: dict[int, itemgetter[Any]] = {}
        self._failures: dict[tuple[int, int, bool], Layer] = {}

    def cause(
        self,
        letters: Sequence[int],
        outputs: Sequence[int] | None,
        step: int,
        output: str | int,
        value: bool = True,
        max_clauses: int = MAX_CLAUSES,
        max_work: int = MAX_WORK,
    ) -> Cause:
        """Return the exact cause of an output's value at a step.

        Args:
            letters: the input letters of the trace.
            outputs: its output masks, to be confirmed up to the step, or None.
            step: the step k of the effect, 0 <= k < len(letters).
            output: the output by name, or by index.
            value: the value that the output has there.
            max_clauses: the number of clauses beyond which to abstain.
            max_work: the number of comparisons of two sets beyond which to abstain.

        Raises:
            CauseError: the trace is none of the machine's, or the effect is not one of the trace.
            Abstained: a bound was reached.
        """
        place = index_of(self.machine.outputs, output, "output")
        check_step(step, len(letters))
        word = tuple(letters[: step + 1])
        check_letters(word, len(self.machine.inputs), step)
        states, seen = self.machine.run(word)
        check_outputs(outputs, seen)
        name, value = self.machine.outputs[place], bool(value)
        if bool(seen[step] >> place & 1) is not value:
            shown = "true" if value else "false"
            raise CauseError(
                f"{name} is not {shown} at step {step} of the trace: no effect, no cause"
            )
        search = _Search(self, word, states, (place, value), max_work)
        clauses = search.clauses(max_clauses)
        return Cause(self.machine, word, step, name, value, clauses)

    def after(self, letter: int, layer: Layer) -> Layer:
        """Return for each state its successor's entry in a layer."""
        getter = self._columns.get(letter)
        if getter is None:
            column = [row[letter][0] for row in self.machine.table]
            getter = self._columns[letter] = itemgetter(*column, len(column))
        result: Layer = getter(layer)
        return result

    def failing(self, letter: int, place: int, value: bool) -> Layer:
        """Return for each state `_BROKEN` if the output is not `value` on a letter, else `_SAFE`."""
        key = (letter, place, value)
        layer = self._failures.get(key)
        if layer is None:
            if len(self._failures) >= _KEPT:
                self._failures.clear()
            bits = (row[letter][1] >> place & 1 for row in self.machine.table)
            layer = (*(_SAFE if bit == value else _BROKEN for bit in bits), _SAFE)
            self._failures[key] = layer
        return layer


class _Search:
    """The search for the clauses of one effect: output `effect[0]` has the value `effect[1]`."""

    def __init__(
        self,
        engine: Engine,
        letters: tuple[int, ...],
        states: Sequence[int],
        effect: tuple[int, bool],
        work: int,
    ) -> None:
        self._engine, self._letters, self._states = engine, letters, states
        self._effect, self._left = effect, work
        self._width = len(engine.machine.inputs)
        self._free = [0] * len(letters)  # the inputs of each step whose flip alone breaks nothing
        self._layers: list[Layer] = [()] * (len(letters) + 1)

    def clauses(self, most: int) -> tuple[Clause, ...]:
        """Return the minimal breaking sets by size and content, or raise `Abstained`."""
        masks = self._backwards()
        first = self._layers[0][self._states[0]]
        families = {first: [0]} if first != _SAFE else {}
        for step in range(len(self._letters)):
            families, new = self._forwards(step, families)
            masks += new
            if len(masks) > most:
                raise Abstained(
                    f"the cause has more than {most} clauses: allow more, or take an earlier step"
                )
        pairs = _pairs(self._width, len(self._letters))
        clauses = [tuple([pairs[bit] for bit in _bits(mask)]) for mask in masks]
        return tuple(sorted(clauses, key=lambda clause: (len(clause), clause)))

    def _spend(self, amount: int) -> None:
        self._left -= amount
        if self._left < 0:
            raise _too_much()

    def _backwards(self) -> list[int]:
        """Fill `_free` and `_layers`, and return the clauses of a single literal."""
        singles = []
        for step in range(len(self._letters) - 1, -1, -1):
            state = self._states[step]
            for index in range(self._width):
                if self._move(step, state, 1 << index) == _BROKEN:
                    singles.append(1 << step * self._width + index)
                else:
                    self._free[step] |= 1 << index
            self._layers[step] = self._classes(step)
        return singles

    def _move(self, step: int, state: int, flips: int) -> int:
        """Return the class a state moves to if these inputs of the step are flipped."""
        target, mask = self._engine.machine.table[state][self._letters[step] ^ flips]
        if step + 1 < len(self._letters):
            return self._layers[step + 1][target]
        return _SAFE if mask >> self._effect[0] & 1 == self._effect[1] else _BROKEN

    def _moves(self, step: int, flips: int) -> Layer:
        """Return `_move` for every state."""
        letter = self._letters[step] ^ flips
        if step + 1 < len(self._letters):
            return self._engine.after(letter, self._layers[step + 1])
        return self._engine.failing(letter, *self._effect)

    def _classes(self, step: int) -> Layer:
        """Return the layer of a step: states are alike if all flips move them to the same classes."""
        choices = subsets(self._free[step])
        self._spend(1 + len(choices) * len(self._engine.machine.table) // _CELLS)
        alike = unflipped = self._moves(step, 0)
        for begin in range(1, len(choices), _CHUNK):  # in parts, to bound the memory
            columns = [self._moves(step, flips) for flips in choices[begin : begin + _CHUNK]]
            number = {(_SAFE,) * (len(columns) + 1): 0}
            rows = zip(alike, *columns, strict=True)
            alike = tuple([number.setdefault(row, len(number)) for row in rows])
        return tuple(
            [
                _BROKEN if unmoved == _BROKEN else kind and kind + 1
                for unmoved, kind in zip(unflipped, alike, strict=True)
            ]
        )

    def _forwards(self, step: int, families: Families) -> tuple[Families, list[int]]:
        """Return the families after a step and the clauses whose last literal belongs to it."""
        arrivals = self._arrivals(step, families)
        breaking = arrivals.pop(_BROKEN, {})
        sets = _Sets(families, step * self._width, self._spend)
        new = sets.minimal(breaking, {})
        result = {}
        for target, ways in arrivals.items():
            kept = sets.minimal(ways, breaking)
            if kept:
                result[target] = kept
        return result, new

    def _arrivals(self, step: int, families: Iterable[int]) -> dict[int, Ways]:
        """Return for each class that is not SAFE how one more step leads there."""
        free = self._free[step]
        choices = subsets(free)
        arrivals, count = dict[int, Ways](), 0
        for number in families:
            state = self._layers[step].index(number)  # any state of the class will do
            row = tuple([self._move(step, state, flips) for flips in choices])
            ways = _ways(row, free)
            self._spend(len(choices))
            count += len(ways)
            if count > MAX_SETS:
                raise _too_much()
            for target, flips in ways:
                arrivals.setdefault(target, {}).setdefault(flips, []).append(number)
        return arrivals


class _Sets:
    """The sets of all families before a step, and which of them contain which.

    A *group* of sets is an int: its bits are their places in the list of all, so that one
    operation compares a set with many. No set is in two families, since it leads to one state.
    """

    def __init__(self, families: Families, shift: int, spend: Callable[[int], None]) -> None:
        self._families, self._shift, self._spend = families, shift, spend
        self._groups: dict[int, tuple[int, int]] = {}  # of each family: its first place, its group
        self._larger: dict[int, int] = {}
        self._holding: dict[int, int] = {}  # of each element: the group of the sets that have it
        self._count = self._produced = 0
        for number, family in families.items():
            self._groups[number] = (self._count, (1 << len(family)) - 1 << self._count)
            self._count += len(family)
        self._weight = 1 + self._count // _WORDS

    def minimal(self, ways: Ways, breaking: Ways) -> list[int]:
        """Return the minimal sets that lead to a class, but none with a new clause in it (`breaking`)."""
        kept: list[int] = []
        rivals = [*ways.items(), *breaking.items()]
        for flips, numbers in ways.items():
            covered = self._covered(flips, numbers, rivals)
            high = flips << self._shift
            self._spend(2 * len(rivals) + len(numbers) * self._weight)
            for number in numbers:
                family = self._outside(number, covered) if covered else self._families[number]
                kept += [before | high for before in family] if high else family
                if self._produced + len(kept) > MAX_SETS:
                    raise _too_much()
        self._produced += len(kept)
        self._spend(4 * len(kept))
        return kept

    def _covered(self, flips: int, numbers: list[int], rivals: list[tuple[int, list[int]]]) -> int:
        """Return the group of the sets that, with these flips, contain one of a rival's with its."""
        covered = 0
        for fewer, others in rivals:
            if fewer & flips != fewer or (others is numbers and len(numbers) == 1):
                continue  # sets of one family do not contain each other
            larger = self._larger or self._compare()
            self._spend(len(others) * self._weight)
            for other in others:
                covered |= larger[other]
                if fewer != flips:
                    covered |= self._groups[other][1]
        return covered

    def _compare(self) -> dict[int, int]:
        """Fill `_larger`: for each family the group of the others' sets that contain one of its own."""
        self._spend(20 * self._count * self._weight)
        sets = [member for family in self._families.values() for member in family]
        for number, family in self._families.items():
            if self._count <= _FEW:
                larger = sum(1 << i for i, member in enumerate(sets) if _covered(member, family))
            else:
                larger = self._containing(family, sets)
            self._larger[number] = larger & ~self._groups[number][1]
        return self._larger

    def _containing(self, family: list[int], sets: list[int]) -> int:
        """Return the group of those of all sets that contain one of a family."""
        holding, group = self._holding, 0
        if not holding:
            for place, member in enumerate(sets):
                for bit in _bits(member):
                    holding[bit] = holding.get(bit, 0) | 1 << place
        for member in family:
            common = (1 << len(sets)) - 1
            for bit in _bits(member):
                common &= holding[bit]
            group |= common
        return group

    def _outside(self, number: int, covered: int) -> list[int]:
        """Return the sets of a family that are not in a group."""
        family = self._families[number]
        place, group = self._groups[number]
        left = group & ~covered
        if left == group:
            return family
        marks = f"{left >> place:b}"[::-1]
        return [member for member, mark in zip(family, marks, strict=False) if mark == "1"]


def _too_much() -> Abstained:
    return Abstained("the cause takes more work than allowed: allow more, or take an earlier step")


def _covered(flips: int, sets: Iterable[int]) -> bool:
    """Tell whether a set contains one of several."""
    for other in sets:  # noqa: SIM110 - the innermost loop: a generator costs half as much again
        if other & flips == other:
            return True
    return False


@lru_cache(maxsize=1024)
def _ways(row: tuple[int, ...], free: int) -> tuple[tuple[int, int], ...]:
    """Return (class, minimal flips that lead to it) for where a class moves; SAFE is left out."""
    ways: dict[int, list[int]] = {}
    for target, flips in zip(row, subsets(free), strict=True):
        known = ways.setdefault(target, [])
        if target != _SAFE and not _covered(flips, known):
            known.append(flips)
    return tuple((target, flips) for target, family in ways.items() for flips in family)


@lru_cache(maxsize=64)
def _pairs(width: int, steps: int) -> tuple[tuple[int, int], ...]:
    return tuple((step, index) for step in range(steps) for index in range(width))


def _bits(mask: int) -> list[int]:
    places = []
    while mask:
        low = mask & -mask
        places.append(low.bit_length() - 1)
        mask ^= low
    return places
