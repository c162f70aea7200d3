"""Clues of a puzzle: an event, then clues that hold on one day, and a last one that leaves so many days.

Where so many clues have to be necessary that few puzzles are fit (`Settings.crowded`), they are searched for: each
clue has to leave every other one a day that it alone rules out; a branch of the search in which one has none is left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from functools import lru_cache
from random import Random
from typing import TypeVar

from harness_timepuzzles import day_sets
from harness_timepuzzles.clues.clue import LEVELS, Clue, Values, World, below, mask
from harness_timepuzzles.clues.facts import Event, Recurring
from harness_timepuzzles.engines.masks import intersection, others
from harness_timepuzzles.part import Kept, Part
from harness_timepuzzles.problem import Problem
from harness_timepuzzles.settings import KIN, Settings

_T = TypeVar("_T")
_TRIES = 7  # days of the remaining ones whose values the last clue may take, per type
_WIDEST = 40  # dates per solution that one more clue may still have to rule out
_RECURRING = 0.15  # share of events that happened more than once
# Of a search: draws of each type, clues of them that are gone on with, and draws at the most.
_DRAWN, _WIDTH, _MOST = 2, 3, 300
_KEPT = 20  # dates per solution, at the most, for each clue that is still to come


def drawn(settings: Settings, shape: tuple[int, str], wanted: int, rng: Random) -> list[Clue] | str:
    """Return the clues of a puzzle with so many solutions, the event first, or why there are none.

    ``shape`` is the number of clues and the level of the event.
    """
    levels = _levels(shape, rng)
    begun = _event_clue(settings, shape[1], rng)
    if begun is None:
        return "event"
    kind, values, day = begun
    world, least = settings.world, max(wanted, 1)
    if settings.crowded:
        part = _of_days(settings.span)
        levels.sort(key=_shuffled(LEVELS, rng).index)
        search = _Search(settings, part, day, levels, wanted, rng)
        event = part[kind, values]
        found = search.found([event], event[1], [part.all & ~event[1]])
        return _checked(found, part, settings, wanted) if found else "clue"
    event, part = _begun((kind, values), world.first, world.last)
    puzzle, rest = [event], part.all
    for at, level in enumerate(levels[:-1], 2):
        most = _WIDEST * least if at == len(levels) else day_sets.SIZE
        pool = _clue_types(settings, level, puzzle, rng)
        kept = _next_clue(pool, day, part, rest, range(least, most + 1), world, rng)
        if kept is None:
            return "clue"
        puzzle.append(kept)
        rest &= kept[1]
    last = next(_last_clues(settings, puzzle, part, rest, levels[-1], wanted, rng), None)
    # Enough puzzles are tried: one that fails here is not worth another last clue.
    return _checked([*puzzle, last], part, settings, wanted) if last else "count"


def _checked(puzzle: list[Kept], part: Part, settings: Settings, wanted: int) -> list[Clue] | str:
    """Return the clues of a puzzle if those that must be necessary are so, or else the reason."""
    clues = [clue for clue, _ in puzzle]
    sets = [days for _, days in puzzle]
    return clues if _are_necessary(clues, sets, part, settings, wanted) else "redundant"


@lru_cache(maxsize=4_000)
def _begun(key: tuple[type[Clue], Values], first: date, last: date) -> tuple[Kept, Part]:
    """Return an event clue, of a type and parameters, and the days of a range on which it holds."""
    event = key[0](*key[1])
    part = _of_days(day_sets.run(first, last) & mask(event))
    return (event, part.all), part


# Many events share a month, a day or a year.
_of_days = lru_cache(maxsize=500)(Part)


def _shuffled(things: Sequence[_T], rng: Random) -> list[_T]:
    """Return some things in random order: what `Random.shuffle` does, in a third of its time."""
    order, random = list(things), rng.random
    for last in range(len(order) - 1, 0, -1):
        other = int(random() * (last + 1))
        order[last], order[other] = order[other], order[last]
    return order


def _levels(shape: tuple[int, str], rng: Random) -> list[str]:
    """Return the levels of the clues beside the event: as many of each as can be, in random order."""
    number, event_level = shape
    levels = [*LEVELS * (number // 3), *_shuffled(LEVELS, rng)[: number % 3]]
    levels.remove(event_level)
    return _shuffled(levels, rng)


def _last_clues(
    settings: Settings,
    puzzle: list[Kept],
    part: Part,
    rest: int,
    level: str,
    wanted: int,
    rng: Random,
) -> Iterator[Kept]:
    """Look for clues of a level that leave exactly so many of the remaining days, one of each type at the most."""
    pool = _clue_types(settings, level, puzzle, rng)
    left = day_sets.places(rest).tolist() if wanted else []
    near = [] if wanted else _breaking_alone([clue for clue, _ in puzzle], settings)
    for kind in pool:
        kept = (
            _exact_clue(kind, wanted, part, rest, left, settings.world, rng)
            if wanted
            else _contradicting_clue(kind, near, part, rest, settings.world, rng)
        )
        if kept:
            yield kept


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


def _next_clue(
    pool: list[type[Clue]], day: date, part: Part, rest: int, room: range, world: World, rng: Random
) -> Kept | None:
    """Draw a clue of some types that holds on a day and leaves so many of the remaining days."""
    for kind in pool:
        values = kind.values(rng, day, world)
        if values is not None:
            kept = part[kind, values]
            if (rest & kept[1]).bit_count() in room:
                return kept
    return None


def _clue_types(
    settings: Settings, level: str, puzzle: list[Kept], rng: Random
) -> list[type[Clue]]:
    """Return the types of a level that are no kin of those in a puzzle, in random order."""
    taken = frozenset([clue.kin for clue, _ in puzzle])
    return _shuffled(_unrelated(settings.pools[level], taken), rng)


@lru_cache(maxsize=4_000)
def _unrelated(pool: tuple[type[Clue], ...], taken: frozenset[str]) -> list[type[Clue]]:
    """Return the types of a pool that are no kin of those taken."""
    barred = taken.union(*(kin for kin in KIN if kin & taken))
    return [kind for kind in pool if kind.type not in barred]


def _exact_clue(
    kind: type[Clue],
    wanted: int,
    part: Part,
    rest: int,
    left: list[int],
    world: World,
    rng: Random,
) -> Kept | None:
    """Draw a clue of a type that keeps exactly so many of the remaining days; None if none is found."""
    seen: set[Values] = set()
    wide = 0
    for _ in range(min(_TRIES, 2 * len(left))):
        values = kind.values(rng, part.days[left[int(rng.random() * len(left))]], world)
        if values is None or values in seen:
            continue
        seen.add(values)
        kept = part[kind, values]
        count = (rest & kept[1]).bit_count()
        if count == wanted:
            return kept
        wide += count > 4 * wanted
        if wide == 2:  # the type is too weak for what is left
            return None
    return None


def _breaking_alone(puzzle: list[Clue], settings: Settings) -> list[list[int]]:
    """Return, per clue, the days that break it alone."""
    rest = intersection(puzzle, settings.span)
    sets = (days ^ rest for days in others(puzzle, settings.span))
    return [day_sets.ordinals(days) for days in sets if days]


def _contradicting_clue(
    kind: type[Clue], near: list[list[int]], part: Part, rest: int, world: World, rng: Random
) -> Kept | None:
    """Draw a clue of a type that rules out all remaining days and holds on one that was nearly kept."""
    for _ in range(_TRIES if near else 0):
        day = date.fromordinal(rng.choice(rng.choice(near)))
        values = kind.values(rng, day, world)
        if values is not None and not rest & part[kind, values][1]:
            return part[kind, values]
    return None


def _are_necessary(
    clues: list[Clue], sets: list[int], part: Part, settings: Settings, wanted: int
) -> bool:
    """Tell whether the clues that must be necessary are so; the event, which comes first, holds on ``part``."""
    if settings.necessary == "none" and wanted:
        return True
    first, last = Problem(settings.world.first, settings.world.last, clues).certain()
    # Without a solution, each clue has to be part of the contradiction: no two or three alone are.
    if settings.necessary != "event" or not wanted:
        left = day_sets.others(sets[1:], part.between(first, last) & sets[0])
        if any(days.bit_count() <= wanted for days in left):
            return False
    return intersection(clues[1:], day_sets.run(first, last)).bit_count() > wanted


class _Search:
    """A depth-first search for clues that hold on one day, the last one apart, and are all necessary."""

    def __init__(
        self,
        settings: Settings,
        part: Part,
        day: date,
        levels: Sequence[str],
        wanted: int,
        rng: Random,
    ) -> None:
        self.settings, self.day, self.levels, self.rng = settings, day, levels, rng
        self.wanted, self.least, self.part = wanted, max(wanted, 1), part
        self.left = _MOST  # clues that may still be drawn

    def found(self, puzzle: list[Kept], rest: int, alone: list[int]) -> list[Kept] | None:
        """Return a puzzle that begins with some clues, or None.

        Args:
            puzzle: the clues.
            rest: the days that they leave.
            alone: for each of them the days that it alone rules out.
        """
        left = len(self.levels) - len(puzzle)
        if not left:
            lasts = _last_clues(
                self.settings, puzzle, self.part, rest, self.levels[-1], self.wanted, self.rng
            )
            return next(([*puzzle, last] for last in lasts if _apart(last[1], rest, alone)), None)
        most = self.least * _KEPT**left
        fit: list[tuple[int, int, Kept, list[int]]] = []
        for kind in self._types(puzzle) * _DRAWN:
            self.left -= 1
            values = kind.values(self.rng, self.day, self.settings.world)
            if values is None:
                continue
            kept = self.part[kind, values]
            apart = _apart(kept[1], rest, alone)
            if not apart:
                continue
            count = (rest & kept[1]).bit_count()
            if self.least < count <= most:
                room = min(count // self.least, *(days.bit_count() for days in apart))
                fit.append((room, len(fit), kept, apart))
        for _, _, kept, apart in sorted(fit, reverse=True)[:_WIDTH]:
            puzzle_found = self.found([*puzzle, kept], rest & kept[1], apart)
            if puzzle_found or self.left <= 0:
                return puzzle_found
        return None

    def _types(self, puzzle: list[Kept]) -> list[type[Clue]]:
        """Return the types that the next clue may have; those of one level come in one order only."""
        level = self.levels[len(puzzle) - 1]
        pool = _clue_types(self.settings, level, puzzle, self.rng)
        if len(puzzle) > 1 and level == self.levels[len(puzzle) - 2]:
            pool = [kind for kind in pool if kind.type > puzzle[-1][0].type]
        return pool


def _apart(days: int, rest: int, alone: list[int]) -> list[int]:
    """Return the days that each clue alone rules out once one more holds on ``days``; none if one has no such day."""
    apart = [*(ruled_out & days for ruled_out in alone), rest & ~days]
    return apart if all(apart) else []
