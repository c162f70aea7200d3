"""The certificate checker: does a path of the graph satisfy a formula? No engine is involved.

A lasso is ``{"prefix": [events], "cycle": [events]}``: the path that takes the prefix once
and then the cycle forever. The meaning of a formula on it is written down here from the
semantics of LTL alone, so that whoever doubts a "False" label can check its counterexample
with this file and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from harness_ltlbench.formula import Formula

MAX_LENGTH = 4096
"""Longest lasso, prefix and cycle together, that `path_errors` lets pass."""


def holds(formula: Formula, prefix: Sequence[int], cycle: Sequence[int]) -> bool:
    """Return whether the path prefix·cycle·cycle·… satisfies a (valid) formula at its start.

    Args:
        formula: a formula that passed `harness_ltlbench.formula.validate`.
        prefix: events, may be empty.
        cycle: events, at least one.
    """
    return positions(formula, prefix, cycle)[0]


def positions(formula: Formula, prefix: Sequence[int], cycle: Sequence[int]) -> list[bool]:
    """Return for each position of prefix and cycle whether the path from there on satisfies a formula."""
    path = [*prefix, *cycle]
    truth = _Word(path, len(prefix)).truth(formula)
    return [bool(truth >> at & 1) for at in range(len(path))]


def path_errors(problem: Any, lasso: Any) -> str | None:
    """Return the first reason why a JSON value is not a path of the graph, or None if it is one.

    The path has to begin at the initial event and follow the edges, where an event without
    outgoing edge repeats forever. Never raises, whatever ``lasso`` is; ``problem`` is valid.
    """
    error = _shape_errors(lasso)
    if error:
        return error
    prefix, cycle = lasso["prefix"], lasso["cycle"]
    path = [*prefix, *cycle, cycle[0]]
    for event in path:
        if not 1 <= event <= problem["events"]:
            # str() of a huge integer is slow and, beyond 4300 digits, an error
            return f"there is no event{event if abs(event) < 10**9 else '(out of range)'}"
    if path[0] != problem["initial"]:
        return f"the path starts at event{path[0]}, not at event{problem['initial']}"
    return _edge_errors(problem["edges"], path)


def _shape_errors(lasso: Any) -> str | None:
    if not isinstance(lasso, dict) or set(lasso) != {"prefix", "cycle"}:
        return "a path is an object with the keys prefix and cycle and no other"
    for key in ("prefix", "cycle"):
        part = lasso[key]
        if not isinstance(part, list):
            return f"the {key} is not a list"
        if len(part) > MAX_LENGTH:
            return f"the path is longer than {MAX_LENGTH} events"
        for event in part:
            if not isinstance(event, int) or isinstance(event, bool):
                return f"the {key} has an entry that is not an event number"
    if not lasso["cycle"]:
        return "the cycle is empty"
    if len(lasso["prefix"]) + len(lasso["cycle"]) > MAX_LENGTH:
        return f"the path is longer than {MAX_LENGTH} events"
    return None


def _edge_errors(edges: Sequence[Sequence[int]], path: Sequence[int]) -> str | None:
    known = {(source, target) for source, target in edges}
    sources = {source for source, _ in known}
    for source, target in pairwise(path):
        stays = source == target and source not in sources
        if (source, target) not in known and not stays:
            return f"event{source} cannot be followed by event{target}"
    return None


class _Word:
    """The positions of a lasso; a set of positions is an int with bit i for position i."""

    def __init__(self, path: Sequence[int], loop: int) -> None:
        self.last = len(path) - 1
        self.loop = loop
        self.all = (1 << len(path)) - 1
        self.at: dict[int, int] = {}
        for position, event in enumerate(path):
            self.at[event] = self.at.get(event, 0) | 1 << position

    def truth(self, formula: Formula) -> int:
        """Return the positions at which a formula holds."""
        if isinstance(formula, int):
            return self.at.get(formula, 0)
        return _MEANING[formula[0]](self, *map(self.truth, formula[1:]))

    def next(self, a: int) -> int:
        """X: the positions whose successor is in a; the last position is followed by the loop."""
        return a >> 1 | (a >> self.loop & 1) << self.last

    def until(self, a: int, b: int) -> int:
        """U: the least set Z with Z = b ∪ (a ∩ X Z)."""
        z, grown = 0, b
        while grown != z:
            z, grown = grown, grown | (a & self.next(grown))
        return z

    def release(self, a: int, b: int) -> int:
        """R: the greatest set Z with Z = b ∩ (a ∪ X Z)."""
        z, shrunk = self.all, b
        while shrunk != z:
            z, shrunk = shrunk, shrunk & (a | self.next(shrunk))
        return z


_MEANING: dict[str, Callable[..., int]] = {
    "!": lambda w, a: w.all & ~a,
    "&": lambda _, a, b: a & b,
    "|": lambda _, a, b: a | b,
    "->": lambda w, a, b: w.all & ~a | b,
    "X": _Word.next,
    "F": lambda w, a: w.until(w.all, a),
    "G": lambda w, a: w.release(0, a),
    "U": _Word.until,
    "R": _Word.release,
    "W": lambda w, a, b: w.release(b, a | b),  # a W b = b R (a | b)
    "M": lambda w, a, b: w.until(b, a & b),  # a M b = b U (a & b)
}
