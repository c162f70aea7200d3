"""Inspect's logs as files of others."""

import gc
import logging
import sys
import warnings
import zipfile
from pathlib import Path

import zipfile_zstd  # noqa: F401 (teaches zipfile the compression of Inspect's logs)
from cases import slow
from children import forked
from harness_errors import DatasetError

from harness.cli.main import main
from harness.rerun import logs


def read(path: Path) -> int:
    """Read a log as a program of its own would: nothing of pytest's hears what Python says of what is left."""
    sys.unraisablehook = sys.__unraisablehook__
    logging.getLogger().handlers.clear()
    warnings.resetwarnings()
    for _ in range(5):
        try:
            list(logs.samples(path, logs.header(path)))
        except DatasetError as error:
            print(error)
        gc.collect()
    return 0


@slow
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
    with forked(lambda: read(bad), said := tmp_path / "said") as process:
        process.join(600)
    assert process.exitcode == 0
    lines = said.read_text().splitlines()
    assert len(lines) == 5
    assert all(f"{bad}: not a readable Inspect log (IncompleteJSONError" in line for line in lines)
