"""Real runs through Inspect: the embedded models, published data, and a client on a real server."""

import json
import math
import os
import re
import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest
from cases import slow, some
from inspect_ai import eval_retry
from inspect_ai.log import read_eval_log
from inspect_ai.scorer import Score
from openai_server import completion, failure

from harness.cli import tables
from harness.cli.main import main
from harness.core.items import Verdict
from harness.run import inspect_task, scorer

DATA = Path(__file__).parents[3] / "shared/data/ltlbench"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason=f"no published data at {DATA}")
MODEL = "model=openai-api/local/test"
PUBLISHED = max(some(30), 8)


@pytest.fixture
def run(tmp_path, capsys):
    """Call `harness run … --json` and return (exit code, the one JSON object on standard output)."""

    def call(*words):
        code = main(["run", "plugin=ltlbench", f"log_dir={tmp_path / 'logs'}", *words, "--json"])
        return code, json.loads(capsys.readouterr().out)

    return call


def prompt_of(request):
    return request["messages"][-1]["content"]


def test_the_reference_is_right_on_every_item_and_the_log_says_why(run):
    code, found = run("n=8", "operators=4")
    (result,) = found["results"]
    assert code == 0
    assert result["metrics"]["accuracy"] == {
        "value": 1.0, "ci_low": pytest.approx(0.6756, abs=1e-3), "ci_high": 1.0, "stderr": 0.0,
    }  # fmt: skip
    assert (result["n"], result["unparsed"], result["unscored"]) == (8, 0, 0)
    assert result["floors"]["majority"]["accuracy"] == 0.5
    log = read_eval_log(found["logs"][0])
    sample = log.samples[0]
    assert set(sample.scores["verdict"].value) == {"accuracy", "label", "unparsed"}
    assert sample.metadata["features"]["operators"] == 4
    assert sample.metadata["certificate"]
    assert "**Right**" in sample.scores["verdict"].explanation
    assert log.results.headline.score == "accuracy"


@slow
def test_a_constant_scores_its_floor_and_a_coin_near_it(run):
    _, found = run("n=16", "model=harness/constant,harness/random")
    constant, coin = found["results"]
    assert constant["metrics"]["accuracy"]["value"] == 0.5
    assert constant["metrics"]["macro_f1"]["value"] == pytest.approx(1 / 3, abs=1e-4)
    assert 0.2 < coin["metrics"]["accuracy"]["value"] < 0.8


@slow
def test_a_sweep_is_one_log_each(run):
    _, found = run("n=2", "operators=1,2", "events=2,3", "twins=no")
    assert len(set(found["logs"])) == 4
    points = [(r["config"]["operators"], r["config"]["events"]) for r in found["results"]]
    assert points == [(1, 2), (1, 3), (2, 2), (2, 3)]


@slow
def test_a_sweep_ends_with_one_table_of_all_its_runs(tmp_path, capsys):
    words = ["run", "plugin=ltlbench", "n=2", "operators=1,2", f"log_dir={tmp_path}"]
    main(words)
    table, rest = capsys.readouterr().out.split("\n\n")
    head, _, *rows = table.splitlines()
    assert re.split("  +", head) == [
        *("operators", "n", "accuracy", "95 % interval", "best floor"),
        *("above shortcut", "95 % interval", "unparsed", "unscored"),
    ]
    cells = [re.split("  +", row) for row in rows]
    assert [[*row[:4], *row[7:]] for row in cells] == [
        [str(k), "2", "1.000", "0.342 – 1.000", "0", "0"] for k in (1, 2)
    ]
    assert all(0.5 <= float(row[4]) <= 1 for row in cells)
    assert all((row[5] == "–") == (row[4] == "1.000") for row in cells)
    assert rest.startswith("log: ")
    main([*words, "--verbose"])
    *tables_of_runs, table, _ = capsys.readouterr().out.split("\n\n")
    head, _, *rows = table.splitlines()
    assert head.split()[:3] == ["operators", "n", "accuracy"]
    assert [row.split()[:3] for row in rows] == [["1", "2", "1.000"], ["2", "2", "1.000"]]
    assert len([part for part in tables_of_runs if part.startswith("metric")]) == 2


