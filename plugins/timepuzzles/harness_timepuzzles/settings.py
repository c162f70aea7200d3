"""A configuration made ready for drawing: ranges, facts, and which types of clues go together."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any

from harness import HarnessError
from harness_timepuzzles import day_sets, facts
from harness_timepuzzles.clues.catalogue import GROUPS, TYPES
from harness_timepuzzles.clues.clue import LEVELS, Clue, World
from harness_timepuzzles.clues.facts import Event, Recurring, edges_of
from harness_timepuzzles.languages.language import ENGLISH


class SettingsError(HarnessError):
    """Settings that fit the schema one by one but not together."""


# Types of which a puzzle has one at the most: the second says what the first does, or nothing new.
KIN: tuple[frozenset[str], ...] = (
    frozenset(("year", "decade", "event year")),
    frozenset(("year", "leap_year")),
    frozenset(("year", "games")),
    frozenset(("year", "recurring")),
    frozenset(("month", "season", "event month")),
    frozenset(("weekday", "weekdays", "weekday_in_month", "weekday_of_year")),
    frozenset(("day_of_month", "day_range", "event day")),
    frozenset(("moon", "equinox")),
)


MOST_NECESSARY = 8  # clues: none was found with more in minutes


@dataclass(frozen=True, slots=True, eq=False)
class Settings:
    """A configuration, prepared once and compared by identity, as a key of caches; ``span``: its range as a mask."""

    world: World
    span: int
    solutions: range
    clues: range
    necessary: str
    calendar_clue: bool
    pools: Mapping[str, tuple[type[Clue], ...]]
    events: tuple[tuple[str, str, str], ...]

    def all_necessary(self, wanted: int) -> bool:
        """Return whether all clues of a puzzle with so many solutions must be necessary.

        Without a solution, each clue has to be part of the contradiction: no two or three alone are.
        """
        return self.necessary == "all" or not wanted


@lru_cache(maxsize=16)
def prepared(config_json: str, facts_digest: str) -> Settings:
    """Make a configuration ready; ``facts_digest`` tells a file of facts that changed from what it was."""
    config = json.loads(config_json)
    if config["from_year"] > config["to_year"]:
        raise SettingsError(f"from_year={config['from_year']} is after to_year={config['to_year']}")
    first, last = date(config["from_year"], 1, 1), date(config["to_year"], 12, 31)
    if not config["facts"] and not config["builtin_facts"]:
        raise SettingsError("builtin_facts=false needs facts=FILE with facts of your own")
    world = _world(config["facts"], config["builtin_facts"], facts_digest, first, last)
    solutions, numbers = _range("solutions", config["solutions"]), _range("clues", config["clues"])
    if numbers[0] < 3 or numbers[-1] > 12:
        raise SettingsError(f"clues={config['clues']}: a puzzle has 3 to 12 clues")
    extra = config["extra"]
    groups = {"paper", *(GROUPS if "all" in extra else extra)}
    kinds = [kind for kind in TYPES.values() if kind.group in groups]
    kinds = [kind for kind in kinds if kind not in (Event, Recurring)]
    pools = {level: tuple(k for k in kinds if k.own_level == level) for level in LEVELS}
    if numbers[-1] > (most := _most_clues(pools)):
        raise SettingsError(
            f"clues={config['clues']}: these types of clues make puzzles of {most} at the most, as no two may "
            f"say the same; use clues={most} or less, or more types (extra=[all])"
        )
    if config["necessary"] == "all" and numbers[0] > MOST_NECESSARY:
        raise SettingsError(
            f"clues={config['clues']}: puzzles whose clues are all necessary of more than {MOST_NECESSARY} are "
            f"not found in minutes; use clues={MOST_NECESSARY} or less, or necessary=event"
        )
    if solutions[-1] > 30:
        raise SettingsError(f"solutions={config['solutions']}: at most 30 are supported")
    events = tuple(edge for event in world.facts.events for edge in edges_of(event))
    return Settings(
        world, day_sets.run(first, last), solutions, numbers, config["necessary"],
        config["calendar_clue"], pools, events,
    )  # fmt: skip


@lru_cache(maxsize=16)
def _world(path: str, builtin: bool, facts_digest: str, first: date, last: date) -> World:
    """Return the world of some facts and a range: one and the same, so that settings share what is made of it."""
    table = facts.with_file(path, builtin) if path else facts.builtin()
    return World.of(table, first, last)


def check_language(config: Mapping[str, Any]) -> None:
    """Refuse facts of a user's own in a language that has no words for them.

    Raises:
        SettingsError: there are such facts.
    """
    if config["language"] != ENGLISH and config["facts"]:
        raise SettingsError(
            f"language={config['language']} takes no facts=: only the built-in facts have words in it"
        )


def _most_clues(pools: Mapping[str, tuple[type[Clue], ...]]) -> int:
    """Return the largest number of clues with as many of each level, give or take one, and no kin."""
    names = {level: [kind.type for kind in pools[level]] for level in LEVELS}
    without = {level: _most_unrelated(names[level], frozenset()) for level in LEVELS}
    most = 0
    for event_level in LEVELS:
        event = 1 + _most_unrelated(names[event_level], frozenset((f"event {event_level}",)))
        room = sorted(event if level == event_level else without[level] for level in LEVELS)
        # With the least room filled, the other levels have one clue more at the most.
        most = max(most, room[0] + sum(min(other, room[0] + 1) for other in room[1:]))
    return most


def _most_unrelated(names: Sequence[str], taken: frozenset[str]) -> int:
    """Return the largest number of types that can stand together with those taken."""
    barred = taken.union(*(kin for kin in KIN if kin & taken))
    free = [name for name in names if name not in barred]
    return max(
        (1 + _most_unrelated(free[at + 1 :], taken | {name}) for at, name in enumerate(free)),
        default=0,
    )


def _range(key: str, text: str) -> range:
    least, _, most = text.partition("-")
    numbers = range(int(least), int(most or least) + 1)
    if not numbers:
        raise SettingsError(f"{key}={text}: the first number must not be greater than the second")
    return numbers
