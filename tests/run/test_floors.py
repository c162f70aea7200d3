"""Shortcuts: really scored on the items of a run, blind to labels, and what a score is worth above the best."""

import io
import json
import math
import random
import re
import statistics
from contextlib import redirect_stdout

import pytest
from cases import slow
from report_logs import edited, items_of, scripted_log

from harness.cli.main import main
from harness.core.hookspecs import Metric, Row
from harness.run import floors
from tests.run.test_stats import benchmark

NAME = "toy_cutting"

pytestmark = pytest.mark.usefixtures("toys")


@pytest.fixture
def command(tmp_path, monkeypatch, capsys):
    """Run a command; return its exit code, what it printed, and its warnings."""
    monkeypatch.chdir(tmp_path)

    def call(*words):
        code = main([*map(str, words)])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return call


def result_of(command, *words):
    code, out, err = command(*words, "--json")
    assert code == 0, err
    return json.loads(out)


def expected(items):
    """What the toy's shortcuts score, worked out from its problems alone."""
    words = ("zero", "one", "two", "three", "four", "five", "six")
    first = [float(words[i.problem["a"] % 7] == i.target) for _, i in items]
    return sum(first) / len(first)


def right_but(wrong):
    """Answer every item but some at the end rightly."""
    return lambda items: [
        f"Answer: {item.target}" if at < len(items) - wrong else "Answer: none"
        for at, (_, item) in enumerate(items)
    ]


@pytest.fixture(scope="module")
def result(toys, tmp_path_factory):
    words = [
        "run",
        NAME,
        "n=40",
        "model=harness/constant",
        f"log_dir={tmp_path_factory.mktemp('r')}",
    ]
    with redirect_stdout(io.StringIO()) as out:
        assert main([*words, "--json"]) == 0
    return json.loads(out.getvalue())["results"][0]


@slow
def test_shortcuts_are_floors_of_a_run(result):
    found = result["floors"]
    assert found["shortcut: first"]["correct"] == pytest.approx(expected(items_of(NAME, n=40)))
    assert found["shortcut"] == found[f"shortcut: {result['best_shortcut']}"]
    assert result["best_shortcut"] == "three"
    assert found["shortcut"]["correct"] > 0.3
    assert found["shortcut: broken"] == found.get("shortcut: other_task", {}) == {}


def test_a_shortcut_sees_neither_label_nor_certificate(result):
    assert result["floors"]["shortcut: peek"]["correct"] == 0


@pytest.fixture(scope="module")
def scored(toys, tmp_path_factory):
    """The log of a model that is right on 30 of 40 items."""
    return scripted_log(tmp_path_factory.mktemp("logs"), NAME, right_but(10)(items_of(NAME, n=40)))


@slow
def test_the_score_above_the_best_shortcut(command, scored):
    result = result_of(command, "score", scored)
    low = result["floors"]["shortcut"]["correct"]
    worth = result["above_shortcut"]
    assert worth["value"] == pytest.approx((0.75 - low) / (1 - low), abs=1e-5)
    assert worth["ci_low"] < worth["value"] < worth["ci_high"] <= 1


def test_the_table_of_a_run_names_the_best_shortcut(command):
    text = command("run", NAME, "n=10", "model=harness/constant")[1]
    assert re.search(r"majority .*random +shortcut\n", text)
    assert "best shortcut: three: It does three." in text
    assert "correct above the shortcut" in text
    assert "no score is above it" not in text
    every = command("run", NAME, "n=10", "model=harness/constant", "verbose=yes")[1]
    assert "first" in every
    assert "what it ignores" in every


@slow
def test_a_perfect_shortcut_is_told_of(command):
    """With two events there is one path, which every walk takes."""
    small = ("events=2", "operators=2", "twins=no", "n=6", "model=harness/constant")
    text = command("run", "ltlbench", *small)[1]
    assert "says False if the hypothesis fails on one. It wins all of these items: no score" in text
    assert "above the shortcut" not in text


@slow
def test_a_report_has_all_shortcuts_and_what_scores_are_worth(command, scored):
    (study,) = result_of(command, "report", scored)["studies"]
    tables = {table["name"].removeprefix(f"{NAME}_"): table for table in study["tables"]}
    (row,) = tables["above_shortcut"]["rows"]
    low = row[4]["value"]
    assert row[3] == "three"
    assert row[5]["value"] == pytest.approx((0.75 - low) / (1 - low))
    assert row[5]["low"] < row[5]["value"] < row[5]["high"]
    names = [row[0] for row in tables["shortcuts"]["rows"]]
    assert {"first", "three", "peek", "always zero"} <= set(names)
    assert "broken" not in names
    shown = command("report", scored)[1]
    (line,) = re.findall(r"above shortcut +95 % interval +unparsed .*\n.*\n(.*)", shown)
    value, low, high = (f"{row[5][key]:.3f}" for key in ("value", "low", "high"))
    assert re.search(rf"{value} +{low} – {high} +\d+ +\d+$", line)


