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
    arithmetic_easter,
    arithmetic_hebrew,
    arithmetic_islamic,
    arithmetic_lunar,
)
from harness_timepuzzles.engines.arithmetic_days import (
    DAYS,
    FIRST_YEAR,
    LAST_YEAR,
    STARTS,
    Days,
    Mask,
)  # fmt: skip
from harness_timepuzzles.engines.arithmetic_sky import (
    MOMENT_MARGIN,
    Floats,
    phase_moments,
    point_moments,
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
_CHURCHES = {"western": arithmetic_easter.western, "orthodox": arithmetic_easter.orthodox}
_YEARS = range(FIRST_YEAR, LAST_YEAR + 1)
_EMPTY: frozenset[int] = frozenset()

BOUNDS = {
    "zodiac": (arithmetic_lunar.FIRST, arithmetic_lunar.LAST),
    "lunar_month": (arithmetic_lunar.FIRST, arithmetic_lunar.LAST),
    "islamic": (arithmetic_islamic.FIRST, arithmetic_islamic.LAST),
}
"""First and last date of the clue types that do not cover the whole span."""


class Admitted(NamedTuple):
    """What one clue admits: a mask over the day numbers, and those on which it may be wrong."""

    mask: Mask
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


def _equal(table: Table, value: int) -> Mask:
    mask: Mask = np.equal(table, value)
    return mask


def _spans(spans: Iterable[tuple[int, int]]) -> Mask:
    """Days from the first to before the second number of each pair, clipped to the span."""
    mask = np.zeros(DAYS, dtype=np.bool_)
    for begin, end in spans:
        mask[max(begin, 0) : max(end, 0)] = True
    return mask


def _periods(periods: Iterable[Sequence[str]]) -> Mask:
    return _spans((days.day_number(first), days.day_number(last) + 1) for first, last in periods)


def _years(years: Iterable[int]) -> Mask:
    mask = np.zeros(DAYS, dtype=np.bool_)
    for year in years:
        if FIRST_YEAR <= year <= LAST_YEAR:
            mask[STARTS[year - FIRST_YEAR] : STARTS[year - FIRST_YEAR + 1]] = True
    return mask


def _days(numbers: Days) -> Mask:
    mask = np.zeros(DAYS, dtype=np.bool_)
    mask[numbers[(numbers >= 0) & (numbers < DAYS)]] = True
    return mask


# --- years ---


@lru_cache(maxsize=1)
def _leap_years() -> Mask:
    return _years(filter(days.is_leap, _YEARS))


def _zodiac(clue: Clue) -> Admitted:
    animals = dict(zip(arithmetic_lunar.ANIMALS, range(12), strict=True))
    return _chinese(1, animals[clue["animal"]])


@lru_cache(maxsize=24)
def _chinese(table: int, value: int) -> Admitted:
    mask = _equal(arithmetic_lunar.tables()[table], value)
    other = _equal(arithmetic_lunar.alternatives()[table], value)
    return Admitted(mask, frozenset(np.flatnonzero(mask != other).tolist()))


def _summer_olympics(year: int) -> bool:
    regular = year % 4 == 0 and 1896 <= year <= 2016 and year not in (1916, 1940, 1944)
    return regular or year in (2021, 2024)


def _winter_olympics(year: int) -> bool:
    if year < 1994:
        return year % 4 == 0 and 1924 <= year <= 1992 and year not in (1940, 1944)
    return year % 4 == 2 and year <= 2022


def _world_cup(year: int) -> bool:
    return year % 4 == 2 and 1930 <= year <= 2022 and year not in (1942, 1946)


_GAMES = {
    "summer_olympics": _summer_olympics,
    "winter_olympics": _winter_olympics,
    "world_cup": _world_cup,
}


@lru_cache(maxsize=len(_GAMES))
def _games(games: str) -> Mask:
    return _years(filter(_GAMES[games], _YEARS))


# --- months and parts of the year ---


@lru_cache(maxsize=4)
def _season(season: str) -> Mask:
    first, second, third = _SEASONS[season]
    return _equal(days.MONTH, first) | _equal(days.MONTH, second) | _equal(days.MONTH, third)


def _hebrew(clue: Clue) -> Mask:
    months = dict(zip(arithmetic_hebrew.MONTHS, range(1, 13), strict=True))
    return _equal(arithmetic_hebrew.month_table(), months[clue["month"]])


@lru_cache(maxsize=12)
def _islamic(month: int) -> Admitted:
    months, doubtful = arithmetic_islamic.month_tables()
    # a doubtful day is in its own month or in that of a neighbour
    concerned = (day for day in doubtful if month in months[day - 1 : day + 2])
    return Admitted(_equal(months, month), frozenset(concerned))


@lru_cache(maxsize=len(_SIGN_BEGINS))
def _western_zodiac(sign: str) -> Mask:
    begin = _SIGN_BEGINS[sign]
    end = _SIGN_BEGINS[_NEXT_SIGN[sign]]
    over = end < begin  # the turn of the year
    return _spans(
        (days.number(year, *begin), days.number(year + over, *end))
        for year in range(1699, LAST_YEAR + 1)
    )


# --- days ---


def _nth(tables: Callable[[bool], Table], clue: Clue) -> Mask:
    nth = clue["nth"]
    return _equal(tables(nth < 0), (abs(nth) - 1) * 7 + clue["weekday"])


def _weekdays(clue: Clue) -> Mask:
    mask: Mask = np.bitwise_and(days.WEEKDAY_BIT, sum(1 << day for day in clue["weekdays"])) != 0
    return mask


def _day_range(clue: Clue) -> Mask:
    compare = {"before": np.less, "after": np.greater}[clue["side"]]
    mask: Mask = compare(days.DAY, clue["day"])
    return mask


def _event(clue: Clue) -> Mask:
    place = {"year": 0, "month": 1, "day": 2}[clue["relation"]]
    parts = days.date_parts(clue["date"])
    if len(parts) <= place:
        raise DatasetError(f"the date {clue['date']} lacks its {clue['relation']}")
    if place == 0:
        return _years(parts[:1])
    return _equal(days.MONTH if place == 1 else days.DAY, parts[place])


@lru_cache(maxsize=2)
def _easter_days(church: str) -> Days:
    return np.array([_CHURCHES[church](year) for year in _YEARS])


@lru_cache(maxsize=4)
def _moon(phase: str) -> Admitted:
    return _moments(phase_moments(phase))


@lru_cache(maxsize=4)
def _equinox(point: str) -> Admitted:
    return _moments(point_moments(point))


def _moments(moments: Floats) -> Admitted:
    midnights = np.rint(moments)
    close = midnights[np.abs(moments - midnights) < MOMENT_MARGIN].astype(int).tolist()
    doubtful = {day for midnight in close for day in (midnight - 1, midnight) if 0 <= day < DAYS}
    return Admitted(_days(np.floor(moments).astype(np.int64)), frozenset(doubtful))


_RULES: dict[str, Callable[[Clue], Mask | Admitted]] = {
    "year": lambda clue: _years([clue["year"]]),
    "decade": lambda clue: _years(range(clue["decade"], clue["decade"] + 10)),
    "leap_year": lambda clue: _leap_years(),
    "zodiac": _zodiac,
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
    "day_range": _day_range,
    "event": _event,
    "recurring": lambda clue: _years(clue["years"]),
    "years": lambda clue: _years(clue["years"]),
    "periods": lambda clue: _periods(clue["periods"]),
    "year_day": lambda clue: _equal(days.YEAR_DAY, clue["day"]),
    "weekday_of_year": lambda clue: _nth(days.nth_in_year, clue),
    "western_zodiac": lambda clue: _western_zodiac(clue["sign"]),
    "easter": lambda clue: _days(_easter_days(clue["church"]) + clue["offset"]),
    "hebrew": _hebrew,
    "islamic": lambda clue: _islamic(clue["month"]),
    "iso_week": lambda clue: _equal(days.iso_weeks(), clue["week"]),
    "moon": lambda clue: _moon(clue["phase"]),
    "equinox": lambda clue: _equinox(clue["point"]),
}
