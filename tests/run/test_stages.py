"""Strategies in stages: a conversation each, gold in place of any, what is scored and what is kept."""

import json
from pathlib import Path

import pytest
from inspect_ai import eval_retry, score
from inspect_ai.log import read_eval_log
from inspect_ai.model import get_model
from openai_server import completion, failure

from harness.cli import tables
from harness.cli.main import main
from harness.core import plugins
from harness.core.contract import STAGED
from harness.run import inspect_task, scorer

MODEL = "model=openai-api/local/test"
WORDS = ("zero", "one", "two", "three", "four", "five", "six")
STAGES = ("first", "second", "total")


@pytest.fixture
def run(toys, tmp_path, capsys):
    """Call `harness run` on the toy in stages; return (exit code, its JSON, the samples logged)."""

    def call(*words, ok=True):
        own = ["plugin=toy_staged", "strategy=parts", f"log_dir={tmp_path / 'logs'}"]
        code = main(["run", *own, *words, "--json"])
        found = json.loads(capsys.readouterr().out)
        return code, found, read_eval_log(found["logs"][0]).samples if ok else None

    return call


def solved(request, number=0):
    """Answer a stage's prompt as a model that is always right."""
    read = (
        plugins.registry().get("toy_staged").call("read", prompt=request["messages"][-1]["content"])
    )
    return completion(f"Answer: {WORDS[(read['a'] + read['b']) % 7]}", tokens=3)


def accuracy(found):
    return found["results"][0]["metrics"]["correct"]["value"]


def test_the_reference_is_right_stage_by_stage(run):
    code, found, samples = run("n=4")
    assert (code, accuracy(found), found["results"][0]["gold"]) == (0, 1.0, [])
    assert [m.role for m in samples[0].messages] == ["user", "assistant"] * 3
    assert [m.metadata for m in samples[0].messages[::2]] == [{"stage": s} for s in STAGES]
    assert samples[0].output.completion.startswith("3 replies.\n")


def test_every_stage_is_a_conversation_of_its_own(run, client):
    server = client(solved)
    code, found, samples = run("n=3", MODEL)
    assert (code, accuracy(found), len(server.requests)) == (0, 1.0, 9)
    assert all(len(request["messages"]) == 1 for request in server.requests)
    asked = {request["messages"][0]["content"] for request in server.requests}
    assert not {sample.input for sample in samples} & asked
    assert found["results"][0]["output_tokens"]["value"] == 9


@pytest.mark.parametrize("wrong", [0, 1, 2])
def test_what_a_stage_says_reaches_the_next_and_the_verdict(run, client, wrong):
    """Judged is the last reply, made of the earlier ones: a slip in any stage is wrong in the end."""

    def behaviour(request, number):
        return completion("Answer: zero") if number % 3 == wrong else solved(request)

    client(behaviour)
    _, _, samples = run("n=6", MODEL, "max_connections=1")
    told = {word: n for n, word in enumerate(WORDS)}
    for sample in samples:
        texts = [m.text.removeprefix("Answer: ") for m in sample.messages[1::2]]
        problem = json.loads(sample.metadata["problem"])
        values = [problem["a"] % 7, problem["b"] % 7]
        values = [told[texts[i]] if i == wrong else values[i] for i in (0, 1)]
        total = 0 if wrong == 2 else sum(values) % 7
        assert told[texts[2]] == total
        right = WORDS[total] == sample.target
        assert sample.scores["verdict"].value["correct"] == float(right)


@pytest.mark.parametrize("gold", ["first", "second,first", "total", "first,second,total"])
def test_gold_replaces_a_stage(run, client, gold):
    server = client(solved)
    named = [stage for stage in STAGES if stage in gold.split(",")]
    code, found, samples = run("n=2", MODEL, f"gold={gold}")
    assert (code, accuracy(found)) == (0, 1.0)
    assert len(server.requests) == 2 * (3 - len(named))
    assert found["results"][0]["gold"] == named
    given = [
        m.metadata["stage"]
        for m in samples[0].messages[1::2]
        if (m.metadata or {}).get("source") == "gold"
    ]
    assert given == named
    log = read_eval_log(found["logs"][0])
    assert (log.eval.task_args["gold"], log.eval.metadata["gold"]) == (named, named)
    assert f"strategy=parts gold={','.join(named)} · n=2" in tables.run(found)


def test_gold_counts_whatever_the_model_says_elsewhere(run, client):
    client(lambda request, number: completion("no idea"))
    _, found, _ = run("n=3", MODEL, "gold=total")
    assert accuracy(found) == 1.0
    _, found, _ = run("n=3", MODEL, "gold=first,second")
    assert (accuracy(found), found["results"][0]["unparsed"]) == (0.0, 1.0)


