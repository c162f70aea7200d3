"""What an object claims about a run: its steps, and whether the trace is accepted."""

from __future__ import annotations

import html
import json
import re
from dataclasses import dataclass
from typing import Any

from harness_answers.json_objects import Parsed, value_of
from harness_answers.object_answers import is_remark, plain_key
from harness_answers.text import quoted

from harness_tempobench.answers.answer_objects import (
    LIKELY,
    SURE,
    Claim,
    goes_on_in,
    is_step,
    is_wrapper,
)
from harness_tempobench.answers.sentences import Sentences, Unreadable
from harness_tempobench.constraint import Formula, conjunction

_WRAPPED = 3  # objects around an answer
_FIELDS = {
    "state": frozenset(
        [
            "current_state", "state", "current", "from", "from_state", "start_state", "source",
            "source_state", "state_before",
        ]
    ),
    "inputs": frozenset(["defining_inputs", "defining_input", "inputs", "input"]),
    "next": frozenset(
        [
            "next_state", "next", "successor", "to", "to_state", "end_state", "target",
            "target_state", "state_after", "new_state", "successor_state",
        ]
    ),
}  # fmt: skip
_FIELD_OF = {name: field for field, names in _FIELDS.items() for name in names}
_OUTPUTS = frozenset(["outputs", "output", "defining_outputs"])
_NUMBERED = ("step", "time", "timestep", "time_step", "t", "index")
_BESIDE = frozenset([*_NUMBERED, *_OUTPUTS])
_ACCEPTED = frozenset(
    [
        "accepted", "accept", "accepts", "acceptance", "is_accepted", "trace_accepted", "verdict",
        "accepted_by_machine",
    ]
)  # fmt: skip
_REJECTED = frozenset(["rejected", "is_rejected", "trace_rejected"])
_OUTCOME = frozenset(["result", "outcome", "status", "conclusion"])  # they may say something else
_STATE = re.compile(
    r"(?:(?:state|node|[qs])[ _#:=]{0,3}|#)?\{?(-?[0-9]{1,9})\}?(?:\.0?)?(?: ?\([^()0-9]{0,60}\))?",
    re.IGNORECASE,
)
_NO_STATE = frozenset(("", "-", "none", "null", "n/a", "undefined", "no transition"))
_UNTAKEN = re.compile(
    r"(?:none|null|n/a|-|undefined|no (?:transition|next state|run)|rejected|reject|not taken|untaken|invalid|"
    r"impossible|(?:the step |it )?(?:cannot|can't|can not) be taken|mismatch|output mismatch|not possible)"
    r"(?: ?[(:,;—–-][^0-9]{0,100})?\.?",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:if|unless|or|when|whenever|provided|would|only|either)\b", re.IGNORECASE
)
_STATEMENT = re.compile(
    r"(?:the )?(?:(?:trace|run|machine) )?(?:is |was )?(?P<word>"
    r"yes|true|accepted|accepts?|valid|no|false|rejected|rejects?|not[ _]accepted|not accept|invalid|y|n|1|0)"
    r"(?: by the machine| the trace)?(?P<rest>$|[ \t]*[^\w\s].*)",
    re.IGNORECASE | re.DOTALL,
)
_YES = frozenset(["yes", "true", "accepted", "accept", "accepts", "valid", "y", "1"])
_DENIES = re.compile(
    r"\b(?:no|not|never|rejected|rejects?|false|cannot|fails?|invalid)\b", re.IGNORECASE
)
_AFFIRMS = re.compile(r"(?<!not )\b(?:yes|true|accepted|accepts?)\b", re.IGNORECASE)


_ATTRIBUTES = r"(?:\s+[\w-]{1,40}=(?:\"[^\"<>\n]{0,300}\"|'[^'<>\n]{0,300}'))*\s*"
_CHILDREN = r"(?:<(?P<%s>[a-z_]{1,40})>[^<>\n]{0,300}</(?P=%s)>\s*)*"
_XML_STEP = rf"<step{_ATTRIBUTES}(?:/>|>\s*{_CHILDREN % ('child', 'child')}</step>)\s*"
_XML_RUN = re.compile(
    rf"<(?P<tag>run|trace|steps|result|answer)(?P<of_run>{_ATTRIBUTES})>\s*(?P<steps>(?:{_XML_STEP}){{1,400}})"
    rf"(?P<more>{_CHILDREN % ('other', 'other')})</(?P=tag)>"
)
_XML_FIELD = re.compile(r"([\w-]+)=(?:\"([^\"]*)\"|'([^']*)')|<(\w+)>([^<>]*)</")


def with_json(text: str) -> str:
    """Return a text with JSON for runs in XML: ``<run accepted="no"><step state="0" …/> … </run>``."""

    def fields(said: str) -> dict[str, str]:
        found = _XML_FIELD.finditer(said)
        return {
            each[1] or each[4]: html.unescape(each[2] or each[3] or each[5] or "") for each in found
        }

    def run(found: re.Match[str]) -> str:
        steps = [fields(step) for step in re.split(r"<step(?=[\s>])", found["steps"])[1:]]
        return json.dumps({"steps": steps} | fields(found["of_run"] + found["more"]))

    return _XML_RUN.sub(run, text) if "<step" in text else text


