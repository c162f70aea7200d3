"""pyModelChecking's LTL model checker, with its defect corrected.

pyModelChecking 1.3.4 is unsound: in the tableau (Clarke, Grumberg, Peled: Model Checking,
section 6.7) ``_build_atoms`` makes, for an ``a U b`` that neither operand decides, an atom
with ``Not(X(a U b))`` but forgets ``Not(a U b)``; its last loop then adds an atom that has
``a U b`` with nothing to support it. On one state that repeats forever, ``A G p`` fails.
Such atoms are exactly the ones that break the rule of U, so the tableau is built with the
library's own parts and without them. No attribute of the library is replaced.

The checker is exponential in the temporal subformulas, in pure Python: see `MAX_WORK`. It recurses
per operator and leaves the initial state to its callers.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from harness_errors import Abstained

MAX_OPERATORS = 40
"""Operators beyond which a caller should not ask: the library recurses per operator."""

MAX_WORK = 200_000
"""Most atoms (states × choices of temporal subformulas) times characters of all subformulas.

The library compares formulas as text, so their length counts. Measured over 950 random
problems of 1–20 states and 2–9 operators: 98 % were within the bound, and each of
those took about 1 s at most (2 GHz, one core).
"""


@dataclass(frozen=True, slots=True)
class Library:
    """The modules of pyModelChecking that are used here."""

    LTL: ModuleType
    checking: ModuleType
    graph: ModuleType
    kripke: ModuleType


@cache
def library() -> Library:
    """Return the modules of pyModelChecking."""
    # a plugin that is only listed should not pay for the import
    names = ("LTL", "LTL.model_checking", "graph", "kripke")
    with warnings.catch_warnings():
        # its parser library imports modules that Python 3.11 calls deprecated
        warnings.filterwarnings("ignore", "module 'sre_", DeprecationWarning)
        return Library(*(import_module(f"pyModelChecking.{name}") for name in names))


_CLASSES = {"!": "Not", "&": "And", "|": "Or", "->": "Imply"}
_CLASSES |= {operator: operator for operator in ("X", "F", "G", "U", "R")}


def combined(operator: str, operands: Sequence[Any]) -> Any:
    """Return the library's formula of an operator and its operands; what it lacks, by what it has."""
    ltl: Any = library().LTL
    if operator == "<->":
        return ltl.And(ltl.Imply(*operands), ltl.Imply(*reversed(operands)))
    if operator == "W":  # a W b = b R (a | b)
        return ltl.R(operands[1], ltl.Or(*operands))
    if operator == "M":  # a M b = b U (a & b)
        return ltl.U(operands[1], ltl.And(*operands))
    return getattr(ltl, _CLASSES[operator])(*operands)


def satisfying(kripke: Any, formula: Any) -> set[int]:
    """Return the states from which some path satisfies a formula (``_checkE_path_formula``).

    Args:
        kripke: a Kripke structure of the library, its states numbers.
        formula: an LTL formula of the library, restricted (``get_equivalent_restricted_formula``).

    Raises:
        Abstained: a tableau beyond `MAX_WORK`.
    """
    known = library()
    closure = known.checking._get_closure(formula)
    _admit(closure, len(kripke.states()), known)
    tableau = _tableau(kripke, closure, known)
    fulfilled: list[int] = []
    for component in known.graph.compute_SCCs(tableau):
        if known.checking._is_non_trivial_self_fulfilling(tableau, component, closure):
            fulfilled.extend(component)
    good = tableau.get_reversed_graph().get_reachable_set_from(fulfilled)
    return {tableau.atoms[i].state for i in good if formula in tableau.atoms[i]}


def _admit(closure: set[Any], states: int, known: Library) -> None:
    # the X come in pairs, X f and X !f, and an atom has one of each pair
    choices = sum(isinstance(formula, known.LTL.X) for formula in closure) // 2
    work = (states << choices) * sum(len(str(formula)) for formula in closure)
    if work > MAX_WORK:
        raise Abstained(f"pymc: {states} states × 2^{choices} choices are beyond its bounds")


def _tableau(kripke: Any, closure: set[Any], known: Library) -> Any:
    """Return the tableau (``_Tableu``) without the atoms that break the rule of U."""
    untils = [formula for formula in closure if isinstance(formula, known.LTL.U)]
    nexts = [formula for formula in closure if isinstance(formula, known.LTL.X)]
    atoms = [
        atom
        for atom in known.checking._build_atoms(kripke, closure)
        if all(_supported(until, atom, known.LTL) for until in untils)
    ]
    # atoms by state and by what they say about the moment: an X of one atom is met by another
    by_now: dict[tuple[int, tuple[bool, ...]], list[int]] = {}
    for i, atom in enumerate(atoms):
        now = tuple(formula.subformula(0) in atom for formula in nexts)
        by_now.setdefault((atom.state, now), []).append(i)
    tableau = known.graph.DiGraph(V=range(len(atoms)))
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
