"""Files of runs: several benchmarks, models and strategies in one, validated, recorded, and written from words."""

import json
import random

import pytest
import yaml
from cases import each, slow, some
from inspect_ai.log import read_eval_log

from harness.cli import main
from harness.core.features import keys_of
from harness.core.plugins import registry
from harness.core.words import build
from harness.rerun import run_file

STUDY = """
# what people read
description: two benchmarks, two models
defaults: {n: 2, seed: 5, model: [harness/reference, harness/constant]}
runs:
  - plugin: ltlbench  # swept
    operators: [1, 2]
  - plugin: [timepuzzles, vltl]
    n: 1
"""


@pytest.fixture
def say(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(*words):
        code = main.main(("run", *words))
        out, err = capsys.readouterr()
        return code, out, err

    return run


@slow
def test_a_file_is_every_combination_with_what_is_typed_before_it(say, tmp_path):
    (tmp_path / "study.yaml").write_text(STUDY)
    code, out, _ = say("study.yaml", "--seed", "6", "log_dir=kept", "--json")
    results = json.loads(out)["results"]
    assert code == 0
    runs = [(r["plugin"], r["model"], r["n"], r["config"].get("operators")) for r in results]
    models = ("harness/reference", "harness/constant")
    assert runs == [
        *(("ltlbench", model, 2, operators) for model in models for operators in (1, 2)),
        *(("timepuzzles", model, 1, None) for model in models),
        *(("vltl", model, 1, None) for model in models),
    ]
    logs = [read_eval_log(result["log"], header_only=True) for result in results]
    assert {log.eval.task_args["seed"] for log in logs} == {6}
    assert {log.eval.metadata["study"]["file"] for log in logs} == {"study.yaml"}
    assert logs[0].eval.metadata["study"]["runs"] == yaml.safe_load(STUDY)["runs"]
    assert "people read" not in json.dumps(logs[0].eval.metadata)


@slow
def test_what_is_typed_is_saved_and_means_the_same(say, tmp_path):
    words = ["ltlbench", "-n", "2", "operators=1,2", "--tags", "x", "model=harness/constant"]
    code, out, _ = say(*words, "--save", "mine.yaml", "--json")
    assert code == 0
    kept = yaml.safe_load((tmp_path / "mine.yaml").read_text())
    assert kept == {
        "runs": [
            {
                "plugin": "ltlbench",
                "n": 2,
                "operators": [1, 2],
                "tags": ["x"],
                "model": "harness/constant",
            }
        ]
    }
    again = json.loads(say("mine.yaml", "log_dir=again", "--json")[1])["results"]
    assert [r["fingerprint"] for r in again] == [
        r["fingerprint"] for r in json.loads(out)["results"]
    ]
    code, _, err = say(*words, "--save", "mine.yaml")
    assert (code, err) == (
        1,
        "harness: mine.yaml exists already: remove it, or choose another name\n",
    )


@slow
def test_a_thousand_settings_come_back_as_they_were_typed(tmp_path):
    rng, known = random.Random(0), (*keys_of("run"), "preset")
    choices = {
        "n": ("3", "1,2"), "seed": ("0", "4,5,6"), "strategy": ("direct", "few_shot,direct"),
        "unique": ("no", "true"),
        "model": ("harness/random", "a/b,c/d"), "temperature": ("0", "0.5,1"), "split": ("train", "no,yes", "1"),
        "log_dir": ("logs", "'x y'"),
    }  # fmt: skip
    own = {
        "ltlbench": {"operators": ("3", "1,2"), "logic": ("full", "paper,full"), "preset": ("paper",)},
        "vltl": {"task": ("lift,ground", "lift")},
        "timepuzzles": {"solutions": ("2-4", "1-6,2-4"), "extra": ("hebrew", "[hebrew],[hebrew,islamic]")},
    }  # fmt: skip
    seen = 0
    for turn in range(some(3000)):
        name = rng.choice([*own])
        keys = {**choices, **own[name]}
        words = [
            f"{key}={rng.choice(keys[key])}" for key in rng.sample([*keys], rng.randrange(1, 6))
        ]
        words.insert(0, f"plugin={name}")
        try:
            expected = build(registry(), words, known)
        except Exception:
            continue
        path = tmp_path / f"{turn}.yaml"
        run_file.save(path, words)
        found = run_file.specs(path, [])
        assert [(s.data(), {**s.options, "study": None}) for s in found] == [
            (s.data(), dict(s.options)) for s in expected
        ]
        seen += 1
        if seen == some(1000):
            break
    assert seen == some(1000)


@slow
@each(
    "text, message",
    [
        ("", "expected a list of runs under `runs:`"),
        ("[1]", "expected a list of runs under `runs:`"),
        ("runs: []", "runs: there are none"),
        ("runs: {}", "runs: expected a list"),
        ("runs: [1]", "run 1: expected an object with `plugin:` and settings"),
        ("runs: [{n: 1}]", "run 1: expected an object with `plugin:` and settings"),
        ("rnus: []\nruns: [{plugin: vltl}]", "unknown key 'rnus'; did you mean 'runs'?"),
        ("defaults: 1\nruns: [{plugin: vltl}]", "defaults: expected an object"),
        ("runs: [{plugin: vltl, 1: 2}]", "'1' is no key"),
        ("runs: [{plugin: vltl, n: x}]", "run 1: n=x: expected an integer"),
        ("runs: [{plugin: vltl, n: []}]", "run 1: n=[]: a sweep of nothing"),
        ("runs: [{plugin: vltl}, {plugin: vltl, opperators: 1}]", "run 2: unknown key 'opperators' for plugin vltl"),
        ("runs: [{plugin: vltl, n: {a: 1}}]", "run 1: n={'a': 1}: expected an integer"),
        ("runs: [{plugin: vltl, preset: [a, b]}]", "run 1: preset takes one name"),
        ("runs: [{plugin: vltl, study: x.yaml}]", "'study' has no place"),
        ("runs: [{plugin: vltl, save: x.yaml}]", "'save' has no place"),
        ("runs: [\n{plugin: vltl}", "no YAML in line 2"),
        ("runs: [{plugin: !!python/object:os.system x}]", "no YAML in line 1"),
        ("[" * 20_000, "no YAML"),
        ("runs: &a [{plugin: vltl, extra: *a}]", "run 1: "),
        ("\x00", "no YAML"),
        ("x" * 1_000_001, "more than 1,000,000 bytes"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_file_is_said_in_a_line(say, tmp_path, text, message):
    (tmp_path / "study.yaml").write_text(text)
    code, out, err = say("study.yaml")
    assert (code, out) == (2, "")
    assert err.startswith(f"harness: study.yaml: {message}")
    assert err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["study.yaml"]


@each(
    "words, message",
    [
        (["nothing.yaml"], "nothing.yaml: cannot be read: No such file or directory"),
        (["."], "no plugin '.'"),
        (["study=."], ".: is no file"),
        (["study.yaml", "plugin=vltl"], "'plugin' does not go with study.yaml, which names its own"),
        (["study.yaml", "vltl"], "'vltl' is not key=value"),
        (["study.yaml", "save=x.yaml"], "'save' does not go with a file of runs"),
        (["study.yaml", "n=0"], "study.yaml: run 1: n=0: the least is 1"),
        (["vltl", "save=x.txt"], "save=x.txt: a file of runs ends in .yaml or .yml"),
        (["vltl", "n=0", "save=x.yaml"], "n=0: the least is 1"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_words_beside_it_too(say, tmp_path, words, message):
    (tmp_path / "study.yaml").write_text("runs: [{plugin: vltl}]")
    code, _, err = say(*words)
    assert code in (1, 2)
    assert err.startswith(f"harness: {message}")
    assert [path.name for path in tmp_path.iterdir()] == ["study.yaml"]


@slow
def test_shards_say_which_file_they_are_of(say, shards_here, tmp_path):
    (tmp_path / "study.yaml").write_text("runs: [{plugin: ltlbench, n: 2, shards: 2, workers: 1}]")
    code, out, _ = say("study.yaml", "--json")
    logs = [read_eval_log(log, header_only=True) for log in json.loads(out)["logs"]]
    assert (code, len(logs)) == (0, 2)
    assert {log.eval.metadata["study"]["file"] for log in logs} == {str(tmp_path / "study.yaml")}
