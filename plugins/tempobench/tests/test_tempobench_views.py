"""The views of a report: what they name is there, and the tasks are kept apart."""

from __future__ import annotations

from tb_items import PLUGIN, items_of

from harness import Row
from harness.report.model import ASKED, Answer, LogFacts, Series, Study
from harness.report.summary import summarise

BENCHMARK = PLUGIN.benchmark


def test_views_name_features_that_items_of_their_task_have() -> None:
    for task in ("tce", "tte"):
        (item,) = items_of(1, task=task)
        own = [view for view in BENCHMARK.views if view.where == {"task": task}]
        assert len(own) == 6
        assert {feature for view in own for feature in view.features} <= set(item.features)


def test_sources_name_the_machine() -> None:
    item = items_of(1)[0]
    known = {**item.notes, **item.features}
    assert all(name in known for name in BENCHMARK.sources)


def _answer(at: int, task: str, difficulty: str, f1: float) -> Answer:
    features = {"task": task, "difficulty": difficulty, "states": 3 + at, "transitions": 9 - at % 4}
    value = dict.fromkeys(BENCHMARK.values, f1)
    row = Row("{}", "{}", "scored", value, features)
    return Answer(row, f"{at:020x}", f"{at}", 0)


def test_a_run_of_both_tasks_has_the_papers_tables_for_each() -> None:
    answers = [
        _answer(at, ("tce", "tte")[at % 2], ("normal", "hard")[at // 2 % 2], (at % 5) / 4)
        for at in range(40)
    ]
    log = LogFacts("a", "tempobench", "1", "m", "", "success", {}, {}, None, "", 40, {}, {}, {})
    line = Series("m", "model", "m", dict.fromkeys(ASKED, ""), (0,), answers)
    found = summarise(Study(BENCHMARK, (log,), (line,), {}))
    tables = {table.name: table for one in found.sections for table in one.tables}
    for task, first in (("tce", 0), ("tte", 1)):
        table = tables[f"{task}_difficulty"]
        assert table.head == ("difficulty", "series", "n", "f1_ap", "f1_ts", "unparsed")
        hard = [at for at in range(first, 40, 2) if at // 2 % 2]
        mean = sum((at % 5) / 4 for at in hard) / len(hard)
        assert [row[:3] for row in table.rows] == [("hard", "m", 10), ("normal", "m", 10)]
        assert abs(table.rows[0][3].value - mean) < 1e-9  # type: ignore[union-attr, operator]
        assert [row[2] for row in tables[f"{task}_features"].rows] == ["states"] * 2 + [
            "transitions"
        ] * 2
        assert {f"{task}_spread", f"{task}_precision_recall", f"results_{task}"} <= set(tables)
