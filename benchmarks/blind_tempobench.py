"""A solver of tempobench that knows the prompts only: what caused an output, and what runs do.

Breaking sets are found forwards. For each state that can be reached with some inputs flipped, the
solver keeps the smallest sets of flips that lead there. What comes later depends on the state
alone, so other sets cannot begin a minimal one. Written from prompts alone, apart from the plugin.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from blind_kit import UnreadError, UntrueError
from blind_machines import Machine, Trace, machine_of, trace_of

SETS = 20_000


@dataclass(frozen=True)
class Effect:
    """The terms (step, output, value) of an effect, and whether all must hold or one."""

    name: str
    terms: tuple[tuple[int, int, bool], ...]
    every: bool

    @property
    def last(self) -> int:
        """The last step that the effect speaks of."""
        return max(step for step, _, _ in self.terms)

    def values(self, step: int, outputs: int) -> list[bool]:
        """Return which of the terms of a step hold."""
        return [bool(outputs >> bit & 1) == value for at, bit, value in self.terms if at == step]


def effect_of(prompt: str, machine: Machine) -> Effect:
    """Return the effect that a prompt asks about."""
    found = re.search(r'^Effect: (.*?)\. In the answer, it is written as "([^"]*)"', prompt, re.M)
    if found is None:
        raise UnreadError("no effect")
    every = found[1].startswith("all of these hold: ")
    terms = []
    for term in re.sub("^(all of these hold|at least one of these holds): ", "", found[1]).split(
        "; "
    ):
        said = re.fullmatch(r"output (\w+) is (true|false) at step (\d+)", term)
        if said is None:
            raise UnreadError(term)
        terms.append((int(said[3]), machine.outputs.index(said[1]), said[2] == "true"))
    written = [
        "X" * at + " " * (at > 0) + "!" * (not value) + machine.outputs[bit]
        for at, bit, value in terms
    ]
    if (" & " if every else " | ").join(written) != found[2]:
        raise UntrueError(f"the effect is written {found[2]}")
    return Effect(found[2], tuple(terms), every)


def least(sets: Iterable[int]) -> list[int]:
    """Return the sets, as bits, that have no other one inside."""
    kept: list[int] = []
    for each in sorted(set(sets), key=int.bit_count):
        if not any(inner & ~each == 0 for inner in kept):
            kept.append(each)
    if len(kept) > SETS:
        raise UnreadError("too many sets")
    return kept


@dataclass(frozen=True)
class Case:
    """A machine, its trace and an effect; with keeps, runs may keep outputs of the trace."""

    machine: Machine
    trace: Trace
    effect: Effect
    keeps: bool

    @cached_property
    def after_outputs(self) -> dict[int, set[int]]:
        """The states that transitions with given outputs lead to."""
        found: dict[int, set[int]] = {}
        for cells in self.machine.table.values():
            for outputs, after in cells:
                found.setdefault(outputs, set()).add(after)
        return found

    def steps(self, state: int, step: int, inputs: int) -> tuple[int, set[int]]:
        """Return the machine's own outputs at a step, and the states that can come next."""
        outputs, after = self.machine.table[state][inputs]
        states = {after}
        if self.keeps:
            differing = outputs ^ self.trace.outputs[step]
            kept = differing
            while kept:
                states |= self.after_outputs.get(outputs ^ kept, set())
                kept = (kept - 1) & differing
        return outputs, states

    def moves(self, state: int, step: int, only: int | None) -> Iterator[tuple[int, int, int]]:
        """Yield flips, outputs and next state; with `only`, for these flips alone."""
        for flips in range(1 << len(self.machine.inputs)) if only is None else (only,):
            outputs, states = self.steps(state, step, self.trace.inputs[step] ^ flips)
            for after in states:
                yield flips, outputs, after

    def breaking(self, start: int, flipped: int | None = None) -> list[int]:
        """Return the minimal breaking sets, or of one set of flips, whether it breaks."""
        width = len(self.machine.inputs)
        reached: dict[tuple[int, bool], list[int]] = {(start, False): [0]}
        for step in range(self.effect.last + 1):
            only = None if flipped is None else flipped >> step * width & (1 << width) - 1
            gathered: dict[tuple[int, bool], list[int]] = {}
            for (state, broken), sets in reached.items():
                ways: dict[tuple[int, bool], list[int]] = {}
                for flips, outputs, after in self.moves(state, step, only):
                    values = self.effect.values(step, outputs)
                    if not self.effect.every and any(values):
                        continue
                    ways.setdefault((after, broken or not all(values)), []).append(flips)
                for goal, flips_to in ways.items():
                    gathered.setdefault(goal, []).extend(
                        each | flips << step * width for flips in least(flips_to) for each in sets
                    )
            reached = {goal: least(sets) for goal, sets in gathered.items()}
        if not self.effect.every:
            return least(each for sets in reached.values() for each in sets)
        return least(each for (_, broken), sets in reached.items() if broken for each in sets)


def starts_of(prompt: str, machine: Machine, trace: Trace) -> list[int]:
    """Return the states in which the machine can be at step 0."""
    if "is in its initial state" in prompt:
        return [machine.start]
    reached, waiting = {machine.start}, [machine.start]
    while waiting:
        for _, after in machine.table[waiting.pop()]:
            if after not in reached:
                reached.add(after)
                waiting.append(after)
    return [state for state in sorted(reached) if fits(machine, trace, state)]


