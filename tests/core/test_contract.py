"""The contract with plugins: its number, how a plugin states it, how a hook is deprecated, wrappers of describe()."""

import dataclasses
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cases import each

import harness
from harness import Metric, hookimpl
from harness.cli import main
from harness.core import contract, fresh, hookspecs, plugins
from harness.core.contract import CONTRACT, DEPRECATED, OLDEST, Deprecation, refusal
from harness.core.plugins import HOOKS
from harness.core.spec import make

DOC = (Path(__file__).parents[2] / "docs/contract.md").read_text()


# what is written down


def test_the_document_has_the_number_and_every_public_name():
    assert f"keeps **contract {CONTRACT}**" in DOC
    (row,) = re.findall(r"^\|the names of `harness`\|(.+)\|$", DOC, re.MULTILINE)
    assert set(re.findall(r"`(\w+)`", row)) == set(harness.__all__)
    assert OLDEST <= CONTRACT == harness.CONTRACT


def stale(table, text):
    """Yield what is wrong with a table of what is deprecated, and with the document's."""
    listed = re.findall(r"^\| `([\w.]+)` \| (.+) \| (\d+) \|$", text, re.MULTILINE)
    if listed != [(what, one.instead, str(one.goes)) for what, one in table.items()]:
        yield "docs/contract.md lists others"
    for what, one in table.items():
        hook, _, argument = what.partition(".")
        if hook not in HOOKS or (argument and argument not in arguments(hook)):
            yield f"{what} is no hook, and no argument of one"
        if one.goes <= CONTRACT:
            yield f"{what} should have gone with contract {one.goes}"
        if not one.instead.strip() or "\n" in one.instead:
            yield f"{what} does not say in one line what to write instead"


def arguments(hook):
    function = getattr(hookspecs, hook)
    return function.__code__.co_varnames[: function.__code__.co_argcount]


def test_what_is_deprecated_exists_and_is_written_down():
    assert list(stale(DEPRECATED, DOC)) == []


@pytest.mark.parametrize(
    ("what", "entry", "fault"),
    [
        ("rendr", Deprecation("write draw()", CONTRACT + 1), "rendr is no hook"),
        (
            "render.form",
            Deprecation("write draw()", CONTRACT + 1),
            "render.form is no hook, and no",
        ),
        ("render", Deprecation("write draw()", CONTRACT), "should have gone with contract"),
        ("render", Deprecation(" ", CONTRACT + 1), "does not say in one line"),
    ],
)
def test_a_stale_entry_is_found(what, entry, fault):
    text = f"| `{what}` | {entry.instead} | {entry.goes} |"
    (found,) = stale({what: entry}, text)
    assert fault in found
    assert "docs/contract.md lists others" in [*stale({what: entry}, DOC)]


# which contract a plugin states


@each(
    ("stated", "why"),
    [
        (None, None),
        ("v1", None),
        ("v2", "was written for contract 2, newer than contract 1 of this harness: update temporal-harness"),
        ("v9999", "was written for contract 9999, newer than contract 1 of this harness: update temporal-harness"),
        ("v0", "was written for contract 0, older than this harness still keeps (1): update mybench"),
        ("1", "states its contract as '1'; expected v and a number, as in 'v1'"),
        ("v1.0", "states its contract as 'v1.0'; expected v and a number, as in 'v1'"),
        ("v-1", "states its contract as 'v-1'; expected v and a number, as in 'v1'"),
        ("v٣", "states its contract as 'v٣'; expected v and a number, as in 'v1'"),
        ("v12345", "states its contract as 'v12345'; expected v and a number, as in 'v1'"),
        ("", "states its contract as ''; expected v and a number, as in 'v1'"),
        ("latest" * 50, f"states its contract as '{('latest' * 50)[:80]}'; expected v and a number, as in 'v1'"),
    ],
)  # fmt: skip
def test_what_is_said_of_a_statement(stated, why):
    assert refusal(stated, "mybench") == why


