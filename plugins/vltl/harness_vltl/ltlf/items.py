"""Items of task=verify semantics=ltlf: a formula of a template with X or N, and twins on which it is judged."""

from __future__ import annotations

from random import Random
from typing import Any

from harness import EngineError, digest
from harness_vltl.engines import finite_evaluator, finite_spot, truth
from harness_vltl.formulas.formula import Formula, text
from harness_vltl.ltlf import next as nexts
from harness_vltl.ltlf import twins
from harness_vltl.problem import LTLF
from harness_vltl.templates import Skeleton

_TRIES = 3  # formulas drawn for one whose twins tell weak and strong next apart


def drawn(
    formula: Formula, skeleton: Skeleton, most: int, rng: Random
) -> tuple[Formula, twins.Pair] | None:
    """Return a formula with each X strong or weak, and twins for it; None if none were found, as of constants.

    ``most``: the states that the traces may have, 4 at the least.
    """
    found = None
    for _ in range(_TRIES):
        variant = nexts.drawn(formula, rng)
        pair = _twins(variant, skeleton, most, rng)
        if pair:
            found = variant, pair
        if found and (not nexts.occurs(variant) or twins.told_apart(*found)):
            break
    return found


def _twins(formula: Formula, skeleton: Skeleton, most: int, rng: Random) -> twins.Pair | None:
    """Return twins of a formula, by the change that tells least; by others only if its template needs one."""
    last = min(max(twins.EVEN, twins.smallest_change(skeleton)), len(twins.CHANGES) - 1)
    pairs = (twins.twins(formula, most, rng, change) for change in range(last + 1))
    return next(filter(None, pairs), None)


def judged(
    formula: Formula, pair: twins.Pair, wanted: bool
) -> tuple[dict[str, Any], str, dict[str, Any], dict[str, Any]]:
    """Return problem, target, certificate and features of the satisfied or the violated one of twins.

    Raises:
        Abstained: the formula is too much for Spot.
        EngineError: Spot's verdict is the other one.
    """
    trace = pair[not wanted]
    if finite_spot.holds(formula, trace) is not wanted:
        raise EngineError(f"engines contradict each other on {text(formula)} and {trace}")
    problem = {"task": "verify", "formula": formula, "trace": trace, "semantics": LTLF}
    proof = {"values": finite_evaluator.rows(formula, trace)}
    features = {
        "states": len(trace["states"]),
        "semantics": LTLF,
        "twin": digest([formula, *pair])[:12],
    }
    return problem, truth(wanted), proof, features
