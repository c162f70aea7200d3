"""docs/limits.md says what limits there are: its numbers are those of the code, and none is left out."""

import ast
import importlib
import inspect
import re
from pathlib import Path

from harness_guard import call

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/limits.md").read_text(encoding="utf-8")
ENTRY = re.compile(r"^- .+: (?P<limit>[^:(]+) \(`(?P<where>[\w.]+:[\w.]+)`\)", re.M)
ENTRIES = PAGE.replace("\n  ", " ")  # an entry of the lists is one line
TEST = re.compile(r"`((?:plugins/\w+/)?tests/\w+\.py)::(\w+)`")

# What shapes our own words, or bounds what is kept in memory: nothing from outside ends there.
OWN = re.compile(
    r"MAX_(QUOTE|SHOWN|KEPT|SEEN|CACHED|TABLES|REASON|FOUND|FORMULA|PATH_TEXT|NUMBERS|TABULATED)$"
    r"|\.score:_MAX_(ROWS|COLUMNS|SENTENCE)$|explain:MAX_CLAUSES$|score_cause:_MAX_WORDS$"
    r"|syntax:_MAX_CALLS$"
)


def in_code(where):
    module, _, path = where.partition(":")
    found = importlib.import_module(module)
    if path == "call.memory_mb":
        return inspect.signature(call).parameters["memory_mb"].default
    name, *keys = path.split(".")
    found = getattr(found, name)
    for key in keys:
        found = found[key]
    return found


def named_maxima():
    """Yield "module:NAME" for each constant of ours whose name begins with MAX_ or _MAX_."""
    folders = [
        ROOT / "harness",
        *ROOT.glob("libs/*/harness_*"),
        *ROOT.glob("plugins/*/harness_*"),
    ]
    for path in (path for folder in folders for path in folder.rglob("*.py")):
        folder = next(one for one in folders if one in path.parents)
        module = ".".join(path.relative_to(folder.parent).with_suffix("").parts).removesuffix(
            ".__init__"
        )
        for statement in ast.parse(path.read_text(encoding="utf-8")).body:
            for name in re.findall(r"\b_?MAX_\w+", _targets(statement)):
                yield f"{module}:{name}"


def _targets(statement):
    if isinstance(statement, ast.Assign):
        return " ".join(ast.unparse(target) for target in statement.targets)
    return ast.unparse(statement.target) if isinstance(statement, ast.AnnAssign) else ""


def test_every_number_on_the_page_is_that_of_the_code():
    entries = list(ENTRY.finditer(ENTRIES))
    assert len(entries) > 150
    told = {row["where"]: float(row["limit"].split()[0].replace(",", "")) for row in entries}
    assert told == {where: float(in_code(where)) for where in told}
    assert len(told) == len(entries)  # none stands there twice


def test_no_constant_called_max_is_left_out():
    known = {row["where"] for row in ENTRY.finditer(ENTRIES)}
    found = {where for where in named_maxima() if not OWN.search(where)}
    assert len(found) > 100
    assert sorted(found - known) == []


def test_each_kind_of_limit_names_tests_that_go_beyond_it():
    named = TEST.findall(PAGE)
    assert len(named) > 10
    for path, test in named:
        assert f"def {test}(" in (ROOT / path).read_text(encoding="utf-8"), f"{path}::{test}"
