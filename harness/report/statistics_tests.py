"""Paired tests, two-sided, and Holm's correction; correlations and the least-squares line, nan where undefined.

Sources whose items belong together are flipped together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

import numpy as np
from scipy import stats as scipy_stats

from harness.core.hookspecs import Row
from harness.report import statistics_sources as grouped
from harness.report.statistics_sources import BATCHES, Codes, Compute, Floats, Sources
from harness.run import stats

ENUMERATED = 16  # flips of so many sources are all gone through
WORK = 200_000_000  # additions to work out the distribution of a sum of whole numbers
FLIPS = 9_999
MOST = 5_000  # sources that are flipped by chance; above, the normal limit of the same distribution serves
SMALL = 2_000  # items over which a whole-run metric is resampled or swapped; above, batches of them tell its error
SWAPS = 999
JUDGED = 4_000_000  # rows that a whole-run metric is put to in one test
_CLOSE = 1e-9  # of the size at hand: sums in another order differ by rounding


def mcnemar(only_a: int, only_b: int) -> float:
    """Return the exact two-sided p of McNemar's test; 1 where the two nowhere differ."""
    n = only_a + only_b
    return float(scipy_stats.binomtest(only_a, n).pvalue) if n else 1.0


def permutation(differences: Floats, sources: Sources = None) -> float:
    """Return the p of the sign-flip test that paired differences are centred at 0; nan of none.

    Exact where at most 16 sources differ (all flips), all differ by as much (a binomial), or by whole numbers
    (their distribution is worked out); else 9,999 seeded flips, (k+1)/(n+1); above 5,000 sources the normal limit.
    """
    values = grouped.floats(differences)
    present = np.isfinite(values)
    values, sources = values[present], grouped.kept_sources(sources, present)
    if not len(values):
        return math.nan
    # Scaled against overflow where they are very large; the test does not depend on it.
    largest = float(np.abs(values).max())
    values = values / largest if largest > 1e100 else values
    sums, _ = grouped.totals(values, grouped.codes_of(sources, len(values)))
    sizes = np.sort(np.abs(sums))
    sizes = sizes[sizes > _CLOSE * sizes[-1]] if sizes[-1] else sizes[:0]
    if not len(sizes):
        return 1.0
    seen = abs(math.fsum(sums))
    if len(sizes) <= ENUMERATED:
        flips = np.zeros(1)
        for size in sizes:
            flips = np.concatenate((flips + size, flips - size))
        return float((np.abs(flips) >= seen - _CLOSE * float(sizes.sum())).mean())
    if sizes[-1] - sizes[0] <= _CLOSE * sizes[-1]:
        up = (round(seen / float(sizes[0])) + len(sizes)) // 2
        return min(1.0, float(2 * scipy_stats.binom.sf(up - 1, len(sizes), 0.5)))
    if (sizes == np.round(sizes)).all() and sizes.sum() * len(sizes) <= WORK:
        return _from_distribution(sizes.astype(np.int64), round(seen))
    if len(sizes) > MOST:
        return float(2 * scipy_stats.norm.sf(seen / math.sqrt(float(sizes @ sizes))))
    return _from_random_flips(sizes, seen)


def paired_test(a: Floats, b: Floats, sources: Sources = None) -> tuple[float, str]:
    """Return the p of the paired test of two numbers per item, none of them nan, and which test it is.

    Zeros and ones that share no source: McNemar's. Else that of flipped signs.
    """
    shared = grouped.codes_of(sources, len(a)) is not None
    if not shared and np.isin((a, b), (0, 1)).all():
        return mcnemar(int((a > b).sum()), int((b > a).sum())), "exact McNemar"
    with np.errstate(over="ignore"):
        differences = b - a
    test = "paired permutation of sources" if shared else "paired permutation"
    return permutation(differences, sources), test


def _from_distribution(sizes: np.typing.NDArray[np.int64], seen: int) -> float:
    """Return the p from the distribution of the sum of flipped whole numbers, built up size by size."""
    # The sum of those flipped up, s; the statistic is 2 s - total.
    total = int(sizes.sum())
    chance = np.zeros(total + 1)
    chance[0], reached = 1.0, 0
    for size in sizes.tolist():
        reached += size
        moved = chance[: reached - size + 1] / 2
        chance[: reached + 1] /= 2
        chance[size : reached + 1] += moved
    places = np.abs(2 * np.arange(total + 1) - total)
    return min(1.0, float(chance[places >= seen].sum()))


