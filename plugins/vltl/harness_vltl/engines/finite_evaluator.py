"""The engine that makes labels of finite traces: backwards along the states, for all traces of a length at once.

What has still to come after the last step never comes: there F, U, M and X are false, and G, W, R and N true.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from harness_vltl.engines.evaluator import parts
from harness_vltl.formulas.formula import Formula

Column = list[int]
"""A number for each step, with a bit for each trace."""


def holds(formula: Formula, trace: Mapping[str, Any]) -> bool:
    """Tell whether a valid formula holds on a valid finite trace, from its first state on."""
    return verdicts(formula, [trace])[0]


def verdicts(formula: Formula, traces: Sequence[Mapping[str, Any]]) -> list[bool]:
    """Return whether a valid formula holds on each of some valid finite traces."""
    lengths: dict[int, list[int]] = {}
    for number, trace in enumerate(traces):
        lengths.setdefault(len(trace["states"]), []).append(number)
    holding = [False] * len(traces)
    for numbers in lengths.values():
        first = _columns(formula, [traces[number] for number in numbers])[repr(formula)][0]
        for lane, number in enumerate(numbers):
            holding[number] = bool(first >> lane & 1)
    return holding


def table(formula: Formula, trace: Mapping[str, Any]) -> list[tuple[Formula, list[bool]]]:
    """Return every distinct subformula with its value in each state, operands before operators."""
    columns = _columns(formula, [trace])
    return [(part, list(map(bool, columns[repr(part)]))) for part in parts(formula)]


def rows(formula: Formula, trace: Mapping[str, Any]) -> list[str]:
    """Return the values of all subformulas, operands first: a 0 or 1 per state."""
    return ["".join("01"[value] for value in line) for _, line in table(formula, trace)]


def _columns(formula: Formula, traces: Sequence[Mapping[str, Any]]) -> dict[str, Column]:
    """Return the column of each subformula by how it is written."""
    every, length = (1 << len(traces)) - 1, len(traces[0]["states"])
    columns: dict[str, Column] = {}
    for part in parts(formula):
        if isinstance(part, bool):
            column = [every * part] * length
        elif isinstance(part, str):
            column = [_true(part, traces, step) for step in range(length)]
        else:
            column = _operator(part[0], [columns[repr(operand)] for operand in part[1:]], every)
        columns[repr(part)] = column
    return columns


def _true(name: str, traces: Sequence[Mapping[str, Any]], step: int) -> int:
    return sum(1 << lane for lane, trace in enumerate(traces) if name in trace["states"][step])


def _operator(operator: str, operands: Sequence[Column], every: int) -> Column:
    first, second = operands[0], operands[-1]
    if operator in "XN":
        return [*first[1:], every if operator == "N" else 0]
    rule = _RULES[operator]
    later = every if operator in "GWR" else 0
    column = []
    for a, b in zip(reversed(first), reversed(second), strict=True):
        later = rule(a, b, later) & every
        column.append(later)
    return column[::-1]


_RULES: dict[str, Callable[[int, int, int], int]] = {
    "!": lambda a, b, later: ~a,
    "&": lambda a, b, later: a & b,
    "|": lambda a, b, later: a | b,
    "->": lambda a, b, later: ~a | b,
    "<->": lambda a, b, later: ~(a ^ b),
    "F": lambda a, b, later: a | later,
    "G": lambda a, b, later: a & later,
    "U": lambda a, b, later: b | a & later,
    "W": lambda a, b, later: b | a & later,
    "R": lambda a, b, later: b & (a | later),
    "M": lambda a, b, later: b & (a | later),
}
