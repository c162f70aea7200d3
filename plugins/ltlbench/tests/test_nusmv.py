"""NuSMV text: what is written can be read, means the same, and the published code is understood."""

from __future__ import annotations

import csv
import re
from itertools import product
from pathlib import Path
from random import Random

import pytest
from cases import each, some
from harness_ltlbench.formula import validate
from harness_ltlbench.published.nusmv import MAX_TEXT, parse, source
from hypothesis import given, settings
from hypothesis import strategies as st
from ltl_random import by_levels
from pace import within

from harness import DatasetError

DATA = Path(__file__).parents[3].parent / "shared" / "data" / "ltlbench"
QUICK = settings(max_examples=some(300), deadline=None, derandomize=True, database=None)
NATIVE = ("X", "F", "G", "!", "&", "|", "->", "U", "R")


def random_problem(rng, known=NATIVE):
    events = rng.choice((1, 2, 3, 4, 9, rng.randint(1, 60)))
    pairs = product(range(1, events + 1), repeat=2)
    density = rng.random()
    edges = [list(pair) for pair in pairs if rng.random() < density]
    lonely = {s for s, t in edges if s == t} - {s for s, t in edges if s != t}
    return {
        "task": "decide",
        "events": events,
        "initial": rng.randint(1, events),
        "edges": [edge for edge in edges if edge[0] not in lonely],
        "formula": by_levels(rng, events, rng.choice((0, 1, 2, 3, 9, 50)), known),
    }


EXAMPLE = {
    "task": "decide",
    "events": 3,
    "initial": 3,
    "edges": [[1, 2], [1, 3], [3, 1]],
    "formula": ["->", 1, ["G", ["F", 2]]],
}
TEXT = """MODULE main
VAR
    state : {event1, event2, event3};
ASSIGN
    init(state) := event3;
    next(state) := case
        state = event1 : {event2, event3};
        state = event2 : event2;
        state = event3 : event1;
    esac;
LTLSPEC ((state=event1) -> (G (F (state=event2))))
"""


def test_the_text_of_an_example():
    assert source(EXAMPLE) == TEXT
    assert parse(TEXT) == EXAMPLE
    assert parse(TEXT.replace("    ", "\t").replace("\n", "\r\n")) == EXAMPLE


def test_one_event_alone():
    alone = {"task": "decide", "events": 1, "initial": 1, "edges": [], "formula": 1}
    assert "state : {event1};" in source(alone)
    assert "state = event1 : event1;" in source(alone)
    assert parse(source(alone)) == alone
    assert source(dict(alone, edges=[[1, 1]])) == source(alone)


@QUICK
@given(st.integers(0, 2**64))
def test_reading_undoes_writing(seed):
    problem = random_problem(Random(seed))
    assert parse(source(problem)) == problem


@pytest.mark.parametrize("operator", ["W", "M"])
def test_what_nusmv_lacks_keeps_its_meaning(operator):
    spot = pytest.importorskip("spot")
    rng = Random(operator)
    for _ in range(150):
        formula = by_levels(rng, 3, rng.randint(1, 4), (operator, "X", "U", "R", "!", "|"))
        formula = [operator, formula, rng.randint(1, 3)] if rng.random() < 0.5 else formula
        text = source(dict(EXAMPLE, formula=formula)).split("LTLSPEC ")[1]
        assert re.fullmatch("[()XFGUV!&| state=event123\n]+", text)
        ours = re.sub(r"state=event(\d)", r"e\1", text)
        assert spot.are_equivalent(spot.formula(ours), spot.formula(infix(formula)))


def infix(formula):
    if isinstance(formula, int):
        return f"e{formula}"
    operator, *parts = formula
    if len(parts) == 1:
        return f"({operator} {infix(parts[0])})"
    return f"({infix(parts[0])} {operator} {infix(parts[1])})"


@pytest.mark.parametrize("operator", ["W", "M"])
def test_nested_w_and_m_stay_short(operator):
    left = right = balanced = 1
    for i in range(200):
        left, right = [operator, left, i % 3 + 1], [operator, i % 3 + 1, right]
    for _ in range(7):
        balanced = [operator, balanced, balanced]
    for formula in (left, right, balanced):
        assert validate(formula, 3) <= 200
        assert len(source(dict(EXAMPLE, formula=formula))) < 100_000


