"""Tools, sandboxes and fixed context: refused before a run, and seen on the wire by a real server."""

import csv
import hashlib
import json
import os
import random
import string
from collections import Counter
from dataclasses import replace

import pytest
from cases import slow
from harness_errors import HarnessError, SpecError
from inspect_ai import eval_retry, score
from inspect_ai.log import write_eval_log
from inspect_ai.model import ModelName
from inspect_ai.scorer import Target
from inspect_ai.solver import TaskState
from inspect_ai.tool import ToolDef
from inspect_ai.tool._tools._web_search._base_http_provider import BaseHttpProvider
from openai_server import completion, failure, response, serving

from harness.aids import context, tools
from harness.cli import tables
from harness.cli.main import main
from harness.core.items import Item
from harness.core.plugins import registry
from harness.core.spec import make
from harness.report import log_studies
from harness.report.tables import write_answers
from harness.run import evaluation, inspect_task, samples, scorer
from harness.run.results import result_of_log

LOCAL = "openai-api/local/test"
KEYS = [name for names in tools.EXTERNAL.values() for name in names]


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    """No search service is paid for, and no engine answers, whatever the machine has."""
    for name in (*KEYS, "DOCKER_CONTEXT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DOCKER_HOST", "tcp://127.0.0.1:1")
    monkeypatch.setenv("LOCAL_API_KEY", "none")
    monkeypatch.setenv("LOCAL_BASE_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "none")


@pytest.fixture
def spec(tmp_path):
    """Make the spec of a small run."""

    def call(**values):
        own = {"n": 2, "log_dir": str(tmp_path / "logs")}
        return make(registry().get("ltlbench"), own | values)

    return call


@pytest.fixture
def run(spec):
    """Run a small spec; return the result and the log."""

    def call(**values):
        log = evaluation.run(spec(**values))
        return result_of_log(log), log

    return call


@pytest.fixture
def server(monkeypatch):
    """Start a server for OpenAI's clients, compatible or its own."""
    started = []

    def start(behaviour):
        started.append(serving(behaviour))
        found = started[-1].__enter__()
        monkeypatch.setenv("LOCAL_BASE_URL", found.url)
        monkeypatch.setenv("OPENAI_BASE_URL", found.url)
        return found

    yield start
    for one in started:
        one.__exit__(None, None, None)


@pytest.fixture
def tavily(monkeypatch):
    """Let Inspect's Tavily client search on the loopback."""
    pages = [
        {"title": "Spring", "url": "https://a.example/", "content": "It ends in May.", "score": 1},
        {"title": "Fall", "url": "https://b.example/", "content": "It starts in September.", "score": 1},
    ]  # fmt: skip
    found = {"query": "q", "answer": "Seasons.", "images": [], "results": pages, "response_time": 0}
    with serving(lambda request, number: (200, json.dumps(found).encode())) as own:
        address = property(lambda self: own.url, lambda self, value: None)
        monkeypatch.setattr(BaseHttpProvider, "api_endpoint", address, raising=False)
        monkeypatch.setenv("TAVILY_API_KEY", "none")
        yield own


def prompt_of(request):
    return request["messages"][-1]["content"]


# ---------------------------------------------------------------- refusals


def bad(message, **values):
    shown = " ".join(f"{k}={v}" for k, v in values.items())
    return pytest.param(values, message, id=shown[:60])


@pytest.mark.parametrize(
    ("values", "message"),
    [
        bad("did you mean 'web_search'?", tools="websearch"),
        bad("known: both, code, none, web_search", tools="x"),
        bad("harness/reference uses no tools", tools="web_search"),
        bad("harness/random uses no tools", tools="web_search", model="harness/random"),
        bad("set one of TAVILY_API_KEY, EXA_API_KEY, GOOGLE_CSE_API_KEY with GOOGLE_CSE_ID",
            tools="web_search", model=LOCAL),
        bad("tools=code needs sandbox=docker", tools="code", model=LOCAL),
        bad("tools=both needs sandbox=docker", tools="both", model=LOCAL),
        bad("as you, with your files and keys", tools="code", sandbox="local", model=LOCAL),
        bad("as you, with your files and keys", tools="none", sandbox="local"),
        bad("expected docker or docker:FILE", tools="code", sandbox="podman", model=LOCAL),
        bad("expected docker or docker:FILE", tools="code", sandbox="docker:", model=LOCAL),
        bad("tool_choice=required needs tools=web_search or both, not tools=none", tool_choice="required"),
        bad("tool_choice=required needs tools=web_search or both, not tools=code", tool_choice="required",
            tools="code", sandbox="docker", model=LOCAL),
        bad("known: auto, required", tool_choice="any", tools="web_search", model="openai/gpt-4o"),
        bad("'sandbox' has no effect with tools=none", sandbox="docker"),
        bad("'sandbox' has no effect with tools=web_search", tools="web_search", sandbox="docker",
            model="openai/gpt-4o"),
        bad("no compose file /nowhere.yaml", tools="code", sandbox="docker:/nowhere.yaml", model=LOCAL),
        bad("no Docker engine answers: ", tools="code", sandbox="docker", model=LOCAL),
        bad("No such file", context="/nowhere.txt"),
        bad("ends in .jsonl, .txt, .md, .eval", context="/nowhere.csv"),
        bad("null", context="/now\0here.txt"),
    ],
)  # fmt: skip
def test_what_cannot_work_is_one_line_before_the_run(spec, tmp_path, values, message):
    with pytest.raises(SpecError) as caught:
        evaluation.run(spec(**values))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400
    assert not (tmp_path / "logs").exists()


@pytest.mark.parametrize("keys", [["GOOGLE_CSE_ID"], ["GOOGLE_CSE_API_KEY"]])
def test_one_of_two_keys_is_none(spec, monkeypatch, keys):
    for key in keys:
        monkeypatch.setenv(key, "none")
    with pytest.raises(SpecError, match="no search of its own"):
        tools.check_model("web_search", LOCAL)


@pytest.mark.parametrize("keys", [["TAVILY_API_KEY"], ["EXA_API_KEY"], KEYS[2:]])
def test_a_search_service_serves_any_model(spec, monkeypatch, keys):
    for key in keys:
        monkeypatch.setenv(key, "none")
    tools.check_model("web_search", LOCAL)


@pytest.mark.parametrize("provider", tools.BUILT_IN)
def test_models_with_their_own_search_need_no_key_but_perplexity_takes_no_other_tool(provider):
    tools.check_model("web_search", f"{provider}/x")
    if provider == "perplexity":
        with pytest.raises(SpecError, match="no tool but its own"):
            tools.check_model("both", f"{provider}/x")
    else:
        tools.check_model("both", f"{provider}/x")


def docker(folder, monkeypatch, script):
    folder.mkdir()
    program = folder / "docker"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("echo 'Cannot connect\n to the daemon' >&2; exit 1", "Cannot connect to the daemon"),
        ("exit 1", "names no server"),
        ("exit 0", "names no server"),
        ("exec sleep 600", "took more than 0.3 s"),
        (f"echo {'x' * 999} >&2; exit 1", "x" * 200),
    ],
)
def test_a_docker_that_does_not_answer_is_told_with_what_it_said(
    spec, monkeypatch, tmp_path, script, why
):
    docker(tmp_path / "bin", monkeypatch, script)
    # A slow machine may be slow to start one that does answer.
    monkeypatch.setattr(tools, "DOCKER_SECONDS", 0.3 if "sleep" in script else 120)
    with pytest.raises(SpecError, match="no Docker engine answers") as caught:
        tools.check_settings(spec(tools="code", sandbox="docker"))
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_docker_at_all_and_one_that_answers(spec, monkeypatch, tmp_path):
    path = os.environ["PATH"]
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SpecError, match="`docker` is not installed"):
        tools.check_settings(spec(tools="code", sandbox="docker"))
    monkeypatch.setenv("PATH", path)
    monkeypatch.setattr(tools, "DOCKER_SECONDS", 120)
    docker(tmp_path / "bin", monkeypatch, "echo 27.0.1")
    file = tmp_path / "compose.yaml"
    file.write_text("services: {}")
    tools.check_settings(spec(tools="code", sandbox="docker"))
    tools.check_settings(spec(tools="both", sandbox=f"docker:{file}"))


