"""Why a label is right, in words, made of the certificate alone."""

from __future__ import annotations

from itertools import pairwise
from string import ascii_uppercase

from harness import Item

from harness_mybench import certificate


def worked(item: Item) -> str | None:
    """Return a solution that leads up to the target; None where the certificate proves nothing."""
    if certificate.errors(item):
        return None
    chain, orders = item.certificate["chain"], item.certificate["orders"]
    first, second = (ascii_uppercase[event] for event in item.problem["ask"])
    if chain is None:
        one, other = (" ".join(ascii_uppercase[event] for event in order) for order in orders)
        return (
            f"Both orders fit everything that is known: {one}, where {first} comes before "
            f"{second}, and {other}, where it is the other way round."
        )
    names = [ascii_uppercase[event] for event in chain]
    steps = [f"{one} came before {other}" for one, other in pairwise(names)]
    return f"It is known that {', that '.join(steps)}. So {names[0]} came before {names[-1]}."
