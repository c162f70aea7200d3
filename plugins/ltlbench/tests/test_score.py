"""Scoring: right is only what is right, wrong only what is wrong, and the rest is said apart."""

from __future__ import annotations

import csv
import time
import unicodedata
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest
from cases import each, some
from harness_ltlbench.answers import score as module
from harness_ltlbench.answers import verdicts
from harness_ltlbench.answers.score import MAX_EXPLANATION, published, score
from harness_ltlbench.published.adopt import adopt
from harness_ltlbench.wording import write
from hypothesis import given, settings
from hypothesis import strategies as st
from pace import pace, within

from harness import Item
from harness.core.items import to_json

NAMES = ("accuracy", "label")
RESPONSES = Path(__file__).parents[4] / "shared/data/ltlbench/responses"


def make(formula: Any, target: str, violation: Any = None, **problem: Any) -> Item:
    full = {
        "task": "counterexample",
        "events": 3,
        "initial": 3,
        "edges": [[3, 1], [1, 2], [2, 1], [2, 2]],
        "formula": formula,
        **problem,
    }
    certificate = {"violation": violation, "witness": None, "contrast": None, "walk": None}
    return Item("ltlbench", "1.0", write(full), target, full, certificate)


# event1 always comes back: fails on 3, 1, (2), and on 3, 1, 2, 1, (2), but not on 3, (1, 2).
FALSE = make(["G", ["F", 1]], "False: event3, event1, (event2)", {"prefix": [3, 1], "cycle": [2]})
TRUE = make(["F", 1], "True")
DECIDE_FALSE = make(["G", ["F", 1]], "False", {"prefix": [3, 1], "cycle": [2]}, task="decide")
DECIDE_TRUE = make(TRUE.problem["formula"], "True", task="decide")
ITEMS = (FALSE, TRUE, DECIDE_FALSE, DECIDE_TRUE)


def values(item: Item, text: Any) -> tuple[str, float, float]:
    verdict = score(item, text)
    assert verdict.problems(NAMES) == []
    assert len(verdict.explanation) <= MAX_EXPLANATION
    to_json(verdict).encode()
    return verdict.outcome, verdict.value["accuracy"], verdict.value["label"]


RIGHT, PATH_WRONG, WRONG = ("scored", 1.0, 1.0), ("scored", 0.0, 1.0), ("scored", 0.0, 0.0)
UNPARSED, UNSCORED = ("unparsed", 0.0, 0.0), ("unscored", 0.0, 0.0)


@pytest.mark.parametrize("item", ITEMS)
def test_the_target_is_right_and_the_other_word_wrong(item: Item) -> None:
    assert values(item, f"Answer: {item.target}") == RIGHT
    assert values(item, "Answer: False" if item.target == "True" else "Answer: True") == WRONG


@each(
    ("path", "expected", "reason"),
    [
        ("event3, event1, (event2)", RIGHT, "fails on the path"),
        ("event3, event1, event2, event1, (event2, event2)", RIGHT, "fails on the path"),
        ("event3, (event1, event2)", PATH_WRONG, "the hypothesis holds on it"),
        ("event3, (event1)", PATH_WRONG, "after event1 only event2 can happen"),
        ("event3, event2, (event2)", PATH_WRONG, "after event3 only event1 can happen"),
        ("event1, (event2)", PATH_WRONG, "starts at event1, not at event3"),
        ("event3, event1, (event4)", PATH_WRONG, "there is no event4"),
        ("event0, (event1)", PATH_WRONG, "there is no event0"),
        ("event3, event1, event2", PATH_WRONG, "cannot be read"),
        ("event3, event1, (event2), (event2)", PATH_WRONG, "cannot be read"),
        ("event1, event2, (event3, ev", ("unparsed", 0.0, 0.0), "the path is cut off"),
        ("", PATH_WRONG, "no path is given"),
        ("because C1 fails", PATH_WRONG, "no path is given"),
        ("event3, event1, (event2" + ", event2" * 5000 + ")", PATH_WRONG, "longer than"),
    ],
)
def test_a_counterexample_is_judged_by_what_it_is(
    path: str, expected: tuple[str, float, float], reason: str
) -> None:
    text = f"Answer: False: {path}"
    assert values(FALSE, text) == expected
    assert reason in score(FALSE, text).explanation
    # Where only the label is asked for, the path is no matter.
    assert values(DECIDE_FALSE, text) == RIGHT
    assert values(DECIDE_TRUE, text) == WRONG


