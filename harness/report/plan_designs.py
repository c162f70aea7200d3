"""Many items once, or few items often: how much the same number of calls tells, for `harness plan`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from harness.report import numbers, power
from harness.report.plan_known import Known, Spread

LEAST = 3  # items; of two, nothing is known but that they differ
REPEATS = (1, 2, 3, 5, 10, 20, 50, 100)
WITHIN = 0.5  # share of an answer's variance within items, where no pilot tells it


@dataclass(frozen=True, slots=True)
class Parts:
    """The variance of one answer: ``between`` items, and ``within`` one; ``effect``: of sources that items share."""

    between: float
    within: float
    effect: float

    def sd(self, repeats: int) -> float:
        """Return the standard deviation of an item's mean over so many answers."""
        return math.sqrt(self.between + self.within / repeats)


def parts(known: Known, d: float, share: float) -> tuple[Parts, Parts]:
    """Return the parts of the variance of one model's answers, and of the difference of two.

    ``share`` is what lies within items, where the pilot's have one answer each.
    """
    if known.series is not None:
        single = _parts(known.series, share)
    else:
        right = min(1.0, (0.5 if known.floor is None else known.floor) + d)
        single = _shared(right * (1 - right), share, 1.0)
    if known.pair is not None:
        return single, _parts(known.pair, share)
    return single, Parts(2 * single.between, 2 * single.within, single.effect)


def _parts(spread: Spread, share: float) -> Parts:
    if math.isnan(spread.within):
        return _shared(spread.sd**2, share, spread.effect)
    return Parts(max(0.0, spread.sd**2 - spread.noise), spread.within, spread.effect)


def _shared(variance: float, share: float, effect: float) -> Parts:
    return Parts((1 - share) * variance, share * variance, effect)


def is_known(known: Known) -> bool:
    """Return whether the pilot tells what lies within items."""
    return known.series is not None and not math.isnan(known.series.within)


def rows(known: Known, calls: int, d: float, alpha: float, share: float) -> list[dict[str, Any]]:
    """Return a row per design: items, answers to each, half width of the interval, and power to see ``d``."""
    single, paired = parts(known, d, share)

    def chance(part: Parts, items: int, repeats: int) -> float | None:
        sd = part.sd(repeats) * math.sqrt(part.effect)
        return numbers.rounded(power.power_mean(items, sd, d, alpha) if sd else 1.0)

    designs = []
    for items, repeats in ((calls // repeats, repeats) for repeats in REPEATS):
        if items >= LEAST:
            half = power.half_width(single.sd(repeats), items, single.effect)
            designs.append({
                "items": items,
                "repeats": repeats,
                "half_width": numbers.rounded(half),
                "power": chance(single, items, repeats),
                "power_paired": chance(paired, items, repeats),
            })  # fmt: skip
    return designs


def assumptions(known: Known, d: float, share: float) -> Iterator[str]:
    """Yield what designs rest on, a sentence each."""
    single, _ = parts(known, d, share)
    variance = f"{single.within:.3f} within items, {single.between:.3f} between them"
    if is_known(known) and known.series is not None:
        yield f"designs: the variance of one answer is {variance}, as {known.series.label}'s in the pilot"
    else:
        whence = f"of a share {d:g} above the floor" if known.series is None else "as in the pilot"
        yield (
            f"designs: the variance of one answer ({whence}) is {variance}: {share:g} of it within items is assumed "
            "(within=); a pilot with epochs tells"
        )
    pair = "as in the pilot" if known.pair is not None else "independent"
    yield (
        f"designs: two models answer the same items as often, their errors {pair}; power is that of t tests over the "
        "items' means, of one model against a known number and of two"
    )
