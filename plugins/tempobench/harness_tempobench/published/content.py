"""From a published prompt or record to our problem, every convention spelled out.

Published machines need not be complete, nor determined in their outputs; ours are. What the text leaves
open is settled as the trace itself settles it where it comes by, and by `hoa.read`'s conventions
elsewhere: the least outputs, and a loop with all outputs false where there is no edge. So the run and
whether it is accepted are those of the text's own edges; causes may depend on it, and ``findings`` say so.

In a prompt the last automaton, trace and question count; all is found by headings, in linear time. The worked
example before the question has the same headings; only `gives_away` looks at it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from harness_answers.text import quoted

from harness import DatasetError
from harness_tempobench import hoa, hoa_open
from harness_tempobench import problem as problems
from harness_tempobench.errors import TempobenchError
from harness_tempobench.hoa import Opened
from harness_tempobench.machine import Machine
from harness_tempobench.published import text
from harness_tempobench.published.text import Step
from harness_tempobench.wording import MAX_PROMPT

MAX_KEPT = 200_000  # characters of a machine's text that stays in memory


@dataclass(frozen=True, slots=True)
class Content:
    """What a record states: the texts of machine, trace and effects, and the propositions it lists."""

    task: str
    hoa: str
    trace: str
    effects: tuple[str, ...] = ()
    aps: tuple[str, ...] | None = None


@dataclass(slots=True)
class Formal:
    """A problem in our form, and what was settled to get it.

    Attributes:
        problem: see CONTRACT.md; of causes without ``label``.
        machine: the one of the problem.
        findings: what was settled by convention, or is said in two ways.
        open: whether the machine's text leaves anything open.
        effects: how many effects are named.
    """

    problem: dict[str, Any]
    machine: Machine
    findings: list[str] = field(default_factory=list)
    open: bool = False
    effects: int = 1


def formal(content: Content) -> Formal:
    """Return the problem that a record states.

    Raises `DatasetError`: one line: what cannot be understood, or has no answer.
    """
    try:
        opened = (_kept if len(content.hoa) <= MAX_KEPT else hoa.read_open)(content.hoa)
        stated = _formal(content, opened)
    except TempobenchError as error:
        raise DatasetError(str(error)) from None
    if content.task == "tce":
        _ask(stated, content)
    return stated


_kept = lru_cache(maxsize=8)(hoa.read_open)
_gaps = lru_cache(maxsize=8)(hoa_open.gaps)


def _formal(content: Content, opened: Opened) -> Formal:
    findings = _listed(content, opened.machine)
    steps, cycle = text.trace(content.trace)
    if not cycle:
        findings.append("the trace does not end in cycle{1}")
    letters, masks = _words(opened.machine, steps, findings)
    states, stop = hoa_open.follow(opened, letters, masks)
    if stop is not None and content.task == "tce":
        raise DatasetError(
            f"trace, step {stop}: the machine has no such step in state {states[-1]}, so nothing caused it"
        )
    machine = _settled(opened.machine, states, letters, masks, stop)
    missing, several = (_gaps if len(content.hoa) <= MAX_KEPT else hoa_open.gaps)(opened)
    findings += _conventions(missing, several)
    trace = problems.trace(machine, letters, masks)
    problem = {"task": content.task, "hoa": hoa.write(machine), "trace": trace}
    return Formal(problem, machine, findings, bool(missing or several))


def _listed(content: Content, machine: Machine) -> list[str]:
    """Return how the list of propositions differs from the machine's."""
    if content.aps is None or set(content.aps) == set(machine.propositions):
        return []
    return [
        f"the propositions listed are {quoted(', '.join(content.aps), 80)}, "
        f"those of the machine {quoted(', '.join(machine.propositions), 80)}"
    ]


