"""Take over records of the published Time Puzzles JSON: constraints in words, their entries, the solutions.

The published frame of the prompt is not repeated here: the published sentences stand word for word in
a frame of our own, which says no more than theirs does about how they are to be read; above all it
does not say which years count. A record that brings its ``prompt`` keeps it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import pairwise
from typing import Any

from harness import DatasetError, Item, digest
from harness_timepuzzles import day_sets, facts
from harness_timepuzzles.clues.clue import mask
from harness_timepuzzles.config import NAME
from harness_timepuzzles.problem import Problem, answer
from harness_timepuzzles.published import sentences
from harness_timepuzzles.published.record import PUBLISHED, Record, field, parse
from harness_timepuzzles.wording import ANSWER

FORMAT = "timepuzzles_json"
MAX_PROMPT, MAX_SOLUTIONS = 200_000, 150_000

_FRAME = """\
All statements below are about the same date. Which dates fit every one of them?

Statements:
{statements}

The calendar is the Gregorian one where a statement does not say otherwise. Seasons are whole months: \
spring is March to May, summer June to August, autumn September to November, winter December to February.

{answer}"""


def adopt(record: Mapping[str, Any], config: Mapping[str, Any], form: str = "") -> Item | None:
    """Return the item of one published record; ``config["mode"]`` says which sentences make its prompt.

    Returns:
        None when another format was asked for, or none was and the record has no ``constraints_meta``, nor
        ``constraints`` and ``solutions``.

    Raises:
        DatasetError: the reason in one line, without the record's position.
    """
    ours = "constraints_meta" in record or {"constraints", "solutions"} <= set(record)
    if form != FORMAT and (form or not ours):
        return None
    path = config.get("facts")
    read = parse(record, facts.with_file(path, True) if path else facts.builtin())
    problem = read.problem()
    data = problem.to_dict()
    solutions, said_twice = _solutions(record)
    prompt, mode = _prompt(record, read, config)
    findings, unread = _compared(read, mode)
    findings += [f"'solutions' has {day} twice" for day in said_twice]
    count = record.get("solution_count", len(solutions))
    if count != len(solutions):
        findings.append(
            f"'solution_count' is {str(count)[:20]}, 'solutions' has {len(solutions)} dates"
        )
    wrong = _surely_wrong(problem, solutions)
    published = read.to_dict() | ({"range_assumed": True} if "year_range" not in record else {})
    if several := {str(n): list(k.years) for n, k in enumerate(read.known) if k.years}:
        published["known_years"] = several
    return Item(
        plugin=NAME,
        version=PUBLISHED,
        prompt=prompt,
        target=answer(solutions),
        problem=data,
        features={
            "solutions": len(solutions),
            "clues": len(problem.clues),
            "mode": mode,
            "relation": _relation(read.entries),
            "clue": " ".join(sorted({clue.type for clue in problem.clues})),
        },
        split=PUBLISHED,
        family=digest([NAME, data])[:12],
        notes={
            "format": FORMAT,
            "source_id": _source(record),
            "published": published,
            **({"label": record["solutions"]} if record["solutions"] != solutions else {}),
            **({"wrong": wrong} if wrong else {}),
            **({"findings": findings} if findings else {}),
            **({"uncompared": unread} if unread else {}),
        },
    )


def frame(statements: Sequence[str]) -> str:
    """Return the prompt of some published sentences."""
    listed = "\n".join(f"- {statement}" for statement in statements)
    return _FRAME.format(statements=listed, answer=ANSWER)


def _solutions(record: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return the label's dates in ascending order, and those that it lists twice."""
    value = field(record, "solutions")
    if not isinstance(value, list) or len(value) > MAX_SOLUTIONS:
        raise DatasetError(f"'solutions' is no list of at most {MAX_SOLUTIONS} dates")
    dates = []
    for number, text in enumerate(value, 1):
        day = sentences.parse_day(text)
        if day is None:
            raise DatasetError(
                f"'solutions' {number} is {str(text)[:40]!r}, expected a date YYYY-MM-DD"
            )
        dates.append(day)
    dates.sort()
    return list(dict.fromkeys(dates)), [a for a, b in pairwise(dates) if a == b]


