"""Our own engine: an explicit-state tableau on the fly, sharing nothing with other engines.

We look for a path of the graph that violates the formula, i.e. that satisfies its negation
in negation normal form over literals, &, |, X, U and R. Two steps:

1. Bounds. For each subformula we compute, by the fixpoints of CTL (Clarke, Emerson, Sistla
   1986), a set of events from which all paths satisfy it (``must``) and a set that contains
   every event from which some path does (``may``). Where the two meet, the subformula says
   nothing about the choice of path, and a set of events stands in for it from then on.
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
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from harness import Abstained
from harness_ltlbench.formula import Formula

Lasso = dict[str, list[int]]
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

_Task = tuple[Any, bool, "Callable[[int, int], int] | None"]

Bounds = tuple[int, int]

_LITERAL, _AND, _OR, _NEXT, _UNTIL, _RELEASE = range(6)

# Etessami and Holzmann 2000: true of a path as soon as it is true of a suffix; true of all
# suffixes as soon as it is true of a path. Then F f = f, G f = f, and with both X f = f.
_EVENTUAL, _UNIVERSAL = 1, 2


@dataclass(frozen=True, slots=True)
class Result:
    """The label, a lasso of the graph that violates the formula (if False), nodes expanded."""

    holds: bool
    violation: Lasso | None
    nodes: int


def check(problem: Mapping[str, Any], max_nodes: int = 200_000) -> Result:
    """Decide a valid problem: do all paths from its initial event satisfy its formula?

    Raises:
        Abstained: more than ``max_nodes`` nodes, or as much work of another kind, were needed.
    """
    graph = _Graph(problem, [problem["initial"]])
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
    search = _Search(_Graph(problem, events), formula, max_nodes)
    return [event for event in events if not search.satisfiable(event)]


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


class _Graph:
    """The part of the graph that is reachable from some events, with CTL's operators on it."""

    def __init__(self, problem: Mapping[str, Any], starts: Iterable[int]) -> None:
        successors: dict[int, list[int]] = {}
        for source, target in problem["edges"]:
            successors.setdefault(source, []).append(target)
        self.after: dict[int, list[int]] = {}
        self.after_mask: dict[int, int] = {}
        self.before: dict[int, int] = {}
        todo = list(starts)
        for source in todo:
            if source in self.after:
                continue
            targets = self.after[source] = successors.get(source) or [source]
            mask = 0
            for target in targets:
                mask |= 1 << target
                self.before[target] = self.before.get(target, 0) | 1 << source
            self.after_mask[source] = mask
            todo.extend(targets)
        self.all = 0
        for event in self.after:
            self.all |= 1 << event

    def some_next(self, events: int) -> int:
        """EX: events with a successor among the given ones."""
        found = 0
        for event in _bits(events):
            found |= self.before.get(event, 0)
        return found

    def all_next(self, events: int) -> int:
        """AX: events with all successors among the given ones."""
        return self.all & ~self.some_next(self.all & ~events)

    def some_until(self, a: int, b: int) -> int:
        """E(a U b)."""
        reached = fresh = b
        while fresh:
            fresh = self.some_next(fresh) & a & ~reached
            reached |= fresh
        return reached

    def all_until(self, a: int, b: int) -> int:
        """A(a U b)."""
        reached = fresh = b
        while fresh:
            candidates = self.some_next(fresh) & a & ~reached
            fresh = 0
            for event in _bits(candidates):
                if not self.after_mask[event] & ~reached:
                    fresh |= 1 << event
            reached |= fresh
        return reached

    def walk(self, event: int) -> Lasso:
        """Return any lasso from an event: always the first successor."""
        path: list[int] = []
        place: dict[int, int] = {}
        while event not in place:
            place[event] = len(path)
            path.append(event)
            event = self.after[event][0]
        loop = place[event]
        return {"prefix": path[:loop], "cycle": path[loop:]}


