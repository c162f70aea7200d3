"""Structured output: the JSON Schema of an item's answer, as Inspect hands it to a model."""

from __future__ import annotations

from collections.abc import Sequence

from harness_errors import PluginError, SpecError
from inspect_ai.model import GenerateConfigArgs, ResponseSchema
from inspect_ai.util import JSONSchema
from pydantic import ValidationError

from harness.core.facts import printable
from harness.core.items import Item
from harness.core.plugins import Plugin
from harness.run.draft import Aid


class Held(Aid):
    """The answer to each item, held to its schema where it has one."""

    def form(self, plugin: Plugin, item: Item) -> GenerateConfigArgs:
        """Return what holds a model to the schema; nothing where there is none."""
        schema = schema_of(plugin, item)
        return {"response_schema": schema} if schema else {}


def schema_of(plugin: Plugin, item: Item) -> ResponseSchema | None:
    """Return the schema that a model's answer to an item is held to; None: there is none.

    Keywords that Inspect does not know (``oneOf``, ``const``, ``$ref``, ``minItems``) are left out.

    Raises:
        PluginError: what the hook returned is no JSON object, or no schema to Inspect.
    """
    structure = plugin.call_json("structure", item=item)
    if structure is None:
        return None
    try:
        schema = JSONSchema.model_validate(structure)
    except ValidationError as error:
        first = error.errors()[0]
        where = printable(".".join(map(str, first["loc"])), 100)
        raise PluginError(
            f"plugin '{item.plugin}': structure() of item {item.index} is no JSON Schema that "
            f"Inspect takes: {where}: {first['msg'][:200]}"
        ) from None
    strict = schema.type == "object" and _closed(schema)
    return ResponseSchema(name="answer", json_schema=schema, strict=strict)


def without(plugin: Plugin, items: Sequence[Item]) -> int:
    """Return how many of the items have no schema; refuse those of which none has one: nothing would be held."""
    missing = sum(schema_of(plugin, item) is None for item in items)
    if missing == len(items):
        raise SpecError(
            f"structured=yes: {plugin.benchmark.name} says no schema for the answers to these items"
        )
    return missing


def _closed(schema: JSONSchema) -> bool:
    """Return whether a provider's strict mode takes a schema: it refuses what leaves anything open."""
    kinds = schema.type if isinstance(schema.type, list) else [schema.type]
    if schema.type is None and not schema.anyOf:
        return False
    if "object" in kinds:
        names = set(schema.properties or ())
        if schema.additionalProperties is not False or set(schema.required or ()) != names:
            return False
    if "array" in kinds and schema.items is None:
        return False
    inner = [schema.items] if schema.items else []
    parts = [*inner, *(schema.properties or {}).values(), *(schema.anyOf or ())]
    return all(map(_closed, parts))
