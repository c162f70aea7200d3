"""Traces as JSON values (CONTRACT.md): states with the propositions true in them, and a loop.

A trace is an infinite word: after the last state it goes on with state number ``loop``, forever.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from harness_logic.lassos import shortest

from harness import HarnessError
from harness_vltl.formulas.formula import PROPOSITION

MAX_STATES = 200
MAX_TRUE = 200
_SHOWN = 6


class TraceError(HarnessError):
    """Text or JSON that is no trace."""


def make(states: Iterable[Iterable[str]], loop: int | None = None) -> dict[str, Any]:
    """Return a trace; without ``loop`` the last state repeats."""
    listed = [sorted(state) for state in states]
    return {"states": listed, "loop": len(listed) - 1 if loop is None else loop}


def validate(trace: Any) -> None:
    """Refuse what is no trace.

    Raises:
        TraceError: not an object with "states" and "loop", or out of bounds.
    """
    if not isinstance(trace, Mapping) or set(trace) != {"states", "loop"}:
        raise TraceError('a trace is an object with "states" and "loop"')
    states, loop = trace["states"], trace["loop"]
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
    states, loop = trace["states"], trace["loop"]
    lines = steps(states)
    if is_finite(trace):
        lines.append(f"From step {len(states)} on, the state stays as it is forever.")
    else:
        lines.append(
            f"After step {len(states)} it goes back to step {loop + 1}, again and again forever."
        )
    return "\n".join(lines)


def steps(states: Sequence[Sequence[str]]) -> list[str]:
    """Return a line for each state; `read_steps` is the inverse."""
    return [f"Step {i}: {', '.join(s) or 'nothing'}" for i, s in enumerate(states, 1)]


_STEP = re.compile(r"Step ([0-9]{1,3}): (.{1,20000})")
_STAYS = re.compile(r"From step ([0-9]{1,3}) on, the state stays as it is forever\.")
_BACK = re.compile(
    r"After step ([0-9]{1,3}) it goes back to step ([0-9]{1,3}), again and again forever\."
)


def read(lines: Sequence[str]) -> dict[str, Any] | None:
    """Return the trace that `text` wrote, None if the lines are no such text."""
    states = read_steps(lines[:-1])
    if states is None:
        return None
    stays, back = _STAYS.fullmatch(lines[-1]), _BACK.fullmatch(lines[-1])
    end = stays or back
    if end is None or int(end[1]) != len(states):
        return None
    trace = {"states": states, "loop": (int(back[2]) if back else len(states)) - 1}
    try:
        validate(trace)
    except TraceError:
        return None
    return trace


def read_steps(lines: Sequence[str]) -> list[list[str]] | None:
    """Return the states that `steps` wrote, None if the lines are no such text."""
    states = []
    for number, line in enumerate(lines, 1):
        step = _STEP.fullmatch(line)
        if step is None or int(step[1]) != number:
            return None
        # the commas between the arguments of a proposition have no blank behind them
        states.append([] if step[2] == "nothing" else step[2].split(", "))
    return states


def shown(trace: Mapping[str, Any]) -> str:
    """Return a trace in one line, the first states of a long one."""
    listed = [", ".join(state) or "nothing" for state in trace["states"][:_SHOWN]]
    more = len(trace["states"]) - len(listed)
    if "loop" not in trace:
        end = "there it ends"
    else:
        end = "the last repeats" if is_finite(trace) else f"then again from {trace['loop'] + 1}"
    return f"trace [{' | '.join(listed)}{f' | {more} more' if more else ''}; {end}]"
