"""The answer of a completion. Reading is not guessing: a text that names no single answer has none."""

from __future__ import annotations

from harness_answers.text import last_marked, plain

from harness_mybench.problem import CHOICES


def extract(completion: str, prompt: str) -> str | None:
    """Return the answer of a completion: the last one that is marked, or the only word; else None.

    Thinking, markup and an echo of the prompt are left out before. Two marked answers in a row
    that contradict each other are none.
    """
    text = plain(completion, prompt)
    marked = last_marked(text)
    if marked is None:
        return _word(text)
    answer = _word(marked.content)
    return None if marked.above and _word(marked.above) != answer else answer


def _word(text: str) -> str | None:
    """Return the choice that a text is, whatever its case and marks around it."""
    if len(text) > 100:
        return None
    word = text.strip(" \t\n.!*_'\"`").casefold()
    return word if word in CHOICES else None
