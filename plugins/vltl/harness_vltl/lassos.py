"""Traces as JSON values (CONTRACT.md): states with the propositions true in them, and a loop.

A trace is an infinite word: after the last state it goes on with state number ``loop``, forever. A finite trace has
no loop: it ends after its last state.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from harness_logic.lassos import shortest

from harness import HarnessError
from harness_vltl.formulas.formula import PROPOSITION
from harness_vltl.formulas.formula import validate as validate_formula
from harness_vltl.problem import is_finite as problem_is_finite

MAX_STATES = 200
MAX_TRUE = 200
_SHOWN = 6


class TraceError(HarnessError):
    """Text or JSON that is no trace."""


def make(states: Iterable[Iterable[str]], loop: int | None = None) -> dict[str, Any]:
    """Return a trace; without ``loop`` the last state repeats."""
    listed = [sorted(state) for state in states]
    return {"states": listed, "loop": len(listed) - 1 if loop is None else loop}


def ended(states: Iterable[Iterable[str]]) -> dict[str, Any]:
    """Return the finite trace of these states."""
    return {"states": list(map(sorted, states))}


def validate(trace: Any, *, finite: bool = False) -> None:
    """Refuse what is no trace; ``finite``: one that ends.

    Raises:
        TraceError: not an object with "states" and, unless it ends, "loop", or out of bounds.
    """
    if not isinstance(trace, Mapping) or set(trace) != (
        {"states"} if finite else {"states", "loop"}
    ):
        wanted = '"states" and nothing else' if finite else '"states" and "loop"'
        raise TraceError(f"a {'finite ' if finite else ''}trace is an object with {wanted}")
    states, loop = trace["states"], trace.get("loop", 0)
    if not isinstance(states, list) or not 1 <= len(states) <= MAX_STATES:
        raise TraceError(f'"states" of a trace is a list of 1 to {MAX_STATES} states')
    for number, state in enumerate(states, 1):
        if not isinstance(state, list) or len(state) > MAX_TRUE:
            raise TraceError(
                f"state {number} of a trace is no list of at most {MAX_TRUE} propositions"
            )
        for name in state:
            if not isinstance(name, str) or not PROPOSITION.fullmatch(name):
                raise TraceError(f"state {number} of a trace has {str(name)[:60]!r}")
        if state != sorted(set(state)):
            raise TraceError(f"state {number} of a trace is not sorted or has a proposition twice")
    if type(loop) is not int or not 0 <= loop < len(states):
        raise TraceError(f'"loop" of a trace is a number from 0 to {len(states) - 1}')


def check(problem: Mapping[str, Any]) -> None:
    """Refuse a problem whose formula is no formula or whose trace is no trace, of its semantics.

    Raises:
        HarnessError: one of the two is none.
    """
    finite = problem_is_finite(problem)
    validate_formula(problem["formula"], finite=finite)
    validate(problem["trace"], finite=finite)


def is_finite(trace: Mapping[str, Any]) -> bool:
    """Tell whether the last state repeats forever: a finite trace in the published reading."""
    return bool(trace["loop"] == len(trace["states"]) - 1)


def reduced(states: Sequence[Sequence[str]], loop: int) -> dict[str, Any]:
    """Return the shortest trace of the same word: a smaller period, then a shorter way into it."""
    listed = [sorted(state) for state in states]
    prefix, cycle = shortest(listed[:loop], listed[loop:])
    return {"states": [*prefix, *cycle], "loop": len(prefix)}


def renamed(trace: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return the trace, or finite trace, with its propositions renamed; those not named stay."""
    states = [sorted(names.get(name, name) for name in state) for state in trace["states"]]
    return {**trace, "states": states}


def text(trace: Mapping[str, Any]) -> str:
    """Return the trace as lines for a prompt, one a step; `read` is the inverse."""
    states = trace["states"]
    lines = [f"Step {i}: {', '.join(s) or 'nothing'}" for i, s in enumerate(states, 1)]
    return "\n".join([*lines, _end(len(states), trace.get("loop"))])


def _end(count: int, loop: int | None) -> str:
    """Return the line behind so many steps."""
    if loop is None:
        steps = "1 step" if count == 1 else f"{count} steps"
        return f"The trace has {steps} and ends after the last one; there are no further steps."
    if loop == count - 1:
        return f"From step {count} on, the state stays as it is forever."
    return f"After step {count} it goes back to step {loop + 1}, again and again forever."


_STEP = re.compile(r"Step ([0-9]{1,3}): (.{1,20000})")
_BACK = re.compile(r"After step [0-9]{1,3} it goes back to step ([0-9]{1,3}), .*")


def read(lines: Sequence[str], *, finite: bool = False) -> dict[str, Any] | None:
    """Return the trace that `text` wrote, None if the lines are no such text; ``finite``: one that ends."""
    states = []
    for number, line in enumerate(lines[:-1], 1):
        step = _STEP.fullmatch(line)
        if step is None or int(step[1]) != number:
            return None
        # the commas between the arguments of a proposition have no blank behind them
        states.append([] if step[2] == "nothing" else step[2].split(", "))
    back = _BACK.fullmatch(lines[-1])
    loop = None if finite else int(back[1]) - 1 if back else len(states) - 1
    trace = {"states": states} if loop is None else {"states": states, "loop": loop}
    try:
        validate(trace, finite=finite)
    except TraceError:
        return None
    return trace if lines[-1] == _end(len(states), loop) else None


def shown(trace: Mapping[str, Any]) -> str:
    """Return a trace in one line, the first states of a long one."""
    listed = [", ".join(state) or "nothing" for state in trace["states"][:_SHOWN]]
    more = len(trace["states"]) - len(listed)
    if "loop" not in trace:
        end = "there it ends"
    else:
        end = "the last repeats" if is_finite(trace) else f"then again from {trace['loop'] + 1}"
    return f"trace [{' | '.join(listed)}{f' | {more} more' if more else ''}; {end}]"
