"""A metric for items that come in pairs: both of a pair right."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from harness.core.hookspecs import Row


def both_right(value: str, feature: str = "twin") -> Callable[[Sequence[Row]], float]:
    """Return a function for `Metric`: the share of pairs whose two items are both answered right.

    Two items of one feature value and of different targets are a pair; a coin has 1/4 where there are two
    targets. Of several answers to an item it is the chance that one drawn for each of the two is right for
    both. No pair: nan.

    Args:
        value: the value of a verdict that says how right an answer is, from 0 to 1.
        feature: the feature that both items of a pair have in common; items without it are left out.
    """

    def compute(rows: Sequence[Row]) -> float:
        pairs: dict[str, dict[str, list[float]]] = {}
        for row in rows:
            if feature in row.features:
                halves = pairs.setdefault(str(row.features[feature]), {})
                halves.setdefault(row.target, []).append(float(row.value[value]))
        right = total = 0.0
        for halves in pairs.values():
            if len(halves) == 2:
                first, second = halves.values()
                weight = min(
                    len(first), len(second)
                )  # above 1 where answers are several, or resampled
                right += weight * (sum(first) / len(first)) * (sum(second) / len(second))
                total += weight
        return right / total if total else math.nan

    return compute
