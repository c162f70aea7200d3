"""Plain text: what a model wrote without its thinking, the prompt's echo and all markup.

Nothing here knows what a date is. All patterns are linear in the text; of a text longer than
`MAX_TEXT` characters only the last `KEPT` are looked at.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from harness_answers.cleaning import (
    TURN,
    boxes,
    plain_characters,
    plain_lines,
    the_end,
    without_controls,
    without_echoed_lines,
    without_entities,
    without_thinking,
    without_tool_call,
)
from harness_answers.languages import with_english_marks

MAX_TEXT = 200_000
KEPT = 50_000

_ECHO = 40  # a line of the prompt that is longer than this cannot be an answer to it

# No superscripts are made plain: they are notes.
_PLAIN = str.maketrans(
    dict.fromkeys("‐‑‒–—―−﹘﹣⁻", "-")
    | dict.fromkeys("“”„‟«»‹›「」『』", '"')
    | dict.fromkeys("‘’‚‛′", "'")
    | {"。": ".", "、": ",", "，": ",", "،": ",", "…": "...", "【": "[", "】": "]", "・": "•"}
    | {chr(ord(zero) + digit): str(digit) for zero in "٠۰०০" for digit in range(10)}
)

_COMMENT = re.compile(r"/\*[^\n]{0,300}?\*/(?=[ \t]*\w)")
_ANSWER_TAG = re.compile(r"<(/?)(?:(?:final[_-]?)?answer|final|solutions?)>", re.IGNORECASE)
_BREAK_TAG = re.compile(
    r"</?(?:br|p|div|li|ul|ol|pre|dates?)(?:\s[^<>\n]{0,80})?/?>", re.IGNORECASE
)
_STYLE_TAG = re.compile(r"</?(?:b|strong|em|i|u|span|code|mark|sup)(?:\s[^<>\n]{0,80})?>", re.I)
_TOKEN = re.compile(r"<\|[^|<>\n]{1,40}\|>|</s>|<(?:end_of_turn|eos)>")
_FENCED = re.compile(r"^[ \t>]{0,8}(?:`{3,}|~{3,})[^\n]*$", re.MULTILINE)
_ASSIGNED = re.compile(r"^[ \t]*(?=[a-z_]{0,20}answers?[ \t]*(?::[^=\n]{1,40})?=)", re.MULTILINE)
_FENCE = re.compile(r"^[ \t>]{0,8}(?:`{3,}|~{3,})[ \t]{0,3}\w{0,15}[ \t]*$", re.MULTILINE)
_RULE = re.compile(r"^[ \t]{0,8}(?:-{3,99}|={3,99}|_{3,99})[ \t]*$", re.MULTILINE)
_STRUCK = re.compile(r"~~[^~\n]{1,500}~~")
_EMPHASIS = re.compile(r"[*`]+|(?<![^\W_])_+|_+(?![^\W_])")
_LATEX = (
    (re.compile(r"\\(?:emptyset|varnothing)(?![a-zA-Z])"), "∅"),
    (re.compile(r"\\(?:text\w{0,6}|math[a-z]{2}|mbox|emph|underline)\s{0,3}\{([^{}\n]{0,500})\}"), r"\1"),
    (re.compile(r"\\(?:left|right|bigl|bigr|displaystyle)(?![a-zA-Z])"), ""),
    (re.compile(r"\\\\(?:\[[^\]\n]{0,9}\])?"), "\n"),
    (re.compile(r"\\(?:q?quad(?![a-zA-Z])|[,;:! ()\[\]])"), " "),
    (re.compile(r"\\([{}&])"), r"\1"),
)  # fmt: skip
_BETWEEN_BOXES = re.compile(r"(?:[\s$,;&.]|\band\b|\bor\b){0,40}")
_ITEM = re.compile(r"[ \t>]*(?:[-+*•]|\(?\d{1,2}[.)])[ \t$]*")
# Where a search found it: links, "[1]", "[^1]", "【1†source】", and the lines that say what "[1]" is.
_LINK = r"\[([^\[\]\n]{1,300})\]\(<?https?://[^()\s]{1,1000}(?:\([^()\s]{1,99}\)[^()\s]{0,300})?\)"


def _kept(links: re.Match[str]) -> str:
    """Return links in brackets as they are, if their text may hold a date."""
    return links[0] if re.search(r"\[[^\]]*[0-9]{4}", links[0]) else ""


_SOURCES: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile(rf"[ \t]?\((?:{_LINK}[,; ]{{0,3}}){{1,9}}\)"), _kept),
    (
        re.compile(
            rf"(?<=[0-9])[ \t]?(?:(?=\[(?:[A-Z]|[\w-]{{1,60}}\.\w)){_LINK}[,; ]{{0,3}}){{1,9}}"
        ),
        _kept,
    ),
    (re.compile(r"(?<=[0-9])[ \t]{1,3}<?https?://[^\s<>]{1,1000}>?"), ""),
    (re.compile(_LINK), r"\1"),
    (re.compile(r"^[ \t>*-]*\[\^?\d{1,3}\]:?[ \t]*<?https?://\S+>?[ \t]*$", re.MULTILINE), ""),
    (re.compile(r"^[ \t>*-]*\[\^\w{1,20}\]:[^\n]*$", re.MULTILINE), ""),
    (re.compile(r"^[ \t>*-]*<?https?://\S+>?[ \t]*$", re.MULTILINE), ""),
    (re.compile(r"(?<=[^\s:=\[(])[ \t]?(?:\[\d{1,3}(?:[,-] ?\d{1,3}){0,9}\]|\[\^\w{1,20}\])"), ""),
)
_NUMBERED = re.compile(r"(?<=[0-9\]])[ \t]?\[(\d{1,3})\]")
_SOURCE = re.compile(r"^[ \t]*\[(\d{1,3})\](?=[^\n]*[^\W\d_]{3})[^\n]*$", re.MULTILINE)
_CITED = re.compile(r"\ue200[^\ue200\ue201\n]{0,200}\ue201|【\d{1,3}(?:[:†][^【】\n]{0,80})?】")
_AND = re.compile(r"(?<=[0-9日])[ ]?[和と][ ]?(?=[0-9])")
_MARKED = re.compile(r"\banswers?\b", re.IGNORECASE)
# The form of the answer, explained in other words than the prompt's.
_FORM = re.compile(
    r"\banswer:[ \t]*YYYY[^\n]{0,200}\n+(?:[^\w\n]*(?:or|otherwise|if)\b[^\n]{0,200}\n+)?"
    r"[^\w\n]{0,9}answer:[ \t]*none\b",
    re.IGNORECASE,
)


def plain(completion: str, prompt: str) -> str:
    """Return the plain text of a completion; an answer that was boxed or tagged is marked in it."""
    text = the_end(without_thinking(completion), MAX_TEXT, KEPT)
    text = without_entities(without_tool_call(text))
    text = _without_echo(text, prompt)
    if not text.isascii():
        cited = plain_characters(text, {})
        text = _AND.sub(" and ", _CITED.sub("", cited).translate(_PLAIN))
    text = without_controls(plain_lines(text))
    text = with_english_marks(_FORM.sub("", _without_markup(text)))
    for turn in TURN.finditer(text):
        if text[: turn.start()].strip():  # the model went on with a turn that is not its own
            return text[: turn.start()]
    return text


def _without_markup(text: str) -> str:
    if "```" in text or "~~~" in text:
        text = _without_assignments(text)
    text = _COMMENT.sub("", text)
    if "//" in text or "[" in text:
        cited = set(_NUMBERED.findall(text))
        text = _SOURCE.sub(lambda line: "" if line[1] in cited else line[0], text)
        for pattern, instead in _SOURCES:
            text = pattern.sub(instead, text)
    text = text.replace("[/INST]", "\n")
    if "<" in text:
        text = _ANSWER_TAG.sub(lambda tag: "\n" if tag[1] else "\nAnswer -> ", text)
        text = _STYLE_TAG.sub("", _BREAK_TAG.sub("\n", _TOKEN.sub("\n", text)))
    if "\\" in text:
        for pattern, instead in _LATEX:
            text = pattern.sub(instead, text)
        text = _unboxed(text)
    text = text.replace("{-}", "-")
    if "~~" in text or "```" in text:
        text = _STRUCK.sub("", _FENCE.sub("", text))
    return _EMPHASIS.sub("", _RULE.sub("", text))


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


def _without_echo(text: str, prompt: str) -> str:
    """Drop what was copied from the prompt.

    A short line of it may be an answer as well ("Answer: none"): it goes only where its neighbour
    in the prompt stands beside it.
    """
    whole = prompt.strip()
    if not whole:
        return text
    if len(text.strip()) > _ECHO and text.strip() in whole:
        return ""
    text = text.replace(whole, "\n")
    # The longest first: of a line that holds another one, no rest is to stay.
    for line in sorted({line.strip() for line in whole.splitlines()}, key=len, reverse=True):
        if len(line) > _ECHO:
            text = text.replace(line, "\n")
    return without_echoed_lines(text, whole)


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
