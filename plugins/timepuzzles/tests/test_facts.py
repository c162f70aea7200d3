"""The table of facts keeps its own rules and agrees with the sky; a user's bad file is told why."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
import yaml
from cases import each, slow, some
from harness_timepuzzles import facts, facts_file
from harness_timepuzzles.facts import Recurring, builtin, with_file
from harness_timepuzzles.facts_file import FactsError
from hypothesis import given, settings
from hypothesis import strategies as st

from harness import HarnessError

OWN = builtin()
HEAD = "kind,name,start,end,years,office,source\n"
MONDAY, SUNDAY = 0, 6


def load(path, own):
    """The facts of a file, on top of others if given."""
    made = facts._parsed(path, facts_file.content(path), own or facts.Facts())
    return own.with_more(made) if own else made


def edges():
    return [day for event in OWN.events for day in (event.start, event.end) if day]


# ------------------------------------------------------------------------------ our own table


def test_there_are_enough_facts_of_each_kind():
    assert len(OWN.events) >= 350
    assert sum(bool(event.end) for event in OWN.events) >= 80
    assert len(OWN.recurring) >= 30
    assert len(OWN.persons) >= 60
    assert len(OWN.offices) >= 70


def test_events_are_spread_over_the_time_the_months_and_the_days_of_the_month():
    halves = Counter(int(day[:4]) // 50 * 50 for day in edges())
    assert set(halves) == {1800, 1850, 1900, 1950, 2000}
    assert min(halves.values()) >= 40
    assert {int(day[5:7]) for day in edges()} == set(range(1, 13))
    assert min(Counter(day[5:7] for day in edges()).values()) >= 20
    assert {int(day[8:]) for day in edges()} == set(range(1, 32))


def test_every_event_is_known_to_the_day_and_lies_in_1800_to_2023():
    for day in edges():
        assert 1800 <= dt.date.fromisoformat(day).year <= 2023
        assert len(day) == 10


def test_no_event_goes_on_for_longer_than_five_years():
    for event in OWN.events:
        if event.end:
            span = dt.date.fromisoformat(event.end) - dt.date.fromisoformat(event.start)
            assert dt.timedelta(0) < span < dt.timedelta(5 * 366), event.name


def test_names_fit_into_a_sentence_and_are_in_order():
    for table in (OWN.events, OWN.recurring, OWN.persons):
        names = [record.name for record in table]
        assert names == sorted(set(names))
    for record in (*OWN.events, *OWN.recurring):
        assert record.name.startswith("the ") or re.match(r"[A-Z][\w ]+'s ", record.name), (
            record.name
        )
        assert ";" not in record.name
    holders = [(held.name, held.office) for held in OWN.offices]
    assert holders == sorted(set(holders))


def test_a_gloss_stands_in_parentheses_so_that_no_comma_ends_up_before_the_verb():
    named = [record.name for record in (*OWN.events, *OWN.recurring)]
    for name in (*named, *(record.name for record in (*OWN.persons, *OWN.offices))):
        outside = re.sub(r"\([^()]*\)", "", name)
        listed = re.sub(r"(?:, [^,]+)+ and ", "", outside)  # the commas of a list
        assert "," not in listed, name
        assert not re.search("[()]", outside), name


def test_no_event_tells_its_year_by_its_name():
    assert [
        event.name for event in OWN.events if re.search(r"\b(1[789]|20)\d\d\b", event.name)
    ] == []


def test_no_name_differs_from_another_only_in_case_or_punctuation():
    for table in (OWN.events, OWN.recurring, OWN.persons):
        plain = [re.sub(r"\W", "", record.name.lower()) for record in table]
        assert len(plain) == len(set(plain))


def test_every_fact_names_a_work_to_look_it_up_in_and_no_address():
    for record in (*OWN.events, *OWN.recurring, *OWN.persons, *OWN.offices):
        assert record.source, record.name
        assert not re.search("http|www", record.source)


def test_what_recurs_says_until_when_or_ended_by_itself():
    closed = {
        "Marie Curie's Nobel Prizes",
        "the flybys of giant planets by Voyager 2",
        "the Space Shuttle missions that serviced the Hubble Space Telescope",
        "the beginnings of eras in Japan (Meiji, Taishō, Shōwa, Heisei and Reiwa)",
    }
    for again in OWN.recurring:
        assert len(again.years) >= 2, again.name
        assert set(again.years) <= set(range(1800, 2025)), again.name
        said = re.search(r"(?:up to|to) (\d{4})", again.name)
        assert again.name in closed or (said and again.years[-1] <= int(said[1])), again.name


def test_lives_are_possible_ones():
    for person in OWN.persons:
        born, died = map(dt.date.fromisoformat, (person.born, person.died))
        assert dt.timedelta(0) < died - born < dt.timedelta(123 * 366), person.name
        assert 1810 < died.year <= 2023


def test_the_persons_span_the_time_of_the_events():
    for year in range(1800, 2000):
        alive = [p for p in OWN.persons if int(p.born[:4]) < year < int(p.died[:4])]
        assert alive, year


PRESIDENTS = """
Thomas Jefferson, James Madison, James Monroe, John Quincy Adams, Andrew Jackson, Martin Van Buren,
William Henry Harrison, -, Franklin Pierce, James Buchanan, Abraham Lincoln, Andrew Johnson,
Ulysses S. Grant, -, James A. Garfield, -, Grover Cleveland, Benjamin Harrison, Grover Cleveland,
William McKinley, Theodore Roosevelt, William Howard Taft, Woodrow Wilson, Warren G. Harding, -,
Herbert Hoover, Franklin D. Roosevelt, Harry S. Truman, Dwight D. Eisenhower, John F. Kennedy,
Lyndon B. Johnson, Richard Nixon, Gerald Ford, Jimmy Carter, Ronald Reagan, George H. W. Bush,
Bill Clinton, George W. Bush, Barack Obama"""


def test_presidents_follow_each_other_without_a_gap_where_both_are_there():
    terms = sorted(
        (first, last, held.name)
        for held in OWN.offices
        if held.office == "President of the United States"
        for first, last in held.terms
    )
    names = PRESIDENTS.replace("\n", " ").strip().split(", ")
    assert [name for _, _, name in terms] == [name for name in names if name != "-"]
    gaps = [(before[2], after[2]) for before, after in pairwise(terms) if before[1] != after[0]]
    expected = [(names[i - 1], names[i + 1]) for i, name in enumerate(names) if name == "-"]
    assert gaps == expected


@each("office", sorted({held.office for held in OWN.offices}))
def test_nobody_takes_an_office_before_another_has_left_it(office):
    terms = sorted(term for held in OWN.offices if held.office == office for term in held.terms)
    assert all(before[1] <= after[0] for before, after in pairwise(terms))
    assert all(first < last <= "2021-01-20" for first, last in terms)


def test_holders_are_grown_up_and_alive_in_office_if_their_life_is_in_the_table():
    lives = {person.name.split(" (")[0]: person for person in OWN.persons}
    both = [held for held in OWN.offices if held.name in lives]
    assert {held.name for held in both} >= {
        "Abraham Lincoln",
        "Winston Churchill",
        "Charles de Gaulle",
    }
    for held in both:
        life = lives[held.name]
        assert int(life.born[:4]) + 30 < int(held.terms[0][0][:4])
        assert held.terms[-1][1] <= life.died


WEEKDAYS = {
    "the Battle of Trafalgar": 0,
    "the Battle of Waterloo": 6,
    "the Battle of Antietam": 2,
    "Abraham Lincoln's Gettysburg Address": 3,
    "the collapse of the Tay Bridge under a train": 6,
    "the earthquake that destroyed much of San Francisco": 2,
    "the first powered flight of the Wright brothers near Kitty Hawk": 3,
    "the assassination of Archduke Franz Ferdinand in Sarajevo": 6,
    "the armistice that ended the fighting of the First World War on the Western Front": 0,
    "the start of the German invasion of Poland": 4,
    "the Japanese attack on Pearl Harbor (local date)": 6,
    "the Allied landings in Normandy on D-Day": 1,
    "the atomic bombing of Hiroshima (local date)": 0,
    "the start of the German invasion of the Soviet Union": 6,
    "the coronation of Queen Elizabeth II": 1,
    "the assassination of John F. Kennedy in Dallas": 4,
    "the closing of the border in Berlin with which the building of the Wall began": 6,
    "the release of Nelson Mandela from prison": 6,
    "the opening of the Berlin Wall": 3,
    "the conclusion of the Good Friday Agreement in Belfast": 4,
    "the loss of the Space Shuttle Challenger": 1,
    "the loss of the Space Shuttle Columbia": 5,
    "the eruption of Mount St. Helens that blew away its north flank": 6,
    "the launch of the James Webb Space Telescope": 5,
    "the coronation of King Charles III": 5,
    "the referendum in which the United Kingdom voted to leave the European Union": 3,
    "the earthquake off Sumatra that caused the great tsunami in the Indian Ocean": 6,
}


@each(("name", "weekday"), WEEKDAYS.items())
def test_a_well_known_weekday(name, weekday):
    assert dt.date.fromisoformat(OWN.event(name).start).weekday() == weekday


def test_easter_rising_and_good_friday_lie_where_easter_is():
    from dateutil.easter import easter

    rising = OWN.event(
        "the Easter Rising in Dublin (from its outbreak to Patrick Pearse's surrender)"
    )
    assert dt.date.fromisoformat(rising.start) == easter(1916) + dt.timedelta(1)
    friday = OWN.event("the conclusion of the Good Friday Agreement in Belfast")
    assert dt.date.fromisoformat(friday.start) == easter(1998) - dt.timedelta(2)


CORONATIONS = "the coronations of British monarchs in Westminster Abbey from 1801 to 2023"


@each(
    ("many", "name", "year"),
    [
        (
            "the Summer Olympic Games in London (up to 2024)",
            "the first Summer Olympic Games after the Second World War",
            1948,
        ),
        (
            "the Summer Olympic Games in London (up to 2024)",
            "the third Summer Olympic Games in London",
            2012,
        ),
        (
            "the Summer Olympic Games held in Tokyo (up to 2024, by the year in which they were actually held)",
            "the first Summer Olympic Games held",
            1964,
        ),
        (
            "the Summer Olympic Games held in Tokyo (up to 2024, by the year in which they were actually held)",
            "the Summer Olympic Games in Tokyo that",
            2021,
        ),
        (
            "the men's football World Cups held in France (up to 2022)",
            "the second men's football World Cup",
            1998,
        ),
        (CORONATIONS, "the coronation of Queen", 1953),
        (CORONATIONS, "the coronation of King", 2023),
    ],
)
def test_single_and_repeated_facts_agree(many, name, year):
    assert year in OWN.recurrence(many).years
    assert [event.start[:4] for event in OWN.events if event.name.startswith(name)] == [str(year)]


def test_popes_in_the_table_were_elected_in_the_years_of_elections():
    years = OWN.recurrence("the elections of popes from 1800 to 2013").years
    popes = [held for held in OWN.offices if held.office == "Pope"]
    assert len(popes) >= 12
    assert all(int(pope.terms[0][0][:4]) in years for pope in popes)


# --------------------------------------------------------------------------------- the sky

TOTALITY = {
    "the total solar eclipse whose path ran across southern France, northern Italy and Vienna": [
        (48.21, 16.37), (45.18, 9.16), (42.70, 2.89)],
    "the total solar eclipse during which the Sun's corona was first photographed successfully (at Königsberg)": [
        (54.71, 20.50)],
    "the total solar eclipse photographed by Warren De la Rue in Spain": [(42.71, -2.92)],
    "the total solar eclipse in India during which helium was first seen in the Sun's spectrum": [
        (16.30, 80.45)],
    "the total solar eclipse observed by Arthur Eddington on Príncipe": [(1.65, 7.40)],
    "the total solar eclipse whose path crossed Cornwall, Munich and Bucharest": [
        (50.15, -5.07), (48.14, 11.58), (44.43, 26.10)],
    "the total solar eclipse whose path crossed Ghana, Libya and Turkey": [
        (5.56, -0.20), (25.0, 18.3), (36.77, 31.39)],
    "the total solar eclipse whose path crossed the Faroe Islands and Svalbard": [
        (62.01, -6.77), (78.22, 15.65)],
    "the total solar eclipse whose path crossed Oregon and South Carolina": [
        (44.94, -123.03), (34.00, -81.03)],
}  # fmt: skip


def test_all_eclipses_of_the_table_are_recomputed():
    assert {event.name for event in OWN.events if "eclipse" in event.name} == set(TOTALITY)


@pytest.mark.parametrize("name", TOTALITY)
def test_the_eclipse_is_total_on_its_day_at_its_places(name):
    ephem = pytest.importorskip("ephem")
    event = OWN.event(name)
    midnight = ephem.Date(event.start.replace("-", "/"))
    assert event.end == ""
    for latitude, longitude in TOTALITY[name]:
        place = ephem.Observer()
        place.lat, place.lon, place.pressure = str(latitude), str(longitude), 0
        sun, moon = ephem.Sun(), ephem.Moon()
        best = 1.0
        for minute in range(1440):
            place.date = midnight + minute / 1440
            sun.compute(place)
            moon.compute(place)
            if sun.alt > 0:
                best = min(best, ephem.separation(sun, moon) - (moon.radius - sun.radius))
        assert best < 0, (latitude, longitude)


def transits():
    """The UTC days on which Venus stands before the Sun, seen from the Earth's centre, 1800-2050."""
    ephem = pytest.importorskip("ephem")
    sun, venus = ephem.Sun(), ephem.Venus()

    def gap(moment):
        sun.compute(moment)
        venus.compute(moment)
        return (
            float(ephem.separation(sun, venus)) - sun.radius if venus.earth_distance < 0.5 else 9.0
        )

    days = set()
    noon, last = ephem.Date("1800/1/1 12:00"), ephem.Date("2051/1/1")
    while noon < last:
        if gap(noon) < 0.03:  # Venus passes the Sun at less than 0.03 radians a day
            for quarter in range(-96, 97):
                moment = ephem.Date(noon + quarter / 96)
                if gap(moment) < 0:
                    days.add(moment.datetime().date().isoformat())
        noon += 1 if venus.earth_distance < 0.5 else 10
    return sorted(days)