def _surely_wrong(problem: Problem, solutions: Sequence[str]) -> list[str]:
    """Return in what a label is wrong that no engine can decide, whatever uncertain calendars say."""
    if not problem.uncertain():
        return []
    label = day_sets.of(map(date.fromisoformat, solutions))
    lines, right = [], problem.span
    if outside := [
        day for day in solutions if not problem.first.isoformat() <= day <= problem.last.isoformat()
    ]:
        lines.append(f"'solutions' has {_some(outside)}, outside the years that count")
    for number, clue in enumerate(problem.clues, 1):
        known, held = day_sets.run(*clue.bounds), mask(clue)
        if excluded := label & problem.span & known & ~held:
            lines.append(
                f"'solutions' has {_some(day_sets.days(excluded))}, which clue {number} rules out"
            )
        right &= known & held
    if missing := right & ~label:
        lines.append(f"'solutions' lacks {_some(day_sets.days(missing))}; all clues hold then")
    return lines


def _some(days: Sequence[date | str]) -> str:
    return f"{days[0]}{f' and {len(days) - 1} more' if days[1:] else ''}"


def _source(record: Mapping[str, Any]) -> str:
    for name in ("identifier", "id"):
        value = record.get(name)
        if isinstance(value, str | int) and not isinstance(value, bool):
            return str(value)[:200]
    return ""


def _prompt(record: Mapping[str, Any], read: Record, config: Mapping[str, Any]) -> tuple[str, str]:
    """Return prompt and mode: the record's own prompt if it has one, else the frame of the mode asked for."""
    wanted = str(config.get("mode", "implicit"))
    if wanted == "spelled":
        raise DatasetError(
            "mode=spelled: published records have an implicit and an explicit form only"
        )
    if "prompt" not in record:
        shown = read.explicit if wanted == "explicit" else read.implicit
        if not shown:
            raise DatasetError("field 'explicit_constraints' is missing, which mode=explicit needs")
        return frame(shown), wanted
    prompt = record["prompt"]
    if not isinstance(prompt, str) or not 0 < len(prompt) <= MAX_PROMPT:
        raise DatasetError(f"'prompt' is no text of 1 to {MAX_PROMPT} characters")
    missing = {
        "implicit": [s for s in read.implicit if s not in prompt],
        "explicit": [s for s in read.explicit or ("",) if not s or s not in prompt],
    }
    modes = [mode for mode, left in missing.items() if not left]
    if not modes:
        raise DatasetError(
            f"'prompt' lacks the constraint {(missing['implicit'][0])[:80]!r}, in either form"
        )
    if wanted == "explicit" and wanted not in modes:
        raise DatasetError("mode=explicit: the record brings a prompt of the implicit constraints")
    return prompt, wanted if wanted in modes else modes[0]


def _compared(read: Record, mode: str) -> tuple[list[str], list[int]]:
    """Return in what the prompt's sentences differ from their entries, and which cannot be read."""
    findings, unread = [], []
    shown = read.explicit if mode == "explicit" else read.implicit
    for at, (sentence, entry) in enumerate(zip(shown, read.entries, strict=True)):
        difference = sentences.differs(sentence, entry, read.known[at], read.span)
        if difference is None:
            unread.append(at + 1)
        elif difference:
            findings.append(f"constraint {at + 1}, {sentence[:80]!r}: {difference}")
        span = sentences.known_span(entry)
        if span and read.known[at].span not in (None, span):
            findings.append(
                f"constraint {at + 1}: {entry['person']} from {' to '.join(read.known[at].span or ())} "
                f"here, from {' to '.join(span)} in our facts"
            )
    return findings, unread


def _relation(entries: Sequence[Mapping[str, Any]]) -> str:
    events = [entry for entry in entries if entry.get("type") == "kb_event"]
    if not events:
        return "none"
    return "recurring" if events[0].get("aspect") == "multi_year" else str(events[0].get("level"))
