"""Scoring: set arithmetic, what is said of each wrong date, and our own failures told apart."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest
from cases import each, some
from harness_timepuzzles.answers import score as module
from harness_timepuzzles.answers.extraction import extract
from harness_timepuzzles.answers.score import MAX_EXPLANATION, score
from harness_timepuzzles.clues import catalogue
from harness_timepuzzles.config import BENCHMARK
from harness_timepuzzles.metrics import VALUES, values
from hypothesis import given, settings
from hypothesis import strategies as st

from harness import Item, Row, Verdict
from harness.core.items import to_json
from harness.kit.kit import HUGE, JUNK
from harness.run import stats


def make(
    target: str, clues: list[dict[str, Any]], ends: tuple[str, str] = ("1990-01-01", "2009-12-31")
) -> Item:
    prompt = "Which dates satisfy all of the clues below?\n\nEnd with\nAnswer: YYYY-MM-DD\nor\nAnswer: none"
    return Item("timepuzzles", "1.0", prompt, target, {"range": list(ends), "clues": clues})


# Mondays of March 1999: the clues are numbered 1 to 3.
CLUES = [
    {"type": "year", "year": 1999},
    {"type": "month", "month": 3},
    {"type": "weekday", "weekday": 0},
]
MONDAYS = ["1999-03-01", "1999-03-08", "1999-03-15", "1999-03-22", "1999-03-29"]
ITEM = make(", ".join(MONDAYS), CLUES)
ONE = make("1999-03-04", [*CLUES[:2], {"type": "day_of_month", "day": 4}])
EMPTY = make("none", [*CLUES, {"type": "month", "month": 4}])
ITEMS = (ITEM, ONE, EMPTY)


def judged(item: Item, text: Any) -> Verdict:
    verdict = score(item, text)
    assert verdict.problems(VALUES) == []
    assert len(verdict.explanation) <= MAX_EXPLANATION
    to_json(verdict).encode()
    return verdict


def rounded(verdict: Verdict) -> list[Fraction]:
    return [Fraction(verdict.value[name]).limit_denominator(10_000) for name in VALUES]


# ------------------------------------------------------------------------------- the values


@pytest.mark.parametrize("item", ITEMS)
def test_the_target_is_right_in_any_order_and_writing(item: Item) -> None:
    days = item.target.split(", ")
    for text in (
        item.target, f"Answer: {item.target}", "Answer: " + " and ".join(reversed(days)),
        f"Answer: {item.target}, {item.target}" if days != ["none"] else "Answer: []",
        f"<think>Answer: 1990-01-01</think>**Answer:** {item.target}.",
    ):  # fmt: skip
        verdict = judged(item, text)
        assert verdict.outcome == "scored"
        assert set(verdict.value.values()) == {1.0}
        assert verdict.answer == item.target == verdict.extra["vote"]
        published = verdict.extra["published_answer"]
        assert verdict.extra == {
            "missing": 0,
            "superfluous": 0,
            "impossible": 0,
            "vote": item.target,
            "published_answer": published,
        }
        assert verdict.explanation.startswith("**Right**")


CASES = {  # exact, precision, recall, f1, jaccard for the five Mondays
    "1999-03-01": (0, 1, Fraction(1, 5), Fraction(1, 3), Fraction(1, 5)),
    "1999-03-01, 1999-03-08": (0, 1, Fraction(2, 5), Fraction(4, 7), Fraction(2, 5)),
    "1999-03-02": (0, 0, 0, 0, 0),
    "1999-03-01, 1999-03-02": (0, Fraction(1, 2), Fraction(1, 5), Fraction(2, 7), Fraction(1, 6)),
    ", ".join([*MONDAYS, "1999-03-02"]): (0, Fraction(5, 6), 1, Fraction(10, 11), Fraction(5, 6)),
    ", ".join([*MONDAYS, "1999-02-30"]): (0, Fraction(5, 6), 1, Fraction(10, 11), Fraction(5, 6)),
    ", ".join([*MONDAYS[1:], "2050-01-01"]):
        (0, Fraction(4, 5), Fraction(4, 5), Fraction(4, 5), Fraction(2, 3)),
    "1999-03-01 to 1999-03-31": (0, Fraction(5, 31), 1, Fraction(5, 18), Fraction(5, 31)),
    "none": (0, 0, 0, 0, 0),
    "1999-02-30": (0, 0, 0, 0, 0),
}  # fmt: skip


@each(("said", "expected"), CASES.items())
def test_partly_right(said: str, expected: tuple[Any, ...]) -> None:
    verdict = judged(ITEM, f"Answer: {said}")
    assert verdict.outcome == "scored"
    assert rounded(verdict) == [Fraction(number) for number in expected]


@pytest.mark.parametrize("said", ["1999-03-01", "1999-02-30", "1999-03-04, 2001-01-01"])
def test_one_of_the_sets_empty_is_all_wrong(said: str) -> None:
    for verdict in (judged(EMPTY, f"Answer: {said}"), judged(ITEM, "Answer: none")):
        assert verdict.outcome == "scored"
        assert set(verdict.value.values()) == {0.0}


DAYS = [str(date(1999, 3, 1) + timedelta(number)) for number in range(6)]
SETS = st.frozensets(st.sampled_from(DAYS))


@settings(max_examples=some(150), deadline=None)
@given(SETS, SETS)
def test_the_values_are_those_of_counting_one_by_one(
    gold: frozenset[str], said: frozenset[str]
) -> None:
    found = values(gold, said)
    hits = [day for day in DAYS if day in gold and day in said]
    union = [day for day in DAYS if day in gold or day in said]
    if not union:
        expected = dict.fromkeys(VALUES, Fraction(1))
    elif not gold or not said:
        expected = dict.fromkeys(VALUES, Fraction(0))
    else:
        p, r = Fraction(len(hits), len(said)), Fraction(len(hits), len(gold))
        f1 = 2 * p * r / (p + r) if hits else Fraction(0)
        exact = Fraction(all((day in gold) == (day in said) for day in DAYS))
        expected = {"exact": exact, "precision": p, "recall": r, "f1": f1,
                    "jaccard": Fraction(len(hits), len(union))}  # fmt: skip
    assert found.keys() == expected.keys()
    for name in VALUES:
        assert found[name] == float(expected[name]), name
        assert (found[name] == 1) is (expected[name] == 1)


def test_the_same_numbers_come_out_of_texts() -> None:
    """All pairs of subsets of four days, through an item whose label they are."""
    days = [date(1999, 3, number) for number in (1, 2, 3, 4)]
    subsets = [[str(day) for at, day in enumerate(days) if mask >> at & 1] for mask in range(16)]
    for gold, said in product(subsets, repeat=2):
        # A clue per day outside the label shuts that day out.
        clues = [
            {"type": "periods", "periods": [[day, day] for day in gold] or [["1990-01-01"] * 2]}
        ]
        if not gold:
            clues.append({"type": "year", "year": 1999})
        verdict = judged(
            make(", ".join(gold) or "none", clues), f"Answer: {', '.join(said) or 'none'}"
        )
        assert verdict.outcome == "scored"
        assert dict(verdict.value) == values(frozenset(gold), frozenset(said))
        assert verdict.extra["missing"] == len(set(gold) - set(said))
        assert verdict.extra["superfluous"] == len(set(said) - set(gold))


@each("item", ITEMS)
@each("text", [*JUNK, "Answer: unknown", "Answer: not 1999-03-04", None, 7, b"Answer: none"])
def test_what_is_no_answer_is_unparsed(item: Item, text: Any) -> None:
    verdict = judged(item, text)
    assert verdict.outcome == "unparsed"
    assert verdict.answer is None
    assert not any(verdict.value.values())
    assert "vote" not in verdict.extra
    assert verdict.explanation.startswith("**Unparsable**")


@pytest.mark.parametrize(
    "said", ["none (no date satisfies all clues)", "none, because clue 4 contradicts clue 2"]
)
def test_none_with_a_reason_is_none_and_nothing_more(said: str) -> None:
    assert judged(EMPTY, f"Answer: {said}").value["exact"] == 1
    assert judged(ITEM, f"Answer: {said}").value["exact"] == 0
    assert judged(EMPTY, f"Answer: {said}, but 1999-03-01").outcome == "unparsed"
    assert judged(EMPTY, "```\nanswer = []\n```").outcome == "unparsed"


def test_dates_on_marked_lines_below_each_other_are_one_answer() -> None:
    text = "\n".join(f"Answer: {day}" for day in MONDAYS)
    assert judged(ITEM, text).value["exact"] == 1
    assert judged(ITEM, text.replace("\n", "\nThen again:\n")).value["exact"] == 0


def test_huge_texts_are_unparsed() -> None:
    for text in HUGE:
        assert judged(ITEM, text).outcome == "unparsed"


@pytest.mark.parametrize("item", ITEMS)
def test_the_prompt_itself_scores_nothing(item: Item) -> None:
    for text in (item.prompt, item.prompt + "\n", "Sure.\n" + item.prompt, item.prompt[60:]):
        assert judged(item, text).outcome == "unparsed"


@pytest.mark.parametrize("item", ITEMS)
def test_a_cut_off_target_is_never_all_right(item: Item) -> None:
    text = f"Answer: {item.target}"
    for end in range(len(text)):
        if text[end:].strip(" .)\"'"):
            assert judged(item, text[:end]).value["exact"] == 0


# ------------------------------------------------------------------------------- what is said


def test_a_wrong_date_names_the_clues_it_breaks() -> None:
    said = judged(ITEM, f"Answer: {ITEM.target}, 1999-03-02, 1999-04-06, 2000-05-02").explanation
    assert said.startswith("**Wrong**: answered 8 dates, gold is 5 dates")
    assert f"- 1999-03-02 breaks clue 3: `{sentence(2)}`\n" in said
    assert f"- 1999-04-06 breaks clue 2: `{sentence(1)}` (and clue 3)\n" in said
    assert f"- 2000-05-02 breaks clue 1: `{sentence(0)}` (and clues 2, 3)" in said
    assert "Missing" not in said


def sentence(at: int) -> str:
    return catalogue.parse(CLUES[at]).sentence()


def test_dates_that_are_missing_outside_or_unreal() -> None:
    said = judged(
        ITEM, "Answer: 1999-03-01, 1899-03-06, 2100-01-01, 1999-02-30, 0000-01-01"
    ).explanation
    assert "Missing: 1999-03-08, 1999-03-15, 1999-03-22, 1999-03-29." in said
    assert "- 1899-03-06 is outside of the range from 1990-01-01 to 2009-12-31" in said
    assert "- 2100-01-01 is outside" in said
    assert "- 1999-02-30 does not exist" in said
    assert "- 0000-01-01 does not exist" in said


def test_an_unreal_date_is_in_the_answer_and_counted() -> None:
    verdict = judged(ITEM, "Answer: 30 February 1999, 1999-03-01")
    assert verdict.answer == "1999-02-30, 1999-03-01"
    assert verdict.extra["impossible"] == 1
    assert verdict.extra["superfluous"] == 1
    assert verdict.extra["missing"] == 4


def test_a_right_answer_says_why() -> None:
    assert "All clues hold on every date" in judged(ITEM, ITEM.target).explanation
    assert "No date satisfies all clues" in judged(EMPTY, "none").explanation


def test_ten_are_shown_and_nothing_more_is_counted() -> None:
    said = judged(ITEM, "Answer: 1999-04-01 to 1999-04-10").explanation
    assert said.count("breaks clue") == 10
    assert "more" not in said
    assert "answered 10 dates, gold is 5 dates" in said
    days = [str(date(1995, 1, number)) for number in range(1, 11)]
    whole = make(", ".join(days), [{"type": "periods", "periods": [["1995-01-01", "1995-01-10"]]}])
    assert f"Missing: {', '.join(days)}." in judged(whole, "none").explanation
    assert "answered 1 date, gold is 10 dates" in judged(whole, "1995-01-01").explanation


@pytest.mark.parametrize("count", [9, 10])
def test_the_numbers_of_many_broken_clues_are_cut(count: int) -> None:
    item = make("none", [{"type": "year", "year": 1990 + number} for number in range(count)])
    said = judged(item, "Answer: 2009-01-01").explanation
    more = " and 1 more" if count == 10 else ""
    assert f"(and clues 2, 3, 4, 5, 6, 7, 8, 9{more})" in said


def test_a_long_explanation_ends_with_a_whole_line() -> None:
    clues = [{"type": "years", "years": list(range(1700, 1720))} for _ in range(20)]
    said = judged(make("none", clues), "Answer: 1999-04-01 to 1999-04-30").explanation
    assert len(said) <= MAX_EXPLANATION
    assert said.endswith(("\n…", "superfluous."))
    assert max(map(len, said.splitlines())) < 250


def test_long_lists_are_cut_in_the_explanation_and_nowhere_else() -> None:
    verdict = judged(ITEM, "Answer: 1999-04-01 to 1999-06-30")
    assert verdict.extra["superfluous"] == 91
    assert verdict.explanation.count("breaks clue") == 10
    assert "81 more are superfluous." in verdict.explanation
    days = [str(date(1995, 1, 1) + timedelta(number)) for number in range(365)]
    whole = make(", ".join(days), [{"type": "year", "year": 1995}])
    verdict = judged(whole, "Answer: 1995-12-31")
    assert verdict.extra["missing"] == 364
    assert "1995-01-10 and 354 more." in verdict.explanation
    many = make("none", [{"type": "year", "year": year} for year in range(1990, 2009)])
    assert "more)" in judged(many, "Answer: 1995-12-31").explanation
    assert "1995" in (judged(many, "Answer: 1995-12-31").answer or "")


@each("foreign", ["`</code><script>", "``` \n# h", "\x1b[31m", "| a | b |", "\ud800", "*" * 5000])
def test_what_the_model_wrote_cannot_break_out_of_the_explanation(foreign: str) -> None:
    said = judged(ITEM, f"{foreign}\nAnswer: {foreign}").explanation
    assert said.count("`") % 2 == 0
    assert "\x1b" not in said
    assert "\n#" not in said
    quoted = judged(ITEM, f"{foreign}\n\nAnswer: 1999-03-01").explanation
    assert quoted.count("`") in (2, 4)


def test_right_and_wrong_in_words_agree_with_the_values() -> None:
    for item, text in product(
        ITEMS, [*(item.target for item in ITEMS), "1999-03-01", "2001-01-01", "1999-02-29"]
    ):
        verdict = judged(item, f"Answer: {text}")
        assert verdict.explanation.startswith("**Right**") is (verdict.value["exact"] == 1)
        answer = extract(f"Answer: {text}")
        assert not isinstance(answer, str)
        same = sorted([*answer.dates, *answer.impossible]) == sorted(
            set(item.target.split(", ")) - {"none"}
        )
        assert same is (verdict.value["exact"] == 1)


# ----------------------------------------------------------------------------- our own failures

BROKEN = {
    "no problem": replace(ITEM, problem=None, id=""),
    "a list for a problem": replace(ITEM, problem=[], id=""),
    "no clues": replace(ITEM, problem={"range": ["1990-01-01", "2009-12-31"]}, id=""),
    "no range": replace(ITEM, problem={"clues": CLUES}, id=""),
    "half a range": replace(ITEM, problem={"clues": CLUES, "range": ["1990-01-01"]}, id=""),
    "no dates in range": replace(ITEM, problem={"clues": CLUES, "range": ["1990", "2009"]}, id=""),
    "an unreal range": replace(ITEM, problem={"clues": CLUES, "range": ["1990-02-30", "2009-12-31"]}, id=""),
    "numbers in range": replace(ITEM, problem={"clues": CLUES, "range": [1, 2]}, id=""),
    "an unknown clue": make(ITEM.target, [{"type": "no such"}]),
    "a clue that is none": make(ITEM.target, ["Monday"]),  # type: ignore[list-item]
    "a clue without its parameter": make(ITEM.target, [{"type": "year"}]),
    "an empty target": make("", CLUES),
    "a capital none": make("None", CLUES),
    "an unordered target": make("1999-03-08, 1999-03-01", CLUES),
    "a target twice": make("1999-03-01, 1999-03-01", CLUES),
    "a target with semicolons": make("1999-03-01; 1999-03-08", CLUES),
    "an unreal target": make("1999-02-30", CLUES),
    "a basic target": make("19990301", CLUES),
    "a week for a target": make("1999-W09-1", CLUES),
    "words for a target": make("the Mondays", CLUES),
    "a target that breaks a clue": make("1999-03-01, 1999-03-02", CLUES),
    "a target outside": make("1999-03-01", CLUES, ("2000-01-01", "2009-12-31")),
}  # fmt: skip


@each("what", BROKEN)
def test_an_item_that_is_broken_is_not_held_against_the_model(what: str) -> None:
    for text in ("Answer: 1999-03-01", "Answer: none", "no idea", ""):
        verdict = score(BROKEN[what], text)
        assert verdict.problems(VALUES) == []
        assert verdict.outcome == "unscored"
        assert verdict.answer is None
        assert verdict.explanation
        assert "\n" not in verdict.explanation
        assert len(verdict.explanation) < 400


def test_the_message_says_what_the_problem_lacks() -> None:
    for what in ("no problem", "a list for a problem", "no clues"):
        assert "no list of 'clues'" in score(BROKEN[what], "none").explanation
    for what in ("no range", "half a range", "no dates in range", "numbers in range"):
        assert "no 'range' of two dates" in score(BROKEN[what], "none").explanation
    assert "ascending order" in score(BROKEN["an empty target"], "none").explanation


def test_the_message_says_which_clue_the_label_breaks() -> None:
    said = score(BROKEN["a target that breaks a clue"], "Answer: none").explanation
    assert "the label is wrong: 1999-03-02 breaks clue 3" in said


def test_a_label_that_misses_a_date_is_our_failure() -> None:
    short = make(", ".join(MONDAYS[:-1]), CLUES)
    verdict = score(short, f"Answer: {ITEM.target}")
    assert verdict.outcome == "unscored"
    assert "the label misses 1999-03-29" in verdict.explanation
    assert score(short, f"Answer: {short.target}").value["exact"] == 1
    assert score(make("none", CLUES), "Answer: 1999-03-01").outcome == "unscored"
    # behind the ten that are explained as well
    early = ", ".join(str(date(1990, 1, 1) + timedelta(number)) for number in range(30))
    assert score(short, f"Answer: {early}, 1999-03-29").outcome == "unscored"


def test_a_defect_of_ours_is_unscored_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("a\nb")

    monkeypatch.setattr(module, "extract", broken)
    verdict = score(ITEM, "Answer: none")
    assert verdict.outcome == "unscored"
    assert "ZeroDivisionError while scoring: a b" in verdict.explanation


# ------------------------------------------------------------------------------------- metrics


def row(item: Item, text: str) -> Row:
    found = score(item, text)
    return Row(item.target, found.answer, found.outcome, found.value, {}, None, found.extra)


def mean(name: str, rows: list[Row]) -> float:
    return stats.value_of(next(one for one in BENCHMARK.metrics if one.name == name), rows)


def test_shares_of_none_and_of_unreal_dates() -> None:
    rows = [
        row(ITEM, f"Answer: {said}") for said in ("none", "1999-02-30", "1999-03-01", "unknown")
    ]
    assert mean("none_claimed", rows) == 0.25
    assert mean("impossible", rows) == 0.25
    rows.append(row(BROKEN["no problem"], "Answer: none"))
    assert mean("none_claimed", rows) == 0.25
    assert mean("none_claimed", [row(EMPTY, "none")]) == 1
    assert mean("impossible", [row(EMPTY, "none")]) == 0


def test_shares_of_nothing_are_no_number() -> None:
    for rows in ([], [row(BROKEN["no problem"], "Answer: none")]):
        assert mean("none_claimed", rows) != mean("none_claimed", rows)
        assert mean("impossible", rows) != mean("impossible", rows)


def test_a_clue_counts_from_its_first_certain_day_to_its_last() -> None:
    first, last, day = date(2000, 1, 10), date(2000, 1, 12), timedelta(days=1)
    clue = SimpleNamespace(bounds=(first, last), holds=lambda _: False)
    problem: Any = SimpleNamespace(first=first, last=last, clues=[clue])
    gold = module._Gold(frozenset(), problem, False)
    days = (first - day, first, first + day, last, last + day)
    assert [gold.broken(one) for one in days] == [[], [1], [1], [1], []]
    assert [gold.in_range(one) for one in days] == [False, True, True, True, False]


def test_none_and_one_date_are_said_as_such() -> None:
    assert "answered none, gold is" in judged(ITEM, "Answer: none").explanation
    assert "answered 1 date, gold is" in judged(ITEM, f"Answer: {MONDAYS[0]}").explanation
    assert (
        "answered 2 dates, gold is"
        in judged(ITEM, f"Answer: {MONDAYS[0]}, {MONDAYS[1]}").explanation
    )
