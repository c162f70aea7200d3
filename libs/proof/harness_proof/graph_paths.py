"""Whether all paths of a graph satisfy a formula: proved by a table of obligations, refuted by one path.

**Theorem.** Let a table have entries (event, obligations, rank), and for some ranks a promise: the initial event's
with the formula's negation alone; of each entry, each way in which its obligations can hold (`Formulas.steps`), and
each event that can follow, the entry with what must hold there. If each time the rank falls, or stays and its promise
is put off, every path from the initial event satisfies the formula.

A certificate may add a *contrast*, a path that, as a graph of its own, has the other label, and how likely a random
walk violates the formula. **Theorem.** Let entries (event, those of some formulas that hold) have chances above 0
that add up to 1 for an event, each the mean, over the events that follow, of the chances of entries after which just
these formulas hold (`Formulas.now`). If from each entry where F, U or M holds, or G, W or R does not, entries lead to
one that decides this, a walk violates the formula with the chance of the initial event's entries with its negation.
Proofs are in docs/proofs.md, of the first by Coq in libs/proof/formal.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from functools import partial
from operator import eq
from typing import Any, NamedTuple

from harness_proof.ltl import BINARY, UNARY, Formulas, Obligations
from harness_proof.outcomes import known, proven

MAX_DIGITS = 600

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
    start = (initial, frozenset([formula ^ 1]))
    numbers, ranks = table_of(proof, formulas)
    promises = [None if place is None else numbers[place] for place in proof["promises"]]
    proven(start in ranks, "the table does not begin with the formula's negation")
    for (event, obligations), rank in ranks.items():
        for later, put_off in formulas.steps(obligations, partial(eq, event)):
            for follower in graph[event]:
                formulas.spend(1)
                proven((follower, later) in ranks, f"event{event} leads out of the table")
                reached = ranks[follower, later]
                falls = reached < rank or (reached == rank and promises[rank] in put_off)
                proven(falls, f"a step from event{event} does not lower the rank")


def table_of(proof: Any, formulas: Formulas) -> tuple[list[int], dict[Entry, int]]:
    """Return the numbers of a certificate's formulas in our table, and the rank, or weight, of each entry."""
    numbers: list[int] = []
    for operator, *operands in proof["formulas"]:
        if operator not in ("atom", "not"):
            fit = len(operands) == (operator in UNARY) + 2 * (operator in BINARY) > 0
            proven(fit, f"no operator of {len(operands)} operands: {str(operator)[:20]!r}")
            operands = [numbers[place] for place in operands]
        numbers.append(formulas.add(operator, *operands))
    entries: dict[Entry, int] = {}
    for event, held, number in proof["entries"]:
        whole = type(event) is int and type(number) is int  # NaN is not above itself, nor equal
        proven(whole, "an event, and its rank or weight, have to be whole numbers")
        entries[event, frozenset(numbers[place] for place in held)] = number
    return numbers, entries


def check_violation(question: Question, lasso: Any) -> None:
    """Check that a lasso, ``prefix`` and ``cycle``, is a path on which a formula fails."""
    graph, initial, formulas, formula, _ = question
    path = [*lasso["prefix"], *lasso["cycle"]]
    loop = len(lasso["prefix"])
    proven(lasso["cycle"] and path[0] == initial, "not the initial event, or nothing repeats")
    for event, follower in zip(path, [*path[1:], path[loop]]):
        proven(follower in graph.get(event, ()), f"event{follower} cannot follow event{event}")
    holds = formulas.holds(formula, loop, len(path), lambda state, event: path[state] == event)
    proven(not holds, "the formula holds on the path")


def check_contrast(question: Question, label: bool, lasso: Any) -> None:
    """Check that a lasso of the same events has the other label, if it is a graph of its own."""
    path = [*lasso["prefix"], *lasso["cycle"]]
    own: dict[int, set[int]] = {}
    for event, follower in zip(path, [*path[1:], *lasso["cycle"][:1]]):
        own.setdefault(event, set()).add(follower)
    # As in every graph of an item, an event that repeats at once is one after which no others can happen.
    branches = any(len(own[event]) > 1 and (event in own[event] or not label) for event in own)
    proven(own.keys() <= question.graph.keys() and not branches, "the contrast is no such graph")
    formula = question.formula if label else question.formula ^ 1
    check_violation(question._replace(graph=own, formula=formula), lasso)


def check_chance(question: Question, walk: Any) -> None:
    """Check how likely a walk violates a formula: ``chance`` by ``formulas`` and ``entries``."""
    graph, initial, formulas, formula, _ = question
    violated = formula ^ 1
    numbers, weights = table_of(walk, formulas)
    used = sorted({*numbers})
    totals: Counter[int] = Counter()
    for (event, _), weight in weights.items():
        proven(weight > 0, "a weight has to be a whole number above 0")
        known(weight < 10**MAX_DIGITS, f"a weight has more than {MAX_DIGITS} digits")
        totals[event] += weight
    stated = {entry: Fraction(weight, totals[entry[0]]) for entry, weight in weights.items()}
    happen = {initial, *(follower for event in totals for follower in graph[event])}
    proven(happen <= totals.keys(), "an event that can happen has no entry")
    sums: dict[Entry, Fraction] = defaultdict(Fraction)
    before: dict[Entry, list[Entry]] = defaultdict(list)
    for (follower, later), chance in stated.items():
        for event in (event for event in totals if follower in graph[event]):
            formulas.spend(len(used))
            entry = event, formulas.now(used, partial(eq, event), later)
            sums[entry] += chance / len(graph[event])
            before[follower, later].append(entry)
    proven(violated in used and sums == stated, "the chances are not those of what follows")
    for one in used:
        formulas.spend(len(stated))
        todo = [entry for entry in stated if formulas.decided(one, entry[1])]
        deciding: set[Entry] = set()
        while todo:
            entry = todo.pop()
            if entry not in deciding:
                deciding.add(entry)
                todo += before[entry]
        proven(len(deciding) == len(stated), "an entry never leads to what has to come")
    found = sum(stated[entry] for entry in stated if entry[0] == initial and violated in entry[1])
    proven([*found.as_integer_ratio()] == walk["chance"], f"the chance is {found}"[:200])
