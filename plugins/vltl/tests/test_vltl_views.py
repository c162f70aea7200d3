"""The views of a report: what they name is there, and each task has the paper's table."""

from __future__ import annotations

from vltl_items import TASKS, generated

from harness import Row
from harness.core.plugins import registry
from harness.report.model import ASKED, Answer, LogFacts, Series, Study
from harness.report.summary import summarise

BENCHMARK = registry().get("vltl").benchmark
# By task: the view, its metrics, and what a right answer carries.
SHOWN = {
    "lift": ("lifting", ("lifting_iou", "lifting_exact"), {"iou_sum": 2.0, "iou_of": 2, "spans": 1.0}),
    "translate": ("translation", ("translation",), {"equivalent": 1.0}),
    "ground": ("grounding", ("grounding", "grounding_dictionary"),
               {"grounded": 2, "grounded_of": 2, "dictionary": 1.0}),
    "end_to_end": ("end_to_end_traces", ("sat", "unsat", "both"), {"sat": 1.0, "unsat": 1.0, "both": 1.0}),
    "verify": ("verification", ("verification",), {"judged": 1.0}),
}  # fmt: skip


def test_views_name_features_that_items_have() -> None:
    for task in TASKS:
        (item,) = generated(task, 1)
        named = {
            f for view in BENCHMARK.views if view.where == {"task": task} for f in view.features
        }
        assert named == {"scenario"}
        assert named | set(BENCHMARK.groups) <= set(item.features)


def test_each_task_has_its_own_metrics_by_scenario() -> None:
    answers = []
    for at, (task, (_, _, right)) in enumerate(SHOWN.items()):
        for i in range(8):
            scenario = ("traffic_light", "warehouse")[i % 2]
            # In the warehouse one answer of four is right, elsewhere all are.
            good = scenario == "traffic_light" or i == 1
            extra = {k: v if good or k.endswith("_of") else 0.0 for k, v in right.items()}
            features = {
                "task": task,
                "scenario": scenario,
                "family": "until",
                "arity": 2,
                "depth": 1,
            }
            value = dict.fromkeys(BENCHMARK.values, float(good))
            own = f"{8 * at + i:020x}"
            answers.append(
                Answer(Row("x", "x", "scored", value, features, None, extra), own, own, 0)
            )
    log = LogFacts("a", "vltl", "1", "m", "", "success", {}, {}, None, "", 40, {}, {}, {})
    line = Series("m", "model", "m", dict.fromkeys(ASKED, ""), (0,), answers)
    found = summarise(Study(BENCHMARK, (log,), (line,), {}))
    tables = {table.name: table for one in found.sections for table in one.tables}
    for task, (name, metrics, _) in SHOWN.items():
        assert tables[name].head == ("scenario", "series", "n", *metrics, "unparsed")
        assert [row[:3] for row in tables[name].rows] == [
            ("traffic_light", "m", 4),
            ("warehouse", "m", 4),
        ]
        for row, share in zip(tables[name].rows, (1.0, 0.25), strict=True):
            assert {cell.value for cell in row[3:-1]} == {share}  # type: ignore[union-attr]
        assert set(metrics) <= set(tables[f"results_{task}"].head)
    assert "sat" not in tables["results_lift"].head
    assert not any(name.startswith("by_scenario") for name in tables)
