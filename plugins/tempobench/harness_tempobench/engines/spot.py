"""What Spot says of a problem, from its own reading of the machine's HOA text to the answer.

No code is shared with the engine that makes the labels: Spot parses the text, its BDDs are evaluated, and `corp`
constructs the cause, or the trace is walked on Spot's edges.

The text goes to Spot's parser in memory, never to `spot.automaton`, which runs text that ends in `|` as a command.
Huge numbers crash Spot, so they are bounded first; the functions are for `harness_guard.call`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeAlias

from harness_logic import spot_library

from harness import Abstained
from harness_tempobench.engines import corp, history, restoring
from harness_tempobench.engines.corp import Machine
from harness_tempobench.errors import CauseError, HoaError

MAX_TEXT = 4_000_000
"""Characters of a HOA text."""

MAX_NESTING = 100
"""Parentheses, and signs of negation in a row, within each other in a label."""

MAX_CELLS = 300_000
"""States × letters of a machine whose table is made: a little more than `corp` takes."""

SMALL_TEXT, SMALL_CELLS = 20_000, 20_000
"""Characters of a text, and states × letters, up to which more machines are kept in memory."""

Trace: TypeAlias = "Sequence[Sequence[str]]"
"""For each step the propositions that are true; all others are false."""

_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*(?:"|\\?\Z)', re.DOTALL)
_BRACKETS = re.compile(r"[()]|!\s*+(?:!\s*+)+")


def cause(hoa_text: str, trace: Trace, effect: Mapping[str, Any]) -> list[list[list[int]]]:
    """Return the minimal breaking sets by size and content, each a sorted list of [step, input].

    Inputs are numbered as AP lists them, outputs left out.

    Args:
        hoa_text: the machine.
        trace: a run of it, at least up to the effect's step.
        effect: "output", "value" and "step" (CONTRACT.md).

    Raises:
        Abstained: a machine that is not complete, deterministic and determined in its outputs, or
            bounds of this module or of `corp`.
        CauseError: the trace is no run of the machine, or no such effect.
        HoaError: no HOA text.
    """
    clauses = _automaton(hoa_text, trace, effect).clauses()
    return [list(map(list, clause)) for clause in clauses]


def confirm(
    hoa_text: str,
    trace: Trace,
    effect: Mapping[str, Any],
    clauses: Sequence[Sequence[Sequence[int]]],
) -> bool:
    """Return whether the cause is this list of minimal breaking sets; else as `cause`, but faster."""
    return _automaton(hoa_text, trace, effect).equals(clauses)


def run(hoa_text: str, trace: Trace, shown: Sequence[str] | None = None) -> dict[str, Any]:
    """Return how far a trace is a run of a machine; ``shown``: the outputs that it shows, if not all.

    Returns:
        "states": the states visited, numbered as in the text, the first one included, up to the
        first step that no run can take; "accepted": whether there is no such step.

    Raises:
        Abstained: a step that leads to several states.
        CauseError: the trace names a proposition that the machine does not have.
        HoaError: no HOA text.
    """
    graph = _graph(hoa_text)
    names = [name for name in graph.names if shown is None or name in (*graph.inputs, *shown)]
    states = [graph.start]
    for number, step in enumerate(trace):
        label = graph.cube(names, _known(step, names, number))
        targets = {to for to, condition in graph.edges[states[-1]] if condition & label != graph.no}
        if len(targets) > 1:
            raise Abstained(f"spot: step {number} leads from state {states[-1]} to several states")
        if not targets:
            return {"states": states, "accepted": False}
        states.append(targets.pop())
    return {"states": states, "accepted": True}


def simulate(hoa_text: str, inputs: Trace) -> dict[str, Any]:
    """Return what a machine does on some inputs: its "states", the first one included, and output "masks".

    Raises:
        Abstained: a machine that is not complete, deterministic and determined in its outputs, or too large.
        CauseError: the inputs name a proposition that is none of the machine's inputs.
        HoaError: no HOA text.
    """
    machine = _machine(hoa_text)
    letters = [
        _bits(machine.inputs, _known(true, machine.inputs, number))
        for number, true in enumerate(inputs)
    ]
    states, masks = _walk(machine, letters)
    return {"states": states, "masks": masks}


def starts(
    hoa_text: str,
    trace: Trace,
    effect: Mapping[str, Any],
    shown: Sequence[str] | None,
    unknown: bool,
) -> list[tuple[int, list[list[str]]]]:
    """Return the reachable states from which there is a run with a trace and an effect, each with the whole run.

    ``shown``: the outputs that the trace shows, if not all; ``unknown``: whether states other than the first one
    count; else as `simulate`.
    """
    machine = _machine(hoa_text)
    seen = machine.outputs if shown is None else tuple(shown)
    known = [_known(true, (*machine.inputs, *seen), number) for number, true in enumerate(trace)]
    letters = [_bits(machine.inputs, true) for true in known]
    found = []
    possible = [machine.start]
    for state in possible if unknown else []:
        possible += {to for to, _ in machine.table[state]}.difference(possible)
    for state in sorted(possible):
        masks = _walk(replace(machine, start=state), letters)[1]
        given = [
            {name for i, name in enumerate(machine.outputs) if mask >> i & 1} for mask in masks
        ]
        agrees = all(
            outputs.intersection(seen) == true.intersection(seen)
            for outputs, true in zip(given, known, strict=True)
        )
        literals = effect.get("literals", [[effect["step"], effect["output"], effect["value"]]])
        values = [(name in given[at]) is bool(value) for at, name, value in literals]
        happens = any(values) if effect.get("join") == "or" else all(values)
        if agrees and happens:
            names = (*machine.inputs, *machine.outputs)
            whole = [
                [name for name in names if name in true | outputs]
                for true, outputs in zip(known, given, strict=True)
            ]
            found.append((state, whole))
    return found


def necessary(hoa_text: str, trace: Trace, effect: Mapping[str, Any]) -> list[list[int]]:
    """Return each [step, input] whose flip alone gives the effect's output another value; else as `cause`."""
    machine, letters, place = _question(hoa_text, trace, effect)
    needed = []
    for step in range(len(letters)):
        for index in range(len(machine.inputs)):
            changed = [*letters]
            changed[step] ^= 1 << index
            mask = _walk(machine, changed)[1][-1]
            if bool(mask >> place & 1) is not bool(effect["value"]):
                needed.append([step, index])
    return needed


