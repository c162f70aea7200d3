"""A part of the calendar holds the same days as the whole one, under other numbers."""

from __future__ import annotations

from datetime import date

import pytest
from harness_timepuzzles import day_sets
from harness_timepuzzles.clues.day import DayOfMonth, Weekday, Weekdays
from harness_timepuzzles.clues.month import LunarMonth, Month
from harness_timepuzzles.clues.year import Year, Zodiac
from harness_timepuzzles.engines.masks import intersection
from harness_timepuzzles.part import Part

SPAN = day_sets.run(date(1800, 1, 1), date(2050, 12, 31))
KEYS = [(Weekday, (3,)), (Weekdays, ((0, 6),)), (LunarMonth, (8,)), (Zodiac, ("rat",)), (Year, (1900,))]  # fmt: skip


@pytest.mark.parametrize("event", [Year(1912), Month(5), DayOfMonth(31), DayOfMonth(-1), None])
def test_a_part_has_the_days_that_masks_have(event):
    whole = intersection([event] if event else [], SPAN)
    part = Part(whole)
    assert part.days == day_sets.days(whole)
    for kind, values in KEYS:
        clue, days = part[kind, values]
        assert clue == kind(*values)
        found = [part.days[place] for place in day_sets.places(days)]
        assert found == day_sets.days(intersection([clue], whole))


def test_a_part_between_two_days():
    part = Part(intersection([Month(5)], SPAN))
    for first, last in [(1700, 1850), (1850, 1850), (1900, 2100), (1801, 1800), (2060, 2070)]:
        run = date(first, 5, 20), date(last, 6, 1)
        found = [part.days[place] for place in day_sets.places(part.between(*run))]
        assert found == [day for day in part.days if run[0] <= day <= run[1]]
