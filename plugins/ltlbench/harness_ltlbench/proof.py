"""The complete certificate of a label, for `harness_proof`: a lasso, or a table of obligations.

With it go the item's contrast, and the chance that a random walk violates a False hypothesis.

Nothing here is trusted: what is written is proved by the checker, from the prompt, or it is refuted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from operator import eq
from typing import Any

from harness_proof import graph_paths, ltlbench
from harness_proof.graph_paths import Entry
from harness_proof.ltl import BINARY, Formulas, Obligations
from harness_proof.outcomes import UncheckedError

from harness import Abstained, Item
from harness_ltlbench import walks
from harness_ltlbench.engines import tableau

MAX_STEPS = 200_000
"""Steps of one table."""

Edges = dict[Entry, list[tuple[Entry, Obligations]]]


def prove(item: Item) -> dict[str, Any] | None:
    """Return the certificate; None where it would be too large, or the prompt is not the checker's."""
    try:
        question, stated = ltlbench.read(item.prompt), item.certificate or {}
        label = item.target == "True"
        violation = stated.get("violation")
        proof = _table(question) if label else violation or tableau.check(item.problem).violation
        if proof is None:
            return None
        added = {"contrast": stated.get("contrast"), "walk": _walk(item, question, stated)}
        return {**proof, **{key: part for key, part in added.items() if part is not None}}
    except (UncheckedError, Abstained):
        return None


def _walk(
    item: Item, question: graph_paths.Question, stated: Mapping[str, Any]
) -> dict[str, Any] | None:
    """Return the table of how likely a walk violates the hypothesis, if the item states it."""
    if stated.get("walk") is None:
        return None
    parts, _ = _listed(question.formulas, [question.formula ^ 1])
    chance = Fraction(stated["walk"])
    return {
        "chance": [chance.numerator, chance.denominator],
        "formulas": parts,
        "entries": walks.entries(item.problem, parts),
    }


def _table(question: graph_paths.Question) -> dict[str, Any] | None:
    """Return the table of a formula; where it is false, one that the checker refutes; None if it is too large."""
    formulas = question.formulas
    start = (question.initial, frozenset([question.formula ^ 1]))
    edges = _edges(question.graph, formulas, start)
    if edges is None:
        return None
    parts, places = _listed(formulas, start[1])
    entries: list[tuple[int, list[int], int]] = []
    promises: list[int | None] = []
    for rank, component in enumerate(_components(edges, start)):
        kept = [put_off for entry in component for to, put_off in edges[entry] if to in component]
        shared = frozenset.intersection(*kept) if kept else frozenset[int]()
        promises.append(min((places[one] for one in shared), default=None))
        for event, due in sorted(component, key=lambda entry: (entry[0], sorted(entry[1]))):
            entries.append((event, sorted(places[one] for one in due), rank))
    return {"formulas": parts, "entries": entries, "promises": promises}


def _listed(formulas: Formulas, of: Iterable[int]) -> tuple[list[list[Any]], dict[int, int]]:
    """Return some formulas with their parts, as certificates write them, parts first; and the place of each."""
    needed = {*of}
    for formula in range(max(needed), -1, -1):
        operator, *operands = formulas.parts[formula]
        if formula in needed and operator not in ("atom", "not"):
            needed.update(operands[: 1 + (operator in BINARY)])
    places = {formula: place for place, formula in enumerate(sorted(needed))}
    parts: list[list[Any]] = []
    for formula in places:
        operator, *operands = formulas.parts[formula]
        count = 1 + (operator in BINARY)
        atom = operator in ("atom", "not")
        parts.append([operator, *(one if atom else places[one] for one in operands[:count])])
    return parts, places


def _edges(graph: graph_paths.Graph, formulas: Formulas, start: Entry) -> Edges | None:
    """Return all entries that are reached, each with its steps; None where there are too many."""
    edges: Edges = {}
    todo, steps = [start], 0
    while todo:
        entry = todo.pop()
        if entry in edges:
            continue
        event, due = entry
        out = edges[entry] = []
        for later, put_off in formulas.steps(due, partial(eq, event)):
            for follower in sorted(graph[event]):
                out.append(((follower, later), put_off))
                steps += 1
                if steps > MAX_STEPS:
                    return None
        todo += (to for to, _ in out)
    return edges


def _components(edges: Edges, start: Entry) -> Iterator[set[Entry]]:
    """Yield the strongly connected components, each after those that it leads to (Tarjan 1972)."""
    number, lowest = {start: 0}, {start: 0}
    open_entries = [start]
    calls = [(start, iter(edges[start]))]
    while calls:
        entry, left = calls[-1]
        step = next(left, None)
        if step is not None:
            to = step[0]
            if to not in number:
                number[to] = lowest[to] = len(number)
                open_entries.append(to)
                calls.append((to, iter(edges[to])))
            elif lowest[to] >= 0:
                lowest[entry] = min(lowest[entry], number[to])
            continue
        calls.pop()
        if calls:
            caller = calls[-1][0]
            lowest[caller] = min(lowest[caller], lowest[entry])
        if lowest[entry] == number[entry]:
            at = open_entries.index(entry)
            component = set(open_entries[at:])
            del open_entries[at:]
            yield component
            lowest.update(dict.fromkeys(component, -1))
