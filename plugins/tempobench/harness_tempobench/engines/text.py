"""The run of a trace by a reader of HOA texts of its own: a second opinion without native code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from harness_answers.trace_lines import WrongTraceError

from harness import Abstained
from harness_tempobench.traces.machine import Traced, Values

MAX_CELLS = 20_000
"""States × combinations of inputs of a machine whose table is made."""


def table(hoa: str) -> dict[str, Any]:
    """Return a machine's names, initial state and table: of each state, of each letter, next state and output mask.

    Raises:
        Abstained: a text that is not of the form of our problems, or a machine beyond `MAX_CELLS`.
    """
    with _abstaining({"hoa": hoa}):
        machine = Traced({"hoa": hoa, "trace": []}).machine
        letters = range(1 << len(machine.inputs))
        if machine.states * len(letters) > MAX_CELLS:
            raise Abstained(f"text: more than {MAX_CELLS:,} states × combinations of inputs")
        rows = [
            [(to, _mask(outputs)) for to, outputs in (machine.answer(state, x) for x in letters)]
            for state in range(machine.states)
        ]
        names = {"inputs": machine.inputs, "outputs": machine.outputs}
        return {**names, "start": machine.start, "table": rows}


@lru_cache(maxsize=1024)
def _mask(outputs: Values) -> int:
    return sum(value << place for place, value in enumerate(outputs))


def simulate(problem: Mapping[str, Any]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the states, the first one included, and the output masks of a run on given inputs; else as `run`."""
    with _abstaining(problem):
        traced = Traced(problem)
        states, masks = [traced.start], []
        for letter in traced.letters:
            state, outputs = traced.step(states[-1], letter)
            states.append(state)
            masks.append(_mask(outputs))
    return tuple(states), tuple(masks)


@contextmanager
def _abstaining(problem: Mapping[str, Any]) -> Iterator[None]:
    """Abstain where a text is not of the form of our problems."""
    if "\\" in problem["hoa"]:
        raise Abstained("text: names with quotes are not read")
    try:
        yield
    except (WrongTraceError, LookupError, ValueError) as error:
        raise Abstained(f"text: {error}") from None


def run(problem: Mapping[str, Any]) -> tuple[tuple[int, ...], bool]:
    """Return the states of the run, up to the first step that none can take, and whether all were.

    Raises:
        Abstained: a text that is not of the form of our problems.
    """
    with _abstaining(problem):
        traced = Traced(problem)
        states, shown = [traced.start], problem.get("shown", traced.outputs)
        for letter, outputs in zip(traced.letters, traced.answers, strict=True):
            state, given = traced.step(states[-1], letter)
            if given != outputs and any(
                name in shown and one != seen
                for name, one, seen in zip(traced.outputs, given, outputs, strict=True)
            ):
                return tuple(states), False
            states.append(state)
    return tuple(states), True
