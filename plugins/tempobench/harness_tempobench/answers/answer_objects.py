"""Choose the JSON object of a reply that is the answer, and tell what the keys of answers mean, for both tasks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol, TypeGuard

from harness_answers.cleaning import the_end
from harness_answers.json_objects import Broken, Parsed, objects
from harness_answers.object_answers import is_remark, plain_key
from harness_answers.revocation import LEFT_OPEN, is_revoked
from harness_answers.text import plain, quoted, without_thinking

from harness_tempobench.answers.sentence_markup import without_subscripts
from harness_tempobench.answers.sentences import Unreadable

MAX_STEP = 1_000_000
"""The largest step that an answer may name."""


UNSURE, LIKELY, SURE = 1, 3, 4
_LESS_LIKELY = 2  # words stand on its line

_LAST = '"cross_step_clauses"'  # what an answer ends with: without its last brace it is whole
_NEAR = 60
_MAX_SPOKEN = 12_000  # characters in which an answer without JSON is looked for
_CHOICE = re.compile(
    rf"\b(?:{LEFT_OPEN}|or|else|otherwise|if|could|might|alternatively)\b", re.IGNORECASE
)
_OR_ALONE = re.compile(
    r"[\s`*~,;]*(?:or:?\s|(?:(?:answer|option|version|reading|alternative|candidate|possibility)[ \t])?"
    r"\(?(?:2|b|two|ii)[).:*]{1,4})"
    r"[\s`*~]*(?:json\s)?\s*",
    re.IGNORECASE,
)
_IF = re.compile(
    r"[ \t`*]{0,6}(?:only |but )?(?:if|unless|provided|assuming|in case)\b", re.IGNORECASE
)
_SUPPOSED = re.compile(
    r"(?:^|[.!?] )(?:but )?(?:if|unless)\b(?![^.\n]*\b(?:so|thus|hence|therefore)\b)[^.\n]*\Z",
    re.I | re.M,
)
_EITHER = re.compile(r"\beither\b[^.\n]{0,40}\Z", re.IGNORECASE)
_TASK = re.compile(r"^[\W_]{0,9}Task\b[^:\n]{0,20}:", re.MULTILINE)
_BETWEEN = re.compile(
    r"(?:json|[\s,;*`>|-]){0,30}(?:step[ _]?[0-9]{1,5}[\s:*]{0,5}+)?[`*]{0,4}", re.IGNORECASE
)
_EMPTY_MARK = re.compile(r"\banswers?\b(?: is)?[\s*_`:>$(]{0,20}(?:json\s)?[\s*`>]{0,5}\Z", re.I)
_EMPTY_REST = re.compile(r"[\s.*_`,;)}>$\\]{0,9}(?:$|\(|[—–-]|</)", re.MULTILINE)
_FENCED = re.compile(r"(?:\A|\n)[ \t>]{0,8}(?:`{3,}|~{3,})[ \t]?\w{0,10}\s{0,9}\Z")
_FENCE_END = re.compile(r"\s{0,9}(?:`{3,}|~{3,})")


@dataclass(slots=True)
class Claim:
    """What a JSON object of a reply states as an answer, before its sentences are read.

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


class Task(Protocol):
    """What the answers of a task look like: those to a `Question` for a cause, or `run_claims`."""

    def claim(self, parsed: Parsed) -> Claim | None:
        """Return what an object states, or None if it is no answer of the task."""

    def key_rank(self, key: str) -> int:
        """Return the rank of an object that begins with a key and cannot be read; 0: no answer."""

    def joins(self, first: Parsed, second: Parsed, near: bool) -> bool:
        """Tell if an object goes on in the next one; ``near``: only markup is between them."""


