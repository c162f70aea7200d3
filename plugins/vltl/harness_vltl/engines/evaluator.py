"""The engine that makes labels: LTL on traces, all positions of all traces at once (`harness_logic.lassos`).

Traces without a loop end: formulas on them are of LTL on finite traces.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from harness_logic.lassos import Ended, Pool, columns

from harness_vltl.formulas.formula import Formula

Frozen = Any  # a formula with tuples in place of lists, so that it can be a key


def freeze(formula: Formula) -> Frozen:
    """Return the formula as nested tuples."""
    return tuple(map(freeze, formula)) if isinstance(formula, (list, tuple)) else formula


def thaw(formula: Frozen) -> Formula:
    """Return the formula as nested lists: the inverse of `freeze`."""
    return [thaw(part) for part in formula] if isinstance(formula, tuple) else formula


def pool_of(traces: Sequence[Mapping[str, Any]]) -> Pool:
    """Return the pool of traces that have the same number of states and the same loop, or none."""
    length, loop = len(traces[0]["states"]), traces[0].get("loop")
    states = [trace["states"] for trace in traces]
    if loop is None:  # an empty state follows
        return Ended(length + 1, length, columns(states, length + 1), len(traces))
    return Pool(length, loop, columns(states, length), len(traces))


def pools(traces: Iterable[Mapping[str, Any]]) -> list[tuple[Pool, list[int]]]:
    """Return traces as pools of one shape each, with the numbers of the traces in them."""
    shapes: dict[tuple[int, int | None], list[int]] = {}
    listed = list(traces)
    for number, trace in enumerate(listed):
        shapes.setdefault((len(trace["states"]), trace.get("loop")), []).append(number)
    return [(pool_of([listed[n] for n in numbers]), numbers) for numbers in shapes.values()]


def holds(formula: Formula, trace: Mapping[str, Any]) -> bool:
    """Tell whether a valid formula holds on a valid trace, from its first state on."""
    return bool(pool_of([trace]).holds(freeze(formula)))


def verdicts(formula: Formula, traces: Sequence[Mapping[str, Any]]) -> list[bool]:
    """Return whether a valid formula holds on each of some valid traces."""
    frozen = freeze(formula)
    holding = [False] * len(traces)
    for pool, numbers in pools(traces):
        value = pool.holds(frozen)
        for lane, number in enumerate(numbers):
            holding[number] = bool(value >> lane * pool.length & 1)
    return holding


def table(formula: Formula, trace: Mapping[str, Any]) -> list[tuple[Formula, list[bool]]]:
    """Return every distinct subformula with its value in each state, operands before operators."""
    pool, states = pool_of([trace]), range(len(trace["states"]))
    return [
        (part, [bool(pool.values(frozen) >> at & 1) for at in states])
        for frozen, part in _parts(formula).items()
    ]


def rows(formula: Formula, trace: Mapping[str, Any]) -> list[str]:
    """Return the values of all subformulas, operands first: a 0 or 1 per state."""
    return ["".join("01"[value] for value in line) for _, line in table(formula, trace)]


def parts(formula: Formula) -> list[Formula]:
    """Return the distinct subformulas, operands before operators, propositions included."""
    return list(_parts(formula).values())


def _parts(formula: Formula) -> dict[Frozen, Formula]:
    """Return the distinct subformulas by their frozen form, operands before operators."""
    by_frozen: dict[Frozen, Formula] = {}

    def visit(part: Formula) -> Frozen:
        frozen = (part[0], *map(visit, part[1:])) if isinstance(part, list) else freeze(part)
        by_frozen.setdefault(frozen, part)
        return frozen

    visit(formula)
    return by_frozen
