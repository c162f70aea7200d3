"""The features of all items of a dataset: their types, ranges and commonest values, in flat memory."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from harness_errors import DatasetError

MAX_FEATURES = 500
DISTINCT = 2_000  # values of one feature, or targets, that are counted one by one
LONG = 80  # characters of a text beyond which it is no category to be counted
FEW = 20  # values that a manifest lists
BINS = 20
_EXACT = 2**53  # beyond it a float cannot hold every integer
_WIDE = 2**63


def label_of(target: str) -> str:
    """Return what of a target is counted: the verdict of "False: (event1)"; an object has none."""
    return target if target.startswith("{") else target.split(":")[0]


def shown(targets: Mapping[str, int] | None, many: str) -> dict[str, int] | int | str:
    """Return what a manifest says of targets: their counts where they are few and short, else how many there are."""
    if targets is None:
        return many
    if len(targets) > FEW or any(label.startswith("{") for label in targets):
        return len(targets)
    return dict(sorted(targets.items()))


class Counts:
    """How often each of few, short values came; None once they are too many or too long."""

    def __init__(self) -> None:
        self.values: Counter[Any] | None = Counter()

    def add(self, value: Any, times: int = 1) -> None:
        """Count a value."""
        if self.values is None:
            return
        if isinstance(value, str) and len(value) > LONG:
            self.values = None
            return
        self.values[value] += times
        if len(self.values) > DISTINCT:
            self.values = None

    def join(self, values: Mapping[Any, int] | None) -> None:
        """Take in other counts, or that they were given up."""
        if values is None:
            self.values = None
        for value, times in (values or {}).items():
            self.add(value, times)


class Column:
    """The type of a feature's column: the types of its values, and the range of its numbers."""

    def __init__(
        self, kinds: Iterable[str] = (), low: float | None = None, high: float | None = None
    ) -> None:
        self.kinds, self.low, self.high = set(kinds), low, high

    @classmethod
    def of(cls, value: Any) -> Column:
        """Return the column that one value needs."""
        kind = kind_of(value)
        number = value if kind in ("int", "float") else None
        return cls([kind], number, number)

    @property
    def kind(self) -> str:
        """One of ``bool``, ``int``, ``float``, ``string``, and ``json`` for whatever is none of these."""
        if self.kinds == {"int", "float"} and max(-(self.low or 0), self.high or 0) <= _EXACT:
            return "float"
        return next(iter(self.kinds)) if len(self.kinds) == 1 else "json"

    @property
    def numeric(self) -> bool:
        """Whether the feature has a range and a mean."""
        return self.kind in ("int", "float") and self.low is not None

    def widen(self, other: Column) -> None:
        """Make room for what another column holds."""
        self.kinds |= other.kinds
        if other.low is not None and (self.low is None or other.low < self.low):
            self.low = other.low
        if other.high is not None and (self.high is None or other.high > self.high):
            self.high = other.high

    def parts(self) -> tuple[list[str], float | None, float | None]:
        """Return what makes this column again, as JSON."""
        return sorted(self.kinds), self.low, self.high


def widen(columns: dict[str, Column], others: Mapping[str, Column]) -> None:
    """Make room in the columns of some items for those of others; refuses too many different features."""
    for name, other in others.items():
        columns.setdefault(name, Column()).widen(other)
    if len(columns) > MAX_FEATURES:
        raise DatasetError(f"the items have more than {MAX_FEATURES} different features")


class Feature(Column):
    """One feature over all items: its column, and how its values are spread."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0
        self.total = 0.0
        self.counts = Counts()
        self.bins: list[int] = []

    def add(self, value: Any, tags: bool) -> None:
        """Take in one item's value; of ``tags`` every word counts."""
        column = Column.of(value)
        self.widen(column)
        self.count += 1
        if column.kind == "json":
            self.counts.values = None
            return
        if column.numeric:
            self.total += value
        for word in sorted(set(value.split())) if tags and column.kind == "string" else (value,):
            self.counts.add(word)

    @property
    def mean(self) -> float | None:
        """The mean of a numeric feature; None where it is none, or too large to be said."""
        if not self.numeric or not math.isfinite(self.total):
            return None
        return self.total / self.count

    def data(self) -> dict[str, Any]:
        """Return what a manifest says of the feature; the counts of values where they are few."""
        summary: dict[str, Any] = {"type": self.kind, "items": self.count}
        if self.numeric:
            summary |= {"min": self.low, "max": self.high, "mean": self.mean}
        counts = self.counts.values
        if self.kind != "json" and counts is not None and len(counts) <= FEW:
            ordered = sorted(counts.items(), key=lambda pair: str(pair[0]))
            summary["values"] = {str(value): n for value, n in ordered}
        return summary

    def bin(self, value: float) -> None:
        """Take in a value for the histogram, once the range is known."""
        if self.low is None or self.high is None:
            return
        self.bins = self.bins or [0] * BINS
        # Halved, or the span of the largest floats would be infinite.
        width = (self.high / 2 - self.low / 2) or 1.0
        self.bins[min(BINS - 1, int((value / 2 - self.low / 2) / width * BINS))] += 1


def kind_of(value: Any) -> str:
    """Return the type of column that one value of a feature fits."""
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "int" if -_WIDE <= value < _WIDE else "json"
    return {float: "float", str: "string"}.get(type(value), "json")