@slow
def test_transits_of_venus_are_those_of_the_sky():
    days = transits()
    many = OWN.recurrence("the transits of Venus across the Sun from 1800 to 2050")
    assert sorted({int(day[:4]) for day in days}) == list(many.years)
    told = [event for event in OWN.events if "transit of Venus" in event.name]
    assert sorted(day for event in told for day in (event.start, event.end) if day) == days


def test_two_bodies_alone_put_halleys_comet_into_the_right_years():
    period = (
        17.834**1.5
    )  # years, from the mean distance of its 1986 orbit; planets shift it by months
    years = OWN.recurrence("the perihelion passages of Halley's Comet from 1800 to 2050").years
    assert years == tuple(int(1986.11 - turns * period) for turns in (2, 1, 0))
    assert 1986.11 - 3 * period < 1800
    assert 1986.11 + period > 2051


# --------------------------------------------------------------------------------- look-up


def test_a_record_is_found_by_its_exact_name_only():
    assert OWN.event("the Battle of Waterloo").start == "1815-06-18"
    assert OWN.event("the battle of Waterloo") is None
    assert OWN.event("Charles Darwin") is None
    assert OWN.person("Charles Darwin").born == "1809-02-12"
    assert OWN.recurrence("Marie Curie's Nobel Prizes").years == (1903, 1911)
    cleveland = OWN.office("Grover Cleveland", "President of the United States")
    assert cleveland.terms == (("1885-03-04", "1889-03-04"), ("1893-03-04", "1897-03-04"))
    assert OWN.office("Grover Cleveland", "Pope") is None


