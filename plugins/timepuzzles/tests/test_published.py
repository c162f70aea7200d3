"""Published records: adopted, written again, audited, read in other ways; and what is none of them."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from random import Random
from typing import Any

import pytest
from cases import each, slow
from harness_timepuzzles import certificate, config, engines, generate
from harness_timepuzzles.answers.score import score
from harness_timepuzzles.clues import catalogue
from harness_timepuzzles.problem import SCHEMA, Problem
from harness_timepuzzles.published import audit as published_audit
from harness_timepuzzles.published import entries as published_meta
from harness_timepuzzles.published import publish as published_write
from harness_timepuzzles.published import readings as published_readings
from harness_timepuzzles.published import sentences as published_sentences
from harness_timepuzzles.published.adopt import FORMAT, adopt
from harness_timepuzzles.published.scoring import PUBLISHED, extracted
from tp_published import CASES, YEARS, case_of, days, record

from harness import Abstained, DatasetError, HarnessError, Item, Row
from harness.core.items import to_json
from harness.core.schemas import schema_errors

DEFAULTS = {k: s["default"] for k, s in config.CONFIG["properties"].items()}


def adopted(given: dict[str, Any], **settings: Any) -> Item:
    item = adopt(given, settings)
    assert item is not None
    return item


def solved(item: Item, engine: str = "masks") -> str:
    return engines.solve(item.problem, engine).answer


def kinds(item: Item) -> set[str]:
    return {finding["kind"] for finding in published_audit.audit(item)}


# ------------------------------------------------------------------------------------ adopting


def test_a_published_record_has_no_form_between_the_two() -> None:
    with pytest.raises(DatasetError, match="an implicit and an explicit form only"):
        adopted(record(0), mode="spelled")


@slow
@each("number", range(len(CASES)))
def test_every_type_of_entry_means_what_plain_code_finds(number: int) -> None:
    given = record(number)
    for mode in ("implicit", "explicit"):
        item = adopted(given, mode=mode)
        expected = ", ".join(given["solutions"]) or "none"
        assert item.target == expected
        assert solved(item) == solved(item, "arithmetic") == expected
        assert not schema_errors(SCHEMA, item.problem)
        assert not schema_errors(config.ANSWER, item.target)
        assert "findings" not in item.notes
        assert "uncompared" not in item.notes
        shown = given["constraints" if mode == "implicit" else "explicit_constraints"]
        assert f"- {shown[0]}\n" in item.prompt
        assert item.notes["source_id"] == given["identifier"]
        assert json.loads(to_json(item))["notes"]["format"] == FORMAT


def test_every_type_that_can_be_read_has_a_case() -> None:
    assert {case[0]["type"] for case in CASES} == set(published_meta.TYPES)


@each("number", range(len(CASES)))
def test_the_explicit_form_may_be_missing_where_nothing_hangs_on_it(number: int) -> None:
    given = record(number)
    del given["explicit_constraints"]
    needs = given["constraints_meta"][0]["type"] == "western_zodiac"
    if needs or given["constraints_meta"][0].get("person") == "Ada of the Reeds":
        with pytest.raises(DatasetError, match="'constraints_meta' 1: "):
            adopt(given, {})
    else:
        assert solved(adopted(given)) == (", ".join(given["solutions"]) or "none")
        with pytest.raises(DatasetError, match="'explicit_constraints' is missing, which mode="):
            adopt(given, {"mode": "explicit"})


def test_two_forms_are_one_problem() -> None:
    given = record(0, case_of("kb_event", level="year", value=1993))
    one, other = adopted(given, mode="implicit"), adopted(given, mode="explicit")
    assert (one.family, one.problem, one.target) == (other.family, other.problem, other.target)
    assert one.id != other.id
    assert one.id[:12] == other.id[:12]
    assert (one.features["mode"], other.features["mode"]) == ("implicit", "explicit")


def test_several_constraints_together() -> None:
    rng = Random(6)
    for _ in range(12):
        given = record(*rng.sample(range(len(CASES)), rng.randint(2, 6)))
        item = adopted(given)
        assert solved(item) == item.target
        assert item.features["solutions"] == len(given["solutions"])
        assert not item.notes.get("findings")


def test_a_label_is_kept_whatever_it_is() -> None:
    given = record(0, 9)
    rng = Random(3)
    for wrong in (
        given["solutions"][1:],
        [*given["solutions"], "1991-02-06"],
        [],
        ["1789-07-14"],
        [s for s in given["solutions"] if rng.random() < 0.5],
    ):
        item = adopted(given | {"solutions": wrong, "solution_count": len(wrong)})
        assert item.target == (", ".join(sorted(wrong)) or "none")
        assert solved(item) != item.target
        evidence = score(
            replace(item, target=solved(item), id=""), f"Answer: {item.target}"
        ).explanation
        assert "breaks clue" in evidence or "Missing: " in evidence
        live = score(item, f"MY ANSWER: {item.target}")
        assert (live.outcome, live.value["exact"]) == ("scored", 1)
        assert "no other answer is right" not in live.explanation


def test_labels_are_put_in_order_and_the_published_form_is_kept() -> None:
    given = record(case_of("explicit_year"), case_of("last_day_of_month"), case_of("season"))
    back = [*given["solutions"][::-1], given["solutions"][0] + "T00:00:00"]
    item = adopted(given | {"solutions": back})
    assert item.target == ", ".join(given["solutions"])
    assert item.notes["label"] == back
    assert any("twice" in finding for finding in item.notes["findings"])
    assert any("solution_count" not in f for f in item.notes["findings"])
    counted = adopted(given | {"solution_count": 99})
    assert any("'solution_count' is 99" in finding for finding in counted.notes["findings"])


def test_the_range_of_years() -> None:
    assert adopted(record(0)).problem["range"] == ["1990-01-01", "1998-12-31"]
    given = record(0, case_of("explicit_year"))
    del given["year_range"]
    item = adopted(given)
    assert item.problem["range"] == ["1800-01-01", "2050-12-31"]
    assert "range_assumed" in kinds(item)
    again = published_write.publish(item, FORMAT, {})
    assert again is not None
    assert "year_range" not in again


def test_a_chinese_clue_narrows_the_range_only_where_nothing_is_lost() -> None:
    dog, year = case_of("chinese_zodiac"), case_of("explicit_year")
    narrowed = adopted(record(dog, year, years=(1790, 2050)))
    assert narrowed.problem["range"] == ["1800-01-01", "2050-12-31"]
    assert solved(narrowed) == solved(narrowed, "arithmetic")
    assert "beyond_calendar" not in kinds(narrowed)
    # The Dog's years before 1800 are nobody's knowledge here, so the label is not judged.
    wide = adopted(record(dog, 0, years=(1790, 2050)))
    assert wide.problem["range"] == ["1790-01-01", "2050-12-31"]
    for engine in ("masks", "arithmetic", "days"):
        with pytest.raises(Abstained):
            solved(wide, engine)
    assert "beyond_calendar" in kinds(wide)
    assert "Chinese calendar before 1900" not in published_readings.readings(wide)


def test_a_label_that_leaves_chinese_years_before_1900_out_is_wrong_and_a_reading_says_why() -> (
    None
):
    given = record(case_of("chinese_zodiac"), 0, case_of("month", value=5), years=(1800, 2050))
    item = adopted(given)
    assert solved(item) == solved(item, "arithmetic")
    late = solved(adopted(given | {"year_range": [1901, 2050]}))
    assert late in solved(item)
    ways = {late: (False, True), solved(item): (True, False)}
    for target, (before, since) in ways.items():
        found = published_readings.readings(replace(item, target=target, id=""))
        assert found["Chinese calendar before 1900"] == {
            "as it was": before,
            "no day counts": since,
        }


# ------------------------------------------------------------------------------------- prompts


def test_the_prompt_says_no_more_than_the_published_one() -> None:
    item = adopted(record(0, 9))
    assert "1990" not in item.prompt
    assert "1998" not in item.prompt
    assert item.prompt.count("\n- ") == 2
    assert item.prompt.endswith("Answer: none")


def test_a_prompt_that_the_record_brings_is_kept() -> None:
    given = record(0, case_of("kb_event", level="year", value=1993))
    own = "Which? " + " ".join(given["constraints"]) + " The year is within the range 1990 to 1998."
    item = adopted(given | {"prompt": own})
    assert item.prompt == own
    assert "range_unstated" not in kinds(item)
    spelled = adopted(given | {"prompt": "Which? " + " ".join(given["explicit_constraints"])})
    assert spelled.features["mode"] == "explicit"


# -------------------------------------------------------------------- sentences and their entries

DIFFERENT: list[tuple[int, str]] = [
    (0, "It is a Wednesday."),
    (2, "It is a Sunday or Tuesday."),
    (3, "It is a Friday, Monday, or Sunday."),
    (4, "It is after the 2nd of the month."),
    (4, "It is before the 3rd of the month."),
    (9, "It is March."),
    (9, "It is Winter."),
    (11, "It is a FIFA World Cup year."),
    (12, "The year satisfies year % 4 == 2, year >= 1930, and is not 1942 or 1946."),
    (14, "It is Spring."),
    (16, "It is the 3rd Friday of the month."),
    (16, "It is the 2nd to last Friday of the month."),
    (18, "It is the 1st Monday of the month."),
    (20, "It is the last Monday of the year."),
    (22, "It is the 31st of the month."),
    (25, "It is the first day of the month."),
    (27, "The year is 1995."),
    (28, "The year is in the 1980s."),
    (30, "It is the Year of the Pig according to Chinese lunar calendar."),
    (31, "It is the 2nd month of the Chinese lunar calendar."),
    (32, "The sun (zodiac) sign is Leo."),
    (34, "Bo is alive."),
    (36, "Bill Clinton is alive."),
    (36, "George W. Bush is the President of the United States."),
    (38, "It is the same month as the first day that the Hare sailed around the Reed Islands."),
    (38, "It is the same year as the last day that the Hare sailed around the Reed Islands."),
    (38, "It is the same year as the first day that the Fox sailed around the Reed Islands."),
    (42, "It is a year in which the Fox sailed around the Reed Islands."),
    (0, "The date is between March 22 and April 18."),
    (0, "The date is between March 14, 1879 and April 18, 1955."),
]


@each("number, sentence", DIFFERENT)
def test_a_sentence_that_says_something_else_is_found(number: int, sentence: str) -> None:
    given = record(number) | {"constraints": [sentence]}
    findings = adopted(given).notes["findings"]
    assert len(findings) == 1
    assert findings[0].startswith(f"constraint 1, '{sentence[:40]}")
    assert "\n" not in findings[0]


@each(
    "sentence",
    ["It was on a Tuesday.", "It is the 31st of February, 1999.", "Tuesday", "It is a Noneday.",
     "The date is between February 30, 1990 and March 01, 1991.", "It is a " + "Tuesday, " * 200],
)  # fmt: skip
def test_a_sentence_in_other_words_is_left_alone_and_counted(sentence: str) -> None:
    item = adopted(record(0) | {"constraints": [sentence]})
    assert "findings" not in item.notes
    assert item.notes["uncompared"] == [1]
    assert "uncompared" in kinds(item)


def test_a_life_that_our_facts_know_otherwise_is_a_finding() -> None:
    given = record(case_of("person_alive", person="Albert Einstein"))
    given["explicit_constraints"] = ["The date is between March 14, 1879 and April 19, 1955."]
    assert "in our facts" in adopted(given).notes["findings"][0]


def test_reading_a_sentence_takes_linear_time() -> None:
    for sentence in ("It is a " + "Monday, " * 240, "The year is one of " + "1992," * 380,
                     "x" * 1990 + " is alive", "It is a year in which " + "." * 1900):  # fmt: skip
        published_sentences.entry(sentence)


# ------------------------------------------------------------------------------------ malformed

GOOD = record(0, 9)


def broken(**changes: Any) -> dict[str, Any]:
    return {k: v for k, v in (GOOD | changes).items() if v is not ...}


MALFORMED: list[tuple[dict[str, Any], str]] = [
    (broken(constraints_meta=...), "field 'constraints_meta' is missing"),
    (
        broken(constraints_meta=..., response="x"),
        "field 'constraints_meta' is missing; a file of results",
    ),
    (broken(constraints=...), "field 'constraints' is missing"),
    (broken(solutions=...), "field 'solutions' is missing"),
    (broken(constraints="- a\n- b"), "'constraints' is no list of 1 to 40 sentences"),
    (broken(constraints=[]), "'constraints' is no list of 1 to 40 sentences"),
    (broken(constraints=["It is a Tuesday."] * 41), "'constraints' is no list of 1 to 40"),
    (broken(constraints=["It is a Tuesday.", 5]), "'constraints' 2 is no sentence"),
    (broken(constraints=["a\nb", "c"]), "'constraints' 1 is no sentence"),
    (broken(constraints=["x" * 2001, "c"]), "'constraints' 1 is no sentence"),
    (
        broken(constraints=["It is a Tuesday."]),
        "'constraints_meta' has 2 entries, 'constraints' has 1",
    ),
    (broken(explicit_constraints=["It is a Tuesday."]), "'explicit_constraints' has 1 entries"),
    (broken(constraints_meta={}), "'constraints_meta' is no list of objects"),
    (broken(constraints_meta=["weekday", "month"]), "'constraints_meta' is no list of objects"),
    (broken(solutions="1991-02-05"), "'solutions' is no list"),
    (broken(solutions=["1991-02-30"]), "'solutions' 1 is '1991-02-30', expected a date"),
    (broken(solutions=["1991-02-05", 5]), "'solutions' 2 is '5', expected a date"),
    (broken(solutions=["5 February 1991"]), "'solutions' 1 is '5 February 1991'"),
    (broken(solutions=["19910205"]), "'solutions' 1 is '19910205'"),
    (broken(solutions=["1991-02-05T12:00"]), "'solutions' 1 is '1991-02-05T12:00'"),
    (broken(year_range="1800-2050"), "'year_range' is no list of two years"),
    (broken(year_range=[1800, "2050"]), "'year_range' is no list of two years"),
    (broken(year_range=[1800, True]), "'year_range' is no list of two years"),
    (broken(year_range=[2050, 1800]), "'year_range' is 2050 to 1800, expected ascending"),
    (broken(year_range=[1500, 2050]), "'year_range' is 1500 to 2050, expected ascending"),
    (broken(prompt=7), "'prompt' is no text"),
    (broken(prompt="Guess a date."), "'prompt' lacks the constraint 'It is a Tuesday.'"),
]

ENTRIES: list[tuple[Any, str]] = [
    ({}, "type 'None': known: "),
    ({"type": "weekdy", "value": "Tuesday"}, "did you mean 'weekday'"),
    ({"type": ["weekday"]}, "type \"['weekday']\""),
    ({"type": "weekday"}, "weekday: 'value' is 'None', expected Monday"),
    ({"type": "weekday", "value": "tuesday"}, "weekday: 'value' is 'tuesday'"),
    ({"type": "multi_weekday", "value": ["Monday"]}, "no list of 2 to 5 weekdays"),
    ({"type": "multi_weekday", "value": ["Monday", "Monday"]}, "a weekday twice"),
    ({"type": "month", "value": True}, "month: 'value' is 'True', expected a whole number from 1 to 12"),
    ({"type": "month", "value": "14"}, "month: 'value' is '14'"),
    ({"type": "lunar_month", "value": [14]}, "lunar_month: 'value' is '[14]'"),
    ({"type": "lunar_month", "value": 14.0}, "lunar_month: 'value' is '14.0'"),
    ({"type": "month", "value": 2.0}, "month: 'value' is '2.0'"),
    ({"type": "day_of_month", "operator": "<=", "value": 3}, "'operator' is '<='"),
    ({"type": "day_of_month", "operator": "<", "value": 32}, "'value' is '32'"),
    ({"type": "weekday_in_month", "direction": "up", "weekday": "Monday", "n": 1}, "'direction' is 'up'"),
    ({"type": "season", "value": "Fall"}, "season: 'value' is 'Fall'"),
    ({"type": "event", "name": "winter_olympics"}, "event: 'name' is 'winter_olympics'"),
    ({"type": "decade", "value": 1995}, "decade: clue 'decade'"),
    ({"type": "explicit_year", "value": 0}, "explicit_year: 'value' is '0'"),
    ({"type": "chinese_zodiac", "value": "Cat"}, "chinese_zodiac: 'value' is 'Cat'"),
    ({"type": "person_alive", "person": "Nobody at all"}, "from when to when for 'Nobody at all'"),
    ({"type": "person_alive"}, "'person' is no line of text"),
    ({"type": "western_zodiac", "value": "Leo"}, "no explicit sentence says the days of the sign 'Leo'"),
    ({"type": "kb_event", "event": "", "aspect": "start", "level": "year", "value": 1990}, "'event' is no"),
    ({"type": "kb_event", "event": "x", "aspect": "mid", "level": "year", "value": 1990}, "'aspect' is"),
    ({"type": "kb_event", "event": "x", "aspect": "end", "level": "week", "value": 1}, "'level' is 'week'"),
    ({"type": "kb_event", "event": "x", "aspect": "end", "level": "year", "value": ["a"]}, "no list of years"),
    ({"type": "kb_event", "event": "x", "aspect": "end", "level": "year", "value": 1990,
      "date": "1991-01-01", "edge": "end"}, "'value' is 1990, 'date' is 1991-01-01"),
]  # fmt: skip


def _one_line(error: HarnessError, start: str) -> None:
    assert start in str(error)
    assert "\n" not in str(error)
    assert len(str(error)) < 600


@each("given, message", MALFORMED)
def test_a_malformed_record_is_refused_in_one_line(given: dict[str, Any], message: str) -> None:
    with pytest.raises(DatasetError) as caught:
        adopt(given, {}, FORMAT)
    assert str(caught.value).startswith(message)
    _one_line(caught.value, message)


@each("entry, message", ENTRIES)
def test_an_entry_that_means_nothing_is_refused_by_number(entry: Any, message: str) -> None:
    with pytest.raises(DatasetError) as caught:
        adopt(broken(constraints_meta=[entry, entry]), {})
    assert str(caught.value).startswith("'constraints_meta' 1: ")
    _one_line(caught.value, message)


IMPOSSIBLE: list[dict[str, Any]] = [
    {"type": "lunar_month", "value": 14},
    {"type": "lunar_month", "value": 0},
    {"type": "month", "value": 13},
    {"type": "month", "value": -1},
    {"type": "day_of_month_specific", "value": 32},
    {"type": "day_of_year", "value": 10**30},
    {"type": "weekday_in_month", "direction": "forward", "weekday": "Monday", "n": 6},
    {"type": "weekday_in_year", "direction": "backward", "weekday": "Monday", "n": 54},
    {"type": "kb_event", "event": "x", "aspect": "end", "level": "month", "value": 0},
]


@each("entry", IMPOSSIBLE)
def test_no_day_satisfies_a_number_of_no_month_day_or_weekday(entry: dict[str, Any]) -> None:
    """Its right label is no date; one with dates is wrong, and a clue beside it changes nothing."""
    sentence = "It is a day that there is not."
    for solutions, right in (([], True), (["1994-02-11"], False)):
        item = adopted(
            broken(
                constraints=[GOOD["constraints"][0], sentence],
                explicit_constraints=[GOOD["constraints"][0], sentence],
                constraints_meta=[GOOD["constraints_meta"][0], entry],
                solutions=solutions,
                solution_count=len(solutions),
            )
        )
        for engine in ("masks", "arithmetic", "days"):
            assert solved(item, engine) == "none"
            assert (item.target == "none") is right
        assert "impossible_clue" in kinds(item)
        again = published_write.publish(item, FORMAT, {})
        assert again is not None
        assert again["constraints_meta"][1] == entry
    assert "impossible_clue" not in kinds(adopted(GOOD))


def test_what_an_uncertain_calendar_cannot_excuse_is_wrong() -> None:
    """Labels of the Dog's years from 1750 to 2050, in May, on a weekday, by plain code since 1800."""
    dog, month = case_of("chinese_zodiac"), case_of("month", value=5)
    given = record(dog, 0, month, years=(1750, 2050))
    dogs = range(1802, 2051, 12)
    late = [
        str(day)
        for year in dogs
        for day in (date(year, 5, n) for n in range(1, 32))
        if day.weekday() == 1
    ]

    def wrong(*solutions: str) -> list[str]:
        return adopted(given | {"solutions": list(solutions)}).notes.get("wrong", [])

    assert wrong(*late) == []
    early = "1754-05-07"  # a Tuesday of a Dog's year by one source only
    assert wrong(early, *late) == []
    assert wrong(*late[1:]) == [f"'solutions' lacks {late[0]}; all clues hold then"]
    assert wrong(*late[2:]) == [f"'solutions' lacks {late[0]} and 1 more; all clues hold then"]
    assert wrong("1754-05-05", *late) == ["'solutions' has 1754-05-05, which clue 2 rules out"]
    assert wrong("1754-06-04", *late) == ["'solutions' has 1754-06-04, which clue 3 rules out"]
    assert wrong("1749-07-14", "2060-05-04", *late) == [
        "'solutions' has 1749-07-14 and 1 more, outside the years that count"
    ]
    assert wrong(*late, "2031-05-06") == ["'solutions' has 2031-05-06, which clue 1 rules out"]


