"""Verdicts: mostly on answers that are wrong, and on items that are broken."""

from dataclasses import replace

import pytest
from harness_timetables.answers.score import score
from harness_timetables.config import NAME, VERSION
from harness_timetables.wording import write
from hypothesis import given
from hypothesis import strategies as st
from timetables_items import item_of, problem, train

from harness import Item

# Train 1 is caught and goes all the way at 11:00; 2 and 3 are earlier with a change; 4 is missed by a
# minute; 5 left long ago.
TRAINS = (
    train(1, (0, 605), (3, 660)),
    train(2, (0, 600), (1, 620)),
    train(3, (1, 625), (3, 640)),
    train(4, (1, 624), (3, 635)),
    train(5, (0, 500), (3, 560)),
)
ITEM = Item(
    NAME, VERSION, write(problem(*TRAINS)), "10:40", problem(*TRAINS),
    {"journey": [[2, 0, 1], [3, 1, 3]], "earliest": [600, 620, None, 640]},
)  # fmt: skip
LOST = Item(
    NAME, VERSION, "", "never", problem(*TRAINS, goal=2),
    {"journey": None, "earliest": [600, 620, None, 640]},
)  # fmt: skip


def values(item, text):
    found = score(item, text)
    return found.outcome, found.value["correct"], found.value["possible"]


@pytest.mark.parametrize(
    ("text", "correct", "possible", "late"),
    [
        ("10:40", 1, 1, 0),
        ("Answer: 10.40 am", 1, 1, 0),
        ("Answer: 11:00", 0, 1, 20),
        ("Answer: 10:35", 0, 0, None),  # missed by a minute
        ("Answer: 09:20", 0, 0, None),  # gone before the start
        ("Answer: 10:20", 0, 0, None),  # an arrival elsewhere
        ("Answer: 22:40", 0, 0, None),
        ("Answer: 10:40 pm", 0, 0, None),
        ("Answer: never", 0, 0, None),
    ],
)
def test_right_late_and_wrong(text, correct, possible, late):
    found = score(ITEM, text)
    assert found.outcome == "scored"
    assert (found.value["correct"], found.value["possible"]) == (correct, possible)
    assert found.extra.get("late") == late


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("11:00", "but also 20 minutes earlier"),
        ("10:35", "train 4 arrives at Dover at 10:35, and cannot be caught"),
        ("10:36", "no train arrives at Dover at 10:36"),
        ("never", "there is a journey to Dover"),
        ("either 10:40 or 11:00", "no single time"),
    ],
)
def test_the_verdict_says_why(text, reason):
    found = score(ITEM, f"Answer: {text}")
    assert reason in found.explanation
    assert "| 3 | Brook | 1025 | Dover | 1040 |" in found.explanation


def test_where_one_cannot_get_to_a_time_is_wrong():
    assert values(LOST, "Answer: never") == ("scored", 1, 1)
    assert values(LOST, "Answer: 10:40") == ("scored", 0, 0)
    assert (
        "Within reach: Alder 1000, Brook 1020, Dover 1040" in score(LOST, "Answer: 1").explanation
    )


@pytest.mark.parametrize(
    "change",
    [
        {"target": "10:39"}, {"target": "never"}, {"target": ""}, {"certificate": None}, {"certificate": {}},
        {"certificate": {"journey": None, "earliest": [600, 620, None, 640]}},
        {"certificate": {"journey": [[2, 0, 1], [3, 1, 3]], "earliest": [600, 620, None, 641]}},
        {"certificate": {"journey": [[2, 0, 1], [3, 1, 3]], "earliest": "600"}},
        {"problem": {}}, {"problem": None}, {"problem": [1]},
    ],
    ids=str,
)  # fmt: skip
def test_a_broken_item_is_our_fault_and_no_wrong_answer(change):
    for text in ("Answer: 10:40", "Answer: never", "", "hm"):
        found = score(replace(ITEM, **change, id="0"), text)
        assert found.outcome == "unscored"
        assert "broken" in found.explanation


@pytest.mark.parametrize("text", [None, 3, b"10:40", ["10:40"]])
def test_what_is_no_text_is_no_answer(text):
    assert values(ITEM, text) == ("unparsed", 0, 0)


@pytest.mark.parametrize(
    "text",
    [
        "Answer: " * 125_000,
        "(" * 10**6,
        "1" * 10**6,
        "10:4" * 250_000,
        "\n" * 10**6,
        "answer is " * 10**5,
        "never " * 10**5,
    ],
)
def test_long_texts_are_judged_in_no_time(text):
    assert values(ITEM, text)[1:] == (0, 0)


@given(st.text(alphabet="0127:. \nAnswernv()<>*\x00é", max_size=200))
def test_any_text_whatever_keeps_the_contract(text):
    found = score(ITEM, text)
    assert found.problems(("correct", "possible")) == []
    assert found.outcome in ("scored", "unparsed")


@given(st.integers(0, 10**6))
def test_no_answer_is_right_but_the_target(seed):
    item = item_of(seed % 7, seed)
    for answer in ("never", "00:00", "12:00", "23:59", *(f"{hour:02d}:30" for hour in range(24))):
        assert (score(item, answer).value["correct"] == 1) is (answer == item.target)
