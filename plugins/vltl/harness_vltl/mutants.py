"""Wrong formulas that a translator plausibly writes: what a suite of traces has to tell from the right one.

A mutant has one change. At one place: a step more or less, a constant for a part, an operator or a negation dropped,
operands exchanged, another operator of as many operands, a negation of a proposition, another proposition. Or, of the
whole: propositions exchanged throughout, another template over the same propositions. A double has two changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import permutations
from random import Random
from typing import Any

from harness_vltl.engines.evaluator import Frozen, thaw
from harness_vltl.formulas.formula import BINARY, UNARY, Formula, propositions, substitute
from harness_vltl.templates import LETTERS, skeletons

Part = str | bool | tuple[Any, ...]
"""A proposition, a constant, or an operator with the numbers of its operands."""


def mutants(formula: Formula) -> list[Frozen]:
    """Return the mutants of a formula, each once, in a fixed order; some may be equivalent to it."""
    found = Mutants(formula)
    return [found.frozen(number) for number in found.single]


class Mutants:
    """The mutants of a formula. Formulas have numbers, equal ones the same, so that they share their parts.

    ``finite``: on finite traces, where N is an operator, and templates are others.
    """

    def __init__(self, formula: Formula, *, finite: bool = False) -> None:
        self._unary = (*UNARY[1:], "N") if finite else UNARY[1:]
        self._finite = finite
        self.parts: list[Part] = []
        self._numbers: dict[Part, int] = {}
        self._sizes: list[int] = []
        self._names = propositions(formula)
        self.formula = self._add(formula)

    @cached_property
    def single(self) -> list[int]:
        """The numbers of the mutants, each once, in a fixed order; some may be equivalent to the formula."""
        found = dict.fromkeys(self._changed_somewhere(self.formula))
        formula = thaw(self.frozen(self.formula))
        templates = [
            s.formula for s in skeletons(finite=self._finite) if s.arity == len(self._names)
        ]
        for order in permutations(self._names):
            by = dict(zip(LETTERS, order, strict=False))
            whole = substitute(formula, dict(zip(self._names, order, strict=True)))
            found |= dict.fromkeys(map(self._add, (whole, *(substitute(t, by) for t in templates))))
        found.pop(self.formula, None)
        return list(found)

    def doubles(self, rng: Random, count: int) -> list[int]:
        """Return ``count`` mutants of mutants, drawn at random, or fewer where two draws are the same."""
        drawn = dict.fromkeys(
            self._changed_at(first, rng.randrange(self._sizes[first]), rng)
            for first in (rng.choices(self.single, k=count) if self.single else ())
        )
        for known in (self.formula, *self.single):
            drawn.pop(known, None)
        return list(drawn)

    def operands(self, number: int) -> tuple[int, ...]:
        """Return the numbers of a formula's operands."""
        part = self.parts[number]
        return part[1:] if isinstance(part, tuple) else ()

    def frozen(self, number: int) -> Frozen:
        """Return the formula of a number."""
        part = self.parts[number]
        if isinstance(part, tuple):
            return (part[0], *map(self.frozen, self.operands(number)))
        return part

    def _add(self, formula: Formula) -> int:
        if isinstance(formula, list):
            return self._number((formula[0], *map(self._add, formula[1:])))
        return self._number(formula)

    def _number(self, part: Part) -> int:
        number = self._numbers.setdefault(part, len(self.parts))
        if number == len(self.parts):
            self.parts.append(part)
            self._sizes.append(1 + sum(self._sizes[at] for at in self.operands(number)))
        return number

    def _changed_somewhere(self, number: int) -> Iterator[int]:
        """Yield the formula with one place of it changed."""
        yield from self._changed_here(number)
        for place, operand in enumerate(self.operands(number)):
            for changed in self._changed_somewhere(operand):
                yield self._with(number, place, changed)

    def _changed_at(self, number: int, at: int, rng: Random) -> int:
        """Return the formula with part ``at`` of it changed, counted from the whole on, operands after operators."""
        if not at:
            return rng.choice(list(self._changed_here(number)))
        at -= 1
        for place, operand in enumerate(self.operands(number)):
            if at < self._sizes[operand]:
                return self._with(number, place, self._changed_at(operand, at, rng))
            at -= self._sizes[operand]
        raise AssertionError(at)

    def _with(self, number: int, place: int, operand: int) -> int:
        """Return a formula with another operand."""
        part, operands = self.parts[number], self.operands(number)
        operator = part[0] if isinstance(part, tuple) else part
        return self._number((operator, *operands[:place], operand, *operands[place + 1 :]))

    def _changed_here(self, number: int) -> Iterator[int]:
        yield from (self._number((step, number)) for step in "XN" if step in self._unary)
        yield self._number(True)
        yield self._number(False)
        part = self.parts[number]
        if isinstance(part, str):
            yield self._number(("!", number))
            yield from (self._number(name) for name in self._names if name != part)
        if isinstance(part, tuple):
            operator, *operands = part
            yield from operands
            yield self._number((operator, *operands[::-1]))
            if operator != "!":
                for other in self._unary if len(operands) == 1 else BINARY:
                    yield self._number((other, *operands))
