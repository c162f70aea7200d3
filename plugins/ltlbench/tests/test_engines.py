"""The engines against each other, against known cases, and against their own bounds."""

import os
import random
import subprocess
import sys
from functools import reduce
from pathlib import Path

import pytest
from cases import each, slow, some
from harness_logic import spot_library
from harness_ltlbench.engines import closure, lasso, pymodelchecking, spot, tableau
from harness_ltlbench.formula import validate
from ltl_random import ALL, BINARY, PAPER, TEMPORAL, UNARY, by_levels

from harness import Abstained


def random_problem(rng, events, operators, names=ALL):
    """Edges include loops; events without an edge out are frequent."""
    count = int(events * rng.choice((0.5, 1, 1.5, 2, 3)))
    edges = {(rng.randint(1, events), rng.randint(1, events)) for _ in range(count)}
    formula = by_levels(rng, events, operators, names)
    validate(formula, events)
    return problem(formula, sorted(edges), events, rng.randint(1, events))


def problem(formula, edges=(), events=3, initial=1):
    return {
        "task": "decide",
        "events": events,
        "initial": initial,
        "edges": [list(edge) for edge in edges],
        "formula": formula,
    }


def assert_violates(asked, path):
    assert lasso.path_errors(asked, path) is None
    assert not lasso.holds(asked["formula"], path["prefix"], path["cycle"])


def tableau_label(asked):
    result = tableau.check(asked)
    assert (result.violation is None) == result.holds
    if not result.holds:
        assert_violates(asked, result.violation)
    return result.holds


def spot_label(asked):
    result = spot.check(asked, violation=True)
    assert spot.check(asked) == spot.SpotResult(result.holds)
    assert (result.violation is None) == result.holds
    if not result.holds:
        assert_violates(asked, result.violation)
    return result.holds


def pymc_label(asked):
    return pymodelchecking.check(asked).holds


ENGINES = {"tableau": tableau_label, "spot": spot_label, "pymc": pymc_label}
engines = each("label", ENGINES.values())


@engines
@each(
    ("formula", "edges", "expected"),
    [
        (["X", 1], [], True),  # an event without an edge out repeats forever
        (["G", 1], [], True),
        (["X", 1], [(1, 1)], True),
        (["X", 1], [(1, 2)], False),
        (["X", ["X", 2]], [(1, 2)], True),
        (["U", 1, 2], [(1, 1), (1, 2)], False),  # the path may stay at 1
        (["W", 1, 2], [(1, 1), (1, 2)], True),
        (["U", 1, 2], [(1, 2)], True),
        (["U", 3, 1], [], True),
        (["R", 2, 1], [], True),
        (["M", 2, 1], [], False),
        (["R", 2, 1], [(1, 2)], False),  # 1 has to hold at the moment of 2 as well
        (["R", 2, ["|", 1, 2]], [(1, 2), (2, 3)], True),
        (["M", 2, ["|", 1, 2]], [(1, 2), (2, 3)], True),
        (["M", 2, ["|", 1, 2]], [(1, 1), (1, 2)], False),
        (["G", ["F", 1]], [(1, 2), (2, 1)], True),
        (["G", ["F", 1]], [(1, 2), (2, 1), (2, 2)], False),
        (["F", ["G", 2]], [(1, 1), (1, 2)], False),
        (["|", ["F", ["G", 2]], ["G", ["F", 1]]], [(1, 1), (1, 2)], True),
        (["F", ["G", ["|", 1, 2]]], [(1, 2), (2, 1), (2, 3), (3, 1)], False),
        (["->", ["G", ["F", 2]], ["G", ["F", 1]]], [(1, 2), (2, 1), (2, 2)], False),
        (["G", ["->", 1, ["X", 2]]], [(1, 2), (2, 1)], True),
        (["F", 3], [(1, 2)], False),  # 3 cannot be reached
        (["!", ["F", 3]], [(1, 2)], True),
        (["&", 1, ["!", 1]], [], False),
        (["|", ["X", 2], ["X", ["!", 2]]], [(1, 2), (1, 3)], True),
        (["|", ["X", 2], ["X", 3]], [(1, 2), (1, 3)], True),
        (["|", ["G", 1], ["F", 2]], [(1, 1), (1, 2)], True),
        (["F", ["X", ["G", 1]]], [(1, 1), (1, 2)], False),
    ],
)
def test_known_cases(label, formula, edges, expected):
    assert label(problem(formula, edges)) is expected


