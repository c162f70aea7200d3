r"""Read a time, or never, out of what a model wrote, or say that there is none.

What counts is what is marked as the answer: ``Answer: …``, ``The final answer is …``, ``"answer": …``,
``\boxed{…}``. Without a mark, the last line counts if it says one thing only. All that is marked has to agree, and
says one time and nothing else: a second time, "or", "not", "between", "about" make it no answer. Thinking is left
out, and nothing is left of a text whose thinking does not end.

Times are read as they are written anywhere: 7:05, 07:05, 07.05, 7h05, 0705, 19:05:00, 7:05 pm, 7 p.m. Words
("five past seven") are not.
"""

from __future__ import annotations

import re

from harness_timetables.clock import clock
from harness_timetables.config import NEVER

MAX_TEXT = 20_000
"""Characters that are looked at, from the end."""

MAX_LINE = 300
"""Characters of an answer; a longer one is no answer but a text."""

_FULL_WIDTH = str.maketrans("０１２３４５６７８９：．　", "0123456789:. ")
_THINKING = re.compile(r"<(?P<end>/?)(?:think|thinking|reasoning)\b", re.IGNORECASE)
_INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\u00ad]")
_MARKUP = re.compile(r"[*_`$#>]|\\[()\[\]]|\\(?:text|mathrm|mathbf|textbf)(?=\{)")

_MARK = re.compile(
    r"^[^\w\n]{0,9}(?:(?:so|thus|therefore|hence),? )?(?:(?:the|my|our|final|correct) ){0,3}"
    r"answer[\"']?(?:[ \t]?[:=]|[ \t]is\b:?)(?P<line>[^\n]*)$"
    r"|\\boxed[ ]?\{(?P<box>[^\n}]{0,300})\}",
    re.IGNORECASE | re.MULTILINE,
)

_HALF = r"(?:[ ]?(?P<half{0}>[ap])\.?[ ]?m\b\.?)"
_TIME = re.compile(
    r"(?<![\w.:,-])(?:"
    r"(?P<hour>[0-9]{1,2})[:.hH](?P<minute>[0-9]{2})(?::00)?(?:[ ]?(?:h|hrs|hours)\b)?"
    + _HALF.format(1)
    + "?"
    r"|(?P<plain>[0-9]{1,2})" + _HALF.format(2) + r"|(?P<four>[0-9]{4})(?:[ ]?(?:h|hrs|hours)\b)?"
    r")(?![\w:]|[.,-][0-9])",
    re.IGNORECASE,
)
_NEVER = re.compile(
    r"\b(?:never|impossible|not possible|unreachable|not reachable|(?:cannot|can't|can not) be reached)\b",
    re.IGNORECASE,
)
_HEDGE = re.compile(
    r"\b(?:or|either|not|no|nor|neither|isn't|wasn't|after|before|between|until|later|sooner|unless|if"
    r"|about|around|approximately|roughly|maybe|perhaps|possibly|least|most|to|wait)\b|[~≈<>?±…]|\.\.\.|[–—]|/",
    re.IGNORECASE,
)


def extract(completion: str) -> str | None:
    """Return the answer that a text gives, ``"07:05"`` or ``"never"``; None if it gives none, or more than one."""
    text = _plain(completion)
    marked = [_content(text, mark) for mark in _MARK.finditer(text)]
    if not marked:
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        return _single_answer(lines[-1], marked=False) if lines else None
    answers = {_single_answer(content, marked=True) for content in marked}
    return answers.pop() if len(answers) == 1 else None


def _plain(completion: str) -> str:
    """Return what is left of a text without thinking and markup."""
    text = completion
    thinking = list(_THINKING.finditer(text))
    if thinking:
        if not thinking[-1]["end"]:
            return ""
        text = text[thinking[-1].end() :].partition(">")[2]
    text = text[-MAX_TEXT:]
    text = _INVISIBLE.sub("", text.translate(_FULL_WIDTH))
    return _MARKUP.sub("", text)


def _content(text: str, mark: re.Match[str]) -> str:
    """Return what a mark says: its line, or the next line that says anything."""
    if mark["box"] is not None:
        return mark["box"]
    if re.search(r"\w", mark["line"]):
        return mark["line"]
    below = text[mark.end() :].lstrip()
    return below.partition("\n")[0]


def _single_answer(content: str, marked: bool) -> str | None:
    """Return the one answer in a line; None where there is none, or a hedge."""
    if len(content) > MAX_LINE:
        return None
    never = bool(_NEVER.search(content))
    rest = _NEVER.sub(" ", content)
    times = {_time(match) for match in _TIME.finditer(rest)}
    if never:
        return NEVER if not times and not _HEDGE.search(rest) else None
    if len(times) != 1 or _HEDGE.search(rest):
        return None
    time = times.pop()
    if not marked and not _TIME.fullmatch(rest.strip(" .\"'")) and re.search(r"[0-9]{4}", rest):
        return None  # a year, or the number of something
    return time


def _time(match: re.Match[str]) -> str | None:
    """Return a time as an answer has it; None where there is no such time."""
    if match["four"] is not None:
        hour, minute, half = int(match["four"][:2]), int(match["four"][2:]), None
    elif match["plain"] is not None:
        hour, minute, half = int(match["plain"]), 0, match["half2"]
    else:
        hour, minute, half = int(match["hour"]), int(match["minute"]), match["half1"]
    if half is not None:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half.lower() == "p" else 0)
    return clock(60 * hour + minute) if hour < 24 and minute < 60 else None
