"""Complete certificates: every label of the default types has one; nothing changed proves what is not so."""

import json
import re
from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from itertools import islice, permutations
from random import Random

import pytest
from cases import SHARE, each, slow, some
from harness_proof import PROVED, REFUTED, UNCHECKED, outcome, timepuzzles, words
from harness_proof.calendars import easter, months
from harness_proof.outcomes import RefutedError
from harness_timepuzzles import calendars, proof, reading
from harness_timepuzzles.clues.month import SIGNS
from harness_timepuzzles.conversions.calendar_dates import BOUNDS, date_of
from harness_timepuzzles.conversions.problem import CALENDARS, text
from harness_timepuzzles.conversions.problem import write as conversion_prompt
from harness_timepuzzles.engines import solve
from harness_timepuzzles.problem import NONE, Problem
from harness_timepuzzles.wording import write

from harness.core import fresh
from harness.core.plugins import registry
from harness.core.spec import make


@cache
def made(settings):
    plugin = registry().get("timepuzzles")
    return [], fresh.items(plugin, make(plugin, {"n": 100, **json.loads(settings)}))


def items(n=20, **settings):
    """Return the first items of some settings; each is made once."""
    before, others = made(json.dumps(settings))
    before += islice(others, max(0, n - len(before)))
    return before[:n]


def record(item, **changes):
    if "proof" not in changes:
        changes["proof"] = proof.prove(item)
    data = {"plugin": "timepuzzles", "prompt": item.prompt, "target": item.target}
    return json.loads(json.dumps({**data, **changes}))


@slow
@each(
    "settings",
    [
        {}, {"mode": "spelled"}, {"mode": "explicit"}, {"calendar_clue": True}, {"difficulty": 1}, {"solutions": "0"},
        {"from_year": 1950, "to_year": 1999, "necessary": "none"},
        *({"language": language} for language in ("de", "es", "zh")), {"language": "es", "solutions": "0"},
        {"language": "de", "mode": "explicit"}, {"language": "zh", "mode": "spelled"},
        {"extra": ["all"], "clues": "7"}, {"difficulty": 10}, {"language": "zh", "extra": ["all"], "clues": "6"},
        {"task": "convert"}, *({"task": "convert", "language": language} for language in ("de", "es", "zh")),
    ],
)  # fmt: skip
def test_every_label_has_one(settings):
    for item in items(max(2, some(8)), **settings):
        found, given = outcome(record(item))
        assert found == PROVED, given
        count = r"(facts|(Chinese|Islamic) years): \d+"
        assert re.fullmatch(f"(given {count}(, {count})*)?", given)


CLUES = [
    {"type": "year", "year": 1900}, {"type": "decade", "decade": 1900}, {"type": "leap_year"},
    {"type": "zodiac", "animal": "rat"}, {"type": "zodiac", "animal": "pig"},
    {"type": "alive", "name": "A", "born": "1895-03-04", "died": "1901-05-06"},
    {"type": "office", "name": "A", "office": "B",
     "terms": [["1890-01-01", "1893-03-03"], ["1903-01-01", "1904-12-31"]]},
    *({"type": "games", "games": games} for games in ("summer_olympics", "winter_olympics", "world_cup")),
    *({"type": "month", "month": month} for month in (1, 2, 12)),
    *({"type": "season", "season": season} for season in ("spring", "summer", "autumn", "winter")),
    *({"type": "lunar_month", "month": month} for month in (1, 8, 12)),
    *({"type": "weekday_in_month", "weekday": 2, "nth": nth} for nth in (1, 2, 3, 4, 5, -1, -2, -3, -4, -5)),
    *({"type": "day_of_month", "day": day} for day in (1, 2, 28, 29, 31, -1)),
    *({"type": "weekday", "weekday": day} for day in range(7)),
    {"type": "weekdays", "weekdays": [0, 6]}, {"type": "weekdays", "weekdays": [1, 2, 3, 4, 5]},
    *({"type": "day_range", "side": side, "day": day} for side in ("before", "after") for day in (2, 11, 30)),
    *({"type": "event", "name": "A", "date": "1904-02-29", "edge": edge, "relation": relation}
      for edge, relation in (("on", "year"), ("start", "month"), ("end", "day"))),
    {"type": "event", "name": "A", "date": "1904", "edge": "on", "relation": "year"},
    {"type": "event", "name": "A", "date": "1904-02", "edge": "on", "relation": "month"},
    {"type": "recurring", "name": "A", "years": [1899, 1900, 1904]},
    {"type": "years", "years": [1896, 1905]}, {"type": "years", "years": []}, {"type": "periods", "periods": []},
    {"type": "periods", "periods": [["1899-12-31", "1899-12-31"], ["1900-02-28", "1900-03-01"]]},
    {"type": "periods", "periods": [["1899-12-31", "1900-01-01"]]},
]  # fmt: skip


