"""What clues about dates allow, and the facts of a certificate: what happened when."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from itertools import accumulate
from typing import Any, NamedTuple

from harness_proof.calendars import Month, months
from harness_proof.outcomes import RefutedError, UncheckedError

MAX_DAYS = 500_000


class Clue(NamedTuple):
    """What a clue allows: years, months of a year, days; None: it rules out none."""

    years: Iterable[int] | None = None
    months: Iterable[int] | None = None
    days: Callable[[date], bool] | None = None


def within(spans: Iterable[tuple[int, int]]) -> Clue:
    """Return a clue that allows the days of some periods, which have to ascend; days are ordinals."""
    spans = list(spans)
    if any(a > b for a, b in spans) or any(a[1] >= b[0] for a, b in zip(spans, spans[1:])):
        raise RefutedError("periods have to ascend, and not to overlap")
    if sum(b - a for a, b in spans) > MAX_DAYS:
        raise UncheckedError(f"periods have more than {MAX_DAYS} days")
    years = {
        year
        for a, b in spans
        for year in range(date.fromordinal(a).year, date.fromordinal(b).year + 1)
    }
    allowed = {day for a, b in spans for day in range(a, b + 1)}
    return Clue(years=years, days=lambda day: day.toordinal() in allowed)


def ordinal(text: str) -> int:
    """Return a date, written YYYY-MM-DD, as the number of its day."""
    return date.fromisoformat(text).toordinal()


class Facts(NamedTuple):
    """What a certificate says of the range of a puzzle."""

    proof: Mapping[str, Any]
    first: date
    last: date

    def of(self, words: str) -> Any:
        """Return what happened when; the source beside it is for people."""
        if words not in self.proof["facts"]:
            raise RefutedError(f"the certificate has no fact of these words: {str(words)[:80]}")
        return self.proof["facts"][words][0]

    def period(self, words: str) -> Clue:
        """Return a clue that allows the days of a life, or of some terms."""
        return within((ordinal(a), ordinal(b)) for a, b in self.of(words))

    def again(self, words: str, days: int) -> Clue:
        """Return a clue that allows what comes again after some days (sign -) or one more (+)."""
        first, signs = self.of(words)
        found = [*accumulate((days + "-+".index(sign) for sign in signs), initial=ordinal(first))]
        if found[0] - days >= self.first.toordinal() or found[-1] + days <= self.last.toordinal():
            raise RefutedError(f"the days of a fact do not cover the range: {words[:80]}")
        allowed = {*found}
        return Clue(days=lambda day: day.toordinal() in allowed)

    def months(self, calendar: str, chosen: Callable[[Month], bool]) -> Clue:
        """Return a clue that allows the months of a calendar that are chosen."""
        every = months(calendar, self.proof.get(calendar, ()), self.first, self.last)
        return within((month.first, month.last) for month in every if chosen(month))