@slow
def test_a_perfect_model_has_the_same_interval_in_run_and_report(command, tmp_path):
    items = items_of(NAME, n=40)
    log = scripted_log(tmp_path / "logs", NAME, right_but(0)(items))
    result = result_of(command, "score", log)
    low = result["floors"]["shortcut"]["correct"]
    worst = (40 / (40 + 1.959964**2) - low) / (1 - low)
    worth = result["above_shortcut"]
    assert [worth[key] for key in ("value", "ci_low", "ci_high")] == pytest.approx(
        [1, worst, 1], abs=1e-5
    )
    (study,) = result_of(command, "report", log)["studies"]
    (row,) = next(t for t in study["tables"] if t["name"] == f"{NAME}_above_shortcut")["rows"]
    assert [row[5][key] for key in ("value", "low", "high")] == pytest.approx(
        [1, worst, 1], abs=1e-5
    )


@slow
def test_two_models_below_the_shortcut_are_warned_of(command, tmp_path):
    items = items_of(NAME, n=20)
    scripted_log(tmp_path / "a", NAME, right_but(18)(items), model="acme/a")
    scripted_log(tmp_path / "b", NAME, right_but(19)(items), model="acme/b")
    scripted_log(tmp_path / "c", NAME, right_but(1)(items), model="acme/c")
    err = command("compare", tmp_path / "a", tmp_path / "b")[2]
    assert (
        "neither beats the best shortcut on the same items (correct 0.100 and 0.050, three" in err
    )
    assert "neither" not in command("compare", tmp_path / "a", tmp_path / "c")[2]


@slow
def test_the_floors_of_a_run_in_shards_are_those_of_the_whole(command, shards_here):
    whole = result_of(command, "run", NAME, "n=12", "model=harness/constant", "log_dir=one")
    parts = result_of(
        command,
        "run",
        NAME,
        "n=12",
        "model=harness/constant",
        "log_dir=two",
        "shards=2",
        "workers=1",
    )
    for key in ("floors", "best_shortcut", "above_shortcut"):
        assert parts["results"][0][key] == whole["results"][0][key]


@slow
def test_describe_manifest_and_plan_know_them(command):
    told = result_of(command, "describe", NAME)
    assert told["shortcuts"]["first"] == {
        "score": pytest.approx(expected(items_of(NAME, n=100))),
        "summary": "It does first.",
        "ignores": "the rest",
        "tasks": [],
    }
    assert told["shortcuts"]["broken"]["score"] is None
    assert "It ignores the rest." in command("describe", NAME)[1]
    manifest = result_of(command, "generate", NAME, "n=30", "out=d.jsonl")
    low = manifest["baselines"]
    assert (low["items"], low["best_shortcut"]) == (30, "three")
    planned = result_of(command, "plan", NAME, "d=0.1", "n=30")
    assert planned["floor"]["kind"] == "shortcut"
    assert planned["floor"]["value"] == low["shortcut"]["correct"]


def test_describe_says_why_there_are_no_items_to_score_shortcuts_on(command):
    code, out, err = command("describe", "ltlbench", "events=2")
    assert code == 0
    assert "no items to score shortcuts on: events=2 leaves no edge to move for twins" in err
    assert "\n  one_walk: It follows one random walk" in out
    assert "\ndifficulty, 1 to 10, easy (2)" in out
    assert "\n  3: events=7 operators=4 " in out


def test_describe_scores_shortcuts_on_settings_with_few_items(command):
    told = result_of(
        command,
        "describe",
        "ltlbench",
        "twins=false",
        "events=3",
        "operators=1",
        "edge_probability=1",
    )
    assert told["capacity"] < told["shortcut_items"] == 100
    assert told["shortcuts"]["one_walk"]["score"] > 0.5


