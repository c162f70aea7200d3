"""Cheap ways to answer that use a part of the problem: what they score, an answer is worth nothing."""

from __future__ import annotations

from typing import Any

from harness import Item, Shortcut
from harness_timetables.clock import digits
from harness_timetables.weaknesses import first_listed

SHORTCUTS = (
    Shortcut(
        "first_listed",
        "The first arrival at the destination after the start, by any train.",
        "whether one can be on that train",
    ),
    Shortcut(
        "direct",
        "The first arrival by a train that goes all the way, or never.",
        "that one can change trains",
    ),
)


def completion(item: Item, name: str) -> str:
    """Return the answer of a shortcut."""
    arrival = {"first_listed": first_listed, "direct": _direct}[name](item.problem)
    return "Answer: never" if arrival is None else f"Answer: {digits(arrival)}"


def _direct(problem: Any) -> int | None:
    """Return the first arrival by one train alone, None where no train goes all the way."""
    arrivals = []
    for train in problem["trains"]:
        at = {station: (arrival, departure) for station, arrival, departure in train["stops"]}
        start, end = at.get(problem["from"]), at.get(problem["to"])
        if start and end and problem["leave"] <= start[1] < end[0]:
            arrivals.append(end[0])
    return min(arrivals, default=None)
