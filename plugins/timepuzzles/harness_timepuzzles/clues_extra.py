"""Optional groups beyond the paper: ordinal dates, star signs, Easter, other calendars, moon and sun."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Any, ClassVar

from harness_timepuzzles import calendars, masks
from harness_timepuzzles.clue import (
    FROM_END,
    MONTHS,
    NTH,
    WEEKDAYS,
    Clue,
    World,
    choices,
    from_end,
    read_nth,
)
from harness_timepuzzles.clues_day import WEEKDAY
from harness_timepuzzles.clues_explicit import Periods
from harness_timepuzzles.clues_month import MONTH
from harness_timepuzzles.facts import Facts

_DAY, _WEEK = timedelta(days=1), timedelta(days=7)


@dataclass(frozen=True, slots=True)
class YearDay(Clue):
    """The day's number in its year, 1 January being 1."""

    day: int
    type: ClassVar[str] = "year_day"
    own_level: ClassVar[str] = "day"
    group: ClassVar[str] = "year_day"
    schema: ClassVar[dict[str, Any]] = {"day": {"type": "integer", "minimum": 1, "maximum": 366}}
    convention: ClassVar[str] = "1 January is day 1 of its year."
    pattern: ClassVar[str] = r"It is day (\d{1,3}) of its year\."

    def sentence(self) -> str:
        """Say it."""
        return f"It is day {self.day} of its year."

    def build(self) -> int:
        """One day of every year that has so many."""
        days = (date(year, 1, 1) + _DAY * (self.day - 1) for year in masks.YEARS)
        kept = (day for year, day in zip(masks.YEARS, days, strict=True) if day.year == year)
        return masks.of(kept)

    def holds(self, day: date) -> bool:
        """Compare the number."""
        return day.timetuple().tm_yday == self.day

    @classmethod
    def draw(cls, rng: Random, day: date, world: World) -> Clue:
        """Take the day's."""
        return cls(day.timetuple().tm_yday)

    @classmethod
    def from_match(cls, found: re.Match[str], facts: Facts) -> Clue:
        """Read the number."""
        return cls(int(found[1]))


