"""Write an item as published JSON: the record it was adopted from, or one made of its clues.

A clue of ours is said only where the published form has a type that means the same. It has none for
lives and terms whose first and last days count, for Games as they were held, for star signs with all
their days, and for periods and lists of years. An event keeps its whole date under two keys more
(``date`` and ``edge``), which readers of the published form do not look at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from harness import HarnessError, Item
from harness_timepuzzles.clues.clue import MONTHS, WEEKDAYS, Clue
from harness_timepuzzles.problem import Problem, answer_days
from harness_timepuzzles.published.adopt import FORMAT, adopt
from harness_timepuzzles.published.record import MAX_SENTENCE, PUBLISHED, recorded
from harness_timepuzzles.wording import is_english


def publish(item: Item, form: str, record: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return a record of the published form that states an item; None if the form cannot state it.

    On top of a record, nothing but its label changes: ``solutions``, and ``solution_count`` if it is there.
    """
    if form != FORMAT:
        return None
    solutions = answer_days(item.target)
    if record:
        return _corrected(record, solutions)
    try:
        constraints = _adopted_record(item) if item.version == PUBLISHED else _new_record(item)
    except HarnessError:
        return None
    if constraints is None:
        return None
    identifier = item.notes.get("source_id") or ("" if "published" in item.notes else item.id)
    return {
        **({"identifier": identifier} if identifier else {}),
        **constraints,
        "solutions": solutions,
        "solution_count": len(solutions),
        "prompt": item.prompt,
    }


def _corrected(record: Mapping[str, Any], solutions: list[str]) -> dict[str, Any]:
    corrected = dict(record)
    try:
        same = sorted({str(day)[:10] for day in record["solutions"]}) == solutions
    except (KeyError, TypeError):
        same = False
    if not same:
        corrected["solutions"] = solutions
        if "solution_count" in record:
            corrected["solution_count"] = len(solutions)
    return corrected


def _adopted_record(item: Item) -> dict[str, Any] | None:
    read = recorded(item)
    if read is None:
        return None
    constraints = read.to_dict()
    if item.notes["published"].get("range_assumed"):
        del constraints["year_range"]
    return constraints


def _new_record(item: Item) -> dict[str, Any] | None:
    """Return the constraints of an item of ours; None if the form cannot state it, a clue or its range."""
    if item.features.get("mode") == "spelled":
        return None  # the form has an implicit and an explicit side, and this is neither
    if not is_english(item):
        return None  # the form's sentences are English
    problem = Problem.parse(item.problem)
    first, last = problem.first, problem.last
    entries = [entry(clue) for clue in problem.clues]
    if None in entries:
        return None
    explicit = [clue.explicit(first, last).sentence() for clue in problem.clues]
    record = {
        "constraints": [clue.sentence() for clue in problem.clues],
        "explicit_constraints": explicit,
        "constraints_meta": entries,
        "year_range": [first.year, last.year],
    }
    if any(len(sentence) > MAX_SENTENCE for sentence in explicit):
        del record["explicit_constraints"]  # a lunar month is some 150 periods
    again = adopt({**record, "solutions": [], "prompt": item.prompt}, {}, FORMAT)
    return record if again is not None and again.problem == item.problem else None


def entry(clue: Clue) -> dict[str, Any] | None:
    """Return the published entry that means what a clue does; None if there is none."""
    rule = _RULES.get(clue.type)
    return rule(clue.params()) if rule else None


def _nth(kind: str, clue: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": kind,
        "direction": "forward" if clue["nth"] > 0 else "backward",
        "weekday": WEEKDAYS[clue["weekday"]],
        "n": abs(clue["nth"]),
    }


def _day(clue: Mapping[str, Any]) -> dict[str, Any]:
    if clue["day"] == -1:
        return {"type": "last_day_of_month", "value": True}
    return {"type": "day_of_month_specific", "value": clue["day"]}


def _event(clue: Mapping[str, Any]) -> dict[str, Any]:
    place = ("year", "month", "day").index(clue["relation"])
    return {
        "type": "kb_event",
        "event": clue["name"],
        "aspect": "end" if clue["edge"] == "end" else "start",
        "level": clue["relation"],
        "value": int(clue["date"].split("-")[place]),
        "date": clue["date"],
        "edge": clue["edge"],
    }


_RULES: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "year": lambda clue: {"type": "explicit_year", "value": clue["year"]},
    "decade": lambda clue: {"type": "decade", "value": clue["decade"]},
    "leap_year": lambda clue: {"type": "event", "name": "leap_year"},
    "zodiac": lambda clue: {"type": "chinese_zodiac", "value": clue["animal"].title()},
    "month": lambda clue: {
        "type": "month", "value": clue["month"], "name": MONTHS[clue["month"] - 1]},
    "season": lambda clue: {"type": "season", "value": clue["season"].title()},
    "lunar_month": lambda clue: {"type": "lunar_month", "value": clue["month"]},
    "weekday": lambda clue: {"type": "weekday", "value": WEEKDAYS[clue["weekday"]]},
    "weekdays": lambda clue: {
        "type": "multi_weekday", "value": [WEEKDAYS[day] for day in clue["weekdays"]]},
    "weekday_in_month": lambda clue: _nth("weekday_in_month", clue),
    "weekday_of_year": lambda clue: _nth("weekday_in_year", clue),
    "day_of_month": _day,
    "day_range": lambda clue: {
        "type": "day_of_month", "operator": "<" if clue["side"] == "before" else ">", "value": clue["day"]},
    "year_day": lambda clue: {"type": "day_of_year", "value": clue["day"]},
    "event": _event,
    "recurring": lambda clue: {
        "type": "kb_event", "event": clue["name"], "aspect": "multi_year", "level": "year",
        "value": clue["years"]},
}  # fmt: skip
