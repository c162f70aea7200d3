"""What each clue type admits, over all days from 1700 to 2100, as the page of clue types says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from harness_errors import DatasetError, did_you_mean

from harness_timepuzzles.engines import arithmetic_days as days
from harness_timepuzzles.engines import (
    arithmetic_hebrew,
    arithmetic_islamic,
    arithmetic_lunar,
    arithmetic_sky,
)

Clue = Mapping[str, Any]
Table = npt.NDArray[np.integer[Any]]

_SEASONS = {"spring": (3, 4, 5), "summer": (6, 7, 8), "autumn": (9, 10, 11), "winter": (12, 1, 2)}
_SIGN_BEGINS = {
    "aries": (3, 21), "taurus": (4, 20), "gemini": (5, 21), "cancer": (6, 21), "leo": (7, 23),
    "virgo": (8, 23), "libra": (9, 23), "scorpio": (10, 23), "sagittarius": (11, 22),
    "capricorn": (12, 22), "aquarius": (1, 20), "pisces": (2, 19),
}  # fmt: skip
_NEXT_SIGN = dict(zip(_SIGN_BEGINS, [*list(_SIGN_BEGINS)[1:], "aries"], strict=True))
_ANIMALS = dict(zip(arithmetic_lunar.ANIMALS, range(12), strict=True))
_HEBREW_MONTHS = dict(zip(arithmetic_hebrew.MONTHS, range(1, 13), strict=True))
_YEARS = range(days.FIRST_YEAR, days.LAST_YEAR + 1)
_EMPTY: frozenset[int] = frozenset()
_COMPARE = {"before": np.less, "after": np.greater}

BOUNDS = {
    "zodiac": (arithmetic_lunar.FIRST, arithmetic_lunar.LAST),
    "lunar_month": (arithmetic_lunar.FIRST, arithmetic_lunar.LAST),
    "islamic": (arithmetic_islamic.FIRST, arithmetic_islamic.LAST),
}
"""First and last date of the clue types that do not cover the whole span."""


class Admitted(NamedTuple):
    """What one clue admits: a mask over the day numbers, and those on which it may be wrong."""

    mask: days.Mask
    doubtful: frozenset[int] = _EMPTY


def admitted(clue: Clue) -> Admitted:
    """Return the day numbers of the span that a clue admits.

    Raises:
        DatasetError: for an unknown type, a missing parameter, an unknown name or a bad date.
    """
    kind = clue.get("type")
    rule = _RULES.get(kind) if isinstance(kind, str) else None
    if rule is None:
        raise DatasetError(
            f"unknown clue type {str(kind)[:40]!r}: {did_you_mean(str(kind), _RULES)}"
        )
    try:
        days_of_clue = rule(clue)
    except KeyError as error:
        raise DatasetError(f"a clue of type {kind}: {error} is missing or not known") from None
    except DatasetError as error:
        raise DatasetError(f"a clue of type {kind}: {error}") from None
    return days_of_clue if isinstance(days_of_clue, Admitted) else Admitted(days_of_clue)


def _equal(table: Table, value: int) -> days.Mask:
    mask: days.Mask = np.equal(table, value)
    return mask


def _spans(spans: Iterable[tuple[int, int]]) -> days.Mask:
    """Days from the first to before the second number of each pair, clipped to the span."""
    mask = np.zeros(days.DAYS, dtype=np.bool_)
    for begin, end in spans:
        mask[max(begin, 0) : max(end, 0)] = True
    return mask


def _periods(periods: Iterable[Sequence[str]]) -> days.Mask:
    return _spans((days.day_number(first), days.day_number(last) + 1) for first, last in periods)


def _years(years: Iterable[int]) -> days.Mask:
    mask = np.zeros(days.DAYS, dtype=np.bool_)
    for year in years:
        if days.FIRST_YEAR <= year <= days.LAST_YEAR:
            mask[days.STARTS[year - days.FIRST_YEAR] : days.STARTS[year - days.FIRST_YEAR + 1]] = (
                True
            )
    return mask


def _days(numbers: days.Days) -> days.Mask:
    mask = np.zeros(days.DAYS, dtype=np.bool_)
    mask[numbers[(numbers >= 0) & (numbers < days.DAYS)]] = True
    return mask


# --- years ---


@lru_cache(maxsize=1)
def _leap_years() -> days.Mask:
    return _years(filter(days.is_leap, _YEARS))


@lru_cache(maxsize=24)
def _chinese(table: int, value: int) -> Admitted:
    mask = _equal(arithmetic_lunar.tables()[table], value)
    other = _equal(arithmetic_lunar.alternatives()[table], value)
    return Admitted(mask, frozenset(np.flatnonzero(mask != other).tolist()))


_GAMES = {
    "summer_olympics": {*range(1896, 2017, 4), 2021, 2024} - {1916, 1940, 1944},
    "winter_olympics": {*range(1924, 1993, 4), *range(1994, 2023, 4)} - {1940, 1944},
    "world_cup": {*range(1930, 2023, 4)} - {1942, 1946},
}


@lru_cache(maxsize=len(_GAMES))
def _games(games: str) -> days.Mask:
    return _years(_GAMES[games])


# --- months and parts of the year ---


@lru_cache(maxsize=4)
def _season(season: str) -> days.Mask:
    first, second, third = _SEASONS[season]
    return _equal(days.MONTH, first) | _equal(days.MONTH, second) | _equal(days.MONTH, third)


@lru_cache(maxsize=12)
def _islamic(month: int) -> Admitted:
    months, doubtful = arithmetic_islamic.month_tables()
    # a doubtful day is in its own month or in that of a neighbour
    concerned = (day for day in doubtful if month in months[day - 1 : day + 2])
    return Admitted(_equal(months, month), frozenset(concerned))


@lru_cache(maxsize=len(_SIGN_BEGINS))
def _western_zodiac(sign: str) -> days.Mask:
    begin = _SIGN_BEGINS[sign]
    end = _SIGN_BEGINS[_NEXT_SIGN[sign]]
    over = end < begin  # the turn of the year
    return _spans(
        (days.number(year, *begin), days.number(year + over, *end))
        for year in range(1699, days.LAST_YEAR + 1)
    )


# --- days ---


def _nth(tables: Callable[[bool], Table], clue: Clue) -> days.Mask:
    nth = clue["nth"]
    return _equal(tables(nth < 0), (abs(nth) - 1) * 7 + clue["weekday"])


def _weekdays(clue: Clue) -> days.Mask:
    mask: days.Mask = (
        np.bitwise_and(days.WEEKDAY_BIT, sum(1 << day for day in clue["weekdays"])) != 0
    )
    return mask


def _event(clue: Clue) -> days.Mask:
    place = {"year": 0, "month": 1, "day": 2}[clue["relation"]]
    parts = days.date_parts(clue["date"])
    if len(parts) <= place:
        raise DatasetError(f"the date {clue['date']} lacks its {clue['relation']}")
    if place == 0:
        return _years(parts[:1])
    return _equal(days.MONTH if place == 1 else days.DAY, parts[place])


def western_easter(year: int) -> int:
    """Return the day number of Easter Sunday by the Gregorian computus."""
    century = year // 100
    golden = year % 19
    corrections = century - century // 4 - (8 * century + 13) // 25
    moon = (19 * golden + corrections + 15) % 30  # days from 21 March to the full moon
    if moon == 29 or (moon == 28 and golden > 10):
        moon -= 1
    return _sunday_after(days.number(year, 3, 21) + moon)


def orthodox_easter(year: int) -> int:
    """Return the day number of Easter Sunday by the Julian computus."""
    moon = (19 * (year % 19) + 15) % 30
    behind = year // 100 - year // 400 - 2  # days by which the Julian calendar is behind
    return _sunday_after(days.number(year, 3, 21) + behind + moon)


def _sunday_after(day: int) -> int:
    return day + 7 - (day + 5) % 7  # day number 2 is a Sunday


_CHURCHES = {"western": western_easter, "orthodox": orthodox_easter}


@lru_cache(maxsize=2)
def _easter_days(church: str) -> days.Days:
    return np.array([_CHURCHES[church](year) for year in _YEARS])


@lru_cache(maxsize=4)
def _moon(phase: str) -> Admitted:
    return _moments(arithmetic_sky.phase_moments(phase))


@lru_cache(maxsize=4)
def _equinox(point: str) -> Admitted:
    return _moments(arithmetic_sky.point_moments(point))


def _moments(moments: arithmetic_sky.Floats) -> Admitted:
    midnights = np.rint(moments)
    close = (
        midnights[np.abs(moments - midnights) < arithmetic_sky.MOMENT_MARGIN].astype(int).tolist()
    )
    doubtful = {
        day for midnight in close for day in (midnight - 1, midnight) if 0 <= day < days.DAYS
    }
    return Admitted(_days(np.floor(moments).astype(np.int64)), frozenset(doubtful))


_RULES: dict[str, Callable[[Clue], days.Mask | Admitted]] = {
    "year": lambda clue: _years([clue["year"]]),
    "decade": lambda clue: _years(range(clue["decade"], clue["decade"] + 10)),
    "leap_year": lambda clue: _leap_years(),
    "zodiac": lambda clue: _chinese(1, _ANIMALS[clue["animal"]]),
    "alive": lambda clue: _periods([(clue["born"], clue["died"])]),
    "office": lambda clue: _periods(clue["terms"]),
    "games": lambda clue: _games(clue["games"]),
    "month": lambda clue: _equal(days.MONTH, clue["month"]),
    "season": lambda clue: _season(clue["season"]),
    "lunar_month": lambda clue: _chinese(0, clue["month"]),
    "weekday_in_month": lambda clue: _nth(days.nth_in_month, clue),
    "day_of_month": lambda clue: (
        _equal(days.DAYS_LEFT, 0) if clue["day"] == -1 else _equal(days.DAY, clue["day"])
    ),
    "weekday": lambda clue: _equal(days.WEEKDAY, clue["weekday"]),
    "weekdays": _weekdays,
    "day_range": lambda clue: _COMPARE[clue["side"]](days.DAY, clue["day"]),
    "event": _event,
    "recurring": lambda clue: _years(clue["years"]),
    "years": lambda clue: _years(clue["years"]),
    "periods": lambda clue: _periods(clue["periods"]),
    "year_day": lambda clue: _equal(days.YEAR_DAY, clue["day"]),
    "weekday_of_year": lambda clue: _nth(days.nth_in_year, clue),
    "western_zodiac": lambda clue: _western_zodiac(clue["sign"]),
    "easter": lambda clue: _days(_easter_days(clue["church"]) + clue["offset"]),
    "hebrew": lambda clue: _equal(arithmetic_hebrew.month_table(), _HEBREW_MONTHS[clue["month"]]),
    "islamic": lambda clue: _islamic(clue["month"]),
    "iso_week": lambda clue: _equal(days.iso_weeks(), clue["week"]),
    "moon": lambda clue: _moon(clue["phase"]),
    "equinox": lambda clue: _equinox(clue["point"]),
}
