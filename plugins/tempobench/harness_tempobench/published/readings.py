"""Under which readings of what the published formats leave open a label holds.

Asked only where it makes a difference in form: sentences of a step where there are several, "AND" where it
occurs, a machine's gaps where there are some.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from harness import Abstained, DatasetError, HarnessError, Item
from harness_tempobench import hoa, hoa_open, problem
from harness_tempobench.cause_value import Clause
from harness_tempobench.constraint import Formula, conjunction
from harness_tempobench.engines.causes import Engine
from harness_tempobench.equivalence import compared
from harness_tempobench.formulas import check_size, parts_of, sited
from harness_tempobench.hoa import Opened
from harness_tempobench.machine import Machine
from harness_tempobench.published import label as published_label
from harness_tempobench.published.audit import MAX_CLAUSES, MAX_WORK, cause_of
from harness_tempobench.published.content import Formal
from harness_tempobench.targets import CROSSING

Answers = dict[str, bool]


def readings(item: Item) -> dict[str, Answers]:
    """Return for each question that occurs whether the label holds under each reading."""
    label = _label(item)
    if label is None:
        return {}
    try:
        case = problem.case(item.problem)
        pairs = _causes(item, case, label) if "effect" in item.problem else _runs(item, case)
        return dict(pairs)
    except (HarnessError, LookupError, TypeError, ValueError, AttributeError):
        return {}  # an item that is damaged, or beyond the bounds


def _label(item: Item) -> Any:
    """Return the label as it was published: the JSON of a prebuilt record, the fields of a raw one."""
    label = item.notes.get("label")
    try:
        return published_label.fenced(label) if isinstance(label, str) else label
    except DatasetError:
        return None


# ------------------------------------------------------------------------------------- causes


@dataclass(frozen=True, slots=True)
class _Asked:
    """An item's effect, what its label says by step, and the true clauses."""

    case: problem.Case
    effect: Mapping[str, Any]
    steps: Mapping[int, list[Formula]]
    crossing: list[Formula]

    def holds(
        self,
        clauses: Sequence[Clause] | None,
        change: Callable[[list[Formula]], Formula] = conjunction,
    ) -> bool:
        """Tell whether the label, its sentences joined as told, is the cause that these clauses are."""
        if clauses is None or () in clauses:
            return False
        names, trace = self.case.machine.inputs, self.case.inputs_until(self.effect["step"])
        gold = [
            frozenset((step, names[place], trace[step, names[place]]) for step, place in clause)
            for clause in clauses
        ]
        stated = [(step, sited(step, change(said))) for step, said in self.steps.items()]
        check_size([*self.crossing, *(formula for _, formula in stated)])
        parts = parts_of([*stated, *((None, formula) for formula in self.crossing)])
        return not compared(gold, parts, trace)


def _causes(
    item: Item, case: problem.Case, label: Mapping[str, Any]
) -> Iterator[tuple[str, Answers]]:
    asked = _asked(item, case, label.get("causality", label))
    clauses = cause_of(item, case)
    if clauses is not None:
        plain = asked.holds(clauses)
        if any(len(said) > 1 for said in asked.steps.values()):
            either = asked.holds(clauses, _either)
            yield "sentences of a step", {"all hold": plain, "one holds": either}
        if any(_has_and(one) for said in asked.steps.values() for one in said):
            swapped = asked.holds(clauses, lambda said: conjunction(map(_ored, said)))
            yield "AND in a sentence", {"and": plain, "or": swapped}
        if isinstance(item.notes.get("hoa"), str):
            yield from _machines(item, asked, plain)


def _asked(item: Item, case: problem.Case, said: Mapping[str, Any]) -> _Asked:
    effect, names = item.problem["effect"], frozenset(case.machine.propositions)
    explained = [key for key in said if key != CROSSING]
    by_step = said[explained[0]]
    steps = {
        int(step): [
            published_label.parsed(f"step {int(step)}", one, names)
            for one in ([sentences] if isinstance(sentences, str) else sentences)
        ]
        for step, sentences in by_step.items()
    }
    steps = {step: [one for one in said if one != ("true",)] for step, said in steps.items()}
    crossing = [
        ("or", *(_sited(one, names) for one in clause))
        for by_effect in said.get(CROSSING, {}).values()
        for clause in by_effect
    ]
    return _Asked(case, effect, steps, crossing)


