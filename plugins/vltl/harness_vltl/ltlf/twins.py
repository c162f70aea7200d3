"""Twins of finite traces: two traces of one formula that differ little, one satisfied and one violated.

As with infinite ones, the values of one proposition change places between two steps, neither the first nor the last.
Where a formula has X or N, traces are preferred whose end matters: of one of the twins the verdict is another if the
last state repeats forever. Who reads traces so is right on every second one of these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Any

from harness_vltl.engines import finite_evaluator
from harness_vltl.formulas.formula import Formula, propositions
from harness_vltl.ltlf import next as nexts
from harness_vltl.ltlf import traces
from harness_vltl.templates import Skeleton
from harness_vltl.twins import toggled

Trace = dict[str, Any]
Pair = tuple[Trace, Trace]
Places = tuple[tuple[int, str], ...]
"""Steps, each with a proposition."""
_DRAWN = 60  # traces drawn for one that has a twin
_DIFFERING = 10  # of these, traces whose end matters
_TRIED = 40  # changes of a trace
_SHORTEST = 4  # states, two of them between the first and the last
_VARIANTS = (False, True, True) * 3  # ways tried to put X and N into a template


def twins(
    formula: Formula, most: int, rng: Random, change: int, *, at_end: bool = False
) -> Pair | None:
    """Return a satisfying and a violating trace of a formula that differ by a change; None if none were found.

    Args:
        formula: with N, too.
        most: the states that they may have, 4 at the least.
        change: one of `CHANGES`.
        at_end: one of the two, and not the other, has another verdict if the last state repeats forever.
    """
    names = propositions(formula)
    length = rng.randint(_SHORTEST, max(most, _SHORTEST))
    drawn = [_drawn(names, length, rng) for _ in range(_DRAWN)]
    if at_end:
        ended, endless = finite_evaluator.verdicts(formula, drawn), nexts.repeating(formula, drawn)
        differing = zip(drawn, ended, endless, strict=True)
        drawn = [trace for trace, one, other in differing if one is not other][:_DIFFERING]
    pairs = (_pair(formula, trace, names, change, rng, at_end=at_end) for trace in drawn)
    return next(filter(None, pairs), None)


def _pair(
    formula: Formula, trace: Trace, names: Sequence[str], change: int, rng: Random, *, at_end: bool
) -> Pair | None:
    """Return a trace with a twin, the satisfying one first; None if it has none."""
    possible = list(CHANGES[change](trace["states"], names))
    tried = [_changed(trace, places) for places in rng.sample(possible, min(_TRIED, len(possible)))]
    first, *verdicts = finite_evaluator.verdicts(formula, [trace, *tried])
    others = [other for other, holds in zip(tried, verdicts, strict=True) if holds is not first]
    if at_end and others:  # of the trace itself it is known
        endless = nexts.repeating(formula, others)
        others = [other for other, holds in zip(others, endless, strict=True) if holds is not first]
    if not others:
        return None
    other = rng.choice(others)
    return (trace, other) if first else (other, trace)


@lru_cache(maxsize=1024)
def smallest_change(skeleton: Skeleton) -> int:
    """Return the first of `CHANGES` that makes twins of a template, with X or N as it may be; else their number.

    What leaves every count as it is, is one only if there are such twins whose end matters.
    """
    every = range(len(CHANGES))
    rng = Random(f"ltlf {skeleton.id}")
    variants = [nexts.variant(skeleton.formula, rng, plant) for plant in _VARIANTS]
    return next(
        (at for at in every if any(twins(v, 8, rng, at, at_end=at <= EVEN) for v in variants)),
        len(every),
    )


def _drawn(names: Sequence[str], length: int, rng: Random) -> Trace:
    density = rng.choice((0.2, 0.5, 0.8))
    return traces.make([n for n in names if rng.random() < density] for _ in range(length))


def _changed(trace: Trace, places: Places) -> Trace:
    """Return what becomes of a trace where a proposition has its other value in some steps."""
    states = [*trace["states"]]
    for at, name in places:
        states[at] = toggled(states[at], name)
    return {"states": states}


def _moved(states: Sequence[Sequence[str]], names: Sequence[str]) -> Iterator[Places]:
    """Yield where one proposition's values in two inner steps may change places."""
    for i, j in combinations(range(1, len(states) - 1), 2):
        for name in sorted({*states[i]} ^ {*states[j]}):
            yield (i, name), (j, name)


def _flipped(states: Sequence[Sequence[str]], names: Sequence[str]) -> Iterator[Places]:
    """Yield each single value."""
    for at in range(len(states)):
        for name in names:
            yield ((at, name),)


CHANGES: tuple[Callable[[Sequence[Sequence[str]], Sequence[str]], Iterator[Places]], ...] = (
    _moved,
    _flipped,
)
"""Changes of a trace: values move between two inner steps, or one value is another."""
EVEN = 0
"""Up to this one a change leaves every proposition as many true values, and first and last state as they are."""


def grounded(
    pair: Pair, names: Mapping[str, str], others: Sequence[str], rng: Random
) -> tuple[Trace, Trace]:
    """Return twins with canonical propositions, and other actions put into the same steps of both by chance."""
    added = [[other for other in others if rng.random() < 0.4] for _ in pair[0]["states"]]
    first, second = (
        traces.make(
            [*map(names.__getitem__, state), *more]
            for state, more in zip(trace["states"], added, strict=True)
        )
        for trace in pair
    )
    return first, second
