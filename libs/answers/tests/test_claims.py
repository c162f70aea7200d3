"""The claim that counts, of a type of the reader's own; and the README's example."""

import doctest
from pathlib import Path

import pytest
from harness_answers.claims import read

README = Path(__file__).parents[1] / "README.md"


def number(text):
    return int(text) if text.isdecimal() else None


def test_the_readme_runs():
    result = doctest.testfile(str(README), module_relative=False)
    assert result.attempted > 6
    assert result.failed == 0


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("Answer: 7", 7),
        ("7", 7),
        ("Answer: 6\n\nAnswer: 7", 7),
        ("<think>Answer: 6</think>7", 7),
        ("**Answer**: `7`.", 7),
        ("Answer: 6\n\nCorrection: 7", 7),
        ("Answer: {'answer': '7'", 7),
        ("The result is 7", 7),
        ("Answer: {'total': 7}", 7),
        ("Answer: 6\nAnswer: 7", None),
        ("Answer: 7?", None),
        ("Answer: maybe 7", None),
        ("Answer: 7\n\nI retract this answer.", None),
        ("Answer: 7\n\nWait, that is wrong.", None),
        ("Answer: 6\n\nAnswer: unknown", None),
        ("<think>Answer: 7", None),
        ("I get 7 there, and then more.", None),
        ("", None),
    ],
)
def test_the_last_final_claim_that_is_not_taken_back_counts(reply, value):
    found = read(reply, "How many?", number, names="result", keys=("total",))
    assert (found and found.value) == value
