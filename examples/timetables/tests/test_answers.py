"""What is read as an answer, and mostly what is not."""

import pytest
from harness_timetables.answers.extraction import MAX_LINE, MAX_TEXT, extract
from harness_timetables.clock import clock
from hypothesis import given
from hypothesis import strategies as st

MORNING = [
    "7:05", "07:05", "0705", "07:05.", " 07:05\n", "7.05 am", "7:05AM", "07:05 a.m.",
    "Answer: 7:05", "Answer: 07.05", "Answer: 0705", "answer: 7h05", "Answer: 07:05:00", "Answer: 07:05 hrs",
    "**Answer:** 07:05", "**Answer: 07:05**", "Answer: **07:05**", "Answer: `07:05`", "Answer: $07:05$",
    "### Answer: 07:05", "> Answer: 07:05", "- Answer: 07:05", "Answer = 07:05", "Answer:\n07:05",
    "Answer:\n\n**07:05**",
    "The answer is 7:05 a.m.", "So, the final answer is: 7:05 AM.", "Therefore the answer is 07:05",
    r"\boxed{07:05}", r"Hence $\boxed{7:05}$.", r"Answer: \boxed{7:05}", r"\boxed{\text{07:05}}",
    '{"answer": "07:05"}', "{'answer': '07:05'}", "Answer: 07:05 (train 12, then 7)",
    "<think>Answer: 09:00? No.</think>Answer: 07:05", "<think>9:00</think>\n\n07:05",
    "I am there at 8:00.\nNo, at 9:00.\nAnswer: 07:05", "Answer: 07:05\nAnswer: 7:05 am",
    "So you can be at Inch at 07:05.", "Answer: ０７：０５", "Answer:\u200b 07\u200b:05",
]  # fmt: skip
NOTHING = [
    "", " ", "?", "Answer:", "Answer: ", "Answer: HH:MM", "I don't know.", "Answer: I don't know",
    "None of the above.",
    # Two times, or no commitment to one.
    "Answer: either 7:05 or 7:15", "either 7:05 or 7:15", "Answer: 7:05 or 7:15", "Answer: 7:05, 7:15",
    "Answer: 7:05/7:15", "Answer: 07:05-07:15", "Answer: 07:05 – 07:15", "Answer: between 07:05 and 07:15",
    "Answer: 7:05\nAnswer: 7:15", r"\boxed{07:05} \boxed{07:15}", "Answer: 7:05\nAnswer: HH:MM",
    "Answer: 7:05 am or 7:05 pm", "Answer: never or 07:05", "Answer: never, 07:05", "Answer: never\nAnswer: 07:05",
    "Answer: about 07:05", "Answer: ~07:05", "Answer: around 7:05", "Answer: 07:05?", "Answer: maybe 07:05",
    "Answer: after 07:05", "Answer: before 07:05", "Answer: no later than 07:05", "Answer: at least 07:05",
    "Answer: not 07:05", "Answer: it isn't 07:05", "Answer: 07:05 if train 12 waits", "Answer: 07:05, no, wait",
    "Answer: never?", "Answer: not impossible", "Answer: never or maybe",
    # No such time.
    "Answer: 7:65", "Answer: 07:60", "Answer: 24:00", "Answer: 27:05", "Answer: 2705", "Answer: 17:05 pm",
    "Answer: 0:05 pm", "Answer: 13 am", "Answer: 7", "Answer: 7:0", "Answer: 7:5", "Answer: 705", "Answer: 107:05",
    "Answer: 07:055", "Answer: 07:05:30", "Answer: 07:05.5", "Answer: -7:05", "Answer: v7:05", "Answer: 1.07:05",
    "Answer: five past seven", "Answer: 7,05", "Answer: train 12", "Answer: 07 05",
    # Thinking that does not end, or that is all there is.
    "<think>" + "hm " * MAX_TEXT + "Answer: 07:05", "<THINK>Answer: 07:05", "<thinking>07:05",
    "<think>Answer: 07:05", "<think>07:05</think>", "Answer: 07:05<think>hm", "<reasoning>07:05",
    # Not the answer of anything.
    "In 2024 I took train 1205 at noon.", "Train 12 leaves at 0640 and arrives at 0705.",
    "x" * (MAX_LINE + 1) + " 07:05",
    "Answer: " + "x" * MAX_LINE + " 07:05", "Answer: 07:05" + "\nblah" * MAX_TEXT, "{}", "[]", "null",
]  # fmt: skip


def test_a_time_is_read_in_the_ways_it_is_written():
    assert [text for text in MORNING if extract(text) != "07:05"] == []


@pytest.mark.parametrize(
    "text",
    ["19:05", "7:05 pm", "Answer: 7.05 p.m.", "Answer: 7:05PM", "Answer: 1905", "Answer: 19h05"],
)
def test_an_evening_is_no_morning(text):
    assert extract(text) == "19:05"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Answer: 12:05 am", "00:05"), ("Answer: 12:05 pm", "12:05"), ("Answer: 12 pm", "12:00"),
        ("Answer: 7 p.m.", "19:00"),
        ("never", "never"), ("Answer: Never.", "never"), ("Answer: **never**", "never"),
        (r"\boxed{\text{never}}", "never"),
        ("Answer: It is impossible.", "never"), ("Dover cannot be reached today.", "never"),
    ],
)  # fmt: skip
def test_other_answers(text, answer):
    assert extract(text) == answer


def test_what_commits_itself_to_nothing_is_no_answer():
    assert [text for text in NOTHING if extract(text) is not None] == []


@given(st.integers(0, 1439), st.integers(0, 1439))
def test_two_different_times_are_a_hedge_in_any_order(one, other):
    texts = [
        f"Answer: {clock(one)} or {clock(other)}",
        f"Answer: {clock(one)}\nAnswer: {clock(other)}",
    ]
    expected = clock(one) if one == other else None
    assert extract(texts[0]) is None
    assert extract(texts[1]) == expected


@given(st.integers(0, 1439))
def test_every_minute_is_read_back(minute):
    hour, rest = divmod(minute, 60)
    half = f"{hour % 12 or 12}:{rest:02d} {'pm' if hour > 11 else 'am'}"
    for text in (
        clock(minute),
        f"Answer: {hour}.{rest:02d}",
        f"Answer: {half}",
        f"Answer: {hour:02d}{rest:02d}",
    ):
        assert extract(text) == clock(minute)


# Of what answers are made of, so that many are nearly one.
PIECES = st.lists(
    st.sampled_from((*"0127:. \n/-~", "Answer:", "is", "never", "7:05", "07.15", "pm", "or", "not",
                     "\\boxed{", "}", "<think>", "</think>")),
    max_size=12,
).map("".join)  # fmt: skip


@given(PIECES)
def test_any_text_whatever_is_an_answer_or_none(text):
    found = extract(text)
    assert found is None or found == "never" or extract(found) == found
