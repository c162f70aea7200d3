"""The complete certificate of a label, for `harness_proof`: a lasso, or a table of obligations.

Nothing here is trusted: what is written is proved by the checker, from the prompt, or it is refuted.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from operator import eq
from typing import Any

from harness_proof import ltlbench
from harness_proof.graph_paths import MAX_STEPS, Entry
from harness_proof.ltl import BINARY, Formulas, Obligations
from harness_proof.outcomes import UncheckedError

from harness import Abstained, Item
from harness_ltlbench.engines import tableau

Edges = dict[Entry, list[tuple[Entry, Obligations]]]


def prove(item: Item) -> dict[str, Any] | None:
    """Return the certificate; None where it would be too large, or the prompt is not the checker's."""
    try:
        if item.target == "True":
            return _table(ltlbench.read(item.prompt))
        known = (item.certificate or {}).get("violation")
        return known or tableau.check(item.problem).violation
    except (UncheckedError, Abstained):
        return None


def _table(question: ltlbench.Question) -> dict[str, Any] | None:
    """Return the table of a hypothesis; where it is false, one that the checker refutes."""
    formulas = question.formulas
    start = (question.initial, frozenset([formulas.negation(question.formula)]))
    edges = _edges(question.graph, formulas, start)
    if edges is None:
        return None
    entries: list[tuple[int, list[int], int]] = []
    promises: list[int | None] = []
    for rank, component in enumerate(_components(edges, start)):
        kept = [put_off for entry in component for to, put_off in edges[entry] if to in component]
        shared = frozenset.intersection(*kept) if kept else frozenset[int]()
        promises.append(min(shared, default=None))
        entries += [(event, sorted(due), rank) for event, due in sorted(component, key=_order)]
    parts = [part if part[0] in BINARY else part[:2] for part in formulas.parts]
    return {"formulas": parts, "entries": entries, "promises": promises}


def _order(entry: Entry) -> tuple[int, list[int]]:
    return entry[0], sorted(entry[1])


def _edges(graph: ltlbench.Graph, formulas: Formulas, start: Entry) -> Edges | None:
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
