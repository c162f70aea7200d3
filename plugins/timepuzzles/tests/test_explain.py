"""Worked solutions: every clue in an order, the dates it leaves, the solutions at the end."""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from random import Random

import pytest
from cases import some
from harness_timepuzzles import day_sets
from harness_timepuzzles.answers.explain import worked
from harness_timepuzzles.clues import catalogue
from harness_timepuzzles.clues.clue import mask
from tp_worlds import NAMED, SKY, STRATEGIES, clue_of, item_of, pool, solvable_problem, some_problem

QUICKLY = tuple(name for name in STRATEGIES if name not in SKY)
DRAWN = tuple(name for name in QUICKLY if name not in ("years", "periods"))
STEP = re.compile(r"^Clue (\d+): (.*)\n  (.*)$", re.M)


def steps(text: str) -> list[tuple[int, str, str]]:
    """Number, what is said of the clue, and what it leaves, of each step; nothing else is said."""
    found = STEP.findall(text)
    assert 2 * len(found) == len(text.split("\n"))
    return [(int(number), said, end) for number, said, end in found]


def dates(end: str) -> list[str]:
    """The dates that a last line leaves, periods written out."""
    found: list[str] = []
    for part in end.partition(": ")[2].rstrip(".").split(", "):
        first, _, last = part.partition(" to ")
        run = day_sets.run(date.fromisoformat(first), date.fromisoformat(last or first))
        found += [day.isoformat() for day in day_sets.days(run)]
    return found


@cache
def items():
    rng = Random(1)
    problems = [some_problem(rng, QUICKLY) for _ in range(some(100))]
    problems += [solvable_problem(rng, DRAWN) for _ in range(some(100))]
    return [item_of(problem) for problem in problems]


def test_every_clue_is_used_once_and_said():
    for item in items():
        found = steps(worked(item))
        assert sorted(number for number, _, _ in found) == [
            *range(1, len(item.problem["clues"]) + 1)
        ]
        for number, said, _ in found:
            assert said.startswith(catalogue.parse(item.problem["clues"][number - 1]).sentence())


def test_long_lists_come_last_narrow_clues_first_and_nothing_ever_comes_back():
    for item in items():
        found = steps(worked(item))
        left = [0 if end.startswith("No ") else int(end.split()[0]) for _, _, end in found]
        assert left == sorted(left, reverse=True)
        span = day_sets.run(*map(date.fromisoformat, item.problem["range"]))
        puzzle = catalogue.parse_all(item.problem)
        keys = [(clue.costly, (mask(clue) & span).bit_count()) for clue in puzzle]
        assert left[0] == min(keys)[1]
        assert [keys[number - 1] for number, _, _ in found] == sorted(keys)


def test_it_ends_at_the_solutions():
    listed = 0
    for item in items():
        end = steps(worked(item))[-1][2]
        right = item.certificate["solutions"]
        if not right:
            assert end == "No date is left."
        elif ": " in end:
            assert dates(end) == right
            listed += 1
        else:
            assert end == f"{len(right)} dates are left."
            assert len(right) > 14
    assert listed > some(20)


def test_one_to_six_dates_are_always_listed():
    """As many solutions as the default configuration asks for."""
    rng, met = Random(2), 0
    for _ in range(some(200)):
        item = item_of(solvable_problem(rng, DRAWN))
        right = item.certificate["solutions"]
        if 1 <= len(right) <= 14:
            assert dates(steps(worked(item))[-1][2]) == right
            met += 1
    assert met > some(40)


def test_it_never_says_answer():
    for item in items():
        assert "Answer:" not in worked(item)
        assert "answer" not in worked(item).lower()


MEANT = re.compile(r"\. That is, from (\S+) to (\S+): (.*)$")


def test_what_needs_knowledge_is_spelled_out_for_the_dates_that_are_left_and_nothing_else():
    for item in items():
        left = day_sets.run(*map(date.fromisoformat, item.problem["range"]))
        for number, said, _ in steps(worked(item)):
            clue = catalogue.parse(item.problem["clues"][number - 1])
            meant = MEANT.search(said)
            assert (meant is not None) == (clue.implicit and left != 0)
            if meant:
                assert meant[1] == str(day_sets.days(left)[0])
                assert meant[2] == str(day_sets.days(left)[-1])
            left &= mask(clue)


@pytest.mark.parametrize(
    "name", [*NAMED, "zodiac", "games", "lunar_month", "easter", "hebrew", "islamic", "equinox"]
)
def test_meanings_are_short_and_begin_like_the_explicit_clue(name):
    for clue in pool(name)[: max(4, some(30))]:
        span = clue.bounds
        problem = {"range": [day.isoformat() for day in span], "clues": [clue.params()]}
        said = MEANT.search(worked(item_of(problem)).split("\n")[0])[3]
        whole = clue.explicit(*span).sentence()
        assert len(said) <= 820
        assert said == whole or (
            said.endswith(", and so on.") and whole.startswith(said.removesuffix(", and so on."))
            and len(said) > 600
        )  # fmt: skip


def test_a_long_list_of_years_is_cut_after_a_year():
    years = list(range(1701, 2101, 2))
    clue = clue_of("recurring", {"name": "rain", "years": years})
    problem = {"range": ["1700-01-01", "2100-12-31"], "clues": [clue.params()]}
    line = worked(item_of(problem)).split("\n")[0]
    assert ": The year is one of these: 1701, 1703, " in line
    assert re.search(r"\d{4}, and so on\.$", line)


def test_the_words_of_a_worked_solution():
    problem = {"range": ["1990-01-01", "2010-12-31"], "clues": [
        {"type": "month", "month": 2}, {"type": "day_of_month", "day": 10},
        {"type": "games", "games": "winter_olympics"}, {"type": "weekday", "weekday": 1},
    ]}  # fmt: skip
    assert (
        worked(item_of(problem))
        == """\
Clue 2: The day of the month is 10.
  252 dates are left.
Clue 1: The month is February.
  21 dates are left.
Clue 4: It is a Tuesday.
  3 dates are left: 1998-02-10, 2004-02-10, 2009-02-10.
Clue 3: Winter Olympic Games were held in that year. That is, from 1998-02-10 to 2009-02-10: \
The year is one of these: 1998, 2002, 2006.
  1 date is left: 1998-02-10."""
    )
