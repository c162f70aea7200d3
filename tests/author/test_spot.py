"""Spot as others install it: by conda, without its wheel's metadata; or not at all, where there is no wheel."""

import json
import subprocess
import sysconfig
import venv
from pathlib import Path

import pytest
from cases import slow

MISSING = "conda install -c conda-forge spot"


def environment(folder, *left_out):
    """Make an environment of the packages that are here, but for some files and folders of theirs."""
    venv.create(folder, symlinks=True, with_pip=False)
    own = Path(sysconfig.get_path("purelib"))
    site = folder / own.relative_to(own.parents[2])
    kept = [path for path in own.iterdir() if not any(path.match(name) for name in left_out)]
    assert len(kept) < len([*own.iterdir()])
    for path in kept:
        (site / path.name).symlink_to(path)
    return folder / "bin" / "python"


# Several commands in one process, which loads Inspect once, if a run is among them.
COMMANDS = """
import contextlib, io, json, sys
from harness.cli.main import main
from harness.run.startup import settle
settle()
told = []
for words in json.loads(sys.argv[1]):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(words)
    told.append((code, out.getvalue(), err.getvalue()))
print(json.dumps(told))
"""


def harness(python, folder, *lines):
    """Run commands one after another; return the exit code, output and complaint of each."""
    words = [python, "-c", COMMANDS, json.dumps([line.split() for line in lines])]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


@slow
def test_spot_without_its_wheel_is_accepted(tmp_path):
    python = environment(tmp_path / "env", "spottl-*.dist-info")
    (code, report, _), (shown, *_) = harness(
        python,
        tmp_path,
        "doctor plugin=ltlbench,tempobench --json",
        "show plugin=tempobench n=1",
    )
    report = json.loads(report)
    assert (code, report["broken"]) == (0, [])
    said = {check["name"]: check["said"] for check in report["checks"]}
    assert "module spot" in said["ltlbench"]
    assert shown == 0


@slow
def test_without_spot_it_is_said_what_to_do(tmp_path):
    python = environment(tmp_path / "env", "spot*", "buddy*", "_spot*", "_buddy*")
    needy = ("ltlbench", "vltl", "tempobench max_states=4")  # Spot is asked of small machines
    (code, report, _), *failed, (done, *_) = harness(
        python,
        tmp_path,
        "doctor plugin=ltlbench --json",
        *(f"run plugin={plugin} n=1" for plugin in needy),
        "run plugin=timepuzzles n=1",
    )
    broken = [check for check in json.loads(report)["checks"] if check["state"] == "broken"]
    assert code == 1
    assert {check["name"] for check in broken} >= {"ltlbench: an item"}
    assert any(MISSING in check["said"] for check in broken)
    assert len(failed) == len(needy)
    for ended, _, complaint in failed:
        (line,) = complaint.splitlines()
        assert ended == 1
        assert MISSING in line
    assert done == 0


@pytest.mark.parametrize(
    "folder", ["libs/logic", "plugins/ltlbench", "plugins/tempobench", "plugins/vltl"]
)
def test_the_wheel_is_asked_for_only_where_there_is_one(folder):
    import tomllib

    from packaging.requirements import Requirement

    path = Path(__file__).parents[2] / folder / "pyproject.toml"
    lines = tomllib.loads(path.read_text(encoding="utf-8"))["project"]["dependencies"]
    (wheel,) = [Requirement(line) for line in lines if line.startswith("spottl")]
    for system, machine in (("linux", "aarch64"), ("darwin", "arm64"), ("darwin", "x86_64")):
        assert not wheel.marker.evaluate({"sys_platform": system, "platform_machine": machine})
    assert wheel.marker.evaluate({"sys_platform": "linux", "platform_machine": "x86_64"})