def fits(machine: Machine, trace: Trace, state: int) -> bool:
    """Return whether the machine does what the trace says, from a state."""
    for inputs, shown in zip(trace.inputs, trace.outputs, strict=True):
        outputs, state = machine.table[state][inputs]
        if (outputs ^ shown) & trace.shown:
            return False
    return True


def whole(machine: Machine, trace: Trace, state: int) -> Trace:
    """Return the trace with the outputs that it does not show, which runs may keep, too."""
    outputs = []
    for inputs in trace.inputs:
        given, state = machine.table[state][inputs]
        outputs.append(given)
    return Trace(trace.inputs, tuple(outputs), trace.shown)


def _named(case: Case, bit: int) -> tuple[int, str]:
    """Return the step and the literal of a bit of a set of flips."""
    step, place = divmod(bit, len(case.machine.inputs))
    name = case.machine.inputs[place]
    return step, name if case.trace.inputs[step] >> place & 1 else f"!{name}"


def _check_list(prompt: str, case: Case, starts: list[int]) -> None:
    """Raise an error if the prompt's list of what single flips do is not right and complete."""
    said = re.findall(r"^If (\w+) had been (true|false) at step (\d+), (.*)\.$", prompt, re.M)
    width = len(case.machine.inputs)
    if said and len(said) != width * (case.effect.last + 1):
        raise UntrueError("the list of single changes is not complete")
    for name, value, at, what in said:
        flips = 1 << int(at) * width + case.machine.inputs.index(name)
        literal = _named(case, flips.bit_length() - 1)[1]
        comes = what.endswith("the same") or what == "the effect would have come"
        broken = {bool(case.breaking(start, flips)) for start in starts}
        if broken != {not comes} or literal.startswith("!") != (value == "true"):
            raise UntrueError(f"{name} at step {at}: {what}")


def causes(prompt: str, machine: Machine, trace: Trace) -> set[frozenset[tuple[int, str]]]:
    """Return the minimal breaking sets, or for necessary inputs those of one literal."""
    effect = effect_of(prompt, machine)
    starts = starts_of(prompt, machine, trace)
    if not starts or not all(fits(machine, trace, start) for start in starts):
        raise UntrueError("the trace is not what the machine does")
    _check_list(prompt, Case(machine, trace, effect, keeps=False), starts)
    found = []
    for start in starts:
        case = Case(machine, whole(machine, trace, start), effect, "outputs may be kept" in prompt)
        if "Which inputs were necessary" in prompt:
            singles = (1 << bit for bit in range(len(machine.inputs) * (effect.last + 1)))
            sets = [flips for flips in singles if case.breaking(start, flips)]
        else:
            sets = case.breaking(start)
        found.append(
            {
                frozenset(_named(case, bit) for bit in range(each.bit_length()) if each >> bit & 1)
                for each in sets
            }
        )
    if any(each != found[0] for each in found):
        raise UntrueError("the states at step 0 give different answers")
    crossing = any(len({step for step, _ in each}) > 1 for each in found[0])
    if crossing and "all literals of a minimal breaking set are at the same step" in prompt:
        raise UntrueError("a minimal breaking set has literals of several steps")
    return found[0]


def run(machine: Machine, trace: Trace, simulated: bool) -> dict[str, Any]:
    """Return the object that says what the machine does on the inputs, or if it takes a trace."""

    def words(names: tuple[str, ...], values: int) -> str:
        return " and ".join("!" * (not values >> i & 1) + name for i, name in enumerate(names))

    state, said = machine.start, dict[str, Any]()
    for step, inputs in enumerate(trace.inputs):
        outputs, after = machine.table[state][inputs]
        if not simulated and (outputs ^ trace.outputs[step]) & trace.shown:
            return said | {"accepted": "no"}
        said[f"step_{step}"] = {
            "current state": state,
            "defining inputs": words(machine.inputs, inputs),
            **({"outputs": words(machine.outputs, outputs)} if simulated else {}),
            "next state": after,
        }
        state = after
    return said if simulated else said | {"accepted": "yes"}


def solve(prompt: str) -> Any:
    """Return the run that a prompt asks for, or the sets of literals of its cause."""
    machine = machine_of(prompt)
    trace = trace_of(prompt, machine)
    if "Does the machine accept the trace" in prompt:
        return run(machine, trace, simulated=False)
    if "What does the machine do on these inputs?" in prompt:
        return run(machine, trace, simulated=True)
    if "What caused the effect?" in prompt or "Which inputs were necessary" in prompt:
        return causes(prompt, machine, trace)
    raise UnreadError("no question")


def agrees(answer: Any, target: str, prompt: str) -> bool:
    """Return whether a target means the answer."""
    said = json.loads(target)
    if isinstance(answer, dict):
        return bool(said == answer)
    name = effect_of(prompt, machine_of(prompt)).name
    joint = "Which inputs were necessary" not in prompt
    clauses: list[frozenset[tuple[int, str]]] = []
    for step, strings in said.pop(name).items():
        for string in strings:
            if string != "no constraints" or len(strings) > 1:
                parts = string.split(" or ") if joint else [string]
                clauses.append(frozenset((int(step), part) for part in parts))
    crossing = said.pop("cross_step_clauses", {name: []})[name]
    for literals in crossing:
        pairs = [literal.split(":") for literal in literals]
        clauses.append(frozenset((int(step), literal) for step, literal in pairs))
    return not said and len(set(clauses)) == len(clauses) and set(clauses) == answer
