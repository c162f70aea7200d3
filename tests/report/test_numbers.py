"""Metrics over answers: hand-computed on small studies, and as a real run says it."""

import json
import math
from dataclasses import replace

import pytest
from cases import each
from harness_errors import PluginError, SpecError

from harness import both_right
from harness.cli.main import main
from harness.core.hookspecs import Benchmark, Metric, Row
from harness.report import log_studies, numbers, statistics
from harness.report.model import Answer, Estimate, LogFacts, Series, Study
from harness.run import stats


def share(rows):
    return sum(one.value["right"] for one in rows) / len(rows)


RIGHT = Metric("right", "")
WHOLE = Metric("whole", "", share)
SURE = Metric("sure", "", share, probabilistic=True)
ODD = Metric("odd", "", each=lambda one: one.extra.get("odd"))


def benchmark(**facts):
    known = {
        "name": "b", "version": "1", "summary": "", "config_schema": {}, "engines": ("e",),
        "values": ("right", "part"),
        "metrics": (RIGHT, WHOLE, SURE, ODD), "headline": "right", "choices": ("yes", "no"), "problem_schema": {},
        "answer_schema": {}, "published": (Metric("paper", ""),),
    }  # fmt: skip
    return Benchmark(**{**known, **facts})


def answer(value, at="1", outcome="scored", source=None, **facts):
    row = Row("yes", "yes", outcome, {} if outcome == "unscored" else {"right": float(value)})
    return Answer(replace(row, **facts), at, source or at, 0)


UNSCORED = answer(0, "u", "unscored")


def both(right, part, outcome="scored"):
    one = answer(0, outcome=outcome)
    return replace(one, row=replace(one.row, value={"right": float(right), "part": float(part)}))


def log(n, **floors):
    return LogFacts("a.eval", "b", "1", "m", "", "success", {}, {}, None, "", n, floors, {}, {})


def study(constants, logs=(), ids=(), **facts):
    series = Series("m", "model", "m", {}, (0,), [answer(1, at) for at in ids])
    return Study(benchmark(**facts), logs, (series,), constants)


def constants(target, choices=("yes", "no"), **features):
    return {c: Row(target, c, "scored", {"right": float(c == target)}, features) for c in choices}


def floor_of(metric, study, ids):
    return numbers.floors((metric,), study, ids)[metric.name]