def test_inspects_own_way_in_refuses_too(spec):
    with pytest.raises(SpecError, match="needs sandbox=docker"):
        inspect_task.from_params("ltlbench", {"n": 2, "tools": "code"})
    task = inspect_task.from_params("ltlbench", {"n": 2, "tools": "none"})
    assert task.sandbox is None
    assert task.message_limit is None


def test_an_embedded_model_that_inspect_lets_through_fails_on_every_item(tmp_path):
    from inspect_ai import eval as inspect_eval

    task = inspect_task.from_params("ltlbench", {"n": 2, "tools": "web_search"})
    (log,) = inspect_eval(
        task, model="harness/reference", log_dir=str(tmp_path), display="none", fail_on_error=False
    )
    found = result_of_log(log)
    assert found["unscored"] == 2
    assert "harness/reference uses no tools" in found["errors"][0]


# ---------------------------------------------------------------- what is asked of Inspect


def test_code_runs_in_a_container_without_a_network_wherever_it_is_started(
    spec, tmp_path, monkeypatch
):
    # Inspect by itself takes the compose file of the working directory, whatever it opens up.
    (tmp_path / "compose.yaml").write_text("services: {default: {network_mode: host}}")
    monkeypatch.chdir(tmp_path)
    plugin = registry().get("ltlbench")
    task = inspect_task.build(plugin, spec(tools="both", sandbox="docker", strategy="few_shot"))
    assert task.sandbox.type == "docker"
    (service,) = task.sandbox.config.services.values()
    assert service.network_mode == "none"
    assert not service.volumes
    assert task.message_limit == tools.MESSAGES + 4
    assert task.metadata["tools"] == "both"
    assert task.metadata["sandbox"] == "docker"
    again = type(task.sandbox).model_validate(task.sandbox.model_dump(mode="json"))
    assert again.config.services["default"].network_mode == "none"


