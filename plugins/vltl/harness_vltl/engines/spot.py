"""Spot's automata as an engine that decides formulas on traces and tells formulas apart.

A trace is one infinite word: it satisfies a formula if the formula's automaton accepts it, i.e.
if the product of the automaton and of the word's own automaton is not empty. Two formulas differ
if the product of one's automaton and of the other's negation has an accepting run.

Nothing written by somebody else reaches Spot: formulas and words are built from constructors,
propositions are called p0, p1, … inside. Spot keeps global state: one thread at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations, islice
from operator import or_
from typing import Any

from harness_logic import spot_library

from harness import Abstained, EngineError, HarnessError
from harness_vltl import lassos
from harness_vltl.formulas.formula import (
    MAX_PROPOSITIONS,
    Formula,
    propositions,
    substitute,
    validate,
    walk,
)

SMALL = 9
"""Operators (an equivalence counts three) up to which a formula is safe without looking."""

SHORTER = 200
"""Shorter traces tried before the one that Spot gave is taken; enough for six states."""

KEPT = 256
"""Automata kept for the next traces of the same formulas."""


def holds(formula: Formula, trace: Mapping[str, Any]) -> bool:
    """Return whether a trace (CONTRACT.md) satisfies a formula.

    Propositions of the trace that the formula does not name do not matter.

    Raises:
        Abstained: an effort over `spot_library.MAX_EFFORT` for the formula and for its negation.
        FormulaError: not a formula.
        HarnessError: not a trace.
    """
    validate(formula)
    session = spot_library.current(Session)
    word = session.word(formula)
    accepted = session.graph(trace, word.places).intersects(word.automaton)
    return bool(accepted) != word.negated


def difference(left: Formula, right: Formula) -> dict[str, Any] | None:
    """Return a trace on which exactly one of two formulas holds; None if they are equivalent.

    The trace is over the propositions of both; it is short, not always the shortest.

    Raises:
        Abstained: an effort over `spot_library.MAX_EFFORT` for one of the formulas or its negation.
        EngineError: Spot's trace does not tell them apart when asked again, one by one.
        FormulaError: not a formula.
    """
    for formula in (left, right):
        validate(formula)
    if left == right and repr(left) == repr(right):  # True == 1
        return None
    session = spot_library.current(Session)
    names, ours, theirs = session.numbered(left, right)
    if session.same(ours, theirs):
        return None
    run = session.difference(ours, theirs)
    if run is None:
        return None
    trace = session.trace(run, names)
    if holds(left, trace) == holds(right, trace):
        raise EngineError("spot: the trace it gave does not tell the formulas apart")
    shorter = (t for t in _shortened(trace) if holds(left, t) != holds(right, t))
    return next(shorter, trace)


def _shortened(trace: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield some traces made of fewer of a trace's states, the shortest ones first."""
    states = trace["states"]
    fewer = (
        {"states": list(part), "loop": loop}
        for length in range(1, len(states))
        for part in combinations(states, length)
        for loop in range(length)
    )
    return islice(fewer, SHORTER)


PLACES = 2 * MAX_PROPOSITIONS  # two formulas may have no proposition in common


@dataclass(frozen=True, slots=True)
class _Word:
    """What it takes to decide a formula on traces: its automaton, or that of its negation."""

    places: dict[str, int]
    automaton: Any
    negated: bool


