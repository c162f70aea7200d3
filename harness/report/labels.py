"""Labels of what stands beside each other: short ones that stay different, and words that tell alike ones apart."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

_PARTS = re.compile(r"[^\W_]{1,12}|[\W_]+")  # pieces of words, and what stands between them
_ENOUGH = 400  # characters of a label that are looked at piece by piece


def shortened(text: str, limit: int) -> str:
    """Return text of at most so many characters, its middle left out if need be."""
    if len(text) <= limit:
        return text
    tail = (limit - 1) // 2
    return f"{text[: limit - 1 - tail]}…{text[len(text) - tail :] if tail else ''}"


def apart(
    texts: Iterable[str],
    limit: int | Mapping[str, int],
    clean: Callable[[str], str] = str,
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
        short = cleaned[text]
        if len(short) > limits[text]:
            short = _without_common(pieces[text], common, limits[text])
            short = shortened(short if short != "…" else cleaned[text], limits[text])
        chosen[text] = _untaken(short, limits[text], taken)
        taken.add(chosen[text])
    return {text: chosen[text] for text in limits}


def _untaken(text: str, limit: int, taken: set[str]) -> str:
    """Return the text, or its beginning with the first number from 2 with which it is not taken."""
    number, short = 2, text
    while short in taken:
        end = f" ({number})"
        number, short = number + 1, shortened(text, max(1, limit - len(end))) + end
    return short


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
        groups = [part for group in groups for part in _parted(rows, group, column, chosen)]
    for group in groups:
        for number, at in enumerate(group, 1):
            if len(group) > 1:
                chosen[at].append(f"run {number}")
    return chosen


def _parted(
    rows: Sequence[Sequence[str]], group: Sequence[int], column: int, chosen: Sequence[list[str]]
) -> list[list[int]]:
    """Return a group in parts with one word in a column each, and note the words if there are several."""
    parts: dict[str, list[int]] = {}
    for at in group:
        parts.setdefault(rows[at][column], []).append(at)
    if len(parts) > 1:
        for at in group:
            chosen[at] += [rows[at][column]] if rows[at][column] else []
    return list(parts.values())
