"""Several answers to each item: estimators against brute force and statsmodels, intervals by simulation."""

import math
from itertools import combinations

import numpy as np
import pytest
from cases import SHARE, slow, some
from inspect_ai.scorer import SampleScore, Score, stderr

from harness.core.hookspecs import Benchmark, Metric, Row
from harness.report import statistics
from harness.rerun import log_rows
from harness.run import metrics, repeats, stats


def row(value, answer="a", outcome="scored", **extra):
    return Row("t", answer, outcome, {"right": float(value)}, extra=extra)


def scores(table):
    """Return scores as Inspect has them of several epochs: ``table[i][j]`` is what answer j to item i got."""
    return [
        SampleScore(score=Score(value=float(value)), sample_id=f"item-{i}")
        for i, values in enumerate(table)
        for value in values
    ]


def ends(found):
    return [value for key, value in found.items() if key.endswith(("lower", "upper"))]


@pytest.mark.parametrize("n", range(1, 8))
def test_pass_at_k_and_pass_all_k_are_those_of_all_subsets(n):
    for right in range(n + 1):
        answers = [at < right for at in range(n)]
        for k in range(1, n + 1):
            subsets = list(combinations(answers, k))
            assert repeats.pass_at(n, right, k) == pytest.approx(np.mean([*map(any, subsets)]))
            assert repeats.pass_all(n, right, k) == pytest.approx(np.mean([*map(all, subsets)]))
        assert math.isnan(repeats.pass_at(n, right, n + 1))
        assert math.isnan(repeats.pass_all(n, right, n + 1))


def test_pass_k_is_unbiased():
    """Its expectation over what n answers may be is 1 - (1-p)^k, and p^k."""
    n, p, k = 6, 0.3, 4
    chance = [math.comb(n, c) * p**c * (1 - p) ** (n - c) for c in range(n + 1)]
    at = sum(x * repeats.pass_at(n, c, k) for c, x in enumerate(chance))
    every = sum(x * repeats.pass_all(n, c, k) for c, x in enumerate(chance))
    assert (at, every) == (pytest.approx(1 - 0.7**4), pytest.approx(0.3**4))


def test_sizes_hold_all_small_k_and_the_number_of_answers():
    assert repeats.sizes(1) == (1,)
    assert repeats.sizes(4) == (1, 2, 3, 4)
    assert repeats.sizes(25) == (1, 2, 3, 4, 5, 10, 20, 25)


def test_agreement_is_the_share_of_equal_pairs():
    assert repeats.agreement([row(1, "x"), row(1, "x"), row(0, "y")]) == pytest.approx(1 / 3)
    # What is unreadable agrees with nobody, what is unscored is not there.
    unread, lost = row(0, None, "unparsed"), row(0, None, "unscored")
    assert repeats.agreement([row(1, "x"), row(1, "x"), unread, unread]) == pytest.approx(1 / 6)
    assert repeats.agreement([row(1, "x"), row(1, "x"), lost]) == 1
    assert math.isnan(repeats.agreement([row(1, "x"), lost]))
    # As in a vote, a plugin says what is the same.
    assert repeats.agreement([row(1, "x: 1", vote="x"), row(1, "x: 2", vote="x")]) == 1


@slow
def test_variances_are_those_of_a_mixed_model():
    api = pytest.importorskip("statsmodels.api")
    rng = np.random.default_rng(5)
    table = rng.normal(0, 1, (60, 1)) * 1.5 + rng.normal(0, 1, (60, 4))
    fit = api.MixedLM(table.ravel(), np.ones(table.size), np.repeat(np.arange(60), 4)).fit()
    within, between = repeats.variances(table.tolist())
    assert within == pytest.approx(fit.scale, rel=1e-3)
    assert between == pytest.approx(float(np.asarray(fit.cov_re)[0, 0]), rel=1e-3)


def test_variances_add_up_to_that_of_one_answer():
    rng = np.random.default_rng(11)
    found = np.mean(
        [
            repeats.variances((rng.random((20, 3)) < rng.beta(2, 1, (20, 1))).tolist())
            for _ in range(400)
        ],
        axis=0,
    )
    p, spread = 2 / 3, 2 / (9 * 4)  # the mean and the variance of that beta distribution
    assert found[1] == pytest.approx(spread, abs=0.006)
    assert sum(found) == pytest.approx(p * (1 - p), abs=0.006)
    assert all(map(math.isnan, repeats.variances([[1.0], [0.0]])))


def test_the_error_is_the_cluster_robust_one_of_statsmodels():
    api = pytest.importorskip("statsmodels.api")
    rng = np.random.default_rng(3)
    table = (rng.random((12, 5)) < rng.random((12, 1))).astype(float)
    fit = api.OLS(table.ravel(), np.ones(table.size)).fit(
        cov_type="cluster", cov_kwds={"groups": np.repeat(np.arange(12), 5)}
    )
    reduced = [SampleScore(score=Score(value=float(x))) for x in table.mean(axis=1)]
    assert stderr()(reduced) == pytest.approx(float(fit.bse[0]))