@each(
    ("text", "unread"),
    [
        ("Answer: False: event3, event1, event2", True),
        ("event3, event1, (event2)\n\nAnswer: False", True),
        ("Answer: False", False),
        ("C1 fails at event2.\n\nAnswer: False", False),
        ("Answer: False: event3, event1, (event2)", False),
    ],
)
def test_a_path_that_is_not_read_is_flagged(text: str, unread: bool) -> None:
    verdict = score(FALSE, text)
    assert (verdict.extra.get("path_unread") == "yes") is unread
    if unread:
        assert values(FALSE, text) == PATH_WRONG
        assert "read" in verdict.explanation


def test_a_sink_repeats_and_nothing_else_does() -> None:
    item = make(["F", 2], "False: event1, (event3)", {"prefix": [1], "cycle": [3]},
                initial=1, edges=[[1, 3], [1, 2], [2, 1]])  # fmt: skip
    assert values(item, "Answer: False: event1, (event3)") == RIGHT
    assert values(item, "Answer: False: (event1, event3)") == PATH_WRONG
    assert "no other event can happen" in score(item, "Answer: False: (event1, event3)").explanation
    assert values(item, "Answer: False: (event1)") == PATH_WRONG


def test_every_short_path_is_judged_as_its_definition_says() -> None:
    edges, right = {tuple(edge) for edge in FALSE.problem["edges"]}, 0
    for length in range(1, 5):
        for path in product((1, 2, 3), repeat=length):
            for loop in range(length):
                steps = [*pairwise(path), (path[-1], path[loop])]
                legal = path[0] == 3 and all(step in edges for step in steps)
                violates = legal and 1 not in path[loop:]  # G F event1 fails
                names = [f"event{event}" for event in path]
                text = ", ".join([*names[:loop], f"({', '.join(names[loop:])})"])
                expected = RIGHT if violates else PATH_WRONG
                assert values(FALSE, f"Answer: False: {text}") == expected, text
                right += violates
    assert right > 2


def test_the_targets_of_other_items_win_only_where_they_are_right() -> None:
    always_two = make(["G", ["!", 2]], "False: event3, (event1, event2)",
                      {"prefix": [3], "cycle": [1, 2]})  # fmt: skip
    items = (*ITEMS, always_two)
    for item, other in product(items, items):
        label = item.target[:4] == other.target[:4]
        verdict = values(item, f"Answer: {other.target}")
        if item.problem["task"] == "decide" or not label or item.target == "True":
            assert verdict == (RIGHT if label else WRONG)
        else:  # a path of the one is a counterexample to the other, or it is not
            wins = other.target != "False" and not (item is FALSE and other is always_two)
            assert verdict == (RIGHT if wins else PATH_WRONG)


@pytest.mark.parametrize("item", ITEMS)
def test_no_beginning_of_a_right_answer_is_right_before_it_is_complete(item: Item) -> None:
    text = f"C1 is judged first.\n\nAnswer: {item.target}"
    for end in range(len(text)):
        outcome, accuracy, _ = values(item, text[:end])
        assert accuracy == 0.0, text[:end]
        if end < text.index(item.target) + 4:
            assert outcome == "unparsed", text[:end]