def test_our_table_is_made_once():
    assert builtin() is OWN
    assert len({OWN, builtin()}) == 1


# ------------------------------------------------------------------------------ a user's files


def written(folder: Path, text: str | bytes, name: str = "mine.csv") -> str:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


GOOD = HEAD + (
    'event,"the fair, as it was called",1901-05-03,1901-05-09,,,"Our Town, a history"\n'
    "event,the opening of our museum,1950,,,,\n"
    "\n"
    "recurring,the floods of our river,,,1903;1952;1953,,\n"
    "person,Erika Mustermann,1801-02-03,1890-04-05,,,\n"
    "office,Erika Mustermann,1850-01-01,1854-01-01,,Mayor of Our Town,\n"
    "office,Erika Mustermann,1840-01-01,1844-01-01,,Mayor of Our Town,\n"
)
GOOD_YAML = """\
- {kind: event, name: "the fair, as it was called", start: 1901-05-03, end: 1901-05-09, source: "Our Town, a history"}
- kind: event
  name: the opening of our museum
  start: 1950
  end: null
- {kind: recurring, name: the floods of our river, years: [1903, 1952, 1953]}
- {kind: person, name: Erika Mustermann, start: 1801-02-03, end: "1890-04-05", years: ~}
- {kind: office, name: Erika Mustermann, office: Mayor of Our Town, start: 1850-01-01, end: 1854-01-01}
- {kind: office, name: Erika Mustermann, office: Mayor of Our Town, start: 1840-01-01, end: 1844-01-01}
"""


