"""Three ways to one solution set, ranges that are none, and bounds that every engine keeps."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path
from random import Random

import pytest
from cases import each, slow, some
from harness_timepuzzles import day_sets, engines, reading
from harness_timepuzzles.clues import catalogue
from harness_timepuzzles.day_sets import FIRST, LAST
from harness_timepuzzles.engines import solve
from harness_timepuzzles.engines.arithmetic import doubtful
from harness_timepuzzles.engines.arithmetic_clues import BOUNDS
from harness_timepuzzles.engines.days import by_day
from harness_timepuzzles.engines.masks import intersection
from harness_timepuzzles.problem import Problem, RangeError, answer, ends
from tp_worlds import SKY, STRATEGIES, bounds, clue_of, pool, solvable_problem, some_problem

from harness import Abstained, HarnessError

DAY = timedelta(days=1)
QUICKLY = tuple(name for name in STRATEGIES if name not in SKY)
DRAWN = tuple(name for name in QUICKLY if name not in ("years", "periods"))
BOUNDED = ("zodiac", "lunar_month", "islamic")


def both(problem, other):
    """The answers of the masks and of another engine; None if that one abstains."""
    try:
        second = solve(problem, other).answer
    except Abstained:
        second = None
    return solve(problem, "masks").answer, second


def test_masks_and_days_agree_on_random_problems_of_all_types():
    rng, solved, tried = Random(1), 0, max(len(QUICKLY), some(120))
    for number in range(tried):
        names = [list(QUICKLY)[number % len(QUICKLY)], *QUICKLY]
        problem = (
            some_problem(rng, names, years=8)
            if number % 2
            else solvable_problem(rng, DRAWN, years=8)
        )
        one, two = both(problem, "days")
        assert one == two, problem
        solved += one != "none"
    assert solved > tried // 2


def test_masks_and_days_agree_on_moon_and_sun():
    rng = Random(2)
    for number in range(16):
        problem = some_problem(rng, [SKY[number % 2], *QUICKLY], years=2)
        one, two = both(problem, "days")
        assert one == two, problem


def test_masks_and_arithmetic_agree_on_random_problems_of_all_types():
    rng, decided, solved = Random(3), 0, 0
    for number in range(some(1000)):
        names = [list(STRATEGIES)[number % len(STRATEGIES)], *STRATEGIES]
        problem = some_problem(rng, names) if number % 2 else solvable_problem(rng, DRAWN)
        one, two = both(problem, "arithmetic")
        if two is not None:
            assert one == two, problem
            decided, solved = decided + 1, solved + (one != "none")
    assert decided > some(900)
    assert solved > some(500)


@each("name", list(STRATEGIES))
def test_masks_and_arithmetic_agree_on_clues_alone_within_their_bounds(name):
    rng = Random(name)
    for clue in rng.sample(pool(name), min(max(3, some(12)), len(pool(name)))):
        first, last = bounds([clue])
        first = date.fromordinal(rng.randint(first.toordinal(), last.toordinal()))
        last = min(last, first + 20_000 * DAY)
        problem = {"range": [first.isoformat(), last.isoformat()], "clues": [clue.params()]}
        one, two = both(problem, "arithmetic")
        assert two in (one, None)
        assert two == one or name in (*SKY, "islamic", "zodiac", "lunar_month"), (
            "only the sky and the moon's months are ever doubtful"
        )


def test_a_problem_without_a_solution_is_answered_none():
    problem = {"range": ["1800-01-01", "2050-12-31"], "clues": [
        {"type": "month", "month": 2}, {"type": "day_of_month", "day": 30}]}  # fmt: skip
    assert {solve(problem, name).answer for name in ("masks", "days", "arithmetic")} == {"none"}
    assert answer([]) == "none"
    assert answer([date(1999, 1, 2), "2000-03-04"]) == "1999-01-02, 2000-03-04"


def test_the_engine_is_named_in_its_solution():
    problem = {"range": ["2000-01-01", "2000-01-02"], "clues": [{"type": "weekday", "weekday": 6}]}
    for name in ("masks", "days", "arithmetic"):
        found = solve(problem, name)
        assert (found.engine, found.answer) == (name, "2000-01-02")


def test_the_whole_calendar_can_be_the_range():
    problem = {"range": [FIRST.isoformat(), LAST.isoformat()], "clues": [
        {"type": "month", "month": 2}, {"type": "day_of_month", "day": 29},
        {"type": "weekday", "weekday": 6}]}  # fmt: skip
    answers = {solve(problem, name).answer for name in ("masks", "days", "arithmetic")}
    assert len(answers) == 1
    assert answers.pop().startswith("1728-02-29, 1756-02-29, 1784-02-29, 1824-02-29")


def test_one_day_can_be_the_range():
    for day in (FIRST, LAST):
        problem = {
            "range": [day.isoformat()] * 2,
            "clues": [{"type": "weekday", "weekday": day.weekday()}],
        }
        assert {solve(problem, name).answer for name in ("masks", "days", "arithmetic")} == {
            day.isoformat()
        }


# ---------------------------------------------------------------------------------- bounds


def bounds_of(name, engine):
    """First and last day on which an engine can speak of a type: arithmetic may know more days."""
    first, last = catalogue.TYPES[name].bounds
    if engine != "arithmetic":
        return first, last
    wider = tuple(map(date.fromisoformat, BOUNDS[name]))
    assert wider[0] <= first
    assert last <= wider[1]
    return wider


@pytest.mark.parametrize("engine", ["masks", "days", "arithmetic"])
@pytest.mark.parametrize("name", BOUNDED)
def test_every_engine_abstains_outside_the_bounds_of_a_clue(name, engine):
    first, last = bounds_of(name, engine)
    clue, other = pool(name)[0].params(), {"type": "month", "month": 3}
    for a, b in [
        (first - DAY, first + DAY),
        (last, last + DAY),
        (FIRST, LAST),
        (FIRST, first - DAY),
        (last + DAY, LAST),
    ]:
        for puzzle in ([clue], [other, clue]):
            with pytest.raises(Abstained, match=name) as caught:
                solve({"range": [a.isoformat(), b.isoformat()], "clues": puzzle}, engine)
            assert "\n" not in str(caught.value)
    assert solve({"range": [a.isoformat(), b.isoformat()], "clues": [other]}, engine)


@pytest.mark.parametrize("name", BOUNDED)
def test_no_engine_abstains_within_the_bounds(name):
    for a, b in [
        catalogue.TYPES[name].bounds,
        *((end, end) for end in catalogue.TYPES[name].bounds),
    ]:
        for clue in pool(name):
            problem = {"range": [a.isoformat(), b.isoformat()], "clues": [clue.params()]}
            one, two = both(problem, "arithmetic")
            # A beginning of a month can be too close to call for arithmetic.
            assert two == one or (two is None and doubtful(clue.params()))


# ---------------------------------------------------------------------------------- ranges


@each(
    "span",
    [
        ["1699-12-31", "1800-01-01"], ["2000-01-01", "2101-01-01"], ["2000-01-02", "2000-01-01"],
        ["1999-02-29", "2000-01-01"], ["1999-01-01", "2000-13-01"], ["1999", "2000"], ["", ""], ["x", "y"],
        ["19990101", "20000101"], ["1999-W01-1", "2000-01-01"], ["1999-01-01T00:00", "2000-01-01"], ["1999-01-01"],
        ["1999-01-01", "2000-01-01", "2001-01-01"], [], [1999, 2000], [None, None], "1999-01-01 2000-01-01", None, 7,
        ["1999-01-01\n", "2000-01-01"], ["１９９９-01-01", "2000-01-01"], ["99999-01-01", "2000-01-01"],
    ],
)  # fmt: skip
def test_a_range_that_is_none_is_refused_in_one_line(span):
    problem = {"range": span, "clues": [{"type": "month", "month": 3}]}
    for ask in (ends, lambda wrong: solve(wrong, "masks"), lambda wrong: solve(wrong, "days")):
        with pytest.raises(
            RangeError, match=r"^range.*YYYY-MM-DD$|expected two ascending dates"
        ) as caught:
            ask(problem)
        assert "\n" not in str(caught.value)
        assert isinstance(caught.value, HarnessError)


def test_a_clue_that_is_none_is_refused_by_every_engine():
    problem = {"range": ["1999-01-01", "2000-01-01"], "clues": [{"type": "monht", "month": 3}]}
    for name in ("masks", "days", "arithmetic"):
        with pytest.raises(HarnessError, match="monht"):
            solve(problem, name)


# ------------------------------------------------------------------------------ day by day


def test_by_day_tells_which_single_clue_is_broken():
    puzzle = [
        clue_of("month", {"month": 2}),
        clue_of("day_of_month", {"day": 29}),
        clue_of("weekday", {"weekday": 3}),
    ]
    first, last = date(1995, 1, 1), date(2005, 12, 31)
    right = []
    for number in range((last - first).days + 1):
        day = first + DAY * number
        broken = [at for at, clue in enumerate(puzzle) if not clue.holds(day)]
        if len(broken) < 2:
            right.append((day, broken))
    assert [*by_day(Problem(first, last, puzzle))] == right
    assert {tuple(broken) for _, broken in right} >= {(0,), (1,), (2,)}


def test_no_clues_leave_every_day():
    assert intersection([]) == day_sets.run(FIRST, LAST)
    assert [*by_day(Problem(LAST, LAST, []))] == [(LAST, [])]


def test_an_engine_is_never_asked_for_more_than_it_was_given():
    """Whatever is not "arithmetic" or "days" is the masks: the host passes only names of engines."""
    assert engines.solve({"range": ["2000-01-01", "2000-01-03"], "clues": [
        {"type": "weekday", "weekday": 0}]}, "masks").answer == "2000-01-03"  # fmt: skip


# ----------------------------------------------------------------- somewhere else on earth

SCRIPT = """
import hashlib, json
from random import Random
from harness_timepuzzles import engines
from harness_timepuzzles.answers import explain
from harness_timepuzzles import reading
from tp_worlds import FACTS, SKY, STRATEGIES, item_of, pool, some_problem, write
reading.known = lambda: (FACTS,)
rng, said = Random(7), []
names = [name for name in STRATEGIES if name not in SKY]
for number in range(40):
    problem = some_problem(rng, [names[number % len(names)], *names])
    prompt = write(problem)
    assert reading.read(prompt) == problem
    said += [prompt, engines.solve(problem, "masks").answer, explain.worked(item_of(problem))]
for kind, day in (("moon", "1999-08-11"), ("equinox", "1999-12-22"), ("moon", "2000-01-21")):
    from datetime import date
    said += [clue.sentence() for clue in pool(kind) if clue.holds(date.fromisoformat(day))]
print(json.dumps([len(said), hashlib.sha256("|".join(said).encode()).hexdigest(), said[-3:]]))
"""


@slow
def test_nothing_depends_on_time_zone_locale_or_hash_seed(monkeypatch, capsys):
    monkeypatch.setattr(reading, "known", reading.known)  # what the script replaces
    exec(SCRIPT, {})  # here; then somewhere else
    there = {"TZ": "Pacific/Kiritimati", "LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"}
    path = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, check=False,
        env={**os.environ, **there, "PYTHONHASHSEED": "1", "PYTHONPATH": path},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    found = [json.loads(said) for said in (capsys.readouterr().out, done.stdout)]
    assert found[0] == found[1]
    assert found[0][2] == [
        "It is the date of a new moon (UT).", "It is the date of the December solstice (UT).",
        "It is the date of a full moon (UT).",
    ]  # fmt: skip
