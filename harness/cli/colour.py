"""Colour in what a terminal shows: only on a terminal, and never where NO_COLOR is set (no-color.org)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TextIO

_BOLD, _RED, _YELLOW, _RESET = "\x1b[1m", "\x1b[31m", "\x1b[33m", "\x1b[0m"

_on = ContextVar("colours", default=False)


def wanted(stream: TextIO) -> bool:
    """Return whether a stream may be given colours."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return stream.isatty() and not plain


@contextmanager
def coloured(stream: TextIO) -> Iterator[None]:
    """Have texts made within the block carry colours, if the stream may be given any."""
    token = _on.set(wanted(stream))
    try:
        yield
    finally:
        _on.reset(token)


def head(line: str) -> str:
    """Return the head of a table."""
    return _in(_BOLD, line)


def alarm(line: str) -> str:
    """Return a line about a failure."""
    return _in(_RED, line)


def note(line: str) -> str:
    """Return a line that a reader must not overlook."""
    return _in(_YELLOW, line)


def _in(colour: str, line: str) -> str:
    return f"{colour}{line}{_RESET}" if _on.get() and line else line
