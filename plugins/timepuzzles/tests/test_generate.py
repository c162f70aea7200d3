"""Generated puzzles: exact and balanced counts, necessity, pairs of forms, determinism, settings."""

from __future__ import annotations

from collections import Counter
from datetime import date
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from cases import each, slow, some
from harness_timepuzzles import day_sets, engines, generate, reading
from harness_timepuzzles.clues import catalogue
from harness_timepuzzles.clues.clue import mask
from harness_timepuzzles.engines.masks import intersection
from harness_timepuzzles.problem import ends

from harness import ExhaustedError, HarnessError, Item
from harness.core.fresh import item_at
from harness.core.fresh import items as fresh
from harness.core.plugins import registry
from harness.core.spec import make

PLUGIN = registry().get("timepuzzles")

CALENDARS = {
    "zodiac", "lunar_month", "easter", "hebrew", "islamic", "moon", "equinox",
}  # fmt: skip


def drawn(n: int, **config: Any) -> list[Item]:
    return list(fresh(PLUGIN, make(PLUGIN, {**config, "n": n})))


def dates(item: Item) -> list[str]:
    return [] if item.target == "none" else item.target.split(", ")


def without(item: Item, *left_out: int) -> int:
    """Count the solutions of some of an item's clues, by masks."""
    puzzle = catalogue.parse_all(item.problem)
    kept = [clue for number, clue in enumerate(puzzle) if number not in left_out]
    first, last = ends(item.problem)
    return intersection(kept, day_sets.run(first, last)).bit_count()


def event_of(item: Item) -> int:
    types = [clue["type"] for clue in item.problem["clues"]]
    (number,) = [at for at, name in enumerate(types) if name in ("event", "recurring")]
    return number


@cache
def default() -> list[Item]:
    return drawn(120)


@cache
def another_seed() -> list[Item]:
    return drawn(200, seed=3)


@slow
def test_counts_are_exact_and_evenly_spread() -> None:
    counts = Counter(len(dates(item)) for item in default())
    assert counts == dict.fromkeys(range(1, 7), 20)
    assert all(item.features["solutions"] == len(dates(item)) for item in default())
    # Not only over the whole: every block of six has each count once, in an order of its own.
    blocks = [tuple(len(dates(item)) for item in default()[at : at + 6]) for at in range(0, 120, 6)]
    assert all(sorted(block) == [1, 2, 3, 4, 5, 6] for block in blocks)
    assert len(set(blocks)) > 10


@pytest.mark.parametrize("solutions", ["0", "1", "3", "9", "0-2", "5-8"])
def test_any_count_on_request(solutions: str) -> None:
    least, _, most = solutions.partition("-")
    wanted = range(int(least), int(most or least) + 1)
    found = Counter(len(dates(item)) for item in drawn(2 * len(wanted), solutions=solutions))
    assert found == dict.fromkeys(wanted, 2)


def test_every_puzzle_has_one_event_and_all_levels() -> None:
    for item in default():
        event_of(item)
        levels = Counter(clue.level for clue in catalogue.parse_all(item.problem))
        assert set(levels) == {"year", "month", "day"}
        assert max(levels.values()) - min(levels.values()) <= 1
        assert 3 <= len(item.problem["clues"]) <= 6
    assert len({len(item.problem["clues"]) for item in default()}) == 4


def test_without_the_event_there_are_more_solutions() -> None:
    for item in default():
        more = without(item, event_of(item))
        assert more > len(dates(item))
        assert item.features["without_event"] == more


def test_all_clues_are_necessary() -> None:
    for item in default():
        for number in range(len(item.problem["clues"])):
            assert without(item, number) > len(dates(item))
            assert item.certificate["witnesses"][number] is not None


def test_redundant_clues_come_when_nothing_is_asked() -> None:
    items = drawn(max(30, some(120)), necessary="none", clues="4-6")
    redundant = [i for i in items if any(w is None for w in i.certificate["witnesses"])]
    assert len(items) / 12 < len(redundant) < len(items) * 11 / 12


@pytest.mark.parametrize("necessary", ["event", "all", "none"])
@pytest.mark.parametrize("mode", ["implicit", "spelled", "explicit"])
def test_no_item_is_weak_by_its_own_setting(mode: str, necessary: str) -> None:
    """What a setting allows is said to be so; what it promises holds."""
    for item in drawn(max(2, some(8)), necessary=necessary, mode=mode, clues="4-5"):
        kinds = {finding["kind"] for finding in PLUGIN.call("audit", item=item)}
        redundant = None in item.certificate["witnesses"]
        assert kinds == ({"spare_clue"} if redundant else set())


@pytest.mark.parametrize("necessary", ["event", "all", "none"])
def test_no_solution_is_no_trivial_contradiction(necessary: str) -> None:
    for item in drawn(max(3, some(12)), solutions="0", necessary=necessary):
        number = len(item.problem["clues"])
        assert without(item) == 0
        # Leaving out any one clue leaves dates, so no two clues (nor any part) contradict each other.
        assert all(without(item, at) > 0 for at in range(number))
        for pair in combinations(range(number), 2):
            others = [at for at in range(number) if at not in pair]
            assert without(item, *others) > 0