def test_what_is_not_ours_is_left_to_others() -> None:
    assert adopt({"formula": "G a", "answer": "True"}, {}) is None
    assert adopt({}, {}) is None
    assert adopt(GOOD, {}, "vltl_jsonl") is None
    with pytest.raises(DatasetError, match="field 'constraints' is missing"):
        adopt({}, {}, FORMAT)
    given = record(case_of("kb_event", level="day"))
    given |= {"prompt": given["constraints"][0]}
    with pytest.raises(DatasetError, match="mode=explicit: the record brings a prompt"):
        adopt(given, {"mode": "explicit"})


# ------------------------------------------------------------------------------------ publishing


def same(one: Item, other: Item | None) -> bool:
    assert other is not None
    return (one.problem, one.prompt, one.target) == (other.problem, other.prompt, other.target)


@each("number", range(len(CASES)))
def test_an_adopted_item_is_written_and_adopted_again(number: int) -> None:
    item = adopted(record(number, 0), mode=("implicit", "explicit")[number % 2])
    again = published_write.publish(item, FORMAT, {})
    assert again is not None
    back = adopt(json.loads(json.dumps(again)), {}, FORMAT)
    assert same(item, back)
    assert back is not None
    assert back.notes["source_id"] == item.notes["source_id"]


def test_on_top_of_a_record_only_the_label_changes() -> None:
    given = record(0, 9, note={"more": [1]})
    item = adopted(given)
    assert published_write.publish(item, FORMAT, given) == given
    corrected = published_write.publish(replace(item, target="none", id=""), FORMAT, given)
    assert corrected == given | {"solutions": [], "solution_count": 0}
    assert corrected is not None
    assert list(corrected) == list(given)
    assert given["solutions"]
    bare = {k: v for k, v in given.items() if k != "solution_count"}
    assert "solution_count" not in (
        published_write.publish(replace(item, target="none", id=""), FORMAT, bare) or {}
    )
    assert published_write.publish(item, "ltlbench_csv", given) is None


