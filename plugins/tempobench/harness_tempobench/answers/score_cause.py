"""Judge a stated cause against the true one: literals, steps, meaning, and why it is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from harness_answers.kept import kept
from harness_answers.text import quoted

from harness import Item
from harness_tempobench import problem
from harness_tempobench.answers.score_explain import Explained, shown, written
from harness_tempobench.answers.score_gold import (
    BrokenItemError,
    Counts,
    Judged,
    case_of,
    is_texts,
    target_of,
)
from harness_tempobench.engines import flips
from harness_tempobench.equivalence import Difference, Trace, compare
from harness_tempobench.formulas import (
    Clause,
    Part,
    Variable,
    at_step,
    check_size,
    conjuncts,
    disjunction,
)
from harness_tempobench.metrics import kind_of_error
from harness_tempobench.problem import Case
from harness_tempobench.targets import CROSSING, UNCONSTRAINED, effect_name, signed

if TYPE_CHECKING:
    from harness_tempobench.answers.extraction import StatedCause

_SHOWN = 1_000
_LITERAL = re.compile(r'(?:\A| or )(!?(?:"[^"\\]*(?:\\.[^"\\]*)*"|[^\s"]+))')


@dataclass(frozen=True, slots=True)
class Gold:
    """The true cause: clauses over (step, name, value), of the effect's value on a trace.

    ``single``: the inputs that are necessary each alone were asked for (task=min), a clause for each.
    """

    case: Case
    effect: Mapping[str, Any]
    clauses: tuple[Clause, ...]
    single: bool = False

    @property
    def name(self) -> str:
        """The effect as an answer names it."""
        return effect_name(self.effect)


@kept
def gold_of(item: Item) -> Gold:
    """Return the true cause of an item, its clauses tried on its machine.

    Raises `HarnessError`: the item is damaged, or its target is none of its problem's.
    """
    case = case_of(item)
    effect = _effect(item, case)
    target = target_of(item)
    name = effect_name(effect)
    steps, crossing = target.get(name), target.get(CROSSING, {name: []})
    crosses = crossing.get(name) if isinstance(crossing, dict) else None
    if not isinstance(steps, dict) or not isinstance(crosses, list):
        raise BrokenItemError(f"the item's target does not explain {quoted(name)}, its effect")
    if set(steps) != {str(step) for step in range(effect["step"] + 1)}:
        raise BrokenItemError(
            f"the item's target does not have exactly the steps 0 to {effect['step']}"
        )
    reader = _Reader(case, effect["step"])
    clauses = [
        reader.within(step, sentence)
        for step, sentences in steps.items()
        for sentence in ([] if sentences == [UNCONSTRAINED] else _strings(sentences))
    ]
    clauses += [reader.clause(_strings(clause)) for clause in crosses]
    gold = Gold(case, effect, tuple(dict.fromkeys(clauses)), item.problem["task"] == "min")
    if gold.single and set(gold.clauses) != _necessary(gold):
        raise BrokenItemError("the item's target is not all inputs that are necessary, each alone")
    explained = Explained(gold.case, effect)
    for clause in gold.clauses:
        if explained.holds((step, name) for step, name, _ in clause):
            raise BrokenItemError(
                f"the item's target is wrong: {shown(disjunction(clause))} is not necessary"
            )
    return gold


def _necessary(gold: Gold) -> set[Clause]:
    machine, trace = gold.case.machine, _trace(gold)
    needed = flips.necessary(machine, gold.case.letters, gold.effect)
    pairs = [(step, machine.inputs[index]) for ((step, index),) in needed]
    return {frozenset([(*pair, trace[pair])]) for pair in pairs}


def _effect(item: Item, case: Case) -> Mapping[str, Any]:
    effect = item.problem.get("effect")
    if not isinstance(effect, Mapping) or effect.get("output") not in case.machine.outputs:
        raise BrokenItemError("the item's problem has no effect on an output of its machine")
    step, value = effect.get("step"), effect.get("value")
    if type(step) is not int or not 0 <= step < len(case.letters) or type(value) is not bool:
        raise BrokenItemError("the item's effect has no step of its trace, or no truth value")
    if case.machine.deviation(case.letters[: step + 1], case.masks[: step + 1]) is not None:
        raise BrokenItemError("the item's trace is no run of its machine")
    if problem.value_at(case, effect) is not value:
        raise BrokenItemError("the item's effect is not one of its trace")
    return effect


def _strings(value: Any) -> list[str]:
    if not value or not is_texts(value):
        raise BrokenItemError(f"the item's target has {quoted(str(value), 60)}, which is no clause")
    return list(value)


class _Reader:
    """Reads the clauses of a target; knows the literals that a trace has."""

    def __init__(self, case: Case, step: int) -> None:
        self.literals = {
            f"{at}:{signed(name, value)}": (at, name, value)
            for (at, name), value in case.inputs_until(step).items()
        }

    def within(self, step: str, sentence: str) -> Clause:
        """Return the clause of a sentence: literals of one step joined by ``or``; odd names are in quotes."""
        literals = _LITERAL.findall(sentence)
        whole = " or ".join(literals) == sentence
        return self.clause(f"{step}:{text}" for text in (literals if whole else [sentence]))

    def clause(self, texts: Iterable[str]) -> Clause:
        """Return the clause of some literals written with their steps: ``2:!b``."""
        literals = []
        for text in texts:
            if text not in self.literals:
                raise BrokenItemError(
                    f"the item's target has {quoted(text)}, which is no input as its trace has it"
                )
            literals.append(self.literals[text])
        return frozenset(literals)


def judge(gold: Gold, stated: StatedCause) -> Judged:
    """Judge what an answer states.

    Raises `harness.Abstained`: it is too hard to compare it with the true cause.
    """
    parts, of_effect, trace = stated_parts(stated), not stated.other, _trace(gold)
    difference = compare(gold.clauses, parts, trace) if of_effect else Difference()
    ap, ts = counts(gold.clauses, parts, of_effect, trace)
    text = _text(parts, stated.other)
    correct = of_effect and not difference
    beyond = any(not 0 <= step <= gold.effect["step"] for step in stated.steps)
    same = {part.clause for part in parts} == set(gold.clauses)
    wanted = {literal for clause in gold.clauses for literal in clause}
    said = {literal for part in parts for literal in part.literals}
    return Judged(
        answer=text[:_SHOWN],
        gold=lambda: _text(_of_clauses(gold.clauses), ""),
        correct=correct,
        exact=of_effect and same and not beyond,
        ap=ap,
        ts=ts,
        void=not of_effect,
        extra={
            "vote": text[: 2 * _SHOWN],
            "error": "exact" if correct else kind_of_error(wanted, said, of_effect),
        },
        why=lambda: (
            f"It explains {quoted(stated.other)}, and {quoted(gold.name)} was asked about: nothing "
            "that it says counts."
            if stated.other
            else Explained(gold.case, gold.effect, gold.single).markdown(difference)
        ),
        quote=stated.quote,
    )


def nothing(gold: Gold) -> Judged:
    """Return the counts of a reply without an answer: all of the true cause is missed."""
    wanted = {literal for clause in gold.clauses for literal in clause}
    steps = {step for step, _, _ in wanted}
    return Judged("", str, False, False, Counts(0, 0, len(wanted)), Counts(0, 0, len(steps)))


def counts(
    gold: Sequence[Clause], parts: Sequence[Part], of_effect: bool, trace: Trace
) -> tuple[Counts, Counts]:
    """Return the counts over literals and over steps; see CONTRACT.md.

    A step is constrained by what excludes some values of its propositions: a tautology does not.

    Args:
        gold: the true clauses.
        parts: what an answer states, by `stated_parts`.
        of_effect: whether it is stated of the effect asked about.
        trace: what a cause can speak of, with its value in the trace.
    """
    wanted = {literal for clause in gold for literal in clause}
    stated = {literal for part in parts for literal in part.literals}
    gold_steps, stated_steps = _gold_steps(gold), _by_step(parts)
    constrained = {
        step
        for step, claims in stated_steps.items()
        if claims.crossing or claims.clauses() or compare((), claims.within, trace)
    }
    if not of_effect:
        return Counts(0, len(stated), len(wanted)), Counts(0, len(constrained), len(gold_steps))
    right = {
        step
        for step in constrained & gold_steps.keys()
        if stated_steps[step].crossing == gold_steps[step].crossing
        and not compare(gold_steps[step].clauses(), stated_steps[step].within, trace)
    }
    tp = len(right)
    ts = Counts(tp, len(constrained) - tp, len(gold_steps) - tp)
    return Counts.of(wanted, stated), ts


@dataclass(slots=True)
class _Step:
    """What is stated about one step: within it, and by clauses over several steps."""

    within: list[Part] = field(default_factory=list)
    crossing: set[Clause] = field(default_factory=set)

    def clauses(self) -> list[Clause]:
        return [part.clause for part in self.within if part.clause is not None]


def _by_step(parts: Iterable[Part]) -> dict[int, _Step]:
    steps: dict[int, _Step] = {}
    for part in parts:
        if part.step is not None:
            steps.setdefault(part.step, _Step()).within.append(part)
        elif part.clause is not None:
            for step, _, _ in part.clause:
                steps.setdefault(step, _Step()).crossing.add(part.clause)
    return steps


def _of_clauses(clauses: Iterable[Clause]) -> list[Part]:
    return [Part(disjunction(clause)) for clause in clauses]


@kept
def _trace(gold: Gold) -> dict[Variable, bool]:
    """Return what a cause can speak of, (step, input) up to the effect, with its value in the trace."""
    return gold.case.inputs_until(gold.effect["step"])


@kept
def _gold_steps(gold: Sequence[Clause]) -> dict[int, _Step]:
    return _by_step(_of_clauses(gold))


def stated_parts(stated: StatedCause) -> list[Part]:
    """Return the formulas over (step, name) of which a stated cause is the conjunction, each once."""
    pairs = [(step, formula) for step, formulas in stated.steps.items() for formula in formulas]
    check_size(formula for _, formula in pairs)
    within = [(step, at_step(step, formula)) for step, formula in pairs]
    return conjuncts([*within, *((None, disjunction(clause)) for clause in stated.crosses)])


def _text(parts: Iterable[Part], other: str) -> str:
    """Return a stated cause in one line, in which order and repetition make no difference."""
    clauses = {written(disjunction(part.clause) if part.clause else part.formula) for part in parts}
    text = "; ".join(sorted(clauses)) or "true"
    return f"{other}: {text}" if other else text
