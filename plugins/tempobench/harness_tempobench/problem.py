"""The formal problem (JSON, see CONTRACT.md) and what it stands for: machine, letters, effect."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, starmap
from typing import Any

from harness_tempobench import contingent, hoa, joined, targets
from harness_tempobench.engines import flips
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

    def run_target(self, simulated: bool) -> str:
        """Return the answer that states the run; ``simulated``: with its outputs, and no verdict."""
        states, accepted = self.run()
        run = (self.machine.inputs, self.letters, states)
        if simulated:
            return targets.run_target(*run, None, self.machine.outputs, self.masks)
        return targets.run_target(*run, accepted)


_engines: dict[str, Engine] = {}
"""Engines by HOA text, the one last asked for at the end."""


def engine(text: str, machine: Machine | None = None) -> Engine:
    """Return the exact engine of the machine that a HOA text describes; `_KEPT` of them are kept.

    ``text``: the HOA text; ``machine``: the machine that it was written from, if that is known: it
    need not be read.
    Raises `HoaError`: the text is no Mealy machine.
    """
    found = _engines.pop(text, None) or Engine(machine or hoa.read(text))
    _engines[text] = found
    if len(_engines) > _KEPT:
        _engines.pop(next(iter(_engines)), None)
    return found


def asked(problem: Mapping[str, Any]) -> Engine:
    """Return the exact engine of a problem's machine, of which the effect asked about is an output.

    Raises `TempobenchError`: the text is no Mealy machine, or the effect is none that it can have.
    """
    text, effect, kept = problem["hoa"], problem.get("effect"), "contingencies" in problem
    exact = engine(text)
    machine = exact.machine
    if effect is not None and "literals" in effect:
        if kept:
            raise TempobenchError("an effect of several literals has no causes with contingencies")
        joined.check(effect, machine.outputs)
        return _joined(text, joined.shape(effect, machine.outputs), effect["output"])
    if effect is None or not kept or effect["output"] not in machine.outputs:
        return exact
    letters, _ = steps(machine, problem["trace"][: effect["step"] + 1])
    return _keeping(text, letters, effect["output"], effect["value"])


@lru_cache(maxsize=256)
def _keeping(text: str, letters: tuple[int, ...], output: str, value: bool) -> Engine:
    machine = engine(text).machine
    return Engine(contingent.product(machine, letters, machine.outputs.index(output), value))


@lru_cache(maxsize=256)
def _joined(text: str, shape: joined.Shape, name: str) -> Engine:
    return Engine(joined.product(engine(text).machine, shape, name))


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


def plain(problem: Mapping[str, Any]) -> Case:
    """Read a problem as `case` does, with the machine as the prompt gives it, whatever the effect."""
    known = variants(problem)[0]
    return traced({key: value for key, value in known.items() if key != "effect"})


def after_flips(problem: Mapping[str, Any]) -> list[tuple[int, str, bool, bool]]:
    """Return what each input of each step, flipped alone, makes of the effect of a problem; no outputs are kept.

    That is the step, the input, its value in the trace, and the value of the effect's output after the flip.
    """
    effect = problem["effect"]
    read = plain(problem) if "contingencies" in problem else case(problem)
    place = read.machine.outputs.index(effect["output"])
    return [
        (step, read.machine.inputs[index], read.value(step, index), bool(mask >> place & 1))
        for step, index, _, mask in flips.alone(read.machine, read.letters, effect["step"])
    ]


def traced(problem: Mapping[str, Any]) -> Case:
    """Read the machine and the trace of a problem; the outputs of a run that is asked for are the machine's.

    The machine has one output more where the effect asked about is several literals: see `joined`.

    Where the state at step 0 is not known, it is the first one from which the trace is possible; outputs that are not
    shown are what the machine answers.

    Raises `TempobenchError`: the machine cannot be read, or the trace is not about it.
    """
    if is_partial(problem):
        return traced(variants(problem)[0])
    exact, given = asked(problem), engine(problem["hoa"])
    letters, masks = steps(given.machine, problem["trace"])
    if problem["task"] == "sim":
        if any(masks):
            raise TempobenchError("the inputs of a run name an output, which is asked for")
        masks = exact.machine.run(letters)[1]
    if len(exact.machine.outputs) > len(given.machine.outputs):
        added = 1 << len(given.machine.outputs)
        pairs = zip(masks, exact.machine.run(letters)[1], strict=True)
        masks = tuple(mask | answer & added for mask, answer in pairs)
    return Case(exact, letters, masks)


def is_partial(problem: Mapping[str, Any]) -> bool:
    """Tell whether a problem leaves the state at step 0 or some outputs open."""
    return "start" in problem or "shown" in problem


def variants(problem: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a complete problem for each state that the machine may be in at step 0: itself, where nothing is open.

    The machine may be in a state if it gives the outputs shown from there, and the effect. A trace to be accepted
    has one variant: its outputs that are not shown are the machine's own.

    Raises `TempobenchError`: the trace is possible from no state, or shows what is no output.
    """
    if not is_partial(problem):
        return [dict(problem)]
    machine = engine(problem["hoa"]).machine
    letters, masks = steps(machine, problem["trace"])
    hidden = unseen(machine, problem)
    if any(mask & hidden for mask in masks):
        raise TempobenchError("the trace names an output that it does not show")
    unknown = "start" in problem
    found = []
    for state in sorted(machine.reachable()) if unknown else [machine.start]:
        answers = machine.answers(state, letters)
        seen = tuple(answer & ~hidden for answer in answers)
        if problem["task"] == "tte" or seen == masks:
            whole = [mask | answer & hidden for mask, answer in zip(masks, answers, strict=True)]
            known = started(problem, state) if unknown else dict(problem)
            engine(
                known["hoa"], replace(machine, start=state)
            )  # kept, so that its text need not be read
            known.pop("shown", None)
            known["trace"] = trace(machine, letters, whole)
            if _has_effect(known, machine, answers):
                found.append(known)
    if not found:
        raise TempobenchError("the trace is possible from no state of the machine")
    return found


