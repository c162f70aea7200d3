"""Equivalence of two formulas that are too large for Spot, by the equivalence of their parts.

Parts that hold on the same states of some traces are compared, the smallest first, with a proposition in place of
each part that both have: whatever is equivalent so is equivalent (the other direction does not hold). Of
equivalent parts one stands for all. Two formulas of which the same is left are equivalent.
"""

from __future__ import annotations

from typing import Any

from harness import Abstained
from harness_vltl.engines import spot
from harness_vltl.engines.evaluator import Frozen, freeze, thaw
from harness_vltl.formulas.formula import Formula, propositions, substitute
from harness_vltl.pool import Pool, pool_of

_PATIENCE = 40
"""Comparisons without success; then no more are made: each may take Spot a second."""


def difference(gold: Formula, answer: Formula) -> dict[str, Any] | None:
    """Return a trace on which exactly one of two valid formulas holds; None if they are equivalent.

    Raises:
        Abstained: Spot declines the formulas, and their parts do not show that they are equivalent.
        EngineError: as `spot.difference`.
    """
    try:
        return spot.difference(gold, answer)
    except Abstained:
        names = propositions(["&", gold, answer])
        numbered = {name: f"prop_{number}" for number, name in enumerate(names, 1)}
        parts = _Parts(pool_of(max(1, len(names))))
        one, other = (parts.reduced(freeze(substitute(f, numbered))) for f in (gold, answer))
        if one == other:
            return None
        raise


class _Parts:
    """The parts of two formulas, of equivalent ones the first."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.alike: dict[int, list[Frozen]] = {}  # by where they hold
        self.patience = _PATIENCE

    def reduced(self, formula: Frozen) -> Frozen:
        """Return the formula with the first of the equivalent ones in place of each part, and of itself."""
        if isinstance(formula, tuple):
            formula = (formula[0], *map(self.reduced, formula[1:]))
        alike = self.alike.setdefault(self.pool.values(formula), [])
        known = next((other for other in alike if self._equivalent(other, formula)), None)
        if known is None:
            alike.append(formula)
        return formula if known is None else known

    def _equivalent(self, left: Frozen, right: Frozen) -> bool:
        if left == right:
            return True
        shared = (_parts(left) & _parts(right)) - {left, right, True, False}
        names: dict[Frozen, str] = {}

        def abstract(formula: Frozen) -> Frozen:
            if formula in shared:
                return names.setdefault(formula, f"p{len(names)}")
            return (
                (formula[0], *map(abstract, formula[1:])) if isinstance(formula, tuple) else formula
            )

        return self._same(abstract(left), abstract(right)) or self._same(left, right)

    def _same(self, left: Frozen, right: Frozen) -> bool:
        if not self.patience:
            return False
        try:
            same = spot.difference(thaw(left), thaw(right)) is None
        except Abstained:
            same = False
        self.patience -= not same
        return same


def _parts(formula: Frozen) -> set[Frozen]:
    inner = map(_parts, formula[1:]) if isinstance(formula, tuple) else ()
    return {formula}.union(*inner)
