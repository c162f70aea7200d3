"""The Inspect viewer: how it shows our logs, and a static site of it with some logs in."""

from __future__ import annotations

import io
import os
import shutil
from contextlib import redirect_stdout
from pathlib import Path

from harness_errors import OutputError
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.log import bundle_log_dir
from inspect_ai.util._display import init_display_type
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
from harness.run.models import plain

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


def bundle(logs: Path, out: Path) -> None:
    """Write a static site with the viewer and a copy of the logs; it needs a web server, but none of ours.

    Raises:
        OutputError: the place is taken, lies among the logs, or cannot be written.
    """
    if os.path.lexists(out):
        raise OutputError(f"bundle={str(out)[:200]} exists already; name a new folder")
    if not any(logs.rglob("*.eval")) and not any(logs.rglob("*.json")):
        raise OutputError(f"{logs}: there is no log to bundle")
    partial = out.with_name(f".{out.name}.{os.getpid()}.partial")
    try:
        partial.parent.mkdir(parents=True, exist_ok=True)
        init_display_type("none")  # or what a later run of this process prints would be shown
        with redirect_stdout(io.StringIO()):  # it tells of the partial folder
            bundle_log_dir(str(logs), str(partial))
        partial.rename(out)
    except PrerequisiteError as error:
        raise OutputError(plain(error).replace(str(partial), str(out))) from None
    except OSError as error:
        why = error.strerror or str(error)
        raise OutputError(f"bundle={str(out)[:200]}: the site cannot be written: {why}") from None
    finally:
        shutil.rmtree(partial, ignore_errors=True)
