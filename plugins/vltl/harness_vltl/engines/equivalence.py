"""Do two formulas mean the same? Quick refutation on traces first, then Spot in a guarded worker."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

import harness_guard
from harness_logic.lassos import Pool

from harness import Abstained, EngineError
from harness_vltl import lassos
from harness_vltl.engines import finite_automaton
from harness_vltl.engines.evaluator import Frozen, freeze, holds, thaw, verdicts
from harness_vltl.formulas.formula import Formula, propositions

SECONDS = 10.0
MEMORY_MB = 1024
_SHAPES = ((7, 6, 150), (4, 0, 100), (6, 2, 100))


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether two formulas are equivalent, and if not, a trace on which exactly one of them holds."""

    equivalent: bool
    trace: dict[str, Any] | None = None


def compare(gold: Formula, answer: Formula, *, finite: bool = False) -> Comparison:
    """Compare two valid formulas over all infinite words, or over all finite traces, none of which is empty.

    Over finite traces Spot's automata and our own, which share no code, have to agree; where one of them gives up,
    the other one decides.

    Raises:
        EngineError: it could not be decided within the limits, or engines contradict each other.
    """
    return _compare(freeze(gold), freeze(answer), finite)


@lru_cache(maxsize=8192)
def _compare(gold: Frozen, answer: Frozen, finite: bool) -> Comparison:
    if gold == answer:
        return Comparison(True)
    if finite:
        trace = _ended(thaw(gold), thaw(answer))
    else:
        trace = refuted(gold, answer)
        if trace is None:
            trace = _by_spot("common_parts", thaw(gold), thaw(answer))
    return Comparison(trace is None, trace)


def _ended(gold: Formula, answer: Formula) -> dict[str, Any] | None:
    """Return a finite trace on which exactly one of two formulas holds; None if there is none."""
    try:
        trace, certain = finite_automaton.difference(gold, answer), True
    except Abstained:
        trace, certain = None, False
    if trace is None:
        try:
            trace = _by_spot("finite_spot", gold, answer)
        except EngineError:
            if not certain:
                raise
        if trace and certain:
            raise EngineError(f"engines contradict each other on finite traces: {trace}")
    if trace and holds(gold, trace) is holds(answer, trace):
        raise EngineError(f"engines contradict each other on the finite trace {trace}")
    return trace


def _by_spot(module: str, gold: Formula, answer: Formula) -> dict[str, Any] | None:
    trace: dict[str, Any] | None = harness_guard.call(
        f"harness_vltl.engines.{module}:difference",
        gold,
        answer,
        seconds=SECONDS,
        memory_mb=MEMORY_MB,
    )
    return trace


def refuted(gold: Frozen, answer: Frozen) -> dict[str, Any] | None:
    """Return a random trace on which exactly one of two formulas holds, if one is found."""
    names = tuple(dict.fromkeys([*propositions(thaw(gold)), *propositions(thaw(answer))]))
    for shape in _SHAPES:
        pool = _pool(names, *shape)
        differs = pool.holds(gold) ^ pool.holds(answer)
        if differs:
            first = (differs & -differs).bit_length() - 1
            states = [
                [name for name in names if pool.columns[name] >> (first + at) & 1]
                for at in range(pool.length)
            ]
            return lassos.reduced(states, pool.loop)
    return None


@lru_cache(maxsize=64)
def _pool(names: Sequence[str], length: int, loop: int, count: int) -> Pool:
    rng = Random(f"refute|{len(names)}|{length}|{loop}")
    bits = length * count
    # sparse, even and dense states: formulas speak of things that are rare or the rule
    columns = {}
    for name in names:
        even = rng.getrandbits(bits)
        sparse, dense = even & rng.getrandbits(bits), even | rng.getrandbits(bits)
        third = bits // 3
        low, middle = (1 << third) - 1, (1 << 2 * third) - 1
        columns[name] = sparse & low | even & (middle ^ low) | dense & ~middle
    return Pool(length, loop, columns, count)


def confirmed(gold: Formula, answer: Formula) -> Comparison:
    """Compare two valid formulas; the trace that tells them apart does so by the evaluator and by Spot.

    Raises:
        EngineError: as `compare`, or the two contradict each other on the trace.
    """
    comparison = compare(gold, answer)
    trace = comparison.trace
    if trace is None:
        return comparison
    ours = verdicts(gold, [trace]) + verdicts(answer, [trace])
    spots = [
        harness_guard.call(
            "harness_vltl.engines.spot:holds", formula, trace, seconds=SECONDS, memory_mb=MEMORY_MB
        )
        for formula in (gold, answer)
    ]
    if ours[0] is ours[1] or ours != spots:
        raise EngineError(f"engines contradict each other on a trace: {ours} and {spots}")
    return comparison


def renamed_to(gold: Sequence[str], answer: Formula) -> Mapping[str, str]:
    """Return the propositions of an answer that are gold ones but for case, hyphens and underscores.

    Where two gold ones differ in nothing else, both are told by their exact spelling alone.
    """
    known: dict[str, str] = {}
    alike = Counter(map(plain, gold))
    for name in gold:
        if alike[plain(name)] == 1:
            known[plain(name)] = name
    return {name: known[plain(name)] for name in propositions(answer) if plain(name) in known}


def plain(name: str) -> str:
    """Return a name as it is compared: published ones have hyphens, answers as read have none."""
    return name.lower().replace("-", "_")