@dataclass(frozen=True, slots=True)
class WeekdayOfYear(Clue):
    """The nth such weekday of its year, from the beginning or the end."""

    weekday: int
    nth: int
    type: ClassVar[str] = "weekday_of_year"
    own_level: ClassVar[str] = "day"
    group: ClassVar[str] = "weekday_of_year"
    schema: ClassVar[dict[str, Any]] = {
        "weekday": WEEKDAY, "nth": {"enum": [*range(1, 54), *range(-53, 0)]},
    }  # fmt: skip
    pattern: ClassVar[str] = rf"It is the {NTH} {choices(WEEKDAYS)} of its year\."

    def sentence(self) -> str:
        """Say it."""
        return f"It is the {from_end(self.nth)} {WEEKDAYS[self.weekday]} of its year."

    @property
    def note(self) -> str:
        """Say how to count from the end."""
        return FROM_END if self.nth < -1 else ""

    def build(self) -> int:
        """Step from the year's first or last such weekday by whole weeks."""
        found = []
        for year in masks.YEARS:
            start, end = date(year, 1, 1), date(year, 12, 31)
            if self.nth > 0:
                day = start + _DAY * ((self.weekday - start.weekday()) % 7) + _WEEK * (self.nth - 1)
            else:
                day = end - _DAY * ((end.weekday() - self.weekday) % 7) + _WEEK * (self.nth + 1)
            if day.year == year:
                found.append(day)
        return masks.of(found)

    def holds(self, day: date) -> bool:
        """Count the weeks before, or after, within the year."""
        if day.weekday() != self.weekday:
            return False
        before = day.timetuple().tm_yday - 1
        after = (date(day.year, 12, 31) - day).days
        return before // 7 == self.nth - 1 if self.nth > 0 else after // 7 == -self.nth - 1

    @classmethod
    def draw(cls, rng: Random, day: date, world: World) -> Clue:
        """Count from the beginning twice as often as from the end."""
        if rng.randrange(3):
            return cls(day.weekday(), (day.timetuple().tm_yday - 1) // 7 + 1)
        return cls(day.weekday(), -((date(day.year, 12, 31) - day).days // 7) - 1)

    @classmethod
    def from_match(cls, found: re.Match[str], facts: Facts) -> Clue:
        """Read number and weekday."""
        return cls(WEEKDAYS.index(found[2]), read_nth(found[1]))


# First day of each sign as (month, day); a sign ends the day before the next begins.
SIGNS: dict[str, tuple[int, int]] = {
    "aquarius": (1, 20), "pisces": (2, 19), "aries": (3, 21), "taurus": (4, 20), "gemini": (5, 21),
    "cancer": (6, 21), "leo": (7, 23), "virgo": (8, 23), "libra": (9, 23), "scorpio": (10, 23),
    "sagittarius": (11, 22), "capricorn": (12, 22),
}  # fmt: skip
_STARTS = list(SIGNS.values())


@dataclass(frozen=True, slots=True)
class WesternZodiac(Clue):
    """A star sign between two fixed days of the year."""

    sign: str
    type: ClassVar[str] = "western_zodiac"
    own_level: ClassVar[str] = "month"
    group: ClassVar[str] = "western_zodiac"
    schema: ClassVar[dict[str, Any]] = {"sign": {"enum": list(SIGNS)}}
    pattern: ClassVar[str] = (
        rf"The date lies in the star sign {choices(tuple(s.title() for s in SIGNS))} \([^()]+, both days included\)\."
    )

    def _ends(self) -> tuple[tuple[int, int], tuple[int, int]]:
        number = list(SIGNS).index(self.sign)
        month, day = _STARTS[(number + 1) % 12]
        return SIGNS[self.sign], (month, day - 1)

    def sentence(self) -> str:
        """Say it, with the days that this page's table gives the sign."""
        (month, day), (last_month, last_day) = self._ends()
        period = f"{day} {MONTHS[month - 1]} to {last_day} {MONTHS[last_month - 1]}"
        return f"The date lies in the star sign {self.sign.title()} ({period}, both days included)."

    def build(self) -> int:
        """From the sign's first day to its last, over the New Year for Capricorn."""
        first, last = self._ends()
        # The sign of the year before the calendar reaches into its first January.
        years = range(masks.FIRST.year - 1, masks.LAST.year + 1)
        over = int(last < first)
        return masks.union((date(y, *first), date(y + over, *last)) for y in years)

    def holds(self, day: date) -> bool:
        """Find the last sign that has begun."""
        begun = [sign for sign, start in SIGNS.items() if start <= (day.month, day.day)]
        return (begun[-1] if begun else "capricorn") == self.sign

    @classmethod
    def draw(cls, rng: Random, day: date, world: World) -> Clue:
        """Take the day's."""
        return next(clue for sign in SIGNS if (clue := cls(sign)).holds(day))

    @classmethod
    def from_match(cls, found: re.Match[str], facts: Facts) -> Clue:
        """Read the sign."""
        return cls(found[1].lower())


_CHURCHES = {"western": "the Western churches", "orthodox": "the Orthodox churches"}


@dataclass(frozen=True, slots=True)
class Easter(Clue):
    """A number of days before or after Easter Sunday."""

    church: str
    offset: int
    type: ClassVar[str] = "easter"
    costly: ClassVar[bool] = True
    own_level: ClassVar[str] = "day"
    group: ClassVar[str] = "easter"
    schema: ClassVar[dict[str, Any]] = {
        "church": {"enum": list(_CHURCHES)},
        "offset": {"type": "integer", "minimum": -60, "maximum": 60},
    }
    convention: ClassVar[str] = (
        "Easter Sunday is that of the date's own year, as a Gregorian date: the Western churches keep it by "
        "the Gregorian calendar, the Orthodox churches by the Julian calendar."
    )
    pattern: ClassVar[str] = (
        r"It is (?:(\d{1,2}) days? (before|after) )?Easter Sunday of "
        rf"{choices(tuple(_CHURCHES.values()))}\."
    )

    def sentence(self) -> str:
        """Say it."""
        days = abs(self.offset)
        side = "before" if self.offset < 0 else "after"
        away = f"{days} day{'s' if days > 1 else ''} {side} " if days else ""
        return f"It is {away}Easter Sunday of {_CHURCHES[self.church]}."

    def build(self) -> int:
        """One day of every year."""
        days = (
            calendars.easter_sunday(year, self.church) + _DAY * self.offset for year in masks.YEARS
        )
        return masks.of(days)

    def holds(self, day: date) -> bool:
        """Count the days from the year's Easter Sunday."""
        return (day - calendars.easter_sunday(day.year, self.church)).days == self.offset

    def explicit(self, first: date, last: date) -> Clue:
        """List the dates."""
        return Periods.of_mask(self, first, last)

    @classmethod
    def draw(cls, rng: Random, day: date, world: World) -> Clue | None:
        """Count from one church's Easter, if it is near."""
        for church in rng.sample(list(_CHURCHES), 2):
            offset = (day - calendars.easter_sunday(day.year, church)).days
            if abs(offset) <= 60:
                return cls(church, offset)
        return None

    @classmethod
    def from_match(cls, found: re.Match[str], facts: Facts) -> Clue | None:
        """Read church and distance."""
        church = next(key for key, words in _CHURCHES.items() if words == found[3])
        days = int(found[1] or 0)
        return cls(church, -days if found[2] == "before" else days) if days <= 60 else None


@dataclass(frozen=True, slots=True)
class Hebrew(Clue):
    """A month of the Hebrew calendar."""

    month: str
    type: ClassVar[str] = "hebrew"
    costly: ClassVar[bool] = True
    own_level: ClassVar[str] = "month"
    group: ClassVar[str] = "hebrew"
    schema: ClassVar[dict[str, Any]] = {"month": {"enum": list(calendars.HEBREW)}}
    convention: ClassVar[str] = (
        "A day of the Hebrew calendar counts as the date of its daylight hours; Adar I and Adar II both "
        "count as Adar."
    )
    pattern: ClassVar[str] = (
        rf"It is a day in the Hebrew month of {choices(tuple(m.title() for m in calendars.HEBREW))}\."
    )

    def sentence(self) -> str:
        """Say it."""
        return f"It is a day in the Hebrew month of {self.month.title()}."

    def build(self) -> int:
        """All such months."""
        return masks.union(calendars.hebrew_runs(calendars.HEBREW.index(self.month) + 1))

    def holds(self, day: date) -> bool:
        """Ask for the day's Hebrew month."""
        return calendars.HEBREW[calendars.hebrew_month(day) - 1] == self.month

    def explicit(self, first: date, last: date) -> Clue:
        """Give the first and last days of those months."""
        return Periods.of_mask(self, first, last)

    @classmethod
    def draw(cls, rng: Random, day: date, world: World) -> Clue:
        """Take the day's."""
        return cls(calendars.HEBREW[calendars.hebrew_month(day) - 1])

    @classmethod
    def from_match(cls, found: re.Match[str], facts: Facts) -> Clue:
        """Read the month's name."""
        return cls(found[1].lower())


ISLAMIC = ("Muharram", "Safar", "Rabi al-Awwal", "Rabi al-Thani", "Jumada al-Ula", "Jumada al-Thaniya",
           "Rajab", "Shaban", "Ramadan", "Shawwal", "Dhu al-Qada", "Dhu al-Hijja")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Islamic(Clue):
    """A month of the Umm al-Qura calendar."""

    month: int
    type: ClassVar[str] = "islamic"
    costly: ClassVar[bool] = True
    own_level: ClassVar[str] = "month"
    group: ClassVar[str] = "islamic"
    schema: ClassVar[dict[str, Any]] = {"month": MONTH}
    bounds: ClassVar[tuple[date, date]] = (calendars.ISLAMIC_FIRST, calendars.ISLAMIC_LAST)
    convention: ClassVar[str] = (
        "The Umm al-Qura calendar is the computed Islamic calendar of Saudi Arabia; a day of it counts as "
        "the date of its daylight hours."
    )
    pattern: ClassVar[str] = (
        rf"It is a day in {choices(ISLAMIC)}, the (?:\d+)(?:st|nd|rd|th) month of the Umm al-Qura calendar\."
    )

    def sentence(self) -> str:
        """Say it."""
        name = ISLAMIC[self.month - 1]
        return (
            f"It is a day in {name}, the {from_end(self.month)} month of the Umm al-Qura calendar."
        )

    def build(self) -> int:
        """All such months within the bounds."""
        return masks.union(calendars.islamic_runs(self.month))

    def holds(self, day: date) -> bool:
        """Ask for the day's month."""
        return calendars.islamic_month(day) == self.month

    def explicit(self, first: date, last: date) -> Clue:
        """Give the first and last days of those months."""
        return Periods.of_mask(self, first, last)

    @classmethod
    def draw(cls, rng: Random, day: date, world: World) -> Clue | None:
        """Take the day's, if the calendar reaches so far."""
        month = calendars.islamic_month(day)
        return cls(month) if month else None

    @classmethod
    def from_match(cls, found: re.Match[str], facts: Facts) -> Clue:
        """Read the month's name."""
        return cls(ISLAMIC.index(found[1]) + 1)


@dataclass(frozen=True, slots=True)
class IsoWeek(Clue):
    """The number of the ISO week."""

    week: int
    type: ClassVar[str] = "iso_week"
    own_level: ClassVar[str] = "month"
    group: ClassVar[str] = "iso_week"
    schema: ClassVar[dict[str, Any]] = {"week": {"type": "integer", "minimum": 1, "maximum": 53}}
    convention: ClassVar[str] = (
        "Weeks are numbered by ISO 8601: they begin on Monday, and week 1 holds the first Thursday of the year."
    )
    pattern: ClassVar[str] = r"It is in ISO week (\d{1,2})\."

    def sentence(self) -> str:
        """Say it."""
        return f"It is in ISO week {self.week}."

    def build(self) -> int:
        """Count from the Monday of the week that holds 4 January."""
        runs = []
        for year in range(masks.FIRST.year - 1, masks.LAST.year + 2):
            fourth = date(year, 1, 4)
            monday = fourth - _DAY * fourth.weekday() + _WEEK * (self.week - 1)
            if (monday + 3 * _DAY).year == year:
                runs.append((monday, monday + 6 * _DAY))
        return masks.union(runs)

    def holds(self, day: date) -> bool:
        """Ask for the day's ISO week."""
        return day.isocalendar().week == self.week

    @classmethod
    def draw(cls, rng: Random, day: date, world: World) -> Clue:
        """Take the day's."""
        return cls(day.isocalendar().week)

    @classmethod
    def from_match(cls, found: re.Match[str], facts: Facts) -> Clue:
        """Read the number."""
        return cls(int(found[1]))


_PHASES = {"new": "new moon", "first_quarter": "first quarter of the moon", "full": "full moon",
           "last_quarter": "last quarter of the moon"}  # fmt: skip
_MONTH, _NEW_MOON = (
    29.530589,
    730_125.26,
)  # mean month in days; a mean new moon (2000) as an ordinal
_UT = "Dates of the moon and the sun are those in Universal Time (UT)."


@dataclass(frozen=True, slots=True)
class Moon(Clue):
    """The date of a moon phase."""

    phase: str
    type: ClassVar[str] = "moon"
    costly: ClassVar[bool] = True
    own_level: ClassVar[str] = "day"
    group: ClassVar[str] = "astronomy"
    schema: ClassVar[dict[str, Any]] = {"phase": {"enum": list(calendars.PHASES)}}
    convention: ClassVar[str] = _UT
    pattern: ClassVar[str] = rf"It is the date of a {choices(tuple(_PHASES.values()))} \(UT\)\."

    def sentence(self) -> str:
        """Say it."""
        return f"It is the date of a {_PHASES[self.phase]} (UT)."

    def build(self) -> int:
        """All dates of the phase."""
        return masks.of(calendars.phase_days(self.phase))

    def holds(self, day: date) -> bool:
        """Ask for the next such phase."""
        return calendars.has_phase(day, self.phase)

    def explicit(self, first: date, last: date) -> Clue:
        """List the dates."""
        return Periods.of_mask(self, first, last)

    @classmethod
    def draw(cls, rng: Random, day: date, world: World) -> Clue | None:
        """Take the day's phase, if it has one."""
        age = (day.toordinal() - _NEW_MOON) % _MONTH
        # The true phase is less than a day from the mean one; asking for the others takes long.
        near = (
            phase
            for number, phase in enumerate(_PHASES)
            if abs((age - number * _MONTH / 4 + _MONTH / 2) % _MONTH - _MONTH / 2) < 2
        )
        return next((cls(phase) for phase in near if calendars.has_phase(day, phase)), None)

    @classmethod
    def from_match(cls, found: re.Match[str], facts: Facts) -> Clue:
        """Read the phase."""
        return cls(next(key for key, words in _PHASES.items() if words == found[1]))


_POINTS = {"march": "March equinox", "june": "June solstice", "september": "September equinox",
           "december": "December solstice"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Equinox(Clue):
    """The date of an equinox or a solstice."""

    point: str
    type: ClassVar[str] = "equinox"
    costly: ClassVar[bool] = True
    own_level: ClassVar[str] = "day"
    group: ClassVar[str] = "astronomy"
    schema: ClassVar[dict[str, Any]] = {"point": {"enum": list(calendars.POINTS)}}
    convention: ClassVar[str] = _UT
    pattern: ClassVar[str] = rf"It is the date of the {choices(tuple(_POINTS.values()))} \(UT\)\."

    def sentence(self) -> str:
        """Say it."""
        return f"It is the date of the {_POINTS[self.point]} (UT)."

    def build(self) -> int:
        """One date of every year."""
        return masks.of(calendars.point_days(self.point))

    def holds(self, day: date) -> bool:
        """Ask for the next such moment."""
        return calendars.has_point(day, self.point)

    def explicit(self, first: date, last: date) -> Clue:
        """List the dates."""
        return Periods.of_mask(self, first, last)

    @classmethod
    def draw(cls, rng: Random, day: date, world: World) -> Clue | None:
        """Take the day's, if it is one."""
        if day.month % 3 or not 18 <= day.day <= 25:
            return None
        return next((cls(point) for point in _POINTS if calendars.has_point(day, point)), None)

    @classmethod
    def from_match(cls, found: re.Match[str], facts: Facts) -> Clue:
        """Read which one."""
        return cls(next(key for key, words in _POINTS.items() if words == found[1]))


TYPES = (YearDay, WeekdayOfYear, WesternZodiac, Easter, Hebrew, Islamic, IsoWeek, Moon, Equinox)
