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
marker a text is an answer only if it ends in ``Solution:``, ``Result:`` or ``Dates:`` and a list,
or in a line of its own that is nothing but ISO dates, if all of it is dates, or if it is the bare
word none.

What a list of dates is, `harness_timepuzzles.answers.dates` decides; every word has to be understood.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from heapq import merge
from itertools import chain, islice, pairwise, product

from harness_answers.json_reader import loads
from harness_answers.object_answers import is_remark, plain_key
from harness_answers.revocation import cleared, is_revoked, revised

from harness_timepuzzles.answers.cleaning import plain
from harness_timepuzzles.answers.dates import (
    COUNT,
    MAX_DATES,
    REASON,
    THE_CLUES,
    Listed,
    read,
    tokenise,
)
from harness_timepuzzles.answers.prose import (
    retracts,
    stands_apart,
    without_excluded,
    without_reason,
)
from harness_timepuzzles.answers.words import CLUES, MONTH, ONLY_DATE

_MAX_QUOTE = 120
_MAX_CONTENT = 40_000
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
_SENTENCE_END = re.compile(r"(?<=[\w)\]\"'][\w)\]\"'])[.!?][\"')\]]*\s+")
_INLINE = re.compile(r"(?<![\"'])[:,;.>→=-]\s*\Z")  # not at the beginning of its line
_FORM = re.compile(
    r"\b(?:form|format|writ\w+|end with|use|using|like|such as|e\.?g|example|or|if|wrong|not|no|never"
    r"|would|could|might|may|must|should|said|previous\w*|earlier|old|first|draft|naive|given|as"
    r"|then|fail\w*|attempt\w*|student|expected|template|sample|suppose|assum\w*|quot\w+|instead of"
    r"|say\w*|incorrect|false|tempting|candidate)\b|[\"']\W*\Z|n't\b|\?",
    re.IGNORECASE,
)
_SYNONYM = re.compile(
    r"^[^\w\n]*(?:(?:The |My )?(?:Final |Valid )?(?:[Ss]olutions?|[Rr]esults?|[Dd]ates|(?:(?<=inal )|Final "
    r"|Complete )list)"
    r"|(?:So|Thus|Hence|Therefore|Also|Somit|Por (?:lo )?tanto|所以|因此)(?=:)"
    r"|(?:(?:So|Thus|Hence|Therefore),? )?(?:[Tt]here (?:is|are)(?: exactly| only)?|[Ee]xactly|[Oo]nly|[Jj]ust)"
    rf" {COUNT} (?:(?:such|valid|matching) )?(?:dates?|solutions?)"
    rf"(?: pass(?:es)?| remains?| works?)?{THE_CLUES})[ \t]*:",
    re.MULTILINE,
)
_THUS = r"(?:(?:(?:So|Thus|Therefore|Hence|In conclusion|Finally),? )?(?:(?:I|we) conclude|it follows)(?: that|:) "
_THUS += r"|(?:So|Thus|Therefore|Hence|In conclusion|Finally),? )?"
_SAID = r"(?P<said>[^\n]{1,2000})"
# Sentences that state the answer, at the end of a text without marks.
_STATED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_THUS}the (?:(?:only|unique|single|final|correct)(?: possible| valid| such)? |valid |{COUNT} (?:valid )?"
        rf"|(?=dates? are\b)|(?=dates?\b[^,;.]{{1,60}}\bclues\b))"
        rf"(?:dates?|days?|solutions?|match(?:es)?){THE_CLUES} (?:is|are):? {_SAID}",
        rf"[^\n]{{1,300}}, (?:so|and|hence|therefore) the (?:only )?(?:dates?|solutions?)(?: we (?:look for"
        rf"|want|seek))?"
        rf" (?:is|are):? {_SAID}",
        rf"(?:All|The|Only) [^\n:]{{1,99}} (?:qualif(?:y|ies)|remains?|survives?|satisf(?:y"
        rf"|ies){THE_CLUES}): {_SAID}",
        rf"{_THUS}the set of (?:all )?(?:dates|solutions)(?: is not empty[:;,] it)? (?:is|contains|consists of):?"
        rf" {_SAID}",
        rf"{ONLY_DATE}:? ?{_SAID[:-1]}?)(?: ?です)?。?\.?",
        rf"{_THUS}no (?:other )?(?:date|day) (?:but|other than|except(?: for)?|besides) {_SAID[:-1]}?)(?= \w)"
        r"(?: can)? (?:satisf(?:y|ies)|meets?|match(?:es)?|fits?|fulfil(?:l?s)?)"
        r" (?:(?:all|every|each|of|the) ){1,3}clues?[.!]?",
        rf"(?:[^\n:]{{1,99}}, |so )?(?:(?:we|I) (?:get|find|have) )?(?:exactly |only "
        rf"|just )?{COUNT}(?: (?:valid )?(?:dates?(?:\(s\))?"
        rf"|days|solutions?){THE_CLUES}| of them remain)?: {_SAID}",
        rf"[^\n]{{1,99}}\bleav(?:es|ing) (?:us with )?(?:exactly|only|just) {COUNT}(?: dates?| solutions?)?: {_SAID}",
    )
)
_NO_DATE = re.compile(
    rf"{_THUS}(?P<said>[^\n]{{0,300}}(?:\b(?:clues?|conditions?|constraints?)|{CLUES}"
    r"|solutions is empty)\W{0,3}[.!])",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"\b(?:if|or|unless|suppos\w+|assum\w+|otherwise)\b|\?", re.IGNORECASE)
