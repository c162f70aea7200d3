"""JSON Schemas of configurations and problems: what is wrong with a value, in words that help who typed it."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from typing import Any

from harness_errors import SpecError

from harness.core.items import canonical_json

MAX_ERRORS = 100  # of a value that are looked at; ten of them are told


def shown(value: Any) -> str:
    """Return a value as an error quotes it: at most 80 characters."""
    text = str(value)
    return text if len(text) <= 80 else f"{text[:80]}…"


@cache
def _validator(schema_json: str) -> Any:
    import json

    from jsonschema import Draft202012Validator

    return Draft202012Validator(json.loads(schema_json))


def schema_errors(schema: Mapping[str, Any], value: Any) -> list[str]:
    """Return what JSON Schema finds wrong with a value: ``path: message``, at most one line each."""
    # Not all of them: a million wrong elements would be a million errors, of 4 kB each.
    first = itertools.islice(_validator(canonical_json(schema)).iter_errors(value), MAX_ERRORS)
    errors = sorted(first, key=lambda e: str(e.path))
    return [
        f"{'.'.join(str(p) for p in e.absolute_path) or 'value'}: {_middle_out(e.message.splitlines()[0])}"
        for e in errors[:10]
    ]


def _middle_out(message: str) -> str:
    """Return a message in 200 characters: a long value stands at its beginning, what is wrong at its end."""
    return message if len(message) <= 200 else f"{message[:99]}…{message[-100:]}"


def validate(schema: Mapping[str, Any], config: Mapping[str, Any]) -> None:
    """Refuse, by a `SpecError`, a configuration that does not fit its schema."""
    for key, value in config.items():
        try:
            canonical_json(value).encode()
        # A date, nan, a list within itself: YAML has them, JSON does not.
        except (TypeError, ValueError, RecursionError):
            raise SpecError(f"{key}={shown(value)}: not a JSON value") from None
    properties = schema["properties"]
    for message in schema_errors(schema, config):
        key, _, rest = message.partition(": ")
        key, _, part = key.partition(".")
        value, property_schema = config.get(key, ""), properties.get(key, {})
        # What a pattern or a bare type name says is of no help to who typed the value.
        if property_schema.get("type") == "array" and not isinstance(value, list):
            rest = "expected a list"
        elif isinstance(value, list) and len(value) > property_schema.get("maxItems", len(value)):
            rest = f"expected at most {property_schema['maxItems']} values"
        elif (
            "pattern" in property_schema
            and "description" in property_schema
            and " does not match " in rest
        ):
            rest = f"expected {property_schema['description']}"
        rest += _nearest(property_schema, value)
        raise SpecError(f"{key}={shown(value)}: {f'at {part}: ' if part else ''}{rest}")


def _nearest(schema: Mapping[str, Any], value: Any) -> str:
    """Return the nearest of the values that a schema names, where one is near."""
    if schema.get("type") == "array":
        schema = schema.get("items", {})
    known = [str(value_named) for value_named in schema.get("enum", ())]
    for word in value if isinstance(value, list) else [value]:
        if str(word) not in known and (near := get_close_matches(str(word), known, n=1)):
            return f"; did you mean '{near[0]}'?"
    return ""
