"""The views of a report: what they name is there, and the two forms of a puzzle are compared as pairs."""

from __future__ import annotations

from dataclasses import replace

from harness import Row
from harness.core.fresh import items as fresh
from harness.core.plugins import registry
from harness.core.spec import make
from harness.report.model import ASKED, Answer, LogFacts, Series, Study
from harness.report.summary import summarise

PLUGIN = registry().get("timepuzzles")
BENCHMARK = PLUGIN.benchmark


def test_views_name_features_that_items_have() -> None:
    (item,) = fresh(PLUGIN, make(PLUGIN, {"n": 1}))
    named = {feature for view in BENCHMARK.views for feature in view.features}
    assert named - {"tools", "context"} <= set(item.features)


def _series(tools: str, right: int) -> Series:
    """Return a model that solves ``right`` of eight puzzles, and all of them with the facts spelled out."""
    answers = []
    for at in range(8):
        for mode in ("implicit", "explicit"):
            exact = float(mode == "explicit" or at < right)
            features = {"mode": mode, "solutions": 1 + at % 2, "clues": 3, "clue": "month weekday"}
            value = {**dict.fromkeys(BENCHMARK.values, 1.0 if exact else 0.5), "exact": exact}
            row = Row(
                "x", "x", "scored", value, features, output_tokens=100 + 50 * (mode == "implicit")
            )
            own = f"{at:012x}"
            answers.append(Answer(row, f"{own}-{2 * at + (mode == 'explicit'):020x}", own, 0))
    return Series(
        f"m {tools}", "model", "m", dict.fromkeys(ASKED, "") | {"tools": tools}, (0,), answers
    )


def test_the_papers_tables_are_there() -> None:
    log = LogFacts("a", "timepuzzles", "1", "m", "", "success", {}, {}, None, "", 16, {}, {}, {})
    found = summarise(Study(BENCHMARK, (log,), (_series("", 2), _series("calculator", 3)), {}))
    tables = {table.name: table for one in found.sections for table in one.tables}
    pairs = tables["mode_pairs"]
    assert pairs.head[3:6] == ("explicit", "implicit", "difference")
    told = {row[:2]: [cell.value for cell in row[3:7]] for row in pairs.rows}  # type: ignore[union-attr]
    # Six puzzles are right spelled out alone: McNemar's p is 2 / 2⁶.
    assert told["m ", "exact"] == [1.0, 0.25, 0.75, 2 / 64]
    assert told["m ", "output tokens"] == [100.0, 150.0, -50.0, 2 / 256]
    shown = [(row[0], row[3].value) for row in tables["tools_implicit"].rows]  # type: ignore[union-attr]
    assert shown == [("calculator", 3 / 8), ("none", 2 / 8)]
    # Both modes are shown by the number of solutions, so that no table mixes them.
    wanted = {"mode", "solutions_implicit", "solutions_explicit", "clue_types"}
    assert wanted <= set(tables)
    assert not {"solutions", "by_solutions", "context_implicit"} & set(tables)
    scores = ["exact", "f1", "jaccard", "precision", "recall"]
    assert [row[0] for row in tables["metrics_agreement"].rows] == scores


def test_searched_contexts_are_held_against_none_as_tools_are() -> None:
    log = LogFacts("a", "timepuzzles", "1", "m", "", "success", {}, {}, None, "", 16, {}, {}, {})
    searched = _series("", 5)
    searched = replace(
        searched, label="m searched", asked={**searched.asked, "context": "found.jsonl"}
    )
    found = summarise(Study(BENCHMARK, (log,), (_series("", 2), searched), {}))
    tables = {table.name: table for one in found.sections for table in one.tables}
    for mode, none, some in (("implicit", 2 / 8, 5 / 8), ("explicit", 1.0, 1.0)):
        shown = [(row[0], row[1], row[3].value) for row in tables[f"context_{mode}"].rows]  # type: ignore[union-attr]
        assert shown == [("found.jsonl", "m", some), ("none", "m", none)]
        # A series is a row at each number of solutions, in each mode.
        split = {row[:2]: row[3].value for row in tables[f"solutions_{mode}"].rows}  # type: ignore[union-attr]
        odd = 2 / 4 if mode == "implicit" else 1.0  # of the puzzles 1, 3, 5, 7 two are below 5
        assert split["2", "m searched"] == odd
    assert not any(name.startswith("tools") for name in tables)