class TestEstimates:
    def test_unscored_answers_are_in_no_number_and_unparsed_ones_count_as_0(self):
        found = [answer(1, "a"), answer(0, "b", "unparsed"), answer(1, "c"), UNSCORED]
        assert numbers.each(RIGHT, found).tolist()[:3] == [1, 0, 1]
        assert math.isnan(numbers.each(RIGHT, found)[3])
        value, low, high, method = statistics.wilson(2, 3)
        assert numbers.estimate(RIGHT, found) == Estimate(value, low, high, 3, method)
        assert numbers.estimate(WHOLE, found).value == pytest.approx(2 / 3)
        assert numbers.estimate(WHOLE, found).n == 3
        assert numbers.unparsed_share(found) == 1 / 3
        assert [one.counts for one in found].count(False) == 1

    def test_a_number_per_row_is_over_the_rows_that_have_one(self):
        found = [answer(1, str(i), extra=extra) for i, extra in enumerate(({"odd": 1}, {}, {"odd": 0}))]  # fmt: skip
        assert (numbers.estimate(ODD, found).value, numbers.estimate(ODD, found).n) == (0.5, 2)
        assert numbers.estimate(ODD, [answer(1)]) == Estimate(None)
        assert all(map(math.isnan, numbers.each(WHOLE, found)))

    @each("found", [[], [UNSCORED]])
    def test_of_nothing_nothing_is_said(self, found):
        for metric in (RIGHT, WHOLE, SURE, ODD):
            assert numbers.estimate(metric, found) == Estimate(None)
        assert math.isnan(numbers.unparsed_share(found))
        assert numbers.output_tokens(found) is None

    def test_shared_sources_widen_the_interval(self):
        alone = [answer(i < 30, str(i)) for i in range(60)]
        shared = [answer(i < 30, str(i), source=str(i // 6)) for i in range(60)]
        for metric in (RIGHT, WHOLE):
            narrow, wide = numbers.estimate(metric, alone), numbers.estimate(metric, shared)
            assert narrow.value == wide.value == 0.5
            assert wide.high - wide.low > 1.5 * (narrow.high - narrow.low)
            assert wide.method == f"{'Wilson' if metric is RIGHT else 'bootstrap'} over sources"

    def test_an_item_that_two_models_answered_is_a_unit_of_each_where_it_has_no_twin(self):
        metric, twin = Metric("pairs", "", share, together="twin"), {"features": {"twin": "t"}}
        once = [answer(1, "a"), answer(0, "b", **twin), answer(1, "c", **twin)]
        found = numbers.estimate(metric, [*once, *once])
        assert (found.value, found.n) == (pytest.approx(2 / 3), 6)

    @pytest.mark.parametrize("right", [6, 4, 0])
    def test_a_share_of_pairs_has_the_interval_of_a_share(self, right):
        metric = Metric("pairs", "", both_right("right"), together="twin")
        found = [
            answer(at < right, f"{at}{target}", target=target, features={"twin": str(at)})
            for at in range(6)
            for target in ("yes", "no")
        ]
        found.append(answer(1, "alone", features={"twin": "alone"}))
        estimate = numbers.estimate(metric, found)
        assert (estimate.value, estimate.low, estimate.high) == pytest.approx(
            statistics.wilson(right, 6)[:3]
        )
        assert estimate.n == 13

    def test_hard_labels_are_named(self):
        hard = [answer(i % 2, str(i), probability=0.5 if i else None) for i in range(9)]
        soft = [answer(i % 2, str(i), probability=0.5) for i in range(9)]
        unread = [*soft, answer(0, "x", "unparsed")]
        assert numbers.estimate(SURE, hard).method == "bootstrap, hard labels"
        assert numbers.estimate(SURE, soft).method == "bootstrap"
        assert numbers.estimate(SURE, unread).method == "bootstrap"
        assert numbers.estimate(SURE, [answer(1)]).method == "hard labels"

    def test_tokens(self):
        found = [answer(1, "a", output_tokens=10), answer(1, "b", output_tokens=30), answer(1, "c"),
                 replace(UNSCORED, row=replace(UNSCORED.row, output_tokens=999))]  # fmt: skip
        assert (numbers.output_tokens(found).value, numbers.output_tokens(found).n) == (20, 2)

    def test_a_metric_that_fails_is_named_in_one_line(self):
        for metric in (
            Metric("bad", "", lambda rows: 1 / 0),
            Metric("bad", "", each=lambda one: 1 / 0),
            Metric("bad", ""),
        ):
            with pytest.raises(PluginError, match=r"^metric 'bad' raised [A-Za-z]*Error"):
                numbers.estimate(metric, [answer(1)])

    def test_the_order_of_rows_that_are_alike_but_for_one_thing_changes_no_interval(self):
        def pooled(rows):
            return sum(
                one.extra["hits"] * one.value["right"] + one.features["size"] for one in rows
            ) / len(rows)

        found = [
            answer(
                i % 3 / 2,
                str(i),
                extra={"hits": i % 5},
                features={"size": i % 7},
                output_tokens=i % 2,
            )
            for i in range(40)
        ]
        turned = found[::-1]
        rows, other = ([one.row for one in side] for side in (found, turned))
        said = stats.bootstrap(pooled, rows)
        assert stats.bootstrap(pooled, other) == said
        estimate = numbers.estimate(Metric("pooled", "", pooled), turned)
        assert (estimate.value, estimate.low, estimate.high) == (
            said["value"],
            said["lower"],
            said["upper"],
        )


class TestNames:
    def test_metrics_published_ones_and_keys_of_values_are_found(self):
        found = benchmark()
        assert numbers.metric_of(found, "whole") is WHOLE
        assert numbers.metric_of(found, "paper") is found.published[0]
        assert numbers.metric_of(found, "part").compute is None
        with pytest.raises(SpecError, match=r"^b has no metric 'righ'; did you mean 'right'\?$"):
            numbers.metric_of(found, "righ")
        with pytest.raises(SpecError) as error:
            numbers.metric_of(found, "\x1b[31m\n" + "x" * 999)
        assert len(str(error.value)) < 300
        assert "\n" not in str(error.value)
        assert "\x1b" not in str(error.value)

    @each("one, expected", [
        (answer(1), "right"), (answer(0.4), "partial"), (answer(0), "wrong"),
        # The first of the values says what is right; any says what is partly so.
        (both(0, 0.8), "partial"), (both(0, 1), "partial"), (both(0.4, 0), "partial"),
        (both(1, 0), "right"), (both(0, 0), "wrong"), (both(0, 0.8, "unparsed"), "unparsed"),
        (answer(0, outcome="unparsed"), "unparsed"),
        (UNSCORED, "unscored"),
    ])  # fmt: skip
    def test_outcomes(self, one, expected):
        assert numbers.outcome(benchmark(), one) == expected


class TestFloors:
    def test_the_best_constant_and_the_mean_over_choices(self):
        found = study({"1": constants("yes"), "2": constants("no"), "3": constants("no")})
        assert floor_of(RIGHT, found, ["1", "2", "3"]) == {
            "majority": Estimate(2 / 3, n=3), "constant": Estimate(1 / 3, n=3), "random": Estimate(0.5, n=3),
        }  # fmt: skip
        assert floor_of(RIGHT, found, ["1", "1"])["majority"] == Estimate(1.0, n=1)
        whole = floor_of(WHOLE, found, ["1", "2", "3"])
        assert whole["majority"].value == pytest.approx(2 / 3)
        assert whole["random"].value == pytest.approx(0.5, abs=0.05)
        assert floor_of(RIGHT, found, []) == {}

    def test_every_task_has_its_own_choices_and_its_own_best(self):
        tasks = {"t": ("a", "b", "c")}
        found = study(
            {"1": constants("yes"), "2": constants("b", tasks["t"], task="t"),
             "3": constants("b", tasks["t"], task="t")},
            choices_by_task=tasks,
        )  # fmt: skip
        floors = floor_of(RIGHT, found, ["3", "2", "1"])
        assert floors["majority"].value == 1
        assert floors["constant"].value == pytest.approx(1 / 3)
        assert floors["random"].value == pytest.approx((1 / 2 + 1 / 3 + 1 / 3) / 3)

    def test_a_run_knows_the_same_floors(self):
        made = {"1": constants("yes"), "2": constants("no"), "3": constants("no")}
        columns = {choice: [one[choice] for one in made.values()] for choice in ("yes", "no")}
        told = stats.floors(benchmark(metrics=(RIGHT,)), columns)
        found = floor_of(RIGHT, study(made), list(made))
        assert {kind: one["right"] for kind, one in told.items()} == {
            kind: pytest.approx(one.value) for kind, one in found.items()
        }
        tasks = {"t": ("a", "b"), "none": ()}
        mixed = {
            c: [Row("b", c, "scored", {"right": float(c == "b")}, {"task": t}) for t in tasks]
            for c in "ba"
        }
        own = benchmark(metrics=(RIGHT,), choices_by_task=tasks)
        # a is the first choice of task t; where a task has none, the first there is stands for it
        assert stats.floors(own, mixed)["constant"] == {"right": 0.5}

    def test_without_choices_or_without_their_rows_there_is_none(self):
        found = study({"1": constants("yes", task="lift"), "2": constants("no"), "3": {}},
                      choices_by_task={"lift": ()})  # fmt: skip
        for ids in (["1"], ["1", "2"], ["3"], ["2", "4"]):
            assert floor_of(RIGHT, found, ids) == {}
        assert floor_of(RIGHT, found, ["2"]) != {}

    def test_else_the_logs_are_asked_where_they_agree_and_are_of_these_items(self):
        told = {"majority": {"right": 0.6}, "constant": {"right": 0.4}, "random": {"right": 0.5}}
        one, two = log(2, **told), log(2, majority={"right": 0.7}, random={"right": 0.5})
        expected = {
            "majority": Estimate(0.6, n=2), "constant": Estimate(0.4, n=2), "random": Estimate(0.5, n=2),
        }  # fmt: skip
        assert floor_of(RIGHT, study({}, (one,), "ab"), ["b", "a"]) == expected
        assert floor_of(RIGHT, study({}, (one, one), "ab"), ["b", "a"]) == expected
        assert floor_of(RIGHT, study({}, (one,), "ab"), ["a"]) == {}
        assert floor_of(RIGHT, study({}, (log(3, **told),), "ab"), ["a", "b"]) == {}
        assert floor_of(RIGHT, study({}, (one, two), "ab"), "ab") == {"random": Estimate(0.5, n=2)}
        assert floor_of(ODD, study({}, (one,), "ab"), "ab") == {}


def run_of(plugin, tmp_path, capsys, *words):
    assert main(["run", f"plugin={plugin}", f"log_dir={tmp_path}", *words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    (read,) = log_studies.load(log_studies.logs_of([str(tmp_path)]), lambda line: None)
    return found["results"][0], read


def test_a_report_says_what_the_run_of_ltlbench_said(tmp_path, capsys):
    said, read = run_of("ltlbench", tmp_path, capsys, "n=12", "model=harness/random", "seed=3")
    answers = read.series[0].answers
    floors = numbers.floors(read.benchmark.metrics, read, [one.id for one in answers])
    for metric in read.benchmark.metrics:
        found, expected = numbers.estimate(metric, answers), said["metrics"][metric.name]
        assert found.value == pytest.approx(expected["value"], abs=1e-6)
        for own, key in ((found.low, "ci_low"), (found.high, "ci_high")):
            assert own is expected[key] is None or own == pytest.approx(expected[key], abs=1e-6)
        for kind in ("majority", "constant", "random"):
            theirs = said["floors"][kind].get(metric.name)
            assert floors[metric.name][kind].value == pytest.approx(theirs, abs=1e-6)


def test_a_report_says_what_the_run_of_tempobench_said(tmp_path, capsys):
    said, read = run_of("tempobench", tmp_path, capsys, "n=6", "seed=3")
    answers = read.series[0].answers
    for metric in read.benchmark.metrics:
        found, expected = numbers.estimate(metric, answers), said["metrics"][metric.name]
        assert found.value == pytest.approx(expected["value"], abs=1e-6)
        floors = floor_of(metric, read, [one.id for one in answers])
        theirs = said["floors"]["majority"].get(metric.name)
        assert floors["majority"].value == pytest.approx(theirs, abs=1e-6)
