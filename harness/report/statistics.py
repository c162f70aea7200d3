"""Intervals over items, sources allowed for; tests and fits are in `statistics_tests`.

Arrays in, numbers out: nothing here knows a benchmark. A value that is nan is no observation: it is left out
together with its source (of a pair, the pair is). Everything is seeded, and where an interval is resampled, the
order of the items and the names of their sources do not change it, except in `whole` and `difference_of` above
`SMALL` items, where batches are dealt in the order given.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

import numpy as np
from scipy import stats as scipy_stats

from harness.core.hookspecs import Row
from harness.report import statistics_sources as grouped
from harness.report.statistics_sources import Codes, Compute, Floats, Sources
from harness.report.statistics_tests import SMALL
from harness.run import stats

LEVEL = 0.95
RESAMPLES = 2_000  # of a mean
MOST = 5_000  # items whose mean is bootstrapped; above, the central limit theorem serves
_MANY = 20  # batches
_LARGE = 1e100  # numbers whose squares' sum may overflow
_CHUNK = 2_000_000  # numbers drawn at a time


class Interval(NamedTuple):
    """A number and the ends of its 95 % interval, nan where undefined; ``method`` is "" without an interval."""

    value: float
    low: float
    high: float
    method: str


UNKNOWN = Interval(math.nan, math.nan, math.nan, "")


def _without_interval(value: float) -> Interval:
    return Interval(value, math.nan, math.nan, "")


def wilson(successes: float, n: float) -> Interval:
    """Return a share with Wilson's score interval (1927); nan of nothing."""
    if n <= 0:
        return UNKNOWN
    z2 = float(scipy_stats.norm.isf((1 - LEVEL) / 2)) ** 2
    share = successes / n
    middle = (successes + z2 / 2) / (n + z2)
    half = math.sqrt(z2 * (share * (1 - share) * n + z2 / 4)) / (n + z2)
    # At 0 and at n an end is the share itself, which rounding would miss by a bit.
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    high = 1.0 if successes == n else min(1.0, middle + half)
    return Interval(share, low, high, "Wilson")


def mean(values: Floats, sources: Sources = None) -> Interval:
    """Return the mean of some numbers, one per item, with its interval.

    Zeros and ones: Wilson's, where items share sources with their effective number (`effective`). Other
    numbers: the bootstrap over sources (over items, where none share one), 2,000 resamples, its percentiles widened
    for few sources (Hesterberg 2015, "expanded percentile"); above 5,000 items the t interval with the error that is
    robust to sources. There is one source only, or numbers other than 0 and 1 do not vary: no interval.
    """
    values = grouped.floats(values)
    present = ~np.isnan(values)
    values, sources = values[present], grouped.kept_sources(sources, present)
    if not len(values):
        return UNKNOWN
    if not np.isfinite(values).all():
        return _without_interval(math.fsum(values) if len(set(values)) == 1 else math.nan)
    codes = grouped.codes_of(sources, len(values))
    if not np.isin(values, (0.0, 1.0)).all():
        return _mean(values, codes)
    right = math.fsum(values)
    share = right / len(values)
    if codes is None:
        return wilson(right, len(values))
    if not codes.any():
        return _without_interval(share)
    n = grouped.effective_size(values, codes, LEVEL)  # as many items as the sources are worth
    interval = wilson(n if share == 1 else share * n, n)
    return interval._replace(value=share, method="Wilson over sources")


def chance(values: Floats, tries: Floats, sources: Sources = None) -> Interval:
    """Return the mean of an estimated chance over items, with Wilson's interval for its effective number of tries.

    ``tries``: from how many independent ones each item's is estimated. Zeros and ones: as `mean`.
    """
    values = grouped.floats(values)
    codes = grouped.codes_of(sources, len(values))
    sums, counts = grouped.totals(values, codes)
    if len(sums) < 2 or np.isin(values, (0.0, 1.0)).all():
        return mean(values, sources)
    value = math.fsum(values) / len(values)
    low, high = _robust(value, sums, counts)
    critical = float(scipy_stats.t.isf((1 - LEVEL) / 2, len(sums) - 1))
    ends = stats.score_ends(value, (high - low) / 2, critical, float(np.sum(tries)))
    return Interval(value, *ends, "Wilson" if codes is None else "Wilson over sources")


