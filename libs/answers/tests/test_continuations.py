"""Behind an answer: loops that break off are completed, tasks and turns that the model made up go."""

import pytest
from cases import each
from harness_answers.continuations import first_task, first_turn, unlooped
from pace import within

PROMPT = """Which dates satisfy all of the clues below?

Clues:
1. It is a Monday.

Note: both ends count.

Answer: YYYY-MM-DD"""
ANSWERED = "Answer: 2001-01-01\n"


@each(
    "text, whole",
    [
        ("Answer: 12\nAnswer: 12\nAnswer: 1", "Answer: 12\nAnswer: 12\nAnswer: 12"),
        ("so\nAnswer: a, b\nAnswer: a, b\nAnswer: a,\n", "so\nAnswer: a, b\nAnswer: a, b\nAnswer: a, b"),
        ("x\nAnswer: 12\nx\nAnswer: 12\nx\nAnswer: 1", "x\nAnswer: 12\nx\nAnswer: 12\nx\nAnswer: 12"),
    ],
)  # fmt: skip
def test_a_loop_that_breaks_off_is_completed(text, whole):
    assert unlooped(text) == whole


@each(
    "text",
    [
        "",
        "Answer: 1",
        "Answer: 12\nAnswer: 1",  # once is no loop
        "Answer: 12\nAnswer: 13\nAnswer: 1",
        "Answer: 12\nAnswer: 12\nAnswer: 3",
        "Answer: a b\nAnswer: a b\nAnswer: a",  # the shorter one may be meant
        "Answer: 12\nAnswer: 12\nAnswer: 12",
    ],
)
def test_what_is_no_loop_or_not_broken_off_stays(text):
    assert unlooped(text) == text


@each(
    "more",
    [
        "Q: Which dates satisfy all of these?",
        "Problem 2:\nWhich dates satisfy the clues below?",
        "Now let's consider another example: Which dates satisfy both?",
        "Which dates satisfy all of them?",
        "Note: neither end counts.",
        "**Problem 2**",
        "User",
    ],
)
def test_a_task_behind_an_answer_goes(more):
    assert first_task(f"{ANSWERED}{more}\nAnswer: 1999-09-09", PROMPT) == ANSWERED


@each(
    "text",
    [
        "Which dates satisfy all of these?\nAnswer: 2001-01-01",  # before the answer
        f"{ANSWERED}Which dates satisfy all of the clues below?",  # the prompt's own line
        f"{ANSWERED}Note: I read them again, and my answer was wrong.",
        f"{ANSWERED}The problem asks for Mondays.",
        f"{ANSWERED}There are dates that satisfy all of them.",
        "",
    ],
)
def test_what_is_no_other_task_stays(text):
    assert first_task(text, PROMPT) == text


def test_without_words_in_the_prompt_there_is_no_task_like_it():
    text = f"{ANSWERED}Q: Which?\nAnswer: 1"
    assert first_task(text, "") == first_task(text, "\n: ?\n") == text


@each("mark", ["Human: and", "<|im_end|>", "</s>", "User: no"])
def test_turns_behind_the_first_go(mark):
    assert first_turn(f"Answer: 1\n{mark}\nAnswer: 2").strip() == "Answer: 1"
    assert first_turn(f"{mark}\nAnswer: 2").endswith("Answer: 2")


@pytest.mark.parametrize(
    "piece", ["Answer: 1\n", "Q: Which dates\n", "Note: I\n", "a\n", "Problem 2 "]
)
def test_long_texts_take_no_time(piece):
    text = (ANSWERED + piece * (100_000 // len(piece)))[:100_000]
    with within(0.3):
        unlooped(text)
        first_task(first_turn(text), PROMPT)
