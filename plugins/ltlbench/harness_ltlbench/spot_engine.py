"""The engine that makes labels: Spot's automata, in process.

The problem is decided the classical way (Vardi and Wolper): translate the *negated* formula
into a generalised Büchi automaton and look for a path of the graph that it accepts. Nothing
written by somebody else reaches Spot: formulas are built from constructors, propositions
are named by event number.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from math import log2
from types import ModuleType
from typing import Any

from harness import Abstained
from harness_ltlbench.formula import Formula, atoms, walk

MAX_OPERATORS = 50
"""Operators beyond which this engine abstains.

Spot cannot be interrupted. Measured (2 GHz, one core) over 3,000 random formulas of the
paper's generator with 50 operators each, over 200 events: with the paper's operators the
slowest translation took 0.02 s, with all operators 2.3 s (99 in 100 under 0.1 s). With 200
operators, one in a hundred took over 20 s.
"""

MAX_BREADTH = 24.0
"""`breadth` beyond which this engine abstains; the most among those 3,000 formulas."""

SAFE_BREADTH = 7.0
"""Breadth up to which no formula is known to take long, not even one made to be hard.

Whoever decides a formula that does not come from the generator passes it as ``max_breadth``,
or calls `check` in a guarded worker. Slowest found by hand at this bound: G of seven
``a -> (b U c)``, 1.6 s; with eight it is 18 s, with nine 40 s.
"""

RENEW_AFTER = 2000
"""Translations after which Spot's caches, which never shrink, are thrown away."""


@dataclass(frozen=True, slots=True)
class SpotResult:
    """The label, and a lasso of the graph that violates the formula if one was asked for."""

    holds: bool
    violation: dict[str, list[int]] | None = None


def check(
    problem: Mapping[str, Any], *, violation: bool = False, max_breadth: float = MAX_BREADTH
) -> SpotResult:
    """Decide a valid problem; with ``violation`` a False label comes with a violating lasso.

    Raises:
        Abstained: more than `MAX_OPERATORS` operators, or a breadth over ``max_breadth``.
    """
    formula = problem["formula"]
    operators = sum(isinstance(node, list) for node in walk(formula))
    if operators > MAX_OPERATORS:
        raise Abstained(f"spot: {operators} operators are more than {MAX_OPERATORS}")
    # the breadth is at most the number of operators
    if operators > max_breadth and breadth(formula) > max_breadth:
        raise Abstained(f"spot: the formula is broader than 2^{max_breadth:g} sets of obligations")
    session = _session()
    negated = session.translate(formula)
    graph, events = session.graph(problem, atoms(formula))
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


def breadth(formula: Formula) -> float:
    """Return log2 of a rough upper bound on the states of the automaton of the negated formula.

    The states are sets of subformulas that are still to hold. Alternatives add up, conjuncts
    multiply, and where an operand is asked for again and again (the left of U, the right of
    R) any of its temporal subformulas may be open at once. Computed after Spot's cheap
    simplifications, in the number of operators squared.
    """
    session = _session()
    simplifier = session.spot.tl_simplifier()
    violation = simplifier.simplify(session.spot.formula.Not(session.build(formula)))
    return _log_sets(simplifier.negative_normal_form(violation), {})[0]


_Sets = tuple[float, frozenset[int]]


def _log_sets(formula: Any, known: dict[int, _Sets]) -> _Sets:
    """Return log2 of the sets of obligations, and the temporal subformulas they are made of."""
    key = formula.id()
    if key not in known:
        parts = [_log_sets(part, known) for part in formula]
        temporal = frozenset[int]().union(*(part[1] for part in parts))
        kind = formula.kindstr()
        if kind in _AGAIN:
            temporal |= {key}
        size = 0.0 if formula.is_boolean() else _log_size(kind, parts)
        known[key] = min(size, float(len(temporal))), temporal
    return known[key]


_AGAIN = {"X": None, "F": None, "G": 0, "U": 0, "W": 0, "R": 1, "M": 1}
"""Temporal operators, and the operand that is asked for again while the operator is open."""


def _log_size(kind: str, parts: list[_Sets]) -> float:
    if kind == "And":
        return sum(size for size, _ in parts)
    if kind == "Or":
        return log2(sum(2**size for size, _ in parts))
    again = _AGAIN[kind]
    rest = sum(2**size for i, (size, _) in enumerate(parts) if i != again)
    if again is None:
        return log2(1 + rest)
    return log2(1 + rest) + len(parts[again][1])


class _Session:
    """Spot with its dictionary of propositions and a translator, kept between checks."""

    def __init__(self) -> None:
        self.spot, self.buddy = _modules()
        self.make = _constructors(self.spot)
        self.dictionary = self.spot.make_bdd_dict()
        # holds on to the propositions, so that their BDD variables are not made anew each time
        self.owner = self.spot.make_twa_graph(self.dictionary)
        self.known: dict[int, tuple[Any, Any, Any]] = {}
        self.translator = self._translator()
        self.left = RENEW_AFTER

    def _translator(self) -> Any:
        kind = self.spot.postprocessor
        translator = self.spot.translator(self.dictionary)
        translator.set_type(kind.GeneralizedBuchi)
        translator.set_pref(kind.Any)
        translator.set_level(kind.Medium)
        return translator

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
        return self.make[formula[0]](*[self.build(part) for part in formula[1:]])

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


_current: list[_Session] = []


def _session() -> _Session:
    if not _current or _current[0].left <= 0:
        _current[:] = [_Session()]
    return _current[0]


@cache
def _modules() -> tuple[ModuleType, ModuleType]:
    # importing Spot takes 0.07 s, which a plugin that is only listed should not cost
    with warnings.catch_warnings():
        # SWIG's own types lack __module__, of which Python warns; where warnings are errors
        # the half-made module then crashes the process
        warnings.filterwarnings("ignore", "builtin type .* has no __module__", DeprecationWarning)
        spot = import_module("spot")
        return spot, import_module("buddy")  # found only after Spot: that extends sys.path


def _constructors(spot: ModuleType) -> dict[str, Callable[..., Any]]:
    make = spot.formula
    return {
        "!": make.Not,
        "&": lambda a, b: make.And([a, b]),
        "|": lambda a, b: make.Or([a, b]),
        "->": make.Implies,
        "X": make.X,
        "F": make.F,
        "G": make.G,
        "U": make.U,
        "R": make.R,
        "W": make.W,
        "M": make.M,
    }
