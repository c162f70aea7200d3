"""What is read of an answer, and what is not."""

from __future__ import annotations

import pytest
from harness import Item

from harness_mybench.answers.score import score

PROBLEM = {"events": 3, "before": [[0, 1], [1, 2]], "ask": [0, 2]}
PROMPT = (
    'Did event A happen before event C? End with one of the lines "Answer: yes" and "Answer: no".'
)
CERTIFICATE = {"label": "yes", "chain": [0, 1, 2], "orders": None}
ITEM = Item("x", "1", PROMPT, "yes", PROBLEM, CERTIFICATE, {})

READ = [
    ("yes", "yes"),
    ("Yes.", "yes"),
    ("Answer: **yes**", "yes"),
    ("A came before B, and B before C.\n\n**Answer: yes**", "yes"),
    ("Answer: no\nWait, that is wrong.\nAnswer: yes", "yes"),
    ("<think>Answer: no</think>\nAnswer: unknown", "unknown"),
    (r"\boxed{no}", "no"),
    ("Answer:\n\nUnknown", "unknown"),
]
UNPARSED = [
    "",
    "maybe",
    "Answer: maybe",
    "Answer: yes or no",
    "Answer: yes\nAnswer: no",
    "Answer: not known",
    "I don't know.",
    "yes and no",
    "<think>Answer: yes",
    PROMPT,
    "Answer: " + "yes " * 50_000,
]


@pytest.mark.parametrize(("completion", "answer"), READ)
def test_what_is_read(completion: str, answer: str) -> None:
    verdict = score(ITEM, completion)
    assert (verdict.outcome, verdict.answer) == ("scored", answer)
    assert verdict.value == {"accuracy": float(answer == "yes")}
    assert "A came before B, that B came before C. So A came before C." in verdict.explanation


@pytest.mark.parametrize("completion", UNPARSED)
def test_what_is_not_read(completion: str) -> None:
    verdict = score(ITEM, completion)
    assert (verdict.outcome, verdict.answer) == ("unparsed", None)
    assert verdict.value == {"accuracy": 0.0}
    assert len(verdict.explanation) < 300