def ours(*params: dict[str, Any], span: tuple[str, str] = ("1800-01-01", "2050-12-31")) -> Item:
    problem = {"range": list(span), "clues": list(params)}
    from harness_timepuzzles import wording

    return Item(config.NAME, config.VERSION, wording.write(Problem.parse(problem)), "none", problem)


SAYABLE: list[dict[str, Any]] = [
    {"type": "year", "year": 1994}, {"type": "decade", "decade": 1800}, {"type": "leap_year"},
    {"type": "month", "month": 5}, {"type": "season", "season": "winter"},
    {"type": "weekday_in_month", "weekday": 4, "nth": 2}, {"type": "weekday_in_month", "weekday": 6, "nth": -3},
    {"type": "day_of_month", "day": 1}, {"type": "day_of_month", "day": -1}, {"type": "day_of_month", "day": 13},
    {"type": "weekday", "weekday": 0}, {"type": "weekdays", "weekdays": [0, 3, 6]},
    {"type": "day_range", "side": "before", "day": 12}, {"type": "day_range", "side": "after", "day": 1},
    {"type": "event", "name": "the opening of X", "date": "1869-11-17", "edge": "on", "relation": "day"},
    {"type": "event", "name": "the reign of Y", "date": "1869-11", "edge": "end", "relation": "month"},
    {"type": "event", "name": "the war of Z", "date": "1869", "edge": "start", "relation": "year"},
    {"type": "recurring", "name": "the floods", "years": [1903, 1953]},
    {"type": "year_day", "day": 100}, {"type": "weekday_of_year", "weekday": 1, "nth": -2},
]  # fmt: skip
UNSAYABLE: list[dict[str, Any]] = [
    {"type": "alive", "name": "Bo", "born": "1900-01-01", "died": "1950-01-01"},
    {"type": "office", "name": "Bo", "office": "warden", "terms": [["1900-01-01", "1950-01-01"]]},
    {"type": "games", "games": "summer_olympics"}, {"type": "western_zodiac", "sign": "leo"},
    {"type": "years", "years": [1900]}, {"type": "periods", "periods": [["1900-01-01", "1900-01-02"]]},
    {"type": "easter", "church": "western", "offset": 0}, {"type": "iso_week", "week": 3},
    {"type": "moon", "phase": "full"}, {"type": "hebrew", "month": "av"},
]  # fmt: skip