def test_a_sweep_over_gold(run, client):
    server = client(solved)
    _, found, _ = run("n=1", MODEL, "gold=[],[first],[first,second]")
    assert [result["gold"] for result in found["results"]] == [[], ["first"], ["first", "second"]]
    assert len(server.requests) == 3 + 2 + 1
    assert tables.run(found).split("\n\n")[0].split()[0] == "gold"


def test_stages_may_be_voted_on(run, client):
    server = client(solved)
    _, found, _ = run("n=2", MODEL, "samples=3")
    assert (accuracy(found), len(server.requests)) == (1.0, 18)


def test_a_log_is_judged_again_on_the_joined_text(run, client):
    client(lambda request, number: completion("no idea"))
    _, found, samples = run("n=3", MODEL, "gold=total")
    log = read_eval_log(found["logs"][0])
    again = score(log, scorer.verdict(), action="overwrite", display="none")
    assert [s.scores["verdict"].value for s in again.samples] == [
        s.scores["verdict"].value for s in samples
    ]
    assert {s.scores["verdict"].metadata["output_tokens"] for s in again.samples} == {4}


def test_a_stage_that_fails_fails_its_item_and_a_retry_asks_that_item_again(run, client):
    state = {"broken": True}

    def behaviour(request, number):
        return failure(400) if state["broken"] and number == 1 else solved(request)

    server = client(behaviour)
    code, found, _ = run("n=3", MODEL, "gold=first", "max_retries=0", "max_connections=1")
    assert (code, found["results"][0]["unscored"]) == (1, 1)
    state["broken"], before = False, len(server.requests)
    folder = str(Path(found["logs"][0]).parent)
    (log,) = eval_retry(found["logs"][0], log_dir=folder, display="none")
    assert (log.status, log.eval.task_args["gold"]) == ("success", ["first"])
    assert len(server.requests) - before == 2
    assert log.results.scores[1].scored_samples == 3


@pytest.mark.parametrize("hook", STAGED)
@pytest.mark.parametrize("broken", [None, 3, ZeroDivisionError("slip")])
def test_a_hook_that_breaks_the_contract_leaves_items_unscored(run, monkeypatch, hook, broken):
    def hooked(**_):
        if isinstance(broken, Exception):
            raise broken
        return broken

    monkeypatch.setattr(plugins.registry().get("toy_staged").hooks, hook, hooked)
    code, found, _ = run("n=2", "gold=first")
    result = found["results"][0]
    assert (code, result["unscored"], len(result["errors"])) == (1, 2, 1)
    assert f"plugin 'toy_staged': {hook}()" in result["errors"][0]


def test_context_stands_before_the_prompt_of_every_stage(run, client, tmp_path):
    (tmp_path / "c.txt").write_text("Seven is nothing.")
    server = client(solved)
    run("n=1", MODEL, f"context={tmp_path / 'c.txt'}", "gold=first")
    assert len(server.requests) == 2
    assert all("Seven is nothing." in r["messages"][0]["content"] for r in server.requests)


def test_a_sample_cut_off_half_way_is_unparsed_not_judged_by_a_stage(toys, client, tmp_path):
    """The reply to the first stage could be the right answer to the whole."""
    from inspect_ai import eval as inspect_eval

    client(lambda request, number: completion("Answer: " + WORDS[0], tokens=60))
    task = inspect_task.from_params("toy_staged", {"strategy": "parts", "n": 2})
    (log,) = inspect_eval(
        task,
        model=get_model(MODEL.removeprefix("model="), memoize=False),
        max_retries=0,
        token_limit=70,
        log_dir=str(tmp_path),
        display="none",
    )
    for sample in log.samples:
        assert sample.limit.type == "token"
        assert sample.scores["verdict"].value["unparsed"] == 1.0
        assert len(sample.messages) == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["gold=frist"], "gold=frist: no stage of strategy=parts; did you mean 'first'?"),
        (
            ["gold=first", "strategy=cot"],
            "'gold' has no effect with strategy=cot, which has no stages",
        ),
        (["shots=2"], "'shots' has no effect with strategy=parts, which shows no examples"),
    ],
)
def test_refused(toys, capsys, words, message):
    base = [] if "strategy=cot" in words else ["strategy=parts"]
    assert main(["run", "plugin=toy_staged", *base, *words]) == 2
    assert capsys.readouterr().err.strip() == f"harness: {message}"


def test_a_strategy_for_other_tasks_is_refused_before_the_run(tmp_path, capsys):
    own = [
        "plugin=vltl",
        "task=verify",
        "strategy=sub_formulas",
        "n=2",
        f"log_dir={tmp_path / 'logs'}",
    ]
    assert main(["run", *own]) == 2
    said = capsys.readouterr().err
    assert said == (
        "harness: strategy=sub_formulas is for task=translate or end_to_end, and these items have task=verify\n"
    )
    assert not (tmp_path / "logs").exists()
