"""Foreign text in drawings: made harmless, measured, shortened and wrapped."""

from __future__ import annotations

import unicodedata

EM = 0.6  # width of a column of text, in font sizes; exact for the style ``mono``, at most so for others


def columns(words: str) -> int:
    """Return how many columns of `EM` font sizes a text takes at most: 2 a wide character, 1 any other."""
    if words.isascii():
        return len(words)
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in words)


def plain(words: str) -> str:
    """Return foreign text in one line: white space as blanks, what does not print as U+FFFD.

    Characters that turn the direction of writing do not print.
    """
    return "".join(
        char if char.isprintable() else " " if char.isspace() else "\ufffd" for char in words
    )


def shortened(words: str, room: int) -> str:
    """Return foreign text as a line of at most ``room`` columns; a longer one ends in "…", if it can after a word."""
    line = plain(words[: room + 1])
    if columns(line) <= room:
        return line
    return f"{_cut(line, room - 1)}…"


def _cut(line: str, room: int) -> str:
    """Return the beginning of a longer line, up to its last blank in that room unless half would be lost."""
    head = line
    while columns(head) > room:
        head = head[:-1]
    whole, blank, _ = line[: len(head) + 1].rpartition(" ")
    return whole.rstrip() if blank and 2 * columns(whole) >= room else head.rstrip()


def wrapped(words: str, room: int, most: int) -> list[str]:
    """Return foreign text as at most ``most`` lines of ``room`` columns; the last ends in "…" if it is cut."""
    lines = [""]
    for word in plain(words[: room * (most + 1)]).split():
        if columns(f"{lines[-1]} {word}".lstrip()) <= room:
            lines[-1] = f"{lines[-1]} {word}".lstrip()
        else:
            lines.append(shortened(word, room))
    lines = [line for line in lines if line]
    if len(lines) > most or len(words) > room * (most + 1):
        last = "".join(lines[most - 1 : most]).rstrip("…")
        last = _cut(last, room - 1) if columns(last) > room - 1 else last
        lines = [*lines[: most - 1], f"{last.rstrip()}…"]
    return lines
