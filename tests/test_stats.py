"""Intervals against theory and coverage, floors against brute force."""

import itertools
import math
import random
import statistics

import pytest

from harness import stats
from harness.errors import PluginError
from harness.hookspecs import Benchmark, Metric, Row


def row(value, outcome="scored", target="yes", answer="yes", **features):
    return Row(target, answer, outcome, {"right": float(value)}, features)


UNSCORED = Row("yes", None, "unscored", {})


def share(rows):
    return sum(one.value["right"] for one in rows) / len(rows)


def recall(rows):
    """Undefined without a positive: the whole-run metrics of papers are like that."""
    asked = [one for one in rows if one.target == "yes"]
    return share(asked) if asked else math.nan


MEAN = Metric("right", "")
WHOLE = Metric("share", "", share)
RECALL = Metric("recall", "", recall)


def benchmark(*metrics, choices=("yes", "no"), headline="right", groups=()):
    return Benchmark(
        name="b", version="1", summary="", config_schema={}, engines=("e",), values=("right",),
        metrics=metrics, headline=headline, choices=choices, problem_schema={}, answer_schema={},
        groups=groups,
    )  # fmt: skip


class TestValue:
    @pytest.mark.parametrize("metric", [MEAN, WHOLE])
    def test_unscored_rows_are_in_no_mean_and_unparsed_ones_are(self, metric):
        rows = [row(1), UNSCORED, row(0, "unparsed"), row(1), UNSCORED]
        assert stats.value_of(metric, rows) == pytest.approx(2 / 3)

    @pytest.mark.parametrize("rows", [[], [UNSCORED]])
    def test_undefined_without_rows(self, rows):
        assert math.isnan(stats.value_of(MEAN, rows))
        assert math.isnan(stats.value_of(WHOLE, rows))

    def test_a_metric_that_raises_is_named(self):
        with pytest.raises(PluginError, match="metric 'odd' raised ZeroDivisionError"):
            stats.value_of(Metric("odd", "", lambda rows: 1 / 0), [row(1)])


class TestBootstrap:
    def test_error_and_interval_of_a_mean_are_those_of_theory(self):
        rows = [row(i % 10 < 3) for i in range(400)]
        found = stats.bootstrap(share, rows)
        sigma = math.sqrt(0.3 * 0.7 / 400)
        assert found["value"] == pytest.approx(0.3)
        # 300 resamples: the error is known to 4 %, an end of the interval to about a tenth.
        assert found["stderr"] == pytest.approx(sigma, rel=0.15)
        assert found["lower"] == pytest.approx(0.3 - 1.96 * sigma, abs=0.4 * sigma)
        assert found["upper"] == pytest.approx(0.3 + 1.96 * sigma, abs=0.4 * sigma)

    def test_agrees_with_an_independent_implementation_on_a_skewed_statistic(self):
        rng = random.Random(5)
        values = [rng.expovariate(1) for _ in range(80)]
        found = stats.bootstrap(
            lambda rows: statistics.stdev(r.value["right"] for r in rows), [row(v) for v in values]
        )
        draws = [
            statistics.stdev(values[rng.randrange(80)] for _ in range(80)) for _ in range(4000)
        ]
        cuts = statistics.quantiles(draws, n=40)
        spread = statistics.stdev(draws)
        assert found["stderr"] == pytest.approx(spread, rel=0.15)
        assert found["lower"] == pytest.approx(cuts[0], abs=0.4 * spread)
        assert found["upper"] == pytest.approx(cuts[-1], abs=0.4 * spread)

    def test_interval_covers_the_truth_as_often_as_it_says(self):
        rng = random.Random(7)
        hits = 0
        for _ in range(120):
            found = stats.bootstrap(share, [row(rng.random() < 0.6) for _ in range(60)])
            hits += found["lower"] <= 0.6 <= found["upper"]
        # Binomial(120, 0.95) is below 105 or above 119 once in a thousand.
        assert 105 <= hits <= 119

    def test_narrower_at_a_lower_level(self):
        rows = [row(i % 2) for i in range(50)]
        wide, narrow = stats.bootstrap(share, rows), stats.bootstrap(share, rows, level=0.5)
        assert wide["lower"] < narrow["lower"] < narrow["upper"] < wide["upper"]

    def test_the_same_rows_give_the_same_interval(self):
        rows = [row(i % 3 == 0) for i in range(20)]
        state = random.getstate()
        assert stats.bootstrap(share, rows) == stats.bootstrap(share, rows)
        assert random.getstate() == state

    def test_nothing_to_resample(self):
        assert all(math.isnan(number) for number in stats.bootstrap(share, []).values())

    def test_resamples_where_it_is_undefined_are_left_out(self):
        rows = [row(1), row(0), *(row(0, target="no") for _ in range(4))]
        found = stats.bootstrap(recall, rows)
        assert (found["value"], found["lower"], found["upper"]) == (0.5, 0.0, 1.0)
        assert math.isfinite(found["stderr"])

    @pytest.mark.parametrize("value", [0, 1])
    def test_no_interval_where_all_answers_are_alike(self, value):
        """Three right answers of three do not show that the next is right for certain."""
        found = stats.bootstrap(share, [row(value)] * 3)
        assert found["value"] == value
        assert all(math.isnan(found[key]) for key in ("stderr", "lower", "upper"))

    def test_undefined_everywhere(self):
        found = stats.bootstrap(recall, [row(0, target="no")])
        assert all(math.isnan(number) for number in found.values())


