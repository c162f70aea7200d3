"""Infinite words that end in a loop: a formula's value on many of them at once, and their shortest form.

A `Pool` holds words of one shape (number of states, loop) side by side in one int: word w has its state i at
bit ``w * length + i``. A formula's value is an int of the same layout: on which states of which words it holds.
Boolean operators are one operation on ints; F, G, U and its kin are least and greatest fixpoints, found by
doubling the distance looked ahead (a prefix computation), and once more around the loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property
from operator import and_, or_
from typing import Any

MAX_CACHED = 5_000
"""Values of subformulas that a pool keeps."""


class Pool:
    """Words of one shape, evaluated together; values of subformulas are kept.

    Formulas are nested tuples of an operator and its operands, constants are booleans, all else is a proposition.

    Args:
        length: states of each word; after the last one it goes on with state ``loop``.
        columns: for each proposition the states in which it is true, in the layout of the module.
        words: how many there are.
    """

    def __init__(
        self, length: int, loop: int, columns: Mapping[Any, int], words: int, cached: int = 0
    ) -> None:
        self.length, self.loop, self.words = length, loop, words
        self.columns = columns
        self.cached = cached or MAX_CACHED
        self.first = ((1 << length * words) - 1) // ((1 << length) - 1)  # of each word
        self.last = self.first << (length - 1)
        self.full = (1 << length * words) - 1
        self.known: dict[Any, int] = {}

    def meaning(self, operator: str) -> Callable[..., int]:
        """Return the function from the values of an operator's operands to its own."""
        return _MEANING[operator](self)

    def holds(self, formula: Any) -> int:
        """Return on which words a formula holds: bit ``w * length`` is word w's."""
        return self.values(formula) & self.first

    def values(self, formula: Any) -> int:
        """Return on which states a formula holds."""
        if not isinstance(formula, (tuple, bool)):
            return self.columns.get(formula, 0)
        value = self.known.get(formula)
        if value is None:
            value = self._work_out(formula)
            if len(self.known) >= self.cached:
                self.known.clear()
            self.known[formula] = value
        return value

    def _work_out(self, formula: Any) -> int:
        if isinstance(formula, bool):
            return self.full if formula else 0
        return self.meaning(formula[0])(*[self.values(part) for part in formula[1:]])

    def next(self, a: int) -> int:
        """Return where X a holds."""
        return (a >> 1) & ~self.last | self._looped(a)

    def _looped(self, a: int) -> int:
        """Return, at each last state, the value at the state where its word goes on."""
        return (a >> self.loop & self.first) << (self.length - 1)

    def until(self, a: int, b: int) -> int:
        """Return where a U b holds."""
        straight = self._ahead(a, b)
        if self.loop == self.length - 1:
            return straight
        # What is true where the loop begins was found by going once through it, if it is true at all.
        return self._ahead(a, straight | (a & self._looped(straight)))

    def eventually(self, a: int) -> int:
        """Return where F a holds."""
        return self.until(self.full, a)

    def _ahead(self, a: int, b: int) -> int:
        """Return where b comes, with a until then, before the word's states end."""
        a &= ~self.last
        step = 1
        while step < self.length:
            b |= a & (b >> step)
            a &= a >> step
            step *= 2
        return b