@each("item", ITEMS)
@each(
    "text",
    ["", "   ", "Answer:", "True or False", "Answer: True or False", "I cannot tell.", "either",
     "It is true that I do not know.", "Maybe.", "\x00" * 50, "\ud800", "<think>Answer: True",
     "Answer: True\nAnswer: False", None, 7, b"Answer: True", ["True"]],
)  # fmt: skip
def test_what_is_no_answer_is_unparsed_and_never_wrong(item: Item, text: Any) -> None:
    assert values(item, text) == UNPARSED
    verdict = score(item, text)
    assert verdict.answer is None
    assert "Unparsable" in verdict.explanation


@pytest.mark.parametrize("item", ITEMS)
def test_an_echo_of_the_prompt_is_unparsed(item: Item) -> None:
    assert values(item, item.prompt) == UNPARSED
    assert values(item, f"{item.prompt}\n\n{item.prompt}") == UNPARSED
    assert values(item, f"{item.prompt}\n\nAnswer: {item.target}") == RIGHT


def test_constants_earn_the_share_of_their_class() -> None:
    for text, wins in (("Answer: True", [TRUE, DECIDE_TRUE]), ("Answer: False", [DECIDE_FALSE])):
        assert [item for item in ITEMS if values(item, text)[1]] == wins


def test_thinking_does_not_count() -> None:
    text = "<think>Answer: True</think>\n\nAnswer: False"
    assert values(DECIDE_FALSE, text) == RIGHT
    assert values(DECIDE_TRUE, text) == WRONG


# ---------------------------------------------------------------------------- our own failures


@each(
    "broken",
    [
        {"target": "Maybe"}, {"target": ""}, {"problem": None}, {"problem": {}},
        {"problem": {**FALSE.problem, "task": "sing"}},
        {"problem": {**FALSE.problem, "formula": ["G", 9]}},
        {"problem": {**FALSE.problem, "formula": ["?", 1]}},
        {"problem": {**FALSE.problem, "events": "3"}},
        {"problem": {**FALSE.problem, "initial": None}},
        {"problem": {**FALSE.problem, "edges": 5}},
        {"certificate": {"violation": {"prefix": [3], "cycle": [1]}}},
        {"certificate": {"violation": {"prefix": [3], "cycle": [1, 2]}}},
        {"certificate": {"violation": "3, 1"}},
    ],
)  # fmt: skip
@each("text", ["Answer: False: event3, event1, (event2)", "Answer: True", "?"])
def test_a_broken_item_is_our_failure_not_the_answers(broken: dict[str, Any], text: str) -> None:
    item = Item.from_dict({**FALSE.to_dict(), "id": "", **broken})
    assert values(item, text) == UNSCORED
    assert score(item, text).explanation


def test_an_exception_is_our_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> bool:
        raise ZeroDivisionError("boom`</code>\nmore")

    monkeypatch.setattr(module.lasso, "holds", fail)
    new = replace(FALSE)  # an item is checked once
    assert values(new, "Answer: True") == UNSCORED
    assert score(new, "x").explanation == "`ZeroDivisionError while scoring: boom </code> more`"


def test_a_valid_counterexample_to_a_true_label_accuses_the_item() -> None:
    lying = make(FALSE.problem["formula"], "True")
    text = "Answer: False: event3, event1, (event2)"
    assert values(lying, text) == UNSCORED
    assert "the item is wrong" in score(lying, text).explanation
    assert values(lying, "Answer: False: event3, (event1, event2)") == WRONG
    assert values(lying, "Answer: False") == WRONG


def test_items_without_a_certificate_are_scored() -> None:
    for certificate in (None, {}, {"violation": None}):
        item = Item.from_dict({**DECIDE_FALSE.to_dict(), "certificate": certificate, "id": ""})
        assert values(item, "Answer: False") == RIGHT
        assert values(item, "Answer: True") == WRONG


# ---------------------------------------------------------------------- answer and explanation


