"""Judge a stated cause against the true one: literals, steps, meaning, and why it is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness import Item
from harness.text import quoted
from harness_tempobench.equivalence import (
    Clause,
    Difference,
    Formula,
    Literal,
    as_clause,
    conjuncts,
    difference,
    disjunction,
    equivalent,
    literals,
    sited,
)
from harness_tempobench.score_explain import Explained, shown, written
from harness_tempobench.score_gold import (
    BrokenItemError,
    Counts,
    Judged,
    Setting,
    setting,
    target_of,
)
from harness_tempobench.targets import CROSSING, UNCONSTRAINED, effect_name, literal

if TYPE_CHECKING:
    from harness_tempobench.answers import StatedCause

_SHOWN = 1_000
_MAX_WORDS = 200  # of a sentence in a target, cut at "or"


@dataclass(frozen=True, slots=True)
class Gold:
    """The true cause: clauses over (step, name, value), of the effect's value on a trace."""

    setting: Setting
    effect: Mapping[str, Any]
    clauses: tuple[Clause, ...]

    @property
    def name(self) -> str:
        """The effect as an answer names it."""
        return effect_name(self.effect)


# ------------------------------------------------------------------------------------- the gold


def gold_of(item: Item) -> Gold:
    """Return the true cause of an item, its clauses tried on its machine.

    Raises:
        HarnessError: the item is damaged, or its target is none of its problem's.
    """
    own = setting(item)
    effect = _effect(item, own)
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
    reader = _Reader(own, effect["step"])
    clauses = [
        reader.within(step, sentence)
        for step, said in steps.items()
        for sentence in _sentences(said)
    ]
    clauses += [reader.clause(_strings(clause)) for clause in crosses]
    gold = Gold(own, effect, tuple(dict.fromkeys(clauses)))
    explained = Explained(gold.setting, effect)
    for clause in gold.clauses:
        if explained.holds((step, name) for step, name, _ in clause):
            raise BrokenItemError(
                f"the item's target is wrong: {shown(disjunction(clause))} is not necessary"
            )
    return gold


def _effect(item: Item, own: Setting) -> Mapping[str, Any]:
    effect = item.problem.get("effect")
    if not isinstance(effect, Mapping) or effect.get("output") not in own.machine.outputs:
        raise BrokenItemError("the item's problem has no effect on an output of its machine")
    step, value = effect.get("step"), effect.get("value")
    if type(step) is not int or not 0 <= step < len(own.letters) or type(value) is not bool:
        raise BrokenItemError("the item's effect has no step of its trace, or no truth value")
    if own.machine.deviation(own.letters[: step + 1], own.masks[: step + 1]) is not None:
        raise BrokenItemError("the item's trace is no run of its machine")
    place = own.machine.outputs.index(effect["output"])
    if bool(own.masks[step] >> place & 1) is not value:
        raise BrokenItemError("the item's effect is not one of its trace")
    found: Mapping[str, Any] = effect
    return found


def _strings(said: Any) -> list[str]:
    if not isinstance(said, list) or not said or not all(isinstance(one, str) for one in said):
        raise BrokenItemError(f"the item's target has {quoted(str(said), 60)}, which is no clause")
    return said


def _sentences(said: Any) -> list[str]:
    sentences = _strings(said)
    return [] if sentences == [UNCONSTRAINED] else sentences


class _Reader:
    """Reads the clauses of a target; knows the literals that a trace has."""

    def __init__(self, own: Setting, step: int) -> None:
        self.literals = {
            f"{at}:{literal(own.machine.inputs, own.letters[at], index)}": (
                at,
                name,
                own.value(at, index),
            )
            for at in range(step + 1)
            for index, name in enumerate(own.machine.inputs)
        }

    def within(self, step: str, sentence: str) -> Clause:
        """Return the clause of a sentence, literals of one step joined by ``or``, which names may hold."""
        words = sentence.split(" or ")
        if len(words) > _MAX_WORDS:
            raise BrokenItemError(
                f"the item's target has {quoted(sentence, 60)}, which is too long"
            )
        found, start = [], 0
        while start < len(words):
            ends = range(len(words), start, -1)
            texts = {end: f"{step}:{' or '.join(words[start:end])}" for end in ends}
            start = next((end for end in ends if texts[end] in self.literals), start + 1)
            found.append(texts[start])
        return self.clause(found)

    def clause(self, texts: Iterable[str]) -> Clause:
        """Return the clause of some literals written with their steps: ``2:!b``."""
        found = []
        for one in texts:
            if one not in self.literals:
                raise BrokenItemError(
                    f"the item's target has {quoted(one)}, which is no input as its trace has it"
                )
            found.append(self.literals[one])
        return frozenset(found)


# ------------------------------------------------------------------------------------- judging