EXTRA = [
    *({"type": "western_zodiac", "sign": sign} for sign in SIGNS),
    *({"type": "easter", "church": church, "offset": offset}
      for church in ("western", "orthodox") for offset in (0, -1, 1, 40, -52)),
    *({"type": "hebrew", "month": month} for month in calendars.HEBREW),
    *({"type": "iso_week", "week": week} for week in (1, 9, 52, 53)),
    *({"type": "moon", "phase": phase} for phase in calendars.PHASES),
    *({"type": "equinox", "point": point} for point in calendars.POINTS),
    *({"type": "year_day", "day": day} for day in (1, 60, 366)),
    *({"type": "weekday_of_year", "weekday": 2, "nth": nth} for nth in (1, 5, 52, 53, -1, -2, -53)),
]  # fmt: skip
KNOWN = [
    {"type": "alive", "name": "Ada Lovelace", "born": "1815-12-10", "died": "1852-11-27"},
    {"type": "event", "name": "the Battle of Trafalgar", "date": "1805-10-21", "edge": "on", "relation": "day"},
]  # fmt: skip
RANGES = (
    ("1888-02-29", "1908-11-30"), ("1899-12-31", "1904-02-29"), ("2000-02-28", "2001-01-01"),
)  # fmt: skip


def alone(clue, first, last, language="en"):
    """Hold what a prompt of one clue is proved to say against our engine."""
    problem = {"range": [first, last], "clues": [clue]}
    target = solve(problem, "masks").answer
    prompt = write(Problem.parse(problem), language)
    claim = replace(items(1)[0], prompt=prompt, problem=problem, target=target)
    genuine = record(claim)
    assert outcome(genuine)[0] == PROVED
    other = ", ".join(target.split(", ")[1:]) or ("2000-03-01" if target == NONE else NONE)
    assert outcome({**genuine, "target": other})[0] == REFUTED


@slow
@each("clue", CLUES + EXTRA)
def test_a_clue_alone_allows_the_days_that_our_engine_says(clue):
    for first, last in RANGES:
        alone(clue, first, last)


@slow
@pytest.mark.parametrize("language", ["de", "es", "zh"])
def test_every_language_says_the_same(language):
    invented = ("alive", "office", "event", "recurring")
    for clue in [clue for clue in CLUES + EXTRA if clue["type"] not in invented] + KNOWN:
        alone(clue, *RANGES[1], language)


def test_years_of_tables_begin_where_years_can():
    """Chinese ones from 20 January to 21 February, Islamic ones within five days of the calendar by rule."""
    chinese = ("2001-01-19", "2001-01-20", "2001-02-21", "2001-02-22")
    islamic = ("2017-09-16", "2017-09-17", "2017-09-27", "2017-09-28")
    for calendar, days in (("chinese", chinese), ("islamic", islamic)):
        found = []
        for first in map(date.fromisoformat, days):
            row = [first.isoformat(), *([0] if calendar == "chinese" else []), "+-" * 6]
            try:
                last = first + timedelta(99)
                found.append(len([*months(calendar, [row], first, last, lambda _, __: True)]))
            except RefutedError:
                found.append(0)
        assert found == [0, 12, 12, 0], calendar