@pytest.mark.parametrize("names", [ALL, PAPER, TEMPORAL], ids=["all", "paper", "temporal"])
@pytest.mark.parametrize("operators", [1, 2, 3, 5, 9, 14])
def test_tableau_and_spot_agree(names, operators):
    rng = random.Random(f"agree {names} {operators}")
    labels = set()
    for _ in range(some(150)):
        asked = random_problem(rng, rng.randint(1, 5), operators, names)
        label = tableau_label(asked)
        assert label == spot_label(asked), asked
        labels.add(label)
    assert labels == {True, False}


@pytest.mark.parametrize("names", [ALL, PAPER, TEMPORAL], ids=["all", "paper", "temporal"])
def test_pymc_agrees(names):
    rng = random.Random(f"pymc {names}")
    decided = 0
    for _ in range(some(250)):
        asked = random_problem(rng, rng.randint(1, 5), rng.randint(0, 3), names)
        try:
            label = pymc_label(asked)
        except Abstained:
            continue
        assert label == spot_label(asked) == tableau_label(asked), asked
        decided += 1
    assert decided > some(235)


def test_every_pair_of_operators_on_every_graph_of_two_events():
    edges = [(1, 1), (1, 2), (2, 1), (2, 2)]
    graphs = [[e for i, e in enumerate(edges) if mask >> i & 1] for mask in range(16)]
    inner = [[u, 1] for u in UNARY] + [[b, 1, 2] for b in BINARY]
    for formula in ([u, f] for u in UNARY for f in inner):
        for graph in graphs:
            asked = problem(formula, graph, events=2)
            assert tableau_label(asked) == spot.check(asked).holds, asked
    for operator in BINARY:
        for f in inner:
            for graph in graphs[1::3]:
                for formula in ([operator, f, 2], [operator, 1, f], [operator, f, ["X", f]]):
                    asked = problem(formula, graph, events=2)
                    assert tableau_label(asked) == spot.check(asked).holds, asked


def test_tableau_agrees_without_its_bounds(monkeypatch):
    # the bounds decide most random problems before the search; without them it does all the work
    add = closure.Formulas._add

    def add_unbounded(self, kind, left, right, bounds, flags=0):
        if kind != closure.LITERAL:
            bounds = 0, self.graph.all
        return add(self, kind, left, right, bounds, flags)

    monkeypatch.setattr(closure.Formulas, "_add", add_unbounded)
    rng = random.Random("unbounded")
    searched = 0
    for names in (ALL, PAPER, TEMPORAL):
        for _ in range(some(350)):
            asked = random_problem(rng, rng.randint(1, 5), rng.randint(1, 9), names)
            assert tableau_label(asked) == spot.check(asked).holds, asked
            searched += tableau.check(asked).nodes > 0
    assert searched > some(850)


def test_search_is_needed_and_right_on_larger_graphs():
    rng = random.Random("search")
    searched = 0
    for _ in range(some(300)):
        asked = random_problem(rng, 8, 14, TEMPORAL)
        assert tableau_label(asked) == spot_label(asked), asked
        searched += tableau.check(asked).nodes > 0
    assert searched > some(30)


@pytest.mark.parametrize("names", [ALL, PAPER], ids=["all", "paper"])
@pytest.mark.parametrize("events", [50, 200])
def test_large_problems_are_decided_alike(names, events):
    rng = random.Random(f"large {events} {names}")
    decided = 0
    for _ in range(25):
        asked = random_problem(rng, events, 50, names)
        label = tableau_label(asked)
        try:
            assert label == spot_label(asked), asked
            decided += 1
        except Abstained:
            continue
    assert decided > 21


def test_tableau_takes_the_longest_formulas():
    rng = random.Random("long")
    for names in (ALL, PAPER):
        for _ in range(10):
            tableau_label(random_problem(rng, 200, 200, names))
    chain = 1
    for i in range(200):
        chain = ["X" if i % 3 else "G", chain]
    assert tableau_label(problem(chain))


def test_holds_from_is_check_from_each_event():
    rng = random.Random("from")
    for names in (ALL, PAPER, TEMPORAL):
        for _ in range(some(350)):
            asked = random_problem(rng, rng.randint(1, 6), rng.randint(0, 8), names)
            starts = [asked | {"initial": event} for event in range(1, asked["events"] + 1)]
            expected = [s["initial"] for s in starts if spot.check(s).holds]
            assert tableau.holds_from(asked, asked["formula"]) == expected, asked


