"""Dates in JSON objects: under keys that call them the answer, beside others that describe or count them."""

from __future__ import annotations

import re

from harness_answers.claims import HEDGED
from harness_answers.json_reader import loads
from harness_answers.object_answers import is_remark, plain_key

from harness_timepuzzles.answers.dates import read
from harness_timepuzzles.answers.prose import LOOKED_AT, NEGATES, retracts
from harness_timepuzzles.answers.statements import Answer, answer_of

_KIND = "(?:final|valid|matching|satisfying|qualifying|correct|unique|only|the|puzzle|full|found|list|set|resulting)"
_NAME = "(?:(?:iso|gregorian|date|answer|solution|result|output|response)s?|days)"
_DATES = re.compile(
    rf"(?:(?:all_(?={_KIND}))?{_KIND}_)*{_NAME}(?:_(?:{_KIND}|{_NAME}))*"
    r"|fechas?|daten|datum|ergebnis(?:se)?|lösung(?:en)?|resultados?|soluci(?:ón|ones)|日期|答案|结果"
)
_COUNT = (
    r"(?:(?:total|count|number|num)_(?:of_)?)?(?:dates|solutions|matches)(?:_(?:found|count))?"
    r"|(?:date|solution|match)_count|total|count"
)
_DESCRIBES = re.compile(
    r"(?:day_of_.*|day|weekday|zodiac.*|animal|sign|year|month|lunar.*|chinese.*|moon.*|season|president|event)(?:_name)?"
    rf"|{_COUNT}"
)
_COUNTED = re.compile(rf"[\"'](?:{_COUNT})[\"']\s*:\s*([0-9]{{1,9}})(?![0-9])")
_OPENING = re.compile(r"^[ \t]*(?=\{|\[\s*\{)", re.MULTILINE)
_NO_LEAD = re.compile(
    rf"{HEDGED.pattern}|{LOOKED_AT.pattern}|\b(?:examples?|templates?|if|would|could|might|may|drafts?|step|first|events?"
    r"|so far|facts?|of the clues?)\b|\A\W*(?:the )?clues?(?: as\b| in\b|\W*\Z)",
    re.IGNORECASE,
)


def described(text: str) -> Answer | None:
    """Return the answer of a reply that ends with an object, or a list of some, whose keys say that it is one."""
    opening = _OPENING.search(text)
    parsed = loads(text[opening.end() :]) if opening else None
    if opening is None or parsed is None or parsed[1].strip():
        return None
    lead = re.split(r"[.!?]\s|\n", text[: opening.start()].rstrip())[-1]
    if _NO_LEAD.search(lead) or NEGATES.search(lead):
        return None
    answer = stated(parsed[0], text)
    return answer if answer and (answer.dates or answer.impossible or not lead) else None


def stated(value: object, text: str) -> Answer | None:
    """Return the dates that a JSON value of a text says are the answer, as many as the text's objects count."""
    said = _dates_of(value)
    listing = None if said is None else read(said)
    counts = {int(count) for count in _COUNTED.findall(text)}
    return answer_of(listing, said or "") if listing and counts <= {len(listing.dates)} else None


def _dates_of(value: object) -> str | None:
    """Return the dates that a JSON value says are the answer, as text; None if one of its keys says anything else."""
    if isinstance(value, list):
        parts = [None if isinstance(part, list) else _dates_of(part) for part in value]
        said = [part for part in parts if part is not None]
        return (", ".join(said) or "[]") if len(said) == len(parts) else None
    if not isinstance(value, dict):
        return value if isinstance(value, str) else None
    left = {plain_key(str(key)): part for key, part in value.items() if not is_remark(str(key))}
    remarks = " ".join(str(part) for key, part in value.items() if is_remark(str(key)))
    if left.get("valid") is True:
        del left["valid"]
    keys = [key for key in left if _DATES.fullmatch(key) and not isinstance(left[key], int)]
    if {"year", "month"} < left.keys() and keys in ([], ["days"]):
        year, month = left.pop("year"), left.pop("month")
        days = left.pop("days", None) or left.pop("day", None)
        dates: str | None = ", ".join(
            f"{year}-{month:0>2}-{day:0>2}" if str(month).isdecimal() else f"{day} {month} {year}"
            for day in (days if isinstance(days, list) else [days])
        )
    else:
        dates = _dates_of(left.pop(keys[0])) if len(keys) == 1 else None
    doubted = retracts(remarks) or HEDGED.search(remarks)
    plain = all(type(part) in (str, int) for part in left.values())
    return dates if plain and not doubted and all(map(_DESCRIBES.fullmatch, left)) else None
