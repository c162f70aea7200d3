"""What an item does not measure, recomputed with the engines from its clues and the record it was made of."""

from __future__ import annotations

from datetime import date
from itertools import combinations

from harness import HarnessError, Item
from harness_timepuzzles import day_sets
from harness_timepuzzles.clues.clue import mask
from harness_timepuzzles.engines.masks import ALL, intersection, others
from harness_timepuzzles.problem import Problem, answer, answer_days
from harness_timepuzzles.published.entries import impossible
from harness_timepuzzles.published.record import Record, boundless, recorded

_SHOWN = 60

Finding = dict[str, str]


def audit(item: Item) -> list[Finding]:
    """Return in what way an item does not measure what it claims, whatever its label."""
    try:
        problem = Problem.parse(item.problem)
        record = recorded(item)
    except HarnessError:
        return []  # what it is instead of an item is said elsewhere
    span = day_sets.run(*problem.certain())
    needed = str(item.features.get("necessary", "all")) if record is None else "all"
    searched = (
        [clue.type in ("event", "recurring") for clue in problem.clues]
        if record is None
        else [entry.get("type") == "kb_event" for entry in record.entries]
    )
    findings = _idle(problem, span, searched, needed)
    for (a, first), (b, second) in combinations(enumerate(problem.clues, 1), 2):
        if not mask(first) & mask(second) & span:
            message = f"no date satisfies both clue {a} and clue {b}"
            findings.append(_finding("contradiction", message))
            break
    if record is None:
        return findings
    findings += _range(item, problem, record)
    findings += _calendar(item, problem)
    findings += [
        _finding("impossible_clue", f"clue {number}, {_short(sentence)}: {why}")
        for number, (entry, sentence) in enumerate(
            zip(record.entries, record.implicit, strict=True), 1
        )
        if (why := impossible(entry))
    ]
    findings += [
        _finding("one_year_of_many", f"clue {number} keeps {entry['value']} alone: {_short(sentence)}")
        for number, (entry, sentence) in enumerate(zip(record.entries, record.implicit, strict=True), 1)
        if entry.get("aspect") == "multi_year" and not isinstance(entry.get("value"), list)
        and item.features.get("mode") == "implicit"
    ]  # fmt: skip
    unread = item.notes.get("uncompared", [])
    if unread:
        findings.append(_finding("uncompared", f"clues {', '.join(map(str, unread))}"))
    return findings


def _finding(kind: str, message: str) -> Finding:
    return {"kind": kind, "message": message}


def _short(sentence: str) -> str:
    return repr(sentence if len(sentence) <= _SHOWN else sentence[: _SHOWN - 1] + "…")


def _idle(problem: Problem, span: int, searched: list[bool], needed: str) -> list[Finding]:
    """Say which clues rule nothing out.

    Args:
        problem: whose clues are looked at.
        span: the days that count.
        searched: per clue, whether it has to be searched for.
        needed: which clues the setting promised to be necessary.
    """
    solutions = intersection(problem.clues, span)
    findings = []
    for at, without in enumerate(others(problem.clues, span)):
        if without == solutions:
            kind = "idle_event" if searched[at] else "idle_clue"
            if needed == "none" or (needed == "event" and kind == "idle_clue"):
                kind = "spare_clue"
            sentence = _short(problem.clues[at].sentence())
            findings.append(_finding(kind, f"clue {at + 1}, {sentence}, rules nothing out"))
    return findings


def _range(item: Item, problem: Problem, record: Record) -> list[Finding]:
    findings = []
    if item.notes["published"].get("range_assumed"):
        findings.append(
            _finding("range_assumed", f"taken to be {record.years[0]} to {record.years[1]}")
        )
    if all(str(year) in item.prompt for year in record.years):
        return findings
    certain = boundless(problem.clues)
    beyond = intersection(certain, ALL & ~record.span)
    if beyond:
        whole = len(certain) == len(problem.clues)
        more = "satisfy all clues" if whole else "satisfy all clues but the Chinese ones"
        findings.append(_finding(
            "range_unstated",
            f"only {record.years[0]} to {record.years[1]} count, but from 1700 to 2100 {beyond.bit_count()} dates "
            f"more {more}, first {day_sets.first_day(beyond)}",
        ))  # fmt: skip
    return findings


def _calendar(item: Item, problem: Problem) -> list[Finding]:
    """Say where no two calendars can speak, and what the label is worth where they can."""
    uncertain = problem.uncertain()
    if not uncertain:
        return []
    begin, end = problem.certain()
    span = day_sets.run(begin, end)
    right = intersection(problem.clues, span)
    same = right == span & day_sets.of(map(date.fromisoformat, answer_days(item.target)))
    verdict = "is right" if same else f"should be {answer(day_sets.days(right))}"
    return [
        _finding("beyond_calendar", f"{uncertain[0]}; from {begin} to {end} the label {verdict}")
    ]
