"""The reader: from a prompt back to the formal problem, by the text alone.

It shares no phrase with the writer, `harness_mybench.wording`:
a new phrase is entered twice.
"""

from __future__ import annotations

import re
from typing import Any

LONGEST = 20_000
MOST_EVENTS = 26

_HEAD = re.compile(
    r"There were ([0-9]{1,2}) events, A to ([A-Z]), no two of them at the same moment\."
)
_QUESTION = re.compile(r"Did event ([A-Z]) happen before event ([A-Z])\?")
_BEFORE = re.compile(r"- Event ([A-Z]) happened before event ([A-Z])\.")
_AFTER = re.compile(r"- Event ([A-Z]) happened after event ([A-Z])\.")


def read(prompt: str) -> dict[str, Any] | None:
    """Return the problem that a prompt asks, None where the text is no prompt of this benchmark.

    Text around the prompt is tolerated; a sentence in its list that is not understood is not.
    """
    if len(prompt) > LONGEST:
        return None
    head = _HEAD.search(prompt)
    question = _QUESTION.search(prompt, head.end()) if head else None
    if head is None or question is None:
        return None
    lines = prompt[head.end() : question.start()].splitlines()
    before = [_statement(line) for line in lines if line.startswith("- ")]
    events = int(head[1])
    if None in before or not 2 <= events <= MOST_EVENTS or _number(head[2]) != events - 1:
        return None
    return {"events": events, "before": sorted(filter(None, before)), "ask": _numbers(question)}


def _statement(line: str) -> list[int] | None:
    """Return the two events of a sentence, the one that happened first in front."""
    if found := _BEFORE.fullmatch(line):
        return _numbers(found)
    if found := _AFTER.fullmatch(line):
        return _numbers(found)[::-1]
    return None


def _numbers(found: re.Match[str]) -> list[int]:
    return [_number(letter) for letter in found.groups()]


def _number(letter: str) -> int:
    return ord(letter) - ord("A")
