"""Read which action a reply gives to each of prop_1, prop_2, … (`harness_vltl.answers.extraction`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from harness_answers.claims import MAX_CONTENT, RETRACTED, Answer, agreed, cut, marked_in
from harness_answers.json_reader import loads
from harness_answers.suppositions import without_counterfactuals
from harness_answers.text import last_marked, plain

from harness_vltl.answers.conclusions import DISBELIEVED, OPEN, TURN, stands
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
_TAGGED = re.compile(
    r"<(?:\w{1,20}[ \t]\w{1,20}=[\"'])?(prop_\d{1,2})[\"']?>([^<>\n]{1,200})</\w{1,20}>"
)
_WRAPPER = re.compile(r"</?(?:propositions|grounding|mapping)>")
_COMMENT = re.compile(r"#|//|—|–|-|\(|because\b|since\b|where\b")
# What may stand between actions that are a choice.
_JOINED = re.compile(r"(?:\W|\b(?:or|and|either|maybe|perhaps|possibly|alternatively)\b)*")
_ACTION = ("action_canon", "action", "predicate", "name", "verb")
_ARGUMENTS = ("args_canon", "args", "arguments", "argument", "parameters", "params")


def grounding(completion: str, prompt: str) -> Answer[Pairs] | None:
    """Return the action that a completion gives to each of prop_1, prop_2, …, or None.

    Read are a JSON object and lines ``prop_1: deliver(bench, loading_dock)``; without a mark, the
    one object in a reply that names propositions. An entry that cannot be read is left out, a
    name with two different values makes the whole answer unreadable.
    """
    text = without_counterfactuals(plain(completion, prompt))
    text = _WRAPPER.sub("", _TAGGED.sub(r"\1: \2; ", text))
    marked = marked_in(text, "grounding|mapping|dictionary")
    if marked:
        rest = marked.rest
        whole = f"{marked.content}\n{rest}"
        said = None if marked.content[:1] == "{" else _stated(whole, prompt)
        return said or agreed(marked, lambda content: _grounding(f"{content}\n{rest}", prompt))
    starts = [*re.finditer(r"^[ \t]*\{", text, re.MULTILINE)]
    start = starts[0] if starts else None
    if len(starts) > 1:  # a later object may take the place of the one above
        between = text[: starts[-1].start()].rpartition("}")[2]
        turns = RETRACTED.match(between) or _REPLACES.search(between)
        start = starts[-1] if turns and not _SHOWN.search(_BEGUN.split(between)[-1]) else start
    parsed = loads(text[start.start() :]) if start and not last_marked(text) else None
    if start is None or parsed is None:
        return None if last_marked(text) else _stated(text, prompt)
    lead = _BEGUN.split(text[max(0, start.start() - _LEAD) : start.start()])[-1]
    if RETRACTED.match(parsed[1]) or re.search(DISBELIEVED, lead, re.IGNORECASE):
        return None
    return _grounding(text[start.start() :], prompt)


_REPLACES = re.compile(r"\b(?:I replace|corrected|correction|revised|fixed)\b", re.IGNORECASE)
_SHOWN = re.compile(
    rf"\b(?:wrong|student\w*|common|not (?:this|the)|earlier)\b|{OPEN.pattern}", re.IGNORECASE
)


# ------------------------------------------------------------------- in a table, a list or a sentence

_END = 6_000  # characters of a reply that are looked at
_LEAD = 300  # characters before an object that are taken for its sentence
_BEGUN = re.compile(r"[.;] |(?<![:\s])\s*\n")  # not behind "the mapping is:"
_ACTIONS = re.compile(r"^- (?P<name>\w+)(?P<form>\([^()\n]*\))?", re.MULTILINE)
_LIFTED = re.compile(r"^Lifted: (.*)", re.MULTILINE)
_PHRASE = re.compile(r"\"[^\"()\n]*\s[^\"()\n]*\"")  # words of the requirement
_CALLED = r"\b[a-z]\w{2,40}\([\w \"'=:-]{1,60}(?:,[\w \"'=:-]{1,60}){0,3}\)"
_NUMBER = r"(?<![\w(])(?:prop(?:osition)?[ _-]?|p_?)(?P<number>\d{1,2})(?!\w)"
# What is said of the only proposition without its name.
_UNNAMED = re.compile(
    r"\b(?:the|this|its) (?:single |only |sole )?(?:proposition|placeholder|action|predicate)"
    r"(?= (?:\w+ly |thus |here |then )?(?:is|becomes|corresponds|maps|stands|means|must be|should be)\b)",
    re.IGNORECASE,
)
_REFUSED = re.compile(r"\b(?:not|than|instead of|unlike|versus|vs\.?)\W*\Z", re.IGNORECASE)


def _stated(text: str, prompt: str) -> Answer[Pairs] | None:
    """Return the last action that a text states of each proposition, if it does of all that are asked for."""
    text = text.replace("\\_", "_").rstrip()[-_END:]
    text = _PHRASE.sub(lambda phrase: " " * len(phrase[0]), text)
    lifted = _LIFTED.search(prompt)
    asked = {int(key) for key in re.findall(r"prop_(\d{1,2})", lifted[1])} if lifted else set()
    if len(asked) == 1:
        text = _UNNAMED.sub(f"prop_{min(asked)}", text)
    said: dict[int, tuple[re.Match[str], re.Match[str]]] = {}
    for key, values in reversed(list(_named(text, prompt))):
        number = int(key["number"])
        if number in said:
            later, value = said[number]
            same = canonical(values[-1][0]) == canonical(value[0])
            if not same and not TURN.search(text[values[-1].end() : later.start()]):
                return None
        elif asked - said.keys():
            if _is_open(text, key.start(), values):
                return None
            said[number] = key, values[-1]
    places = [piece for pair in said.values() for piece in pair]
    pairs = [(f"prop_{number}", canonical(said[number][1][0])) for number in sorted(said)]
    if not asked or not asked <= said.keys() or not all(value for _, value in pairs):
        return None
    begin, end = min(p.start() for p in places), max(p.end() for p in places)
    read = tuple((name, value) for name, value in pairs if value)
    return Answer(read, cut(text[begin:end])) if stands(text[end:]) else None


def _named(text: str, prompt: str) -> Iterator[tuple[re.Match[str], list[re.Match[str]]]]:
    """Yield each proposition of which a text says something, and the actions behind it; before it if all stand so."""
    forms = {action[0].removeprefix("- ") for action in _ACTIONS.finditer(prompt) if action["form"]}
    pieces = list(re.finditer(rf"{_NUMBER}|{_action(prompt)}", text))
    turned = pieces and pieces[0]["action"] and pieces[-1]["number"]
    values: list[re.Match[str]] = []
    key = None
    for piece in [*pieces, None]:
        if piece and piece["action"]:
            kept = piece[0] not in forms and not _REFUSED.search(
                text, max(0, piece.start() - 20), piece.start()
            )
            values += [piece] if kept and text[piece.end() :][:1] != "?" else []
            continue
        owner = piece if turned else key
        if owner and values:
            yield owner, values
        key, values = piece, []


def _action(prompt: str) -> str:
    """Return a pattern of what is a whole action: a call, or one of the prompt's that have no arguments."""
    names = [action["name"] for action in _ACTIONS.finditer(prompt) if not action["form"]]
    return rf"(?P<action>{_CALLED}|\b(?:{'|'.join(map(re.escape, names)) or '(?!)'})\b(?!\())"


