"""pyModelChecking's LTL model checker as an engine on traces, with its defect corrected.

A trace is a Kripke structure with one path, so that "on all paths" and "on some path" are the
same. pyModelChecking 1.3.4 is unsound: in the tableau (Clarke, Grumberg, Peled: Model Checking,
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

from harness import Abstained, HarnessError
from harness_vltl.formula import Formula, propositions, validate

MAX_OPERATORS = 40
"""Operators, once ``<->``, W and M are written out, beyond which this engine abstains at once."""

MAX_WORK = 200_000
"""Most atoms (states × choices of temporal subformulas) times characters of all subformulas.

The library compares formulas as text, so their length counts.
"""


def holds(formula: Formula, trace: Mapping[str, Any]) -> bool:
    """Return whether a trace (CONTRACT.md) satisfies a formula.

    Raises:
        Abstained: more than `MAX_OPERATORS` operators, or a tableau beyond `MAX_WORK`.
        FormulaError: not a formula.
        HarnessError: not a trace.
    """
    validate(formula)
    operators = _operators(formula)
    if operators > MAX_OPERATORS:
        raise Abstained(f"pymc: {operators:.3g} operators are more than {MAX_OPERATORS}")
    library = _library()
    # the library compares formulas as text, so names must not look like formulas
    inner = {name: f"p{i}" for i, name in enumerate(propositions(formula))}
    violation = library.LTL.Not(_build(formula, inner, library.LTL))
    violation = violation.get_equivalent_restricted_formula()
    closure = library.checking._get_closure(violation)
    _admit(closure, len(trace["states"]), library)
    kripke = _kripke(trace, inner, library)
    return 0 not in _satisfying(kripke, violation, closure, library)


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


def _operators(formula: Formula) -> int:
    """Return the number of operators that `_build` makes: what stands twice is counted twice."""
    if not isinstance(formula, list):
        return 0
    operator, *parts = formula
    counts = [_operators(part) for part in parts]
    if operator == "<->":
        return 3 + 2 * sum(counts)
    return 1 + sum(counts) + (1 + counts[1 if operator == "W" else 0] if operator in "WM" else 0)


def _build(formula: Formula, inner: Mapping[str, str], ltl: Any) -> Any:
    """Return the library's formula object; what it lacks, by what it has."""
    if isinstance(formula, bool):
        return ltl.Bool(True) if formula else ltl.Not(ltl.Bool(True))
    if isinstance(formula, str):
        return ltl.AtomicProposition(inner[formula])
    operator, *parts = formula
    built = [_build(part, inner, ltl) for part in parts]
    if operator == "<->":
        return ltl.And(ltl.Imply(*built), ltl.Imply(*reversed(built)))
    if operator == "W":  # a W b = b R (a | b)
        return ltl.R(built[1], ltl.Or(*built))
    if operator == "M":  # a M b = b U (a & b)
        return ltl.U(built[1], ltl.And(*built))
    return getattr(ltl, _CLASSES[operator])(*built)


_CLASSES = {"!": "Not", "&": "And", "|": "Or", "->": "Imply"}
_CLASSES |= {operator: operator for operator in ("X", "F", "G", "U", "R")}


def _kripke(trace: Mapping[str, Any], inner: Mapping[str, str], library: _Library) -> Any:
    states, loop = trace["states"], trace["loop"]
    if not (type(loop) is int and 0 <= loop < len(states)):
        raise HarnessError(f"a trace of {len(states)} states cannot go back to {loop!r:.20}")
    proposition = library.LTL.AtomicProposition
    labels = {
        i: {proposition(inner[name]) for name in state if name in inner}
        for i, state in enumerate(states)
    }
    edges = [(i, i + 1) for i in range(len(states) - 1)] + [(len(states) - 1, loop)]
    return library.kripke.Kripke(S=list(labels), R=edges, L=labels)


def _admit(closure: set[Any], states: int, library: _Library) -> None:
    # the X come in pairs, X f and X !f, and an atom has one of each pair
    choices = sum(isinstance(formula, library.LTL.X) for formula in closure) // 2
    work = (states << choices) * sum(len(str(formula)) for formula in closure)
    if work > MAX_WORK:
        raise Abstained(f"pymc: {states} states × 2^{choices} choices are beyond its bounds")


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
