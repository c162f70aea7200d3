"""Every clue type four ways: mask, predicate, explicit form, and a naive reading of CLUES.md by datetime."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import cache
from itertools import groupby, product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from cases import each, slow, some
from harness_timepuzzles import day_sets
from harness_timepuzzles.clues import catalogue
from harness_timepuzzles.clues.clue import (
    WEEKDAYS,
    ClueError,
    World,
    from_end,
    mask,
    ordinal,
    read_nth,
)
from harness_timepuzzles.day_sets import FIRST, LAST
from harness_timepuzzles.facts import Facts
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from tp_worlds import (
    FACTS,
    FINITE,
    NAMED,
    SKY,
    STRATEGIES,
    any_clue,
    clue_of,
    drawn_of,
    paschal_easter,
    pool,
    world,
    year_of_days,
)

QUICK = settings(max_examples=some(150), deadline=None, derandomize=True, database=None)
DAY = timedelta(days=1)
ALL = [FIRST + DAY * number for number in range(day_sets.SIZE)]
IMPLICIT = {
    "zodiac", "alive", "office", "games", "lunar_month", "event", "recurring", "easter", "hebrew",
    "islamic", "moon", "equinox",
}  # fmt: skip
VALIDATOR = Draft202012Validator(catalogue.SCHEMA)
PAGE = Path(__file__).parents[1] / "CLUES.md"
every_type = each("name", list(STRATEGIES))


def test_every_type_of_the_page_exists_and_is_tried():
    rows = re.findall(
        r"^\|`(\w+)`\|.*?\|(year|month|day|as `relation`|–)\|", PAGE.read_text(), re.M
    )
    assert set(catalogue.TYPES) == set(dict(rows)) == set(STRATEGIES)
    assert set(catalogue.PAPER) | set(catalogue.GROUPS) | {"years", "periods", *SKY} == set(
        catalogue.TYPES
    ) | {"astronomy"}
    for name, level in rows:
        if level in ("year", "month", "day"):
            assert {clue.level for clue in pool(name)} == {level}
        elif name == "event":
            assert all(clue.level == clue.params()["relation"] for clue in pool(name))


# ------------------------------------------------------- a third definition, day by day

SEASON = ["winter"] * 2 + ["spring"] * 3 + ["summer"] * 3 + ["autumn"] * 3 + ["winter"]
# As the page says it: first and last day of each.
SIGNS = {
    "aries": ("03-21", "04-19"), "taurus": ("04-20", "05-20"), "gemini": ("05-21", "06-20"),
    "cancer": ("06-21", "07-22"), "leo": ("07-23", "08-22"), "virgo": ("08-23", "09-22"),
    "libra": ("09-23", "10-22"), "scorpio": ("10-23", "11-21"), "sagittarius": ("11-22", "12-21"),
    "capricorn": ("12-22", "01-19"), "aquarius": ("01-20", "02-18"), "pisces": ("02-19", "03-20"),
}  # fmt: skip
CANCELLED = {"summer_olympics": (1916, 1940, 1944, 2020), "winter_olympics": (1940, 1944),
             "world_cup": (1942, 1946)}  # fmt: skip
Found = dict[tuple[Any, ...], list[date]]


def walked(days: list[date]) -> Iterator[tuple[date, int, int]]:
    """Each day with its weekday's place among some days, from the beginning and from the end."""
    from_start, from_end_ = [0] * 7, [0] * 7
    places = []
    for day in days:
        from_start[day.weekday()] += 1
        places.append(from_start[day.weekday()])
    backwards = []
    for day in reversed(days):
        from_end_[day.weekday()] -= 1
        backwards.append(from_end_[day.weekday()])
    return zip(days, places, reversed(backwards), strict=True)


@cache
def signs_of(text: str) -> list[str]:
    """The signs that hold a day of the year, written MM-DD."""
    return [
        sign
        for sign, (first, last) in SIGNS.items()
        if (first <= text <= last if first < last else text >= first or text <= last)
    ]


