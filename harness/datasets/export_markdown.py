"""Foreign text in Markdown: it shows as what it is, and is never mark-up."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from harness.core.facts import printable

_SPECIAL = re.compile(
    r"[\\`*_\[\]<>|~&$@]|(?<![^ ])[#+=-](?= |$|[#+=-])|:(?=//)|(?<=\d)[.)](?= |$)"
)


def text(value: object, limit: int = 2_000) -> str:
    """Return foreign text as one line of Markdown that shows as what it is: no mark-up, no HTML."""
    return _SPECIAL.sub(r"\\\g<0>", printable(str(value), limit).strip())


def code(value: object, limit: int = 2_000) -> str:
    """Return foreign text as Markdown code in a line."""
    shown = printable(str(value), limit).replace("|", "\\|")
    fence = "`" * (_longest(shown) + 1)
    pad = " " if shown[:1] in "` " or shown[-1:] in "` " else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def block(value: str, language: str = "") -> str:
    """Return text as a block of code that nothing within it can end."""
    lines = [printable(line, 20_000) for line in value.split("\n")]
    fence = "`" * max(3, _longest(value) + 1)
    return "\n".join([f"{fence}{language}", *lines, fence])


def _longest(value: str) -> int:
    return max((len(run) for run in re.findall(r"`+", value)), default=0)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table of cells that are Markdown already."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
