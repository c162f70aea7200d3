"""Spot: how to import it, to keep it from one question to the next, and to know beforehand what it may take.

Spot is native code that cannot be interrupted from Python, and whose translations can take all
time and memory. A dry run of a textbook construction, with a bound on its work, comes first.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import cache, reduce
from importlib import import_module, metadata
from importlib.util import find_spec
from operator import or_
from types import ModuleType
from typing import Any, TypeVar

from harness_errors import Abstained, EngineError

MAX_EFFORT = 200_000
"""`effort` beyond which an engine should not ask Spot.

Measured (2 GHz, one core): finding out took at most 0.7 s. Within the bound Spot took at most 0.8 s on
formulas made to be hard (F of many propositions, nested U, G of many ``a -> F b``, …), where
``!(F p1 & … & F p24)`` would take all memory, and 0.3 s on 650 random ones of 9 to 100 operators.
"""

MISSING = (
    "Spot is not installed: pip install spottl on Linux with x86-64; anywhere else "
    "conda install -c conda-forge spot, in the environment of the harness"
)


def installed() -> bool:
    """Return whether there is a Spot here, whoever installed it."""
    return find_spec("spot") is not None


RENEW_AFTER = 2000
"""Translations after which Spot's caches, which never shrink, are thrown away."""


@cache
def modules() -> tuple[ModuleType, ModuleType]:
    """Return the modules spot and buddy.

    Raises:
        EngineError: Spot is not installed.
    """
    # importing Spot takes 0.07 s, which a plugin that is only listed should not cost
    with warnings.catch_warnings():
        # SWIG's own types lack __module__, of which Python warns; where warnings are errors
        # the half-made module then crashes the process
        warnings.filterwarnings("ignore", "builtin type .* has no __module__", DeprecationWarning)
        try:
            spot = import_module("spot")
        except ModuleNotFoundError as error:
            if error.name != "spot":
                raise
            raise EngineError(MISSING) from None
        return spot, import_module("buddy")  # found only after Spot: that extends sys.path


def version() -> str:
    """Return Spot's version; raises as `modules` does."""
    try:
        return metadata.version("spottl")  # importing Spot would cost 0.07 s and tell the same
    except metadata.PackageNotFoundError:  # by conda, or built by hand
        return str(modules()[0].version())


_CONSTRUCTORS = {"!": "Not", "&": "And", "|": "Or", "->": "Implies", "<->": "Equiv"}


class Session:
    """Spot with a dictionary of propositions and a translator, kept from one question to the next."""

    level = "Low"
    """How hard the translator works to make an automaton small: Low, Medium or High."""

    def __init__(self) -> None:
        self.spot, self.buddy = modules()
        self.dictionary = self.spot.make_bdd_dict()
        # holds on to the propositions, so that their BDD variables are not made anew each time
        self.owner = self.spot.make_twa_graph(self.dictionary)
        kind = self.spot.postprocessor
        self.translator = self.spot.translator(self.dictionary)
        self.translator.set_type(kind.GeneralizedBuchi)
        self.translator.set_pref(kind.Any)
        self.translator.set_level(getattr(kind, self.level))
        self.left = RENEW_AFTER
        """How many translations are left; whoever translates counts it down."""

    def combined(self, operator: str, operands: Sequence[Any]) -> Any:
        """Return Spot's formula of an operator and its operands."""
        make = getattr(self.spot.formula, _CONSTRUCTORS.get(operator, operator))
        return make(operands) if operator in ("&", "|") else make(*operands)


_S = TypeVar("_S", bound=Session)
_current: dict[type[Session], Session] = {}


def current(kind: type[_S]) -> _S:
    """Return the session of a kind; a new one where there is none, or the old one has translated enough."""
    session = _current.get(kind)
    if not isinstance(session, kind) or session.left <= 0:
        session = _current[kind] = kind()
    return session


