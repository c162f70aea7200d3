"""What Inspect can ask is a key of `harness run`: from its own types, checked before the run, recorded in the log."""

import copy
import inspect
import json
from dataclasses import replace

import inspect_ai
import pytest
from cases import each, slow
from inspect_ai.log import read_eval_log
from inspect_ai.model import GenerateConfig
from openai_server import completion, serving

from harness.aids import inspect_options, inspect_source
from harness.cli.main import main
from harness.core.features import extend, features, keys_of, options, reserved
from harness.core.plugins import registry
from harness.core.spec import make

MODEL = "model=openai-api/local/test"


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run the command against a local server; return exit code, results, complaints and requests."""
    requests = []

    def answer(request, number):
        requests.append(request)
        return completion("Answer: True")

    with serving(answer) as server:
        monkeypatch.setenv("LOCAL_API_KEY", "none")
        monkeypatch.setenv("LOCAL_BASE_URL", server.url)
        monkeypatch.chdir(tmp_path)

        def act(*words):
            requests.clear()
            code = main(["run", "ltlbench", "n=2", MODEL, *words, "--json"])
            out, err = capsys.readouterr()
            return code, json.loads(out), err, list(requests)

        yield act


def test_all_that_inspect_asks_with_is_a_key():
    extend()
    known = set(keys_of("run"))
    assert known >= set(GenerateConfig.model_fields) - {"response_schema"}
    limits = {
        name for name in inspect.signature(inspect_ai.eval).parameters if name.endswith("_limit")
    }
    assert limits >= {"token_limit", "time_limit", "cost_limit"}
    assert known >= limits | {"model_args", "model_roles", "model_base_url", "max_samples", "tags"}
    for name in ("tasks", "solver", "score", "sample_id", "task_args"):
        assert name not in known
    # What is decided here, or changes no answer, is still something that Inspect has.
    there = {*GenerateConfig.model_fields, *inspect.signature(inspect_ai.eval).parameters}
    assert there >= inspect_source.DECIDED | inspect_options.SERVICE
    assert all(options()[name].help for name in known)


def test_its_source_says_what_its_types_say():
    extend()
    known = {option.name: option for option in inspect_options.options()}
    (words,) = features().hook.late_words()
    assert words.keys() >= known.keys()
    assert words.keys() - known.keys() <= reserved()
    for name, option in known.items():
        meaning, values = words[name]
        assert meaning == option.help != "as in Inspect", name
        if option.type != "object" and name in GenerateConfig.model_fields:
            assert values == (("yes", "no") if option.type == "boolean" else option.choices), name


@slow
def test_it_reaches_the_model_and_the_log(run):
    given = [
        "reasoning_effort=high",
        "system_message=Be brief.",
        "frequency_penalty=0.5",
        "stop_seqs=[END]",
    ]
    code, found, err, requests = run(
        *given, "tags=a,b", "token_limit=5k", "max_samples=1", "model_args={stream: false}"
    )
    assert (code, err) == (0, "")
    assert len(requests) == 2
    for request in requests:
        assert (request["reasoning_effort"], request["frequency_penalty"]) == ("high", 0.5)
        assert request["stop"] == ["END"]
        assert request["messages"][0]["content"] == "Be brief."
    log = read_eval_log(found["logs"][0], header_only=True)
    assert log.plan.config.reasoning_effort == "high"
    assert sorted(log.eval.tags) == ["a", "b"]
    assert (log.eval.config.token_limit, log.eval.config.max_samples) == (5000, 1)
    assert log.eval.model_args == {"stream": False}


@slow
def test_shards_are_asked_the_same_way(run, shards_here):
    code, _, _, requests = run("reasoning_effort=low", "shards=2", "workers=1")
    assert code == 0
    assert [request["reasoning_effort"] for request in requests] == ["low"] * 2


@slow
def test_a_run_goes_on_only_if_it_is_asked_the_same(run, tmp_path):
    first = run("reasoning_effort=low")[1]["logs"][0]
    log = read_eval_log(first)
    log.status = "cancelled"
    log.samples.pop()
    inspect_ai.log.write_eval_log(log, first)
    assert len(run("reasoning_effort=high")[3]) == 2
    assert len(run("reasoning_effort=low", "max_samples=1")[3]) == 1


@each(
    "word, message",
    [
        ("reasoning_effort=hig", "reasoning_effort=hig; did you mean 'high'?"),
        ("reasoning_efort=high", "unknown key 'reasoning_efort' for plugin ltlbench; did you mean 'reasoning_eff"),
        ("cost_limit=much", "cost_limit=much: expected a number"),
        ("token_limit=much", "token limit: expected "),
        ("batch=maybe", "batch=maybe: "),
        ("logit_bias=[1]", "logit_bias=[1]: input should be a valid dictionary"),
        ("model_args=file.json", "model_args=file.json: expected {name: value}"),
        ("model_args={api_key: x}", "model_args: 'api_key' would stand in the log"),
        ("extra_headers={Authorization: x}", "extra_headers: 'Authorization' would stand in the log"),
        ("response_schema={}", "unknown key 'response_schema'"),
        ("solver=x", "unknown key 'solver'"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_before_anything_is_asked(word, message, capsys, tmp_path):
    assert main(["run", "ltlbench", "n=2", f"log_dir={tmp_path}", word]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"harness: {message}")
    assert err.count("\n") == 1
    assert not [*tmp_path.iterdir()]


def test_other_commands_know_nothing_of_them(capsys):
    assert main(["show", "ltlbench", "n=1", "reasoning_effort=high"]) == 2
    assert "unknown key 'reasoning_effort'" in capsys.readouterr().err


def test_a_key_of_a_benchmark_goes_before_one_of_inspects():
    plugin = registry().get("ltlbench")
    schema = copy.deepcopy(dict(plugin.benchmark.config_schema))
    schema["properties"]["verbosity"] = {"type": "integer", "default": 1}
    own = replace(plugin, benchmark=replace(plugin.benchmark, config_schema=schema))
    extend()
    spec = make(own, {"verbosity": 3})
    assert (spec.config["verbosity"], spec.options["verbosity"]) == (3, None)
    assert "verbosity" not in reserved()
    assert make(plugin, {"verbosity": "low"}).options["verbosity"] == "low"
