"""Read which action a reply gives to each of prop_1, prop_2, … (`harness_vltl.answers.extraction`)."""

from __future__ import annotations

import re
from typing import Any

from harness_answers.claims import MAX_CONTENT, RETRACTED, Answer, agreed, cut, marked_in
from harness_answers.json_reader import loads
from harness_answers.text import last_marked, plain

from harness_vltl.formulas.formula import PROPOSITION

Pairs = tuple[tuple[str, str], ...]  # ("prop_1", "deliver(bench,loading_dock)"), …

_KEY = (
    r"[\"'(\[<{]{0,2}\b(?:prop(?:osition)?\\?[ _-]?|p\\?_?)\{?(?P<number>\d{1,2})\}?(?!\w)"
    r"[\"')\]>]{0,2}"
)
_IS = r"[ \t]*(?::=|=>|->|[:=|→↦—–])"
_BEFORE = re.compile(rf"(?:[,;|][ \t]*(?:and[ \t]+)?|[ \t]and[ \t]+)(?={_KEY}{_IS})", re.IGNORECASE)
_LINE = re.compile(
    rf"[\s|•*+-]*(?:(?:here|so|thus|then),?[ \t])?(?:\d{{1,2}}[.)]\s)?{_KEY}{_IS}\s*(?P<value>\S.*)",
    re.IGNORECASE,
)
MEANS = re.compile(
    r"\b(p(?:rop)?_?\d{1,2})[ \t]+(?:is|means|stands for|denotes)[ \t]+", re.IGNORECASE
)
_NUMBERED = re.compile(_KEY, re.IGNORECASE)
_CALL = re.compile(
    r"\s*(?P<name>\w[\w -]{0,99})(?:(?P<open>[(\[])(?P<arguments>[^()\[\]]{0,900})[)\]])?"
    r"[\s,;.|]*(?P<rest>.*)",
    re.DOTALL,
)
_TEXT = re.compile(r"\\(?:text|math)\w{0,6}\s?\{([^{}]*)\}")
_TAGGED = re.compile(r"<(prop_\d{1,2})>([^<>\n]{1,200})</\1>")
_WRAPPER = re.compile(r"</?propositions>")
_COMMENT = re.compile(r"#|//|—|–|-|\(|because\b|since\b|where\b")
_ACTION = ("action_canon", "action", "predicate", "name", "verb")
_ARGUMENTS = ("args_canon", "args", "arguments", "argument", "parameters", "params")


def grounding(completion: str, prompt: str) -> Answer[Pairs] | None:
    """Return the action that a completion gives to each of prop_1, prop_2, …, or None.

    Read are a JSON object and lines ``prop_1: deliver(bench, loading_dock)``; without a mark, the
    one object in a reply that names propositions. An entry that cannot be read is left out, a
    name with two different values makes the whole answer unreadable.
    """
    text = _WRAPPER.sub("", _TAGGED.sub(r"\1: \2", plain(completion, prompt)))
    marked = marked_in(text, "grounding|mapping|dictionary")
    if marked:
        rest = marked.rest
        return agreed(marked, lambda content: _grounding(f"{content}\n{rest}"))
    start = re.search(r"^[ \t]*\{", text, re.MULTILINE)
    if start is None or last_marked(text):
        return None
    parsed = loads(text[start.start() :])
    return None if not parsed or RETRACTED.match(parsed[1]) else _grounding(text[start.start() :])


def _grounding(content: str) -> Answer[Pairs] | None:
    content = content[:MAX_CONTENT].strip().replace("\\_", "_")
    if re.search(r"(?:[-=]>|[:=→])\Z", content):  # cut off
        return None
    if content[:1] not in ("{", "["):
        content = MEANS.sub(r"\1 = ", content)
    if content[:2] == "\\{":
        content = _TEXT.sub(r"\1", content)
        content = content.replace("\\", "")
    elif re.match(r"\{[^{}\"']*\}\s*\Z", content):  # no JSON, but clear
        content = content[1:-1].strip()
    parsed = loads(content) if content[:1] in ("{", "[") else None
    if content[:1] == "{" and (parsed is None or "{" in parsed[1]):
        return None
    pairs = numbered(parsed[0] if parsed else content)
    actions = {number: canonical(value) for number, value in sorted((pairs or {}).items())}
    read = tuple((f"prop_{number}", value) for number, value in actions.items() if value)
    return Answer(read, cut(content)) if read else None