def difference(a: Floats, b: Floats, sources: Sources = None) -> Interval:
    """Return the mean of ``a - b``, two numbers per item, with its interval.

    Zeros and ones that share no source: Newcombe's paired score interval (1998, method 10). Else as `mean`. Raises
    `ValueError`: ``a`` and ``b`` differ in length.
    """
    a, b = grouped.floats(a), grouped.floats(b)
    if len(a) != len(b):
        raise ValueError(f"{len(a)} numbers paired with {len(b)}")
    present = ~(np.isnan(a) | np.isnan(b))
    a, b, sources = a[present], b[present], grouped.kept_sources(sources, present)
    if not len(a) or not (np.isfinite(a).all() and np.isfinite(b).all()):
        return UNKNOWN
    codes = grouped.codes_of(sources, len(a))
    if codes is None and np.isin(a, (0.0, 1.0)).all() and np.isin(b, (0.0, 1.0)).all():
        both, only_a, only_b = (int(hits.sum()) for hits in (a * b, a > b, b > a))
        return _newcombe(both, only_a, only_b, len(a) - both - only_a - only_b)
    with np.errstate(over="ignore"):
        differences = a - b
    if not np.isfinite(differences).all():
        return UNKNOWN
    return _mean(differences, codes)


def _newcombe(both: int, only_a: int, only_b: int, neither: int) -> Interval:
    """Return the square-and-add interval: Newcombe, Statistics in Medicine 17 (1998) 2635, method 10."""
    n = both + only_a + only_b + neither
    first, second = wilson(both + only_a, n), wilson(both + only_b, n)
    margins = (both + only_a) * (only_b + neither) * (both + only_b) * (only_a + neither)
    cross = both * neither - only_a * only_b
    # The continuity correction is for positive correlation only.
    corrected = max(cross - n / 2, 0.0) if cross > 0 else float(cross)
    phi = corrected / math.sqrt(margins) if margins else 0.0
    value = (only_a - only_b) / n

    def reach(x: float, y: float) -> float:
        return math.sqrt(max(0.0, x * x - 2 * phi * x * y + y * y))

    down = reach(first.value - first.low, second.high - second.value)
    up = reach(first.high - first.value, second.value - second.low)
    return Interval(value, max(-1.0, value - down), min(1.0, value + up), "Newcombe, paired")


def _mean(values: Floats, codes: Codes | None) -> Interval:
    """Return a mean with the interval that sums and sizes of sources give."""
    largest = float(np.abs(values).max())
    if largest > _LARGE:
        value, low, high, method = _mean(values / largest, codes)
        return Interval(value * largest, low * largest, high * largest, method)
    value = math.fsum(values) / len(values)
    lowest, highest = float(values.min()), float(values.max())
    sums, counts = grouped.totals(values, codes)
    if len(sums) < 2 or lowest == highest:
        return _without_interval(min(max(value, lowest), highest))
    if len(values) > MOST:
        kind, ends = "normal", _robust(value, sums, counts)
        bounds = (0.0, 1.0) if lowest >= 0 and highest <= 1 else (lowest, highest)
        ends = max(bounds[0], ends[0]), min(bounds[1], ends[1])
    else:
        kind, ends = "bootstrap", _ends(_draws(sums, counts), len(sums))
    return _around(value, ends if ends[0] < ends[1] else None, kind, codes is not None)


def _around(value: float, ends: tuple[float, float] | None, kind: str, shared: bool) -> Interval:
    """Return an interval whose ends do not leave its value out."""
    if ends is None:
        return _without_interval(value)
    method = f"{kind} over sources" if shared else kind
    return Interval(value, min(ends[0], value), max(ends[1], value), method)


def _robust(value: float, sums: Floats, counts: Floats) -> tuple[float, float]:
    """Return the t interval of a ratio of sums, with the sandwich error over sources."""
    groups = len(sums)
    left = sums - value * counts
    error = math.sqrt(groups / (groups - 1) * float(left @ left)) / float(counts.sum())
    half = float(scipy_stats.t.isf((1 - LEVEL) / 2, groups - 1)) * error
    return value - half, value + half