def test_islamic_months_are_those_of_the_table():
    for month in range(1, 13):
        for language in ("en", "de", "es", "zh"):
            alone({"type": "islamic", "month": month}, "1990-01-01", "1993-12-31", language)


def test_the_calendars_of_the_checker_are_those_of_the_libraries():
    """Hebrew months are computed: on every day, and Easter in every year."""
    first, last = date(1700, 1, 1), date(2100, 12, 31)
    for month in months("hebrew", (), first, last, lambda _, __: True):
        start = date.fromordinal(month.first)
        if first <= start <= last:
            assert calendars.hebrew_month(start) == month.number
            assert (
                start == first
                or calendars.hebrew_month(start - timedelta(1)) != month.number
                or month.again == 2
            )
    for year in range(1700, 2101):
        for church in ("western", "orthodox"):
            found = date.fromordinal(easter(year, church == "orthodox"))
            assert found == calendars.easter_sunday(year, church)


LANGUAGES = ("en", "de", "es", "zh")
CONVERTED = [file for file in timepuzzles.FILES if file.startswith("conversions")]


@each("calendar", CALENDARS)
def test_a_day_is_written_as_the_libraries_write_it(calendar):
    begin, end = BOUNDS[calendar]
    tables = {"chinese": calendars.chinese_years(), "islamic": calendars.islamic_years()}
    for ordinal in range(begin.toordinal(), end.toordinal(), 97 * SHARE):
        day = date.fromordinal(ordinal)
        rows = {
            name: [
                (row[0].isoformat(), *row[1:]) for row in table if abs(row[0].year - day.year) < 5
            ]
            for name, table in tables.items()
        }
        dated = date_of(day, calendar)
        for file, language in zip(CONVERTED, LANGUAGES, strict=True):
            assert timepuzzles._written(day, calendar, rows, file) == text(dated, language)


def test_no_word_of_a_language_stands_for_two_numbers():
    for name in timepuzzles.FILES:
        lists = [line[2].split("|") for line in words.lines(name) if line[0].startswith("list ")]
        places = [(word, place) for listed in lists for place, word in enumerate(listed, 1)]
        assert len({*places}) == len(dict(places))


@slow
@each("language", LANGUAGES)
def test_thousands_of_conversions_are_proved_and_no_other_date_is(language):
    """Each pair of calendars on random days that both have: the label proved, that of another day refuted."""
    rng, like = Random(4), items(1, task="convert")[0]
    for source, target in permutations(CALENDARS, 2):
        first, last = (
            choose(BOUNDS[source][end], BOUNDS[target][end]).toordinal()
            for end, choose in enumerate((max, min))
        )
        for _ in range(some(40)):
            day, other = (date.fromordinal(rng.randint(first, last)) for _ in range(2))
            problem = {"task": "convert", "date": date_of(day, source), "to": target}
            prompt = conversion_prompt(problem, language)
            label = text(date_of(day, target))
            claim = record(replace(like, prompt=prompt, problem=problem, target=label))
            assert outcome(claim)[0] == PROVED, prompt
            wrong = text(date_of(other, target))
            assert wrong == label or outcome({**claim, "target": wrong})[0] == REFUTED
            named = text(date_of(day, target), language)
            assert named == label or outcome({**claim, "target": named})[0] == REFUTED
            moved = conversion_prompt({**problem, "date": date_of(other, source)}, language)
            assert day == other or outcome({**claim, "prompt": moved})[0] == REFUTED


@each("language", LANGUAGES)
def test_no_two_days_are_written_alike(language):
    """Names of months, and of calendars, differ; a name is not part of what is written behind it."""
    told = words.told(CONVERTED[LANGUAGES.index(language)])
    months = told["hebrew"].split("|")
    assert len({*months}) == len(months) == 14
    said = [words.told(CONVERTED[LANGUAGES.index(language)], calendar) for calendar in CALENDARS]
    assert len({one["name"] for one in said}) == len({one["rule"] for one in said}) == 6


