"""What depends on whether the traces of a problem go on forever or end: what is valid, and what is equivalent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness_vltl import lassos
from harness_vltl.engines import equivalence, finite_equivalence
from harness_vltl.engines.equivalence import Comparison
from harness_vltl.formulas.formula import Formula, validate
from harness_vltl.problem import is_finite


def check(problem: Mapping[str, Any]) -> None:
    """Refuse a problem whose formula is no formula or whose trace is no trace, of its semantics.

    Raises:
        HarnessError: one of the two is none.
    """
    finite = is_finite(problem)
    validate(problem["formula"], finite=finite)
    lassos.validate(problem["trace"], finite=finite)


def compare(problem: Mapping[str, Any], gold: Formula, answer: Formula) -> Comparison:
    """Compare two valid formulas over all traces of a problem's semantics.

    Raises:
        EngineError: it cannot be decided, or engines contradict each other.
    """
    if is_finite(problem):
        return finite_equivalence.compare(gold, answer)
    return equivalence.compare(gold, answer)
