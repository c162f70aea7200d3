"""What Inspect's source says of its settings: names, meanings and values, read without importing it.

The import takes a second, and whoever presses a key to complete a word does not wait for it.
"""

from __future__ import annotations

import ast
import importlib.util
import re
import textwrap
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

# Arguments of `eval` that say which task is run, where its log goes, or what becomes of samples that fail: ours.
DECIDED = {
    "tasks", "model", "task_args", "solver", "scanner", "sandbox", "checkpoint", "acp_server", "ctl_server",
    "metadata", "trace", "display", "log_dir", "log_format", "limit", "sample_id", "sample_shuffle", "epochs",
    "fail_on_error", "continue_on_fail", "score_on_error", "debug_errors", "max_tasks", "log_samples",
    "log_realtime", "log_buffer", "log_shared", "log_header_only", "run_samples", "score", "score_display",
    "eval_set_id", "eval_set_tasks", "scan_id", "task_retry_attempts", "sentinel", "kwargs", "response_schema",
    "model_cost_config",
}  # fmt: skip


class Setting(NamedTuple):
    """What a setting of Inspect means, in a line, and the words that it takes where they are known."""

    meaning: str
    words: tuple[str, ...]


@cache
def of_config() -> dict[str, Setting]:
    """Return the settings of a request by name: fields of `GenerateConfig`, each with the text below it."""
    meanings: dict[str, str] = {}
    annotations: dict[str, ast.expr] = {}
    name = ""
    for node in _definition("model/_generate_config.py", "GenerateConfig"):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            name = node.target.id
            annotations[name] = node.annotation
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            meanings.setdefault(name, str(node.value.value))
    return {
        name: Setting(_in_a_line(meanings.get(name, "")), tuple(_words(annotation)))
        for name, annotation in annotations.items()
    }


@cache
def of_eval() -> dict[str, Setting]:
    """Return the arguments of an evaluation by name, with what the docstring of `eval` says of each."""
    body = _definition("_eval/eval.py", "eval")
    text = ast.literal_eval(body[0].value) if body and isinstance(body[0], ast.Expr) else ""
    text = textwrap.dedent(f"{' ' * 4}{text}").partition("Args:\n")[2].partition("\nReturns")[0]
    meanings = dict(re.findall(r"^    (\w+): ((?:.|\n     )+)", text, re.MULTILINE))
    return {name: Setting(_in_a_line(meaning), ()) for name, meaning in meanings.items()}


def _definition(path: str, name: str) -> list[ast.stmt]:
    """Return the body of a class or function in a file of Inspect; nothing where there is none."""
    spec = importlib.util.find_spec("inspect_ai")
    for folder in (spec and spec.submodule_search_locations) or ():
        tree = ast.parse(Path(folder, path).read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name:
                return node.body
    return []


def _words(annotation: ast.expr) -> Iterator[str]:
    """Yield the words of an annotation ``Literal["low", "high"] | None``; of one that takes anything else none."""
    for part in ast.unparse(annotation).split(" | "):
        if part == "bool":
            yield from ("yes", "no")
        elif part.startswith("Literal["):
            yield from map(str, ast.literal_eval(part.removeprefix("Literal")))


def _in_a_line(meaning: str) -> str:
    """Return the first sentence of a meaning, without its full stop, and no longer than a line."""
    sentence = re.split(r"(?<=[^.]{3})\.(?: |$)", " ".join(meaning.split()))[0].rstrip(".")
    return (
        textwrap.shorten(sentence[:1].lower() + sentence[1:], 110, placeholder=" …")
        or "as in Inspect"
    )
