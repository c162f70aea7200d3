"""The engine that confirms the labels: a search in the time-expanded graph.

A node is a train at one of its stops, or a minute at a station where one stands and could board. An edge
is a ride, a stay in the train, a change, or a wait. No pass over sorted connections, no label of a
station: what can be reached is found edge by edge from the start, the earliest node first.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from typing import Any

# ("at", station, minute): standing there. ("in", train, stop, minute): in the train, having arrived.
Node = tuple[Any, ...]


class _Network:
    """The edges of the graph, made as they are asked for."""

    def __init__(self, problem: Any) -> None:
        self.trains = [train["stops"] for train in problem["trains"]]
        self.change: int = problem["change"]
        self.boarding: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
        for train, stops in enumerate(self.trains):
            for stop, (station, _, departure) in enumerate(stops[:-1]):
                self.boarding[station].append((departure, train, stop))

    def after(self, node: Node) -> list[Node]:
        """Return the nodes that one can be at next."""
        if node[0] == "in":
            _, train, stop, minute = node
            station = self.trains[train][stop][0]
            off: Node = ("at", station, minute + self.change)
            return [off, *self._ride(train, stop)]
        _, station, minute = node
        later = [leg for leg in self.boarding[station] if leg[0] >= minute]
        return [ride for _, train, stop in later for ride in self._ride(train, stop)]

    def _ride(self, train: int, stop: int) -> list[Node]:
        stops = self.trains[train]
        return [("in", train, stop + 1, stops[stop + 1][1])] if stop + 1 < len(stops) else []


def arrival(problem: Any) -> int | None:
    """Return the earliest arrival at the destination, None if there is none."""
    network = _Network(problem)
    start: Node = ("at", problem["from"], problem["leave"])
    seen = {start}
    waiting: list[tuple[int, Node]] = [(problem["leave"], start)]
    while waiting:
        minute, node = heapq.heappop(waiting)
        if node[0] == "in" and network.trains[node[1]][node[2]][0] == problem["to"]:
            return minute
        for following in network.after(node):
            if following not in seen:
                seen.add(following)
                heapq.heappush(waiting, (following[-1], following))
    return None