@each(
    ("old", "new", "reason"),
    [
        ("MODULE main", "MODULE other", "not a NuSMV module"),
        ("esac;", "", "not a NuSMV module"),
        ("-> ", "-- ", "LTLSPEC in code has '--"),
        ("state = event2 : event2;", "", "lacks a case arm"),
        ("event2 : event2", "event1 : event2", "two case arms for event1; NuSMV takes the first"),
        ("event2 : event2;", "event2 : event2", "case arm"),
        ("event3 : event1;", "event3 : event1", "without its semicolon"),
        ("event2 : event2", "event2 : event4", "unknown event4"),
        ("event2 : event2", "event2 : {event2, event2}", "twice"),
        ("event2 : event2", "event2 : {}", "where an event is due"),
        ("event2 : event2", "event2 : event02", "case arm"),
        ("event2 : event2", "TRUE : event2", "case arm"),
        ("{event1, event2, event3}", "{event1, event2}", "unknown event3"),
        ("{event1, event2, event3}", "{event1, event2, event4}", "declares states other than"),
        ("{event1, event2, event3}", "{event1, event2, other}", "where an event is due"),
        ("init(state) := event3", "init(state) := event4", "unknown event4"),
        ("state=event2", "state=event4", "event4"),
        ("state=event2", "state=event2000", "event2000"),
        ("(F ", "(H ", "LTLSPEC in code has 'H"),
        ("(F (state=event2))", "(F )", "not one operator"),
        ("(G (F ", "(G F ", "not one operator"),
        ("))))", ")))))", "parenthesis too many"),
        ("))))", ")))", "lacks a closing"),
        ("(state=event1) ->", "->", "not one operator"),
        ("(state=event1) ->", "(state=event1) X", "not one operator"),
        ("(state=event1) ->", "() ->", "not one operator"),
        ("))))", "))))\nLTLSPEC (state=event1)", "LTLSPEC in code has"),
    ],
)
def test_what_is_refused(old, new, reason):
    assert old in TEXT
    with pytest.raises(DatasetError, match=reason) as caught:
        parse(TEXT.replace(old, new, 1) if old != "))))" else TEXT.replace(old, new))
    assert "\n" not in str(caught.value)


def _sized(unit, head="", tail=""):
    return head + unit * ((MAX_TEXT - len(head) - len(tail)) // len(unit)) + tail


HEAD, TAIL = TEXT.split("((state=event1)")[0], TEXT.split("case\n")[1]
BIG = {
    "nothing": _sized(" "),
    "brackets": _sized("(", HEAD),
    "pairs of brackets": _sized("()", HEAD),
    "operators": _sized("! ", HEAD),
    "deep operators": _sized("(! ", HEAD),
    "spaces between the arms": _sized(" ", TEXT.split("state = event2")[0], "x"),
    "arms": _sized("state = event1 : event1;", TEXT.split("state = event2")[0], TAIL),
    "ends": _sized(" esac;", TEXT.split("esac")[0]),
    "followers": _sized("event1, ", TEXT.split("{event2")[0] + "{", "event2};" + TAIL),
    "states": _sized("event1, ", TEXT.split("event1")[0], TEXT.split("{event1")[1]),
    "too long": TEXT + " " * MAX_TEXT,
}


@each("name", BIG)
def test_a_megabyte_is_refused_at_once(name):
    with within(2):
        with pytest.raises(DatasetError) as caught:
            parse(BIG[name])
        assert len(str(caught.value)) < 200


@QUICK
@given(st.text(max_size=60), st.integers(0, len(TEXT)), st.integers(0, 60))
def test_any_text_is_a_problem_or_a_dataset_error(text, at, length):
    result = outcome(TEXT[:at] + text + TEXT[at + length :])
    assert "\n" not in result if isinstance(result, str) else parse(source(result)) == result


def outcome(text):
    try:
        return parse(text)
    except DatasetError as error:
        return str(error)


@pytest.mark.skipif(not DATA.is_dir(), reason=f"the published data is not at {DATA}")
def test_published_code_is_what_we_would_write():
    count = 0
    for path in sorted(DATA.glob("*.csv")):
        with path.open(newline="", encoding="utf-8") as file:
            for record in csv.DictReader(file):
                problem = parse(record["code"])
                assert source(problem).split() == record["code"].split()
                count += 1
    assert count == 1200
