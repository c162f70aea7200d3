"""Read the one date that a reply to a conversion gives, in usual notations of the calendar asked for.

What is marked in a reply, `harness_answers.claims` finds. Each word of it has to be understood, and a second date has
to name the same day again. In a reply without a mark the last sentence with a date of that calendar counts: what it
concludes from the rest of it, if nothing there hedges.
"""

from __future__ import annotations

import re
from typing import Any

from harness_answers import claims
from harness_answers.revocation import LEFT_OPEN, is_revoked, turns
from harness_answers.text import last_marked

from harness_timepuzzles.answers.cleaning import plain
from harness_timepuzzles.answers.dates import REASON
from harness_timepuzzles.answers.notations import LONGEST, PIECE, dates_in, one_date
from harness_timepuzzles.answers.statements import BROKEN_OFF, SENTENCE_END
from harness_timepuzzles.answers.words import DOUBTS
from harness_timepuzzles.conversions.calendar_dates import date_of, day_of
from harness_timepuzzles.conversions.problem import Date

_NAMES = (
    r"(?:(?:corresponding|equivalent|converted|resulting|same|hebrew|jewish|islamic|hijri|umm al-qura|chinese|lunar"
    r"|gregorian|iso|week|ordinal)[ \t]+){0,3}dates?|conversion"
    r"|(?:(?:das|gesuchtes?|[a-zä]{5,14}isches?)[ \t]+){0,3}(?:iso-wochen|ordinal)?datum"
    r"|fecha(?:[ \t]+(?:hebrea|islámica|china|gregoriana|ordinal|de semana iso|correspondiente)){0,2}"
    r"|(?:公历|顺序|iso周|希伯来历|伊斯兰历|农历)?日期"
)
_KEYS = ("to", "date", "result", "solution", "converted_date")
_LINES = 100  # behind an answer, of which none may be another date
_GOES_ON = re.compile(
    rf"\s*[^\w\n]{{0,9}}(?:(?:{LEFT_OPEN}|or|and|but|also|alternativ(?:ely|e|a|amente)?|however|though|unless|if"
    r"|oder|und|aber|auch|jedoch|falls|wenn|o|y|pero|también|aunque|si)\b|或|和|但|也)",
    re.IGNORECASE,
)
_REASON = re.compile(REASON, re.IGNORECASE)
# not behind the day in "15. April 2001"
_SENTENCE = re.compile(rf"{SENTENCE_END.pattern}(?!(?<=\b[0-9]{{2}}\.\s)(?:\S+ ){{1,3}}[0-9]{{4}})")
_NUMBERED = re.compile(r"\((day [0-9]{1,3})\)", re.IGNORECASE)
_DOUBTS = re.compile(DOUBTS, re.IGNORECASE)
_OPEN = re.compile(
    rf"\b(?:{LEFT_OPEN}|not|or|if|would|might|may be|could|about|roughly|nicht|oder|falls(?! on)|wenn|würde|könnte"
    r"|no(?! leap)|o|si|sería|podría"
    r"|(?:first|initial|naive) (?:estimate|guess|try|attempt|thought|result)|forg[oe]t)\b|n't|[不非或若?]|如果|可能",
    re.IGNORECASE,
)
_WOULD_BE = re.compile(r"\b(answer|date)\b([^.\n]{0,60}) would be\b", re.IGNORECASE)
# "X would be off by one, and the correct date is …"
_CORRECT = re.compile(
    r"\A(?![^\n]*\b(?:if|unless|whether|perhaps|maybe)\b)[^\n]*\bthe (?:correct|right|actual)"
    r" (?:\w+ )?(?:date|value|answer|result) (?:is|reads)\b",
    re.IGNORECASE,
)
_BECAUSE = re.compile(r",?[ ](?:because|since|as|given that|where|with)\b", re.IGNORECASE)
_EXPLAINED = re.compile(rf"\W*{claims.EXPLANATION}\b", re.IGNORECASE)
_CHECK = re.compile(
    rf"\n[^\w\n]{{0,9}}(?:(?:sanity |quick |(?:cross|self)[- ]?)?{claims.EXPLANATION}"
    r"|(?:let me )?(?:double|cross)[- ]?check\w*|note)\b(?=[^\n]*:)",
    re.IGNORECASE,
)
_MAX_SENTENCE, _MAX_PARTS = 1_000, 6
_MAX_SENTENCES = 12


