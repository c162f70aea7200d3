"""`harness plan`: its numbers hold in simulations, and what cannot be planned is refused."""

import json
import math
import shutil
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from cases import each, slow
from harness_errors import HarnessError
from report_logs import edited, items_of, run_log, scripted_log
from scipy import stats as scipy_stats

from harness.cli.main import main
from harness.report.plan import AGAINST_FLOOR, PAIRED, plan
from harness.report.plan_known import Spread
from harness.report.text import plan as text_of

OTHER = {"True": "False", "False": "True"}
TRIALS = 2_000


def planned(*words):
    heard = []
    found = plan(words, heard.append)
    assert heard == [f"warning: {line}" for line in found["warnings"]]
    return found


def cases_of(found, question):
    return [row for row in found["rows"] if row["question"] == question]


@pytest.fixture(scope="module")
def blind():
    return planned("plugin=tempobench", "d=0.2", "n=20")


@pytest.fixture(scope="module")
def pilot(tmp_path_factory):
    """Two models on 20 items: both right on 8, only a on 2, only b on 6, neither on 4."""
    folder = tmp_path_factory.mktemp("pilot")
    items = [item for _, item in items_of("ltlbench", n=20, seed=2)]
    for name, right in (("a", {*range(10)}), ("b", {*range(8), *range(10, 16)})):
        said = [
            f"Answer: {one.target if at in right else OTHER[one.target]}"
            for at, one in enumerate(items)
        ]
        log = scripted_log(folder / name, "ltlbench", said, f"acme/{name}", seed=2)
        log.rename(folder / f"{name}.eval")
    return folder


@cache
def mcnemar(fewer, more):
    return scipy_stats.binomtest(fewer, fewer + more).pvalue if more else 1.0


def simulated(draw, test):
    """The share of trials in which a test rejects at 0.05."""
    return sum(test(draw()) < 0.05 for _ in range(TRIALS)) / TRIALS


@slow
def test_a_model_above_the_floor_is_seen_as_often_as_planned(blind):
    floor = blind["floor"]["value"]
    (row,) = cases_of(blind, AGAINST_FLOOR)
    rng = np.random.default_rng(1)
    n = row["n"]
    p = {k: scipy_stats.binomtest(k, n, floor).pvalue for k in range(n + 1)}
    seen = simulated(lambda: int(rng.binomial(n, floor + 0.2)), p.__getitem__)
    assert seen > 0.77
    fewer = n * 2 // 3
    p = {k: scipy_stats.binomtest(k, fewer, floor).pvalue for k in range(fewer + 1)}
    assert simulated(lambda: int(rng.binomial(fewer, floor + 0.2)), p.__getitem__) < seen
    # The half width is that of Wilson's interval, up to the item that is no whole one.
    right = round((floor + 0.2) * n)
    ci = scipy_stats.binomtest(right, n).proportion_ci(method="wilson")
    assert math.isclose(row["half_width"], (ci.high - ci.low) / 2, rel_tol=0.07)


def test_two_models_are_told_apart_as_often_as_planned_in_every_case(blind):
    rows = cases_of(blind, PAIRED)
    assert len(rows) == 3
    rng = np.random.default_rng(2)
    for row in rows:
        n, apart = row["n"], row["discordant"]
        chances = [(apart + 0.2) / 2, (apart - 0.2) / 2, 1 - apart]

        def p(counts):
            return mcnemar(*sorted(map(int, counts[:2])))

        seen = simulated(lambda n=n, chances=chances: rng.multinomial(n, chances), p)
        assert 0.76 < seen < 0.9, row


def test_without_a_pilot_the_cases_are_those_of_independent_errors(blind):
    floor = blind["floor"]["value"]
    first, worst, best = (row["discordant"] for row in cases_of(blind, PAIRED))
    assert math.isclose(
        first, floor * (1 - floor - 0.2) + (floor + 0.2) * (1 - floor), abs_tol=1e-6
    )
    assert math.isclose(worst, 2 * 0.4 * 0.6 + 0.2**2, abs_tol=1e-6)  # models at 0.4 and 0.6
    assert best == 0.2


@slow
def test_a_pilot_of_two_models_gives_the_share_on_which_they_differ(pilot):
    found = planned("plugin=ltlbench", "d=0.1", f"pilot={pilot}")
    seen, upper = cases_of(found, PAIRED)
    assert seen["discordant"] == 0.4  # 8 of 20
    low = scipy_stats.binomtest(8, 20).proportion_ci(method="wilson")
    assert math.isclose(upper["discordant"], low.high, abs_tol=1e-6)
    assert upper["n"] > seen["n"]
    assert found["floor"]["n"] == 20
    assert found["config"] is None
    assert len(found["pilot"]) == 2
    assert found == planned("d=0.1", f"pilot={pilot / 'a.eval'},{pilot / 'b.eval'}")


