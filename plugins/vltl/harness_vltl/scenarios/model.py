"""What a scenario is made of, once its file has been read and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from harness import HarnessError

Form = Literal["base", "ing", "s"]
FORMS: tuple[Form, ...] = ("base", "ing", "s")

# The words that sentences are built from: in a phrase they would make a sentence mean two things.
_RESERVED = """after again always and as because before both but condition either ever every eventually except false
    finally forever globally happen happening happens holds if iff implies infinitely it later means moment
    moments must neither never next nor not now often once only or otherwise point points prop provided
    since sometimes soon step steps than that then time times true unless until when whenever whether which while
    without"""
RESERVED_WORDS = frozenset(_RESERVED.split())


class ScenarioError(HarnessError):
    """A scenario that does not exist, or whose file is not one; the message gives file and line."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A verb phrase in its three forms: texts like ``drop off the {0} at the {1}``.

    The number in braces is that of an argument of the action; articles are part of the text.
    """

    base: str
    ing: str
    s: str


@dataclass(frozen=True, slots=True)
class Action:
    """An action: the types of its arguments, by name, and the phrases that tell of it."""

    name: str
    arguments: tuple[str, ...]
    phrases: tuple[Phrase, ...]

    @property
    def slots(self) -> tuple[str, ...]:
        """The names of the arguments in a phrase of a file: a second `item` is `item2`."""
        seen: dict[str, int] = {}
        names = []
        for argument in self.arguments:
            seen[argument] = seen.get(argument, 0) + 1
            names.append(argument if seen[argument] == 1 else f"{argument}{seen[argument]}")
        return tuple(names)


@dataclass(frozen=True, slots=True)
class Type:
    """What an argument may be: canonical values, each with its surface forms (without the article).

    `combine` holds the parts that the values were combined from, and is empty if they were listed.
    """

    article: str  # "the", or nothing
    values: Mapping[str, tuple[str, ...]]
    combine: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, eq=False)  # compared and hashed by identity: indexes are cached for each
class Scenario:
    """Agents, types and actions of a world, and the words for them."""

    name: str
    agents: tuple[str, ...]
    types: Mapping[str, Type]
    actions: Mapping[str, Action]

    def kinds(self, action: str) -> tuple[str, ...]:
        """Return the types of an action's arguments, by name; none for an action that it has not."""
        return self.actions[action].arguments if action in self.actions else ()