def _walk(machine: Machine, letters: Sequence[int]) -> tuple[list[int], list[int]]:
    states, masks = [machine.start], []
    for letter in letters:
        state, mask = machine.table[states[-1]][letter]
        states.append(state)
        masks.append(mask)
    return states, masks


def _automaton(hoa_text: str, trace: Trace, effect: Mapping[str, Any]) -> corp.Automaton:
    machine, letters, place = _question(hoa_text, trace, effect)
    return corp.cause_automaton(machine, letters, place, bool(effect["value"]))


def _question(
    hoa_text: str, trace: Trace, effect: Mapping[str, Any]
) -> tuple[Machine, list[int], int]:
    """Return the machine, its inputs up to the effect's step, and the number of the effect's output."""
    machine = _machine(hoa_text)
    step = effect["step"]
    if type(step) is not int or not 0 <= step < len(trace):
        raise CauseError(
            f"effect: step {step!s:.40} of a trace whose steps are 0 to {len(trace) - 1}"
        )
    letters = []
    state = machine.start
    for number, true in enumerate(trace[: step + 1]):
        known = _known(true, (*machine.inputs, *machine.outputs), number)
        letters.append(_bits(machine.inputs, known))
        state, mask = machine.table[state][letters[-1]]
        if mask != _bits(machine.outputs, known):
            raise CauseError(f"trace: the outputs of step {number} are not those of the machine")
    if "literals" in effect:
        rows, start = history.remembering(machine.table, machine.start, machine.outputs, effect)
        machine = Machine(machine.inputs, (*machine.outputs, effect["output"]), start, rows)
    if effect["output"] not in machine.outputs:
        outputs = ", ".join(machine.outputs)
        raise CauseError(
            f"effect: no output {effect['output']!r:.60}; the machine's outputs: {outputs:.200}"
        )
    place, value = machine.outputs.index(effect["output"]), bool(effect["value"])
    if bool(_walk(machine, letters)[1][-1] >> place & 1) is not value:
        raise CauseError(
            f"effect: {effect['output']:.100} is {str(not value).lower()} at step {step} of the trace,"
            " and only what happens has a cause"
        )
    if effect.get("contingencies"):
        rows, start = restoring.determined(machine.table, machine.start, letters, place, value)
        machine = Machine(machine.inputs, machine.outputs, start, rows)
    return machine, letters, place


