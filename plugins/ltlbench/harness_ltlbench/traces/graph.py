"""The event graph as the readers of traces know it: what may follow what, from the problem alone."""

from __future__ import annotations

import re
from typing import Any

from harness_ltlbench.formula import Formula

EVENT = r"event[1-9][0-9]{0,3}"

Part = tuple[Formula, tuple[int, ...]]
"""A statement's formula, and which statements its operands are; 0 for an event."""


def numbers(text: str) -> list[int]:
    """Return the events that a text names, in its order."""
    return [int(number) for number in re.findall(r"event([0-9]+)", text)]


class Graph:
    """An event graph: what can follow what."""

    def __init__(self, problem: dict[str, Any]) -> None:
        self.problem = problem
        self.initial: int = problem["initial"]
        self.edges = {(a, b) for a, b in problem["edges"]}
        self.stuck = set(range(1, problem["events"] + 1)) - {a for a, _ in self.edges}

    def after(self, event: int) -> list[int]:
        """Return what can happen after an event, in ascending order."""
        return [event] if event in self.stuck else sorted(b for a, b in self.edges if a == event)
