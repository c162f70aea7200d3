"""What every clue type shares: parameters, words, a mask over the calendar, a predicate on one day.

Each kind of clue is one small frozen class in a module beside this one; `catalogue` lists them all. What
each means is said in CLUES.md.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date
from functools import cache
from itertools import combinations, product
from random import Random
from typing import Any, ClassVar, Generic, Self, TypeVar

from harness import HarnessError
from harness_timepuzzles.day_sets import FIRST, LAST
from harness_timepuzzles.facts import Facts, Office, Person, Recurring

_T = TypeVar("_T")
Level = str  # "year", "month" or "day"
Values = tuple[Any, ...]  # the parameters of a clue
LEVELS: tuple[Level, ...] = ("year", "month", "day")
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September",
          "October", "November", "December")  # fmt: skip
ISO_DATE: dict[str, Any] = {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}$"}
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class ClueError(HarnessError):
    """A clue of an unknown type, or with a missing or impossible parameter."""


class Timeline(Generic[_T]):
    """What is the case on which days; each thing has its periods, as first and last day (ISO)."""

    def __init__(self, things: Iterable[tuple[_T, Sequence[tuple[str, str]]]]) -> None:
        self._things = [
            (thing, [(iso(a).toordinal(), iso(b).toordinal()) for a, b in periods])
            for thing, periods in things
        ]
        ends = (end for _, periods in self._things for a, b in periods for end in (a, b + 1))
        self._changes = sorted({0, *ends})
        self._known: dict[int, list[_T]] = {}

    def on(self, day: date) -> list[_T]:
        """Return what is the case on a day: looked for once between two changes."""
        number = day.toordinal()
        at = bisect_right(self._changes, number)
        if at not in self._known:
            self._known[at] = [
                thing
                for thing, periods in self._things
                if any(first <= number <= last for first, last in periods)
            ]
        return self._known[at]


@dataclass(frozen=True, slots=True, eq=False)
class World:
    """What clues are drawn from: the first and last day of the range, and the facts by year.

    Compared by identity, as a key of caches.
    """

    facts: Facts
    first: date
    last: date
    persons: Timeline[Person]
    offices: Timeline[Office]
    recurring: Mapping[int, tuple[Recurring, ...]]

    @classmethod
    def of(cls, facts: Facts, first: date, last: date) -> Self:
        """Return the world of a table of facts and a range."""
        years = range(first.year, last.year + 1)
        return cls(
            facts, first, last,
            Timeline((person, [(person.born, person.died)]) for person in facts.persons),
            Timeline((office, office.terms) for office in facts.offices),
            {y: tuple(r for r in facts.recurring if y in r.years) for y in years},
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Clue:
    """One clue; the fields of a subclass are its JSON parameters (lists as tuples).

    Each kind says its ``type`` and its level with its name, and if it is none of the paper's, the
    optional ``group`` it belongs to; ``costly`` kinds are asked last, when every day is asked.
    ``historical`` kinds ask for a fact of history, which can be looked up; the others are worked out.
    ``schema`` holds the JSON Schema of each parameter, ``phrase`` the sentence with parameters in braces,
    ``pattern`` the sentence as a regular expression. ``convention`` is what a reader has to know beside
    the sentence. ``bounds`` are the days on which both engines can speak.
    """

    type: ClassVar[str]
    own_level: ClassVar[Level]
    group: ClassVar[str]
    costly: ClassVar[bool]
    historical: ClassVar[bool] = False
    convention: ClassVar[str] = ""
    bounds: ClassVar[tuple[date, date]] = (FIRST, LAST)
    schema: ClassVar[Mapping[str, Any]] = {}
    parameter: ClassVar[str]  # the first one
    pattern: ClassVar[str]
    phrase: ClassVar[str]

    def __init_subclass__(
        cls,
        type: str = "",  # noqa: A002 (what JSON calls it)
        level: Level = "",
        group: str = "paper",
        costly: bool = False,
    ) -> None:
        """Keep what a kind declares with its name; the copy that ``slots=True`` makes declares nothing."""
        if type:
            cls.type, cls.own_level, cls.group, cls.costly = type, level, group, costly
            cls.parameter = next(iter(cls.schema), "")

    @property
    def note(self) -> str:
        """What a reader has to know beside the sentence; empty if nothing."""
        return self.convention

    @property
    def level(self) -> Level:
        """Year, month or day: how fine the clue is."""
        return self.own_level

    @property
    def kin(self) -> str:
        """What it is called where `settings.KIN` says which clues say the same."""
        return self.type

    def sentence(self) -> str:
        """Return the clue as the prompt words it: the phrase, with the parameters that it names in braces."""
        return self.phrase.format(**{name: getattr(self, name) for name in self.schema})

    def build(self) -> int:
        """Return the set of days on which the clue holds, as a mask over the whole calendar."""
        raise NotImplementedError

    def holds(self, day: date) -> bool:
        """Tell whether the clue holds on a day, without the mask."""
        raise NotImplementedError

    def explicit(self, first: date, last: date) -> Clue:
        """Return a clue that holds on the same days of a range and needs no outside knowledge."""
        return self

    @classmethod
    def values(cls, rng: Random, day: date, world: World) -> Values | None:
        """Draw parameters with which the clue holds on a day; None where there are none."""
        raise NotImplementedError

    @classmethod
    def all_values(cls, facts: Facts) -> Iterable[Values]:
        """Return all parameters that the JSON Schema allows; of the lists of years and periods only the empty one."""
        return product(*map(_choices, cls.schema.values()))

    @classmethod
    def from_match(cls, match: re.Match[str], facts: Facts) -> Clue | None:
        """Return the clue of a sentence that fits ``pattern``; None if it names something unknown."""
        raise NotImplementedError

    def check(self) -> None:
        """Raise `ClueError` for parameters that the JSON Schema allows and that make no sense."""

    def params(self) -> dict[str, Any]:
        """Return the JSON object of the clue, its type included."""
        return {"type": self.type} | {name: _plain(getattr(self, name)) for name in self.schema}

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> Self:
        """Return the clue of a JSON object whose type is this class's."""
        names = [f.name for f in fields(cls)]
        if set(data) - {"type"} != set(names):
            raise ClueError(f"clue '{cls.type}' needs the parameters {', '.join(names) or 'none'}")
        for name, rule in cls.schema.items():
            if not _fits(rule, data[name]):
                raise ClueError(
                    f"clue '{cls.type}': {name}={str(data[name])[:60]!r} is not allowed"
                )
        clue = cls(**{name: _frozen(data[name]) for name in names})
        try:
            clue.check()
        except ClueError:
            raise
        except (ValueError, TypeError, IndexError, KeyError, AttributeError) as error:
            raise ClueError(f"clue '{cls.type}': {error}") from None
        return clue

    @property
    def implicit(self) -> bool:
        """Whether somebody has to know more than the Gregorian calendar to use the clue."""
        return type(self).explicit is not Clue.explicit

    @classmethod
    @cache
    def regex(cls) -> re.Pattern[str]:
        """Return the compiled pattern of the type's sentences."""
        return re.compile(cls.pattern)


