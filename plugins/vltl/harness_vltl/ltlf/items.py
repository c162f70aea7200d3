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

_PLAIN = 0.1  # of the formulas get no X or N beside those of their template
_TRIES = 12  # formulas drawn for one with twins whose end matters


def drawn(
    formula: Formula, skeleton: Skeleton, most: int, rng: Random
) -> tuple[Formula, twins.Pair] | None:
    """Return a formula with each X strong or weak, and twins for it; None if none were found, as of constants.

    ``most``: the states that the traces may have, 4 at the least.
    """
    plain = rng.random() < _PLAIN
    last = min(max(twins.EVEN, twins.smallest_change(skeleton)), len(twins.CHANGES) - 1)
    for number in range(_TRIES):
        planted = number >= _TRIES // 2 or not nexts.occurs(formula)
        variant = nexts.variant(formula, rng, planted and not plain)
        if not nexts.occurs(variant):
            break
        pair = twins.twins(variant, most, rng, twins.EVEN, at_end=True)
        if pair:
            return variant, pair
    # by the change that tells least; by others only if the template needs one
    pairs = (twins.twins(variant, most, rng, change) for change in range(last + 1))
    pair = next(filter(None, pairs), None)
    return (variant, pair) if pair else None


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