def test_a_table_of_runs_counts_the_answers_that_could_not_be_read(tmp_path, capsys):
    answers = tmp_path / "answers.jsonl"
    assert main(["show", "ltlbench", "n=5", "--json"]) == 0
    ids = [item["id"] for item in json.loads(capsys.readouterr().out)["items"]]
    texts = ["True", "who knows?", "", "True", None]
    answers.write_text(
        "".join(
            json.dumps({"id": i, "response": t}) + "\n" for i, t in zip(ids, texts, strict=True)
        )
    )
    words = ["ltlbench", "n=5", f"responses={answers}", f"log_dir={tmp_path}", "--json"]
    assert main(["score", *words]) == 1
    result = json.loads(capsys.readouterr().out)
    table = tables.run({"results": [result, result], "logs": [], "view": ""})
    assert [row.split()[-2:] for row in table.split("\n\n")[0].splitlines()[2:]] == [["2", "0"]] * 2


def test_a_run_fits_a_screen_and_verbose_adds_groups_and_settings(tmp_path, capsys):
    words = ["run", "plugin=timepuzzles", "n=4", "model=harness/random", f"log_dir={tmp_path}"]
    main(words)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 24
    words_of_shortcut = "best shortcut: "  # a sentence, which a terminal wraps
    assert all(len(line) <= 80 for line in lines[:-3] if not line.startswith(words_of_shortcut))
    table = [line for line in lines if not line.startswith(words_of_shortcut)]
    assert not any("clues" in line or "rejected" in line for line in table)
    main([*words, "verbose=yes"])
    out = capsys.readouterr().out
    assert re.search(r"^clues \d ", out, re.MULTILINE)
    assert "mode=implicit" in out
    assert "draws rejected" in out
    assert lines[-2].startswith("by group: verbose=yes, or ")
    assert main([*words, "verbose=maybe"]) == 2
    assert capsys.readouterr().err == "harness: verbose=maybe: write yes or no\n"


@pytest.mark.parametrize(
    "strategy", ["cot", "few_shot", "few_shot_cot", "self_consistency", "least_to_most"]
)
@pytest.mark.parametrize("task", ["decide", "counterexample"])
def test_the_reference_is_right_under_every_strategy(run, strategy, task):
    code, found = run("n=2", f"strategy={strategy}", f"task={task}", "logic=full")
    assert code == 0
    assert found["results"][0]["metrics"]["accuracy"]["value"] == 1.0


@needs_data
@pytest.mark.parametrize(
    "file", sorted(DATA.glob("*.csv")) if DATA.is_dir() else [], ids=lambda p: p.name
)
def test_published_data_runs_with_its_own_prompts_and_labels(run, file):
    code, found = run(f"dataset={file}", f"n={PUBLISHED}")
    assert code == 0
    (result,) = found["results"]
    assert (result["n"], result["unparsed"], result["dataset"]) == (PUBLISHED, 0, str(file))
    assert result["metrics"]["accuracy"]["value"] == 1.0
    sample = read_eval_log(found["logs"][0]).samples[0]
    assert "=== Rules ===" not in sample.input


# What the script `inspect` calls, for several commands; an error is shown as at the end of one.
PLAIN = """
import functools, json, sys
from importlib import metadata
metadata.packages_distributions = functools.cache(metadata.packages_distributions)  # each looks all of them through
from inspect_ai._cli.main import main
for words in json.loads(sys.argv[1]):
    sys.argv[1:] = words
    try:
        main()
    except SystemExit as ended:
        print("\\ncode", ended.code or 0)
    except Exception:
        sys.excepthook(*sys.exc_info())
        print("\\ncode 1")
"""


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """Inspect's own command line, in one process: a log judged anew, a setting refused, a run."""
    folder = tmp_path_factory.mktemp("plain")
    words = ["run", "plugin=ltlbench", "n=6", "model=harness/random"]
    assert main([*words, f"log_dir={folder / 'ours'}"]) == 0
    (ours,) = (folder / "ours").glob("*.eval")
    new = folder / "new.eval"
    task = ["eval", "harness/ltlbench", "--model", "harness/reference"]
    commands = [
        ["score", f"{ours}", "--scorer", "harness/verdict", "--action", "overwrite", "--output-file", f"{new}"],
        [*task, "-T", "operators=999", "--display", "none"],
        [*task, "-T", "n=6", "-T", "operators=4", "--display", "none", "--log-dir", f"{folder}/logs"],
    ]  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", PLAIN, json.dumps(commands)],
        capture_output=True,
        text=True,
        cwd=folder,
    )
    return done, next((folder / "logs").glob("*.eval"), None), ours, new


