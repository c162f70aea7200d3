"""Minutes of a day as texts: ``07:05`` in answers, ``0705`` in timetables."""

from __future__ import annotations


def clock(minute: int) -> str:
    """Return a minute of the day (0 to 1439) as an answer has it, ``07:05``."""
    return f"{minute // 60:02d}:{minute % 60:02d}"


def digits(minute: int) -> str:
    """Return a minute of the day as a timetable has it, ``0705``."""
    return f"{minute // 60:02d}{minute % 60:02d}"


def minute_of(four: str) -> int | None:
    """Return the minute that four digits of a timetable mean; None where there is no such time."""
    hour, minute = int(four[:2]), int(four[2:])
    return 60 * hour + minute if hour < 24 and minute < 60 else None
