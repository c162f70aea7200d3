"""Actions found in words by their letters alone, as somebody would who does not know what the words mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from harness_vltl.scenarios.model import RESERVED_WORDS, Scenario
from harness_vltl.scenarios.scenario import canonical

LIFTED = re.compile(r"prop_\d+")
_ALIKE = 4  # words are alike that begin with so many same letters, shorter ones that are the same
_WORD = re.compile(r"[\w-]+")
_MISSING = 3  # what an argument that no word looks like speaks against an action


def _keys(text: str) -> dict[str, int]:
    """Return the letters that count of each word of a text, with the word's length."""
    return {word[:_ALIKE]: len(word) for word in _WORD.findall(text.lower().replace("_", " "))}


class _Names:
    """Canonical names with the words told for each, found by the beginnings of these words."""

    def __init__(self, told: Mapping[str, Iterable[str]]) -> None:
        self.first = tuple(told)
        self._parts: dict[str, list[tuple[str, Mapping[str, int]]]] = {}
        for name, texts in told.items():
            for text in dict.fromkeys((name, *texts)):
                keys = _keys(text)
                for key in keys:
                    self._parts.setdefault(key, []).append((name, keys))

    def likeness(self, words: Mapping[str, int]) -> dict[str, float]:
        """Return the names that words of a phrase look like, and how much: letters, as far as whole names fit."""
        scores: dict[str, float] = {}
        for key in words:
            for name, keys in self._parts.get(key, ()):
                found = sum(length for part, length in keys.items() if part in words)
                score = found * found / sum(keys.values())
                scores[name] = max(scores.get(name, 0.0), score)
        return scores


@dataclass(frozen=True, eq=False)
class Matcher:
    """The names of a scenario to look for: with all words for them, or (as most prompts tell) the names alone."""

    scenario: Scenario
    actions: _Names
    values: Mapping[str, _Names]

    @classmethod
    def of(cls, scenario: Scenario, full: bool) -> Matcher:
        """Return the matcher of a scenario; ``full``: the prompt tells every word of it."""
        return _matcher(scenario, full)

    def action(self, phrase: str) -> str:
        """Return the action, with arguments, whose names look most like the words of a phrase."""
        return self._best(phrase)[1]

    def lift(self, sentence: str) -> tuple[str, dict[str, str]]:
        """Return a sentence with prop_i for what looks like an action, and the action of each."""
        numbers: dict[str, str] = {}
        pieces = _separators(self.scenario).split(sentence)
        for at in range(0, len(pieces), 2):  # between them stand connectives, agents, punctuation
            likeness, action = self._best(pieces[at])
            if likeness > 0:
                pieces[at] = f" {numbers.setdefault(action, f'prop_{len(numbers) + 1}')} "
        return "".join(pieces), {name: action for action, name in numbers.items()}

    def _best(self, phrase: str) -> tuple[float, str]:
        words = _keys(phrase)
        alike = self.actions.likeness(words)
        values = {name: names.likeness(words) for name, names in self.values.items()}
        best, chosen = -99.0, ""
        for action in self.scenario.actions.values():
            total = 2 * alike.get(action.name, 0.0)
            arguments: list[str] = []
            for kind in action.arguments:
                likeness, value = _argument(values[kind], self.values[kind].first, arguments)
                total += likeness or -_MISSING
                arguments.append(value)
            if total > best:
                best, chosen = total, canonical(action.name, tuple(arguments))
        return best, chosen


def _argument(
    alike: Mapping[str, float], every: Sequence[str], taken: Sequence[str]
) -> tuple[float, str]:
    """Return the likeliest value that is not taken, with its likeness; the first one if none looks like it."""
    free = [name for name in alike if name not in taken]
    if free:
        value = max(free, key=alike.__getitem__)
        return alike[value], value
    return 0.0, next((name for name in every if name not in taken), every[0])


@lru_cache(maxsize=16)
def _matcher(scenario: Scenario, full: bool) -> Matcher:
    actions = {
        name: [re.sub(r"\{.*?\}", "", phrase.base) for phrase in action.phrases if full]
        for name, action in scenario.actions.items()
    }
    values = {
        name: _Names({value: forms if full else () for value, forms in kind.values.items()})
        for name, kind in scenario.types.items()
    }
    return Matcher(scenario, _Names(actions), values)


@lru_cache(maxsize=16)
def _separators(scenario: Scenario) -> re.Pattern[str]:
    agents = sorted(scenario.agents, key=len, reverse=True)
    helping = ("is", "does", "must", "in", "from", "of")
    words = (*(f"the {agent}" for agent in agents), *sorted(RESERVED_WORDS), *helping)
    return re.compile(rf"((?:\b(?:{'|'.join(map(re.escape, words))})\b|[,.:;])\s?)", re.IGNORECASE)