def _draws(sums: Floats, counts: Floats) -> Floats:
    """Return the means of `RESAMPLES` samples of sources, drawn with replacement."""
    rng, groups = np.random.default_rng(stats.SEED), len(sums)
    kinds, times = np.unique(np.stack((sums, counts)), axis=1, return_counts=True)
    if len(times) * 20 <= groups:
        # How often each kind is drawn, and not which source: the same law.
        often = rng.multinomial(groups, times / groups, size=RESAMPLES).astype(np.float64)
        return np.asarray((often @ kinds[0]) / (often @ kinds[1]))
    equal = bool((counts == counts[0]).all())
    means, size = [], max(1, _CHUNK // groups)
    for start in range(0, RESAMPLES, size):
        places = rng.integers(0, groups, (min(size, RESAMPLES - start), groups), dtype=np.int32)
        over = counts[0] * groups if equal else counts[places].sum(axis=1)
        means.append(sums[places].sum(axis=1) / over)
    return np.concatenate(means)


def _ends(draws: Floats, groups: int) -> tuple[float, float]:
    """Return the percentiles that are the ends of an interval: 2.5 %, less for few sources (Hesterberg 2015)."""
    wide = math.sqrt(groups / (groups - 1)) * float(scipy_stats.t.ppf((1 - LEVEL) / 2, groups - 1))
    tail = float(scipy_stats.norm.cdf(wide))
    low = np.quantile(draws, tail, method="lower")
    return float(low), float(np.quantile(draws, 1 - tail, method="higher"))


def whole(compute: Compute, rows: Sequence[Row], sources: Sources = None) -> Interval:
    """Return a whole-run metric with its interval.

    Up to 2,000 rows: percentile bootstrap of 300 resamples, without shared sources the very one that a run
    makes (`harness.run.stats.bootstrap`), else over sources. Above: the t interval from the metric's spread over
    30 batches (fewer where there are fewer sources), whole sources together. Resamples and batches in which the
    metric is undefined are left out; where half of the batches are, there is no interval.
    """
    if not rows:
        return UNKNOWN
    codes = grouped.codes_of(sources, len(rows))
    if codes is None and len(rows) <= SMALL:
        result = stats.bootstrap(compute, rows, LEVEL)
        method = "bootstrap" if math.isfinite(result["lower"]) else ""
        return Interval(result["value"], result["lower"], result["upper"], method)

    def at(places: Sequence[int]) -> float:
        return float(compute([rows[place] for place in places]))

    return _interval_of(at, _clusters([rows], codes), codes is not None)


def difference_of(
    compute: Compute, rows_a: Sequence[Row], rows_b: Sequence[Row], sources: Sources = None
) -> Interval:
    """Return a whole-run metric of ``rows_a`` less ``rows_b``'s, as `whole` does; `ValueError`: lengths differ."""
    at = grouped.difference_at(compute, rows_a, rows_b)
    if not rows_a:
        return UNKNOWN
    codes = grouped.codes_of(sources, len(rows_a))
    return _interval_of(at, _clusters([rows_a, rows_b], codes), codes is not None)


def _clusters(runs: Sequence[Sequence[Row]], codes: Codes | None) -> list[list[int]]:
    """Return the places of the rows of each source; for a bootstrap in an order that only the rows decide."""
    groups = grouped.members(codes, len(runs[0]))
    if len(runs[0]) > SMALL:
        return groups
    keys = [tuple(map(stats.order, rows)) for rows in zip(*runs, strict=True)]
    groups = [sorted(group, key=keys.__getitem__) for group in groups]
    return sorted(groups, key=lambda group: [keys[place] for place in group])


def _interval_of(
    at: Callable[[Sequence[int]], float], clusters: list[list[int]], shared: bool
) -> Interval:
    """Return a function of places with its interval, by bootstrap or from batches."""
    n = sum(map(len, clusters))
    value = at([place for group in clusters for place in group])
    if len(clusters) < 2 or not math.isfinite(value):
        return _without_interval(value)
    if n > SMALL:
        return _around(value, _batch_ends(at, clusters, value), "batches", shared)
    rng = Random(stats.SEED)
    draws = [
        at([place for group in rng.choices(clusters, k=len(clusters)) for place in group])
        for _ in range(stats.RESAMPLES)
    ]
    finite = np.array([draw for draw in draws if math.isfinite(draw)])
    varied = len(finite) and finite.min() < finite.max()
    return _around(value, _ends(finite, len(clusters)) if varied else None, "bootstrap", shared)


def _batch_ends(
    at: Callable[[Sequence[int]], float], clusters: list[list[int]], value: float
) -> tuple[float, float] | None:
    """Return the t interval from a function's spread over batches of whole sources."""
    error = grouped.batch_error(at, clusters, value)
    if error is None:
        return None
    half = float(scipy_stats.t.isf((1 - LEVEL) / 2, error.free)) * error.size
    low, high = value - half, value + half
    if error.free >= _MANY - 1:
        # So many batches spread far wider than their mean: an end beyond all is beyond the possible.
        low, high = max(low, error.least), min(high, error.most)
    return low, high