def test_a_compose_file_is_handed_on(spec, tmp_path):
    task = inspect_task.build(
        registry().get("ltlbench"), spec(tools="code", sandbox="docker:my/compose.yaml")
    )
    assert (task.sandbox.type, task.sandbox.config) == ("docker", "my/compose.yaml")


@pytest.mark.parametrize(
    ("word", "names"),
    [
        ("none", []),
        ("web_search", ["web_search"]),
        ("code", ["python"]),
        ("both", ["web_search", "python"]),
    ],
)
def test_the_tools_are_inspects(word, names):
    assert [ToolDef(tool).name for tool in tools.equip(word)] == names


def test_search_is_every_models_own_and_the_first_service_with_a_key(monkeypatch):
    def providers():
        (tool,) = tools.equip("web_search")
        return set(ToolDef(tool).options) - {"internal_tool_type"}

    own = set(tools.BUILT_IN.values())
    assert providers() >= own
    before = providers()
    monkeypatch.setenv("EXA_API_KEY", "none")
    assert providers() == before | {"exa"}
    monkeypatch.setenv("TAVILY_API_KEY", "none")
    assert providers() == before | {"tavily"}


def test_tools_and_context_are_task_arguments_where_they_are_not_the_default(spec):
    assert "tools" not in inspect_task.task_params(spec())
    found = inspect_task.task_params(spec(tools="both", sandbox="docker", context="c.txt"))
    assert {k: found[k] for k in ("tools", "sandbox", "context")} == {
        "tools": "both", "sandbox": "docker", "context": "c.txt",
    }  # fmt: skip


# ---------------------------------------------------------------- on the wire


def test_openai_searches_by_itself_through_the_responses_api(run, server):
    def behaviour(request, number):
        return response("Answer: True", ("A calendar", "https://c.example/"), tokens=11)

    found = server(behaviour)
    result, log = run(tools="web_search", model="openai/gpt-4o")
    assert set(found.paths) == {"/v1/responses"}
    assert [tool["type"] for tool in found.requests[0]["tools"]] == ["web_search"]
    assert (result["tools"], result["unscored"], result["unparsed"]) == ("web_search", 0, 0)
    assert result["output_tokens"]["value"] == 11
    assert log.eval.task_args["tools"] == "web_search"
    # The same log is a context: what was cited, none of what the model said.
    text = context.load(log.location).texts[log.samples[0].id]
    assert text == "A calendar\nhttps://c.example/"


