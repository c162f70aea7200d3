"""The complete certificate of a label, for `harness_proof`: the facts that the clues speak of, with their sources.

The checker tries every date itself, so that nothing is to be trusted here but the facts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import date
from itertools import pairwise
from typing import Any

from harness import Item
from harness_timepuzzles import calendars, reading
from harness_timepuzzles.clues import catalogue
from harness_timepuzzles.clues.clue import Clue
from harness_timepuzzles.clues.facts import Alive, Event, Office, Recurring
from harness_timepuzzles.clues.month import LunarMonth
from harness_timepuzzles.clues.religions import Islamic
from harness_timepuzzles.clues.sky import Equinox, Moon
from harness_timepuzzles.clues.year import GAMES, Games, Zodiac
from harness_timepuzzles.conversions.calendar_dates import day_of
from harness_timepuzzles.conversions.problem import ends, is_conversion
from harness_timepuzzles.facts import Facts
from harness_timepuzzles.languages import language as languages
from harness_timepuzzles.wording import OPENING

Row = tuple[Any, ...]
Source = Callable[[Callable[[Facts], Any]], str]


def prove(item: Item) -> dict[str, Any]:
    """Return the certificate."""
    if is_conversion(item.problem):
        given, target = ends(item.problem)
        day = day_of(given)
        if day is None:
            return {}
        return {"day": day.isoformat(), **_tables({given["calendar"], target}, day, day)}
    tables = reading.known()

    def source(find: Callable[[Facts], Any]) -> str:
        return next((known.source for table in tables if (known := find(table))), "the problem")

    language, _ = languages.spoken(item.prompt, OPENING)
    clues = catalogue.parse_all(item.problem)
    first, last = map(date.fromisoformat, item.problem["range"])
    named = {"chinese" for clue in clues if isinstance(clue, (LunarMonth, Zodiac))}
    named |= {"islamic" for clue in clues if isinstance(clue, Islamic)}
    facts = {}
    for clue in clues:
        known = _fact(clue, source) or _days(clue, first, last)
        if known:
            facts[_words(clue, language)] = known
    return {"facts": facts, "chinese": [], **_tables(named, first, last)}


def _tables(named: Iterable[str], first: date, last: date) -> dict[str, list[Row]]:
    """Return the years of calendars that the days of a range lie in."""
    years: dict[str, Iterable[Row]] = {
        "chinese": calendars.chinese_years(),
        "islamic": calendars.islamic_years(),
    }
    return {
        calendar: [
            (row[0].isoformat(), *row[1:])
            for row in rows
            if first.year - 1 <= row[0].year <= last.year
        ]
        for calendar, rows in years.items()
        if calendar in named
    }


def _fact(clue: Clue, source: Source) -> tuple[Any, str] | None:
    """Return what a problem says of a fact, and our source."""
    if isinstance(clue, Event):
        return clue.date, source(lambda table: table.event(clue.name))
    if isinstance(clue, Recurring):
        return clue.years, source(lambda table: table.recurrence(clue.name))
    if isinstance(clue, Alive):
        return [(clue.born, clue.died)], source(lambda table: table.person(clue.name))
    if isinstance(clue, Office):
        return clue.terms, source(lambda table: table.office(clue.name, clue.office))
    if isinstance(clue, Games):
        return GAMES[clue.games], "CLUES.md"
    return None


def _words(clue: Clue, language: str) -> str:
    """Return the words of a clue's sentence that stand for a fact."""
    if language != languages.ENGLISH:
        return languages.of(language).fact(clue)
    if isinstance(clue, Event):
        match = re.fullmatch(Event.pattern, clue.sentence())
        return next(filter(None, match.groups()[1::2])) if match else ""
    if isinstance(clue, Office):
        return f"{clue.name} held the office of {clue.office}"
    if isinstance(clue, (Recurring, Alive)):
        return clue.name
    if isinstance(clue, Games):
        return clue.sentence().partition(" w")[0]
    if isinstance(clue, Moon):
        return Moon.words[clue.phase]
    return Equinox.words[clue.point] if isinstance(clue, Equinox) else ""


def _days(clue: Clue, first: date, last: date) -> tuple[Any, str] | None:
    """Return the days of the moon or the sun in a range: the first, and a sign for each that follows."""
    if isinstance(clue, Moon):
        found, longer = calendars.phase_days(clue.phase), 30
    elif isinstance(clue, Equinox):
        found, longer = calendars.point_days(clue.point), 366
    else:
        return None
    near = [day for day in found if abs((day - min(max(day, first), last)).days) <= longer]
    signs = ("+" if (b - a).days == longer else "-" for a, b in pairwise(near))
    return (near[0].isoformat(), "".join(signs)), "ephem"
