"""The plugins of examples/: installed from their folders with pip, and used as anybody would use them.

The core's other tests know nothing of them, and they nothing of the core but what is public.
"""

import io
import json
import math
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager, redirect_stdout
from importlib.util import find_spec
from pathlib import Path

import harness_guard
import pytest
from cases import slow
from openai_server import completion
from shell_reader import forget

from harness import Row
from harness.cli import main
from harness.core import fresh, plugins
from harness.core.plugins import registry
from harness.core.spec import make
from harness.run.stats import value_of

EXAMPLES = Path(__file__).parents[2] / "examples"
PROJECTS = sorted(EXAMPLES.glob("*/pyproject.toml"))
WRAPPERS = ("brevity", "paraphrase")
# What pip calls for a folder, which starts three processes for each. A fork has setuptools at once.
BUILDING = """
import os, sys
from setuptools import build_meta
for folder in sys.argv[2:]:
    if not os.fork():
        os.chdir(folder)
        build_meta.build_wheel(sys.argv[1])
        sys.exit()
    assert os.wait()[1] == 0, folder
"""


@pytest.fixture(scope="module")
def sites(tmp_path_factory):
    """Folders that are to Python what site-packages is after ``pip install examples/NAME``, by name."""
    root = tmp_path_factory.mktemp("examples")
    names = [path.parent.name for path in PROJECTS]
    for name in names:  # the folder is built in
        shutil.copytree(EXAMPLES / name, root / "source" / name)
    sources = [root / "source" / name for name in names]
    subprocess.run([sys.executable, "-W", "ignore", "-c", BUILDING, root, *sources], check=True)
    words = ["install", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-index"]
    wheels = sorted(root.glob("*.whl"))
    assert len(wheels) == len(names)
    subprocess.run(
        [sys.executable, "-m", "pip", *words, "--target", root / "all", *wheels], check=True
    )
    for name in names:  # one pip is quicker than four
        for path in (root / "all").glob(f"harness_{name}*"):
            (root / name).mkdir(exist_ok=True)
            shutil.move(path, root / name)
    return {name: root / name for name in names}


@contextmanager
def on_path(*folders):
    """Put packages on this process's path, and take them off again, as if they had never been there."""
    before = set(sys.modules)
    with pytest.MonkeyPatch.context() as patch, harness_guard.Guard(workers=1) as pool:
        for folder in folders:
            patch.syspath_prepend(folder)
        patch.setattr(
            harness_guard, "_shared", pool
        )  # a worker keeps the plugins that it has found
        forget()
        yield patch
    forget()
    for name in set(sys.modules) - before:
        if name.startswith(tuple(f"harness_{path.parent.name}" for path in PROJECTS)):
            del sys.modules[name]


def harness(*words):
    """Run a command in this process; return its exit code and its JSON."""
    with redirect_stdout(io.StringIO()) as said:
        code = main.main([*words, "--json"])
    return code, json.loads(said.getvalue())


@pytest.fixture(scope="module")
def timetables(sites, tmp_path_factory):
    """What commands say with the benchmark installed."""
    with on_path(sites["timetables"]) as patch:
        patch.chdir(tmp_path_factory.mktemp("run"))
        return {
            "check": harness("check", "plugin=timetables", "n=4"),
            "run": harness("run", "plugin=timetables", "n=5"),
            "list": harness("list"),
        }


@slow
def test_the_benchmark_passes_the_conformance_kit(timetables):
    code, found = timetables["check"]
    assert [check for check in found["checks"] if check["failure"]] == []
    assert code == 0
    assert "inspect" in {check["name"] for check in found["checks"]}


@slow
def test_the_benchmark_is_run_like_our_own(timetables):
    code, found = timetables["run"]
    (result,) = found["results"]
    assert code == 0
    assert result["metrics"]["correct"]["value"] == result["metrics"]["possible"]["value"] == 1
    assert result["metrics"]["minutes_late"]["value"] == 0
    assert result["wrappers"] == {}
    assert 0 < result["floors"]["majority"]["correct"] < 0.5


@slow
def test_the_benchmark_is_one_more_and_none_failed(timetables):
    names = {plugin["name"] for plugin in timetables["list"][1]["plugins"]}
    assert names == {*registry().benchmarks, "timetables"}
    assert timetables["list"][1]["failures"] == {}


@slow
def test_its_own_tests_pass_from_its_folder(sites, tmp_path):
    folder = tmp_path / "timetables"
    shutil.copytree(EXAMPLES / "timetables", folder)
    shutil.rmtree(folder / "harness_timetables")  # what is installed is tested
    options = ["-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:randomly", "-p", "no:anyio"]
    kept = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options], cwd=folder, capture_output=True, text=True,
        env={**kept, "PYTHONPATH": str(sites["timetables"])}, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert "passed" in done.stdout
    assert not {"failed", "skipped", "error"} & set(done.stdout.split())


