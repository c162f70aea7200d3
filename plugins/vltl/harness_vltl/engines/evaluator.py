"""The engine that makes labels: LTL on traces, all positions of all traces at once.

A `Pool` holds traces of one shape (number of states, loop) side by side in one int: trace t has its
state i at bit ``t * length + i``. A formula's value is an int of the same layout: on which
states of which traces it holds. Boolean operators are one operation on ints; F, G, U and its
kin are least and greatest fixpoints, found by doubling the distance looked ahead (a prefix
computation), and once more around the loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from harness_vltl import lassos
from harness_vltl.formulas.formula import Formula

Frozen = Any  # a formula with tuples in place of lists, so that it can be a key

MAX_CACHED = 5_000


def freeze(formula: Formula) -> Frozen:
    """Return the formula as nested tuples."""
    return tuple(map(freeze, formula)) if isinstance(formula, (list, tuple)) else formula


def thaw(formula: Frozen) -> Formula:
    """Return the formula as nested lists: the inverse of `freeze`."""
    return [thaw(part) for part in formula] if isinstance(formula, tuple) else formula


class Pool:
    """Traces of one shape, evaluated together; values of subformulas are kept."""

    def __init__(self, length: int, loop: int, columns: Mapping[str, int], traces: int) -> None:
        self.length, self.loop, self.traces = length, loop, traces
        self.columns = columns
        self.first = _spread(length, traces)
        self.last = self.first << (length - 1)
        self.full = (1 << length * traces) - 1
        self.known: dict[Frozen, int] = {}

    @classmethod
    def of(cls, traces: Sequence[Mapping[str, Any]]) -> Pool:
        """Return the pool of traces that have the same number of states and the same loop."""
        length, loop = len(traces[0]["states"]), traces[0]["loop"]
        columns: dict[str, int] = {}
        for number, trace in enumerate(traces):
            for at, state in enumerate(trace["states"], number * length):
                for name in state:
                    columns[name] = columns.get(name, 0) | 1 << at
        return cls(length, loop, columns, len(traces))

    def holds(self, formula: Frozen) -> int:
        """Return on which traces a frozen formula holds: bit ``t * length`` is trace t's."""
        return self.values(formula) & self.first

    def values(self, formula: Frozen) -> int:
        """Return on which states a frozen formula holds."""
        if isinstance(formula, str):
            return self.columns.get(formula, 0)
        value = self.known.get(formula)
        if value is None:
            value = self._work_out(formula)
            if len(self.known) >= MAX_CACHED:
                self.known.clear()
            self.known[formula] = value
        return value

    def trace(self, number: int) -> dict[str, Any]:
        """Return the trace that begins at a bit, in its shortest form."""
        states = [
            [name for name, column in self.columns.items() if column >> (number + at) & 1]
            for at in range(self.length)
        ]
        return lassos.reduced(states, self.loop)

    def _work_out(self, formula: Frozen) -> int:
        if isinstance(formula, bool):
            return self.full if formula else 0
        parts = [self.values(part) for part in formula[1:]]
        return _MEANING[formula[0]](self, parts[0], parts[-1])

    def next(self, a: int) -> int:
        """Return where X a holds."""
        return (a >> 1) & ~self.last | self._looped(a)

    def _looped(self, a: int) -> int:
        """Return, at each last state, the value at the state where its trace goes on."""
        return (a >> self.loop & self.first) << (self.length - 1)

    def until(self, a: int, b: int) -> int:
        """Return where a U b holds."""
        straight = self._ahead(a, b)
        if self.loop == self.length - 1:
            return straight
        # What is true where the loop begins was found by going once through it, if it is true at all.
        return self._ahead(a, straight | (a & self._looped(straight)))

    def _ahead(self, a: int, b: int) -> int:
        """Return where b comes, with a until then, before the trace ends."""
        a &= ~self.last
        step = 1
        while step < self.length:
            b |= a & (b >> step)
            a &= a >> step
            step *= 2
        return b


_MEANING: dict[str, Callable[[Pool, int, int], int]] = {
    "!": lambda pool, a, b: pool.full ^ a,
    "&": lambda pool, a, b: a & b,
    "|": lambda pool, a, b: a | b,
    "->": lambda pool, a, b: pool.full ^ a | b,
    "<->": lambda pool, a, b: pool.full ^ a ^ b,
    "X": lambda pool, a, b: pool.next(a),
    "F": lambda pool, a, b: pool.until(pool.full, a),
    "G": lambda pool, a, b: pool.full ^ pool.until(pool.full, pool.full ^ a),
    "U": lambda pool, a, b: pool.until(a, b),
    "R": lambda pool, a, b: pool.full ^ pool.until(pool.full ^ a, pool.full ^ b),
    # not: a step with neither, and no b until then
    "W": lambda pool, a, b: pool.full ^ pool.until(pool.full ^ b, pool.full ^ (a | b)),
    "M": lambda pool, a, b: pool.until(b, a & b),
}


def _spread(length: int, traces: int) -> int:
    """Return an int with a bit at the first state of every trace."""
    return ((1 << length * traces) - 1) // ((1 << length) - 1)


def holds(formula: Formula, trace: Mapping[str, Any]) -> bool:
    """Tell whether a valid formula holds on a valid trace, from its first state on."""
    return bool(Pool.of([trace]).holds(freeze(formula)))


def table(formula: Formula, trace: Mapping[str, Any]) -> list[tuple[Formula, list[bool]]]:
    """Return every distinct subformula with its value in each state, operands before operators."""
    pool = Pool.of([trace])
    lines = []
    for frozen, part in _parts(formula).items():
        value = pool.values(frozen)
        lines.append((part, [bool(value >> at & 1) for at in range(pool.length)]))
    return lines


def rows(formula: Formula, trace: Mapping[str, Any]) -> list[str]:
    """Return the values of all subformulas, operands first: a 0 or 1 per state."""
    return ["".join("01"[value] for value in line) for _, line in table(formula, trace)]


def parts(formula: Formula) -> list[Formula]:
    """Return the distinct subformulas, operands before operators, propositions included."""
    return list(_parts(formula).values())


def _parts(formula: Formula) -> dict[Frozen, Formula]:
    """Return the distinct subformulas by their frozen form, operands before operators."""
    by_frozen: dict[Frozen, Formula] = {}

    def visit(part: Formula) -> Frozen:
        frozen = (part[0], *map(visit, part[1:])) if isinstance(part, list) else freeze(part)
        by_frozen.setdefault(frozen, part)
        return frozen

    visit(formula)
    return by_frozen


def pools(traces: Iterable[Mapping[str, Any]]) -> list[tuple[Pool, list[int]]]:
    """Return traces as pools of one shape each, with the numbers of the traces in them."""
    shapes: dict[tuple[int, int], list[int]] = {}
    listed = list(traces)
    for number, trace in enumerate(listed):
        shapes.setdefault((len(trace["states"]), trace["loop"]), []).append(number)
    return [(Pool.of([listed[n] for n in numbers]), numbers) for numbers in shapes.values()]


def verdicts(formula: Formula, traces: Sequence[Mapping[str, Any]]) -> list[bool]:
    """Return whether a valid formula holds on each of some valid traces."""
    frozen = freeze(formula)
    holding = [False] * len(traces)
    for pool, numbers in pools(traces):
        value = pool.holds(frozen)
        for lane, number in enumerate(numbers):
            holding[number] = bool(value >> lane * pool.length & 1)
    return holding
