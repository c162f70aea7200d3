"""Complete the days of a list, of which months and years may be factored out, and expand its ranges.

A list is a row of letters with a value each: ``D`` a whole date, ``Y``, ``M`` and ``N`` a year, a month and a day, in
any order, and the signs of `harness_timepuzzles.answers.dates`. One rule completes it: **all days take their month
from the one before them, or all from the one behind them, and likewise their year**; each month and year has to be
taken by a day. A list that can be completed in no way or in two is unreadable. A line is completed by itself, or
else with the lines next to it that have to be, and of a line that cannot what stands between its separators. A row
of years or months behind "in", "of" or "each" is taken as a whole: the day in each of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import chain, groupby, product

MAX_DATES = 1_000
MAX_RANGED = 400  # days that ranges may stand for, all together
MAX_YEARS = 200

Token = tuple[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Listed:
    """The dates of a text, ISO; ``impossible`` are those no calendar has, ascending; none: no date."""

    dates: frozenset[str]
    impossible: tuple[str, ...]


class Unreadable(Exception):
    """The text is no list of dates."""


_GROUP = re.compile(
    "[IE](?:(?<=E)Y-Y|(?P<kind>[YM])(?:(?:,I?(?P=kind))*(?:[,&]I?(?P=kind))|(?:&I?(?P=kind))+))(?P<out>X(?:Y[,&]?)+)?"
)
# "1950 - 5 July" and "1954: no dates" of a list by years
_HEADED = re.compile(
    "(?P<none>(?:^|(?<=[,&;\n]))[YHM]+-?0|(?:^|(?<=\n))[YHM]+,0(?=\n|$))|(?:^|(?<=[;\n]))[YHM]+-"
)
_IDLE = re.compile("[YHM](?:[YHM]|$)")
_SEPARATORS = ",;\n&"  # the weakest first
_LIST = re.compile(r"[,;\n]?(?:D|F?D-D)(?:[,&;\n(]?(?:D|F?D-D))*[,;\n]?")
_NOTHING = re.compile("[,\n]?0(?:[,\n-]?0)*[,\n]?")
_STEP = re.compile(r"[(]?F?D(?:-D)?")


def listed(tokens: list[Token], shared: bool = False) -> Listed:
    """Return the dates of a list.

    Args:
        tokens: letters with their values.
        shared: a day behind the only year or month of all takes it, too ("5 July 1950 and 12 July").

    Raises:
        Unreadable: it is none.
    """
    tokens = _grouped(_merged(tokens))
    letters = letters_of(tokens)
    if _NOTHING.fullmatch(letters):
        return Listed(frozenset(), ())
    tokens = _merged(_completed(_unheaded(tokens), shared))
    letters = letters_of(tokens)
    if _LIST.fullmatch(letters) is None or letters.count("D") > MAX_DATES:
        raise Unreadable
    dates: set[str] = set()
    impossible: set[str] = set()
    for day, real in _expanded(letters, [value for letter, value in tokens if letter == "D"]):
        (dates if real else impossible).add(day)
    return Listed(frozenset(dates), tuple(sorted(impossible)))


def letters_of(tokens: list[Token]) -> str:
    """Return the letters of tokens."""
    return "".join(letter for letter, _ in tokens)


def _merged(tokens: list[Token]) -> list[Token]:
    """Join separators in a row, and drop the brackets that do not follow a date at once."""
    merged: list[Token] = []
    for letter, value in tokens:
        last = merged[-1][0] if merged else ""
        if letter == "(" and last not in ("D", "Y"):
            continue
        if letter in _SEPARATORS and last and last in f"({_SEPARATORS}":
            merged[-1] = max(letter, last, key=_SEPARATORS.find), ()
            continue
        merged.append((letter, value))
    return merged[:-1] if merged and merged[-1][0] == "(" else merged


def _grouped(tokens: list[Token]) -> list[Token]:
    """Make one token of each row of years or months that is taken as a whole; ``H`` is a year that heads its days.

    Raises:
        Unreadable: "each" has no such row.
    """
    letters, grouped, position = letters_of(tokens), list[Token](), 0
    for group in _GROUP.finditer(letters):
        numbers = [value[0] for _, value in tokens[group.start() : group.end()] if value]
        out = [value[0] for _, value in tokens[slice(*group.span("out"))] if value]
        kept = numbers[: len(numbers) - len(out)]
        if "-" in group[0]:
            kept = list(range(kept[0], kept[1] + 1))
        if len(kept) > MAX_YEARS or not set(out) < set(kept):
            raise Unreadable
        kind = "M" if "M" in group[0] else "Y"
        grouped += tokens[position : group.start()]
        grouped.append((kind, tuple(number for number in kept if number not in out)))
        position = group.end()
    grouped += tokens[position:]
    letters = letters_of(grouped)
    if re.search("[EX]", letters):
        raise Unreadable
    return [
        ("H", value) if letter == "Y" and letters[max(0, at - 2) : at] in (",I", "&I") else (letter, value)
        for at, (letter, value) in enumerate(grouped)
        if letter != "I"
    ]  # fmt: skip


def _unheaded(tokens: list[Token]) -> list[Token]:
    """Return a list without the dashes behind its heads, and without heads that have no date."""
    letters = letters_of(tokens)
    gone = set[int]()
    for head in _HEADED.finditer(letters):
        gone.update(range(head.start() if head["none"] else head.end() - 1, head.end()))
    return [token for at, token in enumerate(tokens) if at not in gone]


def _completed(tokens: list[Token], shared: bool, ends: str = "\n") -> list[Token]:
    """Return a list of whole dates only, its lines completed, or else what stands between its separators."""
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token[0] == "D":
            parts += [[token], []]
        else:
            parts[-1].append(token)
            parts += [[]] if token[0] in ends else []
    completed: list[Token] = []
    filled = [_filled(part, shared=False) for part in parts]
    for whole, group in groupby(zip(parts, filled, strict=True), lambda pair: pair[1] is not None):
        if whole:
            completed += chain.from_iterable(part or () for _, part in group)
            continue
        left = list(chain.from_iterable(part for part, _ in group))
        joined = _filled(left, shared)
        if joined is None and ends == _SEPARATORS:
            raise Unreadable
        completed += _completed(left, False, _SEPARATORS) if joined is None else joined
    return completed


def _filled(part: list[Token], shared: bool) -> list[Token] | None:
    """Return a part of a list with whole dates, None if one stays without a month or a year."""
    letters = letters_of(part)
    terms = [token for token in part if token[0] in "YHMN"]
    if not terms:
        return part
    years = _taken(terms, "YH", shared)
    months = _months(terms, shared) if years else None
    if not years or not months or "NN" in letters or ("e" in letters and len(years[0]) == 1):
        return None
    missing = zip(years, months, strict=True)
    filled: list[Token] = []
    for at, (letter, value) in enumerate(part, 1):
        if letter == "N":
            days = [("D", (*parts, value[0])) for parts in product(*next(missing))]
            if len(days) > 1 and "-" in letters:
                return None
            filled += [token for day in days for token in ((",", ()), day)][1:]
        elif letter not in "YHMe":
            filled.append((letter, value))
        elif letters[at : at + 1] == "-" and filled and filled[-1][0] == ",":
            filled.pop()  # "from July 5, 1999 to …"
    return filled


def _months(terms: list[Token], shared: bool) -> list[tuple[int, ...]] | None:
    """Return the months that days take from what is said of one year, or else from the whole part."""
    letters = letters_of(terms)
    months: list[tuple[int, ...]] = []
    for year in re.finditer("[YH][MN]*" if letters[0] in "YH" else "[MN]*[YH]|[MN]+", letters):
        taken = (
            _taken(terms[year.start() : year.end()], "M", shared=False) if "N" in year[0] else []
        )
        if taken is None or (not taken and "M" in year[0]):
            return _taken(terms, "M", shared)
        months += taken
    return months


def _taken(terms: list[Token], kinds: str, shared: bool) -> list[tuple[int, ...]] | None:
    """Return the years or the months that the days of a part take; None if that can be in no way or in two."""
    own = [token for token in terms if token[0] in kinds or token[0] == "N"]
    letters = letters_of(own)
    given = {value for letter, value in own if letter != "N"}
    ways = set[tuple[tuple[int, ...], ...]]()
    for way in (own, own[::-1]) if given and "N" in letters else ():
        order = letters if way is own else letters[::-1]
        # Each is taken by a day; the same one may stand in front of its days and behind them.
        idle = len(given) > 1 and _IDLE.search(order)
        if order[0] == "N" or idle or (way is not own and "H" in order):
            continue
        taken: list[tuple[int, ...]] = []
        for letter, value in way:
            taken.append(taken[-1] if letter == "N" else value)
        days = [value for value, letter in zip(taken, order, strict=True) if letter == "N"]
        ways.add(tuple(days if way is own else days[::-1]))
    if not ways and shared and len(given) == 1 and "N" in letters:
        behind = own[letters.rfind(kinds[0]) :]
        # A number alone may count something.
        if kinds != "M" or all(len(value) > 1 for letter, value in behind if letter == "N"):
            ways.add((*given,) * letters.count("N"))
    return list(ways.pop()) if len(ways) == 1 else None


def _expanded(letters: str, days: list[tuple[int, ...]]) -> Iterator[tuple[str, bool]]:
    """Yield each date as text, and whether it exists."""
    left = iter(days)
    last: tuple[int, ...] = ()
    ranged = 0
    for step in _STEP.finditer(letters):
        first = next(left)
        if step[0].startswith("(") and (first != last or "-" in step[0]):
            raise Unreadable  # "2001-05-06 (2003-01-02)" is not said to be two dates
        last = first
        if "-" not in step[0]:
            yield "{:04}-{:02}-{:02}".format(*first), _day(first) is not None
            continue
        last = next(left)
        begin, end = _day(first), _day(last)
        span = (end - begin).days if begin and end else -1
        ranged += span + 1
        if begin is None or span < 0 or ranged > MAX_RANGED:
            raise Unreadable
        for number in range(span + 1):
            yield (begin + timedelta(number)).isoformat(), True


def _day(day: tuple[int, ...]) -> date | None:
    try:
        return date(*day)
    except ValueError:
        return None
