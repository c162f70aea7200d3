"""A solver of timepuzzles' conversions that knows the prompts only, in four languages.

The Hebrew calendar is reckoned here from the mean new moon; the Chinese one comes from new moons and the sun's
longitude, the Islamic one from the library that prompts name. The names of Hebrew months are read in the prompt's
own rule. It shares nothing with the plugin, but its author had put the English prompts into the other languages.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from functools import cache

import blind_calendars as calendars
from blind_kit import UnreadError
from hijridate import Hijri

Date = tuple[str, tuple[int, ...]]
"""A calendar; year, month (week), and a 1 if it is a leap month, and day. Of Hebrew months the place in `_hebrew`."""
QUESTION = re.compile(
    r"^(?:Which (.+) is the same day as the (.+ date) (.+)\?"
    r"|Welches (.+) bezeichnet denselben Tag wie das (.+) „(.+)“\?"
    r"|¿Qué (.+) corresponde al mismo día que la (.+) «(.+)»\?|哪个(.+)与(.+)“(.+)”是同一天？)$",
    re.MULTILINE,
)
NAMES = {
    "gregorian": ("Gregorian date", "gregorianische Datum", "fecha gregoriana", "公历日期"),
    "ordinal": ("ordinal date", "Ordinaldatum", "fecha ordinal", "顺序日期"),
    "week": ("ISO week date", "ISO-Wochendatum", "fecha de semana ISO", "ISO周日期"),
    "hebrew": ("Hebrew date", "hebräische Datum", "fecha hebrea", "希伯来历日期"),
    "islamic": ("Islamic date", "islamische Datum", "fecha islámica", "伊斯兰历日期"),
    "chinese": ("Chinese date", "chinesische Datum", "fecha china", "农历日期"),
}
CALENDARS = {name: calendar for calendar, names in NAMES.items() for name in names}
ENGLISH = "Tishri, Heshvan, Kislev, Tevet, Shevat, Adar (Adar I or Adar II), Nisan, Iyar, Sivan, Tammuz, Av or Elul"
_AND = ", | or | oder | o |、|或"


def solve(prompt: str) -> Date:
    """Return the date that a prompt asks for."""
    question = QUESTION.search(prompt)
    if question is None:
        raise UnreadError("no question")
    wanted, source, date = filter(None, question.groups())
    listed = re.search(r"(?:month is|der Monat|el mes es|月名是) ?(.+?)(?: ist)?[;；]", prompt)
    if wanted not in CALENDARS or source not in CALENDARS:
        raise UnreadError(f"{source} to {wanted}")
    given = read(CALENDARS[source], date, listed[1] if listed else ENGLISH)
    found = [day for day, known in _dates(given[0], given[1][0]) if known == given]
    if len(found) != 1:
        raise UnreadError(f"{date} is {len(found)} days")
    return _of(found[0], CALENDARS[wanted])


def agrees(answer: Date, target: str) -> bool:
    """Return whether a target, which is in English, names the same date."""
    return answer == read(answer[0], target, ENGLISH)


def read(calendar: str, text: str, listed: str) -> Date:
    """Return a date that is written as prompts say, with Hebrew months as they list them."""
    if calendar == "hebrew":
        names = _months(listed)
        first, last = (int(number) for number in re.findall(r"\d+", text))
        named = max((name for name in names if name in text), key=len)
        return calendar, (max(first, last), names.index(named), min(first, last))
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    if calendar == "chinese":
        numbers.insert(2, int("L" in text))
    return calendar, tuple(numbers)


def _months(listed: str) -> list[str]:
    """Return the names of Hebrew months from Tishri to Elul, behind Adar those of the two in a leap year."""
    parts = re.fullmatch(r"(.+?) ?[(（](.+)[)）](.+)", listed)
    if parts is None:
        raise UnreadError(listed)
    names = re.split(_AND, parts[1] + parts[3])
    both = [name[name.rindex(names[5][:2]) :] for name in re.split(_AND, parts[2])[-2:]]
    return [*names[:6], *both, *names[6:]]


# ---------------------------------------------------------------------------------- calendars


def _of(day: int, calendar: str) -> Date:
    """Return the date of a day."""
    civil = dt.date.fromordinal(day).year
    about = {"hebrew": civil + 3760, "islamic": (civil - 622) * 33 // 32}.get(calendar, civil)
    for year in range(about - 1, about + 3):
        for other, date in _dates(calendar, year):
            if other == day:
                return date
    raise UnreadError(f"{dt.date.fromordinal(day)} has no {calendar} date here")


@cache
def _dates(calendar: str, year: int) -> tuple[tuple[int, Date], ...]:
    """Return the days of a year with their dates."""
    kinds = {"hebrew": _hebrew, "islamic": _islamic, "chinese": _chinese}
    return tuple(kinds.get(calendar, _civil)(year, calendar))


def _civil(year: int, calendar: str) -> Iterator[tuple[int, Date]]:
    first = dt.date(year, 1, 1).toordinal()
    for day in range(first - 7, first + 374):
        date = dt.date.fromordinal(day)
        named = {
            "gregorian": (date.year, date.month, date.day),
            "ordinal": (date.year, date.timetuple().tm_yday),
            "week": tuple(date.isocalendar()),
        }[calendar]
        if named[0] == year:
            yield day, (calendar, named)


def _hebrew(year: int, calendar: str) -> Iterator[tuple[int, Date]]:
    day, following = _new_year(year), _new_year(year + 1)
    whole, leap = (following - day) % 10, following - day > 380
    lengths = [30, 30 if whole == 5 else 29, 29 if whole == 3 else 30, 29, 30]
    lengths += [0, 30, 29] if leap else [29, 0, 0]
    for month, length in enumerate([*lengths, 30, 29, 30, 29, 30, 29]):
        for number in range(1, length + 1):
            yield day, (calendar, (year, month, number))
            day += 1


def _new_year(year: int) -> int:
    """Return the first of Tishri: the day of the mean new moon, or one that the four postponements lead to."""
    months = (235 * year - 234) // 19
    day, hour = divmod(31_524 + 765_433 * months, 25_920)  # parts of which an hour has 1,080
    leap, after_leap = (7 * year + 1) % 19 < 7, (7 * year - 6) % 19 < 7
    late = hour >= 19_440
    late |= day % 7 == 2 and hour >= 9_924 and not leap
    late |= day % 7 == 1 and hour >= 16_789 and after_leap
    day += late
    day += day % 7 in (0, 3, 5)
    return day - 1_373_428


def _islamic(year: int, calendar: str) -> Iterator[tuple[int, Date]]:
    if not calendars.UMM_AL_QURA[0] <= year < calendars.UMM_AL_QURA[1]:
        raise UnreadError(f"Umm al-Qura year {year}")
    for month in range(1, 13):
        first = Hijri(year, month, 1)
        start = first.to_gregorian().toordinal()
        yield from (
            (start + n, (calendar, (year, month, n + 1))) for n in range(first.month_length())
        )


def _chinese(year: int, calendar: str) -> Iterator[tuple[int, Date]]:
    for start, end, known, month, leap in calendars.chinese_months():
        if known == year:
            yield from (
                (start + n, (calendar, (year, month, leap, n + 1))) for n in range(end - start)
            )
