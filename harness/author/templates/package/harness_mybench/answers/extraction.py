"""The answer of a completion. Reading is not guessing: a text that names no single answer has none."""

from __future__ import annotations

from harness_answers.claims import read

from harness_mybench.problem import CHOICES


def extract(completion: str, prompt: str) -> str | None:
    """Return the answer of a completion: the last one that is marked, or the only word; else None.

    Thinking, markup and an echo of the prompt are left out before. An answer that is taken back or
    doubted is none, and so are two in a row that contradict each other.
    """
    answer = read(completion, prompt, _word)
    return answer.value if answer else None


def _word(text: str) -> str | None:
    """Return the choice that a text is, whatever its case and marks around it."""
    if len(text) > 100:
        return None
    word = text.strip(" \t\n.!*_'\"`").casefold()
    return word if word in CHOICES else None