def judge(gold: Gold, stated: StatedCause) -> Judged:
    """Judge what an answer states.

    Raises:
        harness.Abstained: it is too large or too hard to be compared with the true cause.
    """
    parts = _parts(stated)
    ap, ts = counts(gold.clauses, stated)
    found = Difference() if stated.other else difference(gold.clauses, parts)
    own = not stated.other
    said = _text(parts, stated.other)
    return Judged(
        answer=said[:_SHOWN],
        gold=_text(map(disjunction, gold.clauses), ""),
        correct=own and not found,
        exact=own and _exact(gold, stated, parts),
        ap=ap,
        ts=ts,
        extra={"vote": said[: 2 * _SHOWN]},
        why=_why(gold, stated, found),
    )


def nothing(gold: Gold) -> Judged:
    """Return the counts of a reply without an answer: all of the true cause is missed."""
    wanted = {one for clause in gold.clauses for one in clause}
    steps = {step for step, _, _ in wanted}
    return Judged("", "", False, False, Counts(0, 0, len(wanted)), Counts(0, 0, len(steps)))


def counts(gold: Iterable[Clause], stated: StatedCause) -> tuple[Counts, Counts]:
    """Return the counts over literals and over steps; see CONTRACT.md.

    A step is constrained by what excludes some values of its propositions: a tautology does not.
    """
    true = tuple(gold)
    wanted = {one for clause in true for one in clause}
    said = _literals(stated)
    gold_steps, own_steps = _by_step(true, ()), _by_step(*_sorted_out(stated))
    constrained = {step for step, own in own_steps.items() if own.constrains()}
    if stated.other:
        return Counts(0, len(said), len(wanted)), Counts(0, len(constrained), len(gold_steps))
    right = {
        step
        for step in constrained & gold_steps.keys()
        if own_steps[step].crossing == gold_steps[step].crossing
        and equivalent(tuple(gold_steps[step].within), own_steps[step].formulas())
    }
    tp = len(right)
    ts = Counts(tp, len(constrained) - tp, len(gold_steps) - tp)
    return Counts.of(wanted, said), ts


@dataclass(slots=True)
class _Step:
    """What is said of one step: clauses and formulas within it, and clauses that cross it."""

    within: dict[Clause, None]
    others: list[Formula]
    crossing: set[Clause]

    def formulas(self) -> list[Formula]:
        return [*map(disjunction, self.within), *self.others]

    def constrains(self) -> bool:
        return bool(self.within or self.crossing) or not equivalent((), self.others)


def _by_step(clauses: Iterable[Clause], others: Iterable[tuple[int, Formula]]) -> dict[int, _Step]:
    found: dict[int, _Step] = {}
    for clause in clauses:
        steps = {step for step, _, _ in clause}
        for step in steps:
            own = found.setdefault(step, _Step({}, [], set()))
            if len(steps) == 1:
                own.within[clause] = None
            else:
                own.crossing.add(clause)
    for step, formula in others:
        found.setdefault(step, _Step({}, [], set())).others.append(formula)
    return found


def _sorted_out(stated: StatedCause) -> tuple[list[Clause], list[tuple[int, Formula]]]:
    """Return what is stated as clauses, and with its step what is none; tautologies may be missing."""
    clauses, others = [], []
    for step, formulas in stated.steps.items():
        for part in (part for one in formulas for part in conjuncts(sited(step, one))):
            clause = as_clause(part)
            if clause:
                clauses.append(clause)
            else:
                others.append((step, part))
    for literals_said in stated.crosses:
        clause = as_clause(disjunction(literals_said))
        if clause:
            clauses.append(clause)
    return clauses, others


def _parts(stated: StatedCause) -> list[Formula]:
    """Return all that is stated, as formulas over (step, name)."""
    within = (sited(step, one) for step, said in stated.steps.items() for one in said)
    parts = [part for formula in within for part in conjuncts(formula)]
    return [*parts, *map(disjunction, stated.crosses)]


def _literals(stated: StatedCause) -> set[Literal]:
    found = {one for clause in stated.crosses for one in clause}
    for step, formulas in stated.steps.items():
        for formula in formulas:
            found |= {(step, name, value) for name, value in literals(formula)}
    return found


def _exact(gold: Gold, stated: StatedCause, parts: Sequence[Formula]) -> bool:
    if any(not 0 <= step <= gold.effect["step"] for step in stated.steps):
        return False
    clauses = [as_clause(part) for part in parts]
    return None not in clauses and set(clauses) == set(gold.clauses)


def _text(parts: Iterable[Formula], other: str) -> str:
    """Return what is stated in one line, the same for what differs in order and repetition only."""
    clauses = {written(disjunction(clause) if (clause := as_clause(one)) else one) for one in parts}
    said = "; ".join(sorted(clauses)) or "true"
    return f"{other}: {said}" if other else said


# ----------------------------------------------------------------------------------- explaining


def _why(gold: Gold, stated: StatedCause, found: Difference) -> str:
    if stated.other:
        return (
            f"It explains {quoted(stated.other)}, and {quoted(gold.name)} was asked about: "
            "nothing that it says counts."
        )
    return Explained(gold.setting, gold.effect).markdown(found)