def naive_simple() -> dict[str, Found]:
    """What one look at a day tells."""
    found: dict[str, Found] = defaultdict(lambda: defaultdict(list))
    thursday = date(1970, 1, 1).toordinal()
    for day in ALL:
        text = day.isoformat()
        weekday = (day.toordinal() - thursday + 3) % 7
        found["year"][int(text[:4]),].append(day)
        found["decade"][int(text[:3] + "0"),].append(day)
        found["month"][int(text[5:7]),].append(day)
        found["season"][SEASON[day.month - 1],].append(day)
        found["weekday"][weekday,].append(day)
        found["day_of_month"][int(text[8:]),].append(day)
        if day == LAST or (day + DAY).month != day.month:
            found["day_of_month"][-1,].append(day)
        for sign in signs_of(text[5:]):
            found["western_zodiac"][sign,].append(day)
        day_of_thursday = day + DAY * (3 - weekday)
        found["iso_week"][(int(day_of_thursday.strftime("%j")) - 1) // 7 + 1,].append(day)
    return found


def naive_walked() -> dict[str, Found]:
    """What a walk through months and years tells."""
    found: dict[str, Found] = defaultdict(lambda: defaultdict(list))
    for _, group in groupby(ALL, key=lambda day: (day.year, day.month)):
        for day, front, back in walked(list(group)):
            found["weekday_in_month"][day.weekday(), front].append(day)
            found["weekday_in_month"][day.weekday(), back].append(day)
    for year, group in groupby(ALL, key=lambda day: day.year):
        days = list(group)
        easter = {church: paschal_easter(year, church) for church in ("western", "orthodox")}
        for number, (day, front, back) in enumerate(walked(days), 1):
            found["weekday_of_year"][day.weekday(), front].append(day)
            found["weekday_of_year"][day.weekday(), back].append(day)
            found["year_day"][number,].append(day)
            for church, sunday in easter.items():
                found["easter"][church, (day - sunday).days].append(day)
        if any((day.month, day.day) == (2, 29) for day in days):
            found["leap_year"][()].extend(days)
        for games in CANCELLED:
            if held(games, year):
                found["games"][games,].extend(days)
    return found


def held(games: str, year: int) -> bool:
    first = {"summer_olympics": 1896, "winter_olympics": 1924, "world_cup": 1930}[games]
    phase = 2 if games == "world_cup" or (games == "winter_olympics" and year > 1992) else 0
    regular = first <= year <= 2024 and year % 4 == phase and year not in CANCELLED[games]
    return regular or (games, year) == ("summer_olympics", 2021)


@cache
def naive() -> dict[str, dict[tuple[Any, ...], int]]:
    """Return the set of days of each value of the types in `NAIVE`."""
    found = {
        name: {value: day_sets.of(days) for value, days in values.items()}
        for name, values in {**naive_simple(), **naive_walked()}.items()
    }
    ranges: dict[tuple[Any, ...], int] = defaultdict(int)
    for number, on in product(range(2, 31), range(1, 32)):
        if on != number:
            side = "before" if on < number else "after"
            ranges[side, number] |= found["day_of_month"][on,]
    return {**found, "day_range": ranges}


NAIVE = ["year", "decade", "month", "season", "weekday", "day_of_month", "day_range", "western_zodiac",
         "iso_week", "weekday_in_month", "weekday_of_year", "year_day", "easter", "leap_year",
         "games"]  # fmt: skip


@slow
@pytest.mark.parametrize("name", NAIVE)
def test_masks_over_four_centuries_are_the_days_found_by_walking(name):
    found = naive()[name]
    for params in FINITE[name]:
        assert mask(clue_of(name, params)) == found.get(tuple(params.values()), 0), params


def test_no_day_is_lost_or_counted_twice_where_values_share_the_calendar_out():
    for name in (
        "month",
        "season",
        "western_zodiac",
        "weekday",
        "iso_week",
        "hebrew",
        "decade",
        "year",
    ):
        sizes = [mask(clue).bit_count() for clue in pool(name)]
        together = 0
        for clue in pool(name):
            together |= mask(clue)
        assert sum(sizes) == day_sets.SIZE == together.bit_count(), name
    for name in ("zodiac", "lunar_month", "islamic"):
        first, last = catalogue.TYPES[name].bounds
        whole = day_sets.run(first, last)
        assert sum(mask(clue).bit_count() for clue in pool(name)) == whole.bit_count()
        assert all(mask(clue) & ~whole == 0 for clue in pool(name))


def parts(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split("-")))


