"""Reading prompts that we did not write, or no longer as we wrote them: taken as they stand, or refused."""

from __future__ import annotations

from random import Random

import pytest
from cases import each, some
from harness_ltlbench.reading import MAX_TEXT, read
from harness_ltlbench.wording import write
from hypothesis import given, settings
from hypothesis import strategies as st
from ltl_prompts import BARE, LISTING, PROBLEM, RICH, prompts
from pace import within

QUICK = settings(max_examples=some(500), deadline=None, derandomize=True, database=None)

# -------------------------------------------------------------------- texts of other hands


PUBLISHED = """=== Context ===

Initially, event1 happened. After event1, either event2, or event3 must happen. After event2, \
event1 must happen. After event1, either event2, or event3 must happen. After event3, no other \
events can happen.

=== Hypothesis ===

C1: Event1 happens or event2 happens.
C2: C1 holds in the next state.
C3: If C1 holds, then C2 holds.

C3 is True or False?
"""


def test_the_listing_of_the_paper():
    assert read(LISTING) == PROBLEM
    assert read("As an example: " + LISTING.removeprefix("=== Context ===\n\n")) == PROBLEM


def test_a_published_question_may_share_a_statement():
    assert read(PUBLISHED) == {
        "task": "decide",
        "events": 3,
        "initial": 1,
        "edges": [[1, 2], [1, 3], [2, 1]],
        "formula": ["->", ["|", 1, 2], ["X", ["|", 1, 2]]],
    }
    assert read(PUBLISHED + "\n\nThe answer must be either 'True' or 'False'.") == read(PUBLISHED)


# ---------------------------------------------------------------------------- refusals


@each("prompt", prompts())
def test_a_truncated_prompt_is_none(prompt):
    assert all(read(prompt[:k]) is None for k in range(len(prompt)))
    start = prompt.index("Initially")
    assert all(read(prompt[k:]) is None for k in range(start + 1, len(prompt)))


@each("prompt", prompts())
def test_without_one_rule_it_is_none(prompt):
    rules = [line for line in prompt.split("\n") if line.startswith("- ")]
    for rule in rules:
        assert read(prompt.replace(rule + "\n", "")) is None
        assert read(prompt.replace(rule, rule.replace(" ", "  ", 3))) is None
        assert read(prompt.replace(rule, rule[2:])) is None
    assert (
        read(prompt.replace("=== Hypothesis", "- Event2 means event1.\n\n=== Hypothesis")) is None
    )


BARE_PROMPTS = [write(dict(p, task="decide"), w, Random(3)) for p in (PROBLEM, RICH) for w in BARE]


@each("prompt", BARE_PROMPTS)
def test_a_truncated_prompt_without_rules_is_none(prompt):
    end = prompt.index("is True or False?") + len("is True or False?")
    assert all(read(prompt[:k]) is None for k in range(end))
    assert all(read(prompt[:k]) == read(prompt) for k in range(end, len(prompt)))


@pytest.mark.parametrize("prompt", [*prompts(), *BARE_PROMPTS])
def test_one_changed_character_is_seen(prompt):
    """A changed prompt is refused or read as what it now says, which only digits can change."""
    problem, rng = read(prompt), Random(prompt)
    start = prompt.index("Initially")
    for _ in range(some(1500)):
        k = rng.randrange(start, len(prompt))
        new = rng.choice("0123456789 .,:;eEcCnto\n\x00<\u0661")
        changed = prompt[:k] + new + prompt[k + rng.randint(0, 1) :]
        result = read(changed)
        if result is not None and result != problem:
            assert new in "0123456789" or prompt[k].isdigit()
            assert read(write(result)) == result


@each(
    ("old", "new"),
    [
        ("C2: C1", "C3: C1"),
        ("C2: C1", "C1: C1"),
        ("C2: C1", "C2: C2"),
        ("C2: C1", "C2: C3"),
        ("C2: C1", "C2: C0"),
        ("C2: C1", "C2: C4"),
        ("C3 is True", "C2 is True"),
        ("C3 is True", "C4 is True"),
        ("C2: C1 always holds.", "C2: C1 always holds.\nC2: C1 eventually holds."),
        ("C2: C1 always holds.", "C2: C1 always happens."),
        ("C2: C1 always holds.", "C2: C1 holds."),
        ("C2: C1 always holds.", "C2: C1 always holds"),
        ("C2: C1 always holds.", "C2: C1 never holds."),
        ("C2 holds", "event2 holds"),
        ("C2 holds", "C2 holds, or else forever"),
        ("If event1", "That event1"),
        ("C1: Event2", "C1: Event4"),
        ("C1: Event2", "C1: Event0"),
        ("C1: Event2", "C1: Event02"),
        ("C1: Event2", "C1: Event2000"),
        ("Initially, event3", "Initially, event4"),
        ("either event2, or event3", "either event2, or event4"),
        ("either event2, or event3", "either event2, or event2"),
        ("either event2, or event3", "either event2 or event3"),
        ("either event2, or event3 must", "either event2, or event3 can"),
        ("After event2, no other events can happen. ", ""),
        ("After event2, no other events can happen.", "After event2, event1 will happen."),
        (
            "After event2, no other events can happen.",
            "After event2, no other events can happen. After event2, event1 can happen.",
        ),
        (
            "After event2, no other events can happen.",
            "After event2, event1 can happen. After event2, no other events can happen.",
        ),
        (
            "After event2, no other events can happen.",
            "After event2, event1 must happen. After event2, event3 must happen.",
        ),
        ("After event2, no other", "After event4, no other"),
        ("Initially, ", "Initially, event3 happened. Initially, "),
        ("Initially, ", "Suddenly, event2 happened. Initially, "),
        ("=== Hypothesis ===", "=== Hypotheses ==="),
        ("Answer: True", "Answer: Yes"),
    ],
)
def test_what_contradicts_itself_is_none(old, new):
    prompt = write(PROBLEM)
    assert prompt.count(old) >= 1
    assert read(prompt.replace(old, new)) is None


