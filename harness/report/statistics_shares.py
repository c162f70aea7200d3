"""How many independent items a share over items that share sources is worth."""

from __future__ import annotations

import math

from scipy import stats as scipy_stats

from harness.report.statistics_sources import Codes, Floats, totals


def effective(hits: Floats, codes: Codes, level: float) -> float:
    """Return the number of items for Wilson's interval of zeros and ones over two or more sources.

    The items over their `design_effect`, lessened by (z/t)² for the uncertainty of that effect from few sources (Korn
    & Graubard 1998, Survey Methodology 24, 193; with Wilson's interval: Dean & Pagano 2015, J. Surv. Stat. Methodol.
    3, 484). t has one degree less than there are sources, sources of unequal size counted as n²/Σm² (Kish). Where all
    are 0 or all are 1, nothing is known of the effect, and it is that number of sources.
    """
    sums, counts = totals(hits, codes)
    n = len(hits)
    sources = n * n / float(counts @ counts)
    right = float(sums.sum())
    if right in (0.0, n):
        return sources
    tail = (1 - level) / 2
    t = float(scipy_stats.t.isf(tail, max(1.0, sources - 1)))
    few = float(scipy_stats.norm.isf(tail)) / t
    return n / design_effect(sums, counts) * few**2


def design_effect(sums: Floats, counts: Floats) -> float:
    """Return how many times the variance of a share is that of independent items, from each source's sum and size.

    The larger of two estimates, as the first is too small where few sources hold most items: the variance robust to
    sources, and Kish's 1 + (Σm²/n - 1) ρ with the intra-source correlation ρ from the analysis of variance. At least
    1, at most the largest source. The share is neither 0 nor 1, and there are two or more sources.
    """
    n, groups, squares = float(counts.sum()), len(sums), float(counts @ counts)
    largest = float(counts.max())
    share = float(sums.sum()) / n
    left = sums - share * counts
    sources = n * n / squares
    single = share * (1 - share) / (n - 1)  # the variance of the share of independent items
    robust = sources / (sources - 1) * float(left @ left) / (n * n) / single
    between = float(left @ (left / counts)) / (groups - 1)
    within = float(sums @ (1 - sums / counts)) / (n - groups)
    size = (n - squares / n) / (groups - 1)
    total = between + (size - 1) * within
    correlation = (between - within) / total if total > 0 else 0.0
    kish = 1 + (squares / n - 1) * correlation
    found = max(robust, kish)
    return min(max(1.0, found), largest) if math.isfinite(found) else largest
