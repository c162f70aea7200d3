"""The measures of the house: no module and no function is too long to be read in one go."""

import ast
import re
from pathlib import Path

from cases import each

ROOT = Path(__file__).parents[2]
LONGEST = {"module": 400, "function": 60}


def too_long(text):
    """Return what of a module is too long: ``module``, or the names of functions."""
    found = {"module"} if len(text.splitlines()) > LONGEST["module"] else set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = node.end_lineno - node.lineno + 1
            found |= {node.name} if lines > LONGEST["function"] else set()
    return found


def product():
    """Return the modules that users get."""
    folders = ("harness", "libs", "plugins", "examples")
    paths = [path for name in folders for path in (ROOT / name).rglob("*.py")]
    return [path for path in paths if not {"tests", "build"} & {*path.parts}]


def test_no_module_and_no_function_is_too_long():
    assert len(product()) > 400
    found = {str(path.relative_to(ROOT)): too_long(path.read_text("utf-8")) for path in product()}
    assert {name: what for name, what in found.items() if what} == {}


@each(
    "text, found",
    [
        ("\n" * 400, set()),
        ("\n" * 401, {"module"}),
        ("def f():\n" + "    0\n" * 59, set()),
        ("def f():\n" + "    0\n" * 60, {"f"}),
        ("class A:\n    async def g(self):\n" + "        0\n" * 60, {"g"}),
    ],
)
def test_what_is_too_long_is_seen(text, found):
    assert too_long(text) == found


# A group (or an atomic one) that is repeated possessively, in the source of a pattern.
POSSESSIVE = re.compile(r"\)[*+?]\+|\)\{+[\w,{}]*\}+\+|\(\?>")


def test_no_group_of_a_pattern_is_repeated_possessively():
    """Python before 3.11.5 matches such groups wrongly, and a reply must score the same on every Python.

    What must not be given back is written ``(?=(…))\\1``; a set of characters, ``[a-z]*+``, is matched well.
    """
    assert all(
        map(POSSESSIVE.search, (r"(a|b)*+", r"(?:a)++", r"(a){0,3}+", r"(a){{0,{N}}}+", r"(?>a)"))
    )
    assert not any(map(POSSESSIVE.search, (r"[a-z]*+", r"a{0,3}+", r"(a)+", r"(a)*b+", r"(a){2}")))
    wrong = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in product()
        for line in path.read_text(encoding="utf-8").splitlines()
        if POSSESSIVE.search(line)
    ]
    assert wrong == []
