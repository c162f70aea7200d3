"""Packages hold all that their code reads: a checkout has every file, what is installed from a wheel only these."""

import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECTS = [
    file.parent
    for file in sorted([ROOT / "pyproject.toml", *ROOT.glob("*/*/pyproject.toml")])
    if file.parent.parent.name in ("libs", "plugins", "examples") or file.parent == ROOT
]
# Not a module of the package, whatever its name: they are copied.
COPIED = "templates"


@pytest.mark.parametrize("project", PROJECTS, ids=lambda project: project.name)
def test_every_file_beside_the_modules_is_package_data(project):
    told = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))
    data = told["tool"]["setuptools"].get("package-data", {})
    folders = [one for one in project.glob("harness*") if (one / "__init__.py").exists()]
    assert folders or told["tool"]["setuptools"]["py-modules"]
    for folder in folders:
        kept = {file for pattern in data.get(folder.name, ()) for file in folder.glob(pattern)}
        found = {
            file
            for file in folder.rglob("*")
            if file.is_file()
            and not {"__pycache__", ".hypothesis"} & set(file.parts)
            and (file.suffix != ".py" or COPIED in file.parts)
        }
        assert found - kept == set()


def test_there_are_packages_to_look_at():
    assert {"ltlbench", "tempobench", "timepuzzles", "vltl", "logic"} <= {p.name for p in PROJECTS}
    assert ROOT in PROJECTS