def test_a_search_service_answers_the_model_and_its_log_is_a_context_for_another(
    run, server, tavily, monkeypatch
):
    def behaviour(request, number):
        if request["messages"][-1]["role"] == "tool":
            return completion("Answer: True", tokens=7)
        return completion("", call=("web_search", {"query": "when?"}), tokens=5)

    found = server(behaviour)
    result, log = run(tools="web_search", model=LOCAL)
    assert [tool["function"]["name"] for tool in found.requests[0]["tools"]] == ["web_search"]
    assert tavily.requests[0]["query"] == "when?"
    assert (result["tools"], result["unparsed"], result["unscored"]) == ("web_search", 0, 0)
    # Both turns of the loop were written by the model.
    assert result["output_tokens"] == {"value": 12, "ci_low": None, "ci_high": None, "stderr": None}

    monkeypatch.delenv("TAVILY_API_KEY")
    asked = server(lambda request, number: completion("Answer: True"))
    result, _ = run(context=log.location, model=LOCAL)
    assert "tools" not in asked.requests[0]
    lines = prompt_of(asked.requests[0]).split("\n\n")
    assert lines[:4] == [
        "Here is some web search context that may help you:",
        "Seasons.",
        "Spring\nhttps://a.example/\nIt ends in May.",
        "Fall\nhttps://b.example/\nIt starts in September.",
    ]
    assert "\n\n".join(lines[4:]) in {sample.input for sample in log.samples}
    assert result["tools"] == "none"
    assert (result["context"]["file"], result["context"]["empty"]) == (log.location, 0)


def test_a_model_that_calls_tools_for_ever_is_stopped_and_said_nothing_readable(
    run, server, monkeypatch
):
    monkeypatch.setenv("EXA_API_KEY", "none")
    monkeypatch.setattr(tools, "MESSAGES", 7)
    found = server(lambda request, number: completion("", call=("nothing", {})))
    result, log = run(tools="web_search", model=LOCAL)
    assert (result["unparsed"], result["unscored"]) == (1.0, 0)
    assert {sample.limit.type for sample in log.samples} == {"message"}
    assert len(found.requests) == 2 * 3
    assert result["output_tokens"]["value"] == 3 * 2


def test_a_retry_has_the_same_tools_and_context(run, server, tmp_path, monkeypatch):
    monkeypatch.setenv("EXA_API_KEY", "none")
    file = tmp_path / "c.md"
    file.write_text("Some facts.")
    state = {"broken": True}
    found = server(lambda *_: failure(400) if state["broken"] else completion("Answer: True"))
    # Inspect keeps the model of a retry, with its address: no other test may have retried it.
    own = "openai-api/local/retried"
    result, log = run(
        tools="web_search", context=str(file), model=own, max_retries=0, strategy="cot"
    )
    assert result["unscored"] == 2
    state["broken"] = False
    (again,) = eval_retry(log.location, log_dir=str(tmp_path / "logs"), display="none")
    done = result_of_log(again)
    assert (done["unscored"], done["tools"], done["context"]) == (
        0,
        "web_search",
        result["context"],
    )
    last = found.requests[-1]
    assert [tool["function"]["name"] for tool in last["tools"]] == ["web_search"]
    assert prompt_of(last).startswith(f"{context.INTRODUCTION}\n\nSome facts.\n\n")
    assert prompt_of(last).endswith("Think step by step before you answer.")


# ---------------------------------------------------------------- searches that were made

SEARCH = {"type": "function", "function": {"name": "web_search"}}


def obedient(request, number):
    """Search where it has to, and never else."""
    if request.get("tool_choice") == SEARCH:
        return completion("", call=("web_search", {"query": "when?"}))
    return completion("Answer: True")


def searches_of(log):
    return [sample.scores["verdict"].metadata.get("searches") for sample in log.samples]


