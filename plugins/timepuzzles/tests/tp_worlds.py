"""A small table of facts made by hand, clues of every type at all their edges, and random problems."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache, partial
from itertools import combinations
from random import Random
from typing import Any

from harness_timepuzzles import calendars, certificate, day_sets, wording
from harness_timepuzzles.clues import catalogue
from harness_timepuzzles.clues.clue import Clue, World, mask
from harness_timepuzzles.day_sets import FIRST, LAST
from harness_timepuzzles.facts import Event, Facts, Office, Person, Recurring
from harness_timepuzzles.part import Candidates, Part
from harness_timepuzzles.problem import Problem, answer
from hypothesis import strategies as st

from harness import Item

Params = dict[str, Any]
DAY = timedelta(days=1)

BY_HAND = "made by hand"
FACTS = Facts(
    persons=(
        Person("Ada Byron", "1815-12-10", "1852-11-27", BY_HAND),
        Person("Jean-Sébastien O’Hara, Jr.", "1885-03-31", "1950-07-28", BY_HAND),
        Person("Bo", "1700-01-01", "1700-01-01", BY_HAND),
        Person("Old Parr", "1690-05-05", "1790-01-01", BY_HAND),
        Person("Nina (the younger)", "1960-02-29", "2100-12-31", BY_HAND),
    ),
    offices=(
        Office("Grover X", "president of Freedonia", (("1885-03-04", "1889-03-04"), ("1893-03-04",
            "1897-03-04")), BY_HAND),
        Office("Grover X", "mayor of St. Ives", (("1882-01-02", "1882-11-20"),), BY_HAND),
        Office("Willem", "king of the Reeds", (("1999-12-31", "2000-01-01"),), BY_HAND),
        Office("Ann Q.", "warden", (("1650-01-01", "1750-06-30"), ("2090-01-01", "2100-12-31")), BY_HAND),
    ),
    events=(
        Event("the opening of the Long Canal", "1869-11-17", "", BY_HAND),
        Event("the Nine Days’ Fair", "1908-02-29", "1908-03-08", BY_HAND),
        Event("the signing of the Pact of A., B. and C.", "1945-06", "", BY_HAND),
        Event("the founding of Quux", "1872", "", BY_HAND),
        Event("the voyage of the Hare", "1999-12-31", "2000-01-31", BY_HAND),
        Event("the first day of school reform", "1911-09-01", "", BY_HAND),
    ),
    recurring=(
        Recurring("the great comet", (1758, 1835, 1910, 1986, 2061), BY_HAND),
        Recurring("an earthquake in Freedonia", tuple(range(1803, 2025, 3)), BY_HAND),
    ),
)  # fmt: skip

SIGNS = ("aries", "taurus", "gemini", "cancer", "leo", "virgo", "libra", "scorpio", "sagittarius",
         "capricorn", "aquarius", "pisces")  # fmt: skip
ANIMALS = ("rat", "ox", "tiger", "rabbit", "dragon", "snake", "horse", "goat", "monkey", "rooster",
           "dog", "pig")  # fmt: skip
_WEEKDAYS, _MONTHS = range(7), range(1, 13)


def _each(name: str, values: Any) -> list[Params]:
    return [{name: value} for value in values]


# Every clue there is of the types that have finitely many.
FINITE: dict[str, list[Params]] = {
    "year": _each("year", range(1700, 2101)),
    "decade": _each("decade", range(1700, 2101, 10)),
    "leap_year": [{}],
    "zodiac": _each("animal", ANIMALS),
    "games": _each("games", ("summer_olympics", "winter_olympics", "world_cup")),
    "month": _each("month", _MONTHS),
    "season": _each("season", ("spring", "summer", "autumn", "winter")),
    "lunar_month": _each("month", _MONTHS),
    "weekday_in_month": [
        {"weekday": w, "nth": n} for w in _WEEKDAYS for n in (1, 2, 3, 4, 5, -1, -2, -3, -4, -5)
    ],
    "day_of_month": _each("day", (*range(1, 32), -1)),
    "weekday": _each("weekday", _WEEKDAYS),
    "weekdays": [
        {"weekdays": list(days)} for size in (2, 3, 4, 5) for days in combinations(range(7), size)
    ],
    "day_range": [{"side": s, "day": d} for s in ("before", "after") for d in range(2, 31)],
    "year_day": _each("day", range(1, 367)),
    "weekday_of_year": [
        {"weekday": w, "nth": n} for w in _WEEKDAYS for n in (*range(1, 54), *range(-53, 0))
    ],
    "western_zodiac": _each("sign", SIGNS),
    "easter": [
        {"church": c, "offset": o} for c in ("western", "orthodox") for o in range(-60, 61)
    ],
    "hebrew": _each("month", calendars.HEBREW),
    "islamic": _each("month", _MONTHS),
    "iso_week": _each("week", range(1, 54)),
    "moon": _each("phase", ("new", "first_quarter", "full", "last_quarter")),
    "equinox": _each("point", ("march", "june", "september", "december")),
}  # fmt: skip
# Many of the finite ones look alike: what is tried at random, or slowly, is a few and the edges.
SKY = ("moon", "equinox")

_days = st.one_of(
    st.sampled_from([
        FIRST, LAST, date(1699, 12, 31), date(2101, 1, 1), date(1900, 2, 28), date(2000, 2, 29),
        date(1600, 2, 29), date(1999, 12, 31),
    ]),
    st.dates(FIRST, LAST),
    st.dates(date(1500, 1, 1), date(2400, 1, 1)),
)  # fmt: skip
_ascending = st.lists(_days, min_size=2, max_size=12, unique=True).map(
    lambda days: [day.isoformat() for day in sorted(days)]
)
_year_list = st.lists(st.integers(1700, 2100), max_size=12, unique=True).map(sorted)
_name = st.sampled_from(["X", "the fair", "Dr. A. B. (the elder), of C"])


def _pairs(flat: list[str]) -> list[list[str]]:
    return [list(pair) for pair in zip(flat[::2], flat[1::2], strict=False)]


@st.composite
def _event(draw: st.DrawFn) -> Params:
    relation = draw(st.sampled_from(["year", "month", "day"]))
    least = {"year": 4, "month": 7, "day": 10}[relation]
    size = draw(st.sampled_from([size for size in (4, 7, 10) if size >= least]))
    edge = draw(st.sampled_from(["on", "start", "end"]))
    day = draw(st.dates(FIRST, LAST)).isoformat()[:size]
    return {"name": draw(_name), "date": day, "edge": edge, "relation": relation}


@st.composite
def _periods(draw: st.DrawFn) -> Params:
    """Periods with gaps, and some that touch or last one day."""
    pairs = _pairs(draw(_ascending))
    alone = draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs)))
    kept = [[a, a] if single else [a, b] for (a, b), single in zip(pairs, alone, strict=True)]
    return {"periods": kept[draw(st.integers(0, 1)) :]}


# Params (without the type) of every type.
STRATEGIES: dict[str, st.SearchStrategy[Params]] = {
    **{name: st.sampled_from(params) for name, params in FINITE.items()},
    "alive": st.tuples(_name, _ascending).map(
        lambda p: {"name": p[0], "born": p[1][0], "died": p[1][1]}
    ),
    "office": st.tuples(_name, _name, _ascending).map(
        lambda p: {"name": p[0], "office": p[1], "terms": _pairs(p[2])}
    ),
    "event": _event(),
    "recurring": st.tuples(_name, _year_list).map(lambda p: {"name": p[0], "years": p[1]}),
    "years": _year_list.map(lambda years: {"years": years}),
    "periods": _periods(),
}
NAMED = ("alive", "office", "event", "recurring")


def clue_of(name: str, params: Params) -> Clue:
    return catalogue.parse({"type": name, **params})


def any_clue(names: Any = tuple(STRATEGIES)) -> st.SearchStrategy[Clue]:
    """Clues of all types with equal chances."""
    return st.sampled_from(list(names)).flatmap(
        lambda name: STRATEGIES[name].map(lambda params: clue_of(name, params))
    )


def named_clues(table: Facts = FACTS) -> list[Clue]:
    """Every clue of the four types of facts that a table allows."""
    found = [
        clue_of("alive", {"name": person.name, "born": person.born, "died": person.died})
        for person in table.persons
    ]
    for held in table.offices:
        terms = [list(term) for term in held.terms]
        found.append(clue_of("office", {"name": held.name, "office": held.office, "terms": terms}))
    for event in table.events:
        edges = {"start": event.start, "end": event.end} if event.end else {"on": event.start}
        for edge, day in edges.items():
            for relation in ("year", "month", "day")[: (len(day) - 2) // 3 + 1]:
                params = {"name": event.name, "date": day, "edge": edge, "relation": relation}
                found.append(clue_of("event", params))
    return found + [
        clue_of("recurring", {"name": again.name, "years": list(again.years)})
        for again in table.recurring
    ]


@cache
def pool(name: str) -> tuple[Clue, ...]:
    """Clues of a type that can be read with `FACTS`: all of the finite and the named types."""
    if name in FINITE:
        return tuple(clue_of(name, params) for params in FINITE[name])
    if name in NAMED:
        return tuple(clue for clue in named_clues() if clue.type == name)
    rng = Random(name)
    return tuple(_free(name, rng) for _ in range(60))


def _free(name: str, rng: Random) -> Clue:
    size = rng.choice((0, 1, 2, 7, 40))
    if name == "years":
        return clue_of(name, {"years": sorted(rng.sample(range(1700, 2101), size))})
    ordinals = range(FIRST.toordinal(), LAST.toordinal() + 1)
    flat = [date.fromordinal(n).isoformat() for n in sorted(rng.sample(ordinals, 2 * size))]
    return clue_of(
        name, {"periods": [[a, a] if rng.random() < 0.3 else [a, b] for a, b in _pairs(flat)]}
    )


def bounds(puzzle: list[Clue]) -> tuple[date, date]:
    """The days on which all of some clues can be spoken of."""
    return max(clue.bounds[0] for clue in puzzle), min(clue.bounds[1] for clue in puzzle)


def some_problem(rng: Random, names: Any = tuple(STRATEGIES), years: int = 401) -> Params:
    """A problem of one to seven clues of any types, over a range of at most some years."""
    puzzle = [rng.choice(pool(name)) for name in rng.choices(names, k=rng.randint(1, 7))]
    first, last = bounds(puzzle)
    a = date.fromordinal(rng.randint(first.toordinal(), last.toordinal()))
    longest = min((last - a).days, int(years * 365.25))
    b = a + DAY * (longest if rng.random() < 0.3 else rng.randint(0, longest))
    if rng.random() < 0.2 and years >= 401:
        a, b = first, last
    return {"range": [a.isoformat(), b.isoformat()], "clues": [clue.params() for clue in puzzle]}


@cache
def world(first: date = FIRST, last: date = LAST) -> World:
    return World.of(FACTS, first, last)


def drawn_of(kind, rng, day, world):
    """The clue of a type that is drawn for a day; None where there is none."""
    values = kind.values(rng, day, world)
    return None if values is None else kind(*values)


def solvable_problem(rng: Random, names: Any = tuple(FINITE), years: int = 150) -> Params:
    """A problem of three to six clues that all hold on one day, so that it has a solution."""
    kinds = [catalogue.TYPES[name] for name in rng.sample(list(names), rng.randint(3, 6))]
    first, last = max(k.bounds[0] for k in kinds), min(k.bounds[1] for k in kinds)
    day = date.fromordinal(rng.randint(first.toordinal(), last.toordinal()))
    drawn = [drawn_of(kind, rng, day, world()) for kind in kinds]
    puzzle = [clue.params() for clue in drawn if clue is not None]
    away = DAY * (183 * years)
    # Far from both ends of `date`, whatever the day.
    span = [max(day - away, first).isoformat(), min(day + away, last).isoformat()]
    return {"range": span, "clues": puzzle} if puzzle else solvable_problem(rng, names, years)


def write(problem: Params) -> str:
    """The prompt of a problem in JSON."""
    return wording.write(Problem.parse(problem))


def item_of(problem: Params, version: str = "1.0") -> Item:
    """The item of a problem, its label and certificate made with masks."""
    first, last = (date.fromisoformat(day) for day in problem["range"])
    puzzle, span = catalogue.parse_all(problem), day_sets.run(first, last)
    part = Part(mask(puzzle[0]) & span, world(), partial(Candidates, world=world()))
    proof = certificate.make(list(map(part.kept, puzzle)), 0, part, (first, last))
    return Item(
        plugin="timepuzzles", version=version, prompt=write(problem), problem=problem,
        target=answer(proof["solutions"]), certificate=proof,
    )  # fmt: skip


def year_of_days(year: int) -> list[date]:
    return day_sets.days(day_sets.run(date(year, 1, 1), date(year, 12, 31)))


def paschal_easter(year: int, church: str) -> date:
    """Easter by the rule itself: the Sunday after the 14th day of the paschal moon."""
    golden, century = year % 19, year // 100
    if church == "orthodox":
        # The Julian 21 March is so many days later in the Gregorian calendar.
        late = (19 * golden + 15) % 30 + century - century // 4 - 2
    else:
        late = (19 * golden + 15 + century - century // 4 - (8 * century + 13) // 25) % 30
        late -= late == 29 or (late == 28 and golden > 10)
    full = date(year, 3, 21) + DAY * late
    return full + DAY * (7 - full.isoweekday() % 7)
