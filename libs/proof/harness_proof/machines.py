"""Mealy machines as tempobench's prompts have them: in HOA format, as a table, or in sentences.

The rows of a table and the sentences become lines of HOA format, whose labels say all outputs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from harness_proof.outcomes import UncheckedError

_HOA = re.compile(
    r"HOA: v1\nStates: (\d{1,4})\nStart: (\d{1,4})\nAP: (\d{1,3})((?: \"[A-Za-z_]\w{0,99}\")+)\nacc-name: all\n"
    r"Acceptance: 0 t\nproperties: [a-z -]+\ncontrollable-AP:((?: \d{1,3})+)\n--BODY--\n"
)
_ROW = re.compile(r"\| (\d{1,4}) \| ([^|]+) \| ([^|]+) \| (\d{1,4}) \|")
_HEAD = ["| state | inputs | outputs | next state |", "| --- | --- | --- | --- |"]
_SENTENCE = re.compile(
    r"(?:If ([\w, ]+), then|Whatever the inputs,) ([\w, ]+), and the next state is (\d{1,4})\."
)
_WORDS = re.compile(r"(?:(.+?) (?:is|are) true)?(?:(?:^|(?<=true) and )(.+?) (?:is|are) false)?")


class Machine(NamedTuple):
    """A machine: of each state the edges, each with inputs that it is for, outputs, and next state.

    Inputs are named, and have values, as bits: bit i is the i-th input; likewise outputs.
    """

    start: int
    inputs: list[str]
    outputs: list[str]
    edges: dict[int, list[tuple[list[tuple[int, int]], int, int]]]
    known: dict[tuple[int, int], tuple[int, int]]
    """Steps that were looked up."""

    def step(self, state: int, given: int) -> tuple[int, int]:
        """Return outputs and next state on some inputs."""
        known = self.known.get((state, given))
        if known is None:
            fitting = [
                (outputs, to)
                for ways, outputs, to in self.edges.get(state, ())
                if any(given & named == values for named, values in ways)
            ]
            if len(fitting) != 1:
                raise UncheckedError(f"{len(fitting)} lines fit in state {state}, not one")
            known = self.known[state, given] = fitting[0]
        return known


Edges = Iterator[tuple[int, str, int]]
"""Of each edge a state, a label and the next state."""


def read(text: str, notation: str, start: str, names: tuple[list[str], list[str]]) -> Machine:
    """Return the machine of a text: HOA format with "names" or "numbers" in labels, a "table", or "prose".

    ``start``: the initial state, if the text does not say it. ``names``: inputs and outputs that the prompt names.
    """
    every = [*names[0], *names[1]]
    if len({*every}) < len(every) or not all(name.isidentifier() for name in every):
        raise UncheckedError("the names of inputs and outputs do not fit together")
    lines = text.split("\n")
    head = _HOA.match(text)
    start = head[2] if head else start
    if notation == "table" and lines[:2] == _HEAD:
        edges = _table(lines[2:])
    elif notation == "prose":
        edges = _prose(lines)
    elif head and lines[-1] == "--END--" and _named(head) == names:
        edges = _hoa(text[head.end() :].split("\n")[:-1], every if notation == "numbers" else [])
    else:
        raise UncheckedError("the machine has lines that are not known here")
    machine = Machine(int(start) if start.isdecimal() else -1, *names, {}, {})
    for state, label, to in edges:
        machine.edges.setdefault(state, []).append((*_label(label, machine), to))
    reached = {machine.start, *(to for edges in machine.edges.values() for _, _, to in edges)}
    states = int(head[1]) if head else len(machine.edges)
    if not reached <= machine.edges.keys() == {*range(states)}:
        raise UncheckedError("the machine has not the states that it says")
    return machine


def _named(head: re.Match[str]) -> tuple[list[str], list[str]]:
    """Return inputs and outputs of a HOA text."""
    names = re.findall(r'"([^"]+)"', head[4])
    outputs = {int(number) for number in head[5].split()}
    kinds = [[n for i, n in enumerate(names) if (i in outputs) is kind] for kind in (False, True)]
    return (kinds[0], kinds[1]) if len(names) == int(head[3]) else ([], [])


def _hoa(lines: list[str], numbered: list[str]) -> Edges:
    """Yield the edges of a body; ``numbered``: the names, if labels have numbers."""
    names = {str(place): name for place, name in enumerate(numbered)}
    state = -1
    for line in lines:
        found = re.fullmatch(r"State: (\d{1,4})|\[(.+)\] (\d{1,4})", line)
        if found is None or (state < 0 and not found[1]):
            raise UncheckedError(f"this line of the machine is not known here: {line[:80]}")
        if found[1]:
            state = int(found[1])
        else:
            label = re.sub(r"\w+", lambda n: names.get(n[0], ""), found[2]) if names else found[2]
            yield state, label, int(found[3])


def _table(lines: list[str]) -> Edges:
    for line in lines:
        row = _ROW.fullmatch(line)
        if row is None:
            raise UncheckedError(f"this row of the machine is not known here: {line[:80]}")
        inputs = "t" if row[2] == "any" else row[2].replace(" & ", "&").replace(" or ", " | ")
        yield int(row[1]), f"({inputs})&{row[3].replace(' & ', '&')}", int(row[4])


def _prose(lines: list[str]) -> Edges:
    for line in lines:
        head, _, told = line.partition(": ")
        sentences = [*_SENTENCE.finditer(told)]
        state = re.fullmatch(r"In state (\d{1,4})", head)
        if state is None or " ".join(sentence[0] for sentence in sentences) != told:
            raise UncheckedError(f"this sentence of the machine is not known here: {line[:80]}")
        for one in sentences:
            choices = " | ".join(map(_signs, one[1].split(", or if "))) if one[1] else "t"
            yield int(state[1]), f"({choices})&{_signs(one[2])}", int(one[3])


def _signs(words: str) -> str:
    """Return "a and b are true and c is false" as "a&b&!c"."""
    found = _WORDS.fullmatch(words)
    true, false = (
        (re.split(", | and ", names or "") for names in found.groups()) if found else ([], [])
    )
    return "&".join([*filter(None, true), *(f"!{name}" for name in false if name)])


def _label(label: str, machine: Machine) -> tuple[list[tuple[int, int]], int]:
    """Return the values of inputs that a label is for, and the outputs; it is ``(a&!b | c)&out``, or ``a&!b&out``."""
    choices, grouped, rest = label[1:].partition(")&")
    if label.startswith("(") and grouped:
        fixed = values_of(rest, machine.outputs)
        ways = [values_of(choice, machine.inputs) for choice in choices.split(" | ")]
    else:
        fixed = values_of(label, [*machine.inputs, *machine.outputs])
        ways = [fixed]
    if not {*machine.outputs} <= fixed.keys():
        raise UncheckedError(f"a label does not say each output: {label[:80]}")
    named = [bits(dict.fromkeys(way, True), machine.inputs) for way in ways]
    values = [bits(way, machine.inputs) for way in ways]
    return [*zip(named, values)], bits(fixed, machine.outputs)


def bits(values: dict[str, bool], names: list[str]) -> int:
    """Return the values of some names, each a bit; others are false."""
    return sum(values.get(name, False) << place for place, name in enumerate(names))


def values_of(conjunction: str, names: list[str], joint: str = "&") -> dict[str, bool]:
    """Return the values of a conjunction of literals; ``t`` has none."""
    literals = [] if conjunction == "t" else conjunction.split(joint)
    values = {literal.lstrip("!"): literal[:1] != "!" for literal in literals}
    if len(values) < len(literals) or not values.keys() <= {*names} or "!!" in conjunction:
        raise UncheckedError(f"this is no conjunction of literals: {conjunction[:80]}")
    return values
