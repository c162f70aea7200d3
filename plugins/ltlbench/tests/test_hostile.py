"""Eighty thousand characters of any phrase that the answer reader looks for is read in time linear in its length."""

import pytest
from cases import slow
from harness_ltlbench.answers.extraction import extract
from pace import within

PHRASES = [
    "Correction: ", "Human: ", "Human:\n", "[x] ", "( ) True (x) False ", "Therefore, thus, hence ",
    "Answer: True (", "Answer: True, but ", "e1, (e2, ", '{"answer": ', "the naive answer is ",
    "\n\nEDIT:", "C3 is true on ", "prefix e1, cycle (e2 ", "event1–", "Counterexample: ",
    "no path where C3 is ", "\\textcolor{red}{", "¬", "Answer: !",
]  # fmt: skip


@slow
@pytest.mark.parametrize("phrase", PHRASES)
def test_much_of_it_takes_no_time(phrase):
    text = phrase * (80_000 // len(phrase))
    with within(0.5):
        for completion in (text, f"Answer: True\n{text}", f"{text}\nAnswer: True"):
            extract(completion, "C3", "the prompt")
        # Linear reading takes 0.02 s here; anything quadratic would take seconds at least.
