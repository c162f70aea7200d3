"""Draw problems; a label is made by one engine and confirmed by the other before an item exists."""

from __future__ import annotations

from itertools import combinations, permutations
from random import Random
from typing import Any

from harness import EngineError, ExhaustedError, Item, SpecError

from harness_mybench.config import NAME, VERSION
from harness_mybench.engines import closure, orders
from harness_mybench.problem import CHOICES
from harness_mybench.wording import write

MOST_DRAWS = 1_000


def item(config: dict[str, Any], index: int, rng: Random, salt: str) -> Item:
    """Return item ``index``: its label is fixed by the index, the rest is drawn until it fits.

    Raises:
        SpecError: there are not so many statements about so few events.
        ExhaustedError: no problem with this label was found in `MOST_DRAWS` draws.
        EngineError: the two engines contradict each other.
    """
    events, statements = config["events"], config["statements"]
    pairs = events * (events - 1) // 2
    if statements > pairs:
        raise SpecError(
            f"statements={statements}: {events} events have {pairs} pairs, take fewer statements"
        )
    label = balanced(index, salt)
    for draw in range(1, MOST_DRAWS + 1):
        before = _statements(events, statements, rng)
        known = closure.Closure(events, before)
        asks = _asks(known, events, label, config["steps"])
        if asks:
            problem = {"events": events, "before": before, "ask": rng.choice(asks)}
            return _item(problem, known, label, draw, rng)
    raise ExhaustedError(
        f"no problem labelled {label} in {MOST_DRAWS} draws; take fewer steps, or more events, "
        "or another number of statements"
    )


def balanced(index: int, salt: str) -> str:
    """Return the label of an index: of each three in a row one of each, in an order drawn for them."""
    three, place = divmod(index, len(CHOICES))
    labels = list(CHOICES)
    Random(f"{salt}|{three}").shuffle(labels)
    return labels[place]


def _statements(events: int, statements: int, rng: Random) -> list[list[int]]:
    """Draw an order of the events, and pairs of them that it agrees with."""
    order = list(range(events))
    rng.shuffle(order)
    return sorted(list(pair) for pair in rng.sample(list(combinations(order, 2)), statements))


def _asks(known: closure.Closure, events: int, label: str, steps: int) -> list[list[int]]:
    """Return the questions with this label, without those that fewer statements decide."""
    found = []
    for first, second in permutations(range(events), 2):
        needed = known.steps(first, second) or known.steps(second, first) or steps
        if known.label(first, second) == label and needed >= steps:
            found.append([first, second])
    return found


def _item(
    problem: dict[str, Any], known: closure.Closure, label: str, draws: int, rng: Random
) -> Item:
    confirmed, both = orders.decide(problem)
    if confirmed != label:
        raise EngineError(f"closure says {label}, orders says {confirmed}: {problem}")
    chain = known.chain(*problem["ask"])
    return Item(
        plugin=NAME,
        version=VERSION,
        prompt=write(problem, rng),
        target=label,
        problem=problem,
        certificate={"label": label, "chain": chain, "orders": both},
        features={
            "events": problem["events"],
            "statements": len(problem["before"]),
            "steps": len(chain) - 1 if chain else 0,
        },
        notes={"draws": draws, "rejected": {"label": draws - 1}},
    )
