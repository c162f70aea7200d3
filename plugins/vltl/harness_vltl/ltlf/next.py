"""The two next operators: X, strong, needs a next step; N, weak, does not. At the last step alone they differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from harness_vltl.engines import evaluator
from harness_vltl.formulas.formula import Formula, operators, size
from harness_vltl.lassos import make

_OTHER = {"X": "N", "N": "X"}


def drawn(formula: Formula, rng: Random) -> Formula:
    """Return a formula of infinite traces as one of finite traces: each X stays strong or becomes weak."""
    if not isinstance(formula, list):
        return formula
    operator = rng.choice("XN") if formula[0] == "X" else formula[0]
    return [operator, *(drawn(part, rng) for part in formula[1:])]


def variant(formula: Formula, rng: Random, plant: bool) -> Formula:
    """Return a formula of infinite traces as one of finite traces, if wanted with one more X or N in it."""
    strong_or_weak = drawn(formula, rng)
    return _planted(strong_or_weak, rng) if plant else strong_or_weak


def _planted(formula: Formula, rng: Random) -> Formula:
    """Return a formula with X or N before one of its operators or propositions, but not before the whole."""
    part, path = formula, list[int]()
    while isinstance(part, list) and (not path or rng.random() < size(part) / (size(part) + 1)):
        path.append(rng.randrange(1, len(part)))
        part = part[path[-1]]
    return _replaced(formula, path, [rng.choice("XN"), part])


def _replaced(formula: Formula, path: Sequence[int], part: Formula) -> Formula:
    if not path:
        return part
    at, *rest = path
    return [*formula[:at], _replaced(formula[at], rest, part), *formula[at + 1 :]]


def exchanged(formula: Formula) -> Formula:
    """Return the formula with weak and strong next exchanged throughout."""
    if not isinstance(formula, list):
        return formula
    return [_OTHER.get(formula[0], formula[0]), *map(exchanged, formula[1:])]


def occurs(formula: Formula) -> bool:
    """Tell whether a formula has one of the two."""
    return not operators(formula).isdisjoint(_OTHER)


def repeating(formula: Formula, traces: Sequence[Mapping[str, Any]]) -> list[bool]:
    """Return the verdicts of somebody who takes it that the last state of finite traces repeats forever."""
    endless = [make(trace["states"]) for trace in traces]
    return evaluator.verdicts(unended(formula), endless)


def unended(formula: Formula) -> Formula:
    """Return a formula of finite traces as one of infinite ones, which have one next."""
    if not isinstance(formula, list):
        return formula
    return ["X" if formula[0] == "N" else formula[0], *map(unended, formula[1:])]