class ValueClue(Clue):
    """A clue with one parameter, a value that a day has: its year, its weekday, its star sign.

    ``phrase`` is the sentence with empty braces where it names the value, ``words`` what each value is
    called there.
    """

    __slots__ = ()
    words: ClassVar[Mapping[Any, str]]

    @classmethod
    def of(cls, day: date) -> Any:
        """Return the value that a day has; None if it has none."""
        raise NotImplementedError

    def sentence(self) -> str:
        """Put the value into the phrase."""
        return self.phrase.format(self.words[getattr(self, self.parameter)])

    def holds(self, day: date) -> bool:
        """Compare with the day's value."""
        same: bool = self.of(day) == getattr(self, self.parameter)
        return same

    @classmethod
    def values(cls, rng: Random, day: date, world: World) -> Values | None:
        """Take the day's value, if it has one."""
        value = cls.of(day)
        return None if value is None else (value,)

    @classmethod
    @cache
    def regex(cls) -> re.Pattern[str]:
        """Return the pattern of the phrase with any value."""
        before, _, after = map(re.escape, cls.phrase.partition("{}"))
        return re.compile(before + choices(tuple(cls.words.values())) + after)

    @classmethod
    def from_match(cls, match: re.Match[str], facts: Facts) -> Clue:
        """Look the words up."""
        value = next(value for value, words in cls.words.items() if words == match[1])
        return cls(**{cls.parameter: value})


