"""What an item does not measure, and whether its label holds when the clues are read in other ways.

Both recompute with the engines from the record's own entries (or, of our items, from their clues).
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from itertools import combinations

from harness import Abstained, HarnessError, Item
from harness_timepuzzles import certificate, clues, engines, masks, published, published_china
from harness_timepuzzles import published_meta as metas
from harness_timepuzzles.clue import Clue
from harness_timepuzzles.clues_explicit import Periods

_SHOWN = 60

Finding = dict[str, str]


def audit(item: Item) -> list[Finding]:
    """Return in what way an item does not measure what it claims, whatever its label."""
    try:
        puzzle = clues.parse_all(item.problem)
        first, last = engines.ends(item.problem)
        read = published.recorded(item)
    except HarnessError:
        return []  # what it is instead of an item is said elsewhere
    begin = max(first, *(clue.bounds[0] for clue in puzzle))
    end = min(last, *(clue.bounds[1] for clue in puzzle))
    found = _idle(puzzle, masks.run(begin, end), _events(puzzle, read))
    found += _contradiction(puzzle, masks.run(begin, end))
    if read is None:
        return found
    found += _range(item, puzzle, read)
    found += _calendar(item, puzzle, first, last)
    found += [
        _said("one_year_of_many", f"clue {number} keeps {entry['value']} alone: {_short(sentence)}")
        for number, (entry, sentence) in enumerate(zip(read.entries, read.implicit, strict=True), 1)
        if entry.get("aspect") == "multi_year" and not isinstance(entry.get("value"), list)
        and item.features.get("mode") == "implicit"
    ]  # fmt: skip
    unread = item.notes.get("uncompared", [])
    if unread:
        found.append(_said("uncompared", f"clues {', '.join(map(str, unread))}"))
    return found


def _said(kind: str, message: str) -> Finding:
    return {"kind": kind, "message": message}


def _short(sentence: str) -> str:
    return repr(sentence if len(sentence) <= _SHOWN else sentence[: _SHOWN - 1] + "…")


def _events(puzzle: list[Clue], read: published.Record | None) -> set[int]:
    """Return the places of the clues that have to be searched for."""
    if read is None:
        return {at for at, clue in enumerate(puzzle) if clue.type in ("event", "recurring")}
    return {at for at, entry in enumerate(read.entries) if metas.needs_search(entry)}


def _idle(puzzle: list[Clue], span: int, events: set[int]) -> list[Finding]:
    solutions = span & engines.intersection(puzzle)
    found = []
    for at, without in enumerate(certificate.others(puzzle, span)):
        if without == solutions:
            kind = "idle_event" if at in events else "idle_clue"
            sentence = _short(puzzle[at].sentence())
            found.append(_said(kind, f"clue {at + 1}, {sentence}, rules nothing out"))
    return found


def _contradiction(puzzle: list[Clue], span: int) -> list[Finding]:
    for (a, one), (b, other) in combinations(enumerate(puzzle, 1), 2):
        if not clues.mask(one) & clues.mask(other) & span:
            return [_said("contradiction", f"no date satisfies both clue {a} and clue {b}")]
    return []


def _range(item: Item, puzzle: list[Clue], read: published.Record) -> list[Finding]:
    found = []
    if item.notes["published"].get("range_assumed"):
        found.append(_said("range_assumed", f"taken to be {read.years[0]} to {read.years[1]}"))
    if all(str(year) in item.prompt for year in read.years):
        return found
    everywhere = masks.run(masks.FIRST, masks.LAST)
    beyond = everywhere & ~read.span
    certain = all(clue.bounds == (masks.FIRST, masks.LAST) for clue in puzzle)
    for clue in puzzle:
        if clue.bounds == (masks.FIRST, masks.LAST):
            beyond &= clues.mask(clue)
    if beyond:
        count = beyond.bit_count()
        more = "satisfy all clues" if certain else "satisfy all clues but the Chinese ones"
        found.append(_said(
            "range_unstated",
            f"only {read.years[0]} to {read.years[1]} count, but from 1700 to 2100 {count} dates more "
            f"{more}, first {masks.first_day(beyond)}",
        ))  # fmt: skip
    return found


def _calendar(item: Item, puzzle: list[Clue], first: date, last: date) -> list[Finding]:
    """Say where no two calendars can speak, and what the label is worth where they can."""
    found = engines.beyond(puzzle, first, last)
    if not found:
        return []
    begin = max(first, *(clue.bounds[0] for clue in puzzle))
    end = min(last, *(clue.bounds[1] for clue in puzzle))
    right = engines.intersection(puzzle) & masks.run(begin, end)
    within = _label(item) & masks.run(begin, end)
    verdict = "is right" if right == within else f"should be {engines.answer(masks.days(right))}"
    return [_said("beyond_calendar", f"{found[0]}; from {begin} to {end} the label {verdict}")]


# ------------------------------------------------------------------------------------- readings


def readings(item: Item) -> dict[str, dict[str, bool]]:
    """Return whether the label holds under each reading of each question that an item's clues leave open.

    The first reading is the published one. A question that no clue of the item raises is left out, as is
    one where some reading goes beyond the calendars.
    """
    try:
        read = published.recorded(item)
        if read is None:
            return {}
        found = {}
        for question, ways in _questions(read).items():
            holds = {way: _holds(item, read, how) for way, how in ways.items()}
            if None not in holds.values():
                found[question] = {way: bool(agrees) for way, agrees in holds.items()}
        return found | _years_that_count(item, read) | _early_china(item, read)
    except HarnessError:
        return {}


_OTHERS: dict[str, tuple[tuple[str, metas.Reading], ...]] = {
    "before or after the Nth": (
        ("the Nth does not count", metas.AS_PUBLISHED),
        ("the Nth counts", metas.Reading(nth_counts=True)),
    ),
    "first and last days of lives and terms": (
        ("do not count", metas.AS_PUBLISHED),
        ("count", metas.Reading(ends_count=True)),
    ),
    "leap lunar months": (
        ("count as the month they repeat", metas.AS_PUBLISHED),
        ("do not count", metas.Reading(leap_months=False)),
    ),
    "zodiac year": (
        ("begins at the Chinese New Year", metas.AS_PUBLISHED),
        ("begins on 1 January", metas.Reading(zodiac_from_january=True)),
    ),
    "decade that begins a century": (
        ("ten years", metas.AS_PUBLISHED),
        ("a hundred years", metas.Reading(whole_century=True)),
    ),
    "years of Games": (
        ("every fourth year but for the wars", metas.AS_PUBLISHED),
        ("years in which they were held", metas.Reading(games_held=True)),
    ),
    "years of what happened more than once": (
        ("the one year recorded", metas.AS_PUBLISHED),
        ("every year", metas.Reading(every_year=True)),
    ),
}  # fmt: skip


def _questions(read: published.Record) -> dict[str, dict[str, metas.Reading]]:
    """Return the questions that a record's entries raise, with the readings of each."""
    raised = {
        _question(entry, known) for entry, known in zip(read.entries, read.known, strict=True)
    }
    return {name: dict(ways) for name, ways in _OTHERS.items() if name in raised}


