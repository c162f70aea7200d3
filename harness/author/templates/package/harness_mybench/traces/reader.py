"""Read a worked solution back, and hold each of its steps against the problem.

It shares no code with `answers.explain`, which writes it, and looks at no certificate.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from harness import Item

from harness_mybench.problem import NO, UNKNOWN, YES

_CHAIN = re.compile(
    r"It is known that ([A-Z] came before [A-Z](?:, that [A-Z] came before [A-Z])*)\. "
    r"So ([A-Z]) came before ([A-Z])\."
)
_ORDERS = re.compile(
    r"Both orders fit everything that is known: ([A-Z](?: [A-Z])*), where ([A-Z]) comes before "
    r"([A-Z]), and ([A-Z](?: [A-Z])*), where it is the other way round\."
)
_LETTER = re.compile(r"\b[A-Z]\b")


def findings(item: Item, text: str) -> list[str]:
    """Return what is wrong with a worked solution and the answer below it; empty when all of it holds."""
    solution, _, last = text.partition("\n")
    if found := _CHAIN.fullmatch(solution):
        label, wrong = _chain(item.problem, *map(_numbers, found.groups()))
    elif found := _ORDERS.fullmatch(solution):
        first, one, other, second = map(_numbers, found.groups())
        label, wrong = UNKNOWN, list(_orders(item.problem, [first, second], one + other))
    else:
        return ["neither a chain nor two orders"]
    if last != f"Answer: {label}":
        wrong.append(f"the last line does not say that the answer is {label}")
    return wrong


def _numbers(said: str) -> list[int]:
    return [ord(letter) - ord("A") for letter in _LETTER.findall(said)]


def _chain(
    problem: dict[str, Any], events: list[int], first: list[int], last: list[int]
) -> tuple[str, list[str]]:
    """Return the label that a chain proves, and what is wrong with the chain."""
    steps = [events[at : at + 2] for at in range(0, len(events), 2)]
    wrong = [f"nobody said {step}" for step in steps if step not in problem["before"]]
    wrong += [
        f"{one} does not lead to {other}" for one, other in pairwise(steps) if one[1] != other[0]
    ]
    ends = [steps[0][0], steps[-1][1]]
    if ends != first + last or sorted(ends) != sorted(problem["ask"]):
        wrong.append("it does not lead from one of the two events to the other")
    return (YES if ends == problem["ask"] else NO), wrong


def _orders(problem: dict[str, Any], orders: list[list[int]], ask: list[int]) -> Iterator[str]:
    """Yield what is wrong with two orders, the first of which has the events as asked."""
    if ask != problem["ask"]:
        yield "it is not about the two events asked for"
        return
    for order, pair in zip(orders, (ask, ask[::-1]), strict=True):
        if sorted(order) != list(range(problem["events"])):
            yield f"{order} does not hold every event once"
            continue
        place = {event: at for at, event in enumerate(order)}
        for one, other in [*problem["before"], pair]:
            if place[one] > place[other]:
                yield f"{order} has {other} before {one}"
