"""The JSON Schema of a scenario's file, and its errors with lines.

Every part of the schema that can fail has a `description` that says what would be right there.
"""

from __future__ import annotations

from typing import Any

import jsonschema

from harness_vltl.scenarios.yaml_tree import Node, error, quoted

_NAME = r"^[a-z][a-z0-9_]{0,30}\Z"
_TYPE = r"^[a-z](?:[a-z0-9_]{0,28}[a-z])?\Z"
_VALUE = r"^[a-z][a-z0-9_]{0,79}\Z"
_WORD = r"[a-z0-9](?:[a-z0-9'-]{0,30}[a-z0-9])?"
_SURFACE = rf"^(?=.{{1,80}}\Z){_WORD}(?: {_WORD}){{0,7}}\Z"
_PHRASE = rf"^(?=.{{1,200}}\Z)[a-z][a-z-]{{0,30}}(?: (?:{_WORD}|\{{[a-z0-9_]{{1,33}}\}})){{0,15}}\Z"
_HEAD = r"^[a-z][a-z-]{0,30}\Z"


def _mapping(fields: dict[str, Any], required: list[str], hint: str) -> dict[str, Any]:
    keys = {"properties": fields, "required": required, "additionalProperties": False}
    return {"type": "object", **keys, "description": hint}


def _named(pattern: str, value: dict[str, Any], most: int, hint: str) -> dict[str, Any]:
    names = {"propertyNames": {"pattern": pattern, "description": hint}}
    bounds = {"minProperties": 1, "maxProperties": most}
    return {"type": "object", **names, "additionalProperties": value, **bounds, "description": hint}


def _texts(item: dict[str, Any], least: int, most: int, hint: str) -> dict[str, Any]:
    bounds = {"minItems": least, "maxItems": most}
    return {"type": "array", "items": item, **bounds, "description": hint}


def _text(pattern: str, hint: str) -> dict[str, Any]:
    return {"type": "string", "pattern": pattern, "description": hint}


_surface = _text(
    _SURFACE, "write 1 to 8 words of lower case letters, digits, - and ', with single blanks"
)
_head = _text(_HEAD, "write one verb in lower case")
_values = _named(
    _VALUE,
    _texts(_surface, 1, 60, "write a list of 1 to 60 surface forms: [bench, long bench]"),
    5000,
    "write canonical names like dining_table (lower case, digits, _), each with its surface forms",
)
_type = {
    **_mapping(
        {
            "article": {"enum": ["the", "none"], "description": "write the or none"},
            "values": _values,
            "combine": _texts(
                _texts(_surface, 1, 200, "write a list of 1 to 200 words: [north, south]"),
                1,
                5,
                "write 1 to 5 lists of words: [[north, south], [street, avenue]]",
            ),
        },
        ["article"],
        "write article and either values or combine",
    ),
    "oneOf": [{"required": ["values"]}, {"required": ["combine"]}],
}
_phrase = {
    "type": ["string", "object"],
    "pattern": _PHRASE,
    "description": (
        "write a verb in its base form, then words of lower case letters, digits, -, ' and {arguments},"
        " or a mapping of phrase, ing and s"
    ),
    "properties": {
        "phrase": _text(_PHRASE, "write a phrase like: log {item} at {location}"),
        "ing": _head,
        "s": _head,
    },
    "required": ["phrase"],
    "additionalProperties": False,
}
_argument = _text(
    _TYPE, "write the name of a type: a lower case letter, then letters, digits, _, no digit last"
)
_action = _mapping(
    {
        "arguments": _texts(_argument, 0, 6, "write a list of up to 6 types: [item, location]"),
        "phrases": _texts(_phrase, 1, 40, "write a list of 1 to 40 phrases"),
    },
    ["arguments", "phrases"],
    "write arguments (a list, [] for none) and phrases",
)

SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "A scenario of vltl",
    **_mapping(
        {
            "name": _text(_NAME, "write a lower case letter, then up to 30 letters, digits and _"),
            "agents": _texts(_surface, 1, 50, "write a list of 1 to 50 nouns: [robot]"),
            "types": {
                **_named(
                    _TYPE,
                    _type,
                    50,
                    "write up to 50 types, named by lower case letters, digits, _, no digit last",
                ),
                "minProperties": 0,
            },
            "actions": _named(_NAME, _action, 200, "write 1 to 200 actions, named like pick_up"),
        },
        ["name", "agents", "types", "actions"],
        "write name, agents, types and actions",
    ),
}

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
