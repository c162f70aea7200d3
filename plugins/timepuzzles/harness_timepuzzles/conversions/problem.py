"""Problems of ``task=convert``: a date of one calendar, asked for in another; as JSON, as text and as a prompt.

A date is a JSON object with its ``calendar`` and the parts that name a day there. The text of a date is the
one form in which a language gives it and asks for it; labels have the English one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from harness import HarnessError
from harness_timepuzzles.languages import language as languages
from harness_timepuzzles.languages.language import ENGLISH, OTHERS

CONVERT = "convert"
HEBREW_MONTHS = ("Tishri", "Heshvan", "Kislev", "Tevet", "Shevat", "Adar", "Adar I", "Adar II",
                 "Nisan", "Iyar", "Sivan", "Tammuz", "Av", "Elul")  # fmt: skip

Date = Mapping[str, Any]


class ConversionError(HarnessError):
    """A problem that is no conversion, or whose label is wrong."""


@dataclass(frozen=True, slots=True)
class Calendar:
    """How dates of a calendar are called, shown in a prompt, written, and found in a text again."""

    name: str
    form: str
    template: str
    pattern: str
    convention: str


_YEAR, _MONTH, _DAY = r"(?P<year>\d{4})", r"(?P<month>0[1-9]|1[0-2])", r"(?P<day>\d{2})"
_HEBREW_DAY = r"(?P<day>[1-9]|[12]\d|30)"
CALENDARS = {
    "gregorian": Calendar(
        "Gregorian date", "YYYY-MM-DD", "{year:04}-{month:02}-{day:02}", f"{_YEAR}-{_MONTH}-{_DAY}",
        "A Gregorian date is written YYYY-MM-DD; the Gregorian calendar counts in all years.",
    ),
    "ordinal": Calendar(
        "ordinal date", "YYYY-DDD", "{year:04}-{day:03}", rf"{_YEAR}-(?P<day>\d{{3}})",
        "An ordinal date (ISO 8601) is written YYYY-DDD: the year of the Gregorian calendar and the day of that "
        "year, from 001 on.",
    ),
    "iso_week": Calendar(
        "ISO week date", "YYYY-Www-D", "{year:04}-W{week:02}-{day}",
        rf"{_YEAR}-W(?P<week>\d{{2}})-(?P<day>[1-7])",
        "An ISO week date (ISO 8601) is written YYYY-Www-D: the year that the week belongs to, the week from 01 "
        "on, and the day of the week from 1 (Monday) to 7 (Sunday).",
    ),
    "hebrew": Calendar(
        "Hebrew date", "YYYY Month D", "{year} {month} {day}",
        rf"{_YEAR} (?P<month>{'|'.join(HEBREW_MONTHS)}) {_HEBREW_DAY}",
        "A Hebrew date is written YYYY Month D, where the month is Tishri, Heshvan, Kislev, Tevet, Shevat, Adar (in "
        "a leap year Adar I or Adar II), Nisan, Iyar, Sivan, Tammuz, Av or Elul; it stands for the day that holds "
        "its daylight hours, not for the evening before.",
    ),
    "islamic": Calendar(
        "Islamic date", "YYYY-MM-DD", "{year:04}-{month:02}-{day:02}", f"{_YEAR}-{_MONTH}-{_DAY}",
        "An Islamic date is one of the Umm al-Qura calendar of Saudi Arabia, with the months as they were officially "
        "published (the table in the Python library hijridate), written YYYY-MM-DD from month 01 (Muharram) to 12 "
        "(Dhu al-Hijja); it stands for the day that holds its daylight hours, not for the evening before.",
    ),
    "chinese": Calendar(
        "Chinese date", "YYYY-MM-DD (in a leap month YYYY-MML-DD)", "{year:04}-{month:02}{leap}-{day:02}",
        f"{_YEAR}-{_MONTH}(?P<leap>L?)-{_DAY}",
        "A Chinese date is one of the official lunar calendar of China, written YYYY-MM-DD, where the year is the "
        "Gregorian year in which the Chinese year begins; a leap month has the number of the month that it repeats, "
        "and an L behind it.",
    ),
}  # fmt: skip


def _schema(calendar: str, **parts: Any) -> dict[str, Any]:
    properties = {"calendar": {"const": calendar}, "year": _whole(9999), **parts}
    return {
        "type": "object", "additionalProperties": False, "required": list(properties), "properties": properties,
    }  # fmt: skip


def _whole(most: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": 1, "maximum": most}


SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["task", "date", "to"],
    "properties": {
        "task": {"const": CONVERT},
        "date": {
            "anyOf": [
                _schema("gregorian", month=_whole(12), day=_whole(31)),
                _schema("ordinal", day=_whole(366)),
                _schema("iso_week", week=_whole(53), day=_whole(7)),
                _schema("hebrew", month={"enum": list(HEBREW_MONTHS)}, day=_whole(30)),
                _schema("islamic", month=_whole(12), day=_whole(30)),
                _schema("chinese", month=_whole(12), leap={"type": "boolean"}, day=_whole(30)),
            ]
        },
        "to": {"enum": list(CALENDARS)},
    },
}

ANSWER: dict[str, Any] = {
    "type": "string",
    "pattern": rf"^(?:{'|'.join(re.sub(r'[?]P<[a-z]+>', '?:', c.pattern) for c in CALENDARS.values())})$",
    "description": "a date of one of six calendars",
}


def is_conversion(problem: object) -> bool:
    """Tell whether a problem is one of ``task=convert``, not a puzzle."""
    return isinstance(problem, Mapping) and problem.get("task") == CONVERT


def text(date: Date, language: str = ENGLISH) -> str:
    """Return the text of a date."""
    words = _wording(language)
    parts = {**date, "leap": "L" if date.get("leap") else ""}
    if date["calendar"] == "hebrew":
        parts |= {"month": words.months[date["month"]], "year": f"{date['year']:04}"}
    return words.calendars[date["calendar"]].template.format(**parts)


def parsed(written: str, calendar: str, language: str = ENGLISH) -> dict[str, Any] | None:
    """Return the date that `text` would write so; None if there is none. It need not exist."""
    words = _wording(language)
    found = re.fullmatch(words.calendars[calendar].pattern, written, re.ASCII)
    if found is None:
        return None
    parts: dict[str, Any] = {
        name: int(part) if part.isdigit() else part for name, part in found.groupdict().items()
    }
    if calendar == "chinese":
        parts["leap"] = parts["leap"] == "L"
    if calendar == "hebrew":
        parts["month"] = next(m for m, name in words.months.items() if name == parts["month"])
    return {"calendar": calendar, **parts}


def ends(problem: Any) -> tuple[Date, str]:
    """Return the date of a problem, and the calendar that it is asked for in.

    Raises:
        ConversionError: the problem is no conversion.
    """
    try:
        given, target = problem["date"], problem["to"]
        other = target in CALENDARS and target != given["calendar"]
        if other and parsed(text(given), given["calendar"]) == given:
            return given, target
    except (KeyError, TypeError, ValueError):
        pass
    raise ConversionError("the problem is no date of one calendar that is asked for in another")


# ------------------------------------------------------------------------------------- prompt


@dataclass(frozen=True, slots=True)
class _Wording:
    """How a language asks for a date: the parts of a prompt, its calendars, and its names of Hebrew months."""

    question: str
    conventions: str
    answer: str
    calendars: Mapping[str, Calendar]
    months: Mapping[str, str]


_ENGLISH = _Wording(
    "Which {wanted} is the same day as the {source} {date}?",
    "How dates are written:",
    "End your reply with one line that gives the {wanted}, in the form\nAnswer: {form}",
    CALENDARS,
    dict(zip(HEBREW_MONTHS, HEBREW_MONTHS, strict=True)),
)


@cache
def _wording(language: str) -> _Wording:
    if language == ENGLISH:
        return _ENGLISH
    words = languages.of(language).words
    said, names = words["conversion"], words["words"]["hebrew"]
    months = {month: names[month.lower()] for month in HEBREW_MONTHS}
    parts = {"year": _YEAR, "month": f"(?P<month>{'|'.join(months.values())})", "day": _HEBREW_DAY}
    calendars = {key: replace(one, **said["calendars"][key]) for key, one in CALENDARS.items()}
    calendars["hebrew"] = replace(
        calendars["hebrew"], template=said["hebrew"], pattern=_pattern(said["hebrew"], parts)
    )
    return _Wording(said["question"], said["conventions"], said["answer"], calendars, months)


def _pattern(template: str, parts: Mapping[str, str]) -> str:
    """Return the pattern of texts that a template makes; ``parts`` are those of what stands in its braces."""
    return re.sub(r"\\\{(\w+)\\\}", lambda part: parts[part[1]], re.escape(template))


@cache
def _asked(language: str) -> re.Pattern[str]:
    """Return the pattern of a language's question."""
    words = _wording(language)
    names = "|".join(calendar.name for calendar in words.calendars.values())
    parts = {
        "wanted": f"(?P<wanted>{names})",
        "source": f"(?P<source>{names})",
        "date": r"(?P<date>[^\n?？]{1,40})",
    }
    return re.compile(_pattern(words.question, parts))


