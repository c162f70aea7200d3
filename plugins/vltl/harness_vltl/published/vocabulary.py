"""Do the words of a published proposition mean its action and arguments? As far as our scenarios know the words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness_answers.text import quoted

from harness_vltl import certificate
from harness_vltl.scenarios.model import Scenario

SMALL = frozenset(["the", "a", "an", "to", "on", "in", "at", "from", "of", "with", "by", "for"])
"""Words that say nothing of which action or thing is meant."""
_MOST = 5


def contradictions(
    propositions: Mapping[str, Mapping[str, Any]], world: Scenario | None
) -> list[str]:
    """Return which words say something else than the action and arguments beside them, in one line each.

    Args:
        propositions: as in a certificate, with ``words``: those of the action, then those of each argument.
        world: the scenario, None if it is not one of ours.
    """
    lines = []
    for name, prop in propositions.items():
        others = [other for key, other in propositions.items() if key != name]
        meant = _meant(prop, others, world)
        if meant:
            words, canonical = (
                quoted(" ".join(prop["words"]), 80),
                quoted(certificate.canonical(prop), 80),
            )
            lines.append(f"the words {words} of {name} say {meant}, its action is {canonical}")
    return lines[:_MOST]


def _meant(prop: Mapping[str, Any], others: list[Mapping[str, Any]], world: Scenario | None) -> str:
    """Return what a proposition's words say if that is not its action and arguments; else empty."""
    phrases, arguments = prop["words"], prop["arguments"]
    if len(phrases) - 1 != len(arguments):
        return f"{len(phrases) - 1} argument(s)"
    elsewhere = {value for other in others for value in other["arguments"]}
    for words, value in zip(phrases[1:], arguments, strict=True):
        plain = _identifier(words)
        if plain in elsewhere and plain != _identifier(value):
            return quoted(plain, 80)
    return _by_scenario(prop, world) if world is not None else ""


def _by_scenario(prop: Mapping[str, Any], world: Scenario) -> str:
    actions = _actions(world, prop["words"][0])
    if actions and prop["action"] not in actions:
        return quoted(" or ".join(sorted(actions)), 80)
    kinds = world.kinds(prop["action"])
    for words, value, kind in zip(prop["words"][1:], prop["arguments"], kinds, strict=False):
        values = world.types[kind].values
        owners = sorted(owner for owner, forms in values.items() if words in forms)
        # a name that is not ours: the published scenario may call the same thing otherwise
        if owners and value in values and value not in owners:
            return quoted(" or ".join(owners), 80)
    return ""


def _actions(world: Scenario, words: str) -> set[str]:
    """Return the actions that have a phrase of these words, but for arguments and small words."""
    wanted = _bare(words)
    return {
        name
        for name, action in world.actions.items()
        if any(_bare(phrase.base) == wanted for phrase in action.phrases)
    }


def _bare(words: str) -> list[str]:
    return [
        word for word in words.split() if word not in SMALL | {"up"} and not word.startswith("{")
    ]


def _identifier(words: str) -> str:
    return words.strip().lower().replace(" ", "_").replace("-", "_")
