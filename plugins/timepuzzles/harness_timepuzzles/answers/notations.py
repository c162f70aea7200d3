"""Read dates of a calendar in usual notations: a text that is one, or the ones in a sentence.

Names and numerals become English words and digits; the text is then cut into tokens, each of one letter: ``Y`` a year
of four digits, ``M`` a month by its name or called one, ``D`` a day called one, ``W`` a week, ``N`` a number, ``L`` a
leap month. A word that is not understood makes a text unreadable; in a sentence it ends a date.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import Any

from harness_timepuzzles.answers import month_names
from harness_timepuzzles.answers.dates import read as read_dates
from harness_timepuzzles.answers.words import WEEKDAY
from harness_timepuzzles.conversions.calendar_dates import BOUNDS, date_of
from harness_timepuzzles.conversions.problem import parsed

LONGEST = 300  # characters of a text that is one date
_MAX_WORDS = 60
# What stands behind one of these follows from what stands before; behind others (below) it only stands apart.
_CONSEQUENCE = (
    r"\b(?:so|thus|therefore|hence|giv(?:es|ing)|is|was|ist|war|lautet|entspricht|bezeichnet|es|corresponde|equivale"
    r"|equals|arrive at|get|obtain|reach|(?:corresponds|converts|translates) to|falls on|same day as|i\.e\."
    r"|that is|d\. ?h\.|das heißt|c'est-à-dire|soit|es decir)(?!\w)"
    r"|[=>→⇒是为即]|对应于"
)
PIECE = re.compile(
    rf"(?P<follows>{_CONSEQUENCE})|[|(){{}}\[\];\"]|:[ ]|[ ][–—-][ ]|\Z", re.IGNORECASE
)
_A_YEAR = re.compile("[0-9]{4}|[〇零一二三四五六七八九]{4}")
# Another day than that of the question, which a count begins at; or a form.
_ANCHOR = re.compile(
    r"\b(?:beg[aiu]n\w*|start\w*|ends?|ended|first|new|from|since|after|before|until|than|minus|plus|add|count"
    r"|previous|preceding|next|following|form|format|such as|like|examples?|e\.g)\b",
    re.IGNORECASE,
)


def dates_in(said: str, calendar: str) -> list[tuple[int, dict[str, Any]]]:
    """Return the dates of a calendar that a sentence names, but for those that a count begins at.

    Each stands behind the number of the conclusions before it in the sentence.
    """
    dates = list[tuple[int, dict[str, Any]]]()
    first, last = _years(calendar)
    begin = conclusions = 0
    for end in PIECE.finditer(said):
        piece = said[begin : end.start()]
        if _A_YEAR.search(piece):
            found = _gregorian if calendar == "gregorian" else _of_calendar
            named = [date for date in found(piece, calendar) if first <= date["year"] <= last]
            dates += [(conclusions, date) for date in named]
        begin = end.end()
        conclusions += bool(end["follows"])
    return dates


@cache
def _years(calendar: str) -> tuple[int, int]:
    """Return the first and the last year of a calendar that a date may have."""
    first, last = (date_of(day, calendar) or {"year": 0} for day in BOUNDS[calendar])
    return first["year"] - 1, last["year"] + 1


def _of_calendar(piece: str, calendar: str) -> Iterator[dict[str, Any]]:
    for text in _plain(piece, calendar):
        for before, run in _runs(text):
            # "April 18, 1987" is no day 18 of 1987.
            if _ANCHOR.search(before) or (calendar == "ordinal" and not _DAY_OF_YEAR.search(run)):
                continue
            if date := _date(run, calendar):
                yield date


_IN_GREGORIAN = re.compile(r" (?:in|of|on) the (?:proleptic )?gregorian calendar\b", re.IGNORECASE)
_DAY_OF_YEAR = re.compile(r"day|\b[0-9]{3}\b")


def _plain(text: str, calendar: str) -> list[str]:
    """Return a text in English words and digits, of a Hebrew date with Adar 2 in both ways that it may be meant."""
    names = month_names.plain_names(text)
    ways = (False, True) if calendar == "hebrew" else (False,)
    return list(dict.fromkeys(_in_english(names, calendar, numbered) for numbered in ways))


def _date(text: str, calendar: str) -> dict[str, Any] | None:
    """Return the date that all tokens of a text make."""
    tokens = _tokens(text)
    read = _READERS[calendar](*tokens) if tokens else None
    return {"calendar": calendar, **read} if read else None


def _gregorian(piece: str, calendar: str) -> Iterator[dict[str, Any]]:
    words, used = piece.split()[:_MAX_WORDS], 0
    for place, word in enumerate(words):
        if place < used or not _A_YEAR.search(word):
            continue
        starts = range(max(used, place - 4), place + 1)
        for start, end in product(starts, range(place + 4, place, -1)):
            date = one_date(" ".join(words[start:end]).strip(" ,.;"), calendar)
            if date:
                if not _ANCHOR.search(" ".join(words[used:start])):
                    yield date
                used = end
                break


def one_date(content: str, calendar: str) -> dict[str, Any] | None:
    """Return the date of a calendar that a whole text is."""
    if len(content) > LONGEST:
        return None
    if calendar == "gregorian":
        listed = read_dates(_IN_GREGORIAN.sub("", content))
        dates = sorted({*listed.dates, *listed.impossible}) if listed else []
        return parsed(dates[0], calendar) if len(dates) == 1 else None
    return next(filter(None, (_date(text, calendar) for text in _plain(content, calendar))), None)


# ------------------------------------------------------------------------------------- tokens

_WORDS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
          "twelfth")  # fmt: skip
_TH = "(?:st|nd|rd|th)"
_EXCHANGED: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile(rf"\b(?:{'|'.join(_WORDS)})\b"), lambda word: f"{_WORDS.index(word[0]) + 1}th"),
    (re.compile(r"\bschaltmonats?\b|\bmes intercalar\b"), "leap month"),
    (re.compile(r"\bmonats?\b|\bmes\b"), "month"),
    (re.compile(r"\b(?:kalender)?woche\b|\bkw\b|\bsemana\b"), "week"),
    (re.compile(r"\btag\b|\bdia\b"), "day"),
    (
        re.compile(
            r"\bjahr(?:es)?\b|\bano\b|\byear (?:that|which) (?:began|begins|started|starts) in\b"
        ),
        "year",
    ),
    (re.compile(r"(\d{1,3})\. (?=(?:leap )?month\b|week\b|day\b)"), r"\1th "),
    (re.compile(r"第(\d{1,2})[周週]"), r" week \1 "),
    (
        re.compile(rf"(\d{{1,2}}){_TH} (leap |intercalary )?(?:lunar )?month\b"),
        r" month \1 \2",
    ),
    (re.compile(rf"(\d{{1,2}}){_TH} week\b"), r" week \1 "),
    (re.compile(rf"(\d{{1,3}}){_TH} day\b|第?(\d{{1,3}})[日号號天]"), r" day \1\2 "),
    (re.compile(r"(\d{1,2})月"), r" month \1 "),
    (re.compile(r"\b(year|month|week|day)\W{1,5}(?=\d)"), r"\1 "),
    (re.compile(r"\bw(?:eek)? ?(\d{2})-?([1-7])(?!\d)"), r" week \1 day \2 "),
    (re.compile(r"\bw ?(\d{1,2})(?!\d)"), r" week \1 "),
    (re.compile(r"\bleap[ _]?(?:month)?\W{1,5}(?:false|no)\b"), ""),
    (re.compile(r"\bleap[ _]?(?:month)?\W{1,5}(?:true|yes)\b"), " leap "),
    (
        re.compile(r"\b(?:leap|intercalary) month\b(?! \d)|\bintercalary\b|[闰閏](?:月(?!\d))?"),
        " leap ",
    ),
    (re.compile(r"(?<=\d)l\b|\bl(?=\d)"), " leap "),
)
_TOKEN = re.compile(
    rf"""
      month[ ](?P<M>\d{{1,2}}(?!\d)|\#[A-Za-z ]+\#) | day[ ](?P<D>\d{{1,3}})(?!\d) | week[ ](?P<W>\d{{1,2}})(?!\d)
    | (?P<L>leap(?![^\W_]|[ ]year))
    | (?:year[ ])?(?P<Y>\d{{4}})(?!\d)年? | (?P<N>\d{{1,3}})(?!\d){_TH}?(?![^\W\d_])
    | (?P<noise>(?:an?|the|of|in|on|it|is|day|date|calendar|lunar|lunisolar|month|year|week|hebrew|jewish|islamic
        |hijri|umm|qura|chinese|iso|8601|ordinal|al|a\.?h|h|a\.?m|anno[ ]mundi|hegirae|c\.?e|a\.?d
        |d(?:as|er|es|em|en|el?)|el|la|es|en|im|datum|fecha|kalenders?|calendario|(?:hebra|jud|islam|chines)isch(?:e[nrs]?)?
        |hebre[oa]|judi[oa]|islamic[oa]|chin[oa]|هـ|ه)(?![^\W\d_])
        |(?:公|希伯来|犹太|伊斯兰|伊|回|农|農|阴|陰|旧|舊)[历曆]|的|是
        |[甲乙丙丁戊己庚辛壬癸][子丑寅卯辰巳午未申酉戌亥]年?|[\s,.;:/(){{}}\[\]_-])
    """,
    re.VERBOSE,
)
_YEAR = re.compile("[〇零一二三四五六七八九]{4}(?=年)")
_DIGITS = str.maketrans("〇零一二三四五六七八九", "00123456789")
_CHINESE_DAY = re.compile(
    "(" + "|".join(sorted(month_names.CHINESE_DAYS, key=len, reverse=True)) + ")日?"
)


def _in_english(text: str, calendar: str, numbered: bool) -> str:
    """Return a text with months, days and weeks as "month 8", "day 16" and "week 15"."""
    if calendar == "chinese":
        text = _YEAR.sub(lambda year: year[0].translate(_DIGITS), text)
    for names, label in _months(calendar, numbered):
        text = names.sub(f" month {label} ", text)
    if calendar == "chinese":
        text = _CHINESE_DAY.sub(lambda day: f" day {month_names.CHINESE_DAYS[day[1]]} ", text)
    # Those of languages that no prompt has say nothing.
    numbered_days = calendar == "iso_week"
    text = _WEEKDAY.sub(
        lambda day: f" day {day.lastgroup[1:]} " if numbered_days and day.lastgroup else " ", text
    )
    text = re.sub(
        r"(?<!\d)(\d{4})(\d\d)(\d\d)(?!\d)|(?<!\d)(\d{4})(\d{3})(?!\d)", r"\1\4 \2\5 \3", text
    )
    text = re.sub(r"(?<!\d)(\d{4})-?(?=w\d\d)", r"\1 ", text)
    for pattern, instead in _EXCHANGED:
        text = pattern.sub(instead, text)
    return " ".join(text.split())


_LETTER = r"[^\W\d_\u4e00-\u9fff]"
"""A letter other than a Chinese character: only those may border on a name."""
_WEEK = (
    "mon(?:day)?|montag|lunes", "tue(?:s(?:day)?)?|dienstag|martes", "wed(?:nesday)?|mittwoch|miercoles",
    "thu(?:r(?:s(?:day)?)?)?|donnerstag|jueves", "fri(?:day)?|freitag|viernes",
    "sat(?:urday)?|samstag|sonnabend|sabado", "sun(?:day)?|sonntag|domingo",
)  # fmt: skip
_NUMBERED_WEEK = "|".join(
    f"(?P<d{number}>{names}|(?:星期|礼拜|周|週){sign})"
    for number, (names, sign) in enumerate(zip(_WEEK, "一二三四五六日", strict=True), 1)
)
_WEEKDAY = re.compile(rf"(?<!\d)(?<!{_LETTER})(?:{_NUMBERED_WEEK}|{WEEKDAY})(?!\d|{_LETTER})\.?")


@cache
def _months(calendar: str, numbered: bool) -> tuple[tuple[re.Pattern[str], object], ...]:
    """Return patterns of the names of months, and what they are called in a problem."""
    tables: dict[str, dict[Any, str]] = {
        "hebrew": month_names.HEBREW, "islamic": month_names.ISLAMIC, "chinese": month_names.CHINESE,
    }  # fmt: skip
    names = [*tables.get(calendar, {}).items()]
    if numbered:
        names = [*month_names.NUMBERED_ADARS.items(), *names]
    return tuple(
        (
            re.compile(f"(?<!{_LETTER})ב?(?:{pattern})(?!{_LETTER})"),
            f"#{month}#" if isinstance(month, str) else month,
        )
        for month, pattern in names
    )


def _tokens(text: str) -> tuple[str, list[Any]] | None:
    """Return the letters of a text's tokens and their values, the same month or day said twice as one."""
    letters, values, position = "", list[Any](), 0
    while position < len(text):
        token = _TOKEN.match(text, position)
        if token is None:
            return None
        position, kind = token.end(), token.lastgroup or ""
        if kind == "noise":
            continue
        value = token[kind].strip("#")
        value = int(value) if value.isdigit() else value
        if kind in "MDL" and (kind, value) in zip(letters, values, strict=True):
            continue
        letters += kind
        values.append(value)
    return letters, values


def _runs(text: str) -> Iterator[tuple[str, str]]:
    """Yield the stretches of a text that are made of tokens, and the words that stand before each."""
    before, begin, position = 0, 0, 0
    while position <= len(text):
        token = _TOKEN.match(text, position)
        if token:
            position = token.end()
            continue
        if re.search("[0-9]", text[begin:position]):
            yield text[before:begin], text[begin:position]
            before = position
        word = _ANY_WORD.match(text, position)
        position = begin = word.end() if word else position + 1


_ANY_WORD = re.compile(r"\w+|.", re.DOTALL)

# ------------------------------------------------------------------------------------ parts


def _year_day(letters: str, values: list[Any]) -> dict[str, Any] | None:
    if letters not in ("YN", "YD", "NY", "DY"):
        return None
    year = letters.index("Y")
    return {"year": values[year], "day": values[1 - year]}


def _year_week(letters: str, values: list[Any]) -> dict[str, Any] | None:
    if sorted(letters) != ["D", "W", "Y"] and not (
        len(letters) == 3 and "Y" in letters and "WN" in letters
    ):
        return None
    part = dict(zip(letters, values, strict=True))
    return {"year": part["Y"], "week": part["W"], "day": part.get("D", part.get("N"))}


def _year_month(letters: str, values: list[Any]) -> dict[str, Any] | None:
    part = dict(zip(letters, values, strict=True))
    if sorted(letters) in (["D", "M", "Y"], ["M", "N", "Y"]):
        return {"year": part["Y"], "month": part["M"], "day": part.get("D", part.get("N"))}
    if letters in ("YNN", "YND"):
        return {"year": values[0], "month": values[1], "day": values[2]}
    if letters == "NNY":
        low, high = sorted(values[:2])
        if low <= 12 < high or low == high:  # else nobody knows which is the month
            return {"year": values[2], "month": low, "day": high}
    return None


def _named_month(letters: str, values: list[Any]) -> dict[str, Any] | None:
    read = _year_month(letters, values)
    return read if read and isinstance(read["month"], str) else None


def _perhaps_leap(letters: str, values: list[Any]) -> dict[str, Any] | None:
    left = [(letter, value) for letter, value in zip(letters, values, strict=True) if letter != "L"]
    read = _year_month("".join(letter for letter, _ in left), [value for _, value in left])
    return read and {**read, "leap": len(left) < len(letters)}


_READERS: dict[str, Callable[[str, list[Any]], dict[str, Any] | None]] = {
    "ordinal": _year_day, "iso_week": _year_week, "hebrew": _named_month, "islamic": _year_month,
    "chinese": _perhaps_leap,
}  # fmt: skip
