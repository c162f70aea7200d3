"""Inspect's logs as files of others."""

import subprocess
import sys
import zipfile
from pathlib import Path

import zipfile_zstd  # noqa: F401 (teaches zipfile the compression of Inspect's logs)

from harness.cli.main import main

READ = """
import sys
from pathlib import Path
from harness.rerun import logs
from harness_errors import DatasetError
path = Path(sys.argv[1])
for _ in range(5):
    try:
        list(logs.samples(path, logs.header(path)))
    except DatasetError as error:
        print(error)
"""


def test_a_damaged_sample_is_one_line_and_nothing_else(tmp_path: Path) -> None:
    """Inspect leaves coroutines half done there, and Python would print what became of each."""
    assert main(["run", "plugin=ltlbench", "n=3", f"log_dir={tmp_path}"]) == 0
    (log,) = tmp_path.glob("*.eval")
    bad = tmp_path / "bad.eval"
    with zipfile.ZipFile(log) as whole, zipfile.ZipFile(bad, "w") as damaged:
        for name in whole.namelist():
            data = whole.read(name)
            if name.startswith("samples/"):
                data = data.replace(b'"target":', b'"tar\\vget":')
                assert b"\\v" in data
            damaged.writestr(name, data)
    words = [sys.executable, "-c", READ, str(bad)]
    child = subprocess.run(words, capture_output=True, text=True, check=True)
    assert child.stderr == ""
    lines = child.stdout.splitlines()
    assert len(lines) == 5
    assert all(f"{bad}: not a readable Inspect log (IncompleteJSONError" in line for line in lines)
