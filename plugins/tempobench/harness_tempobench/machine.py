"""Mealy machines with finite tables: validation, runs, traces, canonical numbering, random walks.

A machine answers every combination of its inputs (it is input-complete) with one combination of
its outputs and one next state. Inside, a combination of inputs is a *letter*, an int whose bit
``i`` is the value of ``inputs[i]``, and a combination of outputs likewise a *mask*.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import accumulate, chain
from typing import Any, NamedTuple, TypeAlias

from harness_tempobench.errors import TempobenchError

MAX_INPUTS = 12
MAX_OUTPUTS = 40
MAX_STATES = 2_000
MAX_CELLS = 2_000_000
"""The most states × letters of one machine."""

_KEPT = 20_000  # of what is kept of single steps

MAX_NAME = 100
"""The longest name of a proposition, in characters."""

Row: TypeAlias = "tuple[tuple[int, int], ...]"


class Look(NamedTuple):
    """What one step of a trace tells by itself.

    ``states``: the states that answer its inputs with its outputs, one bit each; ``following``: the
    states that these go to; ``several``: whether several states do.
    """

    states: int
    following: int
    several: bool


@dataclass(frozen=True)
class Machine:
    """A complete Mealy machine with determined outputs.

    Attributes:
        inputs: names of the input propositions, in the order of the bits of a letter.
        outputs: names of the output propositions, in the order of the bits of a mask; at least one.
        start: the initial state.
        table: ``table[state][letter]`` is ``(next state, output mask)``; lists are made tuples.

    Raises:
        TempobenchError: names or rows that do not fit together, or a bound of this module.
    """

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    start: int
    table: tuple[Row, ...] = field(repr=False)  # may be megabytes

    def __post_init__(self) -> None:
        for names in ("inputs", "outputs"):
            object.__setattr__(self, names, tuple(getattr(self, names)))
        check_size(self.inputs, self.outputs, len(self.table))
        try:
            # tuple() of a tuple is that tuple, so rows that share cells go on sharing them
            table = tuple(tuple(map(tuple, row)) for row in self.table)
        except TypeError:
            raise TempobenchError("a machine's table is not made of rows of pairs") from None
        object.__setattr__(self, "table", table)
        self._check_table()

    def _check_table(self) -> None:
        states = len(self.table)
        if type(self.start) is not int or not 0 <= self.start < states:
            raise TempobenchError(f"a machine of {states} states cannot start in {self.start!r}")
        for state, row in enumerate(self.table):
            if len(row) != self.letters:
                raise TempobenchError(
                    f"state {state} has {len(row)} cells, not one for each of {self.letters} letters"
                )
            if wrong := [cell for cell in set(row) if not self._fits(cell)]:
                raise TempobenchError(
                    f"state {state} has the cell {str(wrong[0])[:60]}, which is no (next state, output mask)"
                )

    def _fits(self, cell: tuple[Any, ...]) -> bool:
        return (
            len(cell) == 2
            and all(type(number) is int for number in cell)
            and 0 <= cell[0] < len(self.table)
            and 0 <= cell[1] < 1 << len(self.outputs)
        )

    @property
    def letters(self) -> int:
        """How many letters there are: 2 to the number of inputs."""
        return 1 << len(self.inputs)

    @property
    def propositions(self) -> tuple[str, ...]:
        """Inputs, then outputs."""
        return self.inputs + self.outputs

    @cached_property
    def transitions(self) -> int:
        """How many pairs (state, next state) there are that some inputs lead from one to the other."""
        return sum(len({following for following, _ in row}) for row in self.table)

    def run(self, letters: Iterable[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the states visited, the first one included, and the output mask of every step."""
        table, state = self.table, self.start
        states, masks = [state], []
        for letter in letters:
            state, mask = table[state][letter]
            states.append(state)
            masks.append(mask)
        return tuple(states), tuple(masks)

    def answers(self, state: int, letters: Iterable[int]) -> tuple[int, ...]:
        """Return the output mask of every step that is taken from a state."""
        masks = []
        for letter in letters:
            state, mask = self.table[state][letter]
            masks.append(mask)
        return tuple(masks)

    def deviation(self, letters: Iterable[int], masks: Iterable[int]) -> int | None:
        """Return the first step whose outputs are not this machine's; None if all of them are."""
        state = self.start
        for step, (letter, mask) in enumerate(zip(letters, masks, strict=True)):
            state, expected = self.table[state][letter]
            if expected != mask:
                return step
        return None

    @cached_property
    def looks(self) -> Callable[[int], dict[int, Look]]:
        """What steps with some inputs tell, by the outputs that states have on them; kept, as they come often."""
        return lru_cache(maxsize=max(1, _KEPT // len(self.table)))(self._looks)

    def _looks(self, letter: int) -> dict[int, Look]:
        states: dict[int, dict[int, int]] = {}
        for state, row in enumerate(self.table):
            following, mask = row[letter]
            states.setdefault(mask, {})[state] = following
        return {
            mask: Look(_set(group), _set(set(group.values())), len(group) > 1)
            for mask, group in sorted(states.items())
        }

    @cached_property
    def true(self) -> Callable[[int, int], tuple[str, ...]]:
        """The propositions that are true with a letter and a mask, inputs first; kept, as they come often."""
        return lru_cache(maxsize=_KEPT)(self._true)

    def _true(self, letter: int, mask: int) -> tuple[str, ...]:
        word = letter | mask << len(self.inputs)
        return tuple(name for i, name in enumerate(self.propositions) if word >> i & 1)

    def split(self, trace: Sequence[Mapping[str, Any]]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return letters and masks of a trace in the public form, whether or not it is a run.

        Raises:
            TempobenchError: a step that lacks a proposition, has another, or a value that is no
                truth value (True, False, 0 and 1 are).
        """
        if not isinstance(trace, Sequence):
            raise TempobenchError(f"a trace is a list of steps, not a {type(trace).__name__}")
        known = frozenset(self.propositions)
        for number, step in enumerate(trace):
            _check_step(number, step, known)
        letters = tuple(_bits(self.inputs, step) for step in trace)
        return letters, tuple(_bits(self.outputs, step) for step in trace)

    def reachable(self) -> list[int]:
        """Return the reachable states, breadth first by letter: the first one is the start."""
        states = [self.start]
        seen = set(states)
        for state in states:
            for following, _ in self.table[state]:
                if following not in seen:
                    seen.add(following)
                    states.append(following)
        return states

    def canonical(self) -> Machine:
        """Return the machine with reachable states alone, numbered as `reachable` lists them.

        Two machines that differ in the numbering of their states alone become equal.
        """
        states = self.reachable()
        number = {state: new for new, state in enumerate(states)}
        cells: dict[tuple[int, int], tuple[int, int]] = {}  # shared, or big tables would not fit
        for following, mask in set(chain.from_iterable(self.table[state] for state in states)):
            cells[following, mask] = (number[following], mask)
        table = tuple(tuple(cells[cell] for cell in self.table[state]) for state in states)
        return Machine(self.inputs, self.outputs, 0, table)


def _set(states: Iterable[int]) -> int:
    return sum(1 << state for state in states)


def cells(row: Row) -> dict[tuple[int, int], int]:
    """Return the different cells of a row, each with the set of its letters, in the order of their least ones."""
    groups: dict[tuple[int, int], int] = {}
    for letter, cell in enumerate(row):
        groups[cell] = groups.get(cell, 0) | 1 << letter
    return groups


def check_size(inputs: Sequence[str], outputs: Sequence[str], states: int) -> None:
    """Check a machine's propositions and size, before its table is made.

    Raises `TempobenchError`: one line.
    """
    for kind, names, most in (("input", inputs, MAX_INPUTS), ("output", outputs, MAX_OUTPUTS)):
        if len(names) > most:
            raise TempobenchError(f"{len(names)} {kind}s: a machine has at most {most}")
        for name in names:
            _check_name(name)
    if not outputs:
        raise TempobenchError("a machine needs at least one output")
    names = (*inputs, *outputs)
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise TempobenchError(f"proposition {twice} is named twice among inputs and outputs")
    if not 1 <= states <= MAX_STATES:
        raise TempobenchError(f"{states:,} states: a machine has 1 to {MAX_STATES:,}")
    if states << len(inputs) > MAX_CELLS:
        raise TempobenchError(
            f"{states} states and {len(inputs)} inputs: states × 2^inputs is at most {MAX_CELLS:,}"
        )


def _check_name(name: Any) -> None:
    if not isinstance(name, str) or not 0 < len(name) <= MAX_NAME or not name.isprintable():
        raise TempobenchError(
            f"a proposition's name is 1 to {MAX_NAME} printable characters, not {str(name)[:40]!r}"
        )


def _bits(names: tuple[str, ...], step: Mapping[str, Any]) -> int:
    return sum(1 << i for i, name in enumerate(names) if step[name])


def _check_step(number: int, step: Mapping[str, Any], known: frozenset[str]) -> None:
    if not isinstance(step, Mapping):
        raise TempobenchError(f"step {number} of the trace is a {type(step).__name__}, not a dict")
    if missing := sorted(known - step.keys()):
        raise TempobenchError(f"step {number} of the trace has no value for {missing[0]}")
    for name, value in step.items():
        if name not in known:
            raise TempobenchError(
                f"step {number} of the trace names {str(name)[:40]!r}, which the machine does not"
            )
        if not isinstance(value, int) or value not in (0, 1):
            raise TempobenchError(
                f"step {number} of the trace gives {name} the value {str(value)[:40]!r}, not a bool"
            )


def walk(
    machine: Machine, steps: int, rng: random.Random, chances: Mapping[str, float] | None = None
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return letters and masks of a random run; every input is drawn on its own at every step.

    Args:
        machine: whose run it is.
        steps: how many.
        rng: the source of chance: the same state of it gives the same run.
        chances: of each input the probability that it is true; None: one half for all.
    """
    weights = [1.0]  # of the letters, in order
    for chance in (chances[name] for name in machine.inputs) if chances else ():
        weights = [old * (1 - chance) for old in weights] + [old * chance for old in weights]
    summed = list(accumulate(weights)) if chances else None
    letters = tuple(rng.choices(range(machine.letters), cum_weights=summed, k=steps))
    return letters, machine.run(letters)[1]
