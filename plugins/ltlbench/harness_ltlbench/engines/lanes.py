"""Evaluate a formula on many lassos of one shape at once, to search for one where it is false.

The lassos lie side by side in one integer, a lane of bits each, so that the work is that of
one lasso. It only narrows a search: whatever is found is checked by `lasso.holds`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any


class Lanes:
    """Lassos of one length whose part from position ``loop`` on repeats forever.

    In a set, bit ``lane * length + position`` says that something holds there.
    """

    def __init__(self, lassos: Sequence[Sequence[int]], loop: int) -> None:
        self.lassos, self.loop = lassos, loop
        self.length = len(lassos[0])
        self.all = (1 << self.length * len(lassos)) - 1
        self.first = self.all // ((1 << self.length) - 1)  # position 0 of every lane
        self.last = self.first << self.length - 1
        self.start = self.first << loop
        self.back = self.length - 1 - loop
        self.at: dict[int, int] = {}
        bit = 1
        for lasso in lassos:
            for event in lasso:
                self.at[event] = self.at.get(event, 0) | bit
                bit <<= 1

    def where(self, formula: Any, truth: bool) -> Sequence[int] | None:
        """Return the first lasso at whose start a formula has this truth value, or None."""
        held = self.truth(formula)
        starts = self.first & (held if truth else ~held)
        return self.lassos[((starts & -starts).bit_length() - 1) // self.length] if starts else None

    def truth(self, formula: Any) -> int:
        """Return where a formula holds."""
        if isinstance(formula, int):
            return self.at.get(formula, 0)
        return _MEANING[formula[0]](self, *map(self.truth, formula[1:]))

    def next(self, a: int) -> int:
        """X: one position earlier within the lane, the last position being followed by the loop."""
        return (a >> 1 & ~self.last) & self.all | (a & self.start) << self.back

    def until(self, a: int, b: int) -> int:
        """U: the least fixpoint of b ∪ (a ∩ X Z)."""
        grown = b
        while True:
            more = grown | a & self.next(grown)
            if more == grown:
                return grown
            grown = more

    def negated(self, a: int) -> int:
        """!: everywhere else."""
        return self.all & ~a

    def release(self, a: int, b: int) -> int:
        """R: the dual of until."""
        return self.negated(self.until(self.negated(a), self.negated(b)))


_MEANING: dict[str, Callable[..., int]] = {
    "!": Lanes.negated,
    "&": lambda _, a, b: a & b,
    "|": lambda _, a, b: a | b,
    "->": lambda lanes, a, b: lanes.negated(a) | b,
    "X": Lanes.next,
    "F": lambda lanes, a: lanes.until(lanes.all, a),
    "G": lambda lanes, a: lanes.release(0, a),
    "U": Lanes.until,
    "R": Lanes.release,
    "W": lambda lanes, a, b: lanes.release(b, a | b),
    "M": lambda lanes, a, b: lanes.until(b, a & b),
}
