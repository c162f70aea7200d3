"""From a formal problem to the prompt; `reading` is the way back."""

from __future__ import annotations

from harness import Item
from harness_timepuzzles.languages import language as languages
from harness_timepuzzles.languages.language import ENGLISH
from harness_timepuzzles.problem import Problem

OPENING = "Which dates satisfy all of the clues below?"
CLUES = "Clues:"
CONVENTIONS = "How to read the clues:"
RANGE = "Only dates of the Gregorian calendar from {first} to {last} count, both days included."
ANSWER = """\
There may be one such date, several, or none. Find all of them. End your reply with one line that \
lists them in ascending order, in the form
Answer: YYYY-MM-DD, YYYY-MM-DD
or, if no date satisfies all clues,
Answer: none"""
FRAME = {
    "opening": OPENING,
    "clues": CLUES,
    "conventions": CONVENTIONS,
    "range": RANGE,
    "answer": ANSWER,
}


def write(problem: Problem, language: str = ENGLISH) -> str:
    """Return the prompt of a problem.

    Raises:
        LanguageError: the language has no words for a fact.
    """
    if language == ENGLISH:
        frame, said = FRAME, [(clue.sentence(), clue.note) for clue in problem.clues]
    else:
        words = languages.of(language)
        frame, said = (
            words.words,
            [(words.sentence(clue), words.note(clue)) for clue in problem.clues],
        )
    numbered = [f"{number}. {sentence}" for number, (sentence, _) in enumerate(said, 1)]
    conventions = [
        frame["range"].format(first=problem.first, last=problem.last),
        *dict.fromkeys(note for _, note in said if note),
    ]
    listed = [f"- {convention}" for convention in conventions]
    head = [frame["opening"], "", frame["clues"], *numbered, ""]
    return "\n".join([*head, frame["conventions"], *listed, "", frame["answer"]])


def is_english(item: Item) -> bool:
    """Return whether an item's prompt is in English; one that is not of our making counts as such."""
    return languages.spoken(item.prompt, OPENING)[0] == ENGLISH