def test_a_later_core_says_of_older_plugins_what_it_keeps(monkeypatch):
    monkeypatch.setattr(contract, "CONTRACT", 3)
    monkeypatch.setattr(contract, "OLDEST", 2)
    keeps = "older than this harness still keeps (2 to 3): update mybench"
    assert refusal("v1", "mybench") == f"was written for contract 1, {keeps}"
    assert refusal(None, "mybench") == f"states no contract, which means 1, {keeps}"
    assert refusal("v2", "mybench") is refusal("v3", "mybench") is None


def installed(folder, name, points, code="raise ImportError('no name harness.Tomorrow')"):
    (folder / f"{name}.py").write_text(code)
    info = folder / f"{name}-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (info / "entry_points.txt").write_text(points)


def test_a_plugin_of_another_contract_is_named_without_importing_it_and_takes_none_down(
    toys, tmp_path
):
    """In a fresh process, as importlib reads it. None of these modules can be imported."""
    group = "[harness]\n{0} = {0}\n"
    stated = group + "[harness.contract]\n{1} = {2}\n"
    installed(tmp_path, "newer", stated.format("newer", "newer", "v2"))
    installed(tmp_path, "older", stated.format("older", "older", "v0"))
    installed(tmp_path, "vague", stated.format("vague", "vague", "latest"))
    installed(tmp_path, "astray", stated.format("astray", "toy_good", "v1"))
    installed(tmp_path, "broken", stated.format("broken", "broken", "v1"))
    installed(tmp_path, "silent", group.format("silent"))
    done = subprocess.run(
        [sys.executable, "-m", "harness.cli", "list"],
        env={"PYTHONPATH": f"{tmp_path}:{toys.path}"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    lines = [one for one in done.stdout.splitlines() if one.startswith("could not be loaded")]
    own = "could not be loaded: "
    assert lines == [
        f"{own}astray: its distribution states a contract for 'toy_good'; known: astray",
        f"{own}broken: ImportError: no name harness.Tomorrow",
        f"{own}newer: was written for contract 2, newer than contract 1 of this harness: update temporal-harness",
        f"{own}older: was written for contract 0, older than this harness still keeps (1): update older",
        f"{own}silent: ImportError: no name harness.Tomorrow",
        f"{own}vague: states its contract as 'latest'; expected v and a number, as in 'v1'",
    ]
    assert "toy_good" in done.stdout
    assert done.stderr == ""


# deprecated hooks


@pytest.fixture
def deprecated(monkeypatch):
    table = {
        "render": Deprecation("write draw() instead", CONTRACT + 1),
        "publish": Deprecation("write export() instead", CONTRACT + 1),  # no toy has it
        "adopt.config": Deprecation("it is in record['config']", CONTRACT + 2),
        "adopt.format": Deprecation("nobody takes it", CONTRACT + 2),
    }
    monkeypatch.setattr(contract, "DEPRECATED", table)
    plugins.registry.cache_clear()
    yield
    plugins.registry.cache_clear()


LINES = [
    f"the hook render() is deprecated and goes with contract {CONTRACT + 1}: write draw() instead",
    f"the argument 'config' of adopt() is deprecated and goes with contract {CONTRACT + 2}: "
    "it is in record['config']",
]


def test_a_deprecated_hook_works_and_is_named_with_what_to_write_instead(toys, deprecated):
    registry = toys.registry("Good", wrapper=True)
    assert registry.warnings == [f"plugin 'toy_good': {line}" for line in LINES]
    assert registry.failures == {}
    good = registry.get("toy_good")
    spec = make(good, {"n": 1})
    item = fresh.item_at(good, spec, 0)
    assert good.call("render", item=item, format="sum").count("+") == 1


def test_every_command_that_loads_plugins_says_so_on_standard_error(toys, deprecated, capsys):
    assert main.main(["describe", "plugin=toy_good"]) == 0
    told = capsys.readouterr()
    assert f"warning: plugin 'toy_good': {LINES[0]}" in told.err.splitlines()
    assert "deprecated" not in told.out
    assert main.main(["show", "plugin=toy_goods"]) == 2  # and beside an error, too
    assert f"warning: plugin 'toy_good': {LINES[1]}" in capsys.readouterr().err.splitlines()
    assert main.main(["list", "--json"]) == 0
    assert f"plugin 'toy_good': {LINES[0]}" in capsys.readouterr().out
    assert main.main(["--help"]) == 0


def test_nothing_is_said_where_nothing_is_deprecated(toys, capsys):
    plugins.registry.cache_clear()
    assert plugins.registry().warnings == []
    assert main.main(["list"]) == 0
    assert capsys.readouterr().err == ""


# wrappers of describe()


@pytest.fixture
def load(toys):
    """Load two toys and the wrappers given, each a function of what a benchmark says of itself."""
    import importlib
    import types

    def loaded(**wrappers):
        sources = [
            (name, lambda n=name: importlib.import_module(n), "", name)
            for name in ("toy_good", "toy_slow")
        ]
        for name, change in wrappers.items():
            module = types.ModuleType(name)
            module.describe = (
                change
                if hasattr(change, "harness_impl")
                else hookimpl(wrapper=True)(around(change))
            )
            sources.append((name, lambda m=module: m, "", name))
        return plugins.load(sources)

    return loaded


def around(change):
    def describe():
        said = yield
        return change(said)

    return describe


LENGTH = Metric("length", "characters", each=lambda row: 1.0)


def adding(metric):
    return lambda said: dataclasses.replace(said, metrics=(*said.metrics, metric))


def test_a_wrapper_adds_a_metric_to_every_benchmark(load):
    before = load()
    registry = load(metrics=adding(LENGTH))
    assert list(registry.wrappers) == ["metrics"]
    for name, plugin in registry.benchmarks.items():
        own = before.get(name).benchmark.metrics
        assert plugin.benchmark.metrics == (*own, LENGTH)
        assert plugin.call("describe").metrics == (*own, LENGTH)


def test_wrappers_see_what_those_before_them_added(load):
    seen = []
    registry = load(one=adding(LENGTH), two=lambda said: seen.append(said.metrics[-1].name) or said)
    assert set(registry.wrappers) == {"one", "two"}
    assert set(seen) == {"length"}


def never_yields():
    @hookimpl(wrapper=True)
    def describe():
        if False:
            yield

    return describe


@each(
    ("change", "reason"),
    [
        (lambda said: None, "describe() returned NoneType, expected Benchmark"),
        (
            lambda said: dataclasses.replace(said, name="mine"),
            "entry point 'toy_good' describes itself as 'mine'",
        ),
        (
            lambda said: dataclasses.replace(said, version="9"),
            "version '9', and its items are of '0.1'",
        ),
        (
            lambda said: dataclasses.replace(said, headline="fame"),
            "headline 'fame' is not one of its metrics",
        ),
        (
            adding(Metric("fame", "")),
            "metric 'fame' has neither compute nor each and is no key of values",
        ),
        (lambda said: said.fame, "AttributeError: 'Benchmark' object has no attribute 'fame'"),
        (lambda said: sys.exit("bye"), "SystemExit: bye"),
        (never_yields(), "RuntimeError: "),
    ],
)
def test_one_that_spoils_a_description_is_skipped_and_the_benchmarks_stay(load, change, reason):
    before = load().benchmarks
    registry = load(bad=change, good=adding(LENGTH))
    assert registry.failures["bad"].startswith(f"describe() around 'toy_good': {reason}")
    assert list(registry.failures) == ["bad"]
    assert list(registry.wrappers) == ["good"]
    for name, plugin in registry.benchmarks.items():
        assert plugin.benchmark.metrics == (*before[name].benchmark.metrics, LENGTH)
        assert plugin.wrappers == {"good": "unknown"}


def test_one_that_spoils_a_single_description_adds_to_none(load):
    def only_slow(said):
        return None if said.name == "toy_slow" else adding(LENGTH)(said)

    registry = load(bad=only_slow)
    assert registry.failures["bad"].startswith("describe() around 'toy_slow': ")
    assert all(LENGTH not in one.benchmark.metrics for one in registry.benchmarks.values())
    assert sorted(registry.benchmarks) == ["toy_good", "toy_slow"]
