"""The reader on what the writer writes, and on what it does not."""

from __future__ import annotations

from random import Random

import pytest

from harness_mybench.reading import read
from harness_mybench.wording import FORMS, write

PROBLEM = {"events": 4, "before": [[0, 1], [2, 0], [3, 1]], "ask": [2, 1]}
PROMPT = write(PROBLEM, Random(3))


def test_every_form_is_read_back() -> None:
    prompts = {write(PROBLEM, Random(seed)) for seed in range(50)}
    assert all(any(form.format(a="C", b="A") in text for text in prompts) for form in FORMS)
    assert all(read(text) == PROBLEM for text in prompts)


def test_text_around_the_prompt_is_tolerated() -> None:
    assert read(f"Think first.\n\n{PROMPT}\n\n- Take care.") == PROBLEM


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("4 events", "5 events"),
        ("4 events", "99 events"),
        ("A to D", "A to Z"),
        ("- Event", "- Perhaps event"),
        ("Did event", "Did the event"),
        ("There were", "There are"),
        ("This is", "This is" * 10_000),
    ],
)
def test_what_is_not_understood_is_no_prompt(old: str, new: str) -> None:
    assert old in PROMPT
    assert read(PROMPT.replace(old, new)) is None
