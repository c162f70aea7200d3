"""A curriculum follows what is reported: harder where a model succeeds, easier where it is lost."""

import json
import math
import random

import pytest
from cases import each
from harness_errors import ExhaustedError, PluginError, SpecError

import harness
from harness.core import fresh
from harness.core.items import Item
from harness.training import curriculum, rewards, streams

LEVELS = [{"top": 9}, {"top": 99}, {"top": 999}]


@pytest.fixture
def make(toys, monkeypatch):
    """A curriculum over a toy, which makes thousands of items a second."""
    found = toys.registry("Good", "FewProblems")
    for module in (rewards, streams):
        monkeypatch.setattr(module, "plugins", lambda: found)

    def made(levels=LEVELS, plugin="toy_good", **options):
        return harness.Curriculum(plugin, levels, **{"window": 4, **options})

    return made


def play(own, solves, n):
    """Answer ``n`` items; return the level of each."""
    levels = []
    for _ in range(n):
        item = own.next()
        levels.append(own.level)
        assert own.report(item, float(solves(item, own.level)))
    return levels


def test_success_raises_the_level_after_a_window_and_the_last_one_stays(make):
    assert play(make(), lambda *_: 1, 14) == [0] * 4 + [1] * 4 + [2] * 6


def test_failure_lowers_it_and_the_first_one_stays(make):
    own = make()
    play(own, lambda *_: 1, 8)
    assert play(own, lambda *_: 0, 14) == [2] * 4 + [1] * 4 + [0] * 6


def test_between_the_thresholds_nothing_changes_and_the_window_slides(make):
    own = make()
    marks = iter([1, 0, 1, 0, 1, 0, 1, 1, 1, 1])
    assert play(own, lambda *_: next(marks), 10) == [0] * 10
    assert own.level == 1  # the last four were right
    assert own.success is None


def test_a_model_settles_where_it_is_neither_sure_nor_lost(make):
    rng = random.Random(3)
    own = make([{"top": 10**n} for n in range(1, 8)], window=20)
    skill = [0.99, 0.95, 0.9, 0.5, 0.1, 0.05, 0.0]
    levels = play(own, lambda _, level: rng.random() < skill[level], 600)
    assert levels[-300:].count(3) > 200
    assert max(levels) <= 4


def test_the_same_reports_are_the_same_levels_and_items_and_a_state_goes_on(make):
    def solves(item, _):
        return int(item.id[:2], 16) < 200

    whole, half = make(), make()
    levels = play(whole, solves, 60)
    assert play(half, solves, 31) == levels[:31]
    asked = [half.next() for _ in range(3)]  # under way while the state is told
    again = make(state=json.loads(json.dumps(half.state())))
    assert (again.level, again.success) == (half.level, half.success)
    for one in asked:
        assert again.report(one, solves(one, 0)) == half.report(one, solves(one, 0))
    assert play(again, solves, 26) == play(half, solves, 26)
    assert again.state() == half.state()
    assert again.next() == half.next()


def test_late_reports_of_a_level_that_was_left_do_not_count(make):
    own = make()
    early = [own.next() for _ in range(6)]
    for one in early[:4]:
        assert own.report(one, 1)
    assert own.level == 1
    assert [own.report(one, 0) for one in early] == [False] * 6
    assert own.success is None


def test_an_item_counts_once_for_each_of_its_answers(make):
    own = make(window=8)
    one, other = own.next(), own.next()
    assert all(own.report(one, value) for value in (1, 0, 1, 1))
    assert own.success == 0.75
    assert all(own.report(other, 1) for _ in range(4))
    assert own.level == 1


def test_solved_says_what_success_is(make):
    own = make(solved=0.5)
    play(own, lambda *_: 0.5, 4)
    assert own.level == 1
    play(own, lambda *_: 0.49, 4)
    assert own.level == 0
    assert own.report(own.next(), True)


def test_a_level_without_further_problems_counts_as_passed_and_is_not_returned_to(
    make, monkeypatch
):
    monkeypatch.setattr(fresh, "LIMIT", 300)
    own = make([{"top": 1}, {"top": 2}, {"top": 9}], "toy_few_problems")
    for level, problems in ((0, 4), (1, 9)):
        for _ in range(problems):
            own.next()
            assert own.level == level
    play(own, lambda *_: 0, 10)  # all wrong, but below there is nothing left
    assert own.level == 2
    with pytest.raises(ExhaustedError, match=r"level 2: toy_few_problems .* use larger settings"):
        list(own)