def _is_open(text: str, start: int, values: list[re.Match[str]]) -> bool:
    """Tell whether a text leaves it open which of some actions it means."""
    last = values[-1]
    others = [value for value in values if canonical(value[0]) != canonical(last[0])]
    if others and not TURN.search(text[others[-1].end() : last.start()]):
        return True
    if re.search(DISBELIEVED, _BEGUN.split(text[:start])[-1], re.IGNORECASE):
        return True
    start = text.rfind(" ", 0, max(0, start - 1)) + 1  # "if prop_1 is …"
    begin = max(start, text.rfind("\n", 0, last.start()), text.rfind(". ", 0, last.start()))
    end = re.compile(r"[.;]\s|[\n,]|\Z").search(text, last.end())
    return OPEN.search(text, begin, end.start() if end else len(text)) is not None


def _grounding(content: str, prompt: str) -> Answer[Pairs] | None:
    content = content[:MAX_CONTENT].strip().replace("\\_", "_")
    if re.search(r"(?:[-=]>|[:=→])\Z", content):  # cut off
        return None
    if content[:2] == "\\{":
        content = _TEXT.sub(r"\1", content)
        content = content.replace("\\", "")
    elif re.match(r"\{[^{}\"']*\}\s*\Z", content):  # no JSON, but clear
        content = content[1:-1].strip()
    parsed = loads(content) if content[:1] in ("{", "[") else None
    if content[:1] == "{" and (parsed is None or "{" in parsed[1]):
        return None
    pairs = numbered(parsed[0] if parsed else content)
    action = re.compile(_action(prompt))
    if any(len(_choice(value, action)) > 1 for value in (pairs or {}).values()):
        return None
    actions = {number: canonical(value) for number, value in sorted((pairs or {}).items())}
    if any(
        value is None and OPEN.search(str((pairs or {})[number]))
        for number, value in actions.items()
    ):
        return None
    read = tuple((f"prop_{number}", value) for number, value in actions.items() if value)
    return Answer(read, cut(content)) if read else None


def _choice(value: Any, action: re.Pattern[str]) -> set[str | None]:
    """Return the whole actions that a value is made of: more than one leave it open which is meant."""
    if isinstance(value, str):
        rest = action.sub(" ", value)
        found = () if _JOINED.fullmatch(rest) is None else action.finditer(value)
        return {canonical(one[0]) for one in found}
    parts = list(value.values()) if isinstance(value, dict) else value
    if not isinstance(parts, list):
        return set()
    if isinstance(value, list) and all(isinstance(part, list | dict) for part in parts):
        return {canonical(part) for part in parts}
    return {one for part in parts for one in _choice(part, action)}


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
