"""The engine that confirms labels: it looks for an order of all events in which it was otherwise.

It shares no code with `harness_mybench.engines.closure`, which makes the labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness import EngineError

from harness_mybench.problem import NO, UNKNOWN, YES


def decide(problem: dict[str, Any]) -> tuple[str, list[list[int]] | None]:
    """Return the label of a problem, and for an unknown order two orders of all events, one each way.

    Raises:
        EngineError: the statements contradict each other.
    """
    first, second = problem["ask"]
    as_asked = fitting(problem["events"], [*problem["before"], [first, second]])
    otherwise = fitting(problem["events"], [*problem["before"], [second, first]])
    if as_asked and otherwise:
        return UNKNOWN, [as_asked, otherwise]
    if as_asked:
        return YES, None
    if otherwise:
        return NO, None
    raise EngineError("the statements contradict each other: no order fits all of them")


def fitting(events: int, before: Sequence[Sequence[int]]) -> list[int] | None:
    """Return an order of the events that fits all statements, None where there is none.

    Kahn's algorithm: what nothing has to come before is put next, until nothing is left.
    """
    waiting = dict.fromkeys(range(events), 0)
    for _, second in before:
        waiting[second] += 1
    order: list[int] = []
    while len(order) < events:
        ready = next((event for event, left in waiting.items() if left == 0), None)
        if ready is None:
            return None
        del waiting[ready]
        order.append(ready)
        for first, second in before:
            if first == ready:
                waiting[second] -= 1
    return order