def unseen(machine: Machine, problem: Mapping[str, Any]) -> int:
    """Return the mask of the outputs that the trace of a problem does not show.

    Raises `TempobenchError`: it shows what is no output.
    """
    if "shown" not in problem:
        return 0
    if unknown := sorted(set(problem["shown"]) - set(machine.outputs)):
        raise TempobenchError(f"the trace shows {unknown[0][:60]!r}, which is no output")
    places = enumerate(machine.outputs)
    return sum(1 << place for place, name in places if name not in problem["shown"])


def _has_effect(problem: Mapping[str, Any], machine: Machine, masks: Sequence[int]) -> bool:
    """Return whether outputs have the effect of a problem, if that asks about one that its machine can have."""
    effect = problem.get("effect")
    if effect is None or effect["step"] >= len(masks):
        return True
    if "literals" in effect:
        joined.check(effect, machine.outputs)
    elif effect["output"] not in machine.outputs:
        return True
    return joined.holds(effect, [outputs(machine, mask) for mask in masks])


def started(problem: Mapping[str, Any], state: int) -> dict[str, Any]:
    """Return a problem whose machine starts in a state, which is known then."""
    known = {key: value for key, value in problem.items() if key != "start"}
    return known | {"hoa": _START.sub(f"Start: {state}", problem["hoa"], count=1)}


def steps(
    machine: Machine, trace: Sequence[Sequence[str]]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return letters and masks of a trace given as the true propositions of each step.

    Raises `TempobenchError`: a name that the machine does not have.
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
    return [*map(list, starmap(machine.true, zip(letters, masks, strict=True)))]


def outputs(machine: Machine, mask: int) -> list[str]:
    """Return the outputs that are true."""
    return [name for place, name in enumerate(machine.outputs) if mask >> place & 1]


def value_at(case: Case, effect: Mapping[str, Any]) -> bool:
    """Return the value that the trace gives an effect's output at its step."""
    return effect["output"] in outputs(case.machine, case.masks[effect["step"]])
