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
from harness_timepuzzles.clues.clue import LEVELS, Clue, World, mask
from harness_timepuzzles.clues.facts import Event, Recurring
from harness_timepuzzles.engines.masks import intersection, others
from harness_timepuzzles.part import Part
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
    event, day = begun
    if settings.crowded:
        return _searched(settings, event, day, levels, wanted, rng)
    part = _part(event, settings.world.first, settings.world.last)
    puzzle, rest = [event], part.all
    least = max(wanted, 1)
    for at, level in enumerate(levels[:-1], 2):
        most = _WIDEST * least if at == len(levels) else day_sets.SIZE
        pool = _clue_types(settings, level, puzzle, rng)
        clue = _next_clue(pool, day, part, rest, range(least, most + 1), settings.world, rng)
        if clue is None:
            return "clue"
        puzzle.append(clue)
        rest &= part.kept(clue)
    last = next(_last_clues(settings, puzzle, part, rest, levels[-1], wanted, rng), None)
    if last is None:
        return "count"
    # Enough puzzles are tried: one that fails here is not worth another last clue.
    puzzle.append(last)
    return puzzle if _are_necessary(puzzle, part, settings, wanted) else "redundant"


@lru_cache(maxsize=4_000)
def _part(event: Clue, first: date, last: date) -> Part:
    """Return the days of a range on which an event clue holds."""
    return _of_days(day_sets.run(first, last) & mask(event))


# Many events share a month, a day or a year.
_of_days = lru_cache(maxsize=500)(Part)


def _shuffled(things: Sequence[_T], rng: Random) -> list[_T]:
    """Return some things in random order: what `Random.shuffle` does, in a third of its time."""
    order = list(things)
    for last in range(len(order) - 1, 0, -1):
        other = int(rng.random() * (last + 1))
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
    puzzle: list[Clue],
    part: Part,
    rest: int,
    level: str,
    wanted: int,
    rng: Random,
) -> Iterator[Clue]:
    """Look for clues of a level that leave exactly so many of the remaining days, one of each type at the most."""
    pool = _clue_types(settings, level, puzzle, rng)
    remaining = part.ordinals(rest) if wanted else []
    near = [] if wanted else _breaking_alone(puzzle, settings)
    for kind in pool:
        clue = (
            _exact_clue(kind, wanted, part, rest, remaining, settings.world, rng)
            if wanted
            else _contradicting_clue(kind, near, part, rest, settings.world, rng)
        )
        if clue is not None:
            yield clue


def _name(clue: Clue) -> str:
    return f"event {clue.relation}" if isinstance(clue, Event) else clue.type


def _event_clue(settings: Settings, level: str, rng: Random) -> tuple[Clue, date] | None:
    """Return an event clue of a level and a day on which it holds."""
    first, last = settings.world.first, settings.world.last
    recurring = settings.world.facts.recurring
    if recurring and (not settings.events or (level == "year" and rng.random() < _RECURRING)):
        known = rng.choice(recurring)
        year = rng.choice(known.years)
        day = date(year, 1, 1) + timedelta(days=rng.randrange(365))
        return (Recurring(known.name, known.years), day) if first <= day <= last else None
    name, text, edge = rng.choice(settings.events)
    if len(text) < {"year": 4, "month": 7, "day": 10}[level]:
        return None
    year = int(text[:4]) if level == "year" else rng.randint(first.year, last.year)
    month = int(text[5:7]) if level == "month" else rng.randint(1, 12)
    number = int(text[8:]) if level == "day" else rng.randint(1, 31)
    try:
        day = date(year, month, number)
    except ValueError:
        return None
    return (Event(name, text, edge, level), day) if first <= day <= last else None


def _next_clue(
    pool: list[type[Clue]], day: date, part: Part, rest: int, room: range, world: World, rng: Random
) -> Clue | None:
    """Draw a clue of some types that holds on a day and leaves so many of the remaining days."""
    for kind in pool:
        clue = kind.draw(rng, day, world)
        if clue is not None and (rest & part.kept(clue)).bit_count() in room:
            return clue
    return None


