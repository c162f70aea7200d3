"""Which object of a reply is the answer, and what keys of answers mean, for both tasks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from harness.text import quoted
from harness_tempobench.answers_json import Broken, Found, objects
from harness_tempobench.constraint import ConstraintError, Formula, conjunction, parse
from harness_tempobench.errors import TempobenchError

__all__ = ["LIKELY", "MAX_STEP", "SURE", "UNSURE", "Claim", "Unreadable", "chosen", "formulas", "is_step", "numbered",
           "plain_key", "step_of", "wraps"]  # fmt: skip

MAX_STEP = 1_000_000
"""The largest step that an answer may name."""


UNSURE, LIKELY, SURE = 1, 2, 3


class Unreadable(TempobenchError):
    """A reply without an answer, or with one that cannot be read; ``reason`` says why in one line."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(slots=True)
class Claim:
    """What an object claims to answer, not yet read.

    ``rank``: the last object of the highest rank counts (`UNSURE`, `LIKELY` or `SURE`). ``named``:
    it names the effect asked about. ``stated`` is by step; ``crossing`` what stands for clauses
    over several steps; ``verdicts`` what stands behind "accepted"; ``other`` another effect that
    it names; ``fault`` why it cannot be read.
    """

    rank: int = UNSURE
    named: bool = False
    stated: Any = field(default_factory=dict)
    crossing: list[Any] = field(default_factory=list)
    verdicts: list[Any] = field(default_factory=list)
    other: str = ""
    fault: str = ""


def chosen(
    completion: str,
    prompt: str,
    claim: Callable[[Any], Claim | None],
    key_rank: Callable[[str], int],
) -> tuple[Found, Claim]:
    """Return the object of a reply that counts, and what it claims.

    Args:
        completion: any text whatever.
        prompt: what the model was asked.
        claim: what an object claims, or None if it is no answer of the task.
        key_rank: the rank of an object that begins with a key and cannot be read; 0 if it is no
            answer of the task.

    Raises:
        Unreadable: there is none, or the last one cannot be read.
    """
    found = objects(completion, prompt)
    best: tuple[Found, Claim] | Broken | None = None
    highest = UNSURE
    for each in found:
        this: tuple[Found, Claim] | Broken
        if isinstance(each, Broken):
            rank, this = _broken_rank(each, prompt, key_rank), each
        else:
            claimed = claim(each.value)
            if claimed is None or _is_echo(each, prompt, claimed):
                continue
            rank, this = SURE if each.marked else claimed.rank, (each, claimed)
        if rank >= highest:
            best, highest = this, rank
    if best is None:
        raise Unreadable(
            "no JSON object in the reply is an answer" if found else "no JSON object in the reply"
        )
    if isinstance(best, Broken):
        raise Unreadable(best.reason)
    if best[1].fault:
        raise Unreadable(best[1].fault)
    return best


def _broken_rank(broken: Broken, prompt: str, key_rank: Callable[[str], int]) -> int:
    """Return the rank of what cannot be read; a template with dots was not meant as an answer."""
    if broken.raw.endswith(("}", "]")) and broken.raw in prompt:
        return 0
    if broken.marked:
        return SURE
    return 0 if "..." in broken.raw or "…" in broken.raw else key_rank(broken.key)


def _is_echo(found: Found, prompt: str, claim: Claim) -> bool:
    """Tell if an object was copied from the prompt.

    Not if it states nothing, nor if it is marked as the cause asked about and the line above was
    not copied as well: an answer can equal that of the example.
    """
    if not found.value or found.raw not in prompt:
        return False
    if not (found.marked and claim.named):
        return True
    above = found.before.rpartition("\n")[0].rstrip().rpartition("\n")[2].strip()
    return bool(above) and above in prompt


# -------------------------------------------------------------------------------------- keys

_WRAPPERS = frozenset(
    [
        "answer",
        "final_answer",
        "cause",
        "causes",
        "causality",
        "effects",
        "result",
        "output",
        "response",
        "solution",
        "label",
        "json",
        "run",
        "trace",
        "per_step",
        "steps",
        "transitions",
        "ground_truth",
        "json_ground_truth",
    ]
)
_STEP = re.compile(
    r"(?:(?:time[ _-]?)?step[ _#-]?|time[ _]?|t[ _=]?|@)?([0-9]{1,30}):?", re.IGNORECASE
)
_REMARKS = frozenset(
    ["explanation", "reasoning", "note", "notes", "comment", "comments", "justification"]
)


def plain_key(key: str) -> str:
    """Return a key in lower case, its words joined by underscores."""
    return re.sub(r"[\s_-]+", "_", key[:60].strip().lower())


def wraps(key: str) -> bool:
    """Tell if a key says no more than that the answer stands behind it."""
    return plain_key(key) in _WRAPPERS


def is_step(key: str) -> bool:
    """Tell if a key names a step: ``0``, ``step_0``, ``Step 0``, ``t0``."""
    return _STEP.fullmatch(key.strip()) is not None


def step_of(key: Any) -> int:
    """Return the step that a key or a number names.

    Raises:
        Unreadable: it names none, or one beyond `MAX_STEP`.
    """
    named = None if isinstance(key, bool) else _STEP.fullmatch(str(key).strip())
    if not named:
        raise Unreadable(f"{quoted(str(key), 40)} stands where the number of a step should")
    if int(named[1]) > MAX_STEP:
        raise Unreadable(f"step {quoted(named[1], 20)} is beyond {MAX_STEP:,}")
    return int(named[1])


def numbered(stated: Any) -> Iterator[tuple[int, Any]]:
    """Yield steps and what is stated for them; keys that only remark are left out.

    Raises:
        Unreadable: it is no object, or a key is no step.
    """
    if not isinstance(stated, dict):
        raise Unreadable("what is stated is no JSON object from steps to constraints")
    for key, said in stated.items():
        if plain_key(key) not in _REMARKS:
            yield step_of(key), said


# ------------------------------------------------------------------------------- constraints


def formulas(said: Any, names: frozenset[str]) -> list[Formula]:
    """Return what a step's value states: a sentence, a list of them, or truth values by name.

    A list in the list stands for its only element; of several it is unclear if "and" or "or" is
    meant.

    Raises:
        Unreadable: it is neither of them, or a sentence cannot be read.
    """
    if said is None:
        return []
    if isinstance(said, str):
        return [_formula(said, names)]
    if isinstance(said, dict):
        return [_literals(said)] if said else []
    if not isinstance(said, list):
        raise Unreadable(f"{quoted(str(said), 40)} is no sentence")
    return [_formula(_sentence(part), names) for part in said]


def _sentence(part: Any) -> str:
    while isinstance(part, list) and len(part) == 1:
        part = part[0]
    if isinstance(part, list) and part:
        raise Unreadable("a list in a list of constraints may mean `and` or `or`")
    if not isinstance(part, str):
        raise Unreadable(f"{quoted(str(part)[:80], 40)} is no sentence")
    return part


def _formula(sentence: str, names: frozenset[str]) -> Formula:
    try:
        return parse(sentence, names)
    except ConstraintError as error:
        raise Unreadable(str(error)) from None


def _literals(said: dict[str, Any]) -> Formula:
    """Return the conjunction of ``{"r": true, "g": false}``."""
    if any(type(value) not in (bool, int) or value not in (0, 1) for value in said.values()):
        raise Unreadable("an object of constraints that is not from propositions to truth values")
    return conjunction(("literal", name, bool(value)) for name, value in said.items())
