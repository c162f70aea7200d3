"""Certificates: genuine ones hold, every tampering is refused, and nothing makes the check raise."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from random import Random
from typing import Any

import pytest
from cases import each, slow, some
from harness_timepuzzles import day_sets
from harness_timepuzzles.certificate import errors
from harness_timepuzzles.clues import catalogue
from harness_timepuzzles.clues.clue import mask
from harness_timepuzzles.engines.masks import others
from hypothesis import given, settings
from hypothesis import strategies as st
from tp_worlds import FINITE, SKY, STRATEGIES, item_of, solvable_problem, some_problem, write

from harness import Item

DAY = timedelta(days=1)
QUICKLY = tuple(name for name in STRATEGIES if name not in SKY)
DRAWN = tuple(name for name in QUICKLY if name in FINITE)
PROBLEM = {
    "range": ["1900-01-01", "1999-12-31"],
    "clues": [
        {"type": "month", "month": 2}, {"type": "day_of_month", "day": 29},
        {"type": "weekdays", "weekdays": [0, 3]}, {"type": "leap_year"},
    ],
}  # fmt: skip


@cache
def made() -> list[Item]:
    """Items with few solutions, with none, and with clues that rule nothing out."""
    rng = Random(1)
    made = [some_problem(rng, QUICKLY, years=3) for _ in range(20)]
    made += [solvable_problem(rng, DRAWN, years=3) for _ in range(20)]
    return [item_of(problem) for problem in [*made, PROBLEM]]


def test_genuine_certificates_hold():
    for item in made():
        assert errors(item) == []
        assert json.loads(json.dumps(item.certificate)) == item.certificate


def test_genuine_certificates_of_moon_and_sun_hold():
    for clue, days in (
        ({"type": "moon", "phase": "new"}, ["1999-07-13", "1999-08-11"]),
        ({"type": "equinox", "point": "june"}, []),
    ):
        problem = {
            "range": ["1999-07-01", "1999-08-31"],
            "clues": [clue, {"type": "year", "year": 1999}],
        }
        proof = {"solutions": days, "without": [62, len(days)], "witnesses": ["1999-07-01", None]}
        item = Item(
            plugin="timepuzzles", version="1.0", prompt=write(problem), problem=problem,
            target=", ".join(days) or "none", certificate=proof,
        )  # fmt: skip
        assert errors(item) == []
        assert errors(relabelled(item, ["1999-07-13"]))
        assert errors(with_proof(item, witnesses=["1999-07-02", None]))


def test_what_a_certificate_says():
    assert item_of(PROBLEM).certificate == {
        "solutions": ["1904-02-29", "1912-02-29", "1932-02-29", "1940-02-29", "1960-02-29", "1968-02-29",
                      "1988-02-29", "1996-02-29"],
        "without": [without(0), without(1), 24, 8],
        "witnesses": [alone(0)[0], alone(1)[0], "1908-02-29", None],
    }  # fmt: skip


def without(number: int) -> int:
    return len(alone(number)) + 8


@cache
def alone(number: int) -> list[str]:
    """The days that break one clue alone, by asking every day."""
    puzzle = catalogue.parse_all(PROBLEM)
    days = day_sets.days(day_sets.run(date(1900, 1, 1), date(1999, 12, 31)))
    broken = {day: [at for at, clue in enumerate(puzzle) if not clue.holds(day)] for day in days}
    return [day.isoformat() for day in days if broken[day] == [number]]


def with_proof(item: Item, **parts: Any) -> Item:
    return replace(item, certificate={**item.certificate, **parts})


def swapped(values: list[Any], at: int, value: Any) -> list[Any]:
    return [*values[:at], value, *values[at + 1 :]]


def relabelled(item: Item, solutions: list[str]) -> Item:
    """Target and certificate tell the same lie."""
    return replace(with_proof(item, solutions=solutions), target=", ".join(solutions) or "none")


def forgeries(item: Item) -> dict[str, Item]:
    proof, problem = item.certificate, item.problem
    days, found = proof["solutions"], {}
    first, last = (date.fromisoformat(day) for day in problem["range"])
    found["another target"] = replace(item, target="1999-01-01, 1999-01-02")
    found["an empty target"] = replace(item, target="")
    found["a target with a blank more"] = replace(item, target=item.target + " ")
    wrong = next(d for d in day_sets.days(day_sets.run(first, last)) if d.isoformat() not in days) if (
        len(days) <= (last - first).days) else None  # fmt: skip
    if wrong:
        found["a solution more"] = relabelled(item, sorted([*days, wrong.isoformat()]))
        found["a solution more in the certificate"] = with_proof(
            item, solutions=[*days, wrong.isoformat()]
        )
    for at in range(min(len(days), 4)):
        less = days[:at] + days[at + 1 :]
        found[f"without solution {at}"] = relabelled(item, less)
        found[f"without solution {at} in the certificate"] = with_proof(item, solutions=less)
        found[f"solution {at} twice"] = relabelled(item, days[: at + 1] + days[at:])
        if wrong:
            found[f"solution {at} replaced"] = relabelled(item, sorted([*less, wrong.isoformat()]))
    if len(days) > 1:
        found["solutions backwards"] = relabelled(item, days[::-1])
    outside = (last + DAY).isoformat()
    found["a solution outside"] = relabelled(item, [*days, outside])
    found["far outside"] = relabelled(item, [*days, "9999-12-31"])
    found["long ago"] = relabelled(item, ["0001-01-01", *days])
    for at, count in enumerate(proof["without"]):
        for other in (count + 1, count - 1, None, str(count), count + 0.5):
            found[f"count {at} {str(other)[:9]}"] = with_proof(
                item, without=swapped(proof["without"], at, other)
            )
    for at, text in enumerate(proof["witnesses"]):
        for other in witnesses(item, at, text):
            found[f"witness {at} {str(other)[:30]}"] = with_proof(
                item, witnesses=swapped(proof["witnesses"], at, other)
            )
    found["witnesses cut"] = with_proof(item, witnesses=proof["witnesses"][1:])
    found["counts cut"] = with_proof(item, without=proof["without"][1:])
    found["witnesses more"] = with_proof(item, witnesses=[*proof["witnesses"], None])
    found["no certificate"] = replace(item, certificate=None)
    found["a part less"] = replace(
        item, certificate={k: v for k, v in proof.items() if k != "without"}
    )
    found["a part more"] = with_proof(item, more=1)
    return found


def witnesses(item: Item, at: int, text: str | None) -> list[Any]:
    others: list[Any] = [
        "",
        5,
        [],
        {},
        "2000-02-30",
        "0001-01-01",
        "9999-12-31",
        *item.certificate["solutions"][:1],
    ]
    if text is not None:
        others += [None, text.replace("-", ""), text + " "]
        later = rest(item, at)[1:]
        others += [day.isoformat() for day in later[:1]]
    return [other for other in others if other != text]


def rest(item: Item, number: int) -> list[date]:
    """All days that break one clue alone, within the range."""
    first, last = (date.fromisoformat(day) for day in item.problem["range"])
    puzzle = catalogue.parse_all(item.problem)
    whole = others(puzzle, day_sets.run(first, last))[number]
    return day_sets.days(whole & ~mask(puzzle[number]))


@slow
def test_every_tampering_is_refused():
    for item in made()[::8]:
        for what, fake in forgeries(item).items():
            found = errors(fake)
            assert found, what
            assert all("\n" not in message and len(message) < 400 for message in found), what


def test_a_certificate_is_of_its_problem_alone():
    item = item_of(PROBLEM)
    narrow = {**PROBLEM, "range": ["1900-01-01", "1987-12-31"]}
    wide = {**PROBLEM, "range": ["1880-01-01", "1999-12-31"]}
    fewer = {**PROBLEM, "clues": PROBLEM["clues"][:3]}
    order = {**PROBLEM, "clues": PROBLEM["clues"][::-1]}
    other = {
        **PROBLEM,
        "clues": [
            *PROBLEM["clues"][:2],
            {"type": "weekdays", "weekdays": [0, 4]},
            PROBLEM["clues"][3],
        ],
    }
    for problem in (narrow, wide, fewer, order, other):
        assert errors(replace(item, problem=problem))
        assert errors(item_of(problem)) == []
    later = {**PROBLEM, "range": ["1904-02-29", "1999-12-31"]}  # same solutions, other witnesses
    assert item_of(later).target == item.target
    assert errors(replace(item, problem=later))


@each("problem", [
    None, 5, "x", [], {}, {"range": ["1900-01-01", "1999-12-31"]}, {"clues": PROBLEM["clues"]},
    {"range": 5, "clues": []},
    {"range": ["1900-01-01", "x"], "clues": PROBLEM["clues"]},
    {"range": ["1999-12-31", "1900-01-01"], "clues": PROBLEM["clues"]},
    {**PROBLEM, "clues": None}, {**PROBLEM, "clues": 5}, {**PROBLEM, "clues": "abcd"},
    {**PROBLEM, "clues": [None] * 4},
    {**PROBLEM, "clues": [{"type": "month", "month": "x"}] * 4},
    {**PROBLEM, "clues": [{"type": "month", "month": [1]}] * 4},
    {**PROBLEM, "clues": [{"type": "moon", "phase": "blue"}] * 4},
    {**PROBLEM, "clues": [{"type": "day_range", "side": 1, "day": "x"}] * 4},
    {**PROBLEM, "clues": [{"type": "weekday_in_month", "weekday": 1, "nth": "x"}] * 4},
    {**PROBLEM, "clues": [{"type": "event", "name": "x", "date": "1900-02-30", "edge": "on", "relation": "day"}] * 4},
    {**PROBLEM, "clues": [{"type": "easter", "church": {}, "offset": 1}] * 4},
    {**PROBLEM, "clues": [{"type": "hebrew", "month": 99}] * 4},
    {**PROBLEM, "clues": [{"type": "weekdays", "weekdays": 5}] * 4},
    {**PROBLEM, "clues": [{"type": "years", "years": None}] * 4},
])  # fmt: skip
def test_problems_that_are_none_are_refused(problem):
    assert errors(replace(item_of(PROBLEM), problem=problem))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12)
    | st.sampled_from(["1912-02-29", "1904-02-29", "none", "9999-12-31", "0001-01-01", 6, 68]),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@settings(max_examples=some(125), deadline=None, derandomize=True, database=None)
@given(
    json_values,
    st.sampled_from(["solutions", "without", "witnesses", "all", "target"]),
    st.booleans(),
)
def test_no_json_value_makes_the_check_raise_or_hold(value, part, along):
    item = item_of(PROBLEM)
    proof = deepcopy(item.certificate)
    if part == "target":
        fake = replace(item, target=value)
    elif part == "all":
        fake = replace(item, certificate=value)
    else:
        fake = with_proof(item, **{part: value})
    if along and part == "solutions" and isinstance(value, list):
        fake = replace(fake, target=", ".join(map(str, value)) or "none")
    found = errors(fake)
    assert all(isinstance(message, str) for message in found)
    assert found or (value in (proof.get(part), item.target) if part != "all" else value == proof)


@pytest.mark.parametrize("clue", [
    {"type": "day_of_month", "day": -1}, {"type": "weekday_in_month", "weekday": 4, "nth": -1},
    {"type": "moon", "phase": "full"},
    {"type": "equinox", "point": "march"}, {"type": "hebrew", "month": "tevet"}, {"type": "islamic", "month": 3},
    {"type": "lunar_month", "month": 3}, {"type": "easter", "church": "orthodox", "offset": -60},
    {"type": "leap_year"},
    {"type": "iso_week", "week": 52}, {"type": "weekday_of_year", "weekday": 4, "nth": -1},
], ids=lambda clue: clue["type"])  # fmt: skip
@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31", "1582-10-10", "9999-12-05"])
def test_days_far_outside_are_refused_whatever_the_clue(clue, day):
    problem = {"range": ["1985-01-01", "1985-02-01"], "clues": [clue]}
    item = item_of(problem)
    assert errors(relabelled(item, [*item.certificate["solutions"], day]))
    assert errors(with_proof(item, witnesses=[day]))


def test_one_is_neither_true_nor_a_fraction():
    problem = {
        "range": ["2000-01-01", "2000-01-07"],
        "clues": [{"type": "weekday", "weekday": 2}, {"type": "month", "month": 1}],
    }
    item = item_of(problem)
    assert item.certificate["without"] == [7, 1]
    for other in (True, 1.0):
        assert errors(with_proof(item, without=[7, other])), other
