"""Truth values now and at the next moment, tried as far as they matter: for the reader of cases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness_ltlbench.traces.cases_reader import CasesReader

Due = tuple[tuple[int, bool], ...]
"""Statements by number, in ascending order, each with whether it holds."""

_Value = bool | tuple[int, ...]
"""True, false, or open: the statement whose value at the next moment it hangs on."""
_Ask = Callable[[int], _Value]
_BOOLEAN = ("!", "&", "|", "->")


class Moment:
    """An event and the one that follows; what is true at the next moment is tried as far as it matters."""

    def __init__(self, whole: CasesReader, event: int, then: int) -> None:
        self.whole, self.event, self.then = whole, event, then
        self.tried: dict[int, bool] = {}

    def some(
        self,
        due: Due,
        later: Due,
        excluded: Sequence[Due],
        also: Iterable[tuple[int, bool]] = (),
    ) -> bool:
        """Return whether truth values meet what is due now and later, and none of what is excluded later.

        ``also`` are operands that have to have a value now.
        """
        open_: int | None = None
        wanted = [self._now(number, value) for number, value in (*due, *also)]
        wanted += [self._next(number, value) for number, value in later]
        for met in wanted:
            if met is False:
                return False
            if not isinstance(met, bool):
                open_ = open_ or met[0]
        for signs in excluded:
            values = [self._next(number, value) for number, value in signs]
            if all(value is True for value in values):
                return False
            if not any(value is False for value in values):
                open_ = open_ or next(v[0] for v in values if not isinstance(v, bool))
        if open_ is None:
            return True
        for value in (True, False):
            self.tried[open_] = value
            if self.some(due, later, excluded, also):
                del self.tried[open_]
                return True
        del self.tried[open_]
        return False

    def _known(self, event: int, number: int) -> bool | None:
        if number < 0:
            return event == -number
        always, never = self.whole.known[number - 1]
        return True if event in always else False if event in never else None

    def _next(self, number: int, wanted: bool = True) -> _Value:
        """Return whether an operand has a value at the next moment; if that is open, what it hangs on."""
        known = self._known(self.then, number)
        if known is None:
            operator = self._operator(number)
            if operator in _BOOLEAN:
                return _signed(self._boolean(operator, number, self._next), wanted)
            if number not in self.tried:
                return (number,)
            known = self.tried[number]
        return known is wanted

    def _now(self, number: int, wanted: bool = True) -> _Value:
        """Return whether an operand has a value now; if that is open, what it hangs on."""
        known = self._known(self.event, number)
        if known is not None:
            return known is wanted
        operator = self._operator(number)
        if operator in _BOOLEAN:
            return _signed(self._boolean(operator, number, self._now), wanted)
        operands = self._operands(number)
        if operator == "X":
            return self._next(operands[0], wanted)
        on = self._next(number)
        a, b = self._now(operands[0]), self._now(operands[-1])
        if operator in "FG":
            value = _or(a, on) if operator == "F" else _and(a, on)
        elif operator in "UW":
            value = _or(b, _and(a, on))
        else:
            value = _and(b, _or(a, on))
        return _signed(value, wanted)

    def _boolean(self, operator: str, number: int, value: _Ask) -> _Value:
        operands = self._operands(number)
        a, b = value(operands[0]), value(operands[-1])
        if operator == "!":
            return _signed(a, False)
        if operator == "&":
            return _and(a, b)
        return _or(_signed(a, False) if operator == "->" else a, b)

    def _operator(self, number: int) -> str:
        formula = self.whole.parts[number - 1][0]
        assert isinstance(formula, list)  # a single event is always known
        return str(formula[0])

    def _operands(self, number: int) -> list[int]:
        return self.whole.operands[number - 1]


def _signed(value: _Value, wanted: bool) -> _Value:
    return value is wanted if isinstance(value, bool) else value


def _and(a: _Value, b: _Value) -> _Value:
    if a is False or b is False:
        return False
    return b if a is True else a


def _or(a: _Value, b: _Value) -> _Value:
    if a is True or b is True:
        return True
    return b if a is False else a
