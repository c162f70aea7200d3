"""Pairs of problems that differ in the target of one edge and have opposite labels.

First comes a graph with many moves of an edge that leave its shape as it is: the same out-degrees and in-degrees, the
same events within reach, as many events on cycles of each size. Then formulas are drawn until one fails on the graph,
though seldom on a random walk, and holds on every path once an edge of the violating path is moved. So only what the
formula says of the paths tells the two apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

from harness import Abstained
from harness_ltlbench import walks
from harness_ltlbench.engines import lasso, tableau
from harness_ltlbench.engines.closure import Lasso
from harness_ltlbench.formula import Formula, atoms

SMALL = 3  # events: no move would keep in-degrees, too
MOVES = 6  # that a graph of more than 5 events has at least
FIRST = 2  # walks that must not violate a formula before an edge is moved
# Walks that go on in circles once an event comes again; of these, too, few may violate the formula.
WALKS = 32

Edges = list[list[int]]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two problems of opposite labels: on ``violated`` the path ``violation`` violates the formula.

    ``chance`` is the probability that a random walk does; ``nodes`` what the larger of the two tableaux had.
    """

    violated: Mapping[str, Any]
    satisfied: Mapping[str, Any]
    violation: Lasso
    chance: Fraction
    nodes: int


def decided(formula: Formula, initial: int) -> bool | None:
    """Return what the initial event alone says of a formula, None where more is needed; not all of it is found."""
    if isinstance(formula, int):
        return bool(formula == initial)
    operator, parts = str(formula[0]), formula[1:]
    first, last = decided(parts[0], initial), decided(parts[-1], initial)
    if operator == "!":
        return None if first is None else not first
    if operator in "FG":
        return first if first is (operator == "F") else None
    if operator == "->":
        operator, first = "|", None if first is None else not first
    if operator not in "&|":
        return None
    winner = operator == "|"
    if winner in (first, last):
        return winner
    return None if None in (first, last) else not winner


class Board:
    """A graph on which formulas are tried: its edges, and the moves of one of them that keep its shape.

    Args:
        events: how many there are.
        initial: the initial event.
        edges: the graph.
    """

    def __init__(self, events: int, initial: int, edges: Edges) -> None:
        self.edges = edges
        self.graph = _Graph(events, initial, edges)
        self.moves: dict[tuple[int, int], list[tuple[int, Edges]]] = {}
        if not self.graph.branches:
            return
        for source, target in edges:
            for other in self.graph.targets_like(source, target):
                moved = sorted([e for e in edges if e != [source, target]] + [[source, other]])
                if _Graph(events, initial, moved).shape == self.graph.shape:
                    self.moves.setdefault((source, target), []).append((other, moved))

    @property
    def rich(self) -> bool:
        """Whether there are enough moves for it to be worth while."""
        least = MOVES if self.graph.events > 5 else 1
        return sum(map(len, self.moves.values())) >= least

    def pair(
        self, problem: Mapping[str, Any], rarity: float, rng: Random, rejected: Counter[str]
    ) -> Pair | None:
        """Return a pair whose violated half is a problem on this graph, None if there is none.

        ``rejected`` counts why.
        """
        graph, formula = self.graph, problem["formula"]
        if decided(formula, graph.initial) is not None:
            reason = "initial event"
        elif any(graph.violated_by_walk(formula, rng) for _ in range(FIRST)):
            reason = "walk"
        else:
            try:
                found = self._twins(problem, rarity, rng)
            except Abstained:
                found = "undecided"
            if isinstance(found, Pair):
                return found
            reason = found
        rejected[reason] += 1
        return None

    def _twins(self, problem: Mapping[str, Any], rarity: float, rng: Random) -> Pair | str:
        result = tableau.check(problem)
        violation = result.violation
        if violation is None:
            return "label"
        path = [*violation["prefix"], *violation["cycle"], violation["cycle"][0]]
        named = set(atoms(problem["formula"]))
        for step in dict.fromkeys(pairwise(path)):
            for target, edges in self.moves.get(step, ()):
                if (step[1] in named) is not (target in named):
                    continue
                twin = {**problem, "edges": edges}
                other = tableau.check(twin)
                if not other.holds:
                    continue
                chance = walks.violation(problem)
                if chance > rarity or not self._seldom_violated(problem["formula"], rarity, rng):
                    return "walk"
                nodes = max(result.nodes, other.nodes)
                return Pair(problem, twin, violation, chance, nodes)
        return "twin"

    def _seldom_violated(self, formula: Formula, rarity: float, rng: Random) -> bool:
        """Return whether few enough of `WALKS` walks in circles violate a formula."""
        left = int(rarity * WALKS)
        for _ in range(WALKS):
            left -= self.graph.violated_by_walk(formula, rng)
            if left < 0:
                return False
        return True


class _Graph:
    """A graph with sets of events as bit masks."""

    def __init__(self, events: int, initial: int, edges: Sequence[Sequence[int]]) -> None:
        self.events, self.initial, self.edges = events, initial, edges
        self.small = events <= SMALL
        self.after = [0] * (events + 1)
        self.entering = [0] * (events + 1)
        for source, target in edges:
            self.after[source] |= 1 << target
            self.entering[target] += 1
        self.reachable = self._from(1 << initial)
        self.followers = [walks.bits_of(mask) or [event] for event, mask in enumerate(self.after)]

    def _from(self, events: int) -> int:
        reached, fresh = events, events
        while fresh:
            event = (fresh & -fresh).bit_length() - 1
            fresh &= fresh - 1
            fresh |= self.after[event] & ~reached
            reached |= self.after[event]
        return reached

    @property
    def branches(self) -> bool:
        """Whether some reachable event has several followers."""
        return any(self.after[e].bit_count() > 1 for e in walks.bits_of(self.reachable))

    def targets_like(self, source: int, target: int) -> list[int]:
        """Return the other targets that an edge can be moved to so that in-degrees only change places."""
        if not self.reachable >> source & 1:
            return []
        return [
            other
            for other in range(1, self.events + 1)
            if other not in (source, target)
            and not self.after[source] >> other & 1
            and (self.small or self.entering[other] == self.entering[target] - 1)
            and (self.small or self.initial not in (other, target))
            and len(str(other)) == len(str(target))  # the prompts are equally long
        ]

    @property
    def shape(self) -> tuple[int, list[int], int]:
        """The events within reach, the sizes of the groups that reach each other, and how many edges lead back."""
        ahead = {event: self._from(self.after[event]) for event in walks.bits_of(self.reachable)}
        groups = (
            sum(reached >> other & ahead[other] >> event & 1 for other in ahead)
            for event, reached in ahead.items()
        )
        back = (
            0
            if self.small
            else sum(self.after[target] >> source & 1 for source, target in self.edges)
        )
        return self.reachable, sorted(groups), back

    def violated_by_walk(self, formula: Formula, rng: Random) -> bool:
        """Return whether a random walk that goes on in circles, once an event comes again, violates a formula."""
        return not lasso.holds(formula, *walks.closed(self.initial, self.followers, rng))