@pytest.mark.parametrize(
    ("text", "name"),
    [(GOOD, "a.csv"), ("\ufeff" + GOOD, "a.CSV"), (GOOD.replace("\n", "\r\n"), "a.csv"),
     (GOOD_YAML, "a.yaml"), ("\ufeff" + GOOD_YAML, "a.yml")],
)  # fmt: skip
def test_a_good_file_says_the_same_in_every_form(tmp_path, text, name):
    made = load(written(tmp_path, text, name), None)
    assert made.event("the fair, as it was called") == facts.Event(
        "the fair, as it was called", "1901-05-03", "1901-05-09", "Our Town, a history"
    )
    assert made.event("the opening of our museum").start == "1950"
    assert made.recurring == (Recurring("the floods of our river", (1903, 1952, 1953), ""),)
    assert made.person("Erika Mustermann").died == "1890-04-05"
    assert made.office("Erika Mustermann", "Mayor of Our Town").terms == (
        ("1840-01-01", "1844-01-01"), ("1850-01-01", "1854-01-01"),
    )  # fmt: skip
    assert (len(made.events), len(made.persons), len(made.offices)) == (2, 1, 1)


def test_columns_that_nothing_fills_may_be_missing_and_stand_in_any_order(tmp_path):
    made = load(written(tmp_path, "name,start,kind\nthe fire,1871-10-08,event\n"), None)
    assert made.events == (facts.Event("the fire", "1871-10-08", "", ""),)


def test_a_file_comes_on_top_of_our_own(tmp_path):
    path = written(tmp_path, GOOD)
    both = with_file(path, True)
    assert len(both.events) == len(OWN.events) + 2
    assert both.event("the opening of our museum")
    assert both.event("the Battle of Waterloo")
    assert [e.name for e in both.events] == sorted(e.name for e in both.events)
    assert load(path, OWN) == both
    alone = with_file(path, False)
    assert alone == load(path, None)
    assert alone.event("the Battle of Waterloo") is None


