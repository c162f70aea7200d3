"""A part of the calendar, its days numbered anew, so that sets of them are small; and all clues of a type."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from datetime import date
from itertools import islice

from harness_timepuzzles import day_sets
from harness_timepuzzles.clues.clue import Clue, Values, World, mask

Kept = tuple[Clue, int]
"""A clue and the days of a part on which it holds."""

_MOST = 4_000  # clues of a type in one part
_FEW = 128  # clues of a type that are made at once
_COUNTED = 32  # clues of a type that are counted one by one: numpy takes longer


class Candidates:
    """All clues of a type that hold on some day of a world's range, and on which of its days each holds."""

    def __init__(self, kind: type[Clue], world: World) -> None:
        import numpy as np  # here, so that describing the plugin does without it

        span = day_sets.run(world.first, world.last)
        made = [(kind(*values), values) for values in kind.all_values(world.facts)]
        held = [(clue, values, days) for clue, values in made if (days := clue.build()) & span]
        self._clues = [(clue, values) for clue, values, _ in held]
        self._low, size = day_sets.lowest(span), span.bit_count()
        masks = (day_sets.bits(days)[self._low : self._low + size] for _, _, days in held)
        eight = iter(lambda: list(islice(masks, 8)), [])
        packed = [np.packbits(some, axis=0) for some in eight]
        # A row for each day, a bit for each clue.
        self._holding = np.concatenate([np.empty((0, size), np.uint8), *packed]).T.copy()

    def __len__(self) -> int:
        return len(self._clues)

    def on(self, days: day_sets.Numbers) -> Iterator[tuple[Values, Kept]]:
        """Yield each clue after its parameters, with the set of the days on which it holds; bit i is the i-th.

        The days are numbers of bits.
        """
        import numpy as np

        sets = np.packbits(self._rows(days), axis=0, bitorder="little").T
        data, size = sets.tobytes(), sets.shape[1]
        for number, (clue, values) in enumerate(self._clues):
            among = data[number * size : (number + 1) * size]
            yield values, (clue, int.from_bytes(among, "little"))

    def that_keep(self, number: int, days: day_sets.Numbers) -> list[Values]:
        """Return the parameters of the clues that hold on exactly so many of some days, numbers of bits."""
        import numpy as np

        counts = np.add.reduce(self._rows(days), axis=0, dtype=np.uint16)
        return [self._clues[place][1] for place in (counts == number).nonzero()[0].tolist()]

    def _rows(self, days: day_sets.Numbers) -> day_sets.Bits:
        import numpy as np

        return np.unpackbits(self._holding[days - self._low], axis=1, count=len(self._clues))


class Part(dict[type[Clue], "OfType"]):
    """Some days of a range, as ordinals in ascending order; bit i of a set is the i-th of them.

    Looked up by its type, and there by its parameters, a clue is made once: most come again and again. ``candidates``
    returns those of a type.
    """

    def __init__(
        self, days: int, world: World, candidates: Callable[[type[Clue]], Candidates]
    ) -> None:
        self.days = day_sets.ordinals(days)
        self.places = day_sets.places(days)
        self._low = day_sets.lowest(days)
        self._candidates = candidates
        self.all = (1 << len(self.days)) - 1
        self._is_run = days >> self._low == self.all

    def __missing__(self, kind: type[Clue]) -> OfType:
        made = self[kind] = OfType(kind, self, self._candidates(kind))
        return made

    def kept(self, clue: Clue) -> Kept:
        """Return a clue with the set of the days on which it holds."""
        days = mask(clue)
        return clue, (
            days >> self._low & self.all if self._is_run else day_sets.chosen(days, self.places)
        )

    def between(self, first: date, last: date) -> int:
        """Return the set of the days from a first to a last one."""
        begin = bisect_left(self.days, first.toordinal())
        return (1 << max(bisect_right(self.days, last.toordinal()), begin)) - (1 << begin)

    def chosen(self, days: int) -> list[date]:
        """Return the days of a set in ascending order."""
        return [date.fromordinal(self.days[place]) for place in day_sets.places(days).tolist()]

    def first_day(self, days: int) -> date:
        """Return the earliest day of a set that is not empty."""
        return date.fromordinal(self.days[day_sets.lowest(days)])


class OfType(dict[Values, Kept]):
    """Clues of a type by their parameters, with the days of a part on which they hold: all, where they are few."""

    def __init__(self, kind: type[Clue], part: Part, candidates: Candidates) -> None:
        self._kind, self._part, self._candidates = kind, part, candidates
        if len(candidates) <= _FEW:
            self.update(candidates.on(part.places))

    def __missing__(self, values: Values) -> Kept:
        if len(self) >= _MOST:
            self.clear()
        kept = self[values] = self._part.kept(self._kind(*values))
        return kept

    def that_keep(self, number: int, days: int) -> list[Values]:
        """Return the parameters of all clues of the type that hold on exactly so many days of a set."""
        if len(self._candidates) <= _COUNTED:
            return [key for key, kept in self.items() if (kept[1] & days).bit_count() == number]
        return self._candidates.that_keep(number, self._part.places[day_sets.places(days)])
