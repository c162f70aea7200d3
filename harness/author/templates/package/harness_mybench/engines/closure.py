"""The engine that makes labels: what follows from what, by the algorithm of Floyd and Warshall.

It shares no code with `harness_mybench.engines.orders`, which confirms it:
a slip in one of them is seen instead of made twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from harness import EngineError

from harness_mybench.problem import NO, UNKNOWN, YES


class Closure:
    """Which of two events came first, for all pairs at once, and by how many statements one sees it."""

    def __init__(self, events: int, before: Iterable[Sequence[int]]) -> None:
        self._next: list[list[int | None]] = [[None] * events for _ in range(events)]
        self._steps: list[list[int]] = [[0] * events for _ in range(events)]
        for first, second in before:
            self._next[first][second] = second
            self._steps[first][second] = 1
        for middle in range(events):
            for first in range(events):
                if self._steps[first][middle]:
                    self._join(first, middle)

    def _join(self, first: int, middle: int) -> None:
        """Go from an event to all that lie behind the middle one, where that is shorter."""
        for second, more in enumerate(self._steps[middle]):
            steps, known = self._steps[first][middle] + more, self._steps[first][second]
            if more and (not known or steps < known):
                self._steps[first][second] = steps
                self._next[first][second] = self._next[first][middle]

    def steps(self, first: int, second: int) -> int:
        """Return the least number of statements from which it follows that ``first`` came first; or 0."""
        return self._steps[first][second]

    def label(self, first: int, second: int) -> str:
        """Return whether ``first`` came before ``second``.

        Raises:
            EngineError: the statements contradict each other.
        """
        if any(self._steps[event][event] for event in range(len(self._steps))):
            raise EngineError("the statements contradict each other: an event comes before itself")
        if self._steps[first][second]:
            return YES
        return NO if self._steps[second][first] else UNKNOWN

    def chain(self, first: int, second: int) -> list[int] | None:
        """Return the events of a shortest chain from one of the two to the other, None where none is."""
        at, end = (first, second) if self._steps[first][second] else (second, first)
        if not self._steps[at][end]:
            return None
        chain = [at]
        while chain[-1] != end:
            following = self._next[chain[-1]][end]
            assert following is not None
            chain.append(following)
        return chain


def decide(problem: dict[str, Any]) -> tuple[str, list[int] | None]:
    """Return the label of a problem and the chain that proves it, None for an unknown order."""
    known = Closure(problem["events"], problem["before"])
    return known.label(*problem["ask"]), known.chain(*problem["ask"])