@slow
def test_of_logs_of_several_benchmarks_the_one_named_is_the_pilot(pilot, dates):
    both = f"pilot={pilot},{dates}"
    found = planned("plugin=ltlbench", "d=0.1", both)
    assert found == planned("plugin=ltlbench", "d=0.1", f"pilot={pilot}")
    assert planned("plugin=timepuzzles", "metrics=exact", "d=0.1", both)["pilot"] == [str(dates)]
    with pytest.raises(HarnessError, match=r"of 2 plugins \(ltlbench, timepuzzles\): say which"):
        plan(["d=0.1", both], pytest.fail)
    with pytest.raises(HarnessError, match="ltlbensh"):
        plan(["plugin=ltlbensh", "d=0.1", both], pytest.fail)


def test_a_pilot_of_one_model_starts_from_its_share(pilot):
    found = planned("d=0.1", f"pilot={pilot / 'a.eval'}")
    first, worst, best = (row["discordant"] for row in cases_of(found, PAIRED))
    assert math.isclose(first, 0.5 * 0.4 + 0.6 * 0.5)
    assert worst > first > best == 0.1
    assert any("as acme/a in the pilot" in line for line in found["assumptions"])


def test_other_settings_than_the_pilots_are_told(pilot):
    found = planned("plugin=ltlbench", "d=0.1", "operators=2", f"pilot={pilot}")
    (line,) = found["warnings"]
    assert "not operators=2: the plan is for items as the pilot's" in line


@pytest.fixture(scope="module")
def dates(tmp_path_factory):
    """A log whose answers are right in part: the first date, and one that is wrong every other time."""
    said = []
    for at, (_, item) in enumerate(items_of("timepuzzles", n=8, solutions="2-6")):
        first = item.target.replace(";", ",").split(",")[0].strip()
        said.append(f"Answer: {first}" if at % 2 else f"Answer: {item.target}")
    return scripted_log(
        tmp_path_factory.mktemp("d"), "timepuzzles", said, "acme/d", solutions="2-6"
    )


def test_a_metric_that_is_no_share_is_planned_by_the_pilots_spread(dates):
    found = planned("plugin=timepuzzles", "metrics=recall", "d=0.15", f"pilot={dates}")
    one, two = found["rows"]
    assert (one["question"], two["question"]) == (AGAINST_FLOOR, PAIRED)
    assert math.isclose(two["sd"], math.sqrt(2) * one["sd"], rel_tol=1e-5)
    rng = np.random.default_rng(3)
    for row in (one, two):
        draws = rng.normal(0.15, row["sd"], (TRIALS, row["n"]))
        seen = float((scipy_stats.ttest_1samp(draws, 0, axis=1).pvalue < 0.05).mean())
        assert 0.77 < seen < 0.86
        spread = draws.std(axis=1, ddof=1).mean() * scipy_stats.t.isf(0.025, row["n"] - 1)
        assert math.isclose(row["half_width"], spread / math.sqrt(row["n"]), rel_tol=0.02)


def test_the_design_effect_is_that_of_whole_sources():
    # Every source four times the same number: four times the items are needed, whatever the numbers.
    rng = np.random.default_rng(4)
    values = rng.normal(size=400)
    four = Spread("x", np.repeat(values, 4), [str(at) for at in range(400) for _ in range(4)])
    assert math.isclose(four.effect, 4, rel_tol=0.01)
    alone = Spread("x", values, [str(at) for at in range(400)])
    assert alone.effect == 1
    mixed = Spread("x", rng.normal(size=1600), four.sources)
    assert 1 <= mixed.effect < 1.2
    assert Spread("x", values, ["one"] * 400).effect == 1


@slow
def test_forms_of_one_puzzle_count_as_the_puzzles_they_are(tmp_path):
    for mode in ("implicit", "explicit"):
        said = [
            f"Answer: {item.target}" if at % 2 else "Answer: none"
            for at, (_, item) in enumerate(items_of("timepuzzles", n=6, mode=mode))
        ]
        scripted_log(tmp_path / mode, "timepuzzles", said, "acme/m", mode=mode)
    found = planned("d=0.1", f"pilot={tmp_path}")
    (row,) = cases_of(found, AGAINST_FLOOR)
    # Six sources of two equal scores each, half of them right: 2 · (6/5) / (12/11).
    assert row["design_effect"] == round(2 * (6 / 5) / (12 / 11), 6)
    assert any("share sources" in line for line in found["assumptions"])


