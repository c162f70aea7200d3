"""Do two formulas mean the same on finite traces? Spot's automata and our own, which share no code, have to agree."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import harness_guard

from harness import Abstained, EngineError
from harness_vltl.engines import equivalence, evaluator, finite_automaton
from harness_vltl.engines.equivalence import Comparison
from harness_vltl.engines.evaluator import Frozen, freeze, thaw
from harness_vltl.formulas.formula import Formula


def compare(gold: Formula, answer: Formula) -> Comparison:
    """Compare two valid formulas over all finite traces, none of which is empty.

    Where one of the two engines gives up, the other one decides.

    Raises:
        EngineError: both give up, they contradict each other, or the evaluator sees no difference on their trace.
    """
    return _compare(freeze(gold), freeze(answer))


@lru_cache(maxsize=4096)
def _compare(gold: Frozen, answer: Frozen) -> Comparison:
    if gold == answer and repr(gold) == repr(answer):  # True == 1
        return Comparison(True)
    one, other = thaw(gold), thaw(answer)
    try:
        trace, certain = finite_automaton.difference(one, other), True
    except Abstained:
        trace, certain = None, False
    if trace is None:
        try:
            theirs = _by_spot(one, other)
        except EngineError:
            if not certain:
                raise
            theirs = None
        if theirs and certain:
            raise EngineError(f"engines contradict each other on finite traces: {theirs}")
        trace = theirs
    if trace and evaluator.holds(one, trace) is evaluator.holds(other, trace):
        raise EngineError(f"engines contradict each other on the finite trace {trace}")
    return Comparison(trace is None, trace)


def _by_spot(gold: Formula, answer: Formula) -> dict[str, Any] | None:
    trace: dict[str, Any] | None = harness_guard.call(
        "harness_vltl.engines.finite_spot:difference", gold, answer,
        seconds=equivalence.SECONDS, memory_mb=equivalence.MEMORY_MB,
    )  # fmt: skip
    return trace
