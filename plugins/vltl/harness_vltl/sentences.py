"""Requirements: a formula, the sentence that says it, and which words of it are which proposition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from harness_vltl.formulas.formula import Formula, substitute
from harness_vltl.scenarios.model import Scenario
from harness_vltl.scenarios.scenario import Choice, capacity, draw
from harness_vltl.templates import (
    LETTERS,
    Condition,
    Filling,
    Form,
    Skeleton,
    Slot,
    Writer,
    defining,
)

MOST_PROPOSITIONS = 4
_ALSO_NESTED = 0.25  # chance of each further slot to hold a condition


@dataclass(frozen=True, slots=True)
class Requirement:
    """One sentence (or several, with conditions) and all that is known about it.

    ``ids`` has a number per token: 0, or i where it belongs to prop_i; propositions are numbered in
    the order in which the sentence first mentions them. ``derivation`` says how the sentence was made.
    """

    sentence: str
    lifted: str
    ids: list[int]
    formula: Formula
    choices: tuple[Choice, ...]
    texts: tuple[str, ...]
    derivation: list[dict[str, Any]]

    @property
    def tokens(self) -> list[str]:
        """The words, with the punctuation behind them."""
        return self.sentence.split()

    @property
    def names(self) -> dict[str, str]:
        """The canonical proposition of each prop_i."""
        return {f"prop_{i}": choice.canonical for i, choice in enumerate(self.choices, 1)}

    @property
    def grounded(self) -> Formula:
        """The formula over canonical propositions."""
        return substitute(self.formula, self.names)


@dataclass(slots=True)
class _Node:
    """One skeleton in a composition: what stands in its slots, and the name of its condition."""

    skeleton: Skeleton
    form: Form
    slots: dict[str, _Node | int] = field(default_factory=dict)  # numbers of drawn choices
    name: str = ""


def requirement(
    scenario: Scenario, skeleton: Skeleton, inner: Sequence[Skeleton], depth: int, rng: Random
) -> Requirement:
    """Draw the words of a requirement: a skeleton, nested with others so deep, filled from a scenario.

    ``inner`` are the skeletons that may be nested. No skeleton may have more propositions than the scenario.
    """
    names = _Numbers(min(MOST_PROPOSITIONS, capacity(scenario)))
    top = _compose(skeleton, inner, depth, rng, names)
    return _written(top, _distinct(scenario, names.used, rng), scenario, rng)


@dataclass(slots=True)
class _Numbers:
    """The numbers of a composition's propositions: how many there may be, and are so far."""

    most: int
    used: int = 0

    def another(self, taken: Sequence[int], rng: Random) -> int:
        """Return a new proposition's number; beyond the most there may be, one that is not taken here."""
        if self.used < self.most:
            self.used += 1
            return self.used - 1
        return rng.choice([number for number in range(self.most) if number not in taken])


def _compose(
    skeleton: Skeleton, inner: Sequence[Skeleton], depth: int, rng: Random, names: _Numbers
) -> _Node:
    """Return a composition of exactly so many levels; no skeleton of it has a proposition twice."""
    forms = skeleton.forms if depth == 1 else skeleton.clausal
    node = _Node(skeleton, rng.choice(forms))
    letters = LETTERS[: skeleton.arity]
    deep = rng.choice(letters)
    for letter in letters:
        if depth > 1 and (letter == deep or rng.random() < _ALSO_NESTED):
            node.slots[letter] = _compose(rng.choice(inner), inner, depth - 1, rng, names)
        else:
            taken = [slot for slot in node.slots.values() if isinstance(slot, int)]
            node.slots[letter] = names.another(taken, rng)
    return node


def _distinct(scenario: Scenario, count: int, rng: Random) -> list[Choice]:
    choices: dict[str, Choice] = {}
    while len(choices) < count:
        choice = draw(scenario, rng)
        choices.setdefault(choice.canonical, choice)
    return list(choices.values())


def _written(top: _Node, choices: Sequence[Choice], scenario: Scenario, rng: Random) -> Requirement:
    writer = Writer(rng.choice(scenario.agents))
    nodes = [top]
    for node in nodes:  # grows: a condition is defined after the sentence that names it
        if node.name:
            writer.text += defining(node.name)
        fillings: dict[str, Filling] = {}
        # by mention, not as in the formula, which the names of the conditions would tell otherwise
        for letter in dict.fromkeys(
            piece.letter for piece in node.form.pieces if isinstance(piece, Slot)
        ):
            slot = node.slots[letter]
            if isinstance(slot, _Node):
                fillings[letter] = condition = Condition.numbered(len(nodes), node.skeleton.style)
                slot.name = condition.name
                nodes.append(slot)
            else:
                fillings[letter] = choices[slot]
        writer.sentence(node.form, fillings)
    return _numbered(writer, nodes, choices)


def _numbered(writer: Writer, nodes: Sequence[_Node], choices: Sequence[Choice]) -> Requirement:
    """Number the propositions in the order of their mention and lift the sentence."""
    order: dict[str, int] = {}
    mentioned: dict[str, tuple[Choice, str]] = {}
    lifted, end = "", 0
    spans = []
    for filling, start, stop in writer.mentions:
        number = order.setdefault(filling.canonical, len(order) + 1)
        mentioned.setdefault(filling.canonical, (filling, writer.text[start:stop]))
        lifted += f"{writer.text[end:start]}prop_{number}"
        end = stop
        spans.append((start, stop, number))
    lifted += writer.text[end:]
    names = [f"prop_{order[choice.canonical]}" for choice in choices]
    return Requirement(
        sentence=writer.text,
        lifted=lifted,
        ids=_token_ids(writer.text, spans),
        formula=_formula(nodes[0], names),
        choices=tuple(choice for choice, _ in mentioned.values()),
        texts=tuple(text for _, text in mentioned.values()),
        derivation=[_derived(node, names) for node in nodes],
    )


def _token_ids(text: str, spans: Sequence[tuple[int, int, int]]) -> list[int]:
    ids, at, left = [], 0, iter(spans)
    span = next(left, None)
    for token in text.split(" "):
        while span is not None and span[1] <= at:
            span = next(left, None)
        ids.append(span[2] if span is not None and span[0] < at + len(token) else 0)
        at += len(token) + 1
    return ids


def _formula(node: _Node, names: Sequence[str]) -> Formula:
    by = {
        letter: _formula(slot, names) if isinstance(slot, _Node) else names[slot]
        for letter, slot in node.slots.items()
    }
    return substitute(node.skeleton.formula, by)


def _derived(node: _Node, names: Sequence[str]) -> dict[str, Any]:
    slots = {k: s.name if isinstance(s, _Node) else names[s] for k, s in node.slots.items()}
    return {
        "condition": node.name,
        "skeleton": node.skeleton.id,
        "formula": node.skeleton.formula,
        "form": node.form.text,
        "slots": slots,
    }
