"""HOA text cut into items, `name: tokens` and `--NAME--`, before `hoa` understands them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from harness_tempobench.errors import HoaError

_TOKEN = re.compile(
    r"\s*+(?:(?P<part>--(?:BODY|END|ABORT)--)|(?P<header>[A-Za-z_][A-Za-z0-9_-]*+:)"
    r'|(?P<name>[A-Za-z_][A-Za-z0-9_-]*+)|(?P<int>[0-9]++)|(?P<string>"[^"\\]*+(?:\\.[^"\\]*+)*")'
    r'|(?P<alias>@[0-9A-Za-z_-]++)|(?P<label>\[[^\]"]*+(?:"[^"\\]*+(?:\\.[^"\\]*+)*"[^\]"]*+)*\])'
    r"|(?P<marks>\{[^}]*+\})|(?P<op>[!&|()]))",
    re.DOTALL,
)
_COMMENT = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*"|/\*|\*/|[^"/*]++|.', re.DOTALL)


Piece: TypeAlias = "tuple[str, str]"  # kind and text of a token


@dataclass(slots=True)
class Item:
    """``name: tokens`` or ``--NAME--``, with the line it starts on."""

    name: str
    line: int
    tokens: list[Piece] = field(default_factory=list)

    def fail(self, message: str) -> HoaError:
        """Return the error with a message about this item."""
        return HoaError(f"HOA line {self.line}: {message}")

    def number(self, token: Piece, role: str, most: int) -> int:
        """Return the number that a token is, or refuse it."""
        if token[0] != "int":
            raise self.fail(f"{role} is due where {shown(token[1])} stands")
        if len(token[1]) > 12 or int(token[1]) > most:
            raise self.fail(f"{role} is {shown(token[1])}, more than {most:,}")
        return int(token[1])

    def only_number(self, role: str, most: int) -> int:
        """Return the number that is the only token, or refuse the item."""
        if len(self.tokens) != 1:
            tokens = " ".join(text for _, text in self.tokens[:9])
            raise self.fail(f"{self.name}: takes {role} and nothing else, not {shown(tokens)}")
        return self.number(self.tokens[0], role, most)


def shown(text: str) -> str:
    """Return a text as a message quotes it."""
    return repr(text if len(text) <= 30 else text[:27] + "…")


def _without_comments(text: str) -> str:
    """Return the text with blanks for comments, which may nest; lines keep their numbers."""
    if "/*" not in text:
        return text
    kept, depth = [], 0
    for match in _COMMENT.finditer(text):
        part = match[0]
        depth += part == "/*"
        kept.append("\n" * part.count("\n") + " " if depth else part)
        depth -= part == "*/" and depth > 0
    if depth:
        raise HoaError("HOA: a comment is not closed")
    return "".join(kept)


def items(text: str) -> Iterator[Item]:
    """Yield the items of a text, in order; comments count for blanks.

    Raises `HoaError`: one line: what is no part of the format, or a comment that is not closed.
    """
    text = _without_comments(text)
    position, end, line, counted = 0, len(text.rstrip()), 1, 0
    item = Item("", 1)
    while position < end:
        token = _TOKEN.match(text, position)
        start = (
            token.start(str(token.lastgroup)) if token else end - len(text[position:end].lstrip())
        )
        if token is None or token.lastgroup in ("part", "header"):
            line, counted = line + text.count("\n", counted, start), start
            if token is None:
                stray = shown(text[start : start + 40].split("\n")[0])
                raise HoaError(f"HOA line {line}: {stray} is no part of the format")
            if item.name:
                yield item
            item = Item(token[str(token.lastgroup)].removesuffix(":"), line)
        else:
            item.tokens.append((str(token.lastgroup), token[str(token.lastgroup)]))
        position = token.end()
    yield item
