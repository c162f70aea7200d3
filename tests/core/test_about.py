"""What a plugin says of a dataset: in the manifest, in the log, its warnings on standard error."""

import json
from pathlib import Path

import pytest
from harness_errors import ExhaustedError, PluginError
from inspect_ai.log import read_eval_log
from openai_server import completion

from harness.cli.main import main
from harness.core import facts, plugins
from harness.core.spec import make
from harness.datasets import manifests
from harness.run import evaluation
from harness.run.results import result_of_log

WARNING = "warning: two of the pool\\nare \\x1b[31mout\n"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def plugin(toys):
    return plugins.registry().get("toy_telling")


@pytest.fixture
def says(plugin, monkeypatch):
    """Let the toy's hook return a value, or raise one; return the calls it gets."""
    calls = []

    def let(value):
        def about(config, salt):
            calls.append((config, salt))
            if isinstance(value, Exception):
                raise value
            return value

        monkeypatch.setattr(plugin.hooks, "about", about)
        return calls

    return let


@pytest.fixture
def harness(plugin, capsys):
    def call(command, *words):
        code = main([command, "plugin=toy_telling", *words])
        return code, *capsys.readouterr()

    return call


def manifest():
    return json.loads(Path("d.jsonl.manifest.json").read_text())


COMMANDS = [("generate", "n=2", "out=d.jsonl"), ("show",), ("run", "n=2")]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda w: w[0])
def test_a_warning_is_one_harmless_line_on_standard_error(harness, words):
    code, out, said = harness(*words, "--json")
    assert (code, said) == (0, WARNING)
    assert json.loads(out)


def test_the_manifest_and_the_log_hold_it(harness):
    _, out, _ = harness("generate", "n=2", "top=9", "out=d.jsonl", "--json")
    said = manifest()["plugin"]
    assert (said["top"], said["pool"], len(said["salt"])) == (9, 7, 16)
    assert said == json.loads(out)["plugin"]
    _, out, _ = harness("run", "n=2", "top=9", "--json")
    (result,) = json.loads(out)["results"]
    log = read_eval_log(result["log"])
    assert said == result["about"] == log.eval.metadata["about"]
    assert log.eval.metadata["plugin"] == "toy_telling"


def test_nothing_said_is_nothing_written_and_an_empty_object_is_one(harness, says):
    says(None)
    assert harness("generate", "n=2", "out=d.jsonl")[2] == ""
    assert "plugin" not in manifest()
    assert json.loads(harness("run", "n=2", "--json")[1])["results"][0]["about"] is None
    Path("d.jsonl").unlink()
    says({})
    assert harness("generate", "n=2", "out=d.jsonl")[2] == ""
    assert manifest()["plugin"] == {}


def test_a_plugin_without_the_hook_says_nothing(toys):
    good = plugins.registry().get("toy_good")
    assert manifests.about(good, make(good, {})) is None


def test_nothing_is_asked_about_items_from_a_file(harness, says):
    harness("generate", "n=2", "out=d.jsonl")
    calls = says(ZeroDivisionError())
    for command in ("show", "run"):
        assert harness(command, "dataset=d.jsonl")[::2] == (0, "")
    assert calls == []


@pytest.mark.parametrize("words", COMMANDS, ids=lambda w: w[0])
def test_it_is_asked_once_and_after_the_items_were_made(harness, plugin, says, monkeypatch, words):
    calls, usual = says({}), plugin.hooks.generate

    def generate(**given):
        assert not calls
        return usual(**given)

    monkeypatch.setattr(plugin.hooks, "generate", generate)
    assert harness(*words, "seed=3")[0] == 0
    assert len(calls) == 1


@pytest.mark.parametrize("words", COMMANDS, ids=lambda w: w[0])
@pytest.mark.parametrize(
    ("value", "message"),
    [
        (ExhaustedError("all of the pool is out"), "all of the pool is out"),
        (ZeroDivisionError("slip"), "plugin 'toy_telling': about() failed: ZeroDivisionError: slip"),
        (["x"], "plugin 'toy_telling': about() returned list, expected a dict or None"),
        ({"x": {1}}, "about() returned what is not JSON: TypeError: Object of type set"),
    ],
    ids=["ours", "slip", "list", "set"],
)  # fmt: skip
def test_a_hook_that_fails_ends_the_command_with_one_line(harness, says, words, value, message):
    says(value)
    code, out, said = harness(*words)
    assert (code, out, said.count("\n")) == (2, "", 1)
    assert message in said
    assert not Path("d.jsonl").exists()
    assert not Path("logs").exists()


def endless():
    value = {}
    value["self"] = value
    return value


@pytest.mark.parametrize(
    "value",
    [True, "x", {"x": float("nan")}, {"x": "\ud800"}, {(1, 2): 3}, endless(), {"warnings": "x"},
     {"warnings": None}, {"warnings": [1]}, {"warnings": {}}],
    ids=lambda v: ascii(v)[:20],
)  # fmt: skip
def test_what_is_no_json_object_is_refused(plugin, says, value):
    says(value)
    with pytest.raises(PluginError, match=r"^plugin 'toy_telling': about\(\) returned ") as caught:
        manifests.about(plugin, make(plugin, {}))
    assert "\n" not in str(caught.value)


def test_a_dataset_without_its_last_word_goes_on_with_the_same_command(harness, says):
    says(ZeroDivisionError("slip"))
    assert harness("generate", "n=2", "out=d.jsonl")[0] == 2
    lines = Path("d.jsonl.partial").read_bytes()
    says({"pool": 3})
    assert harness("generate", "n=2", "out=d.jsonl")[0] == 0
    assert Path("d.jsonl").read_bytes() == lines
    assert manifest()["plugin"] == {"pool": 3}


def test_a_run_warns_before_the_model_is_asked(plugin, client, tmp_path):
    warned = []

    def behaviour(request, number):
        return completion("Answer: two" if warned else "nobody warned me")

    client(behaviour)
    values = {"n": 3, "model": "openai-api/local/test", "log_dir": str(tmp_path / "logs")}
    result = result_of_log(evaluation.run(make(plugin, values), warned.append))
    assert [f"{line}\n" for line in warned] == [WARNING]
    assert result["unparsed"] == 0


@pytest.mark.parametrize(("count", "last"), [(0, []), (20, []), (21, ["… and 1 more"])])
def test_there_are_at_most_twenty_lines_and_a_count(count, last):
    lines = facts.warnings({"warnings": [f"no. {i}" for i in range(count)]})
    assert lines == [f"warning: no. {i}" for i in range(min(count, 20))] + last


def test_a_warning_cannot_break_its_line_or_steer_the_terminal():
    (line,) = facts.warnings({"warnings": ["a\r\n\x1b]0;b\x07\u202e\u2028é漢" + "x" * 1000]})
    assert line.startswith("warning: a\\r\\n\\x1b]0;b\\x07\\u202e\\u2028é漢xx")
    assert line.isprintable()
    assert len(line) < 350
    assert line.endswith("x…")
