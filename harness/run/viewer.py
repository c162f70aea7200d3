"""The Inspect viewer: how it shows our logs."""

from __future__ import annotations

from inspect_ai.viewer import (
    SampleScoreView,
    ScoreColorScale,
    TaskSamplesColumn,
    TaskSamplesSort,
    TaskSamplesView,
    ViewerConfig,
)

from harness.core.hookspecs import Benchmark
from harness.run.metrics import SCORER

NARROW = 4  # score columns; more of them get narrow ones with slanted heads


def config(benchmark: Benchmark) -> ViewerConfig:
    """Return how the viewer lists the samples of a run: every value coloured, the worst first."""
    names = (*benchmark.values, "unparsed")
    columns = [TaskSamplesColumn(id=key) for key in ("sampleId", "input", "target", "answer")]
    columns += [TaskSamplesColumn.score(SCORER, name) for name in names]
    columns += [TaskSamplesColumn(id=key) for key in ("tokens", "duration", "error")]
    scales = dict.fromkeys(benchmark.values, ScoreColorScale(palette="good-high", min=0, max=1))
    scales["unparsed"] = ScoreColorScale(palette="good-low", min=0, max=1)
    return ViewerConfig(
        sample_score_view=SampleScoreView(default="grid"),
        task_samples_view=TaskSamplesView(
            name=benchmark.name,
            columns=columns,
            sort=[
                TaskSamplesSort.score(SCORER, benchmark.values[0]),
                TaskSamplesSort.score(SCORER, "unparsed", dir="desc"),
            ],
            score_labels={name: name.replace("_", " ") for name in names},
            score_color_scales=scales,
            color_scales_enabled=True,
            multiline=False,
            compact_scores=len(names) > NARROW,
        ),
    )