def test_the_answer_does_not_depend_on_earlier_checks():
    rng = random.Random("again")
    asked = [random_problem(rng, 4, 6) for _ in range(50)]
    first = [spot.check(one, violation=True) for one in asked]
    for one in asked[::-1]:
        spot.check(one, violation=True)
    assert [spot.check(one, violation=True) for one in asked] == first
    assert [tableau.check(one) for one in asked] == [tableau.check(one) for one in asked]


def test_violations_are_short():
    edges = [(i, i % 10 + 1) for i in range(1, 11)] + [(5, 5)]
    result = tableau.check(problem(["G", ["F", 7]], edges, events=10))
    assert result.violation == {"prefix": [1, 2, 3, 4], "cycle": [5]}


# bounds


def everything_once(few, many):
    """Whether no path of a complete bipartite graph visits each event once: hard, and true."""
    events = few + many
    formula = ["F", 1]
    for event in range(1, events + 1):
        once = ["G", ["->", event, ["X", ["G", ["!", event]]]]]
        formula = ["&", ["&", formula, ["F", event]], once]
    sides = range(1, few + 1), range(few + 1, events + 1)
    edges = [(a, b) for a in sides[0] for b in sides[1]]
    return problem(["!", formula], edges + [(b, a) for a, b in edges], events=events)


def test_tableau_abstains_at_the_same_point_each_time():
    asked = everything_once(8, 10)
    for _ in range(2):
        with pytest.raises(Abstained, match="as much work as for 2000 nodes") as caught:
            tableau.check(asked, max_nodes=2000)
        assert "\n" not in str(caught.value)
    nodes = tableau.check(everything_once(2, 4)).nodes
    assert tableau.check(everything_once(2, 4), max_nodes=nodes + 20).nodes == nodes
    with pytest.raises(Abstained, match="more than 1 nodes"):
        tableau.check(problem(["!", ["&", ["F", 2], ["F", 3]]], _complete(3)), max_nodes=1)


def _complete(events):
    numbers = range(1, events + 1)
    return [(a, b) for a in numbers for b in numbers]


def conjunction(parts):
    return reduce(lambda a, b: ["&", a, b], parts)


@slow
@pytest.mark.parametrize(
    "hard",
    [
        conjunction(["F", i] for i in range(1, 25)),
        reduce(lambda a, b: ["U", a, b], range(1, 25)),
        ["G", conjunction(["->", i, ["U", i + 20, i + 40]] for i in range(1, 17))],
        ["G", ["->", 1, reduce(lambda f, _: ["X", f], range(40), ["F", ["&", 1, ["X", 2]]])]],
    ],
    ids=["reach", "nested", "respond", "remember"],
)
def test_spot_abstains_where_it_would_not_return(hard):
    asked = problem(["!", hard], events=60)
    with pytest.raises(Abstained, match="effort over 200000"):
        spot.check(asked)
    tableau_label(asked)  # which looks at the graph and has no trouble


@pytest.mark.parametrize(("names", "allowed"), [(ALL, 3), (PAPER, 1)], ids=["all", "paper"])
def test_spot_decides_random_formulas_of_fifty_operators(names, allowed):
    rng = random.Random(f"fifty {names}")
    declined = 0
    for _ in range(50):
        try:
            spot.check(random_problem(rng, 200, 50, names))
        except Abstained:
            declined += 1
    assert declined <= allowed


def test_pymc_abstains_beyond_its_bounds():
    rng = random.Random("pymc bounds")
    with pytest.raises(Abstained, match="operators are more than"):
        pymodelchecking.check(random_problem(rng, 200, 50))
    nested = 1
    for event in (2, 3, 4, 5, 6, 7, 8, 9):
        nested = ["U", nested, event]
    with pytest.raises(Abstained, match="beyond its bounds"):
        pymodelchecking.check(problem(nested, _complete(9), events=9))


@slow
def test_spot_does_not_grow(monkeypatch):
    monkeypatch.setattr(spot_library, "RENEW_AFTER", 800)
    monkeypatch.setattr(spot_library, "_current", {})
    rng = random.Random("memory")

    def check(times):
        for i in range(times):
            asked = random_problem(rng, 5, rng.choice((3, 6, 9)))
            spot.check(asked, violation=i % 8 == 0)

    def resident():
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

    if not Path("/proc/self/statm").exists():
        pytest.skip("needs /proc")
    check(1_600)
    before = resident()
    check(3_200)
    assert resident() - before < 1.5  # MiB; without renewal it is 4


# what the adapters work around


def test_engines_import_their_libraries_late():
    code = (
        "import sys; from harness_ltlbench.engines import spot, pymodelchecking, tableau, lasso;"
        "print([m for m in ('spot', 'pyModelChecking') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
