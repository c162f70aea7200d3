"""What a reply about dates states without a mark as a whole: nothing but dates, or an object with a date."""

from __future__ import annotations

import re
from dataclasses import dataclass

from harness_answers.json_reader import loads
from harness_answers.object_answers import is_remark, plain_key

from harness_timepuzzles.answers.date_lists import Listed
from harness_timepuzzles.answers.dates import COUNT, THE_CLUES, read

MAX_QUOTE = 120
MAX_CONTENT = 40_000

SENTENCE_END = re.compile(r"(?<=[\w)\]\"'][\w)\]\"'])[.!?][\"')\]]*\s+")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model answered.

    ``dates`` are ISO texts; none means that the model says there is no such date. ``impossible``
    are dates that no calendar has, such as 2001-02-30. ``quote`` is the text they were read from.
    """

    dates: frozenset[str]
    impossible: tuple[str, ...]
    quote: str


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


_COUNTS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_AFFIRMED = re.compile(
    rf"(?:^|[.!?]\s|, so )(?:so |thus |hence |therefore,? )?(?:the|these|all) (?P<count>{COUNT})(?: dates?| days?)?"
    r"(?: above (?:stand|remain|are|stay)|(?: listed| given| at the top)? (?:are|remain|stand|stay)(?= (?:as )?my ))"
    r"(?: (?:as )?my (?:final )?(?:answers?|result|solutions?|list))?[.!]?\s*\Z",
    re.IGNORECASE | re.MULTILINE,
)


def affirmed(text: str) -> int:
    """Return how many dates a reply says at its end to be its answer: "The three dates above remain my answer."."""
    found = _AFFIRMED.search(text, max(0, len(text) - 120))
    unsure = re.search(
        r"\b(?:(?:un|not )(?:sure|certain|clear)|guess\w*|doubt\w*)\b", text[-300:], re.IGNORECASE
    )
    count = found["count"].lower() if found and not unsure else "0"
    return int(count) if count.isdecimal() else _COUNTS.index(count)


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
