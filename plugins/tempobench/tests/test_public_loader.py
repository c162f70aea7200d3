"""Records that we write, read by the public package's own loader, in an environment of its own."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cases import slow
from harness_tempobench.published import adopt
from tb_items import items_of

PACKAGE = "tempobench==0.1.3"

# What the loader imports and does not need: a base class of torch, and what runs models.
LOAD = """
import importlib.util, json, sys, types
names = ("torch", "torch.utils", "torch.utils.data")
sys.modules.update({name: types.ModuleType(name) for name in names})
sys.modules["torch.utils.data"].Dataset = object
found = importlib.util.find_spec("tempobench")
runner = types.ModuleType("tempobench.benchmark")
runner.TempobenchBenchmarker = None
sys.modules["tempobench.benchmark"] = runner
from tempobench.dataset import TempoBench_Dataset
for task in ("causality", "trace_acceptance"):
    data = TempoBench_Dataset(f"{task}.jsonl", task=task)
    hard = TempoBench_Dataset(f"{task}.jsonl", task=task, subset_size=3, subset_mode="normal")
    assert len(hard) == 3
    print(json.dumps([data[i] for i in range(len(data))]))
"""


def python() -> str:
    """Return a Python that the public package can be installed in."""
    if sys.version_info >= (3, 12):
        return sys.executable
    installed = sorted(Path.home().glob(".pyenv/versions/3.1[2-9]*/bin/python"))
    found = next(map(str, installed), None) or shutil.which("python3.12")
    if found is None:
        pytest.skip("the public package needs Python 3.12, and there is none")
    return found


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """A folder with the public package in an environment."""
    folder = tmp_path_factory.mktemp("public")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", "env/bin/python"]
    commands = (
        [python(), "-m", "venv", "--without-pip", "env"],
        [*pip, "install", "--quiet", "--no-deps", "--no-compile", "--timeout", "20", PACKAGE],
    )
    for command in commands:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
        if done.returncode:
            why = done.stderr.strip().splitlines() or ["no reason was given"]
            pytest.skip(f"the public package cannot be installed here: {why[-1]}")
    return folder


@slow
def test_the_public_loader_reads_what_we_write(environment):
    causes = [*items_of(12, task="tce"), *items_of(8, task="tce", label="per_step")]
    runs = [*items_of(12, task="tte"), *items_of(10, task="tte", length=1, hidden=0)]
    first = [item for item in runs if json.loads(item.target).keys() == {"accepted"}]
    assert first  # rejected at step 0
    for task, items in (("causality", causes), ("trace_acceptance", runs)):
        records = [adopt.publish(item, "tempobench_raw", {}) for item in items]
        assert all(record["hoax"] for record in records)
        lines = [json.dumps(record, ensure_ascii=False) + "\n" for record in records]
        (environment / f"{task}.jsonl").write_text("".join(lines))
    done = subprocess.run(
        ["env/bin/python", "-c", LOAD], cwd=environment, capture_output=True, text=True, timeout=100
    )
    assert done.returncode == 0, done.stderr
    loaded = [json.loads(line) for line in done.stdout.splitlines()]
    for item, (prompt, label, stats) in zip(causes, loaded[0], strict=True):
        assert json.loads(label.rpartition("```json\n")[2].rstrip("`")) == json.loads(item.target)
        assert stats["effect_depth"] == item.problem["effect"]["step"]
        states = label.count("the automaton moves to state")
        assert states == stats["effect_depth"] + 1 or stats["effect_depth"] == 0
        assert "Effects to analyze" in prompt
    for item, (_, label, stats) in zip(runs, loaded[1], strict=True):
        answer = json.loads(item.target)
        assert label.endswith(f"Accepted: {answer['accepted'].title()}")
        assert stats["trace_length"] == len(item.problem["trace"])
        steps = json.loads(label.rpartition("```json\n")[2].partition("```")[0])
        ends = [(step["current state"], step["next state"]) for step in steps.values()]
        stated = [
            (s["current state"], s["next state"]) for k, s in answer.items() if k != "accepted"
        ]
        assert ends == (stated or [(0, None)])


def test_a_run_of_no_step_is_read_back():
    items = items_of(10, task="tte", length=1, hidden=0)
    item = next(item for item in items if json.loads(item.target).keys() == {"accepted"})
    record = adopt.publish(item, "tempobench_raw", {})
    assert record["hoax"].endswith("None)")
    assert adopt.adopt(record, {"task": "tte"}).target == item.target
