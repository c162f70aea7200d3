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

from collections.abc import Container, Mapping, Sequence
from typing import Any, NamedTuple

from harness_proof.ltl import BINARY, UNARY, Formulas, Obligations
from harness_proof.outcomes import known, proven

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
    states: Mapping[int, Sequence[Container[int]]]
    """The atoms that may be true at each event."""


def check_no_violation(question: Question, proof: Any) -> None:
    """Check that all paths satisfy a formula, by a table: ``formulas``, ``entries``, ``promises``."""
    graph, initial, formulas, formula, _, states = question
    # Before the certificate's own formulas, which may be of any kind.
    start = (initial, frozenset([formula ^ 1]))
    numbers = numbers_of(proof["formulas"], formulas)
    ranks = entries_of(proof["entries"], numbers)
    promises = [None if place is None else numbers[place] for place in proof["promises"]]
    proven(start in ranks, "the table does not begin with the formula's negation")
    looked_at = 0
    for (event, obligations), rank in ranks.items():
        steps = (
            (*step, to)
            for state in states[event]
            for step in formulas.steps(obligations, state.__contains__)
            for to in graph[event]
        )
        for later, put_off, follower in steps:
            looked_at += 1
            known(looked_at <= MAX_STEPS, f"the table has more than {MAX_STEPS} steps")
            proven((follower, later) in ranks, f"event{event} leads out of the table")
            reached = ranks[follower, later]
            falls = reached < rank or (reached == rank and promises[rank] in put_off)
            proven(falls, f"a step from event{event} does not lower the rank")


def numbers_of(parts: Sequence[Any], formulas: Formulas) -> list[int]:
    """Return the numbers of a certificate's formulas in our table, adding those that are new."""
    numbers: list[int] = []
    for operator, *operands in parts:
        if operator in ("atom", "not"):
            numbers.append(formulas.add(operator, *operands))
        else:
            fit = len(operands) == (operator in UNARY) + 2 * (operator in BINARY) > 0
            proven(fit, f"no operator of {len(operands)} operands: {str(operator)[:20]!r}")
            numbers.append(formulas.add(operator, *(numbers[place] for place in operands)))
    return numbers


def entries_of(entries: Any, numbers: list[int]) -> dict[Entry, int]:
    """Return the rank, or the weight, of each of a certificate's entries."""
    found: dict[Entry, int] = {}
    for event, held, number in entries:
        whole = type(event) is int and type(number) is int  # NaN is not above itself, nor equal
        proven(whole, "an event, and its rank or weight, have to be whole numbers")
        found[event, frozenset(numbers[place] for place in held)] = number
    return found


def check_violation(question: Question, lasso: Any) -> None:
    """Check that a lasso, ``prefix`` and ``cycle``, is a path on which a formula fails."""
    graph, initial, formulas, formula, *_ = question
    path = [*lasso["prefix"], *lasso["cycle"]]
    loop = len(lasso["prefix"])
    begins = lasso["cycle"] and path[0] == initial
    proven(begins, "the path does not begin with the initial event, or nothing repeats")
    for event, follower in zip(path, [*path[1:], path[loop]]):
        proven(follower in graph.get(event, ()), f"event{follower} cannot follow event{event}")
    holds = formulas.holds(formula, loop, len(path), lambda state, event: path[state] == event)
    proven(not holds, "the formula holds on the path")
