"""Wrong formulas that a translator plausibly writes: what a suite of traces has to tell from the right one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from harness_vltl.engines.evaluator import Frozen, freeze
from harness_vltl.formulas.formula import BINARY, UNARY, Formula, propositions, substitute
from harness_vltl.templates import LETTERS, skeletons

KINDS = ("negation", "swap", "next", "operator", "skeleton")


def mutants(formula: Formula) -> list[tuple[str, Frozen]]:
    """Return the mutants of a formula with their kinds, each one once, in a fixed order.

    ``negation``: one dropped, or one put before a proposition; ``swap``: propositions exchanged;
    ``next``: one step more or less at one place; ``operator``: another one of as many operands;
    ``skeleton``: another template over the same propositions. Some may be equivalent to the formula.
    """
    kinds: dict[Frozen, str] = {}
    for kind, mutant in _with_kinds(formula):
        kinds.setdefault(freeze(mutant), kind)
    kinds.pop(freeze(formula), None)
    return [(kind, mutant) for mutant, kind in kinds.items()]


def _with_kinds(formula: Formula) -> Iterator[tuple[str, Formula]]:
    names = propositions(formula)
    yield from _changed_somewhere(formula)
    for order in permutations(names):
        yield "swap", substitute(formula, dict(zip(names, order, strict=True)))
    for skeleton in skeletons():
        if skeleton.arity == len(names):
            for order in permutations(names):
                by = dict(zip(LETTERS, order, strict=False))
                yield "skeleton", substitute(skeleton.formula, by)


def _changed_somewhere(formula: Formula) -> Iterator[tuple[str, Formula]]:
    """Yield the formula with one place of it changed."""
    yield from _changed_here(formula)
    if isinstance(formula, list):
        for at in range(1, len(formula)):
            for kind, part in _changed_somewhere(formula[at]):
                yield kind, [*formula[:at], part, *formula[at + 1 :]]


def _changed_here(formula: Formula) -> Iterator[tuple[str, Formula]]:
    if isinstance(formula, str):
        yield "negation", ["!", formula]
    yield "next", ["X", formula]
    if not isinstance(formula, list):
        return
    operator, *parts = formula
    if operator == "!":
        yield "negation", parts[0]
        return
    if operator == "X":
        yield "next", parts[0]
    others = UNARY if operator in UNARY else BINARY
    for other in others:
        if other not in (operator, "!"):
            yield "operator", [other, *parts]
    if operator in BINARY:
        yield "swap", [operator, parts[1], parts[0]]
