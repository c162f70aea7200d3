"""How verdicts by a paper's own convention of scoring differ from ours, answer by answer."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.scorer import SampleScore, Score

from harness.core.hookspecs import Benchmark, Row
from harness.core.plugins import registry
from harness.run import metrics, stats
from harness.run.metrics import SCORER
from harness.run.results import samples_of


def conventions(benchmark: Benchmark, rows: Sequence[Row]) -> dict[str, Any] | None:
    """Return how the published convention's verdicts differ from ours, answer by answer (see docs/json.md).

    None where it has no figure for these items.

    It counts an answer as right when the published counterpart of the headline (else the first published
    metric) is 1 for that answer alone; ours, when the headline's own value is.
    """
    named = {metric.name: metric for metric in benchmark.published}
    chosen = named.get(f"published_{benchmark.headline}", benchmark.published[0])
    theirs = stats.value_of(chosen, rows)
    if math.isnan(theirs):
        return None
    cells = Counter((judgement(row, benchmark), stats.value_of(chosen, [row]) >= 1) for row in rows)
    unparsed = cells["unparsed", True] + cells["unparsed", False]
    return {
        "metric": chosen.name,
        "ours": stats.value_of(benchmark.headline_metric, rows),
        "published": theirs,
        "scored": len(rows),
        "unparsed": unparsed,
        "unparsed_right": cells["unparsed", True],
        "wrong_right": cells["wrong", True] + cells["partial", True],
        "right_wrong": cells["right", False],
    }


def published_of(log: EvalLog, convention: str) -> dict[str, Any] | None:
    """Return how the verdicts of a log differ by the published convention; None where it was not asked for."""
    if convention != "published":
        return None
    scored = [
        SampleScore(score=score, sample_id=sample.id, sample_metadata=sample.metadata)
        for sample in samples_of(log)
        if (score := our_score(sample)) is not None
    ]
    benchmark = registry().get(str((log.eval.metadata or {})["plugin"])).benchmark
    return conventions(benchmark, metrics.rows_of(scored))


def judgement(row: Row, benchmark: Benchmark) -> str:
    """Return ``right``, ``partial``, ``wrong`` or ``unparsed``, by the first of the verdict's values."""
    if row.outcome == "unparsed":
        return "unparsed"
    value = row.value.get(benchmark.values[0], 0)
    return "right" if value == 1 else "partial" if value > 0 else "wrong"


def our_score(sample: EvalSample) -> Score | None:
    """Return what our scorer made of a sample, None if it did not."""
    return (sample.scores or {}).get(SCORER)
