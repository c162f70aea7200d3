"""From problem to prompt: the text alone holds the whole problem."""

from __future__ import annotations

from typing import Any

from harness_timetables.clock import digits

OPENING = "These trains run today, and no others."


def write(problem: Any) -> str:
    """Return the prompt of a problem."""
    names = problem["stations"]
    change = problem["change"]
    trains = "\n".join(_train(train, names) for train in problem["trains"])
    return (
        f"{OPENING} Times are four digits, hours and minutes: 0905 is five past nine in the "
        "morning. Where a train has two times at a station, it arrives at the first and leaves at "
        "the second.\n\n"
        f"Stations: {', '.join(names)}.\n\n"
        f"{trains}\n\n"
        f"You are at {names[problem['from']]} at {digits(problem['leave'])}. You can board your first "
        "train at once, and you may stay in a train as long as you like. Changing from one train to "
        f"another takes at least {change} minutes: whoever arrives at 0900 can leave with another "
        f"train at {digits(540 + change)} or later, and not before.\n\n"
        f"When can you be at {names[problem['to']]} at the earliest? If no journey gets you there "
        "today, the answer is the word never.\n\n"
        "Give the answer on a last line, with a colon between hours and minutes:\n"
        "Answer: HH:MM"
    )


def _train(train: Any, names: list[str]) -> str:
    stops = [
        f"{names[place]} {digits(arrival)}"
        + (f"-{digits(departure)}" if departure > arrival else "")
        for place, arrival, departure in train["stops"]
    ]
    return f"Train {train['number']}: {', '.join(stops)}"
