"""Cases which show that no sequence violates a hypothesis, where the rules alone do not: moment after moment.

A case is an event and what would have to hold, and not to hold, from there on: a node of the tableau, over the
statements of the prompt. Each way to meet what is due leads to cases of the next moment. Where cases lead to each
other forever, one of the statements keeps being put off that would have to come true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache

from harness_ltlbench.formula import Formula

MAX_CASES = 60
"""Cases beyond which there is no trace."""
MAX_OPEN = 12
"""Statements of time that the rules leave open, below those of one case: beyond, there is no trace."""

Due = frozenset[tuple[int, bool]]
"""Statements by number, each with whether it holds."""
Case = tuple[int, Due]
Sets = tuple[int, int]

_NOW = ("!", "&", "|", "->")
_EVENTUAL = {("F", True), ("U", True), ("M", True), ("G", False), ("R", False), ("W", False)}


class TooManyError(Exception):
    """The cases are beyond the bounds, or do not show what they are to show."""


class Table:
    """Truth tables over what is open at the next moment: bit i is the i-th combination of truth values."""

    def __init__(self, cases: Cases, event: int, then: int, below: Sequence[int]) -> None:
        self.cases, self.event, self.then = cases, event, then
        free = [
            number
            for number in below
            if cases.parts[number - 1][0] not in _NOW  # type: ignore[index]
            and cases.value(then, number) is None
        ]
        if len(free) > MAX_OPEN:
            raise TooManyError
        self.full = (1 << (1 << len(free))) - 1
        self.place = {number: place for place, number in enumerate(free)}
        self._now, self._later = cache(self._work_out_now), cache(self._work_out_later)

    def now(self, due: Iterable[tuple[int, bool]]) -> int:
        """Return with which combinations some operands have certain values now."""
        return self._meet(due, self._now)

    def later(self, due: Iterable[tuple[int, bool]]) -> int:
        """Return with which combinations some operands have certain values at the next moment."""
        return self._meet(due, self._later)

    def _meet(self, due: Iterable[tuple[int, bool]], column: Callable[[int], int]) -> int:
        combinations = self.full
        for number, holds in due:
            combinations &= column(number) if holds else ~column(number)
        return combinations

    def _known(self, event: int, number: int) -> int | None:
        value = self.cases.value(event, number)
        return None if value is None else self.full * value

    def _work_out_later(self, number: int) -> int:
        known = self._known(self.then, number)
        if known is not None:
            return known
        if number in self.place:
            block = 1 << self.place[number]
            # block zeros, block ones, and so on
            return self.full // ((1 << 2 * block) - 1) * ((1 << block) - 1) << block
        return self._boolean(number, self._later)

    def _work_out_now(self, number: int) -> int:
        known = self._known(self.event, number)
        if known is not None:
            return known
        operator = self.cases.parts[number - 1][0]  # type: ignore[index]
        if operator in _NOW:
            return self._boolean(number, self._now)
        left, right = self.cases.operands[number - 1][0], self.cases.operands[number - 1][-1]
        if operator == "X":
            return self._later(left)
        on, a, b = self._later(number), self._now(left), self._now(right)
        return {"F": b | on, "G": b & on, "U": b | a & on, "W": b | a & on}.get(
            operator, b & (a | on)
        )

    def _boolean(self, number: int, column: Callable[[int], int]) -> int:
        operator = self.cases.parts[number - 1][0]  # type: ignore[index]
        left, right = self.cases.operands[number - 1][0], self.cases.operands[number - 1][-1]
        a, b = column(left), column(right)
        return {"!": self.full & ~a, "&": a & b, "|": a | b}.get(operator, self.full & ~a | b)


class Cases:
    """The cases that a violation would lead to.

    Args:
        parts: what the statements say, in order.
        known: for each, from which events it holds on every sequence, and on none (bit e for event e).
        after: what can follow each event.
    """

    def __init__(
        self, parts: Sequence[Formula], known: Sequence[Sets], after: Mapping[int, Sequence[int]]
    ) -> None:
        self.parts, self.known, self.after = parts, known, after
        self.operands = _operands(parts)
        self.cases: list[Case] = []
        self.next: list[list[int]] = []

    def explore(self, initial: int) -> None:
        """Find all cases of the whole not holding from an event.

        Raises:
            TooManyError: beyond the bounds, or there is a sequence that violates it.
        """
        self.cases = [(initial, frozenset([(len(self.parts), False)]))]
        for case in self.cases:
            following = []
            for follower in self._following(*case):
                if follower not in self.cases:
                    self.cases.append(follower)
                following.append(self.cases.index(follower) + 1)
            self.next.append(sorted(following))
            if len(self.cases) > MAX_CASES:
                raise TooManyError

    def _below(self, due: Due) -> list[int]:
        """Return the statements that some speak of, these included, in order."""
        below: set[int] = set()
        todo = [number for number, _ in due]
        for number in todo:
            if number not in below:
                below.add(number)
                todo += [operand for operand in self.operands[number - 1] if operand > 0]
        return sorted(below)

    def _following(self, event: int, due: Due) -> list[Case]:
        """Return the cases of the next moment, none of which asks for more than another one."""
        ways = [Due()]
        for number, holds in sorted(due):
            ways = _least(a | b for a in ways for b in self._ways(event, number, holds))
        cases: set[Case] = set()
        for then in self.after[event]:
            left = _least(rest for way in ways if (rest := self._reduced(then, way)) is not None)
            left = [self._lean(then, rest_due) for rest_due in left]
            cases |= {(then, rest) for rest in self._needed(event, due, then, _least(left))}
        if any(not rest for _, rest in cases):
            raise TooManyError  # a violation: the label is wrong, or the bounds are
        return sorted(cases, key=lambda case: (case[0], sorted(case[1])))

    def _reduced(self, event: int, due: Due) -> Due | None:
        """Return what of something due is open at an event; None if it cannot be met there."""
        left = set()
        for number, holds in due:
            value = self.value(event, number)
            if value is None:
                left.add((number, holds))
            elif value is not holds:
                return None
        return frozenset(left)

    def value(self, event: int, number: int) -> bool | None:
        """Return what is known of an operand at an event; a negative one is an event itself."""
        if number < 0:
            return event == -number
        always, never = self.known[number - 1]
        if always >> event & 1:
            return True
        return False if never >> event & 1 else None

    def _ways(self, event: int, number: int, holds: bool) -> list[Due]:
        """Return the ways to meet an operand at an event, each as what is then due at the next moment."""
        value = self.value(event, number)
        if value is not None:
            return [Due()] if value is holds else []
        operator = self.parts[number - 1][0]  # type: ignore[index]
        a, b = self.operands[number - 1][0], self.operands[number - 1][-1]
        again = [frozenset([(number, holds)])]
        if operator == "X":
            return [frozenset([(a, holds)])]
        if operator == "!":
            return self._ways(event, a, not holds)
        first = self._ways(event, a, holds if operator != "->" else not holds)
        second = self._ways(event, b, holds)
        # where it must not hold, "both" and "either" change places
        combine = (_both, _either) if holds else (_either, _both)
        return _MEET[operator](first, second, again, *combine)

    # what cannot go on forever

    def knots(self) -> Iterator[tuple[list[int], int]]:
        """Yield each set of cases that lead to each other, with the statement that is put off there.

        Raises:
            TooManyError: there is no such statement.
        """
        for knot in _components(self.next):
            due = frozenset.intersection(*(self.cases[number - 1][1] for number in knot))
            for number, holds in sorted(due):
                operator = self.parts[number - 1][0]  # type: ignore[index]
                if (operator, holds) in _EVENTUAL and all(
                    self._leaves(case, knot, number, holds) for case in knot
                ):
                    yield knot, number
                    break
            else:
                raise TooManyError

    def _leaves(self, case: int, knot: list[int], number: int, holds: bool) -> bool:
        """Return whether a sequence leaves a knot of cases where a statement of theirs comes true."""
        event, due = self.cases[case - 1]
        operator = self.parts[number - 1][0]  # type: ignore[index]
        a, b = self.operands[number - 1][0], self.operands[number - 1][-1]
        fulfilled = [(operand, holds) for operand in ((a, b) if operator in "MW" else (b,))]
        out = [self.cases[to - 1] for to in self.next[case - 1] if to not in knot]
        for then in self.after[event]:
            table = Table(self, event, then, self._below(due))
            meet = table.now(due) & table.now(fulfilled)
            for other, later in out:
                meet &= ~table.later(later) if other == then else -1
            if meet:
                return False
        return True

    def _lean(self, event: int, due: Due) -> Due:
        """Return something due without what the rest of it comes to anyway, at an event."""
        tables = [Table(self, event, then, self._below(due)) for then in self.after[event]]
        for sign in sorted(due, reverse=True):
            rest = due - {sign}
            if not any(table.now(rest) & ~table.now([sign]) for table in tables):
                due = rest
        return due

    def _needed(self, event: int, due: Due, then: int, ways: list[Due]) -> list[Due]:
        """Return the ways without those that the others make up for, the ones that ask for most first."""
        if not ways:
            return []
        table = Table(self, event, then, self._below(due))
        meet, later = table.now(due), {way: table.later(way) for way in ways}
        kept = list(ways)
        for way in reversed(ways):
            others = 0
            for other in kept:
                others |= later[other] if other != way else 0
            if not meet & later[way] & ~others:
                kept.remove(way)
        return kept


def _operands(parts: Sequence[Formula]) -> list[tuple[int, ...]]:
    """Return the operands of each statement: the number of a statement, or an event, negative."""
    operands: list[tuple[int, ...]] = []
    done: list[int] = []  # statements that are no operands yet, the last ones on top
    for number, part in enumerate(parts, 1):
        inner: list[int] = []
        if isinstance(part, list):
            inner = [-o if isinstance(o, int) else done.pop() for o in reversed(part[1:])]
        operands.append(tuple(reversed(inner)))
        done.append(number)
    # Of statements that say the same the first one stands for all.
    same = [next(n for n, other in enumerate(parts, 1) if other == part) for part in parts]
    return [tuple(same[o - 1] if o > 0 else o for o in inner) for inner in operands]


def _least(ways: Iterator[Due] | list[Due]) -> list[Due]:
    """Return the sets that contain no other one, in a fixed order."""
    kept: list[Due] = []
    for way in sorted(set(ways), key=lambda way: (len(way), sorted(way))):
        if not any(other <= way for other in kept):
            kept.append(way)
    if len(kept) > MAX_CASES:
        raise TooManyError
    return kept


def _both(a: list[Due], b: list[Due]) -> list[Due]:
    return _least([x | y for x in a for y in b])


def _either(a: list[Due], b: list[Due]) -> list[Due]:
    return _least([*a, *b])


_Combine = Callable[[list[Due], list[Due]], list[Due]]
_Meet = Callable[[list[Due], list[Due], list[Due], _Combine, _Combine], list[Due]]
# The operands' ways (the left one of -> with the other sign) and itself once more, where the whole has to hold.
_MEET: dict[str, _Meet] = {
    "&": lambda a, b, on, both, either: both(a, b),
    "|": lambda a, b, on, both, either: either(a, b),
    "->": lambda a, b, on, both, either: either(a, b),
    "F": lambda a, b, on, both, either: either(a, on),
    "G": lambda a, b, on, both, either: both(a, on),
    "U": lambda a, b, on, both, either: either(b, both(a, on)),
    "W": lambda a, b, on, both, either: either(b, both(a, on)),
    "R": lambda a, b, on, both, either: both(b, either(a, on)),
    "M": lambda a, b, on, both, either: both(b, either(a, on)),
}


def _components(following: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the sets of places, counted from 1, that lead to each other, the trivial ones left out."""
    reach: list[set[int]] = []
    for start in following:
        seen, todo = set(start), list(start)
        for place in todo:
            fresh = set(following[place - 1]) - seen
            seen |= fresh
            todo += sorted(fresh)
        reach.append(seen)
    by_least: dict[int, list[int]] = {}
    for place in range(1, len(following) + 1):
        if place in reach[place - 1]:
            least = min(other for other in reach[place - 1] if place in reach[other - 1])
            by_least.setdefault(least, []).append(place)
    return list(by_least.values())
