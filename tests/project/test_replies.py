"""Crafted replies (libs/answers/tests/replies.jsonl): read as two careful people would, whatever they look like."""

import json
from collections import Counter
from pathlib import Path

import pytest
from cases import SHARE

from harness import Item
from harness.core.plugins import registry

TABLE = Path(__file__).parents[2] / "libs" / "answers" / "tests"


def rows():
    lines = (TABLE / "replies.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def items():
    given = json.loads((TABLE / "replies_items.json").read_text(encoding="utf-8"))
    return {key: Item.from_dict(item) for key, item in given.items()}


def read(item, reply):
    """What a reply is taken for: right, wrong or unparsed."""
    plugin = registry().get(item.plugin)
    verdict = plugin.call("score", item=item, completion=reply)
    if verdict.outcome != "scored":
        return verdict.outcome
    return "right" if verdict.value[plugin.benchmark.values[0]] == 1 else "wrong"


def test_the_table_is_large_and_mostly_hostile():
    expected = Counter(row["expect"] for row in rows())
    assert sum(expected.values()) > 5_000
    assert expected["right"] < expected["wrong"] + expected["unparsed"]
    assert {row["item"].partition("_")[0] for row in rows()} == set(registry().benchmarks)


def test_every_crafted_reply_is_read_as_it_is_meant(items):
    wrong = [
        (row["expect"], found, row["reply"][:200])
        for row in rows()[::SHARE]
        if (found := read(items[row["item"]], row["reply"])) != row["expect"]
    ]
    assert wrong == []
