"""Controllers from LTL specifications: Spot in guarded workers, with a cache on disk.

The machine is complete, its outputs are determined (least mask, then lowest next state, where the
strategy leaves a choice) and its states numbered breadth first, so that equal specifications give
equal machines everywhere with the same version of Spot.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from harness_guard import Guard
from harness_logic import spot_library
from harness_tlsf.specification import Specification

from harness import EngineError
from harness_tempobench import synthesis_cache
from harness_tempobench.errors import SynthesisError, TempobenchError
from harness_tempobench.machine import MAX_CELLS, MAX_STATES, Machine, check_size

SECONDS = 60.0
MEMORY_MB = 2048
MAX_LTL = 500_000
"""The longest formula, in characters."""

MAX_NESTING = 1_000

ALGORITHMS = {"lar": "LAR", "ds": "DET_SPLIT", "sd": "SPLIT_DET"}
"""Spot's ways to make the game: ``lar`` solves the most specifications, the others smaller machines."""

# Workers of its own: what Spot synthesises depends on what the same process translated before.
_workers, _splitters = Guard(), Guard()

_WORKER = "harness_tempobench.synthesis_worker"
_FORM = 1  # of the worker's result: what is cached in an older form is not read
_TEXT = re.compile(r'(?:[A-Za-z0-9_ \t\r\n()!&|<>^-]++|"[^"\\\x00-\x1f\x7f]*+")*')
_NEST = re.compile(r'"[^"]*+"|(?P<open>\()|(?P<close>\))|(?P<chain>(?:[!XFG]\s*+)+)|[^"()!XFG]++')


@dataclass(frozen=True, slots=True)
class Ltl:
    """A specification written down directly.

    Attributes:
        ltl: formula in Spot's syntax, for a Mealy machine; names Spot would misread are in quotes.
        inputs: names of the inputs, in order; the machine has them all, whether or not it uses them.
        outputs: names of the outputs, in order.
    """

    ltl: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unrealizable:
    """The result of synthesis when no machine satisfies the specification."""


def synthesise(
    spec: Ltl | Specification,
    *,
    seconds: float = SECONDS,
    memory_mb: int = MEMORY_MB,
    algorithm: str = "lar",
) -> Machine | Unrealizable:
    """Return a machine that satisfies a specification, or `Unrealizable`; from the cache if known.

    Where Spot runs out of time or memory, parts of the specification with outputs of their own are tried one by one.

    Args:
        spec: formula, inputs and outputs, a `Ltl` or one in TLSF.
        seconds: limit of wall-clock time, at most 86,400.
        memory_mb: limit of the worker's address space in MiB.
        algorithm: one of `ALGORITHMS`.

    Raises:
        SynthesisError: one line: a specification beyond the bounds of machines, text that is no LTL
            formula over these propositions, out of time or memory.
    """
    if algorithm not in ALGORITHMS:
        raise SynthesisError(f"algorithm {algorithm[:20]!r}: known are {', '.join(ALGORITHMS)}")
    if getattr(spec, "target", "Mealy") != "Mealy":
        raise SynthesisError(
            "specification: its target is a Moore machine, and Mealy machines are made here"
        )
    inputs, outputs = list(spec.inputs), list(spec.outputs)
    try:
        check_size(inputs, outputs, 1)
    except TempobenchError as error:
        raise SynthesisError(f"specification: {error}") from None
    _check_text(spec.ltl)
    most = min(MAX_STATES, MAX_CELLS >> len(inputs))
    key = [_FORM, spot_library.version(), algorithm, most, spec.ltl, inputs, outputs]
    known = _machine(synthesis_cache.load(key), inputs, outputs)
    if known is not None:
        return known
    try:
        result = _call(spec.ltl, inputs, outputs, ALGORITHMS[algorithm], most, seconds, memory_mb)
    except _EndedError:
        parts = _parts(spec.ltl, inputs, outputs, seconds)
        if len(parts) < 2:
            raise
        limits: dict[str, Any] = {"seconds": seconds, "memory_mb": memory_mb}
        machines = []
        for part in parts:
            made = synthesise(part, algorithm=algorithm, **limits)
            if isinstance(made, Unrealizable):
                return made
            machines.append(made)
        return _together(machines, outputs)
    machine = _machine(result, inputs, outputs)
    if machine is None:
        raise SynthesisError("Spot's result is no complete Mealy machine")
    synthesis_cache.store(key, result)
    return machine


