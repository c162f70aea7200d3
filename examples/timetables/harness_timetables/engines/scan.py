"""The engine that makes the labels: one pass over all connections in the order of departure.

A connection is a train between two neighbouring stops. It can be taken by whoever sits in the train, or
is at the station in time to change. As a connection arrives later than it leaves, one pass is enough
(Dibbelt, Pajor, Strasser and Wagner: Intriguingly simple and fast transit routing, 2013).
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any


def arrivals(problem: Any) -> list[int | None]:
    """Return the earliest arrival at every station, None where one cannot get to."""
    earliest: list[int | None] = [None] * len(problem["stations"])
    ready: dict[int, int] = {problem["from"]: problem["leave"]}  # when one can board there
    earliest[problem["from"]] = problem["leave"]
    riding: set[int] = set()
    for departure, train, source, target, arrival in _connections(problem):
        boards = source in ready and ready[source] <= departure
        if not boards and train not in riding:
            continue
        riding.add(train)
        best = earliest[target]
        if best is None or arrival < best:
            earliest[target] = arrival
            ready[target] = arrival + problem["change"]
    return earliest


def _connections(problem: Any) -> list[tuple[int, int, int, int, int]]:
    """Return (departure, train, source, target, arrival) of all connections, in this order."""
    connections = []
    for train in problem["trains"]:
        stops = train["stops"]
        for (source, _, departure), (target, arrival, _) in pairwise(stops):
            connections.append((departure, train["number"], source, target, arrival))
    return sorted(connections)
