"""Tables of facts: our own `facts.csv`, and files of a user's with the same columns.

A fact is an event, something that happened again and again, a person's life, or an office held. The
clues name facts by their exact text, so a name stands for one fact of its kind only. What the
columns mean and how our own table was made is said in FACTS.md.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Self

from harness_errors import did_you_mean

from harness_timepuzzles import facts_file
from harness_timepuzzles.facts_file import MAX_SHOWN, FactsError, Row, shown

# Which columns a kind fills, beside kind, name and source; those of the first list it must.
KINDS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "event": (("start",), ("end",)),
    "recurring": (("years",), ()),
    "person": (("start", "end"), ()),
    "office": (("start", "end", "office"), ()),
}
MAX_NAME = 200
MAX_TERMS = 50
MAX_TABLES = 8  # kept parsed
FIRST_YEAR, LAST_YEAR = 1700, 2100


class _Record:
    """A fact; in a table it is found by its kind and its name."""

    __slots__ = ()
    name: str

    @property
    def key(self) -> tuple[str, ...]:
        """What no other fact has."""
        return (type(self).__name__, self.name)


@dataclass(frozen=True, slots=True)
class Event(_Record):
    """Something that happened once; ``end`` is empty if it was of one day.

    Dates are ISO text, ``YYYY-MM-DD``, ``YYYY-MM`` or ``YYYY``, both as precise as each other.
    """

    name: str
    start: str
    end: str
    source: str


@dataclass(frozen=True, slots=True)
class Recurring(_Record):
    """Something that happened in several years, which ascend."""

    name: str
    years: tuple[int, ...]
    source: str


@dataclass(frozen=True, slots=True)
class Person(_Record):
    """A life, from the day of birth to the day of death (``YYYY-MM-DD``)."""

    name: str
    born: str
    died: str
    source: str


@dataclass(frozen=True, slots=True)
class Office(_Record):
    """The terms of one holder of an office, (first day, last day), ascending and apart."""

    name: str
    office: str
    terms: tuple[tuple[str, str], ...]
    source: str

    @property
    def key(self) -> tuple[str, ...]:
        """What no other fact has."""
        return ("Office", self.name, self.office)


@dataclass(frozen=True, slots=True)
class Facts:
    """A table, each kind in the order of its names; a record is found by its exact name."""

    events: tuple[Event, ...] = ()
    recurring: tuple[Recurring, ...] = ()
    persons: tuple[Person, ...] = ()
    offices: tuple[Office, ...] = ()
    by_key: dict[tuple[str, ...], Any] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Index the records by name."""
        records = (*self.events, *self.recurring, *self.persons, *self.offices)
        object.__setattr__(self, "by_key", {record.key: record for record in records})

    @classmethod
    def of(cls, records: Iterable[_Record]) -> Self:
        """Return the table of some records."""
        kinds: dict[str, list[Any]] = defaultdict(list)
        for record in sorted(records, key=lambda record: record.key):
            kinds[type(record).__name__].append(record)
        return cls(*(tuple(kinds[kind.__name__]) for kind in (Event, Recurring, Person, Office)))

    def event(self, name: str) -> Event | None:
        """Return the event of a name, None if there is none."""
        return self.by_key.get(("Event", name))

    def recurrence(self, name: str) -> Recurring | None:
        """Return what happened repeatedly under a name, None if nothing did."""
        return self.by_key.get(("Recurring", name))

    def person(self, name: str) -> Person | None:
        """Return the person of a name, None if there is none."""
        return self.by_key.get(("Person", name))

    def office(self, name: str, office: str) -> Office | None:
        """Return the terms of a person in an office, None if they did not hold it."""
        return self.by_key.get(("Office", name, office))

    def with_more(self, other: Facts) -> Facts:
        """Return the facts of both tables; where both have a name, the record of this one stays."""
        return Facts.of({**other.by_key, **self.by_key}.values())


@cache
def builtin() -> Facts:
    """Return our own table."""
    path = Path(__file__).with_name("facts.csv")
    return _parsed(str(path), path.read_bytes(), Facts())


_tables: dict[tuple[str, str, bool], Facts] = {}


def with_file(path: str, builtin_too: bool) -> Facts:
    """Return the facts of a file, with our own or without; parsed anew only when the file changes.

    A name of our own table must mean the same in the file even where the table is left out, since a
    name in a prompt has one meaning.

    Raises:
        FactsError: the file cannot be read, is too large, is malformed, has a fact that makes no
            sense, calls something else by a name of our own table, or alone has no event and nothing
            that recurs.
    """
    data = facts_file.content(path)
    key = (path, hashlib.sha256(data).hexdigest(), builtin_too)
    if key not in _tables:
        table = _parsed(path, data, builtin())
        if not builtin_too and not table.events and not table.recurring:
            raise FactsError(
                f"{path}: without the built-in facts it needs a fact of kind 'event' or 'recurring' at least"
            )
        if len(_tables) >= MAX_TABLES:  # a file that changes often must not fill the memory
            _tables.clear()
        _tables[key] = builtin().with_more(table) if builtin_too else table
    return _tables[key]


# ------------------------------------------------------------------------------- what a row says