def _words(
    machine: Machine, steps: Sequence[Step], findings: list[str]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    known, short = frozenset(machine.propositions), None
    for number, step in enumerate(steps):
        if unknown := sorted(step.keys() - known):
            raise DatasetError(
                f"trace, step {number}: {quoted(unknown[0])} is no proposition of the machine"
            )
        if short is None and len(step) < len(known):
            short = number
    if short is not None:
        missing = min(known - steps[short].keys())
        findings.append(
            f"trace, step {short}: nothing is said of {quoted(missing)}, which is read as false"
        )
    return problems.steps(
        machine, [[name for name, is_true in s.items() if is_true] for s in steps]
    )


def _settled(
    machine: Machine,
    states: Sequence[int],
    letters: Sequence[int],
    masks: Sequence[int],
    stop: int | None,
) -> Machine:
    """Return the machine that answers as the trace does wherever the trace comes by.

    Raises `DatasetError`: the trace answers the same inputs in the same state in two ways.
    """
    cells: dict[tuple[int, int], tuple[int, int]] = {}
    first: dict[tuple[int, int], int] = {}
    for step, following in enumerate(states[1:]):
        place, cell = (states[step], letters[step]), (following, masks[step])
        if cells.setdefault(place, cell) != cell:
            raise DatasetError(
                f"trace, steps {first[place]} and {step}: state {place[0]} answers the same inputs in two "
                "ways, which its open outputs allow; a machine with determined outputs is due"
            )
        first.setdefault(place, step)
    if stop is not None:
        place = (states[-1], letters[stop])
        target, mask = cells.get(place) or machine.table[place[0]][place[1]]
        # no edge there: the loop that stands for none must not take the step after all
        cells[place] = (target, mask ^ (mask == masks[stop]))
    changed = {place for place, cell in cells.items() if machine.table[place[0]][place[1]] != cell}
    if not changed:
        return machine
    table = list(machine.table)
    for state in {place[0] for place in changed}:
        table[state] = tuple(
            cells.get((state, letter), cell) for letter, cell in enumerate(table[state])
        )
    return Machine(machine.inputs, machine.outputs, machine.start, tuple(table))


def _conventions(missing: int, several: int) -> list[str]:
    findings = []
    if missing:
        findings.append(
            f"the machine is incomplete: {missing} pairs of state and inputs have no edge; they are read as loops"
            " with outputs that the trace has not"
        )
    if several:
        findings.append(
            f"the machine has open outputs: {several} pairs of state and inputs have several answers; the trace's "
            "own are taken where it comes by, the least ones elsewhere"
        )
    return findings


def _ask(formal: Formal, content: Content) -> None:
    """Add the effect to a problem."""
    if not content.effects:
        raise DatasetError("effects: there is none to analyse")
    formal.effects = len(content.effects)
    if formal.effects > 1:
        formal.findings.append(
            f"{len(content.effects)} effects are named; labels of this format explain the first one alone"
        )
    output, value, step = text.effect(content.effects[0], formal.machine.outputs)
    trace = formal.problem["trace"]
    if step >= len(trace):
        raise DatasetError(
            f"effect {quoted(content.effects[0])}: it is at step {step}, and the trace has {len(trace)} "
            "steps, numbered from 0"
        )
    if (output in trace[step]) is not value:
        raise DatasetError(
            f"effect {quoted(content.effects[0])}: it is not what the trace has at step {step}, "
            "so it has no cause"
        )
    formal.problem["effect"] = {"output": output, "value": value, "step": step}


_START = "Problem start:"
_MACHINE = "\nAutomaton:\n"
_END = "--END--"
_APS = re.compile(r"APs:?\s*+(\[[^\[\]]{0,20000}\])")
_TRACE = re.compile(r"\s*+Trace:[ \t]*+\n?([^\n]++)")
_EFFECTS = re.compile(r"Effects to analyze:\s*+(\[[^\[\]]{0,20000}\])")
_ACCEPTS = "Does the automaton accept this trace?"


def published(prompt: Any) -> bool:
    """Tell whether a text has the headings of a published prompt."""
    return isinstance(prompt, str) and _MACHINE in f"\n{prompt}" and "Task: " not in prompt[:6]


def read(prompt: str) -> dict[str, Any] | None:
    """Return the problem that a published prompt states, None if it cannot be understood; never raises."""
    if not published(prompt):
        return None
    try:
        problem = formal(of_prompt(prompt)).problem
    except DatasetError:
        return None
    return problem | ({"label": "per_step"} if problem["task"] == "tce" else {})


def of_prompt(prompt: str) -> Content:
    """Return the formal content of a published prompt.

    Raises `DatasetError`: the part that is missing.
    """
    if len(prompt) > MAX_PROMPT:
        raise DatasetError(f"prompt: more than {MAX_PROMPT:,} characters")
    asked = "\n" + prompt[max(0, prompt.rfind(_START)) :]
    before, machine, rest = _machine(asked)
    trace = _TRACE.match(rest)
    if trace is None:
        raise DatasetError("prompt: there is no line 'Trace:' with a trace after the automaton")
    effects = _EFFECTS.search(rest)
    if effects is None and _ACCEPTS not in rest:
        raise DatasetError("prompt: it asks for no effects, nor whether the trace is accepted")
    aps = _APS.search(before)
    return Content(
        task="tte" if effects is None else "tce",
        hoa=machine,
        trace=trace[1],
        effects=tuple(text.strings(effects[1], "prompt, effects")) if effects else (),
        aps=tuple(text.strings(aps[1], "prompt, APs")) if aps else None,
    )


def _machine(text: str) -> tuple[str, str, str]:
    """Return what is before the last automaton, its text, and what follows."""
    start = text.rfind(_MACHINE)
    if start < 0:
        raise DatasetError("prompt: there is no line 'Automaton:'")
    end = text.find(_END, start)
    if end < 0:
        raise DatasetError("prompt: the automaton has no '--END--'")
    end += len(_END)
    return text[:start], text[start + len(_MACHINE) : end].strip() + "\n", text[end:]


def gives_away(prompt: str) -> bool:
    """Tell whether the worked example of a published prompt is the problem itself."""
    if not published(prompt):
        return False
    example, begins, _ = prompt.rpartition(_START)
    asked, labelled, _ = example.rpartition("Label:")
    if not begins:
        return False
    try:
        return _key(of_prompt(prompt)) == _key(of_prompt(asked if labelled else example))
    except DatasetError:
        return False


def _key(parts: Content) -> tuple[str, ...]:
    return (parts.task, "".join(parts.hoa.split()), "".join(parts.trace.split()), *parts.effects)
