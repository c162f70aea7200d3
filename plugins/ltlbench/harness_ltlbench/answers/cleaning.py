"""Plain text: what a model wrote without its thinking, the prompt's echo and all markup.

Everything here makes a text plainer and understands nothing of it. For a form of markup that
hides an answer add a pattern, and its place in `plain`; all patterns are linear in the text.
"""

from __future__ import annotations

import re
from functools import lru_cache

from harness_answers.cleaning import (
    plain_characters,
    plain_lines,
    the_end,
    without_controls,
    without_entities,
    without_thinking,
    without_tool_call,
    without_unseen,
)
from harness_answers.languages import with_english_marks

MAX_TEXT = 100_000

# Characters with a plain counterpart: full-width, super- and subscript, mathematical letters.
# Runs of these hold no combining marks, on which normalisation would take quadratic time.
_VARIANTS = re.compile(
    "[\uff01-\uff5e\u3000\u00a0\u2000-\u200a\u2070-\u209c\u00b2\u00b3\u00b9\U0001d400-\U0001d7ff]+"
)
_INVISIBLE = re.compile(
    "[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e007f]+"
)
_QUOTES = str.maketrans(
    dict.fromkeys("“”„‟«»‹›「」『』〝〞", '"')
    | dict.fromkeys("‘’‚‛", "'")
    | dict.fromkeys("→⟶⇒⟹➜➝➔↦⟼►▶", ">")
    | {"。": ".", "、": ",", "…": "...", "【": "[", "】": "]", "⟨": "(", "⟩": ")"}
)