@each("params", SAYABLE)
def test_a_clue_of_ours_that_the_form_has_goes_there_and_back(params: dict[str, Any]) -> None:
    item = ours(params, {"type": "weekday", "weekday": 2})
    said = published_write.publish(item, FORMAT, {})
    assert said is not None
    back = adopt(json.loads(json.dumps(said)), {}, FORMAT)
    assert same(item, back)
    assert back is not None
    assert back.notes["source_id"] == item.id
    assert "findings" not in back.notes or params["type"] in ("event", "recurring")


@each("params", UNSAYABLE)
def test_a_clue_of_ours_that_the_form_lacks_is_not_said(params: dict[str, Any]) -> None:
    assert published_write.publish(ours(params), FORMAT, {}) is None


def test_every_type_of_clue_is_one_or_the_other() -> None:
    said = {params["type"] for params in SAYABLE} | {"zodiac", "lunar_month"}
    assert not said & {params["type"] for params in UNSAYABLE}
    for name in set(catalogue.TYPES) - said:
        assert (
            published_write.entry(type(name, (), {"type": name, "params": lambda self: {}})())
            is None
        )


def test_a_range_that_is_not_of_whole_years_cannot_be_said() -> None:
    rat, may = {"type": "zodiac", "animal": "rat"}, {"type": "month", "month": 5}
    for clues in ((rat,), (may,), (rat, may)):
        whole = ours(*clues, span=("1800-01-01", "2050-12-31"))
        said = published_write.publish(whole, FORMAT, {})
        assert said is not None
        assert same(whole, adopt(said, {}, FORMAT))
        part = ours(*clues, span=("1900-05-05", "1950-12-31"))
        assert published_write.publish(part, FORMAT, {}) is None