CONVERSIONS = [
    ("another day", lambda proof: {**proof, "day": "2017-12-09"}),
    ("no day", lambda proof: {**proof, "day": "2017-13-08"}),
    ("a day without hyphens", lambda proof: {**proof, "day": "20171208"}),
    ("a day by its week", lambda proof: {**proof, "day": "2017-W49-5"}),
    ("no certificate of a day", lambda proof: {"islamic": proof["islamic"]}),
    ("no table", lambda proof: {"day": proof["day"]}),
    ("a month shorter", lambda proof: {**proof, "islamic": [[d, s.replace("+", "-")] for d, s in proof["islamic"]]}),
    ("a month less", lambda proof: {**proof, "islamic": [[d, s[1:]] for d, s in proof["islamic"]]}),
    ("an early year", lambda proof: {**proof, "islamic": [["2017-09-11", proof["islamic"][1][1]]]}),
    ("a late year only", lambda proof: {**proof, "islamic": [["2018-09-11", proof["islamic"][1][1]]]}),
    ("a gap", lambda proof: {**proof, "islamic": [proof["islamic"][0], ["2017-09-22", proof["islamic"][1][1]]]}),
]  # fmt: skip


@each(("what", "change"), CONVERSIONS)
def test_a_conversion_with_another_certificate_is_refuted(what, change):
    item = items(1, task="convert", calendars=["hebrew", "islamic"])[0]
    genuine = record(item)
    fixed = {**genuine, "prompt": CONVERSION, "target": "1439-03-20", "proof": ISLAMIC}
    assert outcome(fixed) == (PROVED, "given Islamic years: 2")
    assert outcome({**fixed, "proof": json.loads(json.dumps(change(ISLAMIC)))})[0] == REFUTED, what
    for target in ("1439-03-21", "1439-3-20", "1439-03-20 ", "2017-12-08", ""):
        assert outcome({**fixed, "target": target})[0] == REFUTED
    for prompt in (
        CONVERSION.replace("Islamic date is one", "Islamic date is none"), CONVERSION + "\n", "\n" + CONVERSION,
        CONVERSION.replace("the Hebrew date", "the Jewish date"), CONVERSION.replace("Which Islamic", "Which Hebrew"),
    ):  # fmt: skip
        assert outcome({**fixed, "prompt": prompt})[0] == UNCHECKED
    assert outcome({**fixed, "prompt": CONVERSION.replace("Kislev 20", "Kislev 21")})[0] == REFUTED


CONVERSION = conversion_prompt(
    {
        "task": "convert",
        "date": {"calendar": "hebrew", "year": 5778, "month": "Kislev", "day": 20},
        "to": "islamic",
    }
)
ISLAMIC = {
    "day": "2017-12-08",
    "islamic": [["2016-10-02", "+-+++--+--+-"], ["2017-09-21", "+-+++-+-+--+"]],
}


NO_DATES = (
    "1948-0-99", "1948-00-14", "1948-13-14", "1948-05-00", "1948-05-32", "1948-02-30", "1947-02-29", "0000-01-01",
    "1948-13", "1948-0", "1948-1", "1948-", "1948-05-1", "1948-1-1", "1948-05-14 ", "19480514", "1948-W20-5", "194",
    "", 1948, None, [], ["1948-05-14"],
)  # fmt: skip


def with_fact(clue, *fact):
    """Return what becomes of the label that a fact of 1805 gives from 1940 to 1950, no date, with another fact."""
    problem = {"range": ["1940-01-01", "1950-12-31"], "clues": [clue]}
    like = replace(items(1)[0], prompt=write(Problem.parse(problem)), problem=problem, target=NONE)
    if not fact:
        return outcome(record(like))[0]
    named = next(iter(proof.prove(like)["facts"]))
    return outcome(record(like, proof={"facts": {named: [*fact, ""]}}))[0]


