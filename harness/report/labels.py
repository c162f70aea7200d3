"""Labels of a report: names that stay different, stems of files, numbers in sentences, orders of labels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from itertools import count
from typing import Any

from harness.core.facts import printable

MINUS = "−"
_PARTS = re.compile(r"[^\W_]{1,12}|[\W_]+")  # pieces of words, and what stands between them
_ENOUGH = 400  # characters of a label that are looked at piece by piece


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


def first_four(texts: Sequence[str]) -> str:
    """Return the first four texts in one line, and how many more there are."""
    more = f"; and {len(texts) - 4} more" if len(texts) > 4 else ""
    return f"{'; '.join(texts[:4])}{more}."


def plain(text: str) -> str:
    """Return foreign text as a label may hold it, of any length."""
    return printable(text, len(text))


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


def shortened(text: str, limit: int) -> str:
    """Return text of at most so many characters, its middle left out if need be."""
    if len(text) <= limit:
        return text
    tail = (limit - 1) // 2
    return f"{text[: limit - 1 - tail]}…{text[len(text) - tail :] if tail else ''}"


def apart(
    texts: Iterable[str], limit: int | Mapping[str, int], clean: Callable[[str], str] = str
) -> dict[str, str]:
    """Return a short form of each text, at most ``limit`` characters long; different texts have different ones.

    What a text shares with the others is left out before what is its own. ``limit`` may differ from text to text;
    ``clean`` makes each fit to be shown. Numbers tell apart what nothing else does.
    """
    limits = {text: limit if isinstance(limit, int) else limit[text] for text in texts}
    cleaned = {text: clean(text) for text in limits}
    pieces = {text: _PARTS.findall(shown[:_ENOUGH]) for text, shown in cleaned.items()}
    common = Counter(piece for parts in pieces.values() for piece in set(parts))
    chosen: dict[str, str] = {}
    taken: set[str] = set()
    # A text that need not be cut keeps its form, whatever others come to.
    for text in sorted(limits, key=lambda text: len(cleaned[text]) > limits[text]):
        short, most, number = cleaned[text], limits[text], 1
        if len(short) > most:
            short = _without_common(pieces[text], common, most)
            short = shortened(short if short != "…" else cleaned[text], most)
        chosen[text] = short
        while chosen[text] in taken:
            end = f" ({(number := number + 1)})"
            chosen[text] = shortened(short, max(1, most - len(end))) + end
        taken.add(chosen[text])
    return {text: chosen[text] for text in limits}


def _without_common(parts: Sequence[str], common: Mapping[str, int], limit: int) -> str:
    """Return the parts joined, those left out that most texts have, from the middle, until they are short enough."""
    words = [at for at, part in enumerate(parts) if part[0].isalnum()]
    if all(common[parts[at]] == 1 for at in words):
        return "".join(parts)
    kept = set(words)
    middle = len(parts) / 2
    for at in sorted(words, key=lambda at: (-common[parts[at]], abs(at - middle))):
        if len(text := _joined(parts, kept)) <= limit or common[parts[at]] == 1:
            return text
        kept.discard(at)
    return _joined(parts, kept)


def _joined(parts: Sequence[str], kept: set[int]) -> str:
    """Return the parts kept, … for each gap; signs stay between two that are kept."""
    shown: list[str] = []
    for at, part in enumerate(parts):
        beside = {near for near in (at - 1, at + 1) if 0 <= near < len(parts)}
        if at in kept or (not part[0].isalnum() and beside <= kept):
            shown.append(part)
        elif shown[-1:] != ["…"]:
            shown.append("…")
    return "".join(shown)


def told_apart(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return of each row the words that tell it from others, those of the first columns before those of later ones.

    Rows that one column has told apart need no word of the next; a row that nothing tells apart from another has its
    number among these as its last word.
    """
    chosen: list[list[str]] = [[] for _ in rows]
    groups = [list(range(len(rows)))]
    for column in range(len(rows[0]) if rows else 0):
        groups_before, groups = groups, []
        for group in groups_before:
            parts: dict[str, list[int]] = {}
            for at in group:
                parts.setdefault(rows[at][column], []).append(at)
            groups += parts.values()
            for at in group if len(parts) > 1 else ():
                chosen[at] += [rows[at][column]] if rows[at][column] else []
    for group in groups:
        for number, at in enumerate(group, 1):
            if len(group) > 1:
                chosen[at].append(f"run {number}")
    return chosen
