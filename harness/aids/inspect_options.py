"""What Inspect can ask and limit, as settings: from its own types, so that what its next version adds is there, too.

They are the fields of `GenerateConfig` and the arguments of `eval`, but for those that are settings of ours under the
same name, and those that the harness decides.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, get_args, get_origin

import inspect_ai
from harness_errors import SpecError
from inspect_ai.model import GenerateConfig
from pydantic import TypeAdapter, ValidationError

from harness.aids import inspect_source
from harness.core.feature_hooks import Option, Scope, Type
from harness.core.features import reserved
from harness.core.schemas import shown

# What changes no answer: one may go on with a run that was interrupted with other values.
SERVICE = {
    "attempt_timeout", "stream_idle_timeout", "adaptive_connections", "batch", "cache_prompt", "max_samples",
    "max_dataset_memory", "max_subprocesses", "max_sandboxes", "sandbox_cleanup", "sandbox_prebuilt", "notification",
    "log_level", "log_level_transcript", "log_images", "log_model_api", "log_refusals", "retry_on_error", "tags",
    "extra_headers",
}  # fmt: skip
PREFIX = "INSPECT_EVAL_"
_SECRET = re.compile("(?i)(key|token|secret|password|passwd|credentials?|authorization)$")
_TYPES: dict[Any, Type] = {
    int: "integer", float: "number", bool: "boolean", str: "string", list[str]: "list",
}  # fmt: skip


@cache
def options() -> tuple[Option, ...]:
    """Return the settings, in the order in which Inspect lists them."""
    meanings = {**inspect_source.of_eval(), **inspect_source.of_config()}
    annotations = [(name, field.annotation) for name, field in GenerateConfig.model_fields.items()]
    parameters = inspect.signature(inspect_ai.eval, eval_str=True).parameters
    annotations += [(name, parameter.annotation) for name, parameter in parameters.items()]
    return tuple(
        _option(name, annotation, meanings[name].meaning if name in meanings else "as in Inspect")
        for name, annotation in annotations
        if name not in inspect_source.DECIDED and name not in reserved()
    )


def _option(name: str, annotation: Any, meaning: str) -> Option:
    """Return a setting of ours for one of Inspect's."""
    inner = () if get_origin(annotation) is Literal else get_args(annotation)
    parts = [part for part in inner or (annotation,) if part is not type(None)]
    only = parts[0] if len(parts) == 1 else None
    choices = get_args(only) if get_origin(only) is Literal else ()
    kind = "string" if choices else _TYPES.get(only, "object")
    # With none of what is a most Inspect waits for ever.
    least = 1 if name.startswith("max_") and kind == "integer" else None
    scope: Scope = "service" if name in SERVICE else "model"
    return Option(
        name,
        kind,
        meaning,
        scope,
        ("run",),
        least=least,
        choices=choices,
        check=_check(name, annotation),
        variables=(f"{PREFIX}{name.upper()}",),
    )


def given(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of a spec's options that are Inspect's alone and have a value."""
    # Importing Inspect's types is for nothing where nobody asked for one.
    names = [name for name in settings if settings[name] is not None]
    known = {option.name for option in options()} if names else set()
    return {name: settings[name] for name in names if name in known}


def _check(name: str, annotation: Any) -> Any:
    def check(value: Any) -> None:
        for key in value if isinstance(value, dict) else ():
            if _SECRET.search(str(key)):
                why = "would stand in the log: give keys and passwords in the environment"
                raise SpecError(f"{name}: '{shown(key)}' {why}")
        if name == "model_args" and not isinstance(value, dict):
            raise SpecError(f"model_args={shown(value)}: expected {{name: value}}")
        try:
            TypeAdapter(annotation, config={"arbitrary_types_allowed": True}).validate_python(value)
        except ValidationError as error:
            why = error.errors()[0]["msg"]
            raise SpecError(f"{name}={shown(value)}: {why[:1].lower()}{why[1:]}") from None

    return check
