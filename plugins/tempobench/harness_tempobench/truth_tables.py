"""Truth tables as ints: bit ``i`` is the value where exactly the variables of the bits of ``i`` are flipped.

Flipped against a *trace*, a value for each variable, so bit 0 is the value in the trace itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from harness_tempobench.constraint import Formula
from harness_tempobench.formulas import Variable

MAX_VARIABLES = 12
"""The most variables of a table, which then has 4,096 rows."""


class Table:
    """The truth tables of formulas over some variables.

    Args:
        variables: at most `MAX_VARIABLES`.
        trace: their values in the trace; others may have some too.
    """

    def __init__(self, variables: Iterable[Variable], trace: Mapping[Variable, bool]) -> None:
        self.variables = tuple(variables)
        self.full = (1 << (1 << len(self.variables))) - 1
        self._place = {variable: place for place, variable in enumerate(self.variables)}
        self._literals: dict[tuple[Any, ...], int] = {}
        for variable, place in self._place.items():
            kept = _kept(place, len(self.variables))
            self._literals[variable, trace[variable]] = kept
            self._literals[variable, not trace[variable]] = self.full ^ kept

    def rows(self, formula: Formula) -> int:
        """Return the table of a formula, nested tuples in negation normal form."""
        kind = formula[0]
        if kind == "literal":
            return self._literals[formula[1:]]
        if kind in ("and", "true"):
            rows = self.full
            for part in formula[1:]:
                rows &= self.rows(part)
        else:
            rows = 0
            for part in formula[1:]:
                rows |= self.rows(part)
        return rows

    def row(self, flipped: Iterable[Variable]) -> int:
        """Return the table of what holds where exactly these variables are flipped: one bit."""
        return 1 << sum(1 << self._place[variable] for variable in flipped)

    def flipped(self, rows: int) -> list[Variable]:
        """Return what is flipped in the first of some rows, of which there is at least one."""
        row = (rows & -rows).bit_length() - 1
        return [variable for variable, place in self._place.items() if row >> place & 1]


@lru_cache(maxsize=128)
def _kept(place: int, variables: int) -> int:
    """Return the rows in which a variable is not flipped: as many as are, in runs of ``1 << place``."""
    full: int = (1 << (1 << variables)) - 1
    return full // ((1 << (1 << place)) + 1)
