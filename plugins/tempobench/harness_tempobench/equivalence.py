"""Tell whether two causes mean the same, by a SAT solver.

A *cause* here is a list of formulas that all hold, see `formulas`. The *true* cause is a list of
clauses, non-empty sets of (step, name, value) that agree on every value (no variable occurs with
both) and of which none contains another.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeAlias

from pysat.solvers import Solver

from harness import Abstained
from harness_tempobench.constraint import Formula
from harness_tempobench.formulas import Clause, Part, Variable, disjunction

Trace: TypeAlias = "Mapping[Variable, bool]"

MAX_CONFLICTS = 5_000
"""Conflicts of the SAT solver in a search for one difference, and in all for what is missing."""

MAX_VARIABLES = 12
"""The most propositions of one step, and of one formula over several steps."""

MAX_FOUND = 20
"""Differences of a kind after which the search for more ends."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a stated cause is not the true one; empty where they mean the same.

    Attributes:
        missing: true clauses that the stated cause does not imply, at most `MAX_FOUND`; what is too
            hard to decide is left out if there is another difference.
        superfluous: stated formulas that the true cause does not imply, at most `MAX_FOUND`, each
            with values of its variables under which it fails, and the true cause holds if all
            others are as in the trace; without values if it has variables that no cause can have.
    """

    missing: tuple[Clause, ...] = ()
    superfluous: tuple[tuple[Formula, Trace], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.missing or self.superfluous)


def compare(gold: Sequence[Clause], parts: Iterable[Part], trace: Trace) -> Difference:
    """Return how a stated cause differs from the true one, as Boolean functions.

    Args:
        gold: the true clauses; unate and without redundancy (see above).
        parts: of the stated cause, which is their conjunction; their size has been checked.
        trace: the variables that a cause can have, with their values in the trace; at most
            `MAX_VARIABLES` of one step. A formula with another one counts as superfluous, unless
            it is plainly a tautology (``x or !x``).

    Raises:
        Abstained: the equivalence is too hard to decide within `MAX_CONFLICTS`, or a step or a
            formula has more than `MAX_VARIABLES` propositions.
    """
    parts = list(parts)
    if {part.clause for part in parts} == {*gold}:
        return Difference()
    gold, parts = list(dict.fromkeys(gold)), [part for part in parts if not part.idle]
    signs = {literal[:2] for clause in gold for literal in clause}
    _check_width(signs, [part for part in parts if part.variables <= trace.keys()])
    superfluous = tuple(islice(_superfluous(gold, parts, trace), MAX_FOUND))
    missing, decided = _missing(gold, parts, trace)
    difference = Difference(missing, superfluous)
    if not difference and not decided:
        # Only who states nothing but what the true cause implies gets here, and for each true
        # clause in question something that fails where exactly its literals are flipped: nobody
        # can ask for this who does not know the cause. So it may stay undecided, and the item
        # unscored.
        raise _undecided()
    return difference


def _undecided() -> Abstained:
    return Abstained(
        f"whether the causes are equivalent takes more than {MAX_CONFLICTS:,} conflicts"
    )


def _check_width(signs: Iterable[Variable], parts: Sequence[Part]) -> None:
    spoken: dict[Any, set[Variable]] = {}
    for variable in signs:
        spoken.setdefault(variable[0], set()).add(variable)
    for part in parts:
        if part.step is not None:
            spoken.setdefault(part.step, set()).update(part.variables)
        elif part.clause is None:
            spoken[part] = part.variables
    if any(len(variables) > MAX_VARIABLES for variables in spoken.values()):
        raise Abstained(f"a step or a formula with more than {MAX_VARIABLES} propositions")


def _superfluous(
    gold: Sequence[Clause], parts: Sequence[Part], trace: Trace
) -> Iterator[tuple[Formula, Trace]]:
    """Yield what the true cause does not imply, each with values that show it."""
    known = {*gold}
    with _Solver(trace, map(disjunction, gold)) as solver:
        for part in parts:
            if part.clause in known:
                continue
            if not part.variables <= trace.keys():
                yield part.formula, {}
                continue
            failing = solver.failing(part)
            holds = solver.satisfiable(failing)
            if holds is None:
                raise _undecided()
            if not holds:
                continue
            if part.clause is not None:
                yield part.formula, {literal[:2]: not literal[2] for literal in part.clause}
                continue
            values = {}  # as in the trace where that can be, from the last variable to the first
            for variable in sorted(part.variables, reverse=True):
                value = trace[variable]
                values[variable] = value is bool(
                    solver.satisfiable([*failing, solver.variable(variable, value)])
                )
                failing.append(solver.variable(variable, values[variable]))
            yield part.formula, values


def _missing(
    gold: Sequence[Clause], parts: Sequence[Part], trace: Trace
) -> tuple[tuple[Clause, ...], bool]:
    """Return the true clauses that the parts do not imply, and whether all others were decided."""
    stated = {part.clause for part in parts}
    unstated = [clause for clause in gold if clause not in stated]
    missing: set[Clause] = set()
    if not unstated:
        return (), True
    with _Solver(trace, (part.formula for part in parts)) as solver:
        # First where exactly a clause's literals are flipped: that takes no search.
        for clause in unstated:
            values = {**trace, **{literal[:2]: not literal[2] for literal in clause}}
            if len(missing) < MAX_FOUND and solver.satisfiable(solver.literals(values)):
                missing.add(clause)
        solver.bounded = True
        left = [clause for clause in unstated if clause not in missing]
        decided = True
        for clause in left if len(missing) < MAX_FOUND else ():
            holds = solver.satisfiable(solver.literals({c[:2]: not c[2] for c in sorted(clause)}))
            decided = decided and holds is not None
            if holds:
                missing.add(clause)
    return tuple(islice((clause for clause in gold if clause in missing), MAX_FOUND)), decided


class _Solver:
    """A SAT solver over variables of any kind that knows some formulas.

    ``values``: of variables, which are tried first; ``formulas``: they all hold.
    """

    def __init__(self, values: Trace, formulas: Iterable[Formula]) -> None:
        self._solver = Solver(name="minisat22")
        self._numbers: dict[Hashable, int] = {}
        self._values, self._last = values, 0
        self.bounded = False
        """Whether conflicts are counted over all calls, not anew in each."""
        for formula in formulas:
            self._solver.add_clause([self._implying(formula)])

    def __enter__(self) -> _Solver:
        return self

    def __exit__(self, *_: object) -> None:
        self._solver.delete()

    def variable(self, key: Hashable, value: bool) -> int:
        """Return the number of a literal."""
        if key not in self._numbers:
            self._numbers[key] = self._fresh()
            prefers = self._values.get(key, True)  # type: ignore[call-overload]
            self._solver.set_phases([self._numbers[key] if prefers else -self._numbers[key]])
        return self._numbers[key] if value else -self._numbers[key]

    def literals(self, values: Trace) -> list[int]:
        """Return the literals of some values of variables that occur."""
        return [self.variable(key, value) for key, value in values.items() if key in self._numbers]

    def failing(self, part: Part) -> list[int]:
        """Return literals under which a part fails."""
        if part.clause is not None:
            return [self.variable((at, name), not value) for at, name, value in part.clause]
        return [self._implying(_negated(part.formula))]

    def _implying(self, formula: Formula) -> int:
        """Return a literal that implies a formula, and is free to be true where that holds."""
        kind, *parts = formula
        if kind == "literal":
            return self.variable(*parts)
        number = self._fresh()
        below = [self._implying(part) for part in parts]
        if kind in ("or", "false"):
            self._solver.add_clause([-number, *below])
        for implied in below if kind == "and" else ():
            self._solver.add_clause([-number, implied])
        return number

    def satisfiable(self, assumed: Sequence[int]) -> bool | None:
        """Tell whether all that was added holds under assumptions somewhere; None beyond the bound."""
        if not self.bounded:
            self._solver.conf_budget(MAX_CONFLICTS)
        answer: bool | None = self._solver.solve_limited(assumptions=assumed)
        return answer

    def _fresh(self) -> int:
        self._last += 1
        return self._last


_DUALS = {"and": "or", "or": "and", "true": "false", "false": "true"}


def _negated(formula: Formula) -> Formula:
    kind, *parts = formula
    if kind == "literal":
        return (kind, parts[0], not parts[1])
    return (_DUALS[kind], *map(_negated, parts))
