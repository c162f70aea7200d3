"""Mealy machines in HOA format, as tempobench's prompts have them: labels name propositions and say all outputs."""

from __future__ import annotations

import re
from typing import NamedTuple

from harness_proof.outcomes import UncheckedError

_HOA = re.compile(
    r"HOA: v1\nStates: (\d{1,4})\nStart: (\d{1,4})\nAP: (\d{1,3})((?: \"[^\"\n]{1,100}\")+)\nacc-name: all\n"
    r"Acceptance: 0 t\nproperties: [a-z -]+\ncontrollable-AP:((?: \d{1,3})+)\n--BODY--\n"
)


class Machine(NamedTuple):
    """A machine: of each state the edges, each with the values of inputs that it is for, outputs, and next state."""

    start: int
    inputs: list[str]
    outputs: list[str]
    edges: dict[int, list[tuple[list[dict[int, bool]], int, int]]]
    known: dict[tuple[int, int], tuple[int, int]]
    """Steps that were looked up."""

    def step(self, state: int, given: int) -> tuple[int, int]:
        """Return outputs and next state on some inputs; bit i of ``given`` is the i-th input, likewise of outputs."""
        known = self.known.get((state, given))
        if known is None:
            fitting = [
                (outputs, to)
                for ways, outputs, to in self.edges.get(state, ())
                if any(
                    all(given >> name & 1 == value for name, value in way.items()) for way in ways
                )
            ]
            if len(fitting) != 1:
                raise UncheckedError(f"{len(fitting)} lines fit in state {state}, not one")
            known = self.known[state, given] = fitting[0]
        return known


def read(text: str) -> Machine:
    """Return the machine of a HOA text, up to the line ``--END--``.

    Raises:
        UncheckedError: it has lines that are not known here.
    """
    head = _HOA.match(text)
    if head is None:
        raise UncheckedError("the machine has lines that are not known here")
    names = re.findall(r'"([^"]+)"', head[4])
    controlled = {int(number) for number in head[5].split()}
    inputs = [name for place, name in enumerate(names) if place not in controlled]
    outputs = [name for place, name in enumerate(names) if place in controlled]
    if len({*names}) < len(names) or len(names) != int(head[3]):
        raise UncheckedError("the names of inputs and outputs do not fit together")
    machine = Machine(int(head[2]), inputs, outputs, {}, {})
    state = -1
    for line in text[head.end() :].split("\n")[:-1]:
        number = line[7:] if line.startswith("State: ") else ""
        if number.isdecimal() and int(number) not in machine.edges:
            state = int(number)
            machine.edges[state] = []
            continue
        label, _, to = line.rpartition("] ")
        if not label.startswith("[") or not to.isdecimal() or state < 0:
            raise UncheckedError(f"this line of the machine is not known here: {line[:80]}")
        machine.edges[state].append((*_label(label[1:], machine), int(to)))
    reached = {machine.start, *(to for edges in machine.edges.values() for _, _, to in edges)}
    if not reached <= machine.edges.keys() == {*range(int(head[1]))}:
        raise UncheckedError("the machine has not the states that it says")
    return machine


def _label(label: str, machine: Machine) -> tuple[list[dict[int, bool]], int]:
    """Return the values of inputs that a label is for, and the outputs; it is ``(a&!b | c)&out``, or ``a&!b&out``."""
    choices, grouped, rest = label[1:].partition(")&")
    if not label.startswith("(") or not grouped:
        choices, rest = "t", label
    fixed = values_of(rest, [*machine.inputs, *machine.outputs])
    if not {*machine.outputs} <= fixed.keys():
        raise UncheckedError(f"a label does not say each output: {label[:80]}")
    ways = [{**fixed, **values_of(choice, machine.inputs)} for choice in choices.split(" | ")]
    if any(way[name] != value for way in ways for name, value in fixed.items()):
        raise UncheckedError(f"a label contradicts itself: {label[:80]}")
    numbered = [
        {i: way[name] for i, name in enumerate(machine.inputs) if name in way} for way in ways
    ]
    return numbered, sum(fixed[name] << place for place, name in enumerate(machine.outputs))


def values_of(conjunction: str, names: list[str], joint: str = "&") -> dict[str, bool]:
    """Return the values of a conjunction of literals; ``t`` has none."""
    literals = [] if conjunction == "t" else conjunction.split(joint)
    values = {literal.lstrip("!"): literal[:1] != "!" for literal in literals}
    if len(values) < len(literals) or not values.keys() <= {*names} or "!!" in conjunction:
        raise UncheckedError(f"this is no conjunction of literals: {conjunction[:80]}")
    return values
