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

_Edge = tuple[int, Values, int]
"""The combinations of inputs that a label fits, one bit each, its outputs, and the next state."""

_MOST_INPUTS = 12
_MACHINES = 256  # kept, each with the steps that were taken in it
_STEPS = 20_000  # of a trace, kept as read
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
        combinations = range(1 << len(self._inputs))
        self._full = (1 << len(combinations)) - 1
        self._true = {
            number: sum(1 << x for x in combinations if x >> place & 1)
            for place, number in enumerate(self._inputs)
        }
        self._edges: dict[int, list[_Edge]] = {}
        for block in re.split(r"^State: ", body, flags=re.MULTILINE)[1:]:
            state, *lines = block.split("\n")
            edges = [re.fullmatch(r"\[(.*)\] ([0-9]+)", line) for line in lines]
            self._edges[int(state)] = [self._edge(edge[1], int(edge[2])) for edge in edges if edge]
        self._known: dict[tuple[int, Values], tuple[int, Values]] = {}
        self._read: dict[tuple[str, ...], tuple[Values, Values]] = {}

    @property
    def states(self) -> int:
        """How many states there are."""
        return len(self._edges)

    def step(self, state: int, letter: Values) -> tuple[int, Values]:
        """Return the next state and the outputs.

        Raises:
            WrongTraceError: not exactly one label fits.
        """
        step = self._known.get((state, letter))
        if step is None:
            inputs = sum(value << place for place, value in enumerate(letter))
            step = self._known[state, letter] = self.answer(state, inputs)
        return step

    def answer(self, state: int, inputs: int) -> tuple[int, Values]:
        """Return what `step` does, of inputs given as a number with one bit each."""
        fits = [
            (to, outputs) for letters, outputs, to in self._edges[state] if letters >> inputs & 1
        ]
        if len(fits) != 1:
            raise WrongTraceError(f"{len(fits)} lines of state {state} fit the same inputs")
        return fits[0]

    def _edge(self, label: str, to: int) -> _Edge:
        # The outputs that are true are those named without "!".
        named = {int(number) for number in re.findall(r"(?<![!0-9])[0-9]+", label)}
        outputs = {number: number in named for number in self._outputs}
        sets = self._true | {number: value * self._full for number, value in outputs.items()}
        return _Label(label, sets, self._full).letters, tuple(outputs.values()), to

    def outputs_after(self, state: int, letters: Sequence[Values]) -> Values:
        """Return the outputs at the last of some steps, taken from a state."""
        outputs: Values = ()
        for letter in letters:
            state, outputs = self.step(state, letter)
        return outputs

    def values(self, step: Sequence[str]) -> tuple[Values, Values]:
        """Return which inputs, and which outputs, are true at a step of a trace; kept, as equal ones come often."""
        key = tuple(step)
        values = self._read.get(key)
        if values is None:
            if len(self._read) >= _STEPS:
                self._read.clear()
            inputs, outputs = (
                tuple([name in step for name in names]) for names in (self.inputs, self.outputs)
            )
            values = self._read[key] = inputs, outputs
        return values


_machine = lru_cache(maxsize=_MACHINES)(Machine)


class Traced:
    """A problem's machine with the steps of its trace."""

    def __init__(self, problem: Mapping[str, Any]) -> None:
        self.machine = machine = _machine(problem["hoa"])
        self.start, self.inputs, self.outputs = machine.start, machine.inputs, machine.outputs
        self.step, self.outputs_after = machine.step, machine.outputs_after
        values = [machine.values(step) for step in problem["trace"]]
        self.letters = [inputs for inputs, _ in values]
        self.answers = [outputs for _, outputs in values]


def _line(head: str, name: str) -> str:
    match = re.search(rf"^{name}: (.*)$", head, re.MULTILINE)
    return match[1] if match else ""


class _Label:
    """The set of inputs that one label fits, by recursive descent: | binds least, then &, then !."""

    def __init__(self, text: str, sets: Mapping[int, int], full: int) -> None:
        self._left, self._sets, self._full = _PART.findall(text)[::-1], sets, full
        self.letters = self._disjunction()
        if self._left:
            raise WrongTraceError("a label of the machine cannot be read")

    def _next(self, part: str) -> bool:
        if self._left and self._left[-1] == part:
            self._left.pop()
            return True
        return False

    def _disjunction(self) -> int:
        letters = self._conjunction()
        while self._next("|"):
            letters |= self._conjunction()
        return letters

    def _conjunction(self) -> int:
        letters = self._negation()
        while self._next("&"):
            letters &= self._negation()
        return letters

    def _negation(self) -> int:
        if self._next("!"):
            return self._full & ~self._negation()
        if self._next("("):
            letters = self._disjunction()
            self._next(")")
            return letters
        part = self._left.pop()
        return self._full * (part == "t") if part in "tf" else self._sets[int(part)]
