"""A part of the calendar, its days numbered anew: sets of them are small, quick to count and to intersect."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from datetime import date

from harness_timepuzzles import day_sets
from harness_timepuzzles.clues.clue import Clue, Values, mask

Kept = tuple[Clue, int]
"""A clue and the days of a part on which it holds."""

_MOST = 4_000  # clues of one part


class Part(dict[tuple[type[Clue], Values], Kept]):
    """Some days in ascending order; bit i of a set is the i-th of them.

    Looked up by its type and parameters, a clue is made once: most come again and again.
    """

    def __init__(self, days: int) -> None:
        import numpy as np  # here, so that describing the plugin does without it

        self.days = day_sets.days(days)
        self._at = np.array(day_sets.ordinals(days))
        self._low = day_sets.lowest(days)
        self.all = (1 << len(self.days)) - 1
        self._is_run = days >> self._low == self.all

    def __missing__(self, key: tuple[type[Clue], Values]) -> Kept:
        """Make a clue."""
        if len(self) >= _MOST:
            self.clear()
        clue = key[0](*key[1])
        days = mask(clue)
        among = days >> self._low & self.all if self._is_run else day_sets.chosen(days, self._at)
        kept = self[key] = clue, among
        return kept

    def between(self, first: date, last: date) -> int:
        """Return the set of the days from ``first`` to ``last``, both included."""
        begin, end = bisect_left(self.days, first), bisect_right(self.days, last)
        return (1 << max(end, begin)) - (1 << begin)