# wrappers

BENCHMARKS = ("ltlbench", "timepuzzles")


@pytest.fixture
def install(sites):
    """Return the registry that there is with the examples named, and only for a moment."""

    def installed(*names):
        with on_path(*(sites[name] for name in names)):
            return plugins.registry()

    return installed


def made(plugin):
    return list(fresh.items(plugin, make(plugin, {"n": 6})))


@slow
@pytest.mark.parametrize("name", BENCHMARKS)
def test_a_prompt_in_another_setting_is_the_same_problem_and_still_sound(install, name):
    plain, plugin = install().get(name), install("paraphrase").get(name)
    second = plugin.benchmark.engines[1]
    openings = set()
    for before, item in zip(made(plain), made(plugin), strict=True):
        kept = ("problem", "target", "certificate", "features", "family", "version", "notes")
        assert all(getattr(item, field) == getattr(before, field) for field in kept)
        opening, _, rest = item.prompt.partition("\n\n")
        openings.add(opening)
        assert rest.startswith(before.prompt + "\n\n")
        assert item.id != before.id
        assert type(item).from_dict(item.to_dict()) == item
        assert plugin.call("read", prompt=item.prompt) == item.problem
        assert plugin.call("check", item=item) == []
        derived = plugin.call("solve", problem=item.problem, engine=second).answer
        value = plugin.benchmark.values[0]
        assert plugin.call("score", item=item, completion=f"Answer: {derived}").value[value] == 1
        assert not any(plugin.call("score", item=item, completion=item.prompt).value.values())
    assert len(openings) > 1
    assert make(plugin, {"n": 6}).fingerprint != make(plain, {"n": 6}).fingerprint


@pytest.mark.parametrize("name", BENCHMARKS)
def test_metrics_are_added_to_every_benchmark(install, name):
    plain, plugin = install().get(name).benchmark, install("brevity").get(name).benchmark
    assert plugin.metrics[: len(plain.metrics)] == plain.metrics
    tokens, characters = plugin.metrics[len(plain.metrics) :]
    right = dict.fromkeys(plain.values, 1.0)
    wrong = dict.fromkeys(plain.values, 0.0)
    rows = [
        Row("x", "abcd", "scored", right, output_tokens=30),
        Row("x", "ab", "scored", wrong, output_tokens=10),
        Row("x", None, "unparsed", wrong, output_tokens=20),
    ]
    assert (tokens.name, value_of(tokens, rows)) == ("tokens_per_right", 60)
    assert (characters.name, value_of(characters, rows)) == ("answer_characters", 3)
    silent = Row("x", "a", "scored", right)
    for undefined in ([silent], rows[1:], [*rows, silent]):
        assert math.isnan(value_of(tokens, undefined))
    assert plugin.headline == plain.headline


def test_uninstalled_they_leave_everything_as_before(install):
    before = install()
    items = {name: made(before.get(name)) for name in BENCHMARKS}
    between = install(*WRAPPERS)
    assert list(between.wrappers) == list(WRAPPERS)
    assert all(made(between.get(name)) != items[name] for name in BENCHMARKS)
    after = install()
    assert (after.wrappers, after.failures) == ({}, {})
    assert {name: made(after.get(name)) for name in BENCHMARKS} == items
    for name, plugin in after.benchmarks.items():
        assert plugin.benchmark == before.get(name).benchmark
        assert plugin.benchmark != between.get(name).benchmark


@slow
def test_a_run_with_both_says_that_they_were_active_and_has_their_metrics(sites, client, tmp_path):
    asked = []

    def answer(request, number):
        asked.append(request["messages"][-1]["content"])
        return completion("Answer: True", tokens=10)

    client(answer)
    with on_path(*(sites[name] for name in WRAPPERS)) as patch:
        patch.chdir(tmp_path)
        _, found = harness("run", "plugin=ltlbench", "n=4", "model=openai-api/local/m")
    (result,) = found["results"]
    assert result["wrappers"] == {"brevity": "0.1.0", "paraphrase": "0.1.0"}
    assert result["metrics"]["accuracy"]["value"] == 0.5  # labels come in pairs
    assert result["metrics"]["tokens_per_right"]["value"] == 20
    assert result["metrics"]["answer_characters"]["value"] == 4
    assert len(asked) == 4
    assert all("=== Context ===" in one and not one.startswith("=== Context") for one in asked)


