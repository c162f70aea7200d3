"""A part of the calendar holds the same days as the whole one, under other numbers."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache
from random import Random

import pytest
from harness_timepuzzles import day_sets
from harness_timepuzzles.clues.catalogue import TYPES
from harness_timepuzzles.clues.clue import mask
from harness_timepuzzles.clues.day import DayOfMonth, Weekday, Weekdays
from harness_timepuzzles.clues.facts import Event, Office, Recurring
from harness_timepuzzles.clues.month import LunarMonth, Month
from harness_timepuzzles.clues.year import LeapYear, Year, Zodiac
from harness_timepuzzles.engines.masks import intersection
from harness_timepuzzles.part import Candidates, Part
from harness_timepuzzles.settings import prepared

from harness import canonical_json
from harness.core.plugins import registry
from harness.core.spec import make

SETTINGS = make(registry().get("timepuzzles"), {}).config

WORLD = prepared(canonical_json({**SETTINGS, "extra": ["all"]}), "").world
SPAN = day_sets.run(WORLD.first, WORLD.last)
KEYS = [(Weekday, (3,)), (Weekdays, ((0, 6),)), (LunarMonth, (8,)), (Zodiac, ("rat",)), (Year, (1900,))]  # fmt: skip


@cache
def candidates(kind):
    return Candidates(kind, WORLD)


def part_of(days):
    return Part(days, WORLD, candidates)


@pytest.mark.parametrize("event", [Year(1912), Month(5), DayOfMonth(31), DayOfMonth(-1), None])
def test_a_part_has_the_days_that_masks_have(event):
    whole = intersection([event] if event else [], SPAN)
    part = part_of(whole)
    assert part.days == day_sets.ordinals(whole)
    for kind, values in KEYS:
        clue, days = part[kind][values]
        assert clue == kind(*values)
        found = [part.days[place] for place in day_sets.places(days)]
        assert found == day_sets.ordinals(intersection([clue], whole))


@pytest.mark.parametrize("event", [Year(1912), DayOfMonth(31)])
@pytest.mark.parametrize("kind", [Weekdays, LunarMonth, Office, LeapYear])
def test_all_clues_that_keep_so_many_days_are_found(event, kind):
    part = part_of(mask(event) & SPAN)
    some = part.all // 3  # every second day
    clues = {
        values: mask(kind(*values)) & mask(event) & SPAN for values in kind.all_values(WORLD.facts)
    }
    kept = {values: chosen(days, part) & some for values, days in clues.items()}
    for number in {days.bit_count() for days in kept.values()} - {0}:
        expected = [values for values, days in kept.items() if days.bit_count() == number]
        assert part[kind].that_keep(number, some) == expected


def chosen(days, part):
    return sum(
        1 << place
        for place, day in enumerate(part.days)
        if day_sets.has(days, date.fromordinal(day))
    )


@pytest.mark.parametrize("kind", [kind for kind in TYPES.values() if kind.group != "explicit"])
def test_what_is_drawn_is_among_all_clues(kind):
    if kind in (Event, Recurring):  # of these, none is looked for
        return
    known, rng = set(kind.all_values(WORLD.facts)), Random(1)
    days = [WORLD.first + timedelta(rng.randrange(91_676)) for _ in range(500)]
    drawn = {kind.values(rng, day, WORLD) for day in days} - {None}
    assert drawn
    assert drawn <= known
