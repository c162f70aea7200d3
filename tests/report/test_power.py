"""Sample sizes against enumeration, statsmodels' power functions and simulation."""

import math
import time
from functools import cache

import numpy as np
import pytest
from cases import each, slow
from harness_errors import SpecError
from scipy import stats as scipy_stats

from harness.report import power, statistics, statistics_tests


def chance(k, n, p):
    return math.comb(n, k) * p**k * (1 - p) ** (n - k)


def against(p0, p1, n, alpha=0.05):
    (found,) = power.power_against(np.array([n]), p0, p1, alpha)
    return found


def by_enumeration(p0, p1, n, alpha):
    """A count is rejected where its smaller tail, doubled, is at most alpha."""
    tails = [sum(chance(i, n, p0) for i in range(k)) for k in range(n + 2)]
    found = 0.0
    for k in range(n + 1):
        if 2 * min(tails[k + 1], 1 - tails[k]) <= alpha:
            found += chance(k, n, p1)
    return found


class TestAgainstAFloor:
    @each("p0, p1, alpha", [(0.5, 0.7, 0.05), (0.25, 0.4, 0.05), (0.1, 0.05, 0.05), (0.5, 0.9, 0.001),
                            (0.3, 0.3, 0.1), (0.02, 0.1, 0.05)])  # fmt: skip
    def test_power_is_the_enumeration_of_all_counts(self, p0, p1, alpha):
        for n in (1, 2, 5, 6, 13, 40):
            expected = by_enumeration(p0, p1, n, alpha)
            assert against(p0, p1, n, alpha) == pytest.approx(expected, abs=1e-9)

    def test_it_rejects_where_the_exact_interval_leaves_the_floor_out(self):
        for n in (9, 30):
            intervals = [scipy_stats.binomtest(k, n).proportion_ci() for k in range(n + 1)]
            seen = [k for k, one in enumerate(intervals) if not one.low <= 0.4 <= one.high]
            expected = sum(chance(k, n, 0.6) for k in seen)
            assert against(0.4, 0.6, n) == pytest.approx(expected)

    def test_of_a_floor_of_0_and_of_1(self):
        assert against(0, 0.1, 30) == pytest.approx(1 - 0.9**30)
        assert against(0, 0, 30) == 0
        assert against(1, 0.9, 30) == pytest.approx(1 - 0.9**30)
        assert power.items_against(0, 0.1, 0.8) == math.ceil(math.log(0.2) / math.log(0.9))

    @slow
    @each("p0, d, goal", [(0.5, 0.2, 0.8), (0.5, 0.1, 0.9), (0.25, 0.15, 0.8), (0.05, 0.1, 0.8), (0.9, 0.08, 0.5),
                          (0.5, 0.5, 0.8), (0.25, 0.75, 0.99), (0.0, 0.3, 0.8), (0.02, 0.02, 0.8)])  # fmt: skip
    def test_from_the_number_of_items_on_no_number_is_too_few(self, p0, d, goal):
        found = power.items_against(p0, d, goal)
        n = np.arange(1, 3 * found + 300)
        enough = power.power_against(n, p0, p0 + d) >= goal
        last = int(n[~enough][-1]) if not enough.all() else 0
        assert found == last + 1

    def test_the_number_of_items_is_near_that_of_the_normal_approximation(self):
        # The one-sample z test of a share by hand: (1.96 * 0.5 + 0.8416 * 0.4583)**2 / 0.2**2 = 46.6.
        assert 47 <= power.items_against(0.5, 0.2, 0.8) <= 56
        spread = 1.959964 * 0.5 + 0.841621 * math.sqrt(0.51 * 0.49)
        assert power.items_against(0.5, 0.01) == pytest.approx((spread / 0.01) ** 2, rel=0.02)

    def test_simulated(self):
        n = power.items_against(0.5, 0.15, 0.8)
        counts = np.random.default_rng(1).binomial(n, 0.65, 300).tolist()
        known = {k: scipy_stats.binomtest(k, n).proportion_ci() for k in set(counts)}
        seen = sum(not known[k].low <= 0.5 <= known[k].high for k in counts)
        assert 0.74 <= seen / 300 <= 0.9


sign_test = cache(lambda b, n: scipy_stats.binomtest(b, n).pvalue)