def naive_named(data: dict[str, Any]) -> Callable[[tuple[int, int, int]], bool]:
    """The types with facts, on (year, month, day)."""
    if data["type"] in ("recurring", "years"):
        return lambda day: day[0] in data["years"]
    if data["type"] == "event":
        place = ("year", "month", "day").index(data["relation"])
        right = parts(data["date"])[place]
        return lambda day: day[place] == right
    texts = (
        [(data["born"], data["died"])] if "born" in data else data.get("terms", data.get("periods"))
    )
    spans = [(parts(first), parts(last)) for first, last in texts]
    return lambda day: any(first <= day <= last for first, last in spans)


@pytest.mark.parametrize("name", NAMED)
def test_masks_of_facts_over_four_centuries(name):
    days = [(day.year, day.month, day.day) for day in ALL[::4] + year_of_days(1889)]
    whole = day_sets.of(date(*day) for day in days)
    for clue in pool(name):
        right = day_sets.of(date(*day) for day in filter(naive_named(clue.params()), days))
        assert mask(clue) & whole == right, clue


@pytest.mark.parametrize(
    ("games", "yes", "no"),
    [
        ("summer_olympics", "1896 1900 1904 1908 1912 1920 1936 1948 1980 2016 2021 2024",
         "1892 1894 1906 1916 1940 1944 2018 2020 2022 2028 2032"),
        ("winter_olympics", "1924 1936 1948 1988 1992 1994 1998 2022",
         "1908 1920 1940 1944 1990 1996 2000 2021 2024 2026"),
        ("world_cup", "1930 1934 1938 1950 1954 1998 2018 2022", "1926 1942 1946 2020 2024 2026"),
    ],
)  # fmt: skip
def test_games_count_in_the_years_in_which_they_were_held(games, yes, no):
    clue = clue_of("games", {"games": games})
    for years, right in ((yes, True), (no, False)):
        for year in map(int, years.split()):
            assert [clue.holds(date(year, 1, 1)), clue.holds(date(year, 12, 31))] == [right] * 2, (
                year
            )
    assert clue.explicit(FIRST, LAST).params()["years"][-1] in (2022, 2024)


# --------------------------------------------------------------------- mask and predicate


@pytest.mark.parametrize("name", sorted(FINITE))
def test_mask_and_predicate_agree_on_every_day_of_whole_years(name):
    rng = Random(name)
    # To ask the moon takes a thousand times as long as to ask a weekday.
    # Nor are two years asked about hundreds of clues.
    slow = name in SKY or len(pool(name)) > 200
    years = [rng.randrange(1901, 2051), rng.randrange(1700, 2101)][slow:]
    days = {day for year in years for day in year_of_days(year)}
    days |= {FIRST, FIRST + DAY, LAST - DAY, LAST} | set(rng.sample(ALL, 40))
    days = sorted(days)  # in which order they are asked does not matter: test_calendars
    whole = day_sets.of(days)
    for clue in pool(name):
        assert day_sets.of(filter(clue.holds, days)) == mask(clue) & whole, clue


@pytest.mark.parametrize("name", ["zodiac", "lunar_month", "islamic"])
def test_mask_and_predicate_agree_at_the_bounds(name):
    ends = catalogue.TYPES[name].bounds
    days = {end + DAY * step for end in ends for step in range(-40, 41)}
    for clue in pool(name):
        assert day_sets.of(filter(clue.holds, days)) == mask(clue) & day_sets.of(days)


@settings(QUICK, max_examples=some(40))
@given(any_clue((*NAMED, "years", "periods")), st.integers(1700, 2100), st.data())
def test_mask_and_predicate_agree_on_facts_years_and_periods(clue, year, data):
    ends = [end for run in day_sets.periods(mask(clue))[:9] for end in run]
    days = {
        FIRST,
        LAST,
        *year_of_days(year)[::5],
        *data.draw(st.lists(st.dates(FIRST, LAST), max_size=9)),
    }
    for end in ends:
        days |= {max(end - DAY, FIRST), end, min(end + DAY, LAST)}
    assert day_sets.of(filter(clue.holds, days)) == mask(clue) & day_sets.of(days)
    simply = naive_named(clue.params())
    for day in days:
        assert clue.holds(day) == simply((day.year, day.month, day.day))


# --------------------------------------------------------------------- words and back


