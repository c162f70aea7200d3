"""Judge a completion: right, wrong, or unparsed where no answer can be read."""

from __future__ import annotations

from harness import Item, Verdict
from harness_answers.text import quoted

from harness_mybench.answers.explain import worked
from harness_mybench.answers.extraction import extract


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
