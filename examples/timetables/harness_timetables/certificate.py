"""What proves a label, checked without any engine.

``{"journey": [[train, from, to], …] or null, "earliest": [minute or null, …]}``: the journey shows that one
can arrive so early. The labels, one for each station, show that one cannot arrive earlier: the start
has the time one is there, and no ride from a station that one can board at, at its label, arrives
anywhere before the label there. By induction over the trains of a journey, none does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness import Item
from harness_timetables.clock import clock
from harness_timetables.config import NEVER


def errors(item: Item) -> list[str]:
    """Return what is wrong with an item's certificate; empty: it proves the label."""
    wrong = _misshapen(item.certificate, len(item.problem["stations"]))
    if wrong:
        return [wrong]
    journey, earliest = item.certificate["journey"], item.certificate["earliest"]
    arrival = earliest[item.problem["to"]]
    messages = [*improvements(item.problem, earliest)]
    if journey is None:
        messages += (
            ["there is no journey, but a label at the destination"] if arrival is not None else []
        )
    else:
        messages += _journey_errors(item.problem, journey, arrival)
    if item.target != (NEVER if arrival is None else clock(arrival)):
        messages.append(f"the label at the destination is not the target {item.target[:20]!a}")
    return messages


def improvements(problem: Any, earliest: list[int | None]) -> Iterator[str]:
    """Yield where a ride improves the label of a station: such labels are no bounds."""
    if earliest[problem["from"]] != problem["leave"]:
        yield "the label at the start is not the time one is there"
    for train in problem["trains"]:
        riding = False
        for station, arrival, departure in train["stops"]:
            label = earliest[station]
            if riding and (label is None or arrival < label):
                yield f"train {train['number']} arrives earlier at station {station} than its label"
            riding = riding or boards(problem, station, label, departure)


def boards(problem: Any, station: int, label: int | None, departure: int) -> bool:
    """Return whether one who is at a station at its label can take a train that leaves then."""
    if label is None:
        return False
    return label + (0 if station == problem["from"] else problem["change"]) <= departure


def _journey_errors(problem: Any, journey: list[list[int]], arrival: int | None) -> Iterator[str]:
    trains = {train["number"]: train["stops"] for train in problem["trains"]}
    station, ready = problem["from"], problem["leave"]
    time: int | None = None
    for number, source, target in journey:
        stops = {
            place: (at, since, until)
            for at, (place, since, until) in enumerate(trains.get(number, []))
        }
        if source != station or source not in stops or target not in stops:
            yield f"train {number} does not go from station {source} to {target} on this journey"
            return
        (here, _, departure), (there, time, _) = stops[source], stops[target]
        if here >= there or departure < ready:
            yield f"train {number} cannot be taken from station {source} to {target}"
            return
        station, ready = target, time + problem["change"]
    if station != problem["to"] or time != arrival:
        yield "the journey does not arrive where, or when, the label says"


def _misshapen(value: Any, stations: int) -> str | None:
    """Return why a certificate is none, None where it has the right shape."""
    if not isinstance(value, dict) or set(value) != {"journey", "earliest"}:
        return "there is no certificate with a journey and labels"
    earliest, journey = value["earliest"], value["journey"]
    if not isinstance(earliest, list) or len(earliest) != stations:
        return "there is not one label for each station"
    if not all(minute is None or type(minute) is int for minute in earliest):
        return "a label is no minute"
    if journey is not None and not (
        isinstance(journey, list) and journey and all(map(_is_leg, journey))
    ):
        return "the journey is no list of a train, a station and a station each"
    return None


def _is_leg(leg: Any) -> bool:
    return isinstance(leg, list) and len(leg) == 3 and all(type(part) is int for part in leg)
