"""pyModelChecking's LTL model checker (`harness_logic.model_checking`) as an engine on traces.

A trace is a Kripke structure with one path, so that "on all paths" and "on some path" are the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness_logic.model_checking import MAX_OPERATORS, combined, library, satisfying

from harness import Abstained, HarnessError
from harness_vltl.formulas.formula import Formula, propositions, validate


def holds(formula: Formula, trace: Mapping[str, Any]) -> bool:
    """Return whether a trace (CONTRACT.md) satisfies a formula.

    Raises:
        Abstained: more than `MAX_OPERATORS` operators, a trace that ends, or a tableau beyond `MAX_WORK`.
        FormulaError: not a formula.
        HarnessError: not a trace.
    """
    if "loop" not in trace:
        raise Abstained(
            "pymodelchecking: judges infinite traces, and no finite ones (semantics=ltlf)"
        )
    validate(formula)
    operators = _operators(formula)
    if operators > MAX_OPERATORS:
        raise Abstained(f"pymc: {operators:.3g} operators are more than {MAX_OPERATORS}")
    ltl = library().LTL
    # the library compares formulas as text, so names must not look like formulas
    inner = {name: f"p{i}" for i, name in enumerate(propositions(formula))}
    violation = ltl.Not(_build(formula, inner, ltl)).get_equivalent_restricted_formula()
    return 0 not in satisfying(_kripke(trace, inner), violation)


def _operators(formula: Formula) -> int:
    """Return the number of operators that `_build` makes: what stands twice is counted twice."""
    if not isinstance(formula, list):
        return 0
    operator, *parts = formula
    counts = [_operators(part) for part in parts]
    if operator == "<->":
        return 3 + 2 * sum(counts)
    return 1 + sum(counts) + (1 + counts[1 if operator == "W" else 0] if operator in "WM" else 0)


def _build(formula: Formula, inner: Mapping[str, str], ltl: Any) -> Any:
    """Return the library's formula object."""
    if isinstance(formula, bool):
        return ltl.Bool(True) if formula else ltl.Not(ltl.Bool(True))
    if isinstance(formula, str):
        return ltl.AtomicProposition(inner[formula])
    return combined(formula[0], [_build(part, inner, ltl) for part in formula[1:]])


def _kripke(trace: Mapping[str, Any], inner: Mapping[str, str]) -> Any:
    states, loop = trace["states"], trace["loop"]
    if not (type(loop) is int and 0 <= loop < len(states)):
        raise HarnessError(f"a trace of {len(states)} states cannot go back to {loop!r:.20}")
    proposition = library().LTL.AtomicProposition
    labels = {
        i: {proposition(inner[name]) for name in state if name in inner}
        for i, state in enumerate(states)
    }
    edges = [(i, i + 1) for i in range(len(states) - 1)] + [(len(states) - 1, loop)]
    return library().kripke.Kripke(S=list(labels), R=edges, L=labels)
