"""Pictures of puzzles: the marked dates are the solutions, on the right day of the week, within the bounds."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from random import Random

from cases import each, some
from drawn import assert_inside, every, parsed, texts
from harness_timepuzzles import config, generate, plugin
from harness_timepuzzles.clues.clue import MONTHS
from harness_timepuzzles.draw import MOST_SHEETS, svg
from harness_timepuzzles.published import adopt as published
from tp_published import record
from tp_worlds import item_of

DEFAULTS = {name: one["default"] for name, one in config.CONFIG["properties"].items()}
KINDS = [
    {}, {"solutions": "0"}, {"solutions": "7-30", "clues": "3-5"}, {"mode": "explicit"},
    {"extra": ["easter", "iso_week"], "clues": "4-8", "solutions": "0-3"}, {"necessary": "all"},
    {"from_year": 1999, "to_year": 2001, "solutions": "0-4"}, {"necessary": "none"},
]  # fmt: skip
EACH = int(os.environ.get("DRAWN", max(2, some(4))))  # items of each kind; they take long to make


@cache
def items():
    return [
        generate.item({**DEFAULTS, **kind}, at, Random(f"{kind}{at}"), "drawn")
        for kind in KINDS
        for at in range(EACH)
    ]


@cache
def roots():
    return [(item, parsed(svg(item))) for item in items()]


def months(item):
    days = map(date.fromisoformat, item.certificate["solutions"])
    return list(dict.fromkeys((day.year, day.month) for day in days))


def test_every_item_is_drawn_within_its_bounds():
    assert len(items()) == EACH * len(KINDS)
    for _, root in roots():
        assert_inside(root)
        assert len(root.find("{*}title").text) > 60


def test_the_marked_dates_are_the_solutions():
    counts = set()
    for item, root in roots():
        shown = months(item)[:MOST_SHEETS]
        gold = [
            day for day in item.certificate["solutions"] if (int(day[:4]), int(day[5:7])) in shown
        ]
        assert [one.get("data-date") for one in every(root, "rect", date=None)] == gold
        beyond = len(item.certificate["solutions"]) - len(gold)
        counts.add((bool(gold), bool(beyond)))
        remark = f"… and {beyond} more date{'s' * (beyond > 1)}, after these months"
        assert (remark in texts(root)) is bool(beyond)
        assert [f"{MONTHS[m - 1]} {y}" for y, m in shown] == [
            said for said in texts(root) if said.split(" ")[0] in MONTHS and said[-4:].isdigit()
        ][: len(shown)]
    assert counts == {(True, False), (True, True), (False, False)}


def test_a_marked_date_stands_below_the_head_of_its_weekday_and_holds_its_number():
    for _, root in roots():
        shapes = list(root)
        heads = [
            (float(one.get("x")), one.text)
            for one in every(
                root,
                "text",
            )
            if one.get("font-size") == "11"
        ]
        for at, one in enumerate(shapes):
            if day := one.get("data-date"):
                middle = float(one.get("x")) + float(one.get("width")) / 2
                assert shapes[at + 1].text == str(int(day[8:]))
                head = min(heads, key=lambda head: abs(head[0] - middle))
                assert abs(head[0] - middle) < 1
                assert head[1] == date.fromisoformat(day).strftime("%a")[:2]


def test_every_clue_is_told_with_what_it_rules_out():
    for item, root in roots():
        told = [one.get("data-without") for one in every(root, "text", clue=None)]
        assert told == [f"{count:,}" for count in item.certificate["without"]]
        for witness in item.certificate["witnesses"]:
            assert (witness or "–") in texts(root)


def _puzzle(first, last, *clues):
    return item_of({"range": [first, last], "clues": list(clues)})


MONTH = [{"type": "month", "month": at} for at in range(13)]
DAY = [{"type": "day_of_month", "day": at} for at in range(32)]


def said(item):
    return " ".join(texts(parsed(svg(item))))


def test_days_beyond_the_range_are_dots():
    item = _puzzle("1999-02-10", "1999-03-02", {"type": "weekdays", "weekdays": [0]})
    root = parsed(svg(item))
    listed = texts(root)
    assert listed.count("·") == 9 + 29
    assert [one.get("data-date") for one in every(root, "rect", date=None)] == [
        "1999-02-15", "1999-02-22", "1999-03-01",
    ]  # fmt: skip
    assert "of 1999-02-10 to 1999-03-02, 21 days" in listed
    whole = [number for number in listed if number.isdecimal()]
    assert [n for n in whole if n == "9"] == []


CONFLICTS = [
    ([MONTH[2], MONTH[3]], "These contradict each other: clues 1 and 2."),
    ([MONTH[2], DAY[30], DAY[5]], "These contradict each other: clues 1 and 2; clues 2 and 3."),
    ([DAY[5], MONTH[5]], "No date of the range satisfies clue 2 at all."),
    ([DAY[5], MONTH[5], MONTH[6]], "No date of the range satisfies clues 2 and 3 at all."),
]  # fmt: skip


@each("clues, words", CONFLICTS)
def test_clues_that_contradict_are_named(clues, words):
    found = said(_puzzle("2001-01-01", "2001-04-30", *clues))
    assert "No date satisfies " in found
    assert words in found


def test_a_smallest_group_that_contradicts_is_named():
    # In these years February 29 is a Tuesday and a Sunday.
    week = [{"type": "weekdays", "weekdays": days} for days in ([2], [0, 1, 2])]
    found = said(_puzzle("2000-01-01", "2005-12-31", *week, MONTH[2], DAY[29]))
    assert "Clues 1, 3 and 4 together leave no date; any fewer of them leave some." in found


def test_published_records_are_drawn():
    for numbers in ((1, 2), (5, 9, 13), (20, 30), (0,)):
        item = published.adopt(record(*numbers), DEFAULTS, "")
        root = parsed(svg(item))
        assert_inside(root)
        gold = item.target.split(", ") if item.target != "none" else []
        marked = [one.get("data-date") for one in every(root, "rect", date=None)]
        assert marked == gold[: len(marked)]
        assert bool(marked) is bool(gold)
        assert "says the label" in texts(root)[0]
        assert "without it" not in texts(root)


def test_a_whole_range_of_solutions_is_cut_and_counted():
    item = _puzzle("1900-01-31", "2000-12-31", {"type": "weekdays", "weekdays": list(range(6))})
    root = parsed(svg(item))
    assert_inside(root)
    shown = every(root, "rect", date=None)
    last = date(1900, 1, 31) + timedelta(len(shown) + len(shown) // 6 + 2)
    assert last > date(1900, 12, 25)
    beyond = len(item.certificate["solutions"]) - len(shown)
    assert f"… and {beyond:,} more dates, after these months" in texts(root)


def test_a_picture_is_the_same_for_the_same_item():
    for item in items()[::17]:
        again = replace(item, problem=json.loads(json.dumps(item.problem)))
        assert svg(item) == svg(again) == plugin.render(item, "svg")


HOSTILE = [
    "</text><script>alert(1)</script>", "\x00\x1b[31m\ufffe", "\u202eabc", "&lt;&amp;]]>",
    "w" * 5000, "漢" * 300, '" onload="x', "a\nb\tc", "w " * 3000,
]  # fmt: skip


@each("name", HOSTILE)
def test_hostile_names_are_escaped_and_cut(name):
    clue = {"type": "alive", "name": name, "born": "1901-01-01", "died": "1901-03-01"}
    item = _puzzle("1900-01-31", "1902-12-31", DAY[1])
    item = replace(
        item,
        problem={**item.problem, "clues": [clue] * 40},
        certificate={"solutions": ["1901-02-01"], "without": [2] * 40, "witnesses": [name] * 40},
    )
    drawn = svg(item)
    assert drawn is not None
    root = parsed(drawn)
    assert_inside(root)
    assert "<script" not in drawn
    assert "\u202e" not in "".join(texts(root))


BROKEN = [
    {}, [], {"solutions": ["2001-02-30"]}, {"solutions": 3}, {"solutions": ["9999-12-31"]}, {"without": []},
    {"witnesses": None}, {"witnesses": []},
]  # fmt: skip


@each("proof", BROKEN)
def test_what_is_not_in_form_has_no_picture(proof):
    item = _puzzle("2001-01-01", "2001-04-30", MONTH[2], DAY[5])
    whole = proof if not isinstance(proof, dict) or not proof else {**item.certificate, **proof}
    assert svg(replace(item, certificate=whole)) is None
    for problem in (
        {},
        {"range": []},
        {"range": ["a", "b"], "clues": []},
        {"clues": [{"type": "?"}]},
    ):
        assert svg(replace(item, problem=problem)) is None