@each("relation", ("year", "month", "day"))
def test_a_date_that_does_not_exist_proves_nothing(relation):
    clue = {"type": "event", "name": "A", "date": "1805-10-21", "edge": "on", "relation": relation}
    for fact in NO_DATES:
        assert with_fact(clue, fact) == REFUTED, fact
    for short in {"year": (), "month": ("1948",), "day": ("1948", "1948-05")}[relation]:
        assert with_fact(clue, short) == REFUTED, short
    assert with_fact(clue) == (PROVED if relation == "year" else REFUTED)


def test_a_period_or_a_year_that_does_not_exist_proves_nothing():
    alive = {"type": "alive", "name": "A", "born": "1805-10-21", "died": "1806-10-21"}
    recurring = {"type": "recurring", "name": "A", "years": [1805]}
    assert with_fact(alive) == with_fact(recurring) == PROVED
    assert (
        with_fact(alive, [["1805-10-21", "1805-10-21"]])
        == with_fact(recurring, [1, 1805, 9999])
        == PROVED
    )
    for day in NO_DATES:
        assert with_fact(alive, [[day, "1806-10-21"]]) == REFUTED, day
        assert with_fact(alive, [["1805-10-21", day]]) == REFUTED, day
    for year in (0, -1, 10_000, 1805.5, 1805.0, "1805", None, [1805], "1805-10-21"):
        assert with_fact(recurring, [1805, year]) == REFUTED, year


@each(
    ("what", "fact"),
    [
        ("no day", ["2000-01-32", "+-+-+-+-+-+-+-"]),
        ("a day without hyphens", ["20000106", "+-+-+-+-+-+-+-"]),
        ("a day later", ["2000-01-07", "+-+-+-+-+-+-+-"]),
        ("too late", ["2000-02-05", "+-+-+-+-+-+-"]),
        ("too short", ["2000-01-06", "+-+-+"]),
        ("another sign", ["2000-01-06", "+*+-+-+-+-+-+-"]),
        ("no signs", ["2000-01-06", ""]),
    ],
)
def test_days_that_come_again_have_to_cover_the_range(what, fact):
    problem = {"range": ["2000-01-01", "2000-12-31"], "clues": [{"type": "moon", "phase": "new"}]}
    target = solve(problem, "masks").answer
    prompt = write(Problem.parse(problem))
    claim = record(replace(items(1)[0], prompt=prompt, problem=problem, target=target))
    assert outcome(claim)[0] == PROVED
    assert outcome({**claim, "proof": {"facts": {"new moon": [fact, ""]}}})[0] == REFUTED, what


def test_what_is_given_names_its_sources():
    facts = [fact for item in items(20) for fact in proof.prove(item)["facts"].values()]
    assert len(facts) > 20
    assert all(len(source) > 5 and source != "the problem" for _, source in facts)


@slow
def test_no_other_set_of_dates_is_proved():
    rng, known = Random(1), items(30)
    for item in known[: max(6, some(30))]:
        genuine, days = record(item), item.target.split(", ")
        others = {other.target for other in known} - {item.target}
        wrong = [*rng.sample(sorted(others), 5), NONE, f"{item.target}, 2050-12-31"]
        wrong += [
            ", ".join(days[:-1]),
            ", ".join([*days, days[-1]]),
            item.target + " ",
            item.target.lower() + ",",
        ]
        for target in {*wrong} - {item.target}:
            assert outcome({**genuine, "target": target})[0] == REFUTED


