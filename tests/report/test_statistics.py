"""Intervals and tests of a report against independent implementations, enumeration and coverage."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from cases import SHARE, each, slow
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from harness.core.hookspecs import Row
from harness.report import statistics as own
from harness.report import statistics_tests
from harness.report.statistics_sources import batches_of, codes_of
from harness.run import stats

NAN = math.nan


def array(*numbers):
    return np.array(numbers, np.float64)


def row(value, target="yes", answer="yes", outcome="scored", **features):
    return Row(target, answer, outcome, {"right": float(value)}, features)


def share(rows):
    return sum(one.value["right"] for one in rows) / len(rows)


def recall(rows):
    asked = [one for one in rows if one.target == "yes"]
    return share(asked) if asked else NAN


class TestShares:
    @each("n", (1, 2, 3, 10, 57, 1000, 123456))
    def test_wilson_is_that_of_scipy(self, n):
        for k in {0, 1, n // 3, n // 2, n - 1, n}:
            found = own.wilson(k, n)
            low, high = scipy_stats.binomtest(k, n).proportion_ci(0.95, "wilson")
            assert found.value == k / n
            assert found.low == pytest.approx(low, abs=1e-12)
            assert found.high == pytest.approx(high, abs=1e-12)

    def test_of_nothing_there_is_no_share(self):
        assert [*map(math.isnan, own.wilson(0, 0)[:3])] == [True] * 3


class TestMean:
    def test_zeros_and_ones_are_wilsons(self):
        assert own.mean(array(0, 1, 1, 1)) == own.wilson(3, 4)
        assert own.mean(array(0, 1, 1, 1), ["a", "b", "c", "d"]) == own.wilson(3, 4)
        assert own.mean(array(1, 1, 1)) == own.wilson(3, 3)

    def test_other_numbers_are_bootstrapped_as_scipy_does(self):
        values = np.random.default_rng(3).beta(0.6, 0.3, 300)
        found = own.mean(values)
        theirs = scipy_stats.bootstrap(
            (values,), np.mean, n_resamples=4000, method="percentile", rng=np.random.default_rng(1)
        )
        error = values.std() / math.sqrt(300)
        assert found.method == "bootstrap"
        assert found.value == pytest.approx(values.mean())
        assert found.low == pytest.approx(theirs.confidence_interval.low, abs=0.15 * error)
        assert found.high == pytest.approx(theirs.confidence_interval.high, abs=0.15 * error)

    def test_the_bootstrap_of_three_items_is_the_enumeration_of_its_27_samples(self):
        values = array(0.1, 0.4, 0.9)
        draws = sorted(sum(one) / 3 for one in product(values, repeat=3))
        found = own.mean(values)
        # Widened for three items: 2.5 % in each tail become less than 1/27, so the ends are the least and most.
        assert (found.low, found.high) == (pytest.approx(draws[0]), pytest.approx(draws[-1]))

    def test_few_kinds_of_numbers_are_drawn_by_kind_and_give_the_same_law(self):
        sums = np.repeat([0.0, 0.5, 1.0], [100, 50, 250])
        by_kind = own._draws(sums, np.ones(400))
        by_item = own._draws(sums + np.arange(400) * 1e-9, np.ones(400))
        assert by_kind.mean() == pytest.approx(0.6875, abs=0.002)
        assert by_kind.std() == pytest.approx(by_item.std(), rel=0.05)
        assert scipy_stats.ks_2samp(by_kind, by_item.round(5)).pvalue > 0.01

    def test_above_five_thousand_items_it_is_the_t_interval(self):
        values = np.random.default_rng(4).random(6000)
        found = own.mean(values)
        theirs = scipy_stats.ttest_1samp(values, 0).confidence_interval()
        assert found.method == "normal"
        assert found[1:3] == pytest.approx((theirs.low, theirs.high))

    @each("most, least", [(1.0, 0.5), (0.0, 0.5)])
    def test_above_five_thousand_items_it_stays_within_0_and_1(self, most, least):
        # Two sources apart as far as can be: the t interval alone would go far beyond.
        values = [most] * 5000 + [least] * 5001
        found = own.mean(values, ["a"] * 5000 + ["b"] * 5001)
        assert (found.low, found.high) == (0.0, 1.0)

    def test_sources_above_five_thousand_items_are_the_sandwich_of_a_regression_on_a_constant(self):
        from statsmodels.regression.linear_model import OLS

        rng = np.random.default_rng(5)
        sources = np.sort(rng.integers(0, 40, 5200))
        values = np.clip(0.5 + rng.normal(0, 0.1, 40)[sources] + rng.normal(0, 0.1, 5200), 0, 1)
        found = own.mean(values, sources)
        model = OLS(values, np.ones(5200)).fit(
            cov_type="cluster", cov_kwds={"groups": sources, "df_correction": True}, use_t=True
        )
        assert found.method == "normal over sources"
        # statsmodels corrects by (n-1)/(n-k) too, which is 1 with a constant alone.
        assert found[1:3] == pytest.approx(tuple(model.conf_int()[0]), rel=1e-9)

    def test_the_bootstrap_over_sources_has_the_spread_that_the_sandwich_says(self):
        rng = np.random.default_rng(6)
        sources = rng.integers(0, 80, 800)
        values = np.clip(0.5 + rng.normal(0, 0.1, 80)[sources] + rng.normal(0, 0.1, 800), 0, 1)
        found = own.mean(values, sources)
        low, high = own._robust(
            values.mean(), np.bincount(sources, values), np.bincount(sources).astype(float)
        )
        assert found.method == "bootstrap over sources"
        assert found.high - found.low == pytest.approx(high - low, rel=0.08)
        plain = own.mean(values)
        assert found.high - found.low > 2 * (plain.high - plain.low)

    @each("values, sources, value", [
        ([], None, NAN), ([NAN, NAN], None, NAN), ([], [], NAN),
        ([0.3], None, 0.3), ([0.3, 0.3, 0.3], None, 0.3), ([0.1] * 10, None, 0.1),
        ([0.1] * 9, list("aabbccdde"), 0.1),
        ([0.2, 0.4], ["a", "a"], 0.3), ([0, 1, 1], ["a"] * 3, 2 / 3), ([1, 1], ["a", "a"], 1),
        ([math.inf, 0.5], None, NAN), ([math.inf, -math.inf], None, NAN), ([math.inf], None, math.inf),
    ])  # fmt: skip
    def test_where_nothing_varies_there_is_no_interval(self, values, sources, value):
        found = own.mean(array(*values), sources)
        assert found.value == pytest.approx(value, nan_ok=True)
        assert math.isnan(found.low)
        assert math.isnan(found.high)
        assert found.method == ""

    def test_all_right_over_sources_is_as_sure_as_the_number_of_sources_allows(self):
        found = own.mean(np.ones(6), list("aabbcc"))
        assert found[:3] == own.wilson(3, 3)[:3]
        assert found.method == "Wilson over sources"
        assert own.mean(np.zeros(6), list("aabbcc"))[:3] == own.wilson(0, 3)[:3]
        # Sources of 3, 2 and 1 are worth 36 / (9 + 4 + 1) of one size.
        assert own.mean(np.zeros(6), list("aaabbc"))[:3] == own.wilson(0, 36 / 14)[:3]

    @each("hits, sources, n, free", [
        # Five sources of two: 2, 2, 1, 0, 0 right, p = 1/2. Robust: 5/4 (1 + 1 + 0 + 1 + 1) / 100 = 1/20 over
        # p (1 - p) / 9 = 1/36. Analysis of variance: between 2 (4 · 1/4) / 4 = 1/2, within 1/2 / 5 = 1/10,
        # rho = (4/10) / (6/10), Kish 1 + 2/3: less than 9/5.
        ("1111100000", "aabbccddee", 10 / 1.8, 4),
        # Whole sources alike, 1 of 3: n / effect is not below the number of sources.
        ("110000", "aabbcc", 3, 2),
        # Every source half right: the effect is not below 1.
        ("101010", "aabbcc", 6, 2),
        # Sources of 4, 1 and 1, worth 36/18 = 2; 1, 0 and 1 right, p = 1/3. Robust: 2 (6/9) / 36 = 1/27 over
        # (2/9) / 5. Between (1/36 + 1/9 + 4/9) / 2 = 7/24, within (3/4) / 3, size (6 - 3) / 2,
        # rho = (1/24) / (7/24 + 1/8) = 1/10, Kish 1 + 2/10: more than 5/6.
        ("100001", "aaaabc", 6 / 1.2, 1),
    ])  # fmt: skip
    def test_a_share_over_sources_is_wilsons_with_its_effective_number(
        self, hits, sources, n, free
    ):
        values = array(*map(int, hits))
        few = scipy_stats.norm.isf(0.025) / scipy_stats.t.isf(0.025, free)
        found = own.mean(values, list(sources))
        theirs = own.wilson(values.mean() * n * few**2, n * few**2)
        assert found[:3] == pytest.approx(theirs[:3], rel=1e-9)
        assert found.method == "Wilson over sources"

    def test_a_share_over_sources_stays_inside_and_claims_neither_none_nor_all(self):
        rng = np.random.default_rng(10)
        for _ in range(400):
            n = int(rng.integers(2, 12))
            sources = rng.integers(0, rng.integers(2, 6), n).tolist()
            values = (rng.random(n) < rng.random()).astype(float)
            found = own.mean(values, sources)
            if found.method:
                assert 0 <= found.low <= found.value <= found.high <= 1
                assert (found.low == 0) == (values.sum() == 0)
                assert (found.high == 1) == (values.sum() == n)

    def test_one_pair_among_many_sources_hardly_changes_wilsons(self):
        values, sources = np.zeros(15), [*range(14), 1]
        values[[2, 7]] = 1
        found, alone = own.mean(values, sources), own.wilson(2, 15)
        assert found.low == pytest.approx(alone.low, abs=0.01)
        assert found.high == pytest.approx(alone.high, abs=0.06)

    def test_above_five_thousand_items_a_share_over_sources_is_made_alike(self):
        values, sources = clustered(np.random.default_rng(11), 300, 20, 0.5)
        found = own.mean(values, sources)
        low, high = own._robust(
            values.mean(), np.bincount(sources, values), np.bincount(sources).astype(float)
        )
        assert found.method == "Wilson over sources"
        assert found[1:3] == pytest.approx((low, high), abs=0.002)

    def test_a_number_that_is_none_is_left_out_with_its_source(self):
        assert own.mean(array(0, NAN, 1, 1), ["a", "a", "b", "c"]) == own.wilson(2, 3)

    def test_sources_must_be_as_many_as_items(self):
        with pytest.raises(ValueError, match="2 sources for 3 items"):
            own.mean(array(0, 1, 1), ["a", "b"])

    def test_sources_may_be_anything_hashable(self):
        values, kinds = array(0.1, 0.5, 0.9, 0.3), ((1, 2), (1, 2), None, "x")
        assert own.mean(values, kinds) == own.mean(values, np.array(["a", "a", "b", "c"]))
        assert codes_of(kinds, 4).tolist() == [0, 0, 1, 2]
        assert codes_of(("1", 1), 2) is None


def clustered(rng, groups, size, spread):
    """Shares that vary by source: what nominal coverage means here is known, their true mean is 0.6."""
    chance = rng.beta(0.6 / spread, 0.4 / spread, groups)
    sources = np.repeat(np.arange(groups), size)
    return (rng.random(groups * size) < chance[sources]).astype(float), sources


FEWER = min(SHARE, 4)


def least(times):
    """Return how often an interval of 95 % must hold the truth in so many replications: 2.5 standard errors less."""
    return 0.95 - 2.5 * math.sqrt(0.95 * 0.05 / times)


class TestCoverage:
    """95 % nominal; 200 replications know a coverage to about ±3 points (two standard errors), 50 to ±6."""

    def test_of_a_mean_of_shares_and_of_other_numbers(self):
        rng, hits = np.random.default_rng(7), [0, 0]
        for _ in range(200):
            _, low, high, _ = own.mean((rng.random(40) < 0.6).astype(float))
            hits[0] += low <= 0.6 <= high
            _, low, high, _ = own.mean(rng.beta(2, 2, 25))
            hits[1] += low <= 0.5 <= high
        assert 0.915 <= hits[0] / 200 <= 0.99
        assert 0.92 <= hits[1] / 200 <= 0.98

    def test_with_sources_where_ignoring_them_would_be_wrong(self):
        rng, hits, wrong = np.random.default_rng(8), 0, 0
        for _ in range(200):
            values, sources = clustered(rng, 25, 8, 0.5)
            _, low, high, _ = own.mean(values, sources)
            hits += low <= 0.6 <= high
            _, low, high, _ = own.mean(values)
            wrong += low <= 0.6 <= high
        assert 0.92 <= hits / 200 <= 0.995
        assert wrong / 200 < 0.8

    def test_of_shares_over_sources(self):
        for at, (groups, share, alike) in enumerate(
            product((10, 30, 200), (0.1, 0.5, 0.9), (0, 0.3, 1))
        ):
            rng, hits = np.random.default_rng(20 + at), 0
            for _ in range(times := 120 // FEWER):
                sizes = rng.integers(1, 8, groups)
                spread = (1 - alike) / alike if alike else 0
                if alike in (0, 1):
                    chance = (rng.random(groups) < share) if alike else np.full(groups, share)
                else:
                    chance = rng.beta(share * spread, (1 - share) * spread, groups)
                sources = np.repeat(np.arange(groups), sizes)
                values = (rng.random(len(sources)) < chance[sources]).astype(float)
                _, low, high, _ = own.mean(values, sources)
                hits += low <= share <= high
            assert hits / times >= least(times), (groups, share, alike)

    def test_of_a_paired_difference_with_and_without_sources(self):
        rng, hits, ours, wrong = np.random.default_rng(9), 0, 0, 0
        for _ in range(times := 200 // FEWER):
            skill = rng.random(50)
            a, b = (rng.random(50) < skill).astype(float), (rng.random(50) < skill**2).astype(float)
            _, low, high, _ = own.difference(a, b)
            hits += low <= 1 / 6 <= high
            shift, sources = rng.normal(0.1, 0.2, 25), np.repeat(np.arange(25), 6)
            a, b = rng.normal(0, 0.1, 150) + shift[sources], np.zeros(150)
            _, low, high, _ = own.difference(a, b, sources)
            ours += low <= 0.1 <= high
            _, low, high, _ = own.difference(a, b)
            wrong += low <= 0.1 <= high
        assert least(times) <= hits / times <= 0.995
        assert least(times) <= ours / times <= (0.985 if FEWER == 1 else 0.995)
        assert wrong / times < 0.8

    def test_of_a_whole_run_metric_from_batches_with_and_without_sources(self, monkeypatch):
        monkeypatch.setattr(own, "SMALL", 200)
        rng, hits, ours, wrong = np.random.default_rng(10), 0, 0, 0
        right, off = row(1), row(0)
        for _ in range(120):
            values, sources = clustered(rng, 90, 5, 0.5)
            rows = [right if value else off for value in values]
            _, low, high, method = own.whole(share, rows, sources)
            ours += low <= 0.6 <= high
            assert method == "batches over sources"
            _, low, high, _ = own.whole(share, rows)
            wrong += low <= 0.6 <= high
            rows = [right if value < 0.6 else off for value in rng.random(300)]
            _, low, high, _ = own.whole(share, rows)
            hits += low <= 0.6 <= high
        assert 0.91 <= hits / 120 <= 0.99
        assert 0.91 <= ours / 120 <= 0.99
        assert wrong / 120 < 0.85

    @slow
    def test_of_a_whole_run_metric_bootstrapped_over_sources(self):
        rng, ours, wrong, times = np.random.default_rng(11), 0, 0, 100 // min(SHARE, 2)
        right, off = row(1), row(0)
        for _ in range(times):
            values, sources = clustered(rng, 20, 4, 0.8)
            rows = [right if value else off for value in values]
            _, low, high, _ = own.whole(share, rows, sources)
            ours += low <= 0.6 <= high
            _, low, high, _ = own.whole(share, rows)
            wrong += low <= 0.6 <= high
        assert ours / times >= 0.88
        assert wrong / times < 0.85


def f1(rows):
    right = sum(one.target == one.answer == "yes" for one in rows)
    named = sum((one.target == "yes") + (one.answer == "yes") for one in rows)
    return 2 * right / named if named else NAN


ROWS = {(t, a): row(t == a, t, a) for t in ("yes", "no") for a in ("yes", "no")}


def two_alike(rng, groups, size, lead=0.0):
    """Two answerers on the same items, of equal chances but for a lead of the second; sources that suit one."""
    sources = np.repeat(np.arange(groups), size)
    hard = rng.normal(0, 1, groups * size)
    yes = rng.random(groups * size) < 0.6
    sides = []
    for more in (0, lead):
        suits = rng.normal(0, 1.2, groups)[sources] + hard + rng.normal(0, 1, groups * size)
        said = np.where(suits < 0.5 + more, yes, ~yes)
        sides.append(
            [
                ROWS["yes" if t else "no", "yes" if s else "no"]
                for t, s in zip(yes, said, strict=True)
            ]
        )
    return *sides, sources


class TestLevel:
    """Tests at 5 % reject as often where nothing is to be seen: 200 draws know it to about ±3 points."""

    def test_of_batches_with_and_without_sources(self, monkeypatch):
        monkeypatch.setattr(statistics_tests, "SMALL", 200)
        rng, alone, ours, wrong = np.random.default_rng(24), 0, 0, 0
        for _ in range(200):
            a, b, _ = two_alike(rng, 240, 1)
            p, test = statistics_tests.whole_test(f1, a, b)
            alone += p < 0.05
            assert test == "batch t"
            a, b, sources = two_alike(rng, 40, 6)
            p, test = statistics_tests.whole_test(f1, a, b, sources)
            ours += p < 0.05
            assert test == "batch t of sources"
            wrong += statistics_tests.whole_test(f1, a, b)[0] < 0.05
        assert 0.01 <= alone / 200 <= 0.1
        assert 0.01 <= ours / 200 <= 0.1
        assert wrong / 200 > 0.13

    def test_of_a_correlation_with_what_only_sources_decide(self):
        rng, ours, wrong = np.random.default_rng(25), 0, 0
        for _ in range(400):
            y, sources = clustered(rng, 20, 8, 0.6)
            x = rng.integers(1, 40, 20)[sources].astype(float)
            ours += statistics_tests.pearson(x, y, sources)[1] < 0.05
            wrong += statistics_tests.pearson(x, y)[1] < 0.05
        assert 0.025 <= ours / 400 <= 0.08
        assert wrong / 400 > 0.15


class TestWhole:
    def test_a_report_says_what_the_run_said(self):
        # A row's number follows from what `harness.run.stats` sorts by, as in a benchmark whose answers are labels.
        rows = [row(i % 3 > 0, "yes" if i % 2 else "no", str(i % 3 > 0)) for i in range(100)]
        theirs = stats.bootstrap(recall, rows)
        for sources in (None, [f"s{i}" for i in range(100)]):
            found = own.whole(recall, rows, sources)
            assert found[:3] == (theirs["value"], theirs["lower"], theirs["upper"])
            assert found.method == "bootstrap"

    def test_undefined_or_constant_means_no_interval(self):
        for rows, sources, value in [
            ([], None, NAN), ([row(1)] * 3, None, 1), ([row(1, "no")] * 4, None, NAN), ([row(1), row(0)], "aa", 0.5),
            ([row(1, "no")] * 4, "aabb", NAN), ([row(1)] * 4, "aabb", 1), ([row(1)] * 3000, None, 1),
        ]:  # fmt: skip
            found = own.whole(recall, rows, list(sources) if sources else None)
            assert found.value == pytest.approx(value, nan_ok=True)
            assert [*map(math.isnan, found[1:3])] == [True, True]
            assert found.method == ""

    def test_batches_agree_with_theory_and_keep_sources_together(self):
        rng = np.random.default_rng(12)
        rows = [row(value) for value in rng.random(9000) < 0.3]
        found = own.whole(share, rows)
        half = 1.96 * math.sqrt(0.21 / 9000)
        assert found.method == "batches"
        # The spread of 30 batches is known to a seventh, three times that is allowed; t instead of z: 4 %.
        assert found.high - found.low == pytest.approx(2 * half, rel=0.4)
        batches = batches_of([[3 * at, 3 * at + 1, 3 * at + 2] for at in range(1000)])
        assert sorted(place for batch in batches for place in batch) == list(range(3000))
        assert {len(batch) for batch in batches} <= {99, 102}
        for batch in batches:
            assert {place // 3 * 3 + k for place in batch for k in range(3)} == set(batch)

    def test_batches_without_the_metric_are_left_out_and_half_of_them_are_too_many(self):
        rows = [row(i % 2, "yes" if i < 1500 else "no") for i in range(2400)]
        assert own.whole(recall, rows).method == "batches"
        rare = [row(i % 2, "yes" if i < 8 else "no") for i in range(2400)]
        found = own.whole(recall, rare)
        assert found.value == 0.5
        assert math.isnan(found.low)

    def test_an_interval_from_batches_stays_where_the_metric_can_be(self):
        rows = [row(i >= 3) for i in range(3000)]
        found = own.whole(share, rows)
        assert found.value == 0.999
        assert found.low < 0.999 < found.high <= 1

    def test_the_order_of_rows_and_the_names_of_sources_do_not_matter(self):
        rng = np.random.default_rng(13)
        rows = [
            row(rng.random() < 0.5, str(rng.choice(["yes", "no"])), at=i % 7) for i in range(60)
        ]
        sources = [i // 4 for i in range(60)]
        turned = rng.permutation(60)
        mixed = [rows[i] for i in turned]
        for by in (None, sources):
            other = [f"name {-by[i]}" for i in turned] if by else None
            assert own.whole(recall, mixed, other) == own.whole(recall, rows, by)
            moved = [replace(one, value={"right": 1.0}) for one in rows]
            there = own.difference_of(recall, [moved[i] for i in turned], mixed, other)
            assert there == own.difference_of(recall, moved, rows, by)
            assert there.low > 0

    def test_a_difference_of_whole_run_metrics_is_paired(self):
        rng = np.random.default_rng(14)
        hard = rng.random(400)
        a = [row(value < 0.7) for value in hard]
        b = [row(value < 0.6) for value in hard]
        found = own.difference_of(share, a, b)
        plain = own.difference((hard < 0.7).astype(float), (hard < 0.6).astype(float))
        assert found.value == pytest.approx(plain.value)
        assert found.low == pytest.approx(plain.low, abs=0.01)
        assert found.high == pytest.approx(plain.high, abs=0.01)
        assert own.difference_of(share, a, a)[:1] == (0.0,)
        assert math.isnan(own.difference_of(share, a, a).low)
        assert math.isnan(own.difference_of(share, [], []).value)
        with pytest.raises(ValueError, match="400 rows paired with 1"):
            own.difference_of(share, a, a[:1])


class TestDifference:
    def test_newcombes_own_worked_values(self):
        # Newcombe 1998 (paired), table III, method 10.
        for counts, ends in {
            (36, 12, 2, 0): (0.0569, 0.3404),
            (20, 12, 2, 16): (0.0562, 0.3292),
        }.items():
            a = np.repeat([1, 1, 0, 0], counts).astype(float)
            b = np.repeat([1, 0, 1, 0], counts).astype(float)
            found = own.difference(a, b)
            assert found.value == pytest.approx(0.2)
            assert (round(found.low, 4), round(found.high, 4)) == ends
            assert found.method == "Newcombe, paired"

    def test_swapping_the_two_turns_the_interval_around(self):
        rng = np.random.default_rng(15)
        for _ in range(30):
            a, b = rng.integers(0, 2, (2, 12)).astype(float)
            there, back = own.difference(a, b), own.difference(b, a)
            assert there[:3] == pytest.approx((-back.value, -back.high, -back.low))

    def test_without_any_difference_there_still_is_an_interval_of_shares(self):
        found = own.difference(np.ones(20), np.ones(20))
        assert found.value == 0
        assert -0.2 < found.low < 0 < found.high < 0.2

    def test_other_numbers_are_the_bootstrap_of_the_differences(self):
        rng = np.random.default_rng(16)
        a, b = rng.random((2, 90))
        assert own.difference(a, b) == own.mean(a - b)
        sources = np.arange(90) // 3
        assert own.difference(a, b, sources) == own.mean(a - b, sources)
        assert own.difference(np.round(a), np.round(b), sources).method == "bootstrap over sources"

    def test_pairs_with_a_number_missing_are_left_out(self):
        found = own.difference(array(1, NAN, 0, 1), array(0, 1, NAN, 1))
        assert found == own.difference(array(1, 1), array(0, 1))
        assert math.isnan(own.difference(array(NAN), array(1)).value)
        assert math.isnan(own.difference(array(math.inf, 1), array(1, 1)).value)
        with pytest.raises(ValueError, match="1 numbers paired with 2"):
            own.difference(array(1), array(1, 2))


class TestPairedTests:
    def test_mcnemar_is_the_enumeration_of_all_coins(self):
        for b, c in [(0, 0), (1, 0), (0, 5), (6, 1), (12, 2), (30, 30), (200, 150)]:
            tail = sum(math.comb(b + c, k) for k in range(min(b, c) + 1))
            assert statistics_tests.mcnemar(b, c) == pytest.approx(min(1, 2 * tail / 2 ** (b + c)))

    @each("values, sources", [
        ([0.3], None), ([0.3, -0.1, 0.25], None), ([1, 1, 1, 1, 1], None), ([1, -1, 0, 0], None),
        ([0.5, 0.2, -0.1, 0.7, 0.7], list("aabbc")), ([0.1, 0.2, 0.3, -0.6], None),
        ([1, 1, 0, -1, 1, 1], list("aabbcc")),
    ])  # fmt: skip
    def test_permutation_is_the_enumeration_of_all_flips(self, values, sources):
        sums = {}
        for value, name in zip(values, sources or range(len(values)), strict=True):
            sums[name] = sums.get(name, 0) + value
        sums = list(sums.values())
        every = product((1, -1), repeat=len(sums))
        flips = [sum(x * sign for x, sign in zip(sums, flip, strict=True)) for flip in every]
        expected = sum(abs(flip) >= abs(sum(sums)) - 1e-12 for flip in flips) / len(flips)
        assert statistics_tests.permutation(array(*values), sources) == pytest.approx(expected)

    def test_permutation_is_that_of_scipy(self):
        values = np.random.default_rng(17).normal(0.3, 1, 11)
        theirs = scipy_stats.permutation_test(
            (values, np.zeros(11)), lambda a, b: np.mean(a - b), permutation_type="samples", n_resamples=np.inf
        )  # fmt: skip
        assert statistics_tests.permutation(values) == pytest.approx(theirs.pvalue)

    def test_of_shares_it_is_mcnemars(self):
        for b, c in [(3, 9), (40, 20), (2000, 1900), (9000, 8800)]:
            values = np.repeat([1.0, -1.0, 0.0], [b, c, 100])
            assert statistics_tests.permutation(values) == pytest.approx(
                statistics_tests.mcnemar(b, c), rel=1e-9
            )

    def test_of_whole_numbers_the_distribution_is_worked_out(self):
        sizes = [1] * 6 + [2] * 6 + [3] * 5
        values = array(*(size * (-1) ** (at % 3 == 0) for at, size in enumerate(sizes)))
        flips = np.zeros(1)
        for size in sizes:
            flips = np.concatenate((flips + size, flips - size))
        expected = (np.abs(flips) >= abs(values.sum())).mean()
        assert statistics_tests.permutation(values) == pytest.approx(expected)
        sources = np.repeat(np.arange(17), 2)
        assert statistics_tests.permutation(np.repeat(values, 2) / 2, sources) == pytest.approx(
            expected
        )

    def test_chance_and_the_normal_limit_agree_with_the_exact_distribution(self, monkeypatch):
        rng = np.random.default_rng(18)
        values = rng.integers(-3, 5, 300).astype(float) * (rng.random(300) < 0.3)
        exact = statistics_tests.permutation(values)
        assert 0.001 < exact < 0.5
        chance = statistics_tests.permutation(values * 0.3 + 1e-8 * rng.random(300))
        assert chance == pytest.approx(exact, abs=5 * math.sqrt(exact / 10_000) + 0.01)
        monkeypatch.setattr("harness.report.statistics_tests.MOST", 10)
        assert statistics_tests.permutation(values * 0.3 + 1e-8 * rng.random(300)) == pytest.approx(
            exact, abs=0.02
        )

    def test_by_chance_p_is_never_zero(self):
        assert statistics_tests.permutation(np.random.default_rng(19).random(60) + 1) == 1 / 10_000

    def test_of_nothing_and_of_no_difference(self):
        assert math.isnan(statistics_tests.permutation(array()))
        assert math.isnan(statistics_tests.permutation(array(NAN)))
        assert statistics_tests.permutation(np.zeros(5)) == 1
        assert statistics_tests.permutation(array(1, -1), ["a", "a"]) == 1

    def test_under_no_difference_p_is_uniform_and_ignoring_sources_would_not_be(self):
        rng, ours, wrong = np.random.default_rng(20), 0, 0
        sources = np.repeat(np.arange(12), 5)
        for _ in range(300):
            values = np.repeat(rng.choice([-1.0, 1.0], 12), 5) * rng.random(60)
            ours += statistics_tests.permutation(values, sources) <= 0.1
            wrong += float(scipy_stats.ttest_1samp(values, 0).pvalue) <= 0.1
        assert 0.05 <= ours / 300 <= 0.15
        assert wrong / 300 > 0.25

    def test_swaps_of_a_whole_run_metric_are_enumerated_where_few(self):
        a = [row(1), row(1), row(1), row(0), row(1), row(1, "no")]
        b = [row(0), row(0), row(1), row(1), row(0), row(1, "no")]
        found = []
        for swap in product((0, 1), repeat=6):
            first = [(x, y)[s] for x, y, s in zip(a, b, swap, strict=True)]
            second = [(y, x)[s] for x, y, s in zip(a, b, swap, strict=True)]
            found.append(abs(recall(first) - recall(second)))
        expected = sum(one >= abs(recall(a) - recall(b)) - 1e-12 for one in found) / 64
        assert statistics_tests.permutation_of(recall, a, b) == pytest.approx(expected)
        # The first two belong together: three sources differ.
        assert statistics_tests.permutation_of(recall, a, b, list("aabcde")) == pytest.approx(
            statistics_tests.permutation(array(2, 0, -1, 1))
        )

    def test_swaps_by_chance_agree_with_the_flips_of_a_mean(self):
        rng = np.random.default_rng(21)
        x, y = (rng.random((2, 60)) < [[0.7], [0.5]]).astype(float)
        found = statistics_tests.permutation_of(share, [row(v) for v in x], [row(v) for v in y])
        assert found == pytest.approx(statistics_tests.permutation(x - y), abs=0.05)
        assert statistics_tests.permutation_of(share, [row(1)] * 40, [row(0)] * 40) == 1 / 1000

    @slow
    def test_above_two_thousand_items_batches_tell_what_swaps_do_not(self):
        rng = np.random.default_rng(26)
        a, b, _ = two_alike(rng, 2400, 1, lead=0.4)
        p, test = statistics_tests.whole_test(f1, a, b)
        assert test == "batch t"
        assert p < 1e-5
        found = own.difference_of(f1, a, b)
        error = (found.high - found.low) / 2 / scipy_stats.t.isf(0.025, 29)
        assert p == pytest.approx(2 * scipy_stats.t.sf(abs(found.value) / error, 29))
        assert (
            statistics_tests.whole_test(f1, a, b, np.arange(2400) // 100)[1]
            == "permutation of sources"
        )
        assert statistics_tests.whole_test(f1, a, a) == (1.0, "permutation")
        assert math.isnan(
            statistics_tests.whole_test(recall, [row(1, "no")] * 2400, [row(0, "no")] * 2400)[0]
        )
        assert statistics_tests.whole_test(f1, a[:300], b[:300]) == (
            statistics_tests.permutation_of(f1, a[:300], b[:300]),
            "permutation",
        )
        with pytest.raises(ValueError, match="2400 rows paired with 1"):
            statistics_tests.whole_test(f1, a, b[:1])

    @slow
    def test_batches_agree_with_swaps_in_the_middle(self, monkeypatch):
        rng, apart = np.random.default_rng(27), []
        monkeypatch.setattr(statistics_tests, "SWAPS", 199)
        for _ in range(12):
            a, b, _ = two_alike(rng, 600, 1)
            swapped = statistics_tests.permutation_of(f1, a, b)
            with monkeypatch.context() as patch:
                patch.setattr(statistics_tests, "SMALL", 500)
                apart.append(statistics_tests.whole_test(f1, a, b)[0] - swapped)
        assert max(map(abs, apart)) < 0.2
        assert abs(np.mean(apart)) < 0.06

    def test_swaps_that_say_nothing(self):
        same = [row(1), row(0)]
        assert statistics_tests.permutation_of(share, same, [replace(one) for one in same]) == 1
        assert math.isnan(statistics_tests.permutation_of(share, [], []))
        assert math.isnan(statistics_tests.permutation_of(recall, [row(1, "no")], [row(0, "no")]))
        with pytest.raises(ValueError, match="2 rows paired with 1"):
            statistics_tests.permutation_of(share, same, same[:1])

    @settings(deadline=None, max_examples=40)
    @given(st.lists(st.one_of(st.just(NAN), st.floats(0, 1)), max_size=7))
    def test_holm_is_the_closed_test_by_bonferroni_of_those_that_are_numbers(self, p):
        found = statistics_tests.holm(p)
        known = [one for one in p if not math.isnan(one)]
        # Closure (Marcus, Peritz & Gabriel 1976): as large as Bonferroni's p of any set that one is in.
        sets = [
            [at for at in range(len(known)) if mask >> at & 1] for mask in range(1, 2 ** len(known))
        ]
        theirs = [0.0] * len(known)
        for some in sets:
            bonferroni = min(1.0, len(some) * min(known[at] for at in some))
            for at in some:
                theirs[at] = max(theirs[at], bonferroni)
        assert [one for one in found if not math.isnan(one)] == pytest.approx(theirs)
        assert [math.isnan(one) for one in found] == [math.isnan(one) for one in p]


class TestFits:
    def test_correlations_and_lines_are_those_of_scipy(self):
        rng = np.random.default_rng(22)
        for n in (3, 4, 10, 200):
            x, y = rng.integers(0, 9, (2, n)).astype(float)
            x[0], y[0] = 10, 11  # something varies
            theirs = scipy_stats.pearsonr(x, y)
            assert statistics_tests.pearson(x, y) == pytest.approx(
                (theirs.statistic, theirs.pvalue)
            )
            assert statistics_tests.spearman(x, y) == pytest.approx(
                scipy_stats.spearmanr(x, y).statistic
            )
            fit = scipy_stats.linregress(x, y)
            assert statistics_tests.line(x, y) == pytest.approx((fit.slope, fit.intercept))

    def test_shared_sources_are_allowed_for_by_leaving_out_each_in_turn(self):
        rng = np.random.default_rng(23)
        x, y = rng.random((2, 40))
        sources = rng.integers(0, 9, 40)
        slope = np.polyfit(x, y, 1)[0]
        slopes = [np.polyfit(x[sources != at], y[sources != at], 1)[0] for at in range(9)]
        error = math.sqrt(8 / 9 * sum((one - slope) ** 2 for one in slopes))
        r, p = statistics_tests.pearson(x, y, sources)
        assert r == statistics_tests.pearson(x, y)[0]
        assert p == pytest.approx(2 * scipy_stats.t.sf(abs(slope) / error, 8))
        assert statistics_tests.pearson(1e6 * x + 1e8, -y, sources) == pytest.approx(
            (-r, p), rel=1e-5
        )
        assert statistics_tests.pearson(x, y, range(40)) == statistics_tests.pearson(x, y)
        mixed = rng.permutation(40)
        again = statistics_tests.pearson(x[mixed], y[mixed], [f"s{-one}" for one in sources[mixed]])
        assert again == pytest.approx((r, p))
        assert statistics_tests.pearson([*x, NAN], [*y, 3], [*sources, 0]) == pytest.approx((r, p))

    @each("x, y, sources, p", [
        ([1, 2, 3, 4], [1, 3, 2, 4], "aabb", NAN), ([1, 1, 1, 1, 1, 5], [1, 2, 3, 4, 5, 6], "aabbcc", NAN),
        ([1, 2, 3, 4, 5, 6], [2, 4, 6, 8, 10, 12], "aabbcc", 0),
        ([1, 2, 1, 2, 1, 2], [1, 1, 0, 0, 2, 2], "aabbcc", 1),
    ])  # fmt: skip
    def test_of_few_sources_p_is_undefined_and_of_a_line_0(self, x, y, sources, p):
        assert statistics_tests.pearson(array(*x), array(*y), list(sources))[1] == pytest.approx(
            p, nan_ok=True
        )

    @each("x, y", [([], []), ([1], [1]), ([1, 1, 1], [1, 2, 3]), ([NAN, 1], [1, NAN]), ([0.1] * 7, range(7)),
                   ([1, math.inf], [1, 2])])  # fmt: skip
    def test_undefined_where_nothing_varies(self, x, y):
        x, y = array(*x), array(*y)
        assert [*map(math.isnan, statistics_tests.pearson(x, y))] == [True, True]
        assert math.isnan(statistics_tests.spearman(x, y))
        assert [*map(math.isnan, statistics_tests.line(x, y))] == [True, True]

    def test_edges(self):
        assert statistics_tests.pearson(array(1, 2), array(3, 5)) == pytest.approx(
            (1, NAN), nan_ok=True
        )
        assert statistics_tests.pearson(array(1, 2, 3), array(6, 4, 2)) == pytest.approx(
            (-1, 0), abs=1e-7
        )
        assert statistics_tests.pearson(array(1, 2, 3, NAN), array(1, 2, 4, 9))[0] == pytest.approx(
            0.98198, abs=1e-5
        )
        assert statistics_tests.pearson(array(1e300, 2e300, 3e300), array(1, 2, 4))[
            0
        ] == pytest.approx(0.98198, abs=1e-5)
        assert statistics_tests.line(array(1, 2, 3), array(5, 5, 5)) == pytest.approx((0, 5))
        with pytest.raises(ValueError, match="1 numbers paired with 2"):
            statistics_tests.pearson(array(1), array(1, 2))


def test_numbers_beyond_what_can_be_squared_are_reckoned_with():
    for scale in (1e200, 1e308):
        values = scale * array(0.1, 0.5, 0.9, 0.3, 1)
        small, large = own.mean(values / scale), own.mean(values)
        assert large[:3] == pytest.approx([one * scale for one in small[:3]])
        assert large.method == small.method
        assert own.difference(values, 0 * values)[:3] == pytest.approx(large[:3])
        assert (
            statistics_tests.permutation(values)
            == statistics_tests.permutation(values / scale)
            == 2 / 2**5
        )
        assert math.isnan(own.difference(values, -values).value) == (scale == 1e308)
        x = array(1, 2, 3, 4, 5)
        assert statistics_tests.line(x / 5 * scale, x)[0] == pytest.approx(5 / scale)
        assert statistics_tests.line(x, x / 5 * scale) == pytest.approx(
            (scale / 5, 0), abs=1e-9 * scale
        )
        assert statistics_tests.pearson(x / 5 * scale, x[::-1])[0] == -1
        assert statistics_tests.pearson(x / 5 * scale, array(1, 3, 2, 5, 4), list("aabbc"))[1] > 0


VALUES = st.lists(
    st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0, 1)), min_size=1, max_size=25
) | st.lists(st.sampled_from([0.0, 1.0]), min_size=1, max_size=25)


class TestAnything:
    @settings(deadline=None, max_examples=80)
    @given(VALUES, st.data())
    def test_an_interval_holds_its_value_within_bounds_whatever_the_order_and_the_names(
        self, values, data
    ):
        n = len(values)
        sources = data.draw(st.none() | st.lists(st.integers(0, 5), min_size=n, max_size=n))
        other = data.draw(st.lists(st.floats(0, 1), min_size=n, max_size=n))
        order = data.draw(st.permutations(range(n)))
        values, other, order = array(*values), array(*other), np.array(order)
        renamed = None if sources is None else [f"x{7 - sources[at]}" for at in order]
        for low, found, again in (
            (0, own.mean(values, sources), own.mean(values[order], renamed)),
            (-1, own.difference(values, other, sources), own.difference(values[order], other[order], renamed)),
        ):  # fmt: skip
            np.testing.assert_equal(tuple(found), tuple(again))
            if found.method:
                assert low <= found.low <= found.value <= found.high <= 1
            else:
                assert math.isnan(found.low)
                assert math.isnan(found.high)
        assert 0 < statistics_tests.permutation(values - other, sources) <= 1
