"""What the words of a published LTLBench problem leave open, and what the label is read each way.

The published prompts state no rules, and the paper's own listing is another NuSMV program than
that of the data. Each reading is put to the tableau as a problem of its own: another graph, or
a formula rewritten for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness import Abstained, Item
from harness_ltlbench.engines import tableau
from harness_ltlbench.formula import Formula

MAX_NODES = 20_000
"""Tableau nodes for each reading."""


def readings(item: Item) -> dict[str, dict[str, bool]]:
    """Return for each open question whether an adopted label holds under each reading; {} for our own items.

    Our prompts state every rule. A question with a reading that the tableau declines is left out.
    """
    if item.version != "published" or item.problem["task"] != "decide":
        return {}
    problem, label = item.problem, item.target == "True"
    later = {**problem, "formula": _later(problem["formula"])}
    # That of the paper's listing has an arm for each edge, of which NuSMV takes the first.
    first: dict[int, int] = {}
    for source, target in problem["edges"]:
        first.setdefault(source, target)
    arms = {**problem, "edges": [list(edge) for edge in first.items()]}
    opposite = {**problem, "formula": ["!", problem["formula"]]}
    on_paths = _decided({"every path": problem, "some path": opposite})
    questions = {
        "transitions": _decided(
            {"any listed event may follow": problem, "first matching case arm": arms}
        ),
        "event without successor": _decided(
            {
                "repeats forever": problem,
                "path ends, next is false there": _ending(problem, strong=True),
                "path ends, next is true there": _ending(problem, strong=False),
                "no path leads there": _endless(problem),
            }
        ),
        # On some path: not every path satisfies the negation.
        "paths": {name: holds is (name == "every path") for name, holds in on_paths.items()},
        "eventually, always": _decided({"now counts": problem, "later moments only": later}),
    }
    return {
        question: {name: verdict is label for name, verdict in verdicts.items()}
        for question, verdicts in questions.items()
        if verdicts
    }


def _decided(problems: Mapping[str, Mapping[str, Any] | None]) -> dict[str, bool]:
    """Return the verdict on each problem; one that is None has no path at all, so it is True."""
    try:
        return {
            name: problem is None or tableau.check(problem, MAX_NODES).holds
            for name, problem in problems.items()
        }
    except Abstained:
        return {}


def _later(formula: Formula) -> Formula:
    if isinstance(formula, int):
        return formula
    moved = [formula[0], *map(_later, formula[1:])]
    return ["X", moved] if formula[0] in ("F", "G") else moved


def _endless(problem: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the problem without events from which every path comes to an end; None: no path."""
    edges = problem["edges"]
    while True:
        sources = {source for source, _ in edges}
        left = [edge for edge in edges if edge[1] in sources]
        if len(left) == len(edges):
            break
        edges = left
    return {**problem, "edges": edges} if problem["initial"] in sources else None


def _ending(problem: Mapping[str, Any], *, strong: bool) -> dict[str, Any]:
    """Return the problem on paths that may end: a new event for ever stands for what is not there.

    The formula is rewritten as by De Giacomo and Vardi (2013), Section 3, so that nothing is asked of it.
    """
    end = problem["events"] + 1
    sources = {source for source, _ in problem["edges"]}
    ends = [[event, end] for event in range(1, end) if event not in sources]
    return {
        **problem,
        "events": end,
        "edges": [*problem["edges"], *ends, [end, end]],
        "formula": _finite(problem["formula"], end, strong),
    }


def _finite(formula: Formula, end: int, strong: bool) -> Formula:
    if isinstance(formula, int):
        return formula
    operator, *parts = formula
    *first, last = (_finite(part, end, strong) for part in parts)
    if operator in ("F", "U") or (operator == "X" and strong):
        last = ["&", ["!", end], last]
    elif operator in ("X", "G", "R", "W"):
        last = ["|", end, last]
    elif operator == "M":
        first = [["&", ["!", end], first[0]]]
    return [operator, *first, last]
