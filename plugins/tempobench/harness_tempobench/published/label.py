"""Published labels and our targets: read, normalised, written.

A published cause has for each step a list of sentences, all of which hold; "AND" and "OR" in capitals or
not, symbols, parentheses are read by `constraint`, and become clauses. A published run names under
``defining inputs`` what is true at the step, outputs among it, or says "no inputs"; literals with ``!`` are
understood as well. What is wrong in a label stays wrong in the target: nothing is repaired here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, product
from typing import Any

from harness_answers.text import quoted

from harness import DatasetError
from harness_tempobench import constraint
from harness_tempobench.answers.score_gold import is_texts
from harness_tempobench.notation import shown
from harness_tempobench.published import text as published_text
from harness_tempobench.published.content import Formal
from harness_tempobench.targets import CROSSING, UNCONSTRAINED, effect_name, signed

MAX_TEXT = 1_000_000
MAX_CLAUSES = 2_000
MAX_DIGITS = 9

_FENCE = "```json"
_VERDICT = re.compile(r"accepted\W{1,6}(yes|no)\b", re.IGNORECASE)
_STEP = re.compile("step_(0|[1-9][0-9]{0,5})")
_INDEX = re.compile("0|[1-9][0-9]{0,5}")
_NO_INPUTS = ("no inputs", UNCONSTRAINED)
_KEYS = ("current state", "defining inputs", "next state")


@dataclass(frozen=True, slots=True)
class RunStep:
    """A step of a label: number, state, what is said of the inputs (None: nothing), next state."""

    number: int
    state: int
    literals: Mapping[str, bool]
    following: int


def fenced_json(label: str) -> dict[str, Any]:
    """Return the object in the JSON fence of a label.

    Raises `DatasetError`: there is none, or it is no object.
    """
    if len(label) > MAX_TEXT:
        raise DatasetError(f"label: more than {MAX_TEXT:,} characters")
    start = label.find(_FENCE)
    if start < 0:
        raise DatasetError("label: there is no ```json fence, which holds the answer")
    end = label.find("```", start + len(_FENCE))
    text = label[start + len(_FENCE) : None if end < 0 else end]
    try:
        answer = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        cut = " (the fence is not closed: cut off?)" if end < 0 else ""
        raise DatasetError(f"label: what is in the ```json fence is no JSON{cut}") from None
    if not isinstance(answer, dict) or not answer:
        raise DatasetError("label: the JSON is no object with an answer in it")
    return answer


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise DatasetError(f"label: {quoted(twice)} is given twice")
    return members


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def verdict(label: str) -> bool:
    """Return what the last "Accepted: Yes" or "Accepted: No" of a label says.

    Raises `DatasetError`: there is none.
    """
    verdicts = _VERDICT.findall(label)
    if not verdicts:
        raise DatasetError("label: it does not say 'Accepted: Yes' or 'Accepted: No'")
    return str(verdicts[-1]).lower() == "yes"


def cause(stated: Any, formal: Formal, full: bool) -> str:
    """Return the target that a published cause states; ``formal.findings`` get what is odd about it.

    Args:
        stated: by effect, by step, a list of sentences; ``cross_step_clauses`` beside it (our extension).
        formal: the problem.
        full: whether the target has cross-step clauses in any case.

    Raises:
        DatasetError: where the label is no cause.
    """
    key, by_step = _effect(stated, formal)
    steps = _steps(by_step, formal.problem["effect"]["step"], formal.findings)
    names = frozenset(formal.machine.propositions)
    clauses = {
        step: _sentences(step, sentences, names) or [UNCONSTRAINED]
        for step, sentences in steps.items()
    }
    answer: dict[str, Any] = {key: {str(step): clauses[step] for step in sorted(clauses)}}
    if full or CROSSING in stated:
        by_effect = stated.get(CROSSING, {key: []})
        crossing: Any = (
            next(iter(by_effect.values()), []) if isinstance(by_effect, Mapping) else None
        )
        if not isinstance(crossing, list) or not all(map(is_texts, crossing)):
            raise DatasetError(
                f"label: '{CROSSING}' is not {{{quoted(key)}: a list of lists of text}}"
            )
        answer[CROSSING] = {key: crossing}
    return json.dumps(answer, ensure_ascii=False)


def _effect(stated: Any, formal: Formal) -> tuple[str, Any]:
    """Return the effect that a label explains, and how; if it is the one asked about, as we name it."""
    if not isinstance(stated, Mapping) or not set(stated) - {CROSSING}:
        raise DatasetError("label: no effect is explained")
    effect = formal.problem["effect"]
    effects = {key: _named(key, formal) for key in stated if key != CROSSING}
    key = next((key for key, named in effects.items() if named == effect), next(iter(effects)))
    if len(effects) > 1:
        formal.findings.append(f"the label explains {len(effects)} effects; {quoted(key)} is taken")
    if effects[key] != effect:
        formal.findings.append(
            f"the label explains {quoted(key)}, and {quoted(effect_name(effect))} is asked about"
        )
        return key, stated[key]
    return effect_name(effect), stated[key]


def _named(key: str, formal: Formal) -> dict[str, Any] | None:
    try:
        output, value, step = published_text.effect(key, formal.machine.outputs)
    except DatasetError:
        return None
    return {"output": output, "value": value, "step": step}


def _steps(by_step: Any, last: int, findings: list[str]) -> dict[int, list[str]]:
    """Return the sentences of every step."""
    if not isinstance(by_step, Mapping):
        raise DatasetError(
            "label: an effect is explained by an object with a list of sentences for each step"
        )
    steps: dict[int, list[str]] = {}
    for key, sentences in by_step.items():
        if not _INDEX.fullmatch(key):
            raise DatasetError(f"label: {quoted(key)} is no step, a number from 0 on")
        listed = [sentences] if isinstance(sentences, str) else sentences
        if not is_texts(listed):
            raise DatasetError(f"label, step {key}: a list of sentences is due")
        steps[int(key)] = listed
    missing = [step for step in range(last + 1) if step not in steps]
    if missing:
        findings.append(f"the label has no step {missing[0]}, which is read as '{UNCONSTRAINED}'")
        steps |= {step: [] for step in missing}
    for step in [step for step in steps if step > last]:
        if {sentence.strip().lower() for sentence in steps[step]} <= {"", UNCONSTRAINED}:
            findings.append(f"the label has a step {step}, beyond the effect, without a constraint")
            del steps[step]
    return steps


def _sentences(step: int, sentences: Iterable[str], names: frozenset[str]) -> list[str]:
    """Return one string for each clause that the sentences of a step state."""
    formulas = [formula_of(f"step {step}", sentence, names) for sentence in sentences]
    clauses = [clause for formula in formulas for clause in _clauses(formula)]
    return [" or ".join(signed(*literal) for literal in clause) or "false" for clause in clauses]


def formula_of(where: str, sentence: str, names: Collection[str]) -> constraint.Formula:
    """Return the formula of a sentence, which stands somewhere in a label.

    Raises `DatasetError`: it is none.
    """
    try:
        return constraint.parse(sentence, names)
    except constraint.ConstraintError as error:
        raise DatasetError(f"label, {where}: {error}") from None


def _clauses(formula: constraint.Formula) -> list[tuple[tuple[str, bool], ...]]:
    """Return the clauses of a formula, in its own order; those of an "or" over "and" multiplied out."""
    kind, *parts = formula
    if kind == "literal":
        return [((parts[0], parts[1]),)]
    if kind == "true":
        return []
    if kind == "false":
        return [()]
    below = [_clauses(part) for part in parts]
    if kind == "and":
        clauses = [clause for part in below for clause in part]
    else:
        size = 1
        for part in below:
            size *= len(part)
            if size > MAX_CLAUSES:
                raise DatasetError("label: a sentence has too many alternatives")
        clauses = [tuple(dict.fromkeys(chain.from_iterable(choice))) for choice in product(*below)]
    if len(clauses) > MAX_CLAUSES:
        raise DatasetError("label: a sentence has too many parts")
    return clauses


def run_steps(stated: Mapping[str, Any], formal: Formal) -> list[RunStep]:
    """Return the steps of a published run.

    Raises `DatasetError`: where the label is none.
    """
    steps = []
    for key, step in stated.items():
        number = _STEP.fullmatch(key)
        if number is None:
            raise DatasetError(f"label: {quoted(key)} is no step, such as 'step_0'")
        if not isinstance(step, Mapping) or set(step) != set(_KEYS):
            raise DatasetError(f"label, {key}: an object with {', '.join(_KEYS)} is due")
        inputs = step["defining inputs"]
        if not isinstance(inputs, str):
            raise DatasetError(f"label, {key}: 'defining inputs' is not text")
        state, following = (_state(key, step[name]) for name in ("current state", "next state"))
        steps.append(RunStep(int(number[1]), state, _literals(key, inputs, formal), following))
    return steps


def _state(key: str, value: Any) -> int:
    text = str(value)
    if isinstance(value, bool) or not text.isascii() or not text.isdigit():
        raise DatasetError(f"label, {key}: {quoted(text)} is no number of a state")
    if len(text) > MAX_DIGITS:
        raise DatasetError(f"label, {key}: a state of {len(text)} digits")
    return int(text)


def _literals(key: str, text: str, formal: Formal) -> dict[str, bool]:
    names = formal.machine.propositions
    if text.strip().lower() in _NO_INPUTS and text.strip() not in names:
        return {}
    formula = formula_of(key, text, names)
    parts = formula[1:] if formula[0] in ("and", "true") else (formula,)
    literals: dict[str, bool] = {}
    for part in parts:
        if part[0] != "literal" or literals.setdefault(part[1], part[2]) is not part[2]:
            raise DatasetError(f"label, {key}: {quoted(text, 60)} is no set of propositions")
    return literals


def run(steps: Sequence[RunStep], accepted: bool, formal: Formal, with_outputs: bool) -> str:
    """Return the target that a published run states.

    Inputs that are not said to be true are false. Outputs are left out where they are those of the trace.

    Args:
        steps: of the label.
        accepted: its verdict.
        formal: the problem.
        with_outputs: whether outputs that are not said to be true are said to be false.
    """
    spoken = with_outputs or speaks_of_outputs(steps, formal)
    answer: dict[str, Any] = {}
    for step in steps:
        answer[f"step_{step.number}"] = {
            "current state": step.state,
            "defining inputs": _inputs(step, formal, spoken),
            "next state": step.following,
        }
    return json.dumps(answer | {"accepted": "yes" if accepted else "no"}, ensure_ascii=False)


def speaks_of_outputs(steps: Iterable[RunStep], formal: Formal) -> bool:
    """Tell whether a label names an output at any step."""
    outputs = frozenset(formal.machine.outputs)
    return any(name in outputs for step in steps for name in step.literals)


def _inputs(step: RunStep, formal: Formal, spoken: bool) -> str:
    machine, trace = formal.machine, formal.problem["trace"]
    true = trace[step.number] if step.number < len(trace) else ()
    literals = [(name, step.literals.get(name, False)) for name in machine.inputs]
    if spoken:
        values = [(name, step.literals.get(name, False)) for name in machine.outputs]
        literals += [(name, value) for name, value in values if value is not (name in true)]
    known = set(machine.propositions)
    literals += [(name, value) for name, value in step.literals.items() if name not in known]
    return " and ".join(signed(name, value) for name, value in literals) or UNCONSTRAINED


def hoax_steps(text: str, aps: Sequence[str] = ()) -> list[RunStep]:
    """Return the steps of a raw record's run; propositions by number are those that ``aps`` lists.

    Raises `DatasetError`: a line that is no step.
    """
    steps = []
    for number, (state, true, following) in enumerate(published_text.hoax(text)):
        names = [_name(word, aps) for word in true]
        steps.append(RunStep(number, state, dict.fromkeys(names, True), following))
    return steps


def _name(word: str, aps: Sequence[str]) -> str:
    index = int(word) if word.isascii() and word.isdigit() and len(word) <= MAX_DIGITS else None
    return word if word in aps or index is None or index >= len(aps) else aps[index]


def answer_of(target: str) -> dict[str, Any]:
    """Return a target as JSON."""
    answer = json.loads(target)
    if not isinstance(answer, dict):
        raise DatasetError("the item's target is no object")
    return answer


def steps_of(answer: Mapping[str, Any]) -> dict[int, dict[str, Any]]:
    """Return the steps of the target of a run, by number."""
    return {int(key[5:]): dict(step) for key, step in answer.items() if _STEP.fullmatch(key)}


def write_cause(target: str) -> str:
    """Return the label of a prebuilt record that states this cause."""
    answer = answer_of(target)
    name = next(key for key in answer if key != CROSSING)
    text = json.dumps(answer, indent=2, ensure_ascii=False)
    return f"Causal constraints of the effect {name}:\n\n{_FENCE}\n{text}\n```"


def write_run(target: str, trace: Sequence[Sequence[str]] | None) -> str:
    """Return the label of a prebuilt record that states this run.

    ``target``: our target; ``trace``: the true propositions of each step, if ``defining inputs``
    are to be these.
    """
    answer = answer_of(target)
    accepted = answer.pop("accepted") == "yes"
    if trace is not None:
        for number, step in steps_of(answer).items():
            true = sorted(trace[number]) if number < len(trace) else []
            step["defining inputs"] = " and ".join(map(shown, true)) or "no inputs"
            answer[f"step_{number}"] = step
    sentences = [
        f"State {step['current state']}, {step['defining inputs']}: next state {step['next state']}."
        for step in steps_of(answer).values()
    ]
    text = json.dumps(answer, indent=4, ensure_ascii=False)
    verdict = "Accepted: Yes" if accepted else "Accepted: No"
    return "\n".join([*sentences, "", f"{_FENCE}\n{text}\n```", "", verdict])
