"""Clues that need a table of facts: persons, offices, historical events once or again and again."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any, ClassVar

from harness_timepuzzles import day_sets
from harness_timepuzzles.clues.clue import (
    ISO_DATE,
    LEVELS,
    Clue,
    ClueError,
    Values,
    World,
    below,
    iso,
)
from harness_timepuzzles.clues.day import DayOfMonth
from harness_timepuzzles.clues.explicit import PERIOD, YEARS, Implicit, OfYears, Years, days_of
from harness_timepuzzles.clues.month import Month
from harness_timepuzzles.clues.year import Year
from harness_timepuzzles.facts import Event as EventFact
from harness_timepuzzles.facts import Facts

_NAME: dict[str, Any] = {
    "type": "string", "minLength": 1, "maxLength": 200, "not": {"pattern": r"[\n\r]"},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Alive(Implicit, type="alive", level="year"):
    """A person was alive, days of birth and death included."""

    name: str
    born: str
    died: str
    historical: ClassVar = True
    schema: ClassVar = {"name": _NAME, "born": ISO_DATE, "died": ISO_DATE}
    convention = "A person was alive from the day of birth to the day of death, both days included."
    phrase = "On that day, {name} was alive."
    pattern = r"On that day, (.+) was alive\."

    def check(self) -> None:
        """Refuse a life that ends before it begins."""
        if iso(self.born) > iso(self.died):
            raise ClueError("clue 'alive': 'died' must not be before 'born'")

    def build(self) -> int:
        """All days of the life."""
        return days_of([(self.born, self.died)])

    def holds(self, day: dt.date) -> bool:
        """Compare with birth and death."""
        return self.born <= day.isoformat() <= self.died

    @classmethod
    def values(cls, rng: Random, day: dt.date, world: World) -> Values | None:
        """Choose among those alive."""
        alive = world.persons.on(day)
        if not alive:
            return None
        person = alive[below(len(alive), rng)]
        return person.name, person.born, person.died

    @classmethod
    def all_values(cls, facts: Facts) -> Iterable[Values]:
        """Return all persons."""
        return ((person.name, person.born, person.died) for person in facts.persons)

    @classmethod
    def from_match(cls, match: re.Match[str], facts: Facts) -> Clue | None:
        """Look the person up."""
        person = facts.person(match[1])
        return cls(person.name, person.born, person.died) if person else None


@dataclass(frozen=True, slots=True)
class Office(Implicit, type="office", level="year"):
    """Somebody held an office, first and last days included."""

    name: str
    office: str
    terms: tuple[tuple[str, str], ...]
    historical: ClassVar = True
    schema: ClassVar = {
        "name": _NAME, "office": _NAME,
        "terms": {"type": "array", "minItems": 1, "maxItems": 50, "items": PERIOD},
    }  # fmt: skip
    convention = (
        "An office is held from the first to the last day of a term, both days included; a pope's term begins "
        "with his election."
    )
    phrase = "On that day, {name} held the office of {office}."
    pattern = r"On that day, (.{1,200}) held the office of (.{1,200})\."

    def check(self) -> None:
        """Refuse terms that do not ascend or overlap."""
        flat = [iso(day) for start, end in self.terms for day in (start, end)]
        if any(a > b for a, b in pairwise(flat)):
            raise ClueError("clue 'office': the terms must ascend and not overlap")

    def build(self) -> int:
        """All days of the terms."""
        return days_of(self.terms)

    def holds(self, day: dt.date) -> bool:
        """Compare with each term."""
        return any(first <= day.isoformat() <= last for first, last in self.terms)

    @classmethod
    def values(cls, rng: Random, day: dt.date, world: World) -> Values | None:
        """Choose among the holders on the day."""
        held = world.offices.on(day)
        if not held:
            return None
        chosen = held[below(len(held), rng)]
        return chosen.name, chosen.office, chosen.terms

    @classmethod
    def all_values(cls, facts: Facts) -> Iterable[Values]:
        """Return all holders of offices."""
        return ((held.name, held.office, held.terms) for held in facts.offices)

    @classmethod
    def from_match(cls, match: re.Match[str], facts: Facts) -> Clue | None:
        """Look holder and office up."""
        held = facts.office(match[1], match[2])
        return cls(held.name, held.office, held.terms) if held else None


_EDGES = {"on": "", "start": "the first day of ", "end": "the last day of "}
_WHERE = {"year": (0, 4), "month": (5, 7), "day": (8, 10)}  # in an ISO date
_SENTENCES = {
    "year": "It is in the same year as {}.",
    "month": "Whatever the year, it is in the same month of the year as {}.",
    "day": "Whatever the month and year, it has the same day of the month as {}.",
}


@dataclass(frozen=True, slots=True)
class Event(Clue, type="event", level="year"):
    """The same year, month of the year, or day of the month as a historical event."""

    name: str
    date: str
    edge: str
    relation: str
    historical: ClassVar = True
    schema: ClassVar = {
        "name": _NAME,
        "date": {"type": "string", "pattern": r"^\d{4}(-\d{2}(-\d{2})?)?$"},
        "edge": {"enum": list(_EDGES)},
        "relation": {"enum": list(LEVELS)},
    }
    convention = (
        "The date of a historical event is the Gregorian date at the place where it happened, unless the "
        "clue says otherwise."
    )
    pattern = (
        r"(?:It is in the same (year) as (.+)"
        r"|Whatever the year, it is in the same (month) of the year as (.+)"
        r"|Whatever the month and year, it has the same (day) of the month as (.+))\."
    )

    @property
    def level(self) -> str:
        """As fine as what it compares."""
        return self.relation

    @property
    def kin(self) -> str:
        """Say what it compares."""
        return f"{self.type} {self.relation}"

    def check(self) -> None:
        """Refuse a date that is not precise enough."""
        iso((self.date + "-01-01")[: max(10, len(self.date))])
        if len(self.date) < _WHERE[self.relation][1]:
            raise ClueError(f"clue 'event': date '{self.date}' has no {self.relation}")

    def sentence(self) -> str:
        """Return the sentence."""
        return _SENTENCES[self.relation].format(f"{_EDGES[self.edge]}{self.name}")

    def build(self) -> int:
        """All days of the year, the month or the day of the month."""
        return self.explicit(day_sets.FIRST, day_sets.LAST).build()

    def holds(self, day: dt.date) -> bool:
        """Compare the part of the date that matters."""
        start, end = _WHERE[self.relation]
        return day.isoformat()[start:end] == self.date[start:end]

    def explicit(self, first: dt.date, last: dt.date) -> Clue:
        """Say the year, the month or the day."""
        if self.relation == "year":
            year = int(self.date[:4])
            return Year(year) if year in day_sets.YEARS else Years(())
        if self.relation == "month":
            return Month(int(self.date[5:7]))
        return DayOfMonth(int(self.date[8:]))

    @classmethod
    def values(cls, rng: Random, day: dt.date, world: World) -> Values | None:
        """Choose a relation, then among the events that have it to the day."""
        for relation in rng.sample(LEVELS, 3):
            edges = (edge for event in world.facts.events for edge in edges_of(event))
            fitting = [
                (name, date, edge, relation)
                for name, date, edge in edges
                if len(date) >= _WHERE[relation][1] and cls(name, date, edge, relation).holds(day)
            ]
            if fitting:
                return rng.choice(fitting)
        return None

    @classmethod
    def from_match(cls, match: re.Match[str], facts: Facts) -> Clue | None:
        """Look the event up, with and without "the first day of"."""
        relation, rest = next(
            (a, b) for a, b in zip(match.groups()[::2], match.groups()[1::2], strict=True) if a
        )
        for edge, words in reversed(_EDGES.items()):
            known = facts.event(rest.removeprefix(words)) if rest.startswith(words) else None
            for name, day, part in edges_of(known) if known else ():
                if part == edge:
                    return cls(name, day, edge, relation)
        return None


def edges_of(event: EventFact) -> tuple[tuple[str, str, str], ...]:
    """Return (name, date, edge) of the days of an event that a clue can speak of."""
    if not event.end:
        return ((event.name, event.start, "on"),)
    return ((event.name, event.start, "start"), (event.name, event.end, "end"))


@dataclass(frozen=True, slots=True)
class Recurring(OfYears, type="recurring", level="year"):
    """One of the years of something that happened more than once."""

    name: str
    years: tuple[int, ...]
    historical: ClassVar = True
    schema: ClassVar = {"name": _NAME, "years": YEARS}
    convention = "Of something that happened more than once, every such year counts."
    phrase = "The year is one of the years of {name}."
    pattern = r"The year is one of the years of (.+)\."

    def check(self) -> None:
        """Refuse years that do not ascend."""
        Years(self.years).check()

    def explicit(self, first: dt.date, last: dt.date) -> Clue:
        """List the years."""
        return Years.within(self.years, first, last)

    @classmethod
    def values(cls, rng: Random, day: dt.date, world: World) -> Values | None:
        """Choose among what happened in the day's year."""
        fitting = world.recurring.get(day.year)
        if not fitting:
            return None
        chosen = rng.choice(fitting)
        return chosen.name, chosen.years

    @classmethod
    def from_match(cls, match: re.Match[str], facts: Facts) -> Clue | None:
        """Look it up."""
        known = facts.recurrence(match[1])
        return cls(known.name, known.years) if known else None