def test_items_that_we_generate_go_there_and_back_or_are_refused() -> None:
    settings = DEFAULTS | {"from_year": 1901}
    said = 0
    for index in range(8):
        item = generate.item(settings, index, Random(index), "salt")
        found = published_write.publish(item, FORMAT, {})
        types = set(str(item.features["clue"]).split())
        if found is None:
            assert types & {"alive", "office", "games"}
            continue
        said += 1
        assert same(item, adopt(json.loads(json.dumps(found)), {}, FORMAT))
    assert said


# ------------------------------------------------------------------------------ what is weak


def test_an_event_that_nobody_has_to_search_for() -> None:
    event, year = case_of("kb_event", level="year", value=1993), case_of("explicit_year")
    month = case_of("month", value=5)
    item = adopted(record(event, case_of("decade"), month))
    assert kinds(item) == {"idle_clue"}  # the decade, not the event
    spelled = adopted(record(event, month) | {
        "constraints_meta": [CASES[event][0], {"type": "explicit_year", "value": 1993}],
        "constraints": [CASES[event][1], "The year is 1993."],
        "explicit_constraints": ["The year is 1993.", "The year is 1993."]})  # fmt: skip
    assert kinds(spelled) >= {"idle_event", "idle_clue"}
    assert kinds(adopted(record(event, year))) >= {"contradiction"}


