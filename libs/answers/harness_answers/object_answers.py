"""Answers in JSON objects: what their keys say, and a reply without what stands beside its answer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Any

LATEX = re.compile(r"\\(?:neg|neq|rightarrow)(?!\w)")
"""Commands of LaTeX in a string that JSON would take for an escape."""

_ANSWER_KEYS = frozenset(
    ["answer", "final_answer", "final_result", "output", "response", "result", "solution"]
)
_SURE_KEYS = frozenset(["answer", "final_answer"])
_REMARKS = frozenset(
    [
        "analysis", "chain_of_thought", "comment", "comments", "confidence", "details", "explanation",
        "justification", "note", "notes", "rationale", "reason", "reasoning", "reasons", "scratchpad",
        "thinking", "thought", "thoughts", "why", "working",
    ]
)  # fmt: skip
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")


def plain_key(key: str) -> str:
    """Return a key in lower case, its words joined by underscores: ``currentState`` as well."""
    return _plain(key[:60])


@lru_cache(maxsize=4096)
def _plain(key: str) -> str:
    return re.sub(r"[\s_-]+", "_", _HUMP.sub("_", key.strip(" \t*`?:")).lower())


def is_remark(key: str) -> bool:
    """Tell whether the value of a key is a remark, no part of an answer."""
    return plain_key(key) in _REMARKS


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a key stands twice")
    return members


_DECODER = json.JSONDecoder(object_pairs_hook=_once)
_OPENING = re.compile(r"^[ \t]*+(?=[\[{])", re.MULTILINE)
_FENCES = re.compile(r"```(?:json)?")
_OR = re.compile(r"\W*+(?:or|oder|ou|o|或)\W*+(?:json\W*+)?", re.IGNORECASE)
_QUOTED = re.compile(
    r"\b(?:if|suppose)\b(?!(?![^\n]*\b(?:would|could|might|this|these|following|below)\b)[^\n]*\.\Z)"
    r"|\b(?:examples?|student|someone|you asked)\b"
    r"|(?:\b(?:not|wrong|incorrect|drafts?|rejected|would be|could|might|no longer|instead of)\b|n't\b)"
    r"[^.,;]{0,99}\Z",
    re.IGNORECASE,
)
_MAX_OBJECTS = 20  # places where one may begin; of later ones nothing is left out


def answer_alone(text: str) -> str:
    """Return a reply whose object in plain JSON has no remarks: with one key for the answer alone, "Answer: X".

    A reasoning beside an answer may be long, hedge, and name other answers. A text around the object stays; then
    the key has to be an "answer", or a value true or false. An object that the words before it call an example or
    wrong goes. A reply with two answers is returned as it is, of a choice of two nothing.
    """
    if "{" not in text or LATEX.search(text):
        return text
    found = list(_values(text))
    if not found:
        return text
    start, end, last = found[-1]
    around = text[:start] + text[end:]
    if len(found) == 1 and not _FENCES.sub("", around).strip():
        return _content(last) or _reduced(last, _ANSWER_KEYS) or text
    if len(found) > 1 and _OR.fullmatch(text, found[-2][1], start):
        return ""
    answers = [
        (at, ends, short) for at, ends, value in found if (short := _reduced(value, _SURE_KEYS))
    ]
    for at, ends, _ in answers:
        # The line above an object, or the words before it, may say that it is no answer of the reply.
        line = _FENCES.sub("", text[max(0, at - 300) : at]).rstrip().rpartition("\n")[2]
        if _QUOTED.search(line):
            return answer_alone(text[:at] + text[ends:])
    if (
        not answers
        and len(found) == 1
        and any(isinstance(part, bool) for part in _left(last).values())
    ):
        return f"{text[:start]}{json.dumps(_left(last), ensure_ascii=False)}{text[end:]}"
    short = _reduced(last, _SURE_KEYS)
    return (
        f"{text[:start]}{short}{text[end:]}" if {one for _, _, one in answers} == {short} else text
    )


def _left(value: Any) -> dict[str, Any]:
    """Return an object without its remarks; {} of any other value."""
    entries = value.items() if isinstance(value, dict) else ()
    return {key: part for key, part in entries if not is_remark(key)}


def _content(message: Any) -> str | None:
    """Return what a message of the assistant says, as an interface gives it: {"role": "assistant", "content": …}."""
    message = message[-1] if isinstance(message, list) else message
    content = message.get("content") if isinstance(message, dict) else None
    return content if isinstance(content, str) and message.get("role") == "assistant" else None


def _values(text: str) -> Iterator[tuple[int, int, Any]]:
    """Yield start, end and value of each object in plain JSON that begins a line, or list of some."""
    end = 0
    for opening in islice(_OPENING.finditer(text), _MAX_OBJECTS):
        if opening.end() < end:
            continue
        try:
            value, end = _DECODER.raw_decode(text, opening.end())
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) or "{" in text[opening.end() : end]:
            yield opening.end(), end, value


def _reduced(value: Any, keys: frozenset[str]) -> str | None:
    """Return an object without remarks and what wraps it, "Answer: X" of a text; None without one of the keys."""
    value = value[0] if isinstance(value, list) and len(value) == 1 else value
    if not isinstance(value, dict):
        return None
    left = _left(value)
    named = not keys.isdisjoint(map(plain_key, left))
    if named:
        left.pop("steps", None)
    answer = next(iter(left.values())) if len(left) == 1 else None
    if isinstance(answer, dict) and not keys.isdisjoint(map(plain_key, answer)):
        return _reduced(answer, keys)
    if not (named or (keys is _ANSWER_KEYS and 0 < len(left) < len(value))):
        return None
    if named and isinstance(answer, str | bool):
        return f"Answer: {answer}"
    return json.dumps(
        {"answer": answer} if named and answer is not None else left, ensure_ascii=False
    )
