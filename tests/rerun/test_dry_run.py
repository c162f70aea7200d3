"""`dry_run=yes`: what it counts is what a server is then asked, and nobody is asked to count it."""

import json
import math
import shutil

import pytest
import tiktoken
from cases import each, slow
from inspect_ai.log import read_eval_log, write_eval_log
from openai_server import completion

import harness
from harness.cli.main import main
from harness.rerun import dry_run

MODEL = "openai-api/local/test"
PRICES = f"{MODEL}: {{input: 2, output: 10}}\n"


@pytest.fixture
def run(client, tmp_path, monkeypatch, capsys):
    """Run the command against a local server; return exit code, results, complaints and requests."""
    requests = []

    def answer(request, number):
        requests.append(request)
        return completion("Answer: True")

    client(answer)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "prices.yaml").write_text(PRICES)

    def act(*words):
        requests.clear()
        code = main(["run", f"model={MODEL}", *words, "--json"])
        out, err = capsys.readouterr()
        return code, json.loads(out), err, list(requests)

    return act


def by_characters(requests):
    """The texts of the messages, tools and schemas of requests, four characters a token."""
    count = 0
    for request in requests:
        for message in request["messages"]:
            content = message["content"]
            texts = [content] if isinstance(content, str) else [part["text"] for part in content]
            count += sum(math.ceil(len(text) / 4) for text in texts)
    return count


@slow
@each(
    "words",
    [
        ["ltlbench", "strategy=few_shot", "system_message=Be brief."],
        ["ltlbench", "strategy=self_consistency", "samples=2"],
        ["ltlbench", "epochs=2"],
        ["timepuzzles", "strategy=least_to_most"],
        ["vltl", "strategy=staged", "gold=lift"],
    ],
)
def test_it_counts_what_is_then_asked(run, words, tmp_path):
    shutil.rmtree(tmp_path / "logs", ignore_errors=True)
    code, found, err, requests = run(*words, "n=2", "dry_run=yes")
    assert (code, err, requests) == (0, "", [])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["prices.yaml"]
    code, _, _, requests = run(*words, "n=2")
    total = found["total"]
    assert len(requests) == total["calls"]
    assert total["answers"] == sum(part["answers"] for part in found["dry_run"])
    asked = by_characters(requests)
    if words[0] == "ltlbench":  # no conversation has a reply in it
        assert total["input_tokens"] == asked
    elif "least_to_most" in words[1]:
        assert asked - total["input_tokens"] == math.ceil(len("Answer: True") / 4) * 2
    else:  # a stage's prompt has the right replies in it, not this server's
        assert total["input_tokens"] == pytest.approx(asked, rel=0.5)


@slow
def test_an_interrupted_run_is_counted_from_where_it_stands(run, tmp_path):
    words = ["ltlbench", "n=4", "samples=2", "temperature=1"]
    log = read_eval_log(run(*words)[1]["logs"][0])
    log.status = "cancelled"
    log.samples = log.samples[:5]
    write_eval_log(log, log.location)
    before = sorted(tmp_path.rglob("*"))
    (part,) = run(*words, "dry_run=yes")[1]["dry_run"]
    assert (part["answers"], part["calls"], part["there"]) == (3, 3, 5)
    assert run(*words, "dry_run=yes", "resume=no")[1]["total"]["calls"] == 8
    assert sorted(tmp_path.rglob("*")) == before
    assert len(run(*words)[3]) == 3


def test_what_is_finished_is_not_counted(run):
    words = ["ltlbench", "n=2", "operators=1,2"]
    run("ltlbench", "n=2", "operators=1")
    parts = run(*words, "dry_run=yes")[1]["dry_run"]
    assert [(part["calls"], part["there"]) for part in parts] == [(0, 2), (2, 0)]
    assert run(*words, "again=yes", "dry_run=yes")[1]["total"]["calls"] == 4
    assert len(run(*words)[3]) == 2


def test_money_is_that_of_the_log(run, monkeypatch):
    words = ["ltlbench", "n=3", "prices=prices.yaml"]
    first = run(*words, "dry_run=yes")[1]
    assert first["dry_run"][0]["output_from"] is None
    assert first["total"]["output_tokens"] is first["total"]["output_cost"] is None
    assert first["total"]["input_cost"] == pytest.approx(first["total"]["input_tokens"] * 2e-6)
    bound = run(*words, "max_tokens=100", "dry_run=yes")[1]
    assert bound["dry_run"][0]["output_from"] == "at most max_tokens=100 a call"
    assert (bound["total"]["output_tokens"], bound["total"]["output_cost"]) == (300, 0.003)

    (result,) = run(*words)[1]["results"]
    used = result["usage"][MODEL]
    assert (used["input_tokens"], used["output_tokens"]) == (15, 6)
    assert used["total_cost"] == pytest.approx(90e-6)
    log = read_eval_log(result["log"], header_only=True)
    assert log.eval.metadata["prices"] == {
        "file": "prices.yaml", "input": 2, "output": 10, "input_cache_read": 2, "input_cache_write": 2,
    }  # fmt: skip

    after = run("ltlbench", "n=30", "prices=prices.yaml", "dry_run=yes")[1]
    assert after["dry_run"][0]["output_from"] == "2.0 an answer, the mean of 1 log in logs"
    assert (after["total"]["output_tokens"], after["total"]["output_cost"]) == (60, 600e-6)
    # An answer asked for in another way has another length.
    for other in ("strategy=cot", "temperature=1"):
        assert run(*words, other, "dry_run=yes")[1]["dry_run"][0]["output_from"] is None