def test_a_range_that_matters_and_is_not_stated() -> None:
    assert "range_unstated" in kinds(adopted(record(0, 9)))
    assert "range_unstated" not in kinds(adopted(record(case_of("explicit_year"), 9)))


def test_one_year_of_many() -> None:
    given = record(case_of("kb_event", aspect="multi_year", value=1992))
    assert "one_year_of_many" in kinds(adopted(given))
    assert "one_year_of_many" not in kinds(adopted(given, mode="explicit"))


def test_kinds_are_described_and_items_of_ours_are_audited() -> None:
    item = generate.item(DEFAULTS | {"necessary": "all"}, 1, Random(5), "salt")
    assert published_audit.audit(item) == []
    assert published_readings.readings(item) == {}
    idle = ours({"type": "month", "month": 5}, {"type": "season", "season": "spring"})
    assert kinds(idle) == {"idle_clue"}
    assert published_audit.audit(replace(idle, problem={"range": [], "clues": []}, id="")) == []
    made = {kind for n in range(len(CASES)) for kind in kinds(adopted(record(n, 0)))}
    assert made <= set(config.WEAKNESSES)


# -------------------------------------------------------------------------------------- readings


READ: list[tuple[int, str, list[bool]]] = [
    (case_of("day_of_month", value=2), "before or after the Nth", [True, False]),
    (case_of("day_of_month", value=31), "before or after the Nth", [True, False]),
    (case_of("day_of_month", operator=">", value=1), "before or after the Nth", [True, False]),
    (case_of("us_president"), "first and last days of lives and terms", [True, False]),
    (case_of("person_alive"), "first and last days of lives and terms", [True, False]),
    (case_of("chinese_zodiac"), "zodiac year", [True, False]),
    (case_of("lunar_month"), "leap lunar months", [True, True]),
    (case_of("event", name="summer_olympics"), "years of Games", [True, True]),
]


