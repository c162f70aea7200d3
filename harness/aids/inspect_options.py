"""What Inspect can ask and limit, as settings: from its own types, so that what its next version adds is there, too.

They are the fields of `GenerateConfig` and the arguments of `eval`, but for those that are settings of ours under the
same name, and those that the harness decides.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Literal, get_args, get_origin

import inspect_ai
from harness_errors import SpecError
from inspect_ai.model import GenerateConfig
from pydantic import TypeAdapter, ValidationError

from harness.aids import inspect_source
from harness.core.feature_hooks import Option, Type
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
    sources = (inspect_source.of_eval(), inspect_source.of_config())
    meanings = {name: setting.meaning for part in sources for name, setting in part.items()}
    return tuple(
        Option(
            name, _type(annotation), meanings.get(name, "as in Inspect"),
            "service" if name in SERVICE else "model", ("run",), least=_least(name, annotation),
            choices=_choices(annotation), check=_check(name, annotation), variables=(f"{PREFIX}{name.upper()}",),
        )
        for name, annotation in _annotated()
        if name not in inspect_source.DECIDED and name not in reserved()
    )  # fmt: skip


def given(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of a spec's options that are Inspect's alone and have a value."""
    # Importing Inspect's types is for nothing where nobody asked for one.
    names = [name for name in settings if settings[name] is not None]
    known = {option.name for option in options()} if names else set()
    return {name: settings[name] for name in names if name in known}


def _annotated() -> Iterator[tuple[str, Any]]:
    """Yield name and annotation of the settings of a request, then of the arguments of an evaluation."""
    yield from ((name, field.annotation) for name, field in GenerateConfig.model_fields.items())
    for name, parameter in inspect.signature(inspect_ai.eval, eval_str=True).parameters.items():
        yield name, parameter.annotation


def _parts(annotation: Any) -> tuple[Any, ...]:
    """Return what a value may be, None left out."""
    inner = () if get_origin(annotation) is Literal else get_args(annotation)
    return tuple(part for part in inner or (annotation,) if part is not type(None))


def _type(annotation: Any) -> Type:
    parts = _parts(annotation)
    if len(parts) > 1:
        return "object"
    return "string" if _choices(annotation) else _TYPES.get(parts[0], "object")


def _least(name: str, annotation: Any) -> int | None:
    """Return the least of a number that is a most: with none of them Inspect waits for ever."""
    return 1 if name.startswith("max_") and _type(annotation) == "integer" else None


def _choices(annotation: Any) -> tuple[str, ...]:
    parts = _parts(annotation)
    return get_args(parts[0]) if len(parts) == 1 and get_origin(parts[0]) is Literal else ()


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
