"""Sets of days in one big integer, against Python's own sets of dates, up to both edges."""

from __future__ import annotations

import calendar
from datetime import date, timedelta
from itertools import pairwise
from random import Random

from cases import each
from harness_timepuzzles import day_sets
from harness_timepuzzles.day_sets import FIRST, LAST, SIZE
from hypothesis import example, given, settings
from hypothesis import strategies as st

QUICK = settings(max_examples=60, deadline=None, derandomize=True, database=None)
DAY = timedelta(days=1)
WHOLE = day_sets.run(FIRST, LAST)
OUTSIDE = [date.min, date(1699, 12, 31), date(2101, 1, 1), date.max]

inside = st.one_of(
    st.sampled_from([FIRST, FIRST + DAY, FIRST + 7 * DAY, LAST - 8 * DAY, LAST - DAY, LAST]),
    st.dates(FIRST, LAST),
)
anywhere = st.one_of(st.sampled_from(OUTSIDE), inside, st.dates())
sets = st.sets(anywhere, max_size=60)
# Short runs, so that they meet, touch, overlap and cross both edges.
runs = st.lists(
    st.tuples(
        st.one_of(
            st.dates(date(1699, 12, 1), date(1700, 3, 1)),
            st.dates(date(2100, 10, 1), date(2101, 1, 31)),
            st.dates(date(1969, 12, 1), date(1970, 2, 1)),
        ),
        st.integers(-3, 40),
    ).map(lambda pair: (pair[0], pair[0] + pair[1] * DAY)),
    max_size=12,
)


def listed(first: date, last: date) -> list[date]:
    """Every day from one to another by stepping, outside the calendar too."""
    found = []
    while first <= last:
        found.append(first)
        first += DAY
    return found


def within(days: set[date]) -> list[date]:
    return sorted(day for day in days if FIRST <= day <= LAST)


def test_the_calendar_is_1700_to_2100():
    assert (date(1700, 1, 1), date(2100, 12, 31)) == (FIRST, LAST)
    assert len(listed(FIRST, LAST)) == SIZE == 146_462
    assert [*day_sets.YEARS] == [*range(1700, 2101)]
    assert WHOLE == (1 << SIZE) - 1
    assert (
        day_sets.days(WHOLE)
        == listed(FIRST, LAST)
        == day_sets.days(day_sets.of(listed(FIRST, LAST)))
    )
    assert day_sets.periods(WHOLE) == [(FIRST, LAST)]


def test_the_empty_set_has_no_days_and_no_periods():
    assert day_sets.of([]) == day_sets.union([]) == day_sets.of(OUTSIDE) == 0
    assert day_sets.days(0) == day_sets.periods(0) == day_sets.ordinals(0) == []


@each(
    ("first", "last", "size"),
    [
        (FIRST, FIRST, 1), (LAST, LAST, 1), (date.min, date.max, SIZE), (date.min, FIRST, 1),
        (LAST, date.max, 1), (date.min, FIRST - DAY, 0), (LAST + DAY, date.max, 0),
        (LAST, FIRST, 0), (date.max, date.min, 0), (FIRST + DAY, FIRST, 0), (FIRST - DAY, FIRST, 1),
        (date(1900, 2, 28), date(1900, 3, 1), 2), (date(2000, 2, 28), date(2000, 3, 1), 3),
    ],
)  # fmt: skip
def test_runs_are_clipped_to_the_calendar(first, last, size):
    assert day_sets.run(first, last).bit_count() == size


@QUICK
@given(sets)
def test_a_set_is_the_set_of_its_days(days):
    mask = day_sets.of(days)
    right = within(days)
    assert day_sets.days(mask) == right
    assert day_sets.ordinals(mask) == [day.toordinal() for day in right]
    assert mask.bit_count() == len(right)
    assert 0 <= mask <= WHOLE
    if right:
        assert day_sets.first_day(mask) == right[0]


@QUICK
@given(inside)
@example(FIRST)
@example(LAST)
def test_bit_i_is_day_i(day):
    mask = day_sets.of([day])
    assert mask == day_sets.run(day, day) == 1 << (day - FIRST).days
    assert day_sets.days(mask) == [day] == [day_sets.first_day(mask)]
    assert day_sets.periods(mask) == [(day, day)]


@QUICK
@given(runs)
def test_a_union_has_the_days_of_its_runs(pairs):
    right = {day for first, last in pairs for day in listed(first, last)}
    assert day_sets.days(day_sets.union(pairs)) == within(right)
    assert day_sets.union(pairs) == day_sets.of(right) == day_sets.union(reversed(pairs))


@QUICK
@given(runs, sets)
def test_periods_are_the_longest_runs(pairs, days):
    mask = day_sets.union(pairs) | day_sets.of(days)
    found = day_sets.periods(mask)
    assert day_sets.union(found) == mask
    flat = [day for period in found for day in period]
    assert flat == sorted(flat)
    assert all(b[0] - a[1] > DAY for a, b in pairwise(found))
    assert all(FIRST <= day <= LAST for day in flat)


@QUICK
@given(sets, sets)
def test_bit_operations_are_set_operations(left, right):
    one, two = day_sets.of(left), day_sets.of(right)
    assert day_sets.days(one & two) == within(left & right)
    assert day_sets.days(one | two) == within(left | right)
    assert day_sets.days(one & ~two) == within(left - right)


def test_large_sets_survive_the_way_there_and_back():
    rng = Random(1)
    for share in (0.001, 0.05, 0.99):
        days = [day for day in listed(FIRST, LAST) if rng.random() < share]
        mask = day_sets.of(days)
        assert day_sets.days(mask) == days
        assert day_sets.union(day_sets.periods(mask)) == mask
    assert len(day_sets.periods(day_sets.of(listed(FIRST, LAST)[-10_000::2]))) == 5000


def test_months_begin_and_end_where_they_do():
    starts = [first for first, _ in day_sets.months()]
    assert all(last == day_sets.month_end(first) for first, last in day_sets.months())
    assert starts == [day for day in listed(FIRST, LAST) if day.day == 1]
    for start in [*starts, date(1699, 12, 1), date(1600, 2, 1)]:
        assert day_sets.month_end(start) == start.replace(
            day=calendar.monthrange(start.year, start.month)[1]
        )
