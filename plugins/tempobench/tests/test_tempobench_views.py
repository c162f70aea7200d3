"""The views of a report: what they name is there, and the tasks are kept apart."""

from __future__ import annotations

from dataclasses import replace

from tb_items import PLUGIN, items_of

from harness import Row
from harness.report.model import ASKED, Answer, LogFacts, Series, Study
from harness.report.summary import summarise

BENCHMARK = PLUGIN.benchmark


def test_views_name_features_that_items_of_their_task_have() -> None:
    for task, count in (("tce", 8), ("tte", 7), ("sim", 7), ("min", 8)):
        (item,) = items_of(1, task=task)
        own = [view for view in BENCHMARK.views if view.where == {"task": task}]
        assert len(own) == count
        named = {name.removeprefix("log10 ") for view in own for name in view.features}
        assert named <= set(item.features)


def test_sources_name_the_machine() -> None:
    item = items_of(1)[0]
    known = {**item.notes, **item.features}
    assert all(name in known for name in BENCHMARK.sources)


def _answer(at: int, task: str, hardness: str, f1: float) -> Answer:
    features = {"task": task, "hardness": hardness, "states": 3 + at, "transitions": 9 - at % 6}
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
        table = tables[f"{task}_hardness"]
        assert table.head == ("hardness", "series", "n", "f1_ap", "f1_ts", "unparsed")
        hard = [at for at in range(first, 40, 2) if at // 2 % 2]
        mean = sum((at % 5) / 4 for at in hard) / len(hard)
        assert [row[:3] for row in table.rows] == [("hard", "m", 10), ("normal", "m", 10)]
        assert abs(table.rows[0][3].value - mean) < 1e-9  # type: ignore[union-attr, operator]
        assert [row[2] for row in tables[f"{task}_features"].rows] == [
            *["log10 states"] * 2,
            *["log10 transitions"] * 2,
        ]
        assert {f"{task}_spread", f"{task}_precision_recall", f"results_{task}"} <= set(tables)


def test_all_models_counts_are_added_up_by_hardness_as_in_tables_2_and_3() -> None:
    # By model and hardness: true positives, false positives, false negatives of each of two items.
    counts = {
        ("a", "normal"): ((3, 1, 0), (2, 0, 2)), ("a", "hard"): ((1, 1, 3), (0, 2, 4)),
        ("b", "normal"): ((1, 3, 2), (0, 0, 4)), ("b", "hard"): ((4, 0, 0), (0, 1, 4)),
    }  # fmt: skip
    lines = []
    for model in "ab":
        answers = []
        for place, hardness in enumerate(("normal", "hard")):
            for at, (tp, fp, fn) in enumerate(counts[model, hardness]):
                one = _answer(2 * place + at, "tce", hardness, 0.0)
                extra = {f"{level}_{kind}": n for level in ("ap", "ts")
                         for kind, n in (("tp", tp), ("fp", fp), ("fn", fn))}  # fmt: skip
                answers.append(replace(one, row=replace(one.row, extra=extra)))
        lines.append(Series(model, "model", model, dict.fromkeys(ASKED, ""), (0,), answers))
    log = LogFacts("a", "tempobench", "1", "m", "", "success", {}, {}, None, "", 4, {}, {}, {})
    found = summarise(Study(BENCHMARK, (log,), tuple(lines), {}))
    tables = {table.name: table for one in found.sections for table in one.tables}
    shown = {row[:2]: [cell.value for cell in row[3:6]] for row in tables["tce_pooled"].rows}  # type: ignore[union-attr]
    together = "all language models together"
    assert tables["tce_pooled"].head[3:6] == tuple(
        f"pooled_{name}_ap" for name in ("precision", "recall", "f1")
    )
    assert shown["normal", "a"] == [5 / 6, 5 / 7, 10 / 13]
    assert shown["normal", together] == [6 / 10, 6 / 14, 12 / 24]  # 6 tp, 4 fp, 8 fn
    assert shown["hard", together] == [5 / 9, 5 / 16, 10 / 25]  # 5 tp, 4 fp, 11 fn
    assert {row[0]: row[2] for row in tables["tce_pooled"].rows if row[1] == together} == {
        "normal": 4, "hard": 4,
    }  # fmt: skip
    assert together in [row[0] for row in tables["results"].rows]