def test_a_file_is_parsed_anew_only_when_it_has_changed(tmp_path):
    path = written(tmp_path, GOOD)
    first = with_file(path, True)
    assert with_file(path, True) is first
    written(tmp_path, GOOD.replace("1950", "1951"))
    assert with_file(path, True).event("the opening of our museum").start == "1951"
    with pytest.raises(FactsError):
        with_file(written(tmp_path, "no"), True)


def test_the_memory_of_files_is_bounded(tmp_path):
    for number in range(3 * facts.MAX_TABLES):
        with_file(written(tmp_path, GOOD, f"{number}.csv"), False)
    assert len(facts._tables) <= facts.MAX_TABLES


def test_rows_copied_from_our_own_table_are_welcome(tmp_path):
    path = written(tmp_path, HEAD + "event,the Battle of Waterloo,1815-06-18,,,,another book\n")
    assert with_file(path, True) == OWN
    assert len(with_file(path, False).events) == 1


def test_our_own_table_is_a_good_file_by_itself():
    assert load(str(Path(facts.__file__).with_name("facts.csv")), None) == OWN


def refusal(path: str, builtin_too: bool = True) -> str:
    with pytest.raises(FactsError) as caught:
        with_file(path, builtin_too)
    said = str(caught.value)
    assert isinstance(caught.value, HarnessError)
    assert said.startswith(f"{path}: ")
    assert "\n" not in said
    assert len(said) < len(path) + 400
    return said.removeprefix(f"{path}: ")


ALONE = "without the built-in facts it needs a fact of kind 'event' or 'recurring' at least"


def test_persons_alone_are_too_little_without_our_own(tmp_path):
    path = written(tmp_path, HEAD + "person,Erika Mustermann,1801-02-03,1890-04-05,,,\n")
    assert refusal(path, builtin_too=False) == ALONE
    assert with_file(path, True).person("Erika Mustermann")


DATE = "write YYYY-MM-DD, YYYY-MM or YYYY"
DAY = "write YYYY-MM-DD"
KIND = "known: event, office, person, recurring"

