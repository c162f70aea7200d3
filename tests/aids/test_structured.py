"""Structured output: the schema on the wire, bare JSON at the scorer, and what is refused."""

import json
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest
from cases import slow
from harness_errors import SpecError
from inspect_ai import eval_retry
from inspect_ai.log import read_eval_log
from openai_server import completion, failure, response

from harness.aids.structure import schema_of
from harness.cli import tables
from harness.cli.main import main
from harness.core import fresh, plugins
from harness.core.hookspecs import Strategy
from harness.core.plugins import Hook
from harness.core.spec import make
from harness.datasets import dataset
from harness.run import inspect_task

MODEL = "model=openai-api/local/test"
SAID = '{"word": "three"}'


@pytest.fixture
def plugin(toys):
    return plugins.registry().get("toy_telling")


@pytest.fixture
def schema(plugin, monkeypatch):
    """Let the toy say another schema."""
    toy = import_module("toy_telling").toy
    return lambda value: monkeypatch.setattr(toy, "schema", value)


@pytest.fixture
def run(plugin, tmp_path, capsys):
    """Call `harness run` on the toy; return exit code and its JSON."""

    def call(*words, structured="yes"):
        own = ["plugin=toy_telling", f"structured={structured}", f"log_dir={tmp_path / 'logs'}"]
        code = main(["run", *own, *words, "--json"])
        return code, json.loads(capsys.readouterr().out)

    return call


def said(request, number):
    return completion(SAID)


@slow
def test_the_schema_is_on_the_wire_and_bare_json_reaches_the_scorer(run, client, plugin):
    server = client(said)
    code, found = run("n=12", MODEL, "max_tokens=9")
    assert code == 0
    (form,) = {json.dumps(request["response_format"]) for request in server.requests}
    form = json.loads(form)
    assert form["type"] == "json_schema"
    assert form["json_schema"]["name"] == "answer"
    assert form["json_schema"]["schema"] == dict(import_module("toy_telling").toy.schema)
    assert form["json_schema"]["strict"] is True
    assert {request["max_tokens"] for request in server.requests} == {9}
    samples = read_eval_log(found["logs"][0]).samples
    assert {sample.output.completion for sample in samples} == {SAID}
    assert {sample.scores["verdict"].answer for sample in samples} == {"three"}
    right = [sample.target == "three" for sample in samples]
    assert [sample.scores["verdict"].value["correct"] for sample in samples] == right
    assert found["results"][0]["unparsed"] == 0


def test_without_the_key_nothing_is_on_the_wire(run, client):
    server = client(said)
    _, found = run("n=2", MODEL, structured="no")
    assert not any("response_format" in request for request in server.requests)
    assert found["results"][0]["structured"] is None
    assert "structured" not in read_eval_log(found["logs"][0]).eval.task_args
    assert "structured" not in tables.run(found)


def test_the_responses_api_is_sent_it_too(run, monkeypatch, client):
    server = client(lambda request, number: response(SAID))
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    run("n=1", "model=openai/gpt-4o", "tools=web_search")
    assert server.paths == ["/v1/responses"]
    assert server.requests[0]["text"]["format"]["name"] == "answer"
    assert "word" in server.requests[0]["text"]["format"]["schema"]["properties"]


def test_the_log_and_the_tables_say_so_and_a_retry_asks_the_same(run, client):
    state = {"broken": True}
    server = client(lambda *_: failure(400) if state["broken"] else completion(SAID))
    _, found = run("n=2", MODEL, "max_retries=0")
    log = read_eval_log(found["logs"][0])
    assert log.eval.task_args["structured"] is True
    assert log.eval.metadata["structured"] == found["results"][0]["structured"] == {"without": 0}
    assert "strategy=direct structured=yes · n=2" in tables.run(found)
    state["broken"], before = False, len(server.requests)
    folder = str(Path(found["logs"][0]).parent)
    (again,) = eval_retry(found["logs"][0], log_dir=folder, display="none")
    assert (again.status, again.eval.task_args["structured"]) == ("success", True)
    assert len(server.requests) == before + 2
    assert all("response_format" in request for request in server.requests[before:])


