"""Formulas in every notation that language models use: what the parser has to read back."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from harness_vltl.formulas.formula import UNARY, Formula, FormulaError
from harness_vltl.formulas.syntax import parse

_LETTERS = "G F X U R W M ! & | -> <->"
_NOTATION = {
    "letters": _LETTERS,
    "words": "globally finally next until release weak_until strong_release not and or implies double_implies",
    "symbols": "[] <> () U R W M ! && || -> <->",
    "unicode": "□ ◇ ○ 𝒰 ℛ 𝒲 ℳ ¬ ∧ ∨ → ↔",
    "latex": r"\square \Diamond \bigcirc \mathcal{U} \mathcal{R} \mathcal{W} \mathcal{M}"
    r" \lnot \land \lor \rightarrow \leftrightarrow",
    "json": _LETTERS,
}
_SHOWN = {
    notation: dict(zip(_LETTERS.split(), signs.split(), strict=True))
    for notation, signs in _NOTATION.items()
}
_CONSTANT = {"unicode": "⊥⊤", "latex": (r"\bot", r"\top")}

NOTATIONS = tuple(_NOTATION)
"""The notations that `show` prints; `parse` reads them and their kin without being told which."""


# With these, phrases such as "weak until" begin.
_PHRASE_HEADS = {"weak", "strong", "double", "if", "is", "equivalent"}


def show(formula: Formula, notation: str) -> str:
    """Return a valid formula in one of `NOTATIONS`; `parse` gives the equal value back.

    A binary operand stands in parentheses, but for the left one in a chain of and, or of or. A name
    that would read as something else stands in quotes.
    """
    if notation == "json":
        if isinstance(formula, str):
            return f'"{formula}"'  # quotes are enough: there is no JSON around it
        return json.dumps(_to_json(formula), ensure_ascii=False)
    return _shown(formula, notation)


def _to_json(formula: Formula) -> Any:
    if isinstance(formula, list):
        return {"op": formula[0], "args": [_to_json(part) for part in formula[1:]]}
    return formula if isinstance(formula, bool) else _name(formula)


def _shown(formula: Formula, notation: str) -> str:
    if isinstance(formula, bool):
        return _CONSTANT.get(notation, ("false", "true"))[formula]
    if isinstance(formula, str):
        name = _name(formula)
        return name.replace("_", r"\_") if notation == "latex" else name
    operator, *parts = formula
    sign = _SHOWN[notation][operator]
    if operator in UNARY:
        return f"{sign}{'' if sign in '!¬' else ' '}{_part(parts[0], notation)}"
    left = _part(parts[0], notation, operator if operator in "&|" else "")
    return f"{left} {sign} {_part(parts[1], notation)}"


def _part(part: Formula, notation: str, chain: str = "") -> str:
    shown = _shown(part, notation)
    if not isinstance(part, list) or part[0] in UNARY or part[0] == chain:
        return shown
    return f"( {shown} )" if notation == "words" else f"({shown})"


@lru_cache(4096)
def _name(name: str) -> str:
    """Return a name as it can stand anywhere in a formula."""
    try:
        bare = name.lower() not in _PHRASE_HEADS and parse(name) == name
    except FormulaError:
        bare = False
    return name if bare else f'"{name}"'