class TestPaired:
    @each("discordant, d", [(0.3, 0.1), (0.2, 0.2), (1, 0.4), (0.9, 0.3), (0.05, 0.01)])
    def test_power_is_the_enumeration_of_all_tables(self, discordant, d):
        first, second = (discordant + d) / 2, (discordant - d) / 2
        for n in (1, 6, 9, 16):
            expected = 0.0
            for b in range(n + 1):
                for c in range(n + 1 - b):
                    if sign_test(b, b + c) <= 0.05 if b + c else False:
                        ways = math.comb(n, b) * math.comb(n - b, c)
                        expected += ways * first**b * second**c * (1 - discordant) ** (n - b - c)
            assert power.power_paired(n, discordant, d) == pytest.approx(expected, abs=1e-9)

    @slow
    @each("discordant, d, goal", [(0.2, 0.1, 0.8), (1, 0.3, 0.8), (0.97, 0.25, 0.9), (0.1, 0.1, 0.8), (0.5, 0.4, 0.8),
                                  (0.9, 0.9, 0.5), (0.6, 0.15, 0.8), (0.995, 0.2, 0.8)])  # fmt: skip
    def test_from_the_number_of_items_on_no_number_is_too_few(self, discordant, d, goal):
        found = power.items_paired(discordant, d, goal)
        powers = [power.power_paired(n, discordant, d) for n in range(1, 2 * found + 60)]
        last = max((n for n, one in enumerate(powers, 1) if one < goal), default=0)
        assert found == last + 1

    def test_near_connors_formula(self):
        # Connor 1987 with discordant 0.2 and d 0.05, by hand: (1.96 sqrt(.2) + .8416 sqrt(.1975))**2 / .05**2.
        by_hand = (1.959964 * math.sqrt(0.2) + 0.841621 * math.sqrt(0.1975)) ** 2 / 0.05**2
        assert power.items_paired(0.2, 0.05) == pytest.approx(by_hand, rel=0.06)
        assert power.items_paired(0.2, 0.002) == pytest.approx(by_hand * 25**2, rel=0.01)

    def test_simulated_with_our_own_test(self):
        n, rng = power.items_paired(0.4, 0.15, 0.8), np.random.default_rng(2)
        tables = rng.multinomial(n, [0.275, 0.125, 0.6], 300)
        seen = sum(statistics_tests.mcnemar(int(b), int(c)) <= 0.05 for b, c, _ in tables)
        assert 0.74 <= seen / 300 <= 0.88


class TestMeans:
    @each("sd, d", [(0.3, 0.05), (0.3, 0.3), (0.1, 0.5), (1, 0.02)])
    def test_that_of_statsmodels(self, sd, d):
        from statsmodels.stats.power import TTestPower  # slow to import

        theirs = TTestPower()
        found = power.items_mean(sd, d, 0.8)
        assert theirs.power(d / sd, found, 0.05) >= 0.8 - 1e-9
        assert found == 2 or theirs.power(d / sd, found - 1, 0.05) < 0.8
        assert power.power_mean(40, sd, d) == pytest.approx(theirs.power(d / sd, 40, 0.05))

    def test_for_very_many_the_normal_limit(self):
        from statsmodels.stats.power import NormalIndPower  # slow to import

        theirs = NormalIndPower(ddof=0).power(0.005, 400_000, 0.05, ratio=0)
        assert power.power_mean(400_000, 1, 0.005) == pytest.approx(theirs)
        near = power.power_mean(100_000, 1, 0.008), power.power_mean(100_001, 1, 0.008)
        assert near[0] == pytest.approx(near[1], abs=1e-4)

    def test_simulated_with_the_interval_of_a_mean(self):
        n, rng = power.items_mean(0.5, 0.2, 0.8), np.random.default_rng(3)
        seen = [scipy_stats.ttest_1samp(rng.normal(0.2, 0.5, n), 0).pvalue <= 0.05 for _ in range(300)]  # fmt: skip
        assert 0.74 <= np.mean(seen) <= 0.87


class TestWidths:
    @each(
        "half, share", [(0.05, 0.5), (0.03, 0.5), (0.01, 0.1), (0.1, 0.0), (0.2, 1.0), (0.45, 0.5)]
    )
    def test_wilsons_interval_is_as_narrow_and_with_one_item_less_is_not(self, half, share):
        n = power.items_width(half, share)
        widths = [(i := statistics.wilson(share * m, m)).high - i.low for m in (n, n - 1) if m]
        assert widths[0] / 2 <= half + 1e-9
        assert len(widths) == 1 or share in (0, 1) or widths[1] / 2 > half

    def test_known_numbers(self):
        # z² / 4h² - z², by hand, as the Wilson interval of one half is z / 2 sqrt(n + z²) wide.
        assert power.items_width(0.05, 0.5) == math.ceil(1.959964**2 / 0.01 - 1.959964**2) == 381
        n = power.items_width_mean(0.05, 0.3)
        assert scipy_stats.t.isf(0.025, n - 1) * 0.3 / math.sqrt(n) <= 0.05
        assert scipy_stats.t.isf(0.025, n - 2) * 0.3 / math.sqrt(n - 1) > 0.05


class TestRefusals:
    @each("call", [
        lambda: power.items_against(0.5, 1e-5),
        lambda: power.items_against(0.5, 1e-300),
        lambda: power.items_paired(0.2, 1e-5),
        lambda: power.items_paired(1, 1e-5),
        lambda: power.items_mean(1, 1e-6),
        lambda: power.items_width(0.0001, 0.5),
        lambda: power.items_width_mean(1e-9, 1),
    ])  # fmt: skip
    def test_one_line_says_what_would_be_right(self, call):
        with pytest.raises(
            SpecError, match=r"more than 10,000,000 items would be needed for .*: ask"
        ):
            call()

    def test_large_answers_are_quick(self):
        begin = time.process_time()
        assert power.items_against(0.5, 0.001) == pytest.approx(1962220, rel=0.002)
        assert power.items_paired(0.2, 0.001) == pytest.approx(1569776, rel=0.005)
        assert power.items_mean(1, 0.001) == pytest.approx(7848880, rel=1e-4)
        assert time.process_time() - begin < 4