def _parsed(path: str, data: bytes, ours: Facts) -> Facts:
    """Return the table of a file, refused where a name of ``ours`` stands for something else in it."""
    table = _facts(facts_file.rows(path, data))
    if table == Facts():
        raise FactsError(f"{path}: has no facts")
    for key, record in table.by_key.items():
        known = ours.by_key.get(key)
        if known and replace(known, source=record.source) != record:
            raise FactsError(
                f"{path}: {shown(record.name)}: the built-in facts have this name with other dates; "
                "choose another name"
            )
    return table


def _facts(rows: Iterator[Row]) -> Facts:
    once: dict[tuple[str, str], tuple[Row, Any]] = {}
    terms: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        kind = row["kind"]
        _check(row)
        if kind == "office":
            terms[row["name"], row["office"]].append(row)
            continue
        if (kind, row["name"]) in once:
            earlier = once[kind, row["name"]][0].where.rpartition(": ")[2]
            raise row.wrong(f"the name of another {kind} fact, in {earlier}; names must differ")
        once[kind, row["name"]] = row, _record(row)
    offices = [_office(terms[key]) for key in sorted(terms)]
    return Facts.of([*(record for _, record in once.values()), *offices])


def _record(row: Row) -> Event | Recurring | Person:
    if row["kind"] == "recurring":
        return Recurring(row["name"], tuple(map(int, row["years"].split(";"))), row["source"])
    kind = Event if row["kind"] == "event" else Person
    return kind(row["name"], row["start"], row["end"], row["source"])


def _office(rows: list[Row]) -> Office:
    rows = sorted(rows, key=lambda row: row["start"])
    for earlier, row in pairwise(rows):
        if row["start"] <= earlier["end"]:
            raise row.wrong(
                f"the term from {row['start']} overlaps the one to {earlier['end']} of the same holder"
            )
    if len(rows) > MAX_TERMS:
        raise rows[MAX_TERMS].wrong(f"more than {MAX_TERMS} terms of one holder")
    first = rows[0]
    return Office(
        first["name"], first["office"], tuple((r["start"], r["end"]) for r in rows), first["source"]
    )


# ------------------------------------------------------------------------------ checks of one row


def _check(row: Row) -> None:
    kind = row["kind"]
    if kind not in KINDS:
        fault = f"kind {shown(kind)} is none" if kind else "'kind' is missing"
        raise row.wrong(f"{fault}; {did_you_mean(kind[:MAX_SHOWN], KINDS)}")
    needed, allowed = KINDS[kind]
    for column in ("name", *needed):
        if not row[column]:
            raise row.wrong(f"'{column}' is missing, which every fact of kind {kind} needs")
    for column in ("start", "end", "years", "office"):
        if row[column] and column not in (*needed, *allowed):
            raise row.wrong(f"'{column}' does not belong to a fact of kind {kind}: leave it empty")
    for column in ("name", "office"):
        _check_words(row, column)
    if kind == "recurring":
        _check_years(row)
    else:
        _check_dates(row)


def _check_words(row: Row, column: str) -> None:
    text = row[column]
    why = ""
    if len(text) > MAX_NAME:
        why = f"has {len(text)} characters, at most {MAX_NAME} are allowed"
    elif not text.isprintable():
        why = "has a line break, a tab or another character that does not print"
    elif text != text.strip() or "  " in text:
        why = "begins or ends with a blank, or has two in a row"
    elif text.endswith("."):
        why = "ends in a full stop: it stands inside a sentence"
    elif text.startswith(("the first day of ", "the last day of ")):
        why = "begins like the clue about one end of an event: say it without the first or last day"
    elif " held the office of " in text:
        why = "has the words 'held the office of', which the clue itself says"
    if why:
        raise row.wrong(f"'{column}' {why}")


def _check_dates(row: Row) -> None:
    whole = row["kind"] != "event"
    for column in ("start", "end"):
        if row[column]:
            _check_date(row, column, whole)
    if not row["end"]:
        return
    if len(row["start"]) != len(row["end"]):
        raise row.wrong(
            f"start '{row['start']}' and end '{row['end']}' must both have a day, or both end with the month or year"
        )
    if row["end"] < row["start"]:
        raise row.wrong(f"end '{row['end']}' is before start '{row['start']}'")


def _check_date(row: Row, column: str, whole: bool) -> None:
    text = row[column]
    forms = "YYYY-MM-DD" if whole else "YYYY-MM-DD, YYYY-MM or YYYY"
    parts = r"-\d{2}-\d{2}" if whole else r"(-\d{2}){0,2}"
    try:
        if not re.fullmatch(rf"\d{{4}}{parts}", text, re.ASCII):
            raise ValueError
        day = dt.date.fromisoformat((text + "-01-01")[:10])
    except ValueError:
        raise row.wrong(f"{column} {shown(text)} is no date; write {forms}") from None
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise row.wrong(f"{column} '{text}' lies outside {FIRST_YEAR} to {LAST_YEAR}")


def _check_years(row: Row) -> None:
    years = row["years"].split(";")
    for year in years:
        if not re.fullmatch(r"\d{4}", year, re.ASCII):
            raise row.wrong(f"years: {shown(year)} is no year; write them like 1908;1948;2012")
        if not FIRST_YEAR <= int(year) <= LAST_YEAR:
            raise row.wrong(f"years: {year} lies outside {FIRST_YEAR} to {LAST_YEAR}")
    for earlier, later in pairwise(years):
        if later <= earlier:
            raise row.wrong(f"years: {later} stands after {earlier}; they must ascend")
