"""Say an item in the published JSON: the record it was adopted from, or one made of its clues.

A clue of ours is said only where the published form has a type that means the same. It has none for
lives and terms whose first and last days count, for Games as they were held, for star signs with all
their days, and for periods and lists of years. An event keeps its whole date under two keys more
(``date`` and ``edge``), which readers of the published form do not look at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from harness import HarnessError, Item
from harness_timepuzzles.clues.clue import MONTHS, WEEKDAYS, Clue
from harness_timepuzzles.clues.day import (
    DayOfMonth,
    DayRange,
    WeekdayInMonth,
    WeekdayOfYear,
    Weekdays,
)
from harness_timepuzzles.clues.facts import Event, Recurring
from harness_timepuzzles.problem import Problem, listed
from harness_timepuzzles.published.adopt import FORMAT, adopt
from harness_timepuzzles.published.record import MAX_SENTENCE, PUBLISHED, recorded

_VALUED = {
    "year": ("explicit_year", "year"),
    "decade": ("decade", "decade"),
    "lunar_month": ("lunar_month", "month"),
    "year_day": ("day_of_year", "day"),
}
_NAMED = {"zodiac": ("chinese_zodiac", "animal"), "season": ("season", "season")}


def publish(item: Item, form: str, record: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return a record of the published form that says an item; None if the form cannot say it.

    On top of a record, nothing but its label changes: ``solutions``, and ``solution_count`` if it is there.
    """
    if form != FORMAT:
        return None
    solutions = listed(item.target)
    if record:
        return _corrected(record, solutions)
    try:
        said = _kept(item) if item.version == PUBLISHED else _made(item)
    except HarnessError:
        return None
    if said is None:
        return None
    identifier = item.notes.get("source_id") or ("" if "published" in item.notes else item.id)
    return {
        **({"identifier": identifier} if identifier else {}),
        **said,
        "solutions": solutions,
        "solution_count": len(solutions),
        "prompt": item.prompt,
    }


def _corrected(record: Mapping[str, Any], solutions: list[str]) -> dict[str, Any]:
    found = dict(record)
    try:
        same = sorted({str(day)[:10] for day in record["solutions"]}) == solutions
    except (KeyError, TypeError):
        same = False
    if not same:
        found["solutions"] = solutions
        if "solution_count" in record:
            found["solution_count"] = len(solutions)
    return found


def _kept(item: Item) -> dict[str, Any] | None:
    read = recorded(item)
    if read is None:
        return None
    said = read.to_dict()
    if item.notes["published"].get("range_assumed"):
        del said["year_range"]
    return said


def _made(item: Item) -> dict[str, Any] | None:
    """Return the constraints of an item of ours; None if a clue or its range cannot be said."""
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
    params = clue.params()
    if clue.type in _VALUED:
        kind, name = _VALUED[clue.type]
        return {"type": kind, "value": params[name]}
    if clue.type in _NAMED:
        kind, name = _NAMED[clue.type]
        return {"type": kind, "value": params[name].title()}
    rule = _RULES.get(clue.type)
    return rule(clue) if rule else None


def _weekday_of(clue: Clue) -> dict[str, Any]:
    own = cast(WeekdayInMonth | WeekdayOfYear, clue)
    return {
        "type": "weekday_in_month" if isinstance(own, WeekdayInMonth) else "weekday_in_year",
        "direction": "forward" if own.nth > 0 else "backward",
        "weekday": WEEKDAYS[own.weekday],
        "n": abs(own.nth),
    }


def _day(clue: Clue) -> dict[str, Any]:
    day = cast(DayOfMonth, clue).day
    if day == -1:
        return {"type": "last_day_of_month", "value": True}
    return {"type": "day_of_month_specific", "value": day}


def _day_range(clue: Clue) -> dict[str, Any]:
    own = cast(DayRange, clue)
    return {
        "type": "day_of_month",
        "operator": "<" if own.side == "before" else ">",
        "value": own.day,
    }


def _event(clue: Clue) -> dict[str, Any]:
    own = cast(Event, clue)
    year, month, day = (f"{own.date}-01-01"[:10]).split("-")
    return {
        "type": "kb_event",
        "event": own.name,
        "aspect": "end" if own.edge == "end" else "start",
        "level": own.relation,
        "value": int({"year": year, "month": month, "day": day}[own.relation]),
        "date": own.date,
        "edge": own.edge,
    }


def _recurring(clue: Clue) -> dict[str, Any]:
    own = cast(Recurring, clue)
    return {
        "type": "kb_event", "event": own.name, "aspect": "multi_year", "level": "year",
        "value": list(own.years),
    }  # fmt: skip


def _month(clue: Clue) -> dict[str, Any]:
    number = clue.params()["month"]
    return {"type": "month", "value": number, "name": MONTHS[number - 1]}


_RULES: dict[str, Callable[[Clue], dict[str, Any]]] = {
    "weekday": lambda clue: {"type": "weekday", "value": WEEKDAYS[clue.params()["weekday"]]},
    "weekdays": lambda clue: {
        "type": "multi_weekday", "value": [WEEKDAYS[day] for day in cast(Weekdays, clue).weekdays]},
    "weekday_in_month": _weekday_of,
    "weekday_of_year": _weekday_of,
    "day_of_month": _day,
    "day_range": _day_range,
    "month": _month,
    "leap_year": lambda clue: {"type": "event", "name": "leap_year"},
    "event": _event,
    "recurring": _recurring,
}  # fmt: skip