def _sited(text: str, names: frozenset[str]) -> Formula:
    """Return a literal of a clause over several steps: ``2:!b``."""
    step, _, literal = text.partition(":")
    if not step.isdigit():
        raise DatasetError(f"label: {text[:40]!r} is no literal of a clause over several steps")
    return sited(int(step), published_label.parsed(f"step {int(step)}", literal, names))


def _either(said: list[Formula]) -> Formula:
    return ("or", *said) if len(said) > 1 else conjunction(said)


def _has_and(formula: Formula) -> bool:
    return formula[0] == "and" or (formula[0] == "or" and any(map(_has_and, formula[1:])))


def _ored(formula: Formula) -> Formula:
    if formula[0] not in ("and", "or"):
        return formula
    return ("or", *map(_ored, formula[1:]))


def _machines(item: Item, asked: _Asked, plain: bool) -> Iterator[tuple[str, Answers]]:
    """Yield the conventions for what the machine's text leaves open."""
    opened = hoa.read_open(item.notes["hoa"])
    missing, several = hoa_open.gaps(opened)
    place = asked.case.machine.outputs.index(asked.effect["output"])
    if missing:
        made = _clauses(asked, lambda: _forever(asked, opened, place))
        if made is not None:
            yield "missing edges", {"loops": plain, "no deviation that ends": asked.holds(made)}
    if several:
        made = _clauses(asked, lambda: hoa_open.adversary(opened, place, asked.effect["value"]))
        if made is not None:
            kept = "as in the trace, else the least"
            yield "open outputs", {kept: plain, "any": asked.holds(made)}


def _forever(asked: _Asked, opened: Opened, place: int) -> Machine:
    """Return the machine without deviations that end, its open outputs as those of the problem."""
    ending = hoa_open.for_ever(opened, place, asked.effect["value"])
    own = asked.case.machine.table
    dead = len(ending.table) - 1
    table = [
        tuple(cell if cell[0] == dead else own[state][n] for n, cell in enumerate(row))
        for state, row in enumerate(ending.table[:-1])
    ]
    return Machine(ending.inputs, ending.outputs, ending.start, (*table, ending.table[-1]))


def _clauses(asked: _Asked, make: Callable[[], Machine]) -> tuple[Clause, ...] | None:
    """Return the cause on another machine; () in it if the effect need not hold; None beyond the bounds."""
    effect = asked.effect
    try:
        machine = make()
        place = 0 if len(machine.outputs) == 1 else machine.outputs.index(effect["output"])
        _, masks = machine.run(asked.case.letters[: effect["step"] + 1])
        if bool(masks[effect["step"]] >> place & 1) is not effect["value"]:
            return ((),)
        return Engine(machine).cause(
            asked.case.letters, None, effect["step"], place, effect["value"],
            max_clauses=MAX_CLAUSES, max_work=MAX_WORK,
        ).clauses  # fmt: skip
    except Abstained:
        return None


# --------------------------------------------------------------------------------------- runs


def _runs(item: Item, case: problem.Case) -> Iterator[tuple[str, Answers]]:
    formal = Formal(item.problem, case.machine)
    label = _label(item)
    raw = "hoax" in label
    names = case.machine.propositions
    steps = (
        published_label.of_hoax(label["hoax"], names)
        if raw
        else published_label.run_steps(label, formal)
    )
    if not steps:
        return
    true_moves = dict(enumerate(pairwise(case.run()[0])))
    moves = true_moves == {one.number: (one.state, one.following) for one in steps}
    inputs, trace = set(case.machine.inputs), item.problem["trace"]
    true = [set(trace[one.number]) if one.number < len(trace) else set() for one in steps]
    named = [{name for name, value in one.said.items() if value} for one in steps]
    positive = moves and all(value for one in steps for value in one.said.values())
    literals = [{name: name in seen for name in case.machine.inputs} for seen in true]
    yield (
        "defining inputs",
        {
            "all that is true": positive and named == true,
            "inputs that are true": positive and named == [seen & inputs for seen in true],
            "literals of all inputs": moves and [dict(one.said) for one in steps] == literals,
        },
    )
