"""From the words of a verb phrase back to the proposition: the inverse of `scenario.Choice.words`.

Phrases are found by their first word. An argument takes as many words as make a surface form of its type, looked up
in a dict. Nothing is filled in beforehand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from harness_vltl.scenarios.model import FORMS, Form, Scenario
from harness_vltl.scenarios.scenario import canonical

# More than any phrase has: 16 parts with an article each, of which at most 6 are texts of 8 words or more.
MAX_WORDS = 400

_Lookup = tuple[Mapping[str, str], int]
"""The values of a type by their surface forms, and the words of the longest one."""
_Phrase = tuple[str, dict[int, _Lookup], list[str | int]]
"""The action, what its arguments may be, and the words behind the first, with numbers for arguments."""


def parse(scenario: Scenario, text: str, form: Form) -> str | None:
    """Return the canonical proposition of a verb phrase, such as "dropping off the bench at the dock".

    The text must be as `Choice.words` writes it, but for a capital letter at its beginning.
    """
    words = text.split(" ", MAX_WORDS)
    if len(words) > MAX_WORDS:
        return None
    head = words[0][:1].lower() + words[0][1:]
    for action, lookups, pieces in _index(scenario).get((form, head), ()):
        for values in _fillings(pieces, words, 1, lookups):
            return canonical(action, tuple(values[number] for number in range(len(lookups))))
    return None


def _fillings(
    pieces: Sequence[str | int], words: Sequence[str], at: int, lookups: Mapping[int, _Lookup]
) -> Iterator[dict[int, str]]:
    """Yield the arguments with which the pieces of a phrase say all the words from one on."""
    for number, piece in enumerate(pieces):
        if isinstance(piece, int):
            values, longest = lookups[piece]
            for stop in range(at + 1, min(at + longest, len(words)) + 1):
                if value := values.get(" ".join(words[at:stop])):
                    for others in _fillings(pieces[number + 1 :], words, stop, lookups):
                        yield {piece: value, **others}
            return
        if at >= len(words) or words[at] != piece:
            return
        at += 1
    if at == len(words):
        yield {}


@lru_cache(maxsize=32)
def _index(scenario: Scenario) -> Mapping[tuple[Form, str], list[_Phrase]]:
    """Return the phrases of all actions by their form and first word."""
    by_type: dict[str, _Lookup] = {}
    for name, kind in scenario.types.items():
        lookup = {form: value for value, forms in kind.values.items() for form in forms}
        by_type[name] = lookup, max(form.count(" ") + 1 for form in lookup)
    index: dict[tuple[Form, str], list[_Phrase]] = {}
    for action in scenario.actions.values():
        lookups = {number: by_type[name] for number, name in enumerate(action.arguments)}
        for phrase in action.phrases:
            for form in FORMS:
                head, *rest = getattr(phrase, form).split(" ")
                pieces = [int(word[1:-1]) if word.startswith("{") else word for word in rest]
                index.setdefault((form, head), []).append((action.name, lookups, pieces))
    return index
