"""Batches of items, whole sources together: what a whole-run metric's spread over them says of its error."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

import numpy as np

from harness.run import stats

BATCHES = 30


class Error(NamedTuple):
    """A standard error from batches: its degrees of freedom, and the least and most that a batch has."""

    size: float
    free: int
    least: float
    most: float


def dealt(clusters: Sequence[Sequence[int]], most: int = BATCHES) -> list[list[int]]:
    """Return the places in at most so many batches of about equal size, whole sources together, by chance."""
    order = list(range(len(clusters)))
    Random(stats.SEED).shuffle(order)
    count = min(most, len(clusters))
    batches: list[list[int]] = [[] for _ in range(count)]
    # The largest source first, always into the emptiest batch: no batch stays empty.
    order.sort(key=lambda at: -len(clusters[at]))
    sizes = [(0, batch) for batch in range(count)]
    for at in order:
        size, batch = heapq.heappop(sizes)
        batches[batch] += clusters[at]
        heapq.heappush(sizes, (size + len(clusters[at]), batch))
    return batches


def error(
    at: Callable[[Sequence[int]], float], clusters: Sequence[Sequence[int]], value: float
) -> Error | None:
    """Return the standard error of a function of places from its spread over batches around ``value``.

    Batches in which it is undefined are left out; None where half of them are, or where all give the same.
    """
    batches = dealt(clusters)
    found = [(at(batch), len(batch)) for batch in batches]
    known = [(one, size) for one, size in found if math.isfinite(one)]
    if len(known) < 2 or 2 * len(known) <= len(found):
        return None
    ones, sizes = np.array(known, np.float64).T
    if ones.min() == ones.max():
        return None
    shares, k = sizes / sizes.sum(), len(known)
    size = math.sqrt(k / (k - 1) * float(((shares * (ones - value)) ** 2).sum()))
    return Error(size, k - 1, float(ones.min()), float(ones.max()))
