"""Evidence that a few lines can check: the solutions, and what each clue rules out.

The certificate of an item holds ``solutions`` (ISO dates, ascending); ``without``, per clue, how many
dates satisfy all other clues; and ``witnesses``, per clue, the earliest date that satisfies all other
clues and breaks this one, or null. Checking it asks every clue about every day of the range.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from harness import HarnessError, Item
from harness_timepuzzles import day_sets
from harness_timepuzzles.clues.clue import mask
from harness_timepuzzles.engines.days import by_day
from harness_timepuzzles.engines.masks import intersection
from harness_timepuzzles.part import Kept, Part
from harness_timepuzzles.problem import Problem, answer


def make(puzzle: Sequence[Kept], event: int, part: Part, span: tuple[date, date]) -> dict[str, Any]:
    """Return the certificate of some clues in a range.

    Args:
        puzzle: the clues, with the days of a part of the calendar on which they hold.
        event: the number of the one whose days the part consists of.
        part: that part.
        span: the first and the last day of the range.
    """
    rest = day_sets.others([days for _, days in puzzle], part.between(*span))
    solutions = rest[event]
    breaking = [days ^ solutions for days in rest]
    without = [days.bit_count() for days in rest]
    witnesses = [str(part.first_day(days)) if days else None for days in breaking]
    # The days without the event lie outside of the part, too.
    others = [clue for number, (clue, _) in enumerate(puzzle) if number != event]
    beyond = intersection(others, day_sets.run(*span))
    broken = beyond ^ beyond & mask(puzzle[event][0])
    without[event] = beyond.bit_count()
    witnesses[event] = str(day_sets.first_day(broken)) if broken else None
    return {
        "solutions": [str(day) for day in part.chosen(solutions)],
        "without": without,
        "witnesses": witnesses,
    }


def errors(item: Item) -> list[str]:
    """Return what is wrong with an item's certificate: no mask and no second engine is used."""
    proof = item.certificate
    if not isinstance(proof, dict) or set(proof) != {"solutions", "without", "witnesses"}:
        return ["the certificate must have 'solutions', 'without' and 'witnesses'"]
    try:
        problem = Problem.parse(item.problem)
        return problem.uncertain() or _errors(item.target, proof, problem)
    except (HarnessError, ValueError, TypeError, KeyError, AttributeError) as error:
        return [f"the item or its certificate is malformed: {error}"]


def _errors(target: str, proof: dict[str, Any], problem: Problem) -> list[str]:
    if target != answer(proof["solutions"]):
        return ["the target is not the list of the certificate's solutions"]
    count = len(problem.clues)
    if len(proof["witnesses"]) != count or len(proof["without"]) != count:
        return ["the certificate needs one number and one witness for each clue"]
    # A few days first: what is wrong at all is mostly wrong here.
    for text in proof["solutions"]:
        broken = _broken(problem, text)
        if broken:
            return [f"the solution {text} breaks clue {broken[0] + 1}"]
    for number, text in enumerate(proof["witnesses"]):
        if text is not None and _broken(problem, text) != [number]:
            return [f"the witness {text} does not break clue {number + 1} alone"]
    return _complete(proof, problem)


def _broken(problem: Problem, text: str) -> list[int]:
    day = date.fromisoformat(text)
    if not problem.first <= day <= problem.last:
        raise ValueError(f"{day} is outside the range")
    return [number for number, clue in enumerate(problem.clues) if not clue.holds(day)]


def _complete(proof: dict[str, Any], problem: Problem) -> list[str]:
    """Compare with every day of the range."""
    solutions: list[str] = []
    breaking = [0] * len(problem.clues)
    witnesses: list[str | None] = [None] * len(problem.clues)
    for day, broken in by_day(problem):
        if not broken:
            solutions.append(day.isoformat())
        for number in broken:
            breaking[number] += 1
            witnesses[number] = witnesses[number] or day.isoformat()
    counted = {
        "solutions": solutions,
        "without": [len(solutions) + count for count in breaking],
        "witnesses": witnesses,
    }
    return [
        f"certificate['{key}'] is {str(proof[key])[:80]}, counting day by day gives {str(right)[:80]}"
        for key, right in counted.items()
        if repr(proof[key]) != repr(right)  # 1 is neither true nor 1.0
    ]
