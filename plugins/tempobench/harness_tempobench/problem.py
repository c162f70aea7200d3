"""The formal problem (JSON, see CONTRACT.md) and what it stands for: machine, letters, effect."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from harness_tempobench import hoa
from harness_tempobench.engines.causes import Engine
from harness_tempobench.errors import TempobenchError
from harness_tempobench.machine import Machine

_KEPT = 256  # engines


@dataclass(frozen=True, slots=True)
class Case:
    """A problem, read: the trace as input letters and output masks.

    Attributes:
        engine: the exact engine of the machine, which holds the machine.
        letters: the inputs of every step.
        masks: the outputs of every step, as the trace says; a rejected trace's are not the machine's.
    """

    engine: Engine
    letters: tuple[int, ...]
    masks: tuple[int, ...]

    @property
    def machine(self) -> Machine:
        """Return the machine."""
        return self.engine.machine

    def value(self, step: int, place: int) -> bool:
        """Return the value of an input in the trace."""
        return bool(self.letters[step] >> place & 1)

    def inputs_at(self, step: int) -> dict[tuple[int, str], bool]:
        """Return the value of each input, as (step, name), at a step of the trace."""
        names = enumerate(self.machine.inputs)
        return {(step, name): self.value(step, place) for place, name in names}

    def inputs_until(self, step: int) -> dict[tuple[int, str], bool]:
        """Return what a cause can speak of: (step, input) up to an effect's step, with its value in the trace."""
        return dict(chain.from_iterable(self.inputs_at(at).items() for at in range(step + 1)))

    def run(self) -> tuple[tuple[int, ...], bool]:
        """Return the states of the run, up to the first step that cannot be taken, and whether all were."""
        step = self.machine.deviation(self.letters, self.masks)
        states, _ = self.machine.run(self.letters)
        return (states, True) if step is None else (states[: step + 1], False)


_engines: dict[str, Engine] = {}
"""Engines by HOA text, the one last asked for at the end."""


def engine(text: str, machine: Machine | None = None) -> Engine:
    """Return the exact engine of the machine that a HOA text describes; `_KEPT` of them are kept.

    Args:
        text: the HOA text.
        machine: the machine that it was written from, if that is known: it need not be read.

    Raises:
        HoaError: the text is no Mealy machine.
    """
    found = _engines.pop(text, None) or Engine(machine or hoa.read(text))
    _engines[text] = found
    if len(_engines) > _KEPT:
        _engines.pop(next(iter(_engines)), None)
    return found


_START = re.compile("^Start: [0-9]+$", re.MULTILINE)
EFFECTS = ("tce", "min")
"""Tasks that ask about an effect."""


def case(problem: Mapping[str, Any]) -> Case:
    """Read a problem.

    Raises:
        TempobenchError: the machine cannot be read, or the trace or the effect is not about it.
    """
    read = traced(problem)
    effect = problem.get("effect")
    if effect is not None and not effect["step"] < len(read.letters):
        raise TempobenchError(
            f"the effect is at step {effect['step']} of a trace of {len(read.letters)} steps, numbered from 0"
        )
    if effect is not None and effect["output"] not in read.machine.outputs:
        raise TempobenchError(f"the effect names {effect['output'][:60]!r}, which is no output")
    return read


def traced(problem: Mapping[str, Any]) -> Case:
    """Read the machine and the trace of a problem; the outputs of a run that is asked for are the machine's.

    Where the state at step 0 is not known, it is the first one from which the trace is possible.

    Raises:
        TempobenchError: the machine cannot be read, or the trace is not about it.
    """
    if problem.get("start") == "unknown":
        return traced(variants(problem)[0])
    exact = engine(problem["hoa"])
    letters, masks = steps(exact.machine, problem["trace"])
    if problem["task"] == "sim":
        if any(masks):
            raise TempobenchError("the inputs of a run name an output, which is asked for")
        masks = exact.machine.run(letters)[1]
    return Case(exact, letters, masks)


def variants(problem: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a problem for each state that the machine may be in at step 0: itself, where that is known.

    Raises:
        TempobenchError: the trace is possible from no state.
    """
    if problem.get("start") != "unknown":
        return [dict(problem)]
    machine = engine(problem["hoa"]).machine
    states = starts(machine, *steps(machine, problem["trace"]))
    if not states:
        raise TempobenchError("the trace is possible from no state of the machine")
    return [started(problem, state) for state in states]


def starts(machine: Machine, letters: Sequence[int], masks: tuple[int, ...]) -> list[int]:
    """Return the states from which a trace is possible."""
    return sorted(
        state for state in machine.reachable() if machine.answers(state, letters) == masks
    )


def started(problem: Mapping[str, Any], state: int) -> dict[str, Any]:
    """Return a problem whose machine starts in a state, which is known then."""
    known = {key: value for key, value in problem.items() if key != "start"}
    return known | {"hoa": restarted(problem["hoa"], state)}


def restarted(hoa: str, state: int) -> str:
    """Return the HOA text of the machine that starts in another state."""
    return _START.sub(f"Start: {state}", hoa, count=1)


def steps(
    machine: Machine, trace: Sequence[Sequence[str]]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return letters and masks of a trace given as the true propositions of each step.

    Raises:
        TempobenchError: a name that the machine does not have.
    """
    bit = {name: 1 << place for place, name in enumerate(machine.propositions)}
    words = []
    for number, true in enumerate(trace):
        word = 0
        for name in true:
            if name not in bit:
                raise TempobenchError(
                    f"step {number} of the trace names {name[:60]!r}, which the machine does not"
                )
            word |= bit[name]
        words.append(word)
    width = len(machine.inputs)
    return tuple(word & (1 << width) - 1 for word in words), tuple(word >> width for word in words)


def trace(machine: Machine, letters: Sequence[int], masks: Sequence[int]) -> list[list[str]]:
    """Return a trace as the true propositions of each step: the inverse of `steps`."""
    width, names = len(machine.inputs), machine.propositions
    words = [letter | mask << width for letter, mask in zip(letters, masks, strict=True)]
    bits = [(name, 1 << place) for place, name in enumerate(names)]
    return [[name for name, bit in bits if word & bit] for word in words]


def outputs(machine: Machine, mask: int) -> list[str]:
    """Return the outputs that are true."""
    return [name for place, name in enumerate(machine.outputs) if mask >> place & 1]


def value_at(case: Case, effect: Mapping[str, Any]) -> bool:
    """Return the value that the trace gives an effect's output at its step."""
    return effect["output"] in outputs(case.machine, case.masks[effect["step"]])
