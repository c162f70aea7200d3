"""The run of a trace by a reader of HOA texts of its own: a second opinion without native code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness_answers.trace_lines import WrongTraceError

from harness import Abstained
from harness_tempobench.traces.machine import Traced


def run(problem: Mapping[str, Any]) -> tuple[tuple[int, ...], bool]:
    """Return the states of the run, up to the first step that none can take, and whether all were.

    Raises:
        Abstained: a text that is not of the form of our problems.
    """
    if "\\" in problem["hoa"]:
        raise Abstained("text: names with quotes are not read")
    try:
        traced = Traced(problem)
        states = [traced.start]
        for letter, outputs in zip(traced.letters, traced.answers, strict=True):
            state, given = traced.step(states[-1], letter)
            if given != outputs:
                return tuple(states), False
            states.append(state)
    except (WrongTraceError, LookupError, ValueError) as error:
        raise Abstained(f"text: {error}") from None
    return tuple(states), True
