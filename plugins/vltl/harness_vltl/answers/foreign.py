"""The verdict of a clause in another language: "die Formel ist nicht erfüllt", "该轨迹不满足公式".

A clause is read only if every word of it is known: one that is not may be a doubt or a condition.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import NamedTuple

import yaml
from harness_answers.languages import SATISFACTION

_LONGEST = 300
_WORD = re.compile(r"[\w\u064b-\u0652\u0900-\u097f]+")  # Hindi's vowel signs are no \w


def foreign_verdict(clause: str) -> bool | None:
    """Return the verdict of a clause in small letters, or None if it is no sentence of these languages."""
    if len(clause) > _LONGEST:
        return None
    verdicts = {_verdict(clause, words) for words in _lexicon()} - {None}
    return verdicts.pop() if len(verdicts) == 1 else None


class _Words(NamedTuple):
    """What the words of a language say; ``pieces`` is their pattern if there are no blanks between."""

    satisfied: tuple[str, ...]
    violated: tuple[str, ...]
    negations: set[str]
    known: set[str]
    pieces: re.Pattern[str] | None


def _verdict(clause: str, language: _Words) -> bool | None:
    satisfied, violated, pieces = language.satisfied, language.violated, language.pieces
    words = (pieces or _WORD).findall(clause)
    if pieces:
        rest = _WORD.findall(pieces.sub(" ", clause))
    else:
        rest = [word for word in words if word not in language.known]
    if not all(map(str.isdigit, rest)):
        return None
    verdicts = {word in satisfied for word in words if word in satisfied or word in violated}
    negated = sum(word in language.negations for word in words) % 2 == 1
    return verdicts.pop() != negated if len(verdicts) == 1 else None


@cache
def _lexicon() -> list[_Words]:
    """Return the words of all languages but English."""
    file = resources.files("harness_vltl").joinpath("foreign_words.yaml")
    languages = []
    for name, words in yaml.safe_load(file.read_text("utf-8")).items():
        satisfied, violated = SATISFACTION[name]
        negations = set(words["negations"].split())
        known = {*satisfied, *violated, *negations, *words["others"].split()}
        pieces = "|".join(sorted(known, key=len, reverse=True))
        pattern = re.compile(pieces) if words.get("joined") else None
        languages.append(_Words(satisfied, violated, negations, known, pattern))
    return languages