@slow
def test_both_forms_are_the_same_puzzle() -> None:
    for extra in ([], ["all"]):
        spec = {"n": max(3, some(10)), "extra": extra, "seed": 5}
        for implicit, explicit in zip(
            drawn(mode="implicit", **spec), drawn(mode="explicit", **spec), strict=True
        ):
            assert implicit.target == explicit.target
            assert implicit.certificate == explicit.certificate
            assert implicit.family == explicit.family == implicit.id.split("-")[0]
            assert implicit.family == explicit.id.split("-")[0]
            assert implicit.problem_id == explicit.problem_id
            assert implicit.id != explicit.id
            before, after = (
                catalogue.parse_all(implicit.problem),
                catalogue.parse_all(explicit.problem),
            )
            assert any(clue.implicit for clue in before)
            assert not any(clue.implicit for clue in after)
            for engine in ("masks", "arithmetic"):
                assert engines.solve(explicit.problem, engine).answer == explicit.target
            # Clue by clue, not only in all.
            first, last = ends(implicit.problem)
            span = day_sets.run(first, last)
            for one_clue, other in zip(before, after, strict=True):
                assert mask(one_clue) & span == mask(other) & span


def test_the_form_between_spells_out_history_and_leaves_the_calendars() -> None:
    spec = {"n": max(3, some(10)), "extra": ["all"], "seed": 5, "calendar_clue": True}
    forms = (drawn(mode=mode, **spec) for mode in ("implicit", "spelled", "explicit"))
    for implicit, spelled, explicit in zip(*forms, strict=True):
        assert implicit.target == spelled.target == explicit.target
        assert implicit.certificate == spelled.certificate
        assert implicit.family == spelled.family == explicit.family
        assert len({implicit.id, spelled.id, explicit.id}) == 3
        before, between, after = (
            catalogue.parse_all(item.problem) for item in (implicit, spelled, explicit)
        )
        kept = [clue for clue in between if clue.implicit]
        assert kept
        assert {clue.type for clue in kept} <= CALENDARS
        for old, new, full in zip(before, between, after, strict=True):
            assert new == (old if old.type in CALENDARS else full)
        assert engines.solve(spelled.problem, "arithmetic").answer == spelled.target
        assert PLUGIN.call("read", prompt=spelled.prompt) == spelled.problem


def test_without_a_calendar_the_form_between_is_the_explicit_one() -> None:
    both = zip(drawn(mode="spelled", n=20), drawn(mode="explicit", n=20), strict=True)
    for spelled, explicit in both:
        calendar = any(clue["type"] in CALENDARS for clue in spelled.problem["clues"])
        assert (spelled.prompt == explicit.prompt) == (not calendar)


def test_a_solution_never_stands_in_the_prompt() -> None:
    for mode in ("implicit", "spelled", "explicit"):
        for item in drawn(max(6, some(30)), mode=mode, solutions="1"):
            assert item.target not in item.prompt


def test_the_range_is_narrowed_where_a_calendar_is_not_certain() -> None:
    narrowed, items = 0, drawn(max(15, some(60)), extra="islamic")
    for item in items:
        types = {clue["type"] for clue in item.problem["clues"]}
        first = "1981-10-28" if "islamic" in types else "1800-01-01"
        assert item.problem["range"] == [first, "2050-12-31"]
        assert f"from {first} to 2050-12-31 count" in item.prompt
        assert all(first <= day <= "2050-12-31" for day in dates(item))
        narrowed += first != "1800-01-01"
    assert len(items) / 30 < narrowed < len(items)


def test_chinese_clues_reach_back_to_1800() -> None:
    early = [
        day
        for item in another_seed()
        if {clue["type"] for clue in item.problem["clues"]} & {"zodiac", "lunar_month"}
        for day in dates(item)
        if day < "1900"
    ]
    assert len(early) > 20


def test_a_range_of_years_is_kept() -> None:
    for item in drawn(24, from_year=1950, to_year=1999):
        assert item.problem["range"] == ["1950-01-01", "1999-12-31"]
        assert all("1950-01-01" <= day <= "1999-12-31" for day in dates(item))


def test_every_type_of_the_paper_comes() -> None:
    seen = Counter(name for item in another_seed() for name in str(item.features["clue"]).split())
    assert set(seen) == set(catalogue.PAPER)
    assert all(count >= 4 for count in seen.values())


def test_every_optional_type_comes_on_request() -> None:
    wanted = {name for name, kind in catalogue.TYPES.items() if kind.group in catalogue.GROUPS}
    wanted.remove("equinox")  # four days a year
    spec = make(PLUGIN, {"n": 300, "extra": ["all"], "necessary": "event", "seed": 3})
    for item in fresh(PLUGIN, spec):
        wanted -= set(str(item.features["clue"]).split())
        if not wanted:
            break
    assert not wanted
    alone = drawn(60, extra=["easter"], necessary="event", seed=2)
    types = {name for item in alone for name in str(item.features["clue"]).split()}
    assert types <= {*catalogue.PAPER, "easter"}
    assert "easter" in types


