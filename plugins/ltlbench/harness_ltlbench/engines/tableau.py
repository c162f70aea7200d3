"""Our own engine: an explicit-state tableau on the fly, sharing nothing with other engines.

We look for a path of the graph that violates the formula, i.e. that satisfies its negation
in negation normal form over literals, &, |, X, U and R. Two steps:

1. Bounds, in `harness_ltlbench.engines.closure`: where a subformula says nothing about the choice of
   path, a set of events stands in for it from then on.
2. Tableau. What the bounds leave open is searched: a node is an event with the obligations
   for the path from there on, expanded by the textbook rules (Gerth, Peled, Vardi, Wolper
   1995): a U b = b | (a & X(a U b)), a R b = b & (a | X(a R b)). A U whose second operand is
   put off is *pending* in that step; a path is accepted if no U stays pending forever, so we
   look for a strongly connected component whose steps have no pending U in common
   (Couvreur 1999).

Sets are int bitmasks throughout: bit e for event e, bit i for subformula i.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from harness_logic.lassos import shortest

from harness import Abstained
from harness_ltlbench.engines import closure
from harness_ltlbench.formula import Formula

Term = tuple[int, int]
"""One way to meet obligations now: what is left for the next moment, and the pending U in it."""
Node = tuple[int, int]
"""An event and the obligations of the path from there on."""

REMEMBERED = 16
"""Impossible sets of obligations kept per event, the latest ones, to recognise larger ones."""

WORK_PER_NODE = 16
"""Combinations of terms, and steps, allowed per node of ``max_nodes``.