def key_rank(key: str) -> int:
    """Return how surely an object that begins with a key means to be an answer; 0: not at all."""
    return SURE if is_step(key) or is_wrapper(key) or plain_key(key) in _ACCEPTED else 0


def joins(first: Parsed, second: Parsed, near: bool) -> bool:
    """Tell if two objects are pieces of one run: the next step, or the verdict beside the steps."""
    if set(first.value) & set(second.value):
        return False
    keys = [*first.value, *second.value]
    if near and all(plain_key(key) in _ACCEPTED for key in keys):
        return False
    if near and (_is_verdict(first) or _is_verdict(second)):
        return all(is_step(key) or plain_key(key) in _ACCEPTED for key in keys)
    return (
        isinstance(second.value[next(iter(second.value))], dict)
        and goes_on_in(first, second)
        and isinstance(first.value[next(reversed(first.value))], dict)
    )


def _is_verdict(parsed: Parsed) -> bool:
    return len(parsed.value) == 1 and plain_key(next(iter(parsed.value))) in _ACCEPTED


# -------------------------------------------------------------------------------------- claims


def claim(parsed: Parsed) -> Claim | None:
    """Return what an object claims, or None if it is no answer."""
    return _claim(parsed.value)


def _claim(value: Any, depth: int = 0) -> Claim | None:
    if isinstance(value, str):
        value = value_of(value)
    if isinstance(value, list):
        return _listed(value)
    if not isinstance(value, dict) or depth > _WRAPPED:
        return None
    verdicts = _verdicts(value)
    stated = {key: value[key] for key in value if is_step(key)}
    if any(map(_is_step_value, stated.values())):
        return Claim(SURE, stated=stated, verdicts=verdicts, fault=_strange(value, True))
    inner = (_claim(value[key], depth + 1) for key in value if is_wrapper(key))
    if claimed := next(filter(None, inner), None):
        claimed.verdicts += verdicts
        return claimed
    if not verdicts:
        return Claim() if not value else None
    if stated:
        return Claim(LIKELY, stated=stated, verdicts=verdicts)
    return Claim(verdicts=verdicts, fault=_strange(value, False))


def _verdicts(value: dict[str, Any]) -> list[Any]:
    """Return what an object says about acceptance: truth values, and values that are still to be read."""
    verdicts: list[Any] = []
    for key, field in value.items():
        name = plain_key(key)
        if name in _ACCEPTED:
            verdicts.append(field)
        elif name in _REJECTED and isinstance(field, bool | str):
            read = verdict(field)
            verdicts.append(None if read is None else not read)
        elif name in _OUTCOME and isinstance(field, str) and _STATEMENT.fullmatch(_unmarked(field)):
            verdicts.append(field)
    return verdicts


def _is_step_value(value: Any) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list) and len(value) == 3 and _is_state(value[0]) and _is_state(value[2])
    )


def _is_state(value: Any) -> bool:
    return _STATE.fullmatch(_unmarked(str(value)[:100])) is not None


def _strange(value: dict[str, Any], steps: bool) -> str:
    """Return why an object is not understood as a whole (an unknown key may hold steps); "" if it is."""
    for key, field in value.items():
        if is_step(key) or is_remark(key) or plain_key(key) in _ACCEPTED or not field:
            continue
        alike = isinstance(field, dict) and len(_known(field)) > 1
        if alike or (not steps and isinstance(field, dict | list)):
            return f"it is unclear what stands behind {quoted(key, 40)}: no step is called so"
    return ""


def _listed(value: list[Any]) -> Claim | None:
    """Return the claim of a list of steps: by their own numbers, or by place if none has one."""
    if not value or not all(isinstance(entry, dict) and entry for entry in value):
        return None
    verdicts = [each for entry in value if not _known(entry) for each in _verdicts(entry)]
    steps = [entry for entry in value if _known(entry) or not _verdicts(entry)]
    if steps and all(len(entry) == 1 and is_step(next(iter(entry))) for entry in steps):
        stated = {key: each for entry in steps for key, each in entry.items()}
    elif steps and all(map(_known, steps)):
        numbers = [
            next((entry[key] for key in entry if plain_key(key) in _NUMBERED), None)
            for entry in steps
        ]
        if all(number is None for number in numbers):
            numbers = list(range(len(steps)))
        if not all(type(number) in (int, str) for number in numbers):
            return Claim(SURE, fault="a list of steps of which not all have a number")
        stated = {str(number): entry for number, entry in zip(numbers, steps, strict=True)}
    else:
        return None
    fault = "a step stands twice in the list" if len(stated) < len(steps) else ""
    return Claim(SURE, stated=stated, verdicts=verdicts, fault=fault)


