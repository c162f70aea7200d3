"""Find the answer in what a model wrote; what it means is up to the verifier.

The library's own extraction takes the last ``<answer>…</answer>`` and gives 0 where there is none: who was
not understood and who was wrong become one. Here the answer is what stands between the tags, or behind the last
``Answer:`` to the end of the text, in as many lines as it has. Several that differ are none.
"""

from __future__ import annotations

import re

from harness_answers.text import without_thinking

MAX_ANSWER = 20_000
"""Characters of an answer that a verifier is given."""

MAX_TEXT = 200_000
"""Characters of a completion that are looked at, from the end."""

_TAG = re.compile(r"<answer>(.*?)</answer>", re.DOTALL | re.IGNORECASE)
_MARK = re.compile(
    r"^[ \t*_#>]{0,9}(?:final )?answer[ \t*_]{0,4}:(?:\*\*)?[ \t]*", re.IGNORECASE | re.MULTILINE
)


def marked(completion: str) -> list[str]:
    """Return what is marked as the answer, in order; empty texts are left out."""
    text = without_thinking(completion)[-MAX_TEXT:]
    tagged = [match[1].strip() for match in _TAG.finditer(text)]
    if not tagged:
        begins = list(_MARK.finditer(text))
        ends = [*(mark.start() for mark in begins), len(text)][1:]
        tagged = [text[mark.end() : end].strip() for mark, end in zip(begins, ends, strict=True)]
    return [answer for answer in tagged if answer]


def only(answers: list[str]) -> str | None:
    """Return the one answer there is; None where there is none, or they differ, or it is beyond all length."""
    return answers[0] if len(set(answers)) == 1 and len(answers[0]) <= MAX_ANSWER else None
