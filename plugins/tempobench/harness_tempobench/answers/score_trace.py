"""Judge a stated run against the true one: steps, states, inputs, accepted or not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from harness_answers.kept import kept
from harness_answers.text import quoted

from harness import Item
from harness_tempobench import targets
from harness_tempobench.answers.score_explain import true as holds
from harness_tempobench.answers.score_explain import written as as_text
from harness_tempobench.answers.score_gold import (
    BrokenItemError,
    Counts,
    Judged,
    case_of,
    target_of,
)
from harness_tempobench.constraint import TRUE, Formula, conjunction
from harness_tempobench.equivalence import MAX_VARIABLES, compare
from harness_tempobench.formulas import Literal, at_step, check_size, conjuncts, nodes
from harness_tempobench.problem import Case

if TYPE_CHECKING:
    from harness_tempobench.answers.extraction import StatedRun, StatedStep

_SHOWN = 1_000


@dataclass(frozen=True, slots=True)
class Gold:
    """The true run: the states of the steps that are taken, one more than those, and whether all are.

    ``accepted`` is None where that is not asked, but the outputs of each step are.
    """

    case: Case
    states: tuple[int, ...]
    accepted: bool | None

    @property
    def steps(self) -> int:
        """How many steps are taken."""
        return len(self.states) - 1

    def inputs(self, step: int) -> frozenset[Literal]:
        """Return the literals of all inputs at a step that is taken."""
        return _inputs_of(self)[step]

    def outputs(self, step: int) -> dict[tuple[int, str], bool]:
        """Return the value of each output at a step, where outputs are asked for."""
        mask, names = self.case.masks[step], self.case.machine.outputs
        asked = self.accepted is None
        return {(step, name): bool(mask >> i & 1) for i, name in enumerate(names) if asked}

    def moves(self) -> set[tuple[int, int]]:
        """Return (step, next state) of all steps taken."""
        return set(enumerate(self.states[1:]))


@kept
def _inputs_of(gold: Gold) -> tuple[frozenset[Literal], ...]:
    """Return the literals of all inputs at each step that is taken."""
    return tuple(
        frozenset((*pair, value) for pair, value in gold.case.inputs_at(step).items())
        for step in range(gold.steps)
    )


@kept
def _literals_of(gold: Gold) -> set[Literal]:
    """Return the literals of all steps taken: the inputs', or the outputs' where these are asked for."""
    if gold.accepted is None:
        steps = range(gold.steps)
        return {(*pair, value) for step in steps for pair, value in gold.outputs(step).items()}
    return set().union(*_inputs_of(gold))


@kept
def gold_of(item: Item) -> Gold:
    """Return the true run of an item, taken anew on its machine.

    Raises:
        HarnessError: the item is damaged, or its target is none of its problem's.
    """
    case = case_of(item)
    states, accepted = case.run()
    simulated = item.problem["task"] == "sim"
    if target_of(item) != json.loads(case.run_target(simulated)):
        raise BrokenItemError("the item's target is not the run of its machine on its trace")
    return Gold(case, states, None if simulated else accepted)


# ------------------------------------------------------------------------------------- judging


def judge(gold: Gold, stated: StatedRun) -> Judged:
    """Judge what an answer states.

    Raises:
        TooLargeError: it is too large to be compared with the true run.
    """
    steps = {step: claim for step, claim in stated.steps.items() if _says(claim)}
    inputs = {step: claim.inputs or TRUE for step, claim in steps.items()}
    outputs = {step: claim.outputs or TRUE for step, claim in steps.items()}
    check_size([*inputs.values(), *outputs.values()])
    counted = outputs if gold.accepted is None else inputs
    literals = {
        (step, *part[1:])
        for step, formula in counted.items()
        for part in nodes([formula])
        if part[0] == "literal"
    }
    read = {step for step, formula in inputs.items() if _reads(gold, step, formula)}
    written = {step for step, formula in outputs.items() if _writes(gold, step, formula)}
    true = dict(enumerate(pairwise(gold.states)))
    right = {step for step in read & written if (steps[step].state, steps[step].next) == true[step]}
    first = next((step for step in range(gold.steps) if step not in right), gold.steps)
    moves = {(step, claim.next) for step, claim in steps.items() if claim.next is not None}
    accepted = gold.accepted is None or stated.accepted is gold.accepted
    correct = accepted and len(right) == len(steps) == gold.steps
    shown = _text(stated, gold.accepted is not None)
    return Judged(
        answer=shown[:_SHOWN],
        gold=str,
        correct=correct,
        exact=correct,
        ap=Counts.of(_literals_of(gold), literals),
        ts=Counts(len(right), len(steps) - len(right), gold.steps - len(right)),
        extra={
            **({} if gold.accepted is None else {"accepted": float(accepted)}),
            "f1_state": Counts.of(gold.moves(), moves).figures()[2],
            "before_error": first / gold.steps if gold.steps else 1.0,
            "vote": shown[: 2 * _SHOWN],
        },
        why=lambda: "" if correct else "\n\n".join(_why(gold, stated, read, written, right)),
        quote=stated.quote,
    )


def as_published(gold: Gold, stated: StatedRun) -> StatedRun:
    """Return a run with the defining inputs of published prompts as all inputs' literals, where they are right.

    There they are what is true at the step, outputs too, "no inputs" if nothing is; their worked example also
    has literals with ``!``. So inputs that are not spoken of are false, and outputs may be left out.
    """
    steps = {
        number: replace(step, inputs=_completed(gold, number, step.inputs))
        for number, step in stated.steps.items()
    }
    return replace(stated, steps=steps)


def _completed(gold: Gold, number: int, inputs: Formula | None) -> Formula | None:
    if inputs is None or not 0 <= number < gold.steps:
        return inputs
    parts = inputs[1:] if inputs[0] == "and" else () if inputs[0] == "true" else (inputs,)
    if any(part[0] != "literal" for part in parts):
        return inputs
    case, machine = gold.case, gold.case.machine
    words = ((machine.inputs, case.letters[number]), (machine.outputs, case.masks[number]))
    trace = {n: bool(bits >> i & 1) for names, bits in words for i, n in enumerate(names)}
    stated = {name: value for _, name, value in parts}
    true = {name for _, name, value in gold.inputs(number) if value}
    if true - stated.keys() or any(trace.get(name) is not v for name, v in stated.items()):
        return inputs
    return conjunction(("literal", name, value) for _, name, value in sorted(gold.inputs(number)))


def nothing(gold: Gold) -> Judged:
    """Return the counts of a reply without an answer: all of the true run is missed."""
    ap, ts = Counts(0, 0, len(_literals_of(gold))), Counts(0, 0, gold.steps)
    verdict = {} if gold.accepted is None else {"accepted": 0.0}
    facts: dict[str, str | float] = {**verdict, "f1_state": 0.0, "before_error": 0.0}
    return Judged("", str, False, False, ap, ts, facts)


def _says(step: StatedStep) -> bool:
    return any(part is not None for part in (step.state, step.inputs, step.next, step.outputs))


def _reads(gold: Gold, step: int, formula: Formula) -> bool:
    """Tell whether what is stated about a step's inputs is right.

    A step without a statement has no constraint, which is wrong, unless the inputs are merely to be repeated.
    """
    if not 0 <= step < gold.steps:
        return False
    if gold.accepted is None and formula == TRUE:
        return True
    true = gold.inputs(step)
    parts = formula[1:] if formula[0] == "and" else (formula,)
    if len(true) <= MAX_VARIABLES and all(part[0] == "literal" for part in parts):
        return true == {(step, *part[1:]) for part in parts}
    stated = conjuncts([(step, at_step(step, formula))])
    clauses = [frozenset([literal]) for literal in true]
    return not compare(clauses, stated, gold.case.inputs_at(step))


def _writes(gold: Gold, step: int, formula: Formula) -> bool:
    """Tell whether each output of a step is stated, and all that is stated is true; where they are asked for."""
    if not 0 <= step < gold.steps:
        return False
    values = gold.outputs(step)
    if not values:
        return True
    parts = conjuncts([(step, at_step(step, formula))])
    if any(not part.variables <= values.keys() for part in parts):
        return False
    stated = [part.formula for part in parts if not part.idle]
    named = {each[1] for each in stated if each[0] == "literal"}
    return named >= values.keys() and all(holds(each, values) for each in stated)


def _text(stated: StatedRun, verdict: bool) -> str:
    """Return what is stated in one line, with the verdict where one was asked for."""
    lines = [
        f"{step}: {_number(claim.state)} [{_stated(claim.inputs)}] {_outputs(claim)}{_number(claim.next)}"
        for step, claim in sorted(stated.steps.items())
    ]
    return "; ".join([*lines, *([f"accepted: {_yes(stated.accepted)}"] if verdict else [])])


def _number(state: int | None) -> str:
    return "?" if state is None else str(state)


def _yes(accepted: bool | None) -> str:
    return "?" if accepted is None else "yes" if accepted else "no"


def _stated(formula: Formula | None) -> str:
    return "?" if formula is None else as_text(formula, steps=False)


def _outputs(claim: StatedStep) -> str:
    return "" if claim.outputs is None else f"/ {_stated(claim.outputs)} → "


# ----------------------------------------------------------------------------------- explaining


def _why(
    gold: Gold, stated: StatedRun, read: set[int], written: set[int], right: set[int]
) -> Iterator[str]:
    """Yield what is wrong, in sentences.

    Args:
        gold: the true run.
        stated: that of the answer.
        read: the steps whose inputs are right.
        written: the steps whose outputs are right.
        right: those that are right in everything.
    """
    if gold.accepted is not None:
        yield _acceptance(gold, stated.accepted)
    off = next((step for step in range(gold.steps) if step not in right), None)
    if off is not None:
        claim = stated.steps.get(off)
        fault = _off(gold, off, claim, off in read, off in written)
        yield f"The first step that is off is step {off}: {fault}."
    if beyond := sorted(step for step in stated.steps if not 0 <= step < gold.steps):
        yield f"Step {beyond[0]} is stated, and the run takes {gold.steps} steps (from 0 on)."


def _acceptance(gold: Gold, accepted: bool | None) -> str:
    true = _yes(gold.accepted)
    if accepted is gold.accepted:
        return f"Accepted is {true}, as answered."
    answered = "the answer does not say" if accepted is None else f"answered {_yes(accepted)}"
    return f"Accepted is {true}, {answered}{_proof(gold)}."


def _off(gold: Gold, step: int, claim: StatedStep | None, read: bool, written: bool) -> str:
    if claim is None or not _says(claim):
        return f"nothing is said of it; {_move(gold, step)}"
    faults = []
    if claim.state is None:
        faults.append("does not say in which state it starts")
    elif claim.state != gold.states[step]:
        faults.append(f"starts in state {claim.state}")
    if not read:
        unsaid = "does not say what is read"
        faults.append(
            unsaid if claim.inputs is None else f"reads {quoted(_stated(claim.inputs), 80)}"
        )
    if not written:
        unsaid = "does not say what the outputs are"
        stated = f"sets {quoted(_stated(claim.outputs), 80)}"
        faults.append(unsaid if claim.outputs is None else stated)
    if claim.next is None:
        faults.append("does not say where it goes")
    elif claim.next != gold.states[step + 1]:
        faults.append(f"goes to state {claim.next}")
    return f"{_move(gold, step)}, but the answer {', '.join(faults)}"


def _move(gold: Gold, step: int) -> str:
    read = targets.inputs_text(gold.case.machine.inputs, gold.case.letters[step])
    before, after = gold.states[step : step + 2]
    does = f"reads {quoted(read, 120)}"
    if gold.accepted is None:
        outputs = targets.literals(gold.case.machine.outputs, gold.case.masks[step])
        does += f", sets {quoted(outputs, 120)}"
    return f"in state {before} the machine {does} and goes to state {after}"


def _proof(gold: Gold) -> str:
    """Return which outputs of a rejected trace differ from the machine's."""
    if gold.accepted:
        return ": all outputs of the trace are the machine's"
    case, step = gold.case, gold.steps
    _, mask = case.machine.table[gold.states[-1]][case.letters[step]]
    wrong = [
        f"{quoted(name, 40)} is {'true' if case.masks[step] >> i & 1 else 'false'} in the trace"
        for i, name in enumerate(case.machine.outputs)
        if (case.masks[step] ^ mask) >> i & 1
    ]
    return (
        f": at step {step}, in state {gold.states[-1]}, {', '.join(wrong[:4])}, "
        "and the machine's output is the opposite"
    )
