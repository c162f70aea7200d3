"""Twins of finite traces: two traces of one formula that differ little, one satisfied and one violated.

As with infinite ones, the values of one proposition change places between two steps, neither the first nor the last.
Where a formula has X or N, traces are preferred that tell them apart: one of the twins has another verdict if strong
and weak next are exchanged.
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
_TRIED = 40  # changes of a trace
_SHORTEST = 4  # states, two of them between the first and the last
_VARIANTS = 8  # ways tried to make each X of a template strong or weak


def twins(formula: Formula, most: int, rng: Random, change: int) -> Pair | None:
    """Return a satisfying and a violating trace of a formula that differ by a change; None if none were found.

    ``most``: the states that they may have, 4 at the least. ``change``: one of `CHANGES`.
    """
    found: Pair | None = None
    for _ in range(_DRAWN):
        pair = _pair(formula, most, rng, change)
        if pair and (told_apart(formula, pair) or not nexts.occurs(formula)):
            return pair
        found = found or pair
    return found


def told_apart(formula: Formula, pair: Pair) -> bool:
    """Tell whether exchanging weak and strong next changes the verdict on one of twins."""
    return finite_evaluator.verdicts(nexts.exchanged(formula), pair) != [True, False]


def _pair(formula: Formula, most: int, rng: Random, change: int) -> Pair | None:
    """Draw a trace and return it with a twin, the satisfying one first; None if it has none."""
    names = propositions(formula)
    trace = _drawn(names, most, rng)
    possible = list(CHANGES[change](trace["states"], names))
    tried = [_changed(trace, places) for places in rng.sample(possible, min(_TRIED, len(possible)))]
    first, *verdicts = finite_evaluator.verdicts(formula, [trace, *tried])
    others = [other for other, holds in zip(tried, verdicts, strict=True) if holds is not first]
    if not others:
        return None
    other = rng.choice(others)
    return (trace, other) if first else (other, trace)


@lru_cache(maxsize=1024)
def smallest_change(skeleton: Skeleton) -> int:
    """Return the first of `CHANGES` that makes twins of a template, with X or N as it may be; else their number."""
    every = range(len(CHANGES))
    rng = Random(f"ltlf {skeleton.id}")
    variants = [nexts.drawn(skeleton.formula, rng) for _ in range(_VARIANTS)]
    return next((at for at in every if any(twins(v, 8, rng, at) for v in variants)), len(every))


def _drawn(names: Sequence[str], most: int, rng: Random) -> Trace:
    length = rng.randint(_SHORTEST, max(most, _SHORTEST))
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