def effort(formula: Any, propositions: int) -> int:
    """Return the work of a textbook translation of a formula, in pairs of terms.

    Args:
        formula: Spot's, in negative normal form; propositions are called a letter and a number
            (p0, e17).
        propositions: more than the highest of these numbers.

    Raises:
        Abstained: more than `MAX_EFFORT`.
    """
    dry_run = _DryRun(propositions)
    dry_run.run(formula)
    return dry_run.work


class _DryRun:
    """A tableau over sets packed into ints, for the sake of its size alone.

    A term, one way to satisfy something, has two bits per proposition (it is true now, it is
    false now), then two bits per subformula (it is due next, it is put off).
    """

    def __init__(self, propositions: int) -> None:
        self.bits = 2 * propositions
        self.names = (1 << self.bits) - 1
        self.positive = self.names // 3  # every other bit
        self.work = 0
        self.known: dict[int, list[int]] = {}
        self.shared: dict[int, tuple[list[int], int]] = {}  # by what is due: terms, and their work
        self.place: dict[int, int] = {}
        self.formulas: list[Any] = []

    def run(self, formula: Any) -> None:
        states = [self.due(formula)]
        seen = set(states)
        for state in states:
            terms = self.ways(state)
            next_bits = ((1 << 2 * len(self.formulas)) - 1) // 3 << self.bits
            for successor in (term & next_bits for term in terms):
                if successor not in seen:
                    seen.add(successor)
                    states.append(successor)

    def ways(self, state: int) -> list[int]:
        """Return the terms that satisfy all that is due; states that begin alike share what that takes."""
        terms, due = [0], 0
        for i, part in enumerate(self.formulas):
            bit = 1 << (self.bits + 2 * i)
            if not state & bit:
                continue
            due |= bit
            if due in self.shared:
                terms, work = self.shared[due]
                self.spend(work)
                continue
            others, before = self.terms(part), self.work
            terms = self.product(terms, others)
            self.shared[due] = terms, self.work - before
        return terms

    def due(self, formula: Any) -> int:
        """Return the term in which a formula is due next; "and" is due in parts."""
        if formula.kindstr() == "And":
            return reduce(or_, map(self.due, formula))
        if formula.id() not in self.place:
            self.place[formula.id()] = len(self.formulas)
            self.formulas.append(formula)
        return 1 << (self.bits + 2 * self.place[formula.id()])

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
            return self.fewest([term for part in parts for term in self.terms(part)])
        again = self.due(formula)
        if kind in "FUM":
            again |= again << 1
        first, last = self.terms(parts[0]), self.terms(parts[-1])
        if kind in "RM":
            return self.product(last, self.fewest([*first, again]))
        if kind == "G":
            return self.product(last, [again])
        return self.fewest(last + (self.product(first, [again]) if kind in "UW" else [again]))

    def product(self, some: list[int], others: list[int]) -> list[int]:
        self.spend(len(some) * len(others))
        both = {a | b for a in some for b in others}
        return self.fewest([term for term in both if not term & term >> 1 & self.positive])

    def fewest(self, terms: Sequence[int]) -> list[int]:
        """Drop every term that asks for no less than another one does."""
        self.spend(len(terms) ** 2 // 32)  # for comparing each with each
        # Spot's decision diagram has all propositions above all that is due, and remembers of
        # each term that has both, or two propositions, whether it is still possible
        kept_open = [term for term in terms if term & term - 1 and term & self.names]
        needed = reduce(or_, kept_open, 0)
        names = ((needed | needed >> 1) & self.positive).bit_count()
        self.spend((1 << min(names, len(kept_open))) // 4)
        kept: list[int] = []
        for term in sorted(terms, key=int.bit_count):
            lacking = ~term
            for other in kept:  # any() of a generator takes twice the time
                if not other & lacking:
                    break
            else:
                kept.append(term)
        return kept

    def spend(self, work: int) -> None:
        self.work += work
        if self.work > MAX_EFFORT:
            raise Abstained(f"spot: the translation could take an effort over {MAX_EFFORT}")
