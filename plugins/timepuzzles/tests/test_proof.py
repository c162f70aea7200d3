"""Complete certificates: every label of the default types has one; nothing changed proves what is not so."""

import json
import re
from dataclasses import replace
from random import Random

import pytest
from cases import each
from harness_proof import PROVED, REFUTED, UNCHECKED, outcome
from harness_timepuzzles import calendars, proof, reading
from harness_timepuzzles.engines import solve
from harness_timepuzzles.problem import NONE, Problem
from harness_timepuzzles.wording import write

from harness.core import fresh
from harness.core.plugins import registry
from harness.core.spec import make


def items(n=20, **settings):
    plugin = registry().get("timepuzzles")
    return list(fresh.items(plugin, make(plugin, {"n": n, **settings})))


def record(item, **changes):
    data = {"plugin": "timepuzzles", "prompt": item.prompt, "target": item.target}
    return json.loads(json.dumps({**data, "proof": proof.prove(item), **changes}))


@each(
    "settings",
    [
        {}, {"mode": "spelled"}, {"mode": "explicit"}, {"calendar_clue": True}, {"difficulty": 1}, {"solutions": "0"},
        {"from_year": 1950, "to_year": 1999, "necessary": "none"},
    ],
)  # fmt: skip
def test_every_label_of_the_default_types_has_one(settings):
    for item in items(15, **settings):
        found, given = outcome(record(item))
        assert found == PROVED, given
        assert re.fullmatch(r"given facts: \d+, years of the Chinese calendar: \d+", given)


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
    {"type": "recurring", "name": "A", "years": [1899, 1900, 1904]},
    {"type": "years", "years": [1896, 1905]}, {"type": "years", "years": []}, {"type": "periods", "periods": []},
    {"type": "periods", "periods": [["1899-12-31", "1899-12-31"], ["1900-02-28", "1900-03-01"]]},
    {"type": "periods", "periods": [["1899-12-31", "1900-01-01"]]},
]  # fmt: skip


@each("clue", CLUES)
def test_a_clue_alone_allows_the_days_that_our_engine_says(clue):
    item = items(1)[0]
    for first, last in (
        ("1888-02-29", "1908-11-30"),
        ("1899-12-31", "1904-02-29"),
        ("2000-02-28", "2001-01-01"),
    ):
        problem = {"range": [first, last], "clues": [clue]}
        target = solve(problem, "masks").answer
        claim = replace(item, prompt=write(Problem.parse(problem)), problem=problem, target=target)
        assert outcome(record(claim))[0] == PROVED
        other = ", ".join(target.split(", ")[1:]) or ("2000-03-01" if target == NONE else NONE)
        assert outcome(record(replace(claim, target=other)))[0] == REFUTED


def test_other_clues_are_said_to_be_unknown():
    assert UNCHECKED in {outcome(record(item))[0] for item in items(10, extra=["all"], clues="4")}


def test_what_is_given_names_its_sources():
    facts = [fact for item in items(20) for fact in proof.prove(item)["facts"].values()]
    assert len(facts) > 20
    assert all(len(source) > 5 and source != "the problem" for _, source in facts)


def test_no_other_set_of_dates_is_proved():
    rng, known = Random(1), items(30)
    for item in known:
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


def test_a_changed_prompt_is_proved_only_if_it_has_the_label():
    """Numbers, words and lines changed: what is still proved is what our reader and engine say, too."""
    rng, proved, other = Random(2), 0, 0
    for item in items(30):
        words = re.split(r"(\W+)", item.prompt)
        clues = item.prompt.index("How to read")
        inside = [at for at in range(len(words)) if len("".join(words[:at])) < clues]
        for _ in range(40):
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
    assert proved > 50
    assert other > 500


@pytest.mark.parametrize(
    "change",
    [
        lambda years: years[1:],
        lambda years: years[:-1],
        lambda years: years[:40] + years[41:],
        lambda years: [[first, (leap + 1) % 13, lengths] for first, leap, lengths in years],
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
