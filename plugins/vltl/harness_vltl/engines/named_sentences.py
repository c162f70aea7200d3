"""Sentences about propositions that they name ("whenever a holds, b holds"), as two engines read them.

``spot`` puts prop_i in place of the names and reads by the rules of `plain_reader`; ``evaluator`` fits the whole
sentence to the skeletons of `published_sentences`, with a name at each place of a proposition.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from harness import Abstained
from harness_vltl.engines import plain_reader, published_sentences
from harness_vltl.engines.plain_reader import MAX_SENTENCE
from harness_vltl.problem import Meaning


def meaning(problem: Mapping[str, Any], engine: str) -> Meaning:
    """Return what an engine reads in the sentence of a pair.

    Raises:
        Abstained: a proposition is not named in it, or it has no one plain meaning.
    """
    sentence, names = problem["sentence"], problem["propositions"]
    if len(sentence) > MAX_SENTENCE:
        raise Abstained(f"{engine}: the sentence is longer than {MAX_SENTENCE} characters")
    if engine == "spot":
        lifted, by_number = lift(sentence, names)
        if not lifted:
            raise Abstained("spot: the sentence does not name each proposition")
        return Meaning(plain_reader.read(lifted), lifted, by_number)
    return _by_skeletons(sentence, names)


def lift(sentence: str, names: Sequence[str]) -> tuple[str, dict[str, str]]:
    """Return a sentence with prop_1, prop_2, … in place of the names, and the name of each.

    The sentence is empty where it does not have all of them.
    """
    numbers = {name: f"prop_{number}" for number, name in enumerate(_numbered(names), 1)}
    by_words = {_words(name): number for name, number in numbers.items()}
    longest = sorted(by_words, key=len, reverse=True)
    pattern = "|".join(re.escape(words).replace(r"\ ", "[ _-]") for words in longest)
    found: set[str] = set()

    def number(match: re.Match[str]) -> str:
        if match[0] == "a" and _is_article(match, by_words):
            return match[0]
        found.add(by_words[_words(match[0])])
        return by_words[_words(match[0])]

    lifted = re.sub(rf"(?<!\w)(?:{pattern})(?!\w)", number, sentence) if pattern else ""
    lifted = re.sub(r"\(\s?(prop_\d+)\s?\)", r"\1", lifted)
    back = {number: name for name, number in numbers.items()}
    return (lifted if len(found) == len(numbers) else ""), back


def _numbered(names: Sequence[str]) -> list[str]:
    """Return the names in an order in which a name that is prop_i is the i-th, if all are."""
    numbers = [re.fullmatch(r"prop_([1-9][0-9]?)", name) for name in names]
    if all(numbers) and len(names) < 100:
        return sorted(names, key=lambda name: int(name[5:]))
    return list(names)


def _words(name: str) -> str:
    return re.sub("[_-]", " ", name)


def _is_article(match: re.Match[str], names: Mapping[str, str]) -> bool:
    """Tell whether an "a" stands before another name: in "followed by a b" it is no proposition."""
    after = re.match(r"\s(\w+)", match.string[match.end() :])
    return bool(after and _words(after[1]) in names)


def _by_skeletons(sentence: str, names: Sequence[str]) -> Meaning:
    said = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    bare = sentence.strip().rstrip(". ")
    fitting: list[Meaning] = []
    for skeleton, formula in published_sentences.readings().items():
        match = re.fullmatch(_pattern(skeleton).replace("NAMES", said), bare, re.IGNORECASE)
        by_number = match.groupdict() if match else {}
        if match and {*by_number.values()} == {*names}:
            fitting.append(Meaning(formula, skeleton, by_number))
    if len(fitting) != 1:
        raise Abstained("evaluator: no one skeleton fits the sentence")
    return fitting[0]


@cache
def _pattern(skeleton: str) -> str:
    """Return a pattern of the sentences that a skeleton is, with NAMES for the names that may stand in it."""
    pattern, seen = "", set[str]()
    for piece in re.split(r"(prop_\d+)", skeleton.rstrip(". ")):
        if not piece.startswith("prop_"):
            pattern += re.escape(piece)
        elif piece in seen:
            pattern += f"(?P={piece})"
        else:
            seen.add(piece)
            pattern += f"(?P<{piece}>NAMES)"
    return pattern
