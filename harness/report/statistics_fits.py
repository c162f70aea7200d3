"""Correlations and the least-squares line, nan where undefined."""

from __future__ import annotations

import math

import numpy as np
from scipy import stats as scipy_stats

from harness.report.statistics_sources import Floats, floats


def _pairs(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Return the pairs of finite numbers; ValueError where the lengths differ."""
    x, y = floats(x), floats(y)
    if len(x) != len(y):
        raise ValueError(f"{len(x)} numbers paired with {len(y)}")
    finite = np.isfinite(x) & np.isfinite(y)
    return x[finite], y[finite]


def _centred(x: Floats) -> Floats | None:
    """Return the deviations from the mean, scaled to at most 1 against overflow; None where nothing varies."""
    if not len(x) or x.min() == x.max():
        return None
    largest = float(np.abs(x).max())
    scaled = x / largest
    left = scaled - scaled.mean()
    # Numbers that differ in their last bits alone: their deviations are nothing but rounding.
    return left if float(np.abs(left).max()) > 1e-13 else None


def pearson(x: Floats, y: Floats) -> tuple[float, float]:
    """Return Pearson's r and its two-sided p (t distribution), over pairs of finite numbers.

    nan where a side does not vary; p is nan of fewer than three pairs.
    """
    x, y = _pairs(x, y)
    dx, dy = _centred(x), _centred(y)
    if dx is None or dy is None:
        return math.nan, math.nan
    r = float(dx @ dy) / math.sqrt(float(dx @ dx) * float(dy @ dy))
    r, free = min(1.0, max(-1.0, r)), len(x) - 2
    if free < 1:
        return r, math.nan
    if abs(r) == 1.0:
        return r, 0.0
    return r, float(2 * scipy_stats.t.sf(abs(r) * math.sqrt(free / ((1 - r) * (1 + r))), free))


def spearman(x: Floats, y: Floats) -> float:
    """Return Spearman's rank correlation, ties at their mean rank; nan where a side does not vary."""
    x, y = _pairs(x, y)
    return pearson(scipy_stats.rankdata(x), scipy_stats.rankdata(y))[0] if len(x) else math.nan


def line(x: Floats, y: Floats) -> tuple[float, float]:
    """Return slope and intercept of the least-squares line; nan where ``x`` does not vary."""
    x, y = _pairs(x, y)
    if _centred(x) is None:
        return math.nan, math.nan
    dx = x - x.mean()
    slope = float(dx @ (y - y.mean())) / float(dx @ dx)
    return slope, float(y.mean()) - slope * float(x.mean())
