"""Whether all paths of a graph satisfy a formula: proved by a table of obligations, refuted by one path.

**Theorem.** Let a table have entries (event, obligations, rank), and for some ranks a promise. Every path from
the event ``initial`` satisfies the formula if

1. the entry of ``initial`` with the formula's negation as its only obligation is in the table;
2. of each entry, each way in which its obligations can hold at its event (`Formulas.steps`), and each event
   that can follow, the entry of that event with what must hold there is in the table, too;
3. its rank is lower, or it is the same and the promise of that rank is put off in that step.

docs/proofs.md has the proof, libs/proof/formal one by Coq. A False is proved by a path itself, that of a *lasso*:
some events, then others that repeat forever.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from operator import eq
from typing import Any, NamedTuple

from harness_proof.ltl import BINARY, UNARY, Formulas, Obligations
from harness_proof.outcomes import RefutedError, UncheckedError

MAX_STEPS = 200_000
"""Ways to satisfy obligations that are looked at in one table."""

Graph = dict[int, set[int]]
"""The events that can follow each event."""
Entry = tuple[int, Obligations]


class Question(NamedTuple):
    """Do all paths from the initial event satisfy a formula, which is a number in ``formulas``?"""

    graph: Graph
    initial: int
    formulas: Formulas
    formula: int
    path: bool
    """Whether a path is asked for, too."""


def check_no_violation(question: Question, proof: Any) -> None:
    """Check that all paths satisfy a formula, by a table: ``formulas``, ``entries``, ``promises``."""
    graph, initial, formulas, formula, _ = question
    # Before the certificate's own formulas, which may be of any kind.
    start = (initial, frozenset([formulas.negation(formula)]))
    numbers = numbers_of(proof["formulas"], formulas)
    ranks: dict[Entry, int] = {}
    for event, obligations, rank in proof["entries"]:
        if type(event) is not int or type(rank) is not int:  # NaN is not above itself, nor equal
            raise RefutedError("an event and a rank have to be whole numbers")
        ranks[event, frozenset(numbers[place] for place in obligations)] = rank
    promises = [None if place is None else numbers[place] for place in proof["promises"]]
    if start not in ranks:
        raise RefutedError("the table does not begin with the formula's negation")
    looked_at = 0
    for (event, obligations), rank in ranks.items():
        for later, put_off in formulas.steps(obligations, partial(eq, event)):
            for follower in graph[event]:
                looked_at += 1
                if looked_at > MAX_STEPS:
                    raise UncheckedError(f"the table has more than {MAX_STEPS} steps")
                reached = ranks.get((follower, later))
                if reached is None:
                    raise RefutedError(f"a step from event{event} leads out of the table")
                if reached > rank or (reached == rank and promises[rank] not in put_off):
                    raise RefutedError(f"a step from event{event} does not lower the rank")


def numbers_of(parts: Sequence[Any], formulas: Formulas) -> list[int]:
    """Return the numbers of a certificate's formulas in our table, adding those that are new."""
    numbers: list[int] = []
    for operator, *operands in parts:
        if operator in ("atom", "not"):
            numbers.append(formulas.add(operator, *operands))
        elif len(operands) == (operator in UNARY) + 2 * (operator in BINARY):
            numbers.append(formulas.add(operator, *(numbers[place] for place in operands)))
        else:
            raise RefutedError(f"no operator of {len(operands)} operands: {str(operator)[:20]!r}")
    return numbers


def check_violation(question: Question, lasso: Any) -> None:
    """Check that a lasso, ``prefix`` and ``cycle``, is a path on which a formula fails."""
    graph, initial, formulas, formula, _ = question
    path = [*lasso["prefix"], *lasso["cycle"]]
    loop = len(lasso["prefix"])
    if not lasso["cycle"] or path[0] != initial:
        raise RefutedError("the path does not begin with the initial event, or nothing repeats")
    for event, follower in zip(path, [*path[1:], path[loop]]):
        if follower not in graph.get(event, ()):
            raise RefutedError(f"event{follower} cannot follow event{event}")
    if formulas.holds(formula, loop, len(path), lambda state, event: path[state] == event):
        raise RefutedError("the formula holds on the path")
