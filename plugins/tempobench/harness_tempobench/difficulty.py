"""What counts as hard: the top of a pool of problems, by the paper's features (section 3.3).

The paper takes the problems with the highest values of its features. Here a pool of problems is drawn
as for ``hard=no``, without confirmation, from a source of chance that depends on the
configuration alone; a problem's *hardness* is the mean, over the features, of the share of the pool that
has a lower value (equal values count half); hard is what reaches the hardness that ``hardest`` of
the pool reach. So the bar is the same whatever the seed, the split and the number of items.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness_tempobench.features import HARD


@dataclass(frozen=True, slots=True)
class Bar:
    """The features of a pool of problems, and the hardness from which a problem counts as hard.

    Attributes:
        columns: by feature, the pool's values in ascending order.
        threshold: the least hardness that counts as hard.
    """

    columns: Mapping[str, tuple[float, ...]]
    threshold: float

    def hardness(self, features: Mapping[str, Any]) -> float:
        """Return a problem's hardness, from 0 to 1."""
        ranks = [_rank(column, features[name]) for name, column in self.columns.items()]
        return sum(ranks) / len(ranks)

    def summary(self) -> dict[str, Any]:
        """Return what a manifest says: size, threshold, and each feature's median and highest decile."""
        size = len(next(iter(self.columns.values())))
        return {
            "problems": size,
            "threshold": round(self.threshold, 6),
            "features": {
                name: {"median": column[size // 2], "decile": column[size * 9 // 10]}
                for name, column in self.columns.items()
            },
        }


def bar(task: str, pool: Sequence[Mapping[str, Any]], share: float) -> Bar:
    """Return the bar that ``share`` of a pool of problems, and at least one of them, reach."""
    columns = {name: tuple(sorted(features[name] for features in pool)) for name in HARD[task]}
    ranked = Bar(columns, 0.0)
    hardnesses = sorted((ranked.hardness(features) for features in pool), reverse=True)
    return Bar(columns, hardnesses[max(0, round(share * len(hardnesses)) - 1)])


def _rank(column: Sequence[float], value: float) -> float:
    low, high = bisect_left(column, value), bisect_right(column, value)
    return (low + high) / (2 * len(column))
