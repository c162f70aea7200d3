"""From prompt to problem: what was understood is written again, and must be there word for word."""

from __future__ import annotations

import re
from typing import Any

from harness_timetables.clock import minute_of
from harness_timetables.wording import OPENING, write

MAX_PROMPT = 500_000
"""Characters of a text that `read` looks at; a longer one is no prompt of ours."""

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
    if len(prompt) > MAX_PROMPT or OPENING not in prompt:
        return None
    text = prompt[prompt.rindex(OPENING) :]
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
    stops = []
    for part in text.split(", "):
        stop = _STOP.fullmatch(part)
        if stop is None:
            raise ValueError(part)
        arrival = _minute(stop[2])
        stops.append([names.index(stop[1]), arrival, _minute(stop[3]) if stop[3] else arrival])
    return stops


def _minute(four: str) -> int:
    minute = minute_of(four)
    if minute is None:
        raise ValueError(four)
    return minute
