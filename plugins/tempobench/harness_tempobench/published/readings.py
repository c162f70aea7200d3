"""Under which readings of what the published formats leave open a label holds.

Asked only where it makes a difference in form: sentences of a step where there are several, "AND" where it
occurs, a machine's gaps where there are some, contingencies where the cause with them is another one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from harness import Abstained, DatasetError, HarnessError, Item
from harness_tempobench import contingent, hoa, hoa_open, problem
from harness_tempobench.cause_value import Clause
from harness_tempobench.constraint import TRUE, Formula, conjunction
from harness_tempobench.engines.causes import Engine
from harness_tempobench.equivalence import compare
from harness_tempobench.errors import TempobenchError
from harness_tempobench.formulas import at_step, check_size, conjuncts
from harness_tempobench.hoa import Opened
from harness_tempobench.machine import Machine
from harness_tempobench.published import label as published_label
from harness_tempobench.published.audit import MAX_CLAUSES, MAX_NODES, cause_of
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
        return dict((_causes if "effect" in item.problem else _runs)(item, case, label))
    except (HarnessError, LookupError, TypeError, ValueError, AttributeError):
        return {}  # an item that is damaged, or beyond the bounds


def _label(item: Item) -> Any:
    """Return the label as it was published: the JSON of a prebuilt record, the fields of a raw one."""
    label = item.notes.get("label")
    try:
        return published_label.fenced_json(label) if isinstance(label, str) else label
    except DatasetError:
        return None


@dataclass(frozen=True, slots=True)
class _Question:
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
        """Tell whether the label, a step's sentences joined by ``change``, is the cause that these clauses are."""
        if clauses is None or () in clauses:
            return False
        names, trace = self.case.machine.inputs, self.case.inputs_until(self.effect["step"])
        gold = [
            frozenset((step, names[place], trace[step, names[place]]) for step, place in clause)
            for clause in clauses
        ]
        stated = [(step, at_step(step, change(formulas))) for step, formulas in self.steps.items()]
        check_size([*self.crossing, *(formula for _, formula in stated)])
        parts = conjuncts([*stated, *((None, formula) for formula in self.crossing)])
        return not compare(gold, parts, trace)


def _causes(
    item: Item, case: problem.Case, label: Mapping[str, Any]
) -> Iterator[tuple[str, Answers]]:
    query = _question(item, case, label.get("causality", label))
    clauses = cause_of(item, case)
    if clauses is not None:
        plain = query.holds(clauses)
        if any(len(formulas) > 1 for formulas in query.steps.values()):
            either = query.holds(clauses, _either)
            yield "sentences of a step", {"all hold": plain, "one holds": either}
        if any(_has_and(formula) for formulas in query.steps.values() for formula in formulas):
            swapped = query.holds(clauses, lambda formulas: conjunction(map(_ored, formulas)))
            yield "AND in a sentence", {"and": plain, "or": swapped}
        if isinstance(item.notes.get("hoa"), str):
            yield from _machines(item, query, plain)
        effect, machine = query.effect, case.machine  # its effect fails where it can
        word, place = case.letters[: effect["step"] + 1], machine.outputs.index(effect["output"])
        kept = _clauses(query, lambda: contingent.product(machine, word, place, effect["value"]))
        if kept not in (None, clauses):
            yield "contingencies", {"none": plain, "outputs may be kept": query.holds(kept)}


def _question(item: Item, case: problem.Case, label: Mapping[str, Any]) -> _Question:
    effect, names = item.problem["effect"], frozenset(case.machine.propositions)
    explained = [key for key in label if key != CROSSING]
    by_step = label[explained[0]]
    steps: dict[int, list[Formula]] = {}
    for step, sentences in by_step.items():
        for sentence in [sentences] if isinstance(sentences, str) else sentences:
            formula = published_label.formula_of(f"step {int(step)}", sentence, names)
            steps.setdefault(int(step), []).extend([formula] if formula != TRUE else [])
    crossing = [
        ("or", *(_sited(text, names) for text in clause))
        for by_effect in label.get(CROSSING, {}).values()
        for clause in by_effect
    ]
    return _Question(case, effect, steps, crossing)


