"""Judge a completion: the earliest arrival, a later one that some journey has, or neither; and say why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness import Item, Verdict
from harness_timetables import certificate
from harness_timetables.answers.extraction import extract
from harness_timetables.clock import clock, digits
from harness_timetables.config import NEVER


def score(item: Item, completion: str) -> Verdict:
    """Judge any text whatever; never raises. An item whose certificate does not hold is unscored."""
    try:
        broken = certificate.errors(item)
    except (TypeError, KeyError, IndexError, AttributeError) as error:
        broken = [f"the problem cannot be read ({type(error).__name__})"]
    if broken:
        return Verdict("unscored", _values(False, False), None, f"The item is broken: {broken[0]}.")
    answer = extract(completion) if isinstance(completion, str) else None
    why = _proof(item)
    if answer is None:
        message = "**Unparsed**: no single time, and no single never, is given as the answer."
        return Verdict("unparsed", _values(False, False), None, f"{message}\n\n{why}")
    if answer == item.target:
        late = {} if answer == NEVER else {"late": 0.0}
        return Verdict(
            "scored", _values(True, True), answer, f"**Right**: {answer}.\n\n{why}", late
        )
    behind = _late(item, answer)
    extra = {} if behind is None else {"late": float(behind)}
    fault = _fault(item, answer, behind)
    return Verdict(
        "scored", _values(False, behind is not None), answer, f"**Wrong**: {fault}\n\n{why}", extra
    )


def _values(correct: bool, possible: bool) -> dict[str, float]:
    return {"correct": float(correct), "possible": float(possible)}


def arrivals(item: Item) -> Iterator[tuple[int, int, bool]]:
    """Yield (minute, train, whether it can be caught) of every arrival at the destination."""
    problem, earliest = item.problem, item.certificate["earliest"]
    for train in problem["trains"]:
        riding = False
        for station, arrival, departure in train["stops"]:
            if station == problem["to"]:
                yield arrival, train["number"], riding
            label = earliest[station]
            riding = riding or certificate.boards(problem, station, label, departure)


def _late(item: Item, answer: str) -> int | None:
    """Return how many minutes an answer is behind the earliest arrival; None if no journey arrives then."""
    earliest = item.certificate["earliest"][item.problem["to"]]
    caught = [minute for minute, _, catch in arrivals(item) if catch and clock(minute) == answer]
    return caught[0] - earliest if caught else None


def _fault(item: Item, answer: str, late: int | None) -> str:
    goal = item.problem["stations"][item.problem["to"]]
    if late is not None:
        return f"one can be at {goal} at {answer}, but also {late} minutes earlier."
    if answer == NEVER:
        return f"there is a journey to {goal}."
    trains = [str(train) for minute, train, _ in arrivals(item) if clock(minute) == answer]
    if trains:
        return f"train {' and '.join(trains)} arrives at {goal} at {answer}, and cannot be caught."
    return f"no train arrives at {goal} at {answer}."


def _proof(item: Item) -> str:
    """Return the journey of the certificate, or how far one gets, as a Markdown table."""
    problem, journey = item.problem, item.certificate["journey"]
    names = problem["stations"]
    if journey is None:
        reached = [
            f"{names[place]} {digits(minute)}"
            for place, minute in enumerate(item.certificate["earliest"])
            if minute is not None
        ]
        return f"No train that can be caught goes to {names[problem['to']]}. Within reach: {', '.join(reached)}."
    rows = ["| train | from | at | to | at |", "| --- | --- | --- | --- | --- |"]
    trains: dict[int, Any] = {train["number"]: train["stops"] for train in problem["trains"]}
    for number, source, target in journey:
        times = {place: (arrival, departure) for place, arrival, departure in trains[number]}
        rows.append(
            f"| {number} | {names[source]} | {digits(times[source][1])} "
            f"| {names[target]} | {digits(times[target][0])} |"
        )
    return "\n".join(rows)