def test_a_sweep_over_it_has_a_column(run, client):
    client(said)
    _, found = run("n=1", MODEL, structured="no,yes")
    assert [result["structured"] for result in found["results"]] == [None, {"without": 0}]
    assert tables.run(found).split("\n\n")[0].split()[0] == "structured"


def standing_in(hook, function):
    """Return a hook that calls a function, and has the implementations of another."""

    class StandingIn(Hook):
        def __call__(self, **arguments):
            return function(**arguments)

    return StandingIn(hook.benchmark, hook.name, hook.caller, hook.seconds)


def test_items_without_a_schema_are_asked_freely_and_counted(run, client, plugin, monkeypatch):
    usual = plugin.hooks.structure

    def structure(item):
        return usual(item=item) if item.index else None

    monkeypatch.setattr(plugin.hooks, "structure", standing_in(usual, structure))
    server = client(said)
    _, found = run("n=3", MODEL)
    assert sum("response_format" in request for request in server.requests) == 2
    assert found["results"][0]["structured"] == {"without": 1}


def test_every_sample_of_a_vote_and_few_shot_are_held_to_it(run, client):
    server = client(said)
    run("n=1", MODEL, "samples=3")
    run("n=1", MODEL, "strategy=few_shot", "shots=2")
    assert len(server.requests) == 4
    assert all("response_format" in request for request in server.requests)


def test_the_reference_ignores_it(run):
    code, found = run("n=2", "strategy=few_shot", "shots=1")
    assert (code, found["results"][0]["metrics"]["correct"]["value"]) == (0, 1.0)
    sample = read_eval_log(found["logs"][0]).samples[0]
    assert sample.output.completion.splitlines()[-1].startswith("Answer: ")


def test_items_from_a_file_are_asked_so_too(run, client, plugin, tmp_path):
    path = tmp_path / "d.jsonl"
    dataset.write(plugin, make(plugin, {"n": 2}), path)
    server = client(said)
    assert run(f"dataset={path}", MODEL)[0] == 0
    assert ["response_format" in request for request in server.requests] == [True, True]


@pytest.mark.parametrize(
    ("other", "strict"),
    [
        ({"type": "object", "properties": {}, "additionalProperties": False}, True),
        ({"type": "object", "properties": {}}, False),
        ({"type": "object", "additionalProperties": {"type": "string"}}, False),
        ({"type": "array", "items": {"type": "string"}}, False),
        ({"type": "string", "enum": ["one"]}, False),
        ({"anyOf": [{"type": "string"}]}, False),
    ],
)
def test_strict_is_said_of_what_leaves_nothing_open(plugin, schema, other, strict):
    assert form_of(plugin, schema, other).strict is strict


@pytest.mark.parametrize(
    ("part", "strict"),
    [
        ({"type": "array", "items": {"type": ["string", "null"]}}, True),
        ({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "null"}}]}, True),
        ({"type": "array"}, False),
        ({"type": "array", "items": {"type": "object"}}, False),
        ({"anyOf": [{"type": "string"}, {}]}, False),
        ({"oneOf": [{"type": "string"}]}, False),
        ({"$ref": "#/$defs/x"}, False),
        ({"const": 3}, False),
    ],
)
def test_strict_looks_at_every_part(plugin, schema, part, strict):
    whole = {
        "type": "object",
        "properties": {"x": part},
        "required": ["x"],
        "additionalProperties": False,
    }
    assert form_of(plugin, schema, whole).strict is strict
    assert form_of(plugin, schema, whole | {"required": []}).strict is False


def test_parts_keep_their_order(plugin, schema):
    parts = {name: {"type": "string"} for name in ("zebra", "ape", "mole")}
    found = form_of(plugin, schema, {"type": "object", "properties": parts})
    assert list(found.json_schema.properties) == ["zebra", "ape", "mole"]


def form_of(plugin, schema, value):
    schema(value)
    return schema_of(plugin, fresh.item_at(plugin, make(plugin, {}), 0))


def deep(levels):
    value = {"type": "string"}
    for _ in range(levels):
        value = {"type": "array", "items": value}
    return value


