"""From a formal problem to the prompt; `reading` is the way back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness_timepuzzles import clues
from harness_timepuzzles.clue import Clue

OPENING = "Which dates satisfy all of the clues below?"
CLUES = "Clues:"
CONVENTIONS = "How to read the clues:"
ANSWER = """\
There may be one such date, several, or none. Find all of them. End your reply with one line that \
lists them in ascending order, in the form
Answer: YYYY-MM-DD, YYYY-MM-DD
or, if no date satisfies all clues,
Answer: none"""


def write(problem: dict[str, Any]) -> str:
    """Return the prompt of a problem that `config.PROBLEM` allows."""
    return text(clues.parse_all(problem), problem["range"][0], problem["range"][1])


def text(puzzle: Sequence[Clue], first: str, last: str) -> str:
    """Return the prompt of some clues over the dates from ``first`` to ``last`` (ISO)."""
    numbered = [f"{number}. {clue.sentence()}" for number, clue in enumerate(puzzle, 1)]
    conventions = [
        f"Only dates of the Gregorian calendar from {first} to {last} count, both days included.",
        *dict.fromkeys(clue.note for clue in puzzle if clue.note),
    ]
    return "\n".join(
        [
            OPENING,
            "",
            CLUES,
            *numbered,
            "",
            CONVENTIONS,
            *(f"- {c}" for c in conventions),
            "",
            ANSWER,
        ]
    )
