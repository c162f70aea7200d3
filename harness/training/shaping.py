"""How a verdict becomes a reward: one number of its values, and what there is where there is no answer."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from harness_errors import SpecError, did_you_mean

from harness.core.facts import printable
from harness.core.hookspecs import Benchmark

LARGEST = 1e100  # of a number, so that no sum of products of them is infinite


def _finite(number: object) -> bool:
    if not isinstance(number, int | float) or isinstance(number, bool):
        return False
    return abs(number) <= LARGEST  # nan is not


def _shown(value: object) -> str:
    return printable(ascii(value), 80)


@dataclass(frozen=True, slots=True)
class Shaping:
    """How a verdict becomes a number.

    A scored completion gets ``offset + scale * x``, held between ``low`` and ``high``; x is ``value``, a key of
    the plugin's values (default: the first), or the sum of several keys by ``weights``.
    ``unparsed`` and ``unscored`` are given as they are: no scale, no bounds. With the defaults a wrong answer and
    one that nobody can read are both 0; ``unparsed=-0.1`` tells them apart, and so does `graded`.

    Args:
        value: a key of the benchmark's ``values``, or "" for the first, which is 1 for what is wholly right. (By its
            ``agreement`` a bare "False" would be right where a counterexample is asked for.)
        weights: weights of several keys instead, ``{"exact": 0.5, "f1": 0.5}``.
        unparsed: the reward of a completion that holds no answer.
        unscored: the reward where scoring failed; None raises `UnscoredError`.
        scale: factor.
        offset: what is added.
        low: the least reward of a scored completion.
        high: the greatest.
        any_version: also score items made by other versions of the plugin.
    """

    value: str = ""
    weights: Mapping[str, float] | Iterable[tuple[str, float]] = ()
    unparsed: float = 0.0
    unscored: float | None = None
    scale: float = 1.0
    offset: float = 0.0
    low: float | None = None
    high: float | None = None
    any_version: bool = False

    def __post_init__(self) -> None:
        for name in ("unparsed", "scale", "offset", "unscored", "low", "high"):
            number = getattr(self, name)
            optional = name in ("unscored", "low", "high")
            if not (_finite(number) or (optional and number is None)):
                raise SpecError(f"Shaping: {name} is {_shown(number)}, expected a finite number")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise SpecError(f"Shaping: low={self.low} is above high={self.high}")
        if not isinstance(self.value, str):
            raise SpecError(f"Shaping: value is {_shown(self.value)}, expected a name")
        object.__setattr__(self, "weights", self._pairs())

    def _pairs(self) -> tuple[tuple[str, float], ...]:
        """Return the weights as pairs in the order of their names, so that the sum is always the same."""
        try:
            pairs = dict(self.weights)
        except (TypeError, ValueError):
            raise SpecError(
                f"Shaping: weights is {_shown(self.weights)}, expected numbers by name"
            ) from None
        if pairs and self.value:
            raise SpecError("Shaping: give value or weights, not both")
        for key, number in pairs.items():
            if not (isinstance(key, str) and _finite(number)):
                raise SpecError(
                    f"Shaping: weights[{_shown(key)}] is {_shown(number)}, expected a finite number"
                )
        return tuple(sorted(pairs.items()))

    def of(self, benchmark: Benchmark, values: Mapping[str, float]) -> float:
        """Return the reward of a scored completion.

        Raises:
            SpecError: the benchmark has no such value.
        """
        pairs: Any = self.weights or ((self.value or benchmark.values[0], 1),)
        for key, _ in pairs:
            if key not in values:
                hint = did_you_mean(key, benchmark.values)
                raise SpecError(f"Shaping: no value '{key[:80]}' of {benchmark.name}; {hint}")
        found = self.offset + self.scale * math.fsum(weight * values[key] for key, weight in pairs)
        found = found if self.low is None else max(found, self.low)
        return float(found if self.high is None else min(found, self.high))