@slow
def test_plain_inspect_runs_the_same_task(plain):
    done, path, _, _ = plain
    assert path, done.stderr
    log = read_eval_log(str(path))
    assert log.status == "success"
    assert log.eval.task_args == {"n": 6, "operators": 4}
    assert log.results.scores[1].metrics["mean"].value == 1.0


@slow
def test_plain_inspect_shows_our_errors_as_one_line(plain):
    done, *_ = plain
    said = done.stdout + done.stderr
    codes = [line for line in done.stdout.splitlines() if line.startswith("code")]
    assert codes == ["code 0", "code 1", "code 0"]
    assert "operators=999: 999 is greater than the maximum of 50\n" in said
    assert "Traceback" not in said


# ---------------------------------------------------------------- a real client, a real server


@slow
def test_a_real_client_gets_the_prompt_and_its_answer_is_scored(run, client):
    server = client(lambda request, number: completion("Hm.\n\n**Answer: True**"))
    code, found = run("n=6", MODEL, "temperature=0", "max_tokens=50")
    assert code == 0
    assert found["results"][0]["metrics"]["accuracy"]["value"] == 0.5
    assert len(server.requests) == 6
    assert all("=== Hypothesis ===" in prompt_of(request) for request in server.requests)
    assert {request["temperature"] for request in server.requests} == {0.0}
    assert {request["max_tokens"] for request in server.requests} == {50}


@slow
def test_auc_uses_answer_probabilities_where_the_model_gives_them(run, client):
    def answer(request, number):
        # Always says True, but is surer of it where the graph has a sink: hard labels give 0.5.
        sure = 0.9 if "no other events" in prompt_of(request) else 0.6
        top = [
            {"token": t, "logprob": math.log(p), "bytes": None}
            for t, p in (("True", sure), ("False", 1 - sure))
        ]
        token = {"token": "True", "logprob": math.log(sure), "bytes": None, "top_logprobs": top}
        asked = request.get("logprobs")
        return completion("Answer: True", {"content": [token], "refusal": None} if asked else None)

    server = client(answer)
    _, found = run("n=12", "twins=no", "seed=1", MODEL, "logprobs=true")
    assert server.requests[0]["logprobs"] is True
    soft = found["results"][0]["metrics"]["auc"]["value"]
    samples = read_eval_log(found["logs"][0]).samples
    scored = [(s.target == "True", s.scores["verdict"].metadata["probability"]) for s in samples]
    pairs = [(t, f) for good, t in scored if good for bad, f in scored if not bad]
    assert soft == pytest.approx(
        sum((t > f) + (t == f) / 2 for t, f in pairs) / len(pairs), abs=1e-5
    )
    assert soft != 0.5
    assert found["results"][0]["metrics"]["auc"]["hard_labels"] == 0
    _, hard = run("n=6", "twins=no", MODEL)
    assert hard["results"][0]["metrics"]["auc"]["value"] == 0.5
    assert hard["results"][0]["metrics"]["auc"]["hard_labels"] == 1
    out = tables.run(hard)  # every number of the table has an interval
    assert "\nwithout interval: auc (hard labels) 0.500, output_tokens 2.0\n" in out
    assert all(" – " in line for line in out.split("\n\n")[1].splitlines()[2:-2])
    assert re.search(
        r"^auc \(hard labels\) +0\.500 +0\.5", tables.run(hard, verbose=True), re.MULTILINE
    )