@every_type
def test_sentences_are_read_back_and_fit_one_type_only(name):
    for clue in pool(name):
        sentence = clue.sentence()
        assert "\n" not in sentence
        assert sentence.endswith(".")
        fitting = [
            kind.type for kind in catalogue.TYPES.values() if kind.regex().fullmatch(sentence)
        ]
        assert fitting == [name], sentence
        assert catalogue.parse_sentence(sentence, [FACTS]) == clue
        assert catalogue.parse_sentence(sentence, [Facts(), FACTS]) == clue


def test_no_two_clues_have_one_sentence():
    owners = {clue.sentence(): clue for name in STRATEGIES for clue in pool(name)}
    assert len(owners) == len({clue for name in STRATEGIES for clue in pool(name)})


@pytest.mark.parametrize("name", NAMED)
def test_names_that_no_table_has_are_read_as_nothing(name):
    for clue in pool(name):
        assert catalogue.parse_sentence(clue.sentence(), [Facts()]) is None
        assert catalogue.parse_sentence(clue.sentence(), []) is None


@each(
    "sentence",
    [
        "", ".", "The year is 99.", "The year is 1999", "The year is  1999.", "the year is 1999.",
        "The year is 1999. ", "The year is 1999.\n", "The year is -999.", "It is a monday.",
        "The month is march.", "The month is 3.", "It is a Monday or Tuesday.", "It is a Monnday or a Friday.",
        "It is a Monday, a Tuesday.", "The season is fall.", "The year is one of these: .",
        "The year is one of these: 1999,2000.", "It is the first Monday of its month.",
        "It is the 2th-to-last Monday.", "It is 61 days after Easter Sunday of the Western churches.",
        "It is Easter Sunday.", "It is day of its year.", "The date lies in one of these periods: .",
        "The date lies in one of these periods: 1999-01-01 to .", "On that day, Ada Byron was alive",
        "On that day, ada byron was alive.", "On that day, Nobody was alive.",
        "It is in the same year as the first day of the opening of the Long Canal.",
        "It is in the same year as the Nine Days’ Fair.",
        "It is in the same year as the last day of the founding of Quux.",
        "On that day, Grover X held the office of warden.", "Jede Zahl.",
        "It is a day in the Hebrew month of Adar I.",
        "It is in the same month of the year as the voyage of the Hare, whatever the year.",
        "Whatever the year, it has the same day of the month as the last day of the voyage of the Hare.",
        "The year is one of the years of nothing.", "A men's football World Cup was held in that year",
    ],
)  # fmt: skip
def test_sentences_of_no_clue(sentence):
    assert catalogue.parse_sentence(sentence, [FACTS]) is None


def test_facts_too_coarse_for_a_relation_give_no_clue_a_schema_would_pass():
    for words in ("Whatever the month and year, it has the same day of the month as",
                  "Whatever the year, it is in the same month of the year as"):  # fmt: skip
        read = catalogue.parse_sentence(f"{words} the founding of Quux.", [FACTS])
        if read is not None:
            with pytest.raises(ClueError):
                catalogue.parse(read.params())


def test_numbers_are_written_as_english_does():
    found = (
        "1st 2nd 3rd 4th 10th 11th 12th 13th 14th 20th 21st 22nd 23rd 24th 31st 53rd 101st 111th"
    )
    for text in found.split():
        assert ordinal(int(text[:-2])) == text
    for nth in (*range(1, 54), *range(-53, 0)):
        assert read_nth(from_end(nth)) == nth
    assert [from_end(n) for n in (1, -1, -2, -3)] == ["1st", "last", "2nd-to-last", "3rd-to-last"]


@every_type
def test_json_there_and_back(name):
    for clue in pool(name):
        data = clue.params()
        again = catalogue.parse(json.loads(json.dumps(data)))
        assert again == clue
        assert hash(again) == hash(clue)
        assert again.params() == data
        assert data["type"] == name


@every_type
@settings(QUICK, max_examples=max(3, some(12)))
@given(st.data())
def test_the_schema_takes_all_clues(name, data):
    clue = data.draw(any_clue([name]))
    assert [*VALIDATOR.iter_errors(clue.params())] == []


# --------------------------------------------------------------------- explicit forms


