"""A part of the calendar, its days numbered anew, so that sets of them are small; and all clues of some types."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from datetime import date
from itertools import islice

from harness_timepuzzles import day_sets
from harness_timepuzzles.clues.clue import Clue, Values, World, mask

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

    def ordinals(self, days: int) -> day_sets.Numbers:
        """Return the ordinals of the days of a set."""
        numbers: day_sets.Numbers = self._at[day_sets.places(days)]
        return numbers


class Candidates:
    """All clues of some types: on each day of a world's range, which of them hold."""

    def __init__(self, kinds: Sequence[type[Clue]], world: World) -> None:
        import numpy as np

        self._keys = [(kind, values) for kind in kinds for values in kind.all_values(world)]
        self._first = world.first.toordinal()
        days = np.arange(self._first, world.last.toordinal() + 1)
        masks = (kind(*values).build() for kind, values in self._keys)
        packed = [
            np.packbits([day_sets.bits(mask, days) for mask in some], axis=0)
            for some in iter(lambda: list(islice(masks, 8)), [])
        ]
        # A row for each day, a bit for each clue.
        self._holding = np.concatenate(packed).T.copy()

    def that_keep(
        self, number: int, days: day_sets.Numbers
    ) -> dict[type[Clue], list[Values]]:
        """Return parameters by type: those of the clues that hold on exactly so many of some days (ordinals)."""
        import numpy as np

        rows = np.unpackbits(self._holding[days - self._first], axis=1)
        counts = np.add.reduce(rows, axis=0, dtype=np.uint16)
        kept: dict[type[Clue], list[Values]] = {}
        for place in (counts == number).nonzero()[0].tolist():
            if place<len(self._keys):
                kind, values = self._keys[place]
                kept.setdefault(kind, []).append(values)
        return kept
