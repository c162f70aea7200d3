"""What Inspect can ask and limit, as settings: from its own types, so that what its next version adds is there, too.

They are the fields of `GenerateConfig` and the arguments of `eval`, but for those that are settings of ours under the
same name, and those that the harness decides.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Literal, get_args, get_origin

import inspect_ai
from harness_errors import SpecError
from inspect_ai.model import GenerateConfig
from pydantic import TypeAdapter, ValidationError

from harness.core.feature_hooks import Option, Type
from harness.core.features import reserved
from harness.core.schemas import shown

# Arguments of `eval` that say which task is run, where its log goes, or what becomes of samples that fail: ours.
DECIDED = {
    "tasks", "model", "task_args", "solver", "scanner", "sandbox", "checkpoint", "acp_server", "ctl_server",
    "metadata", "trace", "display", "log_dir", "log_format", "limit", "sample_id", "sample_shuffle", "epochs",
    "fail_on_error", "continue_on_fail", "score_on_error", "debug_errors", "max_tasks", "log_samples",
    "log_realtime", "log_buffer", "log_shared", "log_header_only", "run_samples", "score", "score_display",
    "eval_set_id", "eval_set_tasks", "scan_id", "task_retry_attempts", "sentinel", "kwargs", "response_schema",
    "model_cost_config",
}  # fmt: skip
# What changes no answer: one may go on with a run that was interrupted with other values.
SERVICE = {
    "attempt_timeout", "stream_idle_timeout", "adaptive_connections", "batch", "cache_prompt", "max_samples",
    "max_dataset_memory", "max_subprocesses", "max_sandboxes", "sandbox_cleanup", "sandbox_prebuilt", "notification",
    "log_level", "log_level_transcript", "log_images", "log_model_api", "log_refusals", "retry_on_error", "tags",
    "extra_headers",
}  # fmt: skip
PREFIX = "INSPECT_EVAL_"
_SECRET = re.compile(
    "(key|token|secret|password|passwd|credentials?|authorization)$", re.IGNORECASE
)
_TYPES: dict[Any, Type] = {
    int: "integer",
    float: "number",
    bool: "boolean",
    str: "string",
    list[str]: "list",
}


@cache
def options() -> tuple[Option, ...]:
    """Return the settings, in the order in which Inspect lists them."""
    return tuple(
        Option(
            name, _type(annotation), _in_a_line(meaning), "service" if name in SERVICE else "model", ("run",),
            choices=_choices(annotation), check=_check(name, annotation), variables=(f"{PREFIX}{name.upper()}",),
        )
        for name, annotation, meaning in (*_of_config(), *_of_eval())
        if name not in DECIDED and name not in reserved()
    )  # fmt: skip


def given(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of a spec's options that are Inspect's alone and have a value."""
    # Importing Inspect's types is for nothing where nobody asked for one.
    names = [name for name in settings if settings[name] is not None]
    known = {option.name for option in options()} if names else set()
    return {name: settings[name] for name in names if name in known}


def made_with(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `get_model`, beside the name, that a spec's options give."""
    address = settings.get("model_base_url")
    return {**({"base_url": address} if address else {}), **(settings.get("model_args") or {})}


def _of_config() -> Iterator[tuple[str, Any, str]]:
    """Yield name, annotation and meaning of the settings of a request."""
    (source,) = ast.parse(textwrap.dedent(inspect.getsource(GenerateConfig))).body
    meanings: dict[str, str] = {}
    name = ""
    for node in source.body if isinstance(source, ast.ClassDef) else ():
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            name = node.target.id
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            meanings.setdefault(name, str(node.value.value))
    for name, field in GenerateConfig.model_fields.items():
        yield name, field.annotation, meanings.get(name, "")


def _of_eval() -> Iterator[tuple[str, Any, str]]:
    """Yield name, annotation and meaning of the arguments of an evaluation."""
    text = (inspect.getdoc(inspect_ai.eval) or "").partition("Args:\n")[2].partition("\nReturns")[0]
    meanings = dict(re.findall(r"^    (\w+): ((?:.|\n     )+)", text, re.MULTILINE))
    for name, parameter in inspect.signature(inspect_ai.eval, eval_str=True).parameters.items():
        yield name, parameter.annotation, meanings.get(name, "")


def _in_a_line(meaning: str) -> str:
    """Return the first sentence of a meaning, without its full stop, and no longer than a line."""
    sentence = re.split(r"(?<=[^.]{3})\.(?: |$)", " ".join(meaning.split()))[0].rstrip(".")
    return (
        textwrap.shorten(sentence[:1].lower() + sentence[1:], 110, placeholder=" …")
        or "as in Inspect"
    )


def _parts(annotation: Any) -> tuple[Any, ...]:
    """Return what a value may be, None left out."""
    parts = (
        (annotation,)
        if get_origin(annotation) is Literal
        else get_args(annotation) or (annotation,)
    )
    return tuple(part for part in parts if part is not type(None))


def _type(annotation: Any) -> Type:
    parts = _parts(annotation)
    if len(parts) > 1:
        return "object"
    return "string" if _choices(annotation) else _TYPES.get(parts[0], "object")


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
