"""Inspect's private names stand in one module, are all there, and each is used for what is said here."""

import ast
import importlib
import logging
import tomllib
from pathlib import Path

import pytest
from cases import slow
from packaging.requirements import Requirement

from harness.cli.main import main
from harness.run import compat

ROOT = Path(__file__).parents[2]
# What would no longer work without it.
PURPOSES = {
    "lay_out_no_hidden_table": "a run takes half the time (run.startup)",
    "rich_display": "the same",
    "tasks_results": "the same",
    "PreviousTask": "going on with a run: finished samples are taken from an unfinished log (rerun.resume)",
    "eval_results": "one result of a run in shards: the metrics of all samples together (rerun.merged)",
    "AsyncFilesystem": "a log is read within a running event loop without patching asyncio (run.logs)",
    "PrerequisiteError": "an error of ours inside a task, and of Inspect's, is one line and no traceback",
    "get_installed_package_name": "the names harness/… under which Inspect's registry finds us (run.metrics)",
    "registry_find": "the nearest provider is suggested for a misspelt model (run.models)",
    "registry_unqualified_name": "the same",
    "registry_params": "the arguments of the solver tell one run from another (rerun.resume)",
    "active_generate_config": "a reply that its client trips over is asked for again as often as the run says",
    "init_display_type": "a static site of logs prints nothing of Inspect's own (author.view)",
    "view": "harness view",
    "read_known_models_quickly": "the first run of a process begins sooner (run.startup)",
    "AGENT_PROTOCOL": "the same",
    "WRITER_OF_LOGS": "a log that cannot be written ends the run (run.evaluation)",
    "HOOKS_OF_PROVIDERS": "what providers log of failed requests shows no key (run.masking)",
}


def test_each_name_is_there_and_has_a_purpose():
    tree = ast.parse(Path(compat.__file__).read_text(encoding="utf-8"))
    names = {
        alias.asname for one in tree.body if isinstance(one, ast.ImportFrom) for alias in one.names
    }
    names |= {one.name for one in tree.body if isinstance(one, ast.FunctionDef)}
    names |= {one.targets[0].id for one in tree.body if isinstance(one, ast.Assign)}
    assert names - {None} == set(PURPOSES)
    assert all(hasattr(compat, name) for name in PURPOSES)
    importlib.import_module("inspect_ai._view.view")


@pytest.mark.parametrize("name", [compat.WRITER_OF_LOGS, compat.HOOKS_OF_PROVIDERS])
def test_each_logger_is_that_of_a_module(name):
    module = importlib.import_module(name)
    found = [one for one in vars(module).values() if isinstance(one, logging.Logger)]
    assert [one.name for one in found] == [name]


@slow
def test_no_other_module_names_one():
    for path in sorted((ROOT / "harness").rglob("*.py")):
        if path == Path(compat.__file__) or "templates" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            named = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            named += [one.name for one in node.names] if isinstance(node, ast.Import) else []
            named += (
                [node.value]
                if isinstance(node, ast.Constant) and isinstance(node.value, str)
                else []
            )
            private = [one for one in named if one.startswith("inspect_ai") and "._" in one]
            assert private == [], path


def test_the_next_minor_version_of_inspect_is_not_taken_unseen():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (inspect,) = (
        one for one in map(Requirement, project["dependencies"]) if one.name == "inspect_ai"
    )
    assert inspect.specifier.contains("0.3.285")
    assert not inspect.specifier.contains("0.4.0")


@pytest.mark.parametrize(("display", "times"), [("none", 0), ("rich", 1)])
def test_a_table_is_laid_out_only_where_it_is_displayed(display, times, monkeypatch):
    laid_out = []
    monkeypatch.setattr(compat, "tasks_results", laid_out.append)
    monkeypatch.setattr(compat, "display_type", lambda: display)
    compat.lay_out_no_hidden_table()
    compat.rich_display.tasks_results([])
    assert len(laid_out) == times


def test_a_run_lays_out_none(tmp_path, monkeypatch):
    def table(tasks):
        raise AssertionError("the table was laid out")

    monkeypatch.setattr(compat, "tasks_results", table)
    monkeypatch.setattr(compat.rich_display, "tasks_results", table)
    assert main(["run", "plugin=ltlbench", "n=2", f"log_dir={tmp_path}"]) == 0
