"""Whether an item's label holds when its clues are read in other ways than the published one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from harness import Abstained, HarnessError, Item
from harness_timepuzzles import day_sets, engines
from harness_timepuzzles.calendars import CHINESE_FIRST, LUNARDATE_FIRST
from harness_timepuzzles.clues.clue import mask
from harness_timepuzzles.clues.explicit import Periods
from harness_timepuzzles.problem import Problem
from harness_timepuzzles.published.entries import AS_PUBLISHED, Known, Meta, Reading
from harness_timepuzzles.published.record import Record, recorded


def readings(item: Item) -> dict[str, dict[str, bool]]:
    """Return whether the label holds under each reading of each question that an item's clues leave open.

    The first reading is the published one. A question that no clue of the item raises is left out, as is
    one where some reading goes beyond the calendars.
    """
    try:
        record = recorded(item)
        if record is None:
            return {}
        answers: dict[str, dict[str, bool]] = {}
        for question, ways in _questions(record).items():
            problems = {way: record.problem(reading) for way, reading in ways.items()}
            answers |= _answers(item, question, problems)
        return answers | _years_that_count(item, record) | _early_china(item, record)
    except HarnessError:
        return {}


# For each question the published answer, another one, and how clues are read then.
_QUESTIONS: dict[str, tuple[str, str, Reading]] = {
    "before or after the Nth": ("the Nth does not count", "the Nth counts", Reading(nth_counts=True)),
    "first and last days of lives and terms": ("do not count", "count", Reading(ends_count=True)),
    "leap lunar months": (
        "count as the month they repeat", "do not count", Reading(leap_months=False)),
    "zodiac year": (
        "begins at the Chinese New Year", "begins on 1 January", Reading(zodiac_from_january=True)),
    "decade that begins a century": ("ten years", "a hundred years", Reading(whole_century=True)),
    "years of Games": (
        "every fourth year but for the wars", "years in which they were held", Reading(games_held=True)),
    "years of what happened more than once": (
        "the one year recorded", "every year", Reading(every_year=True)),
}  # fmt: skip


def _questions(record: Record) -> dict[str, dict[str, Reading]]:
    """Return the questions that a record's entries raise, with the readings of each."""
    raised = {
        _question(entry, known) for entry, known in zip(record.entries, record.known, strict=True)
    }
    return {
        name: {published: AS_PUBLISHED, other: reading}
        for name, (published, other, reading) in _QUESTIONS.items()
        if name in raised
    }


def _question(entry: Meta, known: Known) -> str:
    kind, value = entry.get("type"), entry.get("value")
    if kind == "decade":
        return "decade that begins a century" if value and value % 100 == 0 else ""
    if kind == "event":
        return "years of Games" if entry.get("name") != "leap_year" else ""
    if kind == "kb_event":
        several = entry.get("aspect") == "multi_year" and known.years and isinstance(value, int)
        return "years of what happened more than once" if several else ""
    return {
        "day_of_month": "before or after the Nth",
        "person_alive": "first and last days of lives and terms",
        "us_president": "first and last days of lives and terms",
        "lunar_month": "leap lunar months",
        "chinese_zodiac": "zodiac year",
    }.get(str(kind), "")


def _answers(
    item: Item, question: str, problems: Mapping[str, Problem]
) -> dict[str, dict[str, bool]]:
    """Return whether the label holds in each way to answer a question; {} if one cannot be told."""
    try:
        holds = {
            way: engines.solve(problem.to_dict(), "masks").answer == item.target
            for way, problem in problems.items()
        }
    except Abstained:
        return {}
    return {question: holds}


def _years_that_count(item: Item, record: Record) -> dict[str, dict[str, bool]]:
    """Hold the label against all years from 1700 to 2100 where the prompt does not say which count."""
    if all(str(year) in item.prompt for year in record.years):
        return {}
    wide = replace(record, years=(day_sets.FIRST.year, day_sets.LAST.year))
    ways = {
        f"{record.years[0]} to {record.years[1]}, as recorded": record.problem(),
        "1700 to 2100": Problem(*wide.ends, wide.clues()),
    }
    return _answers(item, "years that count", ways)


def _early_china(item: Item, record: Record) -> dict[str, dict[str, bool]]:
    """Hold the label of a puzzle with Chinese clues before 1900 against a calendar that begins then."""
    problem = record.problem()
    later = day_sets.run(LUNARDATE_FIRST, day_sets.LAST)
    begun = [
        Periods.of_days(mask(clue) & later, *record.ends)
        if clue.bounds[0] == CHINESE_FIRST
        else clue
        for clue in problem.clues
    ]
    if begun == problem.clues or problem.first >= LUNARDATE_FIRST:
        return {}
    ways = {"as it was": problem, "no day counts": replace(problem, clues=begun)}
    return _answers(item, "Chinese calendar before 1900", ways)
