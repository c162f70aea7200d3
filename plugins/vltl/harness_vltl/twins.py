"""Twins for task=verify: two traces of one formula that differ little, one satisfied and one violated.

The values of one proposition change places between two steps, neither of them the first or the last, both before the
loop or both in it. So lengths, shares of true values, first and last states, and the words of the prompt are the same
in both, and none of them foretells the verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import combinations
from random import Random
from typing import Any

from harness_vltl import lassos
from harness_vltl.engines import evaluator
from harness_vltl.formulas.formula import Formula, propositions
from harness_vltl.templates import Skeleton

Trace = dict[str, Any]
_DRAWN = 60  # traces drawn for one that has a twin
_SHORTEST = 4  # states, two of them between the first and the last


def twins(formula: Formula, most: int, rng: Random, change: int) -> tuple[Trace, Trace] | None:
    """Return a satisfying and a violating trace of a formula that differ by a change; None if none were found.

    ``most``: the states that they may have, 4 at the least. ``change``: one of `CHANGES`.
    """
    names = propositions(formula)
    for _ in range(_DRAWN):
        trace = _drawn(names, most, rng)
        pool = [trace, *CHANGES[change](trace, names)]
        verdicts = evaluator.verdicts(formula, pool)
        others = [
            other for other, holds in zip(pool, verdicts, strict=True) if holds is not verdicts[0]
        ]
        if others:
            other = rng.choice(others)
            return (trace, other) if verdicts[0] else (other, trace)
    return None


@lru_cache(maxsize=1024)
def smallest_change(skeleton: Skeleton) -> int:
    """Return the first of `CHANGES` that makes twins of a template, the one that tells least; else their number."""
    every = range(len(CHANGES))
    rng = Random(skeleton.id)
    return next((at for at in every if twins(skeleton.formula, 8, rng, at)), len(every))


def _drawn(names: Sequence[str], most: int, rng: Random) -> Trace:
    """Return a trace by chance, in its shortest form."""
    while True:
        length = rng.randint(_SHORTEST, max(most, _SHORTEST))
        density = rng.choice((0.2, 0.5, 0.8))
        states = [[name for name in names if rng.random() < density] for _ in range(length)]
        loop = length - 1 if rng.random() < 0.5 else rng.randrange(length)
        trace = lassos.reduced(states, loop)
        if len(trace["states"]) >= _SHORTEST:
            return trace


def _moved(trace: Trace, names: Sequence[str], across: bool) -> Iterator[Trace]:
    """Yield what becomes of a trace where one proposition's values in two steps change places.

    ``across``: one step before the loop, one in it.
    """
    states, loop = trace["states"], trace["loop"]
    for i, j in combinations(range(1, len(states) - 1), 2):
        if (i < loop <= j) is across:
            for name in sorted(set(states[i]) ^ set(states[j])):
                other = [*states]
                other[i], other[j] = toggled(states[i], name), toggled(states[j], name)
                yield from _shortest(other, loop)


def _flipped(trace: Trace, names: Sequence[str]) -> Iterator[Trace]:
    """Yield what becomes of a trace where one value is another."""
    for at, state in enumerate(trace["states"]):
        for name in names:
            other = [*trace["states"]]
            other[at] = toggled(state, name)
            yield from _shortest(other, trace["loop"])


def toggled(state: Sequence[str], name: str) -> list[str]:
    """Return a state in which one proposition has its other value."""
    return sorted({*state} ^ {name})


def _shortest(states: list[list[str]], loop: int) -> Iterator[Trace]:
    """Yield a trace of these states if none is shorter."""
    trace = lassos.make(states, loop)
    if lassos.reduced(states, loop) == trace:
        yield trace


CHANGES: tuple[Callable[[Trace, Sequence[str]], Iterator[Trace]], ...] = (
    partial(_moved, across=False),
    partial(_moved, across=True),
    _flipped,
)
"""Changes of a trace: values move within prefix or loop, between them, or one value is another."""
EVEN = 1
"""Up to this one a change leaves every proposition as many true values, and first and last state as they are."""


def grounded(
    pair: tuple[Trace, Trace], names: Mapping[str, str], others: Sequence[str], rng: Random
) -> tuple[Trace, Trace]:
    """Return twins with canonical propositions, and other actions put into the same steps of both by chance."""
    longest = max(len(trace["states"]) for trace in pair)
    added = [[other for other in others if rng.random() < 0.4] for _ in range(longest)]
    first, second = (
        lassos.make(
            [[*map(names.__getitem__, state), *more] for state, more in zip(trace["states"], added, strict=False)],
            trace["loop"],
        )
        for trace in pair
    )  # fmt: skip
    return first, second
