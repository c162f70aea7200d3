"""Commands where the user's home cannot be written."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from cases import slow

from harness.run import home

RUN = [sys.executable, "-m", "harness.cli", "run", "ltlbench", "n=1", "log_dir=logs"]
NOWHERE = "/dev/null/home"  # nobody can make it, root neither


@slow
def test_a_run_needs_no_home_and_leaves_nothing_elsewhere(tmp_path):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    environment = {k: v for k, v in os.environ.items() if not k.startswith("XDG_")}
    environment |= {"HOME": NOWHERE, "TMPDIR": str(temporary)}
    done = subprocess.run(RUN, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert len([*(tmp_path / "logs").glob("*.eval")]) == 1
    assert not [*temporary.iterdir()]


@pytest.mark.parametrize("value", [NOWHERE, "/dev/null", "broken", "~nobody-of-this-name"])
def test_what_cannot_be_written_is_replaced(tmp_path, monkeypatch, value):
    monkeypatch.chdir(tmp_path)
    Path("broken").symlink_to("/nowhere/at/all")
    monkeypatch.setattr(home.atexit, "register", lambda *call: None)
    for variable in home.FOLDERS:
        monkeypatch.setenv(variable, str(tmp_path / "made/when/needed"))
    monkeypatch.setenv("XDG_DATA_HOME", value)
    before = dict(os.environ)
    home.replace_unwritable()
    changed = {name for name in before if os.environ[name] != before[name]}
    assert changed == {"XDG_DATA_HOME"}
    assert not (tmp_path / "made").exists()
    Path(os.environ["XDG_DATA_HOME"]).rmdir()
