"""The views of a report: what they name is there, and they show the paper's curves."""

from __future__ import annotations

from ltl_items import PLUGIN, items_of

from harness import Row
from harness.report.model import ASKED, Answer, LogFacts, Series, Study
from harness.report.summary import summarise


def test_views_split_by_features_that_items_have() -> None:
    features = {key for item in items_of(2) for key in item.features}
    assert {feature for view in PLUGIN.benchmark.views for feature in view.features} <= features


def test_accuracy_and_auc_are_lines_over_operators_and_events() -> None:
    answers = []
    for at in range(24):
        target, operators = ("True", "False")[at % 2], (1, 3, 9)[at // 2 % 3]
        said = "True" if operators == 9 else target
        value = dict.fromkeys(("accuracy", "label"), float(said == target))
        features = {
            "operators": operators,
            "events": 2 + at % 3,
            "depth": 1,
            "temporal_operators": 1,
        }
        answers.append(
            Answer(Row(target, said, "scored", value, features), f"{at:020x}", f"{at}", 0)
        )
    log = LogFacts("a", "ltlbench", "1", "m", "", "success", {}, {}, None, "", 24, {}, {}, {})
    line = Series("m", "model", "m", dict.fromkeys(ASKED, ""), (0,), answers)
    found = summarise(Study(PLUGIN.benchmark, (log,), (line,), {}))
    tables = {table.name: table for one in found.sections for table in one.tables}
    assert tables["operators"].head[:5] == ("operators", "series", "n", "accuracy", "auc")
    # With nine operators all is called True: half is right, and there is no telling them apart.
    shown = [(row[0], row[3].value, row[4].value) for row in tables["operators"].rows]  # type: ignore[union-attr]
    assert shown == [("1", 1.0, 1.0), ("3", 1.0, 1.0), ("9", 0.5, 0.5)]
    figures = {figure.name: figure for one in found.sections for figure in one.figures}
    assert figures["operators_plot"].kind == figures["events_plot"].kind == "lines"
    assert not {"depth", "by_operators", "by_events"} & set(tables)
