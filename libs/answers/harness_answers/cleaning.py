r"""The steps that all cleaners of replies share: thinking, length, characters, lines, echoes and boxes.

`harness_answers.text.plain` is made of them. All patterns are linear in the text.
"""

from __future__ import annotations

import html
import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise

ANSWERS = re.compile(r"\W{0,9}(?:(?:the|my) )?(?:final )?answer\b", re.IGNORECASE)
_BOXES = 50
_BOX = 20_000

_PLAIN_WORDS = (b"think", b"thought", b"reasoning", b"reflection", b"scratchpad")
_WORDS = "think|thinking|thoughts?|reasoning|reflection|scratchpad"
_TAG = (
    rf"</?(?:\w{{1,10}}:)?(?:{_WORDS})(?:\s[^<>]{{0,80}})?>"
    r"|\[/?think\]|◁/?think▷"
)
_THINKING = re.compile(_TAG, re.IGNORECASE)
_THOUGHT = (("<|begin_of_thought|>", "<think>"), ("<|end_of_thought|>", "</think>"))
_CHANNEL = "<|channel|>"
_FINAL = f"{_CHANNEL}final<|message|>"
_BARE_FINAL = "assistantfinal"  # what is left of the marks where a tokenizer dropped them

_INVISIBLE = re.compile(
    "[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e007f]+"
)
# Full-width forms, odd spaces, mathematical letters and digits; broken characters.
_RANGES = ((0xFF01, 0xFF5F), (0x2000, 0x200B), (0x1D400, 0x1D800))
_VARIANTS = [
    0x3000,
    0xA0,
    0x202F,
    0x205F,
    *(code for begin, end in _RANGES for code in range(begin, end)),
]
_NORMAL = {code: unicodedata.normalize("NFKC", chr(code)) for code in _VARIANTS} | dict.fromkeys(
    range(0xD800, 0xE000), "\ufffd"
)
# Letters of other scripts that look like Latin ones, in a word that has Latin ones as well.
_ALIKE = str.maketrans(
    "АВЕКМНОРСТХаеорсухіјѕΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEKMHOPCTXaeopcyxijsABEZHIKMNOPTYXo"
)
_FOREIGN = "[\u0391-\u03a9\u03bf\u0405-\u0458]"
_MIXED = re.compile(rf"[A-Za-z]{{1,40}}{_FOREIGN}\w{{0,40}}|{_FOREIGN}{{1,9}}[A-Za-z]\w{{0,40}}")
# (A pattern that begins with a set of characters is found several times sooner.)
_NEWLINE = re.compile("[\r\x0b\x0c\x85\u2028\u2029](?:(?<=\r)\n)?")
_CONTROL = re.compile("\x1b\\[[0-9;]{0,20}[A-Za-z]|[\x00-\x08\x0e-\x1f\x7f-\x9f]")
_ENTITY = re.compile("&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_BOXED = re.compile(r"\\f?box(?:ed)?\s{0,3}\{")
# The first line of a turn that is not the model's own.


@lru_cache(maxsize=2)  # a reply is read by our reader and by a published one
def without_thinking(text: str) -> str:
    """Return a completion without its thinking; nothing is left where the thinking does not end."""
    text = _last_channel(text)
    if not any(opens in text for opens in "<[◁"):  # far cheaper than to look for a tag
        return text
    low = text.encode("ascii", "replace").lower()  # far cheaper to search than a text
    if not any(word in low for word in _PLAIN_WORDS):
        return text
    kept: list[str] = []
    inside, position = False, 0
    for tag in _THINKING.finditer(text):
        if "/" in tag[0][:2]:
            if not inside:  # opened in the prompt: all so far was thinking
                kept.clear()
            inside, position = False, tag.end()
        elif not inside:
            kept.append(text[position : tag.start()])
            inside = True
    return "" if inside else "\n".join([*kept, text[position:]])


def _last_channel(text: str) -> str:
    """Return the final channel of a completion in channels, with tags in the place of tokens."""
    if _FINAL in text:
        text = text[text.rindex(_FINAL) + len(_FINAL) :]
    elif text.startswith("analysis") and _BARE_FINAL in text:
        text = text[text.rindex(_BARE_FINAL) + len(_BARE_FINAL) :]
    elif _CHANNEL in text:
        return ""
    for token, meant in _THOUGHT:
        text = text.replace(token, meant)
    return text


_CALL = re.compile(
    r"(?:<\|?tool_calls?\|?>|\[TOOL_CALLS\]|<function_call>)?\s{0,9}(?P<call>\[?\s{0,9}\{\s{0,9}\"(?:name|function|tool)\")"
)
_CALL_KEYS = ('"name"', '"function"', '"tool"')  # one of them is in every call
_ANSWERING = re.compile(r"answer|submit|final|respon[ds]|solution|finish", re.IGNORECASE)
_QUOTES = " \"'"
_CALLED = re.compile(
    r"^[ \t]*(?:print\()?final_answer\((?:answer\s?=\s?)?(?P<said>[^\n]{1,2000}?)\)+[ \t]*(?:\n[ \t]*`{3,})?\s*\Z",
    re.M,
)


def without_tool_call(text: str) -> str:
    """Return a text whose last call of a tool that takes the answer stands as "Answer: …" instead.

    Such as ``<tool_call>{"name": "final_answer", "arguments": {"answer": "True"}}</tool_call>`` and
    ``final_answer("True")``; calls of other tools are left as they are.
    """
    tail = text.rstrip()[-_BOX:]
    head = text.rstrip()[: -len(tail)] if tail else ""
    if "final_answer(" in tail and (called := _CALLED.search(tail)):
        return f"{head}{tail[: called.start()]}\nAnswer: {called['said'].strip(_QUOTES)}"
    calls = _CALL.finditer(tail) if any(key in tail for key in _CALL_KEYS) else ()
    for found in list(calls)[-1:]:
        said = _submitted(tail[found.start("call") :])
        if said is not None:
            return f"{head}{tail[: found.start()]}\nAnswer: {said}"
    return text


_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_CALLS = (
    ("</tool_call>", re.compile(r"<tool_call>.*?</tool_call>", re.DOTALL)),
    ("</function_call>", re.compile(r"<function_call>.*?</function_call>", re.DOTALL)),
)
_HIDDEN = re.compile(
    r"<(\w{1,10})\s[^<>]{0,100}(?:display:\s?none|visibility:\s?hidden|\bhidden\b)[^<>]{0,100}>[^<]{0,2000}</\1>",
    re.IGNORECASE,
)
_DIFF = re.compile(r"^[ \t]{0,3}```diff[ \t]*\n([^`]{0,5000})```", re.MULTILINE)
_REMOVED = re.compile(r"^-[^\n]*\n", re.MULTILINE)
_STRUCK = re.compile(
    r"\\(?:[xb]?cancel|sout|st)\s?\{[^{}\n]{0,300}\}|<(del|strike)>[^<\n]{0,300}</\1>",
    re.IGNORECASE,
)


def without_unseen(text: str) -> str:
    r"""Return a text without what a reader does not see, or sees as taken out.

    Comments and hidden elements of HTML, calls of tools, removed lines of a diff, and what ``\cancel{}`` or
    ``<del>`` strikes out.
    """
    for close, pattern in (("-->", _COMMENT), *_CALLS) if "<" in text else ():
        head, end, tail = text.rpartition(close)
        text = pattern.sub("\n", head + end) + tail  # every search finds its end: linear
    text = _HIDDEN.sub("", text) if "<" in text else text
    text = _STRUCK.sub("", text) if "<" in text or "\\" in text else text
    if "```" not in text:
        return text
    return _DIFF.sub(lambda diff: re.sub(r"(?m)^\+", "", _REMOVED.sub("", diff[1])), text)


def _submitted(call: str) -> str | None:
    """Return the answer that a call in JSON hands over; None if it is another call, or no JSON."""
    try:
        value, end = json.JSONDecoder().raw_decode(call)
    except (ValueError, RecursionError):
        return None
    if re.search(r"\w", re.sub(r"</?[\w|]{1,30}>", "", call[end:])):
        return None
    value = value[0] if isinstance(value, list) and len(value) == 1 else value
    if not isinstance(value, dict):
        return None
    name = next((value[key] for key in ("name", "function", "tool") if key in value), "")
    given = next(
        (value[key] for key in ("arguments", "parameters", "input", "args") if key in value), None
    )
    if not isinstance(name, str) or not _ANSWERING.search(name) or not isinstance(given, dict):
        return None
    answers = [given[key] for key in ("answer", "final_answer") if key in given] or list(
        given.values()
    )
    if len(answers) != 1:
        return None
    return answers[0] if isinstance(answers[0], str) else json.dumps(answers[0])


_END_TAGS = ("output", "result", "response")
_HASHES = "\n#### "
# A line that is marked as an answer.
ANSWERED = re.compile(r"^[^\w\n]{0,9}(?:final )?answer[^\w\n]{0,3}:[^\n]*\w", re.I | re.M)


def marked_end(text: str) -> str:
    """Return a reply that ends with ``#### X`` (its only such heading) or ``<output>X</output>`` with "Answer: X"."""
    end = text.rstrip()
    head, heading, said = end.rpartition(_HASHES)
    if heading and "\n" not in said and _HASHES not in head and not ANSWERED.search(head):
        return f"{head}\nAnswer: {said}"
    for tag in _END_TAGS:
        if end.endswith(f"</{tag}>"):
            head, opening, said = end[: -len(tag) - 3].rpartition(f"<{tag}>")
            begins = head.rstrip(" \t")[-1:] in ("", "\n", ">")  # amid a sentence it is quoted
            return f"{head}\nAnswer: {said.strip()}" if opening and begins else text
    return text


def the_end(text: str, limit: int) -> str:
    """Return a text, or the end of one that is longer than the limit."""
    if len(text) <= limit:
        return text
    # What is left begins amid a line: the letter keeps that from looking like its start.
    return "x" + text[-limit:]


def plain_characters(text: str, table: Mapping[int, str]) -> str:
    """Return a text without invisible and broken characters, its variants replaced by plain ones.

    Args:
        text: any text whatever.
        table: what stands instead of a character, as `str.translate` takes it.
    """
    if text.isascii():
        return text
    text = _INVISIBLE.sub("", text)
    signs = set(map(ord, set(text)))
    if not _ALIKE.keys().isdisjoint(signs):
        text = _MIXED.sub(lambda word: _latin(word[0]), text)
    for known in (_NORMAL, table):
        text = text if known.keys().isdisjoint(signs) else text.translate(known)
    return text


@lru_cache(maxsize=512)
def _latin(word: str) -> str:
    return word.translate(_ALIKE)


def exchanged(text: str, table: Mapping[int, str]) -> str:
    """Return a translated text; without a character of the table that takes a tenth of `str.translate`'s time."""
    return text if table.keys().isdisjoint(map(ord, set(text))) else text.translate(table)


def without_entities(text: str) -> str:
    """Return a text with the character that each entity of HTML stands for: ``&gt;``, ``&#8594;``."""
    return _ENTITY.sub(lambda found: html.unescape(found[0]), text) if "&" in text else text


def plain_lines(text: str) -> str:
    r"""Return a text in which every line ends with ``\n``."""
    return _NEWLINE.sub("\n", text)


def without_controls(text: str) -> str:
    """Return a text with a space for each control character but tabs and ends of lines, and each colour code."""
    return _CONTROL.sub(" ", text)


def without_echoed_lines(text: str, prompt: str, counts: Callable[[str], bool]) -> str:
    """Return a text without lines that follow one another in the prompt as well.

    Lines are compared without blanks, quotation marks (``>``), ``*`` and backticks around them.

    Args:
        text: any text whatever.
        prompt: what the model was asked.
        counts: whether a line of the text, and the one behind it, may be an echo.
    """
    pairs = _neighbours(prompt, counts)
    if not any(line in text for line, _ in pairs):
        return text
    lines = text.split("\n")
    stripped = [(at, line.strip(" \t\r>*`")) for at, line in enumerate(lines)]
    echoed: set[int] = set()
    for (at, line), (below, other) in pairwise([pair for pair in stripped if pair[1]]):
        if (line, other) in pairs:
            # Below "End with one of these lines:" may stand the reply's own answer.
            own = line.endswith(":") and ANSWERS.match(other)
            echoed |= {at} if own else {at, below}
    return "\n".join("" if at in echoed else line for at, line in enumerate(lines))


@lru_cache(maxsize=512)
def _neighbours(prompt: str, counts: Callable[[str], bool]) -> frozenset[tuple[str, str]]:
    lines = [line.strip() for line in prompt.splitlines() if line.strip()]
    return frozenset(pair for pair in pairwise(lines) if counts(pair[0]))


def boxes(text: str) -> Iterator[tuple[int, int, int]]:
    r"""Yield where each of the last ``\boxed{X}`` begins, where its X begins, and where its closing brace is.

    Boxes in boxes, boxes that do not close and all but the last 50 are passed over.
    """
    position = 0
    for box in list(_BOXED.finditer(text))[-_BOXES:]:
        end = _closing(text, box.end())
        if box.start() >= position and end is not None:
            yield box.start(), box.end(), end
            position = end + 1


def _closing(text: str, start: int) -> int | None:
    """Return where the brace closes that was opened just before a place."""
    depth = 1
    for brace in re.finditer(r"(?<!\\)[{}]", text[start : start + _BOX]):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return start + brace.start()
    return None


# --------------------------------------------------------------------------------- politeness

# Politeness around a reply. What names a number or a verdict in it may say more.
_GREETING = re.compile(
    r"\A\s*(?:(?:sure(?: thing)?|certainly|absolutely|of course|great|good question|great question"
    r"|okay|ok|got it|happy to help"
    r"|no problem|understood|alright|thanks?(?: you)?(?: for [^\n.!]{1,60})?)[!.,][ \t]*)+(?=\s*\S)",
    re.IGNORECASE,
)
_FAREWELL = re.compile(
    r"(?:(?<=[.!?)\]][ \t])|(?<=\n))[ \t]*(?:please )?(?:(?:just |do )?let me know\b|(?:i )?hope (?:this|that|it)\b"
    r"|(?:please )?feel free\b|(?:i'm |i am |i'd be |always )?(?:happy|glad) to\b|(?:would|do) you (?:like|want)\b"
    r"|(?:just )?ask if\b|if you(?:'d| would)? (?:like|want|need|have|wish)\b|(?:shall"
    r"|should) i (?:also )?(?:explain|show|walk|go)\b"
    r"|\(?(?:sorry|apologies) for (?:the|any) (?:confusion|detour|mix-up)"
    r"(?=[.!)\s]*\Z|\W{1,3}the (?:last|second) \w+ is the one that counts\b)"
    r"|good luck\b|have a (?:nice|great|good)\b|thanks?\b|cheers\b)"
    r"(?![^\n]*(?:(?<!\d)(?!\d{4}\b)\d|\b(?:true|false|satisfied|violated|answer|wrong|mistake\w*|sure)\b))[^\n]{0,240}\Z",
    re.IGNORECASE,
)
_LAST = 600  # characters that may hold a farewell


def without_politeness(text: str) -> str:
    """Drop "Sure!" at the beginning, and at the end an offer of help or a wish."""
    text = _GREETING.sub("", text)
    end = text[-_LAST:].rstrip()
    farewell = _FAREWELL.search(end)
    return text[:-_LAST] + end[: farewell.start()] if farewell else text
