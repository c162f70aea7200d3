"""Hold a certificate against its item: a few lines, no engine."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from harness import Item

from harness_mybench.problem import NO, UNKNOWN, YES


def errors(item: Item) -> list[str]:
    """Return what is wrong with the certificate of an item; empty when it proves the label.

    ``chain`` proves yes and no: events from one of the two to the other, each of them stated to
    come before the next. ``orders`` proves unknown: two orders of all events that fit every
    statement, in the first of which it was as asked, in the second the other way round.
    ``label`` says what is to be proved: a chain read backwards would prove another.
    """
    problem, certificate = item.problem, item.certificate
    if not isinstance(certificate, dict) or set(certificate) != {"label", "chain", "orders"}:
        return ["a certificate has the keys label, chain, orders"]
    if certificate["label"] != item.target:
        return [f"the certificate is not one for the label {item.target[:20]}"]
    needed, empty = ("orders", "chain") if item.target == UNKNOWN else ("chain", "orders")
    if certificate[empty] is not None:
        return [f"the label is {item.target[:20]}, but the certificate holds {empty}"]
    first, second = problem["ask"]
    if needed == "orders":
        wrong = _orders(problem, certificate[needed], first, second)
    elif item.target in (YES, NO):
        ends = [first, second] if item.target == YES else [second, first]
        wrong = _chain(problem, certificate[needed], ends)
    else:
        wrong = "the target is no label"
    return [wrong] if wrong else []


def _chain(problem: dict[str, Any], chain: Any, ends: list[int]) -> str | None:
    if not isinstance(chain, list) or len(chain) < 2 or [chain[0], chain[-1]] != ends:
        return "the chain does not lead from one of the two events to the other"
    for step in pairwise(chain):
        if list(step) not in problem["before"]:
            return f"nobody said the step {step} of the chain"
    return None


def _orders(problem: dict[str, Any], orders: Any, first: int, second: int) -> str | None:
    if not isinstance(orders, list) or len(orders) != 2:
        return "there are not two orders"
    for order, ask in zip(orders, ([first, second], [second, first]), strict=True):
        if not isinstance(order, list) or not all(type(event) is int for event in order):
            return "an order is no list of events"
        if sorted(order) != list(range(problem["events"])):
            return "an order does not hold every event once"
        for one, other in [*problem["before"], ask]:
            if order.index(one) > order.index(other):
                return f"an order has {other} before {one}"
    return None