# What is wrong with the second row after the header, and what is said about it (row 3).
BAD_ROWS = {
    ",the X,1805-10-21,,,,": f"row 3 ('the X'): 'kind' is missing; {KIND}",
    "evnt,the X,1805-10-21,,,,": "row 3 ('the X'): kind 'evnt' is none; did you mean 'event'?",
    "war,the X,1805-10-21,,,,": f"row 3 ('the X'): kind 'war' is none; {KIND}",
    "event,,1805-10-21,,,,": "row 3: 'name' is missing, which every fact of kind event needs",
    "event,the X,,,,,": "row 3 ('the X'): 'start' is missing, which every fact of kind event needs",
    "person,Y,1805-10-21,,,,": "row 3 ('Y'): 'end' is missing, which every fact of kind person needs",
    "office,Y,1805-10-21,1806-10-21,,,": "row 3 ('Y'): 'office' is missing, which every fact of kind office needs",
    "recurring,the X,,,,,": "row 3 ('the X'): 'years' is missing, which every fact of kind recurring needs",
    "event,the X,1805-10-21,,1805;1806,,": "row 3 ('the X'): 'years' does not belong to a fact of kind event: "
    "leave it empty",
    "recurring,the X,1805-10-21,,1805;1806,,": "row 3 ('the X'): 'start' does not belong to a fact of kind "
    "recurring: leave it empty",
    "event,the X,1805-13-21,,,,": f"row 3 ('the X'): start '1805-13-21' is no date; {DATE}",
    "event,the X,1805-02-29,,,,": f"row 3 ('the X'): start '1805-02-29' is no date; {DATE}",
    "event,the X,21 October 1805,,,,": f"row 3 ('the X'): start '21 October 1805' is no date; {DATE}",
    "event,the X,18051021,,,,": f"row 3 ('the X'): start '18051021' is no date; {DATE}",
    "event,the X,1805-W43-1,,,,": f"row 3 ('the X'): start '1805-W43-1' is no date; {DATE}",
    "event,the X, 1805,,,,": f"row 3 ('the X'): start ' 1805' is no date; {DATE}",
    "event,the X,١٨٠٥,,,,": f"row 3 ('the X'): start '١٨٠٥' is no date; {DATE}",
    "event,the X,0000-01-01,,,,": f"row 3 ('the X'): start '0000-01-01' is no date; {DATE}",
    "event,the X,1805-10-21,1805-10-32,,,": f"row 3 ('the X'): end '1805-10-32' is no date; {DATE}",
    "person,Y,1805,1890-01-01,,,": f"row 3 ('Y'): start '1805' is no date; {DAY}",
    "office,Y,1805-01-01,1890-01,,Z,": f"row 3 ('Y'): end '1890-01' is no date; {DAY}",
    "event,the X,1699-12-31,,,,": "row 3 ('the X'): start '1699-12-31' lies outside 1700 to 2100",
    "event,the X,2101,,,,": "row 3 ('the X'): start '2101' lies outside 1700 to 2100",
    "event,the X,2100,2101,,,": "row 3 ('the X'): end '2101' lies outside 1700 to 2100",
    "event,the X,1805-10-21,1805-10-20,,,": "row 3 ('the X'): end '1805-10-20' is before start '1805-10-21'",
    "person,Y,1890-01-01,1805-01-01,,,": "row 3 ('Y'): end '1805-01-01' is before start '1890-01-01'",
    "event,the X,1805-10-21,1805-11,,,": "row 3 ('the X'): start '1805-10-21' and end '1805-11' must both have a "
    "day, or both end with the month or year",
    "recurring,the X,,,1908;19o8,,": "row 3 ('the X'): years: '19o8' is no year; write them like 1908;1948;2012",
    'recurring,the X,,,"1908, 1948",,': "row 3 ('the X'): years: '1908, 1948' is no year; write them like "
    "1908;1948;2012",
    "recurring,the X,,,1908;,,": "row 3 ('the X'): years: '' is no year; write them like 1908;1948;2012",
    "recurring,the X,,,1650;1908,,": "row 3 ('the X'): years: 1650 lies outside 1700 to 2100",
    "recurring,the X,,,1908;2101,,": "row 3 ('the X'): years: 2101 lies outside 1700 to 2100",
    "recurring,the X,,,1948;1908,,": "row 3 ('the X'): years: 1908 stands after 1948; they must ascend",
    "recurring,the X,,,1908;1908,,": "row 3 ('the X'): years: 1908 stands after 1908; they must ascend",
    "event,the fire,1905-10-21,,,,": "row 3 ('the fire'): the name of another event fact, in row 2; "
    "names must differ",
    "event,the X.,1805-10-21,,,,": "row 3 ('the X.'): 'name' ends in a full stop: it stands inside a sentence",
    "event, the X,1805-10-21,,,,": "row 3 (' the X'): 'name' begins or ends with a blank, or has two in a row",
    "event,the X ,1805-10-21,,,,": "row 3 ('the X '): 'name' begins or ends with a blank, or has two in a row",
    "event,the  X,1805-10-21,,,,": "row 3 ('the  X'): 'name' begins or ends with a blank, or has two in a row",
    'event,"the\nX",1805-10-21,,,,': "row 3 ('the�X'): 'name' has a line break, a tab or another character that does "
    "not print",
    "event,the\tX,1805-10-21,,,,": "row 3 ('the�X'): 'name' has a line break, a tab or another character that does "
    "not print",
    "event,the\u202eX,1805-10-21,,,,": "row 3 ('the�X'): 'name' has a line break, a tab or another character that "
    "does not print",
    "event,the first day of X,1805-10-21,,,,": "row 3 ('the first day of X'): 'name' begins like the clue about one "
    "end of an event: say it without the first or last day",
    "office,A held the office of B,1805-01-01,1806-01-01,,Z,": "row 3 ('A held the office of B'): 'name' has the "
    "words 'held the office of', which the clue itself says",
    "office,Y,1805-01-01,1806-01-01,,Z.,": "row 3 ('Y'): 'office' ends in a full stop: it stands inside a sentence",
    f"event,{'x' * 201},1805-10-21,,,,": f"row 3 ('{'x' * 60}…'): 'name' has 201 characters, at most 200 are allowed",
    "event,the X,1805": "row 3: 3 fields, but the header names 7; quote a field with a comma",
    "event,the X, in Y,1805,,,,": "row 3: 8 fields, but the header names 7; quote a field with a comma",
    'event,"the X"s,1805,,,,': "row 3: malformed CSV: ',' expected after '\"'",
    'event,"the X,1805,,,,': "row 3: malformed CSV: unexpected end of data",
    f'event,"{"x" * 140_000}",1805,,,,': f"row 3 ('{'x' * 60}…'): 'name' has 140000 characters, "
    "at most 200 are allowed",
}


@pytest.mark.parametrize(("row", "said"), BAD_ROWS.items(), ids=range(len(BAD_ROWS)))
def test_a_bad_row_is_named_with_what_would_be_right(tmp_path, row, said):
    path = written(tmp_path, f"{HEAD}event,the fire,1871-10-08,,,,\n{row}\n")
    assert refusal(path) == said
    assert refusal(path, builtin_too=False) == said


def test_row_numbers_count_blank_lines_as_a_spreadsheet_does(tmp_path):
    path = written(tmp_path, f"{HEAD}\n\nevent,the X,1805-1-1,,,,\n")
    assert refusal(path).startswith("row 4 ('the X'): start '1805-1-1'")