def test_an_empty_answer_is_unparsed_and_a_nonsense_one_too(run, client):
    client(lambda request, number: completion("" if number % 2 else "purple monkey dishwasher"))
    code, found = run("n=4", MODEL)
    (result,) = found["results"]
    assert (code, result["unparsed"], result["unscored"]) == (0, 1.0, 0)
    assert result["metrics"]["accuracy"]["value"] == 0.0
    reasons = {s.scores["verdict"].reason for s in read_eval_log(found["logs"][0]).samples}
    assert reasons == {"no_response", "invalid_response_format"}


def test_a_server_that_asks_to_slow_down_is_asked_again(run, client):
    server = client(lambda r, number: failure(429) if number == 0 else completion("Answer: True"))
    code, found = run("n=2", MODEL)
    assert (code, found["results"][0]["unscored"]) == (0, 0)
    assert len(server.requests) == 3


FAULTS = {
    "500": (lambda request, number: failure(500), "InternalServerError: Error code: 500"),
    "cut": (lambda request, number: None, "APIConnectionError"),
    "html": (lambda request, number: (200, b"<html>busy</html>"), "JSONDecodeError"),
    "no choices": (
        lambda request, number: (200, b'{"id":"x","object":"chat.completion","created":0,"model":"m","choices":[]}'),
        "Error",
    ),
    "400": (lambda request, number: failure(400, "bad model"), "BadRequestError: Error code: 400"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_provider_that_fails_for_good_leaves_items_unscored_not_wrong(run, client, fault):
    behaviour, reason = FAULTS[fault]
    broken = {}

    def sometimes(request, number):
        # One of the two items fails however often it is asked; the other is answered.
        first = broken.setdefault("prompt", prompt_of(request))
        return (
            behaviour(request, number)
            if prompt_of(request) == first
            else completion("Answer: True")
        )

    client(sometimes)
    code, found = run("n=2", MODEL, "max_retries=0")
    (result,) = found["results"]
    assert code == 1
    assert (result["n"], result["unscored"], result["unparsed"]) == (2, 1, 0)
    assert result["metrics"]["accuracy"]["value"] in (0.0, 1.0)
    assert len(result["errors"]) == 1
    assert result["errors"][0].startswith("1 × ")
    assert reason in result["errors"][0]


@slow
def test_a_retry_asks_only_for_what_failed(run, client):
    state = {"broken": True}

    def behaviour(request, number):
        return failure(400) if state["broken"] and number < 2 else completion("Answer: True")

    server = client(behaviour)
    _, found = run("n=6", MODEL, "max_retries=0", "max_connections=1")
    assert found["results"][0]["unscored"] == 2
    state["broken"] = False
    before = len(server.requests)
    (log,) = eval_retry(
        found["logs"][0], log_dir=str(Path(found["logs"][0]).parent), display="none"
    )
    assert log.status == "success"
    assert len(server.requests) - before == 2
    assert log.results.scores[1].scored_samples == 6


def test_few_shot_examples_come_from_their_own_split_one_per_label(run, client):
    server = client(lambda request, number: completion("Answer: True"))
    run("n=4", MODEL, "strategy=few_shot_cot")
    turns = server.requests[0]["messages"]
    assert [turn["role"] for turn in turns] == ["user", "assistant"] * 2 + ["user"]
    labels = {turn["content"].splitlines()[-1] for turn in turns if turn["role"] == "assistant"}
    assert labels == {"Answer: True", "Answer: False"}
    assert all(len(turn["content"]) > 80 for turn in turns if turn["role"] == "assistant")
    asked = {prompt_of(request) for request in server.requests}
    assert not {turn["content"] for turn in turns[:4]} & asked


def test_least_to_most_asks_for_the_parts_first(run, client):
    server = client(lambda request, number: completion("Answer: True"))
    run("n=1", MODEL, "strategy=least_to_most")
    assert len(server.requests) == 2
    assert "Do not answer yet" in server.requests[0]["messages"][-1]["content"]
    assert len(server.requests[1]["messages"]) == 3


def test_self_consistency_votes_on_answers_and_the_unreadable_do_not_vote(run, client):
    said = ["no idea", "Answer: False", "no idea", "Answer: True", "Answer: False"]
    asked = Counter()  # by item, for the order in which they are asked is not fixed

    def behaviour(request, number):
        asked[prompt_of(request)] += 1
        return completion(said[asked[prompt_of(request)] - 1])

    server = client(behaviour)
    _, found = run("n=2", MODEL, "strategy=self_consistency", "max_connections=1")
    assert len(server.requests) == 10
    assert found["results"][0]["n"] == 2
    reduced = read_eval_log(found["logs"][0]).reductions[0].samples
    assert {sample.answer for sample in reduced} == {"False"}
    assert reduced[0].metadata["votes"] == {"False": 2, "True": 1}


def test_output_tokens_are_those_of_all_turns_with_an_interval(run, client):
    # Prompts are told apart; the order in which they arrive is not fixed.
    first = []

    def behaviour(request, number):
        text = request["messages"][0]["content"]
        first.append(text) if not first else None
        said = "Answer: True" if text == first[0] else "no idea"
        return completion(said, tokens=100 if text == first[0] else 20)

    client(behaviour)
    _, found = run("n=4", MODEL, "strategy=least_to_most")
    (result,) = found["results"]
    tokens = result["output_tokens"]
    assert result["unparsed"] == 0.75
    assert tokens["value"] == (200 + 3 * 40) / 4  # unparsed answers are written too
    assert 40 <= tokens["ci_low"] < tokens["value"] < tokens["ci_high"] <= 200
    assert tokens["stderr"] > 0
    assert "output_tokens" not in result["metrics"]
    samples = read_eval_log(found["logs"][0]).samples
    written = [s.scores["verdict"].metadata["output_tokens"] for s in samples]
    assert sorted(written) == [40, 40, 40, 200]
    assert written == [s.model_usage["openai-api/local/test"].output_tokens for s in samples]


def test_output_tokens_of_a_vote_are_those_of_all_its_samples(run, client):
    client(lambda request, number: completion("Answer: True" if number % 2 else "hm", tokens=3))
    _, found = run("n=2", MODEL, "strategy=self_consistency")
    assert found["results"][0]["output_tokens"]["value"] == 15


def test_output_tokens_tools_and_context_are_in_the_tables(run, client):
    client(lambda request, number: completion("Answer: True", tokens=1000))
    _, found = run("n=4", MODEL)
    (result,) = found["results"]
    assert (result["tools"], result["context"]) == ("none", None)
    assert "tools=" not in tables.run(found)
    # One configuration has no groups: they come from features that vary within a log.
    result |= {"tools": "web_search", "context": {"file": "c.txt", "sha256": "", "empty": 0}}
    result["groups"] = {"output_tokens at 3 operators": 12.34, "n at 3 operators": 2}
    out = tables.run(found, verbose=True)
    assert "strategy=direct tools=web_search context=c.txt · n=4" in out
    assert re.search(r"^output_tokens +1000\.0$", out, re.MULTILINE)
    assert re.search(r"^operators 3 +12\.3 +2$", out, re.MULTILINE)


def test_a_model_that_reports_no_usage_has_no_output_tokens(run, client):
    client(lambda request, number: completion("Answer: True", tokens=None))
    _, found = run("n=2", MODEL)
    assert found["results"][0]["output_tokens"] is None


def test_a_log_judged_again_has_its_output_tokens(run, client):
    from inspect_ai import score

    client(lambda request, number: completion("Answer: True", tokens=7))
    _, found = run("n=2", MODEL, "strategy=least_to_most")
    again = score(
        read_eval_log(found["logs"][0]), scorer.verdict(), action="overwrite", display="none"
    )
    assert {s.scores["verdict"].metadata["output_tokens"] for s in again.samples} == {14}


def test_means_of_fractions_have_bootstrap_intervals(run, client, monkeypatch):
    plugin = inspect_task.registry().get("ltlbench")
    names = plugin.benchmark.values

    def graded(item, completion, **_):
        value = dict.fromkeys(names, 0.0) | {"accuracy": 0.25 if item.target == "True" else 0.75}
        return Verdict("scored", value, "True")

    monkeypatch.setattr(plugin.hooks, "score", graded)
    client(lambda request, number: completion("Answer: True"))
    _, found = run("n=10", MODEL)
    one = found["results"][0]["metrics"]["accuracy"]
    assert one["value"] == 0.5
    assert 0.25 < one["ci_low"] < 0.5 < one["ci_high"] < 0.75
    wilson = found["results"][0]["metrics"]["label"]
    assert (wilson["ci_low"], wilson["ci_high"]) == (0.0, pytest.approx(0.2775, abs=1e-3))
    scores = read_eval_log(found["logs"][0]).results.scores
    names = {name for score in scores for name in score.metrics}
    assert {"accuracy_bootstrap_lower", "label_wilson_upper"} <= names


def test_votes_with_nothing_readable_are_unparsed_and_with_nothing_scored_unscored():
    vote = scorer.vote()
    unparsed = Score(value={"accuracy": 0.0, "unparsed": 1.0}, metadata={"outcome": "unparsed"})
    unscored = Score.unscored(reason="scoring_failed", metadata={"outcome": "unscored"})
    right = Score(
        value={"accuracy": 1.0, "unparsed": 0.0}, answer="True", metadata={"outcome": "scored"}
    )
    wrong = Score(
        value={"accuracy": 0.0, "unparsed": 0.0}, answer="False", metadata={"outcome": "scored"}
    )
    assert vote([unscored, unparsed, unparsed]).value == unparsed.value
    assert math.isnan(vote([unscored, unscored]).value)
    assert vote([wrong, right]).answer == "False"
    assert vote([wrong, right, right, unscored]).answer == "True"


def test_different_counterexamples_vote_for_the_same_label(run):
    vote = scorer.vote()

    def said(answer, accuracy, label):
        facts = {"outcome": "scored", "vote": label}
        return Score(value={"accuracy": accuracy, "unparsed": 0.0}, answer=answer, metadata=facts)

    paths = [said(f"False: event1, (event{n})", 1.0, "False") for n in (1, 2, 3)]
    won = vote([said("True", 0.0, "True"), said("True", 0.0, "True"), *paths])
    assert won.answer == "False: event1, (event1)"
    assert won.metadata["votes"] == {"True": 2, "False": 3}


@slow
def test_examples_are_never_items_of_the_run_however_few_problems_there_are(run, client):
    server = client(lambda request, number: completion("Answer: True"))
    run("n=20", MODEL, "strategy=few_shot", "events=2", "operators=1", "twins=false", "shots=4")
    asked = {
        prompt_of(request).split("\n\n")[1] + prompt_of(request)[-200:]
        for request in server.requests
    }
    turns = [t["content"] for t in server.requests[0]["messages"][:-1] if t["role"] == "user"]
    assert len(turns) == 4
    assert not {turn.split("\n\n")[1] + turn[-200:] for turn in turns} & asked


@pytest.mark.parametrize(("shots", "taken"), [(3, 3), (3, 2), (2, 0), (4, 1)])
def test_no_worked_example_is_the_twin_of_an_item(shots, taken):
    """Nor where the twin would be the example behind the last."""
    plugin = inspect_task.registry().get("ltlbench")
    spec = inspect_task.make(plugin, {"events": 8, "operators": 3})
    pairs, _ = inspect_task.examples(plugin, spec, 4, lambda problem: False)
    item = pairs[taken]
    left, avoided = inspect_task.examples(plugin, spec, shots, item.problem_id.__eq__)
    twins = {pair.problem_id for pair in pairs if pair.features["twin"] == item.features["twin"]}
    assert avoided == twins
    assert len(left) == shots
    assert item.features["twin"] not in {example.features["twin"] for example in left}
    kept = [pair.id for pair in pairs[:shots] if pair.problem_id not in twins]
    assert [example.id for example in left if example.attempt == 0] == kept


def test_items_that_could_not_be_scored_are_told_with_the_reason(run, monkeypatch):
    plugin = inspect_task.registry().get("ltlbench")

    def broken(**arguments):
        raise ZeroDivisionError("our own fault")

    monkeypatch.setattr(plugin.hooks, "score", broken)
    code, found = run("n=3")
    (result,) = found["results"]
    assert (code, result["unscored"], result["unparsed"]) == (1, 3, None)
    assert set(result["metrics"]) == {
        "accuracy",
        "macro_f1",
        "auc",
        "label",
        "pairs",
        "path_unread",
    }
    assert {one["value"] for one in result["metrics"].values()} == {None}
    assert result["errors"][0].startswith("3 × ")
    assert "our own fault" in result["errors"][0]


def test_published_convention_counts_the_unreadable_as_false(run, client):
    client(lambda request, number: completion("I cannot say."))
    _, found = run("n=4", MODEL, "convention=published")
    metrics = found["results"][0]["metrics"]
    assert metrics["accuracy"]["value"] == 0.0
    assert metrics["published_accuracy"]["value"] == 0.5


def test_scores_can_be_made_anew_from_the_log(run):
    from inspect_ai import score

    _, found = run("n=6", "model=harness/random")
    log = read_eval_log(found["logs"][0])
    again = score(log, scorer.verdict(), action="overwrite")
    before = {s.id: s.scores["verdict"].value for s in log.samples}
    assert {s.id: s.scores["verdict"].value for s in again.samples} == before


@slow
def test_inspects_own_command_scores_a_log_anew(plain):
    done, _, ours, new = plain
    assert new.exists(), done.stderr
    (before, after) = (read_eval_log(str(path)).results.scores for path in (ours, new))
    values = [
        {s.name: {k: m.value for k, m in s.metrics.items()} for s in x} for x in (before, after)
    ]
    assert values[0] == values[1]


def test_ctrl_c_keeps_the_log_and_says_how_to_go_on(client, tmp_path, capsys):
    over = threading.Event()

    def behaviour(request, number):
        # Two at a time, and none is asked before one is judged and in the log: by then two are.
        if number == 3:
            os.kill(os.getpid(), signal.SIGINT)
        if number >= 2:
            over.wait(600)  # it gets no answer before the run has ended
        return completion("Answer: True")

    client(behaviour)
    words = ["run", "plugin=ltlbench", "n=8", MODEL, "max_connections=2", f"log_dir={tmp_path}"]
    code = main(words)
    over.set()
    out, err = capsys.readouterr()
    assert (code, out) == (130, "")
    (line,) = err.strip().splitlines()
    path = next(tmp_path.glob("*.eval"))
    assert f"kept in {path}; the same command goes on with them" in line
    log = read_eval_log(str(path))
    assert log.status == "cancelled"
    assert sum(bool(sample.scores) for sample in log.samples) == 2


def bad(words, message):
    return pytest.param(words, message, id=" ".join(words))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        bad(["model=harness/referenc"], "did you mean 'reference'?"),
        bad(["model=nosuch/model"], "model=nosuch/model"),
        bad(["model=gpt"], "model=gpt"),
        bad(["strategy=cott"], "did you mean 'cot'?"),
        bad(["convention=ours"], "known: harness, published"),
        bad(["dataset=/nowhere.csv"], "there is no file /nowhere.csv"),
        bad(["n=0"], "n=0: the least is 1"),
    ],
)
def test_bad_input_is_one_line(run, capsys, words, message):
    code = main(["run", "plugin=ltlbench", *words])
    out, err = capsys.readouterr()
    assert code == 2
    assert out == ""
    assert len(err.strip().splitlines()) == 1
    assert message in err


def test_a_log_directory_that_cannot_be_is_one_line(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    code = main(["run", "plugin=ltlbench", "n=2", f"log_dir={tmp_path / 'file' / 'logs'}"])
    assert code == 1
    assert "the log cannot be written" in capsys.readouterr().err
