"""Worked solutions in words, for few-shot chains of thought, derived from certificate and tableau."""

from __future__ import annotations

from harness import Item
from harness_ltlbench.engines import lasso, tableau
from harness_ltlbench.formula import Formula, path_text, statements, text

MAX_STEPS = 20


def worked(item: Item) -> str | None:
    """Return a solution that a reader can follow: the path for False, the events for True.

    None for an item without certificate, as published ones are: its label is not ours.
    """
    if item.certificate is None:
        return None
    violation = item.certificate["violation"]
    return _false(item, violation) if violation else _true(item)


def _false(item: Item, violation: dict[str, list[int]]) -> str:
    prefix, cycle = violation["prefix"], violation["cycle"]
    lines = [
        f"One possible sequence of events is {path_text(violation)}, where the part in "
        "parentheses repeats forever. On it:"
    ]
    for number, part in enumerate(_parts(item.problem["formula"])[:MAX_STEPS], 1):
        truth = lasso.positions(part, prefix, cycle)
        where = ", ".join(str(at) for at, true in enumerate(truth, 1) if true) or "none"
        lines.append(f"{number}. `{text(part)}` holds at these moments of the sequence: {where}.")
    lines.append(
        "The whole hypothesis fails at moment 1 of this sequence, so it is not true on every one."
    )
    return "\n".join(lines)


def _true(item: Item) -> str:
    lines = ["For each part, these are the events from which it holds whatever happens next:"]
    for number, part in enumerate(_parts(item.problem["formula"])[:MAX_STEPS], 1):
        events = ", ".join(f"event{e}" for e in tableau.holds_from(item.problem, part)) or "none"
        lines.append(f"{number}. `{text(part)}`: {events}.")
    start = item.problem["initial"]
    lines.append(
        f"The first event is event{start}, and from it the whole hypothesis holds on every sequence."
    )
    return "\n".join(lines)


def _parts(formula: Formula) -> list[Formula]:
    """Return the distinct subformulas with an operator, smaller ones first, the whole one last."""
    return list(
        {text(part): part for part in statements(formula) if isinstance(part, list)}.values()
    )