def test_swapped_numbers_are_read_as_they_stand():
    text = write(dict(PROBLEM, formula=["->", ["X", 1], ["F", 2]]))
    swapped = text.replace("If C1 holds, then C2 holds", "If C2 holds, then C1 holds")
    assert read(swapped)["formula"] == ["->", ["F", 2], ["X", 1]]


HEAD = "=== Context ===\nInitially, event1 happened. After event1, event1 can happen.\n"
HYPOTHESIS = "=== Hypothesis ===\n"
JUNK = [
    "",
    " ",
    "\x00" * 1000,
    "<html><body>C1 is True or False?</body></html>",
    "=== Context ===",
    "=== Hypothesis ===",
    "=== Context ======Hypothesis ===C1 is True or False?",
    "=== Context ===\n\n=== Hypothesis ===\n\nC1: Event1 happens.\n\nC1 is True or False?",
    HEAD + HYPOTHESIS + "C1 is True or False?",
    HEAD + HYPOTHESIS + "C1: Event1 happens.\n<b>C1</b> is True or False?",
    HEAD + HYPOTHESIS + "C1: C1 happens.\nC1 is True or False?",
    HEAD + "=== Rules ===\n" + HYPOTHESIS + "C1: Event1 happens.\nC1 is True or False?",
    HEAD.replace("happened.", "happened. <!-- x -->") + HYPOTHESIS + "C1: Event1 happens.\nC1 is",
    "\ud800" + HEAD,
]


@each("text", JUNK)
def test_junk_is_none(text):
    assert read(text) is None


def test_what_is_no_text_is_none():
    for value in (None, 3, b"=== Hypothesis ===", ["x"], {}):
        assert read(value) is None


@QUICK
@given(st.text(max_size=400) | st.lists(st.sampled_from(JUNK + prompts()[:2])).map("\n".join))
def test_any_text_is_read_without_an_exception(text):
    result = read(text)
    assert result is None or read(write(result)) == result


def _sized(unit: str, head: str = "", tail: str = "") -> str:
    return head + unit * ((MAX_TEXT - len(head) - len(tail)) // len(unit)) + tail


ASK = "\n" + HYPOTHESIS + "C1: Event1 happens.\n\nC1 is True or False?"
BIG = {
    "brackets": _sized("("),
    "closing brackets": _sized(")", HEAD + HYPOTHESIS, "\nC1 is True or False?"),
    "newlines": _sized("\n", HEAD + HYPOTHESIS),
    "spaces": _sized(" ", HEAD + HYPOTHESIS + "C1: Event1", "happens."),
    "spaces before the question": _sized(" ", HEAD + HYPOTHESIS + "C1: Event1 happens.\n", "x"),
    "contexts": _sized("=== Context ===\n", tail=ASK),
    "hypotheses": _sized("=== Hypothesis ==="),
    "beginnings": _sized("Initially, event1 happened. ", tail=ASK),
    "followers": _sized(
        "event1, ", "Initially, event1 happened. After event1, either ", "must happen." + ASK
    ),
    "unlike followers": _sized("After event1, either event2, or ", HEAD, ASK),
    "open followers": _sized("event2, ", HEAD + "After event2, either "),
    "letters": _sized("a", HEAD + HYPOTHESIS + "C1: Event1 ", ".\n\nC1 is True or False?"),
    "digits": _sized("1", HEAD + HYPOTHESIS + "C1: Event", " happens.\n\nC1 is True or False?"),
    "statements": _sized("C1: Event1 happens.\n", HEAD + HYPOTHESIS),
    "untils": _sized("event1 happens until ", HEAD + HYPOTHESIS + "C1: ", "."),
    "too long": HEAD + HYPOTHESIS + "C1: Event1 happens.\nC1 is True or False?" + "x" * MAX_TEXT,
}


@each("name", BIG)
def test_a_megabyte_is_refused_at_once(name):
    with within(2):
        assert read(BIG[name]) is None


def test_shared_statements_cannot_blow_up():
    def doubling(count):
        lines = ["C1: Event1 happens and event1 happens."]
        lines += [f"C{k}: C{k - 1} holds and C{k - 1} holds." for k in range(2, count + 1)]
        return HEAD + HYPOTHESIS + "\n".join(lines) + f"\n\nC{count} is True or False?"

    assert read(doubling(7))["formula"][0] == "&"
    for count in (8, 60, 199, 200, 201, 500):
        assert read(doubling(count)) is None


def test_as_many_operators_as_allowed_and_one_more():
    def chain(count):
        lines = ["C1: Event1 does not happen."]
        lines += [f"C{k}: C{k - 1} eventually holds." for k in range(2, count + 1)]
        return HEAD + HYPOTHESIS + "\n".join(lines) + f"\nC{count} is True or False?"

    assert read(chain(200)) is not None
    assert read(chain(201)) is None


def test_as_many_events_as_allowed_and_one_more():
    def ring(n):
        sentences = [f"After event{k}, event{k % n + 1} must happen." for k in range(1, n + 1)]
        return "Initially, event1 happened. " + " ".join(sentences) + ASK

    assert read(ring(1000))["events"] == 1000
    assert read(ring(1001)) is None
