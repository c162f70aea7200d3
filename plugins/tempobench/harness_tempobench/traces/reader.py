"""Read a trace back: every sentence is parsed by patterns of its own, and every claim found anew.

The machine is read anew, too (`machine`). A family of sets of changes is right if each set breaks the effect
when the machine is run with it, none contains another, and every way on from the state, with the families of the
states that it leads to, contains one: then no set is missing, and none can be made smaller.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from harness_answers import trace_lines
from harness_answers.trace_lines import Lines, WrongTraceError

from harness import Item
from harness_tempobench.traces.machine import Traced, Values

Change = tuple[int, int]
Family = list[frozenset[Change]]


def findings(item: Item, text: str) -> list[str]:
    """Return what is wrong with a trace, at most one thing; an empty list if every step holds."""
    return trace_lines.findings(
        text, lambda lines: _TASKS[item.problem["task"]](item.problem, lines)
    )


def _literals(names: Sequence[str], values: Values) -> str:
    return " and ".join(
        name if value else f"!{name}" for name, value in zip(names, values, strict=True)
    )


def _taken(machine: Traced, lines: Lines, count: int, compared: bool = True) -> list[int]:
    """Read so many steps of the run that can be taken, ``compared`` with the trace; return the states."""
    states = [machine.start]
    for step in range(count):
        sentence = lines.take(
            r"Step ([0-9]+): in state ([0-9]+), on (.+), the machine sets (.+)"
            rf"{', as in the trace,' if compared else ''} and moves to state ([0-9]+)\."
        )
        to, outputs = machine.step(states[-1], machine.letters[step])
        _check_step(machine, lines, sentence, step, states[-1], outputs)
        if compared and outputs != machine.answers[step]:
            raise lines.wrong("the trace has other outputs")
        if sentence[5] != str(to):
            raise lines.wrong(f"the next state is {to}")
        states.append(to)
    return states


def _check_step(
    machine: Traced, lines: Lines, sentence: re.Match[str], step: int, state: int, outputs: Values
) -> None:
    if (sentence[1], sentence[2]) != (str(step), str(state)):
        raise lines.wrong(f"step {step} is in state {state}")
    if sentence[3] != _literals(machine.inputs, machine.letters[step]):
        raise lines.wrong("the trace has other inputs")
    if sentence[4] != _literals(machine.outputs, outputs):
        raise lines.wrong("the machine sets other outputs")


def _run(problem: Mapping[str, Any], lines: Lines) -> None:
    machine, count = Traced(problem), 0
    state = machine.start
    for letter, answer in zip(machine.letters, machine.answers, strict=True):
        state, outputs = machine.step(state, letter)
        if outputs != answer:
            break
        count += 1
    states = _taken(machine, lines, count)
    if count == len(machine.letters):
        lines.take(rf"All {count} steps can be taken, so the trace is accepted\.")
    else:
        sentence = lines.take(
            r"Step ([0-9]+): in state ([0-9]+), on (.+), the machine sets (.+), but the trace has (.+)\."
        )
        machine_outputs = machine.step(states[-1], machine.letters[count])[1]
        _check_step(machine, lines, sentence, count, states[-1], machine_outputs)
        if sentence[5] != _literals(machine.outputs, machine.answers[count]):
            raise lines.wrong("the trace has other outputs")
        lines.take(rf"Step {count} cannot be taken, so the trace is rejected\.")
    accepted = "yes" if count == len(machine.letters) else "no"
    _answer(lines, _steps(machine, states, told=False) | {"accepted": accepted})


def _simulation(problem: Mapping[str, Any], lines: Lines) -> None:
    machine = Traced(problem)
    states = _taken(machine, lines, len(machine.letters), compared=False)
    _answer(lines, _steps(machine, states, told=True))


def _steps(machine: Traced, states: Sequence[int], told: bool) -> dict[str, Any]:
    """Return the steps of a run as the answer has them; ``told``: with the outputs."""
    right: dict[str, Any] = {}
    for step, (state, letter) in enumerate(zip(states[:-1], machine.letters, strict=False)):
        outputs = _literals(machine.outputs, machine.step(state, letter)[1])
        right[f"step_{step}"] = {
            "current state": state,
            "defining inputs": _literals(machine.inputs, letter),
            **({"outputs": outputs} if told else {}),
            "next state": states[step + 1],
        }
    return right


def _answer(lines: Lines, right: Any, form: Callable[[Any], Any] = lambda answer: answer) -> None:
    """Read the answer, which in some form has to equal the right one."""
    answer = json.loads(lines.take(r"Answer: (\{.*\})")[1], object_pairs_hook=_once)
    if form(answer) != form(right):
        raise lines.wrong("the answer is not what follows")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise WrongTraceError("the answer has a key twice")
    return dict(pairs)


_WORDS = {True: "true", False: "false"}


def _effect(machine: Traced, effect: Mapping[str, Any], lines: Lines) -> int:
    """Read the run up to an effect; return the number of its output."""
    last, output, value = effect["step"], effect["output"], effect["value"]
    _taken(machine, lines, last + 1)
    lines.take(rf"So {output} is {_WORDS[value]} at step {last}\.")
    place = machine.outputs.index(output)
    if machine.answers[last][place] is not value:
        raise lines.wrong("that is not what happens in the trace")
    return place


def _necessary(problem: Mapping[str, Any], lines: Lines) -> None:
    machine, effect = Traced(problem), problem["effect"]
    last, output, value = effect["step"], effect["output"], effect["value"]
    place = _effect(machine, effect, lines)
    needed: Family = []
    for step, at in product(range(last + 1), range(len(machine.inputs))):
        sentence = lines.take(
            rf"With {machine.inputs[at]} changed at step {step}: next states (none|[0-9, ]+); "
            rf"{output} is (true|false) at step {last}\."
        )
        changes = frozenset([(step, at)])
        state, way = machine.start, []
        outputs: Values = ()
        for when, letter in enumerate(machine.letters[: last + 1]):
            state, outputs = machine.step(state, _changed(letter, when, changes))
            way += [str(state)] if step <= when < last else []
        if sentence[1] != (", ".join(way) or "none"):
            raise lines.wrong("the machine goes through other states")
        if sentence[2] != _WORDS[outputs[place]]:
            raise lines.wrong("the output has the other value")
        if outputs[place] is not value:
            needed.append(changes)
    lines.take(rf"The inputs whose change makes {output} another value are necessary\.")
    _answer_cause({**problem, "label": "per_step"}, machine, needed, lines)


def _cause(problem: Mapping[str, Any], lines: Lines) -> None:
    machine, effect = Traced(problem), problem["effect"]
    last, output, value = effect["step"], effect["output"], effect["value"]
    place = _effect(machine, effect, lines)
    broken = f"{output} {_WORDS[not value]} at step {last}"
    lines.take(
        rf"Backwards from step {last}: which smallest sets of changes of inputs, from a step and a state on, "
        rf"make {broken}\?"
    )
    search = _Search(machine, last, place, not value)
    after: dict[int, Family] = {}
    for step, states in reversed(list(enumerate(search.layers()))):
        families: dict[int, Family] = {}
        while sentence := lines.maybe(rf"Step {step}, states? ([0-9, ]+): {broken} comes (.+)\."):
            for state, family in _claims(sentence[1], sentence[2], machine, lines, step, last):
                if state in families or state not in states:
                    raise lines.wrong(f"state {state} came before, or cannot be reached by then")
                families[state] = family
                search.check(lines, step, state, family, after)
        if list(_order_of_states(families)) != list(families) or set(families) != states:
            raise WrongTraceError(f"step {step}: not every state was told of, each in its place")
        after = families
    lines.take(
        r"The sets of step 0 are the cause\. Each counts for the step that all of its changes are at; its "
        r"inputs are named as they are in the trace\."
    )
    _answer_cause(problem, machine, after[machine.start], lines)


def _order_of_states(families: Mapping[int, Family]) -> list[int]:
    """Return the states in the order of the sentences: no change needed, none helps, the others."""
    kinds = {
        state: 0 if family == [frozenset()] else 2 if family else 1
        for state, family in families.items()
    }
    return sorted(families, key=lambda state: (kinds[state], state))


def _claims(
    states: str, claim: str, machine: Traced, lines: Lines, step: int, last: int
) -> Iterator[tuple[int, Family]]:
    """Yield what a sentence claims about each of its states."""
    numbers = [int(number) for number in states.split(", ")]
    plain = {"without a change": [frozenset[Change]()], "by no change": []}.get(claim)
    if plain is not None:
        yield from ((number, plain) for number in numbers)
        return
    if len(numbers) != 1 or not claim.startswith("by "):
        raise lines.wrong("it is not said by which changes")
    family: Family = []
    for way in claim.removeprefix("by ").split("; "):
        parts = re.fullmatch(r"(.+?)(?: \(next state ([0-9]+)\))?", way)
        if parts is None or (parts[2] is None) != (step == last):
            raise lines.wrong("it is not said which state comes next")
        words = re.split(r"(?<=[0-9]) and ", parts[1])
        changes = [_change(text, machine, lines) for text in words]
        if changes != sorted(set(changes)):
            raise lines.wrong("changes are told in the order of steps and inputs, each once")
        family.append(frozenset(changes))
        if parts[2] is not None:
            letter = _changed(machine.letters[step], step, family[-1])
            if str(machine.step(numbers[0], letter)[0]) != parts[2]:
                raise lines.wrong(f"the state after step {step} is another one")
    yield numbers[0], family


def _change(text: str, machine: Traced, lines: Lines) -> Change:
    parts = re.fullmatch(r"(\S+) at step ([0-9]+)", text)
    if parts is None or parts[1] not in machine.inputs:
        raise lines.wrong(f"'{text[:60]}' is no change of an input")
    return int(parts[2]), machine.inputs.index(parts[1])


def _changed(letter: Values, step: int, changes: frozenset[Change]) -> Values:
    return tuple(value ^ ((step, place) in changes) for place, value in enumerate(letter))


class _Search:
    """Checks the families of sets of changes that a trace claims."""

    def __init__(self, machine: Traced, last: int, place: int, wanted: bool) -> None:
        self.machine, self.last, self.place, self.wanted = machine, last, place, wanted
        self.every = list(product((False, True), repeat=len(machine.inputs)))

    def layers(self) -> list[set[int]]:
        """Return the states that the machine may be in at each step, whatever the inputs."""
        layers = [{self.machine.start}]
        while len(layers) <= self.last:
            layers.append(
                {self.machine.step(s, letter)[0] for s in layers[-1] for letter in self.every}
            )
        return layers

    def check(
        self, lines: Lines, step: int, state: int, family: Family, after: Mapping[int, Family]
    ) -> None:
        """Refuse a family in which a set does not break, is not a smallest one, or is missing."""
        if family != sorted(set(family), key=lambda changes: (len(changes), sorted(changes))):
            raise lines.wrong("sets are told in order, small ones first, each once")
        if any(changes < other for changes in family for other in family):
            raise lines.wrong("a set contains another one")
        word = self.machine.letters[step : self.last + 1]
        for changes in family:
            letters = [_changed(letter, when, changes) for when, letter in enumerate(word, step)]
            if not {when for when, _ in changes} <= set(range(step, self.last + 1)):
                raise lines.wrong("a change is at a step that is over, or after the effect")
            if self.machine.outputs_after(state, letters)[self.place] is not self.wanted:
                raise lines.wrong("with these changes the machine does not do that")
        for way in self._ways(step, state, after):
            if not any(changes <= way for changes in family):
                raise lines.wrong("a set is missing, or is not a smallest one")

    def _ways(
        self, step: int, state: int, after: Mapping[int, Family]
    ) -> Iterator[frozenset[Change]]:
        actual = self.machine.letters[step]
        for letter in self.every:
            changes = {(step, at) for at in range(len(actual)) if actual[at] is not letter[at]}
            to, outputs = self.machine.step(state, letter)
            if step < self.last:
                yield from (rest | changes for rest in after[to])
            elif outputs[self.place] is self.wanted:
                yield frozenset(changes)


def _answer_cause(
    problem: Mapping[str, Any], machine: Traced, family: Family, lines: Lines
) -> None:
    effect = problem["effect"]
    sign = "" if effect["value"] else "!"
    name = f"{'X' * effect['step']} {sign}{effect['output']}".strip()
    entries: dict[str, list[str]] = {str(step): [] for step in range(effect["step"] + 1)}
    crossing: list[list[str]] = []
    for changes in sorted(family, key=sorted):
        literals = [
            (when, ("" if machine.letters[when][at] else "!") + machine.inputs[at])
            for when, at in sorted(changes)
        ]
        steps = {when for when, _ in literals}
        if len(steps) == 1:
            entries[str(literals[0][0])].append(" or ".join(literal for _, literal in literals))
        else:
            crossing.append([f"{when}:{literal}" for when, literal in literals])
    if crossing and problem["label"] != "full":
        raise WrongTraceError("the answer cannot state a set of several steps")
    right: dict[str, Any] = {
        name: {step: literals or ["no constraints"] for step, literals in entries.items()}
    }
    if problem["label"] == "full":
        right["cross_step_clauses"] = {name: crossing}
    _answer(lines, right, _sorted)  # the order of strings and of literals does not matter


def _sorted(answer: Any) -> Any:
    """Return an answer with its lists in one order, for none of them means anything."""
    if isinstance(answer, dict):
        return {key: _sorted(value) for key, value in answer.items()}
    if isinstance(answer, list):
        return sorted(map(_sorted, answer), key=repr)
    return sorted(answer.split(" or ")) if isinstance(answer, str) else answer


_TASKS = {"tte": _run, "tce": _cause, "sim": _simulation, "min": _necessary}
