"""Puzzles (paper, section 2.2 and appendix A.2): an event, a hidden date, and clues that hold on it.

The paper draws whole puzzles until one has the wanted number of solutions. Here all clues but one are
drawn so, and the last is looked for among those that leave exactly so many dates. Every solution set
is made with masks and confirmed by the arithmetic engine before the item exists.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from functools import lru_cache
from random import Random
from typing import Any, TypeVar

from harness import Abstained, EngineError, ExhaustedError, Item, canonical_json, digest
from harness_timepuzzles import certificate, day_sets, facts_file, reading, wording
from harness_timepuzzles.clues.clue import LEVELS, Clue, World, mask
from harness_timepuzzles.clues.facts import Event, Recurring
from harness_timepuzzles.config import NAME, VERSION
from harness_timepuzzles.engines import arithmetic
from harness_timepuzzles.engines.masks import intersection, others
from harness_timepuzzles.problem import Problem, answer
from harness_timepuzzles.settings import KIN, Settings, prepared

_T = TypeVar("_T")
MAX_DRAWS = 20_000
# Draws with one number of clues and one level of the event; harder demands need more of them.
_PATIENCE, _LONG_PATIENCE = 100, 1_000
_TRIES = 7  # days of the remaining ones whose values the last clue may take, per type
_WIDEST = 40  # dates per solution that one more clue may still have to rule out
_RECURRING = 0.15  # share of events that happened more than once


def item(config: dict[str, Any], index: int, rng: Random, salt: str) -> Item:
    """Return puzzle ``index``: its number of solutions is fixed by the index, the rest is drawn.

    Raises:
        ExhaustedError: no such puzzle was found in `MAX_DRAWS` draws.
        EngineError: the two engines contradict each other.
        SettingsError: the configuration contradicts itself.
    """
    facts_digest = ""
    if config["facts"]:
        reading.remember(config["facts"])
        facts_digest = hashlib.sha256(facts_file.content(config["facts"])).hexdigest()
    key = canonical_json({k: v for k, v in config.items() if k != "mode"})
    settings = prepared(key, facts_digest)
    wanted = balanced(index, settings.solutions, salt)
    hard = settings.necessary == "all" or not wanted
    patience = _LONG_PATIENCE if hard else _PATIENCE
    rejected: Counter[str] = Counter()
    for draw in range(1, MAX_DRAWS + 1):
        # Not with every draw: what fits more often would come more often. But some never fit.
        if draw % patience == 1:
            shape = (rng.choice(settings.clues), rng.choice(LEVELS))
        drawn = _draw(settings, shape, wanted, rng)
        if isinstance(drawn, str):
            rejected[drawn] += 1
            continue
        notes = {"draws": draw, "rejected": dict(sorted(rejected.items()))}
        result = _item(drawn, settings, config["mode"], notes)
        if isinstance(result, Item):
            return result
        rejected[result] += 1
    why = ", ".join(f"{reason} {count}" for reason, count in sorted(rejected.items()))
    raise ExhaustedError(
        f"no puzzle with {wanted} solutions in {MAX_DRAWS} draws ({why}); use a wider range of years, "
        "fewer clues, other numbers of solutions, or necessary=event"
    )


def balanced(index: int, wanted: range, salt: str) -> int:
    """Return the number of solutions of an index: each block of ``len(wanted)`` has every one once."""
    block, at = divmod(index, len(wanted))
    order = list(wanted)
    Random(hashlib.sha256(f"{salt}|{block}".encode()).hexdigest()).shuffle(order)
    return order[at]


def _draw(settings: Settings, shape: tuple[int, str], wanted: int, rng: Random) -> list[Clue] | str:
    """Return the clues of a puzzle with so many solutions, the event first, or why there are none.

    ``shape`` is the number of clues and the level of the event.
    """
    levels = _levels(shape, rng)
    begun = _event_clue(settings, shape[1], rng)
    if begun is None:
        return "event"
    event, day = begun
    puzzle, rest = [event], settings.span & mask(event)
    least = max(wanted, 1)
    for at, level in enumerate(levels[:-1], 2):
        most = _WIDEST * least if at == len(levels) else day_sets.SIZE
        pool = _clue_types(settings, level, puzzle, rng)
        clue = _next_clue(pool, day, rest, range(least, most + 1), settings.world, rng)
        if clue is None:
            return "clue"
        puzzle.append(clue)
        rest &= mask(clue)
    last = _last_clue(settings, puzzle, rest, levels[-1], wanted, rng)
    if last is None:
        return "count"
    # Enough puzzles are tried: one that fails here is not worth another last clue.
    return [*puzzle, last] if _are_necessary([*puzzle, last], settings, wanted) else "redundant"


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


def _last_clue(
    settings: Settings, puzzle: list[Clue], rest: int, level: str, wanted: int, rng: Random
) -> Clue | None:
    """Look for a clue of a level that leaves exactly so many of the remaining days."""
    low = day_sets.lowest(rest)
    pool = _clue_types(settings, level, puzzle, rng)
    remaining = day_sets.ordinals(rest) if wanted else []
    near = [] if wanted else _breaking_alone(puzzle, rest, settings)
    for kind in pool:
        clue = (
            _exact_clue(kind, wanted, rest, remaining, low, settings.world, rng)
            if wanted
            else _contradicting_clue(kind, near, rest, settings.world, rng)
        )
        if clue is not None:
            return clue
    return None


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
    pool: list[type[Clue]], day: date, rest: int, room: range, world: World, rng: Random
) -> Clue | None:
    """Draw a clue of some types that holds on a day and leaves so many of the remaining days."""
    low = day_sets.lowest(rest)
    for kind in pool:
        clue = kind.draw(rng, day, world)
        if clue is not None and ((rest & mask(clue)) >> low).bit_count() in room:
            return clue
    return None


def _clue_types(
    settings: Settings, level: str, puzzle: list[Clue], rng: Random
) -> list[type[Clue]]:
    """Return the types of a level that are no kin of those in a puzzle, in random order."""
    taken = {_name(clue) for clue in puzzle}
    barred = taken.union(*(kin for kin in KIN if kin & taken))
    return _shuffled([kind for kind in settings.pools[level] if kind.type not in barred], rng)


def _exact_clue(
    kind: type[Clue], wanted: int, rest: int, left: list[int], low: int, world: World, rng: Random
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
        kept = ((rest & mask(clue)) >> low).bit_count()
        if kept == wanted:
            return clue
        wide += kept > 4 * wanted
        if wide == 2:  # the type is too weak for what is left
            return None
    return None


def _breaking_alone(puzzle: list[Clue], rest: int, settings: Settings) -> list[list[int]]:
    """Return, per clue, the days that break it alone."""
    sets = (days & ~rest for days in others(puzzle, settings.span))
    return [day_sets.ordinals(days) for days in sets if days]


def _contradicting_clue(
    kind: type[Clue], near: list[list[int]], rest: int, world: World, rng: Random
) -> Clue | None:
    """Draw a clue of a type that rules out all remaining days and holds on one that was nearly kept."""
    for _ in range(_TRIES if near else 0):
        day = date.fromordinal(rng.choice(rng.choice(near)))
        clue = kind.draw(rng, day, world)
        if clue is not None and not rest & mask(clue):
            return clue
    return None


def _are_necessary(puzzle: list[Clue], settings: Settings, wanted: int) -> bool:
    """Tell whether the clues that must be necessary are so; the event comes first."""
    if settings.necessary == "none" and wanted:
        return True
    span = day_sets.run(*Problem(settings.world.first, settings.world.last, puzzle).certain())
    if settings.necessary == "event" and wanted:
        return intersection(puzzle[1:], span).bit_count() > wanted
    # Without a solution, each clue has to be part of the contradiction: no two or three alone are.
    return all(days.bit_count() > wanted for days in others(puzzle, span))


def _item(drawn: list[Clue], settings: Settings, mode: str, notes: dict[str, Any]) -> Item | str:
    """Return the item of some clues, the event first, or why the engines reject them."""
    event = drawn[0]
    # The order of the prompt is the clues' own: equal puzzles are equal whatever was drawn first.
    puzzle = sorted(drawn, key=_sort_key)
    first, last = Problem(settings.world.first, settings.world.last, puzzle).certain()
    implicit = Problem(first, last, puzzle)
    rewritten = [_explicit(clue, first, last) for clue in puzzle]
    proof = certificate.make(puzzle, intersection(puzzle, implicit.span), implicit.span)
    solutions = proof["solutions"]
    reason = _confirm(implicit, solutions) or _gives_away(solutions, rewritten)
    if reason:
        return reason
    problem = implicit
    if mode == "explicit":
        problem = Problem(first, last, [clue for clue, _ in rewritten])
        if _confirm(problem, solutions):
            raise EngineError(
                "the explicit form of a puzzle has another solution set than the implicit one"
            )
    features = {
        "solutions": len(solutions),
        "clues": len(puzzle),
        "mode": mode,
        "necessary": settings.necessary,
        "relation": event.relation if isinstance(event, Event) else "recurring",
        "clue": " ".join(sorted(clue.type for clue in puzzle)),
        "without_event": proof["without"][puzzle.index(event)],
    }
    return Item(
        plugin=NAME, version=VERSION, prompt=wording.write(problem), target=answer(solutions),
        problem=problem.to_dict(), certificate=proof, features=features, notes=notes,
        family=digest([NAME, implicit.to_dict()])[:12],
    )  # fmt: skip


@lru_cache(maxsize=8_000)
def _sort_key(clue: Clue) -> str:
    """Return the key by which a puzzle's clues are ordered; most clues come again and again."""
    return digest(clue.params())


@lru_cache(maxsize=4_000)
def _explicit(clue: Clue, first: date, last: date) -> tuple[Clue, str]:
    rewritten = clue.explicit(first, last)
    return rewritten, rewritten.sentence()


def _confirm(problem: Problem, solutions: list[str]) -> str | None:
    """Return why the second engine does not confirm a solution set; None if it does.

    Raises:
        EngineError: it finds another one.
    """
    data = problem.to_dict()
    try:
        other = arithmetic.solutions(data)
    except Abstained:
        return "undecided"
    if other != solutions:
        raise EngineError(
            f"engines contradict each other: masks find {answer(solutions)}, arithmetic finds "
            f"{answer(other)} for {canonical_json(data)[:2000]}"
        )
    return None


def _gives_away(solutions: list[str], rewritten: list[tuple[Clue, str]]) -> str | None:
    """Return "told" if the one solution stands in the text of the explicit form."""
    if len(solutions) == 1 and any(solutions[0] in sentence for _, sentence in rewritten):
        return "told"
    return None