With the defaults an abstention comes after 3–6 s (measured on problems made to be hard, among
them Hamiltonian paths over 30 events; 2 GHz, one core). Of 2,000 random problems of 50 or 200
events and 50 operators, none came to it, and none took longer than 0.3 s.
"""


@dataclass(frozen=True, slots=True)
class Result:
    """The label, a lasso of the graph that violates the formula (if False), nodes expanded."""

    holds: bool
    violation: closure.Lasso | None
    nodes: int


def check(problem: Mapping[str, Any], max_nodes: int = 200_000) -> Result:
    """Decide a valid problem: do all paths from its initial event satisfy its formula?

    Raises:
        Abstained: more than ``max_nodes`` nodes, or as much work of another kind, were needed.
    """
    graph = closure.Graph(problem, [problem["initial"]])
    search = _Search(graph, problem["formula"], max_nodes)
    lasso = search.run(problem["initial"])
    return Result(lasso is None, lasso, search.nodes)


def holds_from(problem: Mapping[str, Any], formula: Formula, max_nodes: int = 200_000) -> list[int]:
    """Return, in ascending order, the events from which all paths satisfy a formula.

    Only the graph of ``problem`` matters.

    Raises:
        Abstained: as for `check`; ``max_nodes`` is for all events together.
    """
    events = range(1, problem["events"] + 1)
    search = _Search(closure.Graph(problem, events), formula, max_nodes)
    return [event for event in events if not search.satisfiable(event)]


class _Search:
    """The search for an accepted path, from one event after the other."""

    def __init__(self, graph: closure.Graph, formula: Formula, max_nodes: int) -> None:
        self.graph = graph
        self.formulas = closure.Formulas(graph, formula)
        self.max_nodes = max_nodes
        self.nodes = 0
        self.work = 0
        self.decided: dict[int, tuple[int, int]] = {}
        self.terms: dict[int, dict[int, list[Term]]] = {}
        self.steps: dict[Node, list[tuple[Node, int]]] = {}
        self.dead: dict[int, deque[int]] = {}
        self._restart()

    def _restart(self) -> None:
        self.number: dict[Node, int] = {}
        self.live: list[Node] = []
        self.stack: list[tuple[Node, Iterator[tuple[Node, int]]]] = []
        self.roots: list[_Root] = []

    def satisfiable(self, event: int) -> bool:
        """Return whether some path from an event satisfies the negated formula."""
        known = self._bound(event)
        return self._explore(self._start(event)) is not None if known is None else known

    def run(self, event: int) -> closure.Lasso | None:
        """Return a path from an event that satisfies the negated formula, None if none does."""
        known = self._bound(event)
        if known is not None:
            return self.graph.walk(event) if known else None
        start = self._start(event)
        goal = self._explore(start)
        if goal is None:
            return None
        prefix, cycle = shortest(*self._lasso(start, goal))
        return {"prefix": prefix, "cycle": cycle}

    def _bound(self, event: int) -> bool | None:
        formulas = self.formulas
        if formulas.must[formulas.root] >> event & 1:
            return True
        return None if formulas.may[formulas.root] >> event & 1 else False

    def _start(self, event: int) -> Node:
        return event, self.formulas.bits[self.formulas.root] & ~self._decided(event)[0]

    def _decided(self, event: int) -> tuple[int, int]:
        """Return the subformulas that all paths, and that no path from an event satisfies."""
        known = self.decided.get(event)
        if known is None:
            true = false = 0
            formulas = self.formulas
            for i, (must, may) in enumerate(zip(formulas.must, formulas.may, strict=True)):
                true |= (must >> event & 1) << i
                false |= (~may >> event & 1) << i
            known = self.decided[event] = true, false
        return known

    # the search for a component (Couvreur's algorithm with an explicit stack)

    def _explore(self, start: Node) -> Node | None:
        """Return a node of an accepted component, or one without obligations; None if none."""
        self._restart()
        self._push(start, -1)
        while self.stack:
            node, steps = self.stack[-1]
            step = next(steps, None)
            if step is None:
                self._retreat(node)
                continue
            target, pending = step
            if not target[1]:
                return target
            number = self.number.get(target)
            if number is None:
                # Not if fewer obligations than these were found impossible.
                if all(dead & ~target[1] for dead in self.dead.get(target[0], ())):
                    self._push(target, pending)
            elif number >= 0 and self._merge(number, pending):
                return target
        return None

    def _push(self, node: Node, pending: int) -> None:
        number = self.number[node] = len(self.live)
        self.live.append(node)
        self.roots.append(_Root(number, -1, pending))
        self.stack.append((node, iter(self._expand(node))))

    def _merge(self, number: int, pending: int) -> bool:
        """Close a cycle back to a live node; return whether the component is accepted now."""
        while self.roots[-1].number > number:
            root = self.roots.pop()
            pending &= root.inside & root.entering
        root = self.roots[-1]
        root.inside &= pending
        return not root.inside

    def _retreat(self, node: Node) -> None:
        """Leave a finished node; a component that is finished without success is dead."""
        self.stack.pop()
        number = self.number[node]
        if self.roots[-1].number != number:
            return
        self.roots.pop()
        for event, obligations in self.live[number:]:
            self.number[event, obligations] = -1
            self.dead.setdefault(event, deque(maxlen=REMEMBERED)).append(obligations)
        del self.live[number:]

    # expansion

    def _expand(self, node: Node) -> list[tuple[Node, int]]:
        """Return the nodes that can follow a node, each with the U pending in that step."""
        known = self.steps.get(node)
        if known is not None:
            return known
        self.nodes += 1
        if self.nodes > self.max_nodes:
            raise Abstained(f"tableau: more than {self.max_nodes} nodes are needed")
        event, obligations = node
        terms: list[Term] = [(0, 0)]
        for i in closure.bits_of(obligations):
            terms = self._product(terms, self._terms_of(i, event))
        terms = [(self._lean(left), pending) for left, pending in terms]
        targets: dict[tuple[Node, int], None] = {}
        for target in self.graph.after[event]:
            true, false = self._decided(target)
            for left, pending in terms:
                if not left & false:
                    targets[(target, left & ~true), pending & ~true] = None
        self._spend(len(self.graph.after[event]) * len(terms))
        steps = self.steps[node] = sorted(
            targets, key=lambda step: step[0][1].bit_count() + step[1].bit_count()
        )
        return steps

    def _lean(self, obligations: int) -> int:
        """Drop what other obligations imply: a R b asks for b at once, b is enough for a U b."""
        for i in closure.bits_of(obligations):
            kind = self.formulas.kind[i]
            if kind == closure.RELEASE:
                obligations &= ~self.formulas.implied[i]
            elif (
                kind == closure.UNTIL
                and not self.formulas.bits[self.formulas.right[i]] & ~obligations
            ):
                obligations &= ~(1 << i)
        return obligations

    def _terms_of(self, i: int, event: int) -> list[Term]:
        """Return the ways to satisfy a subformula from an event on; no recursion."""
        known = self.terms.setdefault(event, {})
        todo = [i]
        while todo:
            i = todo[-1]
            missing = [part for part in self._parts(i, event) if part not in known]
            if missing:
                todo.extend(missing)
            else:
                todo.pop()
                known[i] = self._combine(i, event, known)
        return known[i]

    def _parts(self, i: int, event: int) -> tuple[int, ...]:
        formulas = self.formulas
        open_here = (formulas.may[i] & ~formulas.must[i]) >> event & 1
        if open_here and formulas.kind[i] != closure.NEXT:
            return formulas.left[i], formulas.right[i]
        return ()

    def _combine(self, i: int, event: int, known: dict[int, list[Term]]) -> list[Term]:
        formulas = self.formulas
        if formulas.must[i] >> event & 1:
            return [(0, 0)]
        if not formulas.may[i] >> event & 1:
            return []
        kind, left, right = formulas.kind[i], formulas.left[i], formulas.right[i]
        if kind == closure.NEXT:
            return [(formulas.bits[left], 0)]
        if kind == closure.AND:
            return self._product(known[left], known[right])
        if kind == closure.OR:
            return _minimal(known[left] + known[right])
        if kind == closure.UNTIL:
            later = self._product(known[left], [(1 << i, 1 << i)])
            return _minimal(known[right] + later)
        return self._product(known[right], _minimal([*known[left], (1 << i, 0)]))

    def _product(self, some: list[Term], others: list[Term]) -> list[Term]:
        self._spend(len(some) * len(others))
        both = list({(a | c, b | d): None for a, b in some for c, d in others})
        if len(some) == 1 or len(others) == 1:
            return both
        self._spend(len(both) ** 2 // 16)  # for comparing each with each
        return _minimal(both)

    def _spend(self, work: int) -> None:
        self.work += work
        if self.work > WORK_PER_NODE * self.max_nodes:
            raise Abstained(f"tableau: as much work as for {self.max_nodes} nodes is needed")

    # the path that was found

    def _lasso(self, start: Node, goal: Node) -> tuple[list[int], list[int]]:
        """Return prefix and cycle of a path through an accepted component."""
        if not goal[1]:
            route = self._route(start, partial(_reaches, goal))
            tail = self.graph.walk(goal[0])
            return [start[0], *(node[0] for node, _ in route[:-1]), *tail["prefix"]], tail["cycle"]
        members = set(self.live[self.roots[-1].number :])
        prefix, entry = [], start
        if start not in members:
            route = self._route(start, lambda step: step[0] in members)
            entry = route[-1][0]
            prefix = [start[0], *(node[0] for node, _ in route[:-1])]
        return prefix, self._cycle(entry, members)

    def _cycle(self, entry: Node, members: set[Node]) -> list[int]:
        """Return the events of a cycle in a component on which no U stays pending."""
        cycle, node, pending = [entry[0]], entry, -1
        while pending or node != entry:
            wanted = partial(_resolves, pending) if pending else partial(_reaches, entry)
            route = self._route(node, wanted, members)
            for step, still in route:
                cycle.append(step[0])
                pending &= still
            node = route[-1][0]
        return cycle[:-1]

    def _route(
        self,
        start: Node,
        wanted: Callable[[tuple[Node, int]], bool],
        members: set[Node] | None = None,
    ) -> list[tuple[Node, int]]:
        """Return the fewest steps, at least one, up to and including a wanted one."""
        origins: dict[Node, tuple[Node, tuple[Node, int]]] = {}
        todo = [start]
        for node in todo:
            for step in self.steps.get(node, ()):
                if members is not None and step[0] not in members:
                    continue
                if wanted(step):
                    route = [step]
                    while node != start:
                        node, step = origins[node]
                        route.append(step)
                    return route[::-1]
                if step[0] not in origins and step[0] != start:
                    origins[step[0]] = node, step
                    todo.append(step[0])
        raise AssertionError("the component that was found has no such step")


@dataclass(slots=True)
class _Root:
    """A component on the search path: first node, U pending in all its steps, and on the way in."""

    number: int
    inside: int
    entering: int


def _reaches(node: Node, step: tuple[Node, int]) -> bool:
    return step[0] == node


def _resolves(pending: int, step: tuple[Node, int]) -> bool:
    return pending & ~step[1] != 0


def _minimal(terms: list[Term]) -> list[Term]:
    """Drop every term that asks for no less than another one does."""
    if len(terms) < 2:
        return terms
    kept: list[Term] = []
    for left, pending in sorted(terms, key=lambda term: term[0].bit_count() + term[1].bit_count()):
        if not any(not (a & ~left or b & ~pending) for a, b in kept):
            kept.append((left, pending))
    return kept
