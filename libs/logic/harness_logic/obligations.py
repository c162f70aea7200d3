"""Tables of obligations, by which `harness_proof` proves that all paths of a graph satisfy a formula.

Nothing here is trusted: what is written is proved by the checker, or it is refuted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness_proof.graph_paths import MAX_STEPS, Entry, Question
from harness_proof.ltl import BINARY, Obligations

Edges = dict[Entry, list[tuple[Entry, Obligations]]]


def table(question: Question) -> dict[str, Any] | None:
    """Return the table of a formula; where it is false, one that the checker refutes; None if it is too large."""
    formulas = question.formulas
    start = (question.initial, frozenset([formulas.negation(question.formula)]))
    edges = _edges(question, start)
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


def _edges(question: Question, start: Entry) -> Edges | None:
    """Return all entries that are reached, each with its steps; None where there are too many."""
    edges: Edges = {}
    todo, steps = [start], 0
    while todo:
        entry = todo.pop()
        if entry in edges:
            continue
        event, due = entry
        out = edges[entry] = []
        for state in question.states[event]:
            for later, put_off in question.formulas.steps(due, state.__contains__):
                out += [((to, later), put_off) for to in sorted(question.graph[event])]
                if (steps := steps + len(question.graph[event])) > MAX_STEPS:
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
