"""The library verifiers finds the environment by a top-level name; that name needs no verifiers to be there."""

import subprocess
import sys
from importlib import util
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "harness" / "training" / "environment"


def test_the_folder_is_installed_under_the_name_that_verifiers_imports(tmp_path):
    program = "import importlib.util; print(importlib.util.find_spec('harness_verifiers').origin)"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert Path(done.stdout.strip()) == FOLDER / "__init__.py"


def test_without_verifiers_its_import_names_what_is_missing(tmp_path):
    if util.find_spec("verifiers"):
        return
    done = subprocess.run(
        [sys.executable, "-c", "import harness_verifiers"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stderr.strip().splitlines()[-1].endswith("No module named 'verifiers'")