def test_what_needs_knowledge_is_rewritten_and_nothing_else():
    assert {name for name in STRATEGIES if pool(name)[0].implicit} == IMPLICIT
    for name in STRATEGIES:
        for clue in (pool(name)[0], pool(name)[-1]):
            assert clue.implicit == (name in IMPLICIT)
            spelled = clue.explicit(FIRST, LAST)
            assert not spelled.implicit
            assert spelled.explicit(FIRST, LAST) is spelled
            assert (spelled is clue) == (name not in IMPLICIT)


@st.composite
def ranges(draw: st.DrawFn) -> tuple[date, date]:
    first = draw(st.one_of(st.just(FIRST), st.dates(FIRST, LAST)))
    days = draw(st.one_of(st.integers(0, 40), st.integers(0, day_sets.SIZE)))
    return first, min(first + DAY * days, LAST)


@settings(QUICK, max_examples=some(200))
@given(any_clue([*IMPLICIT, "years", "month"]), ranges())
def test_explicit_forms_hold_on_the_same_days_of_the_range(clue, span):
    spelled = clue.explicit(*span)
    whole = day_sets.run(*span)
    assert mask(spelled) & whole == mask(clue) & whole
    assert spelled.type in ("years", "periods", "year", "month", "day_of_month")
    assert catalogue.parse_sentence(spelled.sentence(), [Facts()]) == spelled
    assert catalogue.parse(spelled.params()) == spelled
    for start, end in spelled.params().get("periods", []):
        assert span[0].isoformat() <= start <= end <= span[1].isoformat()
    for year in spelled.params().get("years", []):
        assert span[0].year <= year <= span[1].year or spelled is clue


@settings(QUICK, max_examples=some(60))
@given(any_clue(sorted(IMPLICIT)), ranges())
def test_explicit_forms_fit_the_schema(clue, span):
    assert [*VALIDATOR.iter_errors(clue.explicit(*span).params())] == []


# --------------------------------------------------------------------- what is no clue

