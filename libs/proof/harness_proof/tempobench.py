"""Items of tempobench: the prompt read anew, and its label compared with what follows from it.

Runs (tte, sim) and single flips (min) are computed; that no clause of a cause (tce) is missing a table proves. A set
of flips is a number: bit step · inputs + i is the i-th input at the step. **Theorem.** Let a table have lists of such
sets for steps and states, and for each way to flip inputs of this step: if the effect is broken then, the flips
contain a set of the list; if it is still open, each state that may come next is in the table at the next step, and
each set of its list with the flips of this step contains a set of this list. If each set of the first state's list
breaks the effect, and none contains another, they are exactly the minimal breaking sets (docs/proofs.md).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from harness_proof import machines, words
from harness_proof.ltl import MAX_WORK
from harness_proof.outcomes import known, proven

MAX_INPUTS = 12
_KINDS = ({"tce", "min", "tte", "sim"}, {"hoa", "table", "prose"}, {"tce", "min"})
_TRUTH = ("false", "true")

Table = list[dict[int, list[int]]]


class Question(NamedTuple):
    """What a prompt asks."""

    like: set[str]
    """Its kind and variants, as ``prompts/tempobench.txt`` calls them."""
    machine: machines.Machine
    trace: list[tuple[int, int]]
    """Inputs and outputs of each step."""
    shown: int
    """The outputs that the trace shows."""
    effect: list[tuple[int, int, bool]]
    """Step, output and value of literals, all of which hold, or one at least (``or``)."""
    name: str
    last: int
    """The last step of the effect."""
    kept: dict[int, set[int]]
    """Where outputs may be kept: the next states of all transitions, by their outputs."""

    def broken(self, step: int, outputs: int) -> bool | None:
        """Tell whether the outputs of a step break an effect that was open before it; None: it stays open."""
        every = "and" in self.like
        for at, output, value in self.effect:
            if at == step and (bool(outputs >> output & 1) is value) is not every:
                return every
        return not every if step == self.last else None

    def move(self, step: int, state: int, flips: int) -> tuple[int, set[int]]:
        """Return outputs, and the states that may come next, where some inputs of a step are flipped."""
        given, traced = self.trace[step]
        outputs, to = self.machine.step(state, given ^ flips)
        states = {to}
        for other, ends in self.kept.items():
            if other != outputs and not (other ^ outputs) & ~(outputs ^ traced):
                states |= ends
        return outputs, states

    def breaks(self, flips: int) -> bool:
        """Tell whether some flips break the effect."""
        width, states = len(self.machine.inputs), {self.machine.start}
        for step in range(self.last + 1):
            following: set[int] = set()
            for state in states:
                outputs, ends = self.move(step, state, flips >> step * width & (1 << width) - 1)
                broken = self.broken(step, outputs)
                if broken:
                    return True
                following |= ends if broken is None else set()
            states = following
        return False


def check(prompt: str, target: str, proof: Any) -> None:
    """Check an item's label."""
    question = read(prompt)
    stated = json.loads(target)
    if not question.effect:
        right = [_run(question)]
    elif "min" in question.like:
        bits = [1 << bit for bit in range(len(question.machine.inputs) * (question.last + 1))]
        right = [_stated(case, [*filter(case.breaks, bits)]) for case in cases(question)]
    else:
        table = [{int(state): [*sets] for state, sets in row.items()} for row in proof["table"]]
        right = [_stated(case, proved(case, table)) for case in cases(question)]
    proven(all(_sorted(stated) == _sorted(one) for one in right), "the target is another one")


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted(part) for key, part in value.items()}
    if isinstance(value, list):
        return sorted((_sorted(part) for part in value), key=repr)
    return " or ".join(sorted(value.split(" or "))) if isinstance(value, str) else value


