"""A pool of traces per number of propositions, the same on every machine, and what formulas are on all of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from random import Random
from typing import Any

from harness_logic.lassos import Ended, Mixed

from harness import canonical_json
from harness_vltl import lassos
from harness_vltl.formulas.formula import ARITY

# Length and loop of the traces of a pool, and how many of each. Finite traces come first.
_SHAPES = (
    (1, 0, 64), (2, 1, 150), (3, 2, 150), (8, 7, 350),
    (2, 0, 60), (3, 0, 80), (4, 2, 80), (5, 0, 60), (6, 0, 80), (8, 5, 80), (10, 5, 50),
)  # fmt: skip

_LENGTHS = ((1, 64), (2, 200), (3, 250), (4, 200), (5, 150), (6, 150), (8, 250), (10, 50))
"""Lengths of the finite traces of a pool, and how many of each."""


class Pool(Mixed):
    """Traces of all shapes, evaluated together.

    Args:
        traces: for each one, where each proposition is true (a bit per state), its length and its loop.
    """

    def __init__(self, traces: Sequence[tuple[tuple[int, ...], int, int]]) -> None:
        super().__init__([(bytes(length), loop) for _, length, loop in traces])
        self.traces = traces
        self.finite = sum(
            1 << word for word, (_, length, loop) in enumerate(traces) if loop == length - 1
        )
        self.meanings = {operator: self.meaning(operator) for operator in ARITY}
        self.columns = {
            f"prop_{name}": sum(
                (drawn[name - 1] >> _state(at, length, loop) & 1) << at * self.words + word
                for word, (drawn, length, loop) in enumerate(traces)
                for at in range(self.length)
            )
            for name in range(1, len(traces[0][0]) + 1)
        }

    def trace(self, number: int) -> dict[str, Any]:
        """Return a trace in its shortest form."""
        return _reduced(*self.traces[number])


class Finite(Ended, Pool):
    """Finite traces of all lengths: a word for each, in which empty states follow the trace, and count for nothing.

    Args:
        traces: for each one, where each proposition is true (a bit per state), and its length.
    """

    def __init__(self, traces: Sequence[tuple[tuple[int, ...], int]]) -> None:
        super().__init__([(drawn, length + 1, length) for drawn, length in traces])
        self.meanings["N"] = self.meaning("N")

    @cached_property
    def alive(self) -> int:
        """The states of the traces themselves."""
        return sum(
            1 << at * self.words + word
            for word, (_, longer, _) in enumerate(self.traces)
            for at in range(longer - 1)
        )

    def trace(self, number: int) -> dict[str, Any]:
        """Return a finite trace."""
        drawn, longer, _ = self.traces[number]
        return {"states": _states(drawn, longer - 1)}


def _state(at: int, length: int, loop: int) -> int:
    return at if at < length else loop + (at - loop) % (length - loop)


def _reduced(drawn: Sequence[int], length: int, loop: int) -> dict[str, Any]:
    return lassos.reduced(_states(drawn, length), loop)


def _states(drawn: Sequence[int], length: int) -> list[list[str]]:
    names = [f"prop_{number}" for number in range(1, len(drawn) + 1)]
    return [
        [n for n, bits in zip(names, drawn, strict=True) if bits >> at & 1] for at in range(length)
    ]


@cache
def pool_of(count: int) -> Pool:
    """Return the traces over prop_1 … prop_<count> that suites are chosen from, the simplest of each shape first."""
    traces = [
        (drawn, length, loop)
        for length, loop, most in _SHAPES
        for drawn in _drawn(count, length, loop, most)
    ]
    distinct = {canonical_json(_reduced(*trace)): trace for trace in reversed(traces)}
    return Pool([*distinct.values()][::-1])


@cache
def ended_of(count: int) -> Finite:
    """Return the finite traces over prop_1 … prop_<count> that suites of finite traces are chosen from."""
    return Finite(
        [(drawn, length) for length, most in _LENGTHS for drawn in _drawn(count, length, -1, most)]
    )


def _drawn(count: int, length: int, loop: int, most: int) -> list[tuple[int, ...]]:
    rng = Random(f"pool|{count}|{length}|{loop}")
    patterns = _patterns(length)
    columns: dict[tuple[int, ...], None] = {}
    for draw in range(40 * most):
        # one in four is noise, the others have the kinds of shape that formulas speak of
        if draw % 4 == 3:
            drawn = tuple(rng.getrandbits(length) for _ in range(count))
        else:
            drawn = tuple(rng.choice(patterns) for _ in range(count))
        columns.setdefault(drawn)
        if len(columns) == most:
            break
    return sorted(columns, key=_complexity)


def _patterns(length: int) -> list[int]:
    """Return ways in which one proposition can be true along so many states, as bits."""
    full = (1 << length) - 1
    patterns = [0, full]
    for at in range(length):
        since = full >> at << at
        patterns += [1 << at, full ^ 1 << at, since, full ^ since, 3 << at & full]
    for period in range(2, 7):
        for start in range(period):
            regular = sum(1 << at for at in range(start, length, period))
            patterns += [regular, full ^ regular]
    return list(dict.fromkeys(patterns))


def _complexity(drawn: tuple[int, ...]) -> tuple[int, int]:
    """Return how often propositions change, then how often they are true: the order of the pool."""
    return sum((bits ^ bits >> 1).bit_count() for bits in drawn), sum(map(int.bit_count, drawn))
