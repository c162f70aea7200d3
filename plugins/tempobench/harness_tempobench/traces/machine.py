"""The machine of a problem as the readers of traces know it: from its HOA text, by a reader of their own.

It knows no more of HOA than the texts of our problems need: labels over numbers, with !, & and |, of which each
fixes every output. `harness_tempobench.hoa` is what the writer of traces uses.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from harness_answers.trace_lines import WrongTraceError

Values = tuple[bool, ...]
"""The inputs, or the outputs, of one step in the order of their names."""

_Tree = Any  # bool | int | tuple of an operator and trees
_Edge = tuple[_Tree, set[int], int]
"""A label, the outputs that it makes true, and the next state."""

_MOST_INPUTS = 12
_MACHINES = 256  # kept, each with the steps that were taken in it
_PART = re.compile(r"[0-9]+|[!&|()tf]")


class Machine:
    """A machine as its HOA text gives it: from each state, labels and where they lead."""

    def __init__(self, hoa: str) -> None:
        head, _, body = hoa.partition("--BODY--")
        names = re.findall(r'"([^"]*)"', _line(head, "AP"))
        numbers = {int(number) for number in _line(head, "controllable-AP").split()}
        self.start = int(_line(head, "Start"))
        self._outputs = sorted(numbers)
        self._inputs = sorted(set(range(len(names))) - numbers)
        if len(self._inputs) > _MOST_INPUTS:
            raise WrongTraceError(f"the machine has {len(self._inputs)} inputs")
        self.inputs = [names[number] for number in self._inputs]
        self.outputs = [names[number] for number in self._outputs]
        self._edges: dict[int, list[_Edge]] = {}
        for block in re.split(r"^State: ", body, flags=re.MULTILINE)[1:]:
            state, *lines = block.split("\n")
            edges = [re.fullmatch(r"\[(.*)\] ([0-9]+)", line) for line in lines]
            self._edges[int(state)] = [self._edge(edge[1], int(edge[2])) for edge in edges if edge]
        self._known: dict[tuple[int, Values], tuple[int, Values]] = {}

    @property
    def states(self) -> int:
        """How many states there are."""
        return len(self._edges)

    def step(self, state: int, letter: Values) -> tuple[int, Values]:
        """Return the next state and the outputs.

        Raises:
            WrongTraceError: not exactly one label fits.
        """
        if (state, letter) not in self._known:
            self._known[state, letter] = self._step(state, letter)
        return self._known[state, letter]

    def _edge(self, label: str, to: int) -> _Edge:
        # The outputs that are true are those named without "!".
        named = {int(number) for number in re.findall(r"(?<![!0-9])[0-9]+", label)}
        return _Label(label).tree, named & set(self._outputs), to

    def _step(self, state: int, letter: Values) -> tuple[int, Values]:
        true = {number for number, value in zip(self._inputs, letter, strict=True) if value}
        fits = [
            (to, tuple(number in chosen for number in self._outputs))
            for tree, chosen, to in self._edges[state]
            if _holds(tree, true | chosen)
        ]
        if len(fits) != 1:
            raise WrongTraceError(f"{len(fits)} lines of state {state} fit the same inputs")
        return fits[0]

    def outputs_after(self, state: int, letters: Sequence[Values]) -> Values:
        """Return the outputs at the last of some steps, taken from a state."""
        outputs: Values = ()
        for letter in letters:
            state, outputs = self.step(state, letter)
        return outputs

    def values(self, names: Sequence[str], step: Sequence[str]) -> Values:
        """Return which of some propositions are true at a step of a trace."""
        return tuple(name in step for name in names)


@lru_cache(maxsize=_MACHINES)
def _machine(hoa: str) -> Machine:
    return Machine(hoa)


class Traced:
    """A problem's machine with the steps of its trace."""

    def __init__(self, problem: Mapping[str, Any]) -> None:
        self.machine = machine = _machine(problem["hoa"])
        self.start, self.inputs, self.outputs = machine.start, machine.inputs, machine.outputs
        self.step, self.outputs_after = machine.step, machine.outputs_after
        self.letters = [machine.values(machine.inputs, step) for step in problem["trace"]]
        self.answers = [machine.values(machine.outputs, step) for step in problem["trace"]]


def _line(head: str, name: str) -> str:
    match = re.search(rf"^{name}: (.*)$", head, re.MULTILINE)
    return match[1] if match else ""


class _Label:
    """The tree of one label, by recursive descent: | binds least, then &, then !."""

    def __init__(self, text: str) -> None:
        self._left = _PART.findall(text)[::-1]
        self.tree = self._disjunction()
        if self._left:
            raise WrongTraceError("a label of the machine cannot be read")

    def _next(self, part: str) -> bool:
        if self._left and self._left[-1] == part:
            self._left.pop()
            return True
        return False

    def _disjunction(self) -> _Tree:
        parts = [self._conjunction()]
        while self._next("|"):
            parts.append(self._conjunction())
        return parts[0] if len(parts) == 1 else ("|", *parts)

    def _conjunction(self) -> _Tree:
        parts = [self._negation()]
        while self._next("&"):
            parts.append(self._negation())
        return parts[0] if len(parts) == 1 else ("&", *parts)

    def _negation(self) -> _Tree:
        if self._next("!"):
            return ("!", self._negation())
        if self._next("("):
            tree = self._disjunction()
            self._next(")")
            return tree
        part = self._left.pop()
        return part == "t" if part in "tf" else int(part)


def _holds(tree: _Tree, true: set[int]) -> bool:
    """Return the value of a label where these propositions are true, and no others."""
    if isinstance(tree, bool):
        return tree
    if isinstance(tree, int):
        return tree in true
    operator, *parts = tree
    if operator == "!":
        return not _holds(parts[0], true)
    return (all if operator == "&" else any)(_holds(part, true) for part in parts)
