"""A puzzle as a picture: calendar sheets with the solutions marked, and what each clue rules out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import reduce
from itertools import combinations
from operator import and_

from harness_svg.drawing import Drawing
from harness_svg.text import plain, wrapped

from harness import HarnessError, Item
from harness_timepuzzles import day_sets
from harness_timepuzzles.clues.clue import MONTHS, mask
from harness_timepuzzles.problem import Problem, answer_days

MOST_SHEETS = 12
_ACROSS = 4  # sheets side by side
_CELL, _ROW = 27, 22  # units: width and height of a day
_SHEET_WIDTH, _SHEET_GAP = 7 * _CELL, 24
_EDGE = 24  # units around everything
_WIDTH = 2 * _EDGE + _ACROSS * _SHEET_WIDTH + (_ACROSS - 1) * _SHEET_GAP
_HEAD, _LINE = 66, 18  # units: height of the title, of a line of text
_WORDS, _LINES = 76, 2  # columns and lines of a clue
_HEADS = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
_NAMED = 24  # dates or months that the title for screen readers names


@dataclass(frozen=True, slots=True)
class _Puzzle:
    problem: Problem
    solutions: list[date]
    # Per clue: dates without it, its witness; None: a bare label.
    proof: list[tuple[int, str | None]] | None


def svg(item: Item) -> str | None:
    """Return the picture of an item; None where its problem or certificate is not in its form."""
    puzzle = _puzzle(item)
    if puzzle is None:
        return None
    months = list(dict.fromkeys((day.year, day.month) for day in puzzle.solutions))
    shown = months[:MOST_SHEETS]
    rows = _clue_rows(puzzle)
    tall = max((_weeks(*month) for month in shown), default=0)
    sheet_height = (tall + 2) * _ROW + 14
    calendar = -(-len(shown) // _ACROSS) * sheet_height
    conflict = [] if puzzle.solutions else wrapped(_conflict(puzzle), 100, 3)
    beyond = sum((day.year, day.month) not in shown for day in puzzle.solutions)
    remark = f"… and {_counted(beyond, 'more date')}, after these months" if beyond else ""
    below = _HEAD + calendar + _LINE * (len(conflict) + bool(remark)) + 12
    height = below + 30 + sum(_LINE * len(row[0]) + 6 for row in rows) + 2 * _LINE + _EDGE
    drawing = Drawing(_WIDTH, height, _in_words(puzzle, shown))
    style = "ink" if puzzle.solutions else "accent"
    drawing.text(_EDGE, 32, _verdict(puzzle), style, size=18, bold=True)
    days = (puzzle.problem.last - puzzle.problem.first).days + 1
    range_ = f"of {puzzle.problem.first} to {puzzle.problem.last}, {_counted(days, 'day')}"
    drawing.text(_EDGE, 52, range_, "faint", size=13)
    for at, month in enumerate(shown):
        x = _EDGE + at % _ACROSS * (_SHEET_WIDTH + _SHEET_GAP)
        _sheet(drawing, x, _HEAD + at // _ACROSS * sheet_height, month, puzzle)
    for at, line in enumerate([*conflict, *([remark] if remark else [])]):
        y = _HEAD + calendar + 14 + at * _LINE
        drawing.text(_EDGE, y, line, "accent" if conflict else "faint")
    _table(drawing, below, rows)
    return drawing.svg()


def _puzzle(item: Item) -> _Puzzle | None:
    proven = item.certificate
    try:
        problem = Problem.parse(item.problem)
        if proven is None:  # of a published record
            return _Puzzle(problem, _days(answer_days(item.target)), None)
        solutions = _days(proven["solutions"])
        proof = list(zip(proven["without"], proven["witnesses"], strict=True))
    except (HarnessError, KeyError, TypeError, ValueError, AttributeError):
        return None
    return _Puzzle(problem, solutions, proof) if len(proof) == len(problem.clues) else None


def _days(texts: Sequence[str]) -> list[date]:
    days = [date.fromisoformat(text) for text in texts]
    if not all(day_sets.FIRST <= day <= day_sets.LAST for day in days):
        raise ValueError("a date that no puzzle has")
    return days


# ------------------------------------------------------------------------------------ words


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _verdict(puzzle: _Puzzle) -> str:
    few, count = ("", "the clue", "both clues"), len(puzzle.problem.clues)
    of = few[count] if count < len(few) else f"all {count} clues"
    by = "" if puzzle.proof else ", says the label"
    if not puzzle.solutions:
        return f"No date satisfies {of}{by}"
    verb = "satisfies" if len(puzzle.solutions) == 1 else "satisfy"
    return f"{_counted(len(puzzle.solutions), 'date')} {verb} {of}{by}"


def _in_words(puzzle: _Puzzle, shown: Sequence[tuple[int, int]]) -> str:
    """Return what the picture shows, for those who cannot see it."""
    if not puzzle.solutions:
        return f"A puzzle about dates. {_verdict(puzzle)}. {_conflict(puzzle)}"
    named = ", ".join(day.isoformat() for day in puzzle.solutions[:_NAMED])
    more = len(puzzle.solutions) - _NAMED
    named += f" and {more} more" if more > 0 else ""
    months = ", ".join(f"{MONTHS[month - 1]} {year}" for year, month in shown)
    return f"Calendar sheets of {months}. {_verdict(puzzle)}, and they are marked: {named}."


def _conflict(puzzle: _Puzzle) -> str:
    """Say which clues have no date in common: each single one, else pairs, else a smallest group."""
    span = puzzle.problem.span
    sets = [mask(clue) & span for clue in puzzle.problem.clues]
    alone = [number for number, days in enumerate(sets, 1) if not days]
    if alone:
        return f"No date of the range satisfies {_numbered(alone)} at all."
    pairs = [(a, b) for a, b in combinations(range(len(sets)), 2) if not sets[a] & sets[b]]
    if pairs:
        shown = "; ".join(_numbered([a + 1, b + 1]) for a, b in pairs[:4])
        more = f"; and {len(pairs) - 4} other pairs" if len(pairs) > 4 else ""
        return f"These contradict each other: {shown}{more}."
    group = list(range(len(sets)))
    for number in range(len(sets)):
        rest = [place for place in group if place != number]
        group = group if _common(span, [sets[place] for place in rest]) else rest
    if _common(span, [sets[place] for place in group]):
        return "By our calendars some date satisfies them all."  # a label that is not proved
    names = _numbered([place + 1 for place in group]).capitalize()
    return f"{names} together leave no date; any fewer of them leave some."


def _common(span: int, sets: Sequence[int]) -> int:
    return reduce(and_, sets, span)


def _numbered(numbers: Sequence[int]) -> str:
    *some, last = map(str, numbers)
    return f"clues {', '.join(some)} and {last}" if some else f"clue {last}"


# --------------------------------------------------------------------------------- drawing


def _weeks(year: int, month: int) -> int:
    start = date(year, month, 1)
    return -(-(start.weekday() + (day_sets.month_end(start) - start).days + 1) // 7)


def _sheet(
    drawing: Drawing, x: float, y: float, month: tuple[int, int], puzzle: _Puzzle
) -> None:  # fmt: skip
    """Draw the days of a month, weeks from Monday on; a dot stands for a day beyond the range."""
    start = date(*month, 1)
    name = f"{MONTHS[start.month - 1]} {start.year}"
    drawing.text(x + _SHEET_WIDTH / 2, y + 15, name, "ink", "middle", bold=True)
    for at, head in enumerate(_HEADS):
        drawing.text(x + (at + 0.5) * _CELL, y + _ROW + 14, head, "faint", "middle", 11)
    solutions = set(puzzle.solutions)
    for number in range((day_sets.month_end(start) - start).days + 1):
        day = start + timedelta(number)
        row, column = divmod(start.weekday() + number, 7)
        left, top = x + column * _CELL, y + (row + 2) * _ROW
        if day in solutions:
            drawing.rect(left + 1, top, _CELL - 2, _ROW - 2, "marked", 5)
            drawing.data(date=day.isoformat())
        inside = (
            puzzle.problem.first <= day <= puzzle.problem.last or day in solutions
        )  # a label may be wrong
        style = "accent" if day in solutions else "ink" if inside else "faint"
        drawing.text(
            left + _CELL / 2, top + 15, str(day.day) if inside else "·", style, "middle", 13,
            day in solutions,
        )  # fmt: skip


# A clue's lines, the dates without it, its witness; these two are empty where nothing is proved.
_Row = tuple[list[str], str, str]


def _clue_rows(puzzle: _Puzzle) -> list[_Row]:
    rows = []
    for at, clue in enumerate(puzzle.problem.clues):
        words = clue.sentence().removeprefix("It is ").rstrip(".")
        lines = wrapped(words, _WORDS, _LINES) or [clue.type]
        count, witness = puzzle.proof[at] if puzzle.proof else ("", "")
        shown = plain(str(witness or "–"))[:10] if puzzle.proof else ""
        amount = f"{count:,}" if isinstance(count, int) else str(count)[:12]
        rows.append((lines, amount, shown))
    return rows


def _table(drawing: Drawing, y: float, rows: Sequence[_Row]) -> None:
    number, words, amount, witness = _EDGE, _EDGE + 26, _WIDTH - _EDGE - 120, _WIDTH - _EDGE
    drawing.text(number, y + 14, "clues", "faint", size=12)
    proved = any(count for _, count, _ in rows)
    if proved:
        drawing.text(amount, y + 14, "without it", "faint", "end", 12)
        drawing.text(witness, y + 14, "first ruled out", "faint", "end", 12)
    drawing.path(f"M{_EDGE} {y + 22}H{_WIDTH - _EDGE}")
    y += 30
    for at, (lines, count, first) in enumerate(rows, 1):
        drawing.text(number, y + 13, str(at), "faint", size=13)
        for line, text in enumerate(lines):
            drawing.text(words, y + 13 + line * _LINE, text, "ink", size=13)
        drawing.text(amount, y + 13, count, "ink", "end", 13)
        drawing.data(clue=at, without=count)
        drawing.text(witness, y + 13, first, "ink mono", "end", 13)
        y += _LINE * len(lines) + 6
    for at, legend in enumerate((
        "without it: how many dates of the range satisfy all the other clues",
        "first ruled out: the earliest date that only this clue rules out; – where it rules out none",
    ) if proved else ()):  # fmt: skip
        drawing.text(_EDGE, y + 18 + at * 17, legend, "faint", size=12)
