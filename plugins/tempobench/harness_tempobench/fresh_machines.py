"""Fresh machines: a specification drawn at random, synthesised by Spot and checked against its formula.

The shipped machines are public, so that a model may know them by heart; these are of no file. Each output
has a pattern of its own (a toggle, a latch, a delay, …) over inputs and outputs before it, so that every
specification has a machine; two outputs may be an arbiter's. A machine serves `DRAWS` draws of
one item, and no other item.
"""

from __future__ import annotations

from random import Random

from harness_guard import Guard
from harness_logic import spot_library

from harness import EngineError
from harness_tempobench import hoa, synthesis
from harness_tempobench.machine import Machine
from harness_tempobench.source_files import Limits, Loaded, Survey

FRESH = "fresh"
"""The value of ``machines=`` that asks for them, and their family."""

DRAWS = 50
MAX_FRESH_INPUTS = 4
MAX_FRESH_OUTPUTS = 4
ARBITERS = 0.1  # share of patterns that are an arbiter's
SECONDS = 60.0
"""For each of synthesis and check, which take some milliseconds: patterns are small."""

_INPUTS, _OUTPUTS = "abcdefgh", "pqrstuvw"

# {o} is the output; {x} and {y} are operands, literals or two of them joined.
_PATTERNS = (
    "!{o} & G(X {o} <-> ({o} xor {x}))",
    "!{o} & G(X {o} <-> (({o} | {x}) & !{y}))",
    "!{o} & G(X {o} <-> (({o} & !{y}) | {x}))",
    "!{o} & G(X {o} <-> {x})",
    "!{o} & X !{o} & G(X X {o} <-> {x})",
    "!{o} & G(X {o} <-> ({x} & X {y}))",
    "!{o} & X !{o} & G(X X {o} <-> ({x} & X {x} & X X {x}))",
    "!{o} & X !{o} & G(X X {o} <-> ({x} & X !{x} & X X {y}))",
    "!{o} & G(X {o} <-> ({x} | X {x}))",
    "!{o} & G(X {o} <-> (({o} & !{y}) | (!{o} & {x})))",
    "G({o} <-> ({x} & {y}))",
)
_ARBITER = "G({x} -> F {o}) & G({y} -> F {p}) & G(!{o} | !{p})"
_JOINED = ("({0} & {1})", "({0} | {1})", "({0} xor {1})")

# Of their own: what Spot synthesises depends on what the same process translated before.
_workers = Guard(1)


class Fresh:
    """Machines that nobody has seen, one for every `DRAWS` draws; an instance is for one item."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._loaded: Loaded | None = None
        self._left = 0

    def draw(self, rng: Random) -> Loaded | None:
        """Return a machine; None if the one drawn is not wanted.

        Raises `SynthesisError`: Spot gave up; `EngineError`: the machine violates its
        specification.
        """
        if not self._left:
            self._loaded, self._left = self._new(rng), DRAWS
        self._left = self._left - 1 if self._loaded else 0
        return self._loaded

    def survey(self) -> Survey:
        """Say where the machines come from."""
        return Survey(f"fresh, by Spot {spot_library.version()}")

    def _new(self, rng: Random) -> Loaded | None:
        spec = specification(rng, self._limits.max_inputs)
        machine = synthesis.synthesise(spec, seconds=SECONDS)
        if not isinstance(machine, Machine):
            return None
        if self._limits.misfit(len(machine.table), len(machine.inputs)) or dull(machine):
            return None
        if not satisfies(machine, spec.ltl, _workers):
            raise EngineError(f"Spot's machine violates its specification: {spec.ltl}")
        return Loaded(machine, hoa.write(machine), FRESH, {}, spec.ltl)


def specification(rng: Random, max_inputs: int) -> synthesis.Ltl:
    """Return a random specification of 1 to `MAX_FRESH_INPUTS` inputs that has a machine."""
    inputs = list(_INPUTS[: rng.randint(min(2, max_inputs), min(MAX_FRESH_INPUTS, max_inputs))])
    outputs = list(_OUTPUTS[: rng.randint(2, MAX_FRESH_OUTPUTS)])
    parts: list[str] = []
    known, unused = [*inputs], rng.sample(inputs, len(inputs))
    left = [*outputs]
    while left:
        x, y = (_operand(rng, known, unused) for _ in "xy")
        if len(left) > 1 and rng.random() < ARBITERS:
            names, pattern = left[:2], _ARBITER
        else:
            names, pattern = left[:1], rng.choice(_PATTERNS)
        parts.append(pattern.format(o=names[0], p=names[-1], x=x, y=y))
        known += names
        left = left[len(names) :]
    return synthesis.Ltl(" & ".join(f"({part})" for part in parts), tuple(inputs), tuple(outputs))


def _operand(rng: Random, known: list[str], unused: list[str]) -> str:
    """Return a literal, or two of different names joined; one is of an input that is unused yet, if any."""
    first = unused.pop() if unused else rng.choice(known)
    others = [name for name in known if name != first]
    chosen = [first, *(rng.sample(others, min(1, len(others))) if rng.random() < 0.4 else ())]
    literals = [rng.choice(("", "!")) + name for name in chosen]
    return rng.choice(_JOINED).format(*literals) if len(literals) == 2 else literals[0]


def dull(machine: Machine) -> str:
    """Return why a machine makes poor problems; "" if it does not."""
    rows = machine.table
    for place, name in enumerate(machine.inputs):
        if all(
            row[letter] == row[letter ^ 1 << place] for row in rows for letter in range(len(row))
        ):
            return f"nothing depends on its input {name}"
    for place, name in enumerate(machine.outputs):
        if len({mask >> place & 1 for row in rows for _, mask in row}) == 1:
            return f"its output {name} never changes"
    steps = [(letter, mask) for row in rows for letter, (_, mask) in enumerate(row)]
    return "" if len(set(steps)) < len(steps) else "its state can be read off every step"


def satisfies(machine: Machine, ltl: str, workers: Guard, seconds: float = SECONDS) -> bool:
    """Tell whether all runs of a machine satisfy a formula, by Spot in a guarded worker.

    The workers must not be those that synthesise: Spot makes other machines in a process that has
    seen formulas, and in its forks.
    """
    call = (ltl, machine.inputs, machine.outputs, machine.start, machine.table)
    return not workers.call("harness_tempobench.synthesis_worker:violates", *call, seconds=seconds)
