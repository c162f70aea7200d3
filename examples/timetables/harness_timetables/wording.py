"""From problem to prompt and back: the text alone holds the whole problem."""

from __future__ import annotations

import re
from typing import Any

from harness_timetables.clock import digits, minute_of

MAX_PROMPT = 500_000
"""Characters of a text that `read` looks at; a longer one is no prompt of ours."""

_OPENING = "These trains run today, and no others."


def write(problem: Any) -> str:
    """Return the prompt of a problem."""
    names = problem["stations"]
    change = problem["change"]
    trains = "\n".join(_train(train, names) for train in problem["trains"])
    return (
        f"{_OPENING} Times are four digits, hours and minutes: 0905 is five past nine in the "
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


_STATIONS = re.compile(r"^Stations: ([A-Za-z, ]+)\.$", re.MULTILINE)
_TRAIN = re.compile(r"^Train ([0-9]{1,4}): (.+)$", re.MULTILINE)
_STOP = re.compile(r"([A-Z][a-z]+) ([0-9]{4})(?:-([0-9]{4}))?")
_START = re.compile(
    r"^You are at ([A-Z][a-z]+) at ([0-9]{4})\..{0,200} at least ([0-9]{1,2}) minutes:",
    re.MULTILINE,
)
_GOAL = re.compile(r"^When can you be at ([A-Z][a-z]+) at the earliest\?", re.MULTILINE)


def read(prompt: str) -> Any:
    """Return the problem of the last prompt of ours in a text; None where there is none.

    What was understood is written again and must be there word for word: nothing is guessed.
    """
    if len(prompt) > MAX_PROMPT or _OPENING not in prompt:
        return None
    text = prompt[prompt.rindex(_OPENING) :]
    stations, start, goal = _STATIONS.search(text), _START.search(text), _GOAL.search(text)
    if stations is None or start is None or goal is None:
        return None
    names = stations[1].split(", ")
    try:
        problem = {
            "stations": names,
            "trains": [
                {"number": int(train[1]), "stops": _stops(train[2], names)}
                for train in _TRAIN.finditer(text, stations.end(), start.start())
            ],
            "change": int(start[3]),
            "from": names.index(start[1]),
            "to": names.index(goal[1]),
            "leave": _minute(start[2]),
        }
        return problem if text.startswith(write(problem)) else None
    except (ValueError, IndexError):
        return None


def _stops(text: str, names: list[str]) -> list[list[int]]:
    found = []
    for part in text.split(", "):
        stop = _STOP.fullmatch(part)
        if stop is None:
            raise ValueError(part)
        arrival = _minute(stop[2])
        found.append([names.index(stop[1]), arrival, _minute(stop[3]) if stop[3] else arrival])
    return found


def _minute(four: str) -> int:
    minute = minute_of(four)
    if minute is None:
        raise ValueError(four)
    return minute
