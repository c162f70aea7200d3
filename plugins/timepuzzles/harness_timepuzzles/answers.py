r"""Read the dates a model answered, or say that there is no answer: a guess is worth nothing.

First the text is made plain (`harness_timepuzzles.cleaning`): thinking, the echoed prompt and all
markup go, an unclosed thinking block leaves nothing. Then the **last marker** wins:

*   a mark such as ``Answer:``, ``Final answer =``, ``## Answer``, ``\boxed{}`` or ``<answer>`` at
    the beginning of a line or sentence; nothing readable behind it means no answer at all;
*   ``the answer is …`` in a sentence, which is passed over where no dates follow;
*   a JSON key ``"answer"`` (or ``"dates"``, if no key is called answer).

The answer is the rest of the line and the lines behind it that hold nothing but dates; it ends at
prose that begins like a sentence of its own. Prose that goes on with the list, takes it back or
doubts it makes the text unparsable. Without any marker a text is an answer only if all of it is
dates, or it is the bare word none.

What a list of dates is, `harness_timepuzzles.dates` decides; every word has to be understood.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from harness_timepuzzles.cleaning import MAX_TEXT, plain
from harness_timepuzzles.dates import MONTH, WEEKDAY, Listed, read, tokenise

__all__ = ["MAX_TEXT", "Answer", "extract"]

_MAX_QUOTE = 120
_MAX_CONTENT = 40_000
_MAX_MARKS = 50  # sentences "the answer is" that are tried, from the last on
_BEFORE = 120

_MARK = re.compile(
    r"(?<![\w-])(?:final_)?answers?\b(?:[ \t]*\([^()\n]{0,40}\))?[\"']?[ \t]*(?:"
    r"(?P<strong>(?:(?:is|are)[ \t]*)?(?::|=>?|->|→|-(?=[ \t])))"
    r"|(?P<verb>(?:is|are)\b(?:[ \t]+(?:therefore|thus|hence|then)\b)?)"
    r"|(?P<alone>(?=\n|\Z)))",
    re.IGNORECASE,
)
_LEADING = re.compile(
    r"\W*(?:\d{1,2}[.)]\W*)?(?:(?:so|thus|therefore|hence|finally|consequently|then|and|the|my|our"
    r"|final|correct|complete|full|overall|in conclusion|in summary|answer|i think|i believe)\b\W*)*",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[\w)\]\"'][\w)\]\"'])[.!?][\"')\]]*\s+")
_KEY = re.compile(
    r"[\"'](?:(?P<answer>(?:final[_ ]?)?answers?)|dates)[\"']\s{0,9}:\s{0,99}(?=[\"'\[{])",
    re.IGNORECASE,
)
_PYTHON = re.compile(r"\[[^\[\]{}]*\]|'[^'\n]*'")

_LEAD_IN = re.compile(
    r"\s*(?:(?:it|that|this)(?: is|'s)\s+)?(?:(?:the|only|possible|valid|matching|following|unique"
    r"|all|correct|exact|complete|list|set|of)\s+)*(?:dates?|days?|solutions?)\b"
    r"(?:\s+(?:that\s+)?(?:satisf(?:y|ies|ying)|match(?:es|ing)?|meets?)"
    r"(?:\s+(?:all|of|the|these|given|clues?|conditions?|constraints?)\b)*)?"
    r"(?:\s+(?:is|are)\b(?:\s+as follows\b)?)?\s*:?"
    r"|\s*(?:it|that|this)(?: is|'s)\b",
    re.IGNORECASE,
)
_NEXT_SENTENCE = re.compile(r"(?<=[^\s.][.!])[ \t]+(?=[A-Z][a-z])")
_PROSE_LEAD = re.compile(r"\W*(?:\d{1,2}[.)]\s+)?\W*")
_GOES_ON = re.compile(
    rf"(?:also|and|or|plus|except|excluding|but|not|unless|without|if|provided|either|maybe|perhaps"
    rf"|possibly|probably|alternatively|only if|{MONTH}|{WEEKDAY})\b|no[,.!]"
    rf"|(?:other|others|another|additionally|assuming|from|to|through|until|before|after|between)\b"
    rf"[^\n]{{0,200}}[0-9]{{3}}",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(
    r"\b(?:wait|hmm+|oops|actually|however|scratch that|on second thought|correction|erratum"
    r"|let me re\w+|i (?:was|am) (?:wrong|mistaken|not sure|unsure)|i'm (?:not sure|unsure)"
    r"|i (?:can ?not|can't|could not|couldn't|don't know|do not know)"
    r"|(?:that|this|it|which|above|answer|list|dates?) (?:is|was|are|were) (?:in fact |also )?"
    r"(?:not (?:right|correct|complete|certain|sure|valid|final|the answer)|wrong|incorrect"
    r"|mistaken|invalid|incomplete|unknown|a guess)|(?:answer|list) is not"
    r"|(?:is|are)n't (?:right|correct)|can ?not be determined|(?:is|are) excluded|only a guess"
    r"|should (?:also )?(?:be|have been|include|read))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model answered.

    ``dates`` are ISO texts; none means that the model says there is no such date. ``impossible``
    are dates that no calendar has, such as 2001-02-30. ``quote`` is the text they were read from.
    """

    dates: frozenset[str]
    impossible: tuple[str, ...]
    quote: str


