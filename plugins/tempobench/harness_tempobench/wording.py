"""The writer: from a formal problem to its prompt, which says all that the answer depends on.

Pure and deterministic; nothing in a prompt tells the answer. `harness_tempobench.reading` is the
inverse: what is said here and what is understood there are written out separately.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from harness_tempobench import problem as problems
from harness_tempobench import schema, wording_variants
from harness_tempobench.errors import TempobenchError
from harness_tempobench.notation import HoaForm, Notation, Wording, describe, shown
from harness_tempobench.targets import CROSSING, UNCONSTRAINED, Effect, effect_name, truth

MAX_PROMPT = 4_000_000
"""The longest prompt written or read, in characters."""

MAX_STEPS = 2_000
"""Steps that are kept as they are written, of each machine."""

MAX_SEEN = 200_000
"""The longest description, in characters, that is kept in memory for the next prompt."""

HEADERS = {
    "tce": "Task: find what caused an output of a machine.",
    "tte": "Task: follow a trace through a machine.",
    "sim": "Task: run a machine on given inputs.",
    "min": "Task: find the inputs that were necessary for an output of a machine.",
}
_MACHINE = (
    "The machine below is a Mealy machine. At each step it is in one state, and every input is true or false; "
    "the state and the inputs of a step decide which outputs are true at this step and which state comes next. "
    "Steps are counted from 0"
)
_KNOWN = ", and at step 0 the machine is in its initial state."
_UNKNOWN = (
    ", the first step that is shown. The trace is the end of a longer run, which began in the initial state; in "
    "which state the machine is at step 0 is not said. It can be any state from which the machine does what the "
    "whole trace says; for each of them the question has the same answer."
)
_QUOTES = (
    "Where a name is in double quotes, they are not part of it; write it in double quotes in the strings of your "
    'answer, too: "!\\"a b\\"" says that a b is false.'
)
_HOA = (
    'The machine is in HOA format. "Start" gives the initial state. "AP" gives the number of propositions (inputs '
    'and outputs) and, in double quotes, their names; the first one is number 0. "controllable-AP" gives the '
    'numbers of the outputs; the others are inputs. After "State: s", each line "[label] t" says: in state s, if the '
    "inputs fit the label, then the outputs are as the label says and the next state is t. In labels, {words}, ! is"
    " not, & is and, | is or; ! binds most, then &, then |, and parentheses group. The other lines before the first "
    "state do not matter. An input that is not mentioned can have any value. For each "
    "state and each combination of input values, exactly one line fits."
)
_HOA_WORDS = {"names": "propositions stand by name", "numbers": "propositions stand by number"}
_TABLE = (
    "The initial state is {start}. Each row of the table says: in this state, if the inputs fit, then "
    "the outputs are as given and this is the next state. A name alone means that it is true, ! before it that "
    'it is false, & is and; "or" stands between alternatives, and binds less than &; "any" means whatever the '
    "inputs. An input that is not mentioned can have any value. For each state and each combination of input "
    "values, exactly one row fits."
)
_PROSE = (
    'The initial state is {start}. In the description of the machine, ", or if" begins an alternative condition, '
    'which goes on to the next ", or if" or to ", then". An '
    "input that is not mentioned can have any value. For each state and each combination of input values, "
    "exactly one sentence fits."
)
_TRACE = (
    "Each line of the trace is one step: its number, the inputs, a slash, the outputs. A name alone means that "
    "it is true at that step, ! before it that it is false."
)
_INPUTS_GIVEN = (
    "Each numbered line below the machine is one step: its number and the inputs. A name alone means that it "
    "is true at that step, ! before it that it is false."
)
_GIVEN = "The trace is what the machine does when it is given these inputs."
_END = "End your reply with one line of this form:"
_LAST = "Answer: <the JSON object, all of it on this line>"

_EFFECT = (
    "Effect: output {output} is {value} at step {step}. In the answer, it is written as {key}: one X for each "
    "step before it, then the output, with ! before its name if it is false."
)
_LITERAL = (
    'A literal is an input with the value that it has in the trace at a step: its name if it is true there, "!"'
    " and its name if it is false."
)
_BREAKS = (
    "A set of literals, each at a step from 0 to {step}, breaks the effect if the following holds: run the "
    "machine again from {origin} with exactly the inputs of this set flipped at their steps (true "
    "instead of false, false instead of true) and all other inputs as in the trace; then output {output} is "
    "{other} at step {step}. States, other outputs, and this output at other steps may change, too. A minimal "
    "breaking set is a set that breaks the effect and has no proper subset that does. As long as at least one "
    "literal of each minimal breaking set stays as it is in the trace, the effect stays: this is its cause. If no "
    "set breaks the effect, no input could have prevented it."
)
_NEEDED = (
    "A literal at a step from 0 to {step} is necessary for the effect if the following holds: run the machine "
    "again from {origin} with this one input flipped at this step (true instead of false, false instead "
    "of true) and all other inputs, at all steps, as in the trace; then output {output} is {other} at step {step}. "
    "States, other outputs, and this output at other steps may change, too. State all literals that are necessary, "
    "and no others: leave out what breaks the effect only together with another input."
)
_NEEDED_FORM = (
    "State them as a JSON object. For each step from 0 to {step}, give the list of its necessary literals, each as "
    'a string. A step without a necessary literal gets ["{none}"]. For example, ["{a}", "!{b}"] would say that at '
    "a step two literals are necessary: {a}, true at that step, and {b}, false at it. The order does not matter."
)
_WITHIN = "In this problem, all literals of a minimal breaking set are at the same step."
_FORM = (
    "State the cause as a JSON object. For each step from 0 to {step}, give a list of strings: one for each "
    'minimal breaking set whose literals are all at this step, with its literals joined by " or ". A step '
    'without such sets gets ["{none}"]. For example, ["{a} or !{b}", "{c}"] would say that a step has two such '
    "sets: one is of {a}, true at that step, and {b}, false at it; the other one is {c} alone, true at it. The "
    "order of strings and of literals does not matter."
)
_CROSSING = (
    'Under "{key}", list the minimal breaking sets whose literals are at several steps, each as a list of '
    'strings "step:literal", such as ["0:{a}", "2:!{b}"], in any order; if there are none, the list is empty.'
)
_ACCEPTS = (
    "Run the machine from its initial state on the inputs of the trace. A step can be taken if the outputs that"
    " the machine gives at it are exactly those that the trace has there. If all steps can be taken, the trace is "
    "accepted; otherwise it is rejected, and the run ends before the first step that cannot be taken."
)
_RUN = (
    'State the run as a JSON object: first, for each step that is taken, from 0 on, in order, a key "step_" and'
    ' the number of the step, with the state at the step ("current state", a number), the inputs at the step '
    '("defining inputs") and the state after it ("next state", a number); then "accepted", which is "yes" or '
    '"no".'
)
_INPUTS = (
    "Defining inputs are all inputs, in the order of the list above, whether or not the machine depends on "
    'them: each one\'s name, with "!" before it if it is false, joined by " and ", such as "{a} and !{b}".'
)
_SIMULATED = (
    "Run the machine from its initial state on the inputs given for each step. State the run as a JSON object: for "
    'each step, from 0 to {last}, in order, a key "step_" and the number of the step, with the state at the step '
    '("current state", a number), the inputs at the step ("defining inputs"), the outputs at the step ("outputs") '
    'and the state after it ("next state", a number).'
)
_OUTPUTS = (
    'Outputs are written in the same way: all outputs in the order of the list above, each one\'s name, with "!" '
    'before it if it is false, joined by " and ".'
)
_NO_INPUTS = 'As the machine has no inputs, "defining inputs" is always "{none}".'


@dataclass(frozen=True, slots=True)
class _Frame:
    """What prompts about a machine have in common.

    Attributes:
        text: machine and trace explained, the machine described.
        words: of each input, then of each output that a trace has: the words for false and true.
        inputs: how many inputs there are.
        spare: three names that the machine does not have.
        told: whether the trace is told in sentences.
        steps: what was written of steps so far, by what is true at them.
    """

    text: str
    words: tuple[dict[str, tuple[str, str]], ...]
    spare: dict[str, str]
    told: bool
    steps: dict[tuple[str, ...], str] = field(default_factory=dict)


def write(
    problem: Mapping[str, Any], notation: Notation, hoa: HoaForm, wording: Wording = "formal"
) -> str:
    """Return the prompt of a valid problem (see CONTRACT.md), without a newline at the end.

    Args:
        problem: what is asked.
        notation: how the machine is described.
        hoa: of HOA text alone, whether its labels have names or numbers.
        wording: whether the trace is a list, or told in sentences together with what would have happened otherwise.

    Raises:
        TempobenchError: the prompt would be longer than `MAX_PROMPT`, or the HOA text is no machine.
    """
    text = problem["hoa"]
    task, given = problem["task"], problem["task"] == "sim"
    told = wording == "narrative"
    made = _kept if len(text) <= MAX_SEEN else _frame
    unknown, shown_outputs = "start" in problem, problem.get("shown")
    shown_outputs = None if shown_outputs is None else tuple(shown_outputs)
    frame = made(text, notation, hoa, given, told, unknown, shown_outputs)
    form = "At step %d, %s." if told else "%d: %s"
    trace = [form % (at, _step(tuple(step), frame)) for at, step in enumerate(problem["trace"])]
    if told and "effect" in problem:
        trace += ["", wording_variants.HEADING, *wording_variants.changes(problem)]
    prompt = "\n".join(
        [
            HEADERS[task],
            "",
            frame.text,
            "",
            "Inputs of each step:" if given else "Trace:",
            *trace,
            "",
            *_QUESTIONS[task](problem, frame),
            "JSON Schema of the object: " + schema.text(problem),
            _END,
            _LAST,
        ]
    )
    if len(prompt) > MAX_PROMPT:
        raise TempobenchError(
            f"prompt would have {len(prompt):,} characters, at most {MAX_PROMPT:,} can be read: "
            "take a smaller machine or a shorter trace"
        )
    return prompt


def _frame(
    text: str, notation: Notation, form: HoaForm, given: bool, told: bool, unknown: bool,
    outputs: tuple[str, ...] | None,
) -> _Frame:  # fmt: skip
    """Return what prompts about a machine share.

    ``given``: of those that give the inputs of a run alone; ``told``: those that tell the trace in sentences;
    ``unknown``: those that do not say in which state the machine is at step 0; ``outputs``: those that the trace
    shows, if not all.
    """
    machine = problems.engine(text).machine
    names = [[shown(name) for name in part] for part in (machine.inputs, machine.outputs)]
    rules = {
        "hoa": _HOA.replace("{words}", _HOA_WORDS[form]),
        "table": _TABLE.format(start=machine.start),
        "prose": _PROSE.format(start=machine.start),
    }
    quoted = any(word[0] == '"' for part in names for word in part)
    lines = [
        _MACHINE + (_UNKNOWN if unknown else _KNOWN),
        rules[notation],
        wording_variants.TOLD if told else _INPUTS_GIVEN if given else _TRACE,
        *([wording_variants.limited(outputs, unknown)] if outputs else []),
        *([_QUOTES] if quoted else []),
        "",
        "Inputs: " + (", ".join(names[0]) or "none"),
        "Outputs: " + ", ".join(names[1]),
        "",
        "Machine:",
        describe(machine, notation, form),
    ]
    groups = (machine.inputs, outputs or machine.outputs)[: 1 if given else 2]
    no = "not " if told else "!"
    words = ({name: (no + shown(name), shown(name)) for name in group} for group in groups)
    return _Frame("\n".join(lines), tuple(words), _spare(machine.propositions), told)


_kept = lru_cache(maxsize=256)(_frame)


def _spare(names: Sequence[str]) -> dict[str, str]:
    """Return three names for examples: with names of the machine they could be taken for a hint."""
    free = [letter for letter in "uvwxyzabcdefghijklmnopqrs" if letter not in names]
    free += [f"u{i}" for i in range(60) if f"u{i}" not in names]
    return dict(zip("abc", free, strict=False))


def _step(true: tuple[str, ...], frame: _Frame) -> str:
    """Return what is said of a step; kept, for the same ones come often."""
    told = frame.steps.get(true)
    if told is None:
        if len(frame.steps) >= MAX_STEPS:
            frame.steps.clear()
        join, none = (" and ", "none") if frame.told else (" & ", "-")
        parts = [
            join.join([pair[name in true] for name, pair in part.items()]) or none
            for part in frame.words
        ]
        told = wording_variants.step(parts) if frame.told else " / ".join(parts)
        frame.steps[true] = told
    return told


def _cause(problem: Mapping[str, Any], frame: _Frame) -> list[str]:
    effect, crossing, form = _words_of(problem), [], _object(problem["effect"])
    if problem["label"] == "full":
        form += f', "{CROSSING}": {{{_json(effect_name(problem["effect"]))}: [<lists of strings>]}}'
        crossing = [_CROSSING.format(key=CROSSING, **frame.spare)]
    return [
        *_asked(problem, effect, "What caused the effect?", frame.told),
        wording_variants.broken(problem, _BREAKS).format(**effect),
        *([] if crossing else [_WITHIN]),
        _FORM.format(none=UNCONSTRAINED, **effect, **frame.spare),
        *crossing,
        f"Form of the object: {form}}}",
    ]


def _necessary(problem: Mapping[str, Any], frame: _Frame) -> list[str]:
    effect = _words_of(problem)
    return [
        *_asked(problem, effect, "Which inputs were necessary for the effect?", frame.told),
        wording_variants.broken(problem, _NEEDED).format(**effect),
        _NEEDED_FORM.format(none=UNCONSTRAINED, **effect, **frame.spare),
        f"Form of the object: {_object(problem['effect'])}}}",
    ]


def _asked(
    problem: Mapping[str, Any], effect: Mapping[str, Any], question: str, told: bool
) -> list[str]:
    """Return the effect, a question about it, and what the answers to such questions are made of."""
    otherwise = [wording_variants.about_changes(problem)] if told else []
    several = "literals" in problem["effect"]
    said = (
        wording_variants.joined(problem["effect"], effect) if several else _EFFECT.format(**effect)
    )
    return [said, question, "", _GIVEN, *otherwise, _LITERAL]


def _words_of(problem: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the sentences about an effect need."""
    effect = problem["effect"]
    unknown = "start" in problem
    return {
        "origin": "the state that it is in at step 0" if unknown else "its initial state",
        "step": effect["step"],
        "output": shown(effect["output"]),
        "value": truth(effect["value"]),
        "other": truth(not effect["value"]),
        "key": _json(effect_name(effect)),
    }