def chosen(
    completion: str, prompt: str, task: Task, spoken: Callable[[str], Parsed | None] | None = None
) -> tuple[Parsed, Claim]:
    """Return the JSON object of a reply that counts as the answer, and what it states.

    Args:
        completion: any text whatever.
        prompt: what the model was asked.
        task: what answers look like.
        spoken: returns the object for what a plain text states without JSON; asked if no object is an answer.

    Raises:
        Unreadable: there is none, or the last one cannot be read.
    """
    pieces = _pieces(objects(completion, prompt, _LAST), task)
    best: Parsed | Broken | None = None
    claim, highest = Claim(), UNSURE
    for candidate in pieces:
        if best and highest == SURE and (end := _TASK.search(best.text, best.end, candidate.start)):
            # the model invents a next task
            best = best.without_rest(end.start()) if isinstance(best, Parsed) else best
            break
        rank, claimed = _ranked(candidate, prompt, task)
        # what stands amid words gives way to what is marked as an answer
        amid = best and best.marked and not candidate.marked and candidate.inline
        if rank >= highest and not amid:
            highest, best, claim = rank, candidate, claimed
    if spoken and (best is None or (isinstance(best, Broken) and '"' not in best.raw)):
        # A set looks like JSON. Without its subscripts "\_" and "_{0}" lose what is part of a name.
        said = the_end(without_subscripts(without_thinking(completion)), _MAX_SPOKEN)
        stated = spoken(plain(said, prompt, words=True))
        best, claim = (stated, task.claim(stated) or claim) if stated else (best, claim)
    if best is None:
        raise Unreadable(_why_none(completion, bool(pieces)))
    if isinstance(best, Broken):
        raise Unreadable(best.reason)
    if claim.fault or _is_blank(claim.stated):
        raise Unreadable(claim.fault or "the object is a form of which nothing is filled in")
    if is_revoked(best.after):
        raise Unreadable("the answer is taken back")
    conditional = _EITHER.search(best.before[-_NEAR:]) or _IF.match(best.after)
    conditional = conditional or _SUPPOSED.search(best.before[-200:])
    if conditional or _is_one_of_two(best, pieces, task):
        raise Unreadable("the reply leaves open which of two answers it means")
    return best, claim


def _is_blank(stated: Any) -> bool:
    """Tell if the steps of an object are all there, but nothing is said of any."""
    steps = stated.values() if isinstance(stated, dict) else ()
    said = [
        part for step in steps for part in (step.values() if isinstance(step, dict) else [step])
    ]
    return bool(said) and all(part in (None, [None]) for part in said)


def _is_one_of_two(best: Parsed, pieces: list[Parsed | Broken], task: Task) -> bool:
    """Tell if an answer is one of two that a line joins by "or", a condition, or words of doubt."""
    for other in pieces:
        if isinstance(other, Parsed) and other.value != best.value:
            first, second = sorted((best, other), key=lambda part: part.start)
            between = best.text[first.end : second.start]
            joins = _OR_ALONE.fullmatch if "\n" in between else _CHOICE.search
            if len(between) < _NEAR and joins(between) and task.claim(other):
                return True
    return False


def _why_none(completion: str, any_object: bool) -> str:
    if any_object:
        return "no JSON object in the reply is an answer"
    if completion.strip() and not without_thinking(completion).strip():
        return "the thinking never ends, or nothing stands behind it"
    return "no JSON object in the reply"


def _pieces(candidates: Sequence[Parsed | Broken], task: Task) -> list[Parsed | Broken]:
    """Return the objects, with the pieces of one answer joined."""
    kept: list[Parsed | Broken] = []
    for candidate in candidates:
        last = kept[-1] if kept else None
        if _is_object(candidate) and _is_object(last):
            gap = candidate.text[last.end : min(candidate.start, last.end + 60)]
            near = candidate.start - last.end < 60 and _BETWEEN.fullmatch(gap) is not None
            if not (candidate.marked and not near) and task.joins(last, candidate, near):
                kept[-1] = last.joined(candidate)
                continue
        kept.append(candidate)
    return kept


def _is_object(part: Parsed | Broken | None) -> TypeGuard[Parsed]:
    return isinstance(part, Parsed) and isinstance(part.value, dict) and bool(part.value)


def goes_on_in(first: Parsed, second: Parsed) -> bool:
    """Tell if the last key of an object is a step and the first key of the other one is the next step."""
    before, after = (
        _STEP.fullmatch(key.strip())
        for key in (next(reversed(first.value)), next(iter(second.value)))
    )
    if not before or not after or len(before[1]) > 9 or len(after[1]) > 9:
        return False
    return int(before[1]) + 1 == int(after[1])


