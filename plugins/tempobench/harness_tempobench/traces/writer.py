"""The complete solution of an item, step by step, with its answer; `trace_reader` holds it against the item.

A run is told step by step. A cause is found from its last step backwards: for every state that the machine may be
in at a step, whatever inputs were changed before, the smallest sets of changes from there on that break the
effect follow from those of the states at the step after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from harness import HarnessError, Item
from harness_tempobench import problem, targets
from harness_tempobench.answers.explain import step_text
from harness_tempobench.machine import Machine

MAX_CHARACTERS = 30_000
"""Longest trace; an item whose trace would be longer has none."""

MAX_SETS = 200
"""Smallest sets of changes of one state at one step; an item with more has no trace."""

MAX_REACHED = 1_000
"""States, each as often as there are steps at which the machine may be in it; an item with more has no trace."""

MAX_WAYS = 50_000
"""Of those states, each with every combination of inputs; an item with more has no trace."""

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)

Change = tuple[int, int]
"""Step and place of an input."""
Sets = list[frozenset[Change]]


class _TooLongError(Exception):
    """The trace would be beyond the bounds of this module."""


def written(item: Item) -> str | None:
    """Return the solution with its answer.

    None for an item without certificate (an adopted one), with propositions whose names are no plain words, or
    where it would be beyond the bounds of this module.
    """
    if item.certificate is None:
        return None
    case = problem.case(item.problem)
    machine = case.machine
    if not machine.inputs or not all(map(_PLAIN.fullmatch, machine.propositions)):
        return None
    told = _run(case) if item.problem["task"] == "tte" else _cause(case, item.problem["effect"])
    try:
        text = "\n".join([*told, f"Answer: {item.target}"])
    except (_TooLongError, HarnessError):
        return None
    return text if len(text) <= MAX_CHARACTERS else None


def _steps(case: problem.Case, count: int) -> Iterator[str]:
    states, _ = case.machine.run(case.letters)
    for step in range(count):
        said = step_text(case, states[step], step)
        yield f"{said}, as in the trace, and moves to state {states[step + 1]}."


def _run(case: problem.Case) -> Iterator[str]:
    states, accepted = case.run()
    count = len(states) - 1
    yield from _steps(case, count)
    if accepted:
        yield f"All {count} steps can be taken, so the trace is accepted."
        return
    given = targets.literals(case.machine.outputs, case.masks[count])
    yield f"{step_text(case, states[-1], count)}, but the trace has {given}."
    yield f"Step {count} cannot be taken, so the trace is rejected."


# --------------------------------------------------------------------------------------- causes


def _cause(case: problem.Case, effect: targets.Effect) -> Iterator[str]:
    machine, last = case.machine, effect["step"]
    word = case.letters[: last + 1]
    broken = f"{effect['output']} {targets.truth(not effect['value'])} at step {last}"
    yield from _steps(case, last + 1)
    yield f"So {effect['output']} is {targets.truth(effect['value'])} at step {last}."
    yield (
        f"Backwards from step {last}: which smallest sets of changes of inputs, from a step and a state on, make "
        f"{broken}?"
    )
    bit = 1 << machine.outputs.index(effect["output"])
    layers = _layers(machine, last)
    after: dict[int, Sets] = {}
    for step in range(last, -1, -1):
        found: dict[int, Sets] = {}
        for state in layers[step]:
            found[state] = _smallest(
                _ways(machine, state, word[step], step, after if step < last else None, bit, effect)
            )
        yield from _told(machine, word, step, last, found, broken)
        after = found
    yield (
        "The sets of step 0 are the cause. Each counts for the step that all of its changes are at; its inputs are "
        "named as they are in the trace."
    )


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


def _ways(
    machine: Machine,
    state: int,
    letter: int,
    step: int,
    after: dict[int, Sets] | None,
    bit: int,
    effect: targets.Effect,
) -> Iterator[frozenset[Change]]:
    """Yield sets of changes that break the effect, each smallest one among them."""
    for other, (to, mask) in enumerate(machine.table[state]):
        own = {
            (step, place) for place in range(len(machine.inputs)) if (letter ^ other) >> place & 1
        }
        if after is None:
            if bool(mask & bit) is not effect["value"]:
                yield frozenset(own)
        else:
            for rest in after[to]:
                yield rest | own


def _smallest(sets: Iterable[frozenset[Change]]) -> Sets:
    """Return the sets that contain no other one, small ones first."""
    kept: Sets = []
    for one in sorted(set(sets), key=lambda one: (len(one), sorted(one))):
        if not any(other <= one for other in kept):
            kept.append(one)
    if len(kept) > MAX_SETS:
        raise _TooLongError
    return kept


def _told(
    machine: Machine,
    word: Sequence[int],
    step: int,
    last: int,
    found: dict[int, Sets],
    broken: str,
) -> Iterator[str]:
    """Yield what is said of a step: states from which no change is needed, none helps, and all others."""
    nothing = [state for state, sets in found.items() if sets == [frozenset()]]
    never = [state for state, sets in found.items() if not sets]
    if nothing:
        yield f"Step {step}, {_states(nothing)}: {broken} comes without a change."
    if never:
        yield f"Step {step}, {_states(never)}: {broken} comes by no change."
    for state, sets in found.items():
        if sets and state not in nothing:
            ways = "; ".join(_way(machine, word, step, last, state, one) for one in sets)
            yield f"Step {step}, state {state}: {broken} comes by {ways}."


def _way(
    machine: Machine,
    word: Sequence[int],
    step: int,
    last: int,
    state: int,
    changes: frozenset[Change],
) -> str:
    said = " and ".join(
        f"{machine.inputs[place]} at step {when}" for when, place in sorted(changes)
    )
    if step == last:
        return said
    letter = word[step]
    for when, place in changes:
        letter ^= (1 << place) if when == step else 0
    return f"{said} (next state {machine.table[state][letter][0]})"


def _states(states: Sequence[int]) -> str:
    return f"{'state' if len(states) == 1 else 'states'} {', '.join(map(str, states))}"
