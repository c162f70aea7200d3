"""Prompts in other languages: the same puzzles, read back letter by letter, and answers in these languages."""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from random import Random
from typing import Any

from cases import each
from harness_timepuzzles import facts, wording
from harness_timepuzzles.clues import catalogue
from harness_timepuzzles.languages.language import OTHERS, all_clues, of
from harness_timepuzzles.problem import Problem
from harness_timepuzzles.reading import read

from harness import Item
from harness.core import fresh
from harness.core.plugins import registry
from harness.core.spec import make

PLUGIN = registry().get("timepuzzles")
MODES = ("implicit", "spelled", "explicit")
FORMS = [(language, mode) for language in OTHERS for mode in MODES]


@cache
def generated(n: int, **config: Any) -> tuple[Item, ...]:
    return tuple(fresh.items(PLUGIN, make(PLUGIN, {"n": n, **config})))


@cache
def problems(mode: str) -> tuple[dict[str, Any], ...]:
    """Some hundred puzzles in one of the three forms."""
    puzzles = [item.problem for item in generated(210, solutions="1-20", necessary="event")]
    return tuple(spelled(puzzle, mode) for puzzle in puzzles)


def spelled(problem: dict[str, Any], mode: str) -> dict[str, Any]:
    first, last = map(date.fromisoformat, problem["range"])
    clues = [
        clue.explicit(first, last)
        if mode == "explicit" or (mode == "spelled" and clue.historical)
        else clue
        for clue in catalogue.parse_all(problem)
    ]
    return {**problem, "clues": [clue.params() for clue in clues]}


def write(problem: dict[str, Any], language: str) -> str:
    return wording.write(Problem.parse(problem), language)


def sentences(language: str) -> dict[str, Any]:
    """Every sentence of a language but lists of years and periods, with its clue."""
    return {of(language).sentence(clue): clue for clue in all_clues()}


# -------------------------------------------------------------------------- written and read back


@each(("language", "mode"), FORMS)
def test_every_prompt_is_read_back_to_its_problem(language: str, mode: str) -> None:
    prompts = [write(problem, language) for problem in problems(mode)]
    assert len(set(prompts)) >= 200
    assert [read(prompt) for prompt in prompts] == list(problems(mode))


@each(("language", "mode"), FORMS)
def test_an_item_is_the_same_puzzle_as_in_english(language: str, mode: str) -> None:
    for item, english in zip(
        generated(6, language=language, mode=mode), generated(6, mode=mode), strict=True
    ):
        assert (item.problem, item.target, item.certificate) == (
            english.problem,
            english.target,
            english.certificate,
        )
        assert item.family == english.family
        assert item.id != english.id
        assert item.prompt == write(item.problem, language) != english.prompt
        assert read(item.prompt) == read(english.prompt) == item.problem


@each("language", OTHERS)
def test_every_clue_has_a_sentence_of_its_own(language: str) -> None:
    clues = list(all_clues())
    assert len(sentences(language)) == len(clues) == len(set(clues)) > 3000
    assert {clue.type for clue in clues} == set(catalogue.TYPES)
    assert all(of(language).clue(said) == clue for said, clue in sentences(language).items())
    for known, there in zip(
        ("events", "recurring", "offices"),
        (
            [event.name for event in facts.builtin().events],
            [known.name for known in facts.builtin().recurring],
            [held.office for held in facts.builtin().offices],
        ),
        strict=True,
    ):
        assert set(of(language).words[known]) == set(there)


@each("language", OTHERS)
def test_every_convention_is_said(language: str) -> None:
    noted = [clue for clue in all_clues() if clue.note]
    notes = {(of(language).note(clue), clue.note) for clue in noted}
    assert len(notes) == len({theirs for theirs, _ in notes}) == len({ours for _, ours in notes})
    assert set(of(language).words["notes"]) == {clue.type for clue in noted} | {"periods"}
    assert not any(of(language).note(clue) for clue in all_clues() if not clue.note)


# ------------------------------------------------------------------------------ changed prompts


@each("language", OTHERS)
def test_a_changed_prompt_is_not_read_as_another_puzzle(language: str) -> None:
    """A word left out, a letter changed or a number raised: nothing is read, or exactly what is written."""
    rng, refused = Random(7), 0
    prompts = [write(problem, language) for mode in MODES for problem in problems(mode)[:25]]
    for prompt in prompts:
        for _ in range(8):
            text = changed(prompt, rng)
            problem = read(text)
            assert problem is None or text.startswith(write(problem, language))
            assert problem is None or problem != read(prompt)
            refused += problem is None
    assert refused > 300


def changed(text: str, rng: Random) -> str:
    """Change a word anywhere but in the first line's first and the last line's last: they border on other text."""
    at = rng.choice([found.span() for found in re.finditer(r"\w+", text)][1:-1])
    word = text[slice(*at)]
    others = [word[:-1], word + word, word.swapcase(), ""]
    if word.isdigit():
        others = [str(int(word) + rng.choice((1, 10, 100)))]
    return text[: at[0]] + rng.choice([new for new in others if new != word]) + text[at[1] :]
