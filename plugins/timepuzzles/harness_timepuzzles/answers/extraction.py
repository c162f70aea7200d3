r"""Read the dates a model answered, or say that there is no answer: a guess is worth nothing.

First the text is made plain (`harness_timepuzzles.answers.cleaning`): thinking, the echoed prompt and all
markup go, an unclosed thinking block leaves nothing. Then the **last marker** wins:

*   a mark such as ``Answer:``, ``Final answer =``, ``## Answer``, ``\boxed{}`` or ``<answer>`` at
    the beginning of a line or sentence; nothing readable behind it means no answer at all;
*   ``the answer is …`` in a sentence, which is passed over where no dates follow;
*   a mark in the midst of a line, behind a colon, a comma or an arrow (``Output: Answer: …``),
    which is passed over likewise, or if the line speaks of a form or an example;
*   a JSON key ``"answer"`` (or ``"dates"``, ``"solutions"``, if no key is called answer).

Lines directly below each other that are marked in the same way are one list. The answer is the
rest of the line and the lines behind it that hold nothing but dates; it ends at prose that begins
like a sentence of its own. Prose that goes on with the list, takes it back or doubts it makes the
text unparsable (`harness_timepuzzles.answers.prose`); "none, because …" is none. Without any
marker a text is an answer only if all of it is dates, if it is the bare word none, or if it concludes with
dates (`harness_timepuzzles.answers.conclusion`).

What a list of dates is, `harness_timepuzzles.answers.dates` decides; every word has to be understood.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from heapq import merge
from itertools import chain, islice, pairwise

from harness_answers.json_reader import loads
from harness_answers.revocation import cleared, is_revoked, revised

from harness_timepuzzles.answers import objects, statements
from harness_timepuzzles.answers.cleaning import plain
from harness_timepuzzles.answers.conclusion import concluded
from harness_timepuzzles.answers.date_lists import MAX_DATES
from harness_timepuzzles.answers.dates import REASON, read, tokenise
from harness_timepuzzles.answers.prose import (
    retracts,
    stands_apart,
    without_excluded,
    without_reason,
)
from harness_timepuzzles.answers.words import MONTH

_MAX_WORDS = 1_000  # such as "answer", of which each may begin a marker
_MAX_MARKS = 50  # sentences "the answer is" that are tried, from the last on
_BEFORE = 120

_MARK = re.compile(
    # (A pattern that begins with a set of characters is found several times sooner.)
    r"[AaFf](?<![\w-].)(?i:(?:(?:(?<=f)inal_a|(?<=a))nswers?\b(?:[ \t]+below)?(?:[ \t]*\([^()\n]{0,40}\))?"
    r"|(?P<final>(?<=f)inal(?=:)))"
    r"[\"']?[ \t]*(?:"
    r"(?P<strong>(?:(?:is|are)[ \t]*)?(?::|=>?|->|→|-(?=[ \t])))"
    r"|(?P<verb>(?:,[ \t]?(?:however|though|therefore|thus|hence|then),[ \t]?)?(?:is|are)\b"
    r"(?:[ \t]+(?:therefore|thus|hence|then)\b)?)"
    r"|(?P<alone>(?=\n|\Z))))"
)
_LEADING = re.compile(
    r"\W*(?:\d{1,2}[.)]\W*)?(?:(?:step \d{1,2}|output|here(?: is|'s| are)|so"
    r"|thus|therefore|hence|finally|consequently|then|and|the|my|our"
    r"|own|new|updated|revised|corrected|amended"
    r"|final|correct|complete|full|overall|in conclusion|in summary|answer|i think|i believe)\b\W*)*",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+|[:=>]")
_INLINE = re.compile(r"(?<![\"'])[:,;.>→=-]\s*\Z")  # not at the beginning of its line
_FORM = re.compile(
    r"\b(?:form|format|writ\w+|end with|use|using|like|such as|e\.?g|example|or|if|wrong|not|no|never"
    r"|would|could|might|may|must|should|said|previous\w*|earlier|old|first|draft|naive|given|as"
    r"|then|fail\w*|attempt\w*|student|expected|template|sample|suppose|assum\w*|quot\w+|instead of"
    r"|say\w*|incorrect|false|tempting|candidate)\b|[\"']\W*\Z|n't\b|\?",
    re.IGNORECASE,
)
_KEY = re.compile(
    r"[\"'](?:(?P<answer>(?:final[_ ]?)?answers?)|dates|solutions?|fechas|daten|日期)[\"']"
    r"\s{0,9}:\s{0,99}(?=[\"'\[{])",
    re.IGNORECASE,
)

_LEAD_IN = re.compile(
    r"\s*(?:(?:it|that|this)(?: is|'s)\s+|there\s+(?:is|are)\s+(?:exactly\s+|only\s+)?(?:an?|one|two|three|four|five"
    r"|six|seven|eight|nine|ten|[0-9]{1,2})\s+)?(?:(?:the|only|possible|valid|matching|such|following|unique"
    r"|all|correct|exact|complete|list|set|of)\s+)*(?:dates?|days?|solutions?)\b"
    r"(?:\s+(?:that\s+)?(?:satisf(?:y|ies|ying)|match(?:es|ing)?|meets?)"
    r"(?:\s+(?:all|of|the|these|given|clues?|conditions?|constraints?)\b)*)?"
    r"(?:\s+(?:is|are)\b(?:\s+as follows\b)?)?\s*:?"
    r"|\s*(?:it|that|this)(?: is|'s)\b",
    re.IGNORECASE,
)
# "none other than 2001-05-06", "see the last line, 2001-05-06", "…, so that only 2001-05-06 remains"
_POINTS = re.compile(
    r"\A\W{0,9}(?:none other than|no (?:other )?(?:date|day) (?:but|other than|except(?: for)?)(?: one\b:?)?"
    r"|see (?:the )?(?:\w+ ){0,2}(?:line|list|row|entry|table)(?: above| below)?[,:]"
    r"|(?![^\n]*\b(?:if|or|unless|maybe|perhaps|may|might|could|not)\b)[^\n]{1,200}, so(?: that)?\b"
    r"(?=[^\n]{1,200} (?:remains?|(?:is|are) left)[.!]?\s*\Z))(?=[^\n]{0,30}[0-9])",
    re.IGNORECASE,
)
_REASON = re.compile(REASON, re.IGNORECASE)
# "Possible dates: …" are not said to be the answer; "the only possible dates" are.
_ONLY_POSSIBLE = re.compile(r"\s*possible\b", re.IGNORECASE)
_NEXT_SENTENCE = re.compile(rf"(?<=[^\s.][.!])[ \t]+(?=[A-Z][a-z])(?!(?i:{MONTH})\b)")


@dataclass(frozen=True, slots=True)
class _Marker:
    """A place that introduces an answer: where it begins and ends, and which kind it is."""

    start: int
    end: int
    kind: str  # "strong", "verb", "inline", or of JSON "answer", "dates"


def extract(completion: str, prompt: str = "") -> statements.Answer | str:
    """Return the dates a completion answers, or why no answer can be read, in a few words.

    Args:
        completion: any text whatever.
        prompt: what the model was asked, so that an echo of it is not taken for an answer.
    """
    text = plain(completion, prompt)
    markers = _markers(text)
    for marker in islice(markers, _MAX_MARKS):
        if marker.kind in ("answer", "dates"):
            return (
                _from_json(text, marker) or "the JSON answer is no list of dates, or is taken back"
            )
        answer = _behind(text, marker.end)
        if answer is None and text[marker.end :].lstrip()[:1] == "{":
            answer = objects.described(text[marker.end :].lstrip())
        if answer is not None:  # its mark tells it from the same dates elsewhere
            mark = text[marker.start : marker.end].lstrip()
            answer = replace(answer, quote=f"{mark}{answer.quote}"[: statements.MAX_QUOTE])
        if answer is not None and marker.kind == "strong":
            return (
                _with_above(text, chain([marker], markers), answer)
                or "the lines above the answer differ"
            )
        if answer is not None or marker.kind == "strong":
            return answer or "what is marked as the answer is no list of dates, or is taken back"
    return (
        statements.bare(text)
        or objects.described(text)
        or statements.counted(text)
        or concluded(text)
        or "no answer is stated"
    )


def _with_above(
    text: str, markers: Iterable[_Marker], answer: statements.Answer
) -> statements.Answer | None:
    """Add what the lines directly above say that are marked in the same way."""
    last = answer.dates
    for below, above in pairwise(markers):
        between = text[above.end : below.start].rpartition("\n")[0]
        if _name(text, above) != _name(text, below):
            break
        listed = read(between) if len(between) <= statements.MAX_CONTENT else None
        if listed is None:
            break
        dates, impossible = listed.dates | answer.dates, {*listed.impossible, *answer.impossible}
        if len(dates) + len(impossible) > MAX_DATES:
            return None
        if (dates or impossible) and not answer.dates and not answer.impossible:
            return None  # some dates, and then "none"
        if listed.dates & last and listed.dates != last:
            return None  # the list is given again, and not the same
        last = listed.dates
        answer = replace(answer, dates=dates, impossible=tuple(sorted(impossible)))
    return answer


def _name(text: str, marker: _Marker) -> str:
    line = text[text.rfind("\n", 0, marker.start) + 1 : marker.end]
    return "".join(_WORD.findall(line.lower()))


# ---------------------------------------------------------------------------------- markers


def _markers(text: str) -> Iterator[_Marker]:
    """Yield the markers of a text, the last one first."""
    keys = [_Marker(k.start(), k.end(), "answer" if k["answer"] else "dates")
            for k in _KEY.finditer(text)]  # fmt: skip
    if any(key.kind == "answer" for key in keys):
        keys = [key for key in keys if key.kind == "answer"]
    at_key = {key.start + 1 for key in keys}
    marks = (_Marker(m.start(), m.end(), kind) for m in reversed(deque(_MARK.finditer(text), _MAX_WORDS))
             if m.start() not in at_key and (kind := _kind(text, m)))  # fmt: skip
    return merge(reversed(keys), marks, key=lambda marker: marker.start, reverse=True)


def _kind(text: str, mark: re.Match[str]) -> str:
    """Return which kind of marker a mark is: it begins its line or sentence, or it is ""."""
    window = text[max(0, mark.start() - _BEFORE) : mark.start()]
    start = max(window.rfind("\n") + 1, 0)
    if not start and len(window) == _BEFORE:
        window = "x" + window  # the line begins further up
    before = statements.SENTENCE_END.split(window[start:])[-1]
    if _LEADING.fullmatch(before):
        return "verb" if mark["verb"] or mark["final"] else "strong"
    inline = mark["strong"] and _INLINE.search(before) and not _FORM.search(window[start:])
    return "inline" if inline else ""


# ---------------------------------------------------------------------------------- content


def _behind(text: str, start: int) -> statements.Answer | None:
    """Return the list that begins at a place and ends before prose."""
    text = text[start : start + statements.MAX_CONTENT]
    first, newline, rest = text.partition("\n")
    first = _POINTS.sub("", first)
    first = _REASON.sub("", without_reason(without_excluded(first)))
    text = first + newline + rest
    if first.lstrip().startswith(">"):  # "later than", not a quotation
        return None
    lead = _LEAD_IN.match(first if first.strip() else text)
    if lead and _ONLY_POSSIBLE.match(lead[0]):
        return None
    if lead:
        first, newline, rest = text[lead.end() :].partition("\n")
    text = _NEXT_SENTENCE.sub("\n", first) + newline + rest
    for taken, prose in _cuts(text):
        listing = read(taken)
        if listing is not None:
            prose, still = cleared(prose)
            same = read(still) if still else None
            if same and same != listing:
                return None
            if again := revised(prose):
                return statements.bare(again)
            adjoining = not text.partition("\n")[0].strip()
            stays = stands_apart(prose, listing, adjoining) and not is_revoked(prose)
            return statements.answer_of(listing, taken) if stays else None
    return None


def _cuts(text: str) -> Iterator[tuple[str, str]]:
    """Yield a list and what follows: all lines of dates, then fewer, as a table may follow."""
    yield _parted(text, _end_of_dates(text))
    first, newline, rest = text.partition("\n")
    if not re.search(r"\w\W+\w", rest):  # a list cut off
        return
    if first.strip():
        yield first, newline + rest
    else:
        block = re.match(r"\s*\S[^\n]*(?:\n[^\n]+)*\n\s*\n", text)
        if block is not None:
            yield _parted(text, block.end())


def _parted(text: str, end: int) -> tuple[str, str]:
    """Return the text before a place without the blank lines at its end, and what follows with them."""
    taken = text[:end].rstrip()
    return taken, text[len(taken) :]


def _end_of_dates(text: str) -> int:
    """Return where the lines end that hold nothing but dates."""
    position = 0
    for line in text.splitlines(keepends=True):
        # The head of a table is known as one only with its other lines.
        head = line.lstrip().startswith("|") and not re.search("[0-9]", line)
        if line.strip() and tokenise(line.strip()) is None and not head:
            break
        position += len(line)
    return position


# ------------------------------------------------------------------------------------- JSON


def _from_json(text: str, marker: _Marker) -> statements.Answer | None:
    content = text[marker.end : marker.end + statements.MAX_CONTENT]
    value, behind = loads(content) or (None, "")
    return None if retracts(behind) else objects.stated(value, text)