def _known(entry: dict[str, Any]) -> dict[str, list[Any]]:
    """Return the values of a step's known fields."""
    fields: dict[str, list[Any]] = {}
    for key, value in entry.items():
        if field := _FIELD_OF.get(plain_key(key)):
            fields.setdefault(field, []).append(value)
    return fields


# --------------------------------------------------------------------------------------- steps


@dataclass(frozen=True, slots=True)
class StatedStep:
    """One step of a stated run; None for what is left out."""

    state: int | None
    inputs: Formula | None
    next: int | None
    outputs: Formula | None = None


def step(number: int, value: Any, sentences: Sentences, simulated: bool = False) -> StatedStep:
    """Return a step, its outputs where they are asked for (``simulated``).

    Raises:
        Unreadable: a part of it cannot be read.
    """
    if isinstance(value, list) and len(value) == 3:
        value = dict(zip(("state", "inputs", "next"), value, strict=True))
    fields = _known(value) if isinstance(value, dict) else {}
    if not fields or any(len(values) > 1 for values in fields.values()):
        raise Unreadable("not an object with one current state, defining inputs and next state")
    for key in value if len(fields) < len(_FIELDS) else ():
        if not (plain_key(key) in _FIELD_OF or plain_key(key) in _BESIDE or is_remark(key)):
            raise Unreadable(f"it is unclear what the field {quoted(key, 40)} says")
    outputs = [value[key] for key in value if plain_key(key) in _OUTPUTS] if simulated else []
    if len(outputs) > 1:
        raise Unreadable("the outputs stand twice")
    inputs, written = (
        None if part is None else conjunction(sentences.formulas(part, number))
        for part in (fields.get("inputs", [None])[0], *(outputs or [None]))
    )
    state, following = (_state(fields.get(name, [None])[0]) for name in ("state", "next"))
    return StatedStep(state, inputs, following, written)


def is_untaken(value: Any) -> bool:
    """Tell if a step's value says that the step cannot be taken."""
    if isinstance(value, list) and len(value) == 3:
        return is_untaken({"next": value[2]})
    if isinstance(value, dict):
        following = _known(value).get("next", [])
        return len(following) == 1 and is_untaken(following[0])
    if not isinstance(value, str):
        return value is None
    return _UNTAKEN.fullmatch(value.strip()[:200]) is not None


def _state(value: Any) -> int | None:
    if type(value) is int and abs(value) < 10**9:
        return value
    text = _unmarked(value) if isinstance(value, str) else value
    if text is None or (isinstance(text, str) and text.lower() in _NO_STATE):
        return None
    number = None if isinstance(value, bool) else _STATE.fullmatch(str(text)[:100])
    if not number and isinstance(text, str) and text[:1] + text[-1:] in ("()", "[]"):
        number = _STATE.fullmatch(text[1:-1][:100])
    if not number:
        raise Unreadable(f"{quoted(str(value)[:80], 40)} is no number of a state")
    return int(number[1])


def _unmarked(text: str) -> str:
    return text.strip(" \t\n*`$\"'")


# ------------------------------------------------------------------------------------ verdicts


def verdict(value: Any) -> bool | None:
    """Return a verdict, or None where none is given.

    Raises:
        Unreadable: something is said that is not certainly yes or no.
    """
    if value is None or isinstance(value, bool):
        return value
    text = str(value) if type(value) is int else value
    if isinstance(text, str) and not _unmarked(text):
        return None
    read = _decided(_unmarked(text)) if isinstance(text, str) else None
    if read is None:
        raise Unreadable(f"{quoted(str(value)[:80], 40)} is no verdict: yes or no")
    return read


def _decided(text: str) -> bool | None:
    """Return the verdict that a text gives without a condition, None if it gives none."""
    statement = _STATEMENT.fullmatch(text.strip(" .!")[:300])
    if not statement or _CONDITION.search(statement["rest"]) or "/" in statement["rest"][:2]:
        return None
    value = statement["word"].lower() in _YES
    return None if (_DENIES if value else _AFFIRMS).search(statement["rest"]) else value


_LINE = re.compile(
    r"^[^\w\n]{0,9}(?:accepted|acceptance|accept|verdict)\b[^\w\n]{1,9}(?=\w)([^\n]{1,300})$"
    r"|^[^\w\n]{0,9}(?:(?:so|hence|thus|therefore),? )?(?:the |this )?"
    r"(?:(?:trace|run) is ((?:not )?accepted|rejected)|machine (accepts|rejects) the (?:trace|run))"
    r"(?: by the machine)?[^\w\n]{0,9}$",
    re.IGNORECASE | re.MULTILINE,
)


def outside(text: str) -> bool | None:
    """Return the last verdict without a condition that has a line of its own, such as "Accepted: yes"."""
    last = None
    for line in _LINE.finditer(text):
        statement = (line[1] or line[2] or line[3]).strip(" \t*_`|.\"'})]")
        read = _decided(statement)
        last = last if read is None else read
    return last