def constant(targets, choices=("yes", "no")):
    """The rows of each constant answer, judged by equality."""
    return {c: [row(c == t, target=t, answer=c) for t in targets] for c in choices}


class TestFloors:
    def test_a_mean_against_every_possible_answerer(self):
        targets = ["yes", "no", "yes", "maybe"]
        choices = ("yes", "no", "maybe")
        found = stats.floors(benchmark(MEAN, choices=choices), constant(targets, choices))
        every = [
            sum(map(str.__eq__, answers, targets)) / 4
            for answers in itertools.product(choices, repeat=4)
        ]
        assert found["random"]["right"] == pytest.approx(statistics.mean(every))
        assert found["majority"]["right"] == 0.5

    def test_a_whole_run_metric_is_near_every_possible_answerer(self):
        targets = ["yes"] * 6 + ["no"] * 6
        found = stats.floors(benchmark(MEAN, RECALL), constant(targets))
        every = [
            sum(answers[:6]) / 6 for answers in itertools.product((0, 1), repeat=12)
        ]  # fmt: skip
        # Ten answerers: the mean of their recalls is known to a standard error of 0.065.
        assert found["random"]["recall"] == pytest.approx(statistics.mean(every), abs=0.2)

    def test_majority_is_the_best_by_the_headline_for_all_metrics(self):
        targets = ["yes", "no", "no"]
        found = stats.floors(benchmark(MEAN, RECALL), constant(targets))
        assert found["majority"] == {"right": pytest.approx(2 / 3), "recall": 0.0}

    def test_a_choice_without_a_defined_score_is_not_the_best(self):
        rows = {"no": [UNSCORED, UNSCORED], "yes": [row(1), row(0)]}
        found = stats.floors(benchmark(MEAN, choices=("no", "yes")), rows)
        assert found["majority"]["right"] == 0.5

    def test_unscored_rows_are_left_out(self):
        rows = {"yes": [row(1), UNSCORED, row(0)], "no": [row(0), UNSCORED, row(1)]}
        found = stats.floors(benchmark(MEAN, WHOLE), rows)
        assert found["majority"] == {"right": 0.5, "share": 0.5}
        assert found["random"]["right"] == 0.5


class TestGroups:
    def test_per_value_of_each_feature_that_varies(self):
        rows = [row(1, size=2, kind="a"), row(0, size=10, kind="a"), row(1, size=10, kind="a")]
        found = stats.by_group(benchmark(MEAN, groups=("size", "kind")), rows)
        assert found == {"size": {"2": {"right": 1.0, "n": 1.0}, "10": {"right": 0.5, "n": 2.0}}}
        assert list(found["size"]) == ["2", "10"]

    def test_rows_without_the_feature_are_in_no_group(self):
        rows = [row(1, size=2), row(0, size=3), row(0)]
        found = stats.by_group(benchmark(MEAN, groups=("size",)), rows)
        assert sum(part["n"] for part in found["size"].values()) == 2