def test_a_search_is_made_where_it_is_required_and_only_once(run, server, tavily):
    found = server(obedient)
    result, log = run(tools="web_search", model=LOCAL)
    assert (result["tool_choice"], result["searched"]) == (None, {"answers": 0, "of": 2})
    assert searches_of(log) == [0, 0]
    assert {request["tool_choice"] for request in found.requests} == {"auto"}

    found = server(obedient)
    result, log = run(tools="web_search", tool_choice="required", model=LOCAL)
    assert (result["tool_choice"], result["searched"]) == ("required", {"answers": 2, "of": 2})
    assert (searches_of(log), result["unparsed"]) == ([1, 1], 0)
    asked = [request["tool_choice"] for request in found.requests]
    assert (asked.count(SEARCH), asked.count("auto")) == (2, 2)
    assert len(tavily.requests) == 2
    # Judged anew, and asked again by Inspect, it is the same.
    again = score(log, scorer.verdict(), action="overwrite", display="none")
    assert searches_of(again) == [1, 1]
    assert result_of_log(again)["searched"] == result["searched"]


def test_a_provider_may_ignore_that_a_search_is_required(run, server, tavily):
    found = server(lambda request, number: completion("Answer: True"))
    result, log = run(tools="web_search", tool_choice="required", model=LOCAL)
    assert [request["tool_choice"] for request in found.requests] == [SEARCH, SEARCH]
    assert (result["searched"], searches_of(log)) == ({"answers": 0, "of": 2}, [0, 0])
    shown = tables.result_table(result)
    assert "tools=web_search tool_choice=required" in shown
    assert "\nsearched: 0 of 2 answers" in shown


@slow
def test_searches_are_those_of_all_stages_turns_and_votes(run, server, tavily):
    server(obedient)
    values = {"tools": "web_search", "tool_choice": "required", "model": LOCAL}
    result, log = run(**values, strategy="least_to_most")
    assert (searches_of(log), result["searched"]) == ([2, 2], {"answers": 2, "of": 2})
    result, log = run(**values, samples=3)
    assert (searches_of(log), result["searched"]) == ([1] * 6, {"answers": 2, "of": 2})
    assert {one.metadata["searches"] for one in log.reductions[0].samples} == {3}
    result, _ = run(**values, epochs=3)
    assert result["searched"] == {"answers": 6, "of": 6}


def test_a_search_that_failed_is_none(run, server, tavily):
    def behaviour(request, number):
        if request["messages"][-1]["role"] == "tool":
            return completion("Answer: True")
        return completion("", call=("web_search", {"question": "?"}))

    server(behaviour)
    result, log = run(tools="web_search", model=LOCAL)
    assert not tavily.requests
    assert (searches_of(log), result["searched"]) == ([0, 0], {"answers": 0, "of": 2})


def test_a_providers_own_search_counts_and_so_do_the_sources_of_one_that_tells_no_more(run, server):
    source = ("A calendar", "https://c.example/")

    def behaviour(request, number):
        status, body = response("Answer: True", source if number < 2 else None)
        told = json.loads(body)
        told["output"] = told["output"][number == 1 :]  # the search itself is left out
        return status, json.dumps(told).encode()

    found = server(behaviour)
    result, log = run(
        tools="web_search", tool_choice="required", model="openai/gpt-4o", n=4, max_connections=1
    )
    assert {request["tool_choice"]["type"] for request in found.requests} == {"web_search_preview"}
    assert sorted(searches_of(log)) == [0, 0, 1, 1]
    assert result["searched"] == {"answers": 2, "of": 4}


def test_who_has_no_search_is_not_said_to_have_made_none(run, server):
    server(lambda request, number: completion("Answer: True"))
    result, log = run(model=LOCAL)
    assert (result["tool_choice"], result["searched"], searches_of(log)) == (
        None,
        None,
        [None, None],
    )
    assert "searched" not in tables.result_table(result)


