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


@contextmanager
def _abstaining(problem: Mapping[str, Any]) -> Iterator[None]:
    """Abstain where a text is not of the form of our problems."""
    if "\\" in problem["hoa"]:
        raise Abstained("text: names with quotes are not read")
    try:
        yield
    except (WrongTraceError, LookupError, ValueError) as error:
        raise Abstained(f"text: {error}") from None


def run(problem: Mapping[str, Any]) -> tuple[tuple[int, ...], Any]:
    """Return the states of a run, the first one included, and its output masks on given inputs (task=sim).

    Of a trace's run the states are those up to the first step that it cannot take; then it is said whether all were
    taken. Raises `Abstained`: a text that is not of the form of our problems.
    """
    simulated = problem["task"] == "sim"
    with _abstaining(problem):
        traced = Traced(problem)
        states, masks = [traced.start], []
        shown = () if simulated else problem.get("shown", traced.outputs)
        for letter, outputs in zip(traced.letters, traced.answers, strict=True):
            state, given = traced.step(states[-1], letter)
            seen = zip(traced.outputs, given, outputs, strict=True)
            if any(name in shown and one != other for name, one, other in seen):
                return tuple(states), False
            states.append(state)
            masks.append(_mask(given))
    return tuple(states), tuple(masks) if simulated else True
