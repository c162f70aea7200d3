"""The value of formulas on finite traces, under each of four semantics.

A small evaluator of its own: it works backwards along the states and shares no code with the engines.
"""

from __future__ import annotations

from collections.abc import Sequence

from harness_vltl.formulas.expansion import LAWS
from harness_vltl.formulas.formula import Formula

SEMANTICS = ("last state repeats", "weak next", "strong next", "empty afterwards")
"""The last state goes on forever; nothing follows, and X is true or false there; or empty states follow forever."""

# With what the whole is taken to be after the last state: what still has to come has not come.
_AFTER_THE_END = {"F": False, "G": True, "U": False, "M": False, "W": True, "R": True}


def holds(formula: Formula, states: Sequence[Sequence[str]], semantics: str) -> bool:
    """Tell whether a valid formula holds on a finite trace, at its first state.

    Args:
        formula: a JSON value as in CONTRACT.md.
        states: the propositions true in each state; at least one state.
        semantics: one of `SEMANTICS`. An operator that looks ahead sees, after the last state, the same
            state or an empty one again and again, or nothing (finite LTL, where G and F end with the trace).
    """
    listed = [*states, ()] if semantics == "empty afterwards" else list(states)
    return _values(formula, listed, semantics)[0]


def _values(formula: Formula, states: Sequence[Sequence[str]], semantics: str) -> list[bool]:
    if isinstance(formula, bool):
        return [formula] * len(states)
    if isinstance(formula, str):
        return [formula in state for state in states]
    operator = formula[0]
    parts = [_values(part, states, semantics) for part in formula[1:]]
    first, second = parts[0], parts[-1]
    if operator == "X":
        end = {"weak next": True, "strong next": False}.get(semantics, first[-1])
        return [*first[1:], end]
    # In a state that repeats forever each of these is what it is where the trace ends after it.
    value = _AFTER_THE_END.get(operator, False)
    backwards = []
    for a, b in zip(reversed(first), reversed(second), strict=True):
        value = LAWS[operator](a, b, value)
        backwards.append(value)
    return backwards[::-1]
