"""Items of tempobench: the machine is run anew; of a cause, that no clause is missing is proved by a table.

Runs (tte, sim) and single flips (min) are computed here, and need no certificate.

**Theorem (tce).** A set of flips is a set of inputs at steps up to that of the effect. Let a table have, for
steps and states, lists of sets of flips, such that the machine's initial state is in it at step 0, and for each
of its states at a step and each way to flip inputs of this step

1. at the step of the effect: if the output has the other value then, the flips contain a set of the list;
2. before it: the next state is in the table at the next step, and for each set of its list, that set with the
   flips of this step contains a set of this list.

Then each set of flips that breaks the effect contains a set of the list of the initial state. If each set of
that list breaks the effect, and none contains another, they are exactly the minimal breaking sets.
docs/proofs.md has the proof. A set of flips is a number: bit step · inputs + i is the i-th input at the step.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from harness_proof import tempobench_words as words
from harness_proof.machines import Machine, values_of
from harness_proof.machines import read as machine_of
from harness_proof.outcomes import RefutedError, UncheckedError

MAX_WORK = 5_000_000
"""Comparisons of sets in one table."""

MAX_INPUTS = 12
_NO = "no constraints"
# The parts of a prompt in their order: what stands before each, and behind it.
_PARTS = (
    ("task", "Task: ", "\n"), ("inputs", "\nInputs: ", "\n"), ("outputs", "Outputs: ", "\n"),
    ("machine", "\nMachine:\n", "--END--"), ("heading", "\n\n", ":\n"), ("trace", "", "\n\n"),
    ("form", "\nForm of the object: ", "\n"), ("schema", "JSON Schema of the object: ", "\n"),
)  # fmt: skip
_EFFECT = re.compile(r"Effect: output (\S{1,100}) is (true|false) at step (\d{1,3})\.")

Table = list[dict[int, list[int]]]
"""For each step and state the sets of flips, one of which each set that breaks the effect from there on contains."""


class Question(NamedTuple):
    """What a prompt asks; ``trace`` has inputs and outputs of each step, ``effect`` output, value and step."""

    kind: str
    machine: Machine
    trace: list[tuple[int, int]]
    effect: tuple[int, bool, int] | None
    name: str


def check(prompt: str, target: str, proof: Any) -> None:
    """Check an item's label.

    Raises:
        RefutedError: the certificate does not prove it.
        UncheckedError: the prompt is not in the words that we know, or the certificate is too large.
    """
    question = read(prompt)
    if question.effect is None:
        right: Any = _run(question)
    else:
        clauses = _necessary(question) if question.kind == "min" else _proved(question, proof)
        right = _stated(question, clauses)
    if json.loads(target) != right and _sorted(json.loads(target)) != _sorted(right):
        raise RefutedError("the target is another one")


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted(part) for key, part in value.items()}
    if isinstance(value, list):
        return sorted((_sorted(part) for part in value), key=repr)
    return " or ".join(sorted(value.split(" or "))) if isinstance(value, str) else value


# ------------------------------------------------------------------------------ the prompt


def read(prompt: str) -> Question:
    """Return what a prompt asks.

    Raises:
        UncheckedError: it is not in the words that we know.
    """
    parts = _parts(prompt)
    kind = {task: kind for kind, task in words.TASKS.items()}.get(parts["task"], "")
    if kind == "tce" and "cross_step_clauses" not in parts["form"]:
        kind = "tce per step"
    machine = machine_of(parts["machine"])
    names = (machine.inputs, machine.outputs)
    if [parts["inputs"], parts["outputs"]] != [*map(", ".join, names)]:
        raise UncheckedError("the names of inputs and outputs do not fit together")
    if len(machine.inputs) > MAX_INPUTS:
        raise UncheckedError(f"the machine has more than {MAX_INPUTS} inputs")
    lines = parts["trace"].split("\n")
    trace = [_line(place, line, machine, kind) for place, line in enumerate(lines)]
    effect = None
    parts["last"] = str(len(trace) - 1)
    if parts["output"]:
        value, step = parts["value"] == "true", int(parts["step"])
        if parts["output"] not in machine.outputs or step >= len(trace):
            raise UncheckedError("the effect is of no output, or at no step of the trace")
        effect = (machine.outputs.index(parts["output"]), value, step)
        sign = f"{' ' if step else ''}{'' if value else '!'}"
        parts |= {
            "other": "false" if value else "true",
            "effect": "X" * step + sign + parts["output"],
        }
    asked = kind.startswith("tce") or kind == "min"
    if not kind or asked is (effect is None) or words.prompt(kind, parts) != prompt:
        raise UncheckedError("the prompt is not in the words that we know")
    return Question(kind, machine, trace, effect, parts.get("effect", ""))


def _parts(prompt: str) -> dict[str, str]:
    """Return the parts of a prompt; those of an effect are empty where none is asked about."""
    parts: dict[str, str] = {}
    left = prompt
    effect = None
    for name, begin, end in _PARTS:
        left = left.partition(begin)[2] if begin else left
        parts[name], found, left = left.partition(end)
        if not found:
            raise UncheckedError("the prompt is not in the words that we know")
        effect = _EFFECT.match(left) if name == "trace" else effect
    parts["machine"] += "--END--"
    parts.update(zip(("output", "value", "step"), effect.groups() if effect else ("", "", "")))
    return parts


def _line(place: int, line: str, machine: Machine, kind: str) -> tuple[int, int]:
    """Return inputs and outputs of a line of the trace; where only inputs are given, there are no outputs."""
    given, _, shown = line.removeprefix(f"{place}: ").partition(" / ")
    found = []
    for text, names in ((given, machine.inputs), (shown, machine.outputs)):
        values = values_of(text or "t", names, " & ")
        if list(values) != (names if text or kind != "sim" else []):
            raise UncheckedError(f"this line of the trace does not say all values: {line[:80]}")
        found.append(sum(value << number for number, value in enumerate(values.values())))
    return found[0], found[1]


# ------------------------------------------------------------------------------- the labels


def _literals(names: list[str], values: int) -> str:
    return " and ".join(
        name if values >> place & 1 else f"!{name}" for place, name in enumerate(names)
    )


def _run(question: Question) -> dict[str, Any]:
    """Return the run, as tte and sim ask for it."""
    machine, state = question.machine, question.machine.start
    right: dict[str, Any] = {}
    for place, (given, shown) in enumerate(question.trace):
        outputs, to = machine.step(state, given)
        if question.kind == "tte" and outputs != shown:
            return {**right, "accepted": "no"}
        step: dict[str, Any] = {
            "current state": state,
            "defining inputs": _literals(machine.inputs, given),
        }
        if question.kind == "sim":
            step["outputs"] = _literals(machine.outputs, outputs)
        right[f"step_{place}"] = {**step, "next state": to}
        state = to
    return right if question.kind == "sim" else {**right, "accepted": "yes"}


def _breaks(question: Question, flips: int) -> bool:
    """Tell whether the output has the other value once inputs are flipped; with none the trace has to come out."""
    machine, state = question.machine, question.machine.start
    output, value, step = question.effect or (0, False, 0)
    trace = question.trace[: step + 1] if flips else question.trace
    for place, (given, shown) in enumerate(trace):
        width = len(machine.inputs)
        outputs, to = machine.step(state, given ^ (flips >> place * width & (1 << width) - 1))
        if not flips and outputs != shown:
            raise UncheckedError(f"the machine does something else at step {place} than the trace")
        if place == step and (outputs >> output & 1) != value:
            return True
        state = to
    return False


def _necessary(question: Question) -> list[int]:
    _, _, step = question.effect or (0, False, 0)
    if _breaks(question, 0):
        raise UncheckedError("the trace does not have the effect")
    bits = len(question.machine.inputs) * (step + 1)
    return [1 << bit for bit in range(bits) if _breaks(question, 1 << bit)]


def _proved(question: Question, proof: Any) -> list[int]:
    """Return the minimal breaking sets, once the table of the theorem has been checked."""
    table: Table = [
        {int(state): list(sets) for state, sets in row.items()} for row in proof["table"]
    ]
    clauses = table[0][question.machine.start]
    if _breaks(question, 0) or not all(_breaks(question, clause) for clause in clauses):
        raise RefutedError("the trace does not have the effect, or a clause does not break it")
    if len({*clauses}) < len(clauses) or any(a & b == a != b for a in clauses for b in clauses):
        raise RefutedError("a clause contains another one, or stands twice")
    work = sum(map(len, table)) << len(question.machine.inputs)
    for place, row in enumerate(table):
        for state, sets in row.items():
            for whole in broken(question, table, place, state):
                work += len(sets)
                if work > MAX_WORK:
                    raise UncheckedError(f"the table needs more than {MAX_WORK} comparisons")
                if not any(one & whole == one for one in sets):
                    raise RefutedError(f"flips at step {place} contain no set of the table")
    return clauses


def broken(question: Question, table: Table, place: int, state: int) -> Iterator[int]:
    """Yield what has to contain a set of a state at a step: flips of the step with each set of what they lead to."""
    output, value, last = question.effect or (0, False, 0)
    width = len(question.machine.inputs)
    for flips in range(1 << width):
        outputs, to = question.machine.step(state, question.trace[place][0] ^ flips)
        if place < last:
            yield from (later | flips << place * width for later in table[place + 1][to])
        elif (outputs >> output & 1) != value:
            yield flips << place * width


def _stated(question: Question, clauses: list[int]) -> dict[str, Any]:
    """Return clauses as the answer states them."""
    machine = question.machine
    _, _, last = question.effect or (0, False, 0)
    steps: dict[str, list[str]] = {str(step): [] for step in range(last + 1)}
    across: list[list[str]] = []
    for clause in clauses:
        literals = []
        for bit in range(clause.bit_length()):
            step, place = divmod(bit, len(machine.inputs))
            if clause >> bit & 1:
                sign = "" if question.trace[step][0] >> place & 1 else "!"
                literals.append((str(step), sign + machine.inputs[place]))
        if len({step for step, _ in literals}) == 1:
            steps[literals[0][0]].append(" or ".join(literal for _, literal in literals))
        else:
            across.append([f"{step}:{literal}" for step, literal in literals])
    if question.kind == "tce per step" and across:
        raise UncheckedError("the prompt says that no clause is across steps, and one is")
    right: dict[str, Any] = {question.name: {step: made or [_NO] for step, made in steps.items()}}
    if question.kind == "tce":
        right["cross_step_clauses"] = {question.name: across}
    return right