ACROSS = {
    "office,Y,1801-01-01,1805-01-01,,Z,\noffice,Y,1804-12-31,1809-01-01,,Z,\n": "row 3 ('Y'): the term from "
    "1804-12-31 overlaps the one to 1805-01-01 of the same holder",
    "office,Y,1805-01-01,1809-01-01,,Z,\noffice,Y,1801-01-01,1805-01-01,,Z,\n": "row 2 ('Y'): the term from "
    "1805-01-01 overlaps the one to 1805-01-01 of the same holder",
    "".join(
        f"office,Y,{1800 + n}-01-01,{1800 + n}-02-01,,Z,\n" for n in range(51)
    ): "row 52 ('Y'): more than 50 terms of one holder",
    "event,the Battle of Waterloo,1815-06-19,,,,\n": "'the Battle of Waterloo': the built-in facts have this "
    "name with other dates; choose another name",
    "person,Charles Darwin,1809-02-12,1882-04-20,,,\n": "'Charles Darwin': the built-in facts have this name with "
    "other dates; choose another name",
    "recurring,Marie Curie's Nobel Prizes,,,1903;1911;1912,,\n": "'Marie Curie's Nobel Prizes': the built-in "
    "facts have this name with other dates; choose another name",
    "office,Barack Obama,2009-01-20,2013-01-20,,President of the United States,\n": "'Barack Obama': the built-in "
    "facts have this name with other dates; choose another name",
    "": "has no facts",
}


@pytest.mark.parametrize(("rows", "said"), ACROSS.items(), ids=range(len(ACROSS)))
def test_rows_that_clash_with_others(tmp_path, rows, said):
    path = written(tmp_path, HEAD + rows)
    assert refusal(path) == said
    assert refusal(path, builtin_too=False) == said


HEADERS = {
    "kind,nmae,start\n": "row 1: unknown column 'nmae'; did you mean 'name'?",
    "kind,name,date\n": "row 1: unknown column 'date'; known: end, kind, name, office, source, start, years",
    "kind,name,start,name\n": "row 1: the column 'name' stands there twice",
    "name,start\n": "row 1: the column 'kind' is missing",
    "kind,start\n": "row 1: the column 'name' is missing",
    "event,the X,1805\n": "row 1: unknown column 'event'; known: end, kind, name, office, source, start, years",
    "\x00\n": "row 1: unknown column '�'; known: end, kind, name, office, source, start, years",
}


@pytest.mark.parametrize(("text", "said"), HEADERS.items(), ids=range(len(HEADERS)))
def test_bad_headers(tmp_path, text, said):
    assert refusal(written(tmp_path, text)) == said


EMPTY = "empty; it needs the names of the columns and a row for each fact"


@pytest.mark.parametrize(
    ("data", "name", "said"),
    [
        (b"", "a.csv", EMPTY),
        (b" \n\n", "a.yaml", EMPTY),
        (b"\xef\xbb\xbf", "a.csv", EMPTY),
        (HEAD.encode() + b"event,the \xe9tude,1805,,,,\n", "a.csv", "not UTF-8 text (byte 51)"),
        (GOOD.encode("utf-16"), "a.csv", "not UTF-8 text (byte 1)"),
        (GOOD.encode(), "a.json", "the name of a file of facts ends in .csv, .yaml or .yml"),
        (GOOD.encode(), "a", "the name of a file of facts ends in .csv, .yaml or .yml"),
        (b"x" * 5_000_001, "a.csv", "more than 5 MB, which is the most a file of facts may have"),
        (b"- " * 2_500_001, "a.yaml", "more than 5 MB, which is the most a file of facts may have"),
        (b"kind,name,start\n" + b"event,a,1805\n" * 20_001, "a.csv",
         "row 3 ('a'): the name of another event fact, in row 2; names must differ"),
        (b"- a\n" * 20_001, "a.yaml", "more than 20,000 rows"),
        (b"- [" + b"a," * 500_001 + b"]", "a.yaml", "more than 500,000 values"),
    ],
)  # fmt: skip
def test_files_that_are_none(tmp_path, data, name, said):
    assert refusal(written(tmp_path, data, name)) == said


def test_more_rows_than_there_may_be(tmp_path, monkeypatch):
    monkeypatch.setattr(facts_file, "MAX_ROWS", 20)
    rows = [f"event,the flood number {n},1805-10-21\n" for n in range(21)]
    assert len(load(written(tmp_path, "kind,name,start\n" + "".join(rows[:20])), None).events) == 20
    path = written(tmp_path, "kind,name,start\n" + "".join(rows), "b.csv")
    assert refusal(path) == "more than 20 rows"


def test_files_that_cannot_be_read(tmp_path):
    assert refusal(str(tmp_path / "none.csv")) == "cannot be read: No such file or directory"
    assert refusal(str(tmp_path)) == "cannot be read: Is a directory"
    assert refusal("a\0b.csv") == "cannot be read: embedded null byte"


