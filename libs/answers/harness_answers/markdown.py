"""Markdown of explanations: what a reply ends with, tables, formulas in their cells.

Foreign text goes through `harness_answers.text.quoted` first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from harness_answers.text import quoted

_LONGEST = 60


def ending(reply: str) -> str:
    """Return a sentence that quotes the last 100 characters of a reply, or says that there are none."""
    tail = reply.strip()[-100:]
    return f"The reply ends with {quoted(tail)}." if tail else "The reply is empty."


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; its cells are Markdown in which no bar stands."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def formula_cell(formula: str) -> str:
    """Return a formula of ours as code in a cell of a table, 60 characters of it at most."""
    shown = f"{formula[:_LONGEST]}…" if len(formula) > _LONGEST else formula
    return "`" + shown.replace("|", "∨") + "`"  # a bar would end the cell