_ISO = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_LAST_LINE = re.compile(rf"[\"'(\[]*{_ISO}(?:(?:, ?|; ?| and |, and ){_ISO}){{0,999}}[\"')\]]*[.]?")
_LEADS_TO = re.compile(
    r"\b(?:answers?|solutions?|final|results?|dates? (?:is|are)|satisf\w+|therefore)\b",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:not?|nothing|never|except|exclud\w+|fail\w*|reject\w*|wrong|candidates?"
    r"|check(?:ing)?|clues? [0-9]+|if|or)\b|n't|\?",
    re.IGNORECASE,
)
_KEY = re.compile(
    r"[\"'](?:(?P<answer>(?:final[_ ]?)?answers?)|dates|solutions?)[\"']\s{0,9}:\s{0,99}(?=[\"'\[{])",
    re.IGNORECASE,
)
_BARE_LIST = re.compile(r"\[[^\[\]{}]*\]")  # of dates without quotation marks

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
    kind: str  # "strong", "verb", "inline", or of JSON "answer", "dates"


def extract(completion: str, prompt: str = "") -> Answer | str:
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
        if answer is not None:  # its mark tells it from the same dates elsewhere
            mark = text[marker.start : marker.end].lstrip()
            answer = replace(answer, quote=f"{mark}{answer.quote}"[:_MAX_QUOTE])
        if answer is not None and marker.kind == "strong":
            return (
                _with_above(text, chain([marker], markers), answer)
                or "the lines above the answer differ"
            )
        if answer is not None or marker.kind == "strong":
            return answer or "what is marked as the answer is no list of dates, or is taken back"
    return _bare(text) or _described(text) or _unmarked(text) or "no answer is stated"


def _with_above(text: str, markers: Iterable[_Marker], answer: Answer) -> Answer | None:
    """Add what the lines directly above say that are marked in the same way."""
    for below, above in pairwise(markers):
        between, _, lead = text[above.end : below.start].rpartition("\n")
        if _name(text, above) != _name(text, below) or re.search(r"\w", lead):
            break
        listed = read(between) if len(between) <= _MAX_CONTENT else None
        if listed is None:
            break
        dates, impossible = listed.dates | answer.dates, {*listed.impossible, *answer.impossible}
        if len(dates) + len(impossible) > MAX_DATES:
            return None
        if (dates or impossible) and not answer.dates and not answer.impossible:
            return None  # some dates, and then "none"
        answer = replace(answer, dates=dates, impossible=tuple(sorted(impossible)))
    return answer


def _name(text: str, marker: _Marker) -> str:
    return "".join(text[marker.start : marker.end].lower().split())


def _unmarked(text: str) -> Answer | None:
    """Return the answer of a text without marks that ends in a list introduced in another way."""
    synonyms = list(_SYNONYM.finditer(text))
    if synonyms:
        tail = text[synonyms[-1].end() :].strip()
        above = text[: synonyms[-1].start()].rstrip().rpartition("\n")[2]
        refused = len(tail) > _MAX_CONTENT or (above.endswith(":") and _DENIED.search(above))
        return None if refused else _answer(read(tail), tail)
    before, _, line = text.rstrip().rpartition("\n")
    if (stated := _stated(line.strip())) is not None:
        return stated
    if not _LAST_LINE.fullmatch(line.strip()) or before.rstrip(" \t")[-1:] != "\n":
        return None
    above = before.rstrip().rpartition("\n")[2]
    leads = _LEADS_TO.search(above) if above.endswith(":") else above.endswith((".", "!", ")"))
    if not leads or _DENIED.search(above):
        return None
    return _answer(read(line, compact=False), line)


