"""Finite traces as JSON values (CONTRACT.md): states with the propositions true in them, and nothing after them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from harness_vltl import lassos
from harness_vltl.lassos import TraceError

_END = "The trace has {} and ends after the last one; there are no further steps."


def make(states: Iterable[Iterable[str]]) -> dict[str, Any]:
    """Return a trace of these states."""
    return {"states": [sorted(state) for state in states]}


def validate(trace: Any) -> None:
    """Refuse what is no finite trace.

    Raises:
        TraceError: not an object with "states" alone, or out of bounds.
    """
    if not isinstance(trace, Mapping) or set(trace) != {"states"}:
        raise TraceError('a finite trace is an object with "states" and nothing else')
    lassos.validate({**trace, "loop": 0})


def text(trace: Mapping[str, Any]) -> str:
    """Return the trace as lines for a prompt, one a step; `read` is the inverse."""
    return "\n".join([*lassos.steps(trace["states"]), _end(len(trace["states"]))])


def read(lines: Sequence[str]) -> dict[str, Any] | None:
    """Return the trace that `text` wrote, None if the lines are no such text."""
    states = lassos.read_steps(lines[:-1])
    if states is None or lines[-1] != _end(len(states)):
        return None
    trace = {"states": states}
    try:
        validate(trace)
    except TraceError:
        return None
    return trace


def _end(steps: int) -> str:
    return _END.format(f"{steps} step{'' if steps == 1 else 's'}")