def _sited(text: str, names: frozenset[str]) -> Formula:
    """Return a literal of a clause over several steps: ``2:!b``."""
    step, _, literal = text.partition(":")
    if not step.isdigit():
        raise DatasetError(f"label: {text[:40]!r} is no literal of a clause over several steps")
    return at_step(int(step), published_label.formula_of(f"step {int(step)}", literal, names))


def _either(formulas: list[Formula]) -> Formula:
    return ("or", *formulas) if len(formulas) > 1 else conjunction(formulas)


def _has_and(formula: Formula) -> bool:
    return formula[0] == "and" or (formula[0] == "or" and any(map(_has_and, formula[1:])))


def _ored(formula: Formula) -> Formula:
    if formula[0] not in ("and", "or"):
        return formula
    return ("or", *map(_ored, formula[1:]))


def _machines(item: Item, query: _Question, plain: bool) -> Iterator[tuple[str, Answers]]:
    """Yield the conventions for what the machine's text leaves open."""
    opened = hoa.read_open(item.notes["hoa"])
    missing, several = hoa_open.gaps(opened)
    place = query.case.machine.outputs.index(query.effect["output"])
    if missing:
        cause = _clauses(query, lambda: _forever(query, opened, place))
        if cause is not None:
            yield ("missing edges", {"loops": plain, "no deviation that ends": query.holds(cause)})
    if several:
        cause = _clauses(query, lambda: hoa_open.adversary(opened, place, query.effect["value"]))
        if cause is not None:
            kept = "as in the trace, else the least"
            yield "open outputs", {kept: plain, "any": query.holds(cause)}


def _forever(query: _Question, opened: Opened, place: int) -> Machine:
    """Return the machine without deviations that end, its open outputs as those of the problem."""
    ending = hoa_open.without_dead_ends(opened, place, query.effect["value"])
    actual = query.case.machine.table
    dead = len(ending.table) - 1
    table = [
        tuple(cell if cell[0] == dead else actual[state][n] for n, cell in enumerate(row))
        for state, row in enumerate(ending.table[:-1])
    ]
    return Machine(ending.inputs, ending.outputs, ending.start, (*table, ending.table[-1]))


def _clauses(query: _Question, make: Callable[[], Machine]) -> tuple[Clause, ...] | None:
    """Return the cause on another machine; () in it if the effect need not hold; None beyond the bounds."""
    effect = query.effect
    try:
        machine = make()
        place = 0 if len(machine.outputs) == 1 else machine.outputs.index(effect["output"])
        _, masks = machine.run(query.case.letters[: effect["step"] + 1])
        if bool(masks[effect["step"]] >> place & 1) is not effect["value"]:
            return ((),)
        return Engine(machine).cause(
            query.case.letters, None, effect["step"], place, effect["value"],
            max_clauses=MAX_CLAUSES, max_nodes=MAX_NODES,
        ).clauses  # fmt: skip
    except (Abstained, TempobenchError):
        return None


def _runs(
    item: Item, case: problem.Case, label: Mapping[str, Any]
) -> Iterator[tuple[str, Answers]]:
    if "hoax" in label:
        steps = published_label.hoax_steps(label["hoax"], case.machine.propositions)
    else:
        steps = published_label.run_steps(label, Formal(item.problem, case.machine))
    if not steps:
        return
    true_moves = dict(enumerate(pairwise(case.run()[0])))
    moves = true_moves == {step.number: (step.state, step.following) for step in steps}
    inputs, trace = set(case.machine.inputs), item.problem["trace"]
    true = [set(trace[step.number]) if step.number < len(trace) else set() for step in steps]
    named = [{name for name, value in step.literals.items() if value} for step in steps]
    positive = moves and all(value for step in steps for value in step.literals.values())
    literals = [{name: name in seen for name in case.machine.inputs} for seen in true]
    yield (
        "defining inputs",
        {
            "all that is true": positive and named == true,
            "inputs that are true": positive and named == [seen & inputs for seen in true],
            "literals of all inputs": moves and [dict(step.literals) for step in steps] == literals,
        },
    )
