"""LTL formulas as JSON values (CONTRACT.md): the one data type that all engines share.

A proposition is a string, a constant a boolean, everything else a list of an operator and its operands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from harness import HarnessError

Formula = Any  # str | bool | list: mypy cannot say a recursive JSON type without casts everywhere

ARITY = {"!": 1, "X": 1, "F": 1, "G": 1}
ARITY |= dict.fromkeys(("&", "|", "->", "<->", "U", "R", "W", "M"), 2)
UNARY = tuple(operator for operator, arity in ARITY.items() if arity == 1)
BINARY = tuple(operator for operator, arity in ARITY.items() if arity == 2)
FINITE_ARITY = {**ARITY, "N": 1}
"""Operators on finite traces: N is the weak next, true at the last step, where X, the strong one, is false."""

MAX_NODES = 400
MAX_DEPTH = 60
MAX_PROPOSITIONS = 40
_NAME = r"[A-Za-z_][A-Za-z0-9_-]{0,99}"
PROPOSITION = re.compile(rf"{_NAME}(?:\({_NAME}(?:,{_NAME}){{0,5}}\))?")


class FormulaError(HarnessError):
    """Text or JSON that is no formula, or one beyond the bounds of this module."""


def walk(formula: Formula) -> Iterator[Formula]:
    """Yield the formula and all its parts, each before its operands, from left to right."""
    todo = [formula]
    while todo:
        part = todo.pop()
        yield part
        if isinstance(part, list):
            todo.extend(reversed(part[1:]))


def validate(formula: Any, *, finite: bool = False) -> None:
    """Refuse what is no formula, without recursion; ``finite``: of LTL on finite traces, which has N.

    Raises:
        FormulaError: an unknown operator, a wrong number of operands, no proposition's name, or
            more than `MAX_NODES` parts, `MAX_DEPTH` levels, `MAX_PROPOSITIONS` propositions.
    """
    names: set[str] = set()
    todo = [(formula, 1)]
    nodes = 0
    while todo:
        part, depth = todo.pop()
        nodes += 1
        if nodes > MAX_NODES:
            raise FormulaError(f"the formula has more than {MAX_NODES} parts")
        if depth > MAX_DEPTH:
            raise FormulaError(f"the formula is nested more than {MAX_DEPTH} levels deep")
        if isinstance(part, list):
            _check_operator(part, FINITE_ARITY if finite else ARITY)
            todo.extend((operand, depth + 1) for operand in part[1:])
        elif isinstance(part, str):
            if not PROPOSITION.fullmatch(part):
                raise FormulaError(f"{part[:60]!r} is no name of a proposition")
            names.add(part)
        elif not isinstance(part, bool):
            raise FormulaError(f"{type(part).__name__} in a formula")
    if len(names) > MAX_PROPOSITIONS:
        raise FormulaError(f"the formula has more than {MAX_PROPOSITIONS} propositions")


def _check_operator(part: list[Any], arity: Mapping[str, int]) -> None:
    if not part or not isinstance(part[0], str) or part[0] not in arity:
        raise FormulaError(f"{str(part[:1])[:40]} is no operator")
    if len(part) != 1 + arity[part[0]]:
        raise FormulaError(f"'{part[0]}' has {len(part) - 1} operands, not {arity[part[0]]}")


def propositions(formula: Formula) -> list[str]:
    """Return the distinct propositions in the order in which they first appear."""
    return list(dict.fromkeys(part for part in walk(formula) if isinstance(part, str)))


def substitute(formula: Formula, by: Mapping[str, Formula]) -> Formula:
    """Return the formula with propositions replaced by formulas; those not named stay."""
    if isinstance(formula, str):
        return by.get(formula, formula)
    if isinstance(formula, bool):
        return formula
    return [formula[0], *(substitute(part, by) for part in formula[1:])]


def exchanged(formula: Formula, by: Mapping[str, str]) -> Formula:
    """Return the formula with operators replaced by others of as many operands; those not named stay."""
    if not isinstance(formula, list):
        return formula
    return [by.get(formula[0], formula[0]), *(exchanged(part, by) for part in formula[1:])]


def operators(formula: Formula) -> set[str]:
    """Return the operators that occur."""
    return {part[0] for part in walk(formula) if isinstance(part, list)}


def size(formula: Formula) -> int:
    """Return the number of operators."""
    return sum(isinstance(part, list) for part in walk(formula))


def temporal(formula: Formula) -> int:
    """Return the number of temporal operators."""
    return sum(isinstance(part, list) and part[0] in "XNFGURWM" for part in walk(formula))


def nesting(formula: Formula) -> int:
    """Return how deep temporal operators are nested."""
    if not isinstance(formula, list):
        return 0
    return (formula[0] in "XNFGURWM") + max(nesting(part) for part in formula[1:])


def text(formula: Formula) -> str:
    """Return the formula in letters, the notation of every label.

    A binary operand of an operator stands in parentheses, but for the left one in a chain of ``&`` or of ``|``.
    """
    if isinstance(formula, bool):
        return "true" if formula else "false"
    if isinstance(formula, str):
        return formula
    operator, *parts = formula
    if len(parts) == 1:
        return f"{operator}{'' if operator == '!' else ' '}{_operand(parts[0])}"
    left = _operand(parts[0], operator if operator in "&|" else "")
    return f"{left} {operator} {_operand(parts[1])}"


def _operand(part: Formula, chain: str = "") -> str:
    bare = not isinstance(part, list) or len(part) == 2 or part[0] == chain
    return text(part) if bare else f"({text(part)})"


def binary(operator: str, left: Formula, right: Formula) -> Formula:
    """Return two formulas joined by an operator, those that the JSON of formulas has not included."""
    if operator in ("xor", "!="):
        return ["!", ["<->", left, right]]
    if operator == "~>":
        return ["G", ["->", left, ["F", right]]]
    if operator == "|=>":
        return ["->", left, ["X", right]]
    return [operator, left, right]
