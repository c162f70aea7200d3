"""How many items it takes to see a difference, or to know a number well enough: for `harness plan`.

Shares are from 0 to 1, ``power`` and ``alpha`` between; a difference is above 0 and leaves room for both models.
Numbers of items are the fewest; `SpecError` where more than `BOUND` would be needed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from harness_errors import SpecError
from numpy.typing import NDArray
from scipy import stats as scipy_stats

from harness.report.statistics import LEVEL
from harness.report.statistics_sources import Floats

BOUND = 10_000_000
_FAR = 6.5  # standard deviations beyond which a binomial has a chance below 1e-10
_BLOCK = 1024
_SMOOTH = 12  # the variance of the number of discordant items above which no saw-tooth is left

Whole = NDArray[np.int64]


def power_against(n: Whole, p0: float, p1: float, alpha: float = 0.05) -> Floats:
    """Return the power, for each n, to tell n answers of which a share ``p1`` is right from the floor ``p0``.

    The test is the exact binomial one with alpha/2 on either side: it rejects where the Clopper–Pearson interval
    at level 1 - alpha leaves ``p0`` out. All shares are from 0 to 1.
    """
    low, high = _critical(n, p0, alpha)
    binom = scipy_stats.binom
    chance: Floats = binom.sf(high - 1, n, p1) + np.where(low >= 0, binom.cdf(low, n, p1), 0.0)
    return chance


def _critical(n: Whole, p0: float, alpha: float) -> tuple[Whole, Whole]:
    """Return the largest count that is too few and the smallest that is too many (-1 and n+1: none is)."""
    binom, tail = scipy_stats.binom, alpha / 2
    high = binom.isf(tail, n, p0).astype(np.int64) + 1
    low = binom.ppf(tail, n, p0).astype(np.int64) - 1
    # The inverse is a search in floating point: the ends are put where the tails themselves say.
    high = np.where(binom.sf(high - 2, n, p0) <= tail, high - 1, high)
    high = np.where(binom.sf(high - 1, n, p0) > tail, high + 1, high)
    low = np.where(binom.cdf(low + 1, n, p0) <= tail, low + 1, low)
    low = np.where(binom.cdf(low, n, p0) > tail, low - 1, low)
    return np.maximum(low, -1), np.minimum(high, n + 1)


def items_against(p0: float, d: float, power: float = 0.8, alpha: float = 0.05) -> int:
    """Return the fewest items from which on a share ``p0 + d`` is told from the floor ``p0`` with this power.

    Exact power rises in saw-teeth: the number returned has the power, and so have all larger ones.

    Raises:
        SpecError: more than `BOUND` items would be needed.
    """
    p1 = min(1.0, p0 + d)
    spread = _z(alpha / 2) * math.sqrt(p0 * (1 - p0)) + _z(1 - power) * math.sqrt(p1 * (1 - p1))
    return _settled(lambda n: power_against(n, p0, p1, alpha) >= power, _square(spread / d), d)


def _settled(enough: Callable[[Whole], NDArray[np.bool_]], guess: float, d: float) -> int:
    """Return the least n from which on ``enough`` holds, looking around a guess as far as the saw-teeth reach.

    A tooth is as high as one count is likely, about 0.4 / sd; power rises by d times half as much an item: teeth
    reach less than 4 / d.
    """
    if guess > BOUND:
        raise _too_many(d)
    reach = math.ceil(4 / d) + 50
    low, high = max(1, math.floor(guess) - reach), math.ceil(guess) + 2 * reach
    while True:
        places = np.arange(low, high + 1, dtype=np.int64)
        failing = np.flatnonzero(~enough(places))
        if not len(failing):
            if low == 1:
                return 1
            low, high = max(1, low - 2 * reach), low
        elif high - places[failing[-1]] < reach:
            low, high = int(places[failing[-1]]), high + 2 * reach
        else:
            if (fewest := int(places[failing[-1]]) + 1) > BOUND:
                raise _too_many(d)
            return fewest


def power_paired(n: int, discordant: float, d: float, alpha: float = 0.05) -> float:
    """Return the chance that McNemar's exact test sees that one of two models is right on ``d`` more of ``n`` items.

    ``discordant`` is the share of items that exactly one of them gets right, at least ``d``. Summed over the number
    of such items.
    """
    middle, spread = n * discordant, math.sqrt(n * discordant * (1 - discordant))
    low = max(0, math.floor(middle - _FAR * spread - 5))
    high = min(n, math.ceil(middle + _FAR * spread + 5))
    chance = scipy_stats.binom.pmf(np.arange(low, high + 1), n, discordant)
    right = min(1.0, (discordant + d) / (2 * discordant))
    first = low // _BLOCK
    seen = [_block(at, right, alpha) for at in range(first, high // _BLOCK + 1)]
    known = np.concatenate(seen)[low - first * _BLOCK : high + 1 - first * _BLOCK]
    return min(1.0, float((chance * known).sum()))


@lru_cache(maxsize=256)
def _block(at: int, right: float, alpha: float) -> Floats:
    """Return the power of the sign test for `_BLOCK` numbers of items that two models differ on."""
    counts = np.arange(at * _BLOCK, (at + 1) * _BLOCK, dtype=np.int64)
    return power_against(counts, 0.5, right, alpha)


def items_paired(discordant: float, d: float, power: float = 0.8, alpha: float = 0.05) -> int:
    """Return the fewest items from which on McNemar's exact test has this power (see `power_paired`).

    Raises:
        SpecError: more than `BOUND` items would be needed.
    """
    spread = math.sqrt(max(discordant - d * d, 0))
    guess = _square((_z(alpha / 2) * math.sqrt(discordant) + _z(1 - power) * spread) / d)
    if guess * discordant * (1 - discordant) > _SMOOTH:
        return _least(lambda n: power_paired(n, discordant, d, alpha) >= power, guess, d)

    def enough(counts: Whole) -> NDArray[np.bool_]:
        return np.array([power_paired(int(n), discordant, d, alpha) for n in counts]) >= power

    return _settled(enough, guess, d)


def _least(enough: Callable[[int], bool], guess: float, d: float) -> int:
    """Return the least n that is enough, by bisection from a guess; what is enough stays so."""
    if guess > BOUND:
        raise _too_many(d)
    high, step = max(2, math.ceil(guess)), max(4, math.ceil(guess / 1000))
    low = high
    while not enough(high):
        if high >= BOUND:
            raise _too_many(d)
        low, high, step = high, min(BOUND, high + step), 2 * step
    while low > 0 and enough(low):
        low, high, step = max(0, low - step), low, 2 * step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def items_mean(sd: float, d: float, power: float = 0.8, alpha: float = 0.05) -> int:
    """Return the fewest items for which the two-sided t test sees that a mean, or mean difference, is ``d``.

    Raises:
        SpecError: more than `BOUND` items would be needed.
    """
    guess = _square((_z(alpha / 2) + _z(1 - power)) * sd / d)
    return _least(lambda n: n > 1 and power_mean(n, sd, d, alpha) >= power, guess, d)


def power_mean(n: int, sd: float, d: float, alpha: float = 0.05) -> float:
    """Return the power of the two-sided t test of ``n`` numbers whose mean is off by ``d``."""
    if n > 100_000:  # the noncentral t is its normal limit there, and harder to compute
        shift, edge = d * math.sqrt(n) / sd, _z(alpha / 2)
        return float(scipy_stats.norm.sf(edge - shift) + scipy_stats.norm.cdf(-edge - shift))
    edge = float(scipy_stats.t.isf(alpha / 2, n - 1))
    shift = min(d * math.sqrt(n) / sd, 1000.0)
    return float(scipy_stats.nct.sf(edge, n - 1, shift) + scipy_stats.nct.cdf(-edge, n - 1, shift))


def items_width(half: float, share: float) -> int:
    """Return the fewest items for which Wilson's interval of a share reaches no more than ``half`` either way.

    Raises:
        SpecError: more than `BOUND` items would be needed.
    """
    z = _z((1 - LEVEL) / 2)

    def narrow(n: int) -> bool:
        return z * math.sqrt(share * (1 - share) * n + z * z / 4) / (n + z * z) <= half

    return _least(narrow, _square(z * math.sqrt(share * (1 - share)) / half), half)


def items_width_mean(half: float, sd: float) -> int:
    """Return the fewest items for which the t interval of a mean reaches no more than ``half`` either way.

    Raises:
        SpecError: more than `BOUND` items would be needed.
    """
    guess = _square(_z((1 - LEVEL) / 2) * sd / half)
    return _least(lambda n: half_width(sd, n, 1.0) <= half, guess, half)


def half_width(sd: float, n: int, effect: float) -> float:
    """Return half the width of the 95 % interval of a mean of ``n`` numbers; nan of one."""
    if n < 2:
        return math.nan
    return float(scipy_stats.t.isf((1 - LEVEL) / 2, n - 1)) * sd * math.sqrt(effect / n)


def _square(root: float) -> float:
    return root * root  # unlike a power, it overflows to infinity


def _z(tail: float) -> float:
    return float(scipy_stats.norm.isf(tail))


def _too_many(d: float) -> SpecError:
    return SpecError(
        f"more than {BOUND:,} items would be needed for {d:g}: ask for a larger difference or less power"
    )
