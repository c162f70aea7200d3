"""The audit: in what way an item does not measure temporal reasoning over a graph, whatever its label.

The label is derived anew, so that a wrong one changes nothing here. Whether a formula holds on
*every* sequence of events is itself a problem for the tableau: over a graph in which each event
may follow each. Events that the formula does not name are alike, so that one or two stand for
all, and these graphs stay small however many events there are. Nothing is sampled: what is
reported is so. What would need more than `MAX_NODES` is not reported, nor is ``any_graph`` with
more than `MAX_LETTERS`, or for a label False with more than `contrast.EXHAUSTIVE` events.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness import Abstained, Item
from harness_ltlbench import contrast
from harness_ltlbench.engines import tableau
from harness_ltlbench.formula import Formula, atoms, validate

MAX_NODES = 5_000
"""Tableau nodes for all that is asked about one item: about 0.2 s."""

MAX_LETTERS = 20
"""Events that a formula names, with the initial one and two others, for ``any_graph``."""


def findings(item: Item) -> list[dict[str, str]]:
    """Return the weaknesses of an item, each with its kind and a message of one line.

    Of the first four kinds of `config.WEAKNESSES`, each of which implies the next, only the
    strongest is named.

    Raises:
        FormulaError: the problem's formula is none.
    """
    problem = item.problem
    validate(problem["formula"], problem["events"])
    start = f"event{problem['initial']}"
    weaknesses = []
    try:
        question = _Question(problem)
        kind = question.needless()
        if kind:
            weaknesses.append({"kind": kind, "message": question.message(kind)})
    except Abstained:
        pass  # beyond our bounds: nothing is claimed
    if not any(s == problem["initial"] != t for s, t in problem["edges"]):
        message = f"nothing but {start} ever happens, so that no moment differs from the first"
        weaknesses.append({"kind": "frozen", "message": message})
    return weaknesses


class _Question:
    """What an item asks; its label, and how little of the item is needed to know it."""

    def __init__(self, problem: Mapping[str, Any]) -> None:
        self.left = MAX_NODES
        self.problem = problem
        self.start = problem["initial"]
        self.label = self._holds(problem["formula"], self.start, problem["edges"])

    def message(self, kind: str) -> str:
        return {
            "valid": "the formula holds on every sequence of events",
            "unsatisfiable": "the formula holds on no sequence of events",
            "initial_event": f"the formula is {self.label} on every sequence that begins with "
            f"event{self.start}",
            "any_graph": f"the label is {self.label} for every graph in which event{self.start} "
            "is the initial event",
        }[kind]

    def needless(self) -> str:
        """Return the kind that says how little is needed; empty where it may be all."""
        formula = self.problem["formula"]
        claim = formula if self.label else ["!", formula]
        named = {*atoms(formula), self.start}
        others = [e for e in range(1, self.problem["events"] + 1) if e not in named][:2]
        letters = [*named, *others[:1]]
        anything = [[source, target] for source in letters for target in letters]
        if self._holds(claim, self.start, anything):
            before = self.problem["events"] + 1  # an event more, which any of the others may follow
            anywhere = [*anything, *([before, letter] for letter in letters)]
            if self._holds(["X", claim], before, anywhere):
                return "valid" if self.label else "unsatisfiable"
            return "initial_event"
        return "any_graph" if self._any_graph(claim, [*named, *others]) else ""

    def _any_graph(self, claim: Formula, letters: list[int]) -> bool:
        """Return whether the label is that of every graph without edges from an event to itself.

        In such a graph an event repeats at once only by being the last, and two events that
        are not named stand for any number. For a label False that is not the whole of it: a
        sequence may make the formula True though no graph has it as its only path.
        """
        loops = any(source == target for source, target in self.problem["edges"])
        if loops or len(letters) > MAX_LETTERS:
            return False
        for last in (0, *letters):
            edges = [[s, t] for s in letters for t in letters if t != s != last]
            if not self._holds(claim, self.start, edges):
                break
        else:
            return True
        events = self.problem["events"]
        if self.label or events > contrast.EXHAUSTIVE:
            return False
        return contrast.find(self.problem["formula"], self.start, events, False) is None

    def _holds(self, formula: Formula, start: int, edges: list[list[int]]) -> bool:
        """Return whether a formula holds on every path along some edges from an event."""
        problem = {"initial": start, "edges": edges, "formula": formula}
        result = tableau.check(problem, self.left)
        self.left = max(0, self.left - result.nodes)
        return result.holds
