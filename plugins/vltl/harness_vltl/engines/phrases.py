"""From the words of a verb phrase back to the proposition: the inverse of `scenario.Choice.words`.

All phrases of a form are one trie over their words, with the arguments as edges: an argument takes as many words
as make a surface form of its type, looked up in a dict. Nothing is filled in beforehand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from harness_vltl.scenarios.scenario import FORMS, Form, Scenario, canonical

# More than any phrase has: 16 parts with an article each, of which at most 6 are texts of 8 words or more.
MAX_WORDS = 400
MAX_TEXT = 200_000

_TOKEN = re.compile(r"[A-Za-z0-9'-]+|[^A-Za-z0-9'-]+")


@dataclass(slots=True)
class _Node:
    """A place in the trie: what may follow, and the actions that end here."""

    words: dict[str, _Node] = field(default_factory=dict)
    # For each type: its lookup, the length of its longest surface form, and what follows.
    types: dict[str, tuple[Mapping[str, str], int, _Node]] = field(default_factory=dict)
    # The action, and for each of its arguments how many arguments were read before it.
    end: tuple[str, tuple[int, ...]] | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A verb phrase in a longer text: `text[start:end]` says `proposition` in one of the forms."""

    start: int
    end: int
    form: Form
    proposition: str


def parse(scenario: Scenario, text: str, form: Form) -> str | None:
    """Return the canonical proposition of a verb phrase, such as "dropping off the bench at the dock".

    The text must be as `Choice.words` writes it, but for a capital letter at its beginning.
    """
    words = text.split(" ", MAX_WORDS)
    if len(words) > MAX_WORDS:
        return None
    for end, proposition in _matches(_index(scenario)[form], words, 0):
        if end == len(words):
            return proposition
    return None


def find(scenario: Scenario, text: str) -> list[Found]:
    """Return the verb phrases in a text, from left to right, without overlaps, the longest at each place."""
    tokens = [found for found in _TOKEN.finditer(text[:MAX_TEXT]) if found[0] != " "]
    words = [token[0] for token in tokens]
    found = []
    at = 0
    while at < len(words):
        best = _longest(scenario, words, at)
        if best is None:
            at += 1
            continue
        end, form, proposition = best
        found.append(Found(tokens[at].start(), tokens[end - 1].end(), form, proposition))
        at = end
    return found


def _longest(scenario: Scenario, words: Sequence[str], at: int) -> tuple[int, Form, str] | None:
    index = _index(scenario)
    best: tuple[int, Form, str] | None = None
    for form in FORMS:
        for end, proposition in _matches(index[form], words, at):
            if best is None or end > best[0]:
                best = end, form, proposition
    return best


def _matches(root: _Node, words: Sequence[str], at: int) -> list[tuple[int, str]]:
    """Return where phrases that begin at a word may end, and what they say.

    The paths that stay alive are few: an argument follows only where its surface form stands.
    """
    head = words[at]
    start = root.words.get(head[:1].lower() + head[1:])
    if start is None:
        return []
    found = []
    todo: list[tuple[_Node, int, tuple[str, ...]]] = [(start, at + 1, ())]
    while todo:
        node, at, values = todo.pop()
        if node.end is not None:
            action, order = node.end
            found.append((at, canonical(action, tuple(values[place] for place in order))))
        if at >= len(words):
            continue
        after = node.words.get(words[at])
        if after is not None:
            todo.append((after, at + 1, values))
        for lookup, longest, following in node.types.values():
            for stop in range(at + 1, min(at + longest, len(words)) + 1):
                value = lookup.get(" ".join(words[at:stop]))
                if value is not None:
                    todo.append((following, stop, (*values, value)))
    return found


@lru_cache(maxsize=32)
def _index(scenario: Scenario) -> Mapping[Form, _Node]:
    lookups = {}
    for name, kind in scenario.types.items():
        lookup = {form: value for value, forms in kind.values.items() for form in forms}
        lookups[name] = lookup, max(form.count(" ") + 1 for form in lookup)
    roots: dict[Form, _Node] = {form: _Node() for form in FORMS}
    for action in scenario.actions.values():
        for phrase in action.phrases:
            for form in FORMS:
                _add(roots[form], getattr(phrase, form), action.name, action.arguments, lookups)
    return roots


def _add(
    node: _Node,
    text: str,
    action: str,
    arguments: tuple[str, ...],
    lookups: Mapping[str, tuple[Mapping[str, str], int]],
) -> None:
    read: list[int] = []
    for part in text.split(" "):
        if not part.startswith("{"):
            node = node.words.setdefault(part, _Node())
            continue
        number = int(part[1:-1])
        read.append(number)
        name = arguments[number]
        if name not in node.types:
            node.types[name] = (*lookups[name], _Node())
        node = node.types[name][2]
    node.end = action, tuple(read.index(number) for number in range(len(arguments)))
