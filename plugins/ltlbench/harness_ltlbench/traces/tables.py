"""Truth tables of what is due now and at the next moment, for the writer of cases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness_ltlbench.traces.cases_writer import Cases

MAX_OPEN = 12
"""Statements of time that the rules leave open, below those of one case: beyond, there is no trace."""

_NOW = ("!", "&", "|", "->")


class TooManyError(Exception):
    """The cases are beyond the bounds, or do not show what they are to show."""


class Table:
    """Truth tables over what is open at the next moment: bit i is the i-th combination of truth values."""

    def __init__(self, cases: Cases, event: int, then: int, below: Sequence[int]) -> None:
        self.cases, self.event, self.then = cases, event, then
        free = [
            number
            for number in below
            if cases.parts[number - 1][0] not in _NOW  # type: ignore[index]
            and cases.value(then, number) is None
        ]
        if len(free) > MAX_OPEN:
            raise TooManyError
        self.full = (1 << (1 << len(free))) - 1
        self.place = {number: place for place, number in enumerate(free)}
        self._now, self._later = cache(self._work_out_now), cache(self._work_out_later)

    def now(self, due: Iterable[tuple[int, bool]]) -> int:
        """Return with which combinations some operands have certain values now."""
        return self._meet(due, self._now)

    def later(self, due: Iterable[tuple[int, bool]]) -> int:
        """Return with which combinations some operands have certain values at the next moment."""
        return self._meet(due, self._later)

    def _meet(self, due: Iterable[tuple[int, bool]], column: Callable[[int], int]) -> int:
        combinations = self.full
        for number, holds in due:
            combinations &= column(number) if holds else ~column(number)
        return combinations

    def _known(self, event: int, number: int) -> int | None:
        value = self.cases.value(event, number)
        return None if value is None else self.full * value

    def _work_out_later(self, number: int) -> int:
        known = self._known(self.then, number)
        if known is not None:
            return known
        if number in self.place:
            block = 1 << self.place[number]
            # block zeros, block ones, and so on
            return self.full // ((1 << 2 * block) - 1) * ((1 << block) - 1) << block
        return self._boolean(number, self._later)

    def _work_out_now(self, number: int) -> int:
        known = self._known(self.event, number)
        if known is not None:
            return known
        operator = self.cases.parts[number - 1][0]  # type: ignore[index]
        if operator in _NOW:
            return self._boolean(number, self._now)
        left, right = self.cases.operands[number - 1][0], self.cases.operands[number - 1][-1]
        if operator == "X":
            return self._later(left)
        on, a, b = self._later(number), self._now(left), self._now(right)
        return {"F": b | on, "G": b & on, "U": b | a & on, "W": b | a & on}.get(
            operator, b & (a | on)
        )

    def _boolean(self, number: int, column: Callable[[int], int]) -> int:
        operator = self.cases.parts[number - 1][0]  # type: ignore[index]
        left, right = self.cases.operands[number - 1][0], self.cases.operands[number - 1][-1]
        a, b = column(left), column(right)
        return {"!": self.full & ~a, "&": a & b, "|": a | b}.get(operator, self.full & ~a | b)
