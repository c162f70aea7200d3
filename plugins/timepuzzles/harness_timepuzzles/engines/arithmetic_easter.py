"""Easter Sunday by the computus of either church."""

from __future__ import annotations

from harness_timepuzzles.engines.arithmetic_days import number


def western(year: int) -> int:
    """Return the day number of Easter Sunday by the Gregorian computus."""
    century = year // 100
    golden = year % 19
    corrections = century - century // 4 - (8 * century + 13) // 25
    moon = (19 * golden + corrections + 15) % 30  # days from 21 March to the full moon
    if moon == 29 or (moon == 28 and golden > 10):
        moon -= 1
    return _sunday_after(number(year, 3, 21) + moon)


def orthodox(year: int) -> int:
    """Return the day number of Easter Sunday by the Julian computus."""
    moon = (19 * (year % 19) + 15) % 30
    behind = year // 100 - year // 400 - 2  # days by which the Julian calendar is behind
    return _sunday_after(number(year, 3, 21) + behind + moon)


def _sunday_after(day: int) -> int:
    return day + 7 - (day + 5) % 7  # day number 2 is a Sunday