@slow
@each("number, question, expected", READ)
def test_each_open_question_has_its_readings(
    number: int, question: str, expected: list[bool]
) -> None:
    found = published_readings.readings(adopted(record(number)))
    assert list(found[question].values()) == expected
    assert set(found) <= {question, "years that count"}


def test_labels_that_follow_another_reading_are_told() -> None:
    zodiac = record(case_of("chinese_zodiac"))
    january = [str(day) for day in days() if day.year == 1994]
    found = published_readings.readings(adopted(zodiac | {"solutions": january}))
    assert list(found["zodiac year"].values()) == [False, True]
    leap = record(case_of("lunar_month"), years=(2020, 2020))
    leap["constraints_meta"] = [{"type": "lunar_month", "value": 4}]
    leap["constraints"] = leap["explicit_constraints"] = [
        "It is the 4th month of the Chinese lunar calendar."
    ]
    # The fourth month of 2020 was followed by a leap month, from 23 May to 20 June.
    plain = [str(day) for day in days((2020, 2020)) if "2020-04-23" <= str(day) <= "2020-05-22"]
    with_leap = [str(day) for day in days((2020, 2020)) if "2020-04-23" <= str(day) <= "2020-06-20"]
    for label, expected in ((plain, [False, True]), (with_leap, [True, False])):
        found = published_readings.readings(adopted(leap | {"solutions": label}))
        assert list(found["leap lunar months"].values()) == expected
    held = record(case_of("event", name="summer_olympics"), years=(2018, 2022))
    found = published_readings.readings(adopted(held))
    assert list(found["years of Games"].values()) == [True, False]
    century = record(case_of("decade"), years=(1800, 1899))
    century["constraints_meta"] = [{"type": "decade", "value": 1800}]
    century["constraints"] = century["explicit_constraints"] = ["The year is in the 1800s."]
    century["solutions"] = [str(day) for day in days((1800, 1899))]
    found = published_readings.readings(adopted(century))
    assert list(found["decade that begins a century"].values()) == [False, True]


