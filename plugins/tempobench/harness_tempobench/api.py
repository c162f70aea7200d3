"""Causes for other people's machines: HOA text and a trace in, the exact cause out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from harness_tempobench import hoa
from harness_tempobench.cause_value import Cause
from harness_tempobench.engines import causes


def cause(
    text: str, trace: Sequence[Mapping[str, bool]], step: int, ap: str, value: bool = True
) -> Cause:
    """Return the exact cause of an output's value at a step of a trace (see CONTRACT.md).

    Args:
        text: a Mealy machine as HOA text; the propositions of ``controllable-AP`` are its outputs.
        trace: a dict for each step, from every proposition to its value: a run of the machine.
        step: the step of the effect, counted from 0.
        ap: the output to explain.
        value: the value it has there.

    Returns:
        the cause, with `clauses`, `per_step`, `cross_step_clauses`, `certificates` and `to_hoa()`.

    Raises:
        HoaError: the text is no complete Mealy machine.
        TempobenchError: the trace is not about the machine's propositions.
        CauseError: the trace is none of the machine's, or the effect is not one of the trace.
        Abstained: the cause is beyond the bounds.
    """
    machine = hoa.read(text)
    letters, masks = machine.split(trace)
    return causes.Engine(machine).cause(letters, masks, step, ap, value)
