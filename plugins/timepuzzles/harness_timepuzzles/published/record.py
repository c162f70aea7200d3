"""A published record, checked: its sentences, their entries, and what the entries mean as clues of ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from harness import DatasetError, Item
from harness_timepuzzles import day_sets, facts
from harness_timepuzzles.clues.clue import Clue
from harness_timepuzzles.clues.explicit import Periods
from harness_timepuzzles.engines.masks import intersection
from harness_timepuzzles.problem import Problem
from harness_timepuzzles.published import sentences
from harness_timepuzzles.published.entries import AS_PUBLISHED, Known, Reading, clue, needs_span

PUBLISHED = "published"  # the version and the split of adopted items
RANGE = (1800, 2050)  # the published generator's own setting, for records that do not say theirs
MAX_CLUES, MAX_SENTENCE = 40, 2_000


@dataclass(frozen=True, slots=True)
class Record:
    """One published record, checked: what it says, in the order of its constraints."""

    implicit: tuple[str, ...]
    explicit: tuple[str, ...]  # empty where the record has none
    entries: tuple[Mapping[str, Any], ...]
    known: tuple[Known, ...]
    years: tuple[int, int]

    @property
    def ends(self) -> tuple[date, date]:
        """The first and the last day of the record's range of years."""
        return date(self.years[0], 1, 1), date(self.years[1], 12, 31)

    @property
    def span(self) -> int:
        """The days of the record's range of years, as a mask."""
        return day_sets.run(*self.ends)

    def clues(self, reading: Reading = AS_PUBLISHED) -> list[Clue]:
        """Return what the entries mean, read in some way.

        Raises:
            DatasetError: an entry that means nothing we know; its number is said.
        """
        clues = []
        for number, (entry, known) in enumerate(zip(self.entries, self.known, strict=True), 1):
            try:
                meant = clue(entry, known, reading)
            except DatasetError as error:
                raise DatasetError(f"'constraints_meta' {number}: {error}") from None
            if isinstance(meant, Periods):
                meant = Periods.of_days(meant.build(), *self.ends)
            clues.append(meant)
        return clues

    def problem(self, reading: Reading = AS_PUBLISHED) -> Problem:
        """Return the clues with the days that count.

        Where a Chinese clue is certain in a part of the range only, and the other clues allow no date
        in the rest, that rest is left out: the solutions are the same, and the engines can speak.
        """
        whole = Problem(*self.ends, self.clues(reading))
        begin, end = whole.certain()
        rest = self.span & ~day_sets.run(begin, end)
        if begin > end or intersection(boundless(whole.clues), rest):
            return whole
        return replace(whole, first=begin, last=end)

    def to_dict(self) -> dict[str, Any]:
        """Return the record's constraints in the published form, without solutions."""
        more = {"explicit_constraints": list(self.explicit)} if self.explicit else {}
        return {
            "constraints": list(self.implicit),
            **more,
            "constraints_meta": [dict(entry) for entry in self.entries],
            "year_range": list(self.years),
        }


def boundless(clues: Sequence[Clue]) -> list[Clue]:
    """Return the clues whose calendars are certain from 1700 to 2100."""
    return [clue for clue in clues if clue.bounds == (day_sets.FIRST, day_sets.LAST)]


def parse(record: Mapping[str, Any], recurring: facts.Facts | None = None) -> Record:
    """Return what a record says, checked but for the meaning of its entries.

    Raises:
        DatasetError: a field that is missing, or not what it should be.
    """
    implicit, explicit = _sentences(record, "constraints"), tuple[str, ...]()
    if "explicit_constraints" in record:
        explicit = _sentences(record, "explicit_constraints")
    entries = field(record, "constraints_meta")
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise DatasetError("'constraints_meta' is no list of objects")
    for name, other in (("constraints_meta", entries), ("explicit_constraints", explicit)):
        if len(other) != len(implicit) and (other or name == "constraints_meta"):
            raise DatasetError(
                f"'{name}' has {len(other)} entries, 'constraints' has {len(implicit)}"
            )
    known = tuple(
        _known(entry, explicit[at] if explicit else None, recurring)
        for at, entry in enumerate(entries)
    )
    return Record(implicit, explicit, tuple(entries), known, _years(record))


def recorded(item: Item) -> Record | None:
    """Return the record that an adopted item was made of; None for an item of another origin."""
    kept = item.notes.get("published") if item.version == PUBLISHED else None
    if not isinstance(kept, Mapping):
        return None
    read = parse(kept)
    years = kept.get("known_years", {})
    known = tuple(
        Known(beside.span, tuple(years.get(str(at), ()))) for at, beside in enumerate(read.known)
    )
    return replace(read, known=known)


def field(record: Mapping[str, Any], name: str) -> Any:
    """Return a field of a record, refused if it is missing."""
    if name not in record:
        hint = (
            "; a file of results lacks it, the data file they were made from has it"
            if name == "constraints_meta" and "response" in record
            else ""
        )
        raise DatasetError(f"field '{name}' is missing{hint}")
    return record[name]


def _sentences(record: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = field(record, name)
    if not isinstance(value, list) or not 1 <= len(value) <= MAX_CLUES:
        raise DatasetError(f"'{name}' is no list of 1 to {MAX_CLUES} sentences")
    for number, sentence in enumerate(value, 1):
        size = len(sentence) if isinstance(sentence, str) and sentence.isprintable() else 0
        if not 0 < size <= MAX_SENTENCE:
            raise DatasetError(
                f"'{name}' {number} is no sentence of one line and at most {MAX_SENTENCE} characters"
            )
    return tuple(value)


def _years(record: Mapping[str, Any]) -> tuple[int, int]:
    if "year_range" not in record:
        return RANGE
    value = record["year_range"]
    if not isinstance(value, list) or len(value) != 2 or not all(type(y) is int for y in value):
        raise DatasetError("'year_range' is no list of two years")
    first, last = value
    if not day_sets.FIRST.year <= first <= last <= day_sets.LAST.year:
        raise DatasetError(
            f"'year_range' is {first} to {last}, expected ascending years from 1700 to 2100"
        )
    return first, last


def _known(entry: Mapping[str, Any], explicit: str | None, recurring: facts.Facts | None) -> Known:
    """Return what a record and our facts say beside an entry."""
    years: tuple[int, ...] = ()
    if recurring and entry.get("aspect") == "multi_year" and isinstance(entry.get("event"), str):
        fact = recurring.recurrence(entry["event"])
        years = fact.years if fact else ()
    if not needs_span(entry):
        return Known(None, years)
    span = sentences.span(explicit)
    whole = span is not None and len(span[0]) == len("2000-01-01")
    if span is None or whole != (entry.get("type") != "western_zodiac"):
        span = sentences.known_span(entry)
    if span and whole and span[0] > span[1]:
        raise DatasetError(f"the span from {span[0]} to {span[1]} ends before it begins")
    return Known(span, years)
