"""Where an answer was read is found in the reply itself, whatever markup stands between its words."""

import random

import pytest
from harness_answers.places import place_of, read_at
from harness_answers.text import plain


@pytest.mark.parametrize(
    ("quote", "reply", "found"),
    [
        ("Answer: True", "So.\n\n**Answer:** True", "Answer:** True"),
        ("Answer: True", "Answer: True\nNo wait.\nAnswer: True\n", "Answer: True"),
        ("Answer: True", r"It holds: $\boxed{\text{True}}$.", "{True}}"),
        ("answer: true", "ANSWER: TRUE", "ANSWER: TRUE"),
        ("true", "true, untrue: construed", "true"),
        ("1964-03-24", "the 1964-03-24 (a Tuesday)", "1964-03-24"),
        ("G (a -> b)", "`G (a -> b)`", "G (a -> b)"),
        ("!a U b", "so !a U b.", "!a U b"),
        ("Final answer: no", "Final answer, at last: no", "no"),
    ],
)
def test_the_last_place_is_found(quote, reply, found):
    start, end = place_of(quote, reply)
    assert reply[start:end] == found


@pytest.mark.parametrize("quote", ["", "—", "False", "tru", "True True"])
def test_what_is_not_there_has_no_place(quote):
    assert place_of(quote, "**Answer:** True, it is untrue that") is None


def test_any_words_amid_any_markup_are_found_where_they_stand():
    rng = random.Random(5)
    marks = ["**", "_", "`", " ", "\n", " \\", "$", "> ", "\u200b ", "—", ", ", "((", "} "]
    for _ in range(3_000):
        words = [rng.choice(["true", "Falſe", "wahr", "İyi", "x1", "2024", "да"]) for _ in range(9)]
        first = rng.randrange(8)
        words[first] = "needle"
        pieces = [rng.choice(marks) + rng.choice(marks) for _ in words]
        reply = "".join(mark + word for mark, word in zip(pieces, words, strict=True))
        last = rng.randrange(first, 9)
        start, end = place_of(" ".join(words[first : last + 1]), reply)
        assert reply[start:end].strip("([{\"'!¬)]}").startswith("needle")
        assert end >= sum(map(len, pieces[: last + 1])) + sum(map(len, words[: last + 1]))
        assert end <= len(reply) - sum(map(len, words[last + 1 :]))


def test_the_sentence_names_the_line_and_the_neighbours():
    reply = "Let me see.\nIt is `x`.\n\n**Answer:** True\nBye."
    assert (
        read_at("Answer: True", reply)
        == "Read on line 4 of 5: `Let me see. It is x . **` **`Answer:** True`** `Bye.`."
    )
    assert read_at("Answer: True", "Antwort: wahr") == "Read from `Answer: True`."
    assert read_at("a", "a") == "Read on line 1 of 1: **`a`**."


def test_a_long_reply_is_looked_at_from_its_end():
    reply = "Answer: yes\n" + "word\n" * 100_000
    assert place_of("Answer: yes", reply) is None
    assert place_of("Answer: yes", f"{reply}Answer: yes") == (len(reply), len(reply) + 11)


def test_the_plain_text_of_a_reply_has_its_place():
    reply = "<think>Answer: no</think>\n<answer>yes</answer>\nthanks"
    assert plain(reply).strip().startswith("Answer: yes")
    start, end = place_of("Answer: yes", reply)
    assert reply[start:end] == "answer>yes"
