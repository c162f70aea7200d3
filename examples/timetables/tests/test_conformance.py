"""The conformance kit, and that nothing but the public interface of the harness is used."""

import ast
import sys
from pathlib import Path

import harness_timetables
import pytest

import harness
from harness.testing import CHECKS, conformance, registry

PLUGIN = registry().get("timetables")
OWN = ("harness_timetables", "timetables_items")
TESTING = {"harness.testing", "pytest", "hypothesis"}


@pytest.mark.parametrize(
    ("config", "n", "left_out"),
    [
        # `harness check` tries these two, and longer.
        ({}, 6, ("inspect", "processes")),
        ({"changes": 0, "never": False}, 4, ("inspect", "junk", "processes")),
        ({"changes": 3, "stations": 8, "trains": 16}, 4, ("inspect", "junk", "processes")),
    ],
    ids=str,
)
def test_conformance(config, n, left_out):
    only = tuple(name for name in CHECKS if name not in left_out)
    report = conformance(PLUGIN, config, n=n, only=only)
    assert [check for check in report["checks"] if check["failure"]] == []
    assert {check["name"] for check in report["checks"]} == {"generate", *only}


def imported(path):
    """Yield (module, name or None) of everything that a file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, None) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: relative import"
            yield from ((node.module, alias.name) for alias in node.names)


def foreign(path, allowed):
    """Yield what a file imports beside the standard library, itself, and public names of the harness."""
    for module, name in imported(path):
        top = module.partition(".")[0]
        if top in sys.stdlib_module_names or top in OWN or module in allowed:
            continue
        if module == "harness" and (name is None or name in harness.__all__):
            continue
        yield f"{path.name} imports {name or ''} from {module}"


def test_only_public_names_are_imported():
    package = Path(harness_timetables.__file__).parent
    found = [one for path in package.rglob("*.py") for one in foreign(path, set())]
    found += [one for path in Path(__file__).parent.glob("*.py") for one in foreign(path, TESTING)]
    assert found == []


@pytest.mark.parametrize(
    "line",
    [
        "from harness.core.spec import make",
        "import harness.core.spec",
        "from harness import spec",
        "import numpy",
    ],
)
def test_what_is_not_public_is_found(tmp_path, line):
    path = tmp_path / "module.py"
    path.write_text(f"import re\nfrom harness import Item\n{line}\n")
    assert len(list(foreign(path, TESTING))) == 1
