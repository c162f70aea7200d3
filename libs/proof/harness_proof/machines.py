"""Mealy machines as tempobench's prompts have them: in HOA format, as a table, or in sentences.

The rows of a table and the sentences become lines of HOA format, whose labels say all outputs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from harness_proof import words
from harness_proof.outcomes import known


class Machine(NamedTuple):
    """A machine: of each state the edges, each with inputs that it is for, outputs, and next state.

    Inputs are named, and have values, as bits: bit i is the i-th input; likewise outputs.
    """

    start: int
    inputs: list[str]
    outputs: list[str]
    edges: dict[int, list[tuple[list[tuple[int, int]], int, int]]]
    steps: dict[tuple[int, int], tuple[int, int]]
    """Steps that were looked up."""

    def step(self, state: int, given: int) -> tuple[int, int]:
        """Return outputs and next state on some inputs."""
        step = self.steps.get((state, given))
        if step is None:
            edges = self.edges.get(state, ())
            fitting = [(out, to) for ways, out, to in edges if any(given & n == v for n, v in ways)]
            known(len(fitting) == 1, f"{len(fitting)} lines fit in state {state}, not one")
            step = self.steps[state, given] = fitting[0]
        return step


Edges = Iterator[tuple[int, str, int]]
"""Of each edge a state, a label and the next state."""


def read(text: str, notation: str, start: str, names: tuple[list[str], list[str]]) -> Machine:
    """Return the machine of a text: HOA format with "names" or "numbers" in labels, a "table", or "prose".

    ``start``: the initial state, if the text does not say it. ``names``: inputs and outputs that the prompt names.
    """
    every = [*names[0], *names[1]]
    fit = len({*every}) == len(every) and all(name.isidentifier() for name in every)
    states = ""
    if notation == "table":
        edges = _table(words.match("tempobench", "table", text)[1].split("\n"))
    elif notation == "prose":
        edges = _prose(text.split("\n"))
    else:
        head = words.match("tempobench", "hoa", text)
        states, start, said = head[1], head[2], re.findall(r'"([^"]+)"', head[4])
        kinds: tuple[list[str], list[str]] = [], []
        for place, name in enumerate(said):
            kinds[str(place) in head[5].split()].append(name)
        fit = fit and kinds == names and len(said) == int(head[3])
        edges = _hoa(head[6].split("\n"), said if notation == "numbers" else [])
    known(fit, "the names of inputs and outputs do not fit together")
    machine = Machine(int(start) if start.isdecimal() else -1, *names, {}, {})
    for state, label, to in edges:
        machine.edges.setdefault(state, []).append((*_label(label, machine), to))
    reached = {machine.start, *(to for edges in machine.edges.values() for _, _, to in edges)}
    whole = reached <= machine.edges.keys() == {*range(int(states or len(machine.edges)))}
    known(whole, "the machine has not the states that it says")
    return machine


def _hoa(lines: list[str], numbered: list[str]) -> Edges:
    """Yield the edges of a body; ``numbered``: the names, if labels have numbers."""
    names = {str(place): name for place, name in enumerate(numbered)}
    state = -1
    for line in lines:
        found = words.match("tempobench", "line", line)
        if found[1]:
            state = int(found[1])
        else:
            label = re.sub(r"\b\d+\b", lambda n: names.get(n[0], n[0]), found[2])
            yield state, label, int(found[3])


def _table(lines: list[str]) -> Edges:
    for line in lines:
        row = words.match("tempobench", "row", line)
        inputs = "" if row[2] == "any" else row[2].replace(" or ", " | ")
        yield int(row[1]), f"({inputs})&{row[3]}", int(row[4])


def _prose(lines: list[str]) -> Edges:
    for line in lines:
        state = words.match("tempobench", "described", line)
        for sentence in re.split(r"(?<=\.) ", state[2]):
            one = words.match("tempobench", "sentence", sentence)
            choices = " | ".join(map(_signs, one[1].split(", or if "))) if one[1] else ""
            yield int(state[1]), f"({choices})&{_signs(one[2])}", int(one[3])


def _signs(said: str) -> str:
    """Return "a and b are true and c is false" as "a&b&!c"."""
    found = words.match("tempobench", "values", said)
    true, false = (re.split(", | and ", names or "") for names in found.groups())
    return "&".join([*filter(None, true), *(f"!{name}" for name in false if name)])


def _label(label: str, machine: Machine) -> tuple[list[tuple[int, int]], int]:
    """Return the values of inputs that a label is for, and the outputs; it is ``(a&!b | c)&out``, or ``a&!b&out``."""
    choices, grouped, rest = label[1:].partition(")&")
    texts = [f"{choice}&{rest}" for choice in choices.split(" | ")] if grouped else [label]
    ways = [literals(text, [*machine.inputs, *machine.outputs]) for text in texts]
    width = len(machine.inputs)
    said = all(named >> width == (1 << len(machine.outputs)) - 1 for named, _ in ways)
    known(said, f"a label does not say each output: {label[:80]}")
    below = (1 << width) - 1
    return [(named & below, true & below) for named, true in ways], ways[0][1] >> width


def literals(conjunction: str, names: list[str]) -> tuple[int, int]:
    """Return which names a conjunction of literals mentions, and which are true, as bits: the i-th name is bit i."""
    named = true = 0
    why = f"this is no conjunction of literals: {conjunction[:80]}"
    for literal in filter(None, re.split(" & |&", conjunction)):
        name = literal.removeprefix("!")
        bit = 1 << names.index(name) if name in names else 0
        known(bit and not named & bit, why)
        named, true = named | bit, true | bit * (name == literal)
    return named, true
