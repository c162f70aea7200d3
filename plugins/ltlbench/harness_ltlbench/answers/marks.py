"""Marked answers, rule 1 of `harness_ltlbench.answers.extraction`: ``Answer: True`` and its like.

What a mark is stands in `harness_ltlbench.answers.verdicts` (``MARK``); here is what it is joined to its
value with, what its value may be, and which of several marks counts.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Literal

from harness_answers.revocation import LEFT_OPEN

from harness_ltlbench.answers import verdicts
from harness_ltlbench.answers.cleaning import end_of_line
from harness_ltlbench.answers.paths import path_after

_MAX_MARKS = 50

_CONNECT = re.compile(
    r"(?:[ \t]*\((?P<note>[^()\n]{0,60})\))?(?:"
    r"(?:[ \t]+(?:to|for|of|on|about|regarding)\b(?:[^\n:\"]|\"[^\n\"]{0,80}\"){1,120}?)?"
    r"(?:(?P<colon>[ \t\"']*[:=]|[ \t]*[-—–>])"
    r"|(?P<would>[ \t]+would be\b)"
    r"|(?P<verb>[ \t]+(?:is|should be|must be|has to be|remains|est|es|é|è|ist|lautet|är|jest|это)"
    r"\b|[ \t]?(?:是|为|為|は|은|는))"
    r"|(?P<heading>[ \t.]*(?:\n|\Z)))|(?P<space>[ \t]+))"
)
_VALUE = re.compile(
    r"[^\w?]{0,40}(?:that\s)?(?:the )?(?:(?:final|last) )?(?:hypothesis|statement|it|this)?[\s,(]*+"
    r"(?:c_?(?P<number>[0-9]{1,4})\b)?[\s,:=>\"')-]*+(?:(?:is|s|must be|evaluates to)\s++)?"
    + verdicts.ADVERBS
    + r"(?P<negated>not\s+)?"
    + verdicts.WORD
)
_NOT_BUT = re.compile(
    r"[\"']?[,;][ \t]*(?:(?:but|rather|instead|it is|it's)[ \t]+){0,3}"
    + verdicts.WORD
    + r"(?=[^\w?]*$)",
    re.MULTILINE,
)
_NOR = re.compile(r"\b(?:not|nor|neither) (?:true|false)\b")
_HEDGED = re.compile(
    rf"[^\w?]{{0,40}}(?:{LEFT_OPEN}|either|neither|both|unknown|undetermined|not"
    r"|undecidable|ambiguous|cannot|can't|depends|indeterminate|inconclusive)\b"
)
_LINE_START = re.compile(
    r"\W{0,20}(?:[0-9]{1,3}[.)]\W{0,5})?"
    r"(?:(?:so|thus|therefore|hence|and|the|my|our|final|correct|short|overall|direct|step(?: [0-9]{1,2})?"
    r"|ultimate|正确|最终|最後|最后|окончательный|итоговый|правильный|la|le|die|endgültige)\W{1,3})*"
    r"\W{0,5}$"
)
_FINAL = re.compile(r"\bfinal[ _]$")
_BRIEF = re.compile(r"\b(?:short|quick|brief) $")
_TEMPLATE = re.compile(
    r"(?:\b(?:or|either|like|example|form(?:at)?(?: of)?|else|otherwise)|\be\.g\.)[^\w\n]{0,9}$"
)
# An answer that is somebody else's, or that is named only to be rejected.
_OTHERS = re.compile(
    r"\b(?:na[iï]ve|wrong|incorrect|common|tempting|obvious|intuitive|initial|previous|earlier"
    r"|superficial|your|their|his|her|other|first|draft|tentative|preliminary|hasty|apparent"
    r"|expected|typical|usual|\w+'s)[\W_]{1,3}(?:(?:wrong|common|final|first|intuitive)\W)?$"
    r"|\b(?:told|according to|pretend|it seems|seemingly|at first|one (?:might|may|could)|looks like"
    r"|(?:user|students?|people|someone|somebody|they|he|she|you|question|prompt|some|many|others"
    r"|colleague|friend|who)[ \t](?:\w+[ \t]){0,2}(?:says?|said|claim(?:s|ed)?|thinks?|thought"
    r"|believes?d?|wants?|expects?|suggests?|insists?|argues?|states?|asserts?))\b"
)
_ONE_OF_SEVERAL = re.compile(
    r"\b(?:reading|interpretation|sense|meaning|case|scenario|assumption) (?:[0-9]{1,2}|[a-d]|one|two)\W{0,5}$"
)
_INSTRUCTED = re.compile(
    r"\b(?:end|finish|reply|respond|format|line|write|form|template|say|what about|how about)\b[^.\n]{0,80}[\"']\s*$"
)
_PERHAPS = re.compile(r"\bor\b[^.\n]{0,40}\b(?:may|might|could|perhaps)\b[^.\n]*$")
_BETWEEN = re.compile(
    r"\([^()\n]{0,200}\)|\bevent[\s_]?[0-9]+|\b(?:or|and|the|final|then|correct)\b"
)
_JOINED = re.compile(r"\W*(?:true|false)\W+(?:or|and)\W*")
_LETTER = re.compile(r"[^\W\d_]")


def marked_answer(low: str, name: str) -> tuple[verdicts.Reading | Literal["conflict"] | None, int]:
    """Return what the last marked answer says, and the place behind it.

    The place is 0 if there is no mark, so that the whole text is still to be read.
    """
    marks = list(islice(verdicts.marks_of(low), _MAX_MARKS))[::-1]
    for index in range(len(marks) - 1, -1, -1):
        reading = _mark_says(low, marks[index], name)
        if reading is None:
            continue
        if reading == "none":
            return None, end_of_line(low, marks[index].end())
        return _group(low, reading, marks[:index], name)
    return None, 0


def _group(
    low: str, last: verdicts.Reading, marks: list[re.Match[str]], name: str
) -> tuple[verdicts.Reading | Literal["conflict"] | None, int]:
    """Return the last marked answer, or what comes of those directly before it, and the place behind it."""
    behind, nearest = end_of_line(low, last.end), last
    path = path_after(low, last.end)[0]
    for mark in reversed(marks):
        reading = _mark_says(low, mark, name)
        if not isinstance(reading, verdicts.Reading):
            joined = _JOINED.fullmatch(low, mark.end(), min(nearest.start, mark.end() + 40))
            return (None if joined else last), behind
        gap = low[reading.end : nearest.start]
        if len(gap) > verdicts.MAX_LINE or _LETTER.search(_BETWEEN.sub("", gap)):
            break
        if reading.label is not last.label:
            if re.search(r"\bor\b", gap):  # a template
                return None, behind
            later = [
                _FINAL.search(low[max(0, one.start - 9) : one.start]) for one in (last, reading)
            ]
            return (last if later[0] and not later[1] else "conflict"), behind
        if not last.label and path_after(low, reading.end)[0] not in (None, path):
            return "conflict", behind
        nearest = reading
    return last, behind


def _mark_says(low: str, mark: re.Match[str], name: str) -> verdicts.Finding:
    """Return what one mark says; None if it marks nothing."""
    before = low[max(0, mark.start() - 200) : mark.start()].rpartition("\n")[2]
    closing = mark["closing"] or mark["cjk_closing"]
    link = _CONNECT.match(low, mark.end())
    if link is None:
        return None
    note = link["note"] or ""
    begun = verdicts.SENTENCE.split(before)[-1] if closing in ("verdict", "final") else before
    at_start = _LINE_START.match(begun) is not None or note == "final"
    introduces = link["colon"] or link["heading"] or (closing == "verdict" and link["verb"])
    if closing and not (at_start and introduces):
        return None
    if (link["heading"] or link["space"]) and not at_start:
        return None
    if any(one.search(before) for one in (_TEMPLATE, _INSTRUCTED, _ONE_OF_SEVERAL)):
        return "none"
    if _of_others(low, before, note, link):
        return None
    if link["would"] and not re.search(r"\bmy (?:final )?$", before):
        return None
    if not at_start and (
        verdicts.conditional(verdicts.SENTENCE.split(before)[-1]) or _PERHAPS.search(before)
    ):
        return None
    value = _mark_value(low, mark, link, name)
    if isinstance(value, verdicts.Reading):
        return value
    strong = not closing and (at_start or _FINAL.search(before)) and not link["space"]
    strong = strong and not _BRIEF.search(before)  # "Short answer: no."
    return "none" if value == "none" or strong else None


def _of_others(low: str, before: str, note: str, link: re.Match[str]) -> bool:
    """Return whether a mark is of an answer that is not, or no longer, the reply's own."""
    if _OTHERS.search(verdicts.SENTENCE.split(before)[-1]) or _OTHERS.search(f"{note} "):
        return True
    value = _VALUE.match(low, link.end())
    return value is not None and verdicts.OF_OTHERS.match(low, value.end()) is not None