def read(prompt: str) -> Question:
    """Return what a prompt asks."""
    conditions, parts = words.read("tempobench", prompt)
    like = {*conditions}
    inputs, outputs = parts["inputs"].split(", "), parts["outputs"].split(", ")
    notation = min(like & {"table", "prose"} or like & {"names", "numbers"})
    machine = machines.read(parts["machine"], notation, parts.get("start", ""), (inputs, outputs))
    shown = [] if "sim" in like else parts["shown"].split(", ") if "some" in like else outputs
    fit = len(inputs) <= MAX_INPUTS and len(shown) == len({*shown} & {*outputs})
    known(fit, f"there are more than {MAX_INPUTS} inputs, or unknown outputs")
    mask = sum(1 << outputs.index(name) for name in shown)
    trace = []
    for place, line in enumerate(parts["trace"].split("\n")):
        if "told" in like:
            told_step = words.match("tempobench", "spoken", line).expand(r"\1: \2 / \3")
            line = told_step.replace(" and ", " & ").replace("not ", "!")
        before, _, behind = line.removeprefix(f"{place}: ").partition(" / ")
        said, given = machines.literals(before, inputs)
        answered, answers = machines.literals(behind, outputs)
        whole = said == (1 << len(inputs)) - 1 and answered == mask
        known(whole, f"the trace does not say all values at step {place}")
        trace.append((given, answers))
    kept: dict[int, set[int]] = {}
    edges = machine.edges.values() if "kept" in like else ()
    for _, answers, to in (edge for row in edges for edge in row):
        kept.setdefault(answers, set()).add(to)
    question = Question(like, machine, trace, mask, [], "", -1, kept)
    told = {"last": str(len(trace) - 1)}
    if "literals" in parts:
        question = _with_effect(question, parts["literals"], told)
    count = len(question.effect) if "one" in like else min(len(question.effect), 1)
    fit = [len(like & kinds) for kinds in _KINDS] == [1, 1, count]
    so = all(parts.get(name, text) == text for name, text in told.items())
    known(fit and so, "the prompt does not say of its trace and effect what is so")
    return question


def _with_effect(question: Question, listed: str, told: dict[str, str]) -> Question:
    """Return a question with its effect; adds what the prompt has to say of it."""
    machine, found = question.machine, re.findall(words.told("tempobench")["literal"], listed)
    fit = [o in machine.outputs and int(s) < len(question.trace) for o, _, s in found]
    known(found and all(fit), "the effect is of no output, or at no step of the trace")
    effect = [(int(s), machine.outputs.index(o), value == "true") for o, value, s in found]
    signs = [f"{'X' * int(s)} {'!' * (value == 'false')}{o}".lstrip() for o, value, s in found]
    name = (" | " if "or" in question.like else " & ").join(signs)
    question = question._replace(effect=effect, name=name, last=max(step for step, _, _ in effect))
    output, value, _ = found[0]
    told["literals"] = "; ".join(f"output {o} is {v} at step {s}" for o, v, s in found)
    told |= {"effect": name, "output": output, "step": str(question.last)}
    told["other"] = _TRUTH[value == "false"]
    if "told" in question.like:
        told["otherwise"] = "\n".join(_otherwise(question, output))
    return question


def _otherwise(question: Question, output: str) -> Iterator[str]:
    """Yield what a narrative says of each input of each step, flipped alone: no outputs are kept."""
    case = cases(question._replace(kept={}))[0]
    width, value = len(case.machine.inputs), case.effect[0][2]
    for bit in range(width * (case.last + 1)):
        step, place = divmod(bit, width)
        broken = case.breaks(1 << bit)
        after = f"{output} would have been {_TRUTH[value is not broken]} at step {case.last}"
        if "joined" in case.like:
            after = f"the effect would {'not ' if broken else ''}have come"
        opposite = _TRUTH[not case.trace[step][0] >> place & 1]
        same = "" if broken else " all the same"
        yield f"If {case.machine.inputs[place]} had been {opposite} at step {step}, {after}{same}."


