"""What a reply about dates states without a mark: a list by itself, an object with a date, a last sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product

from harness_answers.json_reader import loads
from harness_answers.object_answers import is_remark, plain_key

from harness_timepuzzles.answers.dates import COUNT, REASON, THE_CLUES, Listed, read
from harness_timepuzzles.answers.prose import LOOKED_AT
from harness_timepuzzles.answers.words import CLUES, ONLY_DATE

MAX_QUOTE = 120
MAX_CONTENT = 40_000
_MAX_LINE = 2_000

SENTENCE_END = re.compile(r"(?<=[\w)\]\"'][\w)\]\"'])[.!?][\"')\]]*\s+")
_SYNONYM = re.compile(
    r"^[^\w\n]*(?:(?:The |My )?(?:Final |Valid )?(?:[Ss]olutions?(?: dates?)?|[Rr]esults?|[Dd]ates"
    r"|(?:(?<=inal )|Final |Complete )list)"
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
        rf"{_THUS}the (?:(?:one and only|only|unique|single|final|correct)(?: possible| valid"
        rf"| such)? |(?:valid|matching) "
        rf"|{COUNT} (?:valid )?"
        rf"|(?=(?:dates?|solutions?)(?: in question| (?:that |which )?(?:you|we)(?: are"
        rf"|'re) \w+(?: for)?)? (?:is|are)\b)"
        rf"|(?=dates?\b[^,;.]{{1,60}}\bclues?\b))"
        rf"(?:dates?|days?|solutions?|match(?:es)?){THE_CLUES}"
        rf"(?: in question| (?:that |which )?(?:you|we)(?: are|'re) (?:looking for|after|seeking))?"
        rf" (?:is|are)(?: therefore| thus| then| hence)?:? {_SAID}",
        rf"{_THUS}(?:that )?only {_SAID[:-1]}?) (?:satisf(?:y|ies)|fits?|meets?|match(?:es)?"
        rf"|works?|remains?|survives?"
        r"|is left|qualif(?:y|ies))(?: everything|(?: (?:all|every|each|of|the|them)){1,3}(?: clues?)?)?[.!]?",
        rf"[^\n]{{1,300}}, (?:so|and|hence|therefore) the (?:(?:only|unique|single) )?(?:dates?"
        rf"|solutions?)(?: we (?:look for"
        rf"|want|seek))?"
        rf" (?:is|are):? {_SAID}",
        rf"(?:{_THUS}|this means (?:that )?)(?:All|The|Only) [^\n:]{{1,99}} (?:qualif(?:y|ies)"
        rf"|remains?|survives?|satisf(?:y"
        rf"|ies){THE_CLUES}): {_SAID}",
        rf"(?:So|Thus|Therefore|Hence|Finally),? (?:we|I) (?:get|find|obtain|arrive at|are left with):? {_SAID}",
        rf"(?:So|Thus|Therefore|Hence|Finally),? (?:we|I) (?:get|need|have|want)\b[^\n:]{{0,99}}: {_SAID}",
        rf"{_THUS}the set of (?:all )?(?:dates|solutions)(?: is not empty[:;,] it)? (?:is|contains|consists of):?"
        rf" {_SAID}",
        rf"{_THUS}{_SAID[:-1]}?),? (?:is|are) (?:all |the |only )+(?:dates?|days?|solutions?)(?= ){THE_CLUES}\.?",
        rf"{ONLY_DATE}:? ?{_SAID[:-1]}?)(?: ?です)?。?\.?",
        rf"{_THUS}no (?:other )?(?:date|day) (?:but|other than|except(?: for)?|besides) {_SAID[:-1]}?)(?= \w)"
        r"(?: can)? (?:satisf(?:y|ies)|meets?|match(?:es)?|fits?|fulfil(?:l?s)?)"
        r" (?:(?:all|every|each|of|the) ){1,3}clues?[.!]?",
        rf"(?:[^\n:]{{1,99}}, |so )?(?:(?:we|I) (?:get|find|have) )?(?:exactly |only "
        rf"|just )?{COUNT}(?: (?:valid )?(?:dates?(?:\(s\))?"
        rf"|days|solutions?){THE_CLUES}| of them remain)?(?: works?| pass(?:es)?| remains?"
        rf"| qualif(?:y|ies))?: {_SAID}",
        rf"{_THUS}(?:They|These|Those|It)(?: are|'s| is):? {_SAID}",
        rf"[^\n]{{1,99}}\bleav(?:es|ing) (?:us with )?(?:(?:exactly|only|just) )?{COUNT}(?: dates?"
        rf"| solutions?)?: {_SAID}",
    )
)
_REASON = re.compile(REASON, re.IGNORECASE)
_NO_DATE = re.compile(
    rf"{_THUS}(?P<said>[^\n]{{0,300}}(?:\b(?:clues?|conditions?|constraints?)|{CLUES}"
    r"|solutions is empty)\W{0,3}[.!])",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:if|or|unless|suppos\w+|assum\w+|otherwise|might|may be|perhaps|maybe"
    r"|possibly|could|candidates?|at least|so far)\b|\?",
    re.IGNORECASE,
)
_ISO = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_ORNAMENT = re.compile(r"[^\w.!?)\]}'\"。]+\Z")
_DATE_LINE = re.compile(rf"\s*(?:[-*•+] |[0-9]{{1,3}}[.)] )?{_ISO}[,;.]?\s*")
_THE_SOLUTIONS = re.compile(
    rf"(?:that's|that is|these are|those are) all (?:the )?(?:dates|days|solutions)(?= ){THE_CLUES}[.!]?",
    re.IGNORECASE,
)
_NO_OTHER = re.compile(
    r"(?:and )?(?:there (?:is|are) )?no (?:other|further|more) (?:dates?|days?|matche?s?|solutions?)\b[^\n?]{0,250}",
    re.IGNORECASE,
)
# "These are all the Sundays of July 1836", "That's five dates in total": words that close a list.
_CLOSES = re.compile(
    r"(?:so )?(?:that's|that is|these are|those are|this is|all (?:of them|of these|are))\b[^\n?]{1,250}[.!]?",
    re.IGNORECASE,
)
_NOT_DOUBTED = re.compile(r"\b(?:not? (?:other|more)|all clues|clues? [0-9]+)\b", re.IGNORECASE)
_BECAUSE = re.compile(
    r"(?<=[0-9])[,;]?[ ](?:because|since|as|given that)\b[^\n]{1,300}\Z", re.IGNORECASE
)
_YEAR = re.compile(r"(?<![0-9])[0-9]{4}(?![0-9])")
_BRACKETS = re.compile(r"\([^()\n]{0,200}\)")
_BLANK = re.compile(r"\n[ \t]*\n")
_PLANNED = re.compile(
    r"\b(?:let (?:me|us)|let's|(?:i|we)(?:'ll| will)|possib\w+|potential\w*|first|next|now|step|would|guess|remaining"
    r"|range|either)\b|\A\W*(?:the \w+days\b|(?:all )?\w+days(?: and \w+days)?(?: (?:in|of)\b[^:]{1,60})?:)",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:not?|nothing|never|except|exclud\w+|fail\w*|reject\w*|wrong|candidates?"
    r"|check(?:ing)?|clues? [0-9]+|if|or)\b|n't|\?",
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


def unmarked(text: str) -> Answer | None:
    """Return the answer of a text without marks that ends in a list introduced in another way."""
    synonyms = list(_SYNONYM.finditer(text))
    if synonyms:
        tail = text[synonyms[-1].end() :].strip()
        above = text[: synonyms[-1].start()].rstrip().rpartition("\n")[2]
        refused = len(tail) > MAX_CONTENT or (above.endswith(":") and _DENIED.search(above))
        return None if refused else answer_of(read(tail), tail)
    above, _, close = text.rstrip().rpartition("\n")
    close = close.strip()
    claimed = _THE_SOLUTIONS.fullmatch(close) or _NO_OTHER.fullmatch(close)
    closes = claimed or (
        _CLOSES.fullmatch(close) and not _DENIED.search(_NOT_DOUBTED.sub("", close))
    )
    text = above.rstrip() if closes else text.rstrip()
    line = _on_one_line(text).rpartition("\n")[2]
    if (stated := _stated(line.strip())) is not None:
        return stated
    above, dates = _list_at_end(text)
    if not dates or any(map(_DATE_LINE.fullmatch, above.splitlines())):
        return None
    lead = above.rstrip().rpartition("\n")[2]
    if not claimed and not _leads(lead, _BLANK.match(text, len(above)) is not None):
        return None
    return answer_of(read(dates, compact=False), dates)


def _leads(line: str, apart: bool) -> bool:
    """Tell whether a line leads to the list below it as to an answer, which may be ``apart`` from it."""
    line = _BRACKETS.sub("", line)
    if any(sign.search(line) for sign in (_DENIED, _PLANNED, _CONDITION)):
        return False
    if line.endswith(":"):
        return not LOOKED_AT.search(line)
    return apart and line.endswith((".", "!", ")"))


def _on_one_line(text: str) -> str:
    """Return a text with the list that it ends in, a date a line, behind the colon of the line above."""
    above, dates = _list_at_end(text)
    listed = read(dates) if dates and above.endswith(":") and len(dates) <= MAX_CONTENT else None
    return f"{above} {', '.join(sorted({*listed.dates, *listed.impossible}))}" if listed else text


def _list_at_end(text: str) -> tuple[str, str]:
    """Split a text into what stands above the list that it ends in, a date a line, and this list."""
    lines = text.splitlines()
    at = len(lines)
    while at and (not lines[at - 1].strip() or _is_date(lines[at - 1])):
        at -= 1
    return "\n".join(lines[:at]), "\n".join(lines[at:]).strip()


def _is_date(line: str) -> bool:
    """Tell whether a line is one date, perhaps with a bullet or a number in front."""
    if len(line) > _MAX_LINE or line.rstrip().endswith(":"):
        return False
    if _DATE_LINE.fullmatch(line):
        return True
    listed = read(line)
    return bool(listed and listed.dates)


def _without_reason(said: str) -> str:
    """Return a list without the reason behind it, which names no other year than the list."""
    reason = _BECAUSE.search(said)
    if reason is None:
        return _REASON.sub("", said)
    before = said[: reason.start()]
    years = {*_YEAR.findall(reason[0])} - {*_YEAR.findall(before)}
    other = years or _CONDITION.search(reason[0]) or _DENIED.search(reason[0])
    return said if other else before


def _stated(line: str) -> Answer | None:
    """Return the answer that a line, or its last sentence, states in words."""
    line = _ORNAMENT.sub("", line)
    sentence = SENTENCE_END.split(line)[-1]
    for text, pattern in product(dict.fromkeys((line, sentence)), (*_STATED, _NO_DATE)):
        found = pattern.fullmatch(text)
        listed = read(_without_reason(found["said"])) if found else None
        if found is None or listed is None or (pattern is _NO_DATE and listed.dates):
            continue
        before = text[: found.start("said")]
        return None if _CONDITION.search(before) else answer_of(listed, text)
    return None


_DESCRIBES = re.compile(
    r"weekday|day(?:_of_.*)?|zodiac.*|animal|sign|year|month|lunar.*|chinese.*|moon.*|season|president|event"
)


def described(text: str) -> Answer | None:
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
    return answer_of(read(said), said) if plain and all(map(_DESCRIBES.fullmatch, others)) else None


_THATS_ALL = re.compile(
    r"\s*(?:that's|that is|these are|those are) all"
    rf"(?: of them| (?:the )?(?:dates|days|solutions){THE_CLUES})?[.!]?",
    re.IGNORECASE,
)


def bare(text: str) -> Answer | None:
    """Return the answer of a text that consists of nothing but dates, or of "none"."""
    above, _, close = text.strip().rpartition("\n")
    text = above.strip() if _THATS_ALL.fullmatch(close) else text.strip()
    listing = read(text, compact=False) if len(text) <= MAX_CONTENT else None
    if listing is None:
        return None
    empty = not listing.dates and not listing.impossible
    if empty and re.fullmatch(r"\W*none\W*", text, re.IGNORECASE) is None:
        return None
    return answer_of(listing, text)


def answer_of(listing: Listed | None, quote: str) -> Answer | None:
    """Return what a list that was read answers, with the text it was read from; None of none."""
    if listing is None:
        return None
    return Answer(listing.dates, listing.impossible, quote.strip()[:MAX_QUOTE].strip())
