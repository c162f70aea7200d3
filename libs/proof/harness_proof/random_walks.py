"""How likely a random walk violates a formula, and that the graph matters for the label: what a certificate may add.

A walk takes each of an event's followers with the same chance. **Theorem.** Let a table have entries (event, those of
some formulas that hold, chance): the initial event is in it, with each event those that can follow it, and the
chances of an event's entries are above 0 and add up to 1. The chance that a walk from the initial event violates the
formula is that of the entries in which the formula's negation holds, if

1. the chance of each entry is that of the entries which it can come from: of each event that follows, with the same
   chance, the entries after which just these formulas hold (`Formulas.now`);
2. from each entry with a promise (F, U, M) that holds, and each with a permanence (G, W, R) that does not, entries
   lead to one where that is decided without the next moment.

docs/proofs.md has the proof. A *contrast* is a path that, as a graph of its own, has the other label.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from functools import partial
from operator import eq
from typing import Any

from harness_proof.graph_paths import Entry, Question, check_violation, entries_of, numbers_of
from harness_proof.outcomes import known, proven

MAX_DIGITS = 600


def check_contrast(question: Question, label: bool, lasso: Any) -> None:
    """Check that a lasso of the same events has the other label, if it is a graph of its own."""
    path = [*lasso["prefix"], *lasso["cycle"]]
    own: dict[int, set[int]] = {}
    for event, follower in zip(path, [*path[1:], *lasso["cycle"][:1]]):
        own.setdefault(event, set()).add(follower)
    # As in every graph of an item, an event that repeats at once is one after which no others can happen.
    branches = any(len(own[event]) > 1 and (event in own[event] or not label) for event in own)
    same = own.keys() <= question.graph.keys() and not branches
    proven(same, "the contrast has other events, or leads elsewhere, too")
    formula = question.formula if label else question.formula ^ 1
    check_violation(question._replace(graph=own, formula=formula), lasso)


def check_chance(question: Question, walk: Any) -> None:
    """Check how likely a walk violates a formula: ``chance`` by ``formulas`` and ``entries``."""
    graph, initial, formulas, formula, *_ = question
    violated = formula ^ 1
    numbers = numbers_of(walk["formulas"], formulas)
    used = sorted({*numbers})
    weights = entries_of(walk["entries"], numbers)
    totals: Counter[int] = Counter()
    for (event, _), weight in weights.items():
        proven(weight > 0, "a weight has to be a whole number above 0")
        known(weight < 10**MAX_DIGITS, f"a weight has more than {MAX_DIGITS} digits")
        totals[event] += weight
    stated = {entry: Fraction(weight, totals[entry[0]]) for entry, weight in weights.items()}
    leading: dict[int, list[int]] = {initial: []}
    for event in totals:
        for follower in graph[event]:
            leading.setdefault(follower, []).append(event)
    proven(leading.keys() <= totals.keys(), "an event that can happen has no entry")
    sums: dict[Entry, Fraction] = defaultdict(Fraction)
    before: dict[Entry, list[Entry]] = defaultdict(list)
    for (follower, later), chance in stated.items():
        for event in leading.get(follower, ()):
            formulas.spend(len(used))
            entry = event, formulas.now(used, partial(eq, event), later)
            sums[entry] += chance / len(graph[event])
            before[follower, later].append(entry)
    same = violated in used and sums == stated
    proven(same, "the chances of an event are not those of what follows it")
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
    right = [found.numerator, found.denominator] == walk["chance"]
    proven(right, f"the chance that a walk violates the formula is {found}"[:200])