def _known(step: Sequence[str], names: Sequence[str], number: int) -> frozenset[str]:
    true = frozenset(step)
    if unknown := sorted(true.difference(names)):
        raise CauseError(
            f"trace: step {number} names {unknown[0]!r:.60}, which the machine does not"
        )
    return true


def _bits(names: Sequence[str], true: frozenset[str]) -> int:
    return sum(1 << i for i, name in enumerate(names) if name in true)


class _Graph:
    """A machine's automaton as Spot reads it."""

    def __init__(self, hoa_text: str) -> None:
        self.states = _announced_states(hoa_text)
        self.spot, self.buddy = spot_library.modules()
        automaton = self._parse(hoa_text)
        self.names = tuple(proposition.ap_name() for proposition in automaton.ap())
        controlled = set(self.spot.get_synthesis_output_aps(automaton))
        self.outputs = tuple(name for name in self.names if name in controlled)
        self.inputs = tuple(name for name in self.names if name not in controlled)
        self.no = self.buddy.bddfalse
        self.start: int = automaton.get_init_state_number()
        self.variables = {name: automaton.register_ap(name) for name in self.names}
        self.edges: list[list[tuple[int, Any]]] = [
            [(edge.dst, edge.cond) for edge in automaton.out(state)] for state in range(self.states)
        ]
        self._automaton = automaton  # holds on to the variables

    def _parse(self, hoa_text: str) -> Any:
        stream = self.spot.automaton_stream_parser(hoa_text, "machine")
        try:
            parsed = stream.parse(self.spot.make_bdd_dict())
        except RuntimeError as error:  # more acceptance sets than Spot was built for
            raise HoaError(f"machine: {' '.join(str(error).split()):.200}") from None
        automaton = parsed.aut
        if parsed.errors or parsed.aborted or automaton is None:
            raise HoaError("machine: not a HOA text that Spot can read")
        if automaton.num_states() != self.states or not automaton.is_existential():
            raise HoaError("machine: the states are not those that the header announces")
        if automaton.num_sets() or not automaton.acc().is_t():
            raise HoaError("machine: every run is accepted, 'Acceptance: 0 t', in one")
        return automaton

    def literal(self, name: str, value: bool) -> Any:
        make = self.buddy.bdd_ithvar if value else self.buddy.bdd_nithvar
        return make(self.variables[name])

    def cube(self, names: Iterable[str], true: frozenset[str]) -> Any:
        result = self.buddy.bddtrue
        for name in names:
            result &= self.literal(name, name in true)
        return result


