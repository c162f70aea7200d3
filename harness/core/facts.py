"""Foreign texts as lines for a terminal, those among them that a plugin warns with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MAX_WARNINGS = 20
MAX_LINE = 300  # characters of a warning


def warnings(facts: Mapping[str, Any] | None) -> list[str]:
    """Return the warnings in what the hook `about` returned, each as one printable line, and not too many."""
    given_lines = (facts or {}).get("warnings", [])
    lines = [f"warning: {printable(line)}" for line in given_lines[:MAX_WARNINGS]]
    more = len(given_lines) - len(lines)
    return [*lines, f"… and {more} more"] if more else lines


def printable(text: str, limit: int = MAX_LINE) -> str:
    """Return foreign text, cut to a limit, in one line that cannot steer a terminal."""
    cut = f"{text[:limit]}…" if len(text) > limit else text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in cut)
