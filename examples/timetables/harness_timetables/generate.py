"""Random timetables, and in each a journey of the difficulty asked for."""

from __future__ import annotations

import hashlib
from collections import Counter
from random import Random
from typing import Any

from harness import EngineError, ExhaustedError, Item
from harness_timetables import weaknesses
from harness_timetables.clock import clock
from harness_timetables.config import NAME, NEVER, VERSION
from harness_timetables.engines import graph, scan
from harness_timetables.journeys import Rounds
from harness_timetables.wording import write

MAX_DRAWS = 5_000
STARTS = 2  # times of departure that are tried at each station of a timetable

NAMES = (
    *(
        "Alder",
        "Brook",
        "Cairn",
        "Dover",
        "Elmsby",
        "Fallow",
        "Garnet",
        "Hollin",
        "Inch",
        "Juniper",
    ),
    *("Kestrel", "Larkhill", "Marsh", "Norwood", "Orchard", "Pebble", "Quarry", "Rowan", "Sedge"),
    *("Thistle", "Upton", "Vale", "Willow", "Yarrow"),
)


def item(config: dict[str, Any], index: int, rng: Random, salt: str) -> Item:
    """Return item ``index``: whether there is a journey is fixed by the index, the rest is drawn until it fits.

    Raises:
        ExhaustedError: no such journey in `MAX_DRAWS` timetables, or none can be.
        EngineError: the engines contradict each other.
    """
    _check_room(config)
    never = bool(config["never"]) and _is_never(index, salt)
    rejected: Counter[str] = Counter()
    for draw in range(1, MAX_DRAWS + 1):
        timetable = _timetable(config, rng)
        fitting, reasons = _fitting(timetable, never, config["changes"], rng)
        if fitting:
            notes = {"draws": draw, "rejected": dict(sorted(rejected.items()))}
            return _item(rng.choice(fitting), notes)
        rejected[max(sorted(reasons), key=reasons.__getitem__)] += 1
    what = "without a journey" if never else f"with changes={config['changes']}"
    raise ExhaustedError(
        f"no journey {what} in {MAX_DRAWS} timetables; use more trains, or fewer changes"
    )


def _check_room(config: dict[str, Any]) -> None:
    changes = config["changes"]
    # One train more than the journey has: what it alone brings is the first arrival listed.
    for key, least in (("stations", max(3, changes + 2)), ("trains", changes + 2)):
        if config[key] < least:
            raise ExhaustedError(
                f"changes={changes} takes at least {key}={least}, not {config[key]}"
            )


def _is_never(index: int, salt: str) -> bool:
    """Return whether an item has no journey: one of each four in a row, which one being drawn."""
    chosen = hashlib.sha256(f"{salt}|{index // 4}".encode()).digest()[0] % 4
    return chosen == index % 4


def _timetable(config: dict[str, Any], rng: Random) -> dict[str, Any]:
    """Draw stations and trains: routes at random, all of them within some hours."""
    count = config["stations"]
    begin = rng.randint(300, 780)
    return {
        "stations": rng.sample(NAMES, count),
        "trains": [
            {"number": number, "stops": _route(count, begin, rng)}
            for number in rng.sample(range(1, 100), config["trains"])
        ],
        "change": rng.randint(2, 8),
        "leave": begin,
    }


def _route(count: int, begin: int, rng: Random) -> list[list[int]]:
    """Draw the stops of one train; it ends before midnight whatever is drawn."""
    places = rng.sample(range(count), rng.randint(2, min(5, count)))
    time = begin + rng.randint(0, 360)
    stops = [[places[0], time, time]]
    for place in places[1:]:
        arrival = time + rng.randint(8, 45)
        time = arrival + rng.choice((0, 0, 0, 1, 2, 3, 5))
        stops.append([place, arrival, time])
    stops[-1][2] = stops[-1][1]
    return stops


def _fitting(
    timetable: dict[str, Any], never: bool, changes: int, rng: Random
) -> tuple[list[dict[str, Any]], Counter[str]]:
    """Return the problems to ask of a timetable, and how often a start and a destination did not fit, by reason."""
    fitting, reasons = [], Counter[str]()
    for source in range(len(timetable["stations"])):
        for _ in range(STARTS):
            start = timetable | {"from": source, "leave": timetable["leave"] + rng.randint(0, 240)}
            rounds = Rounds(start)
            for target in range(len(timetable["stations"])):
                if target == source:
                    continue
                problem = start | {"to": target}
                reason = _unfit(problem, rounds, never, changes)
                if reason is None:
                    fitting.append(problem)
                else:
                    reasons[reason] += 1
    return fitting, reasons


def _unfit(problem: dict[str, Any], rounds: Rounds, never: bool, changes: int) -> str | None:
    """Return why a start and a destination are not asked for, None where they are."""
    journey = rounds.journey(problem["to"])
    if (journey is None) is not never:
        return "label"
    if journey is not None and len(journey) - 1 != changes:
        return "changes"
    arrival = rounds.arrival(problem["to"])
    if arrival == weaknesses.first_listed(problem):  # None for both: nothing arrives there at all
        return "first_arrival"
    if never and not _linked(problem):
        return "unlinked"
    return None


def _linked(problem: dict[str, Any]) -> bool:
    """Return whether trains that waited for one another would get there: only the times stand against it."""
    reached = {problem["from"]}
    grown = True
    while grown:
        grown = False
        for train in problem["trains"]:
            places = [place for place, _, _ in train["stops"]]
            begin = next((at for at, place in enumerate(places) if place in reached), len(places))
            if not set(places[begin:]) <= reached:
                reached |= set(places[begin:])
                grown = True
    return problem["to"] in reached


def _item(problem: dict[str, Any], notes: dict[str, Any]) -> Item:
    """Return the item of a problem, its label made by one engine and confirmed by the other."""
    rounds = Rounds(problem)
    earliest = scan.arrivals(problem)
    arrival = earliest[problem["to"]]
    journey = rounds.journey(problem["to"])
    for name, other in (
        ("graph", graph.arrival(problem)),
        ("rounds", rounds.arrival(problem["to"])),
    ):
        if other != arrival:
            raise EngineError(f"scan finds the arrival {arrival}, {name} {other}: {problem}")
    return Item(
        plugin=NAME,
        version=VERSION,
        prompt=write(problem),
        target=NEVER if arrival is None else clock(arrival),
        problem=problem,
        certificate={
            "journey": None if journey is None else [list(leg) for leg in journey],
            "earliest": earliest,
        },
        features={
            "changes": "no journey" if journey is None else len(journey) - 1,
            "stations": len(problem["stations"]),
            "trains": len(problem["trains"]),
            "stops": sum(len(train["stops"]) for train in problem["trains"]),
            "minutes": 0 if arrival is None else arrival - problem["leave"],
            "reached": sum(minute is not None for minute in earliest),
        },
        notes=notes,
    )
