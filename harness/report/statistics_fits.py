"""Correlations and the least-squares line, nan where undefined, and what a fit takes to say anything."""

from __future__ import annotations

import math

import numpy as np
from scipy import stats as scipy_stats

from harness.report.statistics_sources import Codes, Floats, Sources, codes_of, floats, kept_sources

ITEMS, SOURCES, VALUES = 20, 10, 3
"""How many items, sources where items share some, and different values of x a fit takes."""
TAKEN = f"a language model and {ITEMS} items, of {SOURCES} sources, with {VALUES} different values"


def lacking(x: Floats, y: Floats, sources: Sources = None) -> str:
    """Return what a fit of finite numbers lacks, in words; nothing where it lacks nothing."""
    if len(x) < ITEMS:
        return f"{len(x)} item{'' if len(x) == 1 else 's'}"
    codes = codes_of(sources, len(x))
    if codes is not None and int(codes.max()) + 1 < SOURCES:
        return f"{int(codes.max()) + 1} sources"
    values = len(np.unique(x))
    if values < VALUES:
        return f"{values} value{'' if values == 1 else 's'}"
    return "" if _centred(x) is not None and _centred(y) is not None else "equal results"


def _pairs(x: Floats, y: Floats, sources: Sources = None) -> tuple[Floats, Floats, Sources]:
    """Return the pairs of finite numbers, and their sources; ValueError where the lengths differ."""
    x, y = floats(x), floats(y)
    if len(x) != len(y):
        raise ValueError(f"{len(x)} numbers paired with {len(y)}")
    finite = np.isfinite(x) & np.isfinite(y)
    return x[finite], y[finite], kept_sources(sources, finite)


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
    codes = codes_of(sources, len(x))
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
