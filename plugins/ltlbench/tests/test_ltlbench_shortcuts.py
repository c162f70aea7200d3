"""The shortcuts: blind to labels, trained for this version, and beaten by the default items."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files
from random import Random
from typing import Any

import pytest
from cases import slow
from harness_ltlbench import config, shortcuts
from harness_ltlbench.engines import lasso
from harness_ltlbench.published import adopt
from ltl_items import PLUGIN, TWINS, items_of

from harness.cli.describe import shortcut_scores

NAMES = [shortcut.name for shortcut in shortcuts.SHORTCUTS]


def scores(**values: Any) -> dict[str, float]:
    return shortcut_scores(PLUGIN, items_of(**values))


@slow
def test_no_shortcut_wins_the_default() -> None:
    found = scores(**TWINS, n=120, seed=7)
    assert set(found) == set(NAMES)
    assert config.BENCHMARK.shortcut_ceiling == 0.82
    assert max(found.values()) < config.BENCHMARK.shortcut_ceiling + 0.08
    assert found["one_walk"] < 0.7
    # Twins are alike in all that is counted: one of the two is right, whatever is said.
    for name in ("no_time", "outermost", "graph_shape", "surface"):
        assert found[name] == 0.5


def test_at_no_level_a_walk_violates_more_often_than_at_the_default() -> None:
    most = config.CONFIG["properties"]["rarity"]["default"]
    rarities = [level["rarity"] for level in config.LEVELS]
    assert rarities == sorted(rarities, reverse=True)
    assert rarities[0] == most


@slow
def test_shortcuts_win_the_paper_s_items() -> None:
    found = scores(n=400, seed=7)
    assert found["one_walk"] > 0.9
    assert found["eight_walks"] > 0.97
    assert found["surface"] > 0.6
    assert found["outermost"] > 0.6


def test_one_walk_is_the_path_of_a_counterexample() -> None:
    items = [i for i in items_of(n=80, task="counterexample") if i.target != "True"]
    right = 0
    for item in items:
        text = shortcuts.completion(item, "three_walks", Random(item.id))
        if text != "Answer: True":
            assert PLUGIN.call("score", item=item, completion=text).value["accuracy"] == 1
            right += 1
    assert right > len(items) / 2


@pytest.mark.parametrize("name", NAMES)
def test_a_shortcut_reads_neither_target_nor_certificate(name: str) -> None:
    for item in items_of(n=12):
        blind = replace(item, target="", certificate=None, notes={}, features={})
        text = shortcuts.completion(item, name, Random(1))
        assert text == shortcuts.completion(blind, name, Random(1))
        assert PLUGIN.call("score", item=item, completion=text).outcome == "scored"


def test_models_are_of_this_version() -> None:
    models = json.loads(files("harness_ltlbench").joinpath("shortcuts.json").read_text())
    assert models["version"].split(".")[:2] == config.VERSION.split(".")[:2]  # those of the items
    assert len(models["outermost"]) > 20


def test_trees_are_followed_to_their_leaves() -> None:
    tree = [[0, 1.5, 1, 2], [-1.0], [1, 0.5, 3, 4], [2.0], [-3.0]]
    model = {"trees": [tree]}
    assert [shortcuts.boosted(model, row) for row in ([1, 0], [2, 0], [2, 1])] == [
        False,
        True,
        False,
    ]


def test_published_items_have_shortcuts_too() -> None:
    (item,) = items_of(n=1)
    record = PLUGIN.call("publish", item=item, format="ltlbench_csv", record={})
    adopted = adopt.adopt(record, "ltlbench_csv")
    assert adopted is not None
    for name in NAMES:
        assert shortcuts.completion(adopted, name, Random(1)).startswith("Answer: ")


def test_a_walk_is_a_path_of_the_graph() -> None:
    for item in items_of(n=20):
        after = shortcuts.Graph(item.problem, [item.problem["initial"]]).after
        walk, loop = shortcuts.walks.closed(item.problem["initial"], after, Random(1))
        path = {"prefix": walk[:loop], "cycle": walk[loop:]}
        assert lasso.path_errors(item.problem, path) is None
