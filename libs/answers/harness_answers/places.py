"""Where in a reply stands what was read from its plain text: its line, and the place marked amid its neighbours."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate, islice

from harness_answers.text import MAX_TEXT, quoted

_AROUND = 60
_TRIES = 50
_RUN = re.compile(r"[^\W_]+")
_MARK = re.compile(r"\W*(?:final\s{1,9})?answer\W+(?=\w)", re.IGNORECASE)  # a box may stand instead


def place_of(quote: str, reply: str) -> tuple[int, int] | None:
    """Return where in a reply a piece of its plain text begins and ends, the last time it occurs; None: nowhere.

    Letters and digits alone are compared, as markup goes when a text is made plain. The last `MAX_TEXT`
    characters of the reply are looked at.
    """
    begin = max(0, len(reply) - MAX_TEXT)
    runs = _RUN.findall(reply, begin)
    text = _lowered("".join(runs))
    ends = list(accumulate(map(len, runs)))
    for words in (quote, _MARK.sub("", quote, count=1)):
        key = _lowered("".join(_RUN.findall(words)))
        at = text.rfind(key) if key else -1
        for _ in range(_TRIES):
            if at < 0:
                break
            first, last = bisect_right(ends, at), bisect_right(ends, at + len(key) - 1)
            if at == ends[first] - len(runs[first]) and at + len(key) == ends[last]:
                places = list(islice(_RUN.finditer(reply, begin), first, last + 1))
                start, end = places[0].start(), places[-1].end()
                # With the brackets, quotation marks and negations that adjoin it.
                before = reply[max(0, start - _AROUND) : start]
                after = reply[end : end + _AROUND]
                start -= len(before) - len(before.rstrip("([{\"'!¬"))
                return start, end + len(after) - len(after.lstrip(")]}\"'"))
            at = text.rfind(key, 0, at + len(key) - 1)  # it was a part of a longer word
    return None


def _lowered(text: str) -> str:
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)  # a few letters grow


def read_at(quote: str, reply: str) -> str:
    """Return a sentence of Markdown that says where a reply was read, with that place in bold amid its neighbours.

    Args:
        quote: what was read: a piece of the reply's plain text.
        reply: what the model wrote.
    """
    place = place_of(quote, reply)
    if place is None:
        return f"Read from {quoted(quote)}."
    start, end = place
    before, after = reply[max(0, start - _AROUND) : start], reply[end : end + _AROUND]
    pieces = (
        quoted(before) if re.search(r"\w", before) else "",
        f"**{quoted(reply[start:end], 200)}**",
        quoted(after) if re.search(r"\w", after) else "",
    )
    line, lines = reply.count("\n", 0, start) + 1, reply.count("\n") + 1
    return f"Read on line {line} of {lines}: {' '.join(filter(None, pieces))}."
