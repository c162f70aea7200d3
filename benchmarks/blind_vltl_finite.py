"""Formulas on words that end, for the blind solver of vltl: what is so for certain, and what may be so.

Beyond the last step nothing is known. "strong" takes what is said of a step there as false; "weak" leaves it open
whether it is true, in the logic of three values, and takes what stays open in the end as true: a prohibition is
broken only by steps that there are. No formula is rewritten.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

Row = list[int]  # for each step, a number whose bits are the truth in so many words
Known = tuple[Row, Row]  # where it is so for certain, and where it may be so

MEANT = "there is no next step, or p holds in it"
_NO_STEP = re.compile(
    r"\b(no|never|any|forever|(exactly|precisely|at most) one|at most once|one step only|or none)\b",
    re.I,
)


def asks_for_no_step(sentence: str) -> bool:
    """Return whether a sentence forbids, or speaks of any steps: then it asks for no step after another."""
    return bool(
        _NO_STEP.search(sentence.replace("no later than", "").replace("one step hence", ""))
    )


def ended(formula: Sequence[Any], atoms: Mapping[str, Row], count: int) -> Row:
    """Return in which steps a formula holds, in so many words that end after their last step."""
    full = (1 << count) - 1
    size = len(next(iter(atoms.values()), [0]))
    return _known(formula, atoms, full, size, weak=False)[1]


def _known(
    formula: Sequence[Any], atoms: Mapping[str, Row], full: int, size: int, *, weak: bool
) -> Known:
    kind, *parts = formula
    if kind == "atom":
        return atoms[parts[0]], atoms[parts[0]]
    if kind in ("weak", "strong"):
        may = _known(parts[0], atoms, full, size, weak=kind == "weak")[1]
        return may, may
    inner = [_known(part, atoms, full, size, weak=weak) for part in parts]
    (sure, may), (sure_too, may_too) = inner[0], inner[-1]
    if kind == "!":
        return [full ^ a for a in may], [full ^ a for a in sure]
    if kind == "->":
        return _row("|", [full ^ a for a in may], sure_too, full), _row(
            "|", [full ^ a for a in sure], may_too, full
        )
    if kind == "<->":
        pairs = list(zip(sure, may, sure_too, may_too, strict=True))
        certain = [a & c | (full ^ b) & (full ^ d) for a, b, c, d in pairs]
        return certain, [(full ^ a | d) & (full ^ c | b) for a, b, c, d in pairs]
    if kind in ("X", "N"):
        after = (full, full) if kind == "N" else (0, full if weak else 0)
        return [*sure[1:], after[0]], [*may[1:], after[1]]
    return _row(kind, sure, sure_too, full), _row(kind, may, may_too, full)


def _row(kind: str, left: Row, right: Row, full: int) -> Row:
    """Return where an operator holds that a truer operand never makes less true."""
    pairs = list(zip(left, right, strict=True))
    if kind in "&|":
        return [a & b if kind == "&" else a | b for a, b in pairs]
    row, later = [], full if kind in "GWR" else 0
    for a, b in reversed(pairs):
        if kind in "FG":
            later = a | later if kind == "F" else a & later
        else:
            later = b | a & later if kind in "UW" else b & (a | later)
        row.append(later)
    return row[::-1]
