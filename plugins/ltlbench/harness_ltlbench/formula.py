"""LTL formulas as JSON data: an atom is an event number, everything else a list.

``["->", 1, ["G", ["F", 2]]]`` is "if event1 happens now, then event2 happens again and
again". This module holds the data type alone, shared by writers, readers and engines; no
engine takes more than the type and `validate` from here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from harness import HarnessError

Formula: TypeAlias = "int | list[Any]"

UNARY = ("X", "F", "G", "!")
BINARY = ("&", "|", "->", "U", "R", "W", "M")
TEMPORAL = ("X", "F", "G", "U", "R", "W", "M")

MAX_OPERATORS = 200
MAX_EVENTS = 1000


class FormulaError(HarnessError):
    """A value that is not a formula over the events at hand."""


def validate(formula: Any, events: int) -> int:
    """Check shape, operators, atoms and size, without recursion; return the number of operators.

    Raises:
        FormulaError: what is wrong.
    """
    todo, operators = [formula], 0
    while todo:
        node = todo.pop()
        if isinstance(node, int) and not isinstance(node, bool):
            if not 1 <= node <= events:
                raise FormulaError(f"formula names {_short(node)}, but there are {events} events")
            continue
        if not isinstance(node, list) or not node or not isinstance(node[0], str):
            raise FormulaError(f"formula has {_short(node)} where an event or [operator, …] is due")
        arity = 1 if node[0] in UNARY else 2 if node[0] in BINARY else 0
        if not arity:
            raise FormulaError(f"formula has the unknown operator {node[0][:10]!r}")
        if len(node) != arity + 1:
            raise FormulaError(f"operator {node[0]} takes {arity} operands, got {len(node) - 1}")
        operators += 1
        if operators > MAX_OPERATORS:
            raise FormulaError(f"formula has more than {MAX_OPERATORS} operators")
        todo.extend(node[1:])
    return operators


def _short(node: Any) -> str:
    """Name a value in a message: its text may be endless, or nested too deep to be made."""
    if isinstance(node, int) and not isinstance(node, bool):
        return f"event{node}" if abs(node) < 10**9 else "an enormous number"
    return repr(node[:40]) if isinstance(node, str) else f"a {type(node).__name__}"


def atoms(formula: Formula) -> list[int]:
    """Return the events a formula names, each once, in ascending order."""
    parts = [formula]
    for part in parts:
        if isinstance(part, list):
            parts += part[1:]
    return sorted({part for part in parts if isinstance(part, int)})


def walk(formula: Formula) -> Iterator[Formula]:
    """Yield every subformula occurrence, parents before children, without recursion."""
    todo: list[Formula] = [formula]
    while todo:
        node = todo.pop()
        yield node
        if isinstance(node, list):
            todo.extend(reversed(node[1:]))


def statements(formula: Formula) -> Iterator[Formula]:
    """Yield what the statements C1, C2, … of a prompt say, in their order.

    Each operator is one, after its operands; a formula that is a single event is one, too.
    """
    if isinstance(formula, list):
        for part in formula[1:]:
            if isinstance(part, list):
                yield from statements(part)
    yield formula


def depth(formula: Formula) -> int:
    """Return the nesting depth: 0 for an atom."""
    return 1 + max(map(depth, formula[1:])) if isinstance(formula, list) else 0


def text(formula: Formula) -> str:
    """Return the fully parenthesised text of the published data: ``(event1 -> (G (F event2)))``."""
    if isinstance(formula, int):
        return f"event{formula}"
    if len(formula) == 2:
        return f"({formula[0]} {text(formula[1])})"
    return f"({text(formula[1])} {formula[0]} {text(formula[2])})"


def answer(task: str, violation: Mapping[str, Sequence[int]] | None) -> str:
    """Return the right answer of a problem, by a path that violates its formula, or None if there is none."""
    if violation is None:
        return "True"
    return f"False: {path_text(violation)}" if task == "counterexample" else "False"


def path_text(lasso: Mapping[str, Sequence[int]]) -> str:
    """Return a lasso as prompts ask for it: ``event3, event1, (event2, event1)``."""
    cycle = ", ".join(f"event{event}" for event in lasso["cycle"])
    return ", ".join([*(f"event{event}" for event in lasso["prefix"]), f"({cycle})"])