class _Formulas:
    """The subformulas of the negated formula, each once, children before parents, with bounds."""

    def __init__(self, graph: _Graph, formula: Formula) -> None:
        self.graph = graph
        self.kind: list[int] = []
        self.left: list[int] = []
        self.right: list[int] = []
        self.must: list[int] = []
        self.may: list[int] = []
        self.flags: list[int] = []
        self.bits: list[int] = []  # as obligations: an "and" is both its parts
        self.implied: list[int] = []  # obligations it makes redundant
        self.index: dict[tuple[int, int, int], int] = {}
        self.root = self._compile(formula)

    def _compile(self, formula: Formula) -> int:
        """Return the index of the negation of a formula; no recursion."""
        done: list[int] = []
        todo: list[_Task] = [(formula, False, None)]
        while todo:
            node, positive, build = todo.pop()
            if build is not None:
                right = done.pop()
                done.append(build(done.pop() if len(node) == 3 else right, right))
            elif isinstance(node, int):
                event = self.graph.all & 1 << node
                done.append(self._literal(event if positive else self.graph.all & ~event))
            elif node[0] == "!":
                todo.append((node[1], not positive, None))
            else:
                operator = node[0] if positive else _DUAL[node[0]]
                todo.append((node, positive, getattr(self, _BUILD[operator])))
                todo.extend((part, positive, None) for part in node[:1:-1])
                # a -> b is (!a) | b
                todo.append((node[1], positive != (node[0] == "->"), None))
        return done.pop()

    def _add(self, kind: int, left: int, right: int, bounds: Bounds, flags: int = 0) -> int:
        if bounds[0] == bounds[1] and kind != _LITERAL:
            return self._literal(bounds[0])
        key = (kind, left, right)
        found = self.index.get(key)
        if found is not None:
            return found
        i = self.index[key] = len(self.kind)
        self.kind.append(kind)
        self.left.append(left)
        self.right.append(right)
        self.must.append(bounds[0])
        self.may.append(bounds[1])
        self.flags.append(flags)
        both = kind == _AND
        self.bits.append(self.bits[left] | self.bits[right] if both else 1 << i)
        self.implied.append(self.implied[left] | self.implied[right] if both else 0)
        return i

    def _literal(self, events: int) -> int:
        constant = events in (0, self.graph.all)
        flags = _EVENTUAL | _UNIVERSAL if constant else 0
        return self._add(_LITERAL, events, 0, (events, events), flags)

    def _and(self, a: int, b: int) -> int:
        if self.kind[a] == self.kind[b] == _NEXT:
            return self._next(self._and(self.left[a], self.left[b]), 0)
        bounds = self.must[a] & self.must[b], self.may[a] & self.may[b]
        return self._add(_AND, a, b, bounds, self.flags[a] & self.flags[b])

    def _or(self, a: int, b: int) -> int:
        if self.kind[a] == self.kind[b] == _NEXT:
            return self._next(self._or(self.left[a], self.left[b]), 0)
        bounds = self.must[a] | self.must[b], self.may[a] | self.may[b]
        return self._add(_OR, a, b, bounds, self.flags[a] & self.flags[b])

    def _next(self, a: int, _: int) -> int:
        if self.flags[a] == _EVENTUAL | _UNIVERSAL:
            return a
        bounds = self.graph.all_next(self.must[a]), self.graph.some_next(self.may[a])
        return self._add(_NEXT, a, 0, bounds, self.flags[a])

    def _until(self, a: int, b: int) -> int:
        if self.flags[b] & _EVENTUAL:
            return b
        if self.kind[b] == _NEXT and (self.kind[a] == _NEXT or self._is(a, self.graph.all)):
            return self._next(self._until(self._inside(a), self.left[b]), 0)
        must = self.graph.all_until(self.must[a], self.must[b])
        may = self.graph.some_until(self.may[a], self.may[b])
        eventual = _EVENTUAL if self._is(a, self.graph.all) else 0
        return self._add(_UNTIL, a, b, (must, may), eventual | self.flags[a] & self.flags[b])

    def _release(self, a: int, b: int) -> int:
        if self.flags[b] & _UNIVERSAL:
            return b
        if self.kind[b] == _NEXT and (self.kind[a] == _NEXT or self._is(a, 0)):
            return self._next(self._release(self._inside(a), self.left[b]), 0)
        # a R b = !(!a U !b)
        every = self.graph.all
        must = every & ~self.graph.some_until(every & ~self.must[a], every & ~self.must[b])
        may = every & ~self.graph.all_until(every & ~self.may[a], every & ~self.may[b])
        universal = _UNIVERSAL if self._is(a, 0) else 0
        i = self._add(_RELEASE, a, b, (must, may), universal | self.flags[a] & self.flags[b])
        if self.kind[i] == _RELEASE:
            self.implied[i] = self.bits[b] | self.implied[b]
        return i

    def _is(self, a: int, events: int) -> bool:
        return self.kind[a] == _LITERAL and self.left[a] == events

    def _inside(self, a: int) -> int:
        """Return the operand of X; true and false are their own X."""
        return self.left[a] if self.kind[a] == _NEXT else a

    def _finally(self, a: int, _: int) -> int:
        return self._until(self._literal(self.graph.all), a)

    def _globally(self, a: int, _: int) -> int:
        return self._release(self._literal(0), a)

    def _weak_until(self, a: int, b: int) -> int:
        return self._release(b, self._or(a, b))

    def _strong_release(self, a: int, b: int) -> int:
        return self._until(b, self._and(a, b))


