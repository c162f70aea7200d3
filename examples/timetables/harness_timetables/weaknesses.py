"""What makes an item easier than it looks, whatever its label says."""

from __future__ import annotations

from typing import Any

from harness import Item
from harness_timetables.clock import digits
from harness_timetables.config import WEAKNESSES
from harness_timetables.journeys import Rounds


def findings(item: Item) -> list[dict[str, str]]:
    """Return the weaknesses of an item, each with its kind and a message of one line."""
    problem = item.problem
    rounds = Rounds(problem)
    journey, first = rounds.journey(problem["to"]), first_listed(problem)
    name = problem["stations"][problem["to"]]
    messages = {}
    if journey is not None and len(journey) == 1:
        messages["direct"] = f"train {journey[0][0]} goes all the way to {name}"
    if first is None:
        messages["no_arrival"] = f"no train arrives at {name} after {digits(problem['leave'])}"
    elif first == rounds.arrival(problem["to"]):
        messages["first_arrival"] = f"the first arrival at {name} is at {digits(first)}"
    return [{"kind": kind, "message": messages[kind]} for kind in WEAKNESSES if kind in messages]


def first_listed(problem: Any) -> int | None:
    """Return the first arrival at the destination after the start, by any train, caught or not."""
    times = [
        arrival
        for train in problem["trains"]
        for station, arrival, _ in train["stops"][1:]
        if station == problem["to"] and arrival > problem["leave"]
    ]
    return min(times, default=None)