@each(
    "words, said",
    [
        ([], "d=… is missing"),
        (["d=0"], "d=0: expected one number between 0 and 1, both left out"),
        (["d=1"], "d=1: expected"),
        (["d=nan"], "d=nan: expected"),
        (["d=-0.1"], "d=-0.1: expected"),
        (["d=five"], "d=five: expected one number between 0 and 1"),
        (["d=0.1,0.2"], "d=0.1,0.2: expected one number"),
        (["d=0.1", "d=0.2"], "'d' is given twice"),
        (["d=0.1", "power=0.5"], "power=0.5: expected one number between 0.5 and 0.999"),
        (["d=0.1", "power=0.999"], "power=0.999: expected"),
        (["d=0.1", "alpha=0.5"], "alpha=0.5: expected one number between 1e-12 and 0.5"),
        (["d=0.1", "alpha=0"], "alpha=0: expected"),
        (["d=0.1", "alpha=1e-320"], "alpha=1e-320: expected"),
        (["d=0.1", "metrics=acuracy"], "did you mean 'accuracy'?"),
        (["d=0.1", "metrics=accuracy,label"], "one metric is planned for at a time"),
        (["d=0.1", "metrics=macro_f1"], "it is no mean over items"),
        (["d=0.1", "operators=1,2"], "takes one value of each key, got 2 combinations"),
        (["d=0.1", "operaters=1"], "did you mean 'operators'?"),
        (["d=0.1", "model=x"], "'model' does not apply to this command"),
        (["d=0.9", "n=4"], "floor is"),
        (["d=0.00001", "n=60"], "items would be needed"),
        (["d=0.1", "pilot=nowhere.eval"], "no such file"),
        (["d=0.1", "stray"], "'stray' is not key=value"),
    ],
)
def test_what_cannot_be_planned_is_one_clear_line(words, said):
    with pytest.raises(HarnessError) as caught:
        plan(["plugin=ltlbench", *words], pytest.fail)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_plugin_and_another_plugins_pilot_are_refused(pilot):
    with pytest.raises(HarnessError, match=r"plugin=… is missing"):
        plan(["d=0.1"], pytest.fail)
    with pytest.raises(HarnessError, match="'n' has no effect with a pilot"):
        plan(["d=0.1", "n=5", f"pilot={pilot}"], pytest.fail)
    with pytest.raises(
        HarnessError, match="no log here is of plugin=timepuzzles: they are of ltlbench"
    ):
        plan(["plugin=timepuzzles", "d=0.1", f"pilot={pilot}"], pytest.fail)


@each("plugin, metric", [("timepuzzles", "f1"), ("tempobench", "f1_ap"), ("vltl", "partial")])
def test_a_metric_that_counts_in_part_wants_a_pilot(plugin, metric):
    with pytest.raises(HarnessError, match="name a pilot=LOG"):
        plan([f"plugin={plugin}", f"metrics={metric}", "d=0.1", "n=4"], lambda line: None)


def test_a_baselines_log_is_a_pilot_where_there_is_no_other_and_it_is_told(tmp_path, pilot):
    log = run_log(tmp_path, "ltlbench", n=6, seed=3)
    found = planned("d=0.1", f"pilot={log}")
    assert cases_of(found, PAIRED)[1]["discordant"] > 0.4
    (line,) = found["warnings"]
    assert line.startswith("the pilot holds answers of baselines or of the symbolic reference only")
    assert planned("d=0.1", f"pilot={pilot}")["warnings"] == []


def test_never_fewer_items_than_make_the_interval_as_narrow_as_the_difference():
    # From a floor of 0 one right answer proves it: 32 items at d = 0.05, known to 0.086 only.
    found = planned("plugin=vltl", "d=0.05", "n=6", "difficulty=10")
    assert found["floor"]["value"] == 0
    (row,) = cases_of(found, AGAINST_FLOOR)
    assert row["decided_by"] == "half width"
    z = 1.959964

    def half(n):
        return z * math.sqrt(0.05 * 0.95 * n + z * z / 4) / (n + z * z)

    assert half(row["n"]) <= 0.05 < half(row["n"] - 1)
    assert math.isclose(row["half_width"], half(row["n"]), abs_tol=1e-6)
    assert all(one["decided_by"] == "power" for one in cases_of(found, PAIRED))
    assert all(one["half_width"] <= 0.05 for one in found["rows"])
    assert "  half width  0.050" in text_of(found)


@slow
@each("power, alpha", [(0.51, 0.4), (0.8, 0.05), (0.6, 0.2)])
def test_no_half_width_is_above_the_difference(pilot, dates, power, alpha):
    words = ("d=0.15", f"power={power}", f"alpha={alpha}")
    for found in (
        planned(*words, "plugin=ltlbench", "n=6", "seed=2"),
        planned(*words, f"pilot={pilot}"),
        planned(*words, f"pilot={dates}", "metrics=recall"),
    ):
        assert all(row["half_width"] <= 0.15 for row in found["rows"])
        assert {row["decided_by"] for row in found["rows"]} <= {"power", "half width"}


def test_items_of_several_tasks_are_told(tmp_path, pilot):
    log = Path(shutil.copy(pilot / "a.eval", tmp_path))

    def some(log):
        for sample in log.samples[:3]:
            sample.metadata["features"]["task"] = "count"

    edited(log, some)
    found = planned("d=0.1", f"pilot={log}")
    assert found["warnings"] == ["items of 2 tasks are taken together (count 3, no task 17)"]


def test_the_command_prints_a_table_and_the_same_as_json(pilot, capsys):
    words = ["plan", "plugin=ltlbench", "d=0.1", f"pilot={pilot}"]
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found) == {
        "plugin", "metric", "d", "power", "alpha", "config", "dataset", "pilot", "floor", "rows", "calls",
        "designs", "assumptions", "warnings",
    }  # fmt: skip
    assert main(words) == 0
    text = capsys.readouterr().out
    assert text == text_of(found) + "\n"
    assert "two models on the same items  as in the pilot" in text
    assert main(["plan", "plugin=ltlbench", "d=2"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