# the adapter of a library that is not there


def test_an_adapter_without_its_library_says_how_to_get_it_and_takes_none_down(sites):
    if find_spec("reasoning_gym"):
        pytest.skip("reasoning-gym is installed here: its own tests say more")
    with on_path(sites["reasoning_gym"]):
        code, found = harness("list")
    assert code == 0
    assert list(found["failures"]) == ["reasoning_gym"]
    assert "pip install 'reasoning-gym==" in found["failures"]["reasoning_gym"]
    assert {plugin["name"] for plugin in found["plugins"]} == set(registry().benchmarks)


@pytest.fixture
def journal(sites, monkeypatch, tmp_path, capsys):
    """The program of an environment in which the feature of examples/journal is installed."""
    monkeypatch.chdir(tmp_path)

    def run(*words):
        code = main.main(words)
        return code, *capsys.readouterr()

    with on_path(sites["journal"]):
        yield run


@slow
def test_a_feature_adds_a_command_an_option_and_a_wrapped_step(journal):
    ask = ("run", "plugin=ltlbench", "n=2", "journal=runs.jsonl")
    assert "\n  journal " in journal("--help")[1]
    assert "journal" in journal("run", "--help")[1].split()
    for model in ("constant", "reference"):
        code, _, err = journal(*ask, f"model=harness/{model}")
        assert (code, err) == (0, "")
    code, out, _ = journal("journal", "journal=runs.jsonl", "--json")
    runs = json.loads(out)["runs"]
    assert code == 0
    assert [one["model"] for one in runs] == ["harness/constant", "harness/reference"]
    assert runs[1]["metrics"]["accuracy"]["value"] == 1
    code, out, _ = journal("journal", "journal=runs.jsonl")
    assert out.splitlines()[1] == "ltlbench  harness/reference  n=2  accuracy 1.0"


def test_what_is_wrong_with_a_journal_is_one_line(journal, tmp_path):
    (tmp_path / "no.jsonl").write_text("{}\n")
    for words, said in (
        (("journal",), "name one journal: harness journal journal=FILE"),
        (
            ("journal", "journal=none.jsonl"),
            "none.jsonl: cannot be read: No such file or directory",
        ),
        (("journal", "journal=no.jsonl"), "no.jsonl: no journal of runs"),
        (("run", "plugin=ltlbench", "journl=x"), "did you mean 'journal'?"),
    ):
        code, out, err = journal(*words)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert said in err


def test_where_a_feature_is_not_installed_nobody_knows_its_option():
    assert "journal" not in harness("run", "--help")[1]["help"]


BROKEN_FEATURES = {
    "raises": ("raise RuntimeError('no such thing')", "no such thing"),
    "unknown": (
        "from harness import featureimpl\n@featureimpl\ndef register_comands(group): ...\n",
        "did you mean 'register_commands'?",
    ),
    "taken": (
        "from harness import Option, featureimpl\n@featureimpl\ndef register_options():\n"
        "    return (Option('n', 'integer', 'how many', 'items'),)\n",
        "the option 'n' exists already",
    ),
    "twice": (
        "from harness import Command, featureimpl\n@featureimpl\ndef register_commands(group):\n"
        "    group.add_command(Command('run', 'x', 'x', 'a:b', 'a:c'))\n",
        "the command 'run' exists already",
    ),
}


@slow
def test_a_feature_that_fails_is_a_warning_and_nothing_else(tmp_path):
    for name, (text, _) in BROKEN_FEATURES.items():
        (tmp_path / f"broken_{name}.py").write_text(text)
    info = tmp_path / "broken_feature-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-feature\nVersion: 1\n")
    points = "".join(f"{name} = broken_{name}\n" for name in BROKEN_FEATURES)
    (info / "entry_points.txt").write_text(f"[harness.features]\n{points}")
    done = subprocess.run(
        [sys.executable, "-m", "harness.cli", "describe", "plugin=ltlbench", "--json"],
        env=os.environ | {"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0
    assert json.loads(done.stdout)["name"] == "ltlbench"
    told = sorted(done.stderr.splitlines())
    for line, (name, (_, said)) in zip(told, sorted(BROKEN_FEATURES.items()), strict=True):
        assert line.startswith(f"warning: feature '{name}' could not be loaded: ")
        assert said in line
