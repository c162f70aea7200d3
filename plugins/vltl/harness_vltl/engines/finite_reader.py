"""What a sentence says of finite traces, by what a reader of infinite ones wrote down, and by its words alone.

The prompt (`wording.FINITE_PLAIN`) decides: what is said of a step after another asks for that step, so that the
next operators stay as the reader wrote them, strong; but a sentence that forbids, or speaks of any steps there may
be, asks for none, so that they are weak once its negations are moved inwards. No template is looked at.
"""

from __future__ import annotations

import re

from harness_vltl.formulas.formula import Formula

_ASKS_FOR_NO_STEP = re.compile(
    r"\b(?:no|never|any|forever|(?:exactly|at most|precisely) one|at most once|one step (?:only|or none))\b",
    re.IGNORECASE,
)
_NOT_A_BAN = re.compile(r"\bno later than\b|\bexactly one step hence\b", re.IGNORECASE)
_DUAL = {"&": "|", "|": "&", "F": "G", "G": "F", "U": "R", "R": "U", "W": "M", "M": "W", "X": "X"}


def finite(words: str, formula: Formula) -> Formula:
    """Return a formula of finite traces for a sentence's words and its formula of infinite ones."""
    if _ASKS_FOR_NO_STEP.search(_NOT_A_BAN.sub("", words)):
        return _weak(formula, True)
    return formula


def _weak(formula: Formula, positive: bool) -> Formula:
    """Return a formula, or its negation, with negations before propositions alone and every next weak."""
    if not isinstance(formula, list):
        return formula if positive else ["!", formula]
    operator, *parts = formula
    if operator == "!":
        return _weak(parts[0], not positive)
    if operator == "->":
        return _weak(["|", ["!", parts[0]], parts[1]], positive)
    if operator == "<->":
        one, other = ["->", *parts], ["->", *reversed(parts)]
        return _weak(["&", one, other], positive)
    inner = [_weak(part, positive) for part in parts]
    operator = operator if positive else _DUAL[operator]
    return ["N" if operator == "X" else operator, *inner]
