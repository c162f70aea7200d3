"""Find the JSON objects of a model's reply with a tolerant reader: bounded, linear, never eval.

Read as JSON are also Python's literals (single quotes, tuples, numbers as keys, ``None``),
trailing commas, comments, typographic quotes and bare words as keys. Only outermost objects are
given, never a part of one; one that breaks off or cannot be read is given as `Broken`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from harness.text import MAX_TEXT, plain, quoted, without_thinking

__all__ = ["MAX_DEPTH", "MAX_VALUES", "Broken", "Found", "objects"]

MAX_DEPTH = 16
MAX_VALUES = 20_000
"""The most values in one object, those inside others counted."""

_MAX_ATTEMPTS = 500
_MAX_STRING = 3_000
_CONTEXT = 120  # characters before an object in which its mark is looked for


@dataclass(frozen=True, slots=True)
class Found:
    """An object (or a list of objects) in a reply.

    ``marked`` tells that "Answer:" stands right before it; ``before`` and ``after`` are the text
    on either side of it, ``raw`` is its own.
    """

    value: Any
    raw: str
    marked: bool
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Broken:
    """The beginning of an object that cannot be read: its first key, and why in one line."""

    key: str
    raw: str
    marked: bool
    reason: str


_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]+")
_END = re.compile(
    r"<\|(?:im_end|eot_id|endoftext|end|return|eom_id)\|>|</s>|<(?:end_of_turn|eos)>"
    r"|^[ \t*#]{0,5}(?:human|user)[ \t*]{0,5}:",
    re.IGNORECASE | re.MULTILINE,
)
_MARK = re.compile(r"\banswers?\b(?: is)?\W{0,20}(?:json|python|te?xt)?\W{0,5}\Z", re.IGNORECASE)
# Where a reply begins anew behind an object that was never closed.
_ANEW = re.compile(
    r"^[ \t]{0,8}(?:`{3,}|~{3,}|#{1,6}[ \t])|^[ \t*#>_-]{0,9}(?:[\w']{1,12} ){0,3}answer\W{0,5}(?::|$)",
    re.IGNORECASE | re.MULTILINE,
)
# All bounded: a comment that was no comment is read again and again.
_COMMENT = r"(?://|\#)[^\n]{{0,{0}}}+|/\*[^*]{{0,{0}}}\*/"
_SPACE = re.compile(rf"\s*+(?:(?:{_COMMENT.format(500)})\s*+){{0,20}}+")
_START = re.compile(
    r"(?:\[\s{0,100}+)?\{\s{0,100}+"
    rf"(?:(?:{_COMMENT.format(100)})\s{{0,100}}+){{0,3}}+(?:[\"'“”„‘’]|-?\w{{1,100}}+\s{{0,9}}:|\}}|\Z)"
)
_KEY = re.compile(r"""[\[{\s"'“”„‘’]*+([^"'“”‘’:\n]{1,100})["'“”‘’]?\s*:""")
_COMMAND = re.compile(r"\\[A-Za-z]{1,20}\Z")  # of LaTeX
_BRACKET = re.compile(r"[{}\[\]]")


def objects(completion: str, prompt: str = "") -> list[Found | Broken]:
    """Return the outermost objects of a reply in order, without thinking and made-up turns.

    Args:
        completion: any text whatever; of a longer one the last `MAX_TEXT` characters are read.
        prompt: what the model was asked. Used only if markup has to be taken away first.
    """
    text = without_thinking(completion)
    cut = len(text) > MAX_TEXT
    text = _INVISIBLE.sub("", _own(text[-MAX_TEXT:]))
    found = list(_scan(text, _outermost(text) if cut else 0))
    return found if found or cut else list(_scan(plain(text, prompt), 0))


def _own(text: str) -> str:
    for end in _END.finditer(text):
        if text[: end.start()].strip():
            return text[: end.start()]
    return text


def _outermost(text: str) -> int:
    """Return where the parts end of what began before a text that was cut."""
    start = depth = 0
    for bracket in _BRACKET.finditer(text):
        depth += 1 if bracket[0] in "{[" else -1
        if depth < 0:
            start, depth = bracket.end(), 0
    return start


def _scan(text: str, start: int) -> Iterator[Found | Broken]:
    pairs: dict[int, int] | None = None
    anew = [*(mark.start() for mark in _ANEW.finditer(text)), len(text)]
    attempts = 0
    while first := _START.search(text, start):
        begin = first.start()
        if _COMMAND.search(text[max(0, begin - 25) : begin]):
            start = begin + 1
            continue
        attempts += 1
        marked = bool(_MARK.search(text[max(0, begin - _CONTEXT) : begin]))
        reader = _Reader(text, begin)
        try:
            value = reader.value()
        except _ReadError as error:
            pairs = _pairs(text) if pairs is None else pairs
            end = min(pairs.get(begin, len(text)), anew[bisect_right(anew, begin)])
            key = _KEY.match(text, begin)
            yield Broken(key[1].strip() if key else "", text[begin:end], marked, str(error))
        else:
            end = reader.at
            yield Found(value, text[begin:end], marked, text[:begin], text[end:])
        start = max(end, begin + 1)
        if attempts >= _MAX_ATTEMPTS:
            yield Broken("", "", True, f"more than {_MAX_ATTEMPTS} objects in one reply")
            return


def _pairs(text: str) -> dict[int, int]:
    """Return for every bracket where it closes; those in strings are taken for brackets too."""
    stack: list[int] = []
    ends: dict[int, int] = {}
    for bracket in _BRACKET.finditer(text):
        if bracket[0] in "{[":
            stack.append(bracket.start())
        elif stack:
            ends[stack.pop()] = bracket.end()
    return ends


class _ReadError(ValueError):
    """Text that is no value."""


_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/", "\\": "\\", "_": "_"}
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_BODY = rf"(?:[^{{0}}\\\n]|\\[^\n]){{{{0,{_MAX_STRING}}}}}+"
_STRINGS = {
    opening: re.compile(_BODY.format(closing) + f"[{closing}]")
    for openings, closing in (('"', '"'), ("'", "'"), ("“”„", "“”"), ("‘’‚", "‘’"))
    for opening in openings
}
_ATOM = re.compile(r"-?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?(?!\w)|-?[A-Za-z_]\w{0,99}")
_WORDS = {"true": True, "false": False, "null": None, "none": None}
_CLOSING = {"[": "]", "(": ")"}


class _Reader:
    """Reads one value; numbers that are no integers of at most 15 digits are given as their text."""

    def __init__(self, text: str, at: int) -> None:
        self.text, self.at = text, at
        self.values = 0

    def value(self, depth: int = 0) -> Any:
        self.values += 1
        if depth > MAX_DEPTH or self.values > MAX_VALUES:
            kind = (
                f"nested deeper than {MAX_DEPTH}" if depth > MAX_DEPTH else "with too many values"
            )
            raise _ReadError(f"JSON {kind}")
        start = self._next()
        if start == "{":
            return self._object(depth)
        if start in _CLOSING and start:
            return self._list(depth, _CLOSING[start])
        if start in _STRINGS:
            return self._string()
        return self._constant()

    def _next(self) -> str:
        """Pass blanks and comments and return the character there, "" at the end."""
        self.at = _SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]  # always one
        return self.text[self.at : self.at + 1]

    def _error(self, wanted: str) -> _ReadError:
        rest = self.text[self.at : self.at + 40]
        where = f"at {quoted(rest, 40)}" if rest.strip() else "where the reply ends"
        return _ReadError(f"broken JSON {where}: expected {wanted}")

    def _object(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        self.at += 1
        while self._next() != "}":
            key = self._key()
            if self._next() != ":":
                raise self._error("`:`")
            self.at += 1
            value = self.value(depth + 1)
            found[key] = _merged(key, found[key], value) if key in found else value
            self._separator("}")
        self.at += 1
        return found

    def _list(self, depth: int, closing: str) -> list[Any]:
        found = []
        self.at += 1
        while self._next() != closing:
            found.append(self.value(depth + 1))
            self._separator(closing)
        self.at += 1
        return found

    def _separator(self, closing: str) -> None:
        following = self._next()
        if following == ",":
            self.at += 1
        elif following != closing:
            raise self._error(f"`,` or `{closing}`")

    def _key(self) -> str:
        if self.text[self.at : self.at + 1] in _STRINGS:
            return self._string()
        return self._atom("a key")

    def _string(self) -> str:
        body = _STRINGS[self.text[self.at]].match(self.text, self.at + 1)
        if not body:
            raise self._error("a string that ends on its line")
        self.at = body.end()
        content = body[0][:-1]
        return _ESCAPE.sub(_unescaped, content) if "\\" in content else content

    def _atom(self, wanted: str) -> str:
        atom = _ATOM.match(self.text, self.at)
        if not atom:
            raise self._error(wanted)
        self.at = atom.end()
        return atom[0]

    def _constant(self) -> Any:
        start = self.at
        atom = self._atom("a value")
        if atom.lower() in _WORDS:
            return _WORDS[atom.lower()]
        if atom.lstrip("-").isdecimal() and len(atom) <= 15:
            return int(atom)
        if not any(character.isdecimal() for character in atom[:2]):
            self.at = start
            raise self._error("a value")
        return atom


def _unescaped(escape: re.Match[str]) -> str:
    if escape[1]:
        return chr(int(escape[1], 16))
    if escape[2] in "\"'“”‘’":
        return escape[2]
    return _ESCAPED.get(escape[2], escape[0])


def _merged(key: str, old: Any, new: Any) -> Any:
    """Return the value of a key that stands twice: lists are joined, others have to be equal."""
    if type(old) is type(new) and old == new:
        return old
    if isinstance(old, list) and isinstance(new, list):
        return old + new
    raise _ReadError(f"the key {quoted(key, 40)} stands twice with different values")
