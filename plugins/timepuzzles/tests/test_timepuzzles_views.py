"""The views of a report: what they name is there, and the two forms of a puzzle are compared as pairs."""

from __future__ import annotations

from harness import Row
from harness.dataset import fresh
from harness.plugins import registry
from harness.report.model import ASKED, Answer, LogFacts, Series, Study
from harness.report.summary import summarise
from harness.spec import make

PLUGIN = registry().get("timepuzzles")
BENCHMARK = PLUGIN.benchmark


def test_views_name_features_that_items_have() -> None:
    (item,) = fresh(PLUGIN, make(PLUGIN, {"n": 1}))
    named = {feature for view in BENCHMARK.views for feature in view.features}
    assert named - {"tools"} <= set(item.features)


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
    assert {"mode", "solutions", "clue_types", "by_clues"} - set(tables) == {"by_clues"}
    scores = ["exact", "f1", "jaccard", "precision", "recall"]
    assert [row[0] for row in tables["metrics_agreement"].rows] == scores