def _ranked(candidate: Parsed | Broken, prompt: str, task: Task) -> tuple[int, Claim]:
    """Return the rank of an object, 0 if it is no answer, and what it claims."""
    claim, rank = None, 0
    if isinstance(candidate, Broken):
        rank = _broken_rank(candidate, prompt, task)
    elif candidate.value not in ({}, [{}]) or _is_empty_answer(candidate):
        claim = task.claim(candidate)
        if claim is not None and not _is_echo(candidate, prompt, claim):
            rank = SURE if candidate.marked else claim.rank
    return _LESS_LIKELY if rank == LIKELY and candidate.inline else rank, claim or Claim()


def _is_empty_answer(parsed: Parsed) -> bool:
    """Tell if an empty object is meant as an answer: empty ones also occur in code, formulas and prose."""
    before, after = parsed.text[max(0, parsed.start - 200) : parsed.start], parsed.after
    if parsed.marked and _EMPTY_MARK.search(before):
        return _EMPTY_REST.match(after) is not None
    if _FENCED.search(before):
        ended = _FENCE_END.match(after)
        return ended is not None and "```" not in after[ended.end() :]
    alone = not before.rpartition("\n")[2].strip(" \t>*`")
    return alone and not after.strip(" \t\n\r*`.") and "```" not in after


def _broken_rank(broken: Broken, prompt: str, task: Task) -> int:
    """Return the rank of an object that cannot be read; a template with dots was not meant as an answer."""
    if broken.raw.endswith(("}", "]")) and broken.raw in prompt:
        return 0
    if broken.marked:
        return SURE
    return 0 if "..." in broken.raw or "…" in broken.raw else task.key_rank(broken.key)


def _is_echo(parsed: Parsed, prompt: str, claim: Claim) -> bool:
    """Tell if an object was copied from the prompt.

    Not if it states nothing, nor if it is marked as the cause asked about and the line above was
    not copied as well: an answer can equal that of the example.
    """
    if not parsed.value or parsed.raw not in prompt:
        return False
    if not (parsed.marked and claim.named):
        return True
    above = parsed.before.rpartition("\n")[0].rstrip().rpartition("\n")[2].strip()
    return bool(above) and above in prompt


# -------------------------------------------------------------------------------------- keys

_WRAPPERS = frozenset(
    [
        "answer", "final", "final_answer", "data", "cause", "causes", "causality", "effects", "result", "output",
        "response", "solution", "label", "json", "run", "trace", "per_step", "steps", "states",
        "transitions", "ground_truth", "json_ground_truth",
    ]
)  # fmt: skip
_STEP = re.compile(
    r"[\[(]?(?:at )?(?:(?:time[ _-]?)?step[ _#-]?|cycle ?|tick ?|time[ _]?|t[ _=]?|@)?"
    r"[\[(]?([0-9]{1,30})[\])]{0,2}[:.]?",
    re.IGNORECASE,
)
_LONGEST_STEP = 60  # more than any text that `_STEP` matches


def is_wrapper(key: str) -> bool:
    """Tell if a key only announces that the answer stands behind it."""
    return plain_key(key) in _WRAPPERS


def is_step(key: str) -> bool:
    """Tell if a key names a step: ``0``, ``step_0``, ``Step 0``, ``t0``."""
    return _step_in(key.strip()) is not None


def step_of(key: Any) -> int:
    """Return the step that a key or a number names.

    Raises:
        Unreadable: it names none, or one beyond `MAX_STEP`.
    """
    named = None if isinstance(key, bool) else _step_in(str(key).strip())
    if named is None:
        raise Unreadable(f"{quoted(str(key), 40)} stands where the number of a step should")
    if (step := int(named)) > MAX_STEP:
        raise Unreadable(f"step {quoted(named, 20)} is beyond {MAX_STEP:,}")
    return step


def _step_in(text: str) -> str | None:
    """Return the digits of a text that names a step; None of one that does not."""
    return _digits(text) if len(text) <= _LONGEST_STEP else None


@lru_cache(maxsize=4096)
def _digits(text: str) -> str | None:
    step = _STEP.fullmatch(text)
    return step[1] if step else None


def by_step(stated: Any) -> Iterator[tuple[int, Any]]:
    """Yield each step with what is stated for it; the keys of remarks are left out.

    Raises:
        Unreadable: it is no object, or a key is no step.
    """
    if not isinstance(stated, dict):
        raise Unreadable("what is stated is no JSON object from steps to constraints")
    for key, value in stated.items():
        if not is_remark(key):
            yield step_of(key), value
