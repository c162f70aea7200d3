"""The engine that confirms labels: Spot's automata, in process.

The problem is decided the classical way (Vardi and Wolper): translate the *negated* formula
into a generalised Büchi automaton and look for a path of the graph that it accepts. Nothing
written by somebody else reaches Spot: formulas are built from constructors, propositions
are named by event number. Spot keeps global state: one thread at a time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harness_logic import spot_library

from harness_ltlbench.formula import MAX_EVENTS, Formula, atoms, walk

SMALL = 9
"""Operators up to which a formula is safe without looking (hardest found: 0.05 s)."""


@dataclass(frozen=True, slots=True)
class SpotResult:
    """The label, and a lasso of the graph that violates the formula if one was asked for."""

    holds: bool
    violation: dict[str, list[int]] | None = None


def check(problem: Mapping[str, Any], *, violation: bool = False) -> SpotResult:
    """Decide a valid problem; with ``violation`` a False label comes with a violating lasso.

    Raises:
        Abstained: an effort over `spot_library.MAX_EFFORT`.
    """
    session = spot_library.current(_Session)
    negated, named = session.negation(problem["formula"])
    graph, events = session.graph(problem, named)
    if not violation:
        return SpotResult(not graph.intersects(negated))
    lasso = _lasso(session.spot.product(graph, negated), events)
    return SpotResult(lasso is None, lasso)


def _lasso(product: Any, events: list[int]) -> dict[str, list[int]] | None:
    """Return the events along an accepting run of graph × automaton, None if there is none."""
    run = product.accepting_run()
    if run is None:
        return None
    run = run.reduce()
    pairs = product.get_product_states()
    return {
        part: [events[pairs[product.state_number(step.s)][0]] for step in steps]
        for part, steps in (("prefix", run.prefix), ("cycle", run.cycle))
    }


def effort(formula: Formula) -> int:
    """Return how much work a textbook translation of the negated formula is, in pairs of terms.

    This says how much time Spot takes at most, not what the label is: a dry run, after Spot's
    cheap simplifications, of the tableau whose states are sets of subformulas.

    Raises:
        Abstained: more than `spot_library.MAX_EFFORT`.
    """
    session = spot_library.current(_Session)
    simplifier = session.spot.tl_simplifier()
    violation = simplifier.simplify(session.spot.formula.Not(session.build(formula)))
    return spot_library.effort(simplifier.negative_normal_form(violation), MAX_EVENTS + 1)


class _Session(spot_library.Session):
    """Spot with the propositions of events, kept between checks."""

    level = "Medium"

    def __init__(self) -> None:
        super().__init__()
        self.known: dict[int, tuple[Any, Any, Any]] = {}
        self.latest: tuple[Formula, Any, list[int]] | None = None

    def negation(self, formula: Formula) -> tuple[Any, list[int]]:
        """Return the automaton of the paths that violate a formula, and the events it names; twins come in a row.

        Raises:
            Abstained: an effort over `spot_library.MAX_EFFORT`.
        """
        if self.latest is None or self.latest[0] != formula:
            if sum(isinstance(node, list) for node in walk(formula)) > SMALL:
                effort(formula)
            self.latest = formula, self.translate(formula), atoms(formula)
        return self.latest[1:]

    def proposition(self, event: int) -> tuple[Any, Any, Any]:
        """Return the formula, the literal and the negative literal of one event."""
        if event not in self.known:
            name = f"e{event}"
            variable = self.owner.register_ap(name)
            self.known[event] = (
                self.spot.formula.ap(name),
                self.buddy.bdd_ithvar(variable),
                self.buddy.bdd_nithvar(variable),
            )
        return self.known[event]

    def translate(self, formula: Formula) -> Any:
        """Return the automaton of the paths that violate the formula."""
        self.left -= 1
        return self.translator.run(self.spot.formula.Not(self.build(formula)))

    def build(self, formula: Formula) -> Any:
        if isinstance(formula, int):
            return self.proposition(formula)[0]
        return self.combined(formula[0], [self.build(part) for part in formula[1:]])

    def graph(self, problem: Mapping[str, Any], named: list[int]) -> tuple[Any, list[int]]:
        """Return the reachable part of the graph as an automaton and the event of each state."""
        events, edges = _reachable(problem)
        graph = self.spot.make_twa_graph(self.dictionary)
        graph.new_states(len(events))
        graph.set_init_state(0)
        labels = self.labels(events, named)
        for source, target in edges:
            graph.new_edge(source, target, labels[source])
        for event in named:
            graph.register_ap(f"e{event}")
        return graph, events

    def labels(self, events: list[int], named: list[int]) -> list[Any]:
        """Return for each event which of the named propositions is true in it: one or none."""
        nothing = self.buddy.bddtrue
        for event in named:
            nothing = nothing & self.proposition(event)[2]
        labels = []
        for event in events:
            if event in named:
                literal = self.proposition(event)[1]
                labels.append(self.buddy.bdd_exist(nothing, literal) & literal)
            else:
                labels.append(nothing)
        return labels


def _reachable(problem: Mapping[str, Any]) -> tuple[list[int], list[tuple[int, int]]]:
    """Return the reachable events, the initial one first, and the edges between their indices."""
    successors: dict[int, list[int]] = {}
    for source, target in problem["edges"]:
        successors.setdefault(source, []).append(target)
    events = [problem["initial"]]
    index = {problem["initial"]: 0}
    edges = []
    for source in events:
        for target in successors.get(source, (source,)):
            if target not in index:
                index[target] = len(events)
                events.append(target)
            edges.append((index[source], index[target]))
    return events, edges
