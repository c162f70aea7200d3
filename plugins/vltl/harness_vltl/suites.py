"""Suites of traces that tell a formula from its mutants.

Every suite is chosen from one pool of traces per number of propositions, simple ones first, which is the same on
every machine. A mutant that no trace of the pool tells from the formula is equivalent, which Spot decides, or it
survives; so the kill rate counts non-equivalent mutants only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from random import Random
from typing import Any

from harness import Abstained, EngineError
from harness_vltl.engines import spot
from harness_vltl.engines.evaluator import Frozen, Pool, freeze, rows, thaw
from harness_vltl.formulas.formula import Formula, propositions
from harness_vltl.mutants import mutants

# Length and loop of the traces of a pool, and how many of each. Finite traces come first.
_SHAPES = ((8, 7, 500), (3, 0, 100), (4, 2, 100), (6, 0, 100), (5, 0, 60), (8, 5, 100), (10, 5, 60))
_TRIED = 24  # traces looked at for the one that kills most
_FEWEST = 2  # satisfying ones, and violating ones, if there are any


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
    mutants: int  # not equivalent to the formula
    killed: int
    equivalent: int
    pair_killed: int  # by the two designated traces alone

    @property
    def rate(self) -> float:
        """The share of non-equivalent mutants on which some trace differs from the formula."""
        return self.killed / self.mutants if self.mutants else 1.0

    @property
    def pair_rate(self) -> float:
        """The share of non-equivalent mutants that the two designated traces alone tell."""
        return self.pair_killed / self.mutants if self.mutants else 1.0


def suite(formula: Formula) -> Suite:
    """Return the suite of a formula over prop_1, prop_2, … (all of them, in any order).

    Raises:
        ConstantError: the formula holds on all traces of the pool or on none.
        EngineError: Spot contradicts the evaluator on a trace of the suite.
    """
    return _suite(freeze(formula), len(propositions(formula)), whole=True)


def pair(formula: Formula) -> Suite:
    """Return a satisfying and a violating trace only, the simplest of the pool; no mutants are made.

    Raises:
        ConstantError, EngineError: as `suite`.
    """
    return _suite(freeze(formula), len(propositions(formula)), whole=False)


@lru_cache(maxsize=4096)
def _suite(formula: Frozen, count: int, *, whole: bool) -> Suite:
    kills = _Kills(formula, count, mutants(thaw(formula)) if whole else ())
    undecided = [mutant for mutant, differing in kills.by_mutant.items() if not differing]
    equivalent = {mutant for mutant in undecided if _equivalent(formula, mutant)}
    chosen = kills.choose() if whole else kills.choose()[:2]
    listed = [kills.trace(number) for number in chosen]
    right = [kills.gold(number) for number in chosen]
    _confirm(formula, listed, right)
    pair = [chosen[right.index(True)], chosen[right.index(False)]]
    values = [rows(thaw(formula), kills.trace(number)) for number in pair]
    return Suite(
        satisfying=tuple(trace for trace, holds in zip(listed, right, strict=True) if holds),
        violating=tuple(trace for trace, holds in zip(listed, right, strict=True) if not holds),
        values=(values[0], values[1]),
        mutants=len(kills.by_mutant) - len(equivalent),
        killed=kills.count(chosen),
        equivalent=len(equivalent),
        pair_killed=kills.count(pair),
    )


def _equivalent(formula: Frozen, mutant: Frozen) -> bool:
    """Return whether a mutant is known to be equivalent; one that Spot declines counts as a survivor."""
    try:
        return spot.difference(thaw(formula), thaw(mutant)) is None
    except Abstained:
        return False


def _confirm(formula: Frozen, listed: Sequence[Mapping[str, Any]], right: Sequence[bool]) -> None:
    """Refuse a suite on which the second engine disagrees."""
    for trace, holds in zip(listed, right, strict=True):
        if spot.holds(thaw(formula), trace) is not holds:
            raise EngineError(f"engines contradict each other on {thaw(formula)} and {trace}")


class _Kills:
    """Which traces of the pool tell a formula from each of its mutants."""

    def __init__(self, formula: Frozen, count: int, wrong: Sequence[tuple[str, Frozen]]) -> None:
        self.pools = _pools(count)
        self.values = self._verdicts(formula)
        self.by_mutant = {m: self._verdicts(m) ^ self.values for _, m in wrong}
        if self.values in (0, self._verdicts(True)):
            raise ConstantError(f"{thaw(formula)} holds on all traces of the pool or on none")

    def _verdicts(self, formula: Frozen) -> int:
        value, shift = 0, 0
        for pool in self.pools:
            value |= pool.holds(formula) << shift
            shift += pool.length * pool.words
        return value

    def gold(self, number: int) -> bool:
        return bool(self.values >> number & 1)

    def trace(self, number: int) -> dict[str, Any]:
        """Return a trace of the pool, in its shortest form."""
        for pool in self.pools:
            size = pool.length * pool.words
            if number < size:
                return pool.trace(number)
            number -= size
        raise AssertionError(number)

    def count(self, chosen: Sequence[int]) -> int:
        """Return how many mutants some of the traces kill."""
        return sum(
            any(differing >> number & 1 for number in chosen)
            for differing in self.by_mutant.values()
        )

    def choose(self) -> list[int]:
        """Return numbers of traces that together kill what the pool can kill, at least some of either kind."""
        alive = [differing for differing in self.by_mutant.values() if differing]
        chosen: list[int] = []
        every = self._verdicts(True)
        while alive:
            # what few traces kill needs one of those; the lowest numbers are the simplest traces
            rare = min(alive, key=int.bit_count)
            best = max(_bits(rare, _TRIED), key=lambda n: (_killed(alive, n), -n))
            chosen.append(best)
            alive = [differing for differing in alive if not differing >> best & 1]
        for kind in (self.values, every ^ self.values):
            chosen += self._missing(kind, chosen)
        return self._designated_first(chosen)

    def _missing(self, kind: int, chosen: Sequence[int]) -> list[int]:
        """Return the simplest traces of a kind that has too few, none the same word as one that is there."""
        missing = _FEWEST - sum(kind >> number & 1 for number in chosen)
        if missing <= 0:
            return []
        words = [self.trace(number) for number in chosen]
        added: list[int] = []
        for number in _bits(kind, _TRIED):
            word = self.trace(number)
            if len(added) < missing and word not in words:
                added.append(number)
                words.append(word)
        return added

    def _designated_first(self, chosen: list[int]) -> list[int]:
        """Put the satisfying and the violating trace first that kill most together."""
        good = [n for n in chosen if self.gold(n)]
        bad = [n for n in chosen if not self.gold(n)]
        masks = list(self.by_mutant.values())
        pair = max(
            ((g, b) for g in good for b in bad),
            key=lambda p: (sum((w >> p[0] | w >> p[1]) & 1 for w in masks), -p[0] - p[1]),
        )
        return [*pair, *(n for n in chosen if n not in pair)]


def _killed(alive: Sequence[int], number: int) -> int:
    return sum(differing >> number & 1 for differing in alive)


def _bits(value: int, most: int) -> Iterator[int]:
    """Yield the lowest bits of an int, ``most`` of them at most."""
    for _ in range(most):
        if not value:
            return
        low = value & -value
        yield low.bit_length() - 1
        value ^= low


@cache
def _pools(count: int) -> tuple[Pool, ...]:
    """Return the traces over prop_1 … prop_<count> that suites are chosen from, the simplest first."""
    return tuple(_pool(count, length, loop, most) for length, loop, most in _SHAPES)


def _pool(count: int, length: int, loop: int, most: int) -> Pool:
    rng = Random(f"pool|{count}|{length}|{loop}")
    patterns = _patterns(length)
    columns: dict[tuple[int, ...], None] = {}
    for draw in range(40 * most):
        # one in four is noise, the others have the kinds of shape that formulas speak of
        if draw % 4 == 3:
            drawn = tuple(rng.getrandbits(length) for _ in range(count))
        else:
            drawn = tuple(rng.choice(patterns) for _ in range(count))
        columns.setdefault(drawn)
        if len(columns) == most:
            break
    listed = sorted(columns, key=_complexity)
    names = [f"prop_{i}" for i in range(1, count + 1)]
    packed = {
        name: sum(drawn[at] << number * length for number, drawn in enumerate(listed))
        for at, name in enumerate(names)
    }
    return Pool(length, loop, packed, len(listed))


def _patterns(length: int) -> list[int]:
    """Return ways in which one proposition can be true along so many states, as bits."""
    full = (1 << length) - 1
    patterns = [0, full]
    for at in range(length):
        since = full >> at << at
        patterns += [1 << at, full ^ 1 << at, since, full ^ since, 3 << at & full]
    for period in range(2, 7):
        for start in range(period):
            regular = sum(1 << at for at in range(start, length, period))
            patterns += [regular, full ^ regular]
    return list(dict.fromkeys(patterns))


def _complexity(drawn: tuple[int, ...]) -> tuple[int, int]:
    """Return how often propositions change, then how often they are true: the order of the pool."""
    return sum((bits ^ bits >> 1).bit_count() for bits in drawn), sum(map(int.bit_count, drawn))
