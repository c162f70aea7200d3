"""Worked solutions in words, for few-shot chains of thought: the stations in the order of arrival."""

from __future__ import annotations

from harness import Item
from harness_timetables.clock import digits
from harness_timetables.journeys import Rounds


def worked(item: Item) -> str:
    """Return a solution that a reader can follow: station by station, each with the train that gets there."""
    problem = item.problem
    names, goal = problem["stations"], problem["to"]
    rounds = Rounds(problem)
    end = rounds.arrival(goal)
    lines = [
        f"I start at {names[problem['from']]} at {digits(problem['leave'])} and go through the "
        "stations in the order in which I can be there."
    ]
    order = sorted((minute, place) for place, minute in rounds.best[-1].items())
    for minute, place in order:
        if place == problem["from"] or (end is not None and minute > end):
            continue
        number, source, _ = (rounds.journey(place) or [])[-1]
        lines.append(
            f"{names[place]}: train {number} from {names[source]} arrives at {digits(minute)}; other "
            f"trains can be taken from {digits(minute + problem['change'])} on."
        )
    if end is None:
        lines.append(f"No train that I can catch at any of these goes on to {names[goal]}.")
    else:
        lines.append(f"No train that I can catch arrives at {names[goal]} before that.")
    return "\n".join(lines)
