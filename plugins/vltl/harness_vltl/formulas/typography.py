r"""Level the typography of a formula's text, before `harness_vltl.formulas.tokens` cuts it.

Nothing moves: LaTeX wrappers become blanks, so that a column is one of the text as it was written
(inside ``\text{…}`` it may be off by the width of a brace). Every pattern is linear.
"""

from __future__ import annotations

import re
import unicodedata

# A LaTeX command that only sets its argument in some type, or sets space.
_TYPE = r"text(?:rm|bf|it|sf|tt)?|math(?:rm|bf|it|sf|tt|cal|scr|frak|bb|bin|op|rel|ord)|operatorname|mbox"
TYPES = re.compile(_TYPE)
_WRAPPED = re.compile(rf"\\(?:{_TYPE})\*?[ ]?\{{([^{{}}]*)\}}(?=(\\?_|\()?)")
_OUTER = (("$$", "$$"), ("$", "$"), (r"\(", r"\)"), (r"\[", r"\]"), ("`", "`"))


class _Folded(dict[int, str | int]):
    """Styled letters and full-width signs as plain ones, one for one, so that columns stay."""

    def __missing__(self, code: int) -> int:
        plain = unicodedata.normalize("NFKC", chr(code))
        return ord(plain) if len(plain) == 1 else code


_FOLDED = _Folded({ord(c): ord(c) for c in "⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉"})
_FOLDED |= str.maketrans("“”„‘’\u200b\u2060\ufeff\ufe0e\ufe0f\u2061", '"""\'\'      ')


def fold(text: str) -> str:
    """Return text of the same length without typographic variety, outer marks and LaTeX wrappers."""
    if not text.isascii():
        text = text.translate(_FOLDED)
    text = _stripped(text)
    for _ in range(3 if "\\" in text else 0):  # \mathbin{\mathcal{U}}
        text = _WRAPPED.sub(_unwrapped, text)
    return text


def _stripped(text: str) -> str:
    bare = text.strip()
    for opening, closing in _OUTER:
        inner = bare[len(opening) : -len(closing)]
        if inner and bare == opening + inner + closing and closing not in inner:
            return " " * (text.index(bare) + len(opening)) + inner
    return text


def _unwrapped(wrapped: re.Match[str]) -> str:
    # what follows directly may go on with the name: \text{prop}_1, \mathit{search}(car)
    inner = wrapped[1].strip()
    tail = "" if wrapped[2] else " "
    return inner.rjust(len(wrapped[0]) - len(tail)) + tail
