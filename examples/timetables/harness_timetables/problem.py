"""The formal problem: a timetable, where one is, where one wants to be; and what would make it none.

``{"stations": [name, …], "trains": [{"number", "stops": [[station, arrival, departure], …]}, …],
"change": minutes between two trains, "from": station, "to": station, "leave": minute}``; stations are
places in the list of names, times are minutes of the day. A train arrives at its first station,
and leaves its last one, at the one time that it has there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

MAX_STOPS = 5_000
"""Stops of all trains together that an engine takes on."""


def faults(problem: Any) -> Iterator[str]:
    """Yield what keeps a value that fits the JSON Schema from being a problem."""
    count = len(problem["stations"])
    for key in ("from", "to"):
        if problem[key] >= count:
            yield f"'{key}' is station {problem[key]}, and there are {count}"
    if problem["from"] == problem["to"]:
        yield "'from' and 'to' are one station"
    numbers = [train["number"] for train in problem["trains"]]
    if len(set(numbers)) < len(numbers):
        yield "two trains have one number"
    for train in problem["trains"]:
        for fault in _train_faults(train["stops"], count):
            yield f"train {train['number']}: {fault}"


def _train_faults(stops: list[list[int]], count: int) -> Iterator[str]:
    places = [place for place, _, _ in stops]
    if max(places) >= count:
        yield f"stops at station {max(places)}, and there are {count}"
    if len(set(places)) < len(places):
        yield "stops twice at a station"
    if stops[0][1] != stops[0][2] or stops[-1][1] != stops[-1][2]:
        yield "has two times at its first or last station"
    before = -1
    for _, arrival, departure in stops:
        if not before < arrival <= departure:
            yield "does not go forward in time"
            return
        before = departure


def size(problem: Any) -> int:
    """Return the stops of all trains together."""
    return sum(len(train["stops"]) for train in problem["trains"])