def below(number: int, rng: Random) -> int:
    """Return a random number from 0 on: the one of `Random.randrange`, in a third of its time."""
    bits = number.bit_length()
    drawn = rng.getrandbits(bits)
    while drawn >= number:
        drawn = rng.getrandbits(bits)
    return drawn


def mask(clue: Clue) -> int:
    """Return the days of a clue as a mask, remembered for the clues used last."""
    days = _MASKS.get(clue)
    if days is None:
        if len(_MASKS) >= _KEPT:
            _MASKS.clear()
        days = _MASKS[clue] = clue.build()
    return days


_KEPT = 3_000  # masks of up to 18 kB
_MASKS: dict[Clue, int] = {}


def _fits(rule: Mapping[str, Any], value: Any) -> bool:
    """Tell whether a value keeps the rules for one number or word; lists and texts are checked by `check`."""
    if "enum" in rule:
        return value in rule["enum"] and not isinstance(value, bool)
    if rule.get("type") != "integer":
        return True
    whole = isinstance(value, int) and not isinstance(value, bool)
    least, most = rule.get("minimum", value), rule.get("maximum", value)
    return whole and least <= value <= most and value % rule.get("multipleOf", 1) == 0


def _choices(rule: Mapping[str, Any]) -> Iterable[Any]:
    """Return every value that a rule for a parameter allows; of a list any longer than a week's days none."""
    if "enum" in rule:
        return list(rule["enum"])
    if rule["type"] == "integer":
        return range(rule["minimum"], rule["maximum"] + 1, rule.get("multipleOf", 1))
    if rule.get("uniqueItems"):
        sizes = range(rule["minItems"], rule["maxItems"] + 1)
        return [days for size in sizes for days in combinations(range(7), size)]
    return [()]


def _plain(value: Any) -> Any:
    return [_plain(part) for part in value] if isinstance(value, tuple) else value


def _frozen(value: Any) -> Any:
    return tuple(_frozen(part) for part in value) if isinstance(value, list | tuple) else value


def iso(text: str) -> date:
    """Return the date of a text; ValueError for anything but YYYY-MM-DD, other ISO 8601 forms included."""
    day = date.fromisoformat(text)
    if day.isoformat() != text:
        raise ValueError(f"'{text}' is not written as YYYY-MM-DD")
    return day


def ordinal(number: int) -> str:
    """Return 1st, 2nd, 3rd, 4th, … 11th, … 21st."""
    last = 0 if 10 < number % 100 < 14 else number % 10
    return f"{number}{('th', 'st', 'nd', 'rd')[last] if last < 4 else 'th'}"


def from_end(nth: int) -> str:
    """Return "2nd", or for negative numbers "last", "2nd-to-last", …"""
    if nth > 0:
        return ordinal(nth)
    return "last" if nth == -1 else f"{ordinal(-nth)}-to-last"


# What `from_end` writes, and its inverse.
NTH = r"(\d{1,2}(?:st|nd|rd|th)|last|\d{1,2}(?:st|nd|rd|th)-to-last)"


def read_nth(text: str) -> int:
    """Return the number that `from_end` wrote."""
    if text == "last":
        return -1
    number = int(re.match(r"\d+", text)[0])  # type: ignore[index]  # NTH begins so
    return -number if text.endswith("-to-last") else number


# For clues that count from the end and beyond the last.
FROM_END = "Counted from the end, the last one is the first; the 2nd-to-last is the one before it."


def choices(names: Mapping[str, Any] | tuple[str, ...]) -> str:
    """Return a regular expression group that fits one of some names."""
    return f"({'|'.join(map(re.escape, names))})"