def _stated(line: str) -> Answer | None:
    """Return the answer that a line, or its last sentence, states in words."""
    sentence = _SENTENCE_END.split(line)[-1]
    for text, pattern in product(dict.fromkeys((line, sentence)), (*_STATED, _NO_DATE)):
        found = pattern.fullmatch(text)
        listed = read(found["said"]) if found else None
        if found is None or listed is None or (pattern is _NO_DATE and listed.dates):
            continue
        before = line[: len(line) - len(text) + found.start("said")]
        return None if _CONDITION.search(before) else _answer(listed, text)
    return None


_DESCRIBES = re.compile(
    r"weekday|day(?:_of_.*)?|zodiac.*|animal|sign|year|month|lunar.*|chinese.*|moon.*|season|president|event"
)


def _described(text: str) -> Answer | None:
    """Return the answer of a reply that is an object with a key "date", the others saying what that day is."""
    parsed = loads(text.strip()) if text.lstrip()[:1] == "{" else None
    entries = parsed[0] if parsed and not parsed[1].strip() else None
    if not isinstance(entries, dict) or not isinstance(said := entries.get("date"), str):
        return None
    others = {
        plain_key(key): value
        for key, value in entries.items()
        if key != "date" and not is_remark(key)
    }
    plain = all(
        isinstance(value, str | int) and not isinstance(value, bool) for value in others.values()
    )
    return _answer(read(said), said) if plain and all(map(_DESCRIBES.fullmatch, others)) else None


_THATS_ALL = re.compile(
    r"\n\s*(?:that's|that is|these are|those are) all(?: of them| (?:the )?(?:dates|days|solutions))?[.!]?\s*\Z",
    re.I,
)


def _bare(text: str) -> Answer | None:
    """Return the answer of a text that consists of nothing but dates, or of "none"."""
    text = _THATS_ALL.sub("", text).strip()
    listing = read(text, compact=False) if len(text) <= _MAX_CONTENT else None
    if listing is None:
        return None
    empty = not listing.dates and not listing.impossible
    if empty and re.fullmatch(r"\W*none\W*", text, re.IGNORECASE) is None:
        return None
    return _answer(listing, text)


def _answer(listing: Listed | None, quote: str) -> Answer | None:
    if listing is None:
        return None
    return Answer(listing.dates, listing.impossible, quote.strip()[:_MAX_QUOTE].strip())


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
    before = _SENTENCE_END.split(window[start:])[-1]
    if _LEADING.fullmatch(before):
        return "verb" if mark["verb"] or mark["final"] else "strong"
    inline = mark["strong"] and _INLINE.search(before) and not _FORM.search(window[start:])
    return "inline" if inline else ""


# ---------------------------------------------------------------------------------- content


def _behind(text: str, start: int) -> Answer | None:
    """Return the list that begins at a place and ends before prose."""
    text = text[start : start + _MAX_CONTENT]
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
                return _bare(again)
            adjoining = not text.partition("\n")[0].strip()
            stays = not is_revoked(prose) and stands_apart(prose, listing, adjoining)
            return _answer(listing, taken) if stays else None
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
        if line.strip() and tokenise(line.strip()) is None and not _table_head(line):
            break
        position += len(line)
    return position


def _table_head(line: str) -> bool:
    """Tell whether a line of a table is its head: that is known only with the others."""
    return line.lstrip().startswith("|") and not re.search("[0-9]", line)


# ------------------------------------------------------------------------------------- JSON


def _from_json(text: str, marker: _Marker) -> Answer | None:
    text = text[marker.end : marker.end + _MAX_CONTENT]
    bare = _BARE_LIST.match(text)
    value, behind = loads(text) or ((bare[0], text[bare.end() :]) if bare else (None, ""))
    listed = _json_text(value)
    listing = None if listed is None else read(listed)
    if listed is None or listing is None or retracts(behind):
        return None
    return _answer(listing, listed)


def _json_text(value: object) -> str | None:
    """Return the list of dates that a JSON value is, as text."""
    if isinstance(value, dict) and len(value) == 1:
        value = next(iter(value.values()))
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        value = [_date_of(part) for part in value]
    if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
        return None
    return ", ".join(value) if value else "[]"


def _date_of(part: object) -> object:
    """Return the one date of an object such as {"date": …, "weekday": …}, else what it is."""
    if isinstance(part, dict) and "date" in part and part.keys() <= {"date", "weekday", "day"}:
        return part["date"]
    return part
