"""Plain text of replies about dates: `harness_answers.text.plain`, without what says where a date was found.

Nothing here knows what a date is. All patterns are linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from harness_answers.cleaning import boxes, exchanged
from harness_answers.text import MAX_TEXT
from harness_answers.text import plain as plain_text

from harness_timepuzzles.answers.words import MONTH, WEEKDAY

__all__ = ["MAX_TEXT", "plain"]

_ECHO = 40  # a line of the prompt that is longer than this cannot be an answer to it

_SIGNS = str.maketrans(
    dict.fromkeys("–—―−﹘﹣⁻", "-")
    | {"，": ",", "،": ",", "・": "•"}
    | {chr(ord(zero) + digit): str(digit) for zero in "٠۰०০" for digit in range(10)}
)
_COMMENT = re.compile(r"/\*[^*\n]{0,300}\*/(?=[ \t]*\w)")
_DATE_TAG = re.compile(r"</?dates?(?:\s[^<>\n]{0,80})?/?>", re.IGNORECASE)
_FENCED = re.compile(r"^[ \t>]{0,8}(?:`{3,}|~{3,})[^\n]*$", re.MULTILINE)
_ASSIGNED = re.compile(r"^[ \t]*(?=[a-z_]{0,20}answers?[ \t]*(?::[^=\n]{1,40})?=)", re.MULTILINE)
# In a session of Python: the lines typed in, and a date.
_TYPED = re.compile(r"^[ \t]*(?:>>>|\.\.\.)[ ](?=[^\n]*[(=\[]|import |from )[^\n]*$", re.MULTILINE)
_DATE_CALL = re.compile(
    r"\[?\b(?:datetime\.)?date(?:time)?\(([0-9]{4}),[ ]?([0-9]{1,2}),[ ]?([0-9]{1,2})(?:,[ ]?0){0,3}\)\]?"
)
_CSV_HEAD = re.compile(
    r"(?=.*(?:date|gregorian|hebrew|islamic|hijri|chinese|iso_week|ordinal))[a-z_]+(?:,[a-z_]+)+",
    re.IGNORECASE,
)
_EMPTY_SET = re.compile(r"\\(?:emptyset|varnothing)(?![a-zA-Z])")
_TEXT = re.compile(r"\\(?:text\w{0,6}|math[a-z]{2}|mbox|emph|underline)\s{0,3}\{([^{}\n]{0,500})\}")
_BETWEEN_BOXES = re.compile(r"(?:[\s$,;&.]|\band\b|\bor\b){0,40}")
_ITEM = re.compile(r"[ \t>]*(?:[-+*•]|\(?\d{1,2}[.)])[ \t$]*")
# Where a search found it: links, "[1]", "[^1]", and the lines that say what "[1]" is.
_LINK = r"\[([^\[\]\n]{1,300})\]\(<?https?://[^()\s]{1,1000}(?:\([^()\s]{1,99}\)[^()\s]{0,300})?\)"


def _kept(links: re.Match[str]) -> str:
    """Return links in brackets as they are, if their text may hold a date."""
    return links[0] if re.search(r"\[[^\]]*[0-9]{4}", links[0]) else ""


# Each is tried where a text has what stands first.
_SOURCES: tuple[tuple[str, re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    ("](", re.compile(rf"[ \t]?\((?:{_LINK}[,; ]{{0,3}}){{1,9}}\)"), _kept),
    (
        "](",
        re.compile(
            rf"(?<=[0-9])[ \t]?(?:(?=\[(?:[A-Z]|[\w-]{{1,60}}\.\w)){_LINK}[,; ]{{0,3}}){{1,9}}"
        ),
        _kept,
    ),
    ("//", re.compile(r"(?<=[0-9])[ \t]{1,3}<?https?://[^\s<>]{1,1000}>?"), ""),
    ("](", re.compile(_LINK), r"\1"),
    ("//", re.compile(r"^[ \t>*-]*(?:\[\^?\d{1,3}\]:?[ \t]*)?<?https?://\S+>?[ \t]*$", re.M), ""),
    ("[^", re.compile(r"^[ \t>*-]*\[\^\w{1,20}\]:[^\n]*$", re.MULTILINE), ""),
    (
        "[",
        re.compile(r"(?<=[^\s:=\[(])[ \t]?(?:\[\d{1,3}(?:[,-] ?\d{1,3}){0,9}\]|\[\^\w{1,20}\])"),
        "",
    ),
)
_NUMBERED = re.compile(r"(?<=[0-9\]])[ \t]?\[(\d{1,3})\]")
_SOURCE = re.compile(r"^[ \t]*\[(\d{1,3})\](?=[^\n]*[^\W\d_]{3})[^\n]*$", re.MULTILINE)
_ANGLED = re.compile(r"<(?=[0-9])([^<>\n]{8,300})>")
_ROMAN = re.compile(
    r"(?<![\w.,/-])([0-9]{1,2})[ ./-](I[XV]|V?I{1,3}|V|XI{0,2})[ ./-]([0-9]{4})(?![\w/-])"
)
_NUMERALS = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"]
_AND = re.compile(r"(?<=[0-9日])[ ]?[和と][ ]?(?=[0-9])")
_TO = re.compile(r"(?<=[0-9日])[ ]?[至到][ ]?(?=[0-9])")
_SPACED = re.compile(r"(?<=[0-9])[ ](?=[年月日号號])|(?<=[年月])[ ](?=[0-9])")
_MARKED = re.compile(r"\banswers?\b", re.IGNORECASE)
# The form of the answer, explained in other words than the prompt's.
_FORM = re.compile(
    r"\banswer:[ \t]*YYYY[^\n]{0,200}\n+"
    r"(?:[^\w\n]*(?:(?:or|otherwise|if|oder|falls|wenn|o|si)\b|如果|若)[^\n]{0,200}\n+)?"
    r"[^\w\n]{0,9}answer:[ \t]*(?:none|keine|ninguna|无)\b",
    re.IGNORECASE,
)


def plain(completion: str, prompt: str) -> str:
    """Return the plain text of a completion; an answer that was boxed or tagged is marked in it."""
    text = plain_text(completion, prompt, words=True, own=_without_sources, echo=_long)
    return _SAME.sub(r" \1 ", _FORM.sub("", text))


# What says of a date no more than it does itself: its year in a row, its own script, that its month is none of two.
_SAME = re.compile(
    r"(?<=年)[ ]?\(([0-9]{4})年?\)|[ ]?\([\u0590-\u05ff\s\"'״׳]{3,40}\)"
    r"|[ ]?\(not an? (?:leap|intercalary) month\)",
    re.IGNORECASE,
)


def _long(line: str) -> bool:
    return len(line) > _ECHO


def _without_sources(text: str) -> str:
    """Return a text without sources, its boxes marked and its assignments no marks."""
    if not text.isascii():
        text = _SPACED.sub("", _TO.sub(" to ", _AND.sub(" and ", exchanged(text, _SIGNS))))
    if "```" in text or "~~~" in text:
        text = _without_assignments(text)
    text = _COMMENT.sub("", text) if "*/" in text else text
    text = _TYPED.sub("", text) if ">>> " in text else text
    if "date(" in text or "datetime(" in text:
        text = _DATE_CALL.sub(lambda day: f"{day[1]}-{int(day[2]):02}-{int(day[3]):02}", text)
    text = _tabled(text) if "," in text else text
    text = _TABLE.sub(_filled, text) if "|-" in text or "| -" in text or "|:" in text else text
    if "<" in text and ">" in text:
        text = _ANGLED.sub(r"\1", _DATE_TAG.sub("\n", text))
    if "//" in text or "[" in text:
        cited = set(_NUMBERED.findall(text))
        text = _SOURCE.sub(lambda line: "" if line[1] in cited else line[0], text)
        for needed, pattern, instead in _SOURCES:
            text = pattern.sub(instead, text) if needed in text else text
    if "\\" in text:
        text = _unboxed(_TEXT.sub(r"\1", _EMPTY_SET.sub("∅", text)))
    if any(digit in text for digit in "IVX"):  # the month of an ISO date
        text = _ROMAN.sub(
            lambda day: f"{day[3]}-{_NUMERALS.index(day[2]) + 1:02}-{int(day[1]):02}", text
        )
    return text.replace("{-}", "-")


def _tabled(text: str) -> str:
    """Return a text with the tables that are written with commas as ones with bars."""
    columns, lines = 0, text.split("\n")
    for at, line in enumerate(lines):
        cells = line.strip().split(",")
        head = not columns and _CSV_HEAD.fullmatch(line.strip())
        columns = len(cells) if head or len(cells) == columns else 0
        if columns:
            lines[at] = f"| {' | '.join(cells)} |" + ("\n|---|" if head else "")
    return "\n".join(lines)


# A table of days whose months and years stand in its head or in its first column, or each in a column of its own.
_TABLE = re.compile(
    r"^[ \t]*\|[^\n]*\|[ \t]*\n[ \t]*\|[-: \t|]+\n(?:[ \t]*\|[^\n]*\|[ \t]*(?:\n|\Z)){1,99}",
    re.MULTILINE,
)
_DAYS_HEAD = re.compile(
    rf"(?:(?:valid |matching )?(?:(?:(?:week)?day|date|month|year|{WEEKDAY}|tag|monat|mes|jour)(?:e?s|e)?|mois|día)?"
    rf"(?: in| of| im| de)?[ ]?(?:{MONTH})?[ ]?\(?(?:[0-9]{{4}})?\)?|[0-9]{{1,2}})",
    re.IGNORECASE,
)
_LABEL = re.compile(rf"{WEEKDAY}s?|(?:{MONTH})?[ ]?(?:[0-9]{{4}})?[ ]?(?:{MONTH})?", re.IGNORECASE)
_DAYS = re.compile(rf"(?:(?:[0-9]{{1,2}}|{MONTH})(?:[,;& ]|and\b|und\b|et\b|y\b)*)*", re.I)
_A_MONTH, _A_YEAR = re.compile(rf"\b(?:{MONTH})\b", re.IGNORECASE), re.compile("[0-9]{4}")


def _filled(table: re.Match[str]) -> str:
    """Return a table with the month and the year of its days, where its rows, its columns or its head name them."""
    lines = [line for line in table[0].split("\n") if re.search(r"[^-:|\s]", line)]
    head, *rows = ([cell.strip() for cell in line.strip(" \t|").split("|")] for line in lines)
    names, years = [name.lower() for name in head], set(_A_YEAR.findall(lines[0]))
    filled: list[str] = []
    if sorted(names) == ["day", "month", "year"]:
        order = [names.index(name) for name in ("year", "month", "day")]
        filled = ["-".join(row[at].zfill(2) for at in order) for row in rows if len(row) == 3]
    elif not all(map(_DAYS_HEAD.fullmatch, names)):
        return table[0]
    for row in rows if not filled else ():
        days = (pair for pair in zip(head[1:], row[1:], strict=False) if pair[1].strip("-x"))
        for name, cell in days:
            around = f"{row[0]} {name}"
            year = _A_YEAR.search(around) or _A_YEAR.search(
                " ".join(years) if len(years) == 1 else ""
            )
            month = _A_MONTH.search(cell) or _A_MONTH.search(around)
            if not (year and month and _DAYS.fullmatch(cell) and _LABEL.fullmatch(row[0])):
                return table[0]
            filled.append(f"{cell} {'' if month.string is cell else month[0]} {year[0]}")
    return "".join(f"| {row} |\n" for row in ("days", "---", *filled))


def _without_assignments(text: str) -> str:
    """Mark "answer = []" in a block of code, so that it does not look like the start of an answer."""
    pieces: list[str] = []
    position, inside = 0, False
    for fence in [*_FENCED.finditer(text), None]:
        end = fence.start() if fence else len(text)
        piece = text[position:end]
        pieces.append(_ASSIGNED.sub("code ", piece) if inside else piece)
        position, inside = end, not inside
    return "".join(pieces)


def _unboxed(text: str) -> str:
    r"""Replace each ``\boxed{X}`` by X, marked as an answer unless it goes on with a marked one."""
    pieces: list[str] = []
    position = 0
    item = False
    for start, inner, end in boxes(text):
        gap = text[position:start]
        line = gap.rpartition("\n")[2]
        listed, item = item, _ITEM.fullmatch(line) is not None
        goes_on = bool(pieces) and (
            _BETWEEN_BOXES.fullmatch(gap) or (listed and item and gap.count("\n") == 1)
        )
        joined = goes_on or _MARKED.search(line[-200:])
        pieces += [gap, "" if joined else "\nAnswer => ", text[inner:end]]
        position = end + 1
    return "".join([*pieces, text[position:]])
