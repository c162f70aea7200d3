"""Three ways to convert a date: by libraries, by arithmetic, and by asking a library about one day after another."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from harness import Abstained, Solution
from harness_timepuzzles.conversions import calendar_dates
from harness_timepuzzles.conversions.problem import Date, ends, text


def solve(problem: Mapping[str, Any], engine: str) -> Solution:
    """Return the date of a conversion by one engine.

    Raises:
        Abstained: the day is out of the bounds of a calendar, or in doubt.
        ConversionError, DatasetError: the problem is no conversion, or its date does not exist.
    """
    given, target = ends(problem)
    if engine == "arithmetic":
        from harness_timepuzzles.engines import arithmetic_dates

        return Solution(arithmetic_dates.converted(problem), engine)
    return Solution(
        looked_up(given, target) if engine == "days" else converted(given, target), engine
    )


def converted(given: Date, target: str) -> str:
    """Return a date in another calendar by way of its day; raises what `solve` does."""
    day = calendar_dates.day_of(given)
    return _text(calendar_dates.date_of(day, target) if day else None, given, target)


# Ordinal of the first day of the year 0, and days of a year; of the Gregorian calendar where there is none.
_SCALES = {"hebrew": (-1373795, 365.24682), "islamic": (226659, 354.36707)}


def looked_up(given: Date, target: str) -> str:
    """Return what `converted` does: the days about that year are read one by one until one is the given date."""
    calendar = given["calendar"]
    zero, length = _SCALES.get(calendar, (-365, 365.2425))
    near = int(zero + length * given["year"])
    first, last = (day.toordinal() for day in calendar_dates.BOUNDS[calendar])
    days = map(date.fromordinal, range(max(first, near - 50), min(last, near + 500) + 1))
    day = next((day for day in days if calendar_dates.reading(day, calendar) == given), None)
    return _text(calendar_dates.reading(day, target) if day else None, given, target)


def _text(wanted: Date | None, given: Date, target: str) -> str:
    if wanted is None:
        raise Abstained(
            f"no day that has a {target} date here is the {given['calendar']} date {text(given)}"
        )
    return text(wanted)