class _EndedError(SynthesisError):
    """Spot was ended: out of time or memory."""


def _call(*request: Any) -> Any:
    *call, seconds, memory_mb = request
    function = f"{_WORKER}:synthesise"
    try:
        result = _workers.call(function, *call, seconds, seconds=seconds, memory_mb=memory_mb)
    except EngineError as error:
        reason = str(error).replace(function, "Spot", 1)
        raise _EndedError(f"no machine was synthesised: {reason}") from None
    if "error" in result:
        raise SynthesisError(result["error"])
    return result


def _parts(ltl: str, inputs: list[str], outputs: list[str], seconds: float) -> list[Ltl]:
    """Return parts of a specification that share no output; none where Spot fails to read it in time."""
    try:
        parts = _splitters.call(f"{_WORKER}:parts", ltl, outputs, seconds=seconds)
    except EngineError:
        return []
    return [Ltl(text, tuple(inputs), tuple(named)) for text, named in parts]


def _together(machines: Sequence[Machine], outputs: Sequence[str]) -> Machine:
    """Return the machine that runs machines of the same inputs and different outputs side by side.

    Raises:
        SynthesisError: it would have too many states.
    """
    first = tuple(machine.start for machine in machines)
    places = [[outputs.index(name) for name in machine.outputs] for machine in machines]
    numbers, rows = {first: 0}, []
    for states in (queue := [first]):
        row = []
        for cells in zip(*(m.table[q] for m, q in zip(machines, states, strict=True)), strict=True):
            target, mask = tuple(to for to, _ in cells), 0
            for (_, own), named in zip(cells, places, strict=True):
                mask |= sum(1 << place for bit, place in enumerate(named) if own >> bit & 1)
            if target not in numbers:
                numbers[target] = len(queue)
                queue.append(target)
            row.append((numbers[target], mask))
        rows.append(tuple(row))
        if len(queue) > min(MAX_STATES, MAX_CELLS >> len(machines[0].inputs)):
            raise SynthesisError("the parts of the specification make a machine of too many states")
    return Machine(machines[0].inputs, tuple(outputs), 0, tuple(rows))


def _machine(
    result: Any, inputs: Sequence[str], outputs: Sequence[str]
) -> Machine | Unrealizable | None:
    """Return what a worker's result says; None if it is none, which a file of the cache may be."""
    try:
        if result["realizable"] is False:
            return Unrealizable()
        # cells that are equal are one, or big machines would not fit
        cells: dict[tuple[int, int], tuple[int, int]] = {}
        table = [
            tuple(cells.setdefault(cell, cell) for cell in zip(row[::2], row[1::2], strict=True))
            for row in result["rows"]
        ]
        return Machine(tuple(inputs), tuple(outputs), result["start"], tuple(table)).canonical()
    except (TempobenchError, TypeError, ValueError, LookupError):
        return None


def _check_text(ltl: str) -> None:
    """Check what may reach Spot's parser: size, characters, nesting."""
    if not isinstance(ltl, str):
        raise SynthesisError(f"an LTL formula is text, not a {type(ltl).__name__}")
    if len(ltl) > MAX_LTL:
        raise SynthesisError(f"LTL formula of {len(ltl):,} characters: at most {MAX_LTL:,}")
    matched = _TEXT.match(ltl)
    end = matched.end() if matched else 0
    if end < len(ltl):
        raise SynthesisError(f"LTL formula: {ltl[end]!r} at character {end} belongs to no formula")
    depth = 0
    for token in _NEST.finditer(ltl):
        depth += (token["open"] is not None) - (token["close"] is not None)
        if max(depth, len(token["chain"] or "")) > MAX_NESTING:
            raise SynthesisError(f"LTL formula: it nests deeper than {MAX_NESTING:,} levels")
