"""From the words of a verb phrase back to the proposition: the inverse of `scenario.Choice.words`.

All phrases of a form are one trie over their words, with the arguments as edges: an argument takes as many words
as make a surface form of its type, looked up in a dict. Nothing is filled in beforehand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from harness_vltl.scenarios.model import FORMS, Form, Scenario
from harness_vltl.scenarios.scenario import canonical

# More than any phrase has: 16 parts with an article each, of which at most 6 are texts of 8 words or more.
MAX_WORDS = 400


@dataclass(slots=True)
class _Node:
    """A place in the trie: what may follow, and the actions that end here."""

    words: dict[str, _Node] = field(default_factory=dict)
    # For each type: its lookup, the length of its longest surface form, and what follows.
    types: dict[str, tuple[Mapping[str, str], int, _Node]] = field(default_factory=dict)
    # The action, and for each of its arguments how many arguments were read before it.
    end: tuple[str, tuple[int, ...]] | None = None


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


def _matches(root: _Node, words: Sequence[str], at: int) -> list[tuple[int, str]]:
    """Return where phrases that begin at a word may end, and what they say.

    The paths that stay alive are few: an argument follows only where its surface form stands.
    """
    head = words[at]
    start = root.words.get(head[:1].lower() + head[1:])
    if start is None:
        return []
    matches = []
    todo: list[tuple[_Node, int, tuple[str, ...]]] = [(start, at + 1, ())]
    while todo:
        node, at, values = todo.pop()
        if node.end is not None:
            action, order = node.end
            matches.append((at, canonical(action, tuple(values[place] for place in order))))
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
    return matches


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
