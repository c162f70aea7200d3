"""Tell whether two causes mean the same: by truth tables; by SAT only where an answer states nothing untrue.

A *cause* here is a list of formulas that all hold, see `formulas`. The *true* cause is a list of
clauses, non-empty sets of (step, name, value) that agree on every value (no variable occurs with
both) and of which none contains another: they are then all of its prime implicates.

What the true cause implies is decided without any search. A clause is implied iff it contains a
true one, or is a tautology. Any formula is implied iff those true clauses imply it that have all
their variables in it, for the others hold where their other variables are as in the trace: a
truth table over the variables of the formula, of which a step of a machine has at most twelve.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeAlias

from pysat.solvers import Solver

from harness import Abstained
from harness_tempobench.constraint import Formula
from harness_tempobench.formulas import Clause, Literal, Part, Variable, disjunction
from harness_tempobench.truth_tables import MAX_VARIABLES, Table

Trace: TypeAlias = "Mapping[Variable, bool]"

MAX_CONFLICTS = 5_000
"""Conflicts of the SAT solver in one comparison."""

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


def compare(gold: Sequence[Clause], parts: Iterable[Part], trace: Trace | None) -> Difference:
    """Return how a stated cause differs from the true one, as Boolean functions.

    Args:
        gold: the true clauses; unate and without redundancy (see above).
        parts: of the stated cause, which is their conjunction; their size has been checked.
        trace: the variables that a cause can have, with their values in the trace; at most
            `MAX_VARIABLES` of one step. A formula with another one counts as superfluous, unless
            it is plainly a tautology (``x or !x``). None: a cause can have any variable.

    Raises:
        Abstained: the equivalence is too hard to decide within `MAX_CONFLICTS`, or a step or a
            formula has more than `MAX_VARIABLES` propositions.
    """
    parts = list(parts)
    if {part.clause for part in parts} == {*gold}:
        return Difference()
    both = _Comparison(gold, parts, trace)
    superfluous = both.superfluous()
    missing, decided = both.missing(implied=not superfluous)
    difference = Difference(missing, superfluous)
    if not difference and not decided:
        # Only who states nothing but what the true cause implies gets here, and for each true
        # clause in question something that fails where exactly its literals are flipped: nobody
        # can ask for this who does not know the cause. So it may stay undecided, and the item
        # unscored.
        raise Abstained(
            f"whether the causes are equivalent takes more than {MAX_CONFLICTS:,} conflicts"
        )
    return difference


# ---------------------------------------------------------------------------- the two directions


class _Comparison:
    """A true and a stated cause, with a truth table for every step of which something is said."""

    def __init__(self, gold: Iterable[Clause], parts: Iterable[Part], trace: Trace | None) -> None:
        self.gold = list(dict.fromkeys(gold))
        self.parts = [part for part in parts if not part.idle]
        signs = {literal[:2]: literal[2] for clause in self.gold for literal in clause}
        if trace is None:
            trace = {key: True for part in self.parts for key in part.variables} | signs
        self.trace = trace
        self.watched = _watched(self.gold)
        self.within: dict[int, list[Part]] = {}
        self.others: list[Part] = []  # over several steps, or with variables no cause can have
        spoken: dict[int, set[Variable]] = {}
        for step, name in signs:
            spoken.setdefault(step, set()).add((step, name))
        for part in self.parts:
            if part.step is not None and part.variables <= trace.keys():
                self.within.setdefault(part.step, []).append(part)
                spoken.setdefault(part.step, set()).update(part.variables)
            else:
                self.others.append(part)
        self.tables = {step: self._table(variables) for step, variables in spoken.items()}

    def _table(self, variables: Collection[Variable]) -> Table:
        if len(variables) > MAX_VARIABLES:
            raise Abstained(f"a step or a formula with more than {MAX_VARIABLES} propositions")
        return Table(sorted(variables), self.trace)

    def _inside(self, literals: AbstractSet[Literal]) -> Iterator[Clause]:
        """Yield the true clauses whose literals are all in a set."""
        for literal in literals:
            for clause in self.watched.get(literal, ()):
                if clause <= literals:
                    yield clause

    # what the true cause does not imply

    def superfluous(self) -> tuple[tuple[Formula, Trace], ...]:
        """Return what the true cause does not imply, each with values that show it."""
        true: dict[int, int] = {}
        refuted = (
            (part.formula, values)
            for part in self.parts
            if (values := self._refuted(part, true)) is not None
        )
        return tuple(islice(refuted, MAX_FOUND))

    def _refuted(self, part: Part, true: dict[int, int]) -> Trace | None:
        """Return values under which a part fails and the true cause holds; None if there are none.

        Args:
            part: what may be implied.
            true: for each step the rows that the true cause leaves, as far as they are known.
        """
        if not part.variables <= self.trace.keys():
            return {}
        if part.clause is not None:
            if next(self._inside(part.clause), None):
                return None
            return {literal[:2]: not literal[2] for literal in part.clause}
        if part.step is None:
            table = self._table(part.variables)
            rows = self._true_rows(table)
        else:
            table = self.tables[part.step]
            if part.step not in true:
                true[part.step] = self._true_rows(table)
            rows = true[part.step]
        rows &= ~table.rows(part.formula)
        if not rows:
            return None
        flipped = table.flipped(rows)
        return {key: self.trace[key] ^ (key in flipped) for key in part.variables}

    def _true_rows(self, table: Table) -> int:
        """Return the rows of a table that the true clauses over its variables alone leave."""
        rows = table.full
        for clause in self._inside({(*key, self.trace[key]) for key in table.variables}):
            rows &= table.rows(disjunction(clause))
        return rows

    # what it implies beyond what is stated

    def missing(self, implied: bool) -> tuple[tuple[Clause, ...], bool]:
        """Return the true clauses that the parts do not imply, and whether all others were decided.

        Args:
            implied: whether the true cause implies all parts.
        """
        stated = {part.clause for part in self.parts}
        rows = {step: self._stated_rows(step) for step in self.within}
        if not all(rows.values()):
            return (), True  # whoever says false says everything
        unstated = [clause for clause in self.gold if clause not in stated]
        wanted = [clause for clause in unstated if not self._follows(clause, rows)]
        if not self.others:
            return tuple(wanted[:MAX_FOUND]), True
        blocked = self._blocked() if implied else set(wanted)
        sure = [clause for clause in wanted if clause not in blocked and self._fails(clause, rows)]
        unsure = set(wanted).difference(sure)
        hard = [clause for clause in wanted if clause in unsure]
        unimplied, decided = _unimplied(hard, self.parts, self.trace)
        return (*sure, *unimplied)[:MAX_FOUND], decided

    def _stated_rows(self, step: int) -> int:
        table = self.tables[step]
        rows = table.full
        for part in self.within[step]:
            rows &= table.rows(part.formula)
        return rows

    def _follows(self, clause: Clause, rows: Mapping[int, int]) -> bool:
        """Tell whether a true clause follows from what is stated within one of its steps."""
        for step, literals_there in _by_step(clause).items():
            if step in rows:
                fails = self.tables[step].full
                fails &= ~self.tables[step].rows(disjunction(literals_there))
                if not rows[step] & fails:
                    return True
        return False

    def _blocked(self) -> set[Clause]:
        """Return the true clauses that may follow from other parts than those within one step.

        If the true cause implies these, each contains a true clause. Where the literals of another
        true clause are flipped, and nothing else, only a part fails all of whose literals that
        are as in the trace are among the flipped: so the two clauses are the same.
        """
        if any(part.clause is None for part in self.others):
            return set(self.gold)
        clauses = [part.clause for part in self.others if part.clause is not None]
        return {
            frozenset(literal for literal in clause if self.trace[literal[:2]] is literal[2])
            for clause in clauses
        }

    def _fails(self, clause: Clause, rows: Mapping[int, int]) -> bool:
        """Tell whether all that is stated within steps holds with a true clause's literals flipped.

        What holds in the trace itself does in the steps that the clause is not about.
        """
        return all(
            rows[step] & self.tables[step].row([literal[:2] for literal in there])
            for step, there in _by_step(clause).items()
            if step in rows
        )


def _watched(clauses: Iterable[Clause]) -> dict[Literal, list[Clause]]:
    """Return the clauses by the rarest literal of each."""
    common = Counter(literal for clause in clauses for literal in clause)
    watched: dict[Literal, list[Clause]] = {}
    for clause in clauses:
        rarest = min(clause, key=lambda literal: (common[literal], literal))
        watched.setdefault(rarest, []).append(clause)
    return watched


def _by_step(clause: Clause) -> dict[int, list[Literal]]:
    by_step: dict[int, list[Literal]] = {}
    for literal in clause:
        by_step.setdefault(literal[0], []).append(literal)
    return by_step


# ------------------------------------------------------------------------------------ the search


def _unimplied(
    clauses: Sequence[Clause], parts: Sequence[Part], trace: Trace
) -> tuple[list[Clause], bool]:
    """Return the clauses that the parts do not imply, and whether all others were decided."""
    missing: list[Clause] = []
    decided = True
    if not clauses:
        return missing, decided
    with _Solver() as solver:
        for part in parts:
            solver.require(part.formula)
        solver.prefer(trace)
        for clause in clauses:
            holds = solver.satisfiable(
                [solver.variable((step, name), not value) for step, name, value in sorted(clause)]
            )
            if holds is None:
                decided = False
            elif holds:
                missing.append(clause)
                if len(missing) == MAX_FOUND:
                    break
    return missing, decided


class _Solver:
    """A SAT solver over variables of any kind, with formulas in clausal form."""

    def __init__(self) -> None:
        self._solver = Solver(name="minisat22")
        self._solver.conf_budget(MAX_CONFLICTS)
        self._numbers: dict[Hashable, int] = {}
        self._last = 0

    def __enter__(self) -> _Solver:
        return self

    def __exit__(self, *_: object) -> None:
        self._solver.delete()

    def variable(self, key: Hashable, value: bool) -> int:
        """Return the number of a literal."""
        if key not in self._numbers:
            self._numbers[key] = self._fresh()
        return self._numbers[key] if value else -self._numbers[key]

    def require(self, formula: Formula) -> None:
        """Add a formula."""
        self._solver.add_clause([self._implying(formula)])

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

    def prefer(self, values: Mapping[Any, bool]) -> None:
        """Try these values of variables first, as far as they occur."""
        numbers = self._numbers
        self._solver.set_phases(
            [number if values.get(key, True) else -number for key, number in numbers.items()]
        )

    def satisfiable(self, assumed: Sequence[int]) -> bool | None:
        """Tell whether all that was added holds under assumptions somewhere; None beyond the bound."""
        answer: bool | None = self._solver.solve_limited(assumptions=list(assumed))
        return answer

    def _fresh(self) -> int:
        self._last += 1
        return self._last
