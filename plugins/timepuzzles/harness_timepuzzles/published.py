"""Take over records of the published Time Puzzles JSON: constraints in words, their entries, the solutions.

The published frame of the prompt is not repeated here: the published sentences stand word for word in
a frame of our own, which says no more than theirs does about how they are to be read; above all it
does not say which years count. A record that brings its ``prompt`` keeps it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Any

from harness import DatasetError, Item, digest
from harness_timepuzzles import clues, facts, masks
from harness_timepuzzles import published_meta as metas
from harness_timepuzzles import published_sentences as sentences
from harness_timepuzzles.clue import Clue
from harness_timepuzzles.clues_explicit import Periods
from harness_timepuzzles.config import NAME
from harness_timepuzzles.engines import answer
from harness_timepuzzles.wording import ANSWER

FORMAT = "timepuzzles_json"
PUBLISHED = "published"
RANGE = (1800, 2050)  # the published generator's own setting, for records that do not say theirs
MAX_CLUES, MAX_SENTENCE, MAX_PROMPT, MAX_SOLUTIONS = 40, 2_000, 200_000, 150_000

_FRAME = """\
All statements below are about the same date. Which dates fit every one of them?

Statements:
{statements}

The calendar is the Gregorian one where a statement does not say otherwise. Seasons are whole months: \
spring is March to May, summer June to August, autumn September to November, winter December to February.

{answer}"""


@dataclass(frozen=True, slots=True)
class Record:
    """One published record, checked: what it says, in the order of its constraints."""

    implicit: tuple[str, ...]
    explicit: tuple[str, ...]  # empty where the record has none
    entries: tuple[Mapping[str, Any], ...]
    known: tuple[metas.Known, ...]
    years: tuple[int, int]

    @property
    def span(self) -> int:
        """The days of the record's range of years, as a mask."""
        return masks.run(date(self.years[0], 1, 1), date(self.years[1], 12, 31))

    def clues(self, reading: metas.Reading = metas.AS_PUBLISHED) -> list[Clue]:
        """Return what the entries mean, read in some way.

        Raises:
            DatasetError: an entry that means nothing we know; its number is said.
        """
        found = []
        for number, (entry, known) in enumerate(zip(self.entries, self.known, strict=True), 1):
            try:
                made = metas.clue(entry, known, reading)
            except DatasetError as error:
                raise DatasetError(f"'constraints_meta' {number}: {error}") from None
            if isinstance(made, Periods):
                first, last = self.years
                made = Periods.of_mask(made, date(first, 1, 1), date(last, 12, 31))
            found.append(made)
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return the record's constraints in the published form, without solutions."""
        more = {"explicit_constraints": list(self.explicit)} if self.explicit else {}
        return {
            "constraints": list(self.implicit),
            **more,
            "constraints_meta": [dict(entry) for entry in self.entries],
            "year_range": list(self.years),
        }


def adopt(record: Mapping[str, Any], config: Mapping[str, Any], form: str = "") -> Item | None:
    """Return the item of one published record; ``config["mode"]`` says which sentences make its prompt.

    Returns:
        None when another format was asked for, or none was and the record has no ``constraints_meta``, nor
        ``constraints`` and ``solutions``.

    Raises:
        DatasetError: the reason in one line, without the record's position.
    """
    if form != FORMAT and (form or not _looks_ours(record)):
        return None
    read = parse(record, _recurring(config))
    puzzle = read.clues()
    solutions, said_twice = _solutions(record)
    prompt, mode = _prompt(record, read, config)
    findings, unread = _compared(read, mode)
    findings += [f"'solutions' has {day} twice" for day in said_twice]
    findings += _counted(record, solutions)
    problem = {
        "range": narrowed(puzzle, read),
        "clues": [clue.params() for clue in puzzle],
    }
    target = answer(solutions)
    published = read.to_dict() | ({"range_assumed": True} if "year_range" not in record else {})
    if several := {str(n): list(k.years) for n, k in enumerate(read.known) if k.years}:
        published["known_years"] = several
    return Item(
        plugin=NAME,
        version=PUBLISHED,
        prompt=prompt,
        target=target,
        problem=problem,
        features={
            "solutions": len(solutions),
            "clues": len(puzzle),
            "mode": mode,
            "relation": _relation(read.entries),
            "clue": " ".join(sorted({clue.type for clue in puzzle})),
        },
        split=PUBLISHED,
        family=digest([NAME, problem])[:12],
        notes={
            "format": FORMAT,
            "source_id": _source(record),
            "published": published,
            **({"label": record["solutions"]} if record["solutions"] != solutions else {}),
            **({"findings": findings} if findings else {}),
            **({"uncompared": unread} if unread else {}),
        },
    )


