"""The path behind a verdict: ``event3, event1, (event2)`` and the many ways to write that."""

from __future__ import annotations

import re
from collections.abc import Iterator

from harness_ltlbench.cleaning import end_of_line

MAX_PATH = 10_000

_TOKEN = re.compile(
    r"(?P<event>event[ \t_]{0,3}(?P<name>[0-9]{1,9})(?!\w))|(?P<number>[0-9]{1,9})(?!\w)"
    r"|(?P<open>[(\[])|(?P<close>[)\]])|(?P<omega>\^?[ \t]?[ω∞])|(?P<stop>[.\n])"
    r"|[\s,:;>=\"'^-]|(?P<word>\w+|.)"
)
_FILLER = re.compile(
    "an?|the|then|and|path|sequence|counter|example|counterexample|violating|possible|one|is"
    "|with|followed|by|next"
)
_SUFFIX = re.compile(
    "repeat(?:s|ed|ing|edly)?|forever|infinitely|often|loop(?:s|ing)?|cycles?|indefinitely|and"
    "|so|on|then|which"
)


class _UnreadableError(Exception):
    """The text is no path, or more than one."""


class _PathReader:
    """Collects events; one bracket pair is the loop, a second around everything is ignored."""

    def __init__(self) -> None:
        self.prefix: list[int] = []
        self.group: list[int] | None = None
        self.cycle: list[int] | None = None
        self.wrapped = False
        self.leading = ""  # the bracket that opened before any event
        self.kinds: set[str] = set()

    def event(self, kind: str, number: str) -> None:
        self.kinds.add(kind)
        if self.cycle is not None or len(self.kinds) > 1:
            raise _UnreadableError
        target = self.prefix if self.group is None else self.group
        target.append(int(number))
        if len(self.prefix) + len(self.group or ()) > MAX_PATH:
            raise _UnreadableError

    def open(self, bracket: str) -> None:
        if self.cycle is not None:
            raise _UnreadableError
        if self.group is not None:
            if self.wrapped or not self.leading:
                raise _UnreadableError
            self.wrapped, self.prefix = True, self.group
        elif not self.prefix:
            self.leading = bracket
        self.group = []

    def close(self) -> None:
        if self.cycle is not None:
            return
        # A list in square brackets and nothing else says nothing of a loop.
        if not self.group or (self.leading == "[" and not self.wrapped):
            raise _UnreadableError
        self.cycle, self.group = self.group, None

    def omega(self) -> None:
        """Event^ω: the single event before the sign repeats."""
        if self.cycle is not None:
            return
        if self.group is not None or not self.prefix:
            raise _UnreadableError
        self.cycle = [self.prefix.pop()]


def path_after(low: str, begin: int) -> tuple[dict[str, list[int]] | None, int]:
    """Return the path that follows a verdict, or None, and where it or the line ends."""
    reader, end = _PathReader(), begin
    try:
        for token in _path_tokens(low, begin, reader):
            end = token.end()
            _take(reader, token)
    except _UnreadableError:
        return None, max(end, end_of_line(low, begin)) if reader.kinds else begin
    if reader.cycle is None:
        return None, end if reader.kinds else begin
    return {"prefix": reader.prefix, "cycle": reader.cycle}, end


def _path_tokens(low: str, begin: int, reader: _PathReader) -> Iterator[re.Match[str]]:
    """Yield the tokens of a path; its first event may come on a later line, not after prose."""
    limit = begin + 20 * MAX_PATH
    for token in _TOKEN.finditer(low, begin, limit):
        kind = token.lastgroup or ""
        if kind == "stop" and reader.kinds:
            if token[0] == "\n" and reader.cycle is None:
                continue
            return
        known = _FILLER if reader.cycle is None else _SUFFIX
        if kind == "word" and not known.fullmatch(token[0]):
            if reader.cycle is None or token[0] in ("or", "/", "|"):
                raise _UnreadableError
            return
        yield token


def _take(reader: _PathReader, token: re.Match[str]) -> None:
    kind = token.lastgroup
    if token["event"]:
        reader.event("event", token["name"])
    elif kind == "number":
        reader.event("number", token[0])
    elif kind == "open":
        reader.open(token[0])
    elif kind == "close":
        reader.close()
    elif kind == "omega":
        reader.omega()