def test_difficulty_chooses_a_level_and_keys_win(command):
    few = ("run", NAME, "n=1", "model=harness/constant", "difficulty=3")
    assert result_of(command, *few)["results"][0]["config"]["top"] == 9
    assert result_of(command, *few, "top=50")["results"][0]["config"]["top"] == 50
    named = result_of(command, *few[:-1], "difficulty=easy,medium,hard")["results"]
    assert [result["config"]["top"] for result in named] == [8, 11, 14]
    for word in ("11", "0", "harder"):
        code, _, err = command("show", NAME, "n=1", f"difficulty={word}")
        assert code == 2
        assert (
            f"difficulty={word}: expected a level: 1 to 10, easy (2), medium (5), hard (8)" in err
        )
    code, _, err = command("show", "toy_good", "n=1", "difficulty=1")
    assert (code, "toy_good has no levels of difficulty" in err) == (2, True)


class TestAbove:
    """Against the definition, and the spread of the ratio against resampling."""

    MEAN = Metric("right", "")

    def pairs(self, n, seed):
        rng = random.Random(seed)
        rows = []
        for _ in range(n):
            low = float(rng.random() < 0.4)
            high = float(rng.random() < 0.5 + 0.3 * low)
            rows.append(([self.row(high)], self.row(low)))
        return rows

    def row(self, value, outcome="scored"):
        return Row("yes", "yes", outcome, {"right": value}, {})

    @pytest.mark.parametrize("seed", range(5))
    def test_value_and_error_are_those_of_the_ratio(self, seed):
        pairs = self.pairs(200, seed)
        score = statistics.fmean(rows[0].value["right"] for rows, _ in pairs)
        low = statistics.fmean(row.value["right"] for _, row in pairs)
        parts = floors.above_parts(self.MEAN, pairs)
        assert statistics.fmean(parts) == pytest.approx((score - low) / (1 - low))
        rng, draws = random.Random(1), []
        for _ in range(600):
            drawn = rng.choices(pairs, k=len(pairs))
            s = statistics.fmean(rows[0].value["right"] for rows, _ in drawn)
            f = statistics.fmean(row.value["right"] for _, row in drawn)
            draws.append((s - f) / (1 - f))
        error = statistics.stdev(parts) / math.sqrt(len(parts))
        assert error == pytest.approx(statistics.stdev(draws), rel=0.2)

    @pytest.mark.parametrize("perfect", [True, False])
    def test_where_all_items_are_alike_the_interval_says_what_was_not_seen(self, perfect):
        """It is Wilson's of a perfect score, put through the definition; as wide if the model is the shortcut."""
        lows = [self.row(float(at < 30)) for at in range(40)]
        pairs = [([self.row(1.0)] if perfect else [low], low) for low in lows]
        found = floors.above(benchmark(self.MEAN), pairs)
        worst = (40 / (40 + 1.959964**2) - 0.75) / 0.25
        assert found["value"] == (1 if perfect else 0)
        assert found["lower"] == pytest.approx(worst - (not perfect), abs=1e-5)
        assert found["upper"] == pytest.approx(1 if perfect else 1 - worst, abs=1e-5)

    def test_a_whole_run_headline_has_the_same_value(self):
        whole = Metric("share", "", lambda rows: statistics.fmean(r.value["right"] for r in rows))
        pairs = self.pairs(60, 1)
        means = floors.above(benchmark(self.MEAN), pairs)
        assert floors.above(benchmark(whole, headline="share"), pairs)["value"] == pytest.approx(
            means["value"]
        )

    def test_nothing_is_above_a_perfect_shortcut(self):
        pairs = [([self.row(1.0)], self.row(1.0))]
        assert math.isnan(floors.above(benchmark(self.MEAN), pairs)["value"])

    def test_what_is_unscored_is_left_out(self):
        pairs = self.pairs(30, 2)
        lost = [
            ([self.row(0.0)], self.row(0.0, "unscored")),
            ([self.row(0.0, "unscored")], self.row(1.0)),
        ]
        plain = floors.above(benchmark(self.MEAN), pairs)
        assert floors.above(benchmark(self.MEAN), [*pairs, *lost]) == plain


def test_a_log_of_another_generation_is_not_compared(command, tmp_path):

    items = items_of(NAME, n=6)
    scripted_log(tmp_path / "a", NAME, right_but(1)(items), model="acme/a")
    log = scripted_log(tmp_path / "b", NAME, right_but(2)(items), model="acme/b")

    def older(log):
        for sample in log.samples:
            sample.metadata["version"] = "2.0"

    edited(log, older)
    code, _, err = command("compare", tmp_path / "a", tmp_path / "b")
    assert code == 2
    assert f"these logs hold items of {NAME} 0.1 and 2.0, whose numbers do not compare" in err