def _object(effect: Effect) -> str:
    """Return the form of an answer about an effect, without its last bracket."""
    step = effect["step"]
    ends = (f'"{end}": [<strings>]' for end in sorted({0, step}))
    return f"{{{_json(effect_name(effect))}: {{{(', …, ' if step > 1 else ', ').join(ends)}}}"


def _run(problem: Mapping[str, Any], frame: _Frame) -> list[str]:
    return [
        "Does the machine accept the trace, and through which states does it go?",
        "",
        wording_variants.ACCEPTS_SHOWN if "shown" in problem else _ACCEPTS,
        f"{_RUN} {_inputs(frame)}",
        'Form of the object: {"step_0": {"current state": <number>, "defining inputs": "<literals>", '
        '"next state": <number>}, "step_1": <likewise>, …, "accepted": <"yes" or "no">}',
    ]


def _simulation(problem: Mapping[str, Any], frame: _Frame) -> list[str]:
    last = len(problem["trace"]) - 1
    return [
        "What does the machine do on these inputs?",
        "",
        _SIMULATED.format(last=last),
        f"{_inputs(frame)} {_OUTPUTS}",
        'Form of the object: {"step_0": {"current state": <number>, "defining inputs": "<literals>", '
        f'"outputs": "<literals>", "next state": <number>}}{", …" if last else ""}}}',
    ]


def _inputs(frame: _Frame) -> str:
    return (_INPUTS if frame.words[0] else _NO_INPUTS).format(none=UNCONSTRAINED, **frame.spare)


_QUESTIONS = {"tce": _cause, "tte": _run, "sim": _simulation, "min": _necessary}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