def _literals(names: list[str], values: int) -> str:
    return " and ".join(name if values >> n & 1 else f"!{name}" for n, name in enumerate(names))


def _run(question: Question) -> dict[str, Any]:
    """Return the run, as tte and sim ask for it."""
    machine, state = question.machine, question.machine.start
    right: dict[str, Any] = {}
    for place, (given, shown) in enumerate(question.trace):
        outputs, to = machine.step(state, given)
        if (outputs ^ shown) & question.shown:
            return {**right, "accepted": "no"}
        step = {"current state": state, "defining inputs": _literals(machine.inputs, given)}
        if "sim" in question.like:
            step["outputs"] = _literals(machine.outputs, outputs)
        right[f"step_{place}"] = {**step, "next state": to}
        state = to
    return right if "sim" in question.like else {**right, "accepted": "yes"}


def _stated(case: Question, clauses: list[int]) -> dict[str, Any]:
    """Return clauses as the answer states them."""
    steps: dict[str, list[str]] = {str(step): [] for step in range(case.last + 1)}
    across: list[list[str]] = []
    for clause in clauses:
        width, length = len(case.machine.inputs), clause.bit_length()
        found = [divmod(bit, width) for bit in range(length) if clause >> bit & 1]
        signs = ["" if case.trace[step][0] >> place & 1 else "!" for step, place in found]
        literals = [sign + case.machine.inputs[n] for sign, (_, n) in zip(signs, found)]
        if found[0][0] == found[-1][0]:
            steps[str(found[0][0])].append(" or ".join(literals))
        else:
            across.append([f"{step}:{literal}" for (step, _), literal in zip(found, literals)])
    known("apart" not in case.like or not across, "the prompt says that no clause is across steps")
    listed = {step: made or ["no constraints"] for step, made in steps.items()}
    more = {"cross_step_clauses": {case.name: across}} if "across" in case.like else {}
    return {case.name: listed, **more}


def cases(question: Question) -> list[Question]:
    """Return the question for each state that is possible at step 0, with all outputs in the trace."""
    machine = question.machine
    possible = []
    for start in sorted(machine.edges) if "unknown" in question.like else [machine.start]:
        state, trace = start, []
        for given, _ in question.trace:
            outputs, state = machine.step(state, given)
            trace.append((given, outputs))
        case = question._replace(machine=machine._replace(start=start), trace=trace)
        same = [(a ^ b) & question.shown == 0 for (_, a), (_, b) in zip(trace, question.trace)]
        if all(same) and not case.breaks(0):
            possible.append(case)
    one = len(possible) == 1 or (possible and not question.kept)
    known(one, "the trace with the effect is not what the machine does from one state")
    return possible


def proved(case: Question, table: Table) -> list[int]:
    """Return the minimal breaking sets, once the table of the theorem has been checked."""
    clauses = table[0][case.machine.start]
    proven(all(case.breaks(clause) for clause in clauses), "a clause does not break the effect")
    alone = sum(a & b == a for a in clauses for b in clauses) == len(clauses)
    proven(alone, "a clause contains another one, or stands twice")
    work = sum(map(len, table)) << len(case.machine.inputs)
    for step, row in enumerate(table):
        for state, sets in row.items():
            for whole in breaking(case, table, step, state):
                work += len(sets)
                known(work <= MAX_WORK, f"the table needs more than {MAX_WORK} comparisons")
                proven(
                    any(one & whole == one for one in sets), f"flips at step {step} contain no set"
                )
    return clauses


def breaking(case: Question, table: Table, step: int, state: int) -> Iterator[int]:
    """Yield what has to contain a set of a state at a step: flips of the step with each set of what they lead to."""
    width = len(case.machine.inputs)
    for flips in range(1 << width):
        outputs, ends = case.move(step, state, flips)
        broken = case.broken(step, outputs)
        if broken:
            yield flips << step * width
        elif broken is None:
            for to in ends:
                yield from (later | flips << step * width for later in table[step + 1][to])
