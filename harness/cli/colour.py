"""Colour in what a terminal shows: only on a terminal, and never where NO_COLOR is set (no-color.org)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TextIO

import click

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
    return _in(line, bold=True)


def alarm(line: str) -> str:
    """Return a line about a failure."""
    return _in(line, fg="red")


def note(line: str) -> str:
    """Return a line that a reader must not overlook."""
    return _in(line, fg="yellow")


def _in(line: str, **style: Any) -> str:
    return click.style(line, **style) if _on.get() and line else line
