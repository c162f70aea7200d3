"""Formulas as JSON: ``["G", ["->", "a", ["F", "b"]]]``, ``{"op": "G", "args": [...]}`` and its kin."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import reduce
from typing import Any

from harness_vltl.formulas.formula import (
    FINITE_ARITY,
    MAX_DEPTH,
    Formula,
    FormulaError,
    binary,
    substitute,
)
from harness_vltl.formulas.tokens import COMMANDS, LETTERS, SIGNS, WORDS, error, is_weak_next
from harness_vltl.formulas.typography import fold

_OBJECT = re.compile(r"\s*\{\s*[\"']")
_LIST = re.compile(r"\s*\[\s*[\"']")
_BRACKET = re.compile(r"[\[{]|([\]}])")
_OPERATION = ("op", "operator")
_OPERANDS = ("args", "operands", "arguments")
_BOUNDED = re.compile(r"[^\s()&|0-9]{1,40}[0-9][^()&|]{0,40}")  # F[0,3], in letters or words
_ATOMS = ("prop", "proposition", "atom", "ap")


def json_value(text: str) -> Any:
    """Return the JSON value that a text is, None if it is a formula of another notation."""
    is_object = _OBJECT.match(text)
    if not is_object and not _LIST.match(text):
        return None
    depth = 0
    for bracket in _BRACKET.finditer(text):
        depth += -1 if bracket[1] else 1
        if depth > 2 * MAX_DEPTH + 2:
            raise error(bracket.start(), "the JSON is nested too deep")
    quoted = text if '"' in text else text.replace("'", '"')
    try:
        return json.loads(quoted, object_pairs_hook=_object)
    except ValueError as problem:
        if is_object:
            raise FormulaError(f"the formula looks like JSON and is none: {problem}") from None
        return None  # ["a" & b] has square parentheses


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        raise FormulaError("a JSON object of the formula has a key twice")
    return data


def from_json(
    data: Any, read: Callable[[str], Formula], depth: int = 1, *, finite: bool = False
) -> Formula:
    """Return the formula that a JSON value is; ``read`` reads those in its strings.

    ``finite``: N is the weak next.
    """
    if depth > MAX_DEPTH:
        raise FormulaError(f"the formula is nested more than {MAX_DEPTH} levels deep")
    if isinstance(data, bool):
        return data
    if isinstance(data, str):
        return _leaf(data, read)
    if isinstance(data, dict):
        for key in _ATOMS:
            if [*data] == [key] and isinstance(data[key], str):
                return _leaf(data[key], read)
        data = _operation(data)
    if not isinstance(data, list) or not data or not isinstance(data[0], str):
        raise FormulaError(f"{json.dumps(data)[:60]} is no formula: expected [operator, …]")
    parts = [from_json(part, read, depth + 1, finite=finite) for part in data[1:]]
    if _BOUNDED.fullmatch(data[0]) and 0 < len(parts) < 3:
        said = f"{data[0]} b" if len(parts) == 1 else f"a {data[0]} b"
        return substitute(read(said), {"a": parts[0], "b": parts[-1]})
    return _operated("N" if finite and is_weak_next(data[0]) else _operator(data[0]), parts)


def _operated(operator: str, parts: list[Formula]) -> Formula:
    unary = FINITE_ARITY.get(operator) == 1
    if unary and len(parts) == 1:
        return [operator, parts[0]]
    if unary or len(parts) < 2 or (len(parts) > 2 and operator not in ("&", "|")):
        raise FormulaError(f"'{operator}' has {len(parts)} operands in the JSON")
    return reduce(lambda left, right: binary(operator, left, right), parts)


def _leaf(text: str, read: Callable[[str], Formula]) -> Formula:
    try:
        return read(text)
    except FormulaError as problem:
        raise FormulaError(f"in the JSON string {json.dumps(text)[:60]}: {problem}") from None


def _operation(data: dict[str, Any]) -> list[Any]:
    """Return the list form of ``{"op": …, "args": […]}``, ``{"G": …}`` and their kin."""
    operators = [data[key] for key in _OPERATION if key in data]
    operands = {key: value for key, value in data.items() if key not in _OPERATION}
    lists = [value for key, value in operands.items() if key in _OPERANDS]
    if len(operators) == len(operands) == 1 and lists:
        return [*operators, *(lists[0] if isinstance(lists[0], list) else lists)]
    for keys in (("operand",), ("arg",), ("left", "right")):
        if len(operators) == 1 and {*operands} == {*keys}:
            return [*operators, *(operands[key] for key in keys)]
    if len(operands) == 1 and not operators:
        ((name, value),) = data.items()
        return [name, *(value if isinstance(value, list) else [value])]
    raise FormulaError(
        f'JSON keys {json.dumps([*data])[:80]}, not those of {{"op": …, "args": […]}}'
    )


def _operator(name: str) -> str:
    plain = fold(name).strip()
    if plain.startswith("\\") and plain[1:] in COMMANDS:
        return COMMANDS[plain[1:]]
    words = "_".join(plain.lower().split())
    operator = LETTERS.get(plain) or SIGNS.get(plain) or WORDS.get(words)
    if operator is None:
        raise FormulaError(f"{json.dumps(name)[:40]} is no operator")
    return operator
