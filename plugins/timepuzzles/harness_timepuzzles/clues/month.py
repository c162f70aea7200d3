"""Clues about the month and other parts of the year: season, Chinese month, star sign, ISO week."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import Any, ClassVar

from harness_timepuzzles import calendars, day_sets
from harness_timepuzzles.clues.clue import MONTHS, ValueClue, ordinal
from harness_timepuzzles.clues.explicit import Implicit

MONTH: dict[str, Any] = {"type": "integer", "minimum": 1, "maximum": 12}
_DAY, _WEEK = timedelta(days=1), timedelta(days=7)


@cache
def months(*numbers: int) -> int:
    """Return the mask of all days in some months of the year."""
    return day_sets.union(run for run in day_sets.months() if run[0].month in numbers)


@dataclass(frozen=True, slots=True)
class Month(ValueClue, type="month", level="month"):
    """The month of the year is given."""

    month: int
    schema: ClassVar = {"month": MONTH}
    phrase = "The month is {}."
    words: ClassVar = dict(enumerate(MONTHS, 1))

    def build(self) -> int:
        """All days of the month."""
        return months(self.month)

    @classmethod
    def of(cls, day: date) -> int:
        """Return the day's month."""
        return day.month


SEASONS: dict[str, tuple[int, ...]] = {
    "spring": (3, 4, 5), "summer": (6, 7, 8), "autumn": (9, 10, 11), "winter": (12, 1, 2),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Season(ValueClue, type="season", level="month"):
    """Three whole months of the northern hemisphere."""

    season: str
    schema: ClassVar = {"season": {"enum": list(SEASONS)}}
    convention = (
        "Seasons are those of the northern hemisphere in whole months: spring is March to May, summer "
        "June to August, autumn September to November, winter December to February."
    )
    phrase = "The season is {}."
    words: ClassVar = {season: season for season in SEASONS}

    def build(self) -> int:
        """All days of the three months."""
        return months(*SEASONS[self.season])

    @classmethod
    def of(cls, day: date) -> str:
        """Count quarters of a year that begins in December."""
        return ("winter", "spring", "summer", "autumn")[day.month % 12 // 3]


@dataclass(frozen=True, slots=True)
class LunarMonth(Implicit, ValueClue, type="lunar_month", level="month", costly=True):
    """A month of the Chinese lunisolar calendar, leap months of its number included."""

    month: int
    schema: ClassVar = {"month": MONTH}
    bounds = (calendars.CHINESE_FIRST, calendars.CHINESE_LAST)
    convention = (
        "The Chinese lunar calendar is the official one of China; a leap month counts as the month whose "
        "number it repeats."
    )
    phrase = "It is a day in the {} month of the Chinese lunar calendar."
    words: ClassVar = {month: ordinal(month) for month in range(1, 13)}

    def build(self) -> int:
        """All months of the number."""
        return day_sets.union(
            run for _, month, run in calendars.chinese_months() if month == self.month
        )

    def holds(self, day: date) -> bool:
        """Ask for the day's Chinese month."""
        lunar = calendars.chinese_day(day)
        return lunar is not None and lunar[1] == self.month

    @classmethod
    def of(cls, day: date) -> int | None:
        """Return the day's Chinese month, if the Chinese calendar reaches so far."""
        lunar = calendars.chinese_near(day)
        return lunar[1] if lunar else None


# First day of each sign as (month, day); a sign ends the day before the next begins.
SIGNS: dict[str, tuple[int, int]] = {
    "aquarius": (1, 20), "pisces": (2, 19), "aries": (3, 21), "taurus": (4, 20), "gemini": (5, 21),
    "cancer": (6, 21), "leo": (7, 23), "virgo": (8, 23), "libra": (9, 23), "scorpio": (10, 23),
    "sagittarius": (11, 22), "capricorn": (12, 22),
}  # fmt: skip
# Its last day as (month, day).
_LAST = {
    sign: (month, day - 1)
    for sign, (month, day) in zip(SIGNS, [*SIGNS.values()][1:] + [*SIGNS.values()][:1], strict=True)
}


def _sign(sign: str) -> str:
    """Return a sign with its days in words."""
    (month, day), (last_month, last_day) = SIGNS[sign], _LAST[sign]
    days = f"{day} {MONTHS[month - 1]} to {last_day} {MONTHS[last_month - 1]}"
    return f"{sign.title()} ({days}, both days included)"


@dataclass(frozen=True, slots=True)
class WesternZodiac(ValueClue, type="western_zodiac", level="month", group="western_zodiac"):
    """A star sign between two fixed days of the year."""

    sign: str
    schema: ClassVar = {"sign": {"enum": list(SIGNS)}}
    phrase = "The date lies in the star sign {}."
    words: ClassVar = {sign: _sign(sign) for sign in SIGNS}

    def build(self) -> int:
        """From the sign's first day to its last, over the New Year for Capricorn."""
        first, last = SIGNS[self.sign], _LAST[self.sign]
        # The sign of the year before the calendar reaches into its first January.
        years = range(day_sets.FIRST.year - 1, day_sets.LAST.year + 1)
        over = int(last < first)
        return day_sets.union((date(y, *first), date(y + over, *last)) for y in years)

    @classmethod
    def of(cls, day: date) -> str:
        """Find the last sign that has begun."""
        begun = [sign for sign, start in SIGNS.items() if start <= (day.month, day.day)]
        return begun[-1] if begun else "capricorn"


@dataclass(frozen=True, slots=True)
class IsoWeek(ValueClue, type="iso_week", level="month", group="iso_week"):
    """The number of the ISO week."""

    week: int
    schema: ClassVar = {"week": {"type": "integer", "minimum": 1, "maximum": 53}}
    convention = (
        "Weeks are numbered by ISO 8601: they begin on Monday, and week 1 holds the first Thursday of "
        "the year."
    )
    phrase = "It is in ISO week {}."
    words: ClassVar = {week: str(week) for week in range(1, 54)}

    def build(self) -> int:
        """Count from the Monday of the week that holds 4 January."""
        runs = []
        for year in range(day_sets.FIRST.year - 1, day_sets.LAST.year + 2):
            fourth = date(year, 1, 4)
            monday = fourth - _DAY * fourth.weekday() + _WEEK * (self.week - 1)
            if (monday + 3 * _DAY).year == year:
                runs.append((monday, monday + 6 * _DAY))
        return day_sets.union(runs)

    @classmethod
    def of(cls, day: date) -> int:
        """Return the day's ISO week."""
        return day.isocalendar().week