@dataclass(frozen=True, slots=True)
class _Marker:
    """A place that introduces an answer: where it begins and ends, and which kind it is."""

    start: int
    end: int
    kind: str  # "strong", "verb", "answer" or "dates": the last two are keys of JSON


def extract(completion: str, prompt: str = "") -> Answer | None:
    """Return the dates a completion answers, or None if it gives no answer that can be read.

    Args:
        completion: any text whatever.
        prompt: what the model was asked, so that an echo of it is not taken for an answer.
    """
    text = plain(completion, prompt)
    for marker in _markers(text):
        if marker.kind in ("answer", "dates"):
            return _from_json(text, marker)
        found = _behind(text, marker.end)
        if found is not None or marker.kind == "strong":
            return found
    return _bare(text)


def _bare(text: str) -> Answer | None:
    """Return the answer of a text that is nothing else."""
    text = text.strip()
    found = read(text, compact=False) if len(text) <= _MAX_CONTENT else None
    if found is None:
        return None
    empty = not found.dates and not found.impossible
    if empty and re.fullmatch(r"\W*none\W*", text, re.IGNORECASE) is None:
        return None
    return _answer(found, text)


def _answer(found: Listed | None, quote: str) -> Answer | None:
    if found is None:
        return None
    return Answer(found.dates, found.impossible, quote.strip()[:_MAX_QUOTE].strip())


# ---------------------------------------------------------------------------------- markers


def _markers(text: str) -> list[_Marker]:
    """Return the last markers of a text, the last one first, up to one that is final."""
    keys = [_Marker(k.start(), k.end(), "answer" if k["answer"] else "dates")
            for k in _KEY.finditer(text)]  # fmt: skip
    if any(key.kind == "answer" for key in keys):
        keys = [key for key in keys if key.kind == "answer"]
    at_key = {key.start + 1 for key in keys}
    marks = [
        _Marker(m.start(), m.end(), "verb" if m["verb"] else "strong")
        for m in _MARK.finditer(text)
        if m.start() not in at_key and _introduces(text, m)
    ]
    return sorted([*keys, *marks], key=lambda marker: marker.start)[: -_MAX_MARKS - 1 : -1]


def _introduces(text: str, mark: re.Match[str]) -> bool:
    """Tell whether a mark begins its line or sentence, but for words such as "so the final"."""
    window = text[max(0, mark.start() - _BEFORE) : mark.start()]
    start = max(window.rfind("\n") + 1, 0)
    if not start and len(window) == _BEFORE:
        window = "x" + window  # the line begins further up
    before = _SENTENCE_END.split(window[start:])[-1]
    return _LEADING.fullmatch(before) is not None


# ---------------------------------------------------------------------------------- content


def _behind(text: str, start: int) -> Answer | None:
    """Return the list that begins at a place and ends before prose."""
    text = text[start : start + _MAX_CONTENT]
    first, newline, rest = text.partition("\n")
    if first.lstrip().startswith(">"):  # "later than", not a quotation
        return None
    lead = _LEAD_IN.match(first if first.strip() else text)
    text = text[lead.end() :] if lead else _NEXT_SENTENCE.sub("\n", first) + newline + rest
    if lead:
        head, newline, rest = text.partition("\n")
        text = _NEXT_SENTENCE.sub("\n", head) + newline + rest
    taken, prose = _split(text)
    if not _apart(prose):
        return None
    return _answer(read(taken), taken)


def _split(text: str) -> tuple[str, str]:
    """Return the lines that hold nothing but dates, and what follows from the first other one on."""
    position = 0
    for line in text.splitlines(keepends=True):
        if line.strip() and tokenise(line.strip()) is None and not _table_head(line):
            break
        position += len(line)
    return text[:position], text[position:]


def _table_head(line: str) -> bool:
    """Tell whether a line of a table is its head: that is known only with the others."""
    return line.lstrip().startswith("|") and not re.search("[0-9]", line)


def _apart(prose: str) -> bool:
    """Tell whether prose behind a list begins a sentence of its own and leaves the list alone."""
    said = prose[_PROSE_LEAD.match(prose).end() :]  # type: ignore[union-attr]  # it always fits
    if not said:
        return not prose.strip(" \t\n.,;\"'()[]{}$|-_=#>")
    if not said[0].isalpha() or said[0].islower() or _GOES_ON.match(said):
        return False
    return _TAKEN_BACK.search(prose) is None


# ------------------------------------------------------------------------------------- JSON


def _from_json(text: str, marker: _Marker) -> Answer | None:
    text = text[marker.end : marker.end + _MAX_CONTENT]
    try:
        value, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        python = _PYTHON.match(text)
        if python is None:
            return None
        value, end = python[0], python.end()
    if _TAKEN_BACK.search(text, end):
        return None
    listed = _json_text(value)
    return None if listed is None else _answer(read(listed), listed)


def _json_text(value: object) -> str | None:
    """Return the list of dates that a JSON value is, as text."""
    if isinstance(value, dict) and len(value) == 1:
        value = next(iter(value.values()))
    if isinstance(value, str):
        return value
    if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
        return None
    return ", ".join(value) if value else "[]"
