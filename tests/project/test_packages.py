"""Packages hold all that their code reads: a checkout has every file, what is installed from a wheel only these."""

import shlex
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from harness.datasets.extras import command_for

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


def pins_of(name):
    """Return the pins of a file, with those of the files that it takes in, by canonical names."""
    pins = {}
    for line in (ROOT / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("-c "):
            pins |= pins_of(line.removeprefix("-c "))
        else:
            package, version = line.split("==")
            assert canonicalize_name(package) not in pins, f"{name}: {package} is pinned twice"
            pins[canonicalize_name(package)] = version
    return pins


@pytest.mark.parametrize("project", PROJECTS, ids=lambda project: project.name)
def test_the_pins_are_what_the_packages_ask_for(project):
    """Building without isolation looks at no requirement: an old setuptools builds on old Pythons only."""
    told = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))
    extras = told["project"].get("optional-dependencies", {})
    asked = [*told["build-system"]["requires"], *told["project"].get("dependencies", ())]
    wanted = [("constraints.txt", Requirement(line)) for line in asked]
    for extra, lines in extras.items():
        own = f"constraints-{extra}.txt"
        file = own if project == ROOT and (ROOT / own).exists() else "constraints.txt"
        wanted += [(file, Requirement(line)) for line in lines]
    assert pins_of("constraints.txt")["setuptools"]
    for file, one in wanted:
        pin = pins_of(file).get(canonicalize_name(one.name))
        assert pin is None or one.specifier.contains(pin, prereleases=True), f"{one}: {pin}"
        # Every package of an extra of ours is pinned somewhere.
        assert pin or project != ROOT or one.name.startswith(("harness-", "temporal-")), one


def test_an_extra_with_pins_of_its_own_is_one_of_ours():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = {file.stem.removeprefix("constraints-") for file in ROOT.glob("constraints-*.txt")}
    assert extras <= set(project["optional-dependencies"])
    for extra in extras:
        assert pins_of(f"constraints-{extra}.txt").keys() > pins_of("constraints.txt").keys()


def test_there_are_packages_to_look_at():
    assert {"ltlbench", "tempobench", "timepuzzles", "vltl", "logic"} <= {p.name for p in PROJECTS}
    assert ROOT in PROJECTS


def test_the_command_for_an_extra_names_what_an_index_has():
    """Nothing of ours is on one, and an extra may stand for others of ours."""
    known = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for extra in known:
        _, _, *packages = shlex.split(command_for(extra))
        assert packages
        assert not [name for name in packages if name.startswith(("temporal-harness", "harness"))]
    assert "pyarrow>=15" in shlex.split(command_for("test"))  # of the extra `data`
