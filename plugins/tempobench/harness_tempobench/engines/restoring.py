"""A machine whose outputs may be restored to those of a trace, as confirming engines make it (CONTRACT.md).

Its states are sets of states, one bit each, layer by layer up to the effect's step.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_

from harness import Abstained

MAX_SETS = 4_000
"""Sets of states."""

Table = Sequence[Sequence[Sequence[int]]]


def determined(
    table: Table, start: int, letters: Sequence[int], place: int, value: bool
) -> tuple[list[list[tuple[int, int]]], int]:
    """Return table and first state of a machine whose effect fails where it can.

    Args:
        table: for each state and letter the next state and the output mask.
        start: the first state.
        letters: the trace's inputs up to the effect's step.
        place: the number of the effect's output.
        value: its value in the trace; of the masks returned, only this output at this step says anything.

    Raises:
        Abstained: too many sets of states.
    """
    restored = _Restored(table)
    layer, state, count = [1 << start], start, 1
    rows: list[list[tuple[int, int]]] = []
    for step, letter in enumerate(letters):
        state, trace = table[state][letter]
        known: dict[int, int] = {}
        for members in layer:
            row = []
            for cells in restored.cells(members):
                if step == len(letters) - 1:
                    fails = any((mask >> place & 1) != value for _, mask in cells)
                    row.append((count, (value != fails) << place))
                else:
                    following = restored.following(cells, trace)
                    row.append((known.setdefault(following, count + len(known)), 0))
            rows.append(row)
        layer, count = list(known), count + len(known)
        if count > MAX_SETS:
            raise Abstained(f"contingencies make more than {MAX_SETS:,} sets of states")
    rows.append([(count, 0)] * len(table[0]))
    return rows, 0


class _Restored:
    """The moves from sets of states, one bit each."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._ends: dict[int, int] = {}
        self._known: dict[tuple[int, int], int] = {}
        for row in table:
            for to, mask in row:
                self._ends[mask] = self._ends.get(mask, 0) | 1 << to

    def cells(self, members: int) -> list[list[tuple[int, int]]]:
        """Return for each letter the next state and the output mask of each member."""
        rows = [row for state, row in enumerate(self._table) if members >> state & 1]
        return [
            [(row[letter][0], row[letter][1]) for row in rows] for letter in range(len(rows[0]))
        ]

    def following(self, cells: Sequence[tuple[int, int]], trace: int) -> int:
        """Return where these moves may lead if outputs may become those of a step of the trace."""
        return reduce(or_, [1 << to | self._restored(own, trace) for to, own in cells])

    def _restored(self, own: int, trace: int) -> int:
        """Return where outputs may lead that become others, each of them one of the trace's."""
        known = self._known.get((own, trace))
        if known is None:
            others = (
                ends
                for mask, ends in self._ends.items()
                if mask != own and _between(mask, own, trace)
            )
            known = self._known[own, trace] = reduce(or_, others, 0)
        return known


def _between(mask: int, own: int, trace: int) -> bool:
    """Return whether each output of a mask is one of the machine's own, or one of the trace's."""
    return mask | own | trace == own | trace and mask & own & trace == own & trace