def _mark_value(low: str, mark: re.Match[str], link: re.Match[str], name: str) -> verdicts.Finding:
    value = _VALUE.match(low, link.end())
    if value is not None and value["number"] in (None, name):
        if verdicts.NEGATED.search(low[mark.end() : value.start("word")][-60:]):
            return "none"
        if link["would"] and re.match(r"[^\w\n]*(?!\w)(?:\n|$)", low[value.end() :][:300]) is None:
            return None
        if value["negated"]:  # "not False; it is True"
            other = _NOT_BUT.match(low, value.end())
            if other and other["word"] != value["word"]:
                return verdicts.Reading(other["word"] == "true", mark.start(), other.end())
            if _NOR.search(
                low[value.end() : min(end_of_line(low, value.end()), value.end() + 200)]
            ):
                return "none"
        if not verdicts.undone(low, value.end(), value["word"]):
            label = (value["word"] == "true") is not bool(value["negated"])
            return verdicts.Reading(label, mark.start(), value.end())
        return None if low[value.end() :].lstrip(" \t\"'")[:1] == "?" else "none"
    if _HEDGED.match(low, link.end()):
        return "none"
    # "Final answer: as C1 fails at once, C2 is False."
    start = (
        link.end()
        + len(low[link.end() : link.end() + 40])
        - len(low[link.end() : link.end() + 40].lstrip())
    )
    end = end_of_line(low, start)
    sentences = verdicts.sentences_of(low[start : min(end, start + verdicts.MAX_LINE)], name)
    word = verdicts.states(sentences[-1], name) if sentences else None
    return verdicts.Reading(word == "true", mark.start(), end) if word else None