def test_a_limit_of_cost_is_in_the_same_money(run):
    code, found, _, requests = run("ltlbench", "n=1", "cost_limit=1")
    assert (code, requests) == (2, [])
    assert found["error"]["message"].endswith(
        f"Missing cost data for: {MODEL}. prices=FILE says it."
    )
    words = ["ltlbench", "n=1", "prices=prices.yaml", "strategy=least_to_most"]
    assert len(run(*words, "cost_limit=0.00001")[3]) == 1  # a call costs 0.00003
    assert len(run(*words, "cost_limit=1")[3]) == 2


@each(
    "text, message",
    [
        (None, "cannot be read: No such file or directory"),
        ("[1, 2", "cannot be read: "),
        ("[1, 2]", "expected MODEL: {input: 1.25, output: 10}"),
        (f"{MODEL}: 3", f"{MODEL}: expected {{input: 1.25, output: 10}}"),
        (f"{MODEL}: {{input: 3}}", f"{MODEL}: the price of output is missing"),
        (f"{MODEL}: {{inputs: 3}}", f"{MODEL}: unknown key 'inputs'; did you mean 'input'?"),
        (f"{MODEL}: {{input: -1, output: 1}}", f"{MODEL}: input=-1: expected dollars per million tokens"),
        ("openai-api/local/tset: {input: 1, output: 1}", f"no price of {MODEL}; did you mean "),
    ],
)  # fmt: skip
def test_prices_that_are_none_are_told_of_before_anything_is_asked(run, tmp_path, text, message):
    (tmp_path / "prices.yaml").unlink(missing_ok=True)
    if text:
        (tmp_path / "prices.yaml").write_text(text)
    for more in ("dry_run=no", "dry_run=yes"):
        code, found, _, requests = run("ltlbench", "n=1", "prices=prices.yaml", more)
        assert (code, requests) == (2, [])
        assert found["error"]["message"].startswith(f"prices=prices.yaml: {message}")
    assert not (tmp_path / "logs").exists()


def test_it_cannot_tell_what_a_model_would_choose(run):
    code, found, _, requests = run(
        "timepuzzles", "prune_model=openai-api/local/test", "dry_run=yes"
    )
    assert (code, requests) == (2, [])
    assert "prune_model" in found["error"]["message"]


def test_python_is_not_asked_for_real_either(client):
    server = client(lambda request, number: completion("Answer: True"))
    with pytest.raises(harness.SpecError, match="dry_run=yes goes with `harness run` alone"):
        harness.evaluate("ltlbench", model=MODEL, n=1, dry_run=True)
    assert not server.requests


def test_it_reads_as_a_table(run, capsys):
    words = [f"model={MODEL}", "n=2", "operators=1,2", "prices=prices.yaml", "max_tokens=50"]
    assert main(["run", "ltlbench", *words, "dry_run=yes"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].split() == [
        "plugin",
        "model",
        "operators",
        "answers",
        "calls",
        "tokens",
        "in",
        "tokens",
        "out",
        "USD",
    ]
    assert [line.split()[:3] for line in lines[4:7]] == [
        ["ltlbench", MODEL, "1"], ["ltlbench", MODEL, "2"], ["all", "4", "4"],
    ]  # fmt: skip
    assert "4 characters a token" in lines[8]


def test_each_note_is_printed_once_with_the_models_it_is_true_of(run, capsys):
    models = f"model=harness/random,{MODEL},harness/constant"
    assert main(["run", "ltlbench", models, "n=1", "dry_run=yes"]) == 0
    notes = capsys.readouterr().out.splitlines()[9:]
    assert [line.partition(":")[0] for line in notes] == [
        "tokens in",
        "tokens out of harness/random, harness/constant",
        f"not counted of {MODEL}",
        "USD",
    ]


def test_a_tokenizer_counts_where_one_is_here_and_none_is_fetched(monkeypatch):
    monkeypatch.setattr(tiktoken.registry, "ENCODINGS", {})
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "/nonexistent")
    monkeypatch.setattr("socket.socket.connect", lambda *_: pytest.fail("the network was used"))
    missing = dry_run.tokenizer_of("openai/gpt-4o")
    assert missing.count("12345") == 2
    assert missing.phrase == "4 characters a token: o200k_base is not on this machine"
    # The same class as a model's tokenizer, with pairs of letters for its only merges.
    ranks = {bytes([byte]): byte for byte in range(256)} | {b"ab": 256, b"cd": 257}
    small = tiktoken.Encoding(
        "o200k_base", pat_str=r"\w+|\W+", mergeable_ranks=ranks, special_tokens={}
    )
    monkeypatch.setitem(tiktoken.registry.ENCODINGS, "o200k_base", small)
    there = dry_run.tokenizer_of("openai/gpt-4o")
    assert (there.count("abcd"), there.phrase) == (2, "by its tokenizer o200k_base")
    other = dry_run.tokenizer_of("anthropic/claude-sonnet-4-5")
    assert other.phrase == "by o200k_base: its own tokenizer is not known"


def test_a_file_of_runs_is_counted_and_written_without_the_wish_to_count(run, tmp_path):
    code, found, _, requests = run(
        "ltlbench", "n=2", "operators=1,2", "save=study.yaml", "dry_run=yes"
    )
    assert (code, requests, found["total"]["calls"]) == (0, [], 4)
    assert "dry_run" not in (tmp_path / "study.yaml").read_text()
    assert run("study.yaml", "dry_run=yes")[1]["total"] == found["total"]
    (tmp_path / "dry.yaml").write_text("runs: [{plugin: ltlbench, dry_run: true}]")
    code, found, _, _ = run("dry.yaml")
    assert code == 2
    assert "'dry_run' has no place in a file of runs" in found["error"]["message"]
