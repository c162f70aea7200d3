"""The words of TLSF text, read one at a time, and where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import NamedTuple

from harness_tlsf.errors import TlsfError

MAX_TEXT = 1_000_000
MAX_NAME = 1_000
SHOWN = 40

_WORD = re.compile(
    r"""(?P<space>[ \t\r\n\f\v]+|//[^\n]*)
      | (?P<comment>/\*)
      | (?P<string>"[^"]*")
      | (?P<number>[0-9]+)
      | (?P<name>[A-Za-z_@][A-Za-z0-9_@']*)
      | (?P<op><->|->|<-|<=|>=|==|!=|/=|&&|\|\||\.\.|\(\+\)|\(\*\)|\(-\)|\(\\\)
             |[!<>=+\-*/%~:;,()\[\]{}|])""",
    re.VERBOSE,
)
_COMMENT_EDGE = re.compile(r"/\*|\*/")
_INSTEAD = {"&": "&&", "∧": "&&", "∨": "||", "¬": "!", "→": "->", "↔": "<->", "≤": "<=", "≥": ">="}


class Token(NamedTuple):
    """A word: its kind (`string`, `number`, `name`, `op` or `end`), its text, where it starts."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        """Where the word ends."""
        return self.start + len(self.text)


class Source:
    """The text of a specification; turns places in it into lines and columns, both from 1."""

    def __init__(self, text: str) -> None:
        if len(text) > MAX_TEXT:
            raise TlsfError(
                f"the TLSF text has {len(text):,} characters; at most {MAX_TEXT:,} are read"
            )
        self.text = text

    def error(self, place: int, message: str) -> TlsfError:
        """The error that says `message` of the given place."""
        line = self.text.count("\n", 0, place) + 1
        column = place - self.text.rfind("\n", 0, place)
        return TlsfError(f"line {line}, column {column}: {message}")

    def tokens(self) -> Iterator[Token]:
        """The words in order, without blanks and comments; the last is of kind `end`."""
        # A byte order mark is a habit of some editors, no part of the text.
        place = 1 if self.text.startswith("\ufeff") else 0
        while place < len(self.text):
            match = _WORD.match(self.text, place)
            if match is None:
                raise self._unreadable(place)
            kind = match.lastgroup
            if kind == "comment":
                place = self._after_comment(place)
                continue
            place = match.end()
            if kind is not None and kind != "space":
                yield self._checked(Token(kind, match.group(), match.start()))
        yield Token("end", "", len(self.text))

    def _checked(self, token: Token) -> Token:
        if token.kind == "name" and len(token.text) > MAX_NAME:
            raise self.error(token.start, f"a name of more than {MAX_NAME:,} characters")
        if token.kind == "number":
            after = self.text[token.end : token.end + 1]
            if after.isalpha() or after == "_":
                raise self.error(token.start, "a name starts with a letter, '_' or '@'")
        return token

    def _after_comment(self, start: int) -> int:
        """Where the comment that starts here ends: comments nest."""
        depth = 0
        for edge in _COMMENT_EDGE.finditer(self.text, start):
            depth += 1 if edge.group() == "/*" else -1
            if depth == 0:
                return edge.end()
        raise self.error(start, "this comment has no end: '*/' is missing")

    def _unreadable(self, place: int) -> TlsfError:
        char = self.text[place]
        if char == '"':
            return self.error(place, "this string has no end: '\"' is missing")
        if char in _INSTEAD:
            return self.error(place, f"'{char}' is not TLSF; write '{_INSTEAD[char]}'")
        return self.error(place, f"the character {char!a} has no meaning in TLSF")


def shown(token: Token) -> str:
    """The word as a message names it."""
    if token.kind == "end":
        return "the end of the text"
    text = token.text if len(token.text) <= SHOWN else token.text[:SHOWN] + "…"
    return f"'{text}'" if text.isprintable() else ascii(text)


def suggestion(name: str, known: list[str]) -> str:
    """The names like this one, as the end of a message; else the first few known ones."""
    # Comparing very long names is slow, and nobody mistypes one.
    close = get_close_matches(name[:100], [word for word in known if len(word) <= 100][:1000], 3)
    if close:
        return "; did you mean " + " or ".join(close) + "?"
    if not known:
        return ""
    more = ", …" if len(known) > 5 else ""
    return "; known: " + ", ".join(word[:SHOWN] for word in known[:5]) + more
