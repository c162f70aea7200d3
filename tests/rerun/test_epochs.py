"""Logs of several answers per item: every answer counts, and every reader says what Inspect says."""

import json
import re
from pathlib import Path

import pytest
from cases import slow
from inspect_ai import Epochs
from inspect_ai import eval as inspect_eval
from inspect_ai.log import headline_metric, read_eval_log
from report_logs import items_of, scripted_log

from harness.cli.main import main
from harness.core.items import Verdict
from harness.core.plugins import registry
from harness.core.spec import make
from harness.report import log_studies
from harness.report.page import explorer
from harness.report.tables import write_answers
from harness.run import inspect_task


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """Logs of the random baseline by reducer: Inspect's mean, its best of three, and a vote of ours."""
    folder = tmp_path_factory.mktemp("logs")
    plugin = registry().get("ltlbench")
    found = {}
    for name, reducer in (("mean", None), ("max", "max")):
        task = inspect_task.build(plugin, make(plugin, {"n": 3}))
        (log,) = inspect_eval(
            task, model="harness/random", epochs=Epochs(3, reducer), log_dir=str(folder / name), display="none",
        )  # fmt: skip
        found[name] = log.location
    words = ["n=3", "samples=3", "model=harness/random", f"log_dir={folder / 'vote'}"]
    assert main(["run", "ltlbench", *words]) == 0
    found["vote"] = str(next((folder / "vote").glob("*.eval")))
    return found


def answers(items, right):
    """Return answers to True/False items: to each as many right ones of three as told."""
    wrong = {"True": "False", "False": "True"}
    return [
        [f"Answer: {item.target if at < n else wrong[item.target]}" for at in range(3)]
        for item, n in zip(items, right, strict=True)
    ]


@slow
def test_a_model_right_once_in_three_has_a_third(tmp_path, capsys):
    """The case of the issue: Inspect says .333, and so does every reader."""
    items = ltlbench_items(6)
    path = scripted_log(tmp_path, "ltlbench", answers(items, [1] * 6), epochs=3)
    log = read_eval_log(str(path), header_only=True)
    assert log.eval.config.epochs_reducer == ["mean"]
    assert headline_metric(log).metric.value == pytest.approx(1 / 3)
    data = report_of(path, capsys)
    (row,) = [row for row in table(data, "results")["rows"] if row[0].startswith("acme")]
    accuracy = row[table(data, "results")["head"].index("accuracy")]
    assert (round(accuracy["value"], 3), accuracy["n"]) == (0.333, 6)
    outcomes = table(data, "outcomes")["rows"][0]
    assert outcomes[1:3] == [18, 6]
    assert main(["score", str(path), f"log_dir={tmp_path / 'new'}", "--json"]) == 0
    scored = json.loads(capsys.readouterr().out)
    assert scored["metrics"]["accuracy"]["value"] == 0.333333
    assert scored["repeats"]["pass_at"]["3"]["value"] == 1
    assert scored["repeats"]["pass_all"]["2"]["value"] == 0
    # Every pair of answers to an item: one right and two wrong ones, so one pair of three agrees.
    assert scored["repeats"]["agreement"]["value"] == 0.333333


@slow
def test_a_report_counts_answers_and_shows_repeats(tmp_path, capsys):
    items = ltlbench_items(4)
    path = scripted_log(tmp_path, "ltlbench", answers(items, [3, 2, 1, 0]), epochs=3)
    study = report_of(path, capsys)
    assert study["series"][0]["answers"] == 12
    (spread,) = table(study, "repeats")["rows"]
    assert spread[1:3] == [4, 3]
    assert [round(cell["value"], 4) for cell in spread[3:]] == [0.6667, 0.1667, 0.1296]
    passing = {
        row[1]: [cell["value"] for cell in row[2:]] for row in table(study, "pass_at_k")["rows"]
    }
    assert passing == {
        1: [0.5, 0.5],
        2: [pytest.approx(2 / 3), pytest.approx(1 / 3)],
        3: [0.75, 0.25],
    }
    write_answers(tmp_path / "answers.csv", loaded(path))
    lines = (tmp_path / "answers.csv").read_text().splitlines()
    assert len(lines) == 13
    at = lines[0].split(",").index("repeat")
    assert [line.split(",")[at] for line in lines[1:4]] == ["1", "2", "3"]
    target = items[1].target
    (entry,) = [e for e in explorer_entries(path) if e["id"] == ids(4)[1]]
    assert entry["answers"][0]["outcome"] == "partial"
    assert entry["answers"][0]["answer"].startswith(f"{target} × 2, ")


def loaded(path):
    (study,) = log_studies.load([Path(path)], print)
    return study


def explorer_entries(path):
    return explorer.entries(loaded(path), 10)[0]


def ids(n):
    return [sample_id for sample_id, _ in items_of("ltlbench", n=n)]


