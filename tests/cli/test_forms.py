"""What people type in the place of ``plugin=NAME key=value``, and the help that explains every key."""

import json
import re

import pytest
from cases import each, slow
from inspect_ai.log import read_eval_log

from harness.cli import main
from harness.cli.command import commands
from harness.core.features import options
from harness.core.plugins import registry


@pytest.fixture
def say(capsys):
    def run(*words):
        code = main.main(words)
        out, err = capsys.readouterr()
        return code, out, err

    return run


@each(
    "words",
    [
        ["ltlbench", "n=2", "seed=7"],
        ["n=2", "ltlbench", "seed=7"],
        ["ltlbench", "--n", "2", "--seed=7"],
        ["ltlbench", "-n", "2", "--seed", "7"],
        ["--plugin", "ltlbench", "-n=2", "seed=7"],
        ["--seed", "7", "-n", "2", "ltlbench"],
    ],
)  # fmt: skip
def test_every_form_means_the_same(say, words):
    _, expected, _ = say("show", "plugin=ltlbench", "n=2", "seed=7", "--json")
    assert say("show", *words, "--json") == (0, expected, "")


def test_a_run_takes_them_too(say, tmp_path):
    words = ["ltlbench", "-n", "2", "--log-dir", str(tmp_path), "--logic", "paper,full"]
    code, out, err = say("run", *words, "--model", "harness/constant", "--json")
    assert (code, err.count("\n")) == (0, 2)  # which point of the sweep it is
    results = json.loads(out)["results"]
    assert [result["config"]["logic"] for result in results] == ["paper", "full"]
    assert [result["model"] for result in results] == ["harness/constant"] * 2
    assert len([*tmp_path.glob("*.eval")]) == 2


@each(
    "words, message",
    [
        (["run", "lltbench"], "no plugin 'lltbench'; did you mean 'ltlbench'?"),
        (["run", "ltlbench", "timepuzzles"], "'timepuzzles' is not key=value"),
        (["run", "plugin=ltlbench", "ltlbench"], "'ltlbench' is not key=value"),
        (["run", "ltlbench", "--plugin", "vltl"], "'plugin' is given twice"),
        (["run", "ltlbench", "--n"], "the option '--n' has no value"),
        (["run", "ltlbench", "--n="], "the option '--n=' has no value"),
        (["run", "ltlbench", "--n", "2", "n=3"], "'n' is given twice"),
        (["run", "ltlbench", "--seed", "-1"], "seed=-1: the least is 0"),
        (["run", "ltlbench", "--jsn"], "unknown option '--jsn'; did you mean '--json'?"),
        (["run", "ltlbench", "--modle", "n=3"], "unknown option '--modle'; did you mean '--model'?"),
        (["run", "ltlbench", "--operatos", "3"], "unknown key 'operatos' for plugin ltlbench; did you mean"),
        (["run", "ltlbench", "limit=3"], "unknown key 'limit'; did you mean 'n'?"),
        (["run", "ltlbench", "--limit", "3"], "unknown key 'limit'; did you mean 'n'?"),
        (["report", "logs", "--ouut", "x"], "unknown option '--ouut'; did you mean '--out'?"),
        (["list", "--n", "3"], "unknown option '--n'"),
        (["run", "nothing", "--help"], "no plugin 'nothing'; known: ltlbench,"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_a_line(say, words, message):
    code, out, err = say(*words)
    assert (code, out) == (2, "") or code == 1
    assert err.startswith(f"harness: {message}")
    assert err.count("\n") == 1


@pytest.mark.parametrize("name", commands())
def test_the_help_explains_every_key_in_a_line(say, name):
    _, text, _ = say(name, "--help")
    lines = text.splitlines()
    for key in commands()[name].keys:
        option = options()[key]
        (line,) = [line for line in lines if re.match(rf"{key} +{option.type}", line)]
        assert option.help_for.get(name, option.help) in line
        if option.default is not None:
            assert json.dumps(option.default) in line
    if commands()[name].settings:
        assert re.search(r"^plugin +string", text, re.MULTILINE)
        assert re.search(r"^preset +string", text, re.MULTILINE)


def test_settings_stand_under_what_they_decide(say):
    _, text, _ = say("run", "--help")
    parts = text.split("\n\n")
    places = {
        line.split()[0]: part.splitlines()[0]
        for part in parts
        for line in part.splitlines()[3:]
        if line
    }
    assert (places["n"], places["model"], places["timeout"], places["log_dir"]) == (
        "items",
        "asking",
        "serving",
        "place",
    )


@pytest.mark.parametrize(
    "words", [["ltlbench", "--help"], ["--help", "plugin=ltlbench"], ["-h", "--plugin", "ltlbench"]]
)
def test_the_help_of_a_benchmark_adds_its_own_keys(say, words):
    _, text, _ = say("run", *words)
    own = text.partition("keys of ltlbench\n")[2]
    for key, schema in registry().get("ltlbench").benchmark.config_schema["properties"].items():
        assert re.search(rf"^{key} .*{re.escape(schema['description'])}", own, re.MULTILINE)


def test_the_help_of_a_benchmark_adds_what_else_inspect_can_ask(say):
    _, text, _ = say("run", "ltlbench", "--help")
    assert re.search(r"^reasoning_effort +string +constrains effort", text, re.MULTILINE)
    assert (
        text.index("\ntemperature ") < text.index("\nreasoning_effort ") < text.index("\nserving\n")
    )
    assert "reasoning_effort" not in say("show", "ltlbench", "--help")[1]


@slow
def test_the_environment_names_what_is_not_typed(say, tmp_path, monkeypatch):
    monkeypatch.setenv("INSPECT_LOG_DIR", str(tmp_path / "theirs"))
    monkeypatch.setenv("HARNESS_LOG_DIR", str(tmp_path / "logs"))
    monkeypatch.setenv("INSPECT_EVAL_MODEL", "harness/constant")
    monkeypatch.setenv("INSPECT_EVAL_TAGS", "a,b")
    monkeypatch.setenv("HARNESS_MODEL", "")
    _, out, _ = say("run", "ltlbench", "n=1", "--json")
    (log,) = (tmp_path / "logs").glob("*.eval")
    assert json.loads(out)["results"][0]["model"] == "harness/constant"
    assert sorted(read_eval_log(str(log), header_only=True).eval.tags) == ["a", "b"]
    _, out, _ = say(
        "run", "ltlbench", "n=1", "model=harness/random", f"log_dir={tmp_path}/mine", "--json"
    )
    assert json.loads(out)["results"][0]["model"] == "harness/random"
    assert [*(tmp_path / "mine").glob("*.eval")]
    assert not (tmp_path / "theirs").exists()
    monkeypatch.setenv("INSPECT_EVAL_TEMPERATURE", "hot")
    code, _, err = say("run", "ltlbench", "n=1")
    assert (code, err) == (2, "harness: temperature=hot: expected a number\n")
