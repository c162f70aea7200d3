"""Calendars and facts: months that are computed (Hebrew) or a certificate's, what happened when, what clues allow."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from datetime import date
from itertools import accumulate
from typing import Any, NamedTuple

from harness_proof.outcomes import known, proven

MAX_DAYS = 500_000

Chosen = Callable[[int, int], bool]
"""Whether a month is asked for, by its year and its number."""
Year = tuple[int, int, list[tuple[int, int]], str]
"""A year, its first day, of each month its number and which of that number it is, and a sign: + 30 days, - 29."""


class Month(NamedTuple):
    """A month from its first to its last day; ``again``: 1 if a Chinese one is repeated, 1 and 2 of Adar I and II."""

    year: int
    number: int
    again: int
    first: int
    last: int


def months(calendar: str, rows: Any, first: date, last: date, chosen: Chosen) -> Iterator[Month]:
    """Yield the chosen ones of a calendar's months, which must follow each other and cover some days; in ordinals."""
    years = {"hebrew": _hebrew(first, last), "islamic": _islamic(rows), "chinese": _chinese(rows)}
    start = 0
    for year, day, named, lengths in years[calendar]:
        follows = day == start if start else day <= first.toordinal()
        proven(follows, f"the {calendar} year {year} does not follow the last one, or begins late")
        proven(
            len(lengths) == len(named) and {*lengths} <= {"+", "-"}, "not a length for each month"
        )
        start = day
        for (number, again), length in zip(named, lengths):
            following = start + (30 if length == "+" else 29)
            if chosen(year, number):
                yield Month(year, number, again, start, following - 1)
            start = following
    proven(start > last.toordinal(), f"the table of {calendar} months ends before the range")


def _chinese(rows: Any) -> Iterator[Year]:
    for first, leap, lengths in rows:
        start = date.fromordinal(ordinal(first))
        begins = (1, 20) <= (start.month, start.day) <= (2, 21) and leap in range(13)
        proven(begins, f"no Chinese year begins on {first}, or month {leap} does not exist")
        named = [(month, again) for month in range(1, 13) for again in range(1 + (month == leap))]
        yield start.year, start.toordinal(), named, lengths


def _islamic(rows: Any) -> Iterator[Year]:
    for first, lengths in rows:
        start = ordinal(first)
        days = start - date(622, 7, 19).toordinal()
        # The year of the calendar by rule from then on, whose years begin at most some days earlier or later.
        year = (30 * (days + 15) + 10646) // 10631
        near = abs(354 * (year - 1) + (11 * year + 3) // 30 - days) <= 5
        proven(near, f"no Islamic year begins on {first}")
        yield year, start, [(month, 0) for month in range(1, 13)], lengths


def _hebrew(first: date, last: date) -> Iterator[Year]:
    for year in range(first.year + 3760, last.year + 3762):
        start = _new_year(year)
        days = _new_year(year + 1) - start
        leap = days > 380
        adars = [(12, 1), (12, 2)] if leap else [(12, 0)]
        before, behind = ([(month, 0) for month in some] for some in (range(7, 12), range(1, 7)))
        autumn = "+" + ("+" if days % 10 == 5 else "-") + ("-" if days % 10 == 3 else "+") + "-+"
        yield year, start, [*before, *adars, *behind], autumn + "+" * leap + "-+-+-+-"


def _new_year(year: int) -> int:
    """Return the first day of a Hebrew year, as an ordinal: no year may have 356 or 382 days."""
    days = []
    for elapsed in ((235 * number - 234) // 19 for number in (year - 1, year, year + 1)):
        day = 29 * elapsed + (12084 + 13753 * elapsed) // 25920
        days.append(day - 1373427 + (3 * (day + 1) % 7 < 3))
    before, start, after = days
    return start + (2 if after - start == 356 else int(start - before == 382))


def easter(year: int, orthodox: bool) -> int:
    """Return Easter Sunday of a year as an ordinal of the Gregorian calendar: the Sunday after the paschal moon."""
    place, hundreds = year % 19, year // 100
    age, last = 14 + 11 * place, date(year, 4, 19).toordinal()
    if orthodox:
        moon = last + hundreds - hundreds // 4 - 2 - age % 30
    else:
        age = (age + (13 + 8 * hundreds) // 25 - 3 * (hundreds + 1) // 4) % 30
        moon = last - age - (age == 0 or (age == 1 and place > 10))
    return moon + 7 - moon % 7


class Clue(NamedTuple):
    """What a clue allows: years, and days of them; `bool` allows all, as it is true of any date."""

    years: Container[int] = range(1, 10_000)
    days: Callable[[date], bool] = bool


def within(periods: Iterable[tuple[int, int]]) -> Clue:
    """Return a clue that allows the days of some periods, which have to ascend; days are ordinals."""
    spans = [range(a, b + 1) for a, b in periods]
    known(sum(map(len, spans)) <= MAX_DAYS, f"periods have more than {MAX_DAYS} days")
    days = [day for span in spans for day in span]
    allowed = {*days}
    proven(all(spans) and days == sorted(allowed), "periods have to ascend, and not to overlap")
    # No year has less than 365 days.
    years = {date.fromordinal(day).year for span in spans for day in (*span[::365], span[-1])}
    return Clue(years=years, days=lambda day: day.toordinal() in allowed)


def ordinal(text: str) -> int:
    """Return a date, which has to be written YYYY-MM-DD, as the number of its day."""
    day = date.fromisoformat(text)
    proven(day.isoformat() == text, f"this is no date YYYY-MM-DD: {text[:40]}")
    return day.toordinal()


class Facts(NamedTuple):
    """What a certificate says of the range of a puzzle."""

    proof: Mapping[str, Any]
    first: date
    last: date

    def of(self, words: str) -> Any:
        """Return what happened when; the source beside it is for people."""
        proven(words in self.proof["facts"], f"no fact has these words: {str(words)[:80]}")
        return self.proof["facts"][words][0]

    def period(self, words: str) -> Clue:
        """Return a clue that allows the days of a life, or of some terms."""
        return within((ordinal(a), ordinal(b)) for a, b in self.of(words))

    def again(self, words: str, days: int) -> Clue:
        """Return a clue that allows what comes again after some days (sign -) or one more (+)."""
        first, signs = self.of(words)
        found = [*accumulate((days + "-+".index(sign) for sign in signs), initial=ordinal(first))]
        begins = found[0] - days < self.first.toordinal()
        ends = found[-1] + days > self.last.toordinal()
        proven(begins and ends, f"the days of a fact do not cover the range: {words[:80]}")
        return within((day, day) for day in found)

    def months(self, calendar: str, chosen: Chosen) -> Clue:
        """Return a clue that allows the months of a calendar that are chosen."""
        rows = self.proof.get(calendar, ())
        return within(month[3:] for month in months(calendar, rows, self.first, self.last, chosen))