@slow
def test_compare_pairs_items_and_not_answers(tmp_path, capsys):
    items = ltlbench_items(8)
    three = scripted_log(tmp_path / "a", "ltlbench", answers(items, [3, 2, 1, 0, 3, 2, 1, 0]), epochs=3)  # fmt: skip
    one = [said[0] for said in answers(items, [3, 3, 3, 3, 0, 0, 0, 3])]
    one = scripted_log(tmp_path / "b", "ltlbench", one, model="acme/other-1")
    assert main(["compare", str(three), str(one), "--json"]) == 0
    (pair,) = json.loads(capsys.readouterr().out)["pairs"]
    by_name = {metric["metric"]: metric for metric in pair["metrics"]}
    accuracy, f1 = by_name["accuracy"], by_name["macro_f1"]
    assert (pair["n"], accuracy["n"]) == (8, 8)
    assert (accuracy["a"], accuracy["b"], accuracy["difference"]) == (0.5, 0.625, 0.125)
    assert accuracy["test"] == "paired permutation"
    assert f1["ci_low"] < f1["difference"] < f1["ci_high"]
    assert pair["right"] == {"both": 1, "only_a": 1, "only_b": 4, "neither": 2}


@slow
@pytest.mark.parametrize("words", [["report"], ["compare"], ["plan", "d=0.2", "pilot="]])
def test_readers_say_what_they_cannot(logs, words, capsys):
    log = logs["max"]
    words = [*words[:-1], words[-1] + log] if words[-1].endswith("=") else [*words, log]
    assert main(words) in (1, 2)
    (line,) = capsys.readouterr().err.splitlines()
    assert "3 epochs reduced by max, and only the mean and a vote (samples=N) are read" in line
    assert log in line


def test_score_makes_one_of_the_mean_of_it(logs, tmp_path, capsys):
    assert main(["score", logs["max"], f"log_dir={tmp_path}"]) == 0
    assert "were reduced by max; here each of them counts" in capsys.readouterr().err
    (new,) = tmp_path.glob("*.eval")
    assert read_eval_log(str(new), header_only=True).eval.config.epochs_reducer == ["mean"]
    assert main(["report", str(new)]) == 0


def test_a_vote_stays_a_vote(logs, capsys):
    data = report_of(logs["vote"], capsys)
    assert table(data, "outcomes")["rows"][0][1] == 3
    assert data["series"][0]["asked"]["generation"] == "samples=3"
    head = read_eval_log(logs["vote"], header_only=True)
    assert head.eval.config.epochs_reducer == ["harness/vote"]
    assert all("pass@" not in key for score in head.results.scores for key in score.metrics)


def test_epochs_of_inspect_and_ours_read_alike(logs, tmp_path, capsys):
    words = ["n=3", "repeats=3", "model=harness/random", f"log_dir={tmp_path}", "--json"]
    assert main(["run", "ltlbench", *words]) == 0
    (ours,) = json.loads(capsys.readouterr().out)["results"]
    theirs = report_of(logs["mean"], capsys)
    mine = report_of(ours["log"], capsys)
    assert table(mine, "results") == table(theirs, "results")
    assert mine["series"][0]["asked"]["generation"] == "epochs=3"
    assert (ours["n"], ours["repeats"]["epochs"]) == (3, 3)


def test_one_item_has_no_variance_between_and_is_shown(tmp_path, capsys):
    words = ["run", "ltlbench", "n=1", "epochs=4", "model=harness/random", f"log_dir={tmp_path}"]
    assert main(words) == 0
    assert re.search("^variance between items +– +–$", capsys.readouterr().out, re.MULTILINE)
    assert main([*words, "--json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert result["repeats"]["variance_between"]["value"] is None
    assert len(result["repeats"]["pass_all"]) == 4


def test_an_answer_that_could_not_be_scored_is_told_of(tmp_path, capsys, monkeypatch):
    plugin = registry().get("ltlbench")
    real, calls = plugin.hooks.score, []

    def score(**arguments):
        calls.extend(
            [arguments] * arguments["explain"]
        )  # cheap answers are judged without a reason
        lost = arguments["explain"] and len(calls) == 1
        return Verdict("unscored", {}, None, "our failure") if lost else real(**arguments)

    monkeypatch.setattr(plugin.hooks, "score", score)
    words = ["n=4", "epochs=3", "model=harness/random", f"log_dir={tmp_path}"]
    assert main(["run", "ltlbench", *words]) == 1
    said = capsys.readouterr()
    assert "our failure" in said.out + said.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["epochs=2", "samples=3"], "epochs=2 does not go with samples=3"),
        (["epochs=2", "strategy=self_consistency"], "does not go with strategy=self_consistency"),
        (["epochs=2", "repeats=3"], "two names of one setting"),
        (["epochs=0"], "the least is 1"),
    ],
)
def test_what_does_not_go_together_is_one_line(words, said, tmp_path, capsys):
    assert main(["run", "ltlbench", "n=2", *words, f"log_dir={tmp_path / 'no'}"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line
    assert not (tmp_path / "no").exists()


def ltlbench_items(n):
    return [item for _, item in items_of("ltlbench", n=n)]


def report_of(path, capsys):
    capsys.readouterr()
    assert main(["report", str(path), "--json"]) == 0
    (study,) = json.loads(capsys.readouterr().out)["studies"]
    return study


def table(study, name):
    return next(one for one in study["tables"] if one["name"] == f"ltlbench_{name}")
