"""An adapter to pyModelChecking's LTL model checker, with its defect corrected.

pyModelChecking 1.3.4 is unsound: in the tableau (Clarke, Grumberg, Peled: Model Checking,
section 6.7) ``_build_atoms`` makes, for an ``a U b`` that neither operand decides, an atom
with ``Not(X(a U b))`` but forgets ``Not(a U b)``; its last loop then adds an atom that has
``a U b`` with nothing to support it. On one state that repeats forever, ``A G p`` fails.
Such atoms are exactly the ones that break the rule of U, so this adapter builds the tableau
with the library's own parts and leaves them out. No attribute of the library is replaced.

The checker is exponential in the temporal subformulas, in pure Python: see `MAX_WORK`.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from harness import Abstained
from harness_ltlbench.formula import Formula, walk

MAX_OPERATORS = 40
"""Operators beyond which this engine abstains at once: the library recurses per operator."""

MAX_WORK = 200_000
"""Most atoms (events × choices of temporal subformulas) times characters of all subformulas.

The library compares formulas as text, so their length counts. Measured over 950 random
problems of 1–20 events and 2–9 operators: 98 % were within the bound, and each of
those took about 1 s at most (2 GHz, one core).
"""


@dataclass(frozen=True, slots=True)
class PymcResult:
    """The label; this engine gives no counterexample."""

    holds: bool


def check(problem: Mapping[str, Any]) -> PymcResult:
    """Decide a valid problem.

    Raises:
        Abstained: more than `MAX_OPERATORS` operators, or a tableau beyond `MAX_WORK`.
    """
    operators = sum(isinstance(node, list) for node in walk(problem["formula"]))
    if operators > MAX_OPERATORS:
        raise Abstained(f"pymc: {operators} operators are more than {MAX_OPERATORS}")
    library = _library()
    violation = _build(problem["formula"], library.LTL).get_equivalent_restricted_formula()
    violation = library.LTL.LNot(violation)
    closure = library.checking._get_closure(violation)
    edges = _reachable(problem)
    kripke = _kripke(edges, library)
    _admit(closure, len(kripke.states()), library)
    # the library leaves the initial state to its callers
    return PymcResult(problem["initial"] not in _satisfying(kripke, violation, closure, library))


@dataclass(frozen=True, slots=True)
class _Library:
    LTL: ModuleType
    checking: ModuleType
    graph: ModuleType
    kripke: ModuleType


@cache
def _library() -> _Library:
    # a plugin that is only listed should not pay for the import
    names = ("LTL", "LTL.model_checking", "graph", "kripke")
    with warnings.catch_warnings():
        # its parser library imports modules that Python 3.11 calls deprecated
        warnings.filterwarnings("ignore", "module 'sre_", DeprecationWarning)
        return _Library(*(import_module(f"pyModelChecking.{name}") for name in names))


def _build(formula: Formula, ltl: Any) -> Any:
    """Return the library's formula object; W and M, which it lacks, by R and U."""
    if isinstance(formula, int):
        return ltl.AtomicProposition(f"e{formula}")
    operator, *parts = formula
    built = [_build(part, ltl) for part in parts]
    if operator == "W":  # a W b = b R (a | b)
        return ltl.R(built[1], ltl.Or(*built))
    if operator == "M":  # a M b = b U (a & b)
        return ltl.U(built[1], ltl.And(*built))
    return getattr(ltl, _CLASSES[operator])(*built)


_CLASSES = {"!": "Not", "&": "And", "|": "Or", "->": "Imply"}
_CLASSES |= {operator: operator for operator in ("X", "F", "G", "U", "R")}


def _kripke(edges: list[tuple[int, int]], library: _Library) -> Any:
    labels = {source: {library.LTL.AtomicProposition(f"e{source}")} for source, _ in edges}
    return library.kripke.Kripke(S=sorted(labels), R=edges, L=labels)


def _admit(closure: set[Any], events: int, library: _Library) -> None:
    # the X come in pairs, X f and X !f, and an atom has one of each pair
    choices = sum(isinstance(formula, library.LTL.X) for formula in closure) // 2
    work = (events << choices) * sum(len(str(formula)) for formula in closure)
    if work > MAX_WORK:
        raise Abstained(f"pymc: {events} events × 2^{choices} choices are beyond its bounds")


def _satisfying(kripke: Any, formula: Any, closure: set[Any], library: _Library) -> set[int]:
    """Return the states from which some path satisfies a formula (``_checkE_path_formula``)."""
    tableau = _tableau(kripke, closure, library)
    fulfilled: list[int] = []
    for component in library.graph.compute_SCCs(tableau):
        if library.checking._is_non_trivial_self_fulfilling(tableau, component, closure):
            fulfilled.extend(component)
    good = tableau.get_reversed_graph().get_reachable_set_from(fulfilled)
    return {tableau.atoms[i].state for i in good if formula in tableau.atoms[i]}


def _tableau(kripke: Any, closure: set[Any], library: _Library) -> Any:
    """Return the tableau (``_Tableu``) without the atoms that break the rule of U."""
    untils = [formula for formula in closure if isinstance(formula, library.LTL.U)]
    nexts = [formula for formula in closure if isinstance(formula, library.LTL.X)]
    atoms = [
        atom
        for atom in library.checking._build_atoms(kripke, closure)
        if all(_supported(until, atom, library.LTL) for until in untils)
    ]
    # atoms by state and by what they say about the moment: an X of one atom is met by another
    by_now: dict[tuple[int, tuple[bool, ...]], list[int]] = {}
    for i, atom in enumerate(atoms):
        now = tuple(formula.subformula(0) in atom for formula in nexts)
        by_now.setdefault((atom.state, now), []).append(i)
    tableau = library.graph.DiGraph(V=range(len(atoms)))
    for i, atom in enumerate(atoms):
        then = tuple(formula in atom for formula in nexts)
        for state in kripke.next(atom.state):
            for j in by_now.get((state, then), ()):
                tableau.add_edge(i, j)
    tableau.atoms = atoms
    return tableau


def _supported(until: Any, atom: set[Any], ltl: Any) -> bool:
    """Return whether an atom has a U b exactly if it has b, or a and X (a U b)."""
    first, second = until.subformulas()
    return (until in atom) == (second in atom or (first in atom and ltl.X(until) in atom))


def _reachable(problem: Mapping[str, Any]) -> list[tuple[int, int]]:
    """Return the edges that can be taken; an event without one gets an edge to itself."""
    successors: dict[int, list[int]] = {}
    for source, target in problem["edges"]:
        successors.setdefault(source, []).append(target)
    seen = {problem["initial"]}
    todo = [problem["initial"]]
    edges = []
    for source in todo:
        for target in successors.get(source, [source]):
            edges.append((source, target))
            if target not in seen:
                seen.add(target)
                todo.append(target)
    return edges
