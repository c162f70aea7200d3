"""From a formal problem to the prompt; `reading` is the way back."""

from __future__ import annotations

from harness_timepuzzles.problem import Problem

OPENING = "Which dates satisfy all of the clues below?"
CLUES = "Clues:"
CONVENTIONS = "How to read the clues:"
ANSWER = """\
There may be one such date, several, or none. Find all of them. End your reply with one line that \
lists them in ascending order, in the form
Answer: YYYY-MM-DD, YYYY-MM-DD
or, if no date satisfies all clues,
Answer: none"""


def write(problem: Problem) -> str:
    """Return the prompt of a problem."""
    numbered = [f"{number}. {clue.sentence()}" for number, clue in enumerate(problem.clues, 1)]
    conventions = [
        f"Only dates of the Gregorian calendar from {problem.first} to {problem.last} count, both days "
        "included.",
        *dict.fromkeys(clue.note for clue in problem.clues if clue.note),
    ]
    listed = [f"- {convention}" for convention in conventions]
    return "\n".join([OPENING, "", CLUES, *numbered, "", CONVENTIONS, *listed, "", ANSWER])