class Mixed(Pool):
    """Words of any shapes, evaluated together; one of 255 propositions is true in each state.

    All are unrolled to the longest one's length. Word w has its state i at bit ``i * words + w``, so a formula holds
    on the words whose bits are set among the lowest ones.

    Args:
        paths: for each word its states, each the number of a proposition, and where it goes on after the last one.
    """

    def __init__(self, paths: Sequence[tuple[bytes, int]]) -> None:
        self.words = words = len(paths)
        self.length = length = max(len(path) for path, _ in paths)
        unrolled = [(path + path[loop:] * length)[:length] for path, loop in paths]
        side_by_side = b"".join(unrolled)
        self.columns = places(b"".join(side_by_side[at::length] for at in range(length)))
        self.cached = MAX_CACHED
        self.known = {}
        self.first = (1 << words) - 1
        self.full = (1 << words * length) - 1
        self._end = words * (length - 1)
        loops = places(bytes([length - len(path) + loop for path, loop in paths]))
        self._loops = [(loop * words, mask) for loop, mask in loops.items()]
        self._cycles = sum(
            [mask << at * words for loop, mask in loops.items() for at in range(loop, length)]
        )
        self._steps = [words << power for power in range((length - 1).bit_length())]

    def next(self, a: int) -> int:
        """Return where X a holds."""
        return a >> self.words | self._looped(a)

    def _looped(self, a: int) -> int:
        again = 0
        for shift, mask in self._loops:
            again |= a >> shift & mask
        return again << self._end

    def until(self, a: int, b: int) -> int:
        """Return where a U b holds."""
        return self._ahead(a, b | a & self._looped(self._ahead(a, b)))

    def _ahead(self, a: int, b: int) -> int:
        for step in self._steps:
            b |= a & b >> step
            a &= a >> step
        return b

    def eventually(self, a: int) -> int:
        """Return where F a holds."""
        again = a & self._cycles
        for step in self._steps:
            again |= again >> step
        a |= (again & self.first) << self._end
        for step in self._steps:
            a |= a >> step
        return a


class Ended(Pool):
    """Words that end: an empty state follows each, again and again, and counts for nothing. N is the weak next."""

    @cached_property
    def alive(self) -> int:
        """The states of the words themselves."""
        return self.full ^ self.last

    def meaning(self, operator: str) -> Callable[..., int]:
        """Return the function from the values of an operator's operands to its own."""
        if operator == "N":
            return lambda a: self.full ^ self.next(self.full ^ a)
        return super().meaning(operator)

    def next(self, a: int) -> int:
        """Return where X a holds: there is a next state, and a holds in it."""
        return super().next(a & self.alive)

    def until(self, a: int, b: int) -> int:
        """Return where a U b holds."""
        return super().until(a, b & self.alive)

    def eventually(self, a: int) -> int:
        """Return where F a holds."""
        return super().eventually(a & self.alive)


def places(symbols: bytes) -> dict[int, int]:
    """Return for each number where it stands, as bits."""
    backwards = symbols[::-1]
    return {number: int(backwards.translate(_ones(number)), 2) for number in set(symbols)}


@cache
def _ones(number: int) -> bytes:
    """Return a table that makes 1 of a number and 0 of all others."""
    return b"0" * number + b"1" + b"0" * (255 - number)


_MEANING: dict[str, Callable[[Pool], Callable[..., int]]] = {
    "!": lambda pool: pool.full.__xor__,
    "&": lambda _: and_,
    "|": lambda _: or_,
    "->": lambda pool: lambda a, b, full=pool.full: full ^ a | b,
    "<->": lambda pool: lambda a, b: pool.full ^ a ^ b,
    "X": lambda pool: pool.next,
    "F": lambda pool: pool.eventually,
    "G": lambda pool: lambda a: pool.full ^ pool.eventually(pool.full ^ a),
    "U": lambda pool: pool.until,
    "R": lambda pool: lambda a, b: pool.full ^ pool.until(pool.full ^ a, pool.full ^ b),
    # not: a step with neither, and no b until then
    "W": lambda pool: lambda a, b: pool.full ^ pool.until(pool.full ^ b, pool.full ^ (a | b)),
    "M": lambda pool: lambda a, b: pool.until(b, a & b),
}


def columns(words: Iterable[Sequence[Iterable[Any]]], length: int) -> dict[Any, int]:
    """Return the columns of a pool of words, each so many states of the propositions true in them."""
    by_name: dict[Any, int] = {}
    for number, states in enumerate(words):
        for at, state in enumerate(states, number * length):
            for name in state:
                by_name[name] = by_name.get(name, 0) | 1 << at
    return by_name


def shortest(prefix: Sequence[Any], cycle: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """Return the shortest prefix and cycle of the same word: a smaller period, then a shorter way into it."""
    prefix, cycle = list(prefix), list(cycle)
    for period in range(1, len(cycle)):
        if len(cycle) % period == 0 and cycle == cycle[:period] * (len(cycle) // period):
            cycle = cycle[:period]
            break
    while prefix and prefix[-1] == cycle[-1]:
        cycle = [prefix.pop(), *cycle[:-1]]
    return prefix, cycle
