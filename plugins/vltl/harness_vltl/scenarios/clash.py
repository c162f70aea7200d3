"""The check that no two propositions of a scenario have the same words, without filling the phrases in.

A phrase stands for the texts that its slots, filled, can give. Two phrases are walked together, word by word,
each along its fixed words and the words of its types (as tries), and "the" is passed over. Where both walks can
end at once, the words they took are a text of both.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from typing import Any

from harness_vltl.scenarios.model import FORMS, Scenario
from harness_vltl.scenarios.yaml_tree import error, quoted

MAX_STATES = 200_000  # of one comparison: some tenths of a second
MAX_PHRASES = 200  # with the same verb

_END = ""  # in a trie, where a surface form may end; no word is empty
_Trie = dict[str, Any]
# A part of a phrase, and the node in its trie (by number; 0 outside and at the root).
_Place = tuple[int, int]


class _Walk:
    """A phrase as a machine that reads words; a place is before a part, or inside a slot's trie."""

    def __init__(self, text: str, tries: list[_Trie]) -> None:
        parts = [part for part in text.replace("-", " ").split(" ") if part != "the"]
        self.tries = [tries[int(part[1:-1])] if part.startswith("{") else None for part in parts]
        self.words = parts
        self.nodes: dict[int, _Trie] = {}

    def steps(self, place: _Place) -> Iterator[tuple[str, _Place, bool]]:
        """Yield each word that may follow, where it leads, and whether it ends a part."""
        part, at = place
        trie = self.tries[part]
        if trie is None:
            yield self.words[part], (part + 1, 0), True
            return
        node = self.nodes[at] if at else trie
        for word, after in node.items():
            if word == _END:
                continue
            if _END in after:
                yield word, (part + 1, 0), True
            if len(after) > (_END in after):
                self.nodes[id(after)] = after
                yield word, (part, id(after)), False


def _trie(surfaces: Iterator[str]) -> _Trie:
    root: _Trie = {}
    for surface in surfaces:
        node = root
        for word in surface.replace("-", " ").split(" "):
            if word != "the":
                node = node.setdefault(word, {})
        node[_END] = {}
    return root


def common(first: _Walk, second: _Walk, parted: bool) -> str | None:
    """Return a text of both phrases (without "the"), or None.

    If they are not `parted`, only a text that they cut up differently counts.

    Raises:
        OverflowError: after `MAX_STATES` states.
    """
    start = ((0, 0), (0, 0), parted)
    ends = len(first.words), len(second.words)
    origins: dict[Any, Any] = {start: None}
    todo: list[Any] = [start]
    while todo:
        state = todo.pop()
        place_1, other, apart = state
        if (place_1[0], other[0]) == ends and apart:
            return _path(origins, state)
        if place_1[0] == ends[0] or other[0] == ends[1]:
            continue
        after: dict[str, list[tuple[_Place, bool]]] = {}
        for word, place, end in second.steps(other):
            after.setdefault(word, []).append((place, end))
        for word, place, end in first.steps(place_1):
            for opposite, opposite_end in after.get(word, ()):
                following = (place, opposite, apart or end != opposite_end)
                if following not in origins:
                    origins[following] = state, word
                    todo.append(following)
        if len(origins) > MAX_STATES:
            raise OverflowError
    return None


def _path(origins: dict[Any, Any], state: Any) -> str:
    words = []
    while origins[state] is not None:
        state, word = origins[state]
        words.append(word)
    return " ".join(reversed(words))


def check(scenario: Scenario, file: str, lines: Mapping[tuple[str, int], int]) -> None:
    """Refuse two phrases that can give the same text, for two propositions or needlessly for one.

    ``lines`` has the line of every phrase, by action and number from 0.

    Raises:
        ScenarioError: with the text, both lines, both actions.
    """
    tries = {
        name: _trie(surface for surfaces in kind.values.values() for surface in surfaces)
        for name, kind in scenario.types.items()
    }
    for form in FORMS:
        heads: dict[str, list[tuple[str, int, str]]] = {}
        for action in scenario.actions.values():
            for number, phrase in enumerate(action.phrases):
                text: str = getattr(phrase, form)
                heads.setdefault(re.split("[ -]", text, maxsplit=1)[0], []).append(
                    (action.name, number, text)
                )
        for head, group in heads.items():
            if len(group) > MAX_PHRASES:
                what = f"more than {MAX_PHRASES} phrases begin with {quoted(head)}"
                raise error(file, lines[group[MAX_PHRASES][:2]], f"{what}; use other verbs")
            for first, second in itertools.combinations_with_replacement(group, 2):
                _compare(scenario, tries, first, second, (file, lines))


def _compare(
    scenario: Scenario,
    tries: Mapping[str, _Trie],
    phrase: tuple[str, int, str],
    other: tuple[str, int, str],
    where: tuple[str, Mapping[tuple[str, int], int]],
) -> None:
    file, lines = where
    first, second = lines[phrase[:2]], lines[other[:2]]
    walks = [
        _Walk(text, [tries[name] for name in scenario.actions[action].arguments])
        for action, _, text in (phrase, other)
    ]
    try:
        text = common(walks[0], walks[1], parted=phrase[:2] != other[:2])
    except OverflowError:
        what = f"this phrase and that of line {first} are too large to compare"
        raise error(file, second, f"{what}; change their fixed words") from None
    if text is not None:
        what = f"{quoted(text)} would be '{other[0]}' here and '{phrase[0]}' in line {first}"
        if phrase == other:
            what = f"{quoted(text)} can be read in two ways by this phrase of '{phrase[0]}'"
        raise error(file, second, f"{what}; change fixed words of a phrase, or a surface form")