LIST = "a list of facts is needed, each a mapping with kind, name, start …"
BAD_YAML = {
    "kind: event\nname: the X\n": LIST,
    "the X": LIST,
    "# nothing\n": LIST,
    "[]": "has no facts",
    "- the X\n": "row 1: a mapping is needed, with kind, name, start …",
    "- - kind\n": "row 1: a mapping is needed, with kind, name, start …",
    "- {kind: event, nmae: the X}\n": "row 1: unknown column 'nmae'; did you mean 'name'?",
    "- {kind: event, kind: event, name: the X}\n": "row 1: the column 'kind' stands there twice",
    "- {kind: event, start: 1805}\n": "row 1: the column 'name' is missing",
    "- {kind: event, name: the X, start: [1805]}\n": "row 1: 'start' must be text, not a list or a mapping",
    "- {kind: event, name: {a: b}, start: 1805}\n": "row 1: 'name' must be text, not a list or a mapping",
    "- {kind: recurring, name: the X, years: {a: b}}\n": "row 1: 'years' must be text, not a list or a mapping",
    "- {kind: recurring, name: the X, years: []}\n": "row 1 ('the X'): 'years' is missing, which every fact of kind "
    "recurring needs",
    "- {kind: recurring, name: the X, years: [1908.5]}\n": "row 1 ('the X'): years: '1908.5' is no year; write them "
    "like 1908;1948;2012",
    "- {kind: event, name: the X, start: 1805-13-21}\n": f"row 1 ('the X'): start '1805-13-21' is no date; {DATE}",
    "- {kind: event, name: the X, start: 1805-10-21T10:00:00Z}\n": "row 1 ('the X'): start '1805-10-21T10:00:00Z' is "
    f"no date; {DATE}",
    "- {kind: event, name: null, start: 1805}\n": "row 1: 'name' is missing, which every fact of kind event needs",
    "- {kind: event, name: the X, start: 1805}\n- {kind: event, name: the X, start: 1806}\n": "row 2 ('the X'): the "
    "name of another event fact, in row 1; names must differ",
    "- &a {kind: event, name: the X, start: 1805}\n- *a\n": "line 2: an alias (*a); write it out",
    "- {kind: recurring, name: the X, years: [[1805]]}\n": "line 1: nested too deep for a list of mappings",
    "[" * 100_000: "line 1: nested too deep for a list of mappings",
    "- {a: " + "{a: " * 50_000: "line 1: nested too deep for a list of mappings",
}


@pytest.mark.parametrize("loader", ["C", "Python"])
@pytest.mark.parametrize(("text", "said"), BAD_YAML.items(), ids=range(len(BAD_YAML)))
def test_bad_yaml(tmp_path, monkeypatch, text, said, loader):
    if loader == "Python":
        monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    assert refusal(written(tmp_path, text, "mine.yaml")) == said


@pytest.mark.parametrize(
    "text", ["- {kind: event", "- a: b: c", "- 'x", "\x00", "- a\n--- b\n", "- %", "- !<\n"]
)
def test_yaml_that_is_malformed(tmp_path, text):
    said = refusal(written(tmp_path, text, "mine.yaml"))
    assert re.match(r"(line \d: )?malformed YAML: ", said)


def test_yaml_is_never_made_into_objects(tmp_path):
    text = "- {kind: event, name: !!python/object/apply:os.getcwd [], start: 1805}\n"
    assert (
        refusal(written(tmp_path, text, "a.yaml"))
        == "row 1: 'name' must be text, not a list or a mapping"
    )
    text = '- {kind: event, name: !!python/name:os.system "", start: 1805}\n'
    assert refusal(written(tmp_path, text, "b.yaml")).startswith("row 1: 'name' is missing")


def test_yaml_words_stay_words(tmp_path):
    text = "- {kind: event, name: no, start: 1805}\n- {kind: event, name: 1e3, start: 1805}\n"
    made = load(written(tmp_path, text, "a.yaml"), None)
    assert [event.name for event in made.events] == ["1e3", "no"]


@settings(max_examples=some(75), deadline=None)
@given(
    st.text(max_size=60) | st.lists(st.sampled_from(
        ["kind", "name", "event", "start", ",", ":", "-", " ", "\n", '"', "1805", "{", "}", "[", "&a", "*a"]
    ), max_size=30).map("".join),
    st.sampled_from([".csv", ".yaml"]),
)  # fmt: skip
def test_no_text_at_all_breaks_the_loader(tmp_path_factory, text, suffix):
    path = str(tmp_path_factory.getbasetemp() / f"any{suffix}")
    Path(path).write_bytes(text.encode("utf-8", "surrogatepass"))
    said = "fine"
    try:
        load(path, OWN)
    except FactsError as error:
        said = str(error)
    assert len(said.splitlines()) == 1