def _question(entry: metas.Meta, known: metas.Known) -> str:
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


def _label(item: Item) -> int:
    days = [] if item.target == engines.NONE else item.target.split(", ")
    return masks.of(map(date.fromisoformat, days))


def _holds(item: Item, read: published.Record, reading: metas.Reading) -> bool | None:
    """Tell whether the label is what an engine derives under a reading; None if it cannot say."""
    puzzle = read.clues(reading)
    return _agrees(item, puzzle, published.narrowed(puzzle, read))


def _agrees(item: Item, puzzle: list[Clue], ends: list[str]) -> bool | None:
    problem = {"range": ends, "clues": [clue.params() for clue in puzzle]}
    try:
        return engines.solve(problem, "masks").answer == item.target
    except Abstained:
        return None


def _years_that_count(item: Item, read: published.Record) -> dict[str, dict[str, bool]]:
    """Hold the label against all years from 1700 to 2100 where the prompt does not say which count."""
    if all(str(year) in item.prompt for year in read.years):
        return {}
    ways = {
        f"{read.years[0]} to {read.years[1]}, as recorded": item.problem["range"],
        "1700 to 2100": [masks.FIRST.isoformat(), masks.LAST.isoformat()],
    }
    wide = replace(read, years=(masks.FIRST.year, masks.LAST.year))
    holds = [
        _agrees(item, source.clues(), ends)
        for source, ends in zip((read, wide), ways.values(), strict=True)
    ]
    if None in holds:
        return {}
    return {"years that count": dict(zip(ways, map(bool, holds), strict=True))}


def _early_china(item: Item, read: published.Record) -> dict[str, dict[str, bool]]:
    """Hold the label of a puzzle that reaches beyond the calendars against two opinions of what was before.

    "One source" is sxtwl, which nothing confirms there; the published generator has a third calendar.
    """
    puzzle = read.clues()
    first, last = date(read.years[0], 1, 1), date(read.years[1], 12, 31)
    ends = published.narrowed(puzzle, read)
    if not engines.beyond(puzzle, *map(date.fromisoformat, ends)):
        return {}
    found = {}
    for way, early in (("no day counts", False), ("as one source has it", True)):
        altered = [
            Periods.of_days(clues.mask(clue) | (published_china.early(clue) if early else 0), first, last)
            if engines.beyond([clue], first, last)
            else clue
            for clue in puzzle
        ]  # fmt: skip
        found[way] = bool(_agrees(item, altered, ends))
    return {"Chinese calendar before 1900": found}
