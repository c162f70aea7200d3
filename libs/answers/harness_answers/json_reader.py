"""Read one JSON value, as tolerant as it can be without a guess: bounded, linear, never eval.

Read as JSON are also Python's literals (single quotes, tuples, numbers as keys, ``None``), trailing commas,
comments, typographic quotes and bare words as keys. `loads` reads the value that a text begins with.
"""

from __future__ import annotations

import json
import re
from typing import Any

from harness_answers.object_answers import LATEX
from harness_answers.text import MAX_TEXT, quoted

MAX_JSON = 20_000
"""Characters of an object with slips; of plain JSON it is `MAX_TEXT`."""
MAX_DEPTH = 30
MAX_VALUES = 20_000
"""The most values in one object, those inside others counted."""

_MAX_STRING = 3_000
_SHORT = 3_000  # characters of an object that is tried as plain JSON wherever one may begin
_DIGITS = 15  # of a number that is more than a text

# All bounded: a comment that was no comment is read again and again.
COMMENT = r"(?://|\#)[^\n]{{0,{0}}}+|/\*[^*]{{0,{0}}}\*/"
_SPACE = re.compile(rf"\s*+(?:(?:{COMMENT.format(500)})\s*+){{0,20}}")


class ReadError(ValueError):
    """Text that cannot be read as a JSON value."""


_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/", "\\": "\\", "_": "_"}
_ESCAPE = re.compile(
    r"\\(?:u([0-9a-fA-F]{4})|((?:neg|neq|rightarrow)(?!\w)|.))", re.DOTALL
)  # the words are commands of LaTeX
_BODY = rf"(?=((?:[^{{0}}\\\n\0]|\\[^\n]){{{{0,{_MAX_STRING}}}}}))\1"
_STRINGS = {
    opening: re.compile(_BODY.format(closing) + f"[{closing}]")
    for openings, closing in (('"', '"'), ("'", "'"), ("“”„", "“”"), ("‘’‚", "‘’"))
    for opening in openings
}
_ATOM = re.compile(r"-?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?(?!\w)|-?[A-Za-z_]\w{0,99}")
_WORDS = {"true": True, "false": False, "null": None, "none": None}
_CLOSING = {"[": "]", "(": ")"}


def loads(text: str) -> tuple[Any, str] | None:
    """Return the JSON value a text begins with and the text behind it, or None.

    A key that occurs twice with different values, more than `MAX_JSON` characters (of an object in plain
    JSON, `MAX_TEXT`) or `MAX_DEPTH` levels are no value.
    """
    reader = Reader(text.lstrip(), 0)
    if reader.text[:1] not in ("{", "[", *_STRINGS):
        return None
    value = reader.plain(MAX_TEXT)
    if value is not None:
        return value, reader.text[reader.at :]
    reader = Reader(reader.text[: MAX_JSON + 1], 0)
    try:
        value = reader.value()
    except ReadError:
        return None
    return (value, reader.text[reader.at :]) if reader.at <= MAX_JSON else None


class Reader:
    """Reads one JSON value; numbers other than integers of at most 15 digits are given as text."""

    def __init__(self, text: str, at: int) -> None:
        self.text, self.at = text, at
        self.values = 0

    def plain(self, most: int = _SHORT) -> dict[str, Any] | None:
        """Read an object in plain JSON as `value` does, in a tenth of the time; None if it is none."""
        text = self.text[self.at : self.at + most]
        try:
            members, end = _DECODER.raw_decode(text) if text[:1] == "{" else (None, 0)
            if not isinstance(members, dict) or _depth(members) > MAX_DEPTH:
                return None
        except (ValueError, RecursionError):
            return None
        # Each value but the first of a list or an object stands behind a comma.
        if end > MAX_VALUES and sum(text.count(mark, 0, end) for mark in ",[{") >= MAX_VALUES:
            return None
        if LATEX.search(text, 0, end):
            return None
        self.at += end
        return members

    def value(self, depth: int = 0) -> Any:
        """Return the value that begins here, at a depth of the outermost one; raises `ReadError`."""
        self.values += 1
        start = self._next()
        if depth >= MAX_DEPTH and start in ("{", *_CLOSING):
            raise ReadError(f"JSON nested deeper than {MAX_DEPTH}")
        if self.values > MAX_VALUES:
            raise ReadError("JSON with too many values")
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

    def _error(self, wanted: str) -> ReadError:
        rest = self.text[self.at : self.at + 40]
        where = f"at {quoted(rest, 40)}" if rest.strip() else "where the reply ends"
        return ReadError(f"broken JSON {where}: expected {wanted}")

    def _object(self, depth: int) -> dict[str, Any]:
        members: dict[str, Any] = {}
        self.at += 1
        while self._next() != "}":
            quoted_key = self.text[self.at : self.at + 1] in _STRINGS
            key = self._string() if quoted_key else self._atom("a key")
            if self._next() != ":":
                raise self._error("`:`")
            self.at += 1
            value = self.value(depth + 1)
            members[key] = _merged(key, members[key], value) if key in members else value
            self._separator("}")
        self.at += 1
        return members

    def _list(self, depth: int, closing: str) -> list[Any]:
        elements = []
        self.at += 1
        while self._next() != closing:
            elements.append(self.value(depth + 1))
            self._separator(closing)
        self.at += 1
        return elements

    def _separator(self, closing: str) -> None:
        following = self._next()
        if following == ",":
            self.at += 1
        elif following != closing:
            raise self._error(f"`,` or `{closing}`")

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
        if atom.lstrip("-").isdecimal() and len(atom) <= _DIGITS:
            return int(atom)
        if not any(character.isdecimal() for character in atom[:2]):
            self.at = start
            raise self._error("a value")
        return atom


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for key, value in pairs:
        members[key] = _merged(key, members[key], value) if key in members else value
    return members


def _refused(constant: str) -> Any:
    raise ReadError(f"{constant} is no value of JSON")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_members,
    parse_int=lambda digits: int(digits) if len(digits) <= _DIGITS else digits,
    parse_float=str,
    parse_constant=_refused,
)


def _depth(value: Any) -> int:
    """Return how deep lists and objects are nested in a value."""
    if not isinstance(value, dict | list):
        return 0
    parts = value.values() if isinstance(value, dict) else value
    return 1 + max(map(_depth, parts), default=0)


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
    raise ReadError(f"the key {quoted(key, 40)} stands twice with different values")
