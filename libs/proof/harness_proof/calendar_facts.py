"""What clues about dates allow, and the tables of a certificate: what happened when, and the Chinese calendar."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from harness_proof.outcomes import RefutedError, UncheckedError

MAX_DAYS = 500_000

Span = tuple[date, date]


class Clue(NamedTuple):
    """What a clue allows: years, months of a year, days; None: it rules out none."""

    years: Iterable[int] | None = None
    months: Iterable[int] | None = None
    days: Callable[[date], bool] | None = None


def within(spans: Iterable[Span]) -> Clue:
    """Return a clue that allows the days of some periods, which have to ascend."""
    spans = list(spans)
    if any(a > b for a, b in spans) or any(a[1] >= b[0] for a, b in zip(spans, spans[1:])):
        raise RefutedError("periods have to ascend, and not to overlap")
    if sum((b - a).days for a, b in spans) > MAX_DAYS:
        raise UncheckedError(f"periods have more than {MAX_DAYS} days")
    years = {year for a, b in spans for year in range(a.year, b.year + 1)}
    allowed = {day for a, b in spans for day in range(a.toordinal(), b.toordinal() + 1)}
    return Clue(years=years, days=lambda day: day.toordinal() in allowed)


class Facts(NamedTuple):
    """The tables of a certificate."""

    known: Mapping[str, Any]
    chinese: Sequence[Any]
    first: date
    last: date

    def of(self, words: str) -> Any:
        """Return what happened when; the source beside it is for people."""
        if words not in self.known:
            raise RefutedError(f"the certificate has no fact of these words: {words[:80]}")
        return self.known[words][0]

    def period(self, words: str) -> Clue:
        """Return a clue that allows the days of a life, or of some terms."""
        return within((date.fromisoformat(a), date.fromisoformat(b)) for a, b in self.of(words))

    def months_of(self, chosen: Callable[[int, int], bool]) -> Clue:
        """Return a clue that allows the Chinese months that are chosen by year and number."""
        return within(span for year, month, span in self.months() if chosen(year, month))

    def months(self) -> Iterator[tuple[int, int, Span]]:
        """Yield year, month and days of the Chinese calendar's months, which leave no gap in the range."""
        begin, expected = self.last, None
        for first, leap, lengths in self.chinese:
            start = date.fromisoformat(first)
            if expected not in (None, start) or not (1, 20) <= (start.month, start.day) <= (2, 21):
                raise RefutedError(f"the Chinese year of {first} does not follow the last one")
            numbers = [month for month in range(1, 13) for _ in range(1 + (month == leap))]
            if len(lengths) != len(numbers) or not {*lengths} <= {"+", "-"}:
                raise RefutedError(f"the Chinese year of {first} has not a length for each month")
            year, begin = start.year, min(begin, start)
            for number, length in zip(numbers, lengths):
                end = start + timedelta(29 if length == "+" else 28)
                yield year, number, (start, end)
                start = expected = end + timedelta(1)
        if begin > self.first or expected is None or expected <= self.last:
            raise RefutedError("the table of Chinese months does not cover the range")