def test_the_answer_is_normalised() -> None:
    text = "**False**: `Event3 -> event 1 -> (event2)^ω`"
    assert score(FALSE, text).answer == "False: event3, event1, (event2)"
    assert score(FALSE, "Answer: false: event3").answer == "False"
    assert score(DECIDE_FALSE, text).answer == "False"
    assert score(TRUE, "TRUE!").answer == "True"


def test_the_explanation_shows_where_the_hypothesis_fails() -> None:
    assert score(DECIDE_FALSE, "Answer: True").explanation == (
        "**Wrong**: answered True, gold is False.\n\n"
        "Read on line 1 of 1: **`Answer: True`**.\n\n"
        "The hypothesis fails on the path event3, event1, (event2)\n\n"
        "| part, true (✓) at | event3 | event1 | ↻ event2 |\n"
        "| --- | --- | --- | --- |\n"
        "| C1 `(F event1)` | ✓ | ✓ | ✗ |\n"
        "| C2 `(G (F event1))` | ✗ | ✗ | ✗ |\n\n"
        "The last row is the hypothesis, and it fails at the first event. "
        "The events from ↻ on repeat forever."
    )


def test_the_explanation_shows_the_items_path_or_the_answers_own() -> None:
    assert (
        "fails on the path event3, event1, (event2)"
        in score(DECIDE_FALSE, "Answer: False").explanation
    )
    own = score(FALSE, "Answer: False: event3, event1, event2, (event2)").explanation
    assert "fails on the path event3, event1, event2, (event2)" in own
    assert "fails on the path event3, event1, (event2)" in score(FALSE, "Answer: True").explanation


def test_the_table_numbers_the_statements_as_the_prompt_does() -> None:
    formula = ["&", ["|", ["F", 2], ["F", 2]], ["G", 3]]
    item = make(formula, "False", {"prefix": [3], "cycle": [1, 2]}, task="decide")
    shown = score(item, "Answer: True").explanation
    for row in ("C1, C2 `(F event2)`", "C3 `((F event2) ∨ (F event2))`", "C4 `(G event3)`"):
        assert f"| {row} |" in shown
    single = make(1, "False", {"prefix": [3], "cycle": [1, 2]}, task="decide")
    assert "| C1 `event1` | ✗ |" in score(single, "Answer: True").explanation
    for prompt in ("C1: one\nC4: four", write(item.problem, "paper")):
        other = Item.from_dict({**item.to_dict(), "prompt": prompt, "id": ""})
        assert "| `(F event2)` |" in score(other, "Answer: True").explanation


def test_the_explanation_is_bounded() -> None:
    formula: Any = 1
    for _ in range(99):
        formula = ["G", ["F", formula]]
    long = make(formula, "False", {"prefix": [3] + [1, 2] * 9, "cycle": [2]}, task="decide")
    assert values(long, "Answer: True") == WRONG
    assert "later events are left out" in score(long, "Answer: True").explanation
    wide = make(formula, "False", {"prefix": [3] + [1, 2] * 2000, "cycle": [2]}, task="decide")
    assert "too many for a table" in score(wide, "Answer: True").explanation


@each(
    "hostile",
    ["`code`", "<script>alert(1)</script>", "![x](http://a.b/c)", "| a | b |", "a\nb\n# c", "**b**",
     "\ud800\u202e\x1b[31m", "`" * 50],
)  # fmt: skip
def test_foreign_text_is_quoted_as_code(hostile: str) -> None:
    for text in (f"Answer: False: {hostile}", f"Answer: True {hostile}", hostile):
        for item in ITEMS:
            shown = score(item, text).explanation
            outside = "".join(shown.split("`")[::2])
            assert shown.count("`") % 2 == 0
            assert not any(sign in outside for sign in ("<", "](", "# ", "\x1b", "\u202e", "alert"))


# ----------------------------------------------------------------------- the paper's convention


