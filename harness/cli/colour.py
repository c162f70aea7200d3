"""Colour in what a terminal shows: only on a terminal, and never where NO_COLOR is set (no-color.org)."""

from __future__ import annotations

import os
import re
import sys
from typing import TextIO

BOLD, RED, YELLOW, RESET = "\x1b[1m", "\x1b[31m", "\x1b[33m", "\x1b[0m"

# A table's head is the line above its rule.
_RULE = re.compile(r"-+(  -+)*")
_LOUD = ("WARNING", "FAIL")
_ALERT = ("NOTE", "warning:")


def wanted(stream: TextIO) -> bool:
    """Return whether a stream may be given colours."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return stream.isatty() and not plain


def coloured(text: str) -> str:
    """Return a text with the heads of its tables bold, and warnings in yellow and red."""
    lines = text.split("\n")
    return "\n".join(
        _line(line, after) for line, after in zip(lines, [*lines[1:], ""], strict=True)
    )


def _line(line: str, after: str) -> str:
    if line and _RULE.fullmatch(after):
        return f"{BOLD}{line}{RESET}"
    if line.startswith(_LOUD):
        return f"{RED}{line}{RESET}"
    return f"{YELLOW}{line}{RESET}" if line.startswith(_ALERT) else line


def for_output(text: str) -> str:
    """Return a text as standard output should show it."""
    return coloured(text) if wanted(sys.stdout) else text
