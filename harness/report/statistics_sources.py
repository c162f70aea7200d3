"""Items that share a source: resampled, flipped and batched together, and worth fewer than independent ones."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from random import Random
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import stats as scipy_stats

from harness.core.hookspecs import Row
from harness.run import stats

Floats: TypeAlias = NDArray[np.float64]
Codes: TypeAlias = NDArray[np.int64]
Sources: TypeAlias = Sequence[Hashable] | NDArray[Any] | None
"""One name per item, of any hashable kind; None: every item is its own source."""

Compute: TypeAlias = Callable[[Sequence[Row]], float]
"""A whole-run metric."""

BATCHES = 30


def codes_of(sources: Sources, n: int) -> Codes | None:
    """Return a number from 0 per item, equal for equal sources; None: none share one. `ValueError`: lengths."""
    if sources is None:
        return None
    names: Sequence[Hashable] = sources.tolist() if isinstance(sources, np.ndarray) else sources
    if len(names) != n:
        raise ValueError(f"{len(names)} sources for {n} items")
    if not share_sources(names):
        return None
    numbers = {name: at for at, name in enumerate(dict.fromkeys(names))}
    return np.fromiter((numbers[name] for name in names), np.int64, n)


def share_sources(sources: Sequence[Hashable]) -> bool:
    """Return whether any two items have the same source."""
    return len(set(sources)) < len(sources)


def floats(values: Iterable[float] | Floats) -> Floats:
    """Return numbers as a flat array."""
    return np.asarray(values if isinstance(values, np.ndarray) else list(values), np.float64)


def kept_sources(sources: Sources, keep: NDArray[np.bool_]) -> Sources:
    """Return the sources of the items to keep."""
    if sources is None or bool(keep.all()):
        return sources
    return [name for name, stays in zip(sources, keep, strict=True) if stays]


def members(codes: Codes | None, n: int) -> list[list[int]]:
    """Return the places of the items of each source, in order of first appearance."""
    if codes is None:
        return [[at] for at in range(n)]
    places: list[list[int]] = [[] for _ in range(int(codes.max()) + 1)]
    for at, code in enumerate(codes.tolist()):
        places[code].append(at)
    return places


def totals(values: Floats, codes: Codes | None) -> tuple[Floats, Floats]:
    """Return the sum and the number of items of each source, in an order that items and names do not decide."""
    if codes is None:
        ordered = np.sort(values)
        return ordered, np.ones(len(ordered))
    # Each source adds its values up from the smallest: the last bit must not depend on the order either.
    order = np.argsort(values, kind="stable")
    sums = np.bincount(codes[order], weights=values[order]).astype(np.float64)
    counts = np.bincount(codes).astype(np.float64)
    places = np.lexsort((sums, counts))
    return sums[places], counts[places]


def effective_size(hits: Floats, codes: Codes, level: float) -> float:
    """Return the number of items for Wilson's interval of zeros and ones over two or more sources.

    The items over their `design_effect`, lessened by (z/t)² for the uncertainty of that effect from few sources (Korn
    & Graubard 1998, Survey Methodology 24, 193; with Wilson's interval: Dean & Pagano 2015, J. Surv. Stat. Methodol.
    3, 484). t has one degree less than there are sources, sources of unequal size counted as n²/Σm² (Kish). Where all
    are 0 or all are 1, nothing is known of the effect, and it is that number of sources.
    """
    sums, counts = totals(hits, codes)
    n = len(hits)
    sources = n * n / float(counts @ counts)
    right = float(sums.sum())
    if right in (0.0, n):
        return sources
    tail = (1 - level) / 2
    t = float(scipy_stats.t.isf(tail, max(1.0, sources - 1)))
    few = float(scipy_stats.norm.isf(tail)) / t
    return n / design_effect(sums, counts) * few**2


def design_effect(sums: Floats, counts: Floats) -> float:
    """Return how many times the variance of a share is that of independent items, from each source's sum and size.

    The larger of two estimates, as the first is too small where few sources hold most items: the variance robust to
    sources, and Kish's 1 + (Σm²/n - 1) ρ with the intra-source correlation ρ from the analysis of variance. At least
    1, at most the largest source. The share is neither 0 nor 1, and there are two or more sources.
    """
    n, groups, squares = float(counts.sum()), len(sums), float(counts @ counts)
    largest = float(counts.max())
    share = float(sums.sum()) / n
    left = sums - share * counts
    sources = n * n / squares
    single = share * (1 - share) / (n - 1)  # the variance of the share of independent items
    robust = sources / (sources - 1) * float(left @ left) / (n * n) / single
    between = float(left @ (left / counts)) / (groups - 1)
    within = float(sums @ (1 - sums / counts)) / (n - groups)
    size = (n - squares / n) / (groups - 1)
    total = between + (size - 1) * within
    correlation = (between - within) / total if total > 0 else 0.0
    kish = 1 + (squares / n - 1) * correlation
    effect = max(robust, kish)
    return min(max(1.0, effect), largest) if math.isfinite(effect) else largest


def difference_at(
    compute: Compute, rows_a: Sequence[Row], rows_b: Sequence[Row]
) -> Callable[[Sequence[int]], float]:
    """Return a whole-run metric of ``rows_a`` less ``rows_b``'s, by places; `ValueError`: lengths differ."""
    if len(rows_a) != len(rows_b):
        raise ValueError(f"{len(rows_a)} rows paired with {len(rows_b)}")

    def at(places: Sequence[int]) -> float:
        first = compute([rows_a[place] for place in places])
        return float(first) - float(compute([rows_b[place] for place in places]))

    return at


class BatchError(NamedTuple):
    """A standard error from batches: its degrees of freedom, and the least and most that a batch has."""

    size: float
    free: int
    least: float
    most: float


def batches_of(clusters: Sequence[Sequence[int]], most: int = BATCHES) -> list[list[int]]:
    """Return the places dealt by chance to at most so many batches of about equal size, whole sources together."""
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


def batch_error(
    at: Callable[[Sequence[int]], float], clusters: Sequence[Sequence[int]], value: float
) -> BatchError | None:
    """Return the standard error of a function of places from its spread over batches around ``value``.

    Batches in which it is undefined are left out; None where half of them are, or where all give the same.
    """
    batches = batches_of(clusters)
    results = [(at(batch), len(batch)) for batch in batches]
    known = [(number, size) for number, size in results if math.isfinite(number)]
    if len(known) < 2 or 2 * len(known) <= len(results):
        return None
    values, sizes = np.array(known, np.float64).T
    if values.min() == values.max():
        return None
    shares, k = sizes / sizes.sum(), len(known)
    size = math.sqrt(k / (k - 1) * float(((shares * (values - value)) ** 2).sum()))
    return BatchError(size, k - 1, float(values.min()), float(values.max()))