BROKEN = [
    ({"type": "objekt"}, "is no JSON Schema that Inspect takes: type"),
    ({"type": "array", "items": [{"type": "string"}]}, "Inspect takes: items"),
    ({"type": "object", "properties": {"a": True}}, "Inspect takes: properties.a"),
    ({"type": "object", "properties": {"a\n\x1b": True}}, "Inspect takes: properties.a"),
    (deep(400), "Inspect takes: items.items"),
    (deep(20_000), "what is not JSON: RecursionError"),
    ({"enum": {1, 2}}, "what is not JSON: TypeError"),
    ({"enum": [float("inf")]}, "what is not JSON: ValueError"),
    ({"description": "\udcff"}, "what is not JSON: UnicodeEncodeError"),
]


@pytest.mark.parametrize(("value", "message"), BROKEN, ids=[b[1][-25:] for b in BROKEN])
def test_what_is_no_schema_is_one_line_before_the_run(run, schema, tmp_path, value, message):
    schema(value)
    code, found = run("n=2")
    assert (code, found["error"]["kind"]) == (2, "PluginError")
    assert message in found["error"]["message"]
    assert found["error"]["message"].isprintable()
    assert len(found["error"]["message"]) < 500
    assert not (tmp_path / "logs").exists()


def test_a_hook_that_returns_no_dict(plugin, monkeypatch, run):
    hook = standing_in(plugin.hooks.structure, lambda item: "string")
    monkeypatch.setattr(plugin.hooks, "structure", hook)
    message = "plugin 'toy_telling': structure() returned str, expected a dict or None"
    assert run("n=2")[1]["error"] == {"kind": "PluginError", "message": message}


def test_items_none_of_which_has_a_schema_are_refused(run, schema):
    schema(None)
    assert run("n=2")[1]["error"] == {
        "kind": "SpecError",
        "message": "structured=yes: toy_telling says no schema for the answers to these items",
    }


@pytest.mark.parametrize("name", ["cot", "few_shot_cot", "self_consistency", "least_to_most"])
def test_reasoning_has_no_room_in_a_schema(run, name):
    assert run("n=2", f"strategy={name}")[1]["error"] == {
        "kind": "SpecError",
        "message": "structured=yes leaves no room for the reasoning that "
        f"strategy={name} asks for; use strategy=direct or few_shot",
    }


@pytest.mark.parametrize(
    "own",
    [
        {"stages": ("first",)},
        {"steps": ("Hm?",)},
        {"suffix": "Think."},
        {"examples": True, "rationale": True},
    ],
)
def test_a_plugins_own_strategies_that_ask_for_words_are_refused(plugin, own):
    benchmark = replace(plugin.benchmark, strategies=(Strategy("own", "", **own),))
    other = replace(plugin, benchmark=benchmark)
    with pytest.raises(SpecError, match="no room for the reasoning that strategy=own"):
        make(other, {"strategy": "own", "structured": True})
    assert make(other, {"strategy": "own", "structured": False}).structured is False


def test_a_plugin_that_says_no_schema(toys):
    good = plugins.registry().get("toy_good")
    with pytest.raises(SpecError) as caught:
        make(good, {"structured": True})
    assert str(caught.value) == (
        "'structured' does not apply to toy_good: it says no schema of its answers"
    )


def test_a_wrapper_alone_is_no_hook(toys):
    assert not toys.registry("Good", wrapper=True).get("toy_good").has("structure")
    assert toys.registry("Telling", wrapper=True).get("toy_telling").has("structure")


@pytest.mark.parametrize("value", ["json", "1"])
def test_the_key_is_yes_or_no(run, value):
    message = f"structured={value}: expected a boolean"
    assert run("n=2", structured=value)[1]["error"]["message"] == message


@slow
def test_inspects_own_way_in(plugin):
    task = inspect_task.from_params("toy_telling", {"n": 2, "structured": True})
    assert task.metadata["structured"] == {"without": 0}
    with pytest.raises(SpecError, match="no room for the reasoning"):
        inspect_task.from_params("toy_telling", {"strategy": "cot", "structured": True})
