"""Formulas on the traces of a problem, whether these go on forever or end: what is valid, and what holds where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

from harness_vltl import lassos
from harness_vltl.engines import equivalence
from harness_vltl.engines.equivalence import Comparison
from harness_vltl.formulas.formula import Formula, validate
from harness_vltl.ltlf import traces
from harness_vltl.problem import is_finite


def check(problem: Mapping[str, Any]) -> None:
    """Refuse a problem whose formula is no formula or whose trace is no trace, of its semantics.

    Raises:
        HarnessError: one of the two is none.
    """
    finite = is_finite(problem)
    validate(problem["formula"], finite=finite)
    (traces if finite else lassos).validate(problem["trace"])


def holds(problem: Mapping[str, Any]) -> bool:
    """Tell whether the formula of a valid problem holds on its trace."""
    verdict: bool = _evaluator(problem).holds(problem["formula"], problem["trace"])
    return verdict


def verdicts(
    problem: Mapping[str, Any], formula: Formula, listed: Sequence[Mapping[str, Any]]
) -> list[bool]:
    """Return whether a valid formula holds on each of some valid traces of a problem's semantics."""
    found: list[bool] = _evaluator(problem).verdicts(formula, listed)
    return found


def compare(problem: Mapping[str, Any], gold: Formula, answer: Formula) -> Comparison:
    """Compare two valid formulas over all traces of a problem's semantics.

    Raises:
        EngineError: it cannot be decided, or engines contradict each other.
    """
    if is_finite(problem):
        from harness_vltl.engines import finite_equivalence

        return finite_equivalence.compare(gold, answer)
    return equivalence.compare(gold, answer)


def table(problem: Mapping[str, Any]) -> Sequence[tuple[Formula, list[bool]]]:
    """Return every distinct subformula with its value in each state, operands before operators."""
    lines: list[tuple[Formula, list[bool]]] = _evaluator(problem).table(
        problem["formula"], problem["trace"]
    )
    return lines


def rows(problem: Mapping[str, Any]) -> list[str]:
    """Return the values of all subformulas, operands first: a 0 or 1 per state."""
    return ["".join("01"[value] for value in line) for _, line in table(problem)]


def _evaluator(problem: Mapping[str, Any]) -> ModuleType:
    if is_finite(problem):
        from harness_vltl.engines import finite_evaluator

        return finite_evaluator
    from harness_vltl.engines import evaluator

    return evaluator
