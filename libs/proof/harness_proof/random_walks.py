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

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import partial
from operator import eq
from typing import Any

from harness_proof.graph_paths import Entry, Question, check_violation, numbers_of
from harness_proof.ltl import Obligations
from harness_proof.outcomes import RefutedError, UncheckedError

MAX_DIGITS = 600


def check_contrast(question: Question, label: bool, lasso: Any) -> None:
    """Check that a lasso of the same events has the other label, if it is a graph of its own."""
    path = [*lasso["prefix"], *lasso["cycle"]]
    own: dict[int, set[int]] = {}
    for event, follower in zip(path, [*path[1:], *lasso["cycle"][:1]]):
        own.setdefault(event, set()).add(follower)
    # As in every graph of an item, an event that repeats at once is one after which no others can happen.
    branches = any(len(own[event]) > 1 and (event in own[event] or not label) for event in own)
    if not own.keys() <= question.graph.keys() or branches:
        raise RefutedError("the contrast has other events, or leads elsewhere, too")
    formula = question.formula if label else question.formulas.negation(question.formula)
    check_violation(question._replace(graph=own, formula=formula), lasso)


def check_chance(question: Question, walk: Any) -> None:
    """Check how likely a walk violates a formula: ``chance`` by ``formulas`` and ``entries``."""
    graph, initial, formulas, formula, _ = question
    violated = formulas.negation(formula)
    numbers = numbers_of(walk["formulas"], formulas)
    used = sorted({*numbers})
    chances = _chances(walk["entries"], numbers)
    sums: dict[Entry, Fraction] = {}
    before: dict[Entry, list[Entry]] = {}
    for event in chances:
        for follower in graph[event]:
            for later, chance in chances[follower].items():
                formulas.spend(len(used))
                entry = event, formulas.now(used, partial(eq, event), later)
                sums[entry] = sums.get(entry, Fraction()) + chance / len(graph[event])
                before.setdefault((follower, later), []).append(entry)
    stated = {
        (event, held): chance for event, row in chances.items() for held, chance in row.items()
    }
    if violated not in used or sums != stated:
        raise RefutedError("the chances of an event are not those of what follows it")
    for one in used:
        formulas.spend(len(stated))
        decided = {entry for entry in stated if formulas.decided(one, entry[1])}
        if len(_led_to(decided, before)) < len(stated):
            raise RefutedError("an entry never leads to what has to come")
    found = sum(chance for held, chance in chances[initial].items() if violated in held)
    if [found.numerator, found.denominator] != walk["chance"]:
        raise RefutedError(f"the chance that a walk violates the formula is {found}"[:200])


def _chances(entries: Any, numbers: list[int]) -> dict[int, dict[Obligations, Fraction]]:
    """Return by event and formulas that hold the chance of an entry: its weight's share of the sum of the event's."""
    weights: dict[int, dict[Obligations, int]] = {}
    for event, held, weight in entries:
        if type(event) is not int or type(weight) is not int or weight < 1:
            raise RefutedError("an event and a weight have to be whole numbers, a weight above 0")
        if weight >= 10**MAX_DIGITS:
            raise UncheckedError(f"a weight has more than {MAX_DIGITS} digits")
        weights.setdefault(event, {})[frozenset(numbers[place] for place in held)] = weight
    return {
        event: {held: Fraction(weight, sum(row.values())) for held, weight in row.items()}
        for event, row in weights.items()
    }


def _led_to(goals: Iterable[Entry], before: Mapping[Entry, Iterable[Entry]]) -> set[Entry]:
    """Return the entries from which others lead to a goal."""
    found: set[Entry] = set()
    todo = [*goals]
    while todo:
        entry = todo.pop()
        if entry not in found:
            found.add(entry)
            todo += before.get(entry, ())
    return found