def numbered(data: Any, depth: int = 3) -> dict[int, Any] | None:
    """Return what data say of each numbered proposition; {} if they contradict themselves, None if they name none."""
    if isinstance(data, str):
        return _lines(data)
    if isinstance(data, list):
        return _merged(data)
    if not isinstance(data, dict) or not depth:
        return None
    by_number: dict[int, Any] = {}
    for key, value in data.items():
        number = _NUMBERED.fullmatch(str(key).strip())
        if number and by_number.setdefault(int(number["number"]), value) != value:
            return {}
    if by_number:
        return by_number
    inner = [read for part in data.values() if (read := numbered(part, depth - 1)) is not None]
    return inner[0] if len(inner) == 1 else None


def _merged(parts: list[Any]) -> dict[int, Any] | None:
    """Return what a list of objects says of each numbered proposition; {} and None as `numbered`."""
    by_number: dict[int, Any] = {}
    for part in parts:
        if not isinstance(part, dict):
            return None
        name = next((part[k] for k in ("prop", "proposition", "id", "key") if k in part), None)
        for key, value in [(name, part)] if isinstance(name, str) else part.items():
            number = _NUMBERED.fullmatch(str(key).strip())
            if number is None:
                return None
            if by_number.setdefault(int(number["number"]), value) != value:
                return {}
    return by_number or None


def _lines(text: str) -> dict[int, str] | None:
    by_number: dict[int, str] = {}
    for line in _BEFORE.sub("\n", text[:MAX_CONTENT]).splitlines():
        pair = _LINE.fullmatch(line)
        if pair:
            value = pair["value"].strip(" \t|,;\"'")
            if by_number.setdefault(int(pair["number"]), value) != value:
                return {}
        elif re.search(r"\w", line) and (by_number or line.lstrip()[:1] != "|"):
            break
    return by_number or None


def canonical(value: Any) -> str | None:
    """Return a proposition in the form in which `grounding` gives it, or None if it has none.

    That is lower case without blanks or hyphens, ``deliver(bench,loading_dock)``; a name to compare
    with goes through here too, as published ones have hyphens. A value is text, a list of the
    action and its arguments, or an object with both.
    """
    name: Any = value
    arguments: Any = []
    if isinstance(value, dict):
        low = {str(key).lower(): part for key, part in value.items()}
        name = next((low[key] for key in _ACTION if key in low), None)
        arguments = next((low[key] for key in _ARGUMENTS if key in low), [])
        if name is None and len(low) == 1:
            name, arguments = next(iter(low.items()))
    elif isinstance(value, list):
        name, arguments = (value[0], value[1:]) if value else (None, [])
    call = _CALL.fullmatch(name[:2000]) if isinstance(name, str) else None
    if call is None or (call["rest"] and not (call["open"] and _COMMENT.match(call["rest"]))):
        return None
    if isinstance(arguments, dict):
        arguments = list(arguments.values())
    if isinstance(arguments, str) or call["open"]:
        arguments = (call["arguments"] if call["open"] else arguments).split(",")
    if not isinstance(arguments, list | None) or not all(
        isinstance(a, str) for a in arguments or ()
    ):
        return None
    plains = [_canonical(re.sub(r"^\s*\w+\s*[=:]", "", part)) for part in arguments or ()]
    listed = ",".join(part for part in plains if part)
    canonical = f"{_canonical(call['name'])}({listed})" if listed else _canonical(call["name"])
    return canonical if PROPOSITION.fullmatch(canonical) else None


def _canonical(name: str) -> str:
    return re.sub(r"[\s_-]+", "_", name.strip(" \t\n\"'")).strip("_").lower()