_FENCE = re.compile(
    r"^[ \t]{0,8}(?:`{3,}|~{3,})(?:json|text|txt|plaintext|markdown|md|python|latex|tex)?[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_STRUCK = re.compile(r"~~[^~\n]{1,300}~~")
_UNDERSCORES = re.compile(r"_(?:(?<![^\W_]_)_*|_*(?![^\W_]))")  # of emphasis, not within a name
_SPECIAL_TOKEN = re.compile(r"<\|[^|<>\n]{1,40}\|>|</?s>")
_ANSWER_TAG = re.compile(r"<(/?)(?:(?:final[_-]?)?answer|final)>", re.IGNORECASE)
_BLOCK_TAG = re.compile(
    r"</?(?:br|p|div|pre|h[1-6]|li|ul|center|select|option)(?:\s[^<>\n]{0,100})?/?>", re.I
)
_TAG = re.compile(r"</?(?:b|strong|em|i|u|span|code|mark|font|sub|sup)(?:\s[^<>\n]{0,100})?>", re.I)

# Of a list of choices those that are not chosen.
_UNCHOSEN = re.compile(
    r"<option(?![^<>]{0,80}\bselected\b)(?=[^<>]{0,80}>)[^<>]{0,80}>[^<>]{0,200}</option>", re.I
)
_FOOTNOTE = re.compile(r"\b(true|false)[¹²³⁰⁴-⁹†‡]{1,3}", re.IGNORECASE)
_HOLDS = re.compile(r"(\{\s{0,9})[\"'](?:hypothesis_)?holds[\"'](\s{0,3}:)", re.IGNORECASE)
_LOOP_OF_CODE = re.compile(
    r"^[ \t]*(?:loop|repeat|while true)(?: forever)?[ \t]*[:{][ \t]*\n"
    r"((?:[ \t]{1,9}event[ _]?[0-9]{1,9}[,;]?[ \t]*(?:\n|\Z)){1,50})",
    re.IGNORECASE | re.MULTILINE,
)

_LATEX = (
    (re.compile(r"\\(?:fbox|boxed)\s*\Z"), ""),  # cut off before what it holds
    (re.compile(r"\\f?boxed(?![a-z])|\\fbox(?![a-z])"), "\nAnswer: "),
    (re.compile(r"\\(?:long)?(?:rightarrow|mapsto)(?![a-z])|\\(?:to|implies)(?![a-z])", re.I), ">"),
    (re.compile(r"\\(?:text)?color\s{0,3}\{[^{}\n]{0,40}\}"), " "),
    (re.compile(r"\\(?:neg|lnot)(?![a-z])"), "¬"),
    (re.compile(r"\\neq?(?![a-z])"), "≠"),
    (re.compile(r"\\overline\s{0,3}\{(?:\\text\w{0,4}\{)?([^{}\n]{1,2000})\}{1,2}"), r"(\1)"),
    (re.compile(r"\\omega(?![a-z])"), "ω"),
    (re.compile(r"\\infty(?![a-z])"), "∞"),
    (
        re.compile(
            r"\\(?:text(?:bf|it|rm|sf|tt|normal)?|math(?:bf|it|rm|sf|tt)|bm|bf|rm|emph|underline"
            r"|left|right|[bB]igg?[lr]?|q?quad|displaystyle|operatorname)(?![a-zA-Z])"
        ),
        " ",
    ),
    (re.compile(r"\\[\\,;:!()\[\] ]"), " "),
)
_MARKS = re.compile(r"[*`{}$]")
# A loop in braces, behind something: "event1, {event2, event3}".
_LOOP = re.compile(
    r"([,;>→][ \t]{0,3})\\?\{((?:[\s,>→-]{0,5}event[ _]?[0-9]{1,9}){1,50}[\s,.…]{0,6})\\?\}", re.I
)
_POWER = re.compile(
    r"\\?\{((?:[\s,>→-]{0,5}event[ _]?[0-9]{1,9}){1,50})\s{0,3}\\?\}(?=[ ]?\^?[ ]?(?:[ω∞*]|\{?\\(?:omega|infty)))",
    re.I,
)
# Two boxes, one of them ticked: "( ) True (x) False".
_BOX = r"[\[(][ \t]{0,3}%s[ \t]{0,3}[\])]|%s"
_ON, _OFF = _BOX % ("[x✓✔☑✗✘]", "[☑☒🗹]"), _BOX % ("", "[☐□]")
_TICKED = re.compile(
    rf"(?:{_ON})[ \t]{{0,3}}(?P<first>true|false)\b[\s,;|/*-]{{1,9}}(?:{_OFF})[ \t]{{0,3}}"
    rf"(?!(?P=first))(?:true|false)\b"
    rf"|(?:{_OFF})[ \t]{{0,3}}(?P<other>true|false)\b[\s,;|/*-]{{1,9}}(?:{_ON})[ \t]{{0,3}}"
    rf"(?!(?P=other))(?P<second>true|false)\b",
    re.IGNORECASE,
)
_TICK = re.compile(r"[\[(][ \t]{0,3}[xX✓✔☑✗✘][ \t]{0,3}[\])]")
_TURN = re.compile(
    r"^[^\w\n]{0,9}(?:(human|user)[^\w\n]{0,3}(?::|$)|question[^\w\n]{0,3}:)", re.I | re.M
)


def plain(completion: str, prompt: str) -> str:
    """Return the plain text of a completion, `MAX_TEXT` characters of it at most."""
    text = the_end(without_thinking(completion, lenient=True), MAX_TEXT)
    text = _UNCHOSEN.sub("", without_unseen(without_entities(without_tool_call(text))))
    text = _FOOTNOTE.sub(r"\1", _HOLDS.sub(r'\1"answer"\2', text))
    text = _without_echo(text, prompt)
    text = plain_characters(text, _QUOTES, invisible=_INVISIBLE, variants=_VARIANTS)
    text = without_controls(plain_lines(text))
    if "<" in text and ">" in text:
        text = _ANSWER_TAG.sub(lambda tag: "\n" if tag[1] else "\nAnswer: ", text)
        text = _TAG.sub("", _BLOCK_TAG.sub("\n", _SPECIAL_TOKEN.sub("\n", text)))
    if "{" in text:
        text = _POWER.sub(r"(\1)", _LOOP.sub(r"\1(\2)", text))
    if "\\" in text:
        for pattern, instead in _LATEX:
            text = pattern.sub(instead, text)
    text = _LOOP_OF_CODE.sub(_in_brackets, text)
    text = _STRUCK.sub("", _FENCE.sub("", text)) if "~" in text or "```" in text else text
    text = with_english_marks(_MARKS.sub("", _UNDERSCORES.sub("", text)))
    if _TICK.search(text) or any(box in text for box in "☑☒🗹"):
        text = _TICKED.sub(lambda boxes: boxes["first"] or boxes["second"], text)
    return _first_turn(text)


def _in_brackets(loop: re.Match[str]) -> str:
    return f"({', '.join(f'event{number}' for number in re.findall('[0-9]+', loop[1]))})\n"


def _first_turn(text: str) -> str:
    """Drop a next turn that the model made up, after it has spoken itself."""
    low = text.lower()
    if text.isascii() and not any(word in low for word in ("human", "user", "question")):
        return text
    for turn in _TURN.finditer(text):
        before = text[: turn.start()]
        if before.strip() and (turn[1] or re.search(r"\b(?:true|false)\b", before, re.I)):
            return before
    return text


def _without_echo(text: str, prompt: str) -> str:
    """Drop the prompt's lines that speak of True or False; shorter ones cannot mislead."""
    if len(text) > 40 and prompt.startswith(text.strip()):
        return ""
    for line in _misleading(prompt):
        text = text.replace(line, "\n")
    return text


@lru_cache(maxsize=512)
def _misleading(prompt: str) -> tuple[str, ...]:
    lines = map(str.strip, prompt.splitlines())
    return tuple(line for line in lines if len(line) > 30 and ("True" in line or "False" in line))


def end_of_line(text: str, position: int) -> int:
    """Return where the line ends that a position is in."""
    end = text.find("\n", position)
    return len(text) if end < 0 else end