def parse(record: Mapping[str, Any], recurring: facts.Facts | None = None) -> Record:
    """Return what a record says, checked but for the meaning of its entries.

    Raises:
        DatasetError: a field that is missing, or not what it should be.
    """
    implicit = _sentences(record, "constraints")
    explicit = (
        _sentences(record, "explicit_constraints") if "explicit_constraints" in record else ()
    )
    entries = _field(record, "constraints_meta")
    if not isinstance(entries, list) or not all(isinstance(one, dict) for one in entries):
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
        metas.Known(one.span, tuple(years.get(str(at), ()))) for at, one in enumerate(read.known)
    )
    return Record(read.implicit, read.explicit, read.entries, known, read.years)


def frame(statements: Sequence[str]) -> str:
    """Return the prompt of some published sentences."""
    listed = "\n".join(f"- {statement}" for statement in statements)
    return _FRAME.format(statements=listed, answer=ANSWER)


# ----------------------------------------------------------------------------------- the fields


def _looks_ours(record: Mapping[str, Any]) -> bool:
    return "constraints_meta" in record or {"constraints", "solutions"} <= set(record)


def _field(record: Mapping[str, Any], name: str) -> Any:
    if name not in record:
        hint = (
            "; a file of results lacks it, the data file they were made from has it"
            if name == "constraints_meta" and "response" in record
            else ""
        )
        raise DatasetError(f"field '{name}' is missing{hint}")
    return record[name]


