"""The complete certificate of a label, for `harness_proof`: the facts that the clues speak of, with their sources.

The checker tries every date itself, so that nothing is to be trusted here but the facts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from harness import Item
from harness_timepuzzles import calendars, reading
from harness_timepuzzles.clues import catalogue
from harness_timepuzzles.clues.clue import Clue
from harness_timepuzzles.clues.facts import Alive, Event, Office, Recurring
from harness_timepuzzles.clues.month import LunarMonth
from harness_timepuzzles.clues.year import GAMES, Games, Zodiac
from harness_timepuzzles.facts import Facts


def prove(item: Item) -> dict[str, Any]:
    """Return the certificate."""
    tables = reading.known()

    def source(find: Callable[[Facts], Any]) -> str:
        return next((known.source for table in tables if (known := find(table))), "the problem")

    clues = catalogue.parse_all(item.problem)
    facts = dict(fact for clue in clues if (fact := _fact(clue, source)))
    first, last = (int(day[:4]) for day in item.problem["range"])
    chinese = [
        (start.isoformat(), leap, lengths)
        for start, leap, lengths in calendars.chinese_years()
        if first - 1 <= start.year <= last
        and any(isinstance(c, (LunarMonth, Zodiac)) for c in clues)
    ]
    return {"facts": facts, "chinese": chinese}


def _fact(clue: Clue, source: Callable[[Callable[[Facts], Any]], str]) -> tuple[str, Any] | None:
    """Return the words of a clue that stand for a fact, with what the problem says of it and our source."""
    if isinstance(clue, Event):
        match = re.fullmatch(Event.pattern, clue.sentence())
        words = next(filter(None, match.groups()[1::2])) if match else ""
        return words, (clue.date, source(lambda table: table.event(clue.name)))
    if isinstance(clue, Recurring):
        return clue.name, (clue.years, source(lambda table: table.recurrence(clue.name)))
    if isinstance(clue, Alive):
        life = [(clue.born, clue.died)]
        return clue.name, (life, source(lambda table: table.person(clue.name)))
    if isinstance(clue, Office):
        words = f"{clue.name} held the office of {clue.office}"
        return words, (clue.terms, source(lambda table: table.office(clue.name, clue.office)))
    if isinstance(clue, Games):
        words, _, _ = clue.sentence().partition(" w")
        return words, (GAMES[clue.games], "CLUES.md")
    return None
