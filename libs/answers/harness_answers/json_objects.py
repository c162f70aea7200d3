"""Find the JSON objects of a model's reply (`json_reader` reads them): bounded and linear.

Only outermost objects are given, never a part of one; one that breaks off or cannot be read is given as `Broken`.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from harness_answers.cleaning import plain_characters, plain_lines, without_tool_call
from harness_answers.continuations import first_turn
from harness_answers.json_reader import COMMENT, Reader, ReadError
from harness_answers.revocation import TURN_WORDS
from harness_answers.text import MAX_TEXT, plain, without_thinking
from harness_answers.yaml_blocks import with_json

_MAX_OBJECTS = 200
"""Of more, those at the end count, and those marked."""

_MAX_READ = 3_000
_MAX_BROKEN = 500
_MAX_LONG = 20  # objects that are tried as plain JSON in full length: what is none is read twice
_CONTEXT = 120  # characters before an object in which its mark is looked for


@dataclass(frozen=True, slots=True)
class _Place:
    """A part of a reply, from ``start`` to ``end`` of its ``text``; ``marked``: "Answer:" stands right before it."""

    text: str
    start: int
    end: int
    marked: bool

    @property
    def raw(self) -> str:
        """The text of this part."""
        return self.text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Parsed(_Place):
    """An object (or a list of objects) in a reply."""

    value: Any

    @property
    def before(self) -> str:
        """All text before it."""
        return self.text[: self.start]

    @property
    def after(self) -> str:
        """All text behind it."""
        return self.text[self.end :]

    @property
    def inline(self) -> bool:
        """Whether it stands on a line with words."""
        return _inline(self.text, self.start, self.end)

    def joined(self, other: Parsed) -> Parsed:
        """Return this object with the keys of another object, which stands behind it, added."""
        return replace(self, value={**self.value, **other.value}, end=other.end)

    def without_rest(self, end: int) -> Parsed:
        """Return this object with the text from ``end`` on cut off."""
        return replace(self, text=self.text[:end])


@dataclass(frozen=True, slots=True)
class Broken(_Place):
    """The beginning of an object that cannot be read: its first key, and why in one line."""

    key: str
    reason: str

    @property
    def inline(self) -> bool:
        """Whether words stand before it on its line."""
        return _inline(self.text, self.start, len(self.text))


# What an object is introduced with that takes the place of the one above it.
_MARK = re.compile(
    rf"(?:\b(?:{TURN_WORDS})(?:[\s,.:;!—–-]{{1,5}}(?:no|it is|it's|this is|{TURN_WORDS})){{0,4}}\b"
    r"|\b(?:answers?\b(?: is)?|(?<!not )(?:correct(?:ed|ion)?|revised|fixed)\b"
    r"(?: (?:answer|cause|run|one|version|form|json|object|result|solution|is|as|follows|to)\b){0,4}))"
    r"\W{0,20}(?:json|python|te?xt)?\W{0,5}\Z",
    re.IGNORECASE,
)
_WORDLESS = re.compile(
    r"\\[a-z]{1,12}|</?[a-z_]{1,15}>|\bjson\b|[0-9]{1,2}\.|[^\w<\\]+|[<\\_]", re.I
)
_PROSE = re.compile(r"[A-Z]?[a-z']{1,15} [a-z']{1,15} [a-z]")
# Where a reply begins anew behind an object that was never closed.
_ANEW = re.compile(
    r"^[ \t]{0,8}(?:`{3,}|~{3,}|#{1,6}[ \t])|^[ \t*#>_-]{0,9}(?:[\w']{1,12} ){0,3}answer\W{0,5}(?::|$)",
    re.IGNORECASE | re.MULTILINE,
)
_START = re.compile(
    r"(?:\[\s{0,100}+)?\{\s{0,100}+"
    rf"(?:(?:{COMMENT.format(100)})\s{{0,100}}+){{0,3}}(?:[\"'“”„‘’]|-?\w{{1,100}}+\s{{0,9}}:|\}}|\Z)"
)
_KEY = re.compile(r"""[\[{\s"'“”„‘’]*+([^"'“”‘’:\n]{1,100})["'“”‘’]?\s*:""")
_COMMAND = re.compile(r"\\([A-Za-z]{1,20})\Z")  # of LaTeX
_BOXED_OBJECT = re.compile(r"\{\s{0,100}[\"'“]")
_ESCAPED_BRACE = re.compile(r"\\([{}])")
_ENTITY = re.compile(r"[{\[]\s{0,20}&(?:quot|#34|#39);")
_BRACKET = re.compile(r"[{}\[\]]")


@lru_cache(maxsize=2)  # a reply is read by our scorer and for the published one
def objects(completion: str, prompt: str = "", ending: str = "") -> tuple[Parsed | Broken, ...]:
    """Return the outermost objects of a reply in order, without thinking and made-up turns.

    Args:
        completion: any text whatever; of a longer one the last `MAX_TEXT` characters are read.
        prompt: what the model was asked. Used only if markup has to be taken away first.
        ending: what a whole answer holds near its end; then the last brace of a reply may be missing.
    """
    text = without_thinking(completion)
    cut = len(text) > MAX_TEXT
    text = plain_lines(with_json(without_tool_call(text[-MAX_TEXT:])))
    text = plain_characters(first_turn(text), {})
    text = _ESCAPED_BRACE.sub(r"\1", html.unescape(text) if _ENTITY.search(text) else text)
    candidates = list(_scan(text, _outermost(text) if cut else 0, ending))
    if not candidates and not cut:
        candidates = list(_scan(plain(text, prompt), 0, ending)) or list(
            _scan(text.replace('\\"', '"'), 0, ending)
        )
    last = candidates[-2 * _MAX_OBJECTS :]
    for at, part in enumerate(last):
        if _MARK.search(part.text[max(0, part.start - _CONTEXT) : part.start]):
            last[at] = replace(part, marked=True)
    earlier = max(0, len(last) - _MAX_OBJECTS)
    return (*(each for each in last[:earlier] if each.marked), *last[earlier:])


def value_of(text: str) -> Any:
    """Return the JSON object or list that a whole text is, or None if it cannot be read as one."""
    reader = Reader(text.strip(), 0)
    try:
        value = reader.value() if reader.text[:1] in ("{", "[") else None
    except ReadError:
        return None
    return None if reader.text[reader.at :].strip() else value


def _outermost(text: str) -> int:
    """Return where, in a text whose beginning was cut off, everything opened before the cut is closed."""
    start = depth = 0
    for bracket in _BRACKET.finditer(text):
        depth += 1 if bracket[0] in "{[" else -1
        if depth < 0:
            start, depth = bracket.end(), 0
    return start


def _scan(text: str, start: int, ending: str) -> Iterator[Parsed | Broken]:
    breaks: _Breaks | None = None
    read = broken = long = 0
    while first := _START.search(text, start):
        begin = first.start()
        command = _COMMAND.search(text, max(0, begin - 25), begin)
        boxed = command and command[1] in ("boxed", "fbox") and _BOXED_OBJECT.match(text, begin)
        if command and not boxed:
            start = begin + 1
            continue
        if broken >= _MAX_BROKEN or read >= _MAX_READ:
            number = _MAX_READ if read >= _MAX_READ else _MAX_BROKEN
            reason = f"more than {number:,} objects in one reply"
            yield Broken(text, begin, begin, True, "", reason)
            return
        reader = Reader(text, begin)
        try:
            value = reader.plain()
            if value is None and long < _MAX_LONG:
                long += 1
                value = reader.plain(MAX_TEXT)
            value = reader.value() if value is None else value
        except ReadError as error:
            if whole := _closed(text, begin, reader.at, ending):
                yield Parsed(text, begin, len(text), bool(boxed), whole)
                return
            broken += 1
            if boxed:
                start = begin + 1
                continue
            breaks = breaks or _Breaks(text)
            end = breaks.end(begin, reader.at)
            key = _KEY.match(text, begin)
            name = key[1].strip() if key else ""
            yield Broken(text, begin, end, False, name, str(error))
        else:
            read += 1
            end = reader.at
            yield Parsed(text, begin, end, bool(boxed), value)
        start = max(end, begin + 1)


def _closed(text: str, begin: int, at: int, ending: str) -> Any:
    """Return the object whose last brace alone is missing at the end of a text; None if it may be cut off."""
    end = len(text.rstrip(" \t\n`"))
    if at < end or text[end - 1] != "}" or not ending or ending not in text[begin:]:
        return None
    try:
        return Reader(text[:end] + "}", begin).value()
    except ReadError:
        return None


def _inline(text: str, start: int, end: int) -> bool:
    """Tell if words stand on the line before an object, or behind it."""
    before = text[max(0, start - 300) : start].rpartition("\n")[2]
    behind = text[end : end + 300].partition("\n")[0]
    return bool(_WORDLESS.sub("", before) or _WORDLESS.sub("", behind))


class _Breaks:
    """Tells where objects end that cannot be read; brackets in strings count as brackets, too."""

    def __init__(self, text: str) -> None:
        self.text, self.pairs = text, _pairs(text)
        self.anew = [*(mark.start() for mark in _ANEW.finditer(text)), len(text)]

    def end(self, begin: int, at: int) -> int:
        """Return where an object ends that begins at ``begin`` and cannot be read from ``at`` on."""
        behind = self.text[max(0, at - 50) : at].rstrip(" ")
        prose = behind.endswith("\n") and _PROSE.match(self.text, at)  # a line of it begins here
        if begin not in self.pairs and prose:
            return at
        end = self.pairs.get(begin, len(self.text))
        return min(end, self.anew[bisect_right(self.anew, begin)])


def _pairs(text: str) -> dict[int, int]:
    """Return for every opening bracket where it is closed; brackets in strings count, too."""
    stack: list[int] = []
    ends: dict[int, int] = {}
    for bracket in _BRACKET.finditer(text):
        if bracket[0] in "{[":
            stack.append(bracket.start())
        elif stack:
            ends[stack.pop()] = bracket.end()
    return ends
