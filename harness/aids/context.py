"""Fixed search context: text found once, put before the prompts of models without search."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from harness_errors import SpecError

from harness.core.items import Item
from harness.run.draft import Aid

INTRODUCTION = "Here is some web search context that may help you:"
SUFFIXES = (".jsonl", ".txt", ".md", ".eval")
MAX_FILE = 1_000_000_000  # bytes
MAX_LINE = 2_000_000  # characters, room for a text with every character escaped
MAX_TEXT = 200_000  # characters


@dataclass(frozen=True, slots=True)
class Context(Aid):
    """The texts of one file: by item id, family or published id, or one for all items under an empty name."""

    sha256: str
    texts: Mapping[str, str]

    def of(self, item: Item) -> str | None:
        """Return the item's text, empty where nothing was found for it, None where it is missing."""
        names = (item.id, item.family, str(item.notes.get("source_id", "")), "")
        return next((self.texts[name] for name in names if name in self.texts), None)

    def before(self, item: Item, prompt: str) -> str:
        """Return a prompt of the item's with the item's context before it."""
        text = self.of(item)
        return f"{INTRODUCTION}\n\n{text}\n\n{prompt}" if text else prompt


def load(path: str) -> Context:
    """Return the context of a file: JSON lines of id and context, a text, or the log of a run.

    Raises:
        SpecError: it is missing, of another kind, too large, or a line of it is malformed.
    """
    if Path(path).suffix not in SUFFIXES:
        raise SpecError(f"context={path}: expected a file that ends in {', '.join(SUFFIXES)}")
    try:
        size = Path(path).stat()
    except (OSError, ValueError) as error:
        raise SpecError(f"context={path}: {_why(error)}") from None
    if size.st_size > MAX_FILE:
        raise SpecError(f"context={path}: {size.st_size} bytes, at most {MAX_FILE} are read")
    return _load(path, size.st_mtime_ns, size.st_size)


def facts(path: str, items: Iterable[Item]) -> dict[str, Any]:
    """Return what a log says of its context: the file, its digest, how many items have no text.

    Raises:
        SpecError: as `load`; or an item that the file does not know.
    """
    context = load(path)
    texts = {item.id: context.of(item) for item in items}
    missing = [name for name, text in texts.items() if text is None]
    if missing:
        raise SpecError(
            f"context={path}: no context for {len(missing)} of {len(texts)} items, the first is {missing[0]}"
        )
    empty = sum(not text for text in texts.values())
    if empty == len(texts):
        raise SpecError(f"context={path}: holds no text for any of {len(texts)} items")
    return {"file": path, "sha256": context.sha256, "empty": empty}


# A run loads its context twice, to check it and to ask; the file counts as changed by its stamp.
@lru_cache(maxsize=2)
def _load(path: str, stamp: int, size: int) -> Context:
    try:
        data = Path(path).read_bytes()
        text = "" if path.endswith(".eval") else data.decode()
    except (OSError, UnicodeDecodeError) as error:
        raise SpecError(f"context={path}: {_why(error)}") from None
    if path.endswith(".eval"):
        texts = _log(path)
    else:
        texts = _lines(path, text) if path.endswith(".jsonl") else {"": text.strip()}
    for name, found in texts.items():
        if len(found) > MAX_TEXT:
            long = f"{len(found)} characters for {name or 'all items'}"
            raise SpecError(f"context={path}: {long}, at most {MAX_TEXT} are read")
    return Context(hashlib.sha256(data).hexdigest(), texts)


def _why(error: Exception) -> str:
    if isinstance(error, OSError):
        return error.strerror or type(error).__name__
    return "not UTF-8" if isinstance(error, UnicodeDecodeError) else str(error)


def _lines(path: str, text: str) -> dict[str, str]:
    texts: dict[str, str] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line) if len(line) <= MAX_LINE else None
        except (ValueError, RecursionError):
            record = None
        fields = record if isinstance(record, dict) else {}
        name, context = fields.get("id"), fields.get("context")
        if not (isinstance(name, str) and isinstance(context, str) and name):
            wanted = '{"id": "…", "context": "…"}'
            raise SpecError(f"context={path}: line {number} is not of the form {wanted}")
        if name in texts:
            raise SpecError(f"context={path}: line {number} has the id {name[:80]} a second time")
        texts[name] = context
    return texts


def _log(path: str) -> dict[str, str]:
    """Return what web searches found for each item of a log, under its id and its family."""
    from inspect_ai.log import read_eval_log

    try:
        samples = read_eval_log(path, resolve_attachments=True).samples or []
    except Exception as error:
        why = " ".join(str(error).split())[:200]
        raise SpecError(f"context={path}: not a log of Inspect: {why}") from None
    parts: dict[str, dict[str, None]] = {}  # as a set in order
    for sample in samples:
        texts = dict.fromkeys(
            part for message in sample.messages for part in _sources(message) if part
        )
        family = sample.metadata.get("family", "")
        for name in filter(None, (str(sample.id), family)):
            parts.setdefault(name, {}).update(texts)
    return {name: "\n\n".join(texts) for name, texts in parts.items()}


def _sources(message: Any) -> Iterator[str]:
    """Yield the results of searches in a message and the sources it cites; nothing the model wrote."""
    searched = message.role == "tool" and message.function == "web_search" and not message.error
    if searched and isinstance(message.content, str):
        yield message.content.strip()
    for part in message.content if isinstance(message.content, list) else ():
        if part.type == "tool_use" and part.tool_type == "web_search" and not part.error:
            yield from _result(part.result)
        if part.type == "text" and searched:
            yield part.text.strip()
        if part.type == "text" and (searched or message.role == "assistant"):
            # A range in place of a cited text points into what the model wrote, which is no source.
            for cited in part.citations or ():
                yield _joined([cited.title, getattr(cited, "url", None), cited.cited_text])


def _joined(parts: Sequence[Any]) -> str:
    return "\n".join(part.strip() for part in parts if isinstance(part, str) and part.strip())


def _result(text: str) -> Iterator[str]:
    """Yield the sources of a provider's own search result: JSON, of which only some is text."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        yield text.strip()
        return
    pending = [value]
    while pending:
        call = pending.pop(0)
        if isinstance(call, list):
            pending = [*call, *pending]
        elif isinstance(call, dict):
            yield _joined([call.get(key) for key in ("title", "url", "snippet", "text", "content")])
            pending = [*(v for v in call.values() if isinstance(v, (dict, list))), *pending]