@each(
    ("text", "expected"),
    [("", "False"), ("no idea", "False"), ("True", "True"), ("truth", "False"), ("untrue", "True"),
     ("True. That is not false.", "False"), ("False? TRUE!", "True"), ("falsetrue", "True")],
)  # fmt: skip
def test_the_published_convention_is_kept_beside(text: str, expected: str) -> None:
    assert published(text) == expected
    for item in ITEMS:
        assert score(item, text).extra["published"] == expected
        unparsed = text in ("", "no idea", "truth")
        assert (score(item, text).extra.get("published_unparsed") == "yes") is unparsed
    silent = {"published": "False", "published_unparsed": "yes"}
    assert score(FALSE, None).extra == silent  # type: ignore[arg-type]


# (right, wrong, unparsed) by us; right by the published convention.
REAL = {
    "300_2_events_2_deepseek-reasoner_direct.csv": ((222, 48, 30), 239),
    "300_2_events_2_gpt-5-mini_few_shot_cot.csv": ((293, 7, 0), 293),
    "300_2_events_2_qwen-turbo_direct.csv": ((212, 88, 0), 212),
}


@pytest.mark.skipif(not RESPONSES.is_dir(), reason=f"no published responses at {RESPONSES}")
@pytest.mark.parametrize("name", REAL)
def test_real_responses(name: str) -> None:
    with (RESPONSES / name).open(newline="") as file:
        rows = list(csv.DictReader(file))
    counts, theirs = {"right": 0, "wrong": 0, "unparsed": 0}, 0
    for row in rows:
        item = adopt(row)
        assert item is not None
        verdict = score(item, row["prediction_raw"])
        assert verdict.problems(NAMES) == []
        # -1 where no answer was found; the published analysis takes all but 1 for False
        assert (verdict.extra["published"] == "True") is (row["prediction"] == "1")
        assert ("published_unparsed" in verdict.extra) is (row["prediction"] == "-1")
        theirs += verdict.extra["published"] == row["answer"]
        kind = "right" if verdict.value["accuracy"] else "wrong"
        counts["unparsed" if verdict.outcome == "unparsed" else kind] += 1
    assert ((counts["right"], counts["wrong"], counts["unparsed"]), theirs) == REAL[name]


# ------------------------------------------------------------------------------ any text, speed


@settings(max_examples=some(75), deadline=None)
@given(st.text(), st.sampled_from(ITEMS))
def test_no_text_raises_or_wins_by_chance(text: str, item: Item) -> None:
    outcome, accuracy, _ = values(item, text)
    assert outcome in ("scored", "unparsed")
    if not accuracy:
        return
    low = unicodedata.normalize("NFKC", text).lower()
    assert any(word in low for word in ("true", "false", *verdicts.MEANING))


@pytest.mark.parametrize(
    "text", ["(" * 10**6, "Answer: False: " + "event1, (" * 10**5, "C1 is " * 10**5], ids="abc"
)
def test_hostile_text_is_fast(text: str) -> None:
    with within(1.0):
        assert values(FALSE, text)[1] == 0.0


def test_the_longest_path_is_judged_in_bounded_time() -> None:
    formula: Any = ["F", 3]
    for _ in range(25):
        formula = ["U", formula, ["G", formula if formula[0] == "F" else ["F", 1]]]
    item = make(formula, "True")
    path = "event3, " + "event1, event2, " * 2000 + "(event1, event2)"
    with within(3.0):
        score(item, f"Answer: False: {path}")


def test_short_answers_are_scored_fast() -> None:
    texts = ("Answer: True", "**False**", "C1 fails.\n\nAnswer: False", "no idea")
    best = 1.0
    for _ in range(5):
        started = time.process_time()
        for _ in range(25):
            for text in texts:
                score(DECIDE_FALSE, text)
        best = min(best, (time.process_time() - started) / 100)
    assert best < 1 / 2_000 or best < pace() / 2_000  # 1/15,000 here