def test_the_presets_are_the_papers() -> None:
    preset = PLUGIN.benchmark.presets["paper"]
    items = drawn(**{**preset, "n": 60})
    assert preset["n"] == 600
    assert {len(item.problem["clues"]) for item in items} == {4, 5, 6}
    assert {tuple(item.problem["range"]) for item in items} == {("1800-01-01", "2050-12-31")}


def test_equal_puzzles_are_equal_whatever_was_drawn_first() -> None:
    for item in default():
        order = [catalogue.parse(clue) for clue in item.problem["clues"]]
        shuffled = Random(item.index).sample(order, len(order))
        assert sorted(shuffled, key=lambda c: generate.digest(c.params())) == order


@each(
    ("config", "message"),
    [
        ({"from_year": 2000, "to_year": 1999}, "from_year=2000 is after to_year=1999"),
        (
            {"solutions": "5-2"},
            "solutions=5-2: the first number must not be greater than the second",
        ),
        ({"solutions": "31"}, "solutions=31: at most 30 are supported"),
        ({"clues": "2"}, "clues=2: a puzzle has 3 to 12 clues"),
        ({"clues": "3-13"}, "clues=3-13: a puzzle has 3 to 12 clues"),
        (
            {"clues": "3-8"},
            "clues=3-8: these types of clues make puzzles of 7 at the most, as no two may say the same; "
            "use clues=7 or less, or more types (extra=[all])",
        ),
        ({"clues": "6-3"}, "clues=6-3: the first number must not be greater than the second"),
        ({"builtin_facts": False}, "builtin_facts=false needs facts=FILE with facts of your own"),
    ],
)
def test_settings_that_contradict_each_other(config: dict[str, Any], message: str) -> None:
    with pytest.raises(HarnessError) as caught:
        drawn(1, **config)
    assert str(caught.value) == message


def test_settings_without_puzzles_say_what_to_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generate, "MAX_DRAWS", 200)
    with pytest.raises(
        ExhaustedError, match=r"no puzzle with 25 solutions in 200 draws \(.*use a wider range"
    ):
        drawn(1, solutions="25", clues="7", from_year=2049, to_year=2050)


def own_facts(folder: Path) -> str:
    path = folder / "own.csv"
    rows = ["kind,name,start,end,years,office,source"]
    rows += [
        f"event,the founding of the club of month {month},19{month + 20}-{month:02}-1{month % 10},,,,ours"
        for month in range(1, 13)
    ]
    rows.append("recurring,club festivals,,,1930;1940;1950,,ours")
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return str(path)


@slow
def test_as_many_clues_as_the_settings_allow() -> None:
    for number, items in ((7, drawn(1, clues="7")), (8, drawn(1, clues="8", extra=["hebrew"]))):
        for item in items:  # each clue is necessary, as the default is
            assert len(item.problem["clues"]) == number
            assert min(item.certificate["without"]) > len(item.certificate["solutions"])
            assert PLUGIN.call("check", item=item) == []
    assert {
        len(item.problem["clues"])
        for item in drawn(1, clues="8", extra=["hebrew"], necessary="event")
    } == {8}
    with pytest.raises(HarnessError, match="use clues=8 or less, or necessary=event"):
        drawn(1, clues="9", extra=["all"])


def test_a_directory_is_no_file_of_facts(tmp_path: Path) -> None:
    with pytest.raises(HarnessError, match="cannot be read: Is a directory"):
        drawn(1, facts=str(tmp_path))


@slow
def test_facts_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(reading.FACTS, raising=False)
    path = own_facts(tmp_path)
    items = drawn(12, facts=path, builtin_facts=False)
    for item in items:
        event = item.problem["clues"][event_of(item)]
        assert "club" in event["name"]
        # The reader knows the file by now, in this process and in the workers it starts.
        assert reading.read(item.prompt) == item.problem
    monkeypatch.delenv(reading.FACTS)
    assert all(reading.read(item.prompt) is None for item in items)
    mixed = drawn(max(50, some(150)), facts=path)
    named = [item.problem["clues"][event_of(item)]["name"] for item in mixed]
    assert 0 < sum("club" in name for name in named) < len(named) / 3


@slow
def test_a_puzzle_does_not_depend_on_the_files_place(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    here, there = own_facts(tmp_path / "a"), own_facts(tmp_path / "b")
    assert [i.id for i in drawn(2, facts=here)] == [i.id for i in drawn(2, facts=there)]


def test_a_day_of_the_calendar_is_what_the_solutions_are() -> None:
    for item in default():
        found = [date.fromisoformat(day) for day in dates(item)]
        assert found == sorted(set(found))
        for clue in catalogue.parse_all(item.problem):
            assert all(clue.holds(day) for day in found)


def test_an_item_is_the_same_alone() -> None:
    spec = make(PLUGIN, {"n": 120})
    for index in (119, 3, 60):
        assert item_at(PLUGIN, spec, index).to_dict() == default()[index].to_dict()
