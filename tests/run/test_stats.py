"""Intervals against theory and coverage, floors against brute force."""

import itertools
import math
import random
import statistics
import time
from dataclasses import replace

import numpy as np
import pytest
from cases import slow
from harness_errors import PluginError
from inspect_ai.scorer import SampleScore, Score, ci_wilson

from harness.core.hookspecs import Benchmark, Metric, Row
from harness.core.plugins import registry
from harness.run import stats
from harness.run.metrics import interval, named, rows_of, whole


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


def benchmark(*metrics, choices=("yes", "no"), headline="right", groups=(), tags=()):
    return Benchmark(
        name="b", version="1", summary="", config_schema={}, engines=("e",), values=("right",),
        metrics=metrics, headline=headline, choices=choices, problem_schema={}, answer_schema={},
        groups=groups, tags=tags,
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

    def test_the_mean_of_a_number_per_row_is_over_the_rows_that_have_one(self):
        metric = Metric("odd", "", each=lambda one: one.extra.get("odd"))
        rows = [
            replace(row(1), extra={"odd": 1.0}),
            row(1),
            replace(row(0, "unparsed"), extra={"odd": 0.0}),
        ]
        assert stats.value_of(metric, [*rows, UNSCORED]) == 0.5
        assert math.isnan(stats.value_of(metric, [row(1)]))
        broken = Metric("odd", "", each=lambda one: one.extra["odd"])
        with pytest.raises(PluginError, match="metric 'odd' raised KeyError"):
            stats.value_of(broken, rows)

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
        places = np.random.default_rng(5).integers(80, size=(4000, 80))
        draws = np.array(values)[places].std(axis=1, ddof=1).tolist()
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


class TestBootstrapOfAMean:
    @pytest.mark.parametrize("seed", range(3))
    def test_is_the_bootstrap_of_rows_from_numbers_alone(self, seed):
        rng = random.Random(seed)
        # Rows that differ in their value alone are resampled in the order of their values.
        values = sorted(rng.random() for _ in range(70))
        rows = [row(v) for v in values]
        found, slow = stats.bootstrap_mean(values), stats.bootstrap(share, rows)
        assert found == pytest.approx(slow)
        rng.shuffle(values)
        assert stats.bootstrap_mean(values) == found

    def test_error_and_interval_of_fractions_are_those_of_theory(self):
        values = [i % 5 / 4 for i in range(500)]
        sigma = math.sqrt(0.125 / 500)
        found = stats.bootstrap_mean(values)
        assert found["value"] == pytest.approx(0.5)
        assert found["stderr"] == pytest.approx(sigma, rel=0.15)
        assert found["lower"] == pytest.approx(0.5 - 1.96 * sigma, abs=0.4 * sigma)
        assert found["upper"] == pytest.approx(0.5 + 1.96 * sigma, abs=0.4 * sigma)

    @slow
    def test_is_narrower_than_the_binomial_one_and_covers_as_often_as_it_says(self):
        """Wilson's is made for zeros and ones: for F1 values near a half it is far too wide."""
        rng = random.Random(11)
        hits, widths = 0, []
        for _ in range(120):
            found = stats.bootstrap_mean([rng.choice((0.4, 0.5, 0.6)) for _ in range(80)])
            hits += found["lower"] <= 0.5 <= found["upper"]
            widths.append(found["upper"] - found["lower"])
        assert 105 <= hits <= 119
        assert max(widths) < 0.1 < 2 * 1.96 * math.sqrt(0.25 / 80)

    @pytest.mark.parametrize("values", [[], [0.3], [0.3] * 7, [0.1 + 0.2] * 3])
    def test_no_interval_where_all_values_are_alike(self, values):
        found = stats.bootstrap_mean(values)
        assert all(math.isnan(found[key]) for key in ("stderr", "lower", "upper"))
        assert found["value"] == pytest.approx(values[0]) if values else math.isnan(found["value"])

    def test_five_thousand_rows_take_no_time(self):
        values = [random.Random(1).random() for _ in range(5000)]
        started = time.process_time()
        stats.bootstrap_mean(values)
        assert time.process_time() - started < 2


class TestInterval:
    def interval_of(self, values):
        return interval()([SampleScore(score=Score(value=value)) for value in values])

    @pytest.mark.parametrize("values", [[0.0], [1, 1, 1], [1, 0.0, 1.0, 0], [True, False]])
    def test_zeros_and_ones_have_wilsons(self, values):
        scores = [SampleScore(score=Score(value=value)) for value in values]
        found = self.interval_of(values)
        assert found == {f"wilson_{end}": v for end, v in ci_wilson()(scores).items()}
        assert 0 <= found["wilson_lower"] < found["wilson_upper"] <= 1

    @pytest.mark.parametrize("items", [[[1, 0], [1, 1]], [[1, 0], [1, 1], [0, 0]], [[1, 0]] * 5])
    def test_answers_of_an_item_count_by_their_effective_number(self, items):
        scores = [
            SampleScore(
                score=Score(value=value), sample_id=place, sample_metadata={"item": f"item {place}"}
            )
            for place, values in enumerate(items)
            for value in values
        ]
        wanted = ci_wilson(cluster="item")(scores)
        assert interval()(scores) == {f"wilson_{end}": value for end, value in wanted.items()}

    def test_items_with_unequal_numbers_of_answers_have_no_wilsons(self):
        scores = [
            SampleScore(score=Score(value=value), sample_id=place)
            for place, values in enumerate([[1, 0], [1], [0, 0, 1]])
            for value in values
        ]
        assert set(interval()(scores)) == {"bootstrap_lower", "bootstrap_upper"}

    @pytest.mark.parametrize("right", [0, 1, 2, 3])
    def test_the_share_of_pairs_has_wilsons_of_the_pairs(self, right):
        """Not the bootstrap's of the items, which has none where all pairs are alike."""
        scores = [
            SampleScore(
                score=Score(
                    value={"accuracy": float(pair < right)},
                    answer=target,
                    metadata={"outcome": "scored", "target": target},
                ),
                sample_id=f"{pair} {target}",
                sample_metadata={"features": {"twin": f"pair {pair}"}},
            )
            for pair in range(3)
            for target in ("True", "False")
        ]
        found = whole[0]("ltlbench", "pairs")(scores)
        marks = [SampleScore(score=Score(value=pair < right)) for pair in range(3)]
        assert found["pairs"] == right / 3
        for end, value in ci_wilson()(marks).items():
            assert found[f"pairs_{end}"] == value

    @pytest.mark.parametrize("values", [[0.5, 1, 0], [0, 1, 1e-6], [0, 2, 1], [-1, 0, 1], [3, 700]])
    def test_other_numbers_have_the_bootstraps_beyond_one_too(self, values):
        found = self.interval_of(values)
        assert set(found) == {"bootstrap_lower", "bootstrap_upper"}
        mean = statistics.mean(values)
        assert (
            min(values) <= found["bootstrap_lower"] < mean < found["bootstrap_upper"] <= max(values)
        )

    @pytest.mark.parametrize("values", [[], [0.5], [0.5] * 9, [2, 2]])
    def test_equal_values_of_another_kind_have_none(self, values):
        assert self.interval_of(values) == {}


def test_intervals_are_inspects_of_each_mean_where_answers_are_voted_on_alone():
    benchmark = registry().get("ltlbench").benchmark
    assert [len(kinds) for kinds in named(benchmark, "harness")[0].values()] == [2, 2, 2]
    assert [len(kinds) for kinds in named(benchmark, "harness", True)[0].values()] == [3, 3, 3]


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
        assert stats.floors(benchmark(MEAN, RECALL), {}) == {}
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
        found = stats.by_group(benchmark(MEAN, groups=("size", "kind")), [[one] for one in rows])
        assert found == {"size": {"2": {"right": 1.0, "n": 1.0}, "10": {"right": 0.5, "n": 2.0}}}
        assert list(found["size"]) == ["2", "10"]

    def test_rows_without_the_feature_are_in_no_group(self):
        rows = [row(1, size=2), row(0, size=3), row(0)]
        found = stats.by_group(benchmark(MEAN, groups=("size",)), [[one] for one in rows])
        assert sum(part["n"] for part in found["size"].values()) == 2

    def test_an_item_counts_under_every_word_of_a_tag_once(self):
        rows = [row(1, types="event month"), row(0, types="month  month"), row(0, types=""), row(1)]
        found = stats.by_group(benchmark(MEAN, tags=("types",)), [[one] for one in rows])
        assert found == {
            "types": {"event": {"right": 1.0, "n": 1.0}, "month": {"right": 0.5, "n": 2.0}}
        }

    def test_tags_stand_beside_groups_and_one_word_is_no_split(self):
        rows = [row(1, size=1, types="a b"), row(0, size=2, types="b")]
        found = stats.by_group(
            benchmark(MEAN, groups=("size",), tags=("types", "kinds")), [[one] for one in rows]
        )
        assert list(found) == ["size", "types"]
        assert found["types"]["b"] == {"right": 0.5, "n": 2.0}
        same = [row(1, types="a"), row(0, types="a")]
        assert stats.by_group(benchmark(MEAN, tags=("types",)), [[one] for one in same]) == {}


class TestOutputTokens:
    def test_unscored_rows_and_those_without_a_report_are_left_out_and_unparsed_ones_count(self):
        rows = [
            replace(row(1), output_tokens=10), replace(row(0, "unparsed"), output_tokens=30),
            replace(UNSCORED, output_tokens=999), row(1),
        ]  # fmt: skip
        assert stats.output_tokens(rows) == [10, 30]

    def test_a_group_has_their_mean_where_there_are_any(self):
        rows = [
            replace(row(1, size=1), output_tokens=10), replace(row(1, size=1), output_tokens=0),
            row(1, size=2),
        ]  # fmt: skip
        found = stats.by_group(benchmark(MEAN, groups=("size",)), [[one] for one in rows])["size"]
        assert found["1"]["output_tokens"] == 5
        assert "output_tokens" not in found["2"]


def test_what_is_no_verdict_of_ours_is_no_row():
    ours = {"outcome": "scored", "target": "True"}
    scores = (
        Score(value={"accuracy": 1}, metadata=ours), Score(value={"accuracy": 1}, metadata={}),
        Score(value=1, metadata=ours), Score(value=1),
    )  # fmt: skip
    assert len(rows_of([SampleScore(score=score) for score in scores])) == 1
