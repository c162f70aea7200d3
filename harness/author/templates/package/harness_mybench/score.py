"""Judge a completion. Reading is not guessing: a text that names no single answer is unparsed."""

from __future__ import annotations

from harness import Item, Verdict
from harness_answers.text import last_marked, plain, quoted

from harness_mybench.config import CHOICES
from harness_mybench.explain import worked


def score(item: Item, completion: str) -> Verdict:
    """Judge any text whatever; never raises."""
    answer = extract(completion, item.prompt)
    if answer is None:
        tail = quoted(completion.strip()[-100:])
        why = f"**Unparsed**: no answer can be read. The reply ends with {tail}."
        return Verdict("unparsed", {"accuracy": 0.0}, None, why)
    right = answer == item.target
    verdict = "Right" if right else "Wrong"
    why = f"**{verdict}**: answered {answer}, it is {item.target}. {worked(item) or ''}".strip()
    return Verdict("scored", {"accuracy": float(right)}, answer, why)


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
