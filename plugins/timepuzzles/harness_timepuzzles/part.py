"""A part of the calendar, its days numbered anew, so that sets of them are small; and all clues of a type."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from harness_timepuzzles import day_sets
from harness_timepuzzles.clues.clue import Clue, Values, World, mask

Kept = tuple[Clue, int]
"""A clue and the days of a part on which it holds."""
Key = tuple[type[Clue], Values]
"""Type and parameters of a clue."""

_MOST = 4_000  # clues of one part
_FEW = 128  # clues of a type


class Candidates:
    """All clues of a type that hold on some day of a world's range, and on which of its days each holds."""

    def __init__(self, kind: type[Clue], world: World) -> None:
        import numpy as np  # here, so that describing the plugin does without it

        span = day_sets.run(world.first, world.last)
        made = [(kind(*values), (kind, values)) for values in kind.all_values(world.facts)]
        held = [(clue, key, days) for clue, key in made if (days := clue.build()) & span]
        self._clues = [(clue, key) for clue, key, _ in held]
        self._low, size = day_sets.lowest(span), span.bit_count()
        masks = (day_sets.bits(days)[self._low : self._low + size] for _, _, days in held)
        eight = iter(lambda: list(islice(masks, 8)), [])
        packed = [np.packbits(some, axis=0) for some in eight]
        # A row for each day, a bit for each clue.
        self._holding = np.concatenate([np.empty((0, size), np.uint8), *packed]).T.copy()

    def __len__(self) -> int:
        return len(self._clues)

    def on(self, days: day_sets.Numbers) -> Iterator[tuple[Key, Kept]]:
        """Yield each clue with its key and the set of those of some days on which it holds; bit i is the i-th.

        The days are numbers of bits.
        """
        import numpy as np

        sets = np.packbits(self._rows(days), axis=0, bitorder="little").T.copy()
        for (clue, key), row in zip(self._clues, sets, strict=True):
            yield key, (clue, int.from_bytes(row.tobytes(), "little"))

    def that_keep(self, number: int, days: day_sets.Numbers) -> list[Key]:
        """Return the keys of the clues that hold on exactly so many of some days, numbers of bits."""
        import numpy as np

        counts = np.add.reduce(self._rows(days), axis=0, dtype=np.uint16)
        return [self._clues[place][1] for place in (counts == number).nonzero()[0].tolist()]

    def _rows(self, days: day_sets.Numbers) -> day_sets.Bits:
        import numpy as np

        return np.unpackbits(self._holding[days - self._low], axis=1, count=len(self._clues))


class Part(dict[Key, Kept]):
    """Some days of a range in ascending order; bit i of a set is the i-th of them.

    Looked up by its type and parameters, a clue is made once: most come again and again. ``candidates`` returns those
    of a type.
    """

    def __init__(
        self, days: int, world: World, candidates: Callable[[type[Clue]], Candidates]
    ) -> None:
        self.days = day_sets.days(days)
        self._at = day_sets.places(days)
        self._low = day_sets.lowest(days)
        self._candidates = candidates
        self.all = (1 << len(self.days)) - 1
        self._is_run = days >> self._low == self.all

    def __missing__(self, key: Key) -> Kept:
        """Make a clue, and all of its type with it where they are few."""
        if len(self) >= _MOST:
            self.clear()
        if not self._is_run and len(self._candidates(key[0])) <= _FEW:
            self.update(self._candidates(key[0]).on(self._at))
            return self[key]
        clue = key[0](*key[1])
        days = mask(clue)
        among = days >> self._low & self.all if self._is_run else day_sets.chosen(days, self._at)
        kept = self[key] = clue, among
        return kept

    def that_keep(self, kind: type[Clue], number: int, days: day_sets.Numbers) -> list[Key]:
        """Return the keys of all clues of a type that hold on exactly so many of some days, numbered as in a set."""
        return self._candidates(kind).that_keep(number, self._at[days])
