"""Evidence that a few lines can check: the solutions, and what each clue rules out.

The certificate of an item holds ``solutions`` (ISO dates, ascending); ``without``, per clue, how many
dates satisfy all other clues; and ``witnesses``, per clue, the earliest date that satisfies all other
clues and breaks this one, or null. Checking it asks every clue about every day of the range.
"""

from __future__ import annotations

from datetime import date
from typing import Any

from harness import HarnessError, Item
from harness_timepuzzles import clues, masks
from harness_timepuzzles.clue import Clue
from harness_timepuzzles.engines import answer, beyond, by_day, ends


def others(puzzle: list[Clue], span: int) -> list[int]:
    """Return, per clue, the mask of the dates of a span that satisfy all other clues."""
    after = [span]
    for clue in reversed(puzzle[1:]):
        after.append(after[-1] & clues.mask(clue))
    before, found = span, []
    for clue in puzzle:
        found.append(before & after.pop())
        before &= clues.mask(clue)
    return found


def make(puzzle: list[Clue], solutions: int, span: int) -> dict[str, Any]:
    """Return the certificate of some clues, their solutions, and the range as a mask."""
    rest = others(puzzle, span)
    breaking = [mask ^ solutions for mask in rest]
    return {
        "solutions": [day.isoformat() for day in masks.days(solutions)],
        "without": [mask.bit_count() for mask in rest],
        "witnesses": [masks.first_day(mask).isoformat() if mask else None for mask in breaking],
    }


def errors(item: Item) -> list[str]:
    """Return what is wrong with an item's certificate: no mask and no second engine is used."""
    proof = item.certificate
    if not isinstance(proof, dict) or set(proof) != {"solutions", "without", "witnesses"}:
        return ["the certificate must have 'solutions', 'without' and 'witnesses'"]
    try:
        first, last = ends(item.problem)
        puzzle = clues.parse_all(item.problem)
        return beyond(puzzle, first, last) or _errors(item.target, proof, puzzle, first, last)
    except (HarnessError, ValueError, TypeError, KeyError, AttributeError) as error:
        return [f"the item or its certificate is malformed: {error}"]


def _errors(
    target: str, proof: dict[str, Any], puzzle: list[Clue], first: date, last: date
) -> list[str]:
    if target != answer(proof["solutions"]):
        return ["the target is not the list of the certificate's solutions"]
    if len(proof["witnesses"]) != len(puzzle) or len(proof["without"]) != len(puzzle):
        return ["the certificate needs one number and one witness for each clue"]
    # A few days first: what is wrong at all is mostly wrong here.
    for text in proof["solutions"]:
        broken = _broken(puzzle, text, first, last)
        if broken:
            return [f"the solution {text} breaks clue {broken[0] + 1}"]
    for number, text in enumerate(proof["witnesses"]):
        if text is not None and _broken(puzzle, text, first, last) != [number]:
            return [f"the witness {text} does not break clue {number + 1} alone"]
    return _complete(proof, puzzle, first, last)


def _broken(puzzle: list[Clue], text: str, first: date, last: date) -> list[int]:
    day = date.fromisoformat(text)
    if not first <= day <= last:
        raise ValueError(f"{day} is outside the range")
    return [number for number, clue in enumerate(puzzle) if not clue.holds(day)]


def _complete(proof: dict[str, Any], puzzle: list[Clue], first: date, last: date) -> list[str]:
    """Compare with every day of the range."""
    solutions: list[str] = []
    breaking = [0] * len(puzzle)
    witnesses: list[str | None] = [None] * len(puzzle)
    for day, broken in by_day(puzzle, first, last):
        if not broken:
            solutions.append(day.isoformat())
        for number in broken:
            breaking[number] += 1
            witnesses[number] = witnesses[number] or day.isoformat()
    found = {
        "solutions": solutions,
        "without": [len(solutions) + count for count in breaking],
        "witnesses": witnesses,
    }
    return [
        f"certificate['{key}'] is {str(proof[key])[:80]}, counting day by day gives {str(right)[:80]}"
        for key, right in found.items()
        if repr(proof[key]) != repr(right)  # 1 is neither true nor 1.0
    ]
