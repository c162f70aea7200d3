"""A scenario's file against its JSON Schema (`schema.yaml`): errors with their lines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import yaml

from harness_vltl.scenarios.yaml_tree import Node, error, quoted

_FILE = Path(__file__).with_name("schema.yaml")
SCHEMA: dict[str, Any] = yaml.safe_load(_FILE.read_text("utf-8"))
_VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def check(root: Node, file: str) -> None:
    """Check a tree against the schema.

    Raises:
        ScenarioError: for the first line that breaks it, keys that are missing last.
    """
    problems = [
        # A key that is missing is often one that is misspelt, which says more.
        (problem.validator in ("required", "oneOf"), *_line_and_message(problem, root))
        for problem in _VALIDATOR.iter_errors(root.plain())
    ]
    if problems:
        _, line, message = min(problems)
        raise error(file, line, message)


def _line_and_message(problem: Any, root: Node) -> tuple[int, str]:
    path = list(problem.absolute_path)
    node = root
    for step in path:
        node = node.items()[step] if isinstance(step, int) else node.fields()[step]
    line = node.line
    instance, keyword = problem.instance, problem.validator
    inner = problem.parent is None and isinstance(node.value, dict)
    if inner and keyword == "additionalProperties" and isinstance(problem.schema, dict):
        extra = next(key for key in node.key_lines if key not in problem.schema["properties"])
        line, what = node.key_lines[extra], f"there is no key {quoted(extra)} here"
    elif inner and keyword == "required":
        missing = next(key for key in problem.validator_value if key not in instance)
        what = f"the key {quoted(missing)} is missing"
    elif inner and keyword == "pattern":  # a name that is a key
        line, what = node.key_lines[instance], f"{quoted(instance)} is no name for this"
    else:
        what = _failure(str(keyword), instance)
    place = ".".join(str(step + 1 if isinstance(step, int) else step) for step in path)
    hint = problem.schema.get("description", "") if isinstance(problem.schema, dict) else ""
    return line, f"{f'in {place[:80]}: ' if place else ''}{what}; {hint}"


def _failure(keyword: str, instance: Any) -> str:
    kinds: dict[type, str] = {str: "a text", list: "a list", dict: "a mapping"}
    kind = kinds[type(instance)]
    if keyword == "type":
        return f"{kind} does not belong here"
    if keyword == "oneOf":
        both = "values" in instance and "combine" in instance
        return "values and combine exclude each other" if both else "neither values nor combine"
    if keyword.startswith("min"):
        return f"{kind} that is too short"
    if keyword.startswith("max"):
        return f"{kind} of {len(instance)}, too many"
    return f"{quoted(str(instance))} does not fit"
