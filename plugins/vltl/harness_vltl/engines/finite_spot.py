"""Spot on finite traces: its own translation (`from_ltlf`) to infinite words in which "alive" ends with the trace.

The trace becomes the word in which one more proposition is true in its states and false forever after. In what
`from_ltlf` takes, X is the weak next (since Spot 2.9), so that the strong one is written ``!X!``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness_logic import spot_library

from harness_vltl import lassos
from harness_vltl.engines.spot import PLACES, Session
from harness_vltl.formulas.formula import Formula, validate

_ALIVE = f"p{PLACES}"


def holds(formula: Formula, trace: Mapping[str, Any]) -> bool:
    """Return whether a finite trace (CONTRACT.md) satisfies a formula.

    Raises:
        Abstained: an effort over `spot_library.MAX_EFFORT` for the formula and for its negation.
        FormulaError: not a formula.
        HarnessError: not a finite trace.
    """
    validate(formula, finite=True)
    lassos.validate(trace, finite=True)
    session = spot_library.current(Finite)
    word = session.word(formula)
    accepted = session.graph(trace, word.places).intersects(word.automaton)
    return bool(accepted) != word.negated


def difference(left: Formula, right: Formula) -> dict[str, Any] | None:
    """Return a finite trace on which exactly one of two formulas holds; None if they are equivalent.

    Raises:
        Abstained: an effort over `spot_library.MAX_EFFORT` for one of the formulas or its negation.
        FormulaError: not a formula.
    """
    for formula in (left, right):
        validate(formula, finite=True)
    session = spot_library.current(Finite)
    names, ours, theirs = session.numbered(left, right)
    run = session.difference(ours, theirs)
    return None if run is None else session.ended(run, names)


class Finite(Session):
    """Spot with formulas and words of finite traces."""

    names = PLACES + 1

    def __init__(self) -> None:
        super().__init__()
        variable = self.owner.register_ap(_ALIVE)
        self.alive = self.buddy.bdd_ithvar(variable)
        self.dead = self.buddy.bdd_nithvar(variable)

    def build(self, formula: Formula, negated: bool = False) -> Any:
        """Return Spot's formula of infinite words for one of finite traces, or for its negation."""
        return self.spot.from_ltlf(super().build(formula, negated), _ALIVE)

    def _build(self, formula: Formula) -> Any:
        if not isinstance(formula, list) or formula[0] not in "XN":
            return super()._build(formula)
        make, operand = self.spot.formula, self._build(formula[1])
        return make.X(operand) if formula[0] == "N" else make.Not(make.X(make.Not(operand)))

    def ended(self, run: Any, names: Sequence[str]) -> dict[str, Any]:
        """Return what a run of a product says while it is alive, as a finite trace over these names."""
        labels = (step.label & self.alive for step in run.prefix)
        alive = (label for label in labels if label != self.buddy.bddfalse)
        return {"states": [self.state(label, names) for label in alive]}

    def graph(self, trace: Mapping[str, Any], places: Mapping[str, int]) -> Any:
        """Return the automaton whose one run is the trace, and after it empty states forever."""
        states = trace["states"]
        graph = self.spot.make_twa_graph(self.dictionary)
        graph.new_states(len(states) + 1)
        graph.set_init_state(0)
        for at, state in enumerate(states):
            graph.new_edge(at, at + 1, self.label(state, places) & self.alive)
        graph.new_edge(len(states), len(states), self.label([], places) & self.dead)
        return graph