_DUAL = {"X": "X", "F": "G", "G": "F", "&": "|", "|": "&", "->": "&", "U": "R", "R": "U"}
_DUAL |= {"W": "M", "M": "W"}
_BUILD = {"X": "_next", "F": "_finally", "G": "_globally", "&": "_and", "|": "_or", "->": "_or"}
_BUILD |= {"U": "_until", "R": "_release", "W": "_weak_until", "M": "_strong_release"}


class _Search:
    """The search for an accepted path, from one event after the other."""

    def __init__(self, graph: _Graph, formula: Formula, max_nodes: int) -> None:
        self.graph = graph
        self.formulas = _Formulas(graph, formula)
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

    def run(self, event: int) -> Lasso | None:
        """Return a path from an event that satisfies the negated formula, None if none does."""
        known = self._bound(event)
        if known is not None:
            return self.graph.walk(event) if known else None
        start = self._start(event)
        goal = self._explore(start)
        return None if goal is None else _tidy(*self._lasso(start, goal))

    def _bound(self, event: int) -> bool | None:
        formulas = self.formulas
        if formulas.must[formulas.root] >> event & 1:
            return True
        return None if formulas.may[formulas.root] >> event & 1 else False

    def _start(self, event: int) -> Node:
        return event, self.formulas.bits[self.formulas.root] & ~self._decided(event)[0]

    def _decided(self, event: int) -> tuple[int, int]:
        """Return the subformulas that all paths, and that no path from an event satisfies."""
        found = self.decided.get(event)
        if found is None:
            true = false = 0
            formulas = self.formulas
            for i, (must, may) in enumerate(zip(formulas.must, formulas.may, strict=True)):
                true |= (must >> event & 1) << i
                false |= (~may >> event & 1) << i
            found = self.decided[event] = true, false
        return found

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
                if not self._is_dead(target):
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

    def _is_dead(self, node: Node) -> bool:
        """Return whether fewer obligations than these were found impossible."""
        others = ~node[1]
        return any(not dead & others for dead in self.dead.get(node[0], ()))

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
        for i in _bits(obligations):
            terms = self._product(terms, self._terms_of(i, event))
        terms = [(self._lean(left), pending) for left, pending in terms]
        found: dict[tuple[Node, int], None] = {}
        for target in self.graph.after[event]:
            true, false = self._decided(target)
            for left, pending in terms:
                if not left & false:
                    found[(target, left & ~true), pending & ~true] = None
        self._spend(len(self.graph.after[event]) * len(terms))
        steps = self.steps[node] = sorted(found, key=_size)
        return steps

    def _lean(self, obligations: int) -> int:
        """Drop what other obligations imply: a R b asks for b at once, b is enough for a U b."""
        for i in _bits(obligations):
            kind = self.formulas.kind[i]
            if kind == _RELEASE:
                obligations &= ~self.formulas.implied[i]
            elif kind == _UNTIL and not self.formulas.bits[self.formulas.right[i]] & ~obligations:
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
        if open_here and formulas.kind[i] != _NEXT:
            return formulas.left[i], formulas.right[i]
        return ()

    def _combine(self, i: int, event: int, known: dict[int, list[Term]]) -> list[Term]:
        formulas = self.formulas
        if formulas.must[i] >> event & 1:
            return [(0, 0)]
        if not formulas.may[i] >> event & 1:
            return []
        kind, left, right = formulas.kind[i], formulas.left[i], formulas.right[i]
        if kind == _NEXT:
            return [(formulas.bits[left], 0)]
        if kind == _AND:
            return self._product(known[left], known[right])
        if kind == _OR:
            return _minimal(known[left] + known[right])
        if kind == _UNTIL:
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
        came: dict[Node, tuple[Node, tuple[Node, int]]] = {}
        todo = [start]
        for node in todo:
            for step in self.steps.get(node, ()):
                if members is not None and step[0] not in members:
                    continue
                if wanted(step):
                    route = [step]
                    while node != start:
                        node, step = came[node]
                        route.append(step)
                    return route[::-1]
                if step[0] not in came and step[0] != start:
                    came[step[0]] = node, step
                    todo.append(step[0])
        raise AssertionError("the component that was found has no such step")


@dataclass(slots=True)
class _Root:
    """A component on the search path: first node, U pending in all its steps, and on the way in."""

    number: int
    inside: int
    entering: int


def _size(step: tuple[Node, int]) -> int:
    return step[0][1].bit_count() + step[1].bit_count()


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


def _tidy(prefix: list[int], cycle: list[int]) -> Lasso:
    """Return the shortest lasso for the same path."""
    for period in range(1, len(cycle) // 2 + 1):
        if len(cycle) % period == 0 and cycle == cycle[:period] * (len(cycle) // period):
            cycle = cycle[:period]
            break
    while prefix and prefix[-1] == cycle[-1]:
        prefix = prefix[:-1]
        cycle = [cycle[-1], *cycle[:-1]]
    return {"prefix": prefix, "cycle": cycle}
