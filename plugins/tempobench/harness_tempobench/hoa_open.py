"""What a machine's text leaves open: inputs without an edge, outputs that may be either.

`hoa.read` makes one machine of it by convention. Here are the edges themselves: which steps the text
allows, where it allows none or several, and the machines that other conventions make of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import and_, or_

from harness import Abstained
from harness_tempobench.hoa import Opened
from harness_tempobench.labels import Diagram, Node
from harness_tempobench.machine import Machine

MAX_CELLS = 20_000
"""States × letters of the machines that other conventions make."""

MAX_LOOKS = 300_000
"""Cells or edges looked at on the way to such a machine."""


def follow(
    opened: Opened, letters: Sequence[int], masks: Sequence[int]
) -> tuple[tuple[int, ...], int | None]:
    """Return the states that the text's own edges lead through, and the first step that none allows."""
    states = [opened.machine.start]
    for step, (letter, mask) in enumerate(zip(letters, masks, strict=True)):
        edges = opened.edges.get(states[-1], ())
        target = next((to for label, to in edges if _allows(label, letter, mask)), None)
        if target is None:
            return tuple(states), step
        states.append(target)
    return tuple(states), None


def _allows(label: Diagram, letter: int, mask: int) -> bool:
    while isinstance(label, Node):
        label = label.high if mask >> label.bit & 1 else label.low
    return bool(label >> letter & 1)


def gaps(opened: Opened) -> tuple[int, int]:
    """Count the pairs (reachable state, letter) that have no edge, and those with several answers."""
    machine = opened.machine
    missing = undetermined = 0
    for state in _reachable(opened):
        allowed = _union(opened, state)
        missing += machine.letters - opened.labels.possible(allowed).bit_count()
        _, several = _counted(allowed, len(machine.outputs) - 1, {})
        undetermined += several.bit_count()
    return missing, undetermined


def _reachable(opened: Opened) -> list[int]:
    states = [opened.machine.start]
    seen = set(states)
    for state in states:
        for label, target in opened.edges.get(state, ()):
            if target not in seen and opened.labels.possible(label):
                seen.add(target)
                states.append(target)
    return states


def _union(opened: Opened, state: int) -> Diagram:
    union: Diagram = 0
    for label, _ in opened.edges.get(state, ()):
        union = opened.labels.combine(or_, union, label)
    return union


def _counted(label: Diagram, top: int, seen: dict[Node, tuple[int, int]]) -> tuple[int, int]:
    """Return the letters on which a label over the outputs 0 to ``top`` allows any mask, and several."""
    if isinstance(label, int):
        return label, label if top >= 0 else 0
    if label not in seen:
        (low, lows), (high, highs) = (
            _counted(part, label.bit - 1, seen) for part in (label.low, label.high)
        )
        seen[label] = (low | high, low & high | lows | highs)
    some, several = seen[label]
    return some, several if label.bit == top else some  # an output between them may be either


def without_dead_ends(opened: Opened, place: int, value: bool) -> Machine:
    """Return the machine in which an output keeps a value where a run cannot go on for ever.

    So a deviation breaks the effect "this output has this value" only if the text's edges allow it, and
    then some continuation without end. Outputs that are open are the least ones, as in `hoa.read`.

    Raises `Abstained`: too large.
    """
    machine = opened.machine
    check(machine, len(machine.table) + 1)
    dead = len(machine.table)
    cell = (dead, value << place)
    table = []
    for state, row in enumerate(machine.table):
        allowed = opened.labels.possible(_union(opened, state))
        table.append([entry if allowed >> letter & 1 else cell for letter, entry in enumerate(row)])
    ending: set[int] = set()
    looks = 0
    while more := [n for n, row in enumerate(table) if n not in ending and set(row) == {cell}]:
        ending.update(more)
        looks += len(table) << len(machine.inputs)
        _check_looks(looks)
        table = [[cell if entry[0] in ending else entry for entry in row] for row in table]
    table.append([cell] * machine.letters)
    return Machine(machine.inputs, machine.outputs, machine.start, tuple(map(tuple, table)))


def adversary(opened: Opened, place: int, value: bool) -> Machine:
    """Return the machine that answers whether an output keeps a value however the open ones are chosen.

    Its one output is the output at ``place`` as an adversary sets it: it has the other value at a step if any
    run of the text's edges on the same inputs gives it that. Where there is no edge, the state stays and the
    output is false, as in `hoa.read`.

    Raises `Abstained`: too large.
    """
    machine = opened.machine
    moves = _Moves(opened, place, value)
    states = [frozenset({machine.start})]
    number = {states[0]: 0}
    table = []
    for places in states:
        check(machine, len(states))
        row = []
        for letter in range(machine.letters):
            targets, fails = moves.of(places, letter)
            if targets not in number:
                number[targets] = len(states)
                states.append(targets)
            row.append((number[targets], int(fails is not value)))
        table.append(tuple(row))
    return Machine(machine.inputs, (machine.outputs[place],), 0, tuple(table))


class _Moves:
    """Where the edges of sets of states lead, and whether the output can fail to have the value."""

    def __init__(self, opened: Opened, place: int, value: bool) -> None:
        self.opened, self.value, full = opened, value, opened.labels.full
        # the label "the output has the other value"
        self.other: Diagram = Node(place, full, 0) if value else Node(place, 0, full)
        self.seen: dict[int, list[tuple[int, int, int]]] = {}
        self.looks = 0

    def of(self, states: Iterable[int], letter: int) -> tuple[frozenset[int], bool]:
        targets, fails = set(), False
        for state in states:
            taken = False
            self.looks += 1 + len(self.edges(state))
            _check_looks(self.looks)
            for target, fitting, failing in self.edges(state):
                if fitting >> letter & 1:
                    taken = True
                    targets.add(target)
                    fails |= bool(failing >> letter & 1)
            if not taken:
                targets.add(state)
                fails |= self.value
        return frozenset(targets), fails

    def edges(self, state: int) -> list[tuple[int, int, int]]:
        """Return each edge's target, its letters, and those on which it allows the other value."""
        if state not in self.seen:
            labels = self.opened.labels
            self.seen[state] = [
                (
                    target,
                    labels.possible(label),
                    labels.possible(labels.combine(and_, label, self.other)),
                )
                for label, target in self.opened.edges.get(state, ())
            ]
        return self.seen[state]


def _check_looks(looks: int) -> None:
    if looks > MAX_LOOKS:
        raise Abstained(f"more than {MAX_LOOKS:,} edges are beyond the bounds")


def check(machine: Machine, states: int) -> None:
    """Refuse a machine with the letters of this one that would have too many states.

    Raises `Abstained`: it is too large.
    """
    if states << len(machine.inputs) > MAX_CELLS:
        raise Abstained(f"{states} states and {len(machine.inputs)} inputs are beyond the bounds")
