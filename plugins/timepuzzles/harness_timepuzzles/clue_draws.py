"""Clues of a puzzle: an event, then clues that hold on one day, and a last one that leaves so many days.

They are searched for, depth first. Where all clues have to be necessary, each has to leave every other one a day that
it alone rules out; a branch of the search in which one has none is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from functools import cache, lru_cache, partial
from random import Random
from typing import TypeVar

from harness_timepuzzles import day_sets
from harness_timepuzzles.clues.clue import LEVELS, Clue, Values, World, below, mask
from harness_timepuzzles.clues.facts import Event, Recurring
from harness_timepuzzles.engines.masks import intersection, others
from harness_timepuzzles.part import Candidates, Kept, Part
from harness_timepuzzles.settings import KIN, Settings

_T = TypeVar("_T")
_TRIES = 7  # days of the remaining ones whose values the last clue may take, per type
# By the level of the last clue: dates per solution that it may still have to rule out.
_WIDEST = {"year": 40, "month": 14, "day": 40}
_KEPT = 20  # times as many for each clue that is still to come before it
_WIDTH = 2  # clues of a level that a search goes on with
_RECURRING = 0.15  # share of events that happened more than once


def drawn(
    settings: Settings, shape: tuple[int, str], wanted: int, rng: Random
) -> tuple[list[Kept], Part] | str:
    """Return the clues of a puzzle with so many solutions and the days of its event, or why there are none.

    The event is the first clue. ``shape`` is the number of clues and the level of the event.
    """
    number, event_level = shape
    # As many clues of each level as can be, in random order, the event among them.
    levels = [*LEVELS * (number // 3), *_shuffled(LEVELS, rng)[: number % 3]]
    levels.remove(event_level)
    levels = _shuffled(levels, rng)
    if event_level == "year":
        # Hardly any other clue of a year rules out days of the event's: see at once whether one does.
        levels.sort(key="year".__ne__)
    begun = _event_clue(settings, event_level, rng)
    if begun is None:
        return "event"
    kind, values, day = begun
    event, part = _begun(settings, (kind, values))
    search = _Search(settings, part, day, levels, wanted, rng)
    found = search.found([event], part.all, [], _barred(event[0].kin))
    return (found, part) if found else "clue"


@lru_cache(maxsize=4_000)
def _begun(settings: Settings, key: tuple[type[Clue], Values]) -> tuple[Kept, Part]:
    """Return an event clue, of a type and parameters, and the days of the range on which it holds."""
    event = key[0](*key[1])
    part = _of_days(settings.world, settings.span & mask(event))
    return (event, part.all), part


@lru_cache(maxsize=500)  # many events share a month, a day or a year
def _of_days(world: World, days: int) -> Part:
    return Part(days, world, partial(_candidates, world))


@lru_cache(maxsize=100)
def _candidates(world: World, kind: type[Clue]) -> Candidates:
    return Candidates(kind, world)


def _shuffled(things: Sequence[_T], rng: Random) -> list[_T]:
    """Return some things in random order: what `Random.shuffle` does, in a third of its time."""
    order, random = list(things), rng.random
    for last in range(len(order) - 1, 0, -1):
        other = int(random() * (last + 1))
        order[last], order[other] = order[other], order[last]
    return order


def _event_clue(
    settings: Settings, level: str, rng: Random
) -> tuple[type[Clue], Values, date] | None:
    """Return type and parameters of an event clue of a level, and a day on which it holds."""
    first, last = settings.world.first, settings.world.last
    recurring = settings.world.facts.recurring
    if recurring and (not settings.events or (level == "year" and rng.random() < _RECURRING)):
        known = rng.choice(recurring)
        day = date(rng.choice(known.years), 1, 1) + timedelta(days=rng.randrange(365))
        return (Recurring, (known.name, known.years), day) if first <= day <= last else None
    name, text, edge = settings.events[below(len(settings.events), rng)]
    if len(text) < {"year": 4, "month": 7, "day": 10}[level]:
        return None
    years = last.year - first.year + 1
    year = int(text[:4]) if level == "year" else first.year + below(years, rng)
    month = int(text[5:7]) if level == "month" else 1 + below(12, rng)
    number = int(text[8:]) if level == "day" else 1 + below(31, rng)
    try:
        day = date(year, month, number)
    except ValueError:
        return None
    return (Event, (name, text, edge, level), day) if first <= day <= last else None


@cache
def _barred(kin: str) -> frozenset[str]:
    """Return the types of which a puzzle with a clue of some kin has none."""
    return frozenset((kin,)).union(*(kins for kins in KIN if kin in kins))


class _Search:
    """A depth-first search for clues that hold on one day, the last one apart."""

    def __init__(
        self,
        settings: Settings,
        part: Part,
        day: date,
        levels: Sequence[str],
        wanted: int,
        rng: Random,
    ) -> None:
        self.settings, self.part, self.day = settings, part, day
        self.levels, self.wanted, self.rng = levels, wanted, rng
        self.least = max(wanted, 1)
        self.all = settings.all_necessary(wanted)

    def found(
        self, puzzle: list[Kept], rest: int, alone: list[int], barred: frozenset[str]
    ) -> list[Kept] | None:
        """Return a puzzle that begins with some clues, or None.

        Args:
            puzzle: the clues, the event first.
            rest: the days that they leave.
            alone: for each but the event the days that it alone rules out, if it must be necessary.
            barred: the types that say what one of them says.
        """
        kinds = _shuffled(self.settings.pools[self.levels[len(puzzle) - 1]], self.rng)
        pool = [kind for kind in kinds if kind.type not in barred]
        if len(puzzle) == len(self.levels):
            last = (
                self._exact(pool, rest, alone)
                if self.wanted
                else self._contradicting(pool, puzzle, rest, alone)
            )
            return [*puzzle, last] if last else None
        more = len(self.levels) - len(puzzle)  # clues to come after the next one
        most = self.least * _WIDEST[self.levels[-1]] * _KEPT ** (more - 1)
        # Of the days left, each of those clues has to rule out another one alone.
        least = self.least + more if self.all and self.wanted else self.least
        tried = 0
        for kind in pool:
            values = kind.values(self.rng, self.day, self.settings.world)
            if values is None:
                continue
            kept = self.part[kind][values]
            days = kept[1]
            left = rest & days
            if not least <= left.bit_count() <= most:
                continue
            apart = [ruled_out & days for ruled_out in alone]
            if self.all:
                apart.append(rest ^ left)
            if not all(apart):
                continue
            whole = self.found([*puzzle, kept], left, apart, barred | _barred(kind.type))
            tried += 1
            if whole or tried == _WIDTH:
                return whole
        return None

    def _exact(self, pool: list[type[Clue]], rest: int, alone: list[int]) -> Kept | None:
        """Draw a clue of some types that leaves exactly so many days."""
        for kind in pool:
            clues = self.part[kind]
            for values in _shuffled(clues.that_keep(self.wanted, rest), self.rng):
                kept = clues[values]
                if all(ruled_out & kept[1] for ruled_out in alone):
                    return kept
        return None

    def _contradicting(
        self, pool: list[type[Clue]], puzzle: list[Kept], rest: int, alone: list[int]
    ) -> Kept | None:
        """Draw a clue of some types that leaves no day and holds on one that breaks only one clue before it."""
        clues, span, rng = [clue for clue, _ in puzzle], self.settings.span, self.rng
        all_hold = intersection(clues, span)
        near = [
            day_sets.ordinals(days ^ all_hold) for days in others(clues, span) if days ^ all_hold
        ]
        for kind in pool:
            for _ in range(_TRIES if near else 0):
                day = date.fromordinal(rng.choice(rng.choice(near)))
                values = kind.values(rng, day, self.settings.world)
                if values is None:
                    continue
                kept = self.part[kind][values]
                if not rest & kept[1] and all(ruled_out & kept[1] for ruled_out in alone):
                    return kept
        return None
