"""The engine that confirms labels: Spot's automata, in process.

The problem is decided the classical way (Vardi and Wolper): translate the *negated* formula
into a generalised Büchi automaton and look for a path of the graph that it accepts. Nothing
written by somebody else reaches Spot: formulas are built from constructors, propositions
are named by event number. Spot keeps global state: one thread at a time.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, reduce
from importlib import import_module
from operator import or_
from types import ModuleType
from typing import Any

from harness import Abstained
from harness_ltlbench.formula import MAX_EVENTS, Formula, atoms, walk

MAX_EFFORT = 200_000
"""`effort` beyond which this engine abstains, because Spot cannot be interrupted.

Measured (2 GHz, one core): within this bound Spot took at most 0.8 s on formulas made to be
hard (F of many events, nested U, G of many ``a -> F b``, …), where ``F e1 & … & F e24`` would
take all memory, and 0.03 s on 2,000 random formulas of the paper's generator with 50
operators. Beyond it are 1.7 % of those with all operators, 0.2 % with the paper's; to find
that out takes at most about 1.5 s.
"""

SMALL = 9
"""Operators up to which a formula is safe without looking (hardest found: 0.05 s)."""

RENEW_AFTER = 2000
"""Translations after which Spot's caches, which never shrink, are thrown away."""


@dataclass(frozen=True, slots=True)
class SpotResult:
    """The label, and a lasso of the graph that violates the formula if one was asked for."""

    holds: bool
    violation: dict[str, list[int]] | None = None


def check(problem: Mapping[str, Any], *, violation: bool = False) -> SpotResult:
    """Decide a valid problem; with ``violation`` a False label comes with a violating lasso.

    Raises:
        Abstained: an effort over `MAX_EFFORT`.
    """
    formula = problem["formula"]
    if sum(isinstance(node, list) for node in walk(formula)) > SMALL:
        effort(formula)
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


def effort(formula: Formula) -> int:
    """Return how much work a textbook translation of the negated formula is, in pairs of terms.

    This says how much time Spot takes at most, not what the label is: a dry run, after Spot's
    cheap simplifications, of the tableau whose states are sets of subformulas.

    Raises:
        Abstained: more than `MAX_EFFORT`.
    """
    session = _session()
    simplifier = session.spot.tl_simplifier()
    violation = simplifier.simplify(session.spot.formula.Not(session.build(formula)))
    dry_run = _DryRun()
    dry_run.run(simplifier.negative_normal_form(violation))
    return dry_run.work


_EVENT_BITS = 2 * (MAX_EVENTS + 1)
_POSITIVE = ((1 << _EVENT_BITS) - 1) // 3  # every other bit


class _DryRun:
    """A tableau over sets packed into ints, for the sake of its size alone.

    A term, one way to satisfy something, has two bits per event (it is now, it is not now),
    then two bits per subformula (it is due next, it is put off).
    """

    def __init__(self) -> None:
        self.work = 0
        self.known: dict[int, list[int]] = {}
        self.place: dict[int, int] = {}
        self.formulas: list[Any] = []

    def run(self, formula: Any) -> None:
        states = [self.due(formula)]
        seen = set(states)
        for state in states:
            terms = [0]
            for i, part in enumerate(self.formulas):
                if state >> (_EVENT_BITS + 2 * i) & 1:
                    terms = self.product(terms, self.terms(part))
            next_bits = ((1 << 2 * len(self.formulas)) - 1) // 3 << _EVENT_BITS
            for successor in (term & next_bits for term in terms):
                if successor not in seen:
                    seen.add(successor)
                    states.append(successor)

    def due(self, formula: Any) -> int:
        """Return the term in which a formula is due next; "and" is due in parts."""
        if formula.kindstr() == "And":
            return reduce(or_, map(self.due, formula))
        if formula.id() not in self.place:
            self.place[formula.id()] = len(self.formulas)
            self.formulas.append(formula)
        return 1 << (_EVENT_BITS + 2 * self.place[formula.id()])

    def terms(self, formula: Any) -> list[int]:
        key = formula.id()
        if key not in self.known:
            self.known[key] = self.expand(formula, formula.kindstr(), list(formula))
        return self.known[key]

    def expand(self, formula: Any, kind: str, parts: list[Any]) -> list[int]:
        if formula.is_constant():
            return [0] if formula.is_tt() else []
        if formula.is_literal():
            name = parts[0].ap_name() if kind == "Not" else formula.ap_name()
            return [(2 if kind == "Not" else 1) << 2 * int(name[1:])]
        if kind == "X":
            return [self.due(parts[0])]
        if kind == "And":
            return reduce(self.product, map(self.terms, parts))
        if kind == "Or":
            return _fewest(term for part in parts for term in self.terms(part))
        again = self.due(formula)
        if kind in "FUM":
            again |= again << 1
        first, last = self.terms(parts[0]), self.terms(parts[-1])
        if kind in "RM":
            return self.product(last, _fewest([*first, again]))
        if kind == "G":
            return self.product(last, [again])
        return _fewest(last + (self.product(first, [again]) if kind in "UW" else [again]))

    def product(self, some: list[int], others: list[int]) -> list[int]:
        self.spend(len(some) * len(others))
        both = {a | b for a in some for b in others}
        self.spend(len(both) ** 2 // 256)  # for comparing each with each
        return _fewest(term for term in both if not term & term >> 1 & _POSITIVE)

    def spend(self, work: int) -> None:
        self.work += work
        if self.work > MAX_EFFORT:
            raise Abstained(f"spot: the translation could take an effort over {MAX_EFFORT}")


def _fewest(terms: Iterable[int]) -> list[int]:
    """Drop every term that asks for no less than another one does."""
    kept: list[int] = []
    for term in sorted(terms, key=int.bit_count):
        if not any(not other & ~term for other in kept):
            kept.append(term)
    return kept


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