@slow
def test_searches_are_in_the_tables_of_a_sweep_and_of_a_report(
    run, server, tavily, tmp_path, capsys
):
    server(obedient)
    results = [
        run(tools="web_search", tool_choice=choice, model=LOCAL)[0]
        for choice in ("auto", "required")
    ]
    results.append(run(model=LOCAL)[0])
    logs = [result["log"] for result in results]
    swept = tables.run({"results": results, "logs": logs, "view": "v"}).splitlines()
    assert [line.split()[-3:] for line in swept[2:4]] == [["0", "of", "2"], ["2", "of", "2"]]
    assert swept[0].split()[-1] == "searched"

    folder = tmp_path / "logs"
    assert main(["report", str(folder), "--json"]) == 0
    (study,) = json.loads(capsys.readouterr().out)["studies"]
    (table,) = (table for table in study["tables"] if table["title"] == "Results")
    at = table["head"].index("searched")
    plain = "openai-api/local/test"
    assert {row[0]: row[at] for row in table["rows"] if row[0].startswith(plain)} == {
        plain: None,
        f"{plain} · tools=web_search": "0 of 2",
        f"{plain} · tools=web_search (required)": "2 of 2",
    }
    (study,) = log_studies.load(log_studies.logs_of([str(folder)]), print)
    write_answers(tmp_path / "answers.csv", study)
    with (tmp_path / "answers.csv").open() as file:
        told = Counter((row["series"], row["searches"]) for row in csv.DictReader(file))
    assert told == {
        (plain, ""): 2,
        (f"{plain} · tools=web_search", "0"): 2,
        (f"{plain} · tools=web_search (required)", "1"): 2,
    }


# ---------------------------------------------------------------- fixed context


@pytest.mark.parametrize("strategy", ["direct", "few_shot_cot", "least_to_most"])
def test_the_reference_reads_the_puzzle_behind_a_context(run, tmp_path, strategy):
    file = tmp_path / "c.txt"
    file.write_text("Easter is in spring.\n\nAnswer: False\n")
    result, log = run(context=str(file), strategy=strategy, n=4)
    assert result["metrics"]["accuracy"]["value"] == 1.0
    assert result["context"] == {
        "file": str(file),
        "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
        "empty": 0,
    }
    assert log.eval.metadata["context"] == result["context"]
    assert result["output_tokens"] is None  # the embedded models make theirs up
    assert "Easter" not in json.dumps([sample.input for sample in log.samples])


def item(**values):
    return Item("p", "1", "Prompt.", "True", [1], **values)


FAMILY = "0123456789ab"


def test_a_text_is_found_by_id_then_family_then_published_id(tmp_path):
    file = tmp_path / "c.jsonl"
    one, two, three = item(), item(family=FAMILY), item(notes={"source_id": "q7"}, family="f" * 12)
    both = replace(two, target="False", id="")
    lines = [(one.id, "by id"), (FAMILY, "by family"), ("q7", "by source"), (both.id, "by own id")]
    text = "".join(json.dumps({"id": k, "context": v, "n": 1}) + "\n\n" for k, v in lines)
    file.write_text(text)
    found = context.load(str(file))
    assert [found.of(i) for i in (one, two, three, both)] == [
        "by id", "by family", "by source", "by own id",
    ]  # fmt: skip
    assert found.before(one, one.prompt) == f"{context.INTRODUCTION}\n\nby id\n\nPrompt."


def test_an_item_for_which_nothing_was_found_is_asked_bare_and_counted(tmp_path):
    file = tmp_path / "c.jsonl"
    one, two = item(), item(family=FAMILY)
    file.write_text(
        f'{{"id": "{one.id}", "context": ""}}\n{{"id": "{FAMILY}", "context": "\u2028x"}}'
    )
    assert context.load(str(file)).before(one, one.prompt) == "Prompt."
    assert context.facts(str(file), [one, two])["empty"] == 1
    with pytest.raises(SpecError, match="holds no text for any of 1 items"):
        context.facts(str(file), [one])


def test_items_without_a_text_are_counted_and_the_first_is_named(spec, tmp_path):
    file = tmp_path / "c.jsonl"
    file.write_text('{"id": "other", "context": "x"}\n')
    with pytest.raises(SpecError, match=r"no context for 2 of 2 items, the first is [0-9a-f]{20}$"):
        evaluation.run(spec(context=str(file)))
    assert not (tmp_path / "logs").exists()


