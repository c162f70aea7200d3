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

from harness import EngineError
from harness_vltl import lassos
from harness_vltl.engines.evaluator import Frozen, freeze, thaw, verdicts
from harness_vltl.formulas.formula import Formula, propositions

SECONDS = 10.0
MEMORY_MB = 1024
_SHAPES = ((7, 6, 150), (4, 0, 100), (6, 2, 100))


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether two formulas are equivalent, and if not, a trace on which exactly one of them holds."""

    equivalent: bool
    trace: dict[str, Any] | None = None


def compare(gold: Formula, answer: Formula) -> Comparison:
    """Compare two valid formulas over all infinite words.

    Raises:
        EngineError: they agree on all traces tried, and Spot could not decide them or their parts within its limits.
    """
    return _compare(freeze(gold), freeze(answer))


@lru_cache(maxsize=4096)
def _compare(gold: Frozen, answer: Frozen) -> Comparison:
    if gold == answer:
        return Comparison(True)
    trace = refuted(gold, answer)
    if trace is None:
        trace = harness_guard.call(
            "harness_vltl.engines.common_parts:difference", thaw(gold), thaw(answer),
            seconds=SECONDS, memory_mb=MEMORY_MB,
        )  # fmt: skip
    return Comparison(trace is None, trace)


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
