"""Plain text of replies about True and False: `harness_answers.text.plain`, and what stands for loops and ticks."""

from __future__ import annotations

import re

from harness_answers.cleaning import exchanged, without_unseen
from harness_answers.text import MAX_TEXT
from harness_answers.text import plain as plain_text

__all__ = ["MAX_TEXT", "end_of_line", "plain"]

_SIGNS = str.maketrans(
    dict.fromkeys("→⟶⇒⟹➜➝➔↦⟼►▶", ">")
    | dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉", "01234567890123456789", strict=True))
    | {"⟨": "(", "⟩": ")"}
)
# Of a list of choices those that are not chosen, and the tags of what is.
_UNCHOSEN = re.compile(
    r"<option(?![^<>]{0,80}\bselected\b)(?=[^<>]{0,80}>)[^<>]{0,80}>[^<>]{0,200}</option>", re.I
)
_CHOICE = re.compile(r"</?(?:select|option)(?:\s[^<>\n]{0,100})?/?>", re.I)
_FOOTNOTE = re.compile(r"\b(true|false)[¹²³⁰⁴-⁹†‡]{1,3}", re.IGNORECASE)
_HOLDS = re.compile(r"(\{\s{0,9})[\"'](?:hypothesis_)?holds[\"'](\s{0,3}:)", re.IGNORECASE)
# A reply that is one object with the hypothesis and its value.
_VALUED = re.compile(
    r"(\A\s*(?:```json\s*)?\{\s*\"hypothesis\"\s*:\s*\"[^\"{}]{1,300}\"[^{}]{0,300})\"(?:truth_)?value\"(\s*:[^{}]{0,300}\}[\s`]*\Z)",
    re.IGNORECASE,
)
_LOOP_OF_CODE = re.compile(
    r"^[ \t]*(?:loop|repeat|while true)(?: forever)?[ \t]*[:{][ \t]*\n"
    r"((?:[ \t]{1,9}event[ _]?[0-9]{1,9}[,;]?[ \t]*(?:\n|\Z)){1,50})",
    re.IGNORECASE | re.MULTILINE,
)

_LATEX = (
    (re.compile(r"\\(?:fbox|boxed)\s*\Z"), ""),  # cut off before what it holds
    (re.compile(r"\\f?boxed(?![a-z])|\\fbox(?![a-z])"), "\nAnswer: "),
    (re.compile(r"\\(?:long)?(?:rightarrow|mapsto)(?![a-z])|\\(?:to|implies)(?![a-z])", re.I), ">"),
    (re.compile(r"\\(?:neg|lnot)(?![a-z])"), "¬"),
    (re.compile(r"\\neq?(?![a-z])"), "≠"),
    (re.compile(r"\\overline\s{0,3}\{(?:\\text\w{0,4}\{)?([^{}\n]{1,2000})\}{1,2}"), r"(\1)"),
    (re.compile(r"\\omega(?![a-z])"), "ω"),
    (re.compile(r"\\infty(?![a-z])"), "∞"),
    (re.compile(r"\\(?:blacksquare|qed)(?![a-z])"), ""),
)
# A loop in braces, behind something: "event1, {event2, event3}".
_LOOP = re.compile(
    r"([,;>→][ \t]{0,3})\\?\{((?:[\s,>→-]{0,5}event[ _]?[0-9]{1,9}){1,50}[\s,.…]{0,6})\\?\}", re.I
)
_POWER = re.compile(
    r"\\?\{((?:[\s,>→-]{0,5}event[ _]?[0-9]{1,9}){1,50})\s{0,3}\\?\}(?=[ ]?\^?[ ]?(?:[ω∞*]|\{?\\(?:omega|infty)))",
    re.I,
)
# A row of a table that says what it holds: "| Verdict | False |".
_NAMED_CELL = re.compile(
    r"^[ \t]*\|[ \t]*([a-z][^|\n]{0,40}?)[ \t]*\|[ \t]*([^|\n]{1,200}?)[ \t]*\|[ \t]*$", re.I | re.M
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
# The form of a path as the prompt gives it, with letters for numbers.
_FORM = re.compile(
    r"^[^\w\n\[]{0,9}(?:answer: )?false: eventA, eventB, \(eventC, eventD\)",
    re.IGNORECASE | re.MULTILINE,
)


def plain(completion: str, prompt: str) -> str:
    """Return the plain text of a completion, `MAX_TEXT` characters of it at most."""
    text = plain_text(completion, prompt, words=True, own=_spelled, echo=_misleading)
    text = text.replace("{", "").replace("}", "").replace("$", "")
    if "|" in text:
        text = _NAMED_CELL.sub(r"\1: \2", text)
    if _TICK.search(text) or any(box in text for box in "☑☒🗹"):
        text = _TICKED.sub(lambda boxes: boxes["first"] or boxes["second"], text)
    return text


def _misleading(line: str) -> bool:
    """Tell whether a line of the prompt speaks of True or False; shorter ones cannot mislead."""
    return len(line) > 30 and ("True" in line or "False" in line)


def _spelled(text: str) -> str:
    """Return a text with loops in brackets, and plain signs for arrows and negations."""
    text = without_unseen(text)
    if "<" in text:
        text = _CHOICE.sub("\n", _UNCHOSEN.sub("", text))
    text = _FORM.sub("", text) if "eventA" in text else text
    if not text.isascii():
        text = exchanged(_FOOTNOTE.sub(r"\1", text), _SIGNS)
    if "{" in text:
        text = _VALUED.sub(r'\1"answer"\2', _HOLDS.sub(r'\1"answer"\2', text))
        text = _POWER.sub(r"(\1)", _LOOP.sub(r"\1(\2)", text))
    if "\\" in text:
        for pattern, instead in _LATEX:
            text = pattern.sub(instead, text)
    return _LOOP_OF_CODE.sub(
        lambda loop: f"({', '.join(f'event{n}' for n in re.findall('[0-9]+', loop[1]))})\n", text
    )


def end_of_line(text: str, position: int) -> int:
    """Return where the line ends that a position is in."""
    end = text.find("\n", position)
    return len(text) if end < 0 else end
