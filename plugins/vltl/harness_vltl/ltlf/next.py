"""The two next operators: X, strong, needs a next step; N, weak, does not."""

from __future__ import annotations

from random import Random

from harness_vltl.formulas.formula import Formula, operators

_OTHER = {"X": "N", "N": "X"}


def drawn(formula: Formula, rng: Random) -> Formula:
    """Return a formula of infinite traces as one of finite traces: each X stays strong or becomes weak."""
    if not isinstance(formula, list):
        return formula
    operator = rng.choice("XN") if formula[0] == "X" else formula[0]
    return [operator, *(drawn(part, rng) for part in formula[1:])]


def exchanged(formula: Formula) -> Formula:
    """Return the formula with weak and strong next exchanged throughout."""
    if not isinstance(formula, list):
        return formula
    return [_OTHER.get(formula[0], formula[0]), *map(exchanged, formula[1:])]


def occurs(formula: Formula) -> bool:
    """Tell whether a formula has one of the two."""
    return not operators(formula).isdisjoint(_OTHER)
