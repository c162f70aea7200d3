"""Texts of a report: names that nothing else has, stems of files, numbers in sentences, and the order of labels."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from itertools import count
from typing import Any

MINUS = "−"


def unused(name: str, taken: Container[str], form: str) -> str:
    """Return the name, or with the first number from 2 with which it is not taken; ``form``: ``{} ({})``, say."""
    if name not in taken:
        return name
    return next(text for n in count(2) if (text := form.format(name, n)) not in taken)


def unique(names: Iterable[str], form: str) -> list[str]:
    """Return the names, those that came before numbered (see `unused`)."""
    different: list[str] = []
    for name in names:
        different.append(unused(name, different, form))
    return different


def natural(text: str) -> tuple[list[Any], str]:
    """Return what texts are sorted by so that the numbers in them rise: 1 to 8, 9 to 16, 17 to 32."""
    parts: list[Any] = re.split("([0-9]+)", text)  # text and digits by turns
    digits = [part.lstrip("0") for part in parts[1::2]]
    parts[1::2] = [(len(digit), digit) for digit in digits]
    return parts, text


def stem(text: str) -> str:
    """Return a text as part of a file's name: small letters, digits, ``_``."""
    return re.sub("[^a-z0-9]+", "_", text.lower()[:60]).strip("_") or "x"


def first_four(texts: Sequence[str], end: str = ".") -> str:
    """Return the first four texts in one line, and how many more there are."""
    more = f"; and {len(texts) - 4} more" if len(texts) > 4 else ""
    return f"{'; '.join(texts[:4])}{more}{end}"


def decimal(value: float, digits: int, comma: str = "") -> str:
    """Return a number with so many digits behind the point and a true minus; never a zero with a sign.

    ``comma``: "," for commas between thousands.
    """
    text = f"{value:{comma}.{digits}f}"
    zero = float(text.replace(",", "")) == 0
    return text.removeprefix("-") if zero else text.replace("-", MINUS)


def number_text(value: float) -> str:
    """Return a number as alternative texts say it."""
    return decimal(value, 3) if abs(value) < 100 else decimal(value, 0, ",")
