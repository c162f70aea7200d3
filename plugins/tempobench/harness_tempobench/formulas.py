"""Stated constraints as formulas over (step, name): parts, literals, clauses; all bounded in size.

A formula is nested tuples in negation normal form as `constraint.parse` makes them, with
variables (step, name) in the place of names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeAlias

from harness import Abstained
from harness_tempobench.constraint import Formula

Variable: TypeAlias = "tuple[int, str]"
Literal: TypeAlias = "tuple[int, str, bool]"
Clause: TypeAlias = "frozenset[Literal]"

MAX_NODES = 150_000
"""The most nodes of all stated formulas together; of literals a readable answer has fewer by far."""

MAX_DEPTH = 200


class TooLargeError(Abstained):
    """Stated formulas that are too large to be looked at."""

    def __init__(self) -> None:
        """Say so; the numbers are those of the bounds."""
        super().__init__(
            f"the stated constraints have more than {MAX_NODES:,} parts or {MAX_DEPTH} levels"
        )


class Part:
    """One of the formulas whose conjunction a stated cause is.

    Attributes:
        formula: over variables (step, name).
        step: the step that it is of; None if it is of several.
        literals: all that occur in it.
        clause: these, if it is a literal or a disjunction of some that is no tautology; else None.
        idle: whether it is plainly a tautology: an "or" with both literals of a variable.
    """

    __slots__ = ("clause", "formula", "idle", "literals", "step", "variables")

    clause: Clause | None
    literals: Clause

    def __init__(self, formula: Formula, step: int | None = None) -> None:
        """Read a formula; its step can be given, since it may have no literals."""
        if formula[0] == "literal":  # as most are
            self.formula, self.idle, self.variables = formula, False, {formula[1]}
            self.literals = self.clause = frozenset(((*formula[1], formula[2]),))
            self.step = formula[1][0] if step is None else step
            return
        choices = list(_joined(formula, "or", "false"))
        literals = frozenset((*part[1], part[2]) for part in choices if part[0] == "literal")
        rest = [part for part in choices if part[0] != "literal"]
        self.formula = formula
        self.idle = ("true",) in rest or len(_variables(literals)) < len(literals)
        self.clause = None if rest or self.idle else literals
        if rest:
            parts = (part for part in nodes([formula]) if part[0] == "literal")
            literals = frozenset((*part[1], part[2]) for part in parts)
        self.literals = literals
        self.variables = _variables(self.literals)
        steps = {at for at, _ in self.variables} if step is None else {step}
        self.step = steps.pop() if len(steps) == 1 else None


def disjunction(clause: Iterable[Literal]) -> Formula:
    """Return a clause as a formula over (step, name); an empty one is false."""
    return ("or", *(("literal", (step, name), value) for step, name, value in sorted(clause)))


def conjuncts(formulas: Iterable[tuple[int | None, Formula]]) -> list[Part]:
    """Split formulas at "and" into the parts of their conjunction, each once; ``("true",)`` has none.

    ``formulas``: of a size that has been checked, with the step if they are of one.
    """
    pairs = ((step, part) for step, formula in formulas for part in _joined(formula, "and", "true"))
    return [Part(part, step) for step, part in dict.fromkeys(pairs)]


def at_step(step: int, formula: Formula) -> Formula:
    """Return a formula with variables (step, name) in the place of names; its size has been checked."""
    if formula[0] == "literal":
        return ("literal", (step, formula[1]), formula[2])
    return (formula[0], *[at_step(step, part) for part in formula[1:]])


def check_size(formulas: Iterable[Formula]) -> None:
    """Check the size of formulas together and the depth of each.

    Raises `TooLargeError`: one of them is beyond the bounds.
    """
    for _ in nodes(formulas):
        pass


def nodes(formulas: Iterable[Formula]) -> Iterator[Formula]:
    """Yield the formulas and all their parts, level by level.

    Raises `TooLargeError`: too many, or too deep.
    """
    level, seen = list(formulas), 0
    for _ in range(MAX_DEPTH + 1):
        seen += len(level)
        if seen > MAX_NODES:
            break
        yield from level
        below = (child for part in level if part[0] in ("and", "or") for child in part[1:])
        level = list(islice(below, MAX_NODES + 1))
        if not level:
            return
    raise TooLargeError()


def _variables(clause: Clause) -> set[Variable]:
    return {literal[:2] for literal in clause}


def _joined(formula: Formula, kind: str, empty: str) -> Iterator[Formula]:
    """Yield the parts that a formula joins by "and" or "or", in order, without neutral constants."""
    stack = [formula]
    while stack:
        part = stack.pop()
        if part[0] == kind:
            stack.extend(reversed(part[1:]))
        elif part[0] != empty:
            yield part