def extract(
    completion: str, prompt: str, given: Date, target: str
) -> claims.Answer[dict[str, Any]] | None:
    """Return the date that a reply gives, which need not exist; None if it gives none, several, or hedges."""

    def said(content: str) -> claims.Answer[dict[str, Any]] | None:
        content = content[: claims.MAX_CONTENT].lstrip("> ").strip("$")
        inner = claims.unwrapped(claims.entry(content, (target, f"{target}_date", *_KEYS)))
        named = dates_in(inner, target) if len(inner) <= _MAX_SENTENCE else []
        again = len(named) > 1 or (named and named[0][0] > 0)
        follows = again and all(date == named[0] for date in named)
        return _written(inner, given, target) or (
            _concluded(inner, given, target) if follows else None
        )

    text = _NUMBERED.sub(r"\1", plain(completion, prompt))
    marked = claims.marked_in(text, _NAMES)
    if marked is None or marked.start < 0:
        return _stated(text, given, target)
    answer = claims.agreed(marked, said)
    if answer is None:  # "The Gregorian date is the same day.", or its date is one in between
        empty = marked.verb and not re.search("[0-9]", marked.content)
        between = not (dates_in(marked.content, target) or last_marked(text)) and any(
            dates_in(marked.content, calendar) for calendar in {given["calendar"], "gregorian"}
        )
        return (
            _stated(marked.rest if between else text, given, target) if empty or between else None
        )
    doubted = _GOES_ON.match(marked.rest) or _DOUBTS.search(marked.rest[: claims.MAX_CONTENT])
    changed = doubted or (not _EXPLAINED.match(marked.rest) and any(turns(marked.rest, 0)))
    lines = marked.rest.splitlines()[:_LINES] if not changed else []
    other = (one_date(line, target) for line in lines if one_date(line, given["calendar"]) != given)
    return None if changed or any(date and date != answer.value for date in other) else answer


def _stated(text: str, given: Date, target: str) -> claims.Answer[dict[str, Any]] | None:
    """Return the date that the last sentence of a text that has one concludes; only remarks may stand behind it."""
    text = text[-claims.MAX_CONTENT :].rstrip()
    if BROKEN_OFF.search(text[-400:]):
        return None
    check = _CHECK.search(text, max(0, text.rfind("\n\n")))  # in the last paragraph
    if check and not is_revoked(text[check.start() :]) and not any(turns(text, check.end())):
        text = text[: check.start()]
    lines = text.strip().splitlines()[-_MAX_SENTENCES:]
    rows = [
        row.value for line in lines if line[:1] == "|" and (row := _written(line, given, target))
    ]
    if any(row != rows[0] for row in rows):  # of a table of candidates
        return None
    sentences = [said for line in lines for said in _SENTENCE.split(line) if said.strip()]
    for said in sentences[: -_MAX_SENTENCES - 1 : -1]:
        answer = _written(said, given, target)
        if answer is None and len(said) <= _MAX_SENTENCE:
            answer = _concluded(said, given, target)
        if answer or len(said) > _MAX_SENTENCE:
            return answer
        doubted = any(sign.search(said) for sign in (_OPEN, claims.HEDGED, _DOUBTS))
        if doubted or is_revoked(said) or any(turns(said, 0)) or dates_in(said, target):
            return None
    return None


def _written(content: str, given: Date, target: str) -> claims.Answer[dict[str, Any]] | None:
    """Return the date that a text is, perhaps with a reason, or the same day in other words or another calendar."""
    content = _REASON.sub("", claims.unwrapped(content))
    if len(content) > LONGEST:
        return None
    if date := one_date(content, target):
        return claims.Answer(date, claims.cut(content))
    pieces = PIECE.sub("\n", content).splitlines()
    parts = [part for piece in pieces if (part := piece.strip(" ,.")) and part.lower() != "answer"]
    if len(parts) > _MAX_PARTS:
        return None
    same = _same(given)  # in figures they may look like a date of the target
    others = [date for date in same if date["calendar"] != target]
    own = [part for part in parts if not any(_names(part, date) for date in others)]
    dates = [date for part in own if (date := one_date(part, target))]
    if not dates or any(date != dates[0] for date in dates):
        return None
    named = all(any(_names(part, date) for date in (*dates, *same)) for part in parts)
    return claims.Answer(dates[0], claims.cut(content)) if named else None


def _same(given: Date) -> list[Date]:
    """Return a date and the Gregorian one of its day."""
    day = day_of(given)
    civil = date_of(day, "gregorian") if day else None
    return [given, civil] if civil else [given]


def _names(part: str, date: Date) -> bool:
    """Tell whether a text is a date, its year perhaps left out."""
    calendar = date["calendar"]
    return date in (one_date(part, calendar), one_date(f"{part} {date['year']}", calendar))


def _concluded(said: str, given: Date, target: str) -> claims.Answer[dict[str, Any]] | None:
    """Return the one date that a sentence concludes to be the day of the given one."""
    said = _CORRECT.sub("", _WOULD_BE.sub(r"\1\2 is", claims.unwrapped(said)))
    if _OPEN.search(said) or claims.HEDGED.search(said):
        return None
    reason = _BECAUSE.search(said)
    if reason and (answer := _concluded(said[: reason.start()], given, target)):
        return answer
    same = [_figures(date) for date in _same(given)]
    likewise = same[:1] if target == "gregorian" else same
    dates = [named for named in dates_in(said, target) if _figures(named[1]) not in likewise]
    figures = [_figures(date) for _, date in dates]
    calendars = {given["calendar"], "gregorian"} - {target}
    others = {_figures(date) for calendar in calendars for _, date in dates_in(said, calendar)}
    if not dates or (others - {*figures} and others.isdisjoint(same)):
        return None
    found = [date for conclusions, date in dates if conclusions == dates[-1][0]]
    return (
        claims.Answer(found[0], claims.cut(said))
        if all(date == found[0] for date in found)
        else None
    )


def _figures(date: Date) -> tuple[Any, ...]:
    return tuple(date.get(key) for key in ("year", "month", "week", "day"))