@slow
def test_a_changed_prompt_is_proved_only_if_it_has_the_label():
    """Numbers, words and lines changed: what is still proved is what our reader and engine say, too."""
    rng, proved, other = Random(2), 0, 0
    for item in items(30):
        words = re.split(r"(\W+)", item.prompt)
        clues = item.prompt.index("How to read")
        inside = [at for at in range(len(words)) if len("".join(words[:at])) < clues]
        for _ in range(some(48)):
            mutant = list(words)
            at = rng.choice(inside if rng.random() < 0.8 else range(len(words)))
            kind = rng.randrange(3)
            if kind == 0:
                mutant[at] = rng.choice(words)
            elif kind == 1:
                mutant[at] = ""
            else:
                at = rng.choice([at for at in inside if words[at].isdecimal()])
                mutant[at] = re.sub(
                    r"\d+", lambda number: str(int(number[0]) + rng.choice([-1, 1])), mutant[at]
                )
            prompt = "".join(mutant)
            found, why = outcome(record(replace(item, prompt=prompt)))
            assert "not of the form" not in why, prompt
            problem = None if "no fact" in why else reading.read(prompt)
            holds = problem is not None and solve(problem, "masks").answer == item.target
            assert (found == PROVED) is holds, (why, prompt)
            proved, other = proved + holds, other + (not holds)
    assert proved > some(50)
    assert other > some(500)


@pytest.mark.parametrize(
    "change",
    [
        lambda years: years[1:],
        lambda years: years[:-1],
        lambda years: years[:40] + years[41:],
        lambda years: [[first, (leap + 1) % 13, lengths] for first, leap, lengths in years],
        lambda years: [[first, leap or 13, lengths] for first, leap, lengths in years],
        lambda years: [[first, leap or -1, lengths] for first, leap, lengths in years],
        lambda years: [[first, leap or None, lengths] for first, leap, lengths in years],
        lambda years: [[first.replace("-", ""), leap, lengths] for first, leap, lengths in years],
        lambda years: [[first, leap, lengths.replace("+-", "-+", 1)] for first, leap, lengths in years[:1]],
        lambda years: [[first, leap, lengths[:-1]] for first, leap, lengths in years],
        lambda years: [[first, leap, lengths.replace("+", "*")] for first, leap, lengths in years],
        lambda years: years[::-1],
        lambda years: [],
    ],
)  # fmt: skip
def test_a_table_of_months_with_a_gap_is_refused(change):
    item = next(item for item in items(10) if "lunar" in item.prompt)
    table = record(item)["proof"]
    broken = {**table, "chinese": change(table["chinese"])}
    assert outcome(record(item, proof=broken))[0] == REFUTED


def test_the_table_is_the_calendar():
    """Its first days are the Chinese New Years, its months as many as there are."""
    years = calendars.chinese_years()
    assert [first.year for first, _, _ in years] == list(range(1799, 2051))
    assert (
        sum(len(lengths) for _, _, lengths in years) == len(calendars.chinese_months()) + 12
    )  # 1799 but its last, 2050's last


@each(
    "facts",
    [
        {}, None, [], {"x": []}, {"x": [["1900"], ""]},
    ],
)  # fmt: skip
def test_missing_and_malformed_facts_are_refused(facts):
    item = next(item for item in items(5) if record(item)["proof"]["facts"])
    assert (
        outcome(record(item, proof={"facts": facts, "chinese": proof.prove(item)["chinese"]}))[0]
        == REFUTED
    )


@each(
    "terms",
    [
        [["1901-01-01", "1900-01-01"]], [["1901-01-01", "1902-01-01"], ["1902-01-01", "1903-01-01"]],
        [["1903-01-01", "1904-01-01"], ["1901-01-01", "1902-01-01"]], [["1901-01-01"]],
    ],
)  # fmt: skip
def test_terms_have_to_ascend_and_not_to_overlap(terms):
    clue = {"type": "office", "name": "A", "office": "B", "terms": [["1900-01-01", "1910-01-01"]]}
    problem = {"range": ["1890-01-01", "1900-01-02"], "clues": [clue]}
    claim = replace(
        items(1)[0],
        prompt=write(Problem.parse(problem)),
        problem=problem,
        target="1900-01-01, 1900-01-02",
    )
    genuine = record(claim)
    assert outcome(genuine)[0] == PROVED
    facts = {"A held the office of B": [terms, ""]}
    assert (
        outcome({**genuine, "target": NONE, "proof": {"facts": facts, "chinese": []}})[0] == REFUTED
    )