def _announced_states(text: str) -> int:
    """Return the number of states announced, after what could harm Spot's parser was refused."""
    if not text.startswith("HOA:") or len(text) > MAX_TEXT:
        raise HoaError(f"machine: expected a HOA text of at most {MAX_TEXT:,} characters")
    bare = _STRING.sub("''", text)  # what stands in quotes is no number and no bracket
    if '"' in bare or "/*" in bare:
        raise HoaError("machine: comments are not read")
    if long := re.search(r"[0-9]{5,}", bare):
        raise HoaError(f"machine: the number {long[0]:.20} is too big")
    states = re.findall(r"^States:[ \t]*([0-9]+)[ \t]*$", bare, re.MULTILINE)
    for once in ("States:", "Start:", "controllable-AP:", "--BODY--", "--END--"):
        if bare.count(once) != 1:
            raise HoaError(f"machine: expected one {once!r}, not {bare.count(once)}")
    if len(states) != 1 or not bare.rstrip().endswith("--END--"):
        raise HoaError(
            "machine: 'States:' is a line with one number, and '--END--' is the last one"
        )
    if _nesting(bare) > MAX_NESTING:
        raise HoaError(f"machine: a label is nested more than {MAX_NESTING} deep")
    return int(states[0])


def _nesting(text: str) -> int:
    depth = deepest = 0
    for match in _BRACKETS.finditer(text):
        sign = match[0]
        depth += {"(": 1, ")": -1}.get(sign, 0)
        deepest = max(deepest, depth, len(sign))
    return deepest


_small_graph, _large_graph = (lru_cache(maxsize=most)(_Graph) for most in (256, 16))


def _graph(hoa_text: str) -> _Graph:
    return (_small_graph if len(hoa_text) <= SMALL_TEXT else _large_graph)(hoa_text)


def _machine(hoa_text: str) -> Machine:
    graph = _graph(hoa_text)
    cells = graph.states << len(graph.inputs)
    if cells > MAX_CELLS:
        raise Abstained(
            f"spot: {graph.states} states and {len(graph.inputs)} inputs are beyond its bounds"
        )
    return (_small_machine if cells <= SMALL_CELLS else _large_machine)(hoa_text)


def _evaluated(hoa_text: str) -> Machine:
    graph = _graph(hoa_text)
    table = _Table(graph)
    rows = [table.row(state) for state in range(graph.states)]
    return Machine(graph.inputs, graph.outputs, graph.start, rows)


_small_machine, _large_machine = (lru_cache(maxsize=most)(_evaluated) for most in (256, 16))


class _Table:
    """Evaluates the labels of a machine's edges for every letter."""

    def __init__(self, graph: _Graph) -> None:
        self._graph = graph
        self._masks: dict[int, tuple[Any, int]] = {}

    def row(self, state: int) -> list[tuple[int, int]]:
        cells: list[tuple[int, int] | None] = [None] * (1 << len(self._graph.inputs))
        for target, condition in self._graph.edges[state]:
            for letter, outputs in self._split(condition, len(self._graph.inputs)):
                cell = (target, self._mask(outputs, state))
                if cells[letter] not in (None, cell):
                    raise Abstained(f"spot: state {state} has several answers to one letter")
                cells[letter] = cell
        row = [cell for cell in cells if cell is not None]
        if len(row) < len(cells):
            raise Abstained(f"spot: state {state} has no answer to some letter")
        return row

    def _split(self, condition: Any, inputs: int) -> Iterator[tuple[int, Any]]:
        """Yield each letter of the first inputs that a label allows, with what it says of the rest."""
        if condition == self._graph.no:
            return
        if not inputs:
            yield 0, condition
            return
        name = self._graph.inputs[inputs - 1]
        for value in (False, True):
            rest = self._graph.buddy.bdd_restrict(condition, self._graph.literal(name, value))
            for letter, outputs in self._split(rest, inputs - 1):
                yield letter | value << inputs - 1, outputs

    def _mask(self, outputs: Any, state: int) -> int:
        """Return the one output mask that a label without inputs allows."""
        known = self._masks.get(outputs.id())
        if known is None:
            mask = 0
            for i, name in enumerate(self._graph.outputs):
                may = outputs & self._graph.literal(name, True) != self._graph.no
                if may and outputs & self._graph.literal(name, False) != self._graph.no:
                    raise Abstained(f"spot: state {state} leaves the output {name:.60} open")
                mask |= may << i
            # the label is kept, for the sake of its number
            known = self._masks[outputs.id()] = (outputs, mask)
        return known[1]
