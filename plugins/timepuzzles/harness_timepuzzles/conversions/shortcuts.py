"""A cheap way to convert a date, which does not know how long any one month or year is."""

from __future__ import annotations

from harness import Item, PluginError, Shortcut
from harness_timepuzzles.conversions.problem import CONVERT, HEBREW_MONTHS, Date, ends, text

SHORTCUTS = (
    Shortcut(
        "mean_lengths",
        "Count days with the mean lengths of years and months of both calendars.",
        "how long each month and year is, leap months and weekdays",
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
    """Return the answer of the shortcut to a conversion.

    Raises:
        PluginError: it is none for conversions.
    """
    if name != SHORTCUTS[0].name:
        raise PluginError(f"{name[:40]!r} is no shortcut for task={CONVERT}")
    given, target = ends(item.problem)
    month = given.get("month", given.get("week", 1))
    if isinstance(month, str):
        month = _MONTHS.index("Adar" if month.startswith("Adar") else month) + 1
    zero, year, length = _SCALES[given["calendar"]]
    day = zero + given["year"] * year + (month - 1) * length + given["day"] - 0.5
    zero, year, length = _SCALES[target]
    years, rest = divmod(day - zero, year)
    return (
        f"Answer: {text(_date(target, int(years), int(rest / length) + 1, int(rest % length) + 1))}"
    )


def _date(calendar: str, year: int, month: int, day: int) -> Date:
    """Return a date of that year, month (or week) and day."""
    date = {"calendar": calendar, "year": year, "day": day}
    if calendar == "ordinal":
        return date
    if calendar == "iso_week":
        return {**date, "week": month}
    month = min(month, 12)
    date |= {"month": _MONTHS[month - 1] if calendar == "hebrew" else month}
    return {**date, "leap": False} if calendar == "chinese" else date
