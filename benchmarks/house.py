"""The figures of docs/architecture.md: how large the rooms are, and who knows whom. Run it anywhere in a checkout.

Imports within functions count as imports, those for type checkers do not. Only files that git tracks count.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from harness.cli.tables import grid
from harness.core.features import options

ROOT = Path(__file__).parents[1]
HEART = ("core", "run", "cli")
LONG = 40  # lines of a string from which it may be a page
PAGE = re.compile(r"function|</\w|\{\n")
COUNT = """
import json, sys
from harness.cli.main import main
code = main(["run", "plugin=ltlbench", "n=2", f"log_dir={sys.argv[1]}"])
found = {name: one.__file__ for name, one in sys.modules.items() if name.partition(".")[0] == "harness"}
print(json.dumps([code, found]))
"""


def tracked(pattern: str, tests: bool = False) -> list[Path]:
    """Return the files of a pattern that git tracks, without (or only) those of tests."""
    words = ["git", "ls-files", pattern]
    names = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [Path(name) for name in names.splitlines() if ("tests" in Path(name).parts) == tests]


def lines(paths: list[Path]) -> int:
    """Return how many lines files have in sum."""
    return sum(len((ROOT / path).read_text(encoding="utf-8").splitlines()) for path in paths)


def modules() -> dict[str, ast.Module]:
    """Return the modules of the harness by name, those that the scaffold copies left out."""
    trees = {}
    for path in tracked("harness/*.py"):
        if "templates" not in path.parts:
            name = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
            trees[name] = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return trees


def imports(tree: ast.Module) -> Iterator[str]:
    """Yield the dotted names that a module imports."""
    guards = [
        n
        for n in ast.walk(tree)
        if isinstance(n, ast.If) and "TYPE_CHECKING" in ast.unparse(n.test)
    ]
    hidden = {id(node) for guard in guards for part in guard.body for node in ast.walk(part)}
    for node in ast.walk(tree):
        if id(node) in hidden:
            continue
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{one.name}" for one in node.names)


def graph(trees: Mapping[str, ast.Module]) -> dict[str, set[str]]:
    """Return which modules each module imports; the bare package counts for none."""
    edges: dict[str, set[str]] = {name: set() for name in trees}
    for name, tree in trees.items():
        for target in imports(tree):
            while target and target not in trees:
                target = target.rpartition(".")[0]
            if target not in ("", name, "harness"):
                edges[name].add(target)
    return edges


def circle(edges: Mapping[str, set[str]]) -> str:
    """Return a circle of imports, if there is one."""
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        return " → ".join(error.args[1])
    return "none"


def loaded() -> list[Path]:
    """Return the modules of the harness that a run of the reference model loads."""
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-c", COUNT, folder]
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    code, found = json.loads(done.stdout.splitlines()[-1])
    if code:
        raise RuntimeError(f"the run ended with code {code}")
    return [Path(place) for place in found.values()]


def naming(trees: Mapping[str, ast.Module]) -> dict[str, int]:
    """Return in how many modules of core, run and cli each option of a feature is named."""
    foreign = [name for name, one in options().items() if one.scope != "command" and len(name) > 2]
    doors = {name: _literals(tree) for name, tree in trees.items() if name.endswith(".plugin")}
    foreign = [
        option for option in foreign
        if not any(option in doors[f"harness.{room}.plugin"] for room in HEART[1:])
    ]  # fmt: skip
    heart = [
        _literals(tree)
        for name, tree in trees.items()
        if name.startswith(tuple(f"harness.{room}." for room in HEART))
    ]
    return {option: sum(option in one for one in heart) for option in foreign}


def _literals(tree: ast.Module) -> set[str]:
    texts = {
        n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)
    }
    return texts | {n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute)}


def page_text(trees: Mapping[str, ast.Module]) -> int:
    """Return the lines of strings that look like a page, a script or a style sheet."""
    texts = (
        node.value for tree in trees.values() for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )  # fmt: skip
    return sum(text.count("\n") for text in texts if text.count("\n") > LONG and PAGE.search(text))


def main() -> None:
    """Print the figures as a table."""
    trees = modules()
    private = [
        n
        for n, t in trees.items()
        if any(one.startswith("inspect_ai") and "._" in one for one in imports(t))
    ]
    run = loaded()
    named = naming(trees)
    heart = [path for room in HEART for path in tracked(f"harness/{room}/*.py")]
    print(grid([
        ["what", "figure"],
        ["core + run + cli, lines", str(lines(heart))],
        ["harness/, lines", str(lines([p for p in tracked("harness/*.py") if "templates" not in p.parts]))],
        ["plugins/, lines", str(lines(tracked("plugins/*.py")))],
        ["libs/, lines", str(lines(tracked("libs/*.py")))],
        ["tests, lines", str(lines(tracked("*.py", tests=True)))],
        ["modules of harness/ that a run loads", str(len(run))],
        ["of these in core, run and cli", str(sum(path.parent.name in HEART for path in run))],
        ["circles of imports", circle(graph(trees))],
        ["modules with private names of Inspect", ", ".join(private)],
        ["options of features named in core, run or cli", ", ".join(one for one, n in named.items() if n)],
        ["page text in Python strings, lines", str(page_text(trees))],
    ]))  # fmt: skip


if __name__ == "__main__":
    main()
