"""What spares processes of our own some work changes nothing that anybody sees, and nothing in a host's process."""

import json
import subprocess
import sys
from importlib import import_module, metadata

import pydantic
import pytest
import yaml
from cases import slow
from inspect_ai.model._model_data import model_data

from harness.run import compat, startup

HOST = """
import gc
from importlib import metadata
before = (metadata.packages_distributions, gc.get_threshold())
from inspect_ai.model._model_data import model_data
parser = model_data.yaml
from harness.run import startup
startup.hush()  # as each run does
from harness.cli.main import main
assert main(["list", "--json"]) == 0  # called as a function
assert (metadata.packages_distributions, gc.get_threshold()) == before
assert model_data.yaml is parser
"""


@slow
def test_each_package_comes_from_what_python_says(monkeypatch):
    told, all_there = metadata.packages_distributions(), startup._all_packages()
    assert len(told) == len(all_there) > 50
    assert {name: set(found) for name, found in told.items()} == {
        name: set(found) for name, found in all_there.items()
    }
    assert told.get("no_such_package", []) == []


def test_ours_is_known_without_a_look_at_the_others(monkeypatch):
    def scan():
        raise AssertionError("all packages were looked through")

    assert startup._Packages(scan)["harness"] == ["temporal-harness"]
    with pytest.raises(AssertionError, match="looked through"):
        startup._Packages(scan)["rich"]
    # A checkout on the path that is not installed.
    monkeypatch.setattr(startup, "OURS", ("harness", "temporal-harness-is-not-there"))
    assert startup._Packages(lambda: {"harness": ["another"]})["harness"] == ["another"]


def test_the_models_that_inspect_knows_are_the_same(monkeypatch):
    startup.hush()
    quick = model_data.read_model_info()
    assert len(quick) > 100
    monkeypatch.setattr(model_data, "yaml", yaml)
    assert quick == model_data.read_model_info()


@slow
def test_the_protocol_of_agents_is_the_same_but_for_what_describes_it(monkeypatch):
    acp = import_module("acp")
    monkeypatch.setattr(acp, "schema", acp.schema)  # importing it anew sets it
    monkeypatch.delitem(sys.modules, "acp.schema")
    plain = import_module("acp.schema").AgentCapabilities.model_json_schema()
    monkeypatch.delitem(sys.modules, "acp.schema")
    startup._import_agent_protocol(compat.AGENT_PROTOCOL)
    quick = sys.modules["acp.schema"].AgentCapabilities.model_json_schema()
    assert "ACP" in json.dumps(plain["properties"])
    assert undescribed(quick) == undescribed(plain)
    assert quick != plain
    assert "use_attribute_docstrings" in pydantic.ConfigDict(use_attribute_docstrings=True)


def undescribed(schema):
    if isinstance(schema, dict):
        return {key: undescribed(one) for key, one in schema.items() if key != "description"}
    return [undescribed(one) for one in schema] if isinstance(schema, list) else schema


@slow
def test_the_process_of_a_host_stays_as_it_is(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", HOST], cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
