"""Several answers to each item (epochs): what they say of an item, and of a model that is asked again.

An answer is right if the benchmark's headline is 1 for it; of a headline over the whole run, its first value.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any, TypeAlias

import numpy as np

from harness.core.hookspecs import Benchmark, Metric, Row
from harness.run import stats

Repeats: TypeAlias = Sequence[Row]
"""The answers to one item."""

EVERY_K = 5  # up to so many answers, every k of pass@k is told
STEPS = (10, 20, 50, 100, 200, 500, 1000)  # beyond


def pass_at(n: int, right: int, k: int) -> float:
    """Return the chance that one at least of k answers is right, of n of which so many are: 1 - C(n-c, k) / C(n, k).

    The unbiased estimator of Chen et al. 2021 (arXiv 2107.03374); nan of fewer than k answers.
    """
    return 1 - math.comb(n - right, k) / math.comb(n, k) if n >= k else math.nan


def pass_all(n: int, right: int, k: int) -> float:
    """Return the chance that all of k answers are right (pass^k), of n of which so many are: C(c, k) / C(n, k).

    The unbiased estimator of Yao et al. 2024 (arXiv 2406.12045); nan of fewer than k answers.
    """
    return math.comb(right, k) / math.comb(n, k) if n >= k else math.nan


def sizes(n: int) -> tuple[int, ...]:
    """Return the k of pass@k that are told of n answers to an item: all up to 5, then steps, and n itself."""
    return tuple(sorted({*range(1, min(n, EVERY_K) + 1), *(k for k in STEPS if k < n), n}))


def variances(numbers: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Return the variance of an answer's number within items, and of the items' own means; nan where undefined.

    The estimators of the analysis of variance, unbiased for equally many answers an item; that between items is
    not let below 0.
    """
    return variances_of([moments(group) for group in numbers if group])


Moments: TypeAlias = tuple[int, float, float]
"""How many numbers an item has, their mean, and the sum of their squared distances from it."""


def moments(numbers: Sequence[float]) -> Moments:
    """Return what `variances_of` takes of an item; there is one number at least."""
    mean = stats.mean_of(numbers)
    return len(numbers), mean, sum((number - mean) ** 2 for number in numbers)


def variances_of(items: Sequence[Moments]) -> tuple[float, float]:
    """Return what `variances` does, quickly: it is resampled."""
    sizes, means, squares = np.array(items, np.float64).reshape(-1, 3).T
    n, count = float(sizes.sum()), len(items)
    if n <= count:
        return math.nan, math.nan
    within = float(squares.sum()) / (n - count)
    if count < 2:
        return within, math.nan
    spread = float(sizes @ (means - sizes @ means / n) ** 2)
    size = (n - float(sizes @ sizes) / n) / (count - 1)
    return within, max(0.0, (spread / (count - 1) - within) / size)


def agreement(repeats: Repeats) -> float:
    """Return the share of pairs of answers to an item that say the same; nan of fewer than two.

    What is the same is what a vote takes for the same. Who gives no readable answer agrees with nobody.
    """
    judged = stats.counted(repeats)
    if len(judged) < 2:
        return math.nan
    counts = Counter(
        str(row.extra.get("vote", row.answer)) for row in judged if row.answer is not None
    )
    return sum(math.comb(count, 2) for count in counts.values()) / math.comb(len(judged), 2)


def graded(benchmark: Benchmark) -> Metric:
    """Return the metric by which an answer is right: the headline, or the mean of the first value."""
    headline = benchmark.headline_metric
    first = benchmark.values[0]
    return headline if headline.compute is None else Metric(first, f"mean of {first}")


def marks(numbers: Sequence[float]) -> list[float]:
    """Return of each answer with these numbers whether it is right, 1 or 0."""
    return [float(number >= 1) for number in numbers]


def units(
    compute: Callable[[Sequence[Row]], float], items: Sequence[Repeats], together: str = ""
) -> tuple[Callable[[Sequence[Any]], float], Sequence[Any]]:
    """Return a whole-run metric as a function of items, and the items: what is resampled are items, not answers.

    Items with the same value of the feature ``together`` are one. Where every item has one answer, and none is put
    together, both stay as they are.
    """
    if together:
        groups: dict[Any, list[Row]] = {}
        for place, rows in enumerate(items):
            shared = rows[0].features.get(together)
            groups.setdefault(place if shared is None else str(shared), []).extend(rows)
        items = list(groups.values())
    if all(len(repeats) == 1 for repeats in items):
        return compute, [repeats[0] for repeats in items]
    return lambda chosen: compute(list(chain.from_iterable(chosen))), [*map(tuple, items)]


def variance(numbers: Sequence[Sequence[float]], part: int) -> dict[str, float]:
    """Return one of the `variances` with its interval from resampled items."""
    ordered = sorted(map(moments, map(sorted, numbers)))
    return stats.bootstrap_of(lambda chosen: variances_of(chosen)[part], ordered)