@pytest.mark.parametrize(
    "line",
    [
        "x", "[]", "{}", "null", '{"id": "a"}', '{"id": 1, "context": "x"}',
        '{"id": "", "context": "x"}', '{"id": "a", "context": null}', '{"id": "a", "context": "x"',
        "[" * 100_000, '{"id": "a", "context": "' + "x" * context.MAX_LINE + '"}',
    ],
    ids=lambda line: line[:30],
)  # fmt: skip
def test_a_bad_line_is_named(tmp_path, line):
    file = tmp_path / "c.jsonl"
    file.write_text(f'{{"id": "good", "context": "x"}}\n{line}\n')
    with pytest.raises(SpecError, match="line 2 is not of the form") as caught:
        context.load(str(file))
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("c.jsonl", b'{"id":"a","context":"x"}\n{"id":"a","context":"y"}', "line 2 has the id a a second time"),
        ("c.jsonl", b"\xff", "not UTF-8"),
        ("c.txt", b"\xff", "not UTF-8"),
        ("c.txt", b"x" * 200_001, "200001 characters for all items, at most 200000"),
        ("c.jsonl", b'{"id":"a","context":"%b"}' % (b"x" * 200_001), "200001 characters for a"),
        ("c.eval", b"", "not a log of Inspect"),
        ("c.eval", b"PK\x03\x04 nonsense", "not a log of Inspect"),
        ("c.md", b" \n", "holds no text for any of 1 items"),
    ],
)  # fmt: skip
def test_a_bad_file_is_one_line(tmp_path, name, data, message):
    file = tmp_path / name
    file.write_bytes(data)
    with pytest.raises(SpecError) as caught:
        context.facts(str(file), [item()])
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_folder_or_a_giant_is_no_context(tmp_path, monkeypatch):
    (tmp_path / "c.txt").mkdir()
    with pytest.raises(SpecError, match="directory"):
        context.load(str(tmp_path / "c.txt"))
    monkeypatch.setattr(context, "MAX_FILE", 3)
    (tmp_path / "d.txt").write_text("four")
    with pytest.raises(SpecError, match="4 bytes, at most 3"):
        context.load(str(tmp_path / "d.txt"))


def test_a_log_without_a_search_is_no_context(run, spec):
    _, log = run()
    with pytest.raises(SpecError, match="holds no text for any of 2 items"):
        evaluation.run(spec(context=log.location))


def test_a_log_knows_its_items_by_family_too(run, server, tavily, tmp_path):
    def behaviour(request, number):
        if request["messages"][-1]["role"] == "tool":
            return completion("Answer: True")
        return completion("", call=("web_search", {"query": "when?"}))

    server(behaviour)
    _, log = run(tools="web_search", model=LOCAL, strategy="self_consistency", samples=2)
    for sample in log.samples:
        sample.metadata["family"] = FAMILY
    write_eval_log(log, str(tmp_path / "c.eval"))
    found = context.load(str(tmp_path / "c.eval"))
    # Two samples of two items found the same: each source is there once.
    assert found.of(item(family=FAMILY)).count("https://a.example/") == 1
    assert found.of(item()) is None


def test_an_item_comes_back_from_its_sample_with_its_family():
    one = item(family=FAMILY)
    (sample,) = samples.samples([one])
    state = TaskState(
        model=ModelName("a/b"), sample_id=sample.id, epoch=1, input=sample.input, messages=[],
        target=Target(sample.target), metadata=sample.metadata,
    )  # fmt: skip
    assert samples.item_of(state, state.target) == one


def test_a_changed_file_is_read_anew(tmp_path):
    file = tmp_path / "c.txt"
    file.write_text("one")
    assert context.load(str(file)).texts == {"": "one"}
    file.write_text("three")
    assert context.load(str(file)).texts == {"": "three"}


def test_a_providers_own_result_yields_its_sources_and_no_cipher():
    blocks = [
        {"type": "web_search_result", "title": "T", "url": "u", "encrypted_content": "SECRET"},
        {"results": [{"title": "V", "url": "w", "snippet": "words", "rank": 2}]},
    ]
    assert [part for part in context._result(json.dumps(blocks)) if part] == ["T\nu", "V\nw\nwords"]
    assert list(context._result(" plain words ")) == ["plain words"]
    assert list(context._result("[" * 100_000)) == ["[" * 100_000]


def test_no_bytes_whatever_break_the_reader(tmp_path):
    rng = random.Random(3)
    file = tmp_path / "c.jsonl"
    alphabet = '{}[]":,\\ \n' + string.ascii_letters + "é\u2028"
    told = []
    for _ in range(300):
        file.write_text("".join(rng.choices(alphabet, k=rng.randrange(1, 60))))
        try:
            context.load(str(file))
        except HarnessError as error:
            told.append(str(error))
    assert len(told) > 200
    assert not any("\n" in one for one in told)
