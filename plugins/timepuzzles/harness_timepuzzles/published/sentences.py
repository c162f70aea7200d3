"""What a published constraint sentence says, as an entry of the published form: a small grammar.

`entry` reads both forms of a sentence, implicit and explicit. What it cannot read it leaves alone: a
sentence may have been put in other words. `differs` holds a sentence against the entry beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any

from harness import DatasetError
from harness_timepuzzles import facts
from harness_timepuzzles.clues import catalogue
from harness_timepuzzles.clues.clue import MONTHS, WEEKDAYS, Clue, choices, mask
from harness_timepuzzles.clues.month import SEASONS
from harness_timepuzzles.clues.year import ANIMALS
from harness_timepuzzles.published.entries import NOTHING, Known, Meta, clue

_DAYS, _MONTHS = choices(WEEKDAYS), choices(MONTHS)
_NTH = r"(\d{1,3})(?:st|nd|rd|th)"
_FROM_END = rf"(?:(last)|{_NTH}( to last)?)"
_DATE = rf"{_MONTHS} (\d{{1,2}}), (\d{{4}})"
_OLYMPIC = ("summer_olympics", "0", "1896", "1916, 1940, or 1944")
_CUP = ("world_cup", "2", "1930", "1942 or 1946")
_GROUPS = tuple[str | None, ...]


def _weekday_of(kind: str) -> Callable[[_GROUPS], Meta]:
    def meta_of(groups: _GROUPS) -> Meta:
        last, number, behind, day = groups
        direction = "backward" if last or behind else "forward"
        return {"type": kind, "direction": direction, "weekday": day, "n": int(number or 1)}

    return meta_of


def _edge(groups: _GROUPS) -> Meta:
    level, edge, event = groups
    aspect = "start" if edge == "first" else "end"
    return {"type": "kb_event", "event": event, "aspect": aspect, "level": level}


def _rule(groups: _GROUPS) -> Meta:
    name = next((games[0] for games in (_OLYMPIC, _CUP) if games[1:] == groups), "")
    return {"type": "event", "name": name}


def _iso(parts: _GROUPS) -> str:
    month, day, year = parts
    return date(int(str(year)), MONTHS.index(str(month)) + 1, int(str(day))).isoformat()


def _month_days(groups: _GROUPS) -> Meta:
    first, begin, last, end = groups
    days = [(MONTHS.index(str(m)) + 1, int(str(d))) for m, d in ((first, begin), (last, end))]
    for month, day in days:
        date(2001, month, day)
    return {"type": "between", "span": tuple(f"{month:02}-{day:02}" for month, day in days)}


def _valued(kind: str, *, number: bool = True) -> Callable[[_GROUPS], Meta]:
    return lambda groups: {"type": kind, "value": int(str(groups[0])) if number else groups[0]}


_FORMS: tuple[tuple[str, Callable[[_GROUPS], Meta]], ...] = (
    (rf"It is a {_DAYS}\.", _valued("weekday", number=False)),
    (r"It is a ([MTWFS]\w{5,8}(?:, [MTWFS]\w{5,8}){0,5},? or [MTWFS]\w{5,8})\.",
     lambda groups: {"type": "multi_weekday", "value": re.findall(r"\w+day", str(groups[0]))}),
    (rf"It is before the {_NTH} of the month\.",
     lambda groups: {"type": "day_of_month", "operator": "<", "value": int(str(groups[0]))}),
    (rf"It is after the {_NTH} of the month\.",
     lambda groups: {"type": "day_of_month", "operator": ">", "value": int(str(groups[0]))}),
    (rf"(?:It|The month) is {_MONTHS}\.",
     lambda groups: {"type": "month", "value": MONTHS.index(str(groups[0])) + 1}),
    (rf"It is {choices(tuple(s.title() for s in SEASONS))}\.", _valued("season", number=False)),
    (r"It is a leap year\.", lambda groups: {"type": "event", "name": "leap_year"}),
    (rf"It is the {_FROM_END} {_DAYS} of the month\.", _weekday_of("weekday_in_month")),
    (rf"It is the {_FROM_END} {_DAYS} of the year\.", _weekday_of("weekday_in_year")),
    (rf"It is the {_NTH} of the month\.", _valued("day_of_month_specific")),
    (r"The day of the month is (\d{1,2})\.", _valued("day_of_month_specific")),
    (r"It is the first day of the month\.", lambda groups: {"type": "first_day_of_month"}),
    (r"It is the last day of the month\.", lambda groups: {"type": "last_day_of_month"}),
    (rf"It is the {_NTH} day of the year\.", _valued("day_of_year")),
    (r"The year is (\d{4})\.", _valued("explicit_year")),
    (r"The year is in the (\d{4})s\.", _valued("decade")),
    (r"The year is between (\d{1,4}) and (\d{1,4}) \(inclusive\)\.", lambda groups: {
        "type": "year_range", "start": int(str(groups[0])), "end": int(str(groups[1]))}),
    (r"The year is one of (\d{4}(?:, ?\d{4}){0,400})\.", lambda groups: {
        "type": "kb_event", "aspect": "multi_year", "level": "year", "event": "of several years",
        "value": [int(year) for year in re.findall(r"\d{4}", str(groups[0]))]}),
    (rf"It is the Year of the {choices(tuple(a.title() for a in ANIMALS))} according to Chinese lunar"
     r" calendar\.", _valued("chinese_zodiac", number=False)),
    (rf"It is the {_NTH} month of the Chinese lunar calendar\.", _valued("lunar_month")),
    (r"The sun \(zodiac\) sign is ([A-Z][a-z]{1,20})\.", _valued("western_zodiac", number=False)),
    (r"(.{1,1000}) is alive\.", lambda groups: {"type": "person_alive", "person": groups[0]}),
    (r"(.{1,1000}) is the President of the United States\.",
     lambda groups: {"type": "us_president", "person": groups[0]}),
    (r"It is a modern Summer Olympic year\.", lambda groups: {"type": "event", "name": "summer_olympics"}),
    (r"It is a FIFA World Cup year\.", lambda groups: {"type": "event", "name": "world_cup"}),
    (r"The year satisfies year % 4 == (\d), year >= (\d{4}), and is not ([\d, or]{4,60})\.", _rule),
    (rf"The date is between {_DATE} and {_DATE}\.",
     lambda groups: {"type": "between", "span": (_iso(groups[:3]), _iso(groups[3:]))}),
    (rf"The date is between {_MONTHS} (\d{{1,2}}) and {_MONTHS} (\d{{1,2}})\.", _month_days),
    (r"It is the same (year|month|day) as the (first|last) day that (.{1,1000})\.", _edge),
    (r"It is a year in which (.{1,1000})\.", lambda groups: {
        "type": "kb_event", "event": groups[0], "aspect": "multi_year", "level": "year"}),
)  # fmt: skip
_GRAMMAR = tuple((re.compile(pattern), meta_of) for pattern, meta_of in _FORMS)


def entry(sentence: str) -> Meta | None:
    """Return the entry of the published form that a sentence states; None if its wording is not known.

    An event or a person is told by name alone, as far as the sentence goes. ``{"type": "between",
    "span": (first, last)}`` is a span of days, ISO dates or MM-DD, whatever it is the span of.
    """
    for pattern, meta_of in _GRAMMAR:
        match = pattern.fullmatch(sentence)
        if match is None:
            continue
        try:
            return meta_of(match.groups())
        except ValueError:  # 31 February: no date, so nothing that was said
            return None
    return None


def span(sentence: str | None) -> tuple[str, str] | None:
    """Return the first and last days that a sentence spells out, ISO dates or MM-DD; None if it does not."""
    meta = entry(sentence) if sentence else None
    days: tuple[str, str] | None = meta.get("span") if meta else None
    return days


def differs(sentence: str, meta: Meta, known: Known, within: int) -> str | None:
    """Return how a sentence differs from the entry beside it; "" if it does not.

    Args:
        within: the days that count, as a mask.

    Returns:
        None where the sentence cannot be read, so that nothing was compared.
    """
    stated = entry(sentence)
    clue_read = catalogue.parse_sentence(sentence, (facts.builtin(),)) if stated is None else None
    if stated is None and clue_read is None:
        return None
    if stated is not None and (stated["type"] == "between" or not _complete(stated)):
        return _names(stated, meta, known)
    try:
        means = clue(stated, NOTHING) if stated is not None else clue_read
    except DatasetError as error:
        return f"it says what cannot be ({error})"
    if means is None or mask(means) & within == mask(clue(meta, known)) & within:
        return ""
    return f"it says {_short(means)}, its entry means {_short(clue(meta, known))}"


def _complete(stated: Meta) -> bool:
    """Tell whether an entry made of a sentence has all that it needs to be a clue."""
    if stated["type"] in ("person_alive", "us_president", "western_zodiac"):
        return False
    return stated["type"] != "kb_event" or "value" in stated


def _names(stated: Meta, meta: Meta, known: Known) -> str:
    if stated["type"] == "between":
        same = meta.get("type") in ("person_alive", "us_president", "western_zodiac")
        return "" if same else f"it says a span of days, its entry is of type {meta.get('type')}"
    for key, value in stated.items():
        if meta.get(key) != value:
            return f"it says {key} {str(value)[:60]!r}, its entry {str(meta.get(key))[:60]!r}"
    return ""


def _short(clue: Clue) -> str:
    return repr(clue.sentence() if len(clue.sentence()) <= 80 else clue.sentence()[:79] + "…")


def parse_day(value: Any) -> str | None:
    """Return a day as YYYY-MM-DD from such a text, which may have a time of midnight behind it; else None."""
    if not isinstance(value, str) or len(value) > 40:
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    plain = moment.date().isoformat()
    midnight = moment.time() == datetime.min.time()
    return plain if value[:10] == plain and midnight else None


def known_span(meta: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return first and last day of a life or a term from our own facts; None if they do not have it."""
    name, table = str(meta.get("person")), facts.builtin()
    if meta.get("type") == "person_alive":
        person = table.person(name)
        return (person.born, person.died) if person else None
    if meta.get("type") != "us_president":
        return None
    for spelling in (name, re.sub(r"(?<=\b[A-Z]\.)(?=[A-Z])", " ", name)):
        held = table.office(spelling, "President of the United States")
        if held and len(held.terms) == 1:
            return held.terms[0]
    return None
