"""The programs of benchmarks still run."""

import json
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from cases import slow

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@slow
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("vltl", ["1", '{"suite": false}']),
        ("timepuzzles", ["1"]),
        ("tempobench_items", ["0", "1", "{}"]),
    ],
)
def test_a_process_that_makes_an_item_says_its_seconds_and_memory(name, arguments, monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    spec = spec_from_file_location(f"benchmark_{name}", BENCHMARKS / f"{name}.py")
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    words = [sys.executable, "-c", module._CHILD, *arguments]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert all(number > 0 for number in json.loads(done.stdout))


@slow
@pytest.mark.parametrize(
    "words",
    [
        ["plugin=ltlbench", "task=counterexample", "logic=full"],
        ["plugin=tempobench", "start=unknown", "contingencies=true", "wording=narrative"],
        ["plugin=timepuzzles", "mode=spelled", "extra=[all]"],
    ],
)
def test_a_solver_of_prompts_alone_finds_the_targets(words):
    words = [sys.executable, str(BENCHMARKS / "blind.py"), "n=4", *words]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "|4|4|0|0|" in done.stdout