class Session(spot_library.Session):
    """Spot with propositions p0, p1, …, and what was translated last; `finite_spot` builds on it."""

    # the level that `spot_library.MAX_EFFORT` was measured at
    level = "Low"
    names = PLACES
    """More than the highest number of a proposition."""

    def __init__(self) -> None:
        super().__init__()
        variables = [self.owner.register_ap(f"p{i}") for i in range(PLACES)]
        self.positive = [self.buddy.bdd_ithvar(variable) for variable in variables]
        self.negative = [self.buddy.bdd_nithvar(variable) for variable in variables]
        self.labels: dict[tuple[int, int], Any] = {}
        self.words: dict[str, _Word | Abstained] = {}
        self.automata: dict[tuple[str, bool], Any] = {}

    def word(self, formula: Formula) -> _Word:
        """Return what is needed to decide a valid formula on traces."""
        key = repr(formula)
        if key not in self.words:
            _keep(self.words, key, self.new_word(formula))
        word = self.words[key]
        if isinstance(word, Abstained):
            raise Abstained(str(word))
        return word

    def new_word(self, formula: Formula) -> _Word | Abstained:
        """Return the same, made anew, or why there is none."""
        places = {name: i for i, name in enumerate(propositions(formula))}
        inner = substitute(formula, {name: f"p{i}" for name, i in places.items()})
        for negated in (False, True):  # a word is in one of the two, and one may be much easier
            try:
                return _Word(places, self.automaton(inner, negated=negated), negated)
            except Abstained as error:
                why = str(error)
        return Abstained(why)

    def automaton(self, formula: Formula, *, negated: bool) -> Any:
        """Return the automaton of a valid formula over p0, p1, …, or of its negation."""
        key = (repr(formula), negated)
        if key not in self.automata:
            self.left -= 1
            operators = [part[0] for part in walk(formula) if isinstance(part, list)]
            # an equivalence counts three times: it asks all twice
            if len(operators) + 2 * operators.count("<->") > SMALL:
                self.effort(formula, negated)
            _keep(self.automata, key, self.translate(formula, negated))
        return self.automata[key]

    def numbered(self, left: Formula, right: Formula) -> tuple[list[str], Formula, Formula]:
        """Return the propositions of two formulas, and both over p0, p1, …"""
        names = list(dict.fromkeys(propositions(left) + propositions(right)))
        inner = {name: f"p{i}" for i, name in enumerate(names)}
        return names, substitute(left, inner), substitute(right, inner)

    def difference(self, left: Formula, right: Formula) -> Any:
        """Return a run on which exactly one of two formulas over p0, p1, … holds; None if there is none."""
        for yes, no in ((left, right), (right, left)):
            product = self.spot.product(
                self.automaton(yes, negated=False), self.automaton(no, negated=True)
            )
            run = product.accepting_run()
            if run is not None:
                return run.reduce()
        return None

    def effort(self, formula: Formula, negated: bool) -> int:
        """Return how much work a textbook translation of a valid formula is, or of its negation, in pairs of terms.

        This says how much time Spot takes at most: a dry run, after Spot's cheap simplifications, of
        the tableau whose states are sets of subformulas.

        Raises:
            Abstained: more than `spot_library.MAX_EFFORT`.
        """
        inner = {name: f"p{i}" for i, name in enumerate(propositions(formula))}
        simplifier = self.simplifier()
        simple = simplifier.simplify(self.build(substitute(formula, inner), negated))
        return spot_library.effort(simplifier.negative_normal_form(simple), self.names)

    def translate(self, formula: Formula, negated: bool) -> Any:
        """Return the automaton of a formula, or of its negation, however much work it is."""
        try:
            return self.translator.run(self.build(formula, negated))
        except RuntimeError as error:  # more than 32 promises, for one
            raise Abstained(f"spot: {str(error).strip()[:200]}") from None

    def build(self, formula: Formula, negated: bool = False) -> Any:
        """Return Spot's formula, or its negation."""
        built = self._build(formula)
        return self.spot.formula.Not(built) if negated else built

    def _build(self, formula: Formula) -> Any:
        if isinstance(formula, bool):
            return self.spot.formula.tt() if formula else self.spot.formula.ff()
        if isinstance(formula, str):
            return self.spot.formula.ap(formula)
        return self.combined(formula[0], [self._build(part) for part in formula[1:]])

    def simplifier(self) -> Any:
        """Return what makes formulas shorter, cheaply."""
        # without looking for implications between parts: that took minutes on nested <->
        return self.spot.tl_simplifier(self.spot.tl_simplifier_options(True, False, True))

    def same(self, left: Formula, right: Formula) -> bool:
        """Return whether two formulas are the same one after cheap simplifications."""
        simplify = self.simplifier().simplify
        return bool(simplify(self.build(left)) == simplify(self.build(right)))

    def graph(self, trace: Mapping[str, Any], places: Mapping[str, int]) -> Any:
        """Return the automaton whose one run is the trace."""
        states, loop = trace["states"], trace["loop"]
        if not (type(loop) is int and 0 <= loop < len(states)):  # Spot would not notice
            raise HarnessError(f"a trace of {len(states)} states cannot go back to {loop!r:.20}")
        graph = self.spot.make_twa_graph(self.dictionary)
        graph.new_states(len(states))
        graph.set_init_state(0)
        for i, state in enumerate(states, 1):
            target = i if i < len(states) else loop
            graph.new_edge(i - 1, target, self.label(state, places))
        return graph

    def label(self, state: Iterable[str], places: Mapping[str, int]) -> Any:
        """Return which of the formula's propositions are true and which false in a state."""
        true = reduce(or_, (1 << places[name] for name in state if name in places), 0)
        key = (true, len(places))
        if key not in self.labels:
            if len(self.labels) > 100 * KEPT:
                self.labels.clear()
            label = self.buddy.bddtrue
            for i in range(len(places)):
                label &= (self.positive if true >> i & 1 else self.negative)[i]
            self.labels[key] = label
        return self.labels[key]

    def trace(self, run: Any, names: Sequence[str]) -> dict[str, Any]:
        """Return a run of a product over p0, p1, … as a trace over these names."""
        prefix, cycle = (
            [self.state(step.label, names) for step in steps] for steps in (run.prefix, run.cycle)
        )
        return lassos.reduced([*prefix, *cycle], len(prefix))

    def state(self, label: Any, names: Sequence[str]) -> list[str]:
        """Return the true propositions of one state that fits a label, true only if need be."""
        true = []
        for i, name in enumerate(names):
            if (label & self.negative[i]) == self.buddy.bddfalse:
                true.append(name)
            else:
                label = label & self.negative[i]
        return sorted(true)


def _keep(kept: dict[Any, Any], key: Any, value: Any) -> None:
    if len(kept) >= KEPT:
        del kept[next(iter(kept))]
    kept[key] = value