def test_a_key_with_values_is_the_same_as_levels():
    own = harness.Curriculum(
        "ltlbench", key="operators", values=[1, 2], config={"twins": False}, seed=2
    )
    assert own.levels == [{"twins": False, "operators": 1}, {"twins": False, "operators": 2}]
    assert own.next() == next(harness.stream("ltlbench", {"operators": 1, "twins": False}, seed=2))


def test_what_is_to_be_avoided_comes_at_no_level():
    held = [
        one
        for n in (1, 2)
        for one in harness.stream(
            "ltlbench", {"twins": False, "events": 2, "operators": n}, split="test"
        ).take(20)
    ]
    own = harness.Curriculum(
        "ltlbench",
        key="operators",
        values=[1, 2],
        config={"twins": False, "events": 2},
        avoid=iter(held),
        window=10,
    )
    found = set()
    for _ in range(40):
        item = own.next()
        own.report(item, 1.0)
        found.add(item.problem_id)
    assert own.level == 1
    assert not found & {one.problem_id for one in held}


@each(
    "given, message",
    [
        ({"levels": None}, "give levels="),
        ({"key": "top"}, "give levels="),
        ({"levels": []}, "0 levels: expected two"),
        ({"levels": [{"top": 9}]}, "1 levels: expected two"),
        ({"levels": [{"top": 9}, 5]}, "expected two configurations"),
        ({"levels": None, "key": "top", "values": "123"}, "values is str, expected a list"),
        ({"levels": None, "key": "top", "values": [1]}, "1 levels"),
        ({"values": [1]}, "values= goes with key="),
        ({"levels": [{"top": 9}, {"topp": 99}]}, "unknown key 'topp'.*did you mean 'top'"),
        ({"levels": None, "key": "tops", "values": [1, 2]}, "unknown key 'tops'"),
        ({"window": 0}, "window=0"),
        ({"window": 2.5}, "window=2.5"),
        ({"up": 0.2, "down": 0.2}, "expected down below up"),
        ({"up": 1.5}, "up at most 1"),
        ({"up": math.nan}, "up=nan: expected a number"),
        ({"solved": "1"}, "solved='1'"),
        ({"seed": -2}, "the least is 0"),
        ({"state": {"curriculum": "x"}}, "of a curriculum with other levels or rules"),
        ({"state": {}}, "no state of a curriculum"),
        ({"state": 5}, "no state of a curriculum"),
    ],
)
def test_what_is_no_curriculum_is_refused_in_one_line(make, given, message):
    with pytest.raises(SpecError, match=message) as caught:
        make(**{"levels": LEVELS, **given})
    assert "\n" not in str(caught.value)


def test_an_unknown_plugin_gets_a_suggestion(make):
    with pytest.raises(PluginError, match="did you mean 'toy_good'"):
        make(plugin="toy_god")


def test_what_is_no_report(make):
    own = make()
    item = own.next()
    for value in (math.nan, math.inf, None, "1", [1]):
        with pytest.raises(SpecError, match="expected a finite number"):
            own.report(item, value)
    with pytest.raises(SpecError, match="takes an item of toy_good, got an item of other"):
        own.report(Item("other", "1", "", "", None), 1)
    with pytest.raises(SpecError, match="got dict"):
        own.report(item.to_dict(), 1)
    assert own.success is None


@each(
    "spoil",
    [
        {"level": 3}, {"level": -1}, {"level": "0"}, {"level": None}, {"reports": [2]}, {"reports": 5},
        {"pending": [5]}, {"pending": None}, {"spent": [7]}, {"spent": None}, {"streams": []},
        {"streams": None},
    ],
)  # fmt: skip
def test_a_damaged_state_is_refused(make, spoil):
    own = make()
    play(own, lambda *_: 1, 5)
    with pytest.raises(SpecError, match="the state of the curriculum is damaged"):
        make(state={**own.state(), **spoil})


def test_what_is_waited_for_is_bounded(make, monkeypatch):
    monkeypatch.setattr(curriculum, "_PENDING", 10)
    own = make([{"top": 999}, {"top": 9999}])
    items = [own.next() for _ in range(12)]
    assert [own.report(one, 1) for one in items[:3]] == [False, False, True]