def _sentences(record: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = _field(record, name)
    if not isinstance(value, list) or not 1 <= len(value) <= MAX_CLUES:
        raise DatasetError(f"'{name}' is no list of 1 to {MAX_CLUES} sentences")
    for number, one in enumerate(value, 1):
        if not isinstance(one, str) or not 0 < len(one) <= MAX_SENTENCE or not one.isprintable():
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
    if not masks.FIRST.year <= first <= last <= masks.LAST.year:
        raise DatasetError(
            f"'year_range' is {first} to {last}, expected ascending years from 1700 to 2100"
        )
    return first, last


def _solutions(record: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return the label's dates in ascending order, and those that it lists twice."""
    value = _field(record, "solutions")
    if not isinstance(value, list) or len(value) > MAX_SOLUTIONS:
        raise DatasetError(f"'solutions' is no list of at most {MAX_SOLUTIONS} dates")
    found = []
    for number, one in enumerate(value, 1):
        day = sentences.parse_day(one)
        if day is None:
            raise DatasetError(
                f"'solutions' {number} is {str(one)[:40]!r}, expected a date YYYY-MM-DD"
            )
        found.append(day)
    found.sort()
    return list(dict.fromkeys(found)), [a for a, b in pairwise(found) if a == b]


def _counted(record: Mapping[str, Any], solutions: Sequence[str]) -> list[str]:
    count = record.get("solution_count", len(solutions))
    if count == len(solutions):
        return []
    return [f"'solution_count' is {str(count)[:20]}, 'solutions' has {len(solutions)} dates"]


def _source(record: Mapping[str, Any]) -> str:
    for name in ("identifier", "id"):
        value = record.get(name)
        if isinstance(value, str | int) and not isinstance(value, bool):
            return str(value)[:200]
    return ""


def _known(
    entry: Mapping[str, Any], explicit: str | None, recurring: facts.Facts | None
) -> metas.Known:
    """Return what a record and our facts say beside an entry."""
    years: tuple[int, ...] = ()
    if recurring and entry.get("aspect") == "multi_year" and isinstance(entry.get("event"), str):
        found = recurring.recurrence(entry["event"])
        years = found.years if found else ()
    if not metas.needs_span(entry):
        return metas.Known(None, years)
    span = sentences.span(explicit)
    whole = span is not None and len(span[0]) == len("2000-01-01")
    if span is None or whole != (entry.get("type") != "western_zodiac"):
        span = sentences.known_span(entry)
    if span and whole and span[0] > span[1]:
        raise DatasetError(f"the span from {span[0]} to {span[1]} ends before it begins")
    return metas.Known(span, years)


def _recurring(config: Mapping[str, Any]) -> facts.Facts:
    path = config.get("facts")
    return facts.with_file(path, True) if path else facts.builtin()


# ------------------------------------------------------------------------------ what they make


def narrowed(puzzle: Sequence[Clue], read: Record) -> list[str]:
    """Return the first and last days of the problem.

    Where a Chinese clue is certain in a part of the range only, and the other clues allow no date in
    the rest, that rest is left out: the solutions are the same, and the engines can speak.
    """
    first, last = date(read.years[0], 1, 1), date(read.years[1], 12, 31)
    begin = max(first, *(clue.bounds[0] for clue in puzzle))
    end = min(last, *(clue.bounds[1] for clue in puzzle))
    rest = read.span & ~masks.run(begin, end)
    for clue in puzzle:
        if clue.bounds == (masks.FIRST, masks.LAST):
            rest &= clues.mask(clue)
    return [first.isoformat(), last.isoformat()] if rest or begin > end else [
        begin.isoformat(), end.isoformat()]  # fmt: skip


def _prompt(record: Mapping[str, Any], read: Record, config: Mapping[str, Any]) -> tuple[str, str]:
    """Return prompt and mode: the record's own prompt if it has one, else the frame of the mode asked for."""
    asked = str(config.get("mode", "implicit"))
    if "prompt" not in record:
        shown = read.explicit if asked == "explicit" else read.implicit
        if not shown:
            raise DatasetError("field 'explicit_constraints' is missing, which mode=explicit needs")
        return frame(shown), asked
    own = record["prompt"]
    if not isinstance(own, str) or not 0 < len(own) <= MAX_PROMPT:
        raise DatasetError(f"'prompt' is no text of 1 to {MAX_PROMPT} characters")
    missing = {
        "implicit": [s for s in read.implicit if s not in own],
        "explicit": [s for s in read.explicit or ("",) if not s or s not in own],
    }
    modes = [mode for mode, left in missing.items() if not left]
    if not modes:
        raise DatasetError(
            f"'prompt' lacks the constraint {(missing['implicit'][0])[:80]!r}, in either form"
        )
    if asked == "explicit" and asked not in modes:
        raise DatasetError("mode=explicit: the record brings a prompt of the implicit constraints")
    return own, asked if asked in modes else modes[0]


def _compared(read: Record, mode: str) -> tuple[list[str], list[int]]:
    """Return in what the prompt's sentences differ from their entries, and which cannot be read."""
    findings, unread = [], []
    shown = read.explicit if mode == "explicit" else read.implicit
    for at, (sentence, entry) in enumerate(zip(shown, read.entries, strict=True)):
        said = sentences.differs(sentence, entry, read.known[at], read.span)
        if said is None:
            unread.append(at + 1)
        elif said:
            findings.append(f"constraint {at + 1}, {sentence[:80]!r}: {said}")
        own = sentences.known_span(entry)
        if own and read.known[at].span not in (None, own):
            findings.append(
                f"constraint {at + 1}: {entry['person']} from {' to '.join(read.known[at].span or ())} "
                f"here, from {' to '.join(own)} in our facts"
            )
    return findings, unread


def _relation(entries: Sequence[Mapping[str, Any]]) -> str:
    events = [entry for entry in entries if metas.needs_search(entry)]
    if not events:
        return "none"
    return "recurring" if events[0].get("aspect") == "multi_year" else str(events[0].get("level"))
