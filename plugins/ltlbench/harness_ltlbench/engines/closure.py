"""The graph, and the subformulas with their bounds: what our engine knows before it searches.

For each subformula of the negated formula we compute, by the fixpoints of CTL (Clarke, Emerson,
Sistla 1986), a set of events from which all paths satisfy it (``must``) and a set that contains
every event from which some path does (``may``). Where the two meet, the subformula says nothing
about the choice of path, and a set of events stands in for it from then on. What is left open
is searched by `harness_ltlbench.engines.tableau`.

Sets are int bitmasks throughout: bit e for event e, bit i for subformula i.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

from harness_ltlbench.formula import Formula

Lasso = dict[str, list[int]]
Bounds = tuple[int, int]
"""The events where all paths satisfy a subformula, and those where some path may."""

_Build = Callable[["Formulas", int, int], int]
_Task = tuple[Any, bool, _Build | None]

LITERAL, AND, OR, NEXT, UNTIL, RELEASE = range(6)

# Etessami and Holzmann 2000: true of a path as soon as it is true of a suffix; true of all
# suffixes as soon as it is true of a path. Then F f = f, G f = f, and with both X f = f.
_EVENTUAL, _UNIVERSAL = 1, 2


@lru_cache(maxsize=4096)  # few events have few sets, and they come again and again
def bits_of(mask: int) -> tuple[int, ...]:
    """Return the places of the bits that are set, lowest first."""
    return tuple([place for place in range(mask.bit_length()) if mask >> place & 1])


class Graph:
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
        sources = 0
        for event in bits_of(events):
            sources |= self.before.get(event, 0)
        return sources

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
            for event in bits_of(candidates):
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


class Formulas:
    """The subformulas of the negated formula, each once, children before parents, with bounds."""

    def __init__(self, graph: Graph, formula: Formula) -> None:
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
                done.append(build(self, done.pop() if len(node) == 3 else right, right))
            elif isinstance(node, int):
                event = self.graph.all & 1 << node
                done.append(self._literal(event if positive else self.graph.all & ~event))
            elif node[0] == "!":
                todo.append((node[1], not positive, None))
            else:
                operator = node[0] if positive else _DUAL[node[0]]
                todo.append((node, positive, _BUILD[operator]))
                todo.extend((part, positive, None) for part in node[:1:-1])
                # a -> b is (!a) | b
                todo.append((node[1], positive != (node[0] == "->"), None))
        return done.pop()

    def _add(self, kind: int, left: int, right: int, bounds: Bounds, flags: int = 0) -> int:
        if bounds[0] == bounds[1] and kind != LITERAL:
            return self._literal(bounds[0])
        key = (kind, left, right)
        known = self.index.get(key)
        if known is not None:
            return known
        i = self.index[key] = len(self.kind)
        self.kind.append(kind)
        self.left.append(left)
        self.right.append(right)
        self.must.append(bounds[0])
        self.may.append(bounds[1])
        self.flags.append(flags)
        both = kind == AND
        self.bits.append(self.bits[left] | self.bits[right] if both else 1 << i)
        self.implied.append(self.implied[left] | self.implied[right] if both else 0)
        return i

    def _literal(self, events: int) -> int:
        constant = events in (0, self.graph.all)
        flags = _EVENTUAL | _UNIVERSAL if constant else 0
        return self._add(LITERAL, events, 0, (events, events), flags)

    def _and(self, a: int, b: int) -> int:
        if self.kind[a] == self.kind[b] == NEXT:
            return self._next(self._and(self.left[a], self.left[b]), 0)
        bounds = self.must[a] & self.must[b], self.may[a] & self.may[b]
        return self._add(AND, a, b, bounds, self.flags[a] & self.flags[b])

    def _or(self, a: int, b: int) -> int:
        if self.kind[a] == self.kind[b] == NEXT:
            return self._next(self._or(self.left[a], self.left[b]), 0)
        bounds = self.must[a] | self.must[b], self.may[a] | self.may[b]
        return self._add(OR, a, b, bounds, self.flags[a] & self.flags[b])

    def _next(self, a: int, _: int) -> int:
        if self.flags[a] == _EVENTUAL | _UNIVERSAL:
            return a
        bounds = self.graph.all_next(self.must[a]), self.graph.some_next(self.may[a])
        return self._add(NEXT, a, 0, bounds, self.flags[a])

    def _until(self, a: int, b: int) -> int:
        if self.flags[b] & _EVENTUAL:
            return b
        if self.kind[b] == NEXT and (self.kind[a] == NEXT or self._is(a, self.graph.all)):
            return self._next(self._until(self._inside(a), self.left[b]), 0)
        must = self.graph.all_until(self.must[a], self.must[b])
        may = self.graph.some_until(self.may[a], self.may[b])
        eventual = _EVENTUAL if self._is(a, self.graph.all) else 0
        return self._add(UNTIL, a, b, (must, may), eventual | self.flags[a] & self.flags[b])

    def _release(self, a: int, b: int) -> int:
        if self.flags[b] & _UNIVERSAL:
            return b
        if self.kind[b] == NEXT and (self.kind[a] == NEXT or self._is(a, 0)):
            return self._next(self._release(self._inside(a), self.left[b]), 0)
        # a R b = !(!a U !b)
        every = self.graph.all
        must = every & ~self.graph.some_until(every & ~self.must[a], every & ~self.must[b])
        may = every & ~self.graph.all_until(every & ~self.may[a], every & ~self.may[b])
        universal = _UNIVERSAL if self._is(a, 0) else 0
        i = self._add(RELEASE, a, b, (must, may), universal | self.flags[a] & self.flags[b])
        if self.kind[i] == RELEASE:
            self.implied[i] = self.bits[b] | self.implied[b]
        return i

    def _is(self, a: int, events: int) -> bool:
        return self.kind[a] == LITERAL and self.left[a] == events

    def _inside(self, a: int) -> int:
        """Return the operand of X; true and false are their own X."""
        return self.left[a] if self.kind[a] == NEXT else a


_DUAL = {"X": "X", "F": "G", "G": "F", "&": "|", "|": "&", "->": "&", "U": "R", "R": "U"}
_DUAL |= {"W": "M", "M": "W"}
_BUILD: dict[str, _Build] = {
    "X": Formulas._next, "&": Formulas._and, "|": Formulas._or, "->": Formulas._or,
    "U": Formulas._until, "R": Formulas._release,
    "F": lambda f, a, _: f._until(f._literal(f.graph.all), a),
    "G": lambda f, a, _: f._release(f._literal(0), a),
    "W": lambda f, a, b: f._release(b, f._or(a, b)),
    "M": lambda f, a, b: f._until(b, f._and(a, b)),
}  # fmt: skip