HUGE = 10**30
# What neither the schema nor the parser takes.
MALFORMED: list[Any] = [
    None, 5, "month", "two\nlines", [], {}, {"type": None}, {"type": "months", "month": 3}, {"month": 3},
    {"type": "Month", "month": 3}, {"type": ["month"], "month": 3}, {"type": "x\ny" * 1000},
    {"type": "month"}, {"type": "month", "month": 3, "more": 1}, {"type": "month", "Month": 3},
    {"type": "leap_year", "year": 2000}, {"type": "weekday", "day": 3}, {"type": "year"},
    {"type": "weekday_in_month", "weekday": 3}, {"type": "easter", "offset": 0},
    {"type": "weekdays", "weekdays": [3, 3]}, {"type": "alive", "name": "X", "born": "1900-01-01"},
    {"type": "alive", "name": "X", "born": "1900-02-30", "died": "1950-01-01"},
    {"type": "alive", "name": "X", "born": "1900", "died": "1950-01-01"},
    {"type": "alive", "name": "X", "born": "19000101", "died": "1950-01-01"},
    {"type": "alive", "name": "X", "born": "1900-W01-1", "died": "1950-01-01"},
    {"type": "alive", "name": "X", "born": "1900-01-01T00:00", "died": "1950-01-01"},
    {"type": "alive", "name": "X", "born": None, "died": "1950-01-01"},
    {"type": "alive", "name": "X", "born": 1900, "died": 1950},
    {"type": "office", "name": "X", "office": "Y", "terms": [["1900-01-01", "1899-12-32"]]},
    {"type": "office", "name": "X", "office": "Y", "terms": [["1900-01-01"], [5]]},
    {"type": "office", "name": "X", "office": "Y", "terms": "1900"},
    {"type": "event", "name": "X", "date": "1869-05-32", "edge": "on", "relation": "day"},
    {"type": "event", "name": "X", "date": "1869-13", "edge": "on", "relation": "year"},
    {"type": "event", "name": "X", "date": "1869-05-10 or so", "edge": "on", "relation": "day"},
    {"type": "event", "name": "X", "date": "1869-W20-1", "edge": "on", "relation": "day"},
    {"type": "event", "name": "X", "date": "", "edge": "on", "relation": "year"},
    {"type": "event", "name": "X", "date": "1869", "edge": "on", "relation": "week"},
    {"type": "event", "name": "X", "date": 1869, "edge": "on", "relation": "year"},
    {"type": "years", "years": 5}, {"type": "years", "years": ["1900", 1901]},
    {"type": "periods", "periods": [["1900-01-01", "1900-02-30"]]},
    {"type": "periods", "periods": [["1900-01-01"]]}, {"type": "periods", "periods": 7},
    {"type": "periods", "periods": [["1900-01-01", "1900-01-02", "1900-01-03"]]},
    {"type": "periods", "periods": [["1900-01-01", "99999-01-01"]]},
]  # fmt: skip
# What makes no sense although every part of it could be.
SENSELESS: list[dict[str, Any]] = [
    {"type": "weekdays", "weekdays": [5, 3]}, {"type": "years", "years": [1950, 1900]},
    {"type": "recurring", "name": "X", "years": [1900, 1900]},
    {"type": "alive", "name": "X", "born": "1950-01-02", "died": "1950-01-01"},
    {"type": "office", "name": "X", "office": "Y", "terms": [["1900-01-02", "1900-01-01"]]},
    {"type": "office", "name": "X", "office": "Y", "terms": [["1900-01-01", "1901-01-01"], ["1890-01-01",
    "1891-01-01"]]},
    {"type": "event", "name": "X", "date": "1869", "edge": "on", "relation": "month"},
    {"type": "event", "name": "X", "date": "1869-05", "edge": "on", "relation": "day"},
    {"type": "event", "name": "X", "date": "1900-02-29", "edge": "on", "relation": "day"},
    {"type": "periods", "periods": [["1900-01-02", "1900-01-01"]]},
    {"type": "periods", "periods": [["1900-01-01", "1900-01-05"], ["1900-01-05", "1900-01-06"]]},
    {"type": "periods", "periods": [["1901-01-01", "1901-01-05"], ["1900-01-05", "1900-01-06"]]},
    {"type": "day_range", "side": "before", "day": 1}, {"type": "day_range", "side": "after", "day": 31},
]  # fmt: skip
# What the schema alone refuses: the parser trusts it.
WRONG: list[dict[str, Any]] = [
    {"type": "month", "month": 0}, {"type": "month", "month": 13}, {"type": "month", "month": HUGE},
    {"type": "month", "month": "3"}, {"type": "month", "month": 3.5}, {"type": "month", "month": None},
    {"type": "month", "month": True}, {"type": "year", "year": 1699}, {"type": "year", "year": 2101},
    {"type": "decade", "decade": 1805}, {"type": "zodiac", "animal": "cat"}, {"type": "zodiac", "animal": "Rat"},
    {"type": "games", "games": "olympics"}, {"type": "season", "season": "fall"},
    {"type": "weekday_in_month", "weekday": 7, "nth": 1}, {"type": "weekday_in_month", "weekday": 0, "nth": 0},
    {"type": "weekday_in_month", "weekday": 0, "nth": 6}, {"type": "day_of_month", "day": 0},
    {"type": "day_of_month", "day": 32}, {"type": "day_of_month", "day": -2}, {"type": "weekday", "weekday": -1},
    {"type": "weekdays", "weekdays": [1]}, {"type": "weekdays", "weekdays": [0, 1, 2, 3, 4, 5]},
    {"type": "day_range", "side": "before", "day": 0}, {"type": "day_range", "side": "after", "day": 32},
    {"type": "day_range", "side": "on", "day": 5}, {"type": "year_day", "day": 367}, {"type": "year_day", "day": 0},
    {"type": "weekday_of_year", "weekday": 0, "nth": 54}, {"type": "weekday_of_year", "weekday": 0, "nth": 0},
    {"type": "western_zodiac", "sign": "ophiuchus"}, {"type": "easter", "church": "western", "offset": 61},
    {"type": "easter", "church": "eastern", "offset": 0}, {"type": "hebrew", "month": "adar i"},
    {"type": "islamic", "month": 0}, {"type": "iso_week", "week": 54}, {"type": "moon", "phase": "half"},
    {"type": "equinox", "point": "april"}, {"type": "years", "years": [1600]},
    {"type": "years", "years": list(range(1700, 2102))},
    {"type": "alive", "name": "", "born": "1900-01-01", "died": "1950-01-01"},
    {"type": "alive", "name": "X" * 201, "born": "1900-01-01", "died": "1950-01-01"},
    {"type": "alive", "name": "X\nY", "born": "1900-01-01", "died": "1950-01-01"},
    {"type": "office", "name": "X", "office": "Y", "terms": []},
    {"type": "event", "name": "X", "date": "1869", "edge": "before", "relation": "year"},
    {"type": "periods", "periods": [["1900-01-01", "1900-01-02"]] * 20_001},
]  # fmt: skip