def _from_random_flips(sizes: Floats, seen: float) -> float:
    rng = np.random.default_rng(stats.SEED)
    least, extreme = seen - _CLOSE * float(sizes.sum()), 0
    for start in range(0, FLIPS, 500):
        count = min(500, FLIPS - start)
        up = np.unpackbits(rng.integers(0, 256, (count, -(-len(sizes) // 8)), dtype=np.uint8), 1)
        flips = 2 * (up[:, : len(sizes)].astype(np.float64) @ sizes) - sizes.sum()
        extreme += int((np.abs(flips) >= least).sum())
    return (extreme + 1) / (FLIPS + 1)


def permutation_of(
    compute: Compute, rows_a: Sequence[Row], rows_b: Sequence[Row], sources: Sources = None
) -> float:
    """Return the p of the test that swaps the two answers to an item, for a whole-run metric; nan if undefined.

    All swaps where they are few; else 999 seeded ones, (k+1)/(n+1), fewer above 2,000 items, at least 99 (see
    `whole_test`). A swap that leaves the metric undefined counts as extreme. Whole sources are swapped. Raises
    `ValueError`: the rows differ in number.
    """
    if len(rows_a) != len(rows_b):
        raise ValueError(f"{len(rows_a)} rows paired with {len(rows_b)}")
    if not rows_a:
        return math.nan
    n = len(rows_a)

    def apart(first: Sequence[Row], second: Sequence[Row]) -> float:
        return abs(float(compute(first)) - float(compute(second)))

    seen = apart(rows_a, rows_b)
    if not math.isfinite(seen):
        return math.nan
    groups = grouped.members(grouped.codes_of(sources, n), n)
    groups = [group for group in groups if any(rows_a[at] != rows_b[at] for at in group)]
    if not groups:
        return 1.0
    swaps = max(99, min(SWAPS, JUDGED // (2 * n)))

    def extreme(swapped: Sequence[bool]) -> bool:
        first, second = list(rows_a), list(rows_b)
        for group, swap in zip(groups, swapped, strict=True):
            for at in group if swap else ():
                first[at], second[at] = second[at], first[at]
        return not apart(first, second) < seen - _CLOSE

    if 2 ** (len(groups) - 1) <= swaps:
        # The last source stays: swapping everything changes the sign alone.
        every = [(*swapped, False) for swapped in product((False, True), repeat=len(groups) - 1)]
        return sum(map(extreme, every)) / len(every)
    drawn = np.random.default_rng(stats.SEED).integers(0, 2, (swaps, len(groups))).astype(bool)
    return (sum(map(extreme, drawn.tolist())) + 1) / (swaps + 1)


def whole_test(
    compute: Compute, rows_a: Sequence[Row], rows_b: Sequence[Row], sources: Sources = None
) -> tuple[float, str]:
    """Return the p of the paired test of a whole-run metric, and which test it is.

    Up to 2,000 items `permutation_of`. Above, swaps enough for a small p would take too long: there it is the t
    test of the difference over its error from 30 batches of whole sources (the same as the interval's), if there
    are as many sources, and batches that differ. Raises `ValueError`: the rows differ in number.
    """
    at = grouped.difference_at(compute, rows_a, rows_b)
    codes = grouped.codes_of(sources, len(rows_a))
    clusters = grouped.members(codes, len(rows_a))
    over = " of sources" if codes is not None else ""
    if len(rows_a) > SMALL and len(clusters) >= BATCHES:
        value = at(range(len(rows_a)))
        if not math.isfinite(value):
            return math.nan, f"batch t{over}"
        error = grouped.batch_error(at, clusters, value)
        if error is not None:
            p = float(2 * scipy_stats.t.sf(abs(value) / error.size, error.free))
            return p, f"batch t{over}"
    return permutation_of(compute, rows_a, rows_b, sources), f"permutation{over}"


def holm(p: Sequence[float]) -> list[float]:
    """Return the p values adjusted for their number by Holm's method (1979); nan stays and is not counted."""
    adjusted, highest = list(map(float, p)), 0.0
    places = sorted((value, at) for at, value in enumerate(adjusted) if not math.isnan(value))
    for rank, (value, at) in enumerate(places):
        highest = max(highest, min(1.0, value * (len(places) - rank)))
        adjusted[at] = highest
    return adjusted


ITEMS, SOURCES, VALUES = 20, 10, 3
"""How many items, sources where items share some, and different values of x a fit takes."""
TAKEN = f"a language model and {ITEMS} items, of {SOURCES} sources, with {VALUES} different values"


def lacking(x: Floats, y: Floats, sources: Sources = None) -> str:
    """Return what a fit of finite numbers lacks, in words; nothing where it lacks nothing."""
    if len(x) < ITEMS:
        return f"{len(x)} item{'' if len(x) == 1 else 's'}"
    codes = grouped.codes_of(sources, len(x))
    if codes is not None and int(codes.max()) + 1 < SOURCES:
        return f"{int(codes.max()) + 1} sources"
    values = len(np.unique(x))
    if values < VALUES:
        return f"{values} value{'' if values == 1 else 's'}"
    return "" if _centred(x) is not None and _centred(y) is not None else "equal results"


def _pairs(x: Floats, y: Floats, sources: Sources = None) -> tuple[Floats, Floats, Sources]:
    """Return the pairs of finite numbers, and their sources; ValueError where the lengths differ."""
    x, y = grouped.floats(x), grouped.floats(y)
    if len(x) != len(y):
        raise ValueError(f"{len(x)} numbers paired with {len(y)}")
    finite = np.isfinite(x) & np.isfinite(y)
    return x[finite], y[finite], grouped.kept_sources(sources, finite)


def _centred(x: Floats) -> Floats | None:
    """Return the deviations from the mean, scaled to at most 1 against overflow; None where nothing varies."""
    if not len(x) or x.min() == x.max():
        return None
    largest = float(np.abs(x).max())
    scaled = x / largest
    left = scaled - scaled.mean()
    # Numbers that differ in their last bits alone: their deviations are nothing but rounding.
    return left if float(np.abs(left).max()) > 1e-13 else None


def pearson(x: Floats, y: Floats, sources: Sources = None) -> tuple[float, float]:
    """Return Pearson's r and its two-sided p, over pairs of finite numbers.

    p: from the t distribution; where items share a source, of the slope over its leave-one-source-out jackknife
    error, t with one degree less than there are sources (CV3: Bell & McCaffrey 2002, Survey Methodology 28, 169;
    MacKinnon, Nielsen & Webb 2023, J. Econometrics 232, 272). nan where a side does not vary; p is nan of fewer than
    three pairs or sources, and where the slope hangs on one source.
    """
    x, y, sources = _pairs(x, y, sources)
    dx, dy = _centred(x), _centred(y)
    if dx is None or dy is None:
        return math.nan, math.nan
    r = float(dx @ dy) / math.sqrt(float(dx @ dx) * float(dy @ dy))
    r = min(1.0, max(-1.0, r))
    codes = grouped.codes_of(sources, len(x))
    if codes is not None:
        return r, _over_sources(dx, dy, codes)
    free = len(x) - 2
    if free < 1:
        return r, math.nan
    if abs(r) == 1.0:
        return r, 0.0
    return r, float(2 * scipy_stats.t.sf(abs(r) * math.sqrt(free / ((1 - r) * (1 + r))), free))


def _over_sources(dx: Floats, dy: Floats, codes: Codes) -> float:
    """Return the p of the slope of dy on dx, both centred, from the slopes without one source each."""
    groups = int(codes.max()) + 1
    if groups < 3:
        return math.nan
    parts = np.stack((np.ones(len(dx)), dx, dy, dx * dx, dx * dy))
    sums = np.stack([np.bincount(codes, part, groups) for part in parts])
    n, sx, sy, sxx, sxy = sums.sum(axis=1, keepdims=True) - sums
    spread = sxx - sx * sx / n
    if not (spread > 1e-12 * float(dx @ dx)).all():
        return math.nan
    slope = float(dx @ dy) / float(dx @ dx)
    left = (sxy - sx * sy / n) / spread - slope
    error = math.sqrt((groups - 1) / groups * float(left @ left))
    if error <= 1e-12 * abs(slope):
        return 0.0 if slope else 1.0
    return float(2 * scipy_stats.t.sf(abs(slope) / error, groups - 1))


def spearman(x: Floats, y: Floats) -> float:
    """Return Spearman's rank correlation, ties at their mean rank; nan where a side does not vary."""
    x, y, _ = _pairs(x, y)
    return pearson(scipy_stats.rankdata(x), scipy_stats.rankdata(y))[0] if len(x) else math.nan


def line(x: Floats, y: Floats) -> tuple[float, float]:
    """Return slope and intercept of the least-squares line; nan where ``x`` does not vary."""
    x, y, _ = _pairs(x, y)
    if _centred(x) is None:
        return math.nan, math.nan
    # Scaled to at most 1 against overflow.
    wide, high = float(np.abs(x).max()), float(np.abs(y).max()) or 1.0
    x, y = x / wide, y / high
    dx = x - x.mean()
    slope = float(dx @ (y - y.mean())) / float(dx @ dx)
    return slope * (high / wide), (float(y.mean()) - slope * float(x.mean())) * high
