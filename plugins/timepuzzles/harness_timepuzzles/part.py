"""A part of the calendar, its days numbered anew: sets of them are small, quick to count and to intersect."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from datetime import date

from harness_timepuzzles import day_sets
from harness_timepuzzles.clues.clue import Clue, mask


class Part:
    """Some days in ascending order; bit i of a set is the i-th of them.

    A clue is looked up among them once, as most clues come again and again.
    """

    def __init__(self, days: int) -> None:
        import numpy as np  # here, so that describing the plugin does without it

        self._ordinals = day_sets.ordinals(days)
        self._at = np.array(self._ordinals)
        self._kept: dict[Clue, int] = {}
        self.all = (1 << len(self._ordinals)) - 1

    def kept(self, clue: Clue) -> int:
        """Return the set of the days on which a clue holds."""
        kept = self._kept.get(clue)
        if kept is None:
            kept = self._kept[clue] = day_sets.chosen(mask(clue), self._at)
        return kept

    def between(self, first: date, last: date) -> int:
        """Return the set of the days from ``first`` to ``last``, both included."""
        begin = bisect_left(self._ordinals, first.toordinal())
        end = bisect_right(self._ordinals, last.toordinal())
        return (1 << max(end, begin)) - (1 << begin)

    def ordinals(self, days: int) -> list[int]:
        """Return the proleptic Gregorian ordinals of the days of a set, ascending."""
        ordinals: list[int] = self._at[day_sets.places(days)].tolist()
        return ordinals