def test_other_years_of_an_event_come_from_facts_of_ones_own(tmp_path: Any) -> None:
    facts = tmp_path / "facts.csv"
    name = "the Hare sailed around the Reed Islands"
    facts.write_text(f"kind,name,start,end,years\nrecurring,{name},,,1992;1994\n", encoding="utf-8")
    given = record(
        case_of("kb_event", aspect="multi_year", value=1992), case_of("first_day_of_month")
    )
    question = "years of what happened more than once"
    assert question not in published_readings.readings(adopted(given))
    item = adopted(given, facts=str(facts))
    assert list(published_readings.readings(item)[question].values()) == [True, False]
    assert published_readings.readings(
        Item.from_dict(item.to_dict())
    ) == published_readings.readings(item)


# --------------------------------------------------------------------------- the published scorer


@each(
    "text, read",
    [
        ("MY ANSWER: 1999-01-02", "1999-01-02"),
        ("my answer: 1999-01-02, 1999-03-04", "1999-01-02, 1999-03-04"),
        ("The answer is 1999-01-02.", "1999-01-02"),
        ("Answer: 1998-01-01\nMY ANSWER: 1999-01-02", "1999-01-02"),
        ("Answer: 1998-01-01\nSo my answer is 1999-01-02", "1998-01-01"),
        ("MY ANSWER: None", "none"),
        ("MY ANSWER: none", "CANNOT_PARSE"),
        ("MY ANSWER: NONE", "CANNOT_PARSE"),
        ("MY ANSWER:\n1999-01-02", "CANNOT_PARSE"),
        ("MY ANSWER: 1999‑01‑02", "1999-01-02"),
        ("MY ANSWER: 1999–01–02", "CANNOT_PARSE"),
        ("MY ANSWER: 2001-02-30", "2001-02-30"),
        ("MY ANSWER: 1999-01-02 to 1999-01-05", "1999-01-02, 1999-01-05"),
        ("MY ANSWER: None, 1999-01-02", "none, 1999-01-02"),
        ("MY ANSWER: None. None!", "none, none"),
        ("1999-01-02", "CANNOT_PARSE"),
        ("", "CANNOT_PARSE"),
    ],
)
def test_the_published_extractor_with_its_defects(text: str, read: str) -> None:
    assert extracted(text) == read


@each(
    "gold, text, values",
    [
        ("none", "MY ANSWER: None", [1, 1, 1, 1, 1, 1]),
        ("none", "MY ANSWER: none", [0, 0, 0, 0, 0, 0]),
        ("none", "MY ANSWER: 1991-02-05", [0, 0, 0, 0, 0, 1]),
        ("none", "MY ANSWER: None None", [0, 0, 0, 0, 0, 1]),
        ("1991-02-05, 1991-02-12", "MY ANSWER: 1991-02-05", [0, 1, 0.5, 2 / 3, 0.5, 1]),
        ("1991-02-05, 1991-02-12", "MY ANSWER: None", [0, 0, 0, 0, 0, 1]),
        ("1991-02-05, 1991-02-12", "Answer: 1991-02-12, 1991-02-05", [1, 1, 1, 1, 1, 1]),
        ("1991-02-05", "MY ANSWER:\n1991-02-05", [0, 0, 0, 0, 0, 0]),
    ],
)
def test_the_published_metrics(gold: str, text: str, values: list[float]) -> None:
    given = record(0, 9) | {"solutions": [] if gold == "none" else gold.split(", ")}
    verdict = score(adopted(given), text)
    row = Row(gold, verdict.answer, verdict.outcome, verdict.value, extra=verdict.extra)
    assert [metric.each and metric.each(row) for metric in PUBLISHED] == pytest.approx(values)
    for metric in PUBLISHED:
        assert metric.each is not None
        assert metric.each(replace(row, outcome="unscored")) is None
        assert metric.each(replace(row, extra={})) is None


def test_what_a_published_label_excludes_is_judged_by_it() -> None:
    given = record(0, case_of("explicit_year"), case_of("month", value=2))
    item = adopted(given | {"solutions": given["solutions"][1:]})
    verdict = score(item, "MY ANSWER: " + ", ".join(given["solutions"]))
    assert (verdict.outcome, verdict.value["recall"]) == ("scored", 1)
    assert "though no clue is known to exclude it" in verdict.explanation
    wrong = adopted(given | {"solutions": ["1994-02-02"]})
    assert (
        "The published label is wrong: 1994-02-02 breaks clue 1"
        in score(wrong, "Answer: none").explanation
    )
    # The same label on an item of ours is our failure, and nothing is scored.
    assert (
        score(replace(wrong, version=config.VERSION, id=""), "Answer: none").outcome == "unscored"
    )


def test_a_certificate_is_neither_brought_nor_made() -> None:
    item = adopted(record(0))
    assert item.certificate is None
    assert certificate.errors(item)
    assert YEARS[0] == 1990