def test_the_interval_of_a_share_holds_the_truth_and_that_of_rows_would_not():
    rng = np.random.default_rng(7)
    held, naive = 0, 0
    runs = some(400)
    for _ in range(runs):
        table = rng.random((15, 6)) < rng.choice([0.05, 0.95], (15, 1), p=[0.4, 0.6])
        low, high = ends(metrics.interval()(scores(table)))
        held += low <= 0.59 <= high
        each = [SampleScore(score=s.score) for s in scores(table)]  # as if all were independent
        low, high = ends(metrics.interval()(each))
        naive += low <= 0.59 <= high
    assert held / runs >= 0.93
    assert naive / runs < 0.75


@pytest.mark.parametrize(("a", "b"), [(1, 1), (4, 2)])
def test_the_intervals_of_pass_at_k_hold_the_truth(a, b):
    """A percentile bootstrap of the items' chances held it in 73 % of the runs with chances by beta(4, 2)."""
    rng = np.random.default_rng(9)
    k, n, runs = 3, 5, 200 // min(SHARE, 4)  # of 50, that bootstrap holds it in 36 ± 3
    none = math.prod((b + i) / (a + b + i) for i in range(k))  # of k answers right, over items
    every = math.prod((a + i) / (a + b + i) for i in range(k))
    held = dict.fromkeys(("@", "^"), 0)
    for _ in range(runs):
        right = (rng.random((10, n)) < rng.beta(a, b, (10, 1))).sum(axis=1)
        for sign, chance, truth in (
            ("@", repeats.pass_at, 1 - none),
            ("^", repeats.pass_all, every),
        ):
            estimates = [(chance(n, int(c), k), n / k) for c in right]
            found = metrics._chance(estimates)
            held[sign] += found["lower"] <= truth <= found["upper"]
            values, tries = np.array(estimates).T
            theirs = statistics.chance(values, tries)
            assert (found["lower"], found["upper"]) == pytest.approx(theirs[1:3], abs=1e-6)
    assert all(count / runs >= 0.94 for count in held.values())


def test_chances_that_do_not_vary_are_no_certainty():
    found = metrics._chance([(0.9, 5 / 3)] * 10)
    assert found["lower"] < 0.75
    assert metrics._chance([(0.4, 2.0)])["value"] == 0.4


def test_answers_that_agree_count_once():
    five, one = [[value] * 5 for value in (1, 1, 0)], [[value] for value in (1, 1, 0)]
    assert metrics.interval()(scores(five)) == metrics.interval()(scores(one))


def test_without_repeats_nothing_is_told_of_them(monkeypatch):
    bench = benchmark()
    monkeypatch.setattr(metrics, "registry", lambda: {"b": type("P", (), {"benchmark": bench})})
    one = [judged("i", row(1)), judged("j", row(0))]
    assert metrics.again("b")(one) == {}
    two = [*one, judged("i", row(0))]
    found = metrics.again("b")(two)
    assert found["pass@2"] == 1  # of the one item that has two answers
    assert found["pass@1"] == pytest.approx(0.25)


def test_a_metric_of_the_run_is_resampled_by_items():
    rng = np.random.default_rng(1)
    hard = rng.random(30) < 0.5
    items = [[row(not h) for _ in range(8)] for h in hard]  # the answers to an item are all alike

    def share(rows):
        return sum(one.value["right"] for one in rows) / len(rows)

    clustered = stats.bootstrap(*repeats.units(share, items))
    single = stats.bootstrap(*repeats.units(share, [[one[0]] for one in items]))
    assert clustered == pytest.approx(single)
    alone = stats.bootstrap(share, [one for item in items for one in item])
    assert alone["stderr"] < clustered["stderr"] / 2


def test_a_group_has_the_mean_of_its_items():
    def one(size, *values):
        return [Row("t", "a", "scored", {"right": float(v)}, {"size": size}) for v in values]

    groups = stats.by_group(benchmark(), [one(1, 1, 0), one(1, 1), one(2, 0, 0)])
    assert groups["size"]["1"] == {"right": 0.75, "n": 2}


def test_the_answers_to_an_item_as_one_row():
    lost = row(0, None, "unscored")
    found = log_rows.reduced([row(1, "x"), row(0, "y"), lost])
    assert (found.value, found.answer, found.outcome) == ({"right": 0.5}, None, "scored")
    assert log_rows.reduced([row(1, "x"), row(1, "x")]).answer == "x"
    assert log_rows.reduced([lost, row(1, "x")]) == row(1, "x")
    assert log_rows.reduced([lost, lost]).outcome == "unscored"


def benchmark():
    return Benchmark(
        name="b", version="1", summary="", citation="", licence="", config_schema={"properties": {}},
        problem_schema={}, answer_schema={}, choices=(), engines=("e",), values=("right",), headline="right",
        metrics=(Metric("right", "share of right answers"),), groups=("size",),
    )  # fmt: skip


def judged(sample_id, one):
    facts = {"outcome": one.outcome, "target": one.target}
    score = Score(value=dict(one.value), answer=one.answer, metadata=facts)
    return SampleScore(score=score, sample_id=sample_id)
