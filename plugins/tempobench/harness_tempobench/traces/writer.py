"""The complete solution of an item, step by step, with its answer; `reader` holds it against the item.

A run is told step by step. A cause is found from its last step backwards: for every state that the machine may be
in at a step, whatever inputs were changed before, the smallest sets of changes from there on that break the
effect follow from those of the states at the step after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from harness import HarnessError, Item
from harness_tempobench import problem, targets
from harness_tempobench.answers.explain import step_text, steps
from harness_tempobench.engines import flips
from harness_tempobench.machine import Machine

MAX_CHARACTERS = 30_000
"""Longest trace; an item whose trace would be longer has none."""

MAX_SETS = 200
"""Smallest sets of changes of one state at one step; an item with more has no trace."""

MAX_REACHED = 1_000
"""States, each as often as there are steps at which the machine may be in it; an item with more has no trace."""

MAX_WAYS = 50_000
"""Of those states, each with every combination of inputs; an item with more has no trace."""

_COMPARED = ", as in the trace,"
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)

Change = tuple[int, int]
"""Step and place of an input."""
Sets = list[frozenset[Change]]


class _TooLongError(Exception):
    """The trace would be beyond the bounds of this module."""


def written(item: Item) -> str | None:
    """Return the solution with its answer.

    None for an item without certificate (an adopted one), whose first state or some outputs are not given, whose
    effect is several literals or has a cause with contingencies, or whose propositions' names are no plain words, and
    where it would be beyond the bounds of this module.
    """
    if item.certificate is None or problem.is_partial(item.problem):
        return None
    if "contingencies" in item.problem or "literals" in item.problem.get("effect", {}):
        return None
    case = problem.case(item.problem)
    machine = case.machine
    if not machine.inputs or not all(map(_PLAIN.fullmatch, machine.propositions)):
        return None
    try:
        text = "\n".join([*_lines(item, case), f"Answer: {item.target}"])
    except (_TooLongError, HarnessError):
        return None
    return text if len(text) <= MAX_CHARACTERS else None


def _lines(item: Item, case: problem.Case) -> Iterator[str]:
    task = item.problem["task"]
    if task == "sim":
        return iter(steps(case, len(case.letters)))
    if task == "tte":
        return _run(case)
    return (_cause if task == "tce" else _necessary)(case, item.problem["effect"])


def _run(case: problem.Case) -> Iterator[str]:
    states, accepted = case.run()
    count = len(states) - 1
    yield from steps(case, count, _COMPARED)
    if accepted:
        yield f"All {count} steps can be taken, so the trace is accepted."
        return
    outputs = targets.literals(case.machine.outputs, case.masks[count])
    yield f"{step_text(case, states[-1], count)}, but the trace has {outputs}."
    yield f"Step {count} cannot be taken, so the trace is rejected."


def _necessary(case: problem.Case, effect: targets.Effect) -> Iterator[str]:
    last, machine = effect["step"], case.machine
    place = machine.outputs.index(effect["output"])
    yield from steps(case, last + 1, _COMPARED)
    yield f"So {effect['output']} is {targets.truth(effect['value'])} at step {last}."
    for step, index, states, mask in flips.alone(machine, case.letters, last):
        way = ", ".join(map(str, states[:-1])) or "none"
        value = targets.truth(bool(mask >> place & 1))
        yield (
            f"With {machine.inputs[index]} changed at step {step}: next states {way}; "
            f"{effect['output']} is {value} at step {last}."
        )
    yield f"The inputs whose change makes {effect['output']} another value are necessary."


def _cause(case: problem.Case, effect: targets.Effect) -> Iterator[str]:
    last, search = effect["step"], _Backwards(case, effect)
    yield from steps(case, last + 1, _COMPARED)
    yield f"So {effect['output']} is {targets.truth(effect['value'])} at step {last}."
    yield (
        f"Backwards from step {last}: which smallest sets of changes of inputs, from a step and a state on, make "
        f"{search.broken}?"
    )
    yield from search.sentences()
    yield (
        "The sets of step 0 are the cause. Each counts for the step that all of its changes are at; its inputs are "
        "named as they are in the trace."
    )


class _Backwards:
    """The smallest sets of changes that break an effect, from its step backwards; ``broken`` says what they do."""

    def __init__(self, case: problem.Case, effect: targets.Effect) -> None:
        self.machine, self.last, self.value = case.machine, effect["step"], effect["value"]
        self.word = case.letters[: self.last + 1]
        self.bit = 1 << self.machine.outputs.index(effect["output"])
        self.broken = f"{effect['output']} {targets.truth(not self.value)} at step {self.last}"

    def sentences(self) -> Iterator[str]:
        """Yield the sentences about all steps, the last step first."""
        layers = _layers(self.machine, self.last)
        after: dict[int, Sets] = {}
        for step in range(self.last, -1, -1):
            families = {state: _smallest(self._ways(state, step, after)) for state in layers[step]}
            yield from self._step(step, families)
            after = families

    def _ways(
        self, state: int, step: int, after: Mapping[int, Sets]
    ) -> Iterator[frozenset[Change]]:
        """Yield sets of changes that break the effect, each smallest one among them."""
        for other, (to, mask) in enumerate(self.machine.table[state]):
            changed, places = self.word[step] ^ other, range(len(self.machine.inputs))
            flips = frozenset((step, place) for place in places if changed >> place & 1)
            if step < self.last:
                yield from (rest | flips for rest in after[to])
            elif bool(mask & self.bit) is not self.value:
                yield flips

    def _step(self, step: int, families: Mapping[int, Sets]) -> Iterator[str]:
        """Yield the sentences about a step: states from which no change is needed, none helps, and all others."""
        nothing = [state for state, sets in families.items() if sets == [frozenset()]]
        never = [state for state, sets in families.items() if not sets]
        if nothing:
            yield f"Step {step}, {_states(nothing)}: {self.broken} comes without a change."
        if never:
            yield f"Step {step}, {_states(never)}: {self.broken} comes by no change."
        for state, sets in families.items():
            if sets and state not in nothing:
                ways = "; ".join(self._way(step, state, changes) for changes in sets)
                yield f"Step {step}, state {state}: {self.broken} comes by {ways}."

    def _way(self, step: int, state: int, changes: frozenset[Change]) -> str:
        listed = " and ".join(
            f"{self.machine.inputs[place]} at step {when}" for when, place in sorted(changes)
        )
        if step == self.last:
            return listed
        letter = self.word[step] ^ sum(1 << place for when, place in changes if when == step)
        return f"{listed} (next state {self.machine.table[state][letter][0]})"


def _layers(machine: Machine, last: int) -> list[list[int]]:
    """Return the states that the machine may be in at each step, whatever the inputs before."""
    layers = [[machine.start]]
    reached = 1
    for _ in range(last):
        layers.append(sorted({to for state in layers[-1] for to, _ in machine.table[state]}))
        reached += len(layers[-1])
        if reached > MAX_REACHED or reached * machine.letters > MAX_WAYS:
            raise _TooLongError
    return layers


def _smallest(sets: Iterable[frozenset[Change]]) -> Sets:
    """Return the sets that contain no other one, small ones first."""
    kept: Sets = []
    for changes in sorted(set(sets), key=lambda changes: (len(changes), sorted(changes))):
        if not any(other <= changes for other in kept):
            kept.append(changes)
    if len(kept) > MAX_SETS:
        raise _TooLongError
    return kept


def _states(states: Sequence[int]) -> str:
    return f"{'state' if len(states) == 1 else 'states'} {', '.join(map(str, states))}"