@each("data", [*MALFORMED, *SENSELESS])
def test_what_is_no_clue_gives_one_clear_line(data):
    with pytest.raises(ClueError) as caught:
        catalogue.parse(data)
    message = str(caught.value)
    assert "\n" not in message
    assert 10 < len(message) < 300


@slow
@each("data", [*MALFORMED, *WRONG])
def test_the_schema_refuses_what_is_malformed(data):
    assert [*VALIDATOR.iter_errors(data)] or data in REAL_DAYS_ONLY


# A schema does not know how long a month is.
REAL_DAYS_ONLY = [data for data in MALFORMED if isinstance(data, dict) and re.search(
    r"-(30|32|13)'", str(data))]  # fmt: skip


@every_type
def test_a_parameter_more_or_less_is_refused(name):
    data = pool(name)[0].params()
    broken = [{**data, "more": 1}, {**data, "": 1}]
    broken += [{k: v for k, v in data.items() if k != key} for key in data if key != "type"]
    for wrong in broken:
        with pytest.raises(ClueError, match=f"^clue '{name}' needs the parameters"):
            catalogue.parse(wrong)
        assert [*VALIDATOR.iter_errors(wrong)]


# --------------------------------------------------------------------- drawing


@every_type
def test_what_is_drawn_holds_on_its_day(name):
    if name in ("years", "periods"):
        return  # rewritten to, never drawn
    rng, kind = Random(name), catalogue.TYPES[name]
    everything = world()
    few = some(60 if name in SKY else 400)
    days = [FIRST, LAST, *kind.bounds, *rng.sample(ALL, few)]
    days += [day for clue in pool(name)[:9] for day in day_sets.days(mask(clue))[:9]]
    drawn = set()
    for day in days:
        clue = drawn_of(kind, rng, day, everything)
        if clue is None:
            continue
        assert clue.type == name
        assert clue.holds(day), day
        assert clue in pool(name) or name in ("weekdays", "event")
        drawn.add(clue)
    assert len(drawn) >= min(3, len(pool(name)))


@pytest.mark.parametrize("name", sorted(set(FINITE) - {"leap_year", "games", "easter", *SKY}))
def test_every_day_within_the_bounds_has_a_clue_of_most_types(name):
    rng, kind = Random(name), catalogue.TYPES[name]
    for day in [*kind.bounds, *rng.sample(day_sets.days(day_sets.run(*kind.bounds)), some(100))]:
        assert drawn_of(kind, rng, day, world()) is not None


def test_nothing_is_drawn_where_nothing_holds():
    rng, empty = Random(0), World.of(Facts(), FIRST, LAST)
    for name in NAMED:
        assert drawn_of(catalogue.TYPES[name], rng, date(1885, 3, 31), empty) is None
    for name, day in {
        "zodiac": "1799-12-31", "lunar_month": "2051-01-01", "islamic": "1850-05-05", "leap_year": "1900-03-01",
        "games": "1906-05-01", "easter": "1999-11-11", "moon": "2000-01-20", "equinox": "2000-03-19",
    }.items():  # fmt: skip
        assert drawn_of(catalogue.TYPES[name], rng, date.fromisoformat(day), world()) is None, name


def test_a_world_knows_what_is_the_case_on_a_day():
    small = world(date(1886, 1, 1), date(1890, 12, 31))
    assert set(small.recurring) == set(range(1886, 1891))
    assert [held.name for held in small.offices.on(date(1889, 1, 1))] == ["Grover X"]
    for day in day_sets.days(day_sets.run(date(1880, 1, 1), date(1895, 12, 31))):
        text = str(day)
        alive = [person for person in FACTS.persons if person.born <= text <= person.died]
        held = [who for who in FACTS.offices if any(a <= text <= b for a, b in who.terms)]
        assert small.persons.on(day) == alive, day
        assert small.offices.on(day) == held, day


def test_weekday_names_are_in_the_order_of_the_page():
    for number, name in enumerate(WEEKDAYS):
        assert date(2024, 1, 1 + number).strftime("%A") == name
