"""Packages hold all that their code reads: a checkout has every file, what is installed from a wheel only these."""

import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
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


def test_the_list_of_packages_holds_every_folder_of_modules():
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    names, places = (told["tool"]["setuptools"][key] for key in ("packages", "package-dir"))
    folders = {
        file.parent for file in (ROOT / "harness").rglob("__init__.py") if COPIED not in file.parts
    }
    listed = {ROOT / places.get(name, name.replace(".", "/")) for name in names}
    assert listed == folders


@pytest.mark.parametrize("project", PROJECTS, ids=lambda project: project.name)
def test_the_pins_are_what_the_packages_ask_for(project):
    """Building without isolation looks at no requirement: an old setuptools builds on old Pythons only."""
    told = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = dict(line.split("==") for line in lines if "==" in line)
    asked = [
        *told["build-system"]["requires"],
        *told["project"].get("dependencies", ()),
        *(
            one
            for extra in told["project"].get("optional-dependencies", {}).values()
            for one in extra
        ),
    ]
    wanted = [Requirement(line) for line in asked]
    pinned = {one.name.lower(): pins.get(canonicalize_name(one.name)) for one in wanted}
    assert pinned["setuptools"]
    for one in wanted:
        pin = pinned[one.name.lower()]
        assert pin is None or one.specifier.contains(pin, prereleases=True), f"{one}: {pin}"


def test_there_are_packages_to_look_at():
    assert {"ltlbench", "tempobench", "timepuzzles", "vltl", "logic"} <= {p.name for p in PROJECTS}
    assert ROOT in PROJECTS