def _clue_types(
    settings: Settings, level: str, puzzle: list[Clue], rng: Random
) -> list[type[Clue]]:
    """Return the types of a level that are no kin of those in a puzzle, in random order."""
    return _shuffled(_unrelated(settings.pools[level], frozenset(map(_name, puzzle))), rng)


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
) -> Clue | None:
    """Draw a clue of a type that keeps exactly so many of the remaining days; None if none is found."""
    seen: set[Clue] = set()
    wide = 0
    for _ in range(min(_TRIES, 2 * len(left))):
        day = date.fromordinal(left[int(rng.random() * len(left))])
        clue = kind.draw(rng, day, world)
        if clue is None or clue in seen:
            continue
        seen.add(clue)
        kept = (rest & part.kept(clue)).bit_count()
        if kept == wanted:
            return clue
        wide += kept > 4 * wanted
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
) -> Clue | None:
    """Draw a clue of a type that rules out all remaining days and holds on one that was nearly kept."""
    for _ in range(_TRIES if near else 0):
        day = date.fromordinal(rng.choice(rng.choice(near)))
        clue = kind.draw(rng, day, world)
        if clue is not None and not rest & part.kept(clue):
            return clue
    return None


def _are_necessary(puzzle: list[Clue], part: Part, settings: Settings, wanted: int) -> bool:
    """Tell whether the clues that must be necessary are so; the event, which comes first, holds on ``part``."""
    if settings.necessary == "none" and wanted:
        return True
    first, last = Problem(settings.world.first, settings.world.last, puzzle).certain()
    # Without a solution, each clue has to be part of the contradiction: no two or three alone are.
    if settings.necessary != "event" or not wanted:
        left = others(puzzle[1:], part.between(first, last), part.kept)
        if any(days.bit_count() <= wanted for days in left):
            return False
    return intersection(puzzle[1:], day_sets.run(first, last)).bit_count() > wanted


def _searched(
    settings: Settings, event: Clue, day: date, levels: list[str], wanted: int, rng: Random
) -> list[Clue] | str:
    """Return the clues of a puzzle in which each is necessary, or why there are none."""
    levels.sort(key=_shuffled(LEVELS, rng).index)
    search = _Search(settings, day, levels, wanted, rng)
    days = search.part.kept(event)
    puzzle = search.found([event], days, [search.part.all & ~days])
    if puzzle is None:
        return "clue"
    part = _part(event, settings.world.first, settings.world.last)
    return puzzle if _are_necessary(puzzle, part, settings, wanted) else "redundant"


class _Search:
    """A depth-first search for clues that hold on one day, the last one apart, and are all necessary."""

    def __init__(
        self, settings: Settings, day: date, levels: Sequence[str], wanted: int, rng: Random
    ) -> None:
        self.settings, self.day, self.levels, self.rng = settings, day, levels, rng
        self.wanted, self.least, self.part = wanted, max(wanted, 1), _of_days(settings.span)
        self.left = _MOST  # clues that may still be drawn

    def found(self, puzzle: list[Clue], rest: int, alone: list[int]) -> list[Clue] | None:
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
            return next(
                ([*puzzle, clue] for clue in lasts if _apart(self.part.kept(clue), rest, alone)),
                None,
            )
        most = self.least * _KEPT**left
        fit: list[tuple[int, int, Clue, list[int]]] = []
        for kind in self._types(puzzle) * _DRAWN:
            self.left -= 1
            clue = kind.draw(self.rng, self.day, self.settings.world)
            if clue is None:
                continue
            days = self.part.kept(clue)
            apart = _apart(days, rest, alone)
            if not apart:
                continue
            count = (rest & days).bit_count()
            if self.least < count <= most:
                room = min(count // self.least, *(days.bit_count() for days in apart))
                fit.append((room, len(fit), clue, apart))
        for _, _, clue, apart in sorted(fit, reverse=True)[:_WIDTH]:
            puzzle_found = self.found([*puzzle, clue], rest & self.part.kept(clue), apart)
            if puzzle_found or self.left <= 0:
                return puzzle_found
        return None

    def _types(self, puzzle: list[Clue]) -> list[type[Clue]]:
        """Return the types that the next clue may have; those of one level come in one order only."""
        level = self.levels[len(puzzle) - 1]
        pool = _clue_types(self.settings, level, puzzle, self.rng)
        if len(puzzle) > 1 and level == self.levels[len(puzzle) - 2]:
            pool = [kind for kind in pool if kind.type > puzzle[-1].type]
        return pool


def _apart(days: int, rest: int, alone: list[int]) -> list[int]:
    """Return the days that each clue alone rules out once one more holds on ``days``; none if one has no such day."""
    apart = [*(ruled_out & days for ruled_out in alone), rest & ~days]
    return apart if all(apart) else []
