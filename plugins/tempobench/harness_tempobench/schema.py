"""The JSON Schema of an answer: what a prompt states, and what a model may be held to."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from harness_tempobench.targets import CROSSING, effect_name

_STRINGS = {"type": "array", "items": {"type": "string"}}
_STATE = {"type": "integer"}


def schema(problem: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema (draft 2020-12) of a problem's answer; it tells nothing of the answer.

    Keys stand in the order of the answer: tools that generate by a schema keep it, and a model
    that had to give the verdict before the steps could not use them.
    """
    make, *facts = _parts(problem)
    made: dict[str, Any] = make(*facts)
    return made


def text(problem: Mapping[str, Any]) -> str:
    """Return the schema as one line of JSON; kept, for runs of the same length have the same."""
    return _text(*_parts(problem))


@lru_cache(maxsize=256)
def _text(make: Callable[..., dict[str, Any]], *facts: Any) -> str:
    return json.dumps(make(*facts), ensure_ascii=False, separators=(",", ":"))


def _parts(problem: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return what makes the schema, and all that it depends on."""
    if problem["task"] in _RUNS:
        return _RUNS[problem["task"]], len(problem["trace"])
    effect = problem["effect"]
    return _cause, effect_name(effect), effect["step"], problem.get("label") == "full"


def _cause(name: str, last: int, full: bool) -> dict[str, Any]:
    steps = {str(step): {"$ref": "#/$defs/clauses"} for step in range(last + 1)}
    properties = {name: _exactly(steps)}
    if full:
        properties[CROSSING] = _exactly({name: {"type": "array", "items": _STRINGS}})
    return {**_exactly(properties), "$defs": {"clauses": _STRINGS}}


def inlined_schema(problem: Mapping[str, Any]) -> dict[str, Any]:
    """Return the same schema without references, which few providers of structured output support."""
    referring = schema(problem)
    parts = referring.pop("$defs")
    text = json.dumps(referring)
    for name, part in parts.items():
        text = text.replace(json.dumps({"$ref": f"#/$defs/{name}"}), json.dumps(part))
    inlined: dict[str, Any] = json.loads(text)
    return inlined


def _run(steps: int) -> dict[str, Any]:
    made = _simulation(steps, ("defining inputs",))
    verdict = {"accepted": {"type": "string", "enum": ["yes", "no"]}}
    return {**_exactly(made["properties"] | verdict, ["accepted"]), "$defs": made["$defs"]}


def _simulation(
    steps: int, texts: Sequence[str] = ("defining inputs", "outputs")
) -> dict[str, Any]:
    said = {key: {"type": "string"} for key in texts}
    step = _exactly({"current state": _STATE, **said, "next state": _STATE})
    properties = {f"step_{i}": {"$ref": "#/$defs/step"} for i in range(steps)}
    return {**_exactly(properties), "$defs": {"step": step}}


def _exactly(
    properties: Mapping[str, Any], required: Sequence[str] | None = None
) -> dict[str, Any]:
    """Return the schema of an object with these keys and no others; all required unless named."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties if required is None else required),
        "additionalProperties": False,
    }


_RUNS: dict[str, Callable[[int], dict[str, Any]]] = {"tte": _run, "sim": _simulation}
