"""The engines against each other, and against trying every journey there is."""

import pytest
from harness_timetables import engines
from harness_timetables.certificate import improvements
from harness_timetables.clock import clock
from harness_timetables.engines.scan import arrivals
from harness_timetables.journeys import Rounds
from harness_timetables.problem import faults
from hypothesis import given
from timetables_items import problem, timetables, train

from harness import Abstained, EngineError


def every_journey(given_problem):
    """The earliest arrival, by trying every train at every stop, again and again."""
    best = []

    def at(station, ready, used):
        if station == given_problem["to"]:
            return
        for one in given_problem["trains"]:
            if one["number"] in used:
                continue
            stops = one["stops"]
            for here, (place, _, departure) in enumerate(stops):
                if place == station and departure >= ready:
                    for there, arrival, _ in stops[here + 1 :]:
                        if there == given_problem["to"]:
                            best.append(arrival)
                        at(there, arrival + given_problem["change"], used | {one["number"]})

    at(given_problem["from"], given_problem["leave"], frozenset())
    return min(best, default=None)


@given(timetables())
def test_all_of_them_agree(given_problem):
    assert list(faults(given_problem)) == []
    expected = every_journey(given_problem)
    answer = "never" if expected is None else clock(expected)
    for engine in ("scan", "graph"):
        assert engines.solve(given_problem, engine).answer == answer
    assert Rounds(given_problem).arrival(given_problem["to"]) == expected


@given(timetables())
def test_labels_are_bounds_and_a_later_one_is_none(given_problem):
    labels = arrivals(given_problem)
    assert list(improvements(given_problem, labels)) == []
    for station, label in enumerate(labels):
        later = list(labels)
        later[station] = None if label is None else label + 1
        assert (list(improvements(given_problem, later)) == []) is (label is None)


@pytest.mark.parametrize(
    ("trains", "change", "answer"),
    [
        ([], 5, "never"),
        ([train(1, (0, 599), (3, 620))], 5, "never"),  # gone
        ([train(1, (0, 600), (3, 620))], 5, "10:20"),  # boarding first takes no time
        ([train(1, (0, 600), (1, 610)), train(2, (1, 614), (3, 620))], 5, "never"),  # missed by a minute
        ([train(1, (0, 600), (1, 610)), train(2, (1, 615), (3, 620))], 5, "10:20"),
        ([train(1, (0, 600), (1, 610)), train(2, (1, 610), (3, 620))], 0, "10:20"),
        ([train(1, (0, 600), (1, 610, 611), (3, 620))], 5, "10:20"),  # staying takes no time either
        ([train(1, (3, 600), (0, 610), (1, 620))], 5, "never"),  # the wrong direction
        # Overtaken on the way.
        ([train(1, (0, 600), (3, 640)), train(2, (0, 610), (3, 630))], 5, "10:30"),
        # Back through the start, where one may have waited instead.
        ([train(1, (0, 600), (1, 605)), train(2, (1, 610), (0, 615)), train(3, (0, 616), (3, 620))], 5, "10:20"),
    ],
)  # fmt: skip
def test_by_hand(trains, change, answer):
    for engine in ("scan", "graph"):
        assert engines.solve(problem(*trains, change=change), engine).answer == answer


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"from": 9}, "'from' is station 9, and there are 4"),
        ({"to": 0}, "'from' and 'to' are one station"),
        (
            {"trains": [train(1, (0, 600), (9, 610))]},
            "train 1: stops at station 9, and there are 4",
        ),
        ({"trains": [train(1, (0, 600), (1, 610))] * 2}, "two trains have one number"),
        ({"trains": [train(1, (0, 600), (1, 600))]}, "train 1: does not go forward in time"),
        (
            {"trains": [train(1, (0, 600), (1, 620, 610), (2, 630))]},
            "train 1: does not go forward in time",
        ),
        ({"trains": [train(1, (0, 600), (0, 610))]}, "train 1: stops twice at a station"),
        (
            {"trains": [train(1, (0, 600, 601), (1, 610))]},
            "train 1: has two times at its first or last station",
        ),
    ],
)
def test_what_is_no_timetable_is_refused_by_both(changes, fault):
    for engine in ("scan", "graph"):
        with pytest.raises(EngineError) as caught:
            engines.solve(problem(*[train(1, (0, 600), (3, 620))]) | changes, engine)
        assert str(caught.value) == f"no timetable: {fault}"


def test_a_large_timetable_is_declined_and_an_engine_must_exist():
    many = [train(n, (0, 600), (1, 601)) for n in range(1, 2_502)]
    with pytest.raises(Abstained, match="more than 5,000 stops"):
        engines.solve(problem(*many), "scan")
    with pytest.raises(EngineError, match="no engine 'oracle'; known: graph, scan"):
        engines.solve(problem(), "oracle")
