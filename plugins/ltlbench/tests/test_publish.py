"""From an item to a published record and back; and corrected labels in the record it came from."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from cases import SHARE, each, some
from harness_ltlbench import engines
from harness_ltlbench.engines.lasso import holds, path_errors
from harness_ltlbench.published import nusmv
from ltl_items import PLUGIN, items_of

from harness import Item

DATA = Path(__file__).parents[3].parent / "shared" / "data" / "ltlbench"
COLUMNS = ["id", "context", "query", "question", "code", "formula", "answer", "graph"]

CONFIGS: list[dict[str, Any]] = [
    {},
    {"wording": "can", "logic": "published", "operators": 5},
    {"events": 9, "operators": 2, "wording": "published"},
    {"events": 2, "operators": 9, "edge_probability": 0.2},
    {"events": 4, "twins": False},
    {"events": 30, "operators": 12},
]


def published(item: Item, record: dict[str, Any] | None = None, form: str = "ltlbench_csv") -> Any:
    return PLUGIN.call("publish", item=item, format=form, record=record or {})


def adopted(record: Any, form: str = "ltlbench_csv") -> Item:
    item = PLUGIN.call("adopt", record=record, config={}, format=form)
    assert isinstance(item, Item)
    return item


def rows(name: str = "*.csv") -> list[dict[str, Any]]:
    found = []
    for path in sorted(DATA.glob(name)):
        with path.open(newline="", encoding="utf-8") as file:
            found += list(csv.DictReader(file))
    return found


@each("config", CONFIGS)
def test_an_item_comes_back_from_its_record(config: dict[str, Any]) -> None:
    for item in items_of(8, **config):
        record = published(item)
        assert list(record) == COLUMNS
        assert all(isinstance(value, str) and value for value in record.values())
        back = adopted(record)
        assert (back.problem, back.prompt, back.target) == (item.problem, item.prompt, item.target)
        assert "findings" not in back.notes
        assert back.notes["source_id"] == item.id
        assert record["code"] == nusmv.source(item.problem)
        assert record["context"].startswith("Initially, event")
        assert record["query"].startswith("C1: ")
        assert "\n\n" not in record["context"] + record["query"]
        # and once more, as an adopted item: nothing moves any further
        assert published(back) == record
        assert published(back, record) == record


def test_what_the_format_cannot_say_is_none() -> None:
    (asked,) = items_of(1, task="counterexample")
    assert published(asked) is None
    (item,) = items_of(1)
    assert published(item, form="vltl_jsonl") is None
    for operator in "WM":
        assert (
            published(replace(item, problem={**item.problem, "formula": [operator, 1, 2]})) is None
        )
    for operator in "UR":
        other = replace(item, problem={**item.problem, "formula": [operator, 1, 2]})
        assert adopted(published(other)).problem == other.problem


def test_edges_are_written_once_each_and_a_lone_loop_is_kept() -> None:
    (item,) = items_of(1)
    edges = [[2, 3], [1, 1], [2, 3], [2, 1]]
    back = adopted(published(replace(item, problem={**item.problem, "edges": edges})))
    assert back.problem["edges"] == [[1, 1], [2, 1], [2, 3]]


def test_only_a_changed_label_changes_a_record() -> None:
    (item,) = items_of(1)
    record = {
        **published(item),
        "answer": f" {item.target}\n",
        "query": "as it was",
        "prediction": "-1",
    }
    same = adopted(record)
    assert published(same, record) == record
    assert same.notes["label"] == f" {item.target}\n"
    assert "label" not in adopted(published(item)).notes
    other = "False" if item.target == "True" else "True"
    fixed = published(replace(same, target=other, id=""), record)
    assert fixed == {**record, "answer": other}
    assert list(fixed) == list(record)
    assert record["answer"] == f" {item.target}\n"


@each(("form", "outcome"), [("", None), ("timepuzzles_json", None), ("ltlbench_csv", "raises")])
def test_the_format_named_decides_what_a_foreign_record_is(form: str, outcome: Any) -> None:
    record = {"constraints": [], "solutions": []}
    if outcome is None:
        assert PLUGIN.call("adopt", record=record, config={}, format=form) is None
        return
    with pytest.raises(Exception, match="column 'question' is missing"):
        PLUGIN.call("adopt", record=record, config={}, format=form)


# ------------------------------------------------------------------------------- the published files


@pytest.mark.skipif(not DATA.is_dir(), reason=f"the published data is not at {DATA}")
def test_every_published_record_survives_the_round_trip() -> None:
    records = rows()
    assert len(records) == 1200
    for record in records[:: SHARE | 1]:  # odd: of every pair of labels and of every file
        item = adopted(record, "")
        assert published(item, record) == record
        anew = published(item)
        assert adopted(anew).problem == item.problem
        for column in COLUMNS:  # our code has blanks where theirs has tabs
            assert anew[column].split() == record[column].split()
            assert column == "code" or anew[column] == record[column]


@pytest.mark.skipif(not DATA.is_dir(), reason=f"the published data is not at {DATA}")
def test_flipped_labels_are_all_contradicted_and_set_right() -> None:
    for record in Random("flipped").sample(rows(), max(15, some(50))):
        wrong = {**record, "answer": "False" if record["answer"] == "True" else "True"}
        item = adopted(wrong)
        made = {name: engines.solve(item.problem, name) for name in engines.NAMES}
        assert {found.answer for found in made.values()} == {record["answer"]}
        for found in made.values():
            assert PLUGIN.call("score", item=item, completion=f"Answer: {found.answer}").value == {
                "accuracy": 0.0,
                "label": 0.0,
            }
        right = replace(
            item, target=record["answer"], certificate=made["tableau"].certificate, id=""
        )
        evidence = PLUGIN.call("score", item=right, completion=f"Answer: {item.target}")
        assert evidence.explanation.startswith(f"**Wrong**: answered {item.target}")
        if record["answer"] == "False":
            assert "The hypothesis fails on the path " in evidence.explanation
            for name in ("tableau", "spot"):  # a path that anybody can follow with a finger
                path = made[name].certificate["violation"]
                assert path_errors(item.problem, path) is None
                assert not holds(item.problem["formula"], path["prefix"], path["cycle"])
        assert published(right, wrong) == record
