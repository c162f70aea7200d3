"""Decision diagrams of up-closed functions of sets, and of the families of their minimal sets.

A node is a number: 0 and 1 are the ends, any other one has a level, and two nodes below it: ``low`` and
``high``. It is read in two ways. As a *function* (reduced, ordered: Bryant 1986), a set is in it if the way
down from the node ends in 1 that takes ``high`` where the set has the element ``level``. As a *family*
(zero-suppressed: Minato 1993) likewise, but a set in it has no element that the way passes over.
Equal functions are equal numbers, and so are equal families. A node has a greater number than those below it.
"""

from __future__ import annotations

from harness_tempobench.cause_value import Abstained

MAX_HEIGHT = 400
"""Nodes below each other: twice as many calls are within each other."""

_SHIFT = 32  # bits of a number of a node, or of a level
_END = 1 << _SHIFT  # the level of the ends


class Diagrams:
    """A table of nodes; it abstains where there are more than ``most`` of them, or kept results of one kind."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._nodes = [(_END, 0, 0), (_END, 1, 1)]
        """Of each node the level, and the nodes below: low and high."""
        self._height = [0, 0]
        self._numbers: dict[int, int] = {}
        self._unions: dict[int, int] = {}
        self._rests: dict[int, int] = {}

    def __len__(self) -> int:
        """Return how many nodes and results are kept."""
        return len(self._nodes) + len(self._unions) + len(self._rests)

    def _abstained(self) -> Abstained:
        return Abstained(
            f"the cause takes more than {self._most:,} nodes, or {MAX_HEIGHT} below each other:"
            " allow more, or take an earlier step"
        )

    def node(self, level: int, low: int, high: int) -> int:
        """Return the node with these three, which is reduced."""
        key = (level << _SHIFT | low) << _SHIFT | high
        number = self._numbers.get(key)
        if number is None:
            below, other = self._height[low], self._height[high]
            height = below + 1 if below > other else other + 1
            number = len(self._nodes)
            if number >= self._most or height > MAX_HEIGHT:
                raise self._abstained()
            self._numbers[key] = number
            self._height.append(height)
            self._nodes.append((level, low, high))
        return number

    def union(self, first: int, other: int) -> int:
        """Return the function of the sets that are in one of two functions."""
        if first > other:
            first, other = other, first
        if first < 2:
            return first or other
        if first == other:
            return first
        key = first << _SHIFT | other
        result = self._unions.get(key)
        if result is None:
            level, low, high = self._nodes[first]
            below, other_low, other_high = self._nodes[other]
            if level < below:
                other_low = other_high = other
            elif below < level:
                level, low, high = below, first, first
            low = self.union(low, other_low)
            high = self.union(high, other_high) if low != 1 else 1  # high has all that low has
            if len(self._unions) >= self._most:
                raise self._abstained()
            result = self._unions[key] = low if low == high else self.node(level, low, high)
        return result

    def without(self, family: int, function: int) -> int:
        """Return the family of those sets of a family that are not in a function."""
        if function < 2 or family < 2:  # the empty set is in no function but 1
            return 0 if function == 1 else family
        key = family << _SHIFT | function
        result = self._rests.get(key)
        if result is None:
            level, family_low, family_high = self._nodes[family]
            below, low, high = self._nodes[function]
            if below < level:
                result = self.without(family, low)
            else:
                if level < below:
                    low = high = function
                low, high = self.without(family_low, low), self.without(family_high, high)
                result = self.node(level, low, high) if high else low
            if len(self._rests) >= self._most:
                raise self._abstained()
            self._rests[key] = result
        return result

    def minimal(self, function: int) -> int:
        """Return the family of the minimal sets of a function."""
        minimal = {0: 0, 1: 1}
        for number in self._below(function):
            level, below, other = self._nodes[number]
            low, high = minimal[below], self.without(minimal[other], below)
            minimal[number] = self.node(level, low, high) if high else low
        return minimal[function]

    def count(self, family: int) -> int:
        """Return how many sets are in a family."""
        counts = {0: 0, 1: 1}
        for number in self._below(family):
            _, low, high = self._nodes[number]
            counts[number] = counts[low] + counts[high]
        return counts[family]

    def sets(self, family: int) -> list[tuple[int, ...]]:
        """Return the sets of a family, each in ascending order."""
        found: list[tuple[int, ...]] = []
        pending: list[tuple[int, tuple[int, ...]]] = [(family, ())]
        while pending:
            number, chosen = pending.pop()
            while number > 1:
                level, low, high = self._nodes[number]
                pending.append((high, (*chosen, level)))
                number = low
            if number:
                found.append(chosen)
        return found

    def _below(self, number: int) -> list[int]:
        """Return a node and all below it but the ends, in ascending order."""
        seen: set[int] = set()
        pending = [number]
        while pending:
            number = pending.pop()
            if number > 1 and number not in seen:
                seen.add(number)
                pending += self._nodes[number][1:]
        return sorted(seen)
