"""Cheap ways to convert a date, neither of which knows how long any month or year is."""

from __future__ import annotations

from harness import Item, PluginError, Shortcut
from harness_timepuzzles.conversion import CONVERT, HEBREW_MONTHS, Date, ends, text

SHORTCUTS = (
    Shortcut(
        "mean_lengths",
        "count days with the mean lengths of years and months of both calendars",
        "how long each month and year is, leap months and weekdays",
        (CONVERT,),
    ),
    Shortcut(
        "same_numbers",
        "the same year, month and day in the form of the other calendar",
        "that years and months begin on other days",
        (CONVERT,),
    ),
)

# Ordinal of the first day of the year 0; mean days of a year, and of its months or weeks.
_SCALES = {
    "gregorian": (-365.0, 365.2425, 30.436875), "ordinal": (-365.0, 365.2425, 366.0),
    "iso_week": (-365.0, 365.2425, 7.0), "hebrew": (-1373795.0, 365.24682, 29.530594),
    "islamic": (226659.0, 354.36707, 29.530589), "chinese": (-330.0, 365.2425, 29.530589),
}  # fmt: skip
_MONTHS = [month for month in HEBREW_MONTHS if not month.startswith("Adar ")]


def shortcut(item: Item, name: str) -> str:
    """Return the answer of a shortcut to a conversion.

    Raises:
        PluginError: it is none for conversions.
    """
    given, target = ends(item.problem)
    parts = _parts(given)
    if name == "mean_lengths":
        zero, year, month = _SCALES[given["calendar"]]
        day = zero + parts[0] * year + (parts[1] - 1) * month + parts[2] - 0.5
        zero, year, month = _SCALES[target]
        years, rest = divmod(day - zero, year)
        parts = int(years), int(rest / month) + 1, int(rest % month) + 1
    elif name != "same_numbers":
        raise PluginError(f"{name[:40]!r} is no shortcut for task={CONVERT}")
    return f"Answer: {text(_date(target, *parts))}"


def _parts(given: Date) -> tuple[int, int, int]:
    month = given.get("month", given.get("week", 1))
    if isinstance(month, str):
        month = _MONTHS.index("Adar" if month.startswith("Adar") else month) + 1
    return given["year"], month, given["day"]


def _date(calendar: str, year: int, month: int, day: int) -> Date:
    """Return a date of that year, month (or week) and day, as nearly as the calendar has such."""
    date = {"calendar": calendar, "year": year, "day": day}
    if calendar == "ordinal":
        return date
    if calendar == "iso_week":
        return {**date, "week": month, "day": min(day, 7)}
    month = min(month, 12)
    date |= {"month": _MONTHS[month - 1] if calendar == "hebrew" else month, "day": min(day, 30)}
    return {**date, "leap": False} if calendar == "chinese" else date