def write(problem: Mapping[str, Any], language: str = ENGLISH) -> str:
    """Return the prompt of a problem."""
    (given, target), words = ends(problem), _wording(language)
    source, wanted = words.calendars[given["calendar"]], words.calendars[target]
    names = {"wanted": wanted.name, "source": source.name, "form": wanted.form}
    question = words.question.format(**names, date=text(given, language))
    conventions = [f"- {calendar.convention}" for calendar in (source, wanted)]
    return "\n".join(
        [question, "", words.conventions, *conventions, "", words.answer.format(**names)]
    )


def read(prompt: str) -> dict[str, Any] | None:
    """Return the problem of the last question in a text; None if it holds none that we could have written.

    Whatever is read is written again and has to be found in the text, letter by letter.
    """
    questions = [
        (question.start(), language, question)
        for language in (ENGLISH, *OTHERS)
        for question in _asked(language).finditer(prompt)
    ]
    if not questions:
        return None
    start, language, question = max(questions)
    names = {one.name: key for key, one in _wording(language).calendars.items()}
    target, source = names[question["wanted"]], names[question["source"]]
    given = parsed(question["date"], source, language)
    if given is None or target == source:
        return None
    problem = {"task": CONVERT, "date": given, "to": target}
    return problem if prompt.startswith(write(problem, language), start) else None
