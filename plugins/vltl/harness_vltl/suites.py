"""Suites of traces that tell a formula from its mutants.

Every suite is chosen from one pool of traces per number of propositions, simple ones first, which is the same on
every machine. Counted are the mutants that some trace of the pool tells from the formula: of the others, Spot finds
99 of 100 equivalent (`benchmarks/vltl.py`). Doubles help to choose the traces, too, and are not counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

from harness import EngineError
from harness_vltl.engines import finite_spot, spot
from harness_vltl.engines.evaluator import Frozen, freeze, rows, thaw
from harness_vltl.formulas.formula import Formula, propositions, text
from harness_vltl.mutants import Mutants
from harness_vltl.pool import Pool, ended_of, pool_of

_DOUBLES = 300
_MOST = 8  # traces of a suite
_FEWEST = 2  # satisfying ones, and violating ones; one of each is finite, as published ones are; if there are any


class ConstantError(EngineError):
    """A formula that all traces satisfy, or none."""


@dataclass(frozen=True, slots=True)
class Suite:
    """Traces with the formula's verdicts, and what became of the mutants.

    The first satisfying and the first violating trace are the designated ones of the published format.
    """

    satisfying: tuple[dict[str, Any], ...]
    violating: tuple[dict[str, Any], ...]
    values: tuple[list[str], list[str]]  # of all subformulas on the two designated traces
    mutants: int  # that some trace of the pool tells from the formula
    killed: int
    pair_killed: int  # by the two designated traces alone

    @property
    def rate(self) -> float:
        """The share of mutants that some trace tells from the formula."""
        return self.killed / self.mutants if self.mutants else 1.0

    @property
    def pair_rate(self) -> float:
        """The share of mutants that the two designated traces alone tell."""
        return self.pair_killed / self.mutants if self.mutants else 1.0


def suite(formula: Formula, *, finite: bool = False) -> Suite:
    """Return the suite of a formula over prop_1, prop_2, … (all of them, in any order).

    ``finite``: of LTL on finite traces, and so are the traces.

    Raises:
        ConstantError: the formula holds on all traces of the pool or on none.
        EngineError: Spot contradicts the evaluator on a trace of the suite.
    """
    return _suite(freeze(formula), len(propositions(formula)), whole=True, finite=finite)


def pair(formula: Formula, *, finite: bool = False) -> Suite:
    """Return a satisfying and a violating trace only, the simplest of the pool; no mutants are made.

    Raises:
        ConstantError, EngineError: as `suite`.
    """
    return _suite(freeze(formula), len(propositions(formula)), whole=False, finite=finite)


@lru_cache(maxsize=4096)
def _suite(formula: Frozen, count: int, *, whole: bool, finite: bool) -> Suite:
    pool = ended_of(count) if finite else pool_of(count)
    kills = _Kills(pool, Mutants(thaw(formula), finite=finite))
    masks = (
        [mask for mutant in kills.mutants.single if (mask := kills.mask(mutant))] if whole else []
    )
    if whole:
        doubles = kills.mutants.doubles(Random(repr(formula)), _DOUBLES)
        chosen = kills.choose([*masks, *map(kills.mask, doubles)])
    else:
        chosen = [_lowest(kills.right), _lowest(kills.wrong)]
    pair = kills.designated(chosen, masks)
    chosen = [*pair, *(number for number in chosen if number not in pair)]
    listed = [kills.pool.trace(number) for number in chosen]
    right = [bool(kills.right >> number & 1) for number in chosen]
    judge = finite_spot.holds if finite else spot.holds
    for trace, holds in zip(listed, right, strict=True):
        if judge(thaw(formula), trace) is not holds:
            raise EngineError(f"engines contradict each other on {thaw(formula)} and {trace}")
    return Suite(
        satisfying=tuple(trace for trace, holds in zip(listed, right, strict=True) if holds),
        violating=tuple(trace for trace, holds in zip(listed, right, strict=True) if not holds),
        values=(rows(thaw(formula), listed[0]), rows(thaw(formula), listed[1])),
        mutants=len(masks),
        killed=_killed(masks, chosen),
        pair_killed=_killed(masks, pair),
    )


class _Kills:
    """Which traces of a pool tell a formula from its mutants: a number has a bit per trace."""

    def __init__(self, pool: Pool, mutants: Mutants) -> None:
        self.pool = pool
        self.mutants = mutants
        self.values: dict[int, int] = {}
        self.right = self._value(self.mutants.formula) & pool.first
        self.wrong = self.right ^ pool.first
        if not self.right or not self.wrong:
            formula = text(thaw(mutants.frozen(mutants.formula)))
            raise ConstantError(f"{formula} holds on all traces of the pool or on none")

    def _value(self, number: int) -> int:
        """Return on which states of the pool's traces a formula holds."""
        value = self.values.get(number)
        if value is None:
            part = self.mutants.parts[number]
            if isinstance(part, tuple):
                operands = map(self._value, self.mutants.operands(number))
                value = self.pool.meanings[part[0]](*operands)
            else:
                value = self.pool.values(part)
            self.values[number] = value
        return value

    def mask(self, mutant: int) -> int:
        """Return the traces that tell a mutant from the formula."""
        return (self._value(mutant) & self.pool.first) ^ self.right

    def choose(self, masks: Sequence[int]) -> list[int]:
        """Return traces that together kill as many mutants as can be, some of either kind among them."""
        alive = [mask for mask in masks if mask]
        chosen: list[int] = []
        left = self.pool.first
        while len(chosen) < _MOST:
            missing = self._missing(chosen)
            if not alive and not missing:
                break
            must = not alive or len(missing) >= _MOST - len(chosen)
            best = _commonest(alive, missing[0] if must else left)
            chosen.append(best)
            left ^= 1 << best
            alive = [mask for mask in alive if not mask >> best & 1]
        return chosen

    def _missing(self, chosen: Sequence[int]) -> list[int]:
        """Return for each trace that is still to be chosen, whatever it kills, those that it may be."""
        taken = sum(1 << number for number in chosen)
        finite = self.pool.finite
        wanted = [
            (self.right & finite, 1),
            (self.wrong & finite, 1),
            (self.right, _FEWEST),
            (self.wrong, _FEWEST),
        ]
        return [
            kind & ~taken
            for kind, fewest in wanted
            for _ in range(min(fewest, kind.bit_count()) - (kind & taken).bit_count())
        ]

    def designated(self, chosen: Sequence[int], masks: Sequence[int]) -> tuple[int, int]:
        """Return the satisfying and the violating trace that kill most together."""
        good = [number for number in chosen if self.right >> number & 1]
        bad = [number for number in chosen if self.wrong >> number & 1]
        return max(
            ((g, b) for g in good for b in bad),
            key=lambda pair: (_killed(masks, pair), -pair[0] - pair[1]),
        )


def _killed(masks: Sequence[int], numbers: Sequence[int]) -> int:
    """Return how many mutants some of the traces kill."""
    these = sum(1 << number for number in numbers)
    return sum(bool(mask & these) for mask in masks)


def _lowest(mask: int) -> int:
    return (mask & -mask).bit_length() - 1


def _commonest(masks: Sequence[int], among: int) -> int:
    """Return the trace that is in most of the masks, the first of several: all are counted at once, in binary."""
    digits: list[int] = []
    for mask in masks:
        carry = mask & among
        for place, digit in enumerate(digits):
            digits[place], carry = digit ^ carry, digit & carry
            if not carry:
                break
        else:
            digits += [carry] if carry else []
    for digit in reversed(digits):
        among = among & digit or among
    return _lowest(among)
