"""Do two causes mean the same? Exact, by a SAT solver; bounded in size and conflicts, never by the clock.

A *cause* here is a list of formulas that all hold: nested tuples in negation normal form as
`constraint.parse` makes them, with variables of any kind in the place of names: pairs (step, name)
where several steps are involved. The *true* cause is a list of clauses, sets of (step, name, value)
that agree on every value (no variable occurs with both) and of which none contains another: they
are then all of its prime implicates, and a clause is implied iff it contains one of them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from pysat.solvers import Solver

from harness import Abstained

Formula: TypeAlias = "tuple[Any, ...]"
"""``("literal", variable, value)``, ``("and", *parts)``, ``("or", *parts)``, ``("true",)``, ``("false",)``."""

Literal: TypeAlias = "tuple[int, str, bool]"
Clause: TypeAlias = "frozenset[Literal]"

MAX_NODES = 40_000
"""The most nodes of all stated formulas together."""

MAX_DEPTH = 200
MAX_CONFLICTS = 5_000
"""Conflicts of the SAT solver in one direction of one comparison."""

MAX_FOUND = 20
"""Differences of a kind after which the search for more ends."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a stated cause is not the true one; empty where they mean the same.

    Attributes:
        missing: true clauses that the stated cause does not imply, at most `MAX_FOUND`.
        superfluous: stated formulas that the true cause does not imply, at most `MAX_FOUND`, each
            with values of its variables (those not listed do not matter) under which it fails and
            the true cause holds.
    """

    missing: tuple[Clause, ...] = ()
    superfluous: tuple[tuple[Formula, Mapping[Hashable, bool]], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.missing or self.superfluous)


def difference(gold: Sequence[Clause], stated: Iterable[Formula]) -> Difference:
    """Return how a stated cause differs from the true one, as Boolean functions.

    Args:
        gold: the true clauses; unate and without redundancy (see above).
        stated: formulas over variables (step, name); their conjunction is the stated cause.

    Raises:
        Abstained: a formula beyond the bounds, or an equivalence too hard to decide within them.
    """
    parts = [part for formula in stated for part in conjuncts(formula)]
    check_size(parts)
    parts = list(dict.fromkeys(parts))
    clauses = [as_clause(part) for part in parts]
    true = set(gold)
    missing: tuple[Clause, ...] = ()
    settled = True
    rest = [part for part, clause in zip(parts, clauses, strict=True) if clause not in true]
    superfluous, decided = _superfluous(gold, rest) if rest else ((), True)
    said = {clause for clause in clauses if clause is not None}
    if wanted := [clause for clause in gold if clause not in said]:
        missing, settled = _missing(wanted, parts)
    found = Difference(missing, superfluous)
    if not found and not (settled and decided):
        raise Abstained(
            f"whether the causes are equivalent takes more than {MAX_CONFLICTS:,} conflicts"
        )
    return found


def equivalent(gold: Sequence[Clause], stated: Iterable[Formula]) -> bool:
    """Tell whether a stated cause means the true one; arguments and errors as for `difference`."""
    return not difference(gold, stated)


def sited(step: int, formula: Formula) -> Formula:
    """Return a formula of one step with variables (step, name) in the place of names.

    Raises:
        Abstained: it is beyond the bounds.
    """
    check_size([formula])
    return _sited(step, formula)


def as_clause(formula: Formula) -> Clause | None:
    """Return a formula over (step, name) that is a literal or a disjunction of some; None for others.

    A clause with a literal and its opposite is none: it says nothing.
    """
    literals = []
    stack = [formula]
    while stack:
        part = stack.pop()
        if part[0] == "literal":
            literals.append((*part[1], part[2]))
        elif part[0] == "or":
            stack.extend(part[1:])
        elif part[0] != "false":
            return None
    clause = frozenset(literals)
    return None if len({literal[:2] for literal in clause}) < len(clause) else clause


def disjunction(clause: Iterable[Literal]) -> Formula:
    """Return a clause as a formula over (step, name); an empty one is false."""
    return ("or", *(("literal", (step, name), value) for step, name, value in sorted(clause)))


def conjuncts(formula: Formula) -> Iterator[Formula]:
    """Yield the formulas whose conjunction a formula is, from left to right; none if it is ``("true",)``.

    Raises:
        Abstained: too many to look at.
    """
    stack, seen = [formula], 0
    while stack:
        part = stack.pop()
        seen += 1
        if seen > MAX_NODES:
            raise _too_large()
        if part[0] == "and":
            stack.extend(reversed(part[1:]))
        elif part[0] != "true":
            yield part


def literals(formula: Formula) -> set[tuple[Any, bool]]:
    """Return the (variable, value) of every literal that occurs in a formula.

    Raises:
        Abstained: the formula is beyond the bounds.
    """
    return {(part[1], part[2]) for part in nodes([formula]) if part[0] == "literal"}


def check_size(formulas: Iterable[Formula]) -> None:
    """Check the size of formulas together and the depth of each.

    Raises:
        Abstained: one of them is beyond the bounds.
    """
    for _ in nodes(formulas):
        pass


def nodes(formulas: Iterable[Formula]) -> Iterator[Formula]:
    """Yield the formulas and all their parts.

    Raises:
        Abstained: too many, or too deep.
    """
    stack = [(formula, 0) for formula in formulas]
    seen = 0
    while stack:
        part, depth = stack.pop()
        seen += 1
        if seen + len(stack) > MAX_NODES or depth > MAX_DEPTH:
            raise _too_large()
        if part[0] in ("and", "or"):
            stack.extend((one, depth + 1) for one in part[1:])
        yield part


def _too_large() -> Abstained:
    return Abstained(
        f"the stated constraints have more than {MAX_NODES:,} parts or {MAX_DEPTH} levels"
    )


def _sited(step: int, formula: Formula) -> Formula:
    if formula[0] == "literal":
        return ("literal", (step, formula[1]), formula[2])
    return (formula[0], *(_sited(step, part) for part in formula[1:]))


def _opposite(formula: Formula) -> Formula:
    """Return the negation, in negation normal form again."""
    kind = formula[0]
    if kind == "literal":
        return ("literal", formula[1], not formula[2])
    swapped = {"and": "or", "or": "and", "true": "false", "false": "true"}[kind]
    return (swapped, *map(_opposite, formula[1:]))


# ---------------------------------------------------------------------------- the two directions


def _superfluous(
    gold: Sequence[Clause], parts: Sequence[Formula]
) -> tuple[tuple[tuple[Formula, Mapping[Hashable, bool]], ...], bool]:
    """Return the parts that the true cause does not imply, and whether all others were decided."""
    found, decided = [], True
    with _Clauses() as clauses:
        for clause in gold:
            clauses.add([clauses.variable((step, name), value) for step, name, value in clause])
        for part in parts:
            holds = clauses.satisfiable([clauses.implying(_opposite(part))])
            if holds is None:
                decided = False
            elif holds:
                known = {variable for variable, _ in literals(part)}
                found.append((part, clauses.model(known)))
                if len(found) == MAX_FOUND:
                    break
    return tuple(found), decided


def _missing(gold: Sequence[Clause], parts: Sequence[Formula]) -> tuple[tuple[Clause, ...], bool]:
    """Return the true clauses that the parts do not imply, and whether all others were decided."""
    found, decided = [], True
    with _Clauses() as clauses:
        for part in parts:
            clauses.add([clauses.implying(part)])
        for clause in gold:
            against = [
                clauses.variable((step, name), not value) for step, name, value in sorted(clause)
            ]
            holds = clauses.satisfiable(against)
            if holds is None:
                decided = False
            elif holds:
                found.append(clause)
                if len(found) == MAX_FOUND:
                    break
    return tuple(found), decided


class _Clauses:
    """A SAT solver over variables of any kind, with formulas in clausal form."""

    def __init__(self) -> None:
        self._solver = Solver(name="minisat22")
        self._solver.conf_budget(MAX_CONFLICTS)
        self._numbers: dict[Hashable, int] = {}
        self._last = 0

    def __enter__(self) -> _Clauses:
        return self

    def __exit__(self, *_: object) -> None:
        self._solver.delete()

    def add(self, clause: Sequence[int]) -> None:
        """Add a clause; an empty one makes everything unsatisfiable."""
        if clause:
            self._solver.add_clause(list(clause))
        else:
            self._solver.append_formula([[self._fresh()], [-self._last]])

    def variable(self, key: Hashable, value: bool) -> int:
        """Return the number of a literal."""
        if key not in self._numbers:
            self._numbers[key] = self._fresh()
        return self._numbers[key] if value else -self._numbers[key]

    def implying(self, formula: Formula) -> int:
        """Return a literal that implies a formula, and is free to be true where that holds."""
        kind, *parts = formula
        if kind == "literal":
            return self.variable(*parts)
        own = self._fresh()
        below = [self.implying(part) for part in parts]
        if kind in ("or", "false"):
            self.add([-own, *below])
        for one in below if kind == "and" else ():
            self.add([-own, one])
        return own

    def satisfiable(self, assumed: Sequence[int]) -> bool | None:
        """Tell whether all that was added holds under assumptions somewhere; None beyond the bound."""
        answer: bool | None = self._solver.solve_limited(assumptions=list(assumed))
        return answer

    def model(self, keys: Iterable[Hashable]) -> dict[Hashable, bool]:
        """Return the values of variables in what was found satisfiable last."""
        numbers = self._solver.get_model()
        return {
            key: numbers[number - 1] > 0
            for key in keys
            if (number := self._numbers.get(key, 0)) and number <= len(numbers)
        }

    def _fresh(self) -> int:
        self._last += 1
        return self._last
